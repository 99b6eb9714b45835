//! Clips and poses of other skeletons, and numbers of columns that no picture has: errors that name what was expected.

use nalgebra::Quaternion;
use rebone::quality::evaluate;
use rebone::skeleton::{Clip, Motion};
use rebone::{ClipInput, Hints, Options, Plan, Report, align, analyse, retarget_clip};
use rebone_samples as samples;
use rebone_view::{
    Ink, MotionView, PageMesh, RetargetSheet, SheetNames, SheetOptions, SheetSubject, ShownFrame,
    animation, calibration_poses_sheet, calibration_sheet, compare, comparison_sheet,
    contact_sheet, motion_figure, surface_sheet,
};

fn walk() -> Motion {
    let mut motion = samples::walk().motion;
    motion.clip.keep(0..40).expect("values of the test fit");
    motion
}

fn rig() -> Motion {
    samples::rigs().remove(0).motion
}

fn plan() -> Plan {
    let [source, target] = [walk(), rig()]
        .map(|motion| analyse(&motion, &Hints::default()).expect("values of the test fit"));
    align(&source, &target, &Options::default())
}

/// Clips that are no motions of the walk's skeleton.
fn hostile() -> Vec<Clip> {
    let mut nan = walk().clip;
    nan.edit(|_, pose| {
        let turn = Quaternion::new(f64::NAN, 0.0, 0.0, 0.0);
        pose.rotations[0] = nalgebra::UnitQuaternion::new_unchecked(turn);
    })
    .expect("values of the test fit");
    let mut still = walk().clip;
    still.frame_time = 0.0;
    vec![rig().clip, nan, still]
}

#[test]
fn clips_of_another_skeleton_are_not_drawn() {
    let (walk, rig, plan) = (walk(), rig(), plan());
    let result = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap().0;
    let evaluation = evaluate(&plan, &walk.clip, &result).unwrap();
    let (shown, none) = (ShownFrame::spread(40, 0.1, 4), PageMesh::none("none"));
    for clip in &hostile() {
        let subject = SheetSubject { name: "", clip, skin: None };
        let well = SheetSubject { name: "", clip: &rig.clip, skin: None };
        assert!(calibration_sheet(&subject, &plan.source, String::new()).is_err());
        assert!(surface_sheet(&subject, &plan.source, String::new()).is_err());
        assert!(comparison_sheet(&[subject, well], &plan).is_err());
        assert!(calibration_poses_sheet(&[subject, well], &plan).is_err());
        assert!(compare(&plan, &evaluation, [clip, &result], [&none, &none]).is_err());
        let motion = Motion { clip: clip.clone(), skeleton: walk.skeleton.clone() };
        for anatomy in [None, Some(&plan.source)] {
            let view = MotionView { label: "", motion: &motion, anatomy, skin: None };
            assert!(motion_figure(&view, &shown, Ink::ORANGE).is_err());
        }
    }
    let mut short = result.clone();
    short.keep(0..12).unwrap();
    assert!(compare(&plan, &evaluation, [&walk.clip, &short], [&none, &none]).is_err());
    let view = MotionView { label: "", motion: &walk, anatomy: Some(&plan.target), skin: None };
    assert!(motion_figure(&view, &shown, Ink::ORANGE).is_err());
}

#[test]
fn sheets_take_any_number_of_frames() {
    let (walk, rig, plan) = (walk(), rig(), plan());
    let times = [f64::NAN, 0.0, 1e-300];
    for (frames, columns) in [(0, 0), (1, usize::MAX), (usize::MAX, 3), (usize::MAX, usize::MAX)] {
        for time in times {
            let shown = ShownFrame::spread(frames, time, columns);
            assert!(shown.len() <= 255);
            for frame in &shown {
                assert!(frame.frame_of(frames, time) <= frames.saturating_sub(1));
            }
        }
    }
    let many = [ShownFrame { frame: 0, seconds: 0.0 }; 256];
    let options = SheetOptions { title: String::new(), first_frame: 0 };
    assert!(contact_sheet(&[], &many, &options).is_err());
    assert!(contact_sheet(&[], &many[..2], &options).is_ok());
    for frames in [0, 3, usize::MAX] {
        let names = SheetNames { source: "", target: "", result: "" };
        let mut sheet = RetargetSheet::new(&plan, frames, f64::NAN);
        assert!(sheet.add(&walk.skeleton.rest_pose()).is_err());
        sheet.add(&rig.skeleton.rest_pose()).unwrap();
        sheet.follow_floor(&Report::default());
        assert!(sheet.draw(&walk.clip, [usize::MAX, usize::MAX], names).is_ok());
        let sheet = RetargetSheet::new(&plan, frames, 0.1);
        assert!(sheet.draw(&rig.clip, [0, 0], names).is_err(), "{frames}");
        let empty = std::sync::Arc::default();
        for time in times.into_iter().take(if frames == 3 { 3 } else { 0 }) {
            let mut sheet = RetargetSheet::moving(&plan, frames, time).with_skins([&empty, &empty]);
            sheet.add(&rig.skeleton.rest_pose()).unwrap();
            assert!(sheet.animate(&walk.clip, usize::MAX, names).is_ok());
            assert!(ShownFrame::moving(frames, time).len() <= 400);
        }
        let sheet = RetargetSheet::moving(&plan, frames, 0.1);
        assert!(sheet.animate(&rig.clip, 0, names).is_err(), "{frames}");
    }
    assert!(animation(&[], &[many[0]; 401]).is_err());
    for seconds in times.into_iter().chain([-1.0, f64::INFINITY]) {
        assert!(animation(&[], &[ShownFrame { frame: usize::MAX, seconds }; 3]).is_ok());
    }
}

#[test]
fn pages_take_meshes_of_any_skeleton_and_pose() {
    let skeleton = walk().skeleton;
    let mut odd = rig().skeleton.rest_pose();
    odd.translations[0].x = f64::NAN;
    let mesh = rebone::skeleton::SkinMesh::default();
    for bind in [None, Some(&odd)] {
        assert!(PageMesh::new(&skeleton, &mesh, bind).reason().is_some());
    }
    let bytes =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/characters/toy.glb"));
    let toy = rebone::skeleton::Document::parse("toy.glb", bytes.unwrap(), None).unwrap();
    let mesh = toy.skin_mesh();
    assert_eq!(PageMesh::new(toy.skeleton(), &mesh, None).reason(), None);
    assert!(
        PageMesh::new(toy.skeleton(), &mesh, Some(&odd)).reason().is_some(),
        "of another skeleton"
    );
    let mut lost = toy.skeleton().rest_pose();
    lost.translations.iter_mut().for_each(|own| own.x = f64::NAN);
    assert!(PageMesh::new(toy.skeleton(), &mesh, Some(&lost)).reason().is_some());
    let root = rebone::skeleton::Skeleton::new(skeleton.joints()[..1].to_vec(), Vec::new());
    assert!(PageMesh::new(&root.unwrap(), &mesh, None).reason().is_some(), "too few joints");
}
