use super::*;
use crate::palette::{Ink, PAPER, Rgb};
use crate::recorder::{MotionView, motion_figure};
use rebone::skeleton::Motion;
use rebone::{Hints, analyse};

fn walk() -> Motion {
    let mut motion = rebone_samples::walk().motion;
    motion.clip.keep(0..90).unwrap();
    motion
}

fn figure(motion: &Motion, instants: &[ShownFrame], ink: Ink) -> Figure {
    let anatomy = analyse(motion, &Hints::default()).unwrap();
    let view = MotionView { label: "walk.bvh", motion, anatomy: Some(&anatomy), skin: None };
    motion_figure(&view, instants, ink).unwrap()
}

/// Delays and whole pictures of all frames, and the size.
fn decode(bytes: &[u8]) -> (Vec<u16>, Vec<Vec<Rgb>>, [usize; 2]) {
    let mut reader = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let size = [reader.width(), reader.height()].map(usize::from);
    let palette = reader.global_palette().unwrap().to_vec();
    let mut picture = vec![[0; 3]; size[0] * size[1]];
    let (mut delays, mut pictures) = (Vec::new(), Vec::new());
    while let Some(frame) = reader.read_next_frame().unwrap() {
        delays.push(frame.delay);
        for (at, number) in frame.buffer.iter().enumerate() {
            let width = usize::from(frame.width);
            let (x, y) =
                (at % width + usize::from(frame.left), at / width + usize::from(frame.top));
            if Some(*number) != frame.transparent {
                let colour = &palette[3 * usize::from(*number)..][..3];
                picture[y * size[0] + x] = [colour[0], colour[1], colour[2]];
            }
        }
        pictures.push(picture.clone());
    }
    (delays, pictures, size)
}

#[test]
fn an_animation_decodes_to_its_frames_in_real_time_and_is_the_same_each_time() {
    let motion = walk();
    let instants = ShownFrame::moving(motion.clip.len(), motion.clip.frame_time);
    let figures = [Ink::BLUE_GREY, Ink::ORANGE].map(|ink| figure(&motion, &instants, ink));
    let bytes = animation(&figures, &instants).unwrap();
    assert!(bytes == animation(&figures, &instants).unwrap());
    let (delays, pictures, [width, height]) = decode(&bytes);
    assert_eq!(delays.len(), instants.len());
    let seconds = f64::from(delays.iter().map(|delay| u32::from(*delay)).sum::<u32>()) / 100.0;
    let expected = motion.clip.len() as f64 * motion.clip.frame_time;
    assert!((seconds - expected).abs() < 0.1, "{seconds} {expected}");
    assert!((240..=880).contains(&width) && (200..=440).contains(&height), "{width} {height}");
    // Both figures are in each frame, each in its half, and they move.
    for picture in &pictures {
        assert_eq!(picture.len(), width * height);
        let half = |own: &dyn Fn(Rgb) -> bool| {
            let of = (0..picture.len()).filter(|at| own(picture[*at])).map(|at| at % width);
            let all: Vec<usize> = of.collect();
            (all.len(), all.iter().sum::<usize>() / all.len().max(1))
        };
        let orange = half(&|[r, _, b]| r > b.saturating_add(80));
        let blue = half(&|[r, _, b]| b > r.saturating_add(20));
        assert!(orange.0 > 500 && blue.0 > 500, "{orange:?} {blue:?}");
        assert!(blue.1 < width / 2 && orange.1 > width / 2);
        assert_eq!(picture[0], PAPER);
    }
    assert!(pictures.windows(2).all(|two| two[0] != two[1]));
}

#[test]
fn odd_figures_give_an_animation_all_the_same() {
    let motion = walk();
    let instants = ShownFrame::moving(20, motion.clip.frame_time);
    let mut broken = figure(&motion, &instants, Ink::GREEN);
    broken.frames[0].iter_mut().for_each(|point| *point = [f64::NAN, 1e300, f64::INFINITY]);
    broken.frames[1][0] = [1e9, -1e9, f64::NAN];
    let mut empty = broken.clone();
    empty.frames.clear();
    let mut still = figure(&motion, &instants, Ink::PURPLE);
    still.frames.truncate(1);
    for figures in [vec![], vec![empty.clone()], vec![still.clone()], vec![broken, empty, still]] {
        let (delays, ..) = decode(&animation(&figures, &instants).unwrap());
        assert_eq!(delays.len(), instants.len());
    }
    assert!(animation(&[], &[]).unwrap().starts_with(b"GIF89a"));
}
