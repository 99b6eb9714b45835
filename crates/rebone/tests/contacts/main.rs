//! Contacts of the samples, which are known exactly: found on the source, kept on the rigs.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod measure;
mod variants;

use measure::Kept;
use rebone::contacts::Events;
use rebone::samples::{Sample, clips, rigs};
use rebone::{BodyPart, Contact, ContactKind, Keep, Options, Retargeted, retarget};
use variants::Variant;

/// The true contacts of a sample at another frame rate.
fn truth(sample: &Sample, frame_time: f64) -> Vec<Contact> {
    let rate = sample.motion.clip.frame_time / frame_time;
    let frame = |frame: usize| (frame as f64 * rate).round() as usize;
    let own = |own: &rebone::samples::Touching| Contact {
        part: own.part,
        kind: ContactKind::Plant,
        frames: frame(own.frames.start)..frame(own.frames.end),
        confidence: 1.0,
    };
    sample.touching.iter().map(own).collect()
}

fn found(result: &Retargeted) -> Vec<Contact> {
    let report = result.report.contacts.as_ref().unwrap();
    report.contacts.iter().map(|own| own.contact.clone()).collect()
}

const OTHERS: [BodyPart; 9] = {
    let [_, _, others @ ..] = BodyPart::ALL;
    others
};

#[test]
fn contacts_are_found_at_any_rate_on_any_floor() {
    let rig = rigs().swap_remove(0);
    for variant in Variant::ALL {
        let (mut feet, mut others) = (Events::default(), Events::default());
        for sample in clips() {
            let motion = variant.apply(&sample.motion);
            let result = retarget(&motion, &rig.motion, &Options::default()).unwrap();
            let time = motion.clip.frame_time;
            let (truth, found) = (truth(&sample, time), found(&result));
            for (all, parts) in [(&mut feet, &BodyPart::ALL[..2]), (&mut others, &OTHERS[..])] {
                let own = Events::new(&truth, &found, time, parts);
                all.both += own.both;
                all.alone += own.alone;
            }
        }
        let least = if variant == Variant::Noisy { [0.85, 0.85] } else { [0.95, 0.9] };
        let f1 = [feet.f1(), others.f1()];
        assert!(f1[0] >= least[0] && f1[1] >= least[1], "{variant:?}: {f1:?}");
    }
}

#[test]
fn feet_that_stand_stand_on_all_rigs() {
    for variant in [Variant::Itself, Variant::Tilted, Variant::Raised] {
        for sample in clips() {
            let motion = variant.apply(&sample.motion);
            for rig in rigs() {
                let result = retarget(&motion, &rig.motion, &Options::default()).unwrap();
                let kept = Kept::new(&result, &sample, &motion, variant);
                let fails = kept.slide > 0.002 || kept.depth > 0.001 || kept.jerk > 1.2;
                assert!(!fails, "{variant:?} {} {}: {kept:?}", sample.name, rig.name);
            }
        }
    }
}

#[test]
fn a_skeleton_onto_itself_stands_still() {
    for keep in [Keep::Soft, Keep::Feet, Keep::All] {
        for sample in clips() {
            let options = Options { contacts: keep, ..Options::default() };
            let result = retarget(&sample.motion, &sample.motion, &options).unwrap();
            let off = measure::distance(&result.clip, &sample.motion);
            assert!(off < 1e-6, "{keep:?} {}: {off}", sample.name);
        }
    }
}
