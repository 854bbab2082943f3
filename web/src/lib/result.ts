// How a match ended, in words, and which way round a board is.

import { capital } from "./format";
import type { Drawing, MatchState } from "./types";

const reasons: Record<string, string> = {
  "no-legal-move": "Nobody can move",
  "step-limit": "The match was stopped after too many steps",
  fault: "The rules could not be evaluated any further",
};

/** The goals that count: of a match that was given up, those of a loss. */
export function goalsOf(state: MatchState): number[] | null {
  if (!state.over) return null;
  const { resigned, goals } = state.over;
  if (resigned === null || state.roles.length === 1) return goals;
  return state.roles.map((_, role) => (role === resigned ? 0 : 100));
}

/** The result for the visitor: `You won`, `White won`, `A draw`. */
export function result(state: MatchState): string {
  const { over, roles, seats } = state;
  if (!over) return "";
  const goals = goalsOf(state) ?? [];
  const people = seats.flatMap((seat, role) => (seat.kind === "person" ? [role] : []));
  const me = people.length === 1 ? people[0]! : -1;
  const stopped = reasons[over.reason] ? `${reasons[over.reason]}. ` : "";
  if (over.resigned !== null) {
    const loser = over.resigned === me ? "You resigned" : `${capital(roles[over.resigned]!)} resigned`;
    const others = roles.filter((_, role) => role !== over.resigned);
    return others.length === 1 ? `${loser}: ${others[0]} wins` : loser;
  }
  if (over.reason === "fault") return stopped.trim();
  if (roles.length === 1) {
    const goal = goals[0] ?? 0;
    const who = me === 0 ? "You" : capital(roles[0]!);
    if (state.game.kind === "vgdl") return `${stopped}${who} ${goal >= 100 ? "won" : "lost"}`;
    if (goal >= 100) return `${stopped}Solved`;
    return `${stopped}${goal > 0 ? `Over, with ${goal} of 100 points` : "Not solved"}`;
  }
  const best = Math.max(...goals);
  const winners = roles.filter((_, role) => goals[role] === best);
  if (winners.length === roles.length) return `${stopped}A draw`;
  if (me >= 0) {
    if (goals[me] === best) return `${stopped}${winners.length === 1 ? "You won" : `You share the win with ${winners.filter((name) => name !== roles[me]).join(" and ")}`}`;
    return `${stopped}You lost: ${winners.join(" and ")} won`;
  }
  return `${stopped}${capital(winners.join(" and "))} won`;
}

/** Whether a role's pieces are in the upper half of a first position, so that the board is better turned. */
export function standsAbove(drawing: Drawing, roles: string[], role: number): boolean {
  if (drawing.kind !== "svg" || roles.length !== 2) return false;
  const cells = [...drawing.svg.matchAll(/<g class="cell"[^>]* data-y="(-?[\d.]+)"[^>]*?(?: data-piece="([^"]*)")?(?: data-fact|>)/g)];
  const rows = cells.map((cell) => Number(cell[1]));
  const pieces = cells.flatMap((cell) => (cell[2] ? [{ y: Number(cell[1]), name: cell[2] }] : []));
  const owner = (name: string) => {
    const whole = roles.findIndex((one) => name.split(/[\s_]/).includes(one));
    if (whole >= 0) return whole;
    // `wr` is white's rook where both roles have letters of their own.
    return roles[0]![0] === roles[1]![0] || name.length > 2 ? -1 : roles.findIndex((one) => name.startsWith(one[0]!));
  };
  const heights = (side: number) => pieces.filter((piece) => owner(piece.name) === side).map((piece) => piece.y);
  const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [mine, theirs] = [heights(role), heights(1 - role)];
  if (mine.length === 0 || theirs.length === 0) return false;
  // Both sides have to be apart: pieces in the middle of othello say nothing.
  const height = Math.max(...rows) - Math.min(...rows);
  return mean(theirs) - mean(mine) > height * 0.3;
}
