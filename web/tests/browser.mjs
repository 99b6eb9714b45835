// The built page in the Chromium that is installed, with software WebGL, for the tests.

import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const executablePath = process.env.CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export const clip = (name) => join(root, "data/clips", `${name}.bvh`);
export const rig = (name) => join(root, "data/rigs", `${name}.bvh`);

/** Longest wait for a condition, milliseconds: beside builds on two cores a solve takes a minute. */
const MAX_WAIT = 120_000;

let browser;

export async function close() {
  await browser?.close();
}

/** Opens the page, from the disk or at an address; `faults` collects errors, violations of the policy, and requests to other addresses. */
export async function open({ scheme = "light", context, address = `file://${join(root, "web/dist/studio.html")}` } = {}) {
  browser ??= await chromium.launch({
    executablePath, args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
  });
  const own = context ?? await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: scheme, acceptDownloads: true });
  own.setDefaultTimeout(MAX_WAIT);
  const page = await own.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const isOwn = address.startsWith("http") && request.url().startsWith(new URL(address).origin);
    if (!isOwn && !/^(file|blob|data):/.test(request.url())) faults.push(`request to ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("#page[data-ready]");
  return { page, faults, context: own };
}

/** Waits until the newest document is solved. */
export async function solved(page) {
  await page.waitForFunction(() => {
    const state = globalThis.studio?.state;
    return state && !state.isSolving.value && state.solved.value !== null && state.failure.value === null;
  });
}

/** Opens a motion and a character. */
export async function openPair(page, source = clip("walk"), target = rig("seven-spine")) {
  await page.setInputFiles("input[data-side=source] >> nth=0", source);
  await page.waitForFunction(() => globalThis.studio?.state.files.value.source);
  await page.setInputFiles("header input[data-side=target]", target);
  await page.waitForFunction(() => globalThis.studio?.state.files.value.target);
  await solved(page);
}

/** Drops files onto the page, in their order. */
export async function drop(page, paths) {
  await dropTexts(page, await Promise.all(paths.map(async (path) => ({ name: path.split("/").at(-1), text: await readFile(path, "utf8") }))));
}

/** Drops files of names and texts onto the page, in their order. */
export const dropTexts = (page, files) => page.evaluate((files) => {
  const data = new DataTransfer();
  for (const { name, text } of files) data.items.add(new File([text], name));
  document.querySelector(".page").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}, files);

/** Waits until the browser keeps what is wanted, "document" or a side; returns that, without the bytes of a file. */
export async function kept(page, key, isThere) {
  const read = () => page.evaluate((key) => new Promise((resolve) => {
    const opening = indexedDB.open("rebone-studio", 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("kept").objectStore("kept").get(key);
      reading.onsuccess = () => resolve(reading.result ? { ...reading.result, bytes: null } : null);
    };
  }), key);
  for (let tries = 0; tries < 200; tries++) {
    const found = await read();
    if (found && isThere(found)) return found;
    await page.waitForTimeout(50);
  }
  throw new Error(`the browser does not keep the ${key} that is wanted`);
}

export const stateOf = (page, name) => page.evaluate((name) => globalThis.studio.state[name].value, name);
export const card = (page, side = "target") => page.evaluate((side) => globalThis.studio.state.document_.value.cards[side], side);

/** The joint that plays a role. */
export const joint = (page, role, side = "target") => page.evaluate(([role, side]) =>
  globalThis.studio.state.understanding.value.sides[side].joints.find((joint) => joint.role?.name === role).index, [role, side]);

/** The place of a joint on the stage, metres. */
export const placeOf = (page, side, joint) => page.evaluate(([side, joint]) => {
  const { stage } = globalThis.studio;
  stage.draw();
  return [...stage.bodies[side].places.slice(3 * joint, 3 * joint + 3)];
}, [side, joint]);

/** Red, green and blue of a color of the palette, for a light page. */
const palette = readFileSync(join(root, "web/src/palette.css"), "utf8");
export function color(name) {
  const digits = new RegExp(`--${name}: #(\\w{6});`).exec(palette)[1];
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
}

/** Colors of a result, and those of a source that are far from the floor's. */
export const RESULT = ["result-left", "result", "result-right"].map(color);
export const SOURCE = ["source-left", "source"].map(color);

/** Number of pixels of the stage that are near one of some colors. */
export const pixels = (page, colors) => page.evaluate((colors) => {
  const { stage } = globalThis.studio;
  stage.draw();
  const from = document.querySelector(".stage canvas");
  const canvas = new OffscreenCanvas(from.width, from.height);
  const context = canvas.getContext("2d");
  context.drawImage(from, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (colors.some((color) => color.every((value, channel) => Math.abs(value - data[at + channel]) < 40))) count += 1;
  }
  return count;
}, colors);

/** Violations of the accessibility rules that axe finds, a line each. */
export async function violations(page) {
  await page.evaluate(await readFile(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ").slice(0, 300)}`);
}
