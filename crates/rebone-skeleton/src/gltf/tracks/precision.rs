//! What 32 bit numbers hold of a clip: refusals of what they do not, and the poses that are left.

use crate::gltf::error::WriteError;
use crate::gltf::read::Document;
use crate::gltf::tracks::reduce::{JointKeys, Keys, Tolerance};
use crate::{Clip, JointId, Pose};
use nalgebra::Vector3;

/// Rounding of a translation that is accepted whatever the tolerance, metres.
const MAX_ROUNDING_METRES: f64 = 1e-4;

/// Rounding of a time that is accepted, as a share of a frame.
const MAX_ROUNDING_FRAMES: f64 = 0.1;

/// Largest time that readers take.
pub(crate) const MAX_SECONDS: f64 = 1e9;

/// Checks that all numbers are finite.
pub(crate) fn check_finite(clip: &Clip) -> Result<(), WriteError> {
    let finite = |pose: Pose| {
        let translations =
            pose.translations.iter().flatten().all(|x| x.is_finite() && x.abs() < 1e30);
        translations && pose.rotations.iter().all(|turn| turn.coords.iter().all(|x| x.is_finite()))
    };
    match clip.poses().position(|pose| !finite(pose)) {
        Some(frame) => Err(WriteError::NotFinite(frame)),
        None => Ok(()),
    }
}

/// Checks that the time of each frame can be told from that of the next, and is one that readers take.
pub(crate) fn check_times(clip: &Clip) -> Result<(), WriteError> {
    let last = clip.len().saturating_sub(1) as f64 * clip.frame_time;
    let rounding = f64::from((last as f32).next_up()) - f64::from(last as f32);
    let is_apart = clip.len() < 2 || rounding / 2.0 <= MAX_ROUNDING_FRAMES * clip.frame_time;
    match is_apart && last <= MAX_SECONDS {
        true => Ok(()),
        false => Err(WriteError::Times { frames: clip.len(), frame_time: clip.frame_time }),
    }
}

impl Document {
    /// Checks that keys of a joint, which are in the units of the file, are where the clip has them, to the tolerance or 0.1 mm.
    pub(crate) fn check_precision(
        &self,
        joint: JointId,
        keys: &Keys<3>,
        clip: &Clip,
        tolerance: Tolerance,
    ) -> Result<(), WriteError> {
        let most = tolerance.length.max(MAX_ROUNDING_METRES);
        let metres = self.armature.unit(joint) * self.metres;
        let wanted: Vec<Vector3<f64>> = clip.translations(joint).collect();
        for (&frame, written) in keys.frames.iter().zip(&keys.values) {
            let exact = self.armature.translation_in_file(joint, &wanted[frame]);
            let off = (Vector3::from(*written) - exact).norm() * metres;
            // A number beyond those of 32 bits is infinite.
            if off.is_nan() || off > most {
                return Err(WriteError::Precision {
                    frame,
                    joint: format!("{:?}", self.skeleton()[joint].name.to_string()),
                    metres: exact.norm() * metres,
                    rounding: 1e3 * off,
                    expected: 1e3 * most,
                });
            }
        }
        Ok(())
    }

    /// The poses of all joints' keys, which are in the units of the file, in so many frames.
    pub(crate) fn clip_of_keys(&self, keys: &[JointKeys], frames: usize, frame_time: f64) -> Clip {
        let mut locals: Vec<_> = self.tree.iter().map(|node| node.local).collect();
        let mut cursors = vec![[0; 2]; keys.len()];
        let mut written = Clip::new(self.skeleton(), frame_time);
        let mut pose = self.skeleton().rest_pose();
        for frame in 0..frames {
            for (joint, (own, cursor)) in self.skeleton().ids().zip(keys.iter().zip(&mut cursors)) {
                let local = &mut locals[self.armature.node(joint)];
                local.rotation = own.rotations.turn(frame, &mut cursor[0]);
                local.translation = own.translations.place(frame, &mut cursor[1]);
            }
            self.armature.pose(&locals, &mut pose);
            written.push_own(&pose);
        }
        written
    }
}
