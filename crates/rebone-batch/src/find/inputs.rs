//! Inputs of a batch: files, folders, patterns and lists.

use crate::disk::folders::{CARDS, MANIFESTS};
use crate::disk::place::check_regular;
use crate::error::{BatchError, Fault, context};
use crate::find::character_rules::CharacterRules;
use crate::find::choice::FileChoice;
use crate::find::clip_file::TarPlace;
use crate::find::held::{EMPTY, HeldPlaces, SPECIAL, is_empty, place_of};
use crate::find::input_clip::{InputClip, file_part};
use crate::find::patterns::is_pattern;
use crate::find::result_folders::ResultFolders;
use crate::find::tar_names::{MemberSample, is_tar_name};
use crate::record::manifest::FilePart;
use crate::record::manifest_place;
use rebone::skeleton::file::ListedClip;
use rebone::skeleton::{Document, FileError};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Clips of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, a folder with all files below it, or a pattern such as `walk/**/*.bvh`.
    Files(PathBuf),
    /// A list with one of these per line; lines that begin with `#` are comments.
    List {
        /// Name of the list, for messages.
        name: String,
        /// Its text.
        text: String,
    },
}

/// Files that the inputs hold, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct FoundClips {
    /// Named files, and files in folders with an extension of motions; one entry per clip.
    pub(crate) clips: Vec<InputClip>,
    /// All other files in folders.
    pub(crate) skipped: Vec<PathBuf>,
    /// Inputs that cannot be read, and why.
    pub(crate) unread: Vec<(PathBuf, String)>,
    /// Tars that cannot be read, and members of tars that are not, and why.
    pub(crate) faults: Vec<(PathBuf, Fault)>,
    /// Folders of earlier batches inside the inputs.
    pub(crate) left_out: BTreeSet<PathBuf>,
    /// Why it is not known which clips are below the inputs.
    pub(crate) doubts: Vec<String>,
    /// Folders of results of all motion files, also of those that are not taken.
    pub(crate) folders: ResultFolders,
    /// Files and folders whose clips are not known.
    pub(crate) held: HeldPlaces,
    /// Files whose clips cannot be listed at this moment, as they are without links.
    unlisted: BTreeSet<PathBuf>,
    seen: BTreeSet<PathBuf>,
    /// Characters that are chosen in files.
    characters: CharacterRules,
    /// Files that are taken.
    choice: FileChoice,
    /// Some files are not taken.
    has_others: bool,
}

impl FoundClips {
    /// Finds all clips. Leaves out files in `output`, hidden files and hidden folders; a file that is found twice
    /// counts once. Files that are not chosen are not opened.
    ///
    /// # Errors
    /// When an input does not exist, or there is no clip.
    pub(crate) fn new(
        inputs: &[Input],
        output: &Path,
        (choice, characters): (FileChoice, CharacterRules),
    ) -> Result<Self, BatchError> {
        let is_shard = matches!(choice, FileChoice::Shard(_));
        let mut found = Self { choice, characters, ..Self::default() };
        let output = fs::canonicalize(output).ok();
        for input in inputs {
            match input {
                Input::Files(input) => found.add(input, Path::new(""), output.as_deref())?,
                Input::List { name, text } => found.add_list(text, name, output.as_deref())?,
            }
        }
        found.add_sample();
        found.clips.sort();
        found.skipped.sort();
        found.unread.sort();
        found.faults.sort_by(|a, b| a.0.cmp(&b.0));
        // Files that cannot be read or have no clip are lines of a shard, which may have no others.
        let has_lines =
            !(found.skipped.is_empty() && found.unread.is_empty() && found.faults.is_empty());
        let is_empty = found.clips.is_empty() && !found.has_others && !(is_shard && has_lines);
        if let (true, Some((path, why))) = (is_empty, found.unread.first()) {
            let message =
                format!("there is no clip in the inputs: {} cannot be read: {why}", path.display());
            return Err(BatchError::Input(message));
        }
        if let (true, Some((_, fault))) = (is_empty, found.faults.first()) {
            let message = format!("there is no clip in the inputs: {}", fault.message);
            return Err(BatchError::Input(message));
        }
        if is_empty {
            let message = "there is no clip in the inputs: expected files whose names end in .bvh, .glb, \
                           .gltf, .vrm, .vrma, .fbx or .amc, or a .tar of such files";
            return Err(BatchError::Input(message.to_owned()));
        }
        Ok(found)
    }

