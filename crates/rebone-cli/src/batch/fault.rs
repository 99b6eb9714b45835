//! Faults of a batch by kind, as its summary counts them.

use super::manifest::Fault;
use crate::exit_code::{ExitCode, Failure};
use rebone::skeleton::FileError;
use rebone::{LineError, RetargetError};
use std::panic::AssertUnwindSafe;

/// Kinds of faults, as the summary names them.
pub(crate) const UNREADABLE: &str = "cannot be read";
const UNFIT: &str = "no motion file that can be read";
const NO_HUMANOID: &str = "not a humanoid";
const GUESS: &str = "guesses below confidence";
pub(crate) const CARD: &str = "a card has to be corrected";
pub(crate) const UNWRITABLE: &str = "cannot be written";
const BROKEN: &str = "a fault of this program";
const OPTIONS: &str = "options that do not fit";
const OTHER: &str = "other";

/// Converts a failure.
pub(crate) fn of(failure: &Failure) -> Fault {
    let mut message = failure.message();
    if let Some(help) = &failure.help {
        message += &format!("; {help}");
    }
    Fault { kind: kind(failure).to_owned(), message }
}

/// Converts a fault to the failure that ends the program.
pub(crate) fn failure(fault: Fault) -> Failure {
    let code = if fault.kind == GUESS { ExitCode::LowConfidence } else { ExitCode::Input };
    Failure::new(code, anyhow::Error::msg(fault.message))
}

/// Runs work on a clip; a panic fails this clip alone.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the program broke off on this clip: please report it with the clip";
        Err(Fault { kind: BROKEN.to_owned(), message: message.to_owned() })
    })
}

fn kind(failure: &Failure) -> &'static str {
    if failure.code == ExitCode::LowConfidence {
        return GUESS;
    }
    if failure.code == ExitCode::Usage {
        return OPTIONS;
    }
    let causes = || failure.error.chain();
    let analysed = causes().find_map(|cause| cause.downcast_ref::<RetargetError>());
    match (causes().find_map(of_file), analysed) {
        (Some(kind), _) => kind,
        (_, Some(error)) if error.is_no_humanoid() => NO_HUMANOID,
        (_, Some(_)) => CARD,
        _ if causes().any(is_of_card) => CARD,
        _ if causes().any(|cause| cause.is::<std::io::Error>()) => UNREADABLE,
        _ => OTHER,
    }
}

fn is_of_card(cause: &(dyn std::error::Error + 'static)) -> bool {
    let error = cause.downcast_ref::<rebone::Error>();
    matches!(error, Some(rebone::Error::Card { .. })) || cause.is::<LineError>()
}

/// Kind of a reader's error.
fn of_file(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    match cause.downcast_ref::<FileError>()? {
        FileError::Open { .. } => Some(UNREADABLE),
        FileError::NoClip { .. } | FileError::Skin { .. } => None,
        _ => Some(UNFIT),
    }
}
