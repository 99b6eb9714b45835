//! Soles by the mesh, by the clip and by the card, and toes that the source lacks.

use nalgebra::Vector3;
use rebone::body::{Anatomy, Side};
use rebone::card::Card;
use rebone::quality::evaluate;
use rebone::skeleton::{JointId, Motion, SkinPoint, WorldPose};
use rebone::{AnalysisError, ClipInput, Hints, LineError, Options, align, analyse, retarget_clip};
use rebone_samples as samples;
use rebone_skeleton::Document;
use std::path::PathBuf;
use std::sync::Arc;

/// Metres below the joints of a foot in which its mesh ends, on a body of 1.7 m.
const THICKNESS: f64 = 0.04;

fn rig() -> Motion {
    samples::rigs().remove(0).motion
}

/// A box below each foot: a vertex every centimetre, from behind the heel to before the toes.
fn shoes(anatomy: &Anatomy) -> Arc<[SkinPoint]> {
    let unit = anatomy.metres_per_unit();
    let foot = |side: Side| {
        let joint = anatomy.body.legs[side.index()].foot;
        let ankle = anatomy.t_pose.positions[joint.index()];
        let level = anatomy.sole(side).into_iter().flatten().map(|place| place.y);
        let level = level.fold(f64::INFINITY, f64::min) - THICKNESS;
        let turn = anatomy.t_pose.rotations[joint.index()].inverse();
        (0..30).map(move |k| {
            let place = Vector3::new(ankle.x, level, ankle.z - 0.06 + 0.01 * f64::from(k));
            SkinPoint { joint, offset: turn * (place - ankle) / unit, is_vertex: true }
        })
    };
    Side::BOTH.into_iter().flat_map(foot).collect()
}

/// Lowest joint of the feet in each frame, metres of a 1.7 m body.
fn heights(anatomy: &Anatomy, motion: &Motion) -> Vec<f64> {
    let up = anatomy.upright_from_file;
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    let feet: Vec<JointId> =
        anatomy.body.legs.iter().flat_map(|leg| [Some(leg.foot), leg.toes]).flatten().collect();
    let lowest = |pose| {
        world.update(&anatomy.skeleton, &pose).expect("values of the test fit");
        let height = |joint: &JointId| (up * world.positions[joint.index()]).y;
        feet.iter().map(height).fold(f64::INFINITY, f64::min) * anatomy.metres_per_unit()
    };
    motion.clip.poses().map(lowest).collect()
}

fn low(mut heights: Vec<f64>) -> f64 {
    heights.sort_by(f64::total_cmp);
    heights[heights.len() / 4]
}

#[test]
fn a_result_stands_on_the_soles_of_the_mesh() {
    let (walk, rig) = (samples::walk().motion, rig());
    let bare = analyse(&rig, &Hints::default()).unwrap();
    let skin = shoes(&bare);
    let shod = analyse(&rig, &Hints { skin, ..Hints::default() }).unwrap();
    let source = analyse(&walk, &Hints::default()).unwrap();
    for side in Side::BOTH {
        let [heel, ball, tip] = shod.sole(side).map(Option::unwrap);
        assert!(heel.z < ball.z && ball.z < tip.z, "{heel} {ball} {tip}");
        let joints = bare.sole(side)[0].unwrap().y;
        assert!((joints - THICKNESS - heel.y).abs() < 1e-9 && (heel.y - tip.y).abs() < 1e-9);
    }
    let [on_joints, on_soles] = [&bare, &shod].map(|target| {
        let plan = align(&source, target, &Options::default());
        let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
        low(heights(target, &Motion { skeleton: rig.skeleton.clone(), clip }))
    });
    let risen = on_soles - on_joints;
    // The source's joints stand at some height of their own.
    assert!((0.015..THICKNESS + 0.005).contains(&risen), "{on_joints} {on_soles}");
}

#[test]
fn a_card_states_the_height_of_the_soles() {
    let (walk, rig) = (samples::walk().motion, rig());
    let bare = analyse(&rig, &Hints::default()).unwrap();
    let skin = shoes(&bare);
    let source = analyse(&walk, &Hints::default()).unwrap();
    let card = Card::from_anatomy(&source, &Card::default()).unwrap();
    let height = card.sole_height.expect("the walk is on a floor at zero");
    assert!(card.to_toml().contains(&format!("sole_height = {height}")));
    let low_at = |stated: f64| {
        let card = Card { sole_height: Some(stated), ..card.clone() };
        let text = card.to_toml();
        assert_eq!(Card::parse(&text).unwrap().sole_height, Some(stated));
        let hints = Hints { card: Some(card), ..Hints::default() };
        let source = analyse(&walk, &hints).unwrap();
        let target = analyse(&rig, &Hints { skin: Arc::clone(&skin), ..Hints::default() }).unwrap();
        let plan = align(&source, &target, &Options::default());
        let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
        low(heights(&target, &Motion { skeleton: rig.skeleton.clone(), clip }))
    };
    let metre = 1.0 / source.metres_per_unit();
    let lower = low_at(height) - low_at(height + 0.02 * metre);
    let scale = align(&source, &bare, &Options::default()).path_scale;
    assert!((lower - 0.02 * scale).abs() < 0.004, "{lower}");
}

