//! Points of a mesh: its vertices, and points within its large faces.

use super::mesh_misfit::{MeshPoints, RestBox};
use crate::pose::bounds;
use crate::{JointId, SkinPoint};
use nalgebra::{Matrix4, Point3, Vector3};
use std::collections::BTreeMap;

/// Limit of points within the faces of a mesh.
const MAX_POINTS_ON_FACES: usize = 200_000;
/// Distance between points on triangles, as a share of the diagonal of their mesh.
const MAX_HOLE_SHARE: f64 = 0.012;
/// Limit of points along an edge.
const MAX_STEPS_ON_FACE: usize = 64;
/// Least height of a triangle over its longest side, as a share of that side; flatter ones are degenerate.
const MIN_HEIGHT_SHARE: f64 = 1e-4;
/// Least number of vertices of a joint among which strays are looked for.
const MIN_VERTICES: usize = 4;
/// Number of vertices of a joint from which on [`STRAYS_OF_MANY`] counts.
const MANY_VERTICES: usize = 20;
const STRAYS_OF_MANY: StrayRule = StrayRule { ratio: 4.0, percentile: 0.9, max_share: 0.05 };
/// Of the joints of fingers.
const STRAYS_OF_FEW: StrayRule = StrayRule { ratio: 10.0, percentile: 0.5, max_share: 0.25 };

/// Which vertices of a joint are strays.
struct StrayRule {
    /// Least distance from the median point, over a percentile of these distances.
    ratio: f64,
    /// That percentile, 0 to 1.
    percentile: f64,
    /// Share of the vertices beyond which those so far off are part of the body's shape.
    max_share: f64,
}

/// The joint that moves a vertex, with the transform from the mesh to its axes, in the lengths of the skeleton.
pub(crate) type Carrier = (JointId, Matrix4<f64>);

/// Returns whether a vertex has finite coordinates.
pub(super) fn is_place(place: &[f64; 3]) -> bool {
    place.iter().all(|x| x.is_finite())
}

/// A mesh: the places of its vertices and the corners of its triangles.
pub(crate) struct Mesh<'a> {
    pub(crate) places: &'a [[f64; 3]],
    /// Indices of vertices; those out of range are left out.
    pub(crate) triangles: &'a [[usize; 3]],
}

