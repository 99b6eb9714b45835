// The stage: picking at several zooms, the camera that follows, goals, moves and worst frames, in Chromium: npm test

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { card, clip, close, color, joint, open, openPair, placeOf, rig, solved, stateOf } from "./browser.mjs";
import { program } from "./host.mjs";
import { skinDifference } from "../measure/skin.mjs";

const CORPUS = process.env.REBONE_CORPUS ?? "";
const SKINNED = join(CORPUS, "rigs/gltf/human-male.glb");

after(close);

const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));

test("the joint under the pointer is the one that is picked, at three zooms, on both bodies", async () => {
  const { page } = await open();
  await openPair(page);
  await page.getByLabel("Compare").selectOption("side-by-side");
  const { x, y, width, height } = await page.locator("canvas").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  const picked = async (side, role) => {
    const wanted = await joint(page, role, side);
    const at = await page.evaluate(([side, wanted]) => globalThis.studio.stage.onScreen(side, wanted), [side, wanted]);
    if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return false;
    const found = await page.evaluate(({ x, y }) => globalThis.studio.stage.pick(x, y), at);
    const there = await page.evaluate(({ side, joint }) => globalThis.studio.stage.onScreen(side, joint), found);
    assert.ok(Math.hypot(there.x - at.x, there.y - at.y) < 1, `${side} ${role}: ${JSON.stringify(found)}`);
    assert.equal(found.side, side);
    return true;
  };
  for (const zoom of [0, 600, -1500]) {
    await page.mouse.wheel(0, zoom);
    await page.waitForTimeout(200);
    let count = 0;
    for (const side of ["source", "target"]) {
      for (const role of ["head", "leftHand", "rightLowerLeg", "hips"]) count += await picked(side, role);
    }
    assert.ok(count >= (zoom < 0 ? 2 : 8), `${count} joints in the picture`);
  }
});

test("bodies have the colors of pictures: source blue, result orange, left limbs dark, right limbs light", async () => {
  const { page } = await open();
  await openPair(page);
  await page.getByLabel("Compare").selectOption("side-by-side");
  const colorAt = (side, joint) => page.evaluate(([side, joint]) => {
    const { stage } = globalThis.studio;
    stage.draw();
    const canvas = document.querySelector(".stage canvas");
    const { x, y } = stage.onScreen(side, joint);
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const scale = canvas.width / canvas.clientWidth;
    return [...copy.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data.slice(0, 3)];
  }, [side, joint]);
  for (const [side, name] of [["source", "source"], ["target", "result"]]) {
    for (const [role, shade] of [["leftLowerLeg", "-left"], ["head", ""], ["rightLowerLeg", "-right"]]) {
      const found = await colorAt(side, await joint(page, role, side));
      assert.ok(distance(found, color(name + shade)) < 10, `${side} ${role}: ${found}, expected ${color(name + shade)}`);
    }
  }
});

test("the hips stay in the middle on a walk of ten metres; without following they leave it", async () => {
  const { page } = await open();
  const [head, motion] = (await readFile(clip("walk"), "utf8")).split(/(?<=Frame Time: .*\n)/);
  const frames = motion.trimEnd().split("\n").map((line, frame, all) => {
    const [x, y, z, ...rest] = line.trim().split(/\s+/);
    return [Number(x) + (1000 * frame) / all.length, y, z, ...rest].join(" ");
  });
  const buffer = Buffer.from(`${head}${frames.join("\n")}\n`);
  await openPair(page, { name: "long.bvh", mimeType: "", buffer });
  const hips = await joint(page, "hips");
  const places = () => page.evaluate((hips) => {
    const { stage, state } = globalThis.studio;
    const { clientWidth } = document.querySelector(".stage canvas");
    return [0, 0.3, 0.6, 1].map((share) => {
      state.frame.value = Math.round(share * (state.frameCount.value - 1));
      stage.draw();
      return (stage.onScreen("target", hips)?.x ?? Infinity) / clientWidth;
    });
  }, hips);
  for (const x of await places()) assert.ok(Math.abs(x - 0.5) < 0.02, `${x}`);
  await page.evaluate(() => (globalThis.studio.state.frame.value = 0));
  await page.getByLabel("Follow").uncheck();
  const free = await places();
  assert.ok(Math.abs(free[3] - free[0]) > 1, `${free}`);
});

