//! Takes lines out of a text and puts lines in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Changes of a text, by its lines counted from 0.
#[derive(Debug, Default)]
pub(crate) struct Edit {
    /// Lines that go away.
    pub(super) gone: BTreeSet<usize>,
    /// Lines that stand before one.
    pub(super) before: BTreeMap<usize, Vec<String>>,
}

impl Edit {
    pub(super) fn replace(&mut self, lines: Range<usize>, by: String) {
        self.before.entry(lines.start).or_default().push(by);
        self.gone.extend(lines);
    }

    pub(super) fn apply(mut self, lines: &[String]) -> Vec<String> {
        let mut all = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            all.extend(self.before.remove(&at).into_iter().flatten());
            all.extend((!self.gone.contains(&at)).then(|| line.clone()));
        }
        all.extend(self.before.into_values().flatten());
        all
    }
}
