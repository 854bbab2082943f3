// Load: clients that watch and people who ask for searches, all at once and all the time; how long pages take
// meanwhile, and how much memory the server has.
//
//   node load.mjs [SECONDS] [WATCHERS] [SEARCHES]
//
// Prints one JSON object. `docs/web.md` has what was measured.

import { readFileSync } from "node:fs";
import http from "node:http";

import { serve } from "./grove.mjs";

const [seconds, watchers, searches] = [20, 200, 20].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const server = await serve();
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
const errors = [];

/** Asks as one of many visitors, each with a cookie. */
function ask(visitor, path, body) {
  const cookie = `grove-visitor=${visitor.toString(16).padStart(16, "0")}`;
  const headers = { cookie, ...(body ? { "content-type": "application/json" } : {}) };
  return new Promise((resolve, reject) => {
    const request = http.request(server.address + path, { agent, method: body ? "POST" : "GET", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => (text += part));
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${response.statusCode} ${text}`))));
    });
    request.on("error", reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
}
const start = async (visitor, body) => JSON.parse(await ask(visitor, "/api/matches", body)).id;

/** Listens to a match until it is over; counts what is heard. */
let events = 0;
let over = false;
function watch(id) {
  return new Promise((resolve) => {
    const request = http.get(`${server.address}/api/matches/${id}/events`, { agent: false }, (response) => {
      if (response.statusCode !== 200) errors.push(`events: ${response.statusCode}`);
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (part) => {
        text += part;
        const whole = text.split("\n\n");
        text = whole.pop();
        events += whole.filter((event) => event.startsWith("event: ")).length;
        if (whole.some((event) => /"over":\{/.test(event)) || over) request.destroy();
      });
      response.on("close", resolve);
      response.on("error", resolve);
    });
    request.on("error", (error) => (over ? undefined : errors.push(String(error)), resolve()));
  });
}
const memory = () => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const share = (list, part) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0;

const games = ["connect_four", "breakthrough", "tic_tac_toe", "checkers", "othello"];
const until = Date.now() + seconds * 1000;
const goesOn = () => Date.now() < until;

// Ten matches between agents, each with a tenth of the watchers; when one is over the next begins.
const first = [];
let watched = 0;
const shows = Array.from({ length: 10 }, async (_, at) => {
  for (let round = 0; goesOn(); round += 1) {
    const id = await start(at, { game: games[(at + round) % games.length], players: [], clock: 1, seed: at + 10 * round });
    if (round === 0) first.push(id);
    watched += 1;
    await Promise.all(Array.from({ length: Math.ceil(watchers / 10) }, () => watch(id)));
  }
}).map((show) => show.catch((error) => void errors.push(String(error))));

// People who play, and ask for a search before every move.
const waits = [];
const people = Array.from({ length: searches }, async (_, at) => {
  const visitor = 1000 + at;
  for (let round = 0; goesOn(); round += 1) {
    const id = await start(visitor, { game: games[(at + round) % games.length], players: ["person", "random"], seed: at + 10 * round });
    const look = async () => JSON.parse(await ask(visitor, `/api/matches/${id}`));
    for (let state = await look(); goesOn() && !state.over; state = await look()) {
      if (!state.legal[0]) await new Promise((wait) => setTimeout(wait, 100));
      else {
        const asked = Date.now();
        await ask(visitor, `/api/matches/${id}/hint`, { role: 0 });
        while (!state.hint && goesOn()) {
          await new Promise((wait) => setTimeout(wait, 250));
          state = await look();
        }
        if (!state.hint) break;
        waits.push((Date.now() - asked) / 1000);
        await ask(visitor, `/api/matches/${id}/move`, { role: 0, move: state.hint.move });
      }
    }
  }
}).map((person) => person.catch((error) => void errors.push(String(error))));
while (first.length < 10 && goesOn()) await new Promise((wait) => setTimeout(wait, 50));

// Meanwhile somebody looks around.
const paths = ["/", "/api/games", "/api/games/chess", "/api/games/zelda/drawing", `/api/matches/${first[0]}`, "/api/experiments"];
const times = Object.fromEntries(paths.map((path) => [path, []]));
const sizes = [];
for (let at = 0; goesOn(); at += 1) {
  const path = paths[at % paths.length];
  const before = performance.now();
  await ask(5000, path).catch((error) => errors.push(String(error)));
  times[path].push(performance.now() - before);
  if (at % 10 === 0) sizes.push(memory());
  await new Promise((wait) => setTimeout(wait, 20));
}
over = true;
await Promise.race([Promise.all([...shows, ...people]), new Promise((wait) => setTimeout(wait, 5000))]);
const all = Object.values(times).flat();
const tenth = Math.max(1, Math.floor(sizes.length / 10));
const tenths = Array.from({ length: 10 }, (_, at) => Math.round(median(sizes.slice(at * tenth, (at + 1) * tenth))));
console.log(
  JSON.stringify(
    {
      watchers,
      searches,
      seconds,
      errors: errors.length,
      requests: all.length,
      median_ms: Math.round(median(all)),
      p95_ms: Math.round(share(all, 0.95)),
      worst_ms: Math.round(Math.max(...all)),
      median_ms_by_path: Object.fromEntries(Object.entries(times).map(([path, list]) => [path, Math.round(median(list))])),
      events,
      matches_watched: watched,
      searches_done: waits.length,
      search_seconds: { median: median(waits), worst: Math.max(0, ...waits) },
      memory_mb_by_tenth_of_the_time: tenths,
      server: JSON.parse(await ask(5000, "/api/status")),
    },
    null,
    2,
  ),
);
errors.slice(0, 5).forEach((error) => console.error(error));
server.stop();
process.exit(errors.length > 0 ? 1 : 0);
