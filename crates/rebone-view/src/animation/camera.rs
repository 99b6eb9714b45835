//! Position of the camera, and its path behind the figures.

use crate::sheet::{Figure, FigurePoint};
use nalgebra::{Matrix3, Vector3};

/// Angle of the camera over the horizon.
const PITCH_DEGREES: f64 = 13.0;
/// Angle between the direction of travel, or the forward axis of figures that stay, and the direction to the camera.
const YAW_DEGREES: f64 = 38.0;
/// Distance from the first to the last position, metres, beyond which the camera turns to the direction of travel.
const MIN_WAY_METRES: f64 = 1.2;
/// Side of the square around the path, metres, up to which the camera stands still.
const MAX_STILL_METRES: f64 = 0.9;
/// Distance of a figure from the mean of all, metres, beyond which the camera follows it on its own.
const MAX_APART_METRES: f64 = 0.7;
/// Frames on either side over which the camera's path is smoothed: as a share of all frames, and at most.
const SMOOTHING_SHARE: f64 = 0.12;
const MAX_SMOOTHING_FRAMES: usize = 12;
/// Greatest distance from the origin that is followed along each axis, metres.
const MAX_PATH_METRES: f64 = 1e5;

/// A position on the floor, metres: +X to the left of the body, +Z forward.
type Place = [f64; 2];

/// A camera without perspective.
pub(super) struct Camera {
    /// From the axes of figures to right, up, towards the viewer.
    pub(super) turn: Matrix3<f64>,
    /// Cosine and sine of the angle over the horizon.
    pub(super) pitch: [f64; 2],
    /// Path that the floor is seen from: one position per frame, relative to the first.
    pub(super) floor: Vec<Place>,
    /// Position in each figure's world at the middle of its lane, one per frame.
    pub(super) middles: Vec<Vec<Place>>,
}

impl Camera {
    /// Follows figures over some frames.
    pub(super) fn new(figures: &[&Figure], frames: usize) -> Self {
        let paths: Vec<Vec<Place>> = figures.iter().map(|figure| path(figure, frames)).collect();
        let starts = paths.iter().map(|path| path.first().copied().unwrap_or_default());
        let starts: Vec<Place> = starts.collect();
        let away = |path: &Vec<Place>, start: &Place| -> Vec<Place> {
            path.iter().map(|place| [place[0] - start[0], place[1] - start[1]]).collect()
        };
        let ways: Vec<Vec<Place>> = paths.iter().zip(&starts).map(|(a, b)| away(a, b)).collect();
        let mean = mean(&ways, frames);
        let floor = followed(&mean);
        let middles = ways.iter().zip(&starts).map(|(way, start)| {
            let is_apart = way.iter().zip(&mean).any(|(a, b)| distance(*a, *b) > MAX_APART_METRES);
            let path = if is_apart { followed(way) } else { floor.clone() };
            path.iter().map(|place| [place[0] + start[0], place[1] + start[1]]).collect()
        });
        let middles = middles.collect();
        let (yaw, pitch) = (yaw(&mean), PITCH_DEGREES.to_radians());
        let [(sin, cos), (up, level)] =
            [yaw, pitch].map(|angle| (libm::sin(angle), libm::cos(angle)));
        let turn =
            Matrix3::new(cos, 0.0, -sin, -sin * up, level, -cos * up, sin * level, up, cos * level);
        Self { turn, pitch: [level, up], floor, middles }
    }

    /// Returns a point of a figure in the axes of the view, metres from the middle of its lane: right, up, towards the viewer.
    pub(super) fn view(&self, figure: usize, frame: usize, point: FigurePoint) -> Vector3<f64> {
        let [x, z] = self.middles[figure].get(frame).copied().unwrap_or_default();
        self.turn * Vector3::new(point[0] - x, point[1], point[2] - z)
    }

