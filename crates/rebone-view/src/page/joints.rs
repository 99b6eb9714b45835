//! Rotations and positions of joints over time, packed as columns of whole numbers for the player of a page.

use super::pack::Columns;
use nalgebra::{
    Isometry3, Point3, Quaternion, Similarity3, Translation3, UnitQuaternion, Vector3, Vector4,
};
use rebone::body::Landmark;
use rebone::skeleton::{JointId, Skeleton, WorldPose};
use std::collections::BTreeSet;

/// Steps from 0 to 1 in components of constant quaternions.
const TURN_PARTS: f64 = 1024.0;
/// Largest error, metres, at the end of what a joint carries, by rounding a component of its quaternion: for joints that carry
/// points of the stick figure, and for those that carry only a mesh. Short bones need fewer steps.
const STICK_METRES: f64 = 0.00025;
const MESH_METRES: f64 = 0.001;
/// Least and greatest number of steps from 0 to 1 in components of quaternions that change.
const PARTS: [f64; 2] = [24.0, 2048.0];
/// Metres of one unit of offsets from the parent that change.
const SHIFT_METRES: f64 = 0.0005;
/// Metres of one unit of constant offsets from the parent.
const OFFSET_METRES: f64 = 0.0001;
/// Difference from the last stored value of a component, in steps, up to which that value is kept.
const HOLD_PARTS: f64 = 0.75;
/// Least length of what a joint carries, metres: the skin around it.
const MIN_REACH_METRES: f64 = 0.03;
/// Least translation against the parent that is stored, metres.
const STILL_METRES: f64 = 0.0002;
/// Least w up to which x, y and z alone are stored and w is computed from them: that of a rotation by 120 degrees.
const MIN_REAL_PART: f64 = 0.5;

/// Joints of a body over time, each relative to its parent.
///
/// The parent is taken as the page decodes it, so that rounding errors do not add up along a chain.
#[derive(Debug, Default)]
pub(super) struct JointTracks {
    joints: Vec<JointTrack>,
    /// Poses of each joint in the world, as the page decodes them.
    read: Vec<Vec<Isometry3<f64>>>,
}

#[derive(Debug)]
struct JointTrack {
    /// Index of the parent, an earlier joint.
    parent: Option<usize>,
    turn: TurnTrack,
    shift: ShiftTrack,
}

/// Rotation relative to the parent: `from` times the rotation of a pose; quaternions x, y, z, w.
#[derive(Debug)]
struct TurnTrack {
    /// In steps of 1 / [`TURN_PARTS`].
    from: [i32; 4],
    /// Steps from 0 to 1 in the columns.
    parts: i32,
    /// No columns where the rotation is constant; x, y, z where w follows from them; else x, y, z, w.
    columns: Vec<Vec<i32>>,
}

/// Position in the axes of the parent: `from` in [`OFFSET_METRES`] plus that of a pose in [`SHIFT_METRES`].
#[derive(Debug)]
struct ShiftTrack {
    from: [i32; 3],
    /// No columns where the position is constant, else x, y, z.
    columns: Vec<Vec<i32>>,
}

/// Returns joints and all their ancestors, in the order of the skeleton.
pub(super) fn with_ancestors(
    skeleton: &Skeleton,
    joints: impl Iterator<Item = JointId>,
) -> Vec<JointId> {
    let mut all = BTreeSet::new();
    for joint in joints {
        // Ancestors of a known joint are known.
        skeleton.path_to_root(joint).take_while(|id| all.insert(*id)).for_each(drop);
    }
    all.into_iter().collect()
}

impl JointTracks {
    /// Stores `joints`, which include all their ancestors, in poses. `parts` are the steps from 0 to 1 in the components of the
    /// quaternion of each joint.
    pub(super) fn new(
        skeleton: &Skeleton,
        (joints, parts): (&[JointId], &[f64]),
        poses: &[WorldPose],
        world_from_file: &Similarity3<f64>,
    ) -> Self {
        let mut tracks = Self::default();
        let mut all: Vec<Vec<Isometry3<f64>>> = Vec::with_capacity(joints.len());
        let origin = vec![Isometry3::identity(); poses.len()];
        for (joint, parts) in joints.iter().zip(parts) {
            let parent = skeleton[*joint].parent;
            let parent = parent.and_then(|parent| joints.binary_search(&parent).ok());
            let in_world = poses.iter().map(|pose| placed(pose, *joint, world_from_file)).collect();
            let (exact, read) =
                parent.map_or((&origin, &origin), |at| (&all[at], &tracks.read[at]));
            let [exact, closed] = [exact, read].map(|above| against(above, &in_world));
            let turn = TurnTrack::new(&exact, &closed, *parts);
            let shift = ShiftTrack::new(&exact, &closed);
            let poses = read.iter().enumerate();
            let poses = poses.map(|(pose, above)| above * shift.at(pose) * turn.at(pose));
            let poses = poses.collect();
            tracks.read.push(poses);
            tracks.joints.push(JointTrack { parent, turn, shift });
            all.push(in_world);
        }
        tracks
    }