    /// Says why it is not known which clips are among the inputs, and results of others must stay.
    pub(crate) fn doubt(&self) -> Option<String> {
        let unread =
            self.unread.first().map(|(path, _)| format!("{} cannot be read", path.display()));
        let tar = self.faults.iter().find(|(path, _)| is_tar_name(path));
        let tar = tar.map(|(path, _)| format!("{} cannot be read", path.display()));
        unread.or(tar).or_else(|| self.doubts.first().cloned())
    }

    /// Returns whether a file is among the inputs and its clips cannot be listed at this moment.
    pub(crate) fn is_unlisted(&self, path: &Path) -> bool {
        !self.unlisted.is_empty() && self.unlisted.contains(&place_of(path))
    }

    /// Adds the inputs of a list, one per line.
    fn add_list(
        &mut self,
        list: &str,
        name: &str,
        output: Option<&Path>,
    ) -> Result<(), BatchError> {
        for (line, input) in list.trim_start_matches('\u{feff}').lines().enumerate() {
            let input = input.trim_end_matches('\r');
            if input.trim().is_empty() || input.starts_with('#') {
                continue;
            }
            // Folders that a list writes out are those of the results.
            let path = Path::new(input);
            let folder = path.strip_prefix(".").unwrap_or(path).parent();
            let is_below = |part: Component| matches!(part, Component::Normal(_));
            let folder = folder.filter(|folder| folder.components().all(is_below));
            let place = || format!("{name}:{}", line + 1);
            context(self.add(path, folder.unwrap_or(Path::new("")), output), place)?;
        }
        Ok(())
    }

    /// Adds the clips of an input; results of a single file go to `folder`.
    fn add(&mut self, path: &Path, folder: &Path, output: Option<&Path>) -> Result<(), BatchError> {
        let input = path.display();
        if path.is_dir() {
            if output.is_some() && fs::canonicalize(path).ok().as_deref() == output {
                return Err(BatchError::Request(format!(
                    "{input} is the output folder: results would lie among the clips, name another"
                )));
            }
            if is_empty(path) {
                self.doubts.push(format!("{} {EMPTY}", path.display()));
            }
            self.add_folder(path, path, output);
            Ok(())
        } else if path.exists() {
            check_regular(path)?;
            if self.is_chosen(path, folder, true) && self.is_new(path) {
                self.add_known(path, folder);
            }
            Ok(())
        } else if is_pattern(path.as_os_str()) {
            self.add_pattern(path, output)
        } else {
            Err(BatchError::Input(format!("{input}: there is no such file or folder")))
        }
    }

