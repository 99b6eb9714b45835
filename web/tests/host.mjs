// `rebone studio` as a process, for the tests; null where the program is not built with a page.

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./browser.mjs";

const programs = ["release", "debug"].map((profile) => join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), profile, "rebone"));

/** Path of the newest program. */
export const program = programs.filter((path) => existsSync(path)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];

/** Starts the host with arguments in a folder; returns its address, and a function that ends it. */
export async function host(args, cwd) {
  if (!program) return null;
  const process_ = spawn(program, ["studio", "--no-browser", "--json", ...args], { cwd });
  const ended = new Promise((resolve) => process_.once("exit", resolve));
  let text = "";
  let faults = "";
  process_.stderr.on("data", (part) => (faults += part));
  const address = await new Promise((resolve) => {
    process_.stdout.on("data", (part) => {
      text += part;
      if (text.endsWith("}\n")) resolve(JSON.parse(text).address);
    });
    ended.then(() => resolve(null));
  });
  if (address === null && /has no page/.test(faults)) return null;
  if (address === null) throw new Error(faults);
  return { address, end: () => (process_.kill("SIGINT"), ended) };
}
