//! Takes lines out of a text and puts lines in.

use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a text, by its lines counted from 0.
#[derive(Debug, Default)]
pub(crate) struct Edit {
    /// Lines that go away.
    pub(super) gone: BTreeSet<usize>,
    /// Lines that stand before one.
    pub(super) before: BTreeMap<usize, Vec<String>>,
    /// Lines for the end.
    end: Vec<String>,
}

impl Edit {
    pub(super) fn replace(&mut self, line: usize, by: String) {
        self.gone.insert(line);
        self.before.entry(line).or_default().push(by);
    }

    pub(super) fn append<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        self.end.push(String::new());
        self.end.extend(lines.map(str::to_owned));
    }

    pub(super) fn apply(mut self, lines: &[String]) -> Vec<String> {
        let mut all = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            all.extend(self.before.remove(&at).into_iter().flatten());
            all.extend((!self.gone.contains(&at)).then(|| line.clone()));
        }
        all.extend(self.before.into_values().flatten());
        if all.is_empty() {
            self.end.drain(..1.min(self.end.len()));
        }
        all.extend(self.end);
        all
    }
}
