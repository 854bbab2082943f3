// What went wrong once and must not again: each test is one finding about the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browse, findings, myTurn, newPage, ply, serve, startMatch, watched } from "./grove.mjs";

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

test("seven tabs of one browser all play", async () => {
  const first = await newPage(browser, server.address);
  const tabs = [first];
  while (tabs.length < 7) {
    const tab = watched(await first.context().newPage(), server.address);
    tabs.push(tab);
  }
  for (const tab of tabs) await startMatch(tab, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 1 });
  for (const tab of [tabs[0], tabs[6]]) {
    await myTurn(tab);
    await cell(tab, "2 2").click();
    await atPly(tab, 2);
    assert.deepEqual(tab.problems, []);
  }
  await first.context().close();
});

test("a preview is labelled, and does not begin below a pointer that rests", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/games/breakthrough");
  // Where the list of moves will be.
  await startMatch(page, { game: "breakthrough", players: ["person", "random"], clock: 0.1, seed: 1 });
  const place = await page.locator(".moves li button").nth(3).boundingBox();
  await page.goto("/games/breakthrough");
  await page.mouse.move(place.x + 8, place.y + 8);
  await startMatch(page, { game: "breakthrough", players: ["person", "random"], clock: 0.1, seed: 1 });
  await page.locator(".moves li button").nth(3).waitFor();
  await page.waitForTimeout(500);
  assert.equal(await page.locator(".preview").count(), 0, "the board shows the position");
  await page.mouse.move(place.x + 12, place.y + 9);
  await page.mouse.move(place.x + 14, place.y + 10);
  await page.getByText(/^Preview: after [a-h]\d/).waitFor();
  await page.context().close();
});

test("resigning is asked for, and is a loss", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "connect_four", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Play on" }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.getByText("You resigned: yellow wins").waitFor();
  assert.deepEqual(await page.locator(".seats strong").allTextContents(), ["0", "100"]);
  const record = await (await page.request.get(`/api/matches/${id}/record`)).json();
  assert.deepEqual(record.goals, [0, 100]);
  await page.context().close();
});

test("amazons in three clicks, with only reachable cells lit", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "amazons", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  assert.equal(await page.locator(".board .cell.can").count(), 4, "the amazons");
  await cell(page, "4 1").click();
  assert.ok(!(await cell(page, "9 9").getAttribute("class")).includes("can"), "9 9 cannot be reached");
  await cell(page, "4 7").click();
  await cell(page, "7 4").click();
  await atPly(page, 1);
  await page.locator(".history a").first().getByText("d1-d7/g4").waitFor();
  await myTurn(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector(".status").dataset.ply === "0");
  // An arrow may go to the cell that the amazon has left.
  for (const key of ["4 1", "4 2", "4 1"]) await cell(page, key).click();
  await page.locator(".history a").first().getByText("d1-d2/d1").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a video game waits while one steps through it", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "zelda", level: 0, players: ["person"], tick: 60, seed: 4 });
  await atPly(page, 8);
  await page.getByRole("button", { name: "Step through" }).click();
  await page.getByText(/^Step \d+ of \d+/).waitFor();
  await page.waitForTimeout(300);
  const was = await ply(page);
  await page.waitForTimeout(500);
  assert.equal(await ply(page), was);
  await page.context().close();
});

