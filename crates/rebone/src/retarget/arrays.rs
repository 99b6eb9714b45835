//! A retarget as arrays: the file holds the verdict, so it is written when all is known.

use super::job::RetargetJob;
use crate::error::Error;
use crate::export::{ResultArrays, round_pose};
use crate::math::poses;
use crate::report::Report;
use crate::watch::Halt;
use rebone_skeleton::{Clip, Format, Pose};
use std::io::Write;

impl RetargetJob {
    /// Solves the clip, and writes its arrays at the end; each pose goes to `each` as well.
    pub(super) fn write_arrays<E: From<Error> + Send>(
        &self,
        file: &mut (dyn Write + Send),
        mut each: impl FnMut(&Pose) -> Result<(), E> + Send,
    ) -> Result<Report, E> {
        let mut clip = Clip::new(&self.plan().target.skeleton, self.frames().1);
        let solved = self.solve::<E>(|pose| {
            each(pose)?;
            poses::push(&mut clip, pose);
            Ok(())
        });
        let (report, evidence) = solved.map_err(Halt::error::<Error>)?;
        poses::edit(&mut clip, |_, pose| round_pose(pose));
        let report = self.finish_written(report, evidence, Some(&clip));
        self.arrays(&clip, Some(&report)).write(file).map_err(Error::from)?;
        Ok(report)
    }

    /// Writes the result, whose clip was solved before, as [`write`](Self::write) does: arrays hold contacts and verdict, for which
    /// the clip is solved again.
    pub(super) fn write_result(
        &self,
        format: Format,
        clip: &Clip,
        file: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        match format {
            Format::Npz => self.write_arrays(file, |_| Ok::<(), Error>(())).map(drop),
            _ => self.write_clip(format, clip, file),
        }
    }

    /// Writes the arrays of a clip of the target, without contacts and verdict.
    pub(super) fn write_arrays_of(
        &self,
        clip: &Clip,
        file: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        let mut rounded = clip.clone();
        poses::edit(&mut rounded, |_, pose| round_pose(pose));
        Ok(self.arrays(&rounded, None).write(file)?)
    }

    fn arrays<'a>(&'a self, clip: &'a Clip, report: Option<&'a Report>) -> ResultArrays<'a> {
        let first = self.frame_offset() + self.dropped_frames();
        ResultArrays { plan: self.plan(), clip, report, first }
    }
}
