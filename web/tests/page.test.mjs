// The page as a person uses it, in Chromium: npm test

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { card, clip, close, drop, joint, open, openPair, pixels, rig, solved, stateOf, violations } from "./browser.mjs";

const ORANGE = [217, 119, 6];
const BLUE = [37, 99, 235];
const TOUCHING = [255, 225, 77];
const DEEP = [125, 0, 24];

after(close);

test("two files that are dropped together find their places, a result follows", async () => {
  const { page, faults } = await open();
  await drop(page, [clip("walk"), rig("toy-a-pose")]);
  await solved(page);
  assert.match(await page.locator(".verdict").textContent(), /PASS|LOOK/);
  assert.ok((await pixels(page, ORANGE)) > 50 && (await pixels(page, BLUE)) > 50);
  assert.deepEqual(faults, []);
});

test("the sample opens with one click; a reload shows the same frame", async () => {
  const { page, context, faults } = await open();
  await page.getByText("Try it with a sample").click();
  await solved(page);
  await page.evaluate(() => (globalThis.studio.state.frame.value = 77));
  await page.waitForTimeout(600);
  await page.close();
  const again = await open({ context });
  await solved(again.page);
  assert.equal(await stateOf(again.page, "frame"), 77);
  assert.deepEqual([...faults, ...again.faults], []);
});

test("a file that is none is a message, and the page goes on", async () => {
  const { page } = await open();
  for (const [name, bytes] of [["text.bvh", "hello"], ["empty.glb", ""], ["zeros.vrm", "\0".repeat(1 << 20)]]) {
    await page.setInputFiles("input[data-side=source] >> nth=0", { name, mimeType: "", buffer: Buffer.from(bytes) });
    await page.getByText(name, { exact: false }).first().waitFor();
    await page.getByText("Close").click();
  }
  await openPair(page);
  assert.match(await page.locator(".verdict").textContent(), /PASS/);
});

test("the joint under the pointer is the one that is picked", async () => {
  const { page } = await open();
  await openPair(page);
  for (const role of ["head", "leftHand", "rightLowerLeg"]) {
    const wanted = await joint(page, role);
    const at = await page.evaluate((wanted) => globalThis.studio.stage.onScreen("target", wanted), wanted);
    const found = await page.evaluate(({ x, y }) => globalThis.studio.stage.pick(x, y, "target"), at);
    const there = await page.evaluate((found) => globalThis.studio.stage.onScreen("target", found.joint), found);
    assert.ok(Math.hypot(there.x - at.x, there.y - at.y) < 1, `${role}: ${JSON.stringify(found)}`);
  }
});

test("a role that is picked in the stage is one line of the card; undo takes it back", async () => {
  const { page } = await open();
  await openPair(page);
  const toes = await joint(page, "leftToes");
  await page.evaluate((toes) => (globalThis.studio.state.selected.value = { side: "target", joint: toes }), toes);
  await page.locator("canvas").press("p");
  await page.getByText("Pick the joint of leftToes").waitFor();
  const at = await page.evaluate((toes) => globalThis.studio.stage.onScreen("target", toes), toes);
  await page.locator("canvas").click({ position: at });
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  assert.match(await card(page), /^\[roles\]\nleftToes = ".*"\n$/);
  await solved(page);
  await page.keyboard.press("Control+z");
  assert.equal(await card(page), "");
  await page.keyboard.press("Control+Shift+z");
  assert.match(await card(page), /leftToes/);
});

test("a role is picked by keys alone, in at most eight", async () => {
  const { page } = await open();
  await openPair(page);
  const hand = await joint(page, "leftHand");
  const row = page.getByRole("treeitem").nth(hand);
  await row.focus();
  const keys = ["Enter", "p", "ArrowDown", "Enter"];
  for (const key of keys) {
    if (key === "p") await page.keyboard.press(key);
    else if (key === "Enter" || key.startsWith("Arrow")) await page.locator("[role=treeitem]:focus").press(key);
  }
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target.includes("leftHand"));
});

test("nobody, and as worked out", async () => {
  const { page } = await open();
  await openPair(page);
  const toes = await joint(page, "rightToes");
  await page.getByRole("treeitem").nth(toes).click();
  await page.getByRole("button", { name: "Nobody" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target.includes("rightToes = []"));
  await page.keyboard.press("Control+z");
  assert.equal(await card(page), "");
});

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
      if ((await page.locator("canvas").getAttribute("title")) === axis) return { x: x + at.x, y: y + at.y };
    }
  }
  assert.fail(`no ring of ${axis}`);
}

