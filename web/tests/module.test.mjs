// Results of the module under Node and of the native program, byte by byte: npm test

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { root } from "./browser.mjs";
import { program } from "./host.mjs";
import { EMPTY, engine } from "./module.mjs";

const run = promisify(execFile);
const hash = (bytes) => createHash("sha256").update(new Uint8Array(bytes)).digest("hex");

/** Paths of the files below a folder that end so, sorted. */
async function files(folder, end) {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(end)).sort().map((name) => join(folder, name));
}

async function opened(ask, side, path) {
  const bytes = new Uint8Array(await readFile(path)).buffer;
  return ask({ do: "open", side, name: basename(path) }, bytes).fields;
}

/** Hashes of the results of a pair by format, or why there is none. */
function inModule(ask, formats) {
  try {
    ask({ do: "solve", document: EMPTY });
    return Object.fromEntries(formats.map((format) => [format, hash(ask({ do: "write", format }).bytes)]));
  } catch (error) {
    return `refused: ${error.message}`;
  }
}

async function native(source, target, formats, folder) {
  const hashes = {};
  for (const format of formats) {
    const output = join(folder, `result.${format}`);
    try {
      await run(program, ["retarget", source, target, "-o", output, "--accept-guesses", "--overwrite", "--quiet"]);
    } catch (error) {
      if (typeof error.code !== "number") throw error;
      return `refused: ${error.stderr.split("\n")[0].replace(/^error: /, "")}`;
    }
    hashes[format] = hash(await readFile(output));
  }
  return hashes;
}

/** Compares all sources on all targets; returns the number of results that are the same. */
async function compare(t, sources, targets) {
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  t.after(() => rm(folder, { recursive: true }));
  const { ask } = await engine();
  let count = 0;
  for (const target of targets) {
    const { is_vrm } = await opened(ask, "target", target);
    const formats = ["bvh", is_vrm ? "vrm" : "glb"];
    for (const source of sources) {
      await opened(ask, "source", source);
      const [own, expected] = [inModule(ask, formats), await native(source, target, formats, folder)];
      const pair = `${basename(source)} onto ${basename(target)}`;
      if (typeof own === "string" && typeof expected === "string") t.diagnostic(`${pair}: ${own}`);
      else assert.deepEqual(own, expected, pair);
      if (typeof own !== "string") count += formats.length;
    }
  }
  t.diagnostic(`${count} results are the same bytes`);
  return count;
}

test("all samples on all sample rigs have the bytes of the native program", async (t) => {
  if (!program) return t.skip("rebone is not built: no native results to compare with");
  const [clips, rigs] = await Promise.all(["clips", "rigs"].map((folder) => files(join(root, "data", folder), ".bvh")));
  assert.equal(await compare(t, clips, rigs), 2 * clips.length * rigs.length);
});

test("motions of the corpus on characters with skins have the bytes of the native program", async (t) => {
  const corpus = process.env.REBONE_CORPUS;
  if (!program) return t.skip("rebone is not built: no native results to compare with");
  if (!corpus) return t.skip("REBONE_CORPUS is not set: no files with skins");
  const motions = (await files(join(corpus, "motions"), ".bvh")).slice(0, 6);
  const rigs = (await files(join(corpus, "rigs"), ".glb")).slice(0, 2);
  assert.ok(await compare(t, motions, rigs) > 0);
});
