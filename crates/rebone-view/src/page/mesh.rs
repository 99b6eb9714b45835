//! Meshes of characters for the player of a page: thinned, and packed as text.

use super::pack::{self, Columns};
use crate::skin::{srgb, welded};
use meshoptimizer_rs::{
    Error, Limits, Positions, SimplifyOptions, SimplifySettings, Workspace, optimize_vertex_cache,
    simplify, simplify_sloppy,
};
use nalgebra::Vector3;
use rebone::skeleton::{JointId, Pose, Skeleton, SkinMesh, WorldPose};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Numbers of triangles to thin a mesh to; the first whose text is short enough counts.
const TRIANGLES: [usize; 4] = [3000, 2000, 1000, 500];
/// Largest length of the text of a mesh.
const MAX_MESH_CHARACTERS: usize = 150_000;
/// Limit of joints that move a mesh.
const MAX_MESH_JOINTS: usize = 512;
/// Number of joints that are stored for each vertex.
const INFLUENCES: usize = 4;
/// Sum of the whole-number weights of a vertex.
const WEIGHT_SUM: i32 = 255;
/// Steps of vertex positions along the longest side of the mesh.
const PLACE_STEPS: f64 = 4095.0;
/// Steps from 0 to 1 in components of quaternions of the bind pose.
const TURN_PARTS: f64 = 16384.0;
/// Error bound of thinning, in extents of the mesh: so large that the number of triangles alone counts.
const ANY_ERROR: f32 = 1.0;
/// Greatest difference of a bone's length at which a mesh is drawn on another skeleton, as a share of that length.
const MAX_BONE_MISFIT: f64 = 0.01;
/// Reason that a mesh is not drawn on a skeleton.
const OTHER_JOINTS: &str = "its joints are not those of the mesh";
/// Limit of work of one thinning: visits of vertices and edges.
const MAX_WORK: u64 = 1 << 31;

/// The mesh of a character for a page, or the reason that there is none.
///
/// ```
/// use rebone_view::PageMesh;
/// let walk = rebone_samples::walk().motion;
/// let mesh = PageMesh::new(&walk.skeleton, &Default::default(), None);
/// assert_eq!(mesh.reason(), Some("it has no mesh"));
/// ```
#[derive(Clone, Debug)]
pub struct PageMesh(Result<PackedMesh, String>);

#[derive(Clone, Debug)]
pub(super) struct PackedMesh {
    skeleton: Skeleton,
    /// Joints that move the mesh, in the order of the skeleton.
    joints: Vec<JointId>,
    pub(super) text: Arc<str>,
}

/// Fields of a packed mesh, in JSON before its columns.
#[derive(Serialize)]
struct MeshFields {
    vertices: usize,
    triangles: usize,
    joints: usize,
    /// Length of one step of positions, in units of the file, and the position that steps count from.
    step: f64,
    low: [f64; 3],
    /// True if vertices have shades.
    shaded: bool,
}

/// Triangles of a thinned mesh.
struct Thinned {
    /// Index in the full mesh of each vertex, in the order of first use.
    vertices: Vec<usize>,
    /// Three indices into `vertices` for each triangle.
    corners: Vec<i32>,
}

impl PageMesh {
    /// Thins and packs a mesh in the pose `bind`, or the rest pose where that is `None`; the page moves it with its joints from
    /// there.
    pub fn new(skeleton: &Skeleton, mesh: &SkinMesh, bind: Option<&Pose>) -> Self {
        Self(packed(skeleton, mesh, bind))
    }

    /// Makes a page mesh without triangles, with the reason that the page shows.
    pub fn none(reason: impl Into<String>) -> Self {
        Self(Err(reason.into()))
    }

