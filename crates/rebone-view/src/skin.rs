//! Skins of figures: the mesh of a character in the poses of a picture.

use crate::palette::Rgb;
use crate::raster::{Canvas, Corner};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{JointId, SkinMesh, WorldPose};
use std::sync::Arc;

/// Direction to the light in the axes of the view: right, up, towards the viewer. About a unit vector.
const LIGHT: [f64; 3] = [-0.36, 0.62, 0.70];
/// Brightness of surfaces that face away from the light, and the addition where they face it.
const AMBIENT: f64 = 0.46;
const DIFFUSE: f64 = 0.64;

/// The mesh of a character with its colours, poses, and transformation from the file to the picture.
#[derive(Clone, Debug)]
pub(crate) struct FigureSkin {
    mesh: Arc<SkinMesh>,
    /// For each vertex the first vertex at its place: vertices at one place share a normal.
    welded: Arc<[u32]>,
    /// Colour of each vertex.
    colours: Arc<[Rgb]>,
    /// Rotation from the file's axes to those of the picture.
    rotation: UnitQuaternion<f64>,
    /// Metres in the picture per unit of the file.
    scale: f64,
    /// Height that the mesh is raised by, metres.
    rise: f64,
    /// Pose of each drawn frame, in the world of the file.
    poses: Vec<WorldPose>,
}

impl FigureSkin {
    /// Makes the skin of a mesh, with rotation and scale from the file to the picture; `None` where it has no triangles.
    /// `of_joint` gives the colours of joints, for vertices without a colour in the file.
    pub(crate) fn new(
        mesh: &Arc<SkinMesh>,
        rest: &WorldPose,
        (rotation, scale): (UnitQuaternion<f64>, f64),
        of_joint: impl Fn(JointId) -> Rgb,
    ) -> Option<Self> {
        if mesh.is_empty() {
            return None;
        }
        let mut places = Vec::new();
        mesh.pose(rest, &mut places);
        let of_joints: Vec<[f32; 3]> =
            (0..rest.positions.len()).map(|k| of_joint(JointId(k)).map(f32::from)).collect();
        let inked = mesh.mean_of_joints(&of_joints).into_iter();
        let colour = |(ink, in_file): ([f32; 3], &Option<[f32; 3]>)| {
            in_file.map_or(ink.map(|part| part.round() as u8), |linear| linear.map(srgb))
        };
        Some(Self {
            welded: welded(&places).into(),
            colours: inked.zip(&mesh.colours).map(colour).collect(),
            mesh: Arc::clone(mesh),
            rotation,
            scale,
            rise: 0.0,
            poses: Vec::new(),
        })
    }

    /// Adds the pose of the next drawn frame.
    pub(crate) fn push(&mut self, world: &WorldPose) {
        self.poses.push(world.clone());
    }

    /// Scales the mesh by a factor.
    pub(crate) fn enlarge(&mut self, factor: f64) {
        self.scale *= factor;
    }

    /// Raises the mesh by a height in metres.
    pub(crate) fn raise(&mut self, metres: f64) {
        self.rise += metres;
    }

    /// Returns the places of all vertices in a frame, in the axes and metres of the picture.
    pub(crate) fn places(&self, frame: usize) -> Vec<Vector3<f64>> {
        let mut places = Vec::new();
        if let Some(pose) = self.poses.get(frame) {
            self.mesh.pose(pose, &mut places);
        }
        let turn = self.rotation.to_rotation_matrix().into_inner() * self.scale;
        let rise = Vector3::new(0.0, self.rise, 0.0);
        places.iter_mut().for_each(|place| *place = turn * *place + rise);
        places
    }

    /// Draws the triangles in light. `places` are the vertices in the axes of the view: right, up, towards the viewer; `pixel`
    /// projects such a place onto the canvas.
    pub(crate) fn draw(
        &self,
        places: &[Vector3<f64>],
        pixel: impl Fn(&Vector3<f64>) -> [f64; 2],
        canvas: &mut Canvas,
    ) {
        let normals = self.normals(places);
        let corner = |vertex: u32| {
            let vertex = vertex as usize;
            let (place, normal) = (places.get(vertex)?, normals[self.welded[vertex] as usize]);
            let [x, y] = pixel(place);
            let light = light(normal);
            let colour = self.colours[vertex].map(|part| (f64::from(part) * light) as f32);
            Some(Corner { place: [x as f32, y as f32, place.z as f32], colour })
        };
        let corners: Vec<Option<Corner>> = (0..places.len() as u32).map(corner).collect();
        for triangle in &self.mesh.triangles {
            if canvas.is_full() {
                return;
            }
            if let [Some(a), Some(b), Some(c)] = triangle.map(|k| corners.get(k as usize)?.as_ref())
            {
                canvas.triangle([*a, *b, *c]);
            }
        }
    }

