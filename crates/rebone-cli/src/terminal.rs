//! Terminal output: streams, verbosity and colours.
//!
//! Names come from files and may hold anything: what is printed goes through [`visible`], so that no control character
//! of a name reaches a terminal. `anstream` drops colours unless the stream is a terminal, and where `NO_COLOR` is set.

use crate::args::Verbosity;
use crate::exit_code::Failure;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// A style of text: a mark in strings that [`visible`] replaces by the terminal's codes. It is no character that texts may
/// hold.
pub(crate) type Mark = char;

/// Errors.
pub(crate) const ERROR: Mark = '\u{FDD0}';
/// Warnings and guesses.
pub(crate) const WARNING: Mark = '\u{FDD1}';
/// Advice, passing grades and certain roles.
pub(crate) const GOOD: Mark = '\u{FDD2}';
/// Names of lines.
pub(crate) const NAME: Mark = '\u{FDD3}';
/// Side notes.
pub(crate) const QUIET: Mark = '\u{FDD4}';
/// End of a style.
const END: Mark = '\u{FDD5}';

/// Styles of the marks.
const STYLES: [(Mark, Style); 5] = [
    (ERROR, AnsiColor::Red.on_default().bold()),
    (WARNING, AnsiColor::Yellow.on_default().bold()),
    (GOOD, AnsiColor::Green.on_default().bold()),
    (NAME, Style::new().bold()),
    (QUIET, Style::new().dimmed()),
];

/// Column of the texts behind names of lines.
const NAME_WIDTH: usize = 9;

/// Text in a style.
pub(crate) fn styled(style: Mark, text: impl Display) -> String {
    format!("{style}{text}{END}")
}

/// Text as a terminal may get it: with styles for their marks, and escapes for control characters and those that change
/// the direction of text.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for own in text.chars() {
        match STYLES.iter().find(|style| style.0 == own) {
            Some((_, style)) => shown += &style.render().to_string(),
            None if own == END => shown += &anstyle::Reset.render().to_string(),
            None if is_hidden(own) => shown.extend(own.escape_default()),
            None => shown.push(own),
        }
    }
    shown
}

/// A number with its noun: `1 clip`, `2 clips`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

/// A noun for a number of things.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}

/// Text of several lines as [`visible`] shows each.
fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Text whose strings know the escapes of JSON, as JSON and TOML.
fn with_json_escapes(text: &str) -> String {
    let escape = |own: char| match own {
        '\n' | '\r' | '\t' => own.to_string(),
        own if is_hidden(own) => format!("\\u{:04x}", u32::from(own)),
        own => own.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Returns whether a character does something to a terminal but to show itself.
fn is_hidden(own: char) -> bool {
    own.is_control() || matches!(own, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
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

    /// Returns whether standard output holds one JSON object and nothing else.
    pub(crate) fn wants_json(&self) -> bool {
        self.verbosity.json
    }

    /// Returns whether all details are printed.
    pub(crate) fn wants_details(&self) -> bool {
        self.verbosity.verbose && !self.verbosity.json
    }

    /// Returns whether the progress of a long job is shown.
    pub(crate) fn wants_progress(&self) -> bool {
        !self.verbosity.quiet && !self.verbosity.json
    }

    /// Prints text on standard output, unless it is quiet or holds JSON.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        if self.verbosity.quiet || self.verbosity.json {
            return Ok(());
        }
        unless_closed(writeln!(anstream::stdout().lock(), "{}", visible(text)))
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
        let text = with_json_escapes(&serde_json::to_string_pretty(value)?);
        unless_closed(writeln!(stdout, "{text}"))
    }

    /// Prints a value as JSON in one line, with `--json` only.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> io::Result<()> {
        if !self.verbosity.json {
            return Ok(());
        }
        let text = with_json_escapes(&serde_json::to_string(value)?);
        unless_closed(writeln!(io::stdout().lock(), "{text}"))
    }

    /// Writes bytes to standard output, with `-q` as well.
    pub(crate) fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        io::stdout().lock().write_all(bytes)
    }

    /// Writes a card to standard output, with `-q` as well.
    pub(crate) fn card(&self, card: &str) -> io::Result<()> {
        match io::stdout().is_terminal() {
            true => self.raw(with_json_escapes(card).as_bytes()),
            false => self.raw(card.as_bytes()),
        }
    }

    /// Prints a warning on standard error.
    pub(crate) fn warn(&self, text: &str) {
        if !self.verbosity.quiet {
            print_error(WARNING, "warning", &visible(text));
        }
    }

    /// Prints a failure on standard error.
    pub(crate) fn fail(&self, failure: &Failure) {
        if failure.message().is_empty() {
            return;
        }
        print_error(ERROR, "error", &visible_lines(&failure.message()));
        if let Some(help) = &failure.help {
            print_error(GOOD, "help", &visible_lines(help));
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
fn print_error(style: Mark, name: &str, text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}: {text}", visible(&styled(style, name)));
}

/// Prints an error of the command line, whose words may be names of files.
pub(crate) fn print_usage(error: &clap::Error) -> io::Result<()> {
    let is_plain = |word: std::ffi::OsString| !word.to_string_lossy().chars().any(is_hidden);
    if std::env::args_os().all(is_plain) {
        unless_closed(error.print().and_then(|()| io::stdout().flush()))
    } else {
        write!(anstream::stderr().lock(), "{}", visible_lines(&error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_of_names_are_shown_and_not_done() {
        let text = format!("{} \u{1b}[31m\u{9b}2J\u{202e}\r\n\u{7f} é", styled(NAME, "a"));
        let shown = "\u{1b}[1ma\u{1b}[0m \\u{1b}[31m\\u{9b}2J\\u{202e}\\r\\n\\u{7f} é";
        assert_eq!(visible(&text), shown);
        assert_eq!(with_json_escapes("\"\u{9b}\"\n"), "\"\\u009b\"\n");
    }
}
