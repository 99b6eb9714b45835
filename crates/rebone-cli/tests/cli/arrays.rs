//! Results as arrays: files that NumPy reads. `tests/npz_check.py` reads them with it.

use crate::support::Place;

/// Names of the members of an archive, by their heads.
fn members(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let number = |from: usize| usize::from(u16::from_le_bytes([bytes[from], bytes[from + 1]]));
        let (size, name) = (number(at + 18) | number(at + 20) << 16, number(at + 26));
        names.push(String::from_utf8(bytes[at + 30..at + 30 + name].to_vec()).unwrap());
        at += 30 + name + size;
    }
    assert!(bytes[at..].starts_with(b"PK\x01\x02"), "the directory follows");
    names
}

#[test]
fn a_retarget_writes_arrays_over_arrays_alone() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o out.npz").succeeds();
    let bytes = std::fs::read(place.path("out.npz")).unwrap();
    let names = members(&bytes);
    for name in ["rotations", "positions", "contacts", "names", "parents", "fps", "verdict"] {
        assert!(names.contains(&format!("{name}.npy")), "{name} in {names:?}");
    }
    place.run("retarget walk.bvh hero.bvh -o out.npz").succeeds();
    assert_eq!(std::fs::read(place.path("out.npz")).unwrap(), bytes, "the same bytes");
    place.write("mine.npz", &place.read("walk.bvh"));
    let refused = place.run("retarget walk.bvh hero.bvh -o mine.npz");
    refused.fails(2, &["a BVH motion file", "--overwrite"]);
    place
        .run("retarget walk.bvh hero.bvh -o out.npz --decimals 3")
        .fails(2, &["--decimals has no effect"]);
    place
        .run("retarget walk.bvh hero.bvh -o out.npz --tolerance 0.1,1")
        .fails(2, &["--tolerance has no effect"]);
    place.run("card hero.bvh --write-pose pose.npz").fails(2, &["a pose is no .npz"]);
}

#[test]
fn a_batch_of_arrays_is_up_to_date_and_makes_damaged_ones_again() {
    let place = Place::new();
    let line = "batch walk.bvh -t hero.bvh -o out --format npz --accept-guesses";
    place.run(line).succeeds();
    let path = place.path("out/walk.npz");
    let bytes = std::fs::read(&path).unwrap();
    let again = place.run(line);
    assert!(again.stdout.contains("0 made, 1 up to date"), "{}", again.stdout);
    std::fs::write(&path, &bytes[..100]).unwrap();
    assert!(place.run(line).stdout.contains("1 made"));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let run = place.run("report out -o page.html");
    run.succeeds();
    assert!(run.stdout.contains("1 PASS, 0 NONE"), "{}", run.stdout);
    assert!(place.read("page.html").contains("Arrays are not read back"));
    place.run(&format!("{line} --one-file")).fails(2, &["cannot be used with"]);
}
