// Roles in figure, tree and stage, in Chromium: npm test

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
  await page.locator("canvas").click({ position: at });
  assert.deepEqual(await stateOf(page, "selected"), { side: "source", joint: await joint(page, "head", "source") });
  assert.deepEqual(await pressed(page), ["head"]);
  assert.equal(await page.getByRole("tab", { name: "source" }).getAttribute("aria-selected"), "true", "the side that is shown follows");
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
test("an undo counts more than an edit that was asked for before it", async () => {
  const { page } = await open();
  await openPair(page);
  await select(page, "leftHand");
  const type = (degrees, isUndone) => page.evaluate(async ([degrees, isUndone]) => {
    const field = document.querySelector("[data-axis=twist]");
    field.value = degrees;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    // The worker is asked, and has not answered yet.
    await new Promise((resume) => setTimeout(resume));
    if (isUndone) globalThis.studio.state.undo();
  }, [degrees, isUndone]);
  await type("5", false);
  await page.waitForFunction(() => globalThis.studio.state.document_.value.cards.target !== "");
  await solved(page);
  await type("7", true);
  await solved(page);
  await page.waitForTimeout(300);
  assert.equal(await card(page), "");
});

test("Pick is for the side of the joint that is selected, whichever tab is open", async () => {
  const { page } = await open();
  await openPair(page);
  await select(page, "leftHand");
  await page.getByRole("tab", { name: "source" }).click();
  await page.getByRole("button", { name: "Pick… (P)" }).click();
  assert.deepEqual(await stateOf(page, "picking"), { side: "target", role: "leftHand", joints: [], isList: false });
});
