//! Characters, jobs and comparisons with numbers that no file holds.

use rebone::export::{self, RotationTable, write_calibration_pose};
use rebone::quality::Metric;
use rebone::skeleton::{Clip, Format};
use rebone::{BodyPart, Contact, ContactKind, Options, Pair, contacts};
use std::path::Path;

#[test]
fn characters_take_what_they_have() {
    let [walk, rig] = ["clips/walk.bvh", "rigs/seven-spine.bvh"].map(|name| {
        let path = format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"));
        rebone::open(path).unwrap()
    });
    let anatomy = rig.analyse().unwrap();
    let walking = walk.analyse().unwrap();
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
        assert!(walk.clone().resample(&walking, rate).is_err() || rate == 1e-300, "{rate}");
        assert!(walk.clone().resample(&anatomy, 30.0).is_err(), "an anatomy of another skeleton");
    }
    #[allow(clippy::reversed_empty_ranges)]
    for range in [7..3, usize::MAX..0, usize::MAX..usize::MAX] {
        let mut own = walk.clone();
        own.keep_frames(range);
        assert!(own.clip().is_empty() && own.check_clip().is_err());
        assert!(rebone::retarget(&own, &rig, &Options::default()).is_err());
    }
    walk.clone().turn_feet_back(&anatomy);
    assert!(walk.clone().cut((usize::MAX, None)).is_err());
    assert!(walk.clone().cut((0, Some(usize::MAX))).unwrap().is_some());
    let swapped = Pair::of([walk.clone(), rig.clone()], [anatomy.clone(), walking.clone()]);
    assert!(swapped.job(&Options::default()).is_err());
    assert!(swapped.with_source(rig.clone()).job(&Options::default()).is_err());
    let _ = (swapped.plan(&Options::default()), swapped.check_confidence());
    let options = Options { fps: Some(f64::NAN), ..Options::default() };
    assert!(rebone::retarget(&walk, &rig, &options).is_err());
    assert!(swapped.compare(&walk, (0, None), None).is_err());
    let map = (Path::new("map"), "\u{0}\t\n");
    assert!(Pair::new([walk.clone(), rig.clone()], Some(map)).is_err());
    let pair = Pair::new([walk.clone(), rig.clone()], None).unwrap();
    let mut job = pair.job(&Options::default()).unwrap();
    #[allow(clippy::reversed_empty_ranges)]
    let contacts = [0..usize::MAX, usize::MAX..0].map(|frames| Contact {
        on: None,
        part: BodyPart::Seat,
        kind: ContactKind::Plant,
        frames,
        confidence: -1.0,
    });
    assert!(job.set_contacts(&contacts::write(&contacts), Path::new("")).is_err());
    let far =
        r#"{"contacts": [{"part": "seat", "kind": "plant", "frames": [4000000000, 4000000001]}]}"#;
    job.set_contacts(far, Path::new("")).unwrap();
    let (_, report) = job.run(None).unwrap();
    assert!(job.memory(Format::Glb) > job.memory(Format::Bvh));
    assert!(job.contacts_of_file(&report).len() <= 2);
    for format in [Format::Bvh, Format::Npz] {
        assert!(job.write_clip(format, walk.clip(), &report, &mut Vec::new()).is_err());
    }
    let mut hostile = report.clone();
    for kept in hostile.contacts.iter_mut().flat_map(|own| &mut own.contacts) {
        kept.contact.frames = 2..usize::MAX;
    }
    if let Some(verdict) = &mut hostile.verdict {
        verdict.score = f64::NAN;
        verdict.metrics.extend(
            [f64::NAN, f64::INFINITY]
                .map(|value| Metric::of("contact_mismatch", value))
                .into_iter()
                .flatten(),
        );
    }
    let skeleton = &job.plan().target.skeleton;
    let clip = Clip::from_poses(skeleton, 1.0, vec![skeleton.rest_pose(); 3]).unwrap();
    assert!(job.write_clip(Format::Npz, &clip, &hostile, &mut Vec::new()).is_ok());
    for character in [&walk, &rig] {
        let _ = write_calibration_pose(character, &anatomy, Format::Bvh, &mut Vec::new());
        let _ = write_calibration_pose(character, &walking, Format::Glb, &mut Vec::new());
        let _ = export::document(character, &anatomy);
        let _ = rebone::document_with_root(character, &anatomy);
        assert!(RotationTable::of_files([character, character], job.plan()).is_none());
    }
}