test("hands are where the program puts them by positions of arms", async (t) => {
  const { page } = await open();
  await openPair(page, clip("reach"));
  const hand = await joint(page, "leftHand");
  const by = async (arms) => {
    await page.evaluate((arms) => {
      const { state } = globalThis.studio;
      state.change({ ...state.document_.value, options: { arms } }, "");
      state.frame.value = 60;
    }, arms);
    await solved(page);
    return placeOf(page, "target", hand);
  };
  const [directions, positions] = [await by(0), await by(1)];
  assert.ok(distance(directions, positions) > 0.002, `${directions} to ${positions}`);
  if (!program) return t.skip("rebone is not built");
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  t.after(() => rm(folder, { recursive: true }));
  execFileSync(program, ["retarget", clip("reach"), rig("seven-spine"), "--arms", "position", "-o", join(folder, "out.bvh")]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Export the result as").selectOption("bvh")]);
  assert.deepEqual(await readFile(await download.path()), await readFile(join(folder, "out.bvh")));
});

test("a turn that moves nothing says why", async () => {
  const { page } = await open();
  await openPair(page);
  await page.getByRole("treeitem").nth(await joint(page, "leftUpperArm")).click();
  const field = page.locator("input[data-axis=side]");
  await field.fill("20");
  await field.press("Tab");
  await page.locator(".moves").getByText("moves nothing here").waitFor();
  await page.getByRole("treeitem").nth(await joint(page, "head")).click();
  await field.fill("15");
  await field.press("Tab");
  await page.locator(".moves").getByText(/moves .*head 1\d\.\d°/).waitFor();
  await solved(page);
  await page.evaluate(() => (globalThis.studio.state.frame.value = 40));
  await page.locator("select[data-option=contacts]").selectOption("off");
  await solved(page);
  assert.equal(await page.locator(".moves").count(), 0, "an edit at another frame keeps the text of an older one");
});

test("keys go through the worst frames, and turn the camera", async () => {
  const { page } = await open();
  await openPair(page);
  const { worst } = await stateOf(page, "solved");
  assert.ok(worst.length > 1);
  await page.locator("canvas").focus();
  const seen = [];
  for (let step = 0; step < worst.length; step++) {
    await page.keyboard.press("]");
    seen.push(await stateOf(page, "frame"));
  }
  assert.deepEqual(new Set(seen), new Set(worst));
  await page.keyboard.press("[");
  assert.ok(worst.includes(await stateOf(page, "frame")));
  const towards = () => page.evaluate(() => {
    const { camera, controls } = globalThis.studio.stage;
    return camera.position.clone().sub(controls.target).normalize().toArray();
  });
  for (const [key, axis] of [["s", 0], ["t", 1], ["f", 2]]) {
    await page.keyboard.press(key);
    assert.ok((await towards())[axis] > 0.95, `${key}: ${await towards()}`);
  }
});

test("a list takes joints one after another", async () => {
  const { page } = await open();
  await openPair(page);
  const finger = (await stateOf(page, "understanding")).sides.target.joints.filter(({ role }) => role?.name === "leftIndex");
  const row = (index) => page.getByRole("treeitem").nth(index);
  await row(finger[0].index).click();
  await page.keyboard.press("p");
  for (const { index } of finger.slice(0, 3)) await row(index).click();
  await page.getByRole("button", { name: "Done (3)" }).waitFor();
  await row(finger[2].index).press("Enter");
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  const names = finger.slice(0, 3).map(({ name }) => `"${name}"`).join(", ");
  assert.equal(await card(page), `[roles]\nleftIndex = [${names}]\n`);
});

test("the runner-up of a role is taken by a click", async () => {
  const { page } = await open();
  await openPair(page, clip("walk"), rig("twist-zup-cm"));
  await page.getByRole("treeitem").nth(await joint(page, "leftUpperArm")).click();
  await page.getByRole("button", { name: "Take DEF-upper_arm.L.001" }).click();
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  assert.ok((await card(page)).includes('leftUpperArm = "DEF-upper_arm.L.001"'), await card(page));
});

test("a pick with which the body is not understood is told before it is taken; Esc leaves all as it was", async () => {
  const { page } = await open();
  await openPair(page);
  const [head, hand, foot] = [await joint(page, "head"), await joint(page, "leftHand"), await joint(page, "leftFoot")];
  const row = (index) => page.getByRole("treeitem").nth(index);
  const pick = async (index) => {
    await row(head).click();
    await page.keyboard.press("p");
    await row(index).click();
  };
  await pick(foot);
  await page.getByText("no left foot").waitFor();
  assert.deepEqual([await card(page), await stateOf(page, "failure")], ["", null]);
  await page.getByLabel("Rig card of the target").fill("# another card\n");
  await page.locator(".picking", { hasText: "Cannot use" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  assert.equal(await stateOf(page, "picking"), null);
  await page.keyboard.press("Control+z");
  await page.locator("canvas").focus();
  await page.keyboard.press("Control+z");
  await solved(page);
  await pick(hand);
  await page.getByText("Cannot use Bip01_L_Hand").waitFor();
  await page.getByRole("button", { name: "Use it anyway" }).click();
  await page.locator(".failure[role=alert]").first().waitFor();
  assert.match(await card(page), /head = "Bip01_L_Hand"/);
  await page.keyboard.press("Control+z");
  await solved(page);
  assert.equal(await card(page), "");
});

test("a skin on the stage is where the exported file has it", async (t) => {
  if (!existsSync(SKINNED)) return t.skip("REBONE_CORPUS has no skinned character");
  const { page } = await open();
  await openPair(page, clip("walk"), SKINNED);
  const { millimetres, degrees } = await skinDifference(page, [0, 80, 160, 240, 320]);
  assert.ok(millimetres < 0.05 && degrees < 0.15, `${millimetres} mm, ${degrees}°`);
});
