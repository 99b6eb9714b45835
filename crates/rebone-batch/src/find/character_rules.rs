//! Characters that are chosen in files of several.

use crate::find::patterns::BY_FOLDERS;
use glob::Pattern;
use rebone::CharacterChoice;
use std::path::Path;

/// Returns whether one of the patterns is for a file whose results go to a folder.
pub(crate) fn is_matched(patterns: &[Pattern], path: &Path, folder: &Path) -> bool {
    let below = folder.join(path.file_name().unwrap_or_default());
    let mut paths = [path, &below].into_iter();
    paths.any(|path| {
        let text = path.to_string_lossy();
        patterns.iter().any(|pattern| pattern.matches_with(&text, BY_FOLDERS))
    })
}

/// Characters that are chosen in files of clips.
#[derive(Clone, Debug, Default)]
pub(crate) struct CharacterRules {
    pub(crate) usual: CharacterChoice,
    /// Patterns of files, and the choice in these; the last holds.
    pub(crate) rules: Vec<(Vec<Pattern>, CharacterChoice)>,
}

impl CharacterRules {
    /// Choice in a file whose results go to a folder.
    pub(crate) fn of(&self, path: &Path, folder: &Path) -> &CharacterChoice {
        let rule = self.rules.iter().rev().find(|(files, _)| is_matched(files, path, folder));
        rule.map_or(&self.usual, |(_, choice)| choice)
    }
}
