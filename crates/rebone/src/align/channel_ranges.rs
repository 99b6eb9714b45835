//! Ranges of channels in the written file.

use super::plan::Plan;
use rebone_body::LimitMode;
use rebone_body::body::channel_name;
use rebone_body::limits::joint_range;
use rebone_ik::LinkMotion;
use rebone_skeleton::JointId;

impl Plan {
    /// Returns the ranges of the target's channels that a result keeps, for
    /// [`WriteOptions::ranges`](rebone_skeleton::bvh::WriteOptions): degrees, for each rotation channel of a joint in
    /// the order of the file.
    ///
    /// A rotation has several Euler representations; with these ranges the writer takes the one within the limits.
    pub fn channel_ranges(&self) -> Vec<(JointId, Vec<[f64; 2]>)> {
        let body = &self.target.body;
        let top = body.trunk[body.trunk_top()];
        let joints = self.target.skeleton.ids().filter(|&joint| joint != top);
        joints.filter_map(|joint| Some((joint, ranges(self, joint)?))).collect()
    }
}

/// Returns the ranges of a joint; `None` if its channels are unlimited, or its limits are those of a ball joint.
fn ranges(plan: &Plan, joint: JointId) -> Option<Vec<[f64; 2]>> {
    let own = joint_range(&plan.target, joint);
    let axes = &plan.target.skeleton[joint].rotation_axes;
    if !matches!(own.motion, LinkMotion::Axes(_)) {
        return None;
    }
    let stated = plan.target.limits.iter().find(|(id, _)| *id == joint);
    let stated = stated.map_or(&[][..], |(_, limits)| limits);
    let range = |(k, &axis)| {
        let name = channel_name(axis);
        match stated.iter().find(|(variable, _)| variable == name) {
            Some((_, range)) => *range,
            None if own.stated[k] || plan.options.limits != LimitMode::Source => {
                [own.lower[k], own.upper[k]].map(f64::to_degrees)
            }
            None => [f64::NEG_INFINITY, f64::INFINITY],
        }
    };
    let ranges: Vec<[f64; 2]> = axes.iter().enumerate().map(range).collect();
    ranges.iter().flatten().any(|end| end.is_finite()).then_some(ranges)
}
