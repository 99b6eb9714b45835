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

/// Size and number of frames of a GIF.
fn gif(path: &std::path::Path) -> ([u16; 2], usize) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";") && bytes.len() < 3_000_000);
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    // A graphic control extension is before each frame.
    let frames = bytes.windows(3).filter(|own| own == b"\x21\xF9\x04").count();
    ([number(6), number(8)], frames)
}

#[test]
fn pictures_named_gif_move() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o out.bvh --preview out.gif").succeeds();
    let ([width, height], frames) = gif(&place.path("out.gif"));
    assert!(width > 200 && height > 200 && frames > 1, "{width} {height} {frames}");
    place.run("preview walk.bvh hero.bvh walk.bvh hero.bvh out.bvh -o five.GIF").succeeds();
    assert!(gif(&place.path("five.GIF")).0[0] > width);
    place.run("preview walk.bvh -o a.gif --columns 3").fails(2, &["--columns has no effect"]);
    place.run("inspect hero.bvh --preview a.gif").fails(2, &["name it a.png"]);
    place.run("preview walk.bvh -o out.bvh").fails(2, &["name it out.png"]);
    std::fs::write(place.path("mine.gif"), "a letter").unwrap();
    place.run("preview walk.bvh -o mine.gif").fails(2, &["mine.gif"]);
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
    let warning = "drawn is \"walk\" of 2 clips, the last is \"again\"";
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

#[test]
fn a_file_without_a_motion_is_refused() {
    let place = Place::new();
    let person = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/characters/person.glb");
    std::fs::copy(person, place.path("person.glb")).unwrap();
    for name in ["alone.gif", "alone.png"] {
        let run = place.run(&format!("preview person.glb -o {name}"));
        run.fails(1, &["person.glb: found no motion", "inspect --preview"]);
        assert!(!place.path(name).exists());
    }
}
