//! Corrections of a clip that enforce its contacts.

use super::hand_clearance::lift_hands;
use super::level_soles::level_soles;
use super::root_height::smoothed_rise;
use super::segment_problem::SegmentProblem;
use super::targets::segment_bodies::SegmentBodies;
use super::tilt::root_tilt;
use super::trunk_clearance::raise_trunk;
use super::turned_feet::{smooth_toes, turn_feet};
use crate::align::Plan;
use crate::contacts::detect::SupportTrajectories;
use crate::contacts::{Contact, DetectedContacts};
use crate::frame::PoseOffset;
use nalgebra::UnitQuaternion;
use rebone_body::body::Limb;
use std::ops::Range;

/// Offsets over a whole clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactCorrection {
    /// One per frame.
    pub(crate) offsets: Vec<PoseOffset>,
}

impl ContactCorrection {
    /// Computes the corrections of the result in `target`, given the source and its contacts, over segments of the
    /// clip.
    pub(crate) fn new(
        plan: &Plan,
        [source, target]: [&SupportTrajectories; 2],
        DetectedContacts { low_passed, terrain, contacts }: &DetectedContacts,
        segments: &[Range<usize>],
    ) -> Self {
        let keep = plan.options.contacts;
        let lengths =
            [&plan.source, &plan.target].map(|anatomy| Limb::ALL.map(|limb| limb.length(anatomy)));
        let below = terrain.scaled_to_target(plan);
        let pair = SegmentBodies {
            source,
            low_passed,
            target,
            terrain,
            below: &below,
            scale: plan.path_scale,
            keep,
            levels_feet: plan.target.skin_soles.is_some() && !plan.is_same_rig(),
        };
        let mut offsets = vec![PoseOffset::default(); source.len()];
        let mut moved = target.clone();
        for segment in segments {
            let is_kept = |own: &&Contact| {
                let Range { start, end } = own.frames;
                let within = segment.start <= start && start < end && end <= segment.end;
                within && keep.parts().contains(&own.part)
            };
            let kept: Vec<&Contact> = contacts.iter().filter(is_kept).collect();
            let offsets = &mut offsets[segment.clone()];
            smooth_toes(target, segment, offsets);
            if kept.is_empty() {
                lift_hands(&pair, segment, offsets);
            } else {
                correct(plan, &pair, &mut moved, lengths, (segment, &kept), offsets);
            }
        }
        Self { offsets }
    }
}

/// Computes the offsets of a segment with its contacts; `moved` is the target, translated and tilted as far as known.
fn correct(
    plan: &Plan,
    pair: &SegmentBodies,
    moved: &mut SupportTrajectories,
    lengths: [[f64; 4]; 2],
    (segment, contacts): (&Range<usize>, &[&Contact]),
    offsets: &mut [PoseOffset],
) {
    level_soles(plan, pair, moved, (segment, contacts), offsets);
    turn_feet(plan, moved, segment, offsets);
    let smoothed_rise = smoothed_rise(plan, pair, segment, contacts);
    for (frame, by) in segment.clone().zip(&smoothed_rise) {
        moved.shift(frame, by);
    }
    let mut contact_targets = pair.with_target(moved).contact_targets(contacts, segment);
    let tilted = plan
        .can_tilt()
        .then(|| root_tilt(&pair.with_target(moved), segment, &contact_targets))
        .flatten();
    if let Some(tilts) = tilted {
        for ((frame, offsets), tilt) in segment.clone().zip(offsets.iter_mut()).zip(tilts) {
            offsets.tilt = tilt;
            moved.tilt(frame, &UnitQuaternion::from_scaled_axis(tilt));
        }
        contact_targets = pair.with_target(moved).contact_targets(contacts, segment);
    }
    SegmentProblem::new(pair.with_target(moved), lengths, segment.clone(), &contact_targets)
        .solve(offsets);
    raise_trunk(&pair.with_target(moved), segment, offsets);
    lift_hands(&pair.with_target(moved), segment, offsets);
    for (offsets, by) in offsets.iter_mut().zip(&smoothed_rise) {
        offsets.root += by;
        offsets.ends.iter_mut().flatten().for_each(|end| *end += by);
    }
}
