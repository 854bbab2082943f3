// An experiment's page while the experiment runs; all pages in the dark, on a phone, for everybody.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, findings, grove, newPage, serve } from "./grove.mjs";

const folder = mkdtempSync(join(tmpdir(), "grove-"));
writeFileSync(
  join(folder, "small.toml"),
  `title = "A small experiment"
sentence = "UCT with MAST meets UCT."
runs = 40
budget = { simulations = 400 }
agents = [{ name = "uct_mast" }, { name = "uct" }]
columns = [{ label = "MAST", of = "uct_mast", against = ["uct"] }]
[[games]]
name = "connect_four"
label = "Connect four"
published = ["60.0 ±5.00"]
`,
);
let server, browser, run;
before(async () => {
  [server, browser] = await Promise.all([serve("--experiments", folder), browse()]);
});
after(async () => {
  run?.kill();
  await browser?.close();
  server?.stop();
});

test("an experiment is followed while it runs", async () => {
  const page = await newPage(browser, server.address);
  await page.goto("/experiments");
  await page.getByRole("link", { name: /A small experiment/ }).click();
  await page.getByText("0 of 40 games").waitFor();
  const file = join(folder, "small.toml");
  run = spawn(grove, ["experiment", "run", file, "--profile", "full", "--store", join(folder, "small.sqlite"), "--threads", "1"], { stdio: "ignore" });
  const done = () => page.getAttribute("[data-done]", "data-done").then(Number);
  await page.waitForFunction(() => Number(document.querySelector("[data-done]").dataset.done) > 0, null, { timeout: 60_000 });
  const some = await done();
  await page.waitForFunction((some) => Number(document.querySelector("[data-done]").dataset.done) > some, some, { timeout: 60_000 });
  assert.match(await page.locator("td").nth(1).textContent(), /±/);
  await page.locator(".charts svg").first().waitFor();
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("every page passes axe, wide and light as on a phone in the dark", async () => {
  const looks = [
    { colorScheme: "light" },
    { colorScheme: "dark", viewport: { width: 360, height: 740 } },
  ];
  for (const look of looks) {
    const page = await newPage(browser, server.address, look);
    for (const address of ["/", "/games/chess", "/games/zelda", "/games/octagon", "/edit", "/replay", "/experiments", "/experiments/sironi_2019_table_5_2"]) {
      await page.goto(address);
      await page.locator("h1").waitFor();
      await page.waitForSelector(".card svg, .boardbox svg, textarea, .experiments, .report");
      assert.deepEqual(await findings(page), [], address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${address} is ${wide} pixels too wide`);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});
