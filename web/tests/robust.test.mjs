// Odd files and names, reloads at bad moments, no WebGL, no network, traps, in Chromium: npm test

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, open as openFile, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lengthened } from "../measure/module.mjs";
import { card, clip, close, drop, dropTexts, joint, kept, open, openPair, pixels, RESULT, rig, solved, stateOf } from "./browser.mjs";

const CORPUS = process.env.REBONE_CORPUS ?? "";

after(close);

/** A walk of ten thousand frames. */
const longWalk = async () => ({ name: "long.bvh", mimeType: "", buffer: Buffer.from(lengthened(await readFile(clip("walk"), "utf8"))) });

const setTarget = async (page, name, buffer) => {
  await page.setInputFiles("header input[data-side=target]", { name, mimeType: "", buffer });
  await page.waitForFunction((name) => globalThis.studio.state.files.value.target?.name === name, name);
};

test("three hundred megabytes of zeros are a message, and the page goes on", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "zeros.glb");
  const file = await openFile(path, "w");
  await file.truncate(300 << 20);
  await file.close();
  const { page } = await open();
  await page.setInputFiles("input[data-side=source] >> nth=0", path);
  await page.locator(".messages").getByText("zeros.glb").waitFor();
  await page.getByText("Close").click();
  await openPair(page);
});

