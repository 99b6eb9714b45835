//! Selectors: texts that name a joint, by name, path or number.

use crate::{JointId, Skeleton};
use bstr::ByteSlice;
use std::borrow::Cow;
use thiserror::Error;

/// Reason why a selector names no joint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectorError {
    /// No joint has that name or number.
    #[error("there is no joint {selector:?}{}", did_you_mean(nearest))]
    Unknown {
        /// The text, of a long one the beginning.
        selector: String,
        /// Joints with the most similar names, best first.
        nearest: Vec<String>,
    },
    /// Several joints have that name.
    #[error("there are {count} joints {selector:?}: say {}{}", joints.join(" or "), dots(*count, joints))]
    Ambiguous {
        /// The text, of a long one the beginning.
        selector: String,
        /// The number of joints of that name.
        count: usize,
        /// Unique selectors of the first of them.
        joints: Vec<String>,
    },
}

fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; nearest: {}", names.join(", ")),
    }
}

/// Marks a list as shortened.
fn dots(count: usize, shown: &[String]) -> &'static str {
    if count > shown.len() { " or …" } else { "" }
}

/// Joints of one name that a message lists.
const MAX_LISTED_JOINTS: usize = 8;

/// Finds the joint that `selector` names.
///
/// `#12` is joint 12 of the file, counted from 0; `Hips/Spine` is a joint called
/// `Spine` below one called `Hips`, any number of names; anything else is a name. Bytes of a name that
/// are not UTF-8 are compared as the replacement character.
///
/// ```
/// # std::env::set_current_dir("../../data/clips")?;
/// use rebone_skeleton::{Document, JointId, selector::{resolve, select}};
/// let document = Document::open("walk.bvh", None)?;
/// let hand = resolve(document.skeleton(), "LeftForeArm/LeftHand")?;
/// assert_eq!(select(document.skeleton(), hand), "LeftHand");
/// assert_eq!(resolve(document.skeleton(), "#0")?, JointId(0));
/// let error = resolve(document.skeleton(), "LeftHnd").unwrap_err();
/// assert!(error.to_string().contains("nearest: LeftHand"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no joint or more than one is meant.
pub fn resolve(skeleton: &Skeleton, selector: &str) -> Result<JointId, SelectorError> {
    let names = || skeleton.ids().map(|id| name(skeleton, id).into_owned());
    match find(skeleton, selector)[..] {
        [joint] => Ok(joint),
        [] => Err(SelectorError::Unknown {
            selector: shown(selector),
            nearest: if number(selector).is_some() { vec![] } else { nearest(selector, names()) },
        }),
        ref found => Err(SelectorError::Ambiguous {
            selector: shown(selector),
            count: found.len(),
            joints: found.iter().take(MAX_LISTED_JOINTS).map(|&id| select(skeleton, id)).collect(),
        }),
    }
}

/// A text for a message: of a long one only the beginning.
pub fn shown(text: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 60;
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Names of the longest path in a selector.
const MAX_PATH_NAMES: usize = 8;

/// The shortest selector that names this joint and no other: a path of up to eight names, or its number.
pub fn select(skeleton: &Skeleton, joint: JointId) -> String {
    let mut path = String::new();
    // The next joint upwards of each joint that matches the names so far.
    let mut alike: Vec<JointId> = skeleton.ids().collect();
    for id in skeleton.path_to_root(joint).take(MAX_PATH_NAMES) {
        let own = &skeleton[id].name;
        if own.to_str().is_err() {
            break;
        }
        path = if path.is_empty() { own.to_string() } else { format!("{own}/{path}") };
        alike.retain(|&other| skeleton[other].name == *own);
        if alike.len() == 1 && find(skeleton, &path) == [joint] {
            return path;
        }
        alike = alike.iter().filter_map(|&other| skeleton[other].parent).collect();
    }
    format!("#{}", joint.index())
}

/// All joints that a selector may mean: a number before a name, a name before a path.
fn find(skeleton: &Skeleton, selector: &str) -> Vec<JointId> {
    if let Some(number) = number(selector) {
        return skeleton.ids().filter(|id| id.index() == number).collect();
    }
    let named: Vec<JointId> = skeleton.ids().filter(|&id| name(skeleton, id) == selector).collect();
    if named.is_empty() { by_path(skeleton, selector) } else { named }
}

fn name(skeleton: &Skeleton, joint: JointId) -> Cow<'_, str> {
    skeleton[joint].name.to_str_lossy()
}

fn number(selector: &str) -> Option<usize> {
    selector.strip_prefix('#')?.parse().ok()
}

/// The joints whose path from the root ends in these names.
fn by_path(skeleton: &Skeleton, path: &str) -> Vec<JointId> {
    let names: Vec<&str> = path.rsplit('/').collect();
    let fits = |&id: &JointId| {
        let mut above = skeleton.path_to_root(id);
        names.iter().all(|&wanted| above.next().is_some_and(|id| name(skeleton, id) == wanted))
    };
    skeleton.ids().filter(fits).collect()
}

/// Longer texts are not compared: comparing takes time in the product of both lengths.
const MAX_COMPARED_BYTES: usize = 200;

/// Up to three of the candidates that are most like a text, best first: those that have all its words
/// (`leftUpperArm` those of `leftArm`), then those that differ in no more than half of their letters; by
/// edit distance without regard to case.
pub fn nearest(text: &str, candidates: impl Iterator<Item = String>) -> Vec<String> {
    let wanted = text.rsplit('/').next().unwrap_or(text);
    if wanted.len() > MAX_COMPARED_BYTES {
        return Vec::new();
    }
    let said = words(wanted);
    let mut ranked: Vec<(bool, usize, String)> = candidates
        .filter(|candidate| candidate.len() <= MAX_COMPARED_BYTES)
        .map(|candidate| {
            let own = words(&candidate);
            let lacks_words = said.is_empty() || said.iter().any(|word| !own.contains(word));
            let distance = distance(&wanted.to_lowercase(), &candidate.to_lowercase());
            (lacks_words, distance, candidate)
        })
        .filter(|(lacks_words, distance, candidate)| {
            !lacks_words || 2 * distance <= candidate.chars().count().max(4)
        })
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(.., candidate)| candidate).collect()
}

/// The least number of letters to add, drop or change (Wagner and Fischer 1974).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[derive(Clone, Copy, PartialEq)]
enum CharClass {
    Upper,
    Lower,
    Digit,
    Other,
    /// A character that is a word of its own.
    Alone,
    Separator,
}

fn class(c: char) -> CharClass {
    match c {
        '左' | '右' | '捩' | '捻' => CharClass::Alone,
        _ if c.is_ascii_digit() => CharClass::Digit,
        _ if c.is_uppercase() => CharClass::Upper,
        _ if c.is_lowercase() => CharClass::Lower,
        _ if c.is_alphanumeric() => CharClass::Other,
        _ => CharClass::Separator,
    }
}

/// Cuts at separators, before capitals that start a word, and around numbers; in small letters.
pub fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| class(chars[at]));
        let after = chars.get(at + 1).map(|&c| class(c));
        let starts = match (before, class(c)) {
            (_, CharClass::Separator) => {
                fresh = true;
                continue;
            }
            (_, CharClass::Alone) => true,
            (Some(CharClass::Upper), CharClass::Lower) => false,
            (Some(CharClass::Upper), CharClass::Upper) => after == Some(CharClass::Lower),
            (Some(before), now) => before != now,
            (None, _) => true,
        };
        if starts || fresh {
            words.push(String::new());
        }
        fresh = false;
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}
