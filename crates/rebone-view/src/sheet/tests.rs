use super::*;
use crate::palette::{self, Rgb};
use crate::text;
use layout::Layout;

/// A figure that walks on the spot: hips, chest, skull, two arms, two legs.
fn walker(label: &str, ink: Ink, sway: f64) -> Figure {
    let frames = contact::shown(91, 8)
        .into_iter()
        .map(|frame| {
            let phase = frame as f64 / 15.0 * std::f64::consts::PI;
            let swing = 0.45 * phase.sin();
            let mut points = vec![[sway, 0.95, 0.0], [sway, 1.42, 0.02], [sway, 1.5, 0.03]];
            points.push([sway, 1.72, 0.05]);
            for (side, swing) in [(1.0, swing), (-1.0, -swing)] {
                let shoulder = [sway + 0.18 * side, 1.4, 0.0];
                let elbow = [sway + 0.24 * side, 1.13, -0.28 * swing];
                let wrist = [sway + 0.24 * side, 0.93, 0.15 - 0.5 * swing];
                points.extend([shoulder, elbow, wrist]);
                let hip = [sway + 0.1 * side, 0.92, 0.0];
                let knee = [sway + 0.1 * side, 0.5, 0.1 + 0.42 * swing];
                let ankle = [sway + 0.1 * side, 0.08, 0.8 * swing];
                points.extend([hip, knee, ankle, [sway + 0.1 * side, 0.0, 0.8 * swing + 0.18]]);
            }
            points
        })
        .collect();
    let mut strokes = vec![stroke(0, 1, BodySide::Middle), stroke(1, 2, BodySide::Middle)];
    for (first, side) in [(4, BodySide::Left), (11, BodySide::Right)] {
        let chain = [(1, 0), (0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (5, 6)];
        for (index, (from, to)) in chain.into_iter().enumerate() {
            let from = if index == 0 || index == 3 { [1, 0][index / 3] } else { first + from };
            strokes.push(stroke(from, first + to, side));
        }
    }
    Figure {
        label: label.to_owned(),
        ink,
        frames,
        centre: [7, 14],
        strokes,
        surface: Vec::new(),
        skull: Some([2, 3]),
        axes: Vec::new(),
        skin: None,
    }
}

fn stroke(from: usize, to: usize, side: BodySide) -> FigureStroke {
    FigureStroke { ends: [from, to], side, thin: false }
}

fn drawn(figures: &[Figure]) -> Vec<u8> {
    let options = SheetOptions { title: "walk.bvh".to_owned(), first_frame: 0 };
    contact_sheet(figures, &ShownFrame::spread(91, 1.0 / 30.0, 8), &options).unwrap()
}

fn empty_sheet() -> Sheet<'static> {
    let (title, captions) = (String::new(), [""; 2]);
    Sheet { title, legend: Vec::new(), columns: Vec::new(), captions, views: &[] }
}

/// Width, height and RGB pixels.
fn decode(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels.chunks(3).map(|p| [p[0], p[1], p[2]]).collect())
}

fn count(pixels: &[[u8; 3]], colour: Rgb) -> usize {
    pixels.iter().filter(|p| **p == colour).count()
}

#[test]
fn both_figures_are_drawn_in_their_colours_and_every_shade_is_there() {
    let figures = [walker("source", Ink::BLUE_GREY, 0.0), walker("result", Ink::ORANGE, 0.06)];
    let (width, height, pixels) = decode(&drawn(&figures));
    assert_eq!(pixels.len(), (width * height) as usize);
    for figure in &figures {
        for shade in [figure.ink.left, figure.ink.middle, figure.ink.right] {
            assert!(count(&pixels, shade) > 300, "{}: {shade:?}", figure.label);
        }
    }
}

#[test]
fn figures_are_centred_so_where_the_body_walks_changes_nothing() {
    let here = drawn(&[walker("a", Ink::ORANGE, 0.0)]);
    let there = drawn(&[walker("a", Ink::ORANGE, 64.0)]);
    assert!(here == there);
}

