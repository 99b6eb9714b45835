// Files that are dropped: which is the motion, what becomes of cards and contacts, in Chromium: npm test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { card, clip, close, drop, dropTexts, open, openPair, rig, solved, stateOf } from "./browser.mjs";

after(close);

const names = async (page) => {
  const { source, target } = await stateOf(page, "files");
  return [source?.name, target?.name];
};
const opens = (page, source, target) => page.waitForFunction(([source, target]) => {
  const files = globalThis.studio?.state.files.value;
  return files?.source?.name === source && files?.target?.name === target;
}, [source, target]);

test("of two files of one format the one with motion is the motion, in either order", async () => {
  for (const order of [[rig("toy-a-pose"), clip("walk")], [clip("walk"), rig("toy-a-pose")]]) {
    const { page } = await open();
    await drop(page, order);
    await opens(page, "walk.bvh", "toy-a-pose.bvh");
    await solved(page);
    await page.close();
  }
});

test("a motion that is dropped alone takes the place of the motion", async () => {
  const { page } = await open();
  await openPair(page);
  await drop(page, [clip("jump")]);
  await opens(page, "jump.bvh", "seven-spine.bvh");
});

test("of drops shortly after each other the last one stays", async () => {
  const { page } = await open();
  await openPair(page);
  await drop(page, [clip("jump"), rig("one-spine")]);
  await drop(page, [clip("climb"), rig("toy-a-pose")]);
  await opens(page, "climb.bvh", "toy-a-pose.bvh");
  await solved(page);
  assert.deepEqual(await names(page), ["climb.bvh", "toy-a-pose.bvh"]);
});

test("a card is not used for another character; undo brings it back", async () => {
  const { page } = await open();
  await openPair(page);
  const text = '# of the first\nup = "+Y"\n';
  await page.evaluate((text) => {
    const { state } = globalThis.studio;
    state.change({ ...state.document_.value, cards: { source: "", target: text } }, "");
  }, text);
  await page.setInputFiles("header input[data-side=target]", rig("toy-a-pose"));
  await opens(page, "walk.bvh", "toy-a-pose.bvh");
  await page.getByText("the card of seven-spine.bvh is not used for it").waitFor();
  assert.equal(await card(page), "");
  await page.getByLabel("Undo").click();
  assert.equal(await card(page), text);
});

test("contacts that are used are seen, and can be left out", async () => {
  const { page } = await open();
  await openPair(page);
  await dropTexts(page, [{ name: "contacts.json", text: "[{}]" }]);
  await page.getByRole("alert").first().waitFor();
  assert.match(await page.locator(".verdict").textContent(), /^before the error: /);
  assert.ok(await page.getByLabel("Export the result as").isDisabled());
  await page.getByLabel("Leave the contacts out").click();
  await solved(page);
  assert.match(await page.locator(".verdict").textContent(), /^(PASS|LOOK|FAIL)/);
});

test("a file that cannot be read is a message, and the next ones are opened", async () => {
  const { page } = await open();
  await page.evaluate(() => {
    const gone = { name: "gone.bvh", arrayBuffer: () => Promise.reject(new Error("the file is gone")) };
    const dropped = new Event("drop", { bubbles: true, cancelable: true });
    document.querySelector(".page").dispatchEvent(Object.assign(dropped, { dataTransfer: { files: [gone] } }));
  });
  await page.getByText("the file is gone").waitFor();
  await drop(page, [clip("walk"), rig("one-spine")]);
  await opens(page, "walk.bvh", "one-spine.bvh");
});
