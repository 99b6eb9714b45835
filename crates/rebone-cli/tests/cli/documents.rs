//! What the documents show is what happens: each command in them runs, each card fits.

use crate::support::Place;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// A folder that holds the samples as `data`.
fn place() -> Place {
    let place = Place::new();
    for kind in ["clips", "rigs"] {
        let folder = place.path("data").join(kind);
        std::fs::create_dir_all(&folder).unwrap();
        for entry in std::fs::read_dir(root().join("data").join(kind)).unwrap() {
            let file = entry.unwrap();
            std::fs::copy(file.path(), folder.join(file.file_name())).unwrap();
        }
    }
    place
}

/// The lines that call the program: in a block, behind a prompt or indented.
fn commands(document: &str) -> Vec<&str> {
    let lines = document.lines().map(|line| line.trim_start().trim_start_matches("$ "));
    lines.filter_map(|line| line.strip_prefix("rebone ")).collect()
}

/// The blocks of a language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    document.split(&start).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_commands_of_the_documents_run() {
    let place = place();
    for name in ["README.md", "docs/cards.md"] {
        let document = document(name);
        let lines: Vec<&str> =
            commands(&document).into_iter().filter(|line| line.contains("data/")).collect();
        assert!(lines.len() > 1, "{name} shows no commands");
        let map = blocks(&document, "tsv")[0];
        place.write("walk-nameless.tsv", map);
        lines.iter().for_each(|line| place.run(line).succeeds());
    }
}

#[test]
fn the_maps_of_the_documents_fit_their_files() {
    let place = place();
    let files = "data/clips/walk.bvh data/rigs/nameless.bvh";
    for name in ["README.md", "docs/cards.md"] {
        let document = document(name);
        let maps = blocks(&document, "tsv").into_iter().chain(blocks(&document, "json"));
        for map in maps {
            place.write("map", map);
            let run = place.run(&format!("inspect {files} --map map -v"));
            run.succeeds();
            assert_eq!(run.stderr, "", "{map}");
            assert!(run.stdout.contains("paired with LeftArm"), "{}", run.stdout);
        }
    }
}

#[test]
fn the_cards_of_the_documents_fit_their_rig() {
    let place = place();
    for card in blocks(&document("docs/cards.md"), "toml") {
        place.write("hero.toml", card);
        place.run("inspect data/rigs/ground-root.bvh --card hero.toml").succeeds();
    }
}
