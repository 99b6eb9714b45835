//! Surfaces that a card states.

use crate::self_contact::bodies::{
    HAND, THIGH, body, hand_to_thigh, largest_difference, limited, renamed, result, surface_card,
};
use rebone::Hints;

#[test]
fn hands_pass_outside_thighs_that_a_card_says_are_thick() {
    let source = body("", 1.0);
    let broad = limited("other:", 1.0, surface_card("thigh = 2.2"));
    let [on, off] = [false, true].map(|off| hand_to_thigh(&broad, &result(&source, &broad, off)));
    assert!(off < 2.2 * THIGH + HAND, "{off}: the walk's hands are no test");
    assert!(on > 2.2 * THIGH + HAND - 0.01, "{on}, without self-contact {off}");
}

#[test]
fn hands_do_not_pass_outside_skirts_that_a_card_names() {
    let source = body("", 1.0);
    let [skirt, named] = ["", "thigh = \"default\"\npelvis = \"default\""]
        .map(|text| limited("other:", 2.2, surface_card(text)))
        .map(|body| hand_to_thigh(&body, &result(&source, &body, false)));
    assert!(named < skirt - 0.02, "{named}, without a card {skirt}");
}

#[test]
fn a_card_that_states_a_girth_counts_without_a_mesh() {
    let bare = renamed("", Hints::default());
    let of = |text: &str| {
        renamed("other:", Hints { card: Some(surface_card(text)), ..Hints::default() })
    };
    let plain = result(&bare, &of(""), false);
    let broad = of("thigh = 1.8");
    let [off, on] = [&plain, &result(&bare, &broad, false)].map(|clip| hand_to_thigh(&broad, clip));
    assert!(on > off + 0.02, "{on}, without a card {off}");
    // A narrow body leaves arms as they are: of a source without a mesh nothing is known but what the card says.
    let narrow = result(&bare, &of("chest = 0.5\nforearm = 0.5"), false);
    assert!(largest_difference(&plain, &narrow) < 1e-6);
    let stated = result(&bare, &of("thigh = \"default\""), false);
    assert!(largest_difference(&plain, &stated) < 1e-12);
}
