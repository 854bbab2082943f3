// The board, the opponents and the gallery as a person uses them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browse, findings, myTurn, newPage, serve, startMatch } from "./grove.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const cell = (page, key) => page.locator(`.board .cell[data-key="${key}"]`);
const atPly = (page, least) => page.waitForFunction((least) => Number(document.querySelector(".status").dataset.ply) >= least, least);
async function middle(page, key) {
  const box = await cell(page, key).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
async function drag(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down();
  const [x, y] = await middle(page, to);
  await page.mouse.move(x + 3, y - 9);
  await page.mouse.move(x, y);
  const ghosts = await page.locator(".board .ghost").count();
  await page.mouse.up();
  return ghosts;
}

test("pieces are dragged; targets are dots; the last move is tinted", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "chess", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  assert.equal(await page.locator(".marks .dot").count(), 0);
  await cell(page, "e 2").click();
  assert.equal(await page.locator(".marks .dot").count(), 2, "e3 and e4");
  assert.equal(await page.locator(".marks .chosen").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await drag(page, "e 2", "d 7"), 1, "the piece follows the pointer");
  assert.equal(await page.locator(".cell.chosen").count(), 0, "dropped elsewhere it stays");
  await drag(page, "e 2", "e 4");
  await atPly(page, 2);
  await page.locator(".history a").first().getByText("e4", { exact: true }).waitFor();
  assert.equal(await page.locator(".board .tint").count(), 2);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".marks .arrowhead").waitFor();
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the second role plays from below, on a phone too; flip and undo by keys", async () => {
  const page = await newPage(browser, server.address, { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" });
  await startMatch(page, { game: "breakthrough", players: ["random", "person"], clock: 0.1, seed: 1 });
  await myTurn(page);
  const above = async () => (await middle(page, "1 1"))[1] < (await middle(page, "1 8"))[1];
  assert.ok(await above(), "white's side is at the top");
  await page.keyboard.press("f");
  assert.ok(!(await above()));
  await page.keyboard.press("f");
  await cell(page, "3 7").tap();
  await cell(page, "3 6").tap();
  await atPly(page, 3);
  await myTurn(page);
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelector(".status").dataset.ply === "1");
  assert.deepEqual(await findings(page), []);
  await page.context().close();
});

test("pieces slide, unless less motion is wanted", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await newPage(browser, server.address, { reducedMotion });
    await startMatch(page, { game: "breakthrough", players: ["person", "random"], clock: 0.1, seed: 1 });
    await myTurn(page);
    await page.evaluate(() => {
      window.slid = 0;
      new MutationObserver((records) => {
        for (const record of records) for (const node of record.addedNodes) if (node.classList?.contains("sliding")) window.slid += 1;
      }).observe(document.querySelector(".board"), { childList: true, subtree: true });
    });
    await cell(page, "3 2").click();
    await cell(page, "3 3").click();
    await atPly(page, 2);
    await page.waitForTimeout(300);
    const slid = await page.evaluate(() => window.slid);
    assert.ok(reducedMotion === "reduce" ? slid === 0 : slid >= 1, `${reducedMotion}: ${slid}`);
    assert.equal(await page.locator(".sliding, [visibility=hidden]").count(), 0, "all pieces stand in their cells");
    await page.context().close();
  }
});

test("the result is in words, and a rematch swaps sides; sound is off", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 3 });
  assert.equal(await page.getByRole("button", { name: "Sound off" }).getAttribute("aria-pressed"), "false");
  for (let turn = 0; turn < 5 && (await myTurn(page)); turn += 1) {
    const was = Number(await page.getAttribute(".status", "data-ply"));
    await page.locator(".board .cell.can").first().click();
    await atPly(page, was + 1);
  }
  const state = await (await page.request.get(`/api/matches/${id}`)).json();
  const word = { 100: "You won", 50: "A draw", 0: "You lost: o won" }[state.over.goals[0]];
  await page.locator(".status").getByText(word).waitFor();
  await page.getByRole("button", { name: "Rematch, sides swapped" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await page.locator(".seats li").nth(1).getByText("you").waitFor();
  assert.ok(await myTurn(page));
  await page.context().close();
});

test("a move for the next turn is chosen while the other thinks", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "breakthrough", players: ["person", "uct"], clock: 2, seed: 1 });
  await myTurn(page);
  await cell(page, "1 2").click();
  await cell(page, "1 3").click();
  await page.getByText("is thinking").waitFor();
  await cell(page, "8 2").click();
  await cell(page, "8 3").click();
  await page.getByText("Your next move: h2-h3").waitFor();
  assert.ok((await page.locator(".marks .queued").count()) >= 1);
  await atPly(page, 3);
  await page.locator(".history a").nth(2).getByText("h2-h3", { exact: true }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("three strengths first, all agents behind more", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/games/connect_four");
  await page.getByRole("button", { name: "Easy" }).click();
  await page.getByRole("button", { name: "yellow" }).click();
  assert.ok(!(await page.getByLabel("Agents think").isVisible()));
  await page.getByText(/^More: /).click();
  const names = await page.locator(".more select").first().locator("option").allTextContents();
  assert.ok(names.includes("Grove") && !names.includes("MAASTCTS2 (MP)"), "none that is made for video games");
  await page.locator(".more cite").first().waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".seats li").nth(1).getByText("you").waitFor();
  assert.ok(await myTurn(page));
  await page.context().close();
});

