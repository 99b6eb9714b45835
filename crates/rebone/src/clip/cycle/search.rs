//! The frames between which a motion repeats.

use super::CycleBody;
use crate::contacts::horizontal;
use nalgebra::Vector3;
use rebone_body::math::percentile;
use rebone_skeleton::Clip;
use std::ops::Range;

/// Shortest cycle, seconds.
const MIN_CYCLE_SECONDS: f64 = 0.5;
/// Frames a second at which cycles are searched; the best is refined at the rate of the clip.
const SEARCH_RATE: f64 = 30.0;
/// Largest number of frames that are searched: all pairs are compared.
const MAX_SEARCHED_FRAMES: usize = 3000;
/// Weight of velocities against positions, seconds.
const VELOCITY_SECONDS: f64 = 0.1;
/// Of all seams that are at most this much wider than the best, that of the longest cycle is taken: as part of the best,
/// and metres of a 1.7 m body.
const MAX_SEAM_RATIO: f64 = 1.1;
const WIDER_METRES: f64 = 0.002;
/// Largest error of extrapolation at the seam of a cycle whose first frame is not repeated, as part of the largest
/// within it.
const WHOLE_CYCLE_ERROR: f64 = 1.5;
/// Least speed at a seam, as part of the clip's median: begin and end of a clip often rest.
const MIN_SPEED: f64 = 0.5;
/// Least distance that a cycle goes from its first frame, as part of the farthest of the clip.
const MIN_EXCURSION: f64 = 0.5;

impl CycleBody<'_> {
    /// Finds the frames of a clip, from `first` on, between which the motion repeats: the longest cycle among the best
    /// seams. `None` where the clip is shorter than the shortest cycle. The end is the frame that repeats the first; it
    /// is the frame after the clip's last where that would follow on the last.
    ///
    /// The distance of frames `i` and `j` is `√(mean |pᵢ − pⱼ|² + τ² mean |vᵢ − vⱼ|²)` over the joints, with positions `p`
    /// relative to the body on the floor, velocities `v` and `τ` of `VELOCITY_SECONDS`.
    pub(crate) fn find(&self, clip: &Clip, first: usize) -> Option<Range<usize>> {
        if let Some(whole) = self.whole_cycle(clip, first) {
            return Some(whole);
        }
        let time = clip.frame_time;
        let span = clip.len().checked_sub(first)?;
        let stride = ((1.0 / (SEARCH_RATE * time)).round() as usize)
            .max(span.div_ceil(MAX_SEARCHED_FRAMES))
            .max(1);
        let frames: Vec<usize> = (first..clip.len()).step_by(stride).collect();
        let least = (MIN_CYCLE_SECONDS / (time * stride as f64)).ceil() as usize;
        let postures: Vec<Vec<Vector3<f64>>> =
            frames.iter().map(|&frame| self.posture(clip, frame)).collect();
        let seconds = time * stride as f64;
        let features: Vec<Vec<f64>> =
            (0..frames.len()).map(|k| features(&postures, k, seconds)).collect();
        let speeds = self.speeds(clip, &frames, &features);
        let seams = seams(&features, &speeds, least);
        let length = seams.iter().map(|(_, i, j)| j - i).max()?;
        let longest = seams.into_iter().filter(|(_, i, j)| j - i == length);
        let (_, i, j) = longest.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(self.refined(clip, frames[i]..frames[j], stride))
    }

    /// Returns the cycle of a clip that is one cycle: its last frame repeats the first, or the first would follow on the
    /// last. `None` of others, and where the clip rests at an end.
    ///
    /// Extrapolates the next frame from three frames with constant acceleration; it may be off by 1.5 times what it is
    /// off at most within the clip.
    pub(crate) fn whole_cycle(&self, clip: &Clip, first: usize) -> Option<Range<usize>> {
        let postures: Vec<_> = (first..clip.len()).map(|frame| self.posture(clip, frame)).collect();
        let frames = postures.len();
        if frames < 4 || (frames as f64 * clip.frame_time) < MIN_CYCLE_SECONDS {
            return None;
        }
        let flat =
            |posture: &Vec<Vector3<f64>>| posture.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let postures: Vec<Vec<f64>> = postures.iter().map(flat).collect();
        let steps: Vec<f64> =
            postures.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
        let last_step = steps[frames - 2];
        if steps[0].min(last_step) < MIN_SPEED * percentile(steps.clone(), 0.5) {
            return None;
        }
        if distance(&postures[frames - 1], &postures[0]) < last_step / 2.0 {
            return Some(first..clip.len() - 1);
        }
        let off = |frame: usize| {
            let [a, b, c] = [3, 2, 1].map(|back| &postures[frame - back]);
            let next = a.iter().zip(b).zip(c).map(|((a, b), c)| a + (c - b) * 3.0);
            distance(&next.collect::<Vec<f64>>(), &postures[frame % frames])
        };
        let within = (3..frames).map(off).fold(0.0, f64::max);
        (off(frames) <= WHOLE_CYCLE_ERROR * within).then_some(first..clip.len())
    }

    /// Speed of a body in frames: of its posture, and along the floor, metres a second.
    fn speeds(&self, clip: &Clip, frames: &[usize], features: &[Vec<f64>]) -> Vec<f64> {
        let place = |frame: usize| {
            horizontal(&self.world(clip, frame).positions[self.translation_joint.index()])
        };
        let places: Vec<Vector3<f64>> = frames.iter().map(|&frame| place(frame)).collect();
        let speed = |k: usize| {
            let (before, after) = (k.saturating_sub(1), (k + 1).min(frames.len() - 1));
            let seconds = (frames[after] - frames[before]).max(1) as f64 * clip.frame_time;
            let travel = (places[after] - places[before]).norm() / seconds;
            let half = features[k].len() / 2;
            let posture = features[k][half..].iter().map(|v| v * v).sum::<f64>().sqrt();
            travel + posture / VELOCITY_SECONDS
        };
        (0..frames.len()).map(speed).collect()
    }

    /// The last frame, within a stride, whose posture is nearest to that of the first.
    fn refined(&self, clip: &Clip, cycle: Range<usize>, stride: usize) -> Range<usize> {
        let begin = self.posture(clip, cycle.start);
        let last = (cycle.end + stride).min(clip.len() - 1);
        let candidates = (cycle.end.saturating_sub(stride - 1)).max(cycle.start + 1)..=last;
        let off = |frame: &usize| {
            let posture = self.posture(clip, *frame);
            begin.iter().zip(&posture).map(|(a, b)| (a - b).norm_squared()).sum::<f64>()
        };
        let all: Vec<(f64, usize)> = candidates.map(|frame| (off(&frame), frame)).collect();
        let end = all.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        cycle.start..end.map_or(cycle.end, |end| end.1)
    }
}

