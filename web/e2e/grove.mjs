// A server and a browser for tests. The program is `GROVE`, or what cargo built last; the browser is
// `CHROMIUM`, or Debian's. With `PAGE`, a folder that `npm run build` made, the files of the page come from
// there, with the headers of the server, and the program need not be built again.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const programs = [process.env.GROVE, join(target, "debug/grove"), join(target, "release/grove")];
export const grove = programs.find((path) => path && existsSync(path)) ?? "grove";
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Starts `grove serve` on a free port, or on the one in `options`. */
export async function serve(...options) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const server = spawn(grove, ["serve", ...port, "--json", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      try {
        resolve(JSON.parse(text));
      } catch {
        // There is more to come.
      }
    });
    server.on("exit", (code) => reject(new Error(`grove serve ended with ${code}`)));
  });
  if (!said.page) {
    server.kill();
    throw new Error("the page is not in the program: build it where npm is installed");
  }
  const ended = new Promise((resolve) => server.on("exit", resolve));
  return { address: said.address, pid: server.pid, stop: () => (server.kill(), ended) };
}

/** Starts a browser without a window. */
export function browse() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}

/** A page that notes everything that goes wrong in it, and everything it asks of other machines. */
export async function newPage(browser, address, options = {}) {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 900 }, ...options });
  if (process.env.PAGE) await context.route((url) => !url.pathname.startsWith("/api/"), fromFolder);
  return watched(await context.newPage(), address);
}

/** Answers with a file of the folder `PAGE`. */
async function fromFolder(route) {
  const path = new URL(route.request().url()).pathname;
  const types = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
  const type = types[extname(path)];
  const headers = type ? { "content-type": type } : (await route.fetch()).headers();
  delete headers["content-length"];
  await route.fulfill({ headers, body: readFileSync(join(process.env.PAGE, type ? path : "index.html")) });
}

/** A page whose problems are noted. */
export function watched(page, address) {
  page.setDefaultTimeout(15_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => {
    // A refused request is what some tests want; what the page makes of it is looked at there.
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) page.problems.push(text);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) page.problems.push(`asked ${request.url()}`);
  });
  return page;
}

/** The serious findings about a page's accessibility. */
export async function findings(page) {
  // The policy of the page allows no scripts but its own; a test may evaluate.
  await page.evaluate((await import("node:fs")).readFileSync(axe, "utf8"));
  const result = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return result.violations
    .filter((found) => ["serious", "critical"].includes(found.impact))
    .map((found) => `${found.id}: ${found.nodes.map((node) => `${node.html.slice(0, 160)} [${node.any[0]?.message ?? ""}]`).slice(0, 3).join(" | ")}`);
}

/** Starts a match and goes to its page. */
export async function startMatch(page, body) {
  const response = await page.request.post("/api/matches", { data: body });
  const made = await response.json();
  if (!response.ok()) throw new Error(JSON.stringify(made));
  await page.goto(`/matches/${made.id}`);
  await page.waitForSelector(".status[data-ply]");
  return made.id;
}

/** Waits until it is a person's turn or the match is over. */
export async function myTurn(page) {
  await page.waitForFunction(() => {
    const status = document.querySelector(".status[data-ply]");
    return status && (status.dataset.over !== "" || status.textContent.includes("Your turn"));
  });
  return (await page.getAttribute(".status", "data-over")) === "";
}

export function ply(page) {
  return page.getAttribute(".status", "data-ply").then(Number);
}
