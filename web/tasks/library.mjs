// A library of forty clips gone through by its verdicts: what passes is accepted, all else flagged with a note.

import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clip, open, rig, solved } from "../tests/browser.mjs";
import { host } from "../tests/host.mjs";
import { rebone, Shell, User } from "./user.mjs";

const CLIPS = ["climb", "jump", "reach", "sit", "walk", "wave"];
/** Of a clip's numbers in a frame, those of its root. */
const ROOT = 6;

/** Cuts of a clip, by their names: from a frame on, so many; and what happens to their frames. */
const CUTS = [
  ["begin", 0, 60], ["early", 20, 60], ["middle", 40, 80], ["late", 60, 90], ["whole", 0, 150],
  ["shaken", 0, 90, (numbers, frame) => numbers.map((value, at) => (at < ROOT ? value : value + 25 * Math.sin(1.7 * frame + at)))],
  ["twisted", 0, 90, (numbers) => numbers.map((value, at) => (at < ROOT || at % 9 > 0 ? value : value + 80))],
];

/** Writes forty clips: cuts of the samples, some of them damaged. */
async function writeClips(folder) {
  await mkdir(folder);
  const files = CUTS.flatMap((cut) => CLIPS.map((name) => [name, cut])).slice(0, 40);
  for (const [name, [cut, from, count, damage = (numbers) => numbers]] of files) {
    const [head, motion] = (await readFile(clip(name), "utf8")).split("MOTION\n");
    const [, time, ...lines] = motion.trim().split("\n");
    const frames = lines.slice(from, from + count).map((line, frame) => damage(line.trim().split(/\s+/).map(Number), frame).join(" "));
    await writeFile(join(folder, `${name}-${cut}.bvh`), `${head}MOTION\nFrames: ${frames.length}\n${time}\n${frames.join("\n")}\n`);
  }
}

async function linesOf(path) {
  return (await readFile(path, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
}

/** Note on a result: the first words of its reason. */
const noteOf = (reason) => reason.split(" ").slice(0, 2).join(" ");

/** Goes through a library on the page; ends with the review. */
async function review(address, results) {
  const { page } = await open({ address });
  const user = new User(page);
  const passes = page.getByRole("button", { name: /^PASS \d+$/ });
  await user.click(passes);
  await user.click(page.getByRole("button", { name: /^Accept all/ }));
  await user.click(passes);
  await user.press("n");
  const flagged = results.filter(({ verdict }) => verdict !== "PASS");
  for (let count = 0; count < flagged.length; count++) {
    await solved(page);
    const row = page.locator(".results [aria-current=true]");
    const reason = (await row.locator("small").textContent()).trim();
    await user.press("x");
    await page.locator("input:focus").waitFor();
    await user.type(noteOf(reason));
    await user.press("Enter");
    await page.waitForFunction((count) => document.querySelectorAll(".results [aria-label=flagged]").length === count, count + 1);
  }
  await page.waitForFunction(() => !globalThis.studio.isReviewUnsaved.value);
  return user.figures();
}

/** Holds a review against the results of its batch. */
function verify(marks, results) {
  const wanted = results.map(({ name, verdict, reason }) =>
    verdict === "PASS" ? { name, mark: "accepted" } : { name, mark: "flagged", note: noteOf(reason) });
  const sorted = (list) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  assert.deepEqual(sorted(marks), sorted(wanted));
}

export async function reviewLibrary(folder) {
  await writeClips(join(folder, "clips"));
  await copyFile(rig("seven-spine"), join(folder, "hero.bvh"));
  rebone(folder, "batch", "clips", "-t", "hero.bvh", "-o", "out", "-q");
  const manifest = await linesOf(join(folder, "out/manifest.jsonl"));
  const results = manifest.map(({ output: name, result }) => ({ name, ...result }));
  assert.equal(results.length, 40);
  assert.ok(["PASS", "LOOK", "FAIL"].every((verdict) => results.some((own) => own.verdict === verdict)), "all verdicts occur");

  const own = await host(["--library", "out"], folder);
  assert.ok(own, "rebone is built with the page");
  const path = join(folder, "out/review.jsonl");
  let onPage;
  try {
    onPage = await review(own.address, results);
  } finally {
    await own.end();
  }
  verify(await linesOf(path), results);
  await rename(path, join(folder, "page.jsonl"));

  const shell = new Shell(folder);
  const accept = String.raw`sed 's/.*"output":"\([^"]*\)".*/{"name":"\1","mark":"accepted"}/'`;
  shell.run(`grep '"verdict":"PASS"' out/manifest.jsonl | ${accept} > out/review.jsonl`);
  shell.run(`grep -v '"verdict":"PASS"' out/manifest.jsonl`);
  for (const { name, verdict, reason } of results) {
    if (verdict !== "PASS") await shell.edit("out/review.jsonl", `${JSON.stringify({ name, mark: "flagged", note: noteOf(reason) })}\n`);
  }
  const atTerminal = shell.figures();
  verify(await linesOf(path), results);
  return { onPage, atTerminal };
}
