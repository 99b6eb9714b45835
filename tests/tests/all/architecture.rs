//! Arrows between crates: `rebone-skeleton <- rebone-samples, rebone-ik <- rebone-body <- rebone <- rebone-batch, rebone-view, rebone-studio <- rebone-cli <- rebone-python`, as drawn in
//! `docs/architecture.md`. Read from the manifests, development and build dependencies included.

use rebone_tests::{documented_sources, files, read};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use toml_edit::{DocumentMut, TableLike};

/// The crates from the bottom to the top. Each may use those before it, none those after it.
const ORDER: [&str; 11] = [
    "rebone-skeleton",
    "rebone-samples",
    "rebone-ik",
    "rebone-body",
    "rebone",
    "rebone-batch",
    "rebone-view",
    "rebone-studio",
    "rebone-web",
    "rebone-cli",
    "rebone-python",
];

/// Pairs that do not know each other, though the order would allow it.
const APART: [[&str; 2]; 5] = [
    ["rebone-view", "rebone-batch"],
    ["rebone-studio", "rebone-batch"],
    ["rebone-studio", "rebone-view"],
    ["rebone-cli", "rebone-web"],
    ["rebone-python", "rebone-web"],
];

fn manifests() -> BTreeMap<String, DocumentMut> {
    files("crates", &["Cargo.toml"])
        .into_iter()
        .map(|path| {
            let manifest: DocumentMut = read(path).parse().expect("cargo has read it");
            (manifest["package"]["name"].as_str().expect("a name is a text").to_owned(), manifest)
        })
        .collect()
}

/// The names in all tables of dependencies, also those of one platform.
fn dependencies(table: &dyn TableLike) -> Vec<String> {
    let mut names = Vec::new();
    for (key, item) in table.iter() {
        let Some(inner) = item.as_table_like() else { continue };
        if key.ends_with("dependencies") {
            names.extend(inner.iter().map(|(name, _)| name.to_owned()));
        } else {
            names.extend(dependencies(inner));
        }
    }
    names
}

#[test]
fn crates_know_only_what_stands_below_them() {
    let manifests = manifests();
    let mut known: Vec<&str> = manifests.keys().map(String::as_str).collect();
    known.sort_by_key(|name| ORDER.iter().position(|other| other == name));
    assert_eq!(known, ORDER, "a crate is missing from the order, or from the workspace");
    for (level, name) in ORDER.iter().enumerate() {
        for dependency in dependencies(manifests[*name].as_table()) {
            if let Some(other) = ORDER.iter().position(|crate_name| *crate_name == dependency) {
                assert!(other < level, "{name} must not know {dependency}");
                assert!(
                    !APART.contains(&[name, ORDER[other]]),
                    "{name} must not know {dependency}"
                );
            }
        }
    }
}

#[test]
fn only_the_program_knows_the_command_line_and_only_views_draw() {
    let reserved = [
        ("clap_complete", "rebone-cli"),
        ("anyhow", "rebone-cli"),
        ("anstream", "rebone-cli"),
        ("signal-hook", "rebone-cli"),
        ("indicatif", "rebone-cli"),
        ("noto-sans-mono-bitmap", "rebone-view"),
        ("tiny-skia", "rebone-view"),
    ];
    for (name, manifest) in manifests() {
        let names = dependencies(manifest.as_table());
        for (reserved, user) in reserved {
            assert!(
                name == user || !names.iter().any(|used| used == reserved),
                "{name} must not know {reserved}"
            );
        }
    }
}

#[test]
fn libraries_know_clap_as_a_feature_alone() {
    for (name, manifest) in manifests() {
        let optional = |item: &toml_edit::Item| {
            item.get("optional").is_some_and(|value| value.as_bool() == Some(true))
        };
        let clap = manifest.get("dependencies").and_then(|table| table.get("clap"));
        assert!(
            name == "rebone-cli" || clap.is_none_or(optional),
            "{name}: clap has to be optional"
        );
    }
}

#[test]
fn versions_stand_once_in_the_workspace() {
    for (name, manifest) in manifests() {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(table) = manifest.get(kind).and_then(|item| item.as_table_like()) else {
                continue;
            };
            for (dependency, item) in table.iter() {
                let workspace = item.as_table_like().and_then(|entry| entry.get("workspace"));
                assert_eq!(
                    workspace.and_then(|value| value.as_bool()),
                    Some(true),
                    "{name}: {dependency} states a version of its own"
                );
            }
        }
    }
}

/// The module of an interpreter is the only crate of `crates/` that `cargo test` in a fresh clone does not build.
#[test]
fn all_crates_but_the_python_module_are_built_by_default() {
    let manifest: DocumentMut = read("Cargo.toml").parse().expect("cargo has read it");
    let members = manifest["workspace"]["default-members"].as_array().expect("a list");
    let members: Vec<&str> = members.iter().filter_map(|member| member.as_str()).collect();
    let mut expected: Vec<String> =
        ORDER[..10].iter().map(|name| format!("crates/{name}")).collect();
    expected.sort();
    expected.push("tests".to_owned());
    assert_eq!(members, expected);
}

