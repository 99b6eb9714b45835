//! Where everything goes: scale, columns, rows.

use super::{Column, FigurePoint, Sheet};

/// Pixels left free around the sheet.
pub(super) const MARGIN: f32 = 16.0;
/// Pixels for the names of the rows.
const GUTTER: f32 = 68.0;
/// Pixels between a figure and the border of its cell.
const PADDING: f64 = 12.0;
/// Pixels a metre at most: a standing body is about 290 high.
const LARGEST_SCALE: f64 = 170.0;
/// Pixels that the sheet is wide at most, and at least so that header and labels fit.
const WIDEST: f64 = 1800.0;
const NARROWEST: f32 = 760.0;
/// Pixels between rows, and for the two lines under the last one.
const GAP: f32 = 8.0;
const CAPTIONS: f32 = 52.0;
/// Metres from the root that a column reaches at least and at most, to either side.
const REACH: [f64; 2] = [0.3, 1.6];
/// Metres over and under the floor that a figure is drawn at most.
const HIGHEST: f64 = 3.5;
const LOWEST: f64 = -1.0;
/// Metres before and behind the root that a row from above reaches at least.
const DEEP: f64 = 0.2;

/// A direction to look in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewDirection {
    /// Along −Z: the body's left is on the right.
    Front,
    /// Along +X, from the body's right: it looks to the right.
    Side,
    /// Along −Y: the body's left is on the right, it looks down the sheet.
    Top,
}

impl ViewDirection {
    /// What the row is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            ViewDirection::Front => "front",
            ViewDirection::Side => "side",
            ViewDirection::Top => "top",
        }
    }

    /// To the right, up and towards the viewer, in metres.
    pub(super) fn project(self, point: FigurePoint) -> [f64; 3] {
        let [x, y, z] = point;
        match self {
            ViewDirection::Front => [x, y, z],
            ViewDirection::Side => [z, y, -x],
            ViewDirection::Top => [x, -z, y],
        }
    }

    /// What is at the root and the level of a cell, to the right and up, in metres: the root and the
    /// floor; from above the root alone.
    pub(super) fn origin(self, root: FigurePoint) -> [f64; 2] {
        let [right, up, _] = self.project(root);
        [right, if self == ViewDirection::Top { up } else { 0.0 }]
    }

    /// Metres under and over the level that a figure is drawn at least and at most.
    fn heights(self) -> [[f64; 2]; 2] {
        match self {
            ViewDirection::Top => [[-DEEP, DEEP], [-REACH[1], REACH[1]]],
            _ => [[0.0, 1.0], [LOWEST, HIGHEST]],
        }
    }
}

/// A rectangle for one figure, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    /// Where the figure's root is, from the left.
    pub(super) root: f32,
    /// The height of the floor line, from above of the root.
    pub(super) level: f32,
    /// Pixels a metre.
    pub(super) scale: f64,
}

/// The measures of a sheet.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Pixels of the whole sheet.
    pub(super) width: u32,
    /// Pixels of the whole sheet.
    pub(super) height: u32,
    /// Top of the line that says what is drawn in which colour.
    pub(super) legend: f32,
    /// Left, width, root and scale of each column.
    columns: Vec<Cell>,
    /// Top, height and level of each row.
    rows: Vec<Cell>,
}

impl Layout {
    /// Fits the figures of all columns; works without columns as well.
    ///
    /// All figures have one scale, but for those that are shown larger; a column is as wide as the
    /// figure in it needs.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let extents: Vec<Extent> =
            sheet.columns.iter().map(|column| Extent::of(column, sheet.views)).collect();
        let wide: f64 = extents.iter().map(Extent::width).sum();
        let room = WIDEST - f64::from(GUTTER + 2.0 * MARGIN);
        let room = room - 2.0 * PADDING * extents.len() as f64;
        let scale = (room / wide.max(0.1)).clamp(20.0, LARGEST_SCALE);
        let legend = MARGIN + 34.0;
        let (columns, right) = columns(&extents, scale);
        let (rows, bottom) = rows(&extents, sheet.views, scale, legend + 36.0);
        let width = (right + MARGIN).max(NARROWEST) as u32;
        let height = (bottom + CAPTIONS) as u32;
        Self { width, height, legend, columns, rows }
    }

    /// The cell of a column in a row.
    pub(super) fn cell(&self, row: usize, column: usize) -> Cell {
        let Cell { top, height, level, .. } = self.rows[row];
        Cell { top, height, level, ..self.columns[column] }
    }
}