#[test]
fn the_left_of_the_body_is_on_the_right_of_the_front_view() {
    let mut figure = walker("a", Ink::ORANGE, 0.0);
    figure.strokes.retain(|stroke| stroke.side == BodySide::Left);
    figure.skull = None;
    figure.label.clear();
    figure.frames.truncate(1);
    let column =
        Column { figures: vec![figure.in_middle(0)], caption: Default::default(), zoom: 1.0 };
    let columns = vec![column];
    let sheet =
        Sheet { columns, views: &[ViewDirection::Front, ViewDirection::Side], ..empty_sheet() };
    let root = f64::from(Layout::new(&sheet).cell(0, 0).root);
    let (width, height, pixels) = decode(&sheet.draw());
    let left = Ink::ORANGE.left;
    let rows = pixels.chunks(width as usize).take(height as usize / 2).skip(80);
    let xs: Vec<usize> = rows.flat_map(|row| (0..row.len()).filter(|&x| row[x] == left)).collect();
    let mean = xs.iter().sum::<usize>() as f64 / xs.len() as f64;
    assert!(mean > root, "{mean} is not right of {root}");
}

#[test]
fn axes_are_drawn_in_their_colours_and_one_that_points_at_the_viewer_is_no_line() {
    let mut figure = walker("", Ink::ORANGE, 0.0);
    figure.frames.truncate(1);
    let [x, y, z] = figure.frames[0][0];
    let first = figure.frames[0].len();
    figure.frames[0].extend([[x + 0.3, y, z], [x, y + 0.3, z], [x, y, z + 0.3]]);
    figure.axes.push([0, first, first + 1, first + 2]);
    let column =
        Column { figures: vec![figure.in_middle(0)], caption: Default::default(), zoom: 1.0 };
    let views: [(&[ViewDirection], usize); 3] =
        [(&[ViewDirection::Front], 2), (&[ViewDirection::Side], 0), (&[ViewDirection::Top], 1)];
    for (views, dot) in views {
        let sheet = Sheet { columns: vec![column.clone()], views, ..empty_sheet() };
        let (_, _, pixels) = decode(&sheet.draw());
        let counts = palette::AXES.map(|shade| count(&pixels, shade));
        let is_seen = |axis: usize| counts[axis] > 30;
        assert!((0..3).all(|axis| is_seen(axis) != (axis == dot)), "{views:?}: {counts:?}");
    }
}

#[test]
fn a_column_can_be_larger_and_stands_on_the_same_floor() {
    let mut figure = walker("", Ink::ORANGE, 0.0);
    figure.frames.truncate(1);
    figure.strokes.retain(|stroke| stroke.ends == [9, 10]);
    figure.skull = None;
    figure.centre = [9, 9];
    let column =
        |zoom| Column { figures: vec![figure.in_middle(0)], caption: Default::default(), zoom };
    let columns = vec![column(1.0), column(4.0)];
    let sheet =
        Sheet { columns, views: &[ViewDirection::Side, ViewDirection::Top], ..empty_sheet() };
    let layout = Layout::new(&sheet);
    let (small, large) = (layout.cell(0, 0), layout.cell(0, 1));
    assert_eq!((large.scale, large.level), (4.0 * small.scale, small.level));
    assert!(large.left >= small.left + small.width);
    assert!(layout.cell(1, 0).top >= small.top + small.height);
}

#[test]
fn odd_figures_give_a_picture_all_the_same() {
    let mut broken = walker("broken", Ink::GREEN, 0.0);
    broken.frames[0][3] = [f64::NAN, f64::INFINITY, 1e300];
    broken.frames[4][0] = [1e9, -1e9, f64::NAN];
    let mut empty = walker("empty", Ink::PURPLE, 0.0);
    empty.frames.clear();
    let mut still = walker("still", Ink::ORANGE, 0.0);
    still.frames.truncate(1);
    for figures in [vec![], vec![empty.clone()], vec![still.clone()], vec![broken, empty, still]] {
        let (width, height, _) = decode(&drawn(&figures));
        assert!((300..=2200).contains(&width) && (100..=3000).contains(&height));
    }
}

