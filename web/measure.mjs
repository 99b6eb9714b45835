// Measures what the page and its engine have to reach, and prints a table: npm run measure -- [CHARACTER]
// The character is a glTF with a skin; without one named, one of the corpus in REBONE_CORPUS, else a sample without a skin.
// Page and module have to be built. Nothing is asserted: figures depend on the machine, and on what else it does.

import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { megabytes, table } from "./measure/figures.mjs";
import { moduleRows } from "./measure/module.mjs";
import { pageRows } from "./measure/page.mjs";
import { clip, close, rig, root } from "./tests/browser.mjs";

const OF_THE_CORPUS = join(process.env.REBONE_CORPUS ?? "", "rigs/gltf/human-male.glb");

const motion = clip("walk");
const character = process.argv[2] ?? (existsSync(OF_THE_CORPUS) ? OF_THE_CORPUS : rig("seven-spine"));
const load = () => loadavg()[0].toFixed(1);

async function named(path) {
  return { name: basename(path), bytes: new Uint8Array(await readFile(path)).buffer };
}

async function sizes() {
  const bytes = async (name) => (await stat(join(root, "web/dist", name))).size;
  const [whole, packed] = [await bytes("studio.html"), await bytes("studio.html.gz")];
  return ["the one file; packed", "≤ 5 MB; ≤ 1.8 MB", `${megabytes(whole)}; ${megabytes(packed)}`];
}

console.log(`${cpus().length} cores, ${cpus()[0].model}, Node ${process.versions.node}; ${basename(motion)} onto ${basename(character)}`);
console.log(`load ${load()} before`);
try {
  const rows = [...(await moduleRows(await named(motion), await named(character))), ...(await pageRows(motion, character)), await sizes()];
  console.log(`load ${load()} after\n\n${table(rows)}`);
} finally {
  await close();
}