    /// Returns the poses of each joint in the world, as the page decodes them.
    #[cfg(test)]
    pub(super) fn read(&self) -> &[Vec<Isometry3<f64>>] {
        &self.read
    }

    /// Adds eleven columns over all joints: parent (−1: none), numbers of columns of rotation and position, steps from 0 to 1, `from` of
    /// rotation (x, y, z, w) and of position (x, y, z). Then the columns of each joint.
    pub(super) fn pack(&self, columns: &mut Columns) {
        let mut of_all =
            |value: &dyn Fn(&JointTrack) -> i32| columns.push(self.joints.iter().map(value));
        of_all(&|joint| joint.parent.map_or(-1, |parent| parent as i32));
        of_all(&|joint| joint.turn.columns.len() as i32);
        of_all(&|joint| joint.shift.columns.len() as i32);
        of_all(&|joint| joint.turn.parts);
        (0..4).for_each(|part| of_all(&|joint| joint.turn.from[part]));
        (0..3).for_each(|axis| of_all(&|joint| joint.shift.from[axis]));
        for JointTrack { turn, shift, .. } in &self.joints {
            let all = turn.columns.iter().chain(&shift.columns);
            all.for_each(|column| columns.push(column.iter().copied()));
        }
    }
}

/// Returns the pose of a joint in the world of the page, metres.
fn placed(pose: &WorldPose, joint: JointId, world_from_file: &Similarity3<f64>) -> Isometry3<f64> {
    let place = world_from_file * Point3::from(pose.positions[joint.index()]);
    let turn = world_from_file.isometry.rotation * pose.rotations[joint.index()];
    Isometry3::from_parts(Translation3::from(place.coords), turn)
}

/// Returns poses in the axes of the poses above.
fn against(above: &[Isometry3<f64>], poses: &Vec<Isometry3<f64>>) -> Vec<Isometry3<f64>> {
    above.iter().zip(poses).map(|(above, pose)| above.inv_mul(pose)).collect()
}

impl TurnTrack {
    /// Stores the first of the exact rotations where all are equal, else those against the parent as the page decodes it.
    fn new(exact: &[Isometry3<f64>], closed: &[Isometry3<f64>], parts: f64) -> Self {
        let parts = parts.clamp(PARTS[0], PARTS[1]).round();
        let track = |from: UnitQuaternion<f64>, columns| {
            let from = whole_parts(&from, TURN_PARTS);
            Self { from, parts: parts as i32, columns }
        };
        let first = exact.first().map_or(UnitQuaternion::identity(), |pose| pose.rotation);
        if !exact.iter().any(|pose| pose.rotation.angle_to(&first) * parts >= 1.0) {
            return track(first, Vec::new());
        }
        let mut turns: Vec<Quaternion<f64>> = closed.iter().map(|pose| *pose.rotation).collect();
        for index in 1..turns.len() {
            if turns[index].dot(&turns[index - 1]) < 0.0 {
                turns[index] = -turns[index];
            }
        }
        let sum = turns.iter().fold(Quaternion::from(Vector4::zeros()), |sum, turn| sum + turn);
        let mean = UnitQuaternion::try_new(sum, f64::MIN_POSITIVE).unwrap_or_default();
        let inverse = unit(whole_parts(&mean, TURN_PARTS)).inverse().into_inner();
        let apart: Vec<_> = turns.iter().map(|turn| inverse * turn).collect();
        if apart.iter().all(|turn| turn.w >= MIN_REAL_PART) {
            return track(mean, part_columns(&apart, 3, parts));
        }
        track(UnitQuaternion::identity(), part_columns(&turns, 4, parts))
    }

    /// Returns the rotation in a pose, as the page decodes it.
    fn at(&self, pose: usize) -> UnitQuaternion<f64> {
        let part = |part: usize| self.columns.get(part).map(|column| f64::from(column[pose]));
        let [x, y, z] = [0, 1, 2].map(|axis| part(axis).unwrap_or(0.0));
        let rest = f64::from(self.parts).powi(2) - x * x - y * y - z * z;
        let w = part(3).unwrap_or(rest.max(0.0).sqrt());
        unit(self.from) * UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
    }
}

