//! Results that are called as a folder of others, which cannot be a file: they get other names.

use crate::find::inputs::FoundClips;
use crate::find::result_folders::ResultFolders;
use crate::jobs::BatchJob;
use crate::jobs::names;
use crate::jobs::request::{BatchRequest, Progress, Watch};
use crate::jobs::tar_jobs::line_path;
use std::path::PathBuf;

/// Gives another name to each result that is called as a folder, or whose line in a tar or picture is; says so. Folders are
/// those of results, and those of all motion files among the inputs: no matter of which shard, a result has one name.
pub(crate) fn name_apart(
    jobs: &mut [BatchJob],
    found: &FoundClips,
    request: &BatchRequest,
    watch: &mut Watch,
) {
    let mut own = ResultFolders::default();
    jobs.iter().filter_map(|job| job.path.parent()).for_each(|folder| own.add(folder));
    let mut first = None;
    let mut count = 0;
    for job in jobs {
        let Some(folder) = files_of(job, request)
            .into_iter()
            .find(|path| own.has(path) || found.folders.has(path))
        else {
            continue;
        };
        job.path = names::apart(&job.path);
        count += 1;
        first.get_or_insert_with(|| {
            let (clip, path) = (found.clips[job.clip].path.display(), job.path.display());
            format!("{} is a folder: the result of {clip} is {path}", folder.display())
        });
    }
    if let Some(first) = first {
        let more = match count {
            1 => String::new(),
            _ => format!("; {} more have such names", count - 1),
        };
        watch(Progress::Note(&format!("{first}{more}")));
    }
}

/// Paths of all files of a job below one folder: its result, and its line in a tar, or its picture.
fn files_of(job: &BatchJob, request: &BatchRequest) -> Vec<PathBuf> {
    let line = job.tar.as_ref().map(|_| line_path(&job.path));
    let picture = request.pictures.as_ref().map(|_| job.path.with_extension("png"));
    [Some(job.path.clone()), line, picture].into_iter().flatten().collect()
}
