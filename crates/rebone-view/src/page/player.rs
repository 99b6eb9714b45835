//! Poses of source and result for the player of a page.

use super::pack::Columns;
use crate::sheet::FigureStroke;
use crate::stick_figure::StickFigure;
use nalgebra::{Point3, Similarity3, Vector3};
use rebone::quality::Evaluation;
use rebone::skeleton::{Clip, ClipError, WorldPose};
use rebone::{Anatomy, Plan};
use serde::Serialize;
use std::collections::BTreeSet;

/// Largest rate of stored poses, Hz; the page interpolates between them.
const MAX_POSES_PER_SECOND: f64 = 30.0;
/// Largest number of poses that are stored at a constant step.
const MAX_POSES: usize = 300;
/// Metres of one unit of stored positions.
const POSITION_STEP_METRES: f64 = 0.002;

/// Both bodies at some frames, in one world whose floor is at height 0.
#[derive(Debug, Serialize)]
pub(super) struct Player {
    /// Number of stored poses of each body.
    poses: usize,
    /// Metres of one unit of positions.
    scale: f64,
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
    /// For each point an earlier one that its positions are relative to.
    parents: Vec<Option<usize>>,
    strokes: Vec<FigureStroke>,
    /// Base and top of the skull.
    skull: Option<[usize; 2]>,
    /// Two points, the hips.
    centre: [usize; 2],
    /// Positions in the world in units of the scale, of each pose in the order of the points: +X to the body's left at
    /// rest, +Y up, +Z forward.
    #[serde(skip)]
    positions: Vec<[i32; 3]>,
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
    evaluation: &Evaluation,
    worst: &[usize],
    step: usize,
) -> Result<Player, ClipError> {
    let frames = stored_frames(evaluation.verdict.frames, step, worst);
    let [to_source, to_result] = plan.world_from_files(evaluation.yaw, evaluation.floor_rise);
    let bodies = vec![
        PlayerBody::new("source", (&plan.source, clips[0]), &to_source, &frames)?,
        PlayerBody::new("result", (&plan.target, clips[1]), &to_result, &frames)?,
    ];
    Ok(Player { poses: frames.len(), scale: POSITION_STEP_METRES, step, bodies, frames })
}

impl Player {
    /// Adds the frames of the poses, then of each body, point and axis the positions.
    pub(super) fn pack(&self, columns: &mut Columns) {
        columns.push(self.frames.iter().map(|&frame| frame as i32));
        for PlayerBody { parents, positions, .. } in &self.bodies {
            let poses = || positions.chunks_exact(parents.len().max(1));
            for (point, parent) in parents.iter().enumerate() {
                let relative = |pose: &[[i32; 3]], axis: usize| {
                    pose[point][axis].saturating_sub(parent.map_or(0, |parent| pose[parent][axis]))
                };
                (0..3).for_each(|axis| columns.push(poses().map(|pose| relative(pose, axis))));
            }
        }
    }
}

