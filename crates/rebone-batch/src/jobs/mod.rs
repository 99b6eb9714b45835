//! Jobs of a batch: clips onto rigs.

pub(crate) mod names;
pub(crate) mod names_apart;
pub(crate) mod request;
pub(crate) mod rules;
pub(crate) mod tar_jobs;
pub(crate) mod unused_options;

use crate::disk::folders::PARTS;
use crate::disk::path_text::path_text;
use crate::error::BatchError;
use crate::find::input_clip::InputClip;
use crate::find::inputs::{FoundClips, Input};
use crate::jobs::names::{NameTemplate, extension, merged_path};
use crate::jobs::names_apart::name_apart;
use crate::jobs::request::{BatchRequest, Watch};
use crate::jobs::rules::OptionRules;
use crate::record::result_version::RESULT_VERSION;
use rebone::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A clip onto a rig.
#[derive(Clone, Debug)]
pub(crate) struct BatchJob {
    /// Index of the clip in [`FoundClips::clips`].
    pub(crate) clip: usize,
    /// Index of the rig in [`BatchRequest::targets`].
    pub(crate) rig: usize,
    /// Path of the result, below the output folder.
    pub(crate) path: PathBuf,
    /// Path of the tar that it is in, of a clip in a tar: a part of `path`.
    pub(crate) tar: Option<Arc<Path>>,
    /// Name in a merged file, where one is wanted: the clip with its folders.
    pub(crate) animation: Option<String>,
    /// Options of the retarget.
    pub(crate) options: Options,
}

impl BatchJob {
    /// Path of the file that is written: the result, or the tar that it is in.
    pub(crate) fn file(&self) -> &Path {
        self.tar.as_deref().unwrap_or(&self.path)
    }

    /// Hashes the options and the version of results.
    pub(crate) fn options_hash(&self) -> String {
        let options = Options { accept_guesses: false, ..self.options.clone() };
        let text = serde_json::to_vec(&(RESULT_VERSION, options));
        crate::record::hash::of(&text.expect("options are JSON"))
    }
}

/// Lists all clips onto all rigs, except those that a rule leaves out. Says which results get other names than usual.
///
/// # Errors
/// When two results would have one name, or replace an input.
pub(crate) fn jobs(
    request: &BatchRequest,
    found: &FoundClips,
    rules: &OptionRules,
    watch: &mut Watch,
) -> Result<Vec<BatchJob>, BatchError> {
    if request.one_file && request.format.is_some() {
        let message = "--format has no effect: --one-file merges into a .glb or .vrm";
        return Err(BatchError::Request(message.to_owned()));
    }
    let rigs = &request.targets;
    let usual_name = request.name.clone().unwrap_or(NameTemplate::usual(rigs.len()));
    let mut usual = request.options.clone();
    // Merged files hold the rig's mesh once, their parts do not.
    usual.animation_only |= request.one_file;
    let mut jobs = Vec::new();
    for (clip, input) in found.clips.iter().enumerate() {
        for (rig, target) in rigs.iter().enumerate() {
            let Some(options) = rules.options(input, target, &usual) else { continue };
            let named = rules.name(input, target);
            let template = named.unwrap_or(&usual_name);
            let path = match request.one_file {
                true => {
                    let part = template.apart(rigs.len()).path(input, target, "glb");
                    Path::new(PARTS).join(part)
                }
                false => template.path(
                    input,
                    target,
                    extension(target, request.format, usual.animation_only),
                ),
            };
            let named = named.or(request.name.as_ref());
            let animation = request.one_file.then(|| animation_name(named, input, target));
            let tar = input.place.as_ref().map(|place| Arc::clone(&place.result));
            jobs.push(BatchJob { clip, rig, path, tar, animation, options });
        }
    }
    name_apart(&mut jobs, found, request, watch);
    let source = |job: &BatchJob| found.clips[job.clip].path.as_path();
    let mut paths: Vec<_> = jobs.iter().map(|job| (job.path.clone(), source(job))).collect();
    if request.one_file {
        paths.extend(rigs.iter().map(|rig| (merged_path(rig), rig.as_path())));
    }
    let clips = found.clips.iter().map(|clip| clip.path.as_path());
    let lists = request.inputs.iter().filter_map(|input| match input {
        Input::List { name, .. } => Some(Path::new(name)),
        Input::Files(_) => None,
    });
    let read = rigs.iter().chain(&request.rules).map(PathBuf::as_path);
    let inputs: Vec<&Path> = clips.chain(read).chain(lists).collect();
    names::check(&paths, &inputs, &request.output)?;
    check_animations(&jobs, found)?;
    Ok(jobs)
}

/// Name of an animation in a merged file: its clip's with folders, or as a template states it.
fn animation_name(template: Option<&NameTemplate>, clip: &InputClip, rig: &Path) -> String {
    let name = template.map_or_else(|| clip.stem(), |own| own.text(clip, rig));
    path_text(&slashed(&clip.folder.join(name)))
}

/// Refuses two animations of one name in a merged file.
fn check_animations(jobs: &[BatchJob], found: &FoundClips) -> Result<(), BatchError> {
    let mut taken = BTreeMap::new();
    for job in jobs {
        let Some(name) = &job.animation else { continue };
        if let Some(other) = taken.insert((job.rig, name), job.clip) {
            let clips = [other, job.clip].map(|clip| &*found.clips[clip].path);
            // The text of a name that is not UTF-8 can be another name.
            let shown = |path: &Path| match path.to_str() {
                Some(text) => text.to_owned(),
                None => format!("{}, a name that is not UTF-8,", path_text(path)),
            };
            let [other, clip] = clips.map(shown);
            let help = match clips.iter().all(|path| path.to_str().is_some()) {
                true => "name them apart, or give the folder that both are below",
                false => "rename one of them",
            };
            return Err(BatchError::Request(format!(
                "{other} and {clip} would both be the animation {name}: {help}"
            )));
        }
    }
    Ok(())
}

/// Names of the files into which all results are merged, where that is wanted.
pub(crate) fn merged_paths(request: &BatchRequest) -> BTreeSet<PathBuf> {
    let targets = request.targets.iter().filter(|_| request.one_file);
    targets.map(|target| slashed(&merged_path(target))).collect()
}

/// Path below the output folder, with `/` on each system.
pub(crate) fn slashed(path: &Path) -> PathBuf {
    let parts: Vec<&OsStr> = path.components().map(|part| part.as_os_str()).collect();
    parts.join(OsStr::new("/")).into()
}
