// Views of the result: before an edit, frames around the one at hand, curves and marks, in Chromium: npm test

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { card, clip, close, joint, open, openPair, placeOf, rig, solved, stateOf } from "./browser.mjs";

after(close);

const handAt = async (page) => placeOf(page, "target", await joint(page, "leftHand"));

/** Sets an option, as one edit with those of a field at one time. */
const setArms = (page, arms, field = "") => page.evaluate(([arms, field]) => {
  const { state } = globalThis.studio;
  state.change({ ...state.document_.value, options: { arms } }, field, 0);
}, [arms, field]);

test("holding B shows the result before the last edit, while it is solved and after", async () => {
  const { page, faults } = await open();
  await openPair(page);
  await page.evaluate(() => (globalThis.studio.state.frame.value = 40));
  await page.locator("canvas").focus();
  const first = await handAt(page);
  await page.keyboard.down("b");
  await page.getByText("nothing changes").waitFor();
  assert.deepEqual(await handAt(page), first);
  await page.keyboard.up("b");
  await setArms(page, 1);
  await page.keyboard.down("b");
  assert.equal(await stateOf(page, "isBeforeHeld"), true);
  assert.deepEqual(await handAt(page), first, "before the whole clip is solved");
  await solved(page);
  assert.deepEqual(await handAt(page), first);
  await page.getByText("before the last edit", { exact: true }).waitFor();
  await page.keyboard.up("b");
  const second = await handAt(page);
  assert.notDeepEqual(second, first);
  assert.equal(await page.getByText("before the last edit", { exact: true }).count(), 0);
  await page.keyboard.press("Control+z");
  await solved(page);
  assert.deepEqual(await handAt(page), first);
  await page.keyboard.down("b");
  assert.deepEqual(await handAt(page), second, "undo is an edit as well");
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  assert.equal(await stateOf(page, "isBeforeHeld"), false, "a page that is left hears of no key");
  await page.keyboard.up("b");
  await page.getByLabel("Rig card of the target").press("b");
  assert.equal(await stateOf(page, "isBeforeHeld"), false);
  assert.deepEqual(faults, []);
});

test("before the edit is a choice as well; edits of one field are one edit", async () => {
  const { page } = await open();
  await openPair(page);
  const first = await handAt(page);
  for (const arms of [0.3, 0.6, 1]) {
    await setArms(page, arms, "arms");
    await solved(page);
  }
  assert.equal((await stateOf(page, "undoSteps")).length, 1);
  await page.getByLabel("Compare").selectOption("before");
  assert.deepEqual(await handAt(page), first);
  await page.getByLabel("Compare").selectOption("overlay");
  assert.notDeepEqual(await handAt(page), first);
});

test("where a leading pose is dropped, the result before is that of the frame of the file", async () => {
  const { page } = await open();
  const text = await readFile(clip("walk"), "utf8");
  const pose = `0 95 0${" 0".repeat(162)}`;
  const buffer = Buffer.from(text.replace(/Frames: 349\n(Frame Time: .*\n)/, `Frames: 350\n$1${pose}\n`));
  await openPair(page, { name: "posed.bvh", mimeType: "", buffer });
  await page.evaluate(() => (globalThis.studio.state.frame.value = 41));
  const first = await handAt(page);
  await page.evaluate(() => {
    const { state } = globalThis.studio;
    state.change({ ...state.document_.value, options: { "leading-pose": "drop" } }, "");
  });
  await solved(page);
  assert.equal((await stateOf(page, "solved")).frames, 349);
  await page.evaluate(() => {
    globalThis.studio.state.frame.value = 40;
    globalThis.studio.state.compare.value = "before";
  });
  assert.deepEqual(await handAt(page), first);
});

test("where the result before has not the frame at hand, the page says that nothing changes", async () => {
  const { page } = await open();
  const [head, frames] = (await readFile(clip("walk"), "utf8")).split(/(?<=Frame Time: .*\n)/);
  const buffer = Buffer.from(head.replace("349", "2792") + frames.repeat(8));
  await openPair(page, { name: "long.bvh", mimeType: "", buffer });
  await setArms(page, 1);
  await solved(page);
  await page.getByLabel("Compare").selectOption("before");
  await page.getByText("before the last edit", { exact: true }).waitFor();
  await page.evaluate(() => (globalThis.studio.state.frame.value = 2600));
  await page.getByText("nothing changes").waitFor();
  // The frames about the one at hand have come.
  await page.waitForFunction(() => globalThis.studio.work.clip.waiting.size === 0);
  const there = await handAt(page);
  await page.getByLabel("Compare").selectOption("overlay");
  assert.deepEqual(await handAt(page), there);
});

