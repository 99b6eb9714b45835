//! Layout of a sheet: scale, columns, rows.

use super::{Column, FigurePoint, Placed, Sheet};

/// Margin of the sheet.
pub(super) const MARGIN_PIXELS: f32 = 16.0;
/// Width left of the columns, for the names of the rows.
const ROW_NAME_PIXELS: f32 = 68.0;
/// Distance between a figure and the border of its cell.
const PADDING_PIXELS: f64 = 12.0;
/// Largest scale: a standing body is about 290 pixels high.
const MAX_PIXELS_PER_METRE: f64 = 170.0;
/// Smallest scale.
const MIN_PIXELS_PER_METRE: f64 = 20.0;
/// Largest width of the sheet, and the smallest, in which header and labels fit.
const MAX_WIDTH_PIXELS: f64 = 1800.0;
const MIN_WIDTH_PIXELS: f32 = 760.0;
/// Distance between rows, and height of the two lines below the last one.
const ROW_GAP_PIXELS: f32 = 8.0;
const CAPTION_PIXELS: f32 = 52.0;
/// Smallest and largest distance that a column shows on either side of the root.
const MIN_SIDE_METRES: f64 = 0.3;
const MAX_SIDE_METRES: f64 = 1.6;
/// Greatest and least height over the floor that a row shows.
const MAX_HEIGHT_METRES: f64 = 12.0;
const MIN_HEIGHT_METRES: f64 = -6.0;
/// Greatest height of the figures of a row: two bodies on each other at the largest scale.
const MAX_ROW_PIXELS: f64 = 3.5 * MAX_PIXELS_PER_METRE;
/// Smallest distance that a row from above shows in front of and behind the root.
const MIN_DEPTH_METRES: f64 = 0.2;

/// Direction of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewDirection {
    /// Along −Z: the body's left is on the right of the picture.
    Front,
    /// Along +X, from the body's right: forward is to the right.
    Side,
    /// Along −Y: the body's left is on the right, forward is down.
    Top,
}

impl ViewDirection {
    /// Returns the name of the row.
    pub(super) fn name(self) -> &'static str {
        match self {
            ViewDirection::Front => "front",
            ViewDirection::Side => "side",
            ViewDirection::Top => "top",
        }
    }

    /// Returns a point as metres to the right, up and towards the viewer.
    pub(super) fn project(self, point: FigurePoint) -> [f64; 3] {
        let [x, y, z] = point;
        match self {
            ViewDirection::Front => [x, y, z],
            ViewDirection::Side => [z, y, -x],
            ViewDirection::Top => [x, -z, y],
        }
    }

    /// Returns the metres to the right and up that are drawn at the root and the level of a cell: those of the root
    /// and the floor; from above, those of the root.
    pub(super) fn origin(self, root: FigurePoint) -> [f64; 2] {
        let [right, up, _] = self.project(root);
        [right, if self == ViewDirection::Top { up } else { 0.0 }]
    }

    /// Returns the smallest and the largest range of metres around the level that a row shows.
    fn heights(self) -> [[f64; 2]; 2] {
        match self {
            ViewDirection::Top => {
                [[-MIN_DEPTH_METRES, MIN_DEPTH_METRES], [-MAX_SIDE_METRES, MAX_SIDE_METRES]]
            }
            _ => [[0.0, 1.0], [MIN_HEIGHT_METRES, MAX_HEIGHT_METRES]],
        }
    }
}

/// Rectangle of one figure, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    /// X coordinate of the figure's root.
    pub(super) root: f32,
    /// Y coordinate of the floor; from above, that of the root.
    pub(super) level: f32,
    /// Pixels per metre.
    pub(super) scale: f64,
}

/// Measures of a sheet, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Width of the sheet.
    pub(super) width: u32,
    /// Height of the sheet.
    pub(super) height: u32,
    /// Top of the legend.
    pub(super) legend: f32,
    /// Left, width, root and scale of each column.
    columns: Vec<Cell>,
    /// Top, height and level of each row.
    rows: Vec<Cell>,
}

impl Layout {
    /// Fits the figures of all columns, of which there may be none.
    ///
    /// All figures have one scale, times the zoom of their column; a column is as wide as its figures.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let extents: Vec<Extent> =
            sheet.columns.iter().map(|column| Extent::of(column, sheet.views)).collect();
        let wide: f64 = extents.iter().map(Extent::width).sum();
        let room = MAX_WIDTH_PIXELS - f64::from(ROW_NAME_PIXELS + 2.0 * MARGIN_PIXELS);
        let room = room - 2.0 * PADDING_PIXELS * extents.len() as f64;
        let tall = extents.iter().map(Extent::height).fold(0.1, f64::max);
        let scale = (room / wide.max(0.1)).min(MAX_ROW_PIXELS / tall);
        let scale = scale.clamp(MIN_PIXELS_PER_METRE, MAX_PIXELS_PER_METRE);
        let legend = MARGIN_PIXELS + 34.0;
        let (columns, right) = columns(&extents, scale);
        let (rows, bottom) = rows(&extents, sheet.views, scale, legend + 36.0);
        let width = (right + MARGIN_PIXELS).max(MIN_WIDTH_PIXELS) as u32;
        let height = (bottom + CAPTION_PIXELS) as u32;
        Self { width, height, legend, columns, rows }
    }

    /// Returns the cell of a column in a row.
    pub(super) fn cell(&self, row: usize, column: usize) -> Cell {
        let Cell { top, height, level, .. } = self.rows[row];
        Cell { top, height, level, ..self.columns[column] }
    }
}

