//! Vertices of FBX meshes as points of the joints that move them most.

use super::{Document, clusters, local, matrix, nodes};
use crate::pose::bounds;
use crate::scene::{Carrier, Mesh, MeshPoints, Node, RestBox};
use crate::{JointId, Skeleton, SkinPoints, WorldPose};
use nalgebra::{Point3, Vector3};
use std::collections::BTreeMap;

/// Length of a bone in the bind pose over that in the rest pose, and its inverse: beyond it the mesh was made for another
/// skeleton.
const MAX_BONE_RATIO: f64 = 1.1;
/// Distance between the places that two clusters give the mesh in the bind pose, over the longest side of the box around
/// their joints.
const MAX_OFFSET_EXTENTS: f64 = 0.1;
/// Share of the clusters of a mesh that may differ from the others.
const MAX_DIFFERING_SHARE: f64 = 0.25;

impl Document {
    /// Returns the vertices of all meshes that the skeleton moves, each as a point of the joint with the most weight. A
    /// mesh below a joint without a skin moves with that joint.
    ///
    /// Left out are hidden meshes and those that do not fit the joints: bones have other lengths in the bind pose than at
    /// rest, clusters contradict each other, vertices are far off, or a mesh is much smaller than its skeleton.
    pub fn skin_points(&self) -> SkinPoints {
        let tree = nodes(&self.scene, &clusters(&self.scene));
        let rest = self.skeleton().rest_world();
        let skeleton = RestBox::new(&rest);
        let mut all = SkinPoints::default();
        for mesh in &self.scene.meshes {
            let visible = mesh.element.instances.iter().filter(|node| node.visible);
            let nodes: Vec<usize> = visible.map(|node| node.element.typed_id as usize).collect();
            let name = name(mesh);
            if nodes.is_empty() || all.is_full(&name) {
                continue;
            }
            let shape = Shape::of(mesh);
            all.skip_broken(&name, &shape.places);
            if !mesh.skin_deformers.is_empty() {
                let skin = Skin::of(self, mesh, &mut all);
                let points = shape.points((&skin.carriers(), true), &skeleton, &mut all);
                match skin.misfit(self, &shape, &rest) {
                    None => all.push(&name, points, &skeleton),
                    Some(reason) => all.lose(&name, reason),
                }
                continue;
            }
            for carrier in nodes.into_iter().filter_map(|node| self.rigid_carrier(&tree, node)) {
                if all.is_full(&name) {
                    break;
                }
                let carriers = vec![Some(&carrier); shape.places.len()];
                let points = shape.points((&carriers, false), &skeleton, &mut all);
                all.push(&name, points, &skeleton);
            }
        }
        all.check_whole(&skeleton);
        all
    }

    /// Returns the carrier of a mesh without a skin.
    pub(super) fn rigid_carrier(&self, tree: &[Node], node: usize) -> Option<Carrier> {
        let to_node = matrix(&self.scene.nodes.get(node)?.geometry_to_node);
        self.armature.carrier_above(tree, node, to_node)
    }
}

/// Returns the name of a mesh for messages.
pub(super) fn name(mesh: &ufbx::Mesh) -> String {
    match mesh.element.instances.iter().next() {
        Some(node) => format!("mesh {:?}", &*node.element.name),
        None => "a mesh".to_owned(),
    }
}

/// Vertices and triangles of a mesh.
pub(super) struct Shape {
    pub(super) places: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[usize; 3]>,
}

impl Shape {
    pub(super) fn of(mesh: &ufbx::Mesh) -> Self {
        let places = mesh.vertices.iter().map(|place| [place.x, place.y, place.z]).collect();
        let mut triangles = Vec::new();
        for face in &mesh.faces {
            let (begin, count) = (face.index_begin as usize, face.num_indices as usize);
            let corners =
                begin.checked_add(count).and_then(|end| mesh.vertex_indices.get(begin..end));
            let Some([first, others @ ..]) = corners else { continue };
            let fan = others.windows(2).map(|two| [*first, two[0], two[1]].map(|k| k as usize));
            triangles.extend(fan);
        }
        Self { places, triangles }
    }

    /// Returns the middle of the box around the vertices.
    fn middle(&self) -> Point3<f64> {
        let [low, high] = bounds(self.places.iter().copied().map(Vector3::from));
        Point3::from((low + high) / 2.0)
    }

    fn points(
        &self,
        (carriers, is_skinned): (&[Option<&Carrier>], bool),
        skeleton: &RestBox,
        all: &mut SkinPoints,
    ) -> MeshPoints {
        all.count(self.places.len() + 3 * self.triangles.len());
        let mesh = Mesh { places: &self.places, triangles: &self.triangles };
        mesh.points(carriers, is_skinned, skeleton)
    }
}

/// The clusters of a mesh.
pub(super) struct Skin<'a> {
    /// Clusters of joints of the skeleton, with their carriers; `None` for those of other skeletons.
    pub(super) clusters: Vec<Option<(&'a ufbx::SkinCluster, Carrier)>>,
    /// The index of the cluster with the most weight, for each vertex.
    heaviest: Vec<Option<usize>>,
}