test("onion shows the bones of the result around the frame at hand, which fade; geometry is made once", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const hips = await joint(page, "hips");
  /** Draws a frame: places of the hips in each layer that is seen, with its opacity. */
  const layers = (frame) => page.evaluate(([frame, hips]) => {
    const { stage, state } = globalThis.studio;
    state.frame.value = frame;
    stage.draw();
    return {
      body: [...stage.bodies.target.places.slice(3 * hips, 3 * hips + 3)],
      seen: stage.onion.group.visible ? stage.onion.group.children.filter(({ visible }) => visible).map(({ geometry, material }) => ({
        opacity: material.opacity, hips: [...geometry.getAttribute("position").array.slice(0, 3)],
      })) : [],
      geometries: stage.renderer.info.memory.geometries,
      asked: globalThis.studio.work.clip.asked,
    };
  }, [frame, hips]);
  const plain = await layers(120);
  assert.deepEqual(plain.seen, []);
  await page.getByLabel("Compare").selectOption("onion");
  const first = await layers(120);
  assert.equal(first.seen.length, 6);
  const opacities = first.seen.map(({ opacity }) => opacity);
  assert.deepEqual(opacities, opacities.toReversed());
  assert.ok(opacities[0] < opacities[1] && opacities[1] < opacities[2]);
  // The walk has 60 frames a second: ten of them are a sixth of one.
  for (const [index, step] of [-30, -20, -10, 10, 20, 30].entries()) {
    assert.deepEqual(first.seen[index].hips, (await layers(120 + step)).body, `${step} frames`);
  }
  assert.equal((await layers(0)).seen.length, 3);
  assert.equal((await layers(348)).seen.length, 3);
  assert.equal((await layers(15)).seen.length, 4);
  const last = await layers(200);
  assert.deepEqual([last.geometries, last.asked], [first.geometries, first.asked]);
  await page.getByLabel("Compare").selectOption("overlay");
  assert.deepEqual((await layers(120)).seen, []);
  assert.deepEqual(faults, []);
});

test("a curve is drawn over the timeline, of the metric that is chosen, with the value of the frame at hand", async () => {
  const { page, faults } = await open();
  await openPair(page, clip("walk"), rig("toy-a-pose"));
  const lane = page.locator(".curve");
  const points = () => lane.locator("polyline").getAttribute("points");
  const first = await points();
  const choice = page.getByLabel("Curve");
  const names = await choice.locator("option").evaluateAll((options) => options.map((own) => own.value));
  const before = await choice.inputValue();
  await choice.selectOption(names.find((name) => name !== before && name.includes("foot")) ?? names.at(-1));
  assert.notEqual(await points(), first);
  const { curves } = await stateOf(page, "solved");
  const name = await choice.inputValue();
  const curve = curves.find((own) => own.name === name);
  const frame = curve.values.findLastIndex((value) => value !== null && value > 0);
  await page.evaluate((frame) => (globalThis.studio.state.frame.value = frame), frame);
  assert.equal(await lane.locator("output").textContent(), `${curve.values[frame].toFixed(2)} ${curve.unit}`);
  assert.deepEqual(faults, []);
});

test("a mark of a reason goes to its frame", async () => {
  const { page } = await open();
  await openPair(page, clip("jump"), rig("toy-a-pose"));
  const verdict = (await stateOf(page, "solved")).report.verdict;
  const at = verdict.reasons.filter(({ frames }) => frames);
  const marks = page.locator(".marks button", { hasText: "▼" });
  assert.ok(at.length > 0, "the feet of the toy in the air are no test");
  assert.equal(await marks.count(), at.length);
  await marks.first().click();
  assert.equal(await stateOf(page, "frame"), at[0].frames[0]);
});
