//! Meaning of a joint's name: side, part of the body, finger.

use crate::body::{Finger, Side};
use rebone_skeleton::selector::words;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A part of the body that a word can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) enum Part {
    Hips,
    Spine,
    Neck,
    Head,
    Jaw,
    Eye,
    Shoulder,
    UpperArm,
    LowerArm,
    Hand,
    HipBone,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
}

/// Meaning of a name; the default is a name without meaning.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NameMeaning {
    pub(crate) side: Option<Side>,
    /// The parts that the name may mean, with a strength from 0 to 1.
    pub(crate) parts: Vec<(Part, f64)>,
    pub(crate) finger: Option<Finger>,
    /// The number of a finger that is only numbered.
    pub(crate) finger_number: Option<u8>,
    /// The number after the word for a finger as it is written, where it is the only one.
    pub(crate) phalanx: Option<String>,
    /// True if it has a word for any finger.
    pub(crate) is_some_finger: bool,
    /// Shares the axial turn of a limb.
    pub(crate) twist: bool,
    /// Only ends a bone.
    pub(crate) end: bool,
    /// No part of the body: controls, clothes, hair, helpers.
    pub(crate) is_control: bool,
    pub(crate) tail: bool,
    /// Goal of inverse kinematics.
    pub(crate) is_goal: bool,
    /// Place for a prop.
    pub(crate) is_slot: bool,
}

impl NameMeaning {
    /// Weight of the name as evidence for a part, 0 for none.
    pub(crate) fn strength(&self, part: Part) -> f64 {
        if self.twist || self.end || self.is_control {
            return 0.0;
        }
        self.parts.iter().find(|(p, _)| *p == part).map_or(0.0, |(_, strength)| *strength)
    }
}

/// The tables of `names.toml`.
#[derive(Deserialize)]
struct Vocabulary {
    left: Vec<String>,
    right: Vec<String>,
    noise: Vec<String>,
    outside: Vec<String>,
    end: Vec<String>,
    twist: Vec<String>,
    tail: Vec<String>,
    goal: Vec<String>,
    slot: Vec<String>,
    fingers: [Vec<String>; 5],
    numbered_finger: Vec<String>,
    parts: BTreeMap<Part, BTreeMap<String, f64>>,
    shift_jis: BTreeMap<String, char>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    toml_edit::de::from_str(include_str!("names.toml")).expect("a test reads the built-in table")
});

impl Vocabulary {
    fn side(&self, word: &str) -> Option<Side> {
        if has(&self.left, word) {
            return Some(Side::Left);
        }
        has(&self.right, word).then_some(Side::Right)
    }

    fn finger(&self, word: &str) -> Option<Finger> {
        let place = self.fingers.iter().position(|words| has(words, word));
        place.map(|place| Finger::ALL[place])
    }

    /// All parts that this word, joined from the words of a name, may mean.
    fn parts(&self, word: &str) -> Vec<(Part, f64)> {
        let of = |(&part, words): (&Part, &BTreeMap<String, f64>)| Some((part, *words.get(word)?));
        self.parts.iter().filter_map(of).collect()
    }
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// Reads one name.
pub(crate) fn read(name: &[u8]) -> NameMeaning {
    let text = ascii_fold(name);
    let vocabulary = &*VOCABULARY;
    let words = words(&text);
    let is = |list: &[String]| words.iter().any(|word| has(list, word));
    let numbers = finger_numbers(vocabulary, &words);
    let mut reading = NameMeaning {
        side: side(vocabulary, &words),
        twist: is(&vocabulary.twist),
        end: is(&vocabulary.end),
        is_control: is(&vocabulary.outside) || text.starts_with("__"),
        tail: is(&vocabulary.tail),
        is_goal: is(&vocabulary.goal),
        is_slot: is(&vocabulary.slot),
        finger_number: finger_number(&numbers),
        phalanx: <[&String; 1]>::try_from(numbers).ok().map(|[only]| only.clone()),
        is_some_finger: is(&vocabulary.numbered_finger),
        ..NameMeaning::default()
    };
    let spoken: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| vocabulary.side(word).is_none() && !is_number(word))
        .collect();
    reading.parts = known_parts(vocabulary, &spoken);
    let pairs = || spoken.windows(2).find_map(|pair| vocabulary.finger(&pair.concat()));
    reading.finger = spoken.iter().find_map(|word| vocabulary.finger(word)).or_else(pairs);
    if reading.parts.is_empty() && reading.side.is_none() {
        read_glued_side(vocabulary, &spoken, &mut reading);
    }
    reading
}

