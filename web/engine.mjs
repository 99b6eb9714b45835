// Builds the engine of the page, with FBX where clang compiles for WebAssembly: node engine.mjs [MORE ARGUMENTS OF CARGO]

import { spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";

const target = "wasm32-unknown-unknown";
const clang = process.env.CC_wasm32_unknown_unknown ?? "clang";
const tried = spawnSync(clang, [`--target=${target}`, "-c", "-x", "c", "-o", devNull, "-"], { input: "#include <stdint.h>\n" });
const hasClang = tried.status === 0;
if (!hasClang) console.log(`no ${clang} that compiles for ${target}: the page will read no FBX`);
const more = [...(hasClang ? ["--features", "fbx"] : []), ...process.argv.slice(2)];
// Names of functions are a fifth of the module.
const built = spawnSync("cargo", ["rustc", "--release", "--target", target, "-p", "rebone-web", "--lib", ...more, "--", "-C", "strip=symbols"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: "inherit",
});
process.exitCode = built.status ?? 1;