test("a server that comes back is found, and the match goes on where it was", async () => {
  let short = await serve();
  const page = await newPage(browser, short.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await cell(page, "2 2").click();
  await atPly(page, 2);
  await myTurn(page);
  const pieces = () => page.locator(".board .cell").evaluateAll((cells) => cells.map((one) => one.getAttribute("data-piece")).join());
  const before = await pieces();
  await short.stop();
  await page.getByText("The connection is lost").waitFor();
  assert.equal(await page.locator(".board .cell.can").count(), 0, "nothing can be clicked meanwhile");
  short = await serve("--port", new URL(short.address).port);
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await myTurn(page);
  assert.equal(await ply(page), 2);
  assert.equal(await pieces(), before);
  await page.locator(".board .cell.can").first().click();
  await atPly(page, 3);
  // A page that is opened after a restart goes on too.
  const was = await ply(page);
  const other = page.url();
  await page.goto("/experiments");
  await short.stop();
  short = await serve("--port", new URL(short.address).port);
  await page.goto(other);
  await page.waitForURL((url) => url.href !== other);
  await atPly(page, was);
  await page.context().close();
  await short.stop();
});

test("answers and events are compressed; pictures are kept by the browser", async () => {
  const page = await newPage(browser, server.address);
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const sizes = new Map();
  const paths = new Map();
  client.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, `${new URL(response.url).pathname} ${response.status}`));
  client.on("Network.dataReceived", ({ requestId, encodedDataLength }) => sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength));
  for (const [game, most] of [["chess", 10_000], ["amazons", 40_000]]) {
    await startMatch(page, { game, players: ["person", "random"], clock: 0.1, seed: 1 });
    await myTurn(page);
    const events = [...paths].find(([, path]) => path.endsWith("/events 200"));
    assert.ok(sizes.get(events[0]) < most, `the first state of ${game}: ${sizes.get(events[0])} bytes`);
    paths.clear();
    sizes.clear();
  }
  await page.goto("/");
  await page.locator("a.card svg").first().waitFor();
  const first = await page.request.get("/api/games/chess/drawing");
  const tag = first.headers().etag;
  const again = await page.request.get("/api/games/chess/drawing", { headers: { "If-None-Match": tag } });
  assert.equal(again.status(), 304);
  await page.context().close();
});

test("moves beyond those that are listed are played by typing them", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/edit");
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `(digit ${digit})`).join(" ");
  await page.locator("textarea#rules").fill(
    `(role x) (init (turn 1)) ${digits}\n(base (turn 1)) (base (turn 2))\n` +
      "(<= (input x (say ?a ?b ?c ?d)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))\n" +
      "(<= (legal x (say ?a ?b ?c ?d)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))\n" +
      "(<= (next (turn 2)) (true (turn 1)))\n(<= terminal (true (turn 2)))\n(goal x 100)\n",
  );
  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByText("5000 of 10000 moves are listed").waitFor();
  const search = page.getByRole("searchbox", { name: /Search among/ });
  const listed = await page.evaluate(async () => {
    const state = await (await fetch(`/api${location.pathname}`)).json();
    return state.legal[0].map((choice) => choice.name);
  });
  const missing = Array.from({ length: 10_000 }, (_, at) => `(say ${String(at).padStart(4, "0").split("").join(" ")})`).find((name) => !listed.includes(name));
  await search.fill(missing.slice(1, -1));
  await search.press("Enter");
  await page.waitForFunction(() => document.querySelector(".status").dataset.over === "terminal");
  await page.context().close();
});

test("a double click plays once, without a complaint", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "connect_four", players: ["person", "uct"], clock: 0.5, seed: 1 });
  await myTurn(page);
  await cell(page, "4 6").dblclick();
  await atPly(page, 1);
  assert.equal(await page.getByRole("alert").count(), 0);
  await page.context().close();
});

test("buttons have pictures and no characters that fonts may lack", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await cell(page, "2 2").click();
  await atPly(page, 2);
  await page.goto(`/matches/${id}/1`);
  for (const name of ["First position", "Last position"]) {
    const button = page.getByRole("button", { name });
    assert.equal((await button.textContent()).trim(), "");
    assert.equal(await button.locator("svg").count(), 1);
  }
  await page.context().close();
});

test("addresses that name nothing lead to what there is", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await cell(page, "2 2").click();
  await atPly(page, 2);
  await page.goto(`/matches/${id}/xyz`);
  await page.getByText("Your turn").waitFor();
  await page.goto(`/matches/${id}/999`);
  await page.getByText("Step 2 of 2").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await page.goto("/?kind=foo");
  await page.locator(".card").first().waitFor();
  await page.context().close();
});

