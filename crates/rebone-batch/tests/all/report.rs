//! Results that a report opens.

use crate::common::{Place, made, turning};
use rebone_batch::ManifestFiles;
use rebone_batch::manifest::read_lines;

#[test]
fn a_rig_is_read_once_for_all_results_of_a_manifest() {
    let place = Place::new();
    for (name, degrees) in [("a", 4.0), ("b", 8.0)] {
        place.write(&format!("lib/{name}.bvh"), &turning(degrees));
    }
    made(&place.request());
    let (lines, _) = read_lines(&place.path("out/manifest.jsonl")).unwrap();
    let files = ManifestFiles::new(place.path("out"));
    let [first, second] = [&lines[0], &lines[1]];
    let fresh = |line| ManifestFiles::new(place.path("out")).open(line).unwrap();
    let expected = fresh(second);
    files.open(first).unwrap();
    // Known by its hash, and not looked at any more.
    place.write("hero.bvh", "no rig");
    let pair = files.open(second).unwrap();
    let [own, expected] = [&pair, &expected].map(|pair| pair.characters[1].clip());
    assert_eq!(own, expected);
}
