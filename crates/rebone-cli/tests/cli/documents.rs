//! Promises of the documents beside their commands, which `tests/fences.py` runs.

use crate::support::Place;
use std::path::Path;

#[test]
fn each_tool_has_export_command_and_import() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coming-from.md");
    let document = std::fs::read_to_string(page).unwrap();
    let sections: Vec<&str> = document.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), 6);
    for section in sections {
        let tool = section.lines().next().unwrap();
        let (before, after) = section.split_once("```sh").expect(tool);
        assert!(before.contains("\n1. "), "{tool}: export");
        assert!(after.contains("\n2. ") || after.contains("\n3. "), "{tool}: import");
        let names_file = ["glb", "FBX", "glTF"].iter().any(|own| before.contains(own));
        assert!(names_file, "{tool}: format of the rig");
        assert!(after.contains("\nrebone "), "{tool}: command");
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
    let rig = Path::new(&corpus).join("rigs/fbx/Geno_bind.fbx");
    std::fs::copy(rig, place.path("geno.fbx")).expect("a rig of the corpus");
    for (name, tells) in [("geno.glb", true), ("geno.bvh", false)] {
        let run = place.run(&format!("retarget walk.bvh geno.fbx -o {name}"));
        run.succeeds();
        assert_eq!(run.stderr.contains("meshes of FBX are not"), tells, "{name}: {}", run.stderr);
    }
}
