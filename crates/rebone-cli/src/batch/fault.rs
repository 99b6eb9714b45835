//! Why something was not done, by kind: what a summary counts.

use super::manifest::Fault;
use crate::exit_code::{ExitCode, Failure};
use rebone::UnderstandError;
use rebone::card::CardError;
use rebone::skeleton::bvh::FileError;

/// Kinds of faults, in the words of the summary.
pub(crate) const UNREADABLE: &str = "cannot be read";
const NOT_BVH: &str = "no BVH that can be read one way only";
const NO_HUMANOID: &str = "not a humanoid";
const GUESS: &str = "guesses below confidence";
const CARD: &str = "a card has to be corrected";
const OTHER: &str = "other";

/// The fault that a failure is.
pub(crate) fn of(failure: &Failure) -> Fault {
    let mut message = failure.message();
    if let Some(help) = &failure.help {
        message += &format!("; {help}");
    }
    Fault { kind: kind(failure).to_owned(), message }
}

fn kind(failure: &Failure) -> &'static str {
    if failure.code == ExitCode::Guess {
        return GUESS;
    }
    let causes = || failure.error.chain();
    let file = causes().find_map(|cause| cause.downcast_ref::<FileError>());
    let understood = causes().find_map(|cause| cause.downcast_ref::<UnderstandError>());
    match (file, understood) {
        (Some(FileError::Open { .. }), _) => UNREADABLE,
        (Some(_), _) => NOT_BVH,
        (_, Some(UnderstandError::Roles(_) | UnderstandError::Body(_))) => NO_HUMANOID,
        (_, Some(_)) => CARD,
        _ if causes().any(|cause| cause.is::<CardError>()) => CARD,
        _ if causes().any(|cause| cause.is::<std::io::Error>()) => UNREADABLE,
        _ => OTHER,
    }
}