const EMPTY_CELL: Cell =
    Cell { left: 0.0, top: 0.0, width: 0.0, height: 0.0, root: 0.0, level: 0.0, scale: 0.0 };

/// Returns the columns and the right end of the last one.
fn columns(extents: &[Extent], scale: f64) -> (Vec<Cell>, f32) {
    let mut left = MARGIN_PIXELS + ROW_NAME_PIXELS;
    let spare = f64::from(MIN_WIDTH_PIXELS - left - MARGIN_PIXELS) / extents.len().max(1) as f64;
    let cells = extents.iter().map(|extent| {
        let wanted = extent.width() * scale + 2.0 * PADDING_PIXELS;
        let extra = (spare - wanted).max(0.0) / 2.0;
        let width = (wanted + 2.0 * extra).ceil() as f32;
        let root = left + (extra + PADDING_PIXELS - extent.sides[0] * scale).round() as f32;
        left += width;
        Cell { left: left - width, width, root, scale: scale * extent.zoom, ..EMPTY_CELL }
    });
    (cells.collect(), left)
}

/// Returns the rows and the bottom of the last one, with its gap.
fn rows(extents: &[Extent], views: &[ViewDirection], scale: f64, mut top: f32) -> (Vec<Cell>, f32) {
    let rows = (0..views.len()).map(|row| {
        let [[low, high], _] = views[row].heights();
        let heights = || extents.iter().map(|extent| extent.heights[row]);
        let low = heights().map(|[low, _]| low).fold(low, f64::min);
        let high = heights().map(|[_, high]| high).fold(high, f64::max);
        let height = ((high - low) * scale + 2.0 * PADDING_PIXELS).ceil() as f32;
        let level = top + (PADDING_PIXELS + high * scale).round() as f32;
        let row = Cell { top, height, level, ..EMPTY_CELL };
        top += height + ROW_GAP_PIXELS;
        row
    });
    (rows.collect(), top)
}

/// Returns the left (negative) and right end of a figure from its root, over all views, in metres.
pub(super) fn sides(placed: &Placed, views: &[ViewDirection]) -> [f64; 2] {
    let mut extent = Extent { sides: [0.0; 2], heights: vec![[0.0; 2]; views.len()], zoom: 1.0 };
    extent.include_figure(placed, views);
    let [left, right] = extent.sides;
    [left.max(-MAX_SIDE_METRES), right.min(MAX_SIDE_METRES)]
}

/// Extent of the figures of one column, in metres times the zoom of the column.
struct Extent {
    /// Left (negative) and right end from the root, over all views.
    sides: [f64; 2],
    /// Lower (negative) and upper end from the level, in each view.
    heights: Vec<[f64; 2]>,
    /// Scale relative to other columns.
    zoom: f64,
}

impl Extent {
    fn of(column: &Column, views: &[ViewDirection]) -> Self {
        let zoom = column.zoom;
        let side = MIN_SIDE_METRES / zoom;
        let heights = views.iter().map(|view| view.heights()[0].map(|least| least / zoom));
        let mut extent = Self { sides: [-side, side], heights: heights.collect(), zoom };
        column.figures.iter().for_each(|placed| extent.include_figure(placed, views));
        for (heights, view) in extent.heights.iter_mut().zip(views) {
            let [_, most] = view.heights();
            *heights = [heights[0].max(most[0]) * zoom, heights[1].min(most[1]) * zoom];
        }
        let [left, right] = extent.sides;
        let most_aside = MAX_SIDE_METRES
            * column.figures.iter().filter(|own| own.shift != 0.0).count().max(1) as f64;
        Self { sides: [left.max(-most_aside) * zoom, right.min(most_aside) * zoom], ..extent }
    }

    /// Widens the extent by all that is drawn of a figure.
    fn include_figure(
        &mut self,
        &Placed { figure, frame: index, shift }: &Placed,
        views: &[ViewDirection],
    ) {
        let frame = &figure.frames[index];
        let centre = figure.centre(index);
        let mut include = |point, around| self.include(point, (centre, shift), around, views);
        let strokes = figure.strokes.iter().flat_map(|stroke| stroke.ends);
        let axes = figure.axes.iter().flatten().copied();
        let surface = figure.surface.iter().flatten().copied();
        let drawn = strokes.chain(axes).chain(surface);
        drawn.for_each(|end| include(frame[end], 0.0));
        if let Some([_, top]) = figure.skull {
            include(frame[top], 0.04);
        }
        let skin = figure.skin.iter().flat_map(|skin| skin.places(index));
        skin.for_each(|place| include(place.into(), 0.0));
    }

    /// The greatest height over all views, without the zoom, metres.
    fn height(&self) -> f64 {
        let heights = self.heights.iter().map(|[low, high]| (high - low) / self.zoom);
        heights.fold(0.0, f64::max)
    }

    fn width(&self) -> f64 {
        self.sides[1] - self.sides[0]
    }

    /// Widens the extent; `max` and `min` ignore NaN.
    fn include(
        &mut self,
        point: FigurePoint,
        (root, shift): (FigurePoint, f64),
        around: f64,
        views: &[ViewDirection],
    ) {
        for (view, heights) in views.iter().zip(&mut self.heights) {
            let origin = view.origin(root);
            let [right, up, _] = view.project(point);
            let [away, over] = [right - origin[0] + shift, up - origin[1]];
            self.sides = [self.sides[0].min(away - around), self.sides[1].max(away + around)];
            *heights = [heights[0].min(over - around), heights[1].max(over + around)];
        }
    }
}