/// The README's first command names no program: cargo refuses it when there are two.
#[test]
fn the_default_members_have_one_program() {
    let words = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(words).current_dir(rebone_tests::root()).output();
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.expect("cargo runs these tests").stdout).expect("JSON");
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let members = list(&metadata["workspace_default_members"]);
    let programs: Vec<serde_json::Value> = list(&metadata["packages"])
        .iter()
        .filter(|package| members.contains(&package["id"]))
        .flat_map(|package| list(&package["targets"]))
        .filter(|target| list(&target["kind"]).contains(&"bin".into()))
        .map(|target| target["name"].clone())
        .collect();
    assert_eq!(programs, ["rebone"]);
}

/// A source without its comments and unit tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Without its default features the library that engines add has no files, no threads and no command line.
#[test]
fn the_core_does_no_input_and_output() {
    let words =
        ["tree", "-p", "rebone", "--no-default-features", "-e", "normal", "--prefix", "none"];
    let tree = Command::new(env!("CARGO")).args(words).arg("--offline").output();
    let tree = tree.expect("cargo runs these tests");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    let names: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains("rebone-ik") && names.contains("nalgebra"), "{names:?}");
    let outside = ["anstream", "base64", "clap", "rayon", "rustix", "tempfile", "ufbx", "walkdir"];
    for outside in outside {
        assert!(
            !names.contains(outside),
            "{outside} is in the tree of rebone without its features"
        );
    }
    let others = [
        "/bvh/",
        "/gltf/",
        "/scene/",
        "/file/",
        "/fbx.rs",
        "/acclaim/",
        "/atomic_file.rs",
        "/regular_file.rs",
        "/character/",
        "/rebone/src/retarget/",
        "/rebone-body/src/text.rs",
        "/error/files.rs",
        "/result_writer.rs",
        "/export/arrays.rs",
        "/export/npz.rs",
        "/tests",
        "/traps.rs",
    ];
    let sources = ["rebone-skeleton", "rebone-ik", "rebone-body", "rebone"];
    let sources = sources.map(|name| files(&format!("crates/{name}/src"), &[".rs"])).concat();
    for path in sources {
        let name = path.display().to_string().replace('\\', "/");
        let is_core = !others.iter().any(|part| name.contains(part));
        let text = read(&path);
        let code = code(&text);
        for outside in ["std::fs", "std::io", "std::net", "std::process", "std::env"] {
            assert!(!is_core || !code.contains(outside), "{name} has {outside}");
        }
    }
}

/// The crates that a browser runs, without its file system: no paths in the sources outside feature `disk`, and no
/// crate that opens files in the tree.
#[test]
fn files_are_bytes_without_the_feature_disk() {
    let words = ["tree", "-p", "rebone-skeleton", "--no-default-features", "--features", "files"];
    let tree = Command::new(env!("CARGO"))
        .args(words)
        .args(["-e", "normal", "--prefix", "none", "--offline"])
        .output()
        .expect("cargo runs these tests");
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    assert!(tree.contains("serde_json") && !tree.contains("tempfile"), "{tree}");
    for path in files("crates/rebone-skeleton/src", &[".rs"]) {
        let text = read(&path);
        let code = code(&text);
        let is_gated = |at: usize| code[..at].contains("#[cfg(feature = \"disk\")]");
        let is_disk = ["src/atomic_file.rs", "src/regular_file.rs", "src/file/source_file.rs"]
            .iter()
            .any(|own| path.ends_with(own));
        for word in ["fs::", "tempfile"] {
            let found = code.find(word);
            assert!(is_disk || found.is_none_or(is_gated), "{}: {word}", path.display());
        }
    }
}

/// Public types of `rebone` and `rebone-body`, those of re-exported crates not counted. Lower it where one goes; raise it for a capability with
/// two users alone, as the choice of a character, the unit of a root, and the comparison that all front ends share.
const PUBLIC_TYPES: usize = 74;

/// Counts structs, enums, traits and aliases that are `pub`: the lint `unreachable_pub` holds that all of them can be
/// reached from the root.
#[test]
fn the_library_has_few_public_types() {
    let mut types = Vec::new();
    for path in ["rebone-body", "rebone"].into_iter().flat_map(documented_sources) {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split([' ', '<', '(', ';']).collect();
            let ["pub", "struct" | "enum" | "trait" | "type", name, ..] = words[..] else {
                continue;
            };
            let before = lines[..index].iter().rev().take_while(|line| line.starts_with("#["));
            if !before.into_iter().any(|line| *line == "#[doc(hidden)]") {
                types.push(name.to_owned());
            }
        }
    }
    assert_eq!(types.len(), PUBLIC_TYPES, "{types:?}");
}