/** Drags the ring of an axis; returns the degrees by which it turned. */
async function dragRing(page, axis, pause = 0) {
  const from = await onRing(page, axis);
  await page.mouse.down();
  for (let step = 1; step <= 8; step++) await page.mouse.move(from.x + 4 * step, from.y + 5 * step);
  await page.waitForTimeout(pause);
  await page.mouse.move(from.x + 40, from.y + 50);
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

test("options act at once and stand in the command line", async () => {
  const { page } = await open();
  await openPair(page);
  const before = (await stateOf(page, "solved")).contacts.result.length;
  assert.ok(before > 0);
  await page.locator("select[data-option=contacts]").selectOption("off");
  await solved(page);
  await page.getByText("--contacts off").waitFor();
  await page.locator("select[data-option=method]").selectOption("copy");
  await solved(page);
  assert.match(await page.locator(".command").textContent(), /--method copy/);
});

test("of two hundred edits the last one wins", async () => {
  const { page } = await open();
  await openPair(page);
  await page.evaluate(async () => {
    const { state } = globalThis.studio;
    for (let step = 0; step < 200; step++) {
      const now = state.document_.value;
      state.change({ ...now, options: { ...now.options, arms: step / 199 } }, "arms");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await solved(page);
  const asked = await page.evaluate(() => [globalThis.studio.work.live.asked, globalThis.studio.work.clip.asked]);
  assert.equal((await stateOf(page, "document_")).options.arms, 1);
  assert.equal((await stateOf(page, "undoSteps")).length, 1);
  assert.ok(asked[1] < 40, `${asked}`);
});

test("edits that do not rest are kept, a reload shows them", async () => {
  const { page } = await open();
  await openPair(page);
  await page.evaluate(() => {
    const { state } = globalThis.studio;
    let step = 0;
    setInterval(() => {
      const now = state.document_.value;
      state.change({ ...now, options: { ...now.options, arms: (step = (step % 300) + 1) / 1000 } }, "arms");
      state.frame.value = step;
    }, 20);
  });
  const kept = () => page.evaluate(() => new Promise((resolve) => {
    const opening = indexedDB.open("rebone-studio", 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("kept").objectStore("kept").get("document");
      reading.onsuccess = () => resolve(reading.result?.document.options.arms);
    };
  }));
  for (let tries = 0; tries < 100 && !(await kept()); tries++) await page.waitForTimeout(50);
  await page.reload();
  await solved(page);
  const { arms } = (await stateOf(page, "document_")).options;
  assert.ok(arms > 0);
  assert.equal(await stateOf(page, "frame"), Math.round(1000 * arms));
});

test("a line of the card that is wrong is told; mended, the result follows", async () => {
  const { page } = await open();
  await openPair(page);
  const text = page.getByLabel("Rig card of the target");
  await text.fill('up = "+Y"\nfacing = "north"\n');
  await page.getByText("line 2:").waitFor();
  assert.match(await page.locator(".verdict").textContent(), /PASS/);
  await text.fill('up = "+Y"\n');
  await solved(page);
  assert.equal(await page.getByText("line 2:").count(), 0);
});

test("a result that is exported has the bytes of the same retarget anew", async () => {
  const { page } = await open();
  await openPair(page);
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Export the result as").selectOption("bvh")]);
    return [download.suggestedFilename(), await readFile(await download.path())];
  };
  const [name, first] = await save();
  assert.equal(name, "walk-on-seven-spine.bvh");
  const [, second] = await save();
  assert.ok(first.length > 10_000 && first.equals(second));
});

test("names of joints are text, whatever they say", async () => {
  const { page, faults } = await open();
  const text = await readFile(rig("seven-spine"), "utf8");
  const buffer = Buffer.from(text.replaceAll("Bip01_Spine3", "<script>alert(1)</script><b>"));
  await page.setInputFiles("input[data-side=source] >> nth=0", clip("walk"));
  await page.waitForFunction(() => globalThis.studio?.state.files.value.source);
  await page.setInputFiles("header input[data-side=target]", { name: "<img src=x>.bvh", mimeType: "", buffer });
  await solved(page);
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(faults, []);
});

test("a trap of the module loses nothing", async () => {
  const { page } = await open();
  await openPair(page);
  await page.evaluate(() => {
    globalThis.studio.work.live.restart("forced");
    globalThis.studio.work.clip.restart("forced");
  });
  await page.locator("select[data-option=contacts]").selectOption("off");
  await solved(page);
});

for (const scheme of ["light", "dark"]) {
  test(`no violation of accessibility rules, ${scheme}`, async () => {
    const { page } = await open({ scheme });
    await openPair(page);
    const hand = await joint(page, "leftHand");
    await page.getByRole("treeitem").nth(hand).click();
    assert.deepEqual(await violations(page), []);
  });
}

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

test("clips that are dropped together are solved one after another and listed, the worst first", async () => {
  const { page, faults } = await open();
  await openPair(page);
  await drop(page, ["walk", "jump", "wave"].map(clip));
  await page.waitForFunction(() => [...document.querySelectorAll(".results .mark")].filter((mark) => /PASS|LOOK|FAIL/.test(mark.textContent)).length === 3);
  const scores = await page.locator(".results .number").allTextContents();
  assert.deepEqual(scores, scores.toSorted());
  await page.keyboard.press("n");
  await solved(page);
  const download = page.waitForEvent("download");
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Save review" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  assert.match(text, /^\{"name":"\w+\.bvh","mark":"accepted"\}\n$/);
  assert.deepEqual(faults, []);
});