const NOTHING: Cell =
    Cell { left: 0.0, top: 0.0, width: 0.0, height: 0.0, root: 0.0, level: 0.0, scale: 0.0 };

/// The columns, and where the last one ends.
fn columns(extents: &[Extent], scale: f64) -> (Vec<Cell>, f32) {
    let mut left = MARGIN + GUTTER;
    let spare = f64::from(NARROWEST - left - MARGIN) / extents.len().max(1) as f64;
    let cells = extents.iter().map(|extent| {
        let wanted = extent.width() * scale + 2.0 * PADDING;
        let extra = (spare - wanted).max(0.0) / 2.0;
        let width = (wanted + 2.0 * extra).ceil() as f32;
        let root = left + (extra + PADDING - extent.sides[0] * scale).round() as f32;
        left += width;
        Cell { left: left - width, width, root, scale: scale * extent.zoom, ..NOTHING }
    });
    (cells.collect(), left)
}

/// The rows, and where the last one ends.
fn rows(extents: &[Extent], views: &[ViewDirection], scale: f64, mut top: f32) -> (Vec<Cell>, f32) {
    let rows = (0..views.len()).map(|row| {
        let [[low, high], _] = views[row].heights();
        let heights = || extents.iter().map(|extent| extent.heights[row]);
        let low = heights().map(|[low, _]| low).fold(low, f64::min);
        let high = heights().map(|[_, high]| high).fold(high, f64::max);
        let height = ((high - low) * scale + 2.0 * PADDING).ceil() as f32;
        let level = top + (PADDING + high * scale).round() as f32;
        let row = Cell { top, height, level, ..NOTHING };
        top += height + GAP;
        row
    });
    (rows.collect(), top)
}

/// What the figures of one column need, in metres as large as those of other columns.
struct Extent {
    /// From the root to the left (negative) and to the right, in all views.
    sides: [f64; 2],
    /// Under the level (negative) and over it, in each view.
    heights: Vec<[f64; 2]>,
    /// How many times larger than others the column is.
    zoom: f64,
}

impl Extent {
    fn of(column: &Column, views: &[ViewDirection]) -> Self {
        let zoom = column.zoom;
        let side = REACH[0] / zoom;
        let heights = views.iter().map(|view| view.heights()[0].map(|least| least / zoom));
        let mut extent = Self { sides: [-side, side], heights: heights.collect(), zoom };
        for &(track, index) in &column.figures {
            let (frame, centre) = (&track.frames[index], track.centre(index));
            let strokes = track.strokes.iter().flat_map(|stroke| stroke.ends);
            let axes = track.axes.iter().flatten().copied();
            strokes.chain(axes).for_each(|end| extent.include(frame[end], centre, 0.0, views));
            if let Some([_, top]) = track.skull {
                extent.include(frame[top], centre, 0.04, views);
            }
        }
        for (heights, view) in extent.heights.iter_mut().zip(views) {
            let [_, most] = view.heights();
            *heights = [heights[0].max(most[0]) * zoom, heights[1].min(most[1]) * zoom];
        }
        let [left, right] = extent.sides;
        Self { sides: [left.max(-REACH[1]) * zoom, right.min(REACH[1]) * zoom], ..extent }
    }

    fn width(&self) -> f64 {
        self.sides[1] - self.sides[0]
    }

    /// Widens the extent; `max` and `min` pass over values that are not numbers.
    fn include(
        &mut self,
        point: FigurePoint,
        root: FigurePoint,
        around: f64,
        views: &[ViewDirection],
    ) {
        for (view, heights) in views.iter().zip(&mut self.heights) {
            let origin = view.origin(root);
            let [right, up, _] = view.project(point);
            let [away, over] = [right - origin[0], up - origin[1]];
            self.sides = [self.sides[0].min(away - around), self.sides[1].max(away + around)];
            *heights = [heights[0].min(over - around), heights[1].max(over + around)];
        }
    }
}
