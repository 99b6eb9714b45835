//! Poses of source and result for the player of a page.

use super::pack::{pack, quantum};
use crate::sheet::FigureStroke;
use crate::stick_figure::StickFigure;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::quality::Evaluation;
use rebone::skeleton::{Clip, ClipError, WorldPose};
use rebone::{Anatomy, Plan};
use serde::Serialize;

/// Largest number of poses of a player.
const MAX_POSES: usize = 300;

/// Both bodies at every `step`-th frame, in one world whose floor is at height 0.
#[derive(Debug, Serialize)]
pub(super) struct Player {
    step: usize,
    bodies: Vec<PlayerBody>,
}

/// One stick figure over time.
#[derive(Debug, Serialize)]
struct PlayerBody {
    name: &'static str,
    /// Number of points of a pose.
    points: usize,
    strokes: Vec<FigureStroke>,
    /// Base and top of the skull.
    skull: Option<[usize; 2]>,
    /// Two points, the hips.
    centre: [usize; 2],
    /// Metres of one unit of `positions`.
    scale: f64,
    /// Packed coordinates: poses, points, then +X to the body's left at rest, +Y up, +Z forward.
    positions: String,
}

/// Placement of a clip in the common world.
struct Placement<'a> {
    anatomy: &'a Anatomy,
    clip: &'a Clip,
    world_from_file: UnitQuaternion<f64>,
    /// Scale of a body of 1.7 m.
    scale: f64,
    /// Height that the body is raised by, metres of a 1.7 m body.
    rise: f64,
}

/// Packs both bodies, the source scaled as its path is in the result's world, and on the result's floor where that was
/// moved to height zero.
pub(super) fn player(
    plan: &Plan,
    clips: [&Clip; 2],
    evaluation: &Evaluation,
) -> Result<Player, ClipError> {
    let count = evaluation.verdict.frames;
    let step = count.div_ceil(MAX_POSES).max(1);
    let yaw = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), evaluation.yaw);
    let source = Placement {
        anatomy: &plan.source,
        clip: clips[0],
        world_from_file: plan.inner_from_source,
        scale: plan.path_scale,
        rise: evaluation.floor_rise,
    };
    let result = Placement {
        anatomy: &plan.target,
        clip: clips[1],
        world_from_file: yaw * plan.inner_from_target,
        scale: 1.0,
        rise: 0.0,
    };
    let frames = || (0..count).step_by(step);
    let bodies = vec![source.body("source", frames())?, result.body("result", frames())?];
    Ok(Player { step, bodies })
}

impl Placement<'_> {
    fn body(
        &self,
        name: &'static str,
        frames: impl Iterator<Item = usize>,
    ) -> Result<PlayerBody, ClipError> {
        let mut figure = StickFigure::without_fingers(self.anatomy);
        let used = figure.renumber_used_points();
        let world_from_file = self.world_from_file;
        let metres = self.anatomy.metres_per_unit() * self.scale;
        let mut world = WorldPose::zeros(&self.anatomy.skeleton);
        let mut positions = Vec::new();
        for pose in frames.filter_map(|frame| self.clip.pose(frame)) {
            world.update(&self.anatomy.skeleton, &pose)?;
            let points: Vec<Vector3<f64>> = figure.points(&world).collect();
            let used = used.iter().map(|&point| world_from_file * points[point] * metres);
            let rise = Vector3::y() * self.rise;
            used.for_each(|point| positions.extend_from_slice((point + rise).as_slice()));
        }
        let scale = quantum(positions.iter().copied());
        Ok(PlayerBody {
            name,
            points: used.len(),
            strokes: figure.strokes,
            skull: figure.skull,
            centre: figure.centre,
            scale,
            positions: pack(positions.into_iter(), scale),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::BodySide;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use rebone::quality::evaluate;
    use rebone::{Hints, Options, align, analyse, retarget_motions};

    /// Returns the heights of all points of a body in metres.
    fn heights(body: &PlayerBody) -> Vec<f64> {
        let bytes = STANDARD.decode(&body.positions).unwrap();
        let values: Vec<f64> = bytes
            .chunks_exact(2)
            .map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]])) * body.scale)
            .collect();
        values.chunks_exact(3).map(|point| point[1]).collect()
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
            player(&plan, [&walk.clip, clip], &evaluation).unwrap().bodies
        };
        let (plain, raised) = (bodies(&result), bodies(&raised));
        for (low, high) in heights(&plain[1]).into_iter().zip(heights(&raised[1])) {
            assert!((high - low - 0.5).abs() < 0.002, "{low} {high}");
        }
        assert_eq!(heights(&plain[0]), heights(&raised[0]));
        // A source whose floor is not at height zero, where the result's is: it stands on the result's floor.
        let up = plan.inner_from_source.inverse() * Vector3::y() / source.metres_per_unit();
        let mut off_floor = walk.clip.clone();
        off_floor.edit(|_, pose| pose.translations[0] += up * 0.5).unwrap();
        let evaluation = evaluate(&plan, &off_floor, &result).unwrap();
        assert!((evaluation.floor_rise + 0.5 * plan.path_scale).abs() < 0.02);
        let off_floor = player(&plan, [&off_floor, &result], &evaluation).unwrap().bodies;
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
}
