// Calibration by numbers and by the ring, and depths of hands, in Chromium: npm test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { card, clip, close, color, joint, open, openPair, pixels, rig, solved, stateOf } from "./browser.mjs";

const TOUCHING = [color("touching")];
const DEEP = [color("deep")];

after(close);

test("numbers of a turn: typed, stepped, mirrored, shown, reset", async () => {
  const { page } = await open();
  await openPair(page);
  const [left, right] = [await joint(page, "leftUpperArm"), await joint(page, "rightUpperArm")];
  await page.getByRole("treeitem").nth(left).click();
  const twist = page.locator("input[data-axis=twist]");
  await twist.fill("12.5");
  await twist.press("Tab");
  await page.waitForFunction((count) => globalThis.studio.state.understanding.value?.sides.target.turns?.length === count, 2);
  const turns = new Map((await stateOf(page, "understanding")).sides.target.turns);
  assert.deepEqual(turns.get(left).map(Math.round), [0, 13, 0]);
  assert.ok(Math.abs(turns.get(right)[1] + 12.5) < 1e-3);
  await page.locator(".moves").getByText("leftUpperArm 12.5°").waitFor();
  await twist.press("ArrowUp");
  const isTwisted = (degrees) => page.waitForFunction(([left, degrees]) => {
    const own = new Map(globalThis.studio.state.understanding.value?.sides.target.turns).get(left);
    return own && Math.abs(own[1] - degrees) < 1e-3;
  }, [left, degrees]);
  await isTwisted(13.5);
  await twist.blur();
  await twist.click();
  await page.keyboard.type("20");
  await twist.press("Tab");
  await isTwisted(20);
  await page.getByRole("button", { name: "Reset all" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target === "");
});

/** Puts the pointer on the ring of an axis of the selected joint. */
async function onRing(page, axis) {
  const { x, y, width, height } = await page.locator("canvas").boundingBox();
  const middle = await page.evaluate(() => {
    const { stage, state } = globalThis.studio;
    return stage.onScreen(state.selected.value.side, state.selected.value.joint);
  });
  for (let radius = 20; radius < 160; radius += 4) {
    for (let angle = 0; angle < 2 * Math.PI; angle += 0.3) {
      const at = { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) };
      if (at.x < 5 || at.y < 5 || at.x > width - 5 || at.y > height - 5) continue;
      await page.mouse.move(x + at.x, y + at.y);
      if ((await page.locator("canvas").getAttribute("title")) === axis) return { x: x + at.x, y: y + at.y, angle };
    }
  }
  assert.fail(`no ring of ${axis}`);
}

/** Drags the ring of an axis along it; returns the degrees by which it turned. */
async function dragRing(page, axis, pause = 0) {
  const from = await onRing(page, axis);
  const along = (pixels) => page.mouse.move(from.x - pixels * Math.sin(from.angle), from.y + pixels * Math.cos(from.angle));
  await page.mouse.down();
  for (let step = 1; step <= 8; step++) await along(6 * step);
  await page.waitForTimeout(pause);
  await along(60);
  const angle = await page.evaluate(() => globalThis.studio.stage.ring.controls.rotationAngle);
  await page.mouse.up();
  await page.waitForFunction(() => globalThis.studio.stage.ring.drag === null);
  assert.ok(Math.abs(angle) > 0.05, `${axis}: ${angle}`);
  return (180 / Math.PI) * angle;
}

const turnOf = async (page, side, joint) => new Map((await stateOf(page, "understanding")).sides[side].turns).get(joint);

