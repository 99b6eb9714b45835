//! Contact sheet or animation of a retarget, recorded while its result is written.

use crate::engine::{file_name, label};
use rebone::skeleton::Pose;
use rebone::{Report, RetargetJob};
use rebone_batch::Picture;
use rebone_view::{RetargetSheet, SheetNames};
use std::path::Path;

/// Contact sheet or animation of source and result of a retarget.
struct JobSheet<'a> {
    job: &'a RetargetJob,
    sheet: RetargetSheet<'a>,
    is_moving: bool,
}

/// Starts the contact sheet of a retarget.
pub(crate) fn start(job: &RetargetJob) -> Box<dyn Picture + '_> {
    let (count, frame_time) = job.frames();
    with_skins(job, RetargetSheet::new(job.plan(), count, frame_time), false)
}

/// Starts the animation of a retarget.
pub(crate) fn start_moving(job: &RetargetJob) -> Box<dyn Picture + '_> {
    let (count, frame_time) = job.frames();
    with_skins(job, RetargetSheet::moving(job.plan(), count, frame_time), true)
}

fn with_skins<'a>(
    job: &'a RetargetJob,
    sheet: RetargetSheet<'a>,
    is_moving: bool,
) -> Box<dyn Picture + 'a> {
    let skins = [job.source(), job.target()].map(|character| character.skin_mesh());
    let sheet = sheet.with_skins(skins.each_ref());
    Box::new(JobSheet { job, sheet, is_moving })
}

impl Picture for JobSheet<'_> {
    fn add(&mut self, pose: &Pose) {
        self.sheet.add(pose).expect("the pose is the job's");
    }

    fn draw(mut self: Box<Self>, result: &Path, report: &Report) -> Vec<u8> {
        let job = self.job;
        self.sheet.follow_floor(report);
        let source = label(job.source());
        let [target, result] = [job.target().path(), result].map(file_name);
        let names = SheetNames { source: &source, target: &target, result: &result };
        let (clip, dropped) = (job.source().clip(), job.dropped_frames());
        let drawn = match self.is_moving {
            true => self.sheet.animate(clip, dropped, names),
            false => self.sheet.draw(clip, [dropped, job.frame_offset()], names),
        };
        drawn.expect("the clip is the job's")
    }
}
