//! Errors of cards, with their line.

use crate::body::SignedAxis;
use rebone_skeleton::selector::SelectorError;
use thiserror::Error;

/// Why a card cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("card line {line}: {fault}")]
pub struct CardError {
    /// The line, counted from 1; 0 for a card that was not read.
    pub line: usize,
    /// What is wrong.
    pub fault: CardFault,
}

/// What is wrong with a line of a card.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CardFault {
    /// It is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key that cards do not have.
    #[error("{name:?} is no {what}{}", nearest_names(nearest))]
    UnknownKey {
        /// The key.
        name: String,
        /// What keys at that place are: "key", "role", "variable".
        what: &'static str,
        /// The most similar keys, best first.
        nearest: Vec<String>,
    },
    /// A value of another kind than the key takes.
    #[error("found {found}, expected {expected}")]
    Value {
        /// The value.
        found: String,
        /// What the key takes.
        expected: &'static str,
    },
    /// A role that one joint plays has several.
    #[error("{role} is played by one joint, not by {count}")]
    OneJoint {
        /// The role's name.
        role: String,
        /// How many selectors it has.
        count: usize,
    },
    /// A joint has two roles.
    #[error("joint {joint:?} cannot be both {first} and {second}")]
    TwoRoles {
        /// The joint.
        joint: String,
        /// The role that the card gives first.
        first: String,
        /// The role that it gives as well.
        second: String,
    },
    /// The calibration pose is stated twice.
    #[error("pose_from and [pose] both state the calibration pose: take one of them away")]
    TwoPoses,
    /// Up and facing are along one axis.
    #[error("up {0} and facing {1} lie on one axis, expected two")]
    OneAxis(SignedAxis, SignedAxis),
    /// A joint that is limited twice.
    #[error("joint {0:?} is limited already, in another line: put its ranges into one")]
    LimitedTwice(String),
    /// A joint whose axes are stated twice.
    #[error("joint {0:?} has axes already, in another line: take one of them away")]
    AxesTwice(String),
    /// A joint that cannot go along with another one.
    #[error("joint {joint:?} cannot follow that: {why}")]
    Helper {
        /// The joint.
        joint: String,
        /// Why not.
        why: &'static str,
    },
    /// A joint that has no such variable.
    #[error("joint {joint:?} has no {variable}: say {expected}")]
    Variable {
        /// The joint.
        joint: String,
        /// The variable.
        variable: String,
        /// What it has.
        expected: String,
    },
    /// A selector that names no joint.
    #[error(transparent)]
    Selector(#[from] SelectorError),
}

fn nearest_names(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; nearest: {}", names.join(", ")),
    }
}