test("names with quotes, of four thousand letters, from right to left, not UTF-8 and none are shown and stated; longer ones are refused", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const text = await readFile(rig("seven-spine"), "latin1");
  const thumb = (await stateOf(page, "understanding")).sides.target.joints.find(({ name }) => name === "Bip01_L_Finger0").index;
  const renamed = (name) => Buffer.from(text.replaceAll(/(?<=JOINT )Bip01_L_Finger0(?=\s*$)/gm, () => name), "latin1");
  const names = { quotes: `L"'\\thumb`, long: "x".repeat(4000), "right to left": Buffer.from("אגודל").toString("latin1"), "not UTF-8": "\xff\xfethumb" };
  for (const [kind, name] of Object.entries(names)) {
    await setTarget(page, `${kind}.bvh`, renamed(name));
    await solved(page);
    await page.getByRole("treeitem").nth(thumb).click();
    await page.locator("input[data-axis=twist]").fill("10");
    await page.locator("input[data-axis=twist]").press("Tab");
    await page.waitForFunction((thumb) => globalThis.studio.state.understanding.value.sides.target.turns?.some(([own]) => own === thumb), thumb);
    await solved(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${kind}: the page is wider than its window`);
  }
  await setTarget(page, "none.bvh", renamed(""));
  await solved(page);
  await page.setInputFiles("header input[data-side=target]", { name: "longer.bvh", mimeType: "", buffer: renamed("x".repeat(10_000)) });
  await page.locator(".messages").getByText("found a longer name").waitFor();
  assert.deepEqual(faults, []);
});

test("bodies of one metre and a hundred, turned up, stand as tall as others", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const text = await readFile(rig("seven-spine"), "utf8");
  const height = () => page.evaluate(() => {
    const { stage } = globalThis.studio;
    stage.draw();
    const heights = stage.bodies.target.places.filter((_, index) => index % 3 === 1);
    return Math.max(...heights) - Math.min(...heights);
  });
  const usual = await height();
  for (const factor of [0.01, 100]) {
    const scaled = text.replaceAll(/OFFSET (.*)/g, (_, numbers) => `OFFSET ${numbers.trim().split(/\s+/).map((own) => own * factor).join(" ")}`);
    await setTarget(page, `times ${factor}.bvh`, Buffer.from(scaled));
    await solved(page);
    assert.ok(Math.abs((await height()) - usual) < 0.02, `${factor}: ${await height()} instead of ${usual} m`);
  }
  await setTarget(page, "z up.bvh", await readFile(rig("twist-zup-cm")));
  await solved(page);
  assert.ok((await height()) > 1.2);
  assert.deepEqual(faults, []);
});

test("characters with skins stand on the stage: a VRM that looks backwards, two skins, meshes beside the skin", async (t) => {
  const paths = ["vrm/cryptovoxels-vrm0.vrm", "gltf/Knight.glb", "gltf/RobotExpressive.glb"].map((path) => join(CORPUS, "rigs", path));
  if (!paths.every((path) => existsSync(path))) return t.skip("REBONE_CORPUS has no such characters");
  for (const path of paths) {
    const { page, faults } = await open();
    await openPair(page, clip("walk"), path);
    await page.waitForFunction(() => globalThis.studio.stage.bodies.target.hasSkin);
    const towards = await page.evaluate(([left, right]) => {
      const { stage } = globalThis.studio;
      stage.draw();
      const x = (index) => stage.bodies.target.places[3 * index];
      return x(left) - x(right);
    }, [await joint(page, "leftUpperLeg"), await joint(page, "rightUpperLeg")]);
    assert.ok(towards > 0.02, `${path}: left is at the left of a body that looks at +Z: ${towards}`);
    await page.getByLabel("Draw").selectOption("skin");
    await page.getByLabel("Draw").selectOption("both");
    assert.ok((await pixels(page, RESULT)) > 20, path);
    assert.deepEqual(faults, [], path);
    await page.close();
  }
});

test("a card of another skeleton is told in the program's words, and the last result stays", async () => {
  const { page } = await open();
  await openPair(page);
  await dropTexts(page, [{ name: "other.toml", text: '[roles]\nleftHand = "mixamorig:LeftHand"\n' }]);
  await page.getByText('no joint "mixamorig:LeftHand"').first().waitFor();
  assert.match(await page.locator(".verdict").textContent(), /^before the error: /);
  await page.keyboard.press("Control+z");
  await solved(page);
});

test("a reload while a card is typed, a clip is solved and the camera is turned loses nothing that was kept", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const again = async () => {
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await solved(page);
  };
  await page.getByLabel("Rig card of the target").fill('up = "+Y"\n');
  await page.getByLabel("Rig card of the target").press("End");
  await kept(page, "document", (own) => own.document.cards.target === 'up = "+Y"\n');
  await again();
  assert.equal(await card(page), 'up = "+Y"\n');
  await setTarget(page, "hero.bvh", await readFile(rig("seven-spine")));
  await page.setInputFiles("header input[data-side=source]", await longWalk());
  await page.waitForFunction(() => globalThis.studio.state.files.value.source?.name === "long.bvh");
  assert.equal(await stateOf(page, "isSolving"), true);
  await kept(page, "source", (own) => own.name === "long.bvh");
  await again();
  assert.equal((await stateOf(page, "files")).source.name, "long.bvh");
  await page.getByRole("treeitem").nth(await joint(page, "leftUpperArm")).click();
  await page.getByLabel("Compare").selectOption("calibration");
  const { x, y, width, height } = await page.locator("canvas").boundingBox();
  await page.mouse.move(x + width / 3, y + height / 3);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2);
  await kept(page, "document", (own) => own.view.compare === "calibration" && own.view.camera !== null);
  await again();
  await page.mouse.up();
  assert.equal(await stateOf(page, "compare"), "calibration");
  assert.deepEqual(faults, []);
});

test("an edit while ten thousand frames are solved is on the stage before they are", async () => {
  const { page } = await open();
  await openPair(page, await longWalk());
  const isFirst = await page.evaluate(async () => {
    const { state, work } = globalThis.studio;
    const set = (arms) => state.change({ ...state.document_.value, options: { arms } }, "");
    const asked = work.clip.asked;
    set(0.5);
    while (work.clip.asked === asked) await new Promise((resolve) => setTimeout(resolve, 1));
    set(1);
    await work.answered();
    return state.isSolving.value;
  });
  assert.equal(isFirst, true);
  await solved(page);
});

test("without WebGL numbers, roles, card and verdict work, and the page says what is missing", async () => {
  const { page, context } = await open();
  await page.close();
  const blind = await context.newPage();
  await blind.addInitScript(() => {
    const own = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : own.call(this, kind, ...more);
    };
  });
  await blind.goto(page.url());
  await blind.waitForSelector("#page[data-ready]");
  await blind.setInputFiles("input[data-side=source] >> nth=0", clip("walk"));
  await blind.locator("header").getByText("walk.bvh").waitFor();
  await blind.setInputFiles("header input[data-side=target]", rig("seven-spine"));
  await blind.getByText("This browser has no WebGL").waitFor();
  await blind.locator(".verdict").getByText("PASS").waitFor();
  await blind.getByRole("treeitem").nth(3).click();
  await blind.getByRole("button", { name: "Nobody" }).waitFor();
});

test("a WebGL context that is lost comes back with its bodies", async () => {
  const { page, faults } = await open();
  await openPair(page);
  assert.ok((await pixels(page, RESULT)) > 50);
  await page.evaluate(() => globalThis.studio.stage.renderer.forceContextLoss());
  await page.waitForTimeout(200);
  await page.evaluate(() => globalThis.studio.stage.renderer.forceContextRestore());
  await page.waitForTimeout(500);
  assert.ok((await pixels(page, RESULT)) > 50);
  assert.deepEqual(faults.filter((fault) => !/context lost/i.test(fault)), []);
});

test("the one file from a disk works without a network: two files, a role, a turn, an export", async () => {
  const { page, context, faults } = await open();
  await context.setOffline(true);
  await drop(page, [clip("walk"), rig("seven-spine")]);
  await solved(page);
  await page.getByRole("treeitem").nth(await joint(page, "leftToes")).click();
  await page.getByRole("button", { name: "Nobody" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  await page.getByRole("treeitem").nth(await joint(page, "leftUpperArm")).click();
  await page.locator("input[data-axis=twist]").fill("12.5");
  await page.locator("input[data-axis=twist]").press("Tab");
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target.includes("[pose]"));
  await solved(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Export the result as").selectOption("glb")]);
  assert.equal((await readFile(await download.path())).subarray(0, 4).toString(), "glTF");
  assert.deepEqual(faults, []);
});

test("a trap of the module is told; the report of it holds the error, the request and the cards", async () => {
  const { page } = await open();
  await openPair(page);
  const text = page.getByLabel("Rig card of the target");
  await text.fill("# mine\n");
  await solved(page);
  await page.evaluate(async () => {
    const { live } = globalThis.studio.work;
    live.worker.postMessage = () => {};
    live.ask({ do: "formats" }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    live.worker.onmessage({ data: { trap: "unreachable", id: live.lastId } });
  });
  await page.getByText("was started again").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save a report" }).click()]);
  const report = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.equal(report.error, "unreachable");
  assert.deepEqual(JSON.parse(report.request), { do: "formats" });
  assert.equal(report.cards.target, "# mine\n");
  assert.ok(JSON.stringify(report).length < 2000);
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator("select[data-option=contacts]").selectOption("off");
  await solved(page);
  assert.equal(await card(page), "# mine\n");
});
