// Watching, replaying, looking inside; every place has an address.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, findings, newPage, serve, startMatch } from "./grove.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

test("agents play, the search shows, its tree opens node by node, the record replays", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["uct", "uct"], clock: 0.4, seed: 9 });
  await page.locator(".insight tbody tr").first().waitFor();
  const first = Number(await page.getAttribute("[data-simulations]", "data-simulations"));
  assert.ok(first > 0);

  await page.getByRole("button", { name: "Open the search tree" }).click();
  const tree = page.getByRole("region", { name: "Search tree" });
  await tree.locator(".children button").first().waitFor();
  assert.ok(await tree.locator(".small svg").isVisible(), "the board of the root");
  await tree.locator(".children button").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".tree nav li").length === 2);
  assert.ok(await tree.locator(".small svg").isVisible(), "the board of the node");
  assert.deepEqual(await findings(page), []);

  await page.waitForFunction(() => document.querySelector(".status").dataset.over === "terminal", null, { timeout: 60_000 });
  assert.ok(await page.locator(".expectations .series").first().isVisible());
  const plies = Number(await page.getAttribute(".status", "data-ply"));

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Record" }).click();
  const file = join(mkdtempSync(join(tmpdir(), "grove-")), "record.json");
  await (await download).saveAs(file);
  const record = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(record.steps.length, plies);
  assert.equal(record.ending, "terminal");

  await page.goto(`/matches/${id}/2`);
  await page.getByText(`Step 2 of ${plies}`).waitFor();
  const pieces = page.locator(".board .cell[data-piece]:not([data-piece=b])");
  await pieces.nth(1).waitFor();
  assert.equal(await pieces.count(), 2);

  await page.goto("/replay");
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText(`Step 0 of ${plies}`).waitFor();
  await page.getByRole("button", { name: "One step on" }).click();
  await page.getByText(`Step 1 of ${plies}`).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByText(`Step 2 of ${plies}`).waitFor();
  await page.getByRole("button", { name: "Last position" }).click();
  await page.getByText(`Step ${plies} of ${plies}`).waitFor();
  assert.match(page.url(), new RegExp(`/matches/[0-9a-f]+/${plies}$`));
  assert.deepEqual(await findings(page), []);

  await page.goto("/replay");
  await page.getByLabel("Record as text").fill(JSON.stringify({ ...record, game: "connect_four" }));
  await page.getByRole("button", { name: "Step through it" }).click();
  await page.getByRole("alert").getByText("is it a record of this game").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the default agent plays a video game, and its plans show", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "aliens", level: 0, players: ["grove"], tick: 60, seed: 1 });
  await page.locator(".insight tbody tr").first().waitFor();
  const moves = await page.locator(".insight tbody th, .insight tbody td:first-child").allTextContents();
  assert.ok(moves.length > 1 && moves.every((move) => !/nil/i.test(move)), `it plans: ${moves}`);
  await page.waitForFunction(() => Number(document.querySelector(".status").dataset.ply) >= 15);
  assert.equal(await page.locator(".trouble").count(), 0);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("what is gone or was never there says so", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/matches/0000000000000000");
  await page.getByText("There is no match").waitFor();
  await page.goto("/games/no_such_game");
  await page.getByText("No game is called no_such_game").waitFor();
  await page.goto("/nothing/here");
  await page.getByText("There is nothing at this address").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
