//! Contact sheets of `rebone preview`.

use crate::support::{Place, is_png};

#[test]
fn preview_draws_also_what_is_no_humanoid() {
    let place = Place::new();
    place.run("preview walk.bvh hero.bvh -o both.png --columns 3").succeeds();
    assert!(is_png(&place.path("both.png")));
    let chain = place.read("walk.bvh").replace("Leg", "Fin").replace("Foot", "Tail");
    place.write("fish.bvh", &chain);
    let run = place.run("preview fish.bvh -o fish.png");
    run.succeeds();
    assert!(is_png(&place.path("fish.png")));
}

#[test]
fn a_picture_shows_the_clip_that_is_named_or_numbered() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o rig.glb").succeeds();
    place.run("retarget walk.bvh rig.glb -o both.glb --animation again").succeeds();
    let picture = |clip: &str| {
        place.run(&format!("preview both.glb -o out.png {clip}")).succeeds();
        std::fs::read(place.path("out.png")).unwrap()
    };
    let again = picture("--clip again");
    assert!(again == picture("--clip #1"));
    let warning = "drawn is \"walk\", the first of 2 clips, the last is \"again\"";
    assert!(place.run("preview both.glb -o out.png").stderr.contains(warning));
    assert!(!place.run("preview both.glb -o out.png --clip walk").stderr.contains("drawn is"));
    // The header names the clip.
    assert!(again != picture("") && picture("") == picture("--clip walk"));
    for line in ["preview both.glb -o out.png --clip run", "preview rig.glb -o out.png --clip run"]
    {
        place.run(line).fails(1, &["no clip \"run\""]);
    }
    place.run("preview both.glb walk.bvh -o out.png --clip again").succeeds();
}

#[test]
fn a_result_beside_its_source_shows_the_clip_of_the_sources_name() {
    let place = Place::new();
    place.write("again.bvh", &place.read("walk.bvh"));
    place.run("retarget walk.bvh hero.bvh -o rig.glb").succeeds();
    place.run("retarget again.bvh rig.glb -o both.glb").succeeds();
    let picture = |line: &str| {
        let run = place.run(&format!("preview {line} -o out.png"));
        run.succeeds();
        (std::fs::read(place.path("out.png")).unwrap(), run.stderr.contains("drawn is"))
    };
    let (chosen, warns) = picture("again.bvh both.glb");
    assert!(!warns && chosen == picture("again.bvh both.glb --clip again").0);
    place.write("other.bvh", &place.read("walk.bvh"));
    assert!(picture("other.bvh both.glb").1);
}
