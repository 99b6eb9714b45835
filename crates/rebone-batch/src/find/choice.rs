//! Choice of files among all that the inputs hold, by their paths alone: a shard, or a sample.

use crate::find::tar_names::is_first_below;
use crate::record::shard::{Shard, path_hash};
use std::collections::{BTreeSet, BinaryHeap};
use std::path::{Path, PathBuf};

/// Files of the inputs that are taken. All others are not opened.
#[derive(Debug, Default)]
pub(crate) enum FileChoice {
    /// All files.
    #[default]
    All,
    /// Those of a shard.
    Shard(Shard),
    /// Motion files with the least hashes of their paths.
    Sample(PathSample),
}

impl FileChoice {
    /// Returns whether a file is taken at once, by its path below its input.
    pub(crate) fn takes(&mut self, path: &Path, below: &Path, is_motion: bool) -> bool {
        match self {
            Self::All => true,
            Self::Shard(shard) => shard.holds(below),
            Self::Sample(sample) => {
                if is_motion {
                    sample.add(path, below);
                }
                false
            }
        }
    }
}

/// The files with the least hashes of their paths; some come before all others.
#[derive(Debug)]
pub(crate) struct PathSample {
    size: usize,
    first: BTreeSet<PathBuf>,
    /// Largest key on top: rank, hash, path, and path below the input.
    files: BinaryHeap<(bool, u64, PathBuf, PathBuf)>,
}

impl PathSample {
    /// A sample of `size` files, to which those of `first` belong before others.
    pub(crate) fn new(size: usize, first: BTreeSet<PathBuf>) -> Self {
        Self { size, first, files: BinaryHeap::new() }
    }

    fn add(&mut self, path: &Path, below: &Path) {
        let rank = !is_first_below(&self.first, path);
        let key = (rank, path_hash(below));
        let is_full = self.files.len() >= self.size;
        if is_full && self.files.peek().is_none_or(|last| (last.0, last.1) < key) {
            return;
        }
        self.files.push((key.0, key.1, path.to_owned(), below.to_owned()));
        if self.files.len() > self.size {
            self.files.pop();
        }
    }

    /// Size of the sample, those that come first, and the paths of the sample, each with its path below its input.
    pub(crate) fn into_files(self) -> (usize, BTreeSet<PathBuf>, Vec<(PathBuf, PathBuf)>) {
        let files = self.files.into_iter().map(|(_, _, path, below)| (path, below));
        (self.size, self.first, files.collect())
    }
}

/// The `size` paths with the least hashes.
pub(crate) fn least_paths(size: usize, paths: impl Iterator<Item = PathBuf>) -> BTreeSet<PathBuf> {
    let mut least = BTreeSet::new();
    for path in paths {
        least.insert((path_hash(&path), path));
        if least.len() > size {
            least.pop_last();
        }
    }
    least.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_in_any_order_and_begins_with_what_comes_first() {
        let names: Vec<String> = (0..100).map(|k| format!("{k}.bvh")).collect();
        let sample = |names: Vec<&String>, first: &[&str]| -> BTreeSet<PathBuf> {
            let first = first.iter().map(PathBuf::from).collect();
            let mut sample = PathSample::new(10, first);
            names.iter().for_each(|name| sample.add(Path::new(name), Path::new(name)));
            sample.into_files().2.into_iter().map(|(path, _)| path).collect()
        };
        let usual = sample(names.iter().collect(), &[]);
        assert_eq!(usual.len(), 10);
        assert_eq!(sample(names.iter().rev().collect(), &[]), usual);
        let last = names.iter().max_by_key(|name| path_hash(name)).unwrap();
        let first = sample(names.iter().collect(), &[last]);
        assert!(first.contains(Path::new(last)) && first.intersection(&usual).count() == 9);
        assert_eq!(least_paths(10, names.iter().map(PathBuf::from)), usual);
    }
}
