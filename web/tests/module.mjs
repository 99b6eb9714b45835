// The built WebAssembly module in Node, called by the code of the page's worker.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./browser.mjs";

const path = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "wasm32-unknown-unknown/release/rebone_web.wasm");

/** Starts an engine. `ask` returns the fields and bytes of an answer, and throws the causes of one that is a failure. */
export async function engine() {
  const bundle = await build({
    entryPoints: [join(root, "web/src/engine/module.ts")], bundle: true, write: false, format: "esm", target: "es2022",
  });
  const { instantiate } = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);
  const instance = await instantiate(await WebAssembly.compile(await readFile(path)));
  return {
    memory: instance.memory,
    ask(request, bytes = null) {
      const answer = instance.ask(JSON.stringify(request), bytes);
      const fields = JSON.parse(answer.json);
      if (!fields.ok) throw new Error(fields.causes.join(": "));
      return { fields, bytes: answer.bytes };
    },
  };
}

/** A document without corrections. */
export const EMPTY = { cards: { source: "", target: "" }, map: "", contacts: "", options: {} };
