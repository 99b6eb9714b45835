//! A retarget as arrays: the file holds the verdict, so it is written when all is known.

use super::job::RetargetJob;
use crate::error::Error;
use crate::export::{ResultArrays, round_pose};
use crate::math::poses;
use crate::report::Report;
use rebone_skeleton::{Clip, Pose};
use std::io::Write;

impl RetargetJob {
    /// Solves the clip, and writes its arrays at the end; each pose goes to `each` as well.
    pub(super) fn write_arrays<E: From<Error> + Send>(
        &self,
        file: &mut (dyn Write + Send),
        mut each: impl FnMut(&Pose) -> Result<(), E> + Send,
    ) -> Result<Report, E> {
        let mut clip = Clip::new(&self.plan().target.skeleton, self.frames().1);
        let report = self.run::<E>(|pose| {
            each(pose)?;
            poses::push(&mut clip, pose);
            Ok(())
        })?;
        self.write_arrays_of(clip, &report, file)?;
        Ok(report)
    }

    /// Writes the arrays of a clip of the target, rounded to single precision, with contacts and verdict.
    pub(super) fn write_arrays_of(
        &self,
        mut clip: Clip,
        report: &Report,
        file: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        poses::edit(&mut clip, |_, pose| round_pose(pose));
        let first = self.frame_offset() + self.dropped_frames();
        let arrays = ResultArrays { plan: self.plan(), clip: &clip, report, first };
        Ok(arrays.write(file)?)
    }
}
