//! The imports between the top modules of a crate: a file or a folder directly below `src` is one
//! module, `lib.rs` and `main.rs` are none.
//!
//! A path counts as an import of the module that defines the item at its end: re-exports, of the root
//! or of any module, are followed. Test code is left out.

mod resolve;
mod scan;

pub use scan::Source;

use crate::{files, read, root};
use std::collections::{BTreeMap, BTreeSet};

/// The imports of a crate: (importing module, imported module) and each `file:line`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imports(pub BTreeMap<(String, String), Vec<String>>);

/// Reads the files below `crates/NAME/src`.
///
/// # Panics
/// When a file cannot be read.
#[must_use]
pub fn sources(crate_name: &str) -> Vec<Source> {
    let folder = format!("crates/{crate_name}/src");
    let base = root().join(&folder);
    let path = |file: &std::path::Path| {
        let below = file.strip_prefix(&base).expect("the file was found below this folder");
        below.to_string_lossy().replace('\\', "/")
    };
    let found = files(&folder, &[".rs"]);
    found.iter().map(|file| Source { path: path(file), text: read(file) }).collect()
}

impl Imports {
    /// Finds the imports between the top modules of one crate.
    ///
    /// # Errors
    /// A file that is not Rust code, or a `use crate::*`, which hides what is imported.
    pub fn of(sources: &[Source]) -> Result<Self, String> {
        Self::between(sources, |module| module.first().cloned())
    }

    /// Finds the imports between the files of one crate; a folder's `mod.rs` is the folder.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_files(sources: &[Source]) -> Result<Self, String> {
        Self::between(sources, |module| Some(module.join("/")).filter(|file| !file.is_empty()))
    }

    /// Finds the imports between the parts of a crate, by the part that a module is of.
    fn between(
        sources: &[Source],
        part: impl Fn(&[String]) -> Option<String>,
    ) -> Result<Self, String> {
        let scan = scan::scan(sources)?;
        let mut imports: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for reference in &scan.references {
            let Some(definer) = resolve::resolve(&scan, &reference.module, &reference.path) else {
                continue;
            };
            let is_glob = scan.modules[&reference.module].globs.contains(&reference.path);
            if definer.is_empty() && is_glob && !reference.module.is_empty() {
                return Err(format!("{}: name the imports from the root", reference.place));
            }
            if let (Some(from), Some(to)) = (part(&reference.module), part(&definer))
                && from != to
            {
                let places = imports.entry((from, to)).or_default();
                places.push(reference.place.clone());
            }
        }
        imports.values_mut().for_each(|places| places.dedup());
        Ok(Self(imports))
    }

    /// Finds a shortest circle: its modules, the first not repeated at the end.
    #[must_use]
    pub fn circle(&self) -> Option<Vec<String>> {
        let modules: BTreeSet<&String> = self.0.keys().map(|(from, _)| from).collect();
        modules.into_iter().filter_map(|start| self.way_back(start)).min_by_key(Vec::len)
    }

    /// A shortest way from `start` back to it, by breadth-first search.
    fn way_back(&self, start: &String) -> Option<Vec<String>> {
        let mut ways = vec![vec![start.clone()]];
        let mut seen = BTreeSet::new();
        let mut next = 0;
        while let Some(way) = ways.get(next).cloned() {
            next += 1;
            let last = way.last();
            for (_, to) in self.0.keys().filter(|(from, _)| Some(from) == last) {
                if to == start {
                    return Some(way);
                }
                if seen.insert(to) {
                    ways.push([way.as_slice(), std::slice::from_ref(to)].concat());
                }
            }
        }
        None
    }

    /// Writes a circle, and below it each of its imports with the places in the code.
    #[must_use]
    pub fn describe(&self, circle: &[String]) -> String {
        let mut text = circle.join(" -> ");
        for (index, from) in circle.iter().enumerate() {
            let to = &circle[(index + 1) % circle.len()];
            let places = self.0.get(&(from.clone(), to.clone())).map(|places| places.join(", "));
            text += &format!("\n  {from} -> {to}: {}", places.unwrap_or_default());
        }
        text
    }
}

#[cfg(test)]
mod tests;