impl ShiftTrack {
    /// Stores the first of the exact positions where all are equal, else those against the parent as the page decodes it.
    fn new(exact: &[Isometry3<f64>], closed: &[Isometry3<f64>]) -> Self {
        let place = |pose: &Isometry3<f64>| pose.translation.vector;
        let first = exact.first().map_or(Vector3::zeros(), place);
        if !exact.iter().any(|pose| (place(pose) - first).norm() >= STILL_METRES) {
            return Self { from: whole_place(&first, OFFSET_METRES), columns: Vec::new() };
        }
        let places: Vec<_> =
            closed.iter().map(|pose| whole_place(&place(pose), SHIFT_METRES)).collect();
        let column = |axis: usize| places.iter().map(|place| place[axis]).collect();
        Self { from: [0; 3], columns: [0, 1, 2].map(column).into() }
    }

    /// Returns the position in a pose, metres, as the page decodes it.
    fn at(&self, pose: usize) -> Translation3<f64> {
        let moved = [0, 1, 2].map(|axis| self.columns.get(axis).map_or(0, |column| column[pose]));
        let [from, moved] = [self.from, moved].map(|units| Vector3::from(units.map(f64::from)));
        Translation3::from(from * OFFSET_METRES + moved * SHIFT_METRES)
    }
}

/// Returns the steps from 0 to 1 in the components of each joint's quaternion, by the length of what it carries: bones to its
/// children, and landmarks of the stick figure.
pub(super) fn turn_parts(
    skeleton: &Skeleton,
    joints: &[JointId],
    landmarks: &[Landmark],
    metres_per_unit: f64,
) -> Vec<f64> {
    let number = |joint: JointId| joints.binary_search(&joint).ok();
    let mut carried = vec![(MIN_REACH_METRES, MESH_METRES); joints.len()];
    for joint in joints.iter().map(|joint| &skeleton[*joint]) {
        if let Some(at) = joint.parent.and_then(number) {
            carried[at].0 = carried[at].0.max(joint.rest_translation.norm() * metres_per_unit);
        }
    }
    for at in
        landmarks.iter().flat_map(|point| skeleton.path_to_root(point.joint)).filter_map(number)
    {
        carried[at].1 = STICK_METRES;
    }
    for Landmark { joint, offset } in landmarks {
        if let Some(at) = number(*joint) {
            carried[at].0 = carried[at].0.max(offset.norm() * metres_per_unit);
        }
    }
    carried.into_iter().map(|(reach, error)| reach / error).collect()
}

/// Returns the first `count` components of quaternions as columns over time, in steps of 1 / `parts`. A value is kept until the
/// exact one differs by [`HOLD_PARTS`], so that rounding does not make joints tremble.
fn part_columns(turns: &[Quaternion<f64>], count: usize, parts: f64) -> Vec<Vec<i32>> {
    let column = |part: usize| {
        let mut before = f64::INFINITY;
        let whole = |turn: &Quaternion<f64>| {
            let exact = turn.coords[part] * parts;
            if (exact - before).abs() > HOLD_PARTS {
                before = exact.round();
            }
            before as i32
        };
        turns.iter().map(whole).collect()
    };
    (0..count).map(column).collect()
}

fn whole_parts(turn: &Quaternion<f64>, parts: f64) -> [i32; 4] {
    [0, 1, 2, 3].map(|part| (turn.coords[part] * parts).round() as i32)
}

fn unit(parts: [i32; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::from(Vector4::from(parts.map(f64::from))))
}

