//! Self-contact of bodies with skins: tubes around the bones of a sample, thin and broad.

mod bodies;
mod depths;
mod live;
mod moved_hand;
mod stated_surfaces;

use bodies::{HAND, THIGH, body, hand_to_thigh, largest_difference, limited, result, skin, tube};
use rebone::body::{Anatomy, Side};
use rebone::card::Card;
use rebone::skeleton::{Clip, JointId};
use rebone::{
    BodyPart, ClipInput, Contact, Hints, JointRangeUse, KeptContact, LimitMode, Method, Options,
    align, analyse, retarget_clip,
};
use rebone_samples as samples;
use std::ops::Range;

#[test]
fn bodies_with_the_same_surface_keep_the_pose() {
    let [source, target] = ["", "other:"].map(|prefix| body(prefix, 1.0));
    let [on, off] = [false, true].map(|off| result(&source, &target, off));
    let found = largest_difference(&on, &off);
    assert!(found < 1e-6, "{found}");
}

#[test]
fn hands_pass_outside_thick_thighs() {
    let (source, broad) = (body("", 1.0), body("other:", 2.2));
    let [on, off] = [false, true].map(|off| hand_to_thigh(&broad, &result(&source, &broad, off)));
    assert!(off < 2.2 * THIGH + HAND, "{off}: the walk's hands are no test");
    assert!(on > 2.2 * THIGH + HAND - 0.01, "{on}, without self-contact {off}");
}

#[test]
fn one_skeleton_with_another_skin_is_another_body() {
    let [source, copy, broad] = [1.0, 1.0, 2.2].map(|girth| body("", girth));
    let [on, off] = [false, true].map(|off| hand_to_thigh(&broad, &result(&source, &broad, off)));
    assert!(off < 2.2 * THIGH + HAND, "{off}: the walk's hands are no test");
    assert!(on > 2.2 * THIGH + HAND - 0.01, "{on}, without self-contact {off}");
    let walk = samples::walk().motion;
    let bare = analyse(&walk, &Hints::default()).expect("the walk is a body");
    for (source, target) in [(&source, &copy), (&bare, &broad)] {
        let [on, off] = [false, true].map(|off| result(source, target, off));
        assert_eq!(on, off, "the same skin, or no skin that is known to be another");
    }
}

/// The largest angle by which the arms of a part of a clip differ from those of the whole clip, degrees; the first `left_out`
/// frames of the part do not count.
fn difference_of_cut(
    [source, target]: [&Anatomy; 2],
    clip: &Clip,
    frames: Range<usize>,
    left_out: usize,
) -> f64 {
    let plan = align(source, target, &Options::default());
    let cut = clip.poses().take(frames.end).skip(frames.start).collect::<Vec<_>>();
    let cut =
        Clip::from_poses(&source.skeleton, clip.frame_time, cut).expect("poses of the source");
    let [whole, cut] = [clip, &cut]
        .map(|clip| retarget_clip(&plan, &ClipInput::new(&plan.source, clip)).expect("a clip").0);
    let arms = target.body.arms.iter().flat_map(|arm| [arm.upper, arm.lower]);
    let arms: Vec<usize> = arms.map(JointId::index).collect();
    let mut largest = 0.0_f64;
    for (a, b) in whole.poses().skip(frames.start).zip(cut.poses()).skip(left_out) {
        let angle = |&k: &usize| a.rotations[k].angle_to(&b.rotations[k]);
        largest = arms.iter().map(angle).fold(largest, f64::max);
    }
    largest.to_degrees()
}

#[test]
fn a_cut_changes_arms_beside_it_only() {
    let bodies = [body("", 1.0), body("other:", 2.2)];
    let walk = samples::walk().motion.clip;
    let margin = (0.5 / walk.frame_time) as usize;
    let largest = difference_of_cut(bodies.each_ref(), &walk, 20..walk.len(), margin);
    assert!(largest < 1.0, "{largest}");
}

#[test]
fn arms_of_a_few_frames_are_those_of_the_whole_clip() {
    let bodies = [body("", 1.0), body("other:", 2.2)];
    let clip = still(&bodies[0], 0);
    for count in [1, 2, 3, 4, 6, 8, 15, 16] {
        let largest = difference_of_cut(bodies.each_ref(), &clip, 30..30 + count, 0);
        assert!(largest < 2.0, "{count} frames: {largest}");
    }
}

