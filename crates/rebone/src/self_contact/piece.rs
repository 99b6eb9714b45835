//! Pieces of a clip around self-contacts.

use std::ops::Range;

/// Time by which a piece begins before what is near, and ends after it.
const MARGIN_SECONDS: f64 = 0.5;
/// Longest time that is solved at once, and time by which windows of longer pieces overlap: splines have settled by then.
const WINDOW_SECONDS: f64 = 20.0;
const OVERLAP_SECONDS: f64 = 2.0;
/// Largest number of frames of either, for clips of thousands of frames a second.
const MAX_WINDOW_FRAMES: usize = 5000;
const MAX_OVERLAP_FRAMES: usize = 1000;

/// Frames of a clip around self-contacts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) frames: Range<usize>,
    /// The first frame in which something is near: a cut elsewhere does not move it within the motion.
    pub(super) anchor: usize,
    /// Turns fade at begin and end: not where the clip is cut.
    pub(super) fades: [bool; 2],
}

impl Piece {
    /// Returns the first frame of the piece, counted from its begin, that is a multiple of `every` frames from its anchor.
    pub(super) fn first_sample(&self, every: usize) -> usize {
        (self.anchor % every + every - self.frames.start % every) % every
    }

    /// Returns the pieces of a segment of a clip, given for each frame of the clip whether something is near.
    pub(crate) fn all_of(segment: &Range<usize>, is_active: &[bool], frame_time: f64) -> Vec<Self> {
        let margin = (MARGIN_SECONDS / frame_time).ceil() as usize;
        let mut all: Vec<(Range<usize>, usize)> = Vec::new();
        for frame in segment.clone().filter(|&frame| is_active[frame]) {
            let begin = frame.saturating_sub(margin).max(segment.start);
            let end = segment.end.min(frame + margin + 1);
            match all.last_mut() {
                Some((last, _)) if last.end >= begin => last.end = end,
                _ => all.push((begin..end, frame)),
            }
        }
        let piece = |(frames, anchor): (Range<usize>, usize)| Self {
            fades: [frames.start > segment.start, frames.end < segment.end],
            frames,
            anchor,
        };
        all.into_iter().map(piece).collect()
    }

    /// Returns the windows of a long piece that are solved one after another, so that memory does not grow with it: each
    /// as a piece of its own, with the frames in which it counts.
    pub(crate) fn windows(&self, frame_time: f64) -> Vec<(Self, Range<usize>)> {
        let frames = |time: f64, most: usize| ((time / frame_time).ceil() as usize).clamp(1, most);
        let length = frames(WINDOW_SECONDS, MAX_WINDOW_FRAMES);
        let overlap = frames(OVERLAP_SECONDS, MAX_OVERLAP_FRAMES);
        let Range { start, end } = self.frames;
        let window = |begin: usize| {
            let counts = begin..end.min(begin + length);
            let frames =
                counts.start.saturating_sub(overlap).max(start)..end.min(counts.end + overlap);
            let fades =
                [self.fades[0] && frames.start == start, self.fades[1] && frames.end == end];
            (Self { frames, anchor: self.anchor, fades }, counts)
        };
        (start..end).step_by(length).map(window).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_reach_beyond_what_is_near_and_fade_but_where_the_clip_is_cut() {
        let mut is_active = vec![false; 200];
        for frame in [12, 60, 61, 75, 90, 199] {
            is_active[frame] = true;
        }
        let found = Piece::all_of(&(10..150), &is_active, 0.05);
        let expected = [(10..23, 12, [false, true]), (50..101, 60, [true, true])];
        let expected = expected.map(|(frames, anchor, fades)| Piece { frames, anchor, fades });
        assert_eq!(found, expected);
    }

    #[test]
    fn windows_of_a_long_piece_count_each_frame_once() {
        let piece = Piece { frames: 10..1010, anchor: 20, fades: [true, false] };
        let windows = piece.windows(0.05);
        let counts: Vec<usize> = windows.iter().flat_map(|(_, counts)| counts.clone()).collect();
        assert_eq!(counts, (10..1010).collect::<Vec<_>>());
        let frames: Vec<_> = windows.iter().map(|(own, _)| own.frames.clone()).collect();
        assert_eq!(frames, [10..450, 370..850, 770..1010]);
        assert!(windows[0].0.fades[0] && !windows[1].0.fades[0]);
    }

    #[test]
    fn samples_of_a_piece_are_those_of_the_motion_wherever_it_begins() {
        for (start, anchor, every, expected) in [(0, 0, 4, 0), (3, 5, 4, 2), (30, 5, 4, 3)] {
            let piece = Piece { frames: start..100, anchor, fades: [false; 2] };
            assert_eq!(piece.first_sample(every), expected);
        }
    }
}