#[test]
fn columns_hold_the_first_and_the_last_frame_and_none_twice() {
    assert!(contact::shown(0, 9).is_empty());
    for (frames, columns) in [(1, 9), (2, 9), (5, 9), (9, 9), (91, 9), (91, 1), (91, 0)] {
        let shown = contact::shown(frames, columns);
        assert!(shown.windows(2).all(|pair| pair[0] < pair[1]), "{shown:?}");
        assert_eq!((shown[0], *shown.last().unwrap()), (0, frames - 1));
    }
}

#[test]
fn other_motions_are_shown_at_the_same_time() {
    let at = |seconds| ShownFrame { frame: 0, seconds };
    for (seconds, frames, frame_time, frame) in
        [(0.0, 5, 0.1, 0), (0.26, 5, 0.1, 3), (9.0, 5, 0.1, 4), (9.0, 1, 0.0, 0), (1.0, 0, 0.1, 0)]
    {
        assert_eq!(at(seconds).frame_of(frames, frame_time), frame);
    }
    for instant in ShownFrame::spread(91, 1.0 / 30.0, 8) {
        assert_eq!(instant.frame_of(91, 1.0 / 30.0), instant.frame);
    }
}

#[test]
fn long_names_share_the_legend() {
    let long = "x".repeat(300);
    for axes in [vec![], vec![[0, 1, 2, 3]]] {
        let figures = [&long, "short.bvh", &long, &long]
            .map(|label| Figure { axes: axes.clone(), ..walker(label, Ink::ORANGE, 0.0) });
        let sheet = Sheet { legend: figures.iter().collect(), ..empty_sheet() };
        let labels = sheet.labels(728.0);
        assert_eq!(labels[1], "short.bvh");
        let wide: f32 = labels.iter().map(|label| text::width(label, text::STRONG) + 62.0).sum();
        let most = if axes.is_empty() { 728.0 } else { 588.0 };
        assert!(wide <= most && wide > most - 60.0, "{labels:?}: {wide}");
        assert!(labels.iter().all(|label| label.len() >= 5), "{labels:?}");
    }
}

#[test]
fn long_labels_keep_both_ends() {
    let shortened = text::shorten("a-very-long-name-of-a-file.bvh", text::SMALL, 120.0);
    assert!(shortened.starts_with("a-ver") && shortened.ends_with(".bvh"), "{shortened}");
    assert!(text::width(&shortened, text::SMALL) <= 120.0);
    assert_eq!(text::shorten("short", text::SMALL, 120.0), "short");
}

#[test]
fn figures_far_above_the_floor_stay_in_their_cells() {
    for rise in [0.0, 4.0, 9.0, -4.0] {
        let mut figure = walker("", Ink::ORANGE, 0.0);
        figure.frames.iter_mut().flatten().for_each(|point| point[1] += rise);
        let heights: Vec<f64> = figure.frames[0].iter().map(|point| point[1]).collect();
        let columns = vec![Column {
            figures: vec![figure.in_middle(0)],
            caption: Default::default(),
            zoom: 1.0,
        }];
        let sheet = Sheet { columns, views: &[ViewDirection::Front], ..empty_sheet() };
        let cell = Layout::new(&sheet).cell(0, 0);
        assert!(f64::from(cell.height) <= 640.0, "{rise}: {}", cell.height);
        for height in heights {
            let place = f64::from(cell.level) - height * cell.scale;
            let is_inside =
                place >= f64::from(cell.top) && place <= f64::from(cell.top + cell.height);
            assert!(is_inside, "{rise}: {place} in {cell:?}");
        }
    }
}
