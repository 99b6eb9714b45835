//! Manifest of a batch that a command line names.

use crate::exit_code::Failure;
use crate::terminal::{Terminal, counted};
use rebone_batch::manifest::{self, ManifestLine};
use std::path::{Path, PathBuf};

/// Path of the manifest that is named by itself or by its folder.
pub(crate) fn manifest_path(named: &Path) -> PathBuf {
    if named.is_dir() { named.join(manifest::NAME) } else { named.to_owned() }
}

/// Reads all lines; warns of incomplete ones, and fails where there are none.
pub(crate) fn read_lines(path: &Path, terminal: &Terminal) -> Result<Vec<ManifestLine>, Failure> {
    let (lines, broken) = manifest::read_lines(path)?;
    let manifest = path.display();
    if lines.is_empty() {
        let text = format!(
            "no results, {} of others: name the manifest.jsonl of a batch",
            counted(broken, "line")
        );
        return Err(anyhow::anyhow!("{manifest}: {text}").into());
    }
    if broken > 0 {
        terminal.warn(&format!("{manifest}: left out {}", counted(broken, "incomplete line")));
    }
    Ok(lines)
}
