//! `rebone doctor`: defects of files.

use crate::args::Doctor;
use crate::engine::Checkup;
use crate::exit_code::{ExitCode, Failure};
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::export::clean_hierarchy;
use rebone::skeleton::bvh::{WriteOptions, write_clip};
use rebone::{Character, Selection};

/// Diagnoses all files; with `--fix` writes a clean copy.
pub(crate) fn run(args: &Doctor, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(output) = &args.output {
        if args.files.len() > 1 {
            return Err(Failure::usage("--fix writes a copy of one file: give one".to_owned()));
        }
        paths::check_outputs(&args.files, &[output])?;
    }
    let mut checkups = Vec::new();
    let mut unread = 0;
    for path in &args.files {
        let loaded = match Character::open(path, Selection::default()).map_err(Failure::from) {
            Ok(loaded) => loaded,
            Err(failure) if args.files.len() == 1 => return Err(failure),
            Err(failure) => {
                unread += 1;
                terminal.fail(&failure);
                continue;
            }
        };
        let checkup = Checkup::new(&loaded);
        checkup.lines().iter().try_for_each(|line| terminal.say(line))?;
        checkups.push(checkup);
        if let Some(output) = &args.output {
            let hierarchy = clean_hierarchy(loaded.skeleton()).map_err(anyhow::Error::new)?;
            paths::write(output, |file| {
                let options = WriteOptions::default();
                Ok(write_clip(file, &hierarchy, loaded.clip(), options).map(drop)?)
            })?;
            terminal.say(&format!("{}    {}", styled(NAME, "wrote"), output.display()))?;
        }
    }
    terminal.json(&checkups)?;
    match (unread, checkups.len()) {
        (0, _) => Ok(()),
        (_, 0) => Err(Failure::silent(ExitCode::Input)),
        _ => Err(Failure::silent(ExitCode::Partial)),
    }
}