test("the gallery has categories, finds words, continues matches, and Back keeps the place", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "othello", players: ["person", "random"], clock: 0.1, seed: 1 });
  await page.goto("/");
  await page.getByRole("heading", { name: "Good to begin with" }).waitFor();
  await page.getByRole("link", { name: /Continue Othello/ }).waitFor();
  const search = page.getByRole("searchbox", { name: "Search games" });
  await search.fill("king");
  await page.getByText("No game fits").waitFor();
  await search.fill("");
  await page.locator('a.card[data-name="zelda"]').scrollIntoViewIfNeeded();
  const was = await page.evaluate(() => scrollY);
  assert.ok(was > 500);
  await page.locator('a.card[data-name="zelda"]').click();
  await page.getByRole("heading", { name: "Zelda" }).waitFor();
  await page.goBack();
  await page.waitForFunction((was) => Math.abs(scrollY - was) < 5, was);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("moves are typed as people write them, and written so everywhere", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "chess", players: ["person", "grove"], clock: 0.3, seed: 1 });
  const search = page.getByRole("searchbox", { name: /Search among/ });
  for (const [number, text] of ["e2e4", "Nf3"].entries()) {
    await myTurn(page);
    await search.fill(text);
    assert.equal(await page.locator(".moves li").count(), 1, text);
    await search.press("Enter");
    await atPly(page, 2 * number + 1);
  }
  await page.locator(".history a").first().getByText("e4", { exact: true }).waitFor();
  await page.locator(".history a").nth(2).getByText("Nf3", { exact: true }).waitFor();
  await page.locator(".status").getByText(/Black played ([KQRBN]?[a-h]?x?[a-h][1-8]|O-O)/).waitFor();
  const table = await page.locator(".insight tbody th").allTextContents();
  assert.ok(table.length > 3 && table.every((name) => /^([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)$/.test(name)), `${table}`);
  const lines = (await page.locator(".insight td.line").allTextContents()).join(" ");
  assert.ok(!/move|\(/.test(lines), lines);
  await page.getByRole("button", { name: "Open the search tree" }).click();
  const child = await page.locator(".tree .children strong").first().textContent();
  assert.ok(!/move|\(/.test(child), child);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("castling by the king, and promotion at the square", async () => {
  const page = await newPage(browser, server.address);
  const moves = ["e 2 e 4", "e 7 e 5", "g 1 f 3", "b 8 c 6", "f 1 c 4", "f 8 c 5"].map((words, at) => (at % 2 ? ["noop", `(move ${words})`] : [`(move ${words})`, "noop"]));
  await startMatch(page, { game: "chess", players: ["person", "random"], clock: 0.1, seed: 1, moves });
  await myTurn(page);
  await cell(page, "e 1").click();
  await cell(page, "g 1").click();
  await atPly(page, 7);
  await page.locator(".history a").nth(6).getByText("O-O", { exact: true }).waitFor();
  const race = ["a 2 a 4", "h 7 h 5", "a 4 a 5", "h 5 h 4", "a 5 a 6", "h 4 h 3", "a 6 b 7", "h 3 g 2"].map((words, at) => (at % 2 ? ["noop", `(move ${words})`] : [`(move ${words})`, "noop"]));
  await startMatch(page, { game: "chess", players: ["person", "random"], clock: 0.1, seed: 1, moves: race });
  await myTurn(page);
  await cell(page, "b 7").click();
  await cell(page, "a 8").click();
  const picker = page.getByRole("group", { name: "Choose how" });
  const [at, square] = [await picker.boundingBox(), await cell(page, "a 8").boundingBox()];
  assert.ok(at.y < square.y + square.height && at.y + at.height > square.y, "beside the square");
  await picker.getByRole("button", { name: "queen" }).click();
  await page.locator(".history a").nth(8).getByText("bxa8=Q", { exact: true }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("sides of boxes, quadrants and neighbours are clicked", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "dots_and_boxes", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  assert.equal(await page.locator(".board .edge.can").count(), 60);
  await cell(page, "across 2 3").click();
  await atPly(page, 1);
  assert.ok((await page.locator(".board .edge line").count()) >= 1);

  await startMatch(page, { game: "pentago", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await cell(page, "1 1").click();
  await atPly(page, 1);
  await myTurn(page);
  assert.equal(await page.locator(".board .cell.can").count(), 36, "all quadrants");
  await cell(page, "5 2").click();
  await page.getByRole("group", { name: "Choose how" }).getByRole("button").first().click();
  await page.locator(".history a").nth(1).getByText(/^turn lower right/).waitFor();

  await startMatch(page, { game: "tron", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  assert.equal(await page.locator(".board .cell.can").count(), 3, "ahead, left and right");
  await page.locator(".board .cell.can").first().click();
  await atPly(page, 1);

  await startMatch(page, { game: "joint_connect_four", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await page.locator(".board .cell.can").first().click();
  await atPly(page, 1);
  await page.context().close();
});

test("what is beside the board is in labelled lines", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "skirmish", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  const panels = page.locator(".panels");
  await panels.getByText("To move").waitFor();
  await panels.getByText("Taken").waitFor();
  assert.ok(!(await page.locator(".rest .facts").isVisible()), "facts are in a drawer");
  assert.deepEqual(await findings(page), []);
  await page.context().close();
});
