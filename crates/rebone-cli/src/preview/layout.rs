//! Where everything goes: instants, scale, cells.

use super::{Point, SheetOptions, Track};

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
/// Metres from the root that a column reaches at least and at most, to either side.
const REACH: [f64; 2] = [0.3, 1.6];
/// Metres over and under the floor that a figure is drawn at most.
const HIGHEST: f64 = 3.5;
const LOWEST: f64 = -1.0;

/// A direction to look in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Along −Z: the body's left is on the right.
    Front,
    /// Along +X, from the body's right: it looks to the right.
    Side,
}

impl View {
    /// Top row first.
    pub(super) const BOTH: [View; 2] = [View::Front, View::Side];

    /// What the row is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            View::Front => "front",
            View::Side => "side",
        }
    }

    /// To the right, up and towards the viewer, in metres.
    pub(super) fn project(self, point: Point) -> [f64; 3] {
        let [x, y, z] = point;
        match self {
            View::Front => [x, y, z],
            View::Side => [z, y, -x],
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
    /// The height of the floor line.
    pub(super) floor: f32,
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
    /// Seconds of each column.
    pub(super) instants: Vec<f64>,
    /// Frame of the first track in each column.
    pub(super) shown: Vec<usize>,
    /// The cells of the first row.
    cells: Vec<Cell>,
}

impl Layout {
    /// Fits the tracks' figures at the chosen instants; works without tracks as well.
    ///
    /// All figures have one scale; a column is as wide as the figure in it needs.
    pub(super) fn new(tracks: &[&Track], options: &SheetOptions) -> Self {
        let (shown, instants) = instants(tracks.first().copied(), options.columns);
        let extents: Vec<Extent> = instants.iter().map(|&at| Extent::of(tracks, at)).collect();
        let wide: f64 = extents.iter().map(Extent::width).sum();
        let room = WIDEST - f64::from(GUTTER + 2.0 * MARGIN);
        let room = room - 2.0 * PADDING * extents.len() as f64;
        let scale = (room / wide.max(0.1)).clamp(20.0, LARGEST_SCALE);
        let high = extents.iter().map(|extent| extent.high).fold(1.0, f64::max);
        let low = extents.iter().map(|extent| extent.low).fold(0.0, f64::min);
        let legend = MARGIN + 34.0;
        let mut cell = Cell {
            left: MARGIN + GUTTER,
            top: legend + 36.0,
            width: 0.0,
            height: ((high - low) * scale + 2.0 * PADDING).ceil() as f32,
            root: 0.0,
            floor: legend + 36.0 + (PADDING + high * scale).round() as f32,
            scale,
        };
        let spare = f64::from(NARROWEST - cell.left - MARGIN) / extents.len().max(1) as f64;
        let mut cells = Vec::new();
        for extent in &extents {
            let wanted = extent.width() * scale + 2.0 * PADDING;
            let extra = (spare - wanted).max(0.0) / 2.0;
            cell.width = (wanted + 2.0 * extra).ceil() as f32;
            cell.root = cell.left + (extra + PADDING - extent.left * scale).round() as f32;
            cells.push(cell);
            cell.left += cell.width;
        }
        let width = (cell.left + MARGIN).max(NARROWEST) as u32;
        let height = (cell.top + 2.0 * cell.height + 8.0 + 52.0 + 8.0) as u32;
        Self { width, height, legend, instants, shown, cells }
    }

    /// The cell of a column in a view's row.
    pub(super) fn cell(&self, view: View, column: usize) -> Cell {
        let cell = self.cells[column];
        let down = if view == View::Side { cell.height + 8.0 } else { 0.0 };
        Cell { top: cell.top + down, floor: cell.floor + down, ..cell }
    }
}

/// Frames and seconds spread evenly over the track, first and last included, none twice.
fn instants(track: Option<&Track>, columns: usize) -> (Vec<usize>, Vec<f64>) {
    let Some(track) = track else { return (Vec::new(), Vec::new()) };
    let last = track.frames.len() - 1;
    let steps = columns.saturating_sub(1).clamp(1, last.max(1));
    let shown: Vec<usize> = (0..=steps.min(last)).map(|i| (i * last + steps / 2) / steps).collect();
    let seconds = shown.iter().map(|&frame| frame as f64 * track.frame_time).collect();
    (shown, seconds)
}

/// What the figures of one column need, in metres.
struct Extent {
    /// From the root to the left (negative) and to the right, in both views.
    left: f64,
    right: f64,
    /// Under the floor (negative) and over it.
    low: f64,
    high: f64,
}

impl Extent {
    fn of(tracks: &[&Track], instant: f64) -> Self {
        let mut extent = Self { left: -REACH[0], right: REACH[0], low: 0.0, high: 1.0 };
        for track in tracks {
            let index = track.frame_at(instant);
            let (frame, centre) = (&track.frames[index], track.centre(index));
            let drawn = track.bones.iter().flat_map(|bone| bone.ends);
            drawn.for_each(|end| extent.include(frame[end], centre, 0.0));
            if let Some([_, top]) = track.skull {
                extent.include(frame[top], centre, 0.04);
            }
        }
        extent.left = extent.left.max(-REACH[1]);
        extent.right = extent.right.min(REACH[1]);
        extent.low = extent.low.max(LOWEST);
        extent.high = extent.high.min(HIGHEST);
        extent
    }

    fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Widens the extent; `max` and `min` pass over values that are not numbers.
    fn include(&mut self, point: Point, root: Point, around: f64) {
        for view in View::BOTH {
            let away = view.project(point)[0] - view.project(root)[0];
            self.left = self.left.min(away - around);
            self.right = self.right.max(away + around);
        }
        self.low = self.low.min(point[1] - around);
        self.high = self.high.max(point[1] + around);
    }
}