impl<'a> Skin<'a> {
    pub(super) fn of(document: &Document, mesh: &'a ufbx::Mesh, all: &mut SkinPoints) -> Self {
        let mut most = vec![(0.0, None); mesh.num_vertices.min(mesh.vertices.len())];
        let mut clusters = Vec::new();
        let own = mesh.skin_deformers.into_iter().flat_map(|skin| &skin.clusters);
        for (index, cluster) in own.enumerate() {
            if all.is_full(&name(mesh)) {
                break;
            }
            all.count(1 + cluster.vertices.len());
            clusters.push(carrier(document, cluster).map(|carrier| (cluster, carrier)));
            for (vertex, weight) in cluster.vertices.iter().zip(&*cluster.weights) {
                let Some(most) = most.get_mut(*vertex as usize) else { continue };
                if *weight > most.0 {
                    *most = (*weight, Some(index));
                }
            }
        }
        Self { clusters, heaviest: most.into_iter().map(|(_, cluster)| cluster).collect() }
    }

    /// Returns the carrier of each vertex.
    fn carriers(&self) -> Vec<Option<&Carrier>> {
        let of = |own: &Option<usize>| Some(&self.clusters.get((*own)?)?.as_ref()?.1);
        self.heaviest.iter().map(of).collect()
    }

    /// Returns why a skin is not that of the joints; `None` where bones have the same lengths in the bind pose as in the rest
    /// pose, up to one scale of all, and the clusters have the mesh at one place.
    pub(super) fn misfit(
        &self,
        document: &Document,
        shape: &Shape,
        rest: &WorldPose,
    ) -> Option<&'static str> {
        let mut used = vec![false; self.clusters.len()];
        self.heaviest.iter().flatten().for_each(|cluster| used[*cluster] = true);
        let used =
            self.clusters.iter().zip(used).filter_map(|(own, used)| own.as_ref().filter(|_| used));
        let (mut bound, mut places) = (BTreeMap::new(), Vec::new());
        let middle = shape.middle();
        for (cluster, (joint, _)) in used {
            let bind = matrix(&cluster.bind_to_world);
            bound.insert(*joint, bind.transform_point(&Point3::origin()).coords);
            let mesh = matrix(&cluster.geometry_to_bone).transform_point(&middle);
            places.push(bind.transform_point(&mesh).coords);
        }
        let [low, high] = bounds(bound.values().copied());
        if !same_lengths(&lengths(document.skeleton(), &bound, rest)) {
            return Some("bones have other lengths in its bind pose than at rest");
        }
        let is_one = same_places(&places, MAX_OFFSET_EXTENTS * (high - low).amax());
        (!is_one).then_some("its clusters have it at different places")
    }
}

/// Returns the distance of each joint from the nearest one above it among those bound, in the rest pose and the bind pose.
fn lengths(
    skeleton: &Skeleton,
    bound: &BTreeMap<JointId, Vector3<f64>>,
    rest: &WorldPose,
) -> Vec<[f64; 2]> {
    let length = |(joint, place): (&JointId, &Vector3<f64>)| {
        let mut above = skeleton.path_to_root(*joint).skip(1);
        let parent = above.find(|id| bound.contains_key(id))?;
        let at_rest = rest.positions[joint.index()] - rest.positions[parent.index()];
        Some([at_rest.norm(), (place - bound[&parent]).norm()])
    };
    bound.iter().filter_map(length).collect()
}

/// Returns the carrier of a cluster's vertices; `None` where its bone is no joint of the skeleton.
fn carrier(document: &Document, cluster: &ufbx::SkinCluster) -> Option<Carrier> {
    let node = cluster.bone_node.as_ref()?;
    let joint = document.armature.joint(node.element.typed_id as usize)?;
    let local = local(&node.local_transform)?;
    Some(document.armature.carrier(joint, &local, &matrix(&cluster.geometry_to_bone)))
}

/// Returns whether pairs of lengths are the same up to one scale and a share of outliers.
fn same_lengths(pairs: &[[f64; 2]]) -> bool {
    let mut ratios: Vec<f64> = pairs.iter().map(|[rest, bind]| bind / rest).collect();
    ratios.retain(|ratio| ratio.is_finite());
    ratios.sort_unstable_by(f64::total_cmp);
    let Some(scale) = ratios.get(ratios.len() / 2) else { return true };
    let own = scale / MAX_BONE_RATIO..=scale * MAX_BONE_RATIO;
    let differing = ratios.iter().filter(|ratio| !own.contains(ratio)).count();
    differing as f64 <= MAX_DIFFERING_SHARE * ratios.len() as f64
}

/// Returns whether all places but a share are within a distance of their median.
fn same_places(places: &[Vector3<f64>], distance: f64) -> bool {
    let median = Vector3::from_fn(|axis, _| {
        let mut along: Vec<f64> = places.iter().map(|place| place[axis]).collect();
        along.sort_unstable_by(f64::total_cmp);
        along.get(along.len() / 2).copied().unwrap_or(0.0)
    });
    let near = places.iter().filter(|place| (*place - median).norm() <= distance).count();
    (places.len() - near) as f64 <= MAX_DIFFERING_SHARE * places.len() as f64
}
