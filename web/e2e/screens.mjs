// Pictures of every page at two widths, light and dark, for people to look at: node screens.mjs FOLDER [ADDRESS] [PAGE ...]

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { browse, myTurn, newPage, serve, startMatch } from "./grove.mjs";

const folder = process.argv[2] ?? "screens";
mkdirSync(folder, { recursive: true });
const server = process.argv[3] ? { address: process.argv[3], stop() {} } : await serve();
const browser = await browse();
const widths = { wide: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

/** What is shown, and how to get there. */
const pages = {
  gallery: async (page) => {
    await page.goto("/");
    await page.locator(".thumb > div > svg").nth(5).waitFor();
  },
  game: async (page) => {
    await page.goto("/games/breakthrough");
    await page.locator(".boardbox svg").waitFor();
  },
  play: async (page) => {
    await startMatch(page, { game: "connect_four", players: ["person", "grove"], clock: 1, seed: 1 });
    for (let turn = 0; turn < 3 && (await myTurn(page)); turn += 1) {
      const was = Number(await page.getAttribute(".status", "data-ply"));
      await page.locator(".board .cell.can").nth(turn % 2 ? 3 : 8).click();
      await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) >= was + 2, was);
    }
    await myTurn(page);
    await page.locator(".insight tbody tr").first().waitFor();
  },
  source: async (page) => {
    await startMatch(page, { game: "chess", players: ["person", "grove"], clock: 1, seed: 1 });
    await myTurn(page);
    await page.locator(".board .cell.can").nth(4).click();
  },
  tree: async (page) => {
    await startMatch(page, { game: "tic_tac_toe", players: ["person", "grove"], clock: 1, seed: 1 });
    await myTurn(page);
    await page.locator(".board .cell.can").nth(4).click();
    await page.waitForFunction(() => Number(document.querySelector(".status").dataset.ply) >= 2);
    await page.getByRole("button", { name: "Open the search tree" }).click();
    await page.locator(".tree .children button").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".tree nav li").length === 2);
  },
  octagon: async (page) => {
    await startMatch(page, { game: "octagon(small)", players: ["person", "random"], clock: 0.2, seed: 2 });
    for (let turn = 0; turn < 3; turn += 1) {
      await myTurn(page);
      const was = Number(await page.getAttribute(".status", "data-ply"));
      await page.locator(".moves li button").nth(turn * 7).click();
      await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was, was);
    }
    await myTurn(page);
    const cells = page.locator(".board .cell.can");
    for (let at = 0; at < 20 && !(await page.locator(".ways button").nth(2).isVisible()); at += 1) await cells.nth(at).click({ timeout: 3000 }).catch(() => {});
  },
  video: async (page) => {
    await startMatch(page, { game: "zelda", level: 0, players: ["person"], tick: 100, seed: 4 });
    await page.waitForTimeout(800);
    await page.keyboard.press("p");
    await page.getByText("Paused").waitFor();
  },
  hint: async (page) => {
    await startMatch(page, { game: "zelda", level: 1, players: ["person"], tick: 100, seed: 4 });
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByText(/^Hint: /).waitFor();
  },
  watch: async (page) => {
    await startMatch(page, { game: "aliens", level: 0, players: ["grove"], tick: 100, seed: 4 });
    await page.locator(".insight tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
  },
  simultaneous: async (page) => {
    await startMatch(page, { game: "goofspiel", players: ["person", "grove"], clock: 0.5, seed: 3 });
    await myTurn(page);
  },
  rules: async (page) => {
    await page.goto("/edit");
    await page.locator("textarea#rules").fill("; A broken game\n(role x) (role o)\n(init (cell 1 b))\n(<= (legal ?r (mark ?c))\n    (true (cell ?c b))\n    (role ?who))\n(<= (next (cell ?c ?r)) (does ?r (mark ?c)))\n(goal x 100\n");
    await page.locator(".found li").first().waitFor();
  },
  replay: async (page) => {
    await page.goto("/replay");
  },
  experiments: async (page) => {
    await page.goto("/experiments");
    await page.locator(".card").first().waitFor();
  },
  experiment: async (page) => {
    await page.goto("/experiments/sironi_2019_table_5_2");
    await page.locator(".report td").first().waitFor();
  },
};

const wanted = process.argv.slice(4);
for (const [width, viewport] of Object.entries(widths)) {
  for (const [name, go] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await newPage(browser, server.address, { viewport });
    try {
      await go(page);
    } catch (error) {
      console.error(`${name}, ${width}: ${error}`);
    }
    for (const problem of page.problems) console.error(`${name}, ${width}: ${problem}`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: name !== "gallery" });
    }
    await page.context().close();
  }
}
await browser.close();
server.stop();
