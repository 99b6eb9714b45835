//! Poses of source and result for the player of a page.

use super::joints::{JointTracks, turn_parts, whole_place, with_ancestors};
use super::mesh::PageMesh;
use super::pack::Columns;
use crate::sheet::FigureStroke;
use crate::stick_figure::StickFigure;
use nalgebra::Similarity3;
use rebone::body::Landmark;
use rebone::quality::Evaluation;
use rebone::skeleton::{Clip, ClipError, JointId, WorldPose};
use rebone::{Anatomy, Plan};
use serde::Serialize;
use std::collections::BTreeSet;

/// Largest rate of stored poses, Hz; the page interpolates between them.
const MAX_POSES_PER_SECOND: f64 = 30.0;
/// Largest number of poses that are stored at a constant step.
const MAX_POSES: usize = 300;
/// Metres of one unit of positions of points in the axes of their joints.
const POINT_METRES: f64 = 0.0005;

/// Both bodies at some frames, in one world whose floor is at height 0.
#[derive(Debug, Serialize)]
pub(super) struct Player {
    /// Number of stored poses of each body.
    poses: usize,
    /// Frames from one stored pose to the next, where no worst frame is between them.
    step: usize,
    bodies: Vec<PlayerBody>,
    #[serde(skip)]
    frames: Vec<usize>,
}

/// One stick figure over time.
#[derive(Debug, Serialize)]
struct PlayerBody {
    name: &'static str,
    /// Number of joints that move points.
    joints: usize,
    /// Number of points that strokes connect.
    points: usize,
    strokes: Vec<FigureStroke>,
    /// Base and top of the skull.
    skull: Option<[usize; 2]>,
    /// Two points, the hips.
    centre: [usize; 2],
    skin: BodySkin,
    /// Joints in the world of the page, metres: +X to the body's left at rest, +Y up, +Z forward.
    #[serde(skip)]
    tracks: JointTracks,
    /// Index of the joint of each point, and the point in that joint's axes, in [`POINT_METRES`].
    #[serde(skip)]
    on_joints: Vec<(usize, [i32; 3])>,
    /// Indices of the joints that move the mesh, in the mesh's order.
    #[serde(skip)]
    of_mesh: Vec<usize>,
}

/// Mesh of a body, for the page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum BodySkin {
    /// Metres per unit of the mesh's file, and number of joints that move the mesh.
    Mesh { scale: f64, joints: usize },
    /// Reason that there is none.
    None(String),
}

/// Returns the least step between stored poses.
pub(super) fn min_step(frames: usize, frame_time: f64) -> usize {
    let rate = (1.0 / (MAX_POSES_PER_SECOND * frame_time)).round().max(1.0) as usize;
    rate.min(frames).max(frames.div_ceil(MAX_POSES)).max(1)
}

/// Returns every `step`-th frame, the last one, and `worst` frames with the ones beside them.
fn stored_frames(count: usize, step: usize, worst: &[usize]) -> Vec<usize> {
    let beside = |frame: &usize| frame.saturating_sub(1)..frame + 2;
    let frames = (0..count).step_by(step).chain(worst.iter().flat_map(beside));
    let frames: BTreeSet<usize> = frames.chain([count.saturating_sub(1)]).collect();
    frames.into_iter().filter(|frame| *frame < count).collect()
}

/// Poses both bodies, the source scaled as its path is in the result's world, and on the result's floor where that was
/// moved to height zero.
pub(super) fn player(
    plan: &Plan,
    clips: [&Clip; 2],
    skins: [&PageMesh; 2],
    evaluation: &Evaluation,
    worst: &[usize],
    step: usize,
) -> Result<Player, ClipError> {
    let frames = stored_frames(evaluation.verdict.frames, step, worst);
    let [to_source, to_result] = plan.world_from_files(evaluation.yaw, evaluation.floor_rise);
    let bodies = vec![
        PlayerBody::new("source", (&plan.source, clips[0], skins[0]), &to_source, &frames)?,
        PlayerBody::new("result", (&plan.target, clips[1], skins[1]), &to_result, &frames)?,
    ];
    Ok(Player { poses: frames.len(), step, bodies, frames })
}

