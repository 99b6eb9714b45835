//! Sheets of figures: columns of bodies, from the front, from the side and from above, as a PNG.
//!
//! Plain points in, a picture out; where the points come from is the caller's business.

mod contact;

mod figure;

mod layout;

mod palette;

mod sheet;

mod text;

pub(crate) use contact::{Instant, SheetOptions, contact_sheet};
pub(crate) use layout::View;
pub(crate) use palette::{Ink, Rgb};

/// A place in the inner world: metres of a 1.7 m body, +X to the body's left, +Y up, +Z forward.
pub(crate) type Point = [f64; 3];

/// Which limb a bone belongs to; left ones are drawn darker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The body's own left.
    Left,
    /// Trunk and head.
    Middle,
    /// The body's own right.
    Right,
}

/// A stroke between two points of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    /// Indices into a frame's points.
    pub(crate) ends: [usize; 2],
    /// Which limb it belongs to.
    pub(crate) side: Side,
    /// Fingers and the like.
    pub(crate) thin: bool,
}

/// One motion to draw.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    /// What the header calls it.
    pub(crate) label: String,
    /// Its colours.
    pub(crate) ink: Ink,
    /// The points of each frame that is drawn, all frames of the same length.
    pub(crate) frames: Vec<Vec<Point>>,
    /// The two points in the middle of which figures are centred: the hips.
    pub(crate) centre: [usize; 2],
    /// The strokes.
    pub(crate) bones: Vec<Bone>,
    /// Base and top of the skull, drawn as a circle.
    pub(crate) skull: Option<[usize; 2]>,
    /// The axes of segments: origin, and the ends of X, Y and Z.
    pub(crate) axes: Vec<[usize; 4]>,
}

/// One column of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Column<'a> {
    /// What is drawn over each other, the first at the back: tracks, and the frame of each.
    pub(crate) figures: Vec<(&'a Track, usize)>,
    /// The two lines under it.
    pub(crate) caption: [String; 2],
    /// How many times larger it is than the others.
    pub(crate) zoom: f64,
}

/// A picture: figures in columns, looked at from several directions.
#[derive(Clone, Debug)]
pub(crate) struct Sheet<'a> {
    /// The headline.
    pub(crate) title: String,
    /// What the header names, with its colours.
    pub(crate) tracks: Vec<&'a Track>,
    /// From left to right.
    pub(crate) columns: Vec<Column<'a>>,
    /// What the two lines under the columns are called.
    pub(crate) captions: [&'static str; 2],
    /// One row each, from top to bottom.
    pub(crate) views: &'static [View],
}

impl Track {
    /// Where the middle of the body is in a frame.
    fn centre(&self, frame: usize) -> Point {
        let [a, b] = self.centre.map(|index| self.frames[frame][index]);
        std::array::from_fn(|axis| (a[axis] + b[axis]) / 2.0)
    }
}

#[cfg(test)]
mod tests;