#[test]
fn vertices_of_joints_that_are_not_there_are_left_out() {
    let rig = rig();
    let skin = [JointId(usize::MAX), JointId(3)].map(|joint| SkinPoint {
        joint,
        offset: Vector3::repeat(f64::NAN),
        is_vertex: true,
    });
    let bare = analyse(&rig, &Hints::default()).unwrap();
    let hints = Hints { skin: skin.repeat(50).into(), ..Hints::default() };
    assert_eq!(analyse(&rig, &hints).unwrap().sole(Side::Left), bare.sole(Side::Left));
}

#[test]
fn a_card_states_how_far_seat_back_and_head_are_from_the_skin() {
    let walk = samples::walk().motion;
    let source = analyse(&walk, &Hints::default()).unwrap();
    let card = Card::from_anatomy(&source, &Card::default()).unwrap();
    let found = card.trunk_radii.expect("a rig without a mesh");
    assert_eq!(Card::parse(&card.to_toml()).unwrap().trunk_radii, Some(found));
    let stated = |text: &str| {
        let hints = Hints { card: Some(Card::parse(text).unwrap()), ..Hints::default() };
        let anatomy = analyse(&walk, &hints).unwrap();
        let card = Card::from_anatomy(&anatomy, &Card::default()).unwrap();
        card.trunk_radii.unwrap()
    };
    let [seat, back, head] = found.map(|radius| radius / 2.0);
    let kept = stated(&format!("trunk_radii = [{seat}, {back}, {head}]"));
    assert!(kept.iter().zip(found).all(|(own, found)| (own - found / 2.0).abs() < 1e-6 * found));
    for text in ["[1, 2]", "[1, 2, -3]", "[1, 2, nan]", "3", "[1, 2, inf]"] {
        let error = Card::parse(&format!("trunk_radii = {text}")).unwrap_err().to_string();
        assert!(error.contains("three lengths"), "{error}");
    }
}

#[test]
fn lengths_that_the_body_cannot_have_are_refused_with_its_own() {
    let walk = samples::walk().motion;
    let source = analyse(&walk, &Hints::default()).unwrap();
    let metre = 1.0 / source.metres_per_unit();
    let card = Card::from_anatomy(&source, &Card::default()).unwrap();
    let own = card.sole_height.expect("the walk is on a floor at zero");
    let analysed = |text: &str| {
        let hints = Hints { card: Some(Card::parse(text).unwrap()), ..Hints::default() };
        analyse(&walk, &hints).map_err(|error| match error {
            AnalysisError::Card(LineError { line, message }) => (line, message),
            other => panic!("{other}"),
        })
    };
    for height in [0.09, -0.02, 0.3] {
        assert!(analysed(&format!("sole_height = {}", height * metre)).is_ok(), "{height}");
    }
    for height in [0.9, 9.0, -9.0, 1e300] {
        let text = format!("up = \"+Y\"\nsole_height = {:?}", height * metre);
        let (line, message) = analysed(&text).unwrap_err();
        let shown = message.rsplit_once("own is ").unwrap().1.parse::<f64>().unwrap();
        assert!(line == 2 && (shown - own).abs() < 0.01 * own.abs(), "{line}: {message}");
        // A line that the program wrote is no better.
        let (line, _) = analysed(&format!("\n[generated]\n{text}")).unwrap_err();
        assert_eq!(line, 4);
    }
    let radii = |all: [f64; 3]| format!("trunk_radii = {:?}", all.map(|radius| radius * metre));
    assert!(analysed(&radii([0.1, 0.1, 0.8])).is_ok());
    for all in [[0.1, 9.0, 0.1], [1e30, 1e6, 1e6], [0.1, 0.1, 0.9]] {
        let (line, message) = analysed(&radii(all)).unwrap_err();
        assert!(line == 1 && message.contains("half of the body's height"), "{message}");
        assert!(message.contains("usual are ["), "{message}");
    }
}

#[test]
#[allow(clippy::print_stderr)]
fn toes_do_not_pop_where_the_toes_of_the_source_move_fast() {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS names no folder");
        return;
    };
    let open = |path: &str| Document::open(folder.join(path), None).unwrap();
    let walk = open("motions/cmu-uniform/02_01.bvh").clip(None).unwrap().motion;
    let source = analyse(&walk, &Hints::default()).unwrap();
    // Boots, and a rig without a mesh.
    for name in ["Soldier.glb", "rig-human.glb"] {
        let rig = open(&format!("rigs/gltf/{name}"));
        let skin = rig.skin_points().points.into();
        let rig = rig.clip(None).unwrap().motion;
        let target = analyse(&rig, &Hints { skin, ..Hints::default() }).unwrap();
        let plan = align(&source, &target, &Options::default());
        let (result, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
        let metrics = evaluate(&plan, &walk.clip, &result).unwrap().verdict.metrics;
        let pops = metrics.iter().find(|metric| metric.name == "joint_pops").unwrap();
        assert!(pops.value < pops.look, "{name}: {} a minute", pops.value);
    }
}
