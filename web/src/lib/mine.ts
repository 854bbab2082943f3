// The matches that are played in this browser, so that they can be continued.

import type { MatchState } from "./types";

export interface Mine {
  id: string;
  title: string;
}

const NAME = "matches";
const MOST = 6;

export function mine(): Mine[] {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "[]");
  } catch {
    return [];
  }
}
function keep(list: Mine[]) {
  localStorage.setItem(NAME, JSON.stringify(list.slice(0, MOST)));
}
export function remember(state: MatchState) {
  if (!state.over) keep([{ id: state.id, title: state.game.title }, ...mine().filter((one) => one.id !== state.id)]);
}
export function forget(id: string) {
  keep(mine().filter((one) => one.id !== id));
}
