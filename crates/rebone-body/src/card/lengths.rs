//! Plausible lengths of a card, by the size of its body.

use super::Card;
use crate::body::{Anatomy, BODY_HEIGHT, TRUNK_RADII_METRES};
use crate::error::LineError;

/// Digits of a length in a message.
const SHOWN_DIGITS: i32 = 3;

impl Card {
    /// Checks the lengths that the card states against the body, whose own lengths `anatomy` has.
    ///
    /// A joint of a standing foot is not higher over its sole, or lower, than the shin is long. Seat, back and head are not
    /// as far from the skin as half of the body is tall.
    pub(crate) fn check_lengths(&self, anatomy: &Anatomy) -> Result<(), LineError> {
        let unit = anatomy.metres_per_unit();
        let in_file = |metres: f64| rounded(metres / unit);
        if let Some(height) = self.sole_height {
            let shin = anatomy.shin_metres();
            let is_plausible = (height * unit).abs() <= shin;
            if !is_plausible {
                let own = anatomy.own_sole_height();
                let own = own.map_or(String::new(), |own| {
                    format!("; the skeleton's own is {}", in_file(own))
                });
                let shin = in_file(shin);
                let message = format!(
                    "sole_height = {height}, expected a height from -{shin} to {shin}, the length of the shin, in the \
                     unit of the file{own}"
                );
                return Err(LineError { line: self.length_lines[0], message });
            }
        }
        if let Some(radii) = self.trunk_radii {
            let most = BODY_HEIGHT / 2.0;
            if !radii.iter().all(|radius| radius * unit < most) {
                let [seat, back, head] = radii;
                let own = TRUNK_RADII_METRES.map(in_file).map(|own| own.to_string()).join(", ");
                let message = format!(
                    "trunk_radii = [{seat}, {back}, {head}], expected lengths below {}, half of the body's height, in the \
                     unit of the file; usual are [{own}]",
                    in_file(most)
                );
                return Err(LineError { line: self.length_lines[1], message });
            }
        }
        Ok(())
    }
}

/// Rounds a length to a few digits.
fn rounded(length: f64) -> f64 {
    if length == 0.0 || !length.is_finite() {
        return length;
    }
    let place =
        libm::pow(10.0, f64::from(SHOWN_DIGITS) - 1.0 - libm::floor(libm::log10(length.abs())));
    let rounded = (length * place).round() / place;
    if rounded.is_finite() { rounded } else { length }
}