impl PlayerBody {
    fn new(
        name: &'static str,
        (anatomy, clip): (&Anatomy, &Clip),
        world_from_file: &Similarity3<f64>,
        frames: &[usize],
    ) -> Result<Self, ClipError> {
        let mut figure = StickFigure::without_fingers(anatomy);
        let used = figure.renumber_used_points();
        let skeleton = &anatomy.skeleton;
        let mut world = WorldPose::zeros(skeleton);
        let mut positions = Vec::with_capacity(frames.len() * used.len());
        for pose in frames.iter().filter_map(|&frame| clip.pose(frame)) {
            world.update(skeleton, &pose)?;
            let points: Vec<Vector3<f64>> = figure.points(&world).collect();
            let used = used.iter().map(|&point| world_from_file * Point3::from(points[point]));
            let whole = |value: f64| (value / POSITION_STEP_METRES).round() as i32;
            positions.extend(used.map(|point| <[f64; 3]>::from(point.coords).map(whole)));
        }
        let parent = |(index, &point): (usize, &usize)| {
            let mut joints = skeleton.path_to_root(figure.owner(point));
            joints.find_map(|joint| used[..index].binary_search(&joint.index()).ok())
        };
        Ok(Self {
            name,
            parents: used.iter().enumerate().map(parent).collect(),
            strokes: figure.strokes,
            skull: figure.skull,
            centre: figure.centre,
            positions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::pack::tests::{bytes_of, read_column};
    use crate::sheet::BodySide;
    use rebone::quality::evaluate;
    use rebone::{Hints, Options, align, analyse, retarget_motions};

    /// Returns the heights of all points of a body in metres.
    fn heights(body: &PlayerBody) -> Vec<f64> {
        body.positions.iter().map(|point| f64::from(point[1]) * POSITION_STEP_METRES).collect()
    }

    #[test]
    fn a_player_holds_the_heights_over_the_floor_of_the_world() {
        let walk = rebone_samples::clips().remove(0).motion;
        let rig = rebone_samples::rigs().remove(0).motion;
        let options = Options::default();
        let result = retarget_motions(&walk, &rig, &options).unwrap().clip;
        let [source, target] =
            [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &options);
        let up = plan.inner_from_target.inverse() * Vector3::y() / target.metres_per_unit();
        let mut raised = Clip::new(&rig.skeleton, result.frame_time);
        for mut pose in result.poses() {
            pose.translations[0] += up * 0.5;
            raised.push(&pose).unwrap();
        }
        let bodies = |clip: &Clip| {
            let evaluation = evaluate(&plan, &walk.clip, clip).unwrap();
            player(&plan, [&walk.clip, clip], &evaluation, &[], 1).unwrap().bodies
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
        let off_floor = player(&plan, [&off_floor, &result], &evaluation, &[], 1).unwrap().bodies;
        for (low, high) in heights(&plain[0]).into_iter().zip(heights(&off_floor[0])) {
            assert!((high - low).abs() < 0.02, "{low} {high}");
        }
        for body in &plain {
            assert_eq!(heights(body).len() % body.parents.len(), 0);
            let sides = [BodySide::Left, BodySide::Middle, BodySide::Right];
            assert!(
                sides.iter().all(|side| body.strokes.iter().any(|stroke| stroke.side == *side))
            );
            assert!(
                body.strokes
                    .iter()
                    .flat_map(|stroke| stroke.ends)
                    .all(|end| end < body.parents.len())
            );
        }
    }

    #[test]
    fn packed_positions_are_those_of_the_poses() {
        let (walk, rig) = (rebone_samples::walk().motion, rebone_samples::rigs().remove(0).motion);
        let options = Options::default();
        let result = retarget_motions(&walk, &rig, &options).unwrap().clip;
        let [source, target] =
            [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &options);
        let evaluation = evaluate(&plan, &walk.clip, &result).unwrap();
        let player = player(&plan, [&walk.clip, &result], &evaluation, &[0, 101], 4).unwrap();
        assert!([0, 1, 4, 100, 101, 102].iter().all(|frame| player.frames.contains(frame)));
        assert!(!player.frames.contains(&2));
        let mut columns = Columns::default();
        player.pack(&mut columns);
        let mut bytes = bytes_of(&columns.text()).into_iter();
        let frames = read_column(&mut bytes, player.poses);
        assert!(frames.iter().zip(&player.frames).all(|(read, own)| *read == *own as i64));
        for PlayerBody { parents, positions, .. } in &player.bodies {
            let mut read: Vec<[Vec<i64>; 3]> = Vec::new();
            for (point, parent) in parents.iter().enumerate() {
                assert!(parent.is_none_or(|parent| parent < point));
                let mut column = [0, 1, 2].map(|_| read_column(&mut bytes, player.poses));
                for (axis, column) in column.iter_mut().enumerate() {
                    for (pose, value) in column.iter_mut().enumerate() {
                        *value += parent.map_or(0, |parent| read[parent][axis][pose]);
                        let wanted = positions[pose * parents.len() + point][axis];
                        assert_eq!(*value, i64::from(wanted));
                    }
                }
                read.push(column);
            }
            assert!(parents.iter().filter(|parent| parent.is_none()).count() < 3);
        }
        assert_eq!(bytes.next(), None);
    }
}
