// Numbers and names for people.

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-GB").replaceAll(",", "\u202f");
}

export function rate(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return count(value);
}

export function fixed(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

/** A message as a sentence: with a capital letter and one mark at its end. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const whole = /[.?!…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return capital(whole);
}

/** A name with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time in words: of long ones the two largest units. */
export function time(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A move as people read it: without the outer parentheses. */
export function move(name: string): string {
  const inner = /^\(\s*(.*?)\s*\)$/.exec(name)?.[1];
  // Of `(play 3) (play 2)` the first and the last do not belong together.
  return inner === undefined || /^[^(]*\)/.test(inner) ? name : inner;
}

/** What is expected to follow, step by step; moves made at the same time are one step. */
export function line(steps: string[]): string {
  return steps.map((step) => step.replaceAll(") (", ")\n(").split("\n").map(move).join(" and ")).join(", ");
}

/** Whether a move only waits for others. */
export function isIdle(name: string): boolean {
  return /^\(?\s*(noop|nil|wait|pass|no_op)\s*\)?$/i.test(name);
}

/** The moves of a step by their names, without those that only wait. */
export function joint(names: string[]): string {
  const real = names.filter((name) => !isIdle(name));
  return (real.length > 0 ? real : names.slice(0, 1)).map(move).join(" · ");
}

/** Actions of a video game one after another, equal ones counted: `right ×3, up`. */
export function inARow(actions: string[]): string {
  const runs: { name: string; times: number }[] = [];
  for (const action of actions) {
    const name = action === "NIL" ? "wait" : action.toLowerCase();
    const last = runs.at(-1);
    if (last?.name === name) last.times += 1;
    else runs.push({ name, times: 1 });
  }
  return runs.map(({ name, times }) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
}

/** The comment at the top of a rulesheet in paragraphs; those that begin with a word of their own have a name. */
export function sections(lines: string[]): { name: string; text: string }[] {
  const found: { name: string; text: string }[] = [];
  let open = false;
  for (const line of lines) {
    const named = /^([A-Z][\w' ]*?)\s{2,}(\S.*)$/.exec(line);
    const last = found.at(-1);
    if (!line.trim()) open = false;
    else if (named) {
      found.push({ name: named[1]!, text: named[2]! });
      open = true;
    } else if (open && last && (line.startsWith(" ") || !last.name)) last.text += ` ${line.trim()}`;
    else {
      found.push({ name: "", text: line.trim() });
      open = true;
    }
  }
  return found;
}