impl Mesh<'_> {
    /// Returns the vertices, then the points within large faces, each with the carrier of its vertex or of the nearest
    /// corner. Without a carrier a point is left out. Vertices that are no part of the body are, with their faces.
    pub(crate) fn points(
        &self,
        carriers: &[Option<&Carrier>],
        is_skinned: bool,
        skeleton: &RestBox,
    ) -> MeshPoints {
        let point = |vertex: usize, place: &[f64; 3], is_vertex| {
            let (joint, transform) = (*carriers.get(vertex)?)?;
            let offset = transform.transform_point(&Point3::from(*place)).coords;
            is_place(place).then_some(SkinPoint { joint: *joint, offset, is_vertex })
        };
        let vertices = self.places.iter().enumerate();
        let vertices: Vec<_> = vertices.map(|(vertex, place)| point(vertex, place, true)).collect();
        let mut is_left_out = self.strays(carriers);
        let strays = is_left_out.iter().filter(|is_stray| **is_stray).count();
        let (mut far, mut out_of_reach) = (0, 0);
        let mut by_joint: BTreeMap<JointId, [usize; 2]> = BTreeMap::new();
        for own in vertices.iter().flatten() {
            by_joint.entry(own.joint).or_default()[1] += 1;
        }
        for (own, is_left_out) in vertices.iter().zip(&mut is_left_out) {
            let Some(own) = own.filter(|_| !*is_left_out) else { continue };
            let is_far = skeleton.is_far(&own);
            let is_out = !is_far && is_skinned && skeleton.is_out_of_reach(&own);
            (far, out_of_reach) = (far + usize::from(is_far), out_of_reach + usize::from(is_out));
            *is_left_out = is_far || is_out;
            by_joint.entry(own.joint).or_default()[0] += usize::from(*is_left_out);
        }
        let (count, carried) = (self.places.len(), vertices.iter().flatten().count());
        let kept = vertices.into_iter().zip(&is_left_out).filter(|(_, is_left_out)| !**is_left_out);
        let mut points: Vec<_> = kept.filter_map(|(own, _)| own).collect();
        let on_faces = self.points_on_faces(&is_left_out);
        points.extend(on_faces.iter().filter_map(|(corner, place)| point(*corner, place, false)));
        MeshPoints { points, is_skinned, count, carried, far, out_of_reach, strays, by_joint }
    }

    /// Returns for each vertex whether it is a stray: much farther than nearly all others of its joint from their median point.
    fn strays(&self, carriers: &[Option<&Carrier>]) -> Vec<bool> {
        let mut is_stray = vec![false; self.places.len()];
        let carried = self.places.iter().zip(carriers).enumerate();
        let mut of_joints: Vec<(JointId, usize)> = carried
            .filter_map(|(vertex, (place, own))| is_place(place).then_some(((*own)?.0, vertex)))
            .collect();
        of_joints.sort_unstable();
        for own in of_joints.chunk_by(|a, b| a.0 == b.0) {
            if own.len() < MIN_VERTICES {
                continue;
            }
            let places = own.iter().map(|(_, vertex)| Vector3::from(self.places[*vertex]));
            let places: Vec<_> = places.collect();
            let middle = Vector3::from_fn(|axis, _| {
                percentile(places.iter().map(|place| place[axis]).collect(), 0.5)
            });
            let distances: Vec<f64> = places.iter().map(|place| (place - middle).norm()).collect();
            let rule = if own.len() < MANY_VERTICES { STRAYS_OF_FEW } else { STRAYS_OF_MANY };
            let most = rule.ratio * percentile(distances.clone(), rule.percentile);
            let far = || own.iter().zip(&distances).filter(|(_, distance)| **distance > most);
            if most > 0.0 && far().count() as f64 <= rule.max_share * own.len() as f64 {
                far().for_each(|((_, vertex), _)| is_stray[*vertex] = true);
            }
        }
        is_stray
    }

    /// Returns points within large triangles, so that no hole between points is wider than a share of the mesh, each with
    /// the vertex nearest to it.
    fn points_on_faces(&self, is_left_out: &[bool]) -> Vec<(usize, [f64; 3])> {
        let at = |corner: usize| {
            let own =
                self.places.get(corner).filter(|place| is_place(place) && !is_left_out[corner]);
            own.copied().map(Vector3::from)
        };
        let [low, high] = bounds((0..self.places.len()).filter_map(at));
        let spacing = (high - low).norm() * MAX_HOLE_SHARE;
        let mut points = Vec::new();
        for corners in self.triangles {
            let [Some(a), Some(b), Some(c)] = corners.map(at) else { continue };
            // Strips are joined by triangles without an area, which run through the body.
            let double_area = (b - a).cross(&(c - a)).norm();
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            if double_area < MIN_HEIGHT_SHARE * longest * longest {
                continue;
            }
            let steps = (longest / spacing).ceil().min(MAX_STEPS_ON_FACE as f64) as usize;
            if spacing > 0.0 && steps > 1 && points.len() < MAX_POINTS_ON_FACES {
                push_face(&mut points, corners, &[a, b, c], steps);
            }
        }
        points
    }
}

/// Returns the value below which a share of some values lies.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    let place = ((values.len() - 1) as f64 * share) as usize;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}