impl Player {
    /// Adds the frames of the poses, then of each body its joints, the joint and place of each point, and the joints that
    /// move its mesh.
    pub(super) fn pack(&self, columns: &mut Columns) {
        columns.push(self.frames.iter().map(|&frame| frame as i32));
        for PlayerBody { tracks, on_joints, of_mesh, skin, .. } in &self.bodies {
            tracks.pack(columns);
            columns.push(on_joints.iter().map(|(joint, _)| *joint as i32));
            (0..3).for_each(|axis| columns.push(on_joints.iter().map(|(_, place)| place[axis])));
            if let BodySkin::Mesh { .. } = skin {
                columns.push(of_mesh.iter().map(|joint| *joint as i32));
            }
        }
    }
}

impl PlayerBody {
    fn new(
        name: &'static str,
        (anatomy, clip, mesh): (&Anatomy, &Clip, &PageMesh),
        world_from_file: &Similarity3<f64>,
        frames: &[usize],
    ) -> Result<Self, ClipError> {
        let mut figure = StickFigure::without_fingers(anatomy);
        let used = figure.renumber_used_points();
        let skeleton = &anatomy.skeleton;
        let landmarks: Vec<Landmark> = used.iter().map(|&point| figure.landmark(point)).collect();
        let metres = world_from_file.scaling();
        let (skin, of_mesh) = match mesh.on(skeleton) {
            Ok((_, joints)) => (BodySkin::Mesh { scale: metres, joints: joints.len() }, joints),
            Err(reason) => (BodySkin::None(reason), Vec::new()),
        };
        let of_points = landmarks.iter().map(|landmark| landmark.joint);
        let joints = with_ancestors(skeleton, of_points.chain(of_mesh.iter().copied()));
        let parts = turn_parts(skeleton, &joints, &landmarks, metres);
        let mut poses = Vec::with_capacity(frames.len());
        for pose in frames.iter().filter_map(|&frame| clip.pose(frame)) {
            let mut world = WorldPose::zeros(skeleton);
            world.update(skeleton, &pose)?;
            poses.push(world);
        }
        let number = |joint: &JointId| joints.partition_point(|own| own < joint);
        let on_joint = |Landmark { joint, offset }: &Landmark| {
            let place = whole_place(&(offset * metres), POINT_METRES);
            (number(joint), place)
        };
        Ok(Self {
            name,
            joints: joints.len(),
            points: used.len(),
            tracks: JointTracks::new(skeleton, (&joints, &parts), &poses, world_from_file),
            on_joints: landmarks.iter().map(on_joint).collect(),
            of_mesh: of_mesh.iter().map(number).collect(),
            skin,
            strokes: figure.strokes,
            skull: figure.skull,
            centre: figure.centre,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::joints::tests::read_joints;
    use crate::page::pack::tests::{bytes_of, read_column};
    use crate::sheet::BodySide;
    use nalgebra::{Isometry3, Point3, Vector3};
    use rebone::quality::evaluate;
    use rebone::{ClipInput, Hints, Options, align, analyse, retarget_clip};

    fn no_mesh() -> PageMesh {
        PageMesh::none("none")
    }

    /// Returns the points of a body in each pose, as a page that has read `joints` shows them.
    fn points(body: &PlayerBody, joints: &[Vec<Isometry3<f64>>]) -> Vec<Point3<f64>> {
        let poses = joints.first().map_or(0, Vec::len);
        let point = |pose: usize, (joint, place): &(usize, [i32; 3])| {
            joints[*joint][pose] * Point3::from(place.map(|x| f64::from(x) * POINT_METRES))
        };
        (0..poses).flat_map(|pose| body.on_joints.iter().map(move |own| point(pose, own))).collect()
    }

    /// Returns the heights of all points of a body in metres.
    fn heights(body: &PlayerBody) -> Vec<f64> {
        points(body, body.tracks.read()).iter().map(|point| point.y).collect()
    }

    #[test]
    fn a_player_holds_the_heights_over_the_floor_of_the_world() {
        let walk = rebone_samples::clips().remove(0).motion;
        let rig = rebone_samples::rigs().remove(0).motion;
        let options = Options::default();
        let [source, target] =
            [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &options);
        let (result, _) = retarget_clip(&plan, &ClipInput::new(&source, &walk.clip)).unwrap();
        let up = plan.inner_from_target.inverse() * Vector3::y() / target.metres_per_unit();
        let mut raised = Clip::new(&rig.skeleton, result.frame_time);
        for mut pose in result.poses() {
            pose.translations[0] += up * 0.5;
            raised.push(&pose).unwrap();
        }
        let bodies = |clip: &Clip| {
            let evaluation = evaluate(&plan, &walk.clip, clip).unwrap();
            player(&plan, [&walk.clip, clip], [&no_mesh(), &no_mesh()], &evaluation, &[], 1)
                .unwrap()
                .bodies
        };
        let (plain, raised) = (bodies(&result), bodies(&raised));
        for (low, high) in heights(&plain[1]).into_iter().zip(heights(&raised[1])) {
            assert!((high - low - 0.5).abs() < 0.003, "{low} {high}");
        }
        assert_eq!(heights(&plain[0]), heights(&raised[0]));
        // A source whose floor is not at height zero, where the result's is: it stands on the result's floor.
        let up = plan.inner_from_source.inverse() * Vector3::y() / source.metres_per_unit();
        let mut off_floor = walk.clip.clone();
        off_floor.edit(|_, pose| pose.translations[0] += up * 0.5).unwrap();
        let evaluation = evaluate(&plan, &off_floor, &result).unwrap();
        assert!((evaluation.floor_rise + 0.5 * plan.path_scale).abs() < 0.02);
        let clips = [&off_floor, &result];
        let off_floor = player(&plan, clips, [&no_mesh(), &no_mesh()], &evaluation, &[], 1);
        let off_floor = off_floor.unwrap().bodies;
        for (low, high) in heights(&plain[0]).into_iter().zip(heights(&off_floor[0])) {
            assert!((high - low).abs() < 0.02, "{low} {high}");
        }
        for body in &plain {
            assert_eq!(heights(body).len() % body.points, 0);
            let sides = [BodySide::Left, BodySide::Middle, BodySide::Right];
            assert!(
                sides.iter().all(|side| body.strokes.iter().any(|stroke| stroke.side == *side))
            );
            assert!(
                body.strokes.iter().flat_map(|stroke| stroke.ends).all(|end| end < body.points)
            );
        }
    }

    #[test]
    fn packed_positions_are_those_of_the_poses() {
        let (walk, rig) = (rebone_samples::walk().motion, rebone_samples::rigs().remove(0).motion);
        let options = Options::default();
        let [source, target] =
            [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &options);
        let (result, _) = retarget_clip(&plan, &ClipInput::new(&source, &walk.clip)).unwrap();
        let evaluation = evaluate(&plan, &walk.clip, &result).unwrap();
        let clips = [&walk.clip, &result];
        let skins = [&no_mesh(), &no_mesh()];
        let player = player(&plan, clips, skins, &evaluation, &[0, 101], 4).unwrap();
        assert!([0, 1, 4, 100, 101, 102].iter().all(|frame| player.frames.contains(frame)));
        assert!(!player.frames.contains(&2));
        let mut columns = Columns::default();
        player.pack(&mut columns);
        let mut bytes = bytes_of(&columns.text()).into_iter();
        let frames = read_column(&mut bytes, player.poses);
        assert!(frames.iter().zip(&player.frames).all(|(read, own)| *read == *own as i64));
        let worlds = plan.world_from_files(evaluation.yaw, evaluation.floor_rise);
        let anatomies = [&plan.source, &plan.target];
        for (index, body) in player.bodies.iter().enumerate() {
            let joints = read_joints(&mut bytes, body.joints, player.poses);
            let on_joints: Vec<_> = (0..4).map(|_| read_column(&mut bytes, body.points)).collect();
            assert!(on_joints[0].iter().zip(&body.on_joints).all(|(a, b)| *a == b.0 as i64));
            let mut read = points(body, &joints).into_iter();
            let mut figure = StickFigure::without_fingers(anatomies[index]);
            let used = figure.renumber_used_points();
            for frame in &player.frames {
                let pose = clips[index].pose(*frame).unwrap();
                let mut world = WorldPose::zeros(&anatomies[index].skeleton);
                world.update(&anatomies[index].skeleton, &pose).unwrap();
                let exact: Vec<_> = figure.points(&world).collect();
                for point in &used {
                    let wanted = worlds[index] * Point3::from(exact[*point]);
                    let apart = (read.next().unwrap() - wanted).norm();
                    assert!(apart < 0.002, "{} {point} is {apart} m off", body.name);
                }
            }
        }
        assert_eq!(bytes.next(), None);
    }
}