    /// Returns the shadow on the floor of a point in the axes of the view, metres: right, and up on the picture. The light
    /// comes from above and behind the camera.
    pub(super) fn shadow(&self, seen: &Vector3<f64>) -> [f64; 2] {
        let [level, up] = self.pitch;
        let height = (seen.y * level + seen.z * up).max(0.0);
        let near = seen.z * level - seen.y * up;
        [seen.x + 0.30 * height, -(near - 0.42 * height) * up]
    }
}

/// Returns the position of the hips in each frame; the last known one where it is not finite or too far.
fn path(figure: &Figure, frames: usize) -> Vec<Place> {
    let mut last = [0.0; 2];
    let place = |frame: usize| {
        let [x, _, z] = figure.centre(frame.min(figure.frames.len() - 1));
        if x.abs() < MAX_PATH_METRES && z.abs() < MAX_PATH_METRES {
            last = [x, z];
        }
        last
    };
    (0..frames).map(place).collect()
}

fn mean(ways: &[Vec<Place>], frames: usize) -> Vec<Place> {
    let count = ways.len().max(1) as f64;
    let place = |frame: usize| {
        [0, 1].map(|axis| ways.iter().map(|way| way[frame][axis]).sum::<f64>() / count)
    };
    (0..frames).map(place).collect()
}

fn distance(a: Place, b: Place) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// Returns the camera's path: the middle of a short path, else the smoothed path.
fn followed(path: &[Place]) -> Vec<Place> {
    let range = [0, 1].map(|axis| {
        let along = || path.iter().map(|place| place[axis]);
        [along().fold(f64::MAX, f64::min), along().fold(f64::MIN, f64::max)]
    });
    if range.iter().all(|[low, high]| high - low <= MAX_STILL_METRES) {
        return vec![range.map(|[low, high]| (low + high) / 2.0); path.len()];
    }
    let reach = ((path.len() as f64 * SMOOTHING_SHARE) as usize).min(MAX_SMOOTHING_FRAMES);
    smoothed(&smoothed(path, reach), reach)
}

/// Returns the mean of `reach` frames on either side of each frame, of fewer near the ends.
fn smoothed(path: &[Place], reach: usize) -> Vec<Place> {
    let place = |frame: usize| {
        let reach = reach.min(frame).min(path.len() - 1 - frame);
        let near = &path[frame - reach..=frame + reach];
        [0, 1].map(|axis| near.iter().map(|place| place[axis]).sum::<f64>() / near.len() as f64)
    };
    (0..path.len()).map(place).collect()
}

/// Returns the angle of the camera around the vertical in rad, 0 in front of the figures.
fn yaw(path: &[Place]) -> f64 {
    let aside = -YAW_DEGREES.to_radians();
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return aside };
    match distance(*first, *last) > MIN_WAY_METRES {
        true => aside + libm::atan2(last[0] - first[0], last[1] - first[1]),
        false => aside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_paths_are_seen_from_one_place_and_long_ones_are_followed() {
        let still = followed(&[[0.0, 0.0], [0.4, 0.2], [0.0, 0.6]]);
        assert_eq!(still, [[0.2, 0.3]; 3]);
        let way: Vec<Place> = (0..40).map(|k| [0.0, 0.1 * f64::from(k)]).collect();
        let path = followed(&way);
        assert!(
            path.iter().zip(&way).all(|(a, b)| distance(*a, *b) < 1e-9),
            "a straight way stays"
        );
        assert!(followed(&[]).is_empty());
    }

    #[test]
    fn a_walk_comes_towards_the_viewer_from_the_left() {
        for turn in [0.0, 1.0, 2.5, -2.0] {
            let along = [libm::sin(turn), libm::cos(turn)];
            let angle = yaw(&[[0.0; 2], along.map(|x| 3.0 * x)]);
            let right = libm::cos(angle) * along[0] - libm::sin(angle) * along[1];
            let near = libm::sin(angle) * along[0] + libm::cos(angle) * along[1];
            assert!((right - 0.616).abs() < 1e-3 && (near - 0.788).abs() < 1e-3);
        }
    }
}