/// Rounds a position in metres to whole units of `unit` metres.
pub(super) fn whole_place(place: &Vector3<f64>, unit: f64) -> [i32; 3] {
    [0, 1, 2].map(|axis| (place[axis] / unit).round() as i32)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::page::pack::tests::{bytes_of, read_column};

    /// Reads joints as the page does: of each its poses in the world.
    pub(crate) fn read_joints(
        bytes: &mut impl Iterator<Item = u8>,
        count: usize,
        poses: usize,
    ) -> Vec<Vec<Isometry3<f64>>> {
        let heads: Vec<Vec<i64>> = (0..11).map(|_| read_column(bytes, count)).collect();
        let mut joints: Vec<Vec<Isometry3<f64>>> = Vec::new();
        while joints.len() < count {
            let joint = joints.len();
            let [parent, turning, moving] = [0, 1, 2].map(|head| heads[head][joint]);
            let mut columns = |count: i64| -> Vec<Vec<i64>> {
                (0..count).map(|_| read_column(bytes, poses)).collect()
            };
            let (turns, shifts) = (columns(turning), columns(moving));
            let from = Vector4::from([4, 5, 6, 7].map(|head| heads[head][joint] as f64));
            let from = UnitQuaternion::from_quaternion(Quaternion::from(from));
            let offset = Vector3::from([8, 9, 10].map(|head| heads[head][joint] as f64 * 0.0001));
            let pose = |pose: usize| {
                let part = |part: usize| turns.get(part).map_or(0.0, |column| column[pose] as f64);
                let [x, y, z] = [0, 1, 2].map(part);
                let rest = (heads[3][joint] as f64).powi(2) - x * x - y * y - z * z;
                let w = if turns.len() == 4 { part(3) } else { rest.max(0.0).sqrt() };
                let turn = from * UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
                let shift = [0, 1, 2]
                    .map(|axis| shifts.get(axis).map_or(0.0, |column| column[pose] as f64));
                let place = Translation3::from(offset + Vector3::from(shift) * 0.0005);
                let local = Isometry3::from_parts(place, turn);
                usize::try_from(parent).map_or(local, |parent| joints[parent][pose] * local)
            };
            let of_poses = (0..poses).map(pose).collect();
            joints.push(of_poses);
        }
        joints
    }

    /// A chain of joints half a metre apart whose root walks and turns on its heel, and whose ends stay or turn.
    fn chain() -> (Skeleton, Vec<WorldPose>) {
        let mut skeleton = rebone_samples::walk().motion.skeleton;
        let mut joints = skeleton.joints()[..4].to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.parent = index.checked_sub(1).map(JointId);
            joint.rest_translation = Vector3::y() * 0.5;
        }
        skeleton = Skeleton::new(joints, Vec::new()).unwrap();
        let pose = |frame: usize| {
            let mut pose = skeleton.rest_pose();
            let about = |axis, angle| UnitQuaternion::from_axis_angle(&axis, angle);
            pose.rotations[0] = about(Vector3::y_axis(), frame as f64 * 0.2);
            pose.translations[0] = Vector3::new(frame as f64 * 0.0313, 1.0, 0.0);
            pose.rotations[1] = about(Vector3::x_axis(), libm::sin(frame as f64 * 0.37));
            pose.rotations[3] = about(Vector3::z_axis(), frame as f64 * 0.05 - 1.0);
            let mut world = WorldPose::zeros(&skeleton);
            world.update(&skeleton, &pose).unwrap();
            world
        };
        let poses = (0..60).map(pose).collect();
        (skeleton, poses)
    }

    #[test]
    fn joints_are_read_where_they_are_and_a_joint_that_stays_has_no_columns() {
        let (skeleton, poses) = chain();
        let all = with_ancestors(&skeleton, [JointId(3), JointId(3)].into_iter());
        assert_eq!(all, [0, 1, 2, 3].map(JointId));
        let world = Similarity3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::x() * 0.7, 0.5);
        let tracks = JointTracks::new(&skeleton, (&all, &[1000.0; 4]), &poses, &world);
        let counts = |joint: &JointTrack| [joint.turn.columns.len(), joint.shift.columns.len()];
        let counts: Vec<_> = tracks.joints.iter().map(counts).collect();
        assert_eq!(counts, [[4, 3], [3, 0], [0, 0], [3, 0]], "a whole turn needs all four parts");
        let mut columns = Columns::default();
        tracks.pack(&mut columns);
        let mut bytes = bytes_of(&columns.text()).into_iter();
        let read = read_joints(&mut bytes, all.len(), poses.len());
        assert_eq!(bytes.next(), None);
        for (joint, of_joint) in all.iter().zip(&read) {
            for (pose, found) in poses.iter().zip(of_joint) {
                let wanted = placed(pose, *joint, &world);
                let apart = (found.translation.vector - wanted.translation.vector).norm();
                assert!(apart < 0.0015, "joint {} is {apart} m off", joint.index());
                assert!(found.rotation.angle_to(&wanted.rotation) < 0.003);
            }
        }
        for (kept, read) in tracks.read().iter().flatten().zip(read.iter().flatten()) {
            assert!((kept.translation.vector - read.translation.vector).norm() < 1e-9);
        }
    }

    #[test]
    fn poses_without_places_are_stored() {
        let (skeleton, mut poses) = chain();
        poses[3].positions[1].x = f64::NAN;
        poses[4].positions[2].x = f64::INFINITY;
        poses[5].rotations[2] =
            UnitQuaternion::new_unchecked(Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
        let joints = [0, 1, 2, 3].map(JointId);
        for poses in [&poses[..], &poses[..1], &[]] {
            let tracks = JointTracks::new(
                &skeleton,
                (&joints, &[100.0; 4]),
                poses,
                &Similarity3::identity(),
            );
            let mut columns = Columns::default();
            tracks.pack(&mut columns);
            let mut bytes = bytes_of(&columns.text()).into_iter();
            assert_eq!(read_joints(&mut bytes, 4, poses.len()).len(), 4);
            assert_eq!(bytes.next(), None);
        }
    }
}
