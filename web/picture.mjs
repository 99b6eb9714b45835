// Takes the picture of the page for docs/studio.md; docs/pictures calls it: node picture.mjs '{"source", "target", "out", "size", "scheme"}'

import { close, joint, open, openPair, solved, stateOf } from "./tests/browser.mjs";

/** Share of the clip, 0 to 1, at which the picture is taken. */
const SHARE = 0.5;

const { source, target, out, size: [width, height], scheme } = JSON.parse(process.argv[2]);
try {
  const { page, faults } = await open({ scheme });
  await page.setViewportSize({ width, height });
  await openPair(page, source, target);
  // Waits for the skins of glTF files.
  await page.waitForFunction(() => ["source", "target"].every((side) => {
    const { bodies } = globalThis.studio.stage;
    return !globalThis.studio.state.files.value[side].opened.is_gltf || bodies[side].hasSkin;
  }));
  await page.getByLabel("Compare").selectOption("side-by-side");
  await page.getByRole("treeitem").nth(await joint(page, "leftHand")).click();
  await page.evaluate((share) => {
    const { state } = globalThis.studio;
    state.frame.value = Math.round(share * (state.frameCount.value - 1));
  }, SHARE);
  await solved(page);
  await page.locator(".left").evaluate((panel) => panel.scrollTo(0, 0));
  await page.locator("canvas").focus();
  await page.keyboard.press("f");
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  await page.screenshot({ path: out });
  if ((await stateOf(page, "failure")) || faults.length > 0) throw new Error(faults.join("\n") || "the pair is not solved");
} finally {
  await close();
}
