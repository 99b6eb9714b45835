//! Depths of a result's hands and forearms in the own body.

use super::Studio;
use crate::answer::{Answer, Failure};
use crate::poses::write_numbers;
use rebone::skeleton::nalgebra::Point3;
use serde_json::json;

impl Studio {
    /// The surface samples of a frame of the result that are near the own body: `x y z` in the stage's world and the signed
    /// distance, metres of a 1.7 m body, negative inside. `worst` is the deepest of them; `known` is false where no surface is.
    pub(super) fn depths(&self, frame: usize) -> Result<Answer, Failure> {
        let (pair, solved) = self.solved()?;
        let pose =
            solved.clip.pose(frame).ok_or_else(|| Failure::no_frame(frame, solved.clip.len()))?;
        let (yaw, rise) = pair.offsets();
        let world_from_file = pair.plan().world_from_files(yaw, rise)[1];
        let samples = rebone::arm_depths(&pair.plan().target, &pose)?;
        let is_known = samples.is_some();
        let samples = samples.unwrap_or_default();
        let mut bytes = Vec::new();
        for (_, _, place, distance) in &samples {
            let place = world_from_file * Point3::from(*place);
            write_numbers(&[place.x, place.y, place.z, *distance], &mut bytes);
        }
        let worst = samples.iter().min_by(|a, b| a.3.total_cmp(&b.3)).map(|(part, on, _, distance)| {
            json!({ "part": part.to_string(), "on": on.to_string(), "distance": distance })
        });
        let fields = json!({ "samples": samples.len(), "known": is_known, "worst": worst });
        Ok(Answer::new(fields, bytes))
    }
}
