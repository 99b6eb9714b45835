// Views of the two bodies: the figure, the result before an edit, frames around the one at hand, in Chromium: npm test

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { card, clip, close, joint, open, openPair, rig, solved, stateOf } from "./browser.mjs";

after(close);

/** Selects the joint of a role. */
const select = async (page, role, side = "target") => page.evaluate((selected) => (globalThis.studio.state.selected.value = selected),
  { side, joint: await joint(page, role, side) });

const spot = (page, name) => page.locator(`.figure [data-spot=${name}]`);
/** Name of the spot that is pressed. */
const pressed = (page) => page.locator(".spot[aria-pressed=true]").evaluateAll((spots) => spots.map((own) => own.dataset.spot));

test("figure, tree and stage show one selection, wherever it is made", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const hand = await joint(page, "leftHand");
  const row = page.getByRole("treeitem").nth(hand);
  await spot(page, "leftHand").click();
  assert.deepEqual(await stateOf(page, "selected"), { side: "target", joint: hand });
  assert.equal(await row.getAttribute("aria-selected"), "true");
  const isInTree = await row.evaluate((row) => {
    const [own, tree] = [row.getBoundingClientRect(), row.parentElement.getBoundingClientRect()];
    return own.top >= tree.top && own.bottom <= tree.bottom;
  });
  assert.ok(isInTree, "the tree is scrolled to the row");
  const marked = await page.evaluate((hand) => {
    const { stage } = globalThis.studio;
    stage.draw();
    return stage.mark.visible && stage.mark.position.distanceTo(stage.bodies.target.placeOf(hand, stage.mark.position.clone()));
  }, hand);
  assert.equal(marked, 0);
  assert.deepEqual(await pressed(page), ["leftHand"]);
  await page.getByRole("treeitem").nth(await joint(page, "rightFoot")).click();
  assert.deepEqual(await pressed(page), ["rightFoot"]);
  const at = await page.evaluate((joint) => globalThis.studio.stage.onScreen("source", joint), await joint(page, "head", "source"));
  await select(page, "head", "source");
  assert.deepEqual(await pressed(page), ["head"]);
  assert.equal(await page.getByRole("tab", { name: "source" }).getAttribute("aria-selected"), "true", "the side that is shown follows");
  assert.ok(at);
  assert.deepEqual(faults, []);
});

test("a figure that faces the viewer has its left on the right, as the stage has from the front", async () => {
  const { page } = await open();
  await openPair(page);
  const figure = page.getByRole("toolbar", { name: /Figure of the target.*its left is on the right/ });
  assert.equal(await figure.count(), 1);
  for (const role of ["Hand", "Foot"]) {
    const [left, right] = await Promise.all(["left", "right"].map((own) => spot(page, own + role).boundingBox()));
    assert.ok(left.x > right.x);
    const onStage = async (own) => (await page.evaluate((joint) => globalThis.studio.stage.onScreen("target", joint), await joint(page, own + role))).x;
    assert.ok((await onStage("left")) > (await onStage("right")));
  }
});

test("spots say role, joint and confidence; their shape says how sure it is", async () => {
  const { page } = await open();
  await openPair(page);
  const joints = (await stateOf(page, "understanding")).sides.target.joints;
  const hand = joints.find(({ role }) => role?.name === "rightHand");
  assert.equal(await spot(page, "rightHand").getAttribute("aria-label"), `rightHand: ${hand.name}, ${Math.round(100 * hand.role.confidence)} %`);
  assert.match(await spot(page, "chest").getAttribute("aria-label"), /^chest: \S+ and 1 more, \d+ %$/);
  const shape = (name) => spot(page, name).locator("svg").evaluate((svg) => [...svg.children].map((own) => own.getAttribute("class")).join(" "));
  assert.equal(await shape("rightHand"), "around ring full");
  // Doubts are made up: the samples have none of both kinds.
  await page.evaluate(([hand, foot]) => {
    const { state } = globalThis.studio;
    const known = structuredClone(state.understanding.value);
    known.sides.target.joints[foot].role.accepted = false;
    for (const joint of [hand, foot]) known.doubts.push({ side: "target", kind: "role", text: `${joint}`, confidence: 0.5, joint, blocks: joint === foot });
    state.understanding.value = known;
  }, [hand.index, await joint(page, "rightFoot")]);
  await page.locator(".spot.half[data-spot=rightHand] path").waitFor();
  assert.equal(await page.locator(".spot.low").getAttribute("data-spot"), "rightFoot");
  assert.equal(await page.getByRole("treeitem").nth(hand.index).locator(".mark").textContent(), "◐", "the tree has the rule of the figure");
});