/// Positions and velocities of a frame, scaled so that the norm of a difference is the distance of two frames.
fn features(postures: &[Vec<Vector3<f64>>], k: usize, seconds: f64) -> Vec<f64> {
    let (before, after) = (k.saturating_sub(1), (k + 1).min(postures.len() - 1));
    let time = (after - before).max(1) as f64 * seconds;
    let scale = 1.0 / (postures[k].len().max(1) as f64).sqrt();
    let positions = postures[k].iter().flat_map(|p| [p.x, p.y, p.z]).map(|x| x * scale);
    let velocities = postures[after].iter().zip(&postures[before]).flat_map(|(b, a)| {
        let velocity = (b - a) * (VELOCITY_SECONDS * scale / time);
        [velocity.x, velocity.y, velocity.z]
    });
    positions.chain(velocities).collect()
}

/// Distances of all pairs of frames at least `least` apart between which the motion goes at least `MIN_EXCURSION` of the
/// way that it goes from the first of them in the whole clip, and at which it moves: a rest is no cycle of a clip that
/// moves. Those far from the best are left out.
fn seams(features: &[Vec<f64>], speeds: &[f64], least: usize) -> Vec<(f64, usize, usize)> {
    let least_speed = MIN_SPEED * percentile(speeds.to_vec(), 0.5);
    let is_moving: Vec<bool> = speeds.iter().map(|speed| *speed >= least_speed).collect();
    let mut seams = Vec::new();
    let mut best = f64::INFINITY;
    for i in (0..features.len()).filter(|&i| is_moving[i]) {
        let off: Vec<f64> = features.iter().map(|other| distance(&features[i], other)).collect();
        let farthest = off.iter().copied().fold(0.0, f64::max);
        let mut excursion = 0.0_f64;
        for j in i + 1..features.len() {
            excursion = excursion.max(off[j]);
            if j < i + least || !is_moving[j] || excursion < MIN_EXCURSION * farthest {
                continue;
            }
            best = best.min(off[j]);
            if off[j] <= widest(best) {
                seams.push((off[j], i, j));
            }
        }
        seams.retain(|seam| seam.0 <= widest(best));
    }
    seams
}

/// Distance up to which a seam is as good as the best.
fn widest(best: f64) -> f64 {
    best * MAX_SEAM_RATIO + WIDER_METRES
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
