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

/// Runs each command that names a sample, or what an earlier command of the document wrote.
#[test]
fn the_commands_of_the_documents_run() {
    for name in
        ["README.md", "docs/cards.md", "docs/coming-from.md", "docs/guide.md", "docs/verdict.md"]
    {
        let place = place();
        let document = document(name);
        let is_run =
            |line: &&str| ["data/", "library/", "out/"].iter().any(|own| line.contains(own));
        let lines: Vec<&str> = commands(&document).into_iter().filter(is_run).collect();
        assert!(lines.len() > 1, "{name} shows no commands");
        if let Some(map) = blocks(&document, "tsv").first() {
            place.write("walk-nameless.tsv", map);
        }
        lines.iter().for_each(|line| place.run(line).succeeds());
    }
}

#[test]
fn each_tool_has_export_command_and_import() {
    let document = document("docs/coming-from.md");
    let sections: Vec<&str> = document.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), 6);
    for section in sections {
        let tool = section.lines().next().unwrap();
        let (before, after) = section.split_once("```sh").expect(tool);
        assert!(before.contains("\n1. "), "{tool}: export");
        assert!(after.contains("\n2. ") || after.contains("\n3. "), "{tool}: import");
        let names_file = ["glb", "FBX", "glTF"].iter().any(|own| before.contains(own));
        assert!(names_file, "{tool}: format of the rig");
        assert!(!commands(section).is_empty(), "{tool}: command");
    }
}

/// Compares each transcript with what the program prints; a last line `…` stands for the rest.
#[test]
fn the_transcripts_of_the_documents_are_what_is_printed() {
    let place = place();
    let mut count = 0;
    for name in ["README.md", "docs/guide.md", "docs/cluster.md"] {
        let document = document(name);
        for block in blocks(&document, "text") {
            let Some((command, expected)) =
                block.strip_prefix("$ rebone ").and_then(|text| text.split_once('\n'))
            else {
                continue;
            };
            let run = place.run(command);
            run.succeeds();
            match expected.strip_suffix("…\n") {
                Some(begin) => assert!(run.stdout.starts_with(begin), "{name}: {}", run.stdout),
                None => assert_eq!(run.stdout, expected, "{name}"),
            }
            count += 1;
        }
    }
    assert_eq!(count, 7, "transcripts in README, guide and cluster");
}

#[test]
fn the_maps_of_the_documents_fit_their_files() {
    let place = place();
    let files = "data/clips/walk.bvh data/rigs/nameless.bvh";
    for name in ["docs/guide.md", "docs/cards.md"] {
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

#[cfg(feature = "fbx")]
#[test]
#[allow(clippy::print_stderr)]
fn a_result_of_an_fbx_tells_that_its_mesh_is_not_written() {
    let place = Place::new();
    place.write("arm.fbx", include_str!("../../../../tests/fuzz/seeds/fbx/arm.fbx"));
    let bare = place.run("retarget walk.bvh arm.fbx -o arm.glb --accept-guesses");
    bare.succeeds();
    assert!(!bare.stderr.contains("meshes of FBX"), "it has none: {}", bare.stderr);
    let Some(corpus) = std::env::var_os("REBONE_CORPUS") else {
        eprintln!("skipped: REBONE_CORPUS names no folder of rigs");
        return;
    };
    let rig = std::path::Path::new(&corpus).join("rigs/fbx/Geno_bind.fbx");
    std::fs::copy(rig, place.path("geno.fbx")).expect("a rig of the corpus");
    for (name, tells) in [("geno.glb", true), ("geno.bvh", false)] {
        let run = place.run(&format!("retarget walk.bvh geno.fbx -o {name}"));
        run.succeeds();
        assert_eq!(run.stderr.contains("meshes of FBX are not"), tells, "{name}: {}", run.stderr);
    }
}
