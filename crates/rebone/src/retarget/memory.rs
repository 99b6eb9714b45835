//! Forecast of the memory of a retarget.

use super::job::RetargetJob;
use crate::contacts::SupportTrajectories;
use crate::frame::{FootState, PoseOffset};
use crate::options::{ContactMode, Method};
use crate::quality::TrackedJoints;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::Format;
use std::mem::size_of;

/// Bytes of a program with two characters, without frames: 16 to 24 MB of four pairs.
const BASE_BYTES: usize = 24_000_000;
/// Bytes of a frame for the lists of the verdict, and for the keys of a joint that is written to a glTF (33 where most are
/// left out, 80 where none is): chosen on 44 peaks of 5 rigs, 4 clips and 3 formats, all of them within 20 %.
const VERDICT_BYTES: usize = 800;
const KEY_BYTES: usize = 46;

impl RetargetJob {
    /// Bytes that a program needs at its peak that does nothing but [`write`](Self::write) this job: within 20 % for thousands
    /// of frames.
    pub fn memory(&self, format: Format) -> usize {
        let (plan, count) = (self.plan(), self.frames().0);
        let joints = plan.target.skeleton.len();
        let source = self.source().clip().bytes_per_frame();
        let result = joints * size_of::<UnitQuaternion<f64>>()
            + self.file().moving.len() * size_of::<Vector3<f64>>();
        let tracked = TrackedJoints::new(plan);
        let supports = SupportTrajectories::bytes_per_frame(&tracked.probes[1]);
        let traced = supports + tracked.bytes_per_frame();
        let has_contacts =
            plan.options.method == Method::Ik && plan.options.contacts != ContactMode::Off;
        // The supports of the result as solved and as corrected, and those of the source without noise.
        let feet = plan.target.skin_soles.as_ref().map_or(0, |_| 4 * size_of::<FootState>());
        let contacts = source + result + traced + 3 * supports + feet + size_of::<PoseOffset>();
        let known = if has_contacts { traced + supports } else { 0 };
        let keys = match format {
            Format::Bvh | Format::Npz => 0,
            _ => joints * KEY_BYTES,
        };
        let kept = if format == Format::Npz { result } else { 0 };
        let verdict = source + kept + 2 * (traced + supports) + VERDICT_BYTES;
        let written = source + result + known + keys.max(traced);
        let peak = verdict.max(written).max(if has_contacts { contacts } else { 0 });
        BASE_BYTES.saturating_add(count.saturating_mul(peak))
    }
}
