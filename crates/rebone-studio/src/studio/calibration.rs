//! Both bodies in their calibration poses, and the frames that turns are about.

use super::Studio;
use crate::answer::{Answer, Failure};
use crate::edit::turned_frames;
use crate::poses::{JOINT_BYTES, write_numbers, write_pose};
use crate::request::{Document, Side};
use rebone::skeleton::forward_kinematics;
use serde_json::json;

impl Studio {
    /// Both bodies in their calibration poses: first all joints of the source, then those of the target. Then the frames of
    /// the joints' segments in the pose that turns correct, of `frames` joints of each body: without the joint's own turn and
    /// with it, `x y z w` each. A body without them takes no turns.
    pub(super) fn calibration(&mut self, document: &Document) -> Result<Answer, Failure> {
        let sides = [Side::Source, Side::Target];
        let frames = sides.map(|side| {
            let anatomy = self.plain_anatomy(side, document)?;
            Some(turned_frames(document.cards.of(side), anatomy))
        });
        let plan = self.pair(document)?.plan();
        let worlds = plan.world_from_files(0.0, 0.0);
        let mut bytes = Vec::new();
        for (anatomy, world_from_file) in [&plan.source, &plan.target].into_iter().zip(&worlds) {
            let world = forward_kinematics(&anatomy.skeleton, &anatomy.calibration_pose())?;
            write_pose(&world, world_from_file, &mut bytes);
        }
        let mut counts = [0, 0];
        for (side, frames) in sides.into_iter().zip(frames) {
            let Some(frames) = frames.transpose()? else { continue };
            counts[side.index()] = frames.len();
            for rotation in frames.as_flattened() {
                let rotation = worlds[side.index()].isometry.rotation * rotation;
                write_numbers(rotation.coords.as_slice(), &mut bytes);
            }
        }
        let joints = [&plan.source, &plan.target].map(|anatomy| anatomy.skeleton.len());
        let fields = json!({ "joints": joints, "frames": counts, "stride": JOINT_BYTES });
        Ok(Answer::new(fields, bytes))
    }
}
