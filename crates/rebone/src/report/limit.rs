//! Joint limits that were active, their duration and cost.

use crate::align::Plan;
use rebone_body::limits::{ActiveLimit, angle_name, joint_range, variable_names};
use serde::Serialize;

/// One end of the range of one angle of a target's joint, and what it did in the frames in which it
/// bound.
///
/// A limit binds where it costs more than 0.1 mm of a 1.7 m body, or keeps the closed-form start from
/// its angle by more than 0.001 radians.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitReport {
    /// The joint's name in the target's file.
    pub joint: String,
    /// Its role, if it plays one.
    pub role: Option<String>,
    /// Display name of the angle: "bend", "side", "twist", "swing x", "swing z", "x channel".
    pub angle: String,
    /// Name in cards: "swing_x", "swing_z", "twist", "x", "y", "z".
    pub variable: String,
    /// End of the range: "lower" or "upper".
    pub end: &'static str,
    /// Least and greatest angle, degrees, before a frame's source widens them.
    pub range: [f64; 2],
    /// In how many frames it bound.
    pub frames: usize,
    /// Their duration, seconds.
    pub seconds: f64,
    /// The first of these frames in the source's clip, counted from 0.
    pub first_frame: usize,
    /// The one in which it cost most.
    pub worst_frame: usize,
    /// The angle in that frame, degrees: outside the range where the source widened it.
    pub at: f64,
    /// Overshoot without the limit in that frame, degrees.
    pub overshoot: f64,
    /// Cost in that frame, metres of a 1.7 m body.
    pub worst: f64,
    /// The mean cost of the frames in which it bound.
    pub mean: f64,
    /// Joint, variable, and whether it is the upper end.
    #[serde(skip)]
    key: (usize, usize, bool),
}

impl LimitReport {
    /// A limit that has bound in no frame yet.
    fn new(plan: &Plan, frame: usize, active_limit: &ActiveLimit) -> Self {
        let (anatomy, joint, k) = (&plan.target, active_limit.joint, active_limit.variable);
        let own = joint_range(anatomy, joint);
        let names = variable_names(anatomy, joint, &own);
        let variable = names.get(k).copied().unwrap_or_default();
        let key = key(active_limit);
        Self {
            joint: anatomy.skeleton[joint].name.to_string(),
            role: anatomy.roles.of(joint).map(|role| role.name()),
            angle: angle_name(anatomy, joint, variable),
            variable: variable.to_owned(),
            end: if key.2 { "upper" } else { "lower" },
            range: [own.lower[k], own.upper[k]].map(f64::to_degrees),
            frames: 0,
            seconds: 0.0,
            first_frame: frame,
            worst_frame: frame,
            at: active_limit.value.to_degrees(),
            overshoot: active_limit.overshoot.abs().to_degrees(),
            worst: active_limit.cost,
            mean: 0.0,
            key,
        }
    }

    fn add(&mut self, frame: usize, active_limit: &ActiveLimit) {
        self.frames += 1;
        self.mean += active_limit.cost;
        if active_limit.cost > self.worst {
            (self.worst, self.worst_frame) = (active_limit.cost, frame);
            self.at = active_limit.value.to_degrees();
            self.overshoot = active_limit.overshoot.abs().to_degrees();
        }
    }

    fn append(&mut self, later: &Self) {
        self.frames += later.frames;
        self.mean += later.mean;
        if later.worst > self.worst {
            (self.worst, self.worst_frame) = (later.worst, later.worst_frame);
            (self.at, self.overshoot) = (later.at, later.overshoot);
        }
    }
}

/// Adds what bound in later frames.
pub(crate) fn append(limits: &mut Vec<LimitReport>, later: &[LimitReport]) {
    for later in later {
        match limits.iter_mut().find(|limit| limit.key == later.key) {
            Some(limit) => limit.append(later),
            None => limits.push(later.clone()),
        }
    }
}

fn key(active_limit: &ActiveLimit) -> (usize, usize, bool) {
    (active_limit.joint.index(), active_limit.variable, active_limit.overshoot > 0.0)
}

/// Adds what bound in a frame.
pub(crate) fn record(
    limits: &mut Vec<LimitReport>,
    plan: &Plan,
    frame: usize,
    active_limits: impl Iterator<Item = ActiveLimit>,
) {
    for active_limit in active_limits {
        let key = key(&active_limit);
        match limits.iter_mut().find(|limit| limit.key == key) {
            Some(limit) => limit.add(frame, &active_limit),
            None => {
                let mut limit = LimitReport::new(plan, frame, &active_limit);
                limit.add(frame, &active_limit);
                limits.push(limit);
            }
        }
    }
}

/// Turns sums into means, and sorts by what each limit cost over the whole clip.
pub(crate) fn finish(limits: &mut [LimitReport], frame_time: f64) {
    limits.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    for limit in limits {
        limit.seconds = limit.frames as f64 * frame_time;
        limit.mean /= limit.frames as f64;
    }
}
