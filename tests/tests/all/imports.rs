//! No circles of imports between the top modules of a crate, re-exports resolved.

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
