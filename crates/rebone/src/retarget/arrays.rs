//! A retarget as arrays.

use super::job::RetargetJob;
use crate::error::Error;
use crate::export::{ResultArrays, round_pose};
use crate::report::Report;
use rebone_body::poses;
use rebone_skeleton::Clip;
use std::io::Write;

impl RetargetJob {
    /// Writes the arrays of a clip of the target, with contacts and verdict. Returns it rounded to single precision, as
    /// the arrays hold it.
    pub(super) fn write_arrays(
        &self,
        mut clip: Clip,
        report: &Report,
        file: &mut (dyn Write + Send),
    ) -> Result<Clip, Error> {
        poses::edit(&mut clip, |_, pose| round_pose(pose));
        let first = self.frame_offset() + self.dropped_frames();
        let arrays = ResultArrays { plan: self.plan(), clip: &clip, report, first };
        arrays.write(file)?;
        Ok(clip)
    }
}
