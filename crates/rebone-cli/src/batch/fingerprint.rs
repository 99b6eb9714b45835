//! What a result depends on besides files.

use super::options::Settings;
use crate::args::{Blend, LeadingPose};
use serde::Serialize;

/// All that a result depends on besides files, as text to hash: the options, and the program's version.
#[derive(Serialize)]
struct Fingerprint<'a> {
    version: &'a str,
    limbs: [f64; 2],
    limits: String,
    method: String,
    solver: &'a str,
    contacts: String,
    contact_detector: String,
    floor: Option<f64>,
    root: String,
    travel: String,
    fps: Option<f64>,
    ground: bool,
    base: Option<&'a str>,
    only: String,
    drop: bool,
    frames: Option<[Option<usize>; 2]>,
    decimals: Option<u8>,
    tolerance: [f64; 2],
    animation_only: bool,
}

impl Settings {
    /// The hash of what changes a result.
    pub(crate) fn hash(&self) -> String {
        let wishes = &self.wishes;
        let limb = |own: Option<Blend>| own.unwrap_or(wishes.limbs).0;
        let print = Fingerprint {
            version: env!("CARGO_PKG_VERSION"),
            limbs: [limb(wishes.arms), limb(wishes.legs)],
            limits: format!("{:?}", wishes.limits),
            method: format!("{:?}", wishes.method),
            solver: wishes.solver.name(),
            contacts: format!("{:?}", wishes.contacts),
            contact_detector: format!("{:?}", wishes.contact_detector),
            floor: wishes.floor,
            root: format!("{:?}", wishes.root),
            travel: format!("{:?}", wishes.travel),
            fps: wishes.fps,
            ground: wishes.ground,
            base: wishes.base.as_deref(),
            only: format!("{:?}", wishes.only),
            drop: wishes.leading_pose == LeadingPose::Drop,
            frames: self.frames.map(|range| [Some(range.start), range.end]),
            decimals: self.written.decimals,
            tolerance: [self.written.tolerance.angle, self.written.tolerance.length],
            animation_only: self.written.animation_only,
        };
        super::hash::of(&serde_json::to_vec(&print).expect("numbers and text are JSON"))
    }
}