/// The side: a whole word speaks before a letter.
fn side(vocabulary: &Vocabulary, words: &[String]) -> Option<Side> {
    let long = words.iter().filter(|word| word.chars().count() > 1 || !word.is_ascii());
    let short = words.iter().filter(|word| word.len() == 1);
    long.chain(short).find_map(|word| vocabulary.side(word))
}

/// "lhip", "rthumb": the side as a letter before a word in small letters.
fn read_glued_side(vocabulary: &Vocabulary, spoken: &[&str], reading: &mut NameMeaning) {
    let Some((first, rest)) = spoken.split_first() else { return };
    for letter in ["l", "r"] {
        let Some(word) = first.strip_prefix(letter) else { continue };
        let mut glued = vec![word];
        glued.extend(rest);
        let parts = known_parts(vocabulary, &glued);
        let finger = vocabulary.finger(word);
        if parts.is_empty() && finger.is_none() {
            continue;
        }
        reading.side = vocabulary.side(letter);
        reading.parts = parts;
        reading.finger = reading.finger.or(finger);
    }
}

/// Looks the joined words up: all of them, then without noise, then without the first, and so on.
fn known_parts(vocabulary: &Vocabulary, spoken: &[&str]) -> Vec<(Part, f64)> {
    let whole = vocabulary.parts(&spoken.concat());
    if !whole.is_empty() {
        return whole;
    }
    let meant: Vec<&str> =
        spoken.iter().copied().filter(|word| !has(&vocabulary.noise, word)).collect();
    let tails = (0..meant.len()).map(|from| vocabulary.parts(&meant[from..].concat()));
    tails.into_iter().find(|parts| !parts.is_empty()).unwrap_or_default()
}

/// The numbers after "finger".
fn finger_numbers<'a>(vocabulary: &Vocabulary, words: &'a [String]) -> Vec<&'a String> {
    let at = words.iter().position(|word| has(&vocabulary.numbered_finger, word));
    let after = at.map_or(&[][..], |at| &words[at + 1..]);
    after.iter().filter(|word| is_number(word)).collect()
}

/// The finger of the numbers after "finger": "Finger0" and "Finger01" (finger 0, joint 1), "finger2-1" (finger 2).
fn finger_number(numbers: &[&String]) -> Option<u8> {
    let first = numbers.first()?;
    let glued = first.len() == 2 && numbers.len() == 1;
    first[..if glued { 1 } else { first.len() }].parse().ok()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name as text: after the last colon or bar, full-width letters and digits made plain.
fn ascii_fold(name: &[u8]) -> String {
    let text = match std::str::from_utf8(name) {
        Ok(text) => text.to_string(),
        Err(_) => shift_jis(name),
    };
    let text = text.trim_end().rsplit([':', '|']).next().unwrap_or_default();
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(narrow).collect()
}

/// The text of a name in Shift-JIS, as far as the vocabulary goes; other characters are lost.
fn shift_jis(name: &[u8]) -> String {
    let mut text = String::new();
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        if byte.is_ascii() {
            text.push(char::from(byte));
        } else if let Some(&trail) = bytes.next() {
            let code = format!("{byte:02x}{trail:02x}");
            text.push(VOCABULARY.shift_jis.get(&code).copied().unwrap_or('\u{fffd}'));
        }
    }
    text
}
