// Builds the page, one file that works from a disk: node build.mjs
// The module has to be there: node engine.mjs

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? here("../target");
const module = await readFile(`${target}/wasm32-unknown-unknown/release/rebone_web.wasm`);
// The page gives the module nothing: only wasm-bindgen's descriptions, which are never called, have imports.
const wanted = WebAssembly.Module.imports(new WebAssembly.Module(module)).filter((own) => !own.module.startsWith("__wbindgen"));
if (wanted.length > 0) throw new Error(`the module imports ${wanted.map((own) => `${own.module}.${own.name}`).join(", ")}`);

async function bundled(entry, define = {}) {
  const result = await build({
    entryPoints: [here(entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2022",
    jsx: "automatic", jsxImportSource: "preact", legalComments: "none", define,
  });
  return result.outputFiles[0].text;
}

/** A text that ends no script element. */
const inside = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A BVH clip with every second frame and three decimals, so that the sample adds less to the size of the page. */
function lighter(clip) {
  const [head, motion] = clip.replaceAll("\r\n", "\n").split(/(?<=Frame Time: .*\n)/);
  const rounded = (text) => String(Number(Number(text).toFixed(3)));
  const frames = motion.trimEnd().split("\n").filter((_, frame) => frame % 2 === 0)
    .map((frame) => frame.replace(/-?\d+\.\d+/g, rounded));
  return head.replace(/Frames: .*/, `Frames: ${frames.length}`)
    .replace(/Frame Time: (.*)/, (_, time) => `Frame Time: ${2 * Number(time)}`) + `${frames.join("\n")}\n`;
}

const worker = await bundled("src/engine/worker.ts");
const samples = {
  clip: lighter(await readFile(here("../data/clips/walk.bvh"), "utf8")),
  rig: await readFile(here("../data/rigs/seven-spine.bvh"), "utf8"),
};
const script = inside(await bundled("src/main.tsx", {
  WORKER_SOURCE: JSON.stringify(worker),
  SAMPLES: JSON.stringify(samples),
}));
const style = (await Promise.all(["src/palette.css", "src/page.css"].map((path) => readFile(here(path), "utf8")))).join("");
// Panels set places by style attributes, as numbers of their own.
const policy = [
  "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, "worker-src blob:", "connect-src 'self' blob: data:",
  "img-src blob: data:", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'",
].join("; ");
const parts = { POLICY: policy, STYLE: style, ENGINE: gzipSync(module, { level: 9 }).toString("base64"), SCRIPT: script };
const page = (await readFile(here("src/page.html"), "utf8"))
  .replace(/POLICY|STYLE|ENGINE|SCRIPT/g, (name) => parts[name]);
await mkdir(here("dist"), { recursive: true });
await writeFile(here("dist/studio.html"), page);
const packed = gzipSync(page, { level: 9 });
await writeFile(here("dist/studio.html.gz"), packed);
console.log(`dist/studio.html: ${page.length} bytes, packed ${packed.length}`);
