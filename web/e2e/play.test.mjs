// Whole games, played by clicking.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browse, findings, myTurn, newPage, ply, serve, startMatch } from "./grove.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** Clicks cells until the match is over: the first that can be clicked, or the way `choose` says. */
async function playToTheEnd(page, most, choose = (cells) => cells.first()) {
  for (let turn = 0; turn < most && (await myTurn(page)); turn += 1) {
    const was = await ply(page);
    await choose(page.locator(".board .cell.can"), turn).click();
    await page.waitForFunction(
      (was) => Number(document.querySelector(".status").dataset.ply) !== was,
      was,
    );
  }
  assert.equal(await page.getAttribute(".status", "data-over"), "terminal");
}

test("from the gallery to a game of tic-tac-toe, to its end, by clicking", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search games" }).fill("tic-tac-toe");
  await page.locator('a.card[data-name="tic_tac_toe"] svg').waitFor();
  await page.locator('a.card[data-name="tic_tac_toe"]').click();
  await page.getByText(/^More: /).click();
  await page.getByLabel("Agents think").selectOption("0.2");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL("**/matches/*");
  assert.ok(await myTurn(page));
  assert.equal(await page.locator(".board .cell.can").count(), 9, "every cell can be marked");
  await playToTheEnd(page, 9);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("connect four to its end, by clicking columns", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "connect_four", players: ["person", "random"], clock: 0.1, seed: 5 });
  assert.ok(await myTurn(page));
  await playToTheEnd(page, 21);
  const goals = await page.locator(".seats strong").allTextContents();
  assert.equal(goals.length, 2);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("source and target, the list, a hint, undo and the keyboard in breakthrough", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "breakthrough", players: ["person", "random"], clock: 0.1, seed: 1 });
  assert.ok(await myTurn(page));
  await page.locator(".board .cell.can").first().click();
  const targets = page.locator(".board .cell.can");
  assert.ok((await targets.count()) >= 1, "after the source its targets can be clicked");
  await targets.first().click();
  await page.waitForFunction(() => Number(document.querySelector(".status").dataset.ply) >= 1);
  assert.ok(await myTurn(page));
  assert.equal(await ply(page), 2);

  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".hint strong").waitFor();
  assert.ok((await page.locator(".board .cell.hinted").count()) >= 1);
  assert.ok((await page.locator(".insight tbody tr").count()) >= 2, "the hint's search shows");

  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".status").dataset.ply) === 0);
  assert.ok(await myTurn(page));

  const search = page.getByRole("searchbox", { name: /Search among/ });
  await search.fill("nothing like that");
  await page.getByText("No move fits.").waitFor();
  await search.fill("");
  await page.locator(".moves li button").first().click();
  await page.waitForFunction(() => Number(document.querySelector(".status").dataset.ply) >= 1);
  assert.ok(await myTurn(page));

  await page.locator(".board .cell[tabindex='0']").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".board .cell.chosen").count(), 1, "chosen by the keyboard");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".board .cell.chosen").count(), 0);
  assert.deepEqual(await findings(page), []);

  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.getByText("resigned").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a game in which both choose at once", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "goofspiel", players: ["person", "grove"], clock: 0.1, seed: 3 });
  await page.getByText("shows once you have chosen").waitFor();
  assert.equal(await page.locator(".insight").count(), 0, "what the other chose is not given away");
  for (let turn = 0; turn < 40 && (await myTurn(page)); turn += 1) {
    const was = await ply(page);
    await page.locator(".moves li button").last().click();
    await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was, was);
  }
  assert.equal(await page.getAttribute(".status", "data-over"), "terminal");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("The Octagon Theory with piece, direction and preview", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "octagon(small)", players: ["person", "random"], clock: 0.1, seed: 2 });
  for (let turn = 0; turn < 4; turn += 1) {
    assert.ok(await myTurn(page));
    const was = await ply(page);
    await page.locator(".board .cell.can").nth(5).click();
    const panel = page.getByRole("region", { name: /Piece and direction/ });
    if (await panel.isVisible().catch(() => false)) {
      const way = panel.locator(".ways button").first();
      await way.hover();
      await page.locator(".boardbox.previewing").waitFor();
      await way.click();
    }
    await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was, was);
  }
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a video game by keys", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "zelda", level: 0, players: ["person"], tick: 100, seed: 4 });
  const place = () => page.locator("[data-avatar]").getAttribute("data-avatar");
  const seen = new Set([await place()]);
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"]) {
    await page.keyboard.down(key);
    await page.waitForTimeout(450);
    await page.keyboard.up(key);
    seen.add(await place());
  }
  assert.ok(seen.size > 1, `the avatar moved: ${[...seen]}`);
  await page.keyboard.press("p");
  await page.getByText("Paused").waitFor();
  const paused = await ply(page);
  await page.waitForTimeout(400);
  assert.equal(await ply(page), paused, "time stands still");
  await page.keyboard.press("p");
  await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was, paused);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.getByText(/^Hint: (up|down|left|right|use|wait)/).waitFor();
  const hinted = await ply(page);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was + 2, hinted);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