    /// Adds the files of a folder, with their folders below `base`.
    fn add_folder(&mut self, folder: &Path, base: &Path, output: Option<&Path>) {
        let is_batch = manifest_place::is_in(folder);
        let mut left_out = BTreeSet::new();
        let is_wanted = |entry: &DirEntry| {
            if entry.depth() > 0
                && entry.file_type().is_dir()
                && manifest_place::is_in(entry.path())
            {
                left_out.insert(entry.path().to_owned());
                return false;
            }
            // Results of a batch can be clips, its cards and manifests cannot.
            let is_own = || [CARDS, MANIFESTS].iter().any(|own| entry.file_name() == *own);
            if is_batch && entry.depth() == 1 && is_own() {
                return false;
            }
            let hidden =
                entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_output = entry.depth() > 0
                && output.is_some()
                && fs::canonicalize(entry.path()).ok().as_deref() == output;
            !(hidden || entry.file_type().is_dir() && is_output)
        };
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_wanted) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if is_empty(entry.path()) {
                        self.held.add(entry.path(), EMPTY);
                    }
                }
                Ok(entry) => self.add_file(entry.path(), base),
                // Files behind a link to a folder above are found anyway.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let why =
                        error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.unread.push((path, why));
                }
            }
        }
        let own = |path: &PathBuf| fs::canonicalize(path).ok().as_deref() == output;
        left_out.retain(|path| output.is_none() || !own(path));
        self.leave_out(left_out);
    }

    /// Leaves out folders of earlier batches.
    pub(crate) fn leave_out(&mut self, folders: BTreeSet<PathBuf>) {
        folders.iter().for_each(|folder| self.held.add(folder, "is left out"));
        self.left_out.extend(folders);
    }

    /// Adds a file that was found, with its folder below `base`.
    pub(crate) fn add_file(&mut self, path: &Path, base: &Path) {
        let is_motion = is_motion_name(path) || is_tar_name(path);
        let folder = path.strip_prefix(base).unwrap_or(path).parent().unwrap_or(Path::new(""));
        if !self.is_chosen(path, folder, is_motion) || !self.is_new(path) {
            return;
        }
        if !path.is_file() {
            self.held.add(path, SPECIAL);
        }
        if !is_motion || !path.is_file() {
            return self.skipped.push(path.to_owned());
        }
        if is_tar_name(path) {
            return self.add_tar(path, folder, None);
        }
        let clips = self.clips_of(path, folder);
        if clips.iter().all(|clip| clip.is_empty) {
            return self.skipped.push(path.to_owned());
        }
        self.add_clips(path, folder, &clips, None);
    }

    /// Adds the clips of a file that was named: one without any fails later, by itself.
    fn add_known(&mut self, path: &Path, folder: &Path) {
        if is_tar_name(path) {
            return self.add_tar(path, folder, None);
        }
        let clips = self.clips_of(path, folder);
        self.add_clips(path, folder, &clips, None);
    }

    /// Returns whether a file in a folder below its input is taken now.
    fn is_chosen(&mut self, path: &Path, folder: &Path, is_motion: bool) -> bool {
        let below = folder.join(path.file_name().unwrap_or_default());
        let is_chosen = self.choice.takes(path, &below, is_motion);
        if is_motion {
            self.folders.add(folder);
        }
        self.has_others |= !is_chosen && is_motion;
        is_chosen
    }

    /// Adds the files of a sample, once all are known.
    fn add_sample(&mut self) {
        let FileChoice::Sample(sample) = std::mem::take(&mut self.choice) else { return };
        let (size, first, files) = sample.into_files();
        // Of many tars a few members each: their kinds may differ.
        let sample = MemberSample { count: size.div_ceil(files.len().max(1)), first: &first };
        for (path, below) in files {
            let folder = below.parent().unwrap_or(Path::new(""));
            match is_tar_name(&path) {
                _ if !self.is_new(&path) => {}
                true => self.add_tar(&path, folder, Some(sample)),
                false => self.add_known(&path, folder),
            }
        }
    }

    /// Clips of a file; one of a file that cannot be read: it fails later, by itself.
    fn clips_of(&mut self, path: &Path, folder: &Path) -> Vec<ListedClip> {
        let character = self.characters.of(path, folder);
        Document::clips_at(path, character.selector()).unwrap_or_else(|_| {
            self.unlisted.insert(place_of(path));
            vec![UNREAD]
        })
    }

    /// Adds the clips of a file in which a joint moves.
    pub(crate) fn add_clips(
        &mut self,
        path: &Path,
        folder: &Path,
        clips: &[ListedClip],
        place: Option<&TarPlace>,
    ) {
        let character = self.characters.of(path, folder).clone();
        let (path, folder, place) = (path.to_owned(), folder.to_owned(), place.cloned());
        let moving = clips.iter().enumerate().filter(|(_, clip)| !clip.is_empty);
        let moving: Vec<(usize, &String)> =
            moving.map(|(index, clip)| (index, &clip.name)).collect();
        if moving.len() < 2 {
            return self.clips.push(InputClip { path, folder, part: None, place, character });
        }
        let mut taken = BTreeSet::new();
        for (index, name) in moving {
            let numbered = (index..).map(|number| format!("{name}-{number}"));
            let mut free = std::iter::once(name.clone()).chain(numbered);
            let name = free.find(|name| taken.insert(file_part(name).to_lowercase()));
            let part = Some(FilePart { index, name: name.unwrap_or_default() });
            let (path, folder, place) = (path.clone(), folder.clone(), place.clone());
            let character = character.clone();
            self.clips.push(InputClip { path, folder, part, place, character });
        }
    }

    /// Lists the clips of a member of a tar.
    pub(crate) fn clips_in(
        &self,
        path: &Path,
        folder: &Path,
        reader: impl Read,
    ) -> Result<Vec<ListedClip>, FileError> {
        Document::clips_in(path, reader, self.characters.of(path, folder).selector())
    }

    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(place_of(path))
    }
}

/// Clip of a file that cannot be read.
pub(crate) const UNREAD: ListedClip = ListedClip { name: String::new(), is_empty: false };

/// Returns whether a file is named as one of motions.
pub fn is_motion_name(path: &Path) -> bool {
    let ends = ["amc", "bvh", "fbx", "glb", "gltf", "vrm", "vrma"];
    path.extension().is_some_and(|end| ends.iter().any(|own| end.eq_ignore_ascii_case(own)))
}
