//! Feet on the ground: feet and toes that are longer than the source's pitch less, and toes bend where the source's are missing,
//! or stiff and without a tip.

use super::pitch::{MAX_TOE_BEND_RADIANS, beyond_slope, pitch_of, pitch_up};
use super::source_pose::SourcePose;
use super::target_pose::TargetPose;
use super::toe_mesh::ToeMesh;
use crate::align::{Plan, Rule};
use crate::math::ease;
use rebone_body::body::Side;
use rebone_skeleton::JointId;

/// Length of a foot over the source's, scaled, from which on it pitches less.
const MIN_LENGTH_RATIO: f64 = 1.25;
/// Bend of the source's toes from which on they are not stiff: 15 degrees.
const MIN_SOURCE_BEND_RADIANS: f64 = std::f64::consts::PI / 12.0;

/// Feet of a plan that the source's do not pose on their own.
#[derive(Clone, Debug)]
pub(crate) struct Feet([Foot; 2]);

/// A foot of the target.
#[derive(Clone, Copy, Debug)]
struct Foot {
    side: Side,
    /// Factors on the sine of the pitch: toes up, which turns about the heel, and heel up.
    pitch: [f64; 2],
    /// Toes that are longer than the source's and do not bend by themselves, and the factor on a small pitch downwards.
    long_toes: Option<(JointId, f64)>,
    /// Toes that bend by themselves.
    toes: Option<JointId>,
    /// Foot and toes of the source, where it has toes without a tip.
    source_toes: Option<[JointId; 2]>,
    /// Toes with a mesh.
    toe_mesh: Option<ToeMesh>,
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
            let ratios = &plan.supports.foot_ratios[side.index()];
            let pitch = [ratios.heel, ratios.front]
                .map(|ratio| ratio.filter(|_| is_free(to.foot)).unwrap_or(1.0))
                .map(|ratio| (MIN_LENGTH_RATIO * ratio).min(1.0));
            let follows =
                |toes: &JointId| is_free(*toes) && plan.rules[toes.index()] != Rule::KeepRest;
            // The reach of the whole without that of the foot.
            let long = ratios.tip.map(|tip| {
                let ball = ratios.ball_over_tip;
                ((MIN_LENGTH_RATIO * tip - pitch[1] * ball) / (1.0 - ball)).max(0.0)
            });
            let long = long.filter(|factor| *factor < 1.0 && bends.is_none());
            let long_toes = to.toes.filter(follows).zip(long);
            let toe_mesh = ToeMesh::new(plan, side);
            Foot { side, pitch, long_toes, toes: bends, source_toes, toe_mesh }
        }))
    }

    /// Returns whether toes bend by themselves.
    pub(crate) fn bends_toes(&self) -> bool {
        self.0.iter().any(|foot| foot.toes.is_some())
    }

    /// Pitches feet and bends toes in a posed frame. Returns how far toes are bent beyond the source's so that they stay off
    /// the ground, left and right, radians.
    pub(crate) fn pose(
        &self,
        plan: &Plan,
        source: &SourcePose,
        target: &mut TargetPose,
    ) -> [f64; 2] {
        let nearness = plan.supports.nearness_of_feet(&source.world);
        [0, 1].map(|side| {
            let (foot, nearness) = (&self.0[side], nearness[side]);
            if nearness > 0.0 { foot.pose(plan, (source, nearness), target) } else { 0.0 }
        })
    }
}

impl Foot {
    fn pose(
        &self,
        plan: &Plan,
        (source, nearness): (&SourcePose, f64),
        target: &mut TargetPose,
    ) -> f64 {
        let leg = &plan.target.body.legs[self.side.index()];
        let group = plan.groups[leg.foot.index()].place();
        if self.pitch != [1.0; 2] {
            let toes = leg.toes.filter(|toes| plan.rules[toes.index()] != Rule::KeepRest);
            let kept = toes.map(|toes| (toes, target.world.rotations[toes.index()]));
            let pitch = pitch_of(plan, target, leg.foot);
            let factor = self.pitch[usize::from(pitch < 0.0)];
            let beyond = beyond_slope(pitch);
            let wanted = libm::asin(factor * libm::sin(beyond));
            pitch_up(plan, target, leg.foot, (wanted - beyond) * nearness);
            target.update_group(plan, group);
            if let Some((toes, rotation)) = kept {
                target.set_world_rotation(plan, toes, &rotation);
                target.update_group(plan, group);
            }
        }
        if let Some((toes, factor)) = self.long_toes {
            // Slopes count twice: toes on the ground bear. Nothing jumps where toes hang straight down or are overturned.
            let down = beyond_slope(beyond_slope(pitch_of(plan, target, toes))).min(0.0);
            pitch_up(plan, target, toes, -(1.0 - factor) * libm::sin(down) * nearness);
            target.update_group(plan, plan.groups[toes.index()].place());
        }
        let mut bent = 0.0;
        if let Some(toes) = self.toes {
            let down = -beyond_slope(pitch_of(plan, target, toes));
            let share = nearness * self.source_toes.map_or(1.0, |pair| stiffness(source, pair));
            let bend = down.clamp(0.0, MAX_TOE_BEND_RADIANS) * share;
            pitch_up(plan, target, toes, bend);
            target.update_group(plan, plan.groups[toes.index()].place());
            bent = bend;
        }
        bent + self.toe_mesh.map_or(0.0, |toes| toes.pose(plan, (source, nearness), target))
    }
}

/// Bends the toes of a posed foot upwards.
pub(super) fn bend_toes(plan: &Plan, target: &mut TargetPose, side: Side, angle: f64) {
    if let Some(toes) = plan.target.body.legs[side.index()].toes.filter(|_| angle != 0.0) {
        pitch_up(plan, target, toes, angle);
        target.update_group(plan, plan.groups[toes.index()].place());
    }
}

/// Returns 1 where the toes of the source are straight, 0 where they are bent.
fn stiffness(source: &SourcePose, [foot, toes]: [JointId; 2]) -> f64 {
    let bend = source.turns[foot.index()].angle_to(&source.turns[toes.index()]);
    1.0 - ease(bend / MIN_SOURCE_BEND_RADIANS)
}
