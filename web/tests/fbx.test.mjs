// FBX in the page, as motion and as character, in Chromium: npm test

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { clip, close, open, openPair, pixels, RESULT, rig, root, solved, SOURCE, stateOf } from "./browser.mjs";
import { program } from "./host.mjs";

/** A person of 15 joints with a clip and a skin. */
const arm = join(root, "tests/fuzz/seeds/fbx/arm.fbx");
const corpus = process.env.REBONE_CORPUS ?? "";
/** Files of other programs; none without the corpus. */
const others = ["Geno_bind.fbx", "maya_human_ik_7400_ascii.fbx"].map((name) => join(corpus, "rigs/fbx", name)).filter((path) => existsSync(path));
/** Degrees, or units of length: sines of ufbx are those of the platform, which may differ in their last bits. */
const TOLERANCE = 1e-9;

after(close);

/** Opens the page; skips the test where its engine was built without clang. */
async function openWithFbx(t) {
  const opened = await open();
  if ((await opened.page.locator(".start p").textContent()).includes("FBX")) return opened;
  t.skip("the page is built without FBX");
  return null;
}

async function exported(page, format) {
  const download = page.waitForEvent("download");
  await page.getByLabel("Export the result as").selectOption(format);
  return readFile(await (await download).path());
}

test("the page names the formats that it reads, at the start and by a file that is none", async () => {
  const { page } = await open();
  const [, formats] = /: (motions and rigs are read from .*)\. Files stay/.exec(await page.locator(".start p").textContent());
  assert.match(formats, /BVH.*VRMA.*Acclaim/);
  await page.setInputFiles("input[data-side=source] >> nth=0", { name: "notes.bvh", mimeType: "", buffer: Buffer.from("hello") });
  await page.getByText("notes.bvh").waitFor();
  assert.ok((await page.locator(".messages").textContent()).includes(formats));
});

test("an FBX is a motion and a character; results are exported", async (t) => {
  const opened = await openWithFbx(t);
  if (!opened) return;
  const { page, faults } = opened;
  page.on("dialog", (dialog) => dialog.accept());
  await openPair(page, arm, rig("seven-spine"));
  assert.equal((await stateOf(page, "files")).source.opened.frames, 16);
  assert.match(String(await exported(page, "bvh")), /^HIERARCHY[^]*Frames: 16\n/);
  await page.setInputFiles("header input[data-side=source]", clip("walk"));
  await page.setInputFiles("header input[data-side=target]", arm);
  await page.waitForFunction(() => globalThis.studio.state.files.value.target.name === "arm.fbx");
  await solved(page);
  const glb = await exported(page, "glb");
  assert.equal(String(glb.subarray(0, 4)), "glTF");
  assert.match(String(glb), /RightForeArm/);
  assert.deepEqual(faults, []);
});

test("a character of FBX shows its bones, and the stage says why it has no skin", async (t) => {
  const opened = await openWithFbx(t);
  if (!opened) return;
  const { page } = opened;
  await openPair(page, clip("walk"), arm);
  await page.getByText("arm.fbx: bones only").waitFor();
  await page.getByLabel("Draw").selectOption("skin");
  await page.getByText("arm.fbx: bones only").waitFor();
  assert.ok((await pixels(page, RESULT)) > 50);
  await page.getByLabel("Draw").selectOption("bones");
  assert.equal(await page.getByText("bones only").count(), 0);
});

test("a damaged FBX is a message, and the page goes on", async (t) => {
  const opened = await openWithFbx(t);
  if (!opened) return;
  const { page } = opened;
  const whole = await readFile(arm);
  const cut = whole.subarray(0, whole.length / 2);
  const binary = Buffer.concat([Buffer.from("Kaydara FBX Binary  \0\x1a\0"), Buffer.alloc(1 << 16, 0xa5)]);
  for (const [name, buffer] of [["cut.fbx", cut], ["binary.fbx", binary]]) {
    await page.setInputFiles("input[data-side=source] >> nth=0", { name, mimeType: "", buffer });
    await page.getByText(name).first().waitFor();
    assert.match(await page.locator(".messages").textContent(), /found no FBX that can be read|found no skeleton/);
    await page.getByText("Close").click();
  }
  await openPair(page, arm);
});

test("files of FBX of other programs are opened together with a clip", async (t) => {
  if (others.length === 0) return t.skip("no REBONE_CORPUS with rigs/fbx");
  for (const path of others) {
    const opened = await openWithFbx(t);
    if (!opened) return;
    const { page, faults } = opened;
    await page.setInputFiles("input[data-side=source] >> nth=0", [path, clip("walk")]);
    await page.waitForFunction(() => globalThis.studio?.state.files.value.target);
    await solved(page);
    assert.equal((await stateOf(page, "files")).source.name, "walk.bvh");
    assert.match(await page.locator(".verdict").textContent(), /PASS|LOOK/);
    assert.ok((await pixels(page, SOURCE)) > 50 && (await pixels(page, RESULT)) > 50);
    assert.deepEqual(faults, []);
  }
});

/** Texts and numbers of a BVH. */
const words = (text) => text.trim().split(/\s+/).map((word) => (word === "" || Number.isNaN(Number(word)) ? word : Number(word)));

test("results of FBX in the page are those of the program", async (t) => {
  if (!program) return t.skip("rebone is not built: no native results to compare with");
  const opened = await openWithFbx(t);
  if (!opened) return;
  const { page } = opened;
  page.on("dialog", (dialog) => dialog.accept());
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [source, target] of [[arm, rig("seven-spine")], ...[arm, ...others].map((path) => [clip("walk"), path])]) {
    await openPair(page, source, target);
    const names = [source, target].map((path) => basename(path));
    await page.waitForFunction((names) => {
      const { source, target } = globalThis.studio.state.files.value;
      return source.name === names[0] && target.name === names[1];
    }, names);
    await solved(page);
    const own = words(String(await exported(page, "bvh")));
    const output = join(folder, "result.bvh");
    execFileSync(program, ["retarget", source, target, "-o", output, "--accept-guesses", "--overwrite", "--quiet"]);
    const expected = words(await readFile(output, "utf8"));
    assert.equal(own.length, expected.length);
    const apart = (word, index) => (typeof word === "number" ? Math.abs(word - expected[index]) > TOLERANCE : word !== expected[index]);
    assert.equal(own.find(apart), undefined, `${source} on ${target}`);
  }
});

test("an FBX in which no joint moves is refused as a motion", async (t) => {
  if (others.length === 0) return t.skip("no REBONE_CORPUS with rigs/fbx");
  const opened = await openWithFbx(t);
  if (!opened) return;
  const { page } = opened;
  await page.setInputFiles("header input[data-side=target]", rig("seven-spine"));
  await page.waitForFunction(() => globalThis.studio?.state.files.value.target);
  await page.setInputFiles("header input[data-side=source]", others[0]);
  await page.getByText(/no joint moves in it/).first().waitFor();
});