test("Back from a step returns to the match", async () => {
  const page = await newPage(browser, server.address);
  const id = await startMatch(page, { game: "tic_tac_toe", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await cell(page, "2 2").click();
  await atPly(page, 2);
  await page.getByRole("button", { name: "Step through" }).click();
  await page.getByText("Step 1 of 2").waitFor();
  await page.getByRole("button", { name: "First position" }).click();
  await page.getByText("Step 0 of 2").waitFor();
  await page.goBack();
  await page.getByText("Your turn").waitFor();
  assert.match(page.url(), new RegExp(`/matches/${id}$`));
  await page.context().close();
});

test("a move without a choice is announced", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/edit");
  await page.locator("textarea#rules").fill(
    "(role x) (init (n 1)) (succ 1 2) (succ 2 3) (succ 3 4)\n(base (n 1)) (<= (base (n ?y)) (succ ?x ?y))\n" +
      "(input x left) (input x right) (input x forward)\n" +
      "(<= (legal x left) (true (n 1))) (<= (legal x right) (true (n 1)))\n(<= (legal x forward) (true (n 2)))\n" +
      "(<= (legal x left) (true (n 3))) (<= (legal x right) (true (n 3)))\n" +
      "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))\n(<= terminal (true (n 4)))\n(goal x 100)\n",
  );
  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".moves li button").first().click();
  await page.getByText("Played for you, as there was no other move: forward").waitFor();
  await page.context().close();
});

test("what another expects is not told before one has chosen", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "tron", players: ["person", "uct"], clock: 0.2, seed: 1 });
  await page.getByText("shows once you have chosen").waitFor();
  await page.waitForFunction(async () => {
    const state = await (await fetch(`/api${location.pathname}`)).json();
    return state.expectations.length > 0;
  });
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".expectations").count(), 0);
  await page.context().close();
});

test("the live region tells what was played, and the focus stays on the board", async () => {
  const page = await newPage(browser, server.address);
  await startMatch(page, { game: "breakthrough", players: ["person", "random"], clock: 0.1, seed: 1 });
  await myTurn(page);
  await page.locator(".board .cell[tabindex='0']").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await atPly(page, 2);
  await page.locator(".status").getByText(/Black played [a-h]/).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("g.cell"));
  assert.deepEqual(await findings(page), []);
  await page.context().close();
});

test("messages are sentences", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/games/no_such_game");
  const said = (await page.getByRole("alert").textContent()).trim();
  assert.match(said, /^[A-Z]/);
  await page.goto("/games/chess");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.route("**/api/matches", (route) => route.abort());
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const help = (await page.getByRole("alert").textContent()).trim();
  assert.match(help, /still running\?$/);
  await page.goto("/experiments");
  await page.locator(".lead").getByText("grove serve --experiments").waitFor();
  await page.context().close();
});

test("a stranger watches, and plays with an invitation", async () => {
  const owner = await newPage(browser, server.address);
  await owner.goto("/games/tic_tac_toe");
  const made = await owner.evaluate(async () => {
    const body = JSON.stringify({ game: "tic_tac_toe", players: ["person", "person"], clock: 0.1, seed: 1 });
    return (await fetch("/api/matches", { method: "POST", headers: { "Content-Type": "application/json" }, body })).json();
  });
  await owner.goto(`/matches/${made.id}`);
  await myTurn(owner);
  await cell(owner, "2 2").click();
  await atPly(owner, 1);
  const stranger = await newPage(browser, server.address);
  await stranger.goto("/");
  await stranger.goto(`/matches/${made.id}`);
  await myTurn(stranger);
  await cell(stranger, "1 1").click();
  await stranger.getByRole("alert").getByText("Another visitor plays this match").waitFor();
  assert.equal(await ply(owner), 1);
  await stranger.goto(`/matches/${made.id}?key=${made.key}`);
  await myTurn(stranger);
  await cell(stranger, "1 1").click();
  await atPly(owner, 2);
  for (const page of [owner, stranger]) await page.context().close();
});
