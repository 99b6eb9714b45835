// Prints the text that a module's function `report` leaves in its memory: node report.mjs MODULE

import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  // What wasm-bindgen imports serves values that are no numbers, and there are none.
  (imports[from] ??= {})[name] = () => {
    throw new Error(`the module calls ${from}.${name}`);
  };
}
const { exports } = await WebAssembly.instantiate(module, imports);
// wasm-bindgen adds a hash to the names of functions that it exports.
const name = Object.keys(exports).find((name) => /^report(_[0-9a-f]+)?$/.test(name));
const answer = BigInt.asUintN(64, exports[name]());
const [address, length] = [Number(answer & 0xffffffffn), Number(answer >> 32n)];
process.stdout.write(new Uint8Array(exports.memory.buffer, address, length));
