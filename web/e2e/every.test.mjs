// Every shipped game is played to its end by clicks on the board, and on the buttons below it for moves that
// name no place.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";

import { browse, newPage, serve, startMatch } from "./grove.mjs";

let server, browser, games;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
  games = await (await fetch(`${server.address}/api/games`)).json();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The games to play: those named in `GAMES`, or all. */
const wanted = process.env.GAMES?.split(",");
/** A folder for pictures of first and middle positions. */
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });

/** Random numbers that are the same every time. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

const settled = () => {
  const status = document.querySelector(".status[data-ply]");
  if (!status || status.dataset.over !== "") return status;
  // While the others think, a move for the next turn could be chosen.
  return status.textContent.includes("Your turn") && document.querySelector(".board .cell.can, .placeless button, .picker button, .ways button");
};

/** Makes one move by clicks, and says what was clicked. */
async function move(page, random) {
  const was = await page.getAttribute(".status", "data-ply");
  const clicks = [];
  let waits = 0;
  for (let click = 0; click < 8; click += 1) {
    const picker = page.locator(".picker button, .ways button");
    const cells = page.locator(".board .cell.can");
    const buttons = page.locator(".placeless button");
    const [choices, can, bare] = [await picker.count(), await cells.count(), await buttons.count()];
    if (choices + can + bare === 0) {
      // The page is drawn anew at this moment.
      assert.ok((waits += 1) < 100, `after ${clicks.join(", ")} nothing can be clicked`);
      await page.waitForTimeout(50);
      if ((await page.getAttribute(".status", "data-ply")) !== was || (await page.getAttribute(".status", "data-over")) !== "") return clicks;
      click -= 1;
      continue;
    }
    const target =
      choices > 0 ? picker.nth(random(choices)) : can > 0 && (click > 0 || random(can + bare) < can) ? cells.nth(random(can)) : buttons.nth(random(bare));
    const name = await target.evaluate((one) => one.getAttribute("data-key") ?? one.textContent);
    clicks.push(name);
    // Cells are clicked where their shape is: in the middle of a hexagon, and not in a corner of its box.
    await target.click({ timeout: 5000 });
    const moved = await page
      .waitForFunction(
        ([was]) => {
          const status = document.querySelector(".status");
          return status.dataset.ply !== was || status.dataset.over !== "" ? "made" : document.querySelector(".cell.chosen") ? "chosen" : false;
        },
        [was],
        { timeout: 5000 },
      )
      .then((found) => found.jsonValue(), () => "nothing");
    if (moved === "made") return clicks;
    assert.notEqual(moved, "nothing", `clicks on ${clicks.join(", ")} do nothing`);
  }
  assert.fail(`${clicks.join(", ")} is no move`);
}

test("every board game is played to its end by clicks", async (t) => {
  for (const game of games.filter((one) => one.kind !== "vgdl" && (!wanted || wanted.includes(one.name)))) {
    await t.test(game.name, async () => {
      const page = await newPage(browser, server.address, { reducedMotion: "reduce" });
      const name = game.kind === "octagon" ? "octagon(small)" : game.name;
      const players = game.roles.map((_, role) => (role === 0 ? "person" : "random"));
      const id = await startMatch(page, { game: name, players, clock: 0.05, seed: 7 });
      const random = generator(11);
      let turn = 0;
      for (; turn < 400; turn += 1) {
        await page.waitForFunction(settled);
        if ((await page.getAttribute(".status", "data-over")) !== "") break;
        if (pictures && turn === 0) await page.screenshot({ path: `${pictures}/${game.name}-0.png` });
        if (turn % 10 === 0) {
          // Every legal move is on the board or a button.
          const state = await (await page.request.get(`/api/matches/${id}`)).json();
          const bare = state.legal[0]?.filter((choice) => choice.spots.length === 0).length ?? 0;
          const early = await page.locator(".cell.chosen").count();
          if (state.legal[0] && early === 0) assert.equal(await page.locator(".placeless button").count(), bare);
        }
        await move(page, random);
        if (pictures && turn === 7) await page.screenshot({ path: `${pictures}/${game.name}-1.png` });
      }
      assert.notEqual(await page.getAttribute(".status", "data-over"), "", "the match is over");
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
});

test("every video game answers to its buttons", async (t) => {
  for (const game of games.filter((one) => one.kind === "vgdl" && (!wanted || wanted.includes(one.name)))) {
    await t.test(game.name, async () => {
      const page = await newPage(browser, server.address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
      await startMatch(page, { game: game.name, level: 0, players: game.roles.map(() => "person"), tick: 60, seed: 4 });
      const ticks = () => page.getAttribute(".status", "data-ply").then(Number);
      const pressed = [];
      page.on("request", (request) => request.url().endsWith("/key") && pressed.push(request.postDataJSON().action));
      for (const button of ["LEFT", "RIGHT", "UP", "DOWN", "USE"]) {
        if ((await page.getAttribute(".status", "data-over")) !== "") break;
        // The level may end while a button is pressed.
        const press = page.getByRole("button", { name: button, exact: true }).click({ delay: 100, timeout: 5000 });
        await press.catch(async (error) => {
          if ((await page.getAttribute(".status", "data-over")) === "") throw error;
        });
      }
      assert.ok(pressed.includes("LEFT"));
      assert.ok((await ticks()) > 3);
      if (pictures) await page.screenshot({ path: `${pictures}/${game.name}-1.png` });
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
});
