//! Results whose files are elsewhere, as in a store of objects: up to date by their lines alone.

use crate::error::BatchError;
use crate::find::character_rules::CharacterRules;
use crate::find::input_clip::InputClip;
use crate::find::inputs::Input;
use crate::jobs::names::{self, NameTemplate, extension};
use crate::jobs::request::BatchRequest;
use crate::jobs::rules::OptionRules;
use crate::jobs::{BatchJob, slashed};
use crate::record::hash;
use crate::record::manifest::{JobStatus, ManifestLine};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files of clips, in the folders of the request's inputs, whose results are up to date by these lines: rig, cards, options and
/// names are those that made them. Neither the files nor the results are looked at. A file is a motion or a tar; a tar counts
/// where a clip of it failed by its own bytes.
///
/// # Errors
/// When a rig or the rules of the request cannot be read.
pub fn files_up_to_date(
    request: &BatchRequest,
    lines: &[ManifestLine],
) -> Result<BTreeSet<PathBuf>, BatchError> {
    let mut known = KnownFiles::new(request)?;
    let mut files: BTreeMap<PathBuf, Vec<&ManifestLine>> = BTreeMap::new();
    for line in lines {
        if let Some(file) = known.file_of(line) {
            files.entry(file).or_default().push(line);
        }
    }
    files.retain(|_, lines| known.are_up_to_date(lines));
    Ok(files.into_keys().collect())
}

/// Rigs, cards and rules that results are made of now.
struct KnownFiles<'a> {
    request: &'a BatchRequest,
    rules: OptionRules,
    characters: CharacterRules,
    template: NameTemplate,
    /// Hash of each rig.
    rigs: Vec<String>,
    /// Hashes of cards by their paths below the output folder; empty where there is none.
    cards: BTreeMap<String, String>,
}

impl<'a> KnownFiles<'a> {
    fn new(request: &'a BatchRequest) -> Result<Self, BatchError> {
        let rigs = request.targets.iter().map(|path| hash::of_file(path));
        let rules = OptionRules::read(request.rules.as_deref())?;
        Ok(Self {
            request,
            characters: rules.characters(&request.source_character),
            rules,
            template: request.name.clone().unwrap_or(NameTemplate::usual(request.targets.len())),
            rigs: rigs.collect::<Result<_, _>>()?,
            cards: BTreeMap::new(),
        })
    }

    /// Path of a clip below its input, with that of the input.
    fn below<'b>(&self, line: &'b ManifestLine) -> Option<(&'a Path, &'b Path)> {
        self.request.inputs.iter().find_map(|input| match input {
            Input::Files(root) => Some((root.as_path(), line.input.strip_prefix(root).ok()?)),
            Input::List { .. } => None,
        })
    }

    /// The file of a clip: its tar has the name of the tar of its results.
    fn file_of(&self, line: &ManifestLine) -> Option<PathBuf> {
        line.target.as_ref()?;
        let (root, _) = self.below(line)?;
        Some(line.tar.as_ref().map_or_else(|| line.input.clone(), |tar| root.join(&tar.path)))
    }

    /// Returns whether the lines of all clips of a file, on all rigs, would be made anew as they are.
    fn are_up_to_date(&mut self, lines: &[&ManifestLine]) -> bool {
        let index = |line: &ManifestLine| line.part.as_ref().map(|part| part.index);
        let mut clips: BTreeMap<(&Path, Option<usize>), &ManifestLine> = BTreeMap::new();
        let mut of_rigs = BTreeMap::new();
        for line in lines {
            let key = (line.input.as_path(), index(line));
            clips.insert(key, line);
            of_rigs.insert((key, line.target.as_deref()), *line);
        }
        let mut count = 0;
        for (key, clip) in clips {
            for rig in 0..self.request.targets.len() {
                let Some(job) = self.job(clip, rig) else { continue };
                let target = self.request.targets[rig].as_path();
                match of_rigs.get(&(key, Some(target))) {
                    Some(line) if self.is_up_to_date(&job, line) => count += 1,
                    _ => return false,
                }
            }
        }
        // A tar has nothing else in it.
        lines.iter().all(|line| line.tar.is_none()) || count == lines.len()
    }

    /// Folder of a clip below its input.
    fn folder(&self, line: &ManifestLine) -> Option<PathBuf> {
        let (_, below) = self.below(line)?;
        Some(below.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// The job of a clip onto a rig, as far as it is known without the file; `None` where a rule leaves it out.
    fn job(&self, line: &ManifestLine, rig: usize) -> Option<BatchJob> {
        let folder = self.folder(line)?;
        let (path, part) = (line.input.clone(), line.part.clone());
        let character = self.characters.of(&path, &folder).clone();
        let clip = InputClip { path, folder, part, place: None, character };
        let target = &self.request.targets[rig];
        let usual = &self.request.options;
        let options = self.rules.options(&clip, target, usual)?;
        let end = extension(target, self.request.format, usual.animation_only);
        let template = self.rules.name(&clip, target).unwrap_or(&self.template);
        let path = template.path(&clip, target, end);
        Some(BatchJob { clip: 0, rig, path, tar: None, animation: None, options })
    }

    fn is_up_to_date(&mut self, job: &BatchJob, line: &ManifestLine) -> bool {
        let is_settled = match line.status {
            JobStatus::Done => true,
            JobStatus::Failed => line.tar.is_some(),
            _ => false,
        };
        let (Some(from), true) = (&line.from, is_settled) else { return false };
        let folder = self.folder(line).unwrap_or_default();
        // A result that is called as a folder has another name.
        let names = [slashed(&job.path), slashed(&names::apart(&job.path))];
        *self.characters.of(&line.input, &folder) == from.source_character
            && self.request.target_character == from.target_character
            && line.output.as_ref().is_some_and(|output| names.contains(output))
            && from.rig == self.rigs[job.rig]
            && from.options == job.options_hash()
            && self.card(&from.source_card) == from.source_card_hash
            && self.card(&from.target_card) == from.target_card_hash
    }

    fn card(&mut self, name: &str) -> String {
        if let Some(hash) = self.cards.get(name) {
            return hash.clone();
        }
        let hash = hash::of_file(&self.request.output.join(name)).unwrap_or_default();
        self.cards.insert(name.to_owned(), hash.clone());
        hash
    }
}
