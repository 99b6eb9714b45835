//! The report names each limit that bound, and no other.

use rebone::card::Card;
use rebone::skeleton::Motion;
use rebone::{Anatomy, ClipInput, Hints, Options, Report, align, analyse, retarget_clip};
use rebone_samples::{rigs, walk};

/// How the walk goes onto a rig with the limits of a card.
fn report(rig: &Motion, limits: &str) -> Report {
    let card = Card::parse(&format!("[limits]\n{limits}")).unwrap();
    let known = |motion: &Motion, card: Option<Card>| -> Anatomy {
        analyse(motion, &Hints { card, ..Hints::default() }).unwrap()
    };
    let walk = walk().motion;
    let plan = align(&known(&walk, None), &known(rig, Some(card)), &Options::default());
    retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap().1
}

fn rig(name: &str) -> Motion {
    rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

#[test]
fn a_stiff_knee_is_named_with_its_end_its_frames_and_its_cost() {
    let chest_root = rig("chest-root");
    let report = report(&chest_root, "leftLowerLeg = { swing_x = [-12, 30] }\n");
    // Its other angles would help, and bind as well.
    assert!(report.limits.iter().all(|limit| limit.joint == "leftLowerLeg"), "{:?}", report.limits);
    let knee = &report.limits[0];
    assert_eq!((knee.joint.as_str(), knee.role.as_deref()), ("leftLowerLeg", Some("leftLowerLeg")));
    assert_eq!(
        (knee.angle.as_str(), knee.variable.as_str(), knee.end),
        ("bend", "swing_x", "upper")
    );
    assert!((knee.range[0] + 12.0).abs() < 1e-9 && (knee.range[1] - 30.0).abs() < 1e-9);
    assert!((knee.at - 30.0).abs() < 1e-9, "{knee:?}");
    assert!(knee.frames > 10 && knee.frames < report.frames, "{knee:?}");
    assert!((knee.seconds - knee.frames as f64 / 60.0).abs() < 1e-3, "{knee:?}");
    assert!(knee.first_frame <= knee.worst_frame);
    assert!(knee.overshoot > 10.0 && knee.overshoot < 60.0, "{knee:?}");
    // The knee alone is to blame: it costs nearly all that the leg is off.
    let leg = report.stages.iter().find(|stage| stage.stage == "left leg").unwrap();
    assert!(knee.worst > 0.02 && knee.worst < leg.worst + 1e-12, "{knee:?}, {leg:?}");
    let shin = leg.goals.iter().find(|goal| goal.goal == "lower bone" && goal.unit == "deg");
    assert!(shin.unwrap().worst > 10.0, "{leg:?}");
    let right = report.stages.iter().find(|stage| stage.stage == "right leg").unwrap();
    assert!(right.goals.iter().all(|goal| goal.worst < 1e-6), "{right:?}");
}

#[test]
fn a_joint_in_closed_form_is_named_by_the_angle_it_lost() {
    let chest_root = rig("chest-root");
    let report = report(&chest_root, "leftFoot = { swing_x = [-1, 1] }\n");
    assert!(!report.limits.is_empty() && report.limits.len() <= 2, "{:?}", report.limits);
    for foot in &report.limits {
        assert_eq!((foot.joint.as_str(), foot.angle.as_str()), ("leftFoot", "bend"));
        assert!((foot.worst - 0.1 * foot.overshoot.to_radians()).abs() < 1e-12, "{foot:?}");
        assert!((foot.at.abs() - 1.0).abs() < 1e-6, "{foot:?}");
    }
}
