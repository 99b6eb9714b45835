//! Exit codes and failures of the program.

use rebone::CharacterError;
use rebone::skeleton::FileError;
use rebone_batch::{BatchError, FaultKind};
use std::path::Path;

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Everything was done.
    Success = 0,
    /// The input cannot be used, or the output cannot be written.
    Input = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Part of a batch failed.
    Partial = 3,
    /// A guess is below confidence; nothing was written.
    LowConfidence = 4,
    /// Its terminal was closed.
    #[cfg_attr(not(unix), expect(dead_code, reason = "a signal of Unix"))]
    HungUp = 129,
    /// The user stopped it.
    Interrupted = 130,
    /// It was told to terminate.
    Terminated = 143,
}

/// The user stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::silent(ExitCode::Interrupted)
    }
}

/// Why a command was not done.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Exit code.
    pub(crate) code: ExitCode,
    /// Error, outermost context first.
    pub(crate) error: anyhow::Error,
    /// Advice, printed below the error.
    pub(crate) help: Option<String>,
}

impl Failure {
    /// A failure that ends the program with this code.
    pub(crate) fn new(code: ExitCode, error: impl Into<anyhow::Error>) -> Self {
        Self { code, error: error.into(), help: None }
    }

    /// A command line that asks for something that is never done.
    pub(crate) fn usage(message: String) -> Self {
        Self::new(ExitCode::Usage, anyhow::Error::msg(message))
    }

    /// A guess is below confidence; the help holds the lines for the card that `option` takes.
    pub(crate) fn low_confidence(error: rebone::Error, option: &str) -> Self {
        let rebone::Error::Character(CharacterError::LowConfidence { path, card_lines, .. }) =
            &error
        else {
            return error.into();
        };
        let path = path.display();
        let learn = match card_lines.starts_with("pose_from") {
            true => format!(
                "learn it from clips of this rig (`rebone card {path} --learn CLIP... -o CARD`), or "
            ),
            false => String::new(),
        };
        let help = format!(
            "{learn}put this into a card, corrected where it is wrong, and give it with {option}; or go on with \
             --accept-guesses:\n{card_lines}"
        );
        Self::new(ExitCode::LowConfidence, error).with_help(help)
    }

    /// A retarget of a source and a target that cannot be done.
    pub(crate) fn of_pair(error: impl Into<rebone::Error>, source: &Path) -> Self {
        let error = error.into();
        let rebone::Error::Character(of_character) = &error else { return error.into() };
        match of_character {
            CharacterError::LowConfidence { path, .. } => {
                let option = if path == source { "--source-card" } else { "--target-card" };
                Self::low_confidence(error, option)
            }
            CharacterError::NoClip { .. } => Self::from(error).with_help(
                "the file with the motion comes first, then the character: `rebone retarget MOTION CHARACTER -o OUT`; \
                 are the two in the wrong order?",
            ),
            CharacterError::EmptyClips { .. } => Self::from(error).with_help(
                "it is a rig: the file with the motion comes first; `--clip NAME` takes the pose of an empty clip",
            ),
            _ => error.into(),
        }
    }

    /// Adds advice.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// A failure of which everything was printed already.
    pub(crate) fn silent(code: ExitCode) -> Self {
        Self::new(code, anyhow::anyhow!(""))
    }

    /// True when the reader of standard output has seen enough, as in `rebone inspect a.bvh | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        let error = self.error.downcast_ref::<std::io::Error>();
        error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// The chain of causes as one line.
    pub(crate) fn message(&self) -> String {
        rebone::error_line(self.error.as_ref())
    }
}

/// Printing that fails.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(ExitCode::Input, anyhow::Error::new(error).context("cannot print"))
    }
}

/// A file that cannot be read.
impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        rebone::Error::from(error).into()
    }
}

/// A character that cannot be used.
impl From<CharacterError> for Failure {
    fn from(error: CharacterError) -> Self {
        rebone::Error::from(error).into()
    }
}

/// A retarget that cannot be done.
impl From<rebone::Error> for Failure {
    fn from(error: rebone::Error) -> Self {
        if matches!(error, rebone::Error::Character(CharacterError::LowConfidence { .. })) {
            return Self::low_confidence(error, "--card");
        }
        let code = if error.is_usage() { ExitCode::Usage } else { ExitCode::Input };
        let help = match &error {
            rebone::Error::OtherKind { .. } => {
                Some("name another file, or replace this one with --overwrite".to_owned())
            }
            error => error.help().map(str::to_owned),
        };
        Self { help, ..Self::new(code, error) }
    }
}

/// A picture that cannot be drawn.
impl From<rebone_view::ViewError> for Failure {
    fn from(error: rebone_view::ViewError) -> Self {
        anyhow::Error::new(error).into()
    }
}

/// Errors without a code of their own mean that the input cannot be used.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        if error.chain().any(|cause| cause.is::<Interrupted>()) {
            return Interrupted.into();
        }
        Self::new(ExitCode::Input, error)
    }
}

/// A batch that cannot be done.
impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Interrupted => Interrupted.into(),
            BatchError::Request(message) => Self::usage(message),
            BatchError::Retarget(error) => error.into(),
            BatchError::Fault(fault) => {
                let is_guess = fault.kind == FaultKind::LowConfidence;
                let code = if is_guess { ExitCode::LowConfidence } else { ExitCode::Input };
                Self::new(code, anyhow::Error::msg(fault.message))
            }
            BatchError::Context { context, error } => {
                let inner = Self::from(*error);
                Self { error: inner.error.context(context), ..inner }
            }
            error => Self::new(ExitCode::Input, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_that_is_not_known_is_best_learned() {
        let help = |card_lines: &str| {
            let (path, card_lines) = ("rig.bvh".into(), card_lines.to_owned());
            let error = CharacterError::LowConfidence { path, doubts: Vec::new(), card_lines };
            Failure::low_confidence(error.into(), "--card").help.unwrap_or_default()
        };
        assert!(
            help("pose_from = \"rest\"")
                .starts_with("learn it from clips of this rig (`rebone card rig.bvh ")
        );
        assert!(help("[roles]").starts_with("put this into a card"));
    }
}
