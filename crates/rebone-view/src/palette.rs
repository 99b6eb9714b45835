//! Colours that stay apart with each common kind of colour blindness, and in grey.
//!
//! Pictures, the page of a report, the studio and the Blender extension take their colours from here. Files of other languages
//! are generated: `REBONE_BLESS=1 cargo test -p rebone-view palette` writes `web/src/palette.css` and `blender/palette.py`.

/// Red, green and blue, 0 to 255.
pub type Rgb = [u8; 3];

/// Shades of one figure.
///
/// ```
/// use rebone_view::Ink;
/// assert_ne!(Ink::BLUE_GREY.middle, Ink::ORANGE.middle);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// Left limbs: the darkest.
    pub left: Rgb,
    /// Trunk and head.
    pub middle: Rgb,
    /// Right limbs: the lightest.
    pub right: Rgb,
}

impl Ink {
    /// Colour of sources.
    pub const BLUE_GREY: Ink = ink([0x4F, 0x68, 0x82], [0x7C, 0x91, 0xA9], [0xB3, 0xC3, 0xD4]);
    /// Colour of results.
    pub const ORANGE: Ink = ink([0x9E, 0x3A, 0x00], [0xDF, 0x6A, 0x00], [0xFF, 0xA2, 0x3A]);
    /// Colour of a third figure.
    pub const GREEN: Ink = ink([0x00, 0x57, 0x40], [0x00, 0x92, 0x6C], [0x4C, 0xC7, 0xA2]);
    /// Colour of a fourth figure.
    pub const PURPLE: Ink = ink([0x7A, 0x35, 0x60], [0xB8, 0x62, 0x96], [0xDE, 0x9C, 0xC4]);
    /// All inks, in the order in which figures take them.
    pub const ALL: [Ink; 4] = [Self::BLUE_GREY, Self::ORANGE, Self::GREEN, Self::PURPLE];
}

/// Background of a sheet.
pub(crate) const PAPER: Rgb = [0xFF, 0xFF, 0xFF];
/// Background of a figure.
pub(crate) const BAND: Rgb = [0xF4, 0xF5, 0xF7];
/// The floor line.
pub(crate) const FLOOR: Rgb = [0xAE, 0xB4, 0xBC];
/// Lines on the floor of an animation.
pub(crate) const GRID: Rgb = [0xDC, 0xE0, 0xE6];
/// Shadows on the floor of an animation.
pub(crate) const SHADOW: Rgb = [0x9A, 0xA3, 0xAF];
/// Axes of segments: X, Y, Z.
pub(crate) const AXES: [Rgb; 3] = [[0xD8, 0x1E, 0x2C], [0x12, 0x9A, 0x38], [0x1C, 0x4F, 0xE8]];
/// Dots on joints, where axes are drawn.
pub(crate) const JOINT: Rgb = [0x3A, 0x42, 0x4C];
/// Colour of headline and labels.
pub(crate) const TEXT: Rgb = [0x22, 0x28, 0x30];
/// Colour of side notes.
pub(crate) const QUIET: Rgb = [0x6A, 0x73, 0x7E];

/// Part of white in inks on a dark background.
const DARK_MODE_WHITE: f64 = 0.3;

/// Returns CSS rules that define the colours of source and result, for a light and a dark background.
///
/// The variables are `--source-left`, `--source`, `--source-right`, and likewise for `result`.
pub(crate) fn css_variables() -> String {
    css_rules(|white| {
        let define = |(name, ink): (&str, Ink)| {
            let [left, middle, right] =
                [ink.left, ink.middle, ink.right].map(|rgb| hex(rgb, white));
            format!("--{name}-left: {left}; --{name}: {middle}; --{name}-right: {right}; ")
        };
        [("source", Ink::BLUE_GREY), ("result", Ink::ORANGE)].map(define).concat()
    })
}

/// Returns CSS rules with variables for a light background and for a dark one, by their part of white.
fn css_rules(variables: impl Fn(f64) -> String) -> String {
    format!(
        ":root {{ {}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {}}} }}\n",
        variables(0.0),
        variables(DARK_MODE_WHITE)
    )
}

/// Returns a colour, mixed with a part of white, as `#rrggbb`.
fn hex(rgb: Rgb, white: f64) -> String {
    let [r, g, b] =
        rgb.map(|value| (f64::from(value) + white * f64::from(255 - value)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

const fn ink(left: Rgb, middle: Rgb, right: Rgb) -> Ink {
    Ink { left, middle, right }
}

#[cfg(test)]
mod tests;
