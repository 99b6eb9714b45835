//! Contact sheet or animation of source and result of a retarget.

use crate::engine::{file_name, label};
use rebone::skeleton::Clip;
use rebone::{Report, RetargetJob};
use rebone_view::{RetargetSheet, SheetNames};
use std::path::Path;

/// Draws a contact sheet as PNG; `path` is that of the result.
pub(crate) fn draw(job: &RetargetJob, clip: &Clip, report: &Report, path: &Path) -> Vec<u8> {
    picture(job, clip, report, path, false)
}

/// Draws an animation as GIF; `path` is that of the result.
pub(crate) fn animate(job: &RetargetJob, clip: &Clip, report: &Report, path: &Path) -> Vec<u8> {
    picture(job, clip, report, path, true)
}

fn picture(
    job: &RetargetJob,
    clip: &Clip,
    report: &Report,
    path: &Path,
    is_moving: bool,
) -> Vec<u8> {
    let (plan, count) = (job.plan(), clip.len());
    let sheet = match is_moving {
        true => RetargetSheet::moving(plan, count, clip.frame_time),
        false => RetargetSheet::new(plan, count, clip.frame_time),
    };
    let skins = [job.source(), job.target()].map(|character| character.skin_mesh());
    let mut sheet = sheet.with_skins(skins.each_ref());
    for pose in clip.poses() {
        sheet.add(&pose).expect("the pose is the job's");
    }
    sheet.follow_floor(report);
    let source = label(job.source());
    let [target, result] = [job.target().path(), path].map(file_name);
    let names = SheetNames { source: &source, target: &target, result: &result };
    let (clip, dropped) = (job.source().clip(), job.dropped_frames());
    let drawn = match is_moving {
        true => sheet.animate(clip, dropped, names),
        false => sheet.draw(clip, [dropped, job.frame_offset()], names),
    };
    drawn.expect("the clip is the job's")
}