#[test]
fn a_body_without_a_skin_is_left_as_it_is() {
    let walk = samples::walk().motion;
    let bare = analyse(&walk, &Hints::default()).unwrap();
    let broad = body("other:", 2.2);
    let [on, off] = [false, true].map(|off| result(&bare, &broad, off));
    assert_eq!(on, off);
}

/// A clip in which the source of a walk stands still in a frame of it.
fn still(source: &Anatomy, frame: usize) -> Clip {
    let walk = samples::walk().motion.clip;
    let pose = walk.poses().nth(frame).expect("a frame of the walk");
    Clip::from_poses(&source.skeleton, walk.frame_time, vec![pose; 60]).expect("poses of the walk")
}

/// Retargets a clip, with given contacts if there are any; returns the result and the contacts of the report.
fn with_contacts(
    [source, target]: [&Anatomy; 2],
    clip: &Clip,
    given: Option<&[Contact]>,
) -> (Clip, Vec<KeptContact>) {
    let plan = align(source, target, &Options::default());
    let input = ClipInput { contacts: given, ..ClipInput::new(source, clip) };
    let (result, report) = retarget_clip(&plan, &input).expect("the clip is the source's");
    (result, report.contacts.expect("a clip with contacts").contacts)
}

#[test]
fn hands_on_thighs_are_reported_and_contacts_that_are_taken_out_of_a_file_are_not_kept() {
    let (source, thin) = (body("", 2.2), body("other:", 1.0));
    let clip = still(&source, 0);
    let bodies = [&source, &thin];
    let (kept, found) = with_contacts(bodies, &clip, None);
    let on_thighs = found.iter().filter(|own| {
        matches!((own.contact.part, own.contact.on),
            (BodyPart::Hand(hand), Some(BodyPart::Thigh(side))) if hand == side)
    });
    let slacks: Vec<f64> = on_thighs.filter_map(|own| own.slack).collect();
    assert!(slacks.len() == 2 && slacks.iter().all(|slack| *slack < 0.03), "{found:?}");
    let all: Vec<Contact> = found.iter().map(|own| own.contact.clone()).collect();
    let text = rebone::contacts::write(&all);
    let all = rebone::contacts::parse(&text).expect("contacts as they were written");
    let same = with_contacts(bodies, &clip, Some(&all)).0;
    assert!(largest_difference(&same, &kept) < 1e-9);
    let is_right = |own: &Contact| own.part == BodyPart::Hand(Side::Right) && own.on.is_some();
    let left: Vec<Contact> = all.iter().filter(|own| !is_right(own)).cloned().collect();
    assert!(left.len() < all.len(), "{all:?}");
    let (without, _) = with_contacts(bodies, &clip, Some(&left));
    let bare = analyse(&samples::walk().motion, &Hints::default()).expect("the walk is a body");
    let plan = align(&source, &bare, &Options::default());
    let input = ClipInput { contacts: Some(&all), ..ClipInput::new(&source, &clip) };
    let warnings = retarget_clip(&plan, &input).expect("the clip is the source's").1.warnings;
    assert!(warnings.iter().any(|own| own.contains("self-contacts are not kept")), "{warnings:?}");
    let arm = |side: Side| thin.body.arms[side.index()].upper.index();
    let turned = |side| {
        let [a, b] = [&kept, &without].map(|clip| clip.poses().nth(30).expect("a frame"));
        a.rotations[arm(side)].angle_to(&b.rotations[arm(side)]).to_degrees()
    };
    assert!(turned(Side::Right) > 2.0, "{}", turned(Side::Right));
    assert!(turned(Side::Left) < 0.5, "{}", turned(Side::Left));
}

#[test]
fn a_mesh_that_does_not_fit_its_skeleton_is_told() {
    let [source, broad, shapeless] =
        [("", 1.0), ("other:", 2.2), ("other:", 6.0)].map(|(prefix, girth)| body(prefix, girth));
    let warnings = |target: &Anatomy| {
        let plan = align(&source, target, &Options::default());
        retarget_clip(&plan, &ClipInput::new(&plan.source, &samples::walk().motion.clip))
            .expect("the clip is the source's")
            .1
            .warnings
    };
    let told = |target: &Anatomy| warnings(target).into_iter().find(|own| own.contains("the mesh"));
    assert_eq!(told(&broad), None);
    let told = told(&shapeless).expect("a warning");
    assert!(told.starts_with("the mesh of the target does not fit its skeleton at "), "{told}");
    let own = shapeless.surface_summary().1;
    assert!(own[0].starts_with("the mesh does not fit its skeleton at "), "{own:?}");
}

