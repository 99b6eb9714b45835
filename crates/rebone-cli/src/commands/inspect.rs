//! `rebone inspect`: what is understood of one file, as a tree with roles.

use crate::args::Inspect;
use crate::engine::{self, Summary};
use crate::exit_code::Failure;
use crate::terminal::{NAME, Terminal, styled};
use crate::tree::tree;

/// Prints the tree.
pub(crate) fn run(args: &Inspect, terminal: &Terminal) -> Result<(), Failure> {
    let loaded = engine::read(&args.file, terminal)?;
    let anatomy = engine::understand(&loaded, &args.hints)?;
    let summary = Summary::new(&loaded, &anatomy);
    terminal.json(&summary)?;
    terminal.say(&styled(NAME, summary.line()))?;
    for line in tree(&summary.joints, terminal.wants_details()) {
        terminal.say(&line)?;
    }
    Ok(())
}
