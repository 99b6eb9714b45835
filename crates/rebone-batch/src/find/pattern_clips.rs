//! Clips of a pattern such as `walk/**/*.bvh`.

use crate::error::BatchError;
use crate::find::held::{EMPTY, SPECIAL, is_empty};
use crate::find::inputs::FoundClips;
use crate::find::patterns::{BY_FOLDERS, pattern_base};
use crate::record::manifest_place;
use glob::{Pattern, PatternError};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

impl FoundClips {
    /// Adds the files that match a pattern, with their folders below the folders that it names literally.
    pub(crate) fn add_pattern(
        &mut self,
        path: &Path,
        output: Option<&Path>,
    ) -> Result<(), BatchError> {
        let base = pattern_base(path);
        let count = |own: &Self| own.clips.len() + own.skipped.len() + own.unread.len();
        let before = count(self);
        let wrong = |why: &str| BatchError::Input(format!("the pattern {}: {why}", path.display()));
        let pattern = path
            .to_str()
            .ok_or_else(|| wrong("it is not UTF-8: write ? or * for what is no text"))?;
        let mut paths = self.walk_pattern(&base, pattern).map_err(|error| wrong(error.msg))?;
        for path in glob::glob(pattern).map_err(|error| wrong(error.msg))? {
            match path {
                Ok(path) => paths.push(path),
                Err(error) => {
                    self.unread.push((error.path().to_owned(), error.error().to_string()));
                }
            }
        }
        for path in paths {
            let place = fs::canonicalize(&path).unwrap_or_default();
            let is_output = output.is_some_and(|output| place.starts_with(output));
            let inside = path.ancestors().skip(1).take_while(|folder| **folder != base);
            let batches = inside.filter(|folder| !is_output && manifest_place::is_in(folder));
            let left_out: BTreeSet<PathBuf> = batches.map(Path::to_owned).collect();
            let is_left_out = !left_out.is_empty();
            self.leave_out(left_out);
            match fs::metadata(&path) {
                _ if is_output || is_left_out => {}
                Ok(found) if found.is_file() => self.add_file(&path, &base),
                Ok(found) if found.is_dir() => {}
                Ok(_) => self.held.add(&path, SPECIAL),
                Err(error) => self.unread.push((path, error.to_string())),
            }
        }
        if count(self) == before {
            return Err(BatchError::Input(format!("{pattern}: no file matches")));
        }
        Ok(())
    }

    /// Walks the folders of a pattern. Returns the files that match and whose paths are not UTF-8, which `glob` leaves out;
    /// notes folders that are empty, and those that cannot be read, as behind a link without an end.
    fn walk_pattern(&mut self, base: &Path, pattern: &str) -> Result<Vec<PathBuf>, PatternError> {
        let depth = match pattern.contains("**") {
            true => usize::MAX,
            false => Path::new(pattern).components().count() - base.components().count(),
        };
        let pattern = Pattern::new(pattern)?;
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let mut paths = Vec::new();
        for entry in WalkDir::new(base).follow_links(true).max_depth(depth).sort_by_file_name() {
            let below = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
            match entry {
                Ok(entry) => {
                    let path = below(entry.path());
                    if entry.file_type().is_dir() && is_empty(&path) {
                        self.held.add(&path, EMPTY);
                    }
                    let matches = pattern.matches_with(&path.to_string_lossy(), BY_FOLDERS);
                    paths.extend(Some(path).filter(|path| matches && path.to_str().is_none()));
                }
                Err(error) if error.loop_ancestor().is_some() || error.depth() >= depth => {}
                Err(error) => {
                    let path = below(error.path().unwrap_or(base));
                    self.doubts.push(format!("{} cannot be read", path.display()));
                }
            }
        }
        Ok(paths)
    }
}
