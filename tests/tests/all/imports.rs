//! No circles of imports between the top modules of a crate, nor between its files; re-exports resolved.

use rebone_tests::imports::{Imports, sources};
use rebone_tests::{files, read};

/// Crates without circles of imports: all of them.
const HELD: &[&str] = &[
    "rebone",
    "rebone-batch",
    "rebone-body",
    "rebone-cli",
    "rebone-ik",
    "rebone-python",
    "rebone-samples",
    "rebone-skeleton",
    "rebone-studio",
    "rebone-view",
    "rebone-web",
];

fn imports(name: &str) -> Imports {
    Imports::of(&sources(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn no_import_leads_back() {
    for name in HELD {
        let imports = imports(name);
        if let Some(circle) = imports.circle() {
            panic!("{name} has a circle of imports: {}", imports.describe(&circle));
        }
    }
}

/// Prints the number of imports between top modules of each crate, and a circle where there is one.
#[test]
#[allow(clippy::print_stdout)]
fn all_crates_are_read() {
    for manifest in files("crates", &["Cargo.toml"]) {
        let manifest: toml_edit::DocumentMut = read(manifest).parse().expect("cargo has read it");
        let name = manifest["package"]["name"].as_str().expect("a name is a text");
        let imports = imports(name);
        println!("{name}: {} arrows", imports.0.len());
        if let Some(circle) = imports.circle() {
            println!("  circle {}", imports.describe(&circle).replace('\n', "\n  "));
        }
        let has_modules = sources(name).len() > 1;
        assert!(has_modules != imports.0.is_empty(), "{name}: no imports were found");
    }
}

/// Files of a folder may import from its `mod.rs`, which declares them: such pairs are no circle.
#[test]
fn no_import_between_files_leads_back() {
    let mut circles = Vec::new();
    for name in HELD {
        let files = Imports::of_files(&sources(name));
        let mut imports = files.unwrap_or_else(|error| panic!("{name}: {error}"));
        imports.0.retain(|(from, to), _| !is_below(from, to) && !is_below(to, from));
        while let Some(circle) = imports.circle() {
            circles.push(format!("{name}: {}", imports.describe(&circle)));
            imports.0.remove(&(circle[0].clone(), circle[1].clone()));
        }
    }
    assert!(circles.is_empty(), "{} circles\n{}", circles.len(), circles.join("\n"));
}

/// Whether a file is in the folder of another.
fn is_below(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
