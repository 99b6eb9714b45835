//! Documentation names files and folders that exist.

use rebone_tests::{files, read, root};
use std::path::Path;

/// Folders that builds make: a fresh clone does not have them.
const BUILD_FOLDER: &str = "/target/";

/// Returns whether a text in backticks is a path of the repository, or one below the `src` of a crate: `roles/head.rs`.
fn is_path(word: &str) -> bool {
    let is_below_root =
        ["crates/", "tests/", "data/", "docs/"].iter().any(|folder| word.starts_with(folder));
    let is_source = word.contains('/') && word.ends_with(".rs");
    (is_below_root || is_source)
        && !word.contains([' ', '*', '{', '<', '…'])
        && !word.contains("NAME")
        && !word.contains(BUILD_FOLDER)
}

#[test]
fn paths_in_documents_exist() {
    let mut sources: Vec<_> = files("crates", &["Cargo.toml"]);
    sources.iter_mut().for_each(|path| *path = path.with_file_name("src"));
    let exists = |word: &str| {
        root().join(word).exists() || sources.iter().any(|source| source.join(word).exists())
    };
    let mut pages = files("docs", &[".md"]);
    pages.push(root().join("CONTRIBUTING.md"));
    let mut missing = Vec::new();
    for page in pages {
        let text = read(&page);
        for word in text.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            if !exists(word) {
                let page = page.file_name().map(Path::new).unwrap_or(&page);
                missing.push(format!("{}: {word}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
