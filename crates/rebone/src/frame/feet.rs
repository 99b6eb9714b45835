//! Feet on the ground: feet that are longer than the source's pitch less, and toes bend where the source's are missing, or
//! stiff and without a tip.

use super::source_pose::SourcePose;
use super::target_pose::TargetPose;
use crate::align::{FootPivot, Plan, Rule};
use crate::body::{METRES_PER_CENTIMETRE, Side};
use crate::math::ease;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::JointId;

/// Length of a foot over the source's, scaled, from which on it pitches less.
const MIN_LENGTH_RATIO: f64 = 1.25;
/// Pitch about which that of a foot flat on a slope ends: 10 degrees.
const SLOPE_RADIANS: f64 = std::f64::consts::PI / 18.0;
/// Heights of a foot over the lowest part of the body at which it bears, and from which on it does not: 3 and 45 cm of a
/// body of 1.8 m.
const NEAR_METRES: f64 = 3.0 * METRES_PER_CENTIMETRE;
const FAR_METRES: f64 = 45.0 * METRES_PER_CENTIMETRE;
/// Largest bend of toes, upwards: 60 degrees.
const MAX_TOE_BEND_RADIANS: f64 = std::f64::consts::PI / 3.0;
/// Bend of the source's toes from which on they are not stiff: 15 degrees.
const MIN_SOURCE_BEND_RADIANS: f64 = std::f64::consts::PI / 12.0;

/// Feet of a plan that the source's do not pose on their own.
#[derive(Clone, Debug)]
pub(crate) struct Feet([Foot; 2]);

/// A foot of the target.
#[derive(Clone, Copy, Debug)]
struct Foot {
    side: Side,
    /// What it turns about: its heel when the toes rise, and its front when the heel does. `None` where it pitches freely.
    pivots: [Option<FootPivot>; 2],
    /// Toes that bend by themselves.
    toes: Option<JointId>,
    /// Foot and toes of the source, where it has toes without a tip.
    source_toes: Option<[JointId; 2]>,
}

impl Feet {
    /// Compares the soles of both bodies.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self(Side::BOTH.map(|side| {
            let [from, to] = [&plan.source, &plan.target].map(|own| &own.body.legs[side.index()]);
            // Joints of fewer channels cannot take any pitch.
            let is_free = |joint: JointId| plan.target.skeleton[joint].rotation_axes.len() == 3;
            // Toes of a file that shows their tips, and bends them too little, are its own.
            let source_toes =
                from.toes.filter(|_| !plan.source.has_toe_tips()).map(|toes| [from.foot, toes]);
            let bends = to.toes.filter(|&toes| {
                (from.toes.is_none() || source_toes.is_some() && plan.target.has_toe_tips())
                    && is_free(toes)
                    && is_free(to.foot)
            });
            let is_long = |pivot: &FootPivot| pivot.target > MIN_LENGTH_RATIO * pivot.source;
            let pivots = plan.supports.pivots[side.index()]
                .map(|pivot| pivot.filter(|pivot| is_free(to.foot) && is_long(pivot)));
            Foot { side, pivots, toes: bends, source_toes }
        }))
    }

    /// Pitches feet and bends toes in a posed frame.
    pub(crate) fn pose(&self, plan: &Plan, source: &SourcePose, target: &mut TargetPose) {
        let heights = plan.supports.heights_of_feet(&source.world);
        for (foot, heights) in self.0.iter().zip(&heights) {
            foot.pitch(plan, heights, target);
            foot.bend_toes(plan, (source, heights), target);
        }
    }
}

impl Foot {
    /// Pitches a long foot less the nearer it is to the ground: `L sin p' ≤ c l sin p + g`, with `l` and `L` the lengths of
    /// both feet, `g` the height over the ground of the source's heel or front and `c` [`MIN_LENGTH_RATIO`].
    fn pitch(&self, plan: &Plan, [heel, ball, _]: &[f64; 3], target: &mut TargetPose) {
        let leg = &plan.target.body.legs[self.side.index()];
        let pitch = pitch_of(plan, target, leg.foot);
        let (pivot, height) = if pitch < 0.0 { (1, ball) } else { (0, heel) };
        let Some(pivot) = self.pivots[pivot] else { return };
        let beyond = beyond_slope(pitch);
        let sine = libm::sin(beyond.abs());
        let reach = (MIN_LENGTH_RATIO * pivot.source * sine + height) / pivot.target;
        if reach >= sine {
            return;
        }
        let toes = leg.toes.filter(|toes| plan.rules[toes.index()] != Rule::KeepRest);
        let kept = toes.map(|toes| (toes, target.world.rotations[toes.index()]));
        let group = plan.groups[leg.foot.index()].place();
        pitch_up(plan, target, leg.foot, libm::asin(reach).copysign(pitch) - beyond);
        target.update_group(plan, group);
        if let Some((toes, rotation)) = kept {
            target.set_world_rotation(plan, toes, &rotation);
            target.update_group(plan, group);
        }
    }

    /// Bends toes up that the source's do not bend, the less the higher the foot is.
    fn bend_toes(
        &self,
        plan: &Plan,
        (source, heights): (&SourcePose, &[f64; 3]),
        target: &mut TargetPose,
    ) {
        let Some(toes) = self.toes else { return };
        let nearness = nearness(heights);
        if nearness > 0.0 {
            let down = -beyond_slope(pitch_of(plan, target, toes));
            let share = nearness * self.source_toes.map_or(1.0, |pair| stiffness(source, pair));
            let bend = down.clamp(0.0, MAX_TOE_BEND_RADIANS) * share;
            pitch_up(plan, target, toes, bend);
            target.update_group(plan, plan.groups[toes.index()].place());
        }
    }
}

/// Returns how near a foot is to bearing: 1 where it is the lowest part of the body or nearly so, 0 from [`FAR_METRES`]
/// above that on.
fn nearness(heights: &[f64; 3]) -> f64 {
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    ease(1.0 - (lowest - NEAR_METRES) / (FAR_METRES - NEAR_METRES))
}

/// Returns 1 where the toes of the source are straight, 0 where they are bent.
fn stiffness(source: &SourcePose, [foot, toes]: [JointId; 2]) -> f64 {
    let bend = source.turns[foot.index()].angle_to(&source.turns[toes.index()]);
    1.0 - ease(bend / MIN_SOURCE_BEND_RADIANS)
}

/// Returns the pitch of a foot or its toes over the horizontal, upwards, radians.
fn pitch_of(plan: &Plan, target: &TargetPose, joint: JointId) -> f64 {
    let ahead = target.frame(plan, joint) * Vector3::z();
    libm::asin(ahead.y.clamp(-1.0, 1.0))
}

/// Returns the part of a pitch that no slope explains: `θ³ / (θ² + σ²)`.
fn beyond_slope(pitch: f64) -> f64 {
    pitch * pitch * pitch / (pitch * pitch + SLOPE_RADIANS * SLOPE_RADIANS)
}

/// Rotates a joint about its lateral axis, upwards.
fn pitch_up(plan: &Plan, target: &mut TargetPose, joint: JointId, angle: f64) {
    let left = Unit::new_unchecked(target.frame(plan, joint) * Vector3::x());
    let turned =
        UnitQuaternion::from_axis_angle(&left, -angle) * target.world.rotations[joint.index()];
    target.set_world_rotation(plan, joint, &turned);
}