    /// Draws the triangles in black at one depth, for shadows; parameters as of [`draw`](Self::draw).
    pub(crate) fn draw_flat(
        &self,
        places: &[Vector3<f64>],
        pixel: impl Fn(&Vector3<f64>) -> [f64; 2],
        canvas: &mut Canvas,
    ) {
        let corners: Vec<Corner> = places
            .iter()
            .map(|place| {
                let [x, y] = pixel(place);
                Corner { place: [x as f32, y as f32, 0.0], colour: [0.0; 3] }
            })
            .collect();
        for triangle in &self.mesh.triangles {
            if let [Some(a), Some(b), Some(c)] = triangle.map(|k| corners.get(k as usize)) {
                canvas.triangle([*a, *b, *c]);
            }
        }
    }

    /// Returns the normals of welded vertices, not normalised: the sum of those of their triangles, by area.
    fn normals(&self, places: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut normals = vec![Vector3::zeros(); places.len()];
        for triangle in &self.mesh.triangles {
            let [Some(a), Some(b), Some(c)] = triangle.map(|k| places.get(k as usize)) else {
                continue;
            };
            let normal = (b - a).cross(&(c - a));
            if normal.iter().all(|x| x.is_finite()) {
                triangle.iter().for_each(|k| normals[self.welded[*k as usize] as usize] += normal);
            }
        }
        normals
    }
}

/// Returns the brightness of a surface by its normal, which need not be of unit length. Both sides are lit alike: the one towards the
/// viewer is seen.
pub(crate) fn light(normal: Vector3<f64>) -> f64 {
    let length = normal.norm();
    let towards = if normal.z < 0.0 { -normal } else { normal };
    let cosine = if length > 0.0 { towards.dot(&Vector3::from(LIGHT)) / length } else { 0.0 };
    AMBIENT + DIFFUSE * cosine.max(0.0)
}

/// Returns for each vertex the first one at its place.
pub(crate) fn welded(places: &[Vector3<f64>]) -> Vec<u32> {
    let key = |vertex: u32| {
        // Zeros of both signs are one place.
        let place = places[vertex as usize];
        [place.x, place.y, place.z].map(|x| (x as f32 + 0.0).to_bits())
    };
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    order.sort_by_cached_key(|vertex| (key(*vertex), *vertex));
    let mut welded = vec![0; places.len()];
    for group in order.chunk_by(|a, b| key(*a) == key(*b)) {
        group.iter().for_each(|vertex| welded[*vertex as usize] = group[0]);
    }
    welded
}

/// Converts a channel of linear light, 0 to 1, to sRGB, 0 to 255 (IEC 61966-2-1).
pub(crate) fn srgb(linear: f32) -> u8 {
    let x = f64::from(linear).clamp(0.0, 1.0);
    let part = if x <= 0.0031308 { 12.92 * x } else { 1.055 * libm::pow(x, 1.0 / 2.4) - 0.055 };
    (255.0 * part).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_at_one_place_share_a_normal_and_others_do_not() {
        let at = |x: f64| Vector3::new(x, 0.0, 1.0);
        assert_eq!(welded(&[at(0.0), at(1.0), at(-0.0), at(1.0)]), [0, 1, 0, 1]);
        assert!(welded(&[]).is_empty());
    }

    #[test]
    fn both_sides_are_lit_alike_and_nothing_is_black() {
        let front = light(Vector3::new(0.1, 0.7, 0.7));
        assert_eq!(front, light(-Vector3::new(0.1, 0.7, 0.7)));
        assert!(front > 0.9 && light(Vector3::new(0.5, -0.9, 0.1)) >= AMBIENT);
        assert_eq!(light(Vector3::zeros()), AMBIENT);
        assert_eq!([srgb(0.0), srgb(1.0), srgb(0.5)], [0, 255, 188]);
    }
}
