// The matches that are played in this browser, so that they can be continued, after a restart of the server too.

import type { MatchState } from "./types";

/** What it takes to start a match again where it was. */
export interface Restorable {
  game: string;
  level: number;
  players: string[];
  clock: number;
  tick: number;
  seed: number;
  moves: string[][];
}

export interface Mine {
  id: string;
  title: string;
  restorable?: Restorable;
}

const NAME = "matches";
const MOST = 6;
/** Longer matches take too much of the browser's memory. */
const MOST_STEPS = 400;

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
  if (state.over) return;
  const rest = mine().filter((one) => one.id !== state.id);
  keep([{ id: state.id, title: state.game.title, restorable: toRestore(state) ?? undefined }, ...rest]);
}
export function forget(id: string) {
  keep(mine().filter((one) => one.id !== id));
}

/** What is known about a match that the server has forgotten. */
export function remembered(id: string): Restorable | null {
  return mine().find((one) => one.id === id)?.restorable ?? null;
}

/** How to start a match again, if all of its moves are known. */
export function toRestore(state: MatchState): Restorable | null {
  const whole = state.first === 0 && state.moves.length === state.ply && state.ply <= MOST_STEPS;
  if (!whole || state.replay || state.game.own || state.game.kind === "vgdl") return null;
  return {
    game: state.game.name,
    level: state.game.level ?? 0,
    players: state.seats.map((seat) => (seat.kind === "person" ? "person" : seat.name)),
    clock: state.clock,
    tick: state.tick,
    seed: state.seed,
    moves: state.moves,
  };
}

const KEYS = "keys";
const MOST_KEYS = 24;

function keys(): [string, string][] {
  try {
    return JSON.parse(localStorage.getItem(KEYS) ?? "[]");
  } catch {
    return [];
  }
}
/** Keeps the key of a match, with which others may play it too. */
export function keepKey(id: string, key: string) {
  localStorage.setItem(KEYS, JSON.stringify([[id, key], ...keys().filter(([one]) => one !== id)].slice(0, MOST_KEYS)));
}
export function keyOf(id: string): string | null {
  return keys().find(([one]) => one === id)?.[1] ?? null;
}
