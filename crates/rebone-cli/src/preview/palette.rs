//! The colours: told apart with every common kind of colour blindness, and in grey.

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// The three shades of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    /// Left limbs: the darkest.
    pub(crate) left: Rgb,
    /// Trunk and head.
    pub(crate) middle: Rgb,
    /// Right limbs: the lightest.
    pub(crate) right: Rgb,
}

impl Ink {
    /// The source.
    pub(crate) const BLUE_GREY: Ink =
        ink([0x4F, 0x68, 0x82], [0x84, 0x99, 0xB0], [0xB3, 0xC3, 0xD4]);
    /// The result.
    pub(crate) const ORANGE: Ink = ink([0x9E, 0x3A, 0x00], [0xDF, 0x6A, 0x00], [0xFF, 0xA2, 0x3A]);
    /// A third track.
    pub(crate) const GREEN: Ink = ink([0x00, 0x57, 0x40], [0x00, 0x92, 0x6C], [0x4C, 0xC7, 0xA2]);
    /// A fourth track.
    pub(crate) const PURPLE: Ink = ink([0x7A, 0x35, 0x60], [0xB8, 0x62, 0x96], [0xDE, 0x9C, 0xC4]);
    /// In the order of tracks.
    pub(crate) const ALL: [Ink; 4] = [Self::BLUE_GREY, Self::ORANGE, Self::GREEN, Self::PURPLE];
}

/// Behind everything.
pub(super) const PAPER: Rgb = [0xFF, 0xFF, 0xFF];
/// Behind a figure.
pub(super) const BAND: Rgb = [0xF4, 0xF5, 0xF7];
/// The floor line.
pub(super) const FLOOR: Rgb = [0xAE, 0xB4, 0xBC];
/// The axes of segments: X, Y, Z.
pub(super) const AXES: [Rgb; 3] = [[0xD8, 0x1E, 0x2C], [0x12, 0x9A, 0x38], [0x1C, 0x4F, 0xE8]];
/// A joint, where axes are shown.
pub(super) const JOINT: Rgb = [0x3A, 0x42, 0x4C];
/// Headline and labels.
pub(super) const TEXT: Rgb = [0x22, 0x28, 0x30];
/// Side notes.
pub(super) const QUIET: Rgb = [0x6A, 0x73, 0x7E];

const fn ink(left: Rgb, middle: Rgb, right: Rgb) -> Ink {
    Ink { left, middle, right }
}