#[test]
fn parts_of_a_mesh_that_are_left_out_are_told() {
    let motion = samples::walk().motion;
    let named = |count: usize| (0..count).map(|k| format!("mesh {k} is left out")).collect();
    for (count, expected) in [(0, 0), (3, 3), (4, 4), (900, 4)] {
        let hints = Hints { skin_left_out: named(count), ..Hints::default() };
        let warnings = analyse(&motion, &hints).expect("the walk is a body").warnings;
        assert_eq!(warnings.len(), expected, "{warnings:?}");
    }
}

/// A tube within the tube of a thigh, as a body below trousers, and a body whose feet have no skin.
#[test]
fn inner_layers_and_segments_without_skin_are_told() {
    let bare = body("", 1.0);
    let plain = bare.surface_summary().1;
    assert!(plain.iter().any(|own| own.starts_with("the left foot has no skin")), "{plain:?}");
    assert!(
        !plain.iter().any(|own| own.contains("inner") || own.contains("outermost")),
        "{plain:?}"
    );
    let leg = &bare.body.legs[0];
    let line = [leg.upper, leg.lower].map(|joint| bare.t_pose.positions[joint.index()]);
    let inner = tube(&bare, leg.upper, line, THIGH / 2.0);
    let skin = skin(&bare, 1.0).iter().copied().chain(inner).collect();
    let clothed = analyse(&samples::walk().motion, &Hints { skin, ..Hints::default() }).unwrap();
    let told = clothed.surface_summary().1;
    assert!(
        told.iter().any(|own| own.starts_with("50 % of the skin of the left thigh")),
        "{told:?}"
    );
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (source, broad) = (body("", 1.0), body("other:", 2.2));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| result(&source, &broad, false))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn turned_arms_stay_within_limits() {
    let (source, free) = (body("", 1.0), body("other:", 2.2));
    let mut card = Card::default();
    card.limits = Card::from_anatomy(&free, &card).unwrap().limit_examples;
    for limits in &mut card.limits {
        limits.value.iter_mut().for_each(|(_, range)| *range = range.map(|end| end / 6.0));
    }
    let broad = limited("other:", 2.2, card);
    let limits = LimitMode::Strict;
    let plan = align(&source, &broad, &Options { limits, ..Options::default() });
    let (clip, _) =
        retarget_clip(&plan, &ClipInput::new(&plan.source, &samples::walk().motion.clip)).unwrap();
    for arm in &broad.body.arms {
        for joint in [arm.upper, arm.lower].into_iter().chain(arm.hand) {
            for (frame, pose) in clip.poses().enumerate() {
                let rotation = &pose.rotations[joint.index()];
                let own = JointRangeUse::of(&broad, joint, rotation, limits);
                for own in own.iter() {
                    for (k, x) in own.values.iter().enumerate() {
                        let [low, high] = [own.lower[k] - 1e-6, own.upper[k] + 1e-6];
                        let name = &broad.skeleton[joint].name;
                        assert!(
                            *x > low && *x < high,
                            "{name}, frame {frame}: {x} in {low} to {high}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn published_methods_move_hands_out_of_thick_thighs() {
    let (source, broad) = (body("", 1.0), body("other:", 2.2));
    let [copied, mapped, weighed] =
        [Method::Copy, Method::Egocentric, Method::Energies].map(|method| {
            let plan = align(&source, &broad, &Options { method, ..Options::default() });
            let (clip, report) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &samples::walk().motion.clip))
                    .expect("the clip is the source's");
            assert!(!report.warnings.iter().any(|text| text.contains("no skin")));
            hand_to_thigh(&broad, &clip)
        });
    assert!(mapped > copied + 0.02, "{mapped}, with rotation copy {copied}");
    assert!(weighed > copied + 0.02, "{weighed}, with rotation copy {copied}");
}
