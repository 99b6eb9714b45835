// The page as a person uses it, in Chromium: npm test

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { card, clip, close, drop, joint, kept, open, openPair, pixels, RESULT, rig, solved, SOURCE, stateOf, violations } from "./browser.mjs";


after(close);

test("two files that are dropped together find their places, a result follows", async () => {
  const { page, faults } = await open();
  await drop(page, [clip("walk"), rig("toy-a-pose")]);
  await solved(page);
  assert.match(await page.locator(".verdict").textContent(), /PASS|LOOK/);
  assert.ok((await pixels(page, SOURCE)) > 50 && (await pixels(page, RESULT)) > 50);
  assert.deepEqual(faults, []);
});

test("the sample opens with one click; a reload shows the same frame from the same side", async () => {
  const { page, context, faults } = await open();
  await page.getByText("Try it with a sample").click();
  await solved(page);
  await page.evaluate(() => (globalThis.studio.state.frame.value = 77));
  await page.getByLabel("View from the side").click();
  await page.getByLabel("Compare").selectOption("side-by-side");
  await page.getByLabel("Draw").selectOption("bones");
  const { x, y, width, height } = await page.locator("canvas").first().boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, 240);
  await page.waitForTimeout(600);
  const names = ["frame", "camera", "compare", "look"];
  const before = await Promise.all(names.map((name) => stateOf(page, name)));
  await page.close();
  const again = await open({ context });
  await solved(again.page);
  const after = await Promise.all(names.map((name) => stateOf(again.page, name)));
  assert.deepEqual([after[0], ...after.slice(2)], [77, "side-by-side", "bones"]);
  const points = (view) => [...view[1].position, ...view[1].target];
  points(after).forEach((value, k) => assert.ok(Math.abs(value - points(before)[k]) < 1e-3, `${points(before)} to ${points(after)}`));
  assert.ok(Math.abs(after[1].position[0] - after[1].target[0]) > 2, "the camera is at the side");
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
  await kept(page, "document", (own) => own.document.options.arms > 0);
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
