// What the server sends; `docs/web.md` says more.

export type Kind = "gdl" | "vgdl" | "octagon";

export interface Entry {
  name: string;
  kind: Kind;
  title: string;
  roles: string[];
  tags: string[];
  levels: number;
}

export interface SpriteLook {
  name: string;
  colour: string;
  sign: string;
  /** What is drawn: `avatar`, `creature`, `dart` and others. */
  shape: string;
  solid: boolean;
  avatar: boolean;
}

export interface Frame {
  kind: "video";
  cols: number;
  rows: number;
  blocks: number[][];
  /** Where the uppermost of some blocks look, in quarters of a turn from up. */
  facing: [number, number][];
  looks: SpriteLook[];
  tick: number;
  scores: number[];
  carries: [string, number][];
}

/** What holds beside the board. */
export interface Panel {
  label: string;
  /** The role it is about, if any. */
  role: number | null;
  values: string[];
}

export type Drawing = { kind: "svg"; svg: string; rest: string[]; panels: Panel[] } | Frame;

export interface GamePage extends Entry {
  description: string[];
  rules: string;
  /** The level of a video game that was asked for. */
  level_text: string;
  own: boolean;
  source: string[];
  default_agent: string;
  drawing: Drawing;
}

export interface Agent {
  name: string;
  title: string;
  sentence: string;
  source: string;
  kinds: Kind[];
}

/** Board, cell, and the part the cell has in a move. */
export type Spot = [number, number, "source" | "via" | "target" | "drop" | "line"];

export interface Choice {
  /** The term of the rules. */
  name: string;
  /** The name that people read. */
  short: string;
  spots: Spot[];
  words?: string;
}

export interface Candidate {
  move: string;
  short: string;
  visits: number;
  mean: number | null;
  interval: number | null;
  line: string[];
}

export interface Insight {
  ply: number;
  role: number;
  agent: string;
  seconds: number;
  simulations: number;
  simulations_per_second: number;
  nodes: number;
  depth: number;
  moves: Candidate[];
  more: number;
  done: boolean;
  /** Settings of the agent that have no effect in this game, and why. */
  without_effect: string[];
}

export interface Expectation {
  ply: number;
  role: number;
  mean: number;
}

export interface MatchState {
  id: string;
  game: { name: string; title: string; kind: Kind; level: number | null; own: boolean };
  roles: string[];
  seats: { kind: "person" | "agent" | "recorded"; name: string; title: string }[];
  clock: number;
  seed: number;
  reasoner: string;
  ply: number;
  drawing: Drawing;
  legal: (Choice[] | null)[];
  counts: number[];
  chosen: boolean[];
  thinking: boolean[];
  over: { reason: string; goals: number[]; resigned: number | null } | null;
  trouble: string | null;
  /** In video games with what to do after it, tick by tick. */
  hint: { role: number; move: string | null; after?: string[] } | null;
  hinting: boolean;
  paused: boolean;
  moves: string[][];
  /** The same by the names that people read. */
  names: string[][];
  first: number;
  expectations: Expectation[];
  trees: [number, number][];
  replay: boolean;
  tick: number;
}

export interface Position {
  ply: number;
  plies: number;
  drawing: Drawing;
  last: string[];
  names: string[];
  goals: number[];
  over: string | null;
  insights: (Insight | null)[];
}

export interface TreeEntry {
  node: number;
  moves: string[];
  visits: number;
  mean: number | null;
  children: number;
}

export interface TreeView {
  node: number;
  path: TreeEntry[];
  children: TreeEntry[];
  drawing: Drawing;
}

export interface Finding {
  severity: "error" | "warning";
  code: string;
  message: string;
  label: string;
  help: string;
  start: number;
  end: number;
  line: number;
  column: number;
}

export interface Checked {
  kind: Kind;
  playable: boolean;
  findings: Finding[];
  level_findings: Finding[];
  missing?: string;
}

export interface Listed {
  name: string;
  title: string;
  sentence: string;
  source: string;
  games: number;
  columns: number;
  begun: boolean;
  profile?: string;
  progress?: [number, number];
}

export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export interface ReportCell {
  planned: number;
  runs: number;
  wins: number;
  draws: number;
  losses: number;
  ours: Estimate | null;
  published: { mean: number; half_width: number | null } | null;
  verdict: string;
}

export interface Experiment {
  name: string;
  profile: string;
  profiles: string[];
  begun: boolean;
  command: string;
  progress: {
    total: number;
    done: number;
    playing: number;
    seconds_left: number | null;
    work_seconds: number | null;
  };
  report: {
    title: string;
    sentence: string;
    source: { work: string; table: string };
    notes: string[];
    columns: string[];
    rows: { game: string; label: string; budget: string; missing: string | null; cells: ReportCell[] }[];
    average_label: string;
    average: { ours: Estimate | null; published: { mean: number; half_width: number | null } | null; verdict: string }[];
    standings: { agent: string; points: Estimate | null; elo: { elo?: number } | null }[];
    sessions: { command: string; machine: string; threads: number; version: string }[];
    hash: string;
    seed: number;
  };
  charts: { title: string; svg: string }[];
  verdicts: [string, number][];
}
