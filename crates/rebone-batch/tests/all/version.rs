//! Results and cards of another version of the program.

use crate::common::{Place, made, tree, turning};
use rebone_batch::RESULT_VERSION;
use std::fs;

#[test]
fn results_and_cards_of_another_version_are_made_again() {
    let place = Place::new();
    for (name, degrees) in [("a", 4.0), ("b", 8.0), ("sub/c", 12.0)] {
        place.write(&format!("lib/{name}.bvh"), &turning(degrees));
    }
    assert_eq!(made(&place.request()).len(), 3);
    let whole = tree(&place.path("out"));
    let card = fs::read_dir(place.path("out/cards")).unwrap().map(|entry| entry.unwrap().path());
    let card = card.filter(|path| path.extension().is_some_and(|end| end == "toml")).min().unwrap();
    let own = fs::read_to_string(&card).unwrap();
    let line = format!("# results of version {RESULT_VERSION}\n");
    assert!(own.ends_with(&line), "{own}");
    // A card of an older program, with a line of the user and another sole.
    let older = own.replace(&line, "# results of version 0\n");
    let older = format!("unit = \"cm\"\n{older}");
    let older = older.replace("learned", "guessed");
    fs::write(&card, &older).unwrap();
    assert_eq!(made(&place.request()).len(), 3);
    let renewed = fs::read_to_string(&card).unwrap();
    assert!(renewed.contains("unit = \"cm\"") && renewed.ends_with(&line), "{renewed}");
    assert!(!renewed.contains("guessed"), "{renewed}");
    // A card without a version is that of a person.
    fs::write(&card, own.replace(&line, "").replace("learned", "guessed")).unwrap();
    made(&place.request());
    let kept = fs::read_to_string(&card).unwrap();
    assert!(kept.contains("guessed"), "{kept}");
    fs::write(&card, own).unwrap();
    made(&place.request());
    assert_eq!(tree(&place.path("out")), whole);
}