/** The turn after another one, both rotation vectors in degrees, the second seen from the turned frame. */
function composed(first, second) {
  const [a, b] = [first, second].map((turn) => {
    const angle = Math.hypot(...turn) * (Math.PI / 180);
    const scale = angle > 0 ? Math.sin(angle / 2) / Math.hypot(...turn) : 0;
    return [...turn.map((part) => scale * part), Math.cos(angle / 2)];
  });
  const [x, y, z, w] = [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
  const half = Math.hypot(x, y, z);
  return [x, y, z].map((part) => (part / half) * 2 * Math.atan2(half, w) * (180 / Math.PI));
}

for (const [side, role, other] of [["target", "leftUpperArm", "rightUpperArm"], ["source", "rightHand", "leftHand"]]) {
  test(`a ring turns a joint of the ${side} as numbers do; each drag is one step of undo`, async () => {
    const { page, faults } = await open();
    await openPair(page, clip("walk"), rig("toy-a-pose"));
    const [own, mirrored] = [await joint(page, role, side), await joint(page, other, side)];
    await page.evaluate((selected) => (globalThis.studio.state.selected.value = selected), { side, joint: own });
    await page.getByLabel("Compare").selectOption("calibration");
    await page.getByText("drag a ring").waitFor();
    await page.waitForFunction(() => globalThis.studio.stage.ring.controls.object);
    const camera = () => page.evaluate(() => globalThis.studio.stage.camera.position.toArray());
    const before = await camera();

    const first = await dragRing(page, "side", 1200);
    const byRing = await card(page, side);
    assert.deepEqual(await stateOf(page, "selected"), { side, joint: own });
    assert.deepEqual(await camera(), before);
    const turn = await turnOf(page, side, own);
    assert.ok(Math.abs(turn[2] - first) < 0.1 && Math.hypot(turn[0], turn[1]) < 0.1, `${turn} for ${first}`);
    const mirror = await turnOf(page, side, mirrored);
    assert.ok(mirror.every((degrees, axis) => Math.abs(degrees - (axis === 0 ? 1 : -1) * turn[axis]) < 1e-3), `${mirror}`);

    const second = await dragRing(page, "bend");
    const wanted = composed(turn, [second, 0, 0]);
    const found = await turnOf(page, side, own);
    assert.ok(found.every((degrees, axis) => Math.abs(degrees - wanted[axis]) < 0.1), `${found} for ${wanted}`);

    assert.equal((await stateOf(page, "undoSteps")).length, 2);
    await page.keyboard.press("Control+z");
    assert.equal(await card(page, side), byRing);
    await page.keyboard.press("Control+z");
    assert.equal(await card(page, side), "");
    await page.waitForFunction((side) => globalThis.studio.state.understanding.value.sides[side].turns.length === 0, side);

    const field = page.locator("input[data-axis=side]");
    await field.fill(turn[2].toFixed(1));
    await field.press("Tab");
    await page.waitForFunction((side) => globalThis.studio.state.document_.value.cards[side] !== "", side);
    assert.equal(await card(page, side), byRing);
    assert.deepEqual(faults, []);
  });
}

test("hands in the body are shown by their depth, where its surface is known", async () => {
  const { page, faults } = await open();
  await openPair(page);
  const legend = page.locator(".deepest");
  await page.getByLabel("Depth").check();
  await legend.getByText("No surface of this character is known").waitFor();
  await page.evaluate(() => {
    const { state } = globalThis.studio;
    const { cards, ...rest } = state.document_.value;
    state.change({ ...rest, cards: { ...cards, target: "[surface]\nthigh = 2.5\n" }, options: { "no-self-contact": true } }, "");
  });
  await solved(page);
  const depthAt = async (frame) => {
    await page.evaluate((frame) => (globalThis.studio.state.frame.value = frame), frame);
    await page.waitForFunction((frame) => globalThis.studio.state.depths.value?.frame === frame, frame);
    return (await page.evaluate(() => globalThis.studio.state.depths.value.worst))?.distance ?? 1;
  };
  const depths = [];
  for (let frame = 0; frame < 60; frame += 2) depths.push(await depthAt(frame));
  const least = Math.min(...depths);
  assert.ok(least < -0.02, `${depths}`);
  await depthAt(2 * depths.indexOf(least));
  assert.match(await legend.textContent(), new RegExp(`^Deepest: (left|right) (hand|forearm), ${(-100 * least).toFixed(1)} cm in the (left|right) thigh$`));
  assert.ok((await pixels(page, TOUCHING)) > 5 && (await pixels(page, DEEP)) > 5);
  await page.getByLabel("Depth").uncheck();
  await page.waitForFunction(() => globalThis.studio.state.depths.value === null);
  assert.deepEqual([await pixels(page, TOUCHING), await pixels(page, DEEP)], [0, 0]);
  assert.equal(await legend.count(), 0);
  assert.deepEqual(faults, []);
});

test("feet are levelled, sides mirrored, and a frame taken as the calibration pose; each is undone", async () => {
  const { page } = await open();
  await openPair(page);
  const foot = await joint(page, "leftFoot");
  await page.evaluate((foot) => (globalThis.studio.state.selected.value = { side: "target", joint: foot }), foot);
  for (const [button, found] of [["Level this foot", "# level in frame 0"], ["Mirror left to right", "# mirrored from the left"]]) {
    await page.getByRole("button", { name: button }).click();
    await page.waitForFunction((found) => globalThis.studio.state.document_.value.cards.target.includes(found), found);
    await solved(page);
    await page.keyboard.press("Control+z");
    assert.equal(await card(page), "");
  }
  await page.evaluate((foot) => (globalThis.studio.state.selected.value = { side: "source", joint: foot }), await joint(page, "hips", "source"));
  await page.evaluate(() => (globalThis.studio.state.frame.value = 12));
  await page.getByRole("button", { name: "This frame" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.source.includes("[pose]"));
  await page.keyboard.press("Control+z");
  assert.equal(await card(page, "source"), "");
});
