//! Surfaces of segments in a card: girths, and segments whose skin is not the body's.

use crate::body::BodySegment;
use crate::body::surface::{GIRTHS, StatedSurface, StatedSurfaces};
use crate::card::Card;
use crate::card::parse::syntax::{Lines, keys, number, table, unknown, wrong};
use crate::error::LineError;
use std::collections::BTreeMap;
use toml_edit::{Item, Key};

/// Value that states the usual surface.
pub(crate) const USUAL: &str = "default";

const EXPECTED: &str = "a factor from 0.3 to 3, or \"default\" for the usual surface";

/// Reads the section `surface`.
pub(crate) fn surface_entries(
    lines: &Lines,
    key: &Key,
    item: &Item,
) -> Result<BTreeMap<String, Option<f64>>, LineError> {
    let entries = keys(table(lines, key, item)?).into_iter();
    let entry = |(name, item): (&Key, &Item)| {
        let fault = |message| lines.error(name, item, message);
        check_segment(name.get()).map_err(fault)?;
        let girth = match item.as_str() {
            Some(USUAL) => None,
            _ => {
                let girth = number(item).filter(is_girth);
                Some(girth.ok_or_else(|| fault(wrong(item, EXPECTED)))?)
            }
        };
        Ok((name.get().to_owned(), girth))
    };
    entries.map(entry).collect()
}

impl Card {
    /// Returns the stated surface of each segment. An entry with a side goes before one of both sides.
    ///
    /// # Errors
    /// Of a card that was not read: a name that is no segment, a factor outside its range.
    #[doc(hidden)]
    pub fn stated_surfaces(&self) -> Result<StatedSurfaces, LineError> {
        for (name, girth) in &self.surface {
            let fault = |message| LineError { line: 0, message };
            check_segment(name).map_err(fault)?;
            if let Some(girth) = girth.filter(|girth| !is_girth(girth)) {
                return Err(fault(format!("found {name} = {girth}, expected {EXPECTED}")));
            }
        }
        Ok(BodySegment::ALL.map(|segment| {
            let [own, both] = [segment.card_name(), segment.card_name_of_both()];
            let stated = self.surface.get(&own).or_else(|| self.surface.get(&both))?;
            Some(stated.map_or(StatedSurface::Usual, StatedSurface::Girth))
        }))
    }
}

fn is_girth(girth: &f64) -> bool {
    (GIRTHS[0]..=GIRTHS[1]).contains(girth)
}

fn check_segment(name: &str) -> Result<(), String> {
    let all = BodySegment::ALL.map(|own| [own.card_name(), own.card_name_of_both()]).concat();
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    match known.contains(&name) {
        true => Ok(()),
        false => Err(unknown(name, "segment of a body", &known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Side;

    fn fault(text: &str) -> String {
        Card::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_side_goes_before_both() {
        let text = "[surface]\nupperArm = 1.2\nleftUpperArm = 2\nchest = \"default\"\n";
        let card = Card::parse(text).unwrap();
        let stated = card.stated_surfaces().unwrap();
        let of = |segment: BodySegment| stated[segment.index()];
        assert_eq!(of(BodySegment::UpperArm(Side::Left)), Some(StatedSurface::Girth(2.0)));
        assert_eq!(of(BodySegment::UpperArm(Side::Right)), Some(StatedSurface::Girth(1.2)));
        assert_eq!(of(BodySegment::Chest), Some(StatedSurface::Usual));
        assert_eq!(stated.iter().flatten().count(), 3);
        assert_eq!(Card::parse(&card.to_toml()).unwrap().surface, card.surface);
    }

    #[test]
    fn faults_say_where_what_and_what_was_expected() {
        for (text, said) in [
            ("[surface]\nbely = 1.3", "2: \"bely\" is no segment of a body; nearest: belly"),
            ("[surface]\nbelly = 3.1", "2: found 3.1, expected a factor from 0.3 to 3, or"),
            ("[surface]\nbelly = 0", "2: found 0, expected a factor"),
            ("[surface]\nbelly = nan", "2: found nan, expected a factor"),
            ("[surface]\n\nbelly = \"skin\"", "3: found \"skin\", expected a factor"),
            ("[surface]\nbelly = [1, 2]", "2: found [1, 2], expected a factor"),
            ("surface = 3", "1: found 3, expected a table"),
            (
                "[surface]\nunit = \"cm\"",
                "2: `unit` stands in [surface], where each line is a segment",
            ),
            ("[generated.surface]\nbelly = 1.3", "\"surface\" is no key"),
        ] {
            assert!(fault(text).contains(said), "{text:?}: {}", fault(text));
        }
    }

    #[test]
    fn a_card_of_code_is_checked_as_well() {
        for (name, girth) in [("belly", Some(f64::NAN)), ("belly", Some(-1.0)), ("skirt", None)] {
            let surface = [(name.to_owned(), girth)].into();
            let card = Card { surface, ..Card::default() };
            assert!(card.stated_surfaces().is_err(), "{name} {girth:?}");
        }
    }
}