test("spots are 24 pixels wide and apart, fingers as well", async () => {
  const { page } = await open();
  await openPair(page);
  await page.getByText("Fingers").click();
  const boxes = await page.locator(".spot").evaluateAll((spots) => spots.map((own) => [own.dataset.spot, own.getBoundingClientRect().toJSON()]));
  assert.equal(boxes.length, 6 + 2 * 8 + 2 * 5);
  for (const [name, { width, height }] of boxes) assert.ok(width >= 24 && height >= 24, name);
  for (const [index, [name, a]] of boxes.entries()) {
    for (const [other, b] of boxes.slice(index + 1)) {
      const isApart = a.right <= b.left + 0.01 || b.right <= a.left + 0.01 || a.bottom <= b.top + 0.01 || b.bottom <= a.top + 0.01;
      assert.ok(isApart, `${name} and ${other} overlap`);
    }
  }
});

test("a role that only one side of the body has is a doubt, unless the card says that nobody plays it", async () => {
  const { page } = await open();
  const names = { Bip01_L_Foot: "Bip01_L_Toe0", Bip01_L_Toe0: "Bip01_L_Foot" };
  const text = (await readFile(rig("seven-spine"), "utf8")).replace(/Bip01_L_(Foot|Toe0)\b/g, (name) => names[name]);
  await openPair(page, clip("walk"), { name: "hero.bvh", mimeType: "", buffer: Buffer.from(text) });
  await page.getByRole("tab", { name: "source" }).click();
  const doubt = page.getByRole("button", { name: "target: leftToes has no joint, rightToes has one" });
  await doubt.click();
  await page.getByText("Pick the joint of leftToes").waitFor();
  assert.equal(await page.getByRole("tab", { name: "target" }).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Escape");
  await page.getByLabel("Rig card of the target").fill("[roles]\nleftToes=[ ]\n");
  await doubt.waitFor({ state: "detached" });
});

test("a spot without a joint begins picking its role; keys alone do it", async () => {
  const { page } = await open();
  await openPair(page);
  const toes = await joint(page, "leftToes");
  await select(page, "leftToes");
  await page.getByRole("button", { name: "Nobody" }).click();
  await page.locator(".spot.none[data-spot=leftToes]").waitFor();
  assert.equal(await spot(page, "leftToes").getAttribute("aria-label"), "leftToes: no joint");
  await spot(page, "hips").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.spot), "leftToes");
  await page.keyboard.press("Enter");
  await page.getByText("Pick the joint of leftToes").waitFor();
  assert.deepEqual(await pressed(page), ["leftToes"]);
  await page.getByRole("treeitem").nth(toes).click();
  await page.waitForFunction(() => /leftToes = "/.test(globalThis.studio.state.document_.value.cards.target));
  await solved(page);
  assert.doesNotMatch(await card(page), /\[\]/);
});

/** Place of the target's hand on the stage at the frame at hand. */
const handAt = async (page) => page.evaluate((hand) => {
  const { stage } = globalThis.studio;
  stage.draw();
  return [...stage.bodies.target.places.slice(3 * hand, 3 * hand + 3)];
}, await joint(page, "leftHand"));

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
  await openPair(page, clip("walk"), rig("toy-a-pose"));
  const verdict = (await stateOf(page, "solved")).report.verdict;
  const at = verdict.reasons.filter(({ frames }) => frames);
  const marks = page.locator(".marks button", { hasText: "▼" });
  assert.ok(at.length > 0, "the long legs of the toy are no test");
  assert.equal(await marks.count(), at.length);
  await marks.first().click();
  assert.equal(await stateOf(page, "frame"), at[0].frames[0]);
});
