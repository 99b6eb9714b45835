// Panels that need more than a pair of files, for all who use them: access, contrast, small windows, in Chromium: npm test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { clip, close, drop, joint, open, openPair, solved, violations } from "./browser.mjs";

after(close);

/** Opens a pair and lists clips for it, of which one is flagged. */
async function openLibrary(page) {
  await openPair(page);
  await drop(page, ["walk", "jump", "wave"].map(clip));
  await page.waitForFunction(() => [...document.querySelectorAll(".results .mark")].filter((mark) => /PASS|LOOK|FAIL/.test(mark.textContent)).length === 3);
  await page.getByRole("button", { name: "Next (N)" }).click();
  await solved(page);
  await page.getByRole("button", { name: "Flag (X)" }).click();
  await page.getByLabel("Note").fill("left foot slides");
}

/** Shows cards that changed on disk, as `rebone studio` tells it. */
const showConflicts = (page) => page.evaluate(() => (globalThis.studio.conflicts.value = [
  { side: "target", name: "hero.toml", onDisk: 'up = "+Y"\n[roles]\nleftToes = []\n', tag: null },
  { side: "source", name: "walk.toml", onDisk: "# other\n", tag: null },
]));

/** Makes up doubts of both kinds, and a role without a joint that is picked. */
async function showDoubts(page) {
  const [hand, foot, toes] = await Promise.all(["leftHand", "rightFoot", "leftToes"].map((role) => joint(page, role)));
  await page.evaluate(([hand, foot, toes]) => {
    const { state } = globalThis.studio;
    const known = structuredClone(state.understanding.value);
    const { joints } = known.sides.target;
    joints[foot].role.accepted = false;
    joints[toes].role = null;
    for (const joint of [hand, foot]) known.doubts.push({ side: "target", kind: "role", text: `made up ${joint}`, confidence: 0.5, joint, blocks: joint === foot });
    state.understanding.value = known;
    state.picking.value = { side: "target", role: "leftToes", joints: [], isList: false };
  }, [hand, foot, toes]);
  await page.locator(".spot.none").waitFor();
}

for (const scheme of ["light", "dark"]) {
  test(`library, conflicts, keys, doubts and views violate no accessibility rule, ${scheme}`, async () => {
    const { page } = await open({ scheme });
    assert.deepEqual(await violations(page), [], "nothing open");
    await openLibrary(page);
    await page.getByText("Fingers").click();
    await page.getByText(/roles without a joint/).click();
    await page.getByLabel("Compare").selectOption("before");
    assert.deepEqual(await violations(page), [], "library");
    await showDoubts(page);
    assert.deepEqual(await violations(page), [], "doubts");
    await page.keyboard.press("Escape");
    await page.getByRole("treeitem").nth(await joint(page, "head")).click();
    await page.keyboard.press("p");
    await page.getByRole("treeitem").nth(await joint(page, "leftFoot")).click();
    await page.getByRole("button", { name: "Use it anyway" }).waitFor();
    assert.deepEqual(await violations(page), [], "a pick that is refused");
    await page.keyboard.press("Escape");
    await page.getByLabel("Rig card of the target").fill('facing = "north"\n');
    await page.getByText("line 1:").waitFor();
    assert.deepEqual(await violations(page), [], "an error");
    await showConflicts(page);
    await page.evaluate(() => globalThis.studio.state.say("Saved hero.toml"));
    await page.getByRole("alertdialog", { name: "hero.toml changed on disk" }).waitFor();
    assert.deepEqual(await violations(page), [], "conflicts");
    await page.evaluate(() => (globalThis.studio.conflicts.value = []));
    await page.getByRole("button", { name: "Help" }).click();
    assert.deepEqual(await violations(page), [], "keys");
  });

  test(`marks of the figure stand out by 4.5 to 1, ${scheme}`, async () => {
    const { page } = await open({ scheme });
    await openPair(page);
    await showDoubts(page);
    const contrasts = await page.evaluate(() => {
      const light = (color) => {
        const [red, green, blue] = color.match(/[\d.]+/g).map(Number).map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = light(getComputedStyle(document.querySelector(".left")).backgroundColor);
      const against = (color) => (Math.max(light(color), ground) + 0.05) / (Math.min(light(color), ground) + 0.05);
      const spots = ["sure", "half", "low", "none"].map((own) => getComputedStyle(document.querySelector(`.spot.${own}`)).color);
      const around = getComputedStyle(document.querySelector(".spot[aria-pressed=true] .around")).stroke;
      const text = getComputedStyle(document.querySelector(".figure text")).fill;
      return [...spots, around, text].map(against);
    });
    for (const contrast of contrasts) assert.ok(contrast >= 4.5, contrasts.map((own) => own.toFixed(2)).join(" "));
  });
}

test("two cards that changed on disk are asked for one after another, and the question has the focus", async () => {
  const { page } = await open();
  await openPair(page);
  await showConflicts(page);
  const question = page.getByRole("alertdialog");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "alertdialog");
  assert.equal(await question.count(), 1);
  await question.getByRole("button", { name: "Take the one on disk" }).click();
  await page.getByRole("alertdialog", { name: "walk.toml changed on disk" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "walk.toml changed on disk");
});

for (const [width, height] of [[1400, 900], [800, 900], [700, 450]]) {
  test(`nothing is cut at ${width} by ${height}; the stage stays`, async () => {
    const { page } = await open();
    await page.setViewportSize({ width, height });
    await openLibrary(page);
    await page.getByText("Fingers").click();
    await showConflicts(page);
    const wide = await page.evaluate(() => ["html", ".left", ".right", ".timeline", ".conflict", ".results"].filter((name) => {
      const own = document.querySelector(name);
      return own.scrollWidth > own.clientWidth;
    }));
    assert.deepEqual(wide, []);
    const box = await page.getByRole("alertdialog").boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= height);
    await page.evaluate(() => (globalThis.studio.conflicts.value = []));
    await page.getByLabel("Rig card of the target").scrollIntoViewIfNeeded();
    const stage = await page.locator(".stage").boundingBox();
    assert.ok(stage.y >= 0 && stage.y < height / 4, "the stage is seen while the card is");
  });
}
