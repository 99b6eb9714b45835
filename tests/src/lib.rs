//! Tests of the workspace as a whole: its crates, its files, its front page. What is tested here
//! belongs to no single crate.

pub mod imports;

use std::path::{Path, PathBuf};

/// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The root of the workspace.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this crate lies in a folder of the workspace")
}

/// Reads a file of the workspace, named from its root.
///
/// # Panics
/// When it cannot be read as text.
#[must_use]
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files under `folder` (from the root) whose name ends in one of `endings`, sorted. What git, cargo
/// and npm keep for themselves is left out.
///
/// # Panics
/// When a folder cannot be read.
#[must_use]
pub fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder that can be opened can be listed").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if ["target", ".git", "node_modules", "dist"].contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The sources of a crate without the modules that its documentation hides; those that hold what its root re-exports are there.
///
/// # Panics
/// When a source cannot be read.
#[must_use]
pub fn documented_sources(library: &str) -> Vec<PathBuf> {
    let mut sources = files(&format!("crates/{library}/src"), &[".rs"]);
    let mut hidden = Vec::new();
    for path in &sources {
        let text = read(path);
        for (before, line) in text.lines().zip(text.lines().skip(1)) {
            let name = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
            if let ("#[doc(hidden)]", Some(name)) = (before, name) {
                hidden.push(path.with_file_name(name));
            }
        }
    }
    let root = read(format!("crates/{library}/src/lib.rs"));
    let exported = |module: &Path, text: &str| {
        let module = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let module = format!("pub use {module}::");
        let items = root.split(&module).skip(1);
        let items = items.filter_map(|rest| rest.split(';').next());
        let names = items.flat_map(|items| items.split(['{', '}', ',', ' ', '\n']));
        names.filter(|name| !name.is_empty()).any(|name| {
            ["fn ", "struct ", "enum "]
                .iter()
                .any(|kind| text.contains(&format!("\npub {kind}{name}")))
        })
    };
    sources.retain(|path| {
        let is_of =
            |module: &&PathBuf| path.starts_with(module) || path.with_extension("") == **module;
        let module = hidden.iter().find(is_of);
        module.is_none_or(|module| exported(module, &read(path)))
    });
    sources
}
