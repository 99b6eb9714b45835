// Tasks with one motion and one character: each prepares its files, is done on the page and at a terminal, and is verified.

import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { card, clip, drop, open, rig, solved } from "../tests/browser.mjs";
import { rebone, Shell, User } from "./user.mjs";

/** Opens the page, and drops a walk and the character of a folder on it. */
async function openPair(folder) {
  const { page } = await open();
  const user = new User(page);
  await drop(page, ["walk.bvh", "hero.bvh"].map((name) => join(folder, name)));
  user.clicks += 1;
  await solved(page);
  return { page, user };
}

const spot = (page, role) => page.locator(`.figure [data-spot=${role}]`);
const row = (page, name) => page.getByRole("treeitem").filter({ has: page.getByText(name, { exact: true }) });

async function copySamples(folder) {
  await copyFile(clip("walk"), join(folder, "walk.bvh"));
  await copyFile(rig("seven-spine"), join(folder, "hero.bvh"));
}

/** The roles of all joints of a file, in its order. */
const rolesOf = (folder, ...args) => JSON.parse(rebone(folder, "inspect", "--json", ...args)).joints.map(({ role }) => role?.name ?? null);

/** A character whose left foot and left toes have each other's name: the toes are taken for the foot. */
export async function mendRole(folder) {
  await copySamples(folder);
  const right = await readFile(rig("seven-spine"), "utf8");
  const names = { Bip01_L_Foot: "Bip01_L_Toe0", Bip01_L_Toe0: "Bip01_L_Foot" };
  await writeFile(join(folder, "hero.bvh"), right.replace(/Bip01_L_(Foot|Toe0)\b/g, (name) => names[name]));
  await writeFile(join(folder, "right.bvh"), right);
  const wanted = rolesOf(folder, "right.bvh");
  assert.notDeepEqual(rolesOf(folder, "hero.bvh"), wanted, "the role is guessed wrong");

  const { page, user } = await openPair(folder);
  const doubt = page.getByRole("button", { name: "target: leftToes has no joint" });
  await doubt.waitFor();
  await user.click(spot(page, "leftFoot"));
  await user.press("p");
  await user.click(row(page, "Bip01_L_Toe0"));
  await doubt.waitFor({ state: "detached" });
  await solved(page);
  const saved = await user.download(() => user.press("Control+s"));
  const onPage = user.figures();
  assert.equal(saved.name, "hero.toml");
  await writeFile(join(folder, "page.toml"), saved.text);
  assert.deepEqual(rolesOf(folder, "hero.bvh", "--card", "page.toml"), wanted);

  const shell = new Shell(folder);
  shell.run("rebone inspect hero.bvh");
  await shell.edit("hero.toml", '[roles]\nleftFoot = "Bip01_L_Toe0"\nleftToes = "Bip01_L_Foot"\n');
  shell.run("rebone retarget walk.bvh hero.bvh --target-card hero.toml -o out.bvh");
  assert.deepEqual(rolesOf(folder, "hero.bvh", "--card", "hero.toml"), wanted);
  return { onPage, atTerminal: shell.figures() };
}

/** Degrees by which the sole of a joint is off level, by the frame that a card gives; the walk's axes are those of the world. */
function pitch(card, joint) {
  const line = new RegExp(`^${joint} = .*y = ("[^"]*"|\\[[^\\]]*\\]).*# level in frame`, "m").exec(card);
  assert.ok(line, `the card levels ${joint}:\n${card}`);
  const y = line[1] === '"+Y"' ? [0, 1, 0] : JSON.parse(line[1]);
  return (180 / Math.PI) * Math.acos(Math.min(1, y[1] / Math.hypot(...y)));
}

/** A motion whose card pitches the left foot by 15 degrees. */
export async function levelFoot(folder) {
  await copySamples(folder);
  await writeFile(join(folder, "slope.toml"), "[pose]\nLeftFoot = [15.0, 0.0, 0.0]\n");

  const { page } = await open();
  const user = new User(page);
  await user.choose(page.getByText("Choose a motion…"), ["walk.bvh", "slope.toml"].map((name) => join(folder, name)));
  await user.choose(page.getByText("character…", { exact: true }), join(folder, "hero.bvh"));
  await solved(page);
  await user.click(page.getByRole("tab", { name: "source" }));
  await user.click(spot(page, "leftFoot"));
  const standing = page.locator(".lane", { hasText: "left foot" }).first().locator("svg.source rect").last();
  await user.click(standing);
  const level = page.getByRole("button", { name: "Level this foot" });
  const frame = /\d+$/.exec(await level.textContent())[0];
  await user.click(level);
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("# level in frame"));
  await solved(page);
  const saved = await user.download(() => user.press("Control+s"));
  const onPage = user.figures();
  assert.ok(pitch(saved.text, "LeftFoot") < 1);

  const shell = new Shell(folder);
  shell.run("rebone preview walk.bvh -o walk.png --frames 250..348");
  shell.run(`rebone card walk.bvh --card slope.toml --level-feet left=${frame} -o walk.toml`);
  shell.run("rebone retarget walk.bvh hero.bvh --card walk.toml -o out.bvh");
  const atTerminal = shell.figures();
  const typed = await readFile(join(folder, "walk.toml"), "utf8");
  assert.equal(pitch(saved.text, "LeftFoot"), pitch(typed, "LeftFoot"));
  return { onPage, atTerminal };
}

/** The left hand turned by 12.5 degrees, for an engine that copies rotations. */
export async function exportTable(folder) {
  await copySamples(folder);

  const { page, user } = await openPair(folder);
  await user.pick(page.locator("select[data-option=method]"), "c");
  await user.click(spot(page, "leftHand"));
  await user.click(page.locator("input[data-axis=twist]"));
  await user.type("12.5");
  await user.press("Tab");
  await page.locator(".moves").getByText("leftHand 12.5°").waitFor();
  await solved(page);
  const exported = await user.download(() => user.pick(page.getByLabel("Export the result as"), "r"));
  const onPage = user.figures();
  const own = await card(page);
  await writeFile(join(folder, "page.toml"), own);
  rebone(folder, "export", "walk.bvh", "hero.bvh", "--method", "copy", "--target-card", "page.toml", "-o", "page.json");
  assert.equal(exported.text, await readFile(join(folder, "page.json"), "utf8"));

  const shell = new Shell(folder);
  await shell.edit("hero.toml", "[pose]\nBip01_L_Hand = [12.5, 0.0, 0.0]\nBip01_R_Hand = [12.5, 0.0, 0.0]\n");
  shell.run("rebone export walk.bvh hero.bvh --method copy --target-card hero.toml -o rotations.json");
  const atTerminal = shell.figures();
  assert.equal(exported.text, await readFile(join(folder, "rotations.json"), "utf8"));
  return { onPage, atTerminal };
}