    /// Returns the reason that there is no mesh; `None` where there is one.
    pub fn reason(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// Returns the mesh, and the joints of another skeleton that move it, found by their names and checked by bone lengths.
    pub(super) fn on(&self, skeleton: &Skeleton) -> Result<(&PackedMesh, Vec<JointId>), String> {
        let packed = self.0.as_ref().map_err(String::clone)?;
        let mut of_names = BTreeMap::new();
        for id in skeleton.ids() {
            of_names
                .entry(&skeleton[id].name)
                .and_modify(|found| *found = None)
                .or_insert(Some(id));
        }
        let joint = |id: &JointId| {
            let packed_joint = packed.skeleton.joint(*id)?;
            // A root has no bone to its parent.
            let is_same = |other: &JointId| {
                let other = &skeleton[*other];
                let [length, wanted] =
                    [other, packed_joint].map(|joint| joint.rest_translation.norm());
                packed_joint.parent.is_none() || (length - wanted).abs() <= MAX_BONE_MISFIT * wanted
            };
            let in_place = Some(*id)
                .filter(|id| skeleton.joint(*id).is_some_and(|at| at.name == packed_joint.name));
            in_place.or(*of_names.get(&packed_joint.name)?).filter(is_same)
        };
        let joints: Option<Vec<JointId>> = packed.joints.iter().map(joint).collect();
        Ok((packed, joints.ok_or(OTHER_JOINTS)?))
    }
}

fn packed(skeleton: &Skeleton, mesh: &SkinMesh, bind: Option<&Pose>) -> Result<PackedMesh, String> {
    if mesh.is_empty() {
        let reason = mesh.left_out.first().map_or("it has no mesh", String::as_str);
        return Err(reason.to_owned());
    }
    let mut world = skeleton.rest_world();
    if let Some(bind) = bind {
        world.update(skeleton, bind).map_err(|error| error.to_string())?;
    }
    let mut places = Vec::new();
    mesh.pose(&world, &mut places);
    if !places.iter().flatten().all(|x| (*x as f32).is_finite()) {
        return Err("its mesh is larger than any body".to_owned());
    }
    for triangles in TRIANGLES {
        let thinned = thinned(mesh, &places, triangles);
        let thinned = thinned.map_err(|error| format!("its mesh cannot be thinned: {error}"))?;
        if thinned.corners.is_empty() {
            break;
        }
        let joints = joints(mesh, &thinned.vertices);
        if joints.last().is_some_and(|joint| skeleton.joint(*joint).is_none()) {
            return Err(OTHER_JOINTS.to_owned());
        }
        if joints.len() > MAX_MESH_JOINTS {
            return Err(format!("its mesh follows more than {MAX_MESH_JOINTS} joints"));
        }
        let text =
            text(mesh, &places, &thinned, (&joints, &world)).map_err(|error| error.to_string())?;
        if text.len() <= MAX_MESH_CHARACTERS {
            return Ok(PackedMesh { skeleton: skeleton.clone(), joints, text: text.into() });
        }
    }
    Err("its mesh cannot be thinned".to_owned())
}

/// Thins a mesh to `count` triangles at most. Vertices at one position become one, so that no seams open.
fn thinned(mesh: &SkinMesh, places: &[Vector3<f64>], count: usize) -> Result<Thinned, Error> {
    let welded = welded(places);
    let positions: Vec<[f32; 3]> =
        places.iter().map(|place| place.map(|x| x as f32).into()).collect();
    let positions = Positions::from_packed(&positions);
    let triangles = mesh.triangles.iter().map(|corners| corners.map(|k| welded[k as usize]));
    let mut known = BTreeSet::new();
    // Of triangles with equal corners, as the two sides of a surface, the first is kept.
    let whole = triangles.filter(|[a, b, c]| {
        let mut all = [*a, *b, *c];
        all.sort_unstable();
        a != b && b != c && c != a && known.insert(all)
    });
    let mut corners: Vec<u32> = whole.flatten().collect();
    let workspace = &mut Workspace::new(Limits { max_work: MAX_WORK, ..Limits::default() });
    let target_index_count = 3 * count;
    if corners.len() > target_index_count {
        // Permissive: edges are collapsed across seams as well, as where parts touch.
        let (target_error, options) = (ANY_ERROR, SimplifyOptions::PERMISSIVE);
        let settings = SimplifySettings { target_index_count, target_error, options };
        corners = simplify(&corners, positions, settings, workspace)?.indices;
    }
    // If simplification ends early, the sloppy one reaches the number, but loses more of the shape.
    if corners.len() > target_index_count {
        let count = target_index_count;
        corners = simplify_sloppy(&corners, positions, None, count, ANY_ERROR, workspace)?.indices;
    }
    // Neighbouring triangles follow each other, so that differences between indices are small.
    let corners = optimize_vertex_cache(&corners, places.len(), workspace)?;
    let (mut vertices, mut numbers) = (Vec::new(), BTreeMap::new());
    let mut number = |vertex: &u32| {
        *numbers.entry(*vertex).or_insert_with(|| {
            vertices.push(*vertex as usize);
            vertices.len() as i32 - 1
        })
    };
    let corners = corners.iter().map(&mut number).collect();
    Ok(Thinned { vertices, corners })
}

/// Returns the joints that move vertices, in the order of the skeleton.
fn joints(mesh: &SkinMesh, vertices: &[usize]) -> Vec<JointId> {
    let influences = vertices.iter().flat_map(|vertex| mesh.influences(*vertex).take(INFLUENCES));
    influences.map(|(joint, _)| joint).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Packs positions, joints and weights, shades, the bind pose of the joints, and triangles.
fn text(
    mesh: &SkinMesh,
    places: &[Vector3<f64>],
    Thinned { vertices, corners }: &Thinned,
    (joints, world): (&[JointId], &WorldPose),
) -> Result<String, serde_json::Error> {
    let positions = || vertices.iter().map(|vertex| places[*vertex]);
    let low = positions().fold(Vector3::repeat(f64::INFINITY), |low, place| low.inf(&place));
    let high = positions().fold(Vector3::repeat(f64::NEG_INFINITY), |high, place| high.sup(&place));
    let step = ((high - low).max() / PLACE_STEPS).max(f64::MIN_POSITIVE);
    let whole = |place: Vector3<f64>, axis: usize| ((place - low)[axis] / step).round() as i32;
    let mut columns = Columns::default();
    (0..3).for_each(|axis| columns.push(positions().map(|place| whole(place, axis))));
    push_influences(&mut columns, mesh, vertices, joints);
    let shades = shades(mesh, vertices);
    if !shades.is_empty() {
        columns.push(shades.iter().copied());
    }
    let turn = |joint: &JointId, part: usize| {
        (world.rotations[joint.index()].coords[part] * TURN_PARTS).round() as i32
    };
    let place = |joint: &JointId| world.positions[joint.index()];
    (0..4).for_each(|part| columns.push(joints.iter().map(|joint| turn(joint, part))));
    (0..3).for_each(|axis| columns.push(joints.iter().map(|joint| whole(place(joint), axis))));
    columns.push(corners.iter().copied());
    let fields = MeshFields {
        vertices: vertices.len(),
        triangles: corners.len() / 3,
        joints: joints.len(),
        step,
        low: low.into(),
        shaded: !shades.is_empty(),
    };
    Ok(format!("{} {}", pack::text(&serde_json::to_vec(&fields)?), columns.text()))
}

/// Adds a column for each of the [`INFLUENCES`] joints of the vertices, as indices into `joints`, then their weights but for
/// the first.
fn push_influences(columns: &mut Columns, mesh: &SkinMesh, vertices: &[usize], joints: &[JointId]) {
    let of_vertex = |vertex: &usize| {
        let mut influences: Vec<_> = mesh.influences(*vertex).take(INFLUENCES).collect();
        let all: f32 = influences.iter().map(|(_, share)| share).sum();
        influences
            .resize(INFLUENCES, (influences.first().map_or(JointId(0), |first| first.0), 0.0));
        let joint = |joint: JointId| joints.binary_search(&joint).unwrap_or(0) as i32;
        let weight = |share: f32| (share / all * WEIGHT_SUM as f32).round() as i32;
        influences.into_iter().map(|(id, share)| (joint(id), weight(share))).collect::<Vec<_>>()
    };
    let all: Vec<Vec<(i32, i32)>> = vertices.iter().map(of_vertex).collect();
    (0..INFLUENCES).for_each(|k| columns.push(all.iter().map(|of_vertex| of_vertex[k].0)));
    // The page computes the first weight as the rest of `WEIGHT_SUM`.
    (1..INFLUENCES).for_each(|k| columns.push(all.iter().map(|of_vertex| of_vertex[k].1)));
}

/// Returns the lightness of each vertex relative to the lightest, 0 to 255; no numbers where all are equal.
fn shades(mesh: &SkinMesh, vertices: &[usize]) -> Vec<i32> {
    let lightness = |[r, g, b]: [f32; 3]| i32::from(srgb(0.2126 * r + 0.7152 * g + 0.0722 * b));
    let lightness_of = |vertex: &usize| mesh.colours.get(*vertex).copied().flatten().map(lightness);
    let all: Vec<Option<i32>> = vertices.iter().map(lightness_of).collect();
    let most = all.iter().flatten().copied().max().unwrap_or(0);
    let is_alike = all.windows(2).all(|pair| pair[0] == pair[1]);
    if is_alike || most == 0 {
        return Vec::new();
    }
    all.into_iter().map(|value| value.map_or(255, |value| value * 255 / most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::pack::tests::{bytes_of, read_column};
    use nalgebra::{Quaternion, UnitQuaternion};
    use rebone::skeleton::Document;

    fn character(name: &str) -> Document {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/characters/");
        Document::parse(name, std::fs::read(format!("{data}{name}")).unwrap(), None).unwrap()
    }

    fn page_mesh(document: &Document) -> PageMesh {
        PageMesh::new(document.skeleton(), &document.skin_mesh(), document.bind_pose())
    }

    /// Vertices of a text in the pose of a skeleton, as the page places them; and the number of triangles.
    fn posed(text: &str, joints: &[JointId], world: &WorldPose) -> (Vec<Vector3<f64>>, usize) {
        let [fields, numbers] = [0, 1].map(|part| bytes_of(text.split(' ').nth(part).unwrap()));
        let fields: serde_json::Value = serde_json::from_slice(&fields).unwrap();
        let [vertices, triangles, count] =
            ["vertices", "triangles", "joints"].map(|key| fields[key].as_u64().unwrap() as usize);
        let mut bytes = numbers.into_iter();
        let mut read = |count: usize, columns: usize| -> Vec<Vec<i64>> {
            (0..columns).map(|_| read_column(&mut bytes, count)).collect()
        };
        let (places, of, weights) = (read(vertices, 3), read(vertices, 4), read(vertices, 3));
        let shaded = fields["shaded"].as_bool().unwrap();
        let shades = read(vertices, usize::from(shaded));
        assert!(shades.iter().flatten().all(|shade| (0..256).contains(shade)));
        let (turns, middles) = (read(count, 4), read(count, 3));
        let corners = read(3 * triangles, 1).remove(0);
        assert!(corners.iter().all(|corner| (0..vertices as i64).contains(corner)));
        assert_eq!(bytes.next(), None);
        let low = [0, 1, 2].map(|axis| fields["low"][axis].as_f64().unwrap());
        let step = fields["step"].as_f64().unwrap();
        let place = |columns: &[Vec<i64>], index: usize| {
            Vector3::from_fn(|axis, _| columns[axis][index] as f64 * step + low[axis])
        };
        let vertex = |vertex: usize| {
            let rest: i64 = weights.iter().map(|column| column[vertex]).sum();
            let weight = |k: usize| if k == 0 { 255 - rest } else { weights[k - 1][vertex] };
            let influence = |k: usize| {
                let joint = of[k][vertex] as usize;
                let [x, y, z, w] = [0, 1, 2, 3].map(|part| turns[part][joint] as f64);
                let bind = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
                let offset = bind.inverse() * (place(&places, vertex) - place(&middles, joint));
                let at = joints[joint].index();
                assert!((0..=255).contains(&weight(k)));
                (world.positions[at] + world.rotations[at] * offset) * weight(k) as f64 / 255.0
            };
            (0..INFLUENCES).map(influence).sum()
        };
        ((0..vertices).map(vertex).collect(), triangles)
    }

    #[test]
    fn meshes_are_thinned_and_follow_their_joints() {
        for name in ["person.glb", "toy.glb", "avatar.vrm"] {
            let document = character(name);
            let (mesh, skeleton) = (document.skin_mesh(), document.skeleton());
            let page_mesh = page_mesh(&document);
            let (packed, joints) = page_mesh.on(skeleton).unwrap();
            assert_eq!((page_mesh.reason(), &joints), (None, &packed.joints));
            assert!(packed.text.len() <= MAX_MESH_CHARACTERS);
            let mut pose = skeleton.rest_pose();
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.4);
            pose.rotations.iter_mut().skip(1).step_by(3).for_each(|rotation| *rotation *= turn);
            let mut world = skeleton.rest_world();
            world.update(skeleton, &pose).unwrap();
            let (found, triangles) = posed(&packed.text, &joints, &world);
            assert!((200..=TRIANGLES[0]).contains(&triangles), "{name}: {triangles}");
            let mut places = Vec::new();
            mesh.pose(&world, &mut places);
            for vertex in found {
                let distances = places.iter().map(|place| (place - vertex).norm());
                let apart = distances.fold(f64::INFINITY, f64::min);
                assert!(apart < 0.003, "{name}: a vertex is {apart} m off");
            }
        }
    }

    #[test]
    fn the_text_of_a_mesh_is_always_the_same_and_bounded() {
        let document = character("person.glb");
        let [one, other] = [(); 2].map(|()| page_mesh(&document).0.unwrap().text);
        assert_eq!(one, other);
    }

    #[test]
    fn joints_are_found_by_their_names_but_not_on_another_body() {
        let document = character("person.glb");
        let (mesh, skeleton) = (page_mesh(&document), document.skeleton());
        let shifted = skeleton.with_root("above", &nalgebra::Isometry3::identity());
        let [before, found] = [skeleton, &shifted].map(|skeleton| mesh.on(skeleton).unwrap().1);
        assert!(
            before.iter().zip(&found).all(|(before, found)| found.index() == before.index() + 1)
        );
        let walk = rebone_samples::walk().motion.skeleton;
        assert!(mesh.on(&walk).unwrap_err().contains("not those of the mesh"));
        let mut longer = skeleton.joints().to_vec();
        longer.iter_mut().for_each(|joint| joint.rest_translation *= 1.1);
        let longer = Skeleton::new(longer, Vec::new()).unwrap();
        assert!(mesh.on(&longer).is_err(), "bones of other lengths");
        assert!(PageMesh::none("why").on(skeleton).is_err_and(|reason| reason == "why"));
    }
}
