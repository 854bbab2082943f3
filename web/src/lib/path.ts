// Moves as cells that are clicked one after another.

import type { Choice, Spot } from "./types";

export const spotKey = (spot: Spot) => `${spot[0]} ${spot[1]}`;

/** A move and the cells to click for it, in order. */
export interface Path {
  choice: Choice;
  /** Each entry is the cells of which one is to be clicked. */
  steps: string[][];
}

const rank: Record<Spot[2], number> = { source: 0, drop: 0, line: 0, via: 1, target: 2 };

/**
 * The cells of a move in the order in which its name has them; `keys` has the name of each cell. A cell may
 * come twice: an amazon may shoot at the cell it came from.
 */
export function pathOf(choice: Choice, keys: Map<string, string>): Path {
  const lines = choice.spots.filter((spot) => spot[2] === "line").map(spotKey);
  const cells = choice.spots.filter((spot) => spot[2] !== "line");
  if (cells.length === 0) return { choice, steps: lines.length > 0 ? [lines] : [] };
  const words = choice.name.replace(/[()]/g, " ").trim().split(/\s+/);
  const names = cells.map((spot) => ({ cell: spotKey(spot), name: (keys.get(spotKey(spot)) ?? "").split(" ") }));
  const named: string[] = [];
  for (let at = 0; at < words.length; ) {
    const found = names.find(({ name }) => name[0] && name.every((word, next) => words[at + next] === word));
    if (found) named.push(found.cell);
    at += found ? found.name.length : 1;
  }
  const all = cells.every((spot) => named.includes(spotKey(spot)));
  const order = all ? named : [...cells].sort((a, b) => rank[a[2]] - rank[b[2]]).map(spotKey);
  return { choice, steps: order.map((cell) => [cell]) };
}

/** The moves that begin with the clicked cells. */
export function beginningWith(paths: Path[], clicked: string[]): Path[] {
  return paths.filter(
    ({ steps }) => steps.length >= clicked.length && clicked.every((cell, at) => steps[at]!.includes(cell)),
  );
}

/** The cells that can be clicked next. */
export function nextCells(paths: Path[], clicked: number): Set<string> {
  return new Set(paths.flatMap(({ steps }) => steps[clicked] ?? []));
}

/** A name without blanks and signs, as people type it: `e2e4`. */
const squeezed = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");

/** What can be typed for a move: its name, its term, and its cells one after another. */
function forms(choice: Choice, names: Map<string, string>): string[] {
  const cells = choice.spots.filter((spot) => spot[2] !== "line").map((spot) => names.get(spotKey(spot)) ?? "");
  return [choice.short, choice.name, cells.join("")].map(squeezed).filter((text) => text !== "");
}

/** The moves that a typed text may become: those with all its words, or whose name begins with it. */
export function fitting(choices: Choice[], typed: string, names: Map<string, string>): Choice[] {
  const text = typed.trim().toLowerCase();
  if (!text) return choices;
  const begin = squeezed(text);
  const starts = begin ? choices.filter((choice) => forms(choice, names).some((form) => form.toLowerCase().startsWith(begin))) : [];
  const words = text.split(/\s+/);
  const holds = (choice: Choice) => {
    const found = `${choice.short} ${choice.name} ${choice.words ?? ""}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => found.some((one) => one.startsWith(word)));
  };
  return starts.length > 0 ? starts : choices.filter(holds);
}
