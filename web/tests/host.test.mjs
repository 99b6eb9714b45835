// The page with `rebone studio` behind it, in Chromium: npm test

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { card, clip, close, joint, kept, open, rig, solved, stateOf } from "./browser.mjs";
import { host, program } from "./host.mjs";

after(close);

/** A folder with a walk and a rig, and the host of it. */
async function served(t, more = []) {
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  await copyFile(clip("walk"), join(folder, "walk.bvh"));
  await copyFile(rig("seven-spine"), join(folder, "hero.bvh"));
  await mkdir(join(folder, "out"));
  const own = await host(["walk.bvh", "hero.bvh", "--out", "out", ...more], folder);
  t.after(async () => {
    await own?.end();
    await rm(folder, { recursive: true });
  });
  if (!own) t.skip("rebone is not built with a page");
  return own && { ...own, folder };
}

test("files of the command line are open; cards are saved beside them, results in the folder", async (t) => {
  const own = await served(t);
  if (!own) return;
  const { page, faults } = await open({ address: own.address });
  await solved(page);
  assert.equal(new URL(page.url()).hash, "");
  const toes = await joint(page, "leftToes");
  await page.evaluate((toes) => (globalThis.studio.state.selected.value = { side: "target", joint: toes }), toes);
  await page.getByRole("button", { name: "Nobody" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved hero.toml").waitFor();
  assert.equal(await readFile(join(own.folder, "hero.toml"), "utf8"), "[roles]\nleftToes = []\n");
  await solved(page);
  for (const name of ["walk-on-hero.bvh", "walk-on-hero-2.bvh"]) {
    await page.getByLabel("Export the result as").selectOption("bvh");
    await page.getByText(`Wrote ${name}`).waitFor();
  }
  execFileSync(program, ["retarget", "walk.bvh", "hero.bvh", "--target-card", "hero.toml", "-o", "same.bvh"], { cwd: own.folder });
  assert.deepEqual(await readFile(join(own.folder, "out/walk-on-hero.bvh")), await readFile(join(own.folder, "same.bvh")));
  await page.evaluate(() => (globalThis.studio.state.frame.value = 40));
  await kept(page, "document", ({ view }) => view.frame === 40);
  // What the browser keeps opens first, then both files of the host with their cards, at the frame that was kept.
  let reads = 0;
  const allRead = page.waitForResponse((answer) => answer.url().includes("/api/file/") && ++reads === 4);
  await page.reload();
  await allRead;
  await page.waitForFunction(() => globalThis.studio.state.frame.value === 40);
  await solved(page);
  assert.match(await card(page), /leftToes/);
  assert.deepEqual(faults.filter((fault) => !fault.includes("409")), [], "a name that is taken is asked for once");
});

test("a card that changed on disk is shown beside one's own, and one of them is chosen", async (t) => {
  const own = await served(t);
  if (!own) return;
  const { page } = await open({ address: own.address });
  await solved(page);
  const text = page.getByLabel("Rig card of the target");
  const path = join(own.folder, "hero.toml");
  await text.fill("up = \"+Y\"\n");
  await writeFile(path, "facing = \"+Z\"\n");
  await page.getByRole("button", { name: "Save cards" }).click();
  const choice = page.getByRole("alertdialog");
  assert.equal(await choice.getByLabel("On disk").inputValue(), "facing = \"+Z\"\n");
  assert.equal(await choice.getByLabel("Yours").inputValue(), "up = \"+Y\"\n");
  assert.equal(await readFile(path, "utf8"), "facing = \"+Z\"\n");
  await choice.getByRole("button", { name: "Save yours" }).click();
  await page.getByText("Saved hero.toml").waitFor();
  assert.equal(await readFile(path, "utf8"), "up = \"+Y\"\n");
  await text.fill("up = \"+Z\"\n");
  await writeFile(path, "# other\n");
  await page.getByRole("button", { name: "Save cards" }).click();
  await choice.getByRole("button", { name: "Take the one on disk" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target === "# other\n");
  assert.equal(await stateOf(page, "hasUnsavedCards"), false);
});

test("a host that has ended is told, and nothing is lost", async (t) => {
  const own = await served(t);
  if (!own) return;
  const { page } = await open({ address: own.address });
  await solved(page);
  await own.end();
  await page.getByLabel("Rig card of the target").fill("up = \"+Y\"\n");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save cards" }).click();
  assert.equal((await download).suggestedFilename(), "hero.toml");
  await page.getByText("does not answer").waitFor();
  await solved(page);
});

test("the results of a batch are listed, opened, accepted and flagged", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  t.after(() => rm(folder, { recursive: true }));
  if (!program) return t.skip("rebone is not built");
  await mkdir(join(folder, "clips"));
  for (const name of ["walk", "jump"]) await copyFile(clip(name), join(folder, "clips", `${name}.bvh`));
  await copyFile(rig("seven-spine"), join(folder, "hero.bvh"));
  execFileSync(program, ["batch", "clips", "-t", "hero.bvh", "-o", "out", "-q"], { cwd: folder });
  const own = await host(["--library", "out"], folder);
  if (!own) return t.skip("rebone is built without a page");
  t.after(() => own.end());
  const { page, faults } = await open({ address: own.address });
  await page.getByRole("heading", { name: "Library" }).waitFor();
  const count = await page.locator(".results li").count();
  assert.ok(count >= 2);
  await solved(page);
  await page.keyboard.press("a");
  await page.keyboard.press("n");
  await solved(page);
  await page.keyboard.press("x");
  await page.getByLabel("Note").fill("left foot slides");
  await page.getByLabel("Note").blur();
  const review = async () => (await readFile(join(folder, "out/review.jsonl"), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  await page.waitForFunction(() => document.querySelectorAll(".results [aria-label]").length === 2);
  for (let tries = 0; tries < 200 && !(await readFile(join(folder, "out/review.jsonl"), "utf8")).includes("slides"); tries++) await page.waitForTimeout(50);
  const lines = await review();
  assert.deepEqual(lines.map(({ mark }) => mark).sort(), ["accepted", "flagged"]);
  assert.equal(lines.find(({ mark }) => mark === "flagged").note, "left foot slides");
  await page.reload();
  await page.getByRole("heading", { name: "Library" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".results [aria-label]").length === 2);
  assert.deepEqual(faults, []);
});

test("a page of another origin can do nothing", async (t) => {
  const own = await served(t);
  if (!own) return;
  const { page } = await open();
  const tries = await page.evaluate(async (address) => {
    const base = address.split("/#")[0];
    const token = address.split("#")[1];
    const headers = { Authorization: `Bearer ${token}` };
    const attempt = (path, more) => fetch(base + path, more).then(({ status, type }) => `${type} ${status}`, () => "refused");
    return Promise.all([
      attempt("/api/opened", { headers }), attempt("/api/file/0", { headers }),
      attempt("/api/file/2", { method: "PUT", headers: { ...headers, "If-None-Match": "*" }, body: "" }),
    ]);
  }, own.address);
  assert.deepEqual(tries, ["refused", "refused", "refused"]);
});
