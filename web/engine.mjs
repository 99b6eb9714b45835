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
// Fat LTO with one codegen unit: the module is a twentieth smaller and takes twice as long to build. CARGO_PROFILE_RELEASE_LTO=off skips it.
const settings = process.env.CARGO_PROFILE_RELEASE_LTO ? [] : ["lto=\"fat\"", "codegen-units=1"];
// Made small instead of fast: readers of texts and messages, which no edit waits for.
const small = [
  "rebone-studio", "rebone-web", "serde_json", "serde_path_to_error", "serde_spanned",
  "toml_datetime", "toml_edit", "toml_parser", "toml_writer", "ufbx", "winnow",
];
settings.push(...small.map((name) => `package.${name}.opt-level="s"`));
const profile = settings.flatMap((setting) => ["--config", `profile.release.${setting}`]);
// Names of functions are a fifth of the module. LTO needs one type of crate.
const args = ["--release", "--target", target, "-p", "rebone-web", "--lib", "--crate-type", "cdylib", ...profile, ...more, "--", "-C", "strip=symbols"];
const built = spawnSync("cargo", ["rustc", ...args], {
  cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: "inherit",
});
process.exitCode = built.status ?? 1;