/// Adds points of a triangle, all edges of which are divided into `steps`.
fn push_face(
    points: &mut Vec<(usize, [f64; 3])>,
    corners: &[usize; 3],
    [a, b, c]: &[Vector3<f64>; 3],
    steps: usize,
) {
    for i in 0..=steps {
        for j in 0..=steps - i {
            let [u, v] = [i, j].map(|k| k as f64 / steps as f64);
            let shares = [1.0 - u - v, u, v];
            let nearest = (0..3).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0);
            let place = a * shares[0] + b * u + c * v;
            points.push((corners[nearest], place.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorldPose;
    use nalgebra::UnitQuaternion;

    #[test]
    fn points_fill_large_faces_and_go_with_the_nearest_corner() {
        let places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.001, 0.0]];
        let mesh = Mesh { places: &places, triangles: &[[0, 1, 2], [0, 1, 9]] };
        let points = mesh.points_on_faces(&[false; 4]);
        assert!(points.len() > 1000, "{}", points.len());
        for (corner, [x, y, z]) in &points {
            assert!(*x >= 0.0 && *y >= 0.0 && x + y <= 1.0 + 1e-9 && *z == 0.0);
            let shares = [1.0 - x - y, *x, *y];
            assert!(shares.iter().all(|share| *share <= shares[*corner] + 1e-9));
        }
        let flat = Mesh { places: &[[f64::NAN; 3]; 3], triangles: &[[0, 1, 2]] };
        assert!(flat.points_on_faces(&[false; 3]).is_empty());
        // A broken vertex takes its triangles with it, and no others.
        let mut places = places.to_vec();
        places[3] = [f64::INFINITY, f64::NAN, 0.0];
        let mesh = Mesh { places: &places, triangles: &[[0, 1, 2], [0, 1, 3]] };
        assert_eq!(mesh.points_on_faces(&[false; 4]).len(), points.len());
        // Strips are joined by triangles of two corners.
        let mesh = Mesh { places: &places, triangles: &[[0, 1, 2], [0, 1, 1], [2, 1, 1]] };
        assert_eq!(mesh.points_on_faces(&[false; 4]).len(), points.len());
    }

    /// Numbers of strays, of vertices out of reach and of points of a mesh of one joint, and the greatest distance of a point.
    fn found(places: &[[f64; 3]], size: f64) -> (usize, usize, usize, f64) {
        let mut rest = WorldPose {
            positions: vec![Vector3::zeros(); 2],
            rotations: vec![UnitQuaternion::identity(); 2],
        };
        rest.positions[1].y = size;
        let carrier = (JointId(0), Matrix4::identity());
        let mesh = Mesh { places, triangles: &[[0, 1, 2], [3, 4, 5]] };
        let own = mesh.points(&vec![Some(&carrier); places.len()], true, &RestBox::new(&rest));
        let farthest = own.points.iter().map(|point| point.offset.norm()).fold(0.0, f64::max);
        (own.strays, own.far + own.out_of_reach, own.points.len(), farthest)
    }

    #[test]
    fn a_vertex_far_from_the_others_of_its_joint_is_left_out_with_its_faces() {
        let ring = |k: usize| [libm::cos(k as f64), libm::sin(k as f64), 0.05 * k as f64];
        let mut places: Vec<_> = (0..40).map(ring).collect();
        let (strays, _, all, _) = found(&places, 100.0);
        assert_eq!(strays, 0);
        places[4][0] = 30.0;
        let (strays, _, kept, farthest) = found(&places, 100.0);
        assert!(strays == 1 && kept < all && kept > 40 && farthest < 3.0, "{strays} {kept} {all}");
        // Of few, as those of a finger, one is.
        assert_eq!(found(&places[..7], 100.0).0, 1);
        // Many are a part of the body, as wings are.
        (5..9).for_each(|k| places[k][0] = 30.0);
        assert_eq!(found(&places, 100.0).0, 0);
    }

    #[test]
    fn a_vertex_beyond_reach_is_left_out_with_its_faces_whatever_else_its_joint_has() {
        let places = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.9]];
        let (strays, out, points, farthest) = found(&places, 1.0);
        assert_eq!((strays, out, points), (0, 1, 2));
        assert!(farthest < 0.2, "{farthest}");
        // Joints at one place tell nothing.
        assert_eq!(found(&places, 0.0).1, 0);
    }
}
