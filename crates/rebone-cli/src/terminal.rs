//! Terminal output: streams, verbosity and colours.
//!
//! `anstream` drops colours unless the stream is a terminal, and where `NO_COLOR` is set.

use crate::args::Verbosity;
use crate::exit_code::Failure;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// Errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings and guesses.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Advice.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Names of lines.
pub(crate) const NAME: Style = Style::new().bold();
/// Side notes.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// Column of the texts behind names of lines.
const NAME_WIDTH: usize = 9;

/// Text in a style.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Standard output and standard error, at a verbosity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    verbosity: Verbosity,
}

impl Terminal {
    /// Takes the verbosity of the command line.
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        Self { verbosity }
    }

    /// Whether standard output holds one JSON object and nothing else.
    pub(crate) fn wants_json(&self) -> bool {
        self.verbosity.json
    }

    /// Whether all details are printed.
    pub(crate) fn wants_details(&self) -> bool {
        self.verbosity.verbose && !self.verbosity.json
    }

    /// Whether the progress of a long job is shown.
    pub(crate) fn wants_progress(&self) -> bool {
        !self.verbosity.quiet && !self.verbosity.json
    }

    /// Prints text on standard output, unless it is quiet or holds JSON.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        if self.verbosity.quiet || self.verbosity.json {
            return Ok(());
        }
        unless_closed(writeln!(anstream::stdout().lock(), "{text}"))
    }

    /// Prints a line with its name before it, padded to a column.
    pub(crate) fn line(&self, name: &str, text: impl Display) -> io::Result<()> {
        let gap = " ".repeat(NAME_WIDTH.saturating_sub(name.len()));
        self.say(&format!("{}{gap}{text}", styled(NAME, name)))
    }

    /// Prints a value as JSON, with `--json` only.
    pub(crate) fn json(&self, value: &impl Serialize) -> io::Result<()> {
        if !self.verbosity.json {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let text = serde_json::to_string_pretty(value)?;
        unless_closed(writeln!(stdout, "{text}"))
    }

    /// Prints a value as JSON in one line, with `--json` only.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> io::Result<()> {
        if !self.verbosity.json {
            return Ok(());
        }
        unless_closed(writeln!(io::stdout().lock(), "{}", serde_json::to_string(value)?))
    }

    /// Writes bytes to standard output, with `-q` as well.
    pub(crate) fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        io::stdout().lock().write_all(bytes)
    }

    /// Prints a warning on standard error.
    pub(crate) fn warn(&self, text: &str) {
        if !self.verbosity.quiet {
            print_error(WARNING, "warning", text);
        }
    }

    /// Prints a failure on standard error.
    pub(crate) fn fail(&self, failure: &Failure) {
        if failure.message().is_empty() {
            return;
        }
        print_error(ERROR, "error", &failure.message());
        if let Some(help) = &failure.help {
            print_error(GOOD, "help", help);
        }
    }
}

/// Ignores a closed pipe: a reader such as `head` that has enough does not make the work fail.
fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Prints a line on standard error; ignores one that is closed.
fn print_error(style: Style, name: &str, text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{style}{name}{style:#}: {text}");
}
