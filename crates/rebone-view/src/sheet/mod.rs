//! Sheets of figures: columns of bodies, from the front, from the side and from above, as PNG.
//!
//! Inputs are points in metres; `recorder` computes them from poses.

mod contact;
mod draw;
mod figure;
mod layout;
mod paint;

pub use contact::{SheetOptions, ShownFrame, contact_sheet};
pub(crate) use layout::ViewDirection;
pub(crate) use paint::line;

use crate::palette::Ink;
use crate::skin::FigureSkin;
use serde::Serialize;

/// A position in the inner world: metres of a 1.7 m body, +X to the body's left, +Y up, +Z forward.
pub(crate) type FigurePoint = [f64; 3];

/// Side of the body that a stroke belongs to; left ones are drawn darker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BodySide {
    /// The body's left.
    Left,
    /// Trunk and head.
    Middle,
    /// The body's right.
    Right,
}

/// A stroke between two points of a frame.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct FigureStroke {
    /// Indices into a frame's points.
    pub(crate) ends: [usize; 2],
    /// Side of the body.
    pub(crate) side: BodySide,
    /// Drawn thin: fingers, outlines, face, end sites.
    pub(crate) thin: bool,
}

/// Strokes of one motion at the frames of a sheet.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name in the header.
    pub(crate) label: String,
    /// Colours.
    pub(crate) ink: Ink,
    /// Points of each drawn frame; all frames have the same number of points.
    pub(crate) frames: Vec<Vec<FigurePoint>>,
    /// Two points, the hips: their midpoint is centred in a column.
    pub(crate) centre: [usize; 2],
    /// Strokes.
    pub(crate) strokes: Vec<FigureStroke>,
    /// Base and top of the skull, drawn as a circle.
    pub(crate) skull: Option<[usize; 2]>,
    /// Points of the surface of each segment, whose convex hull is filled; empty where the surface is not known.
    pub(crate) surface: Vec<Vec<usize>>,
    /// The axes of segments: origin, and the ends of X, Y and Z.
    pub(crate) axes: Vec<[usize; 4]>,
    /// The mesh of the character: drawn in place of strokes, or behind them where there are axes.
    pub(crate) skin: Option<FigureSkin>,
}

/// A figure at one frame in a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) figure: &'a Figure,
    /// Index of the frame in the figure.
    pub(crate) frame: usize,
    /// Distance to the right of the middle of the column, metres.
    pub(crate) shift: f64,
}

/// One column of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Column<'a> {
    /// Figures, the first at the back.
    pub(crate) figures: Vec<Placed<'a>>,
    /// Two lines of text below it.
    pub(crate) caption: [String; 2],
    /// Scale relative to other columns, 1 for equal.
    pub(crate) zoom: f64,
}

/// Figures in columns, one row for each view direction.
#[derive(Clone, Debug)]
pub(crate) struct Sheet<'a> {
    /// The headline.
    pub(crate) title: String,
    /// Figures that the header names.
    pub(crate) legend: Vec<&'a Figure>,
    /// Columns from left to right.
    pub(crate) columns: Vec<Column<'a>>,
    /// Names of the two lines of text below the columns.
    pub(crate) captions: [&'static str; 2],
    /// View directions of the rows, from top to bottom.
    pub(crate) views: &'static [ViewDirection],
}

impl Figure {
    /// Midpoint of the hips in a frame.
    pub(crate) fn centre(&self, frame: usize) -> FigurePoint {
        let [a, b] = self.centre.map(|index| self.frames[frame][index]);
        std::array::from_fn(|axis| (a[axis] + b[axis]) / 2.0)
    }

    /// Places a frame of the figure in the middle of a column.
    pub(crate) fn in_middle(&self, frame: usize) -> Placed<'_> {
        Placed { figure: self, frame, shift: 0.0 }
    }

    /// Raises all frames by metres.
    pub(crate) fn raise(&mut self, metres: f64) {
        self.frames.iter_mut().flatten().for_each(|point| point[1] += metres);
        self.skin.iter_mut().for_each(|skin| skin.raise(metres));
    }

    /// Heights of the ends of all strokes in the first frame.
    pub(crate) fn drawn_heights(&self) -> impl Iterator<Item = f64> {
        let ends = self.strokes.iter().flat_map(|stroke| stroke.ends);
        ends.map(|end| self.frames[0][end][1])
    }
}

#[cfg(test)]
mod tests;
