// Rules that somebody pastes: broken, good, and a video game.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browse, findings, myTurn, newPage, ply, serve } from "./grove.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

test("a broken rulesheet is marked in place, a good one is played at once", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/edit");
  const rules = page.getByLabel("Rules", { exact: true }).and(page.locator("textarea"));
  await rules.fill("(role x)\n(init (count 1))\n(<= (legal x go) (true (count ?n))\n");
  await page.locator(".found li.error").first().waitFor();
  assert.ok((await page.locator(".code mark.error").count()) >= 1, "marked in the text");
  assert.match(await page.locator(".found .where").first().textContent(), /line \d+, column \d+/);
  assert.ok(await page.getByRole("button", { name: "Play it" }).isDisabled());
  assert.deepEqual(await findings(page), []);

  await page.getByRole("button", { name: "An example" }).click();
  await page.getByRole("heading", { name: "Can be played" }).waitFor();
  await page.getByRole("button", { name: "Play it" }).click();
  await page.waitForURL("**/games/own-*");
  await page.getByRole("heading", { name: /Race to ten/ }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByText(/^More: /).click();
  await page.getByLabel("Agents think").selectOption("0.2");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL("**/matches/*");
  for (let turn = 0; turn < 12 && (await myTurn(page)); turn += 1) {
    const was = await ply(page);
    await page.locator(".moves li button").first().click();
    await page.waitForFunction((was) => Number(document.querySelector(".status").dataset.ply) > was, was);
  }
  assert.equal(await page.getAttribute(".status", "data-over"), "terminal");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a shipped video game can be changed, and a dropped file is checked", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/games/zelda");
  await page.getByRole("link", { name: "Change the rules" }).click();
  await page.getByRole("heading", { name: "Can be played" }).waitFor();
  assert.match(await page.getByLabel("Level", { exact: true }).inputValue(), /A/, "the level came along");

  await page.goto("/");
  const files = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(["(role x) (init (n"], "broken.kif"));
    return dropped;
  });
  await page.dispatchEvent("h1", "drop", { dataTransfer: files });
  await page.waitForURL("**/edit");
  await page.locator(".found li.error").first().waitFor();

  await page.goto("/games/%ff");
  await page.getByRole("alert").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a pasted video game asks for its level and is played", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/edit");
  const rules = page.getByLabel("Rules", { exact: true }).and(page.locator("textarea"));
  await rules.fill(
    "BasicGame\n    SpriteSet\n        goal > Door color=GREEN\n        avatar > MovingAvatar\n    InteractionSet\n" +
      "        avatar wall > stepBack\n        goal avatar > killSprite scoreChange=1\n    TerminationSet\n" +
      "        SpriteCounter stype=goal limit=0 win=True\n    LevelMapping\n        g > goal\n        A > avatar\n",
  );
  await page.getByLabel("Level", { exact: true }).fill("wwwwww\nwA..gw\nwwwwww\n");
  await page.getByRole("heading", { name: "Can be played" }).waitFor();
  await page.getByRole("button", { name: "Play it" }).click();
  await page.waitForURL("**/games/own-*");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL("**/matches/*");
  await page.locator("[data-avatar]").waitFor();
  await page.keyboard.down("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".status").dataset.over === "terminal");
  await page.keyboard.up("ArrowRight");
  assert.equal(await page.locator(".seats strong").textContent(), "100", "won");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
