// Load: clients that watch and searches that are asked for, all at once; how long pages take meanwhile.
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

/** Listens to a match; counts what is heard. */
const streams = [];
let events = 0;
function watch(visitor, id) {
  return new Promise((resolve, reject) => {
    const request = http.get(`${server.address}/api/matches/${id}/events`, { agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`events: ${response.statusCode}`));
      response.setEncoding("utf8");
      response.on("data", (part) => (events += part.split("event: ").length - 1));
      response.once("data", resolve);
      response.on("error", () => {});
    });
    request.on("error", (error) => (streams.includes(null) ? undefined : errors.push(String(error))));
    streams.push(request);
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

// Ten matches between agents, watched by all.
const games = ["connect_four", "breakthrough", "tic_tac_toe", "checkers", "othello"];
const matches = await Promise.all(
  Array.from({ length: 10 }, (_, at) => start(at, { game: games[at % games.length], players: [], clock: 1, seed: at })),
);
await Promise.all(Array.from({ length: watchers }, (_, at) => watch(at, matches[at % matches.length])));

// Searches: hints for people who play.
const asked = Date.now();
const hints = Array.from({ length: searches }, async (_, at) => {
  const id = await start(1000 + at, { game: games[at % games.length], players: ["person", "random"], seed: at });
  await ask(1000 + at, `/api/matches/${id}/hint`, { role: 0 });
  for (;;) {
    const state = JSON.parse(await ask(1000 + at, `/api/matches/${id}`));
    if (state.hint) return (Date.now() - asked) / 1000;
    await new Promise((wait) => setTimeout(wait, 500));
  }
}).map((hint) => hint.catch((error) => void errors.push(String(error))));

// Meanwhile somebody looks around.
const paths = ["/", "/api/games", "/api/games/chess", "/api/games/zelda/drawing", `/api/matches/${matches[0]}`, "/api/experiments"];
const times = Object.fromEntries(paths.map((path) => [path, []]));
const sizes = [];
const until = Date.now() + seconds * 1000;
for (let at = 0; Date.now() < until; at += 1) {
  const path = paths[at % paths.length];
  const before = performance.now();
  await ask(5000, path).catch((error) => errors.push(String(error)));
  times[path].push(performance.now() - before);
  if (at % 10 === 0) sizes.push(memory());
  await new Promise((wait) => setTimeout(wait, 20));
}
const done = await Promise.all(hints);
const all = Object.values(times).flat();
const third = Math.max(1, Math.floor(sizes.length / 3));
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
      searches_done: done.filter(Boolean).length,
      last_search_seconds: Math.max(...done.filter(Boolean)),
      memory_mb: { first_third: Math.round(median(sizes.slice(0, third))), last_third: Math.round(median(sizes.slice(-third))) },
    },
    null,
    2,
  ),
);
errors.slice(0, 5).forEach((error) => console.error(error));
streams.push(null);
server.stop();
process.exit(errors.length > 0 ? 1 : 0);
