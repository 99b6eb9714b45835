//! A test rig: nodes and where each of them is in the world in each frame.
//!
//! Frame 0 is the rest pose and no motion; in it no node is turned. How a node is tied to the others
//! can be changed freely, as long as it stays rigid in the frame of what it hangs on: the motion in the
//! world is data, and what a file needs of it is read off at the end.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::rotation::{direction, shortest_arc};
use rebone::skeleton::{
    Axis, Clip, EndSite, Joint, JointId, Motion, Pose, Skeleton, WorldPose, bvh, forward_kinematics,
};

/// How far a bone may be from rigid, in statures.
const RIGID: f64 = 1e-9;

/// A joint or an end site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The place of the body where it is; empty where no other rig has a place to compare with.
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// End site, which is no joint.
    pub(crate) site: bool,
    /// Has channels of translation, and so need not be rigid in its parent's frame.
    pub(crate) moves: bool,
}

/// How the axes of the joints lie in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Turned {
    /// As the world: the zero pose of the file is the rest pose.
    No,
    /// By a constant turn of each joint's own: the zero pose is nobody standing.
    AtRandom(u8),
    /// So that the first bone below each joint is along its X: the zero pose is a line.
    AlongBones,
}

/// A rig with a motion.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestRig {
    /// Depth first, joints before end sites.
    pub(crate) nodes: Vec<Node>,
    /// World transforms of the nodes, the rest pose first.
    pub(crate) frames: Vec<WorldPose>,
    pub(crate) turned: Turned,
    /// Which Euler orders the joints have; 0 for ZXY everywhere.
    pub(crate) orders: u8,
    /// Turns a Y-up world that faces +Z into that of the file.
    pub(crate) world: UnitQuaternion<f64>,
}

impl TestRig {
    /// The frames of a motion behind its rest pose.
    pub(crate) fn of(motion: &Motion) -> Self {
        let skeleton = &motion.skeleton;
        let joint = |joint: &Joint| {
            let (name, parent) = (joint.name.to_string(), joint.parent.map(JointId::index));
            let moves = !joint.translation_axes.is_empty();
            Node { key: name.clone(), name, parent, site: false, moves }
        };
        let site = |site: &EndSite| {
            let key = format!("{}End", skeleton[site.parent].name);
            let parent = Some(site.parent.index());
            Node { key, name: String::new(), parent, site: true, moves: false }
        };
        let sites = skeleton.end_sites();
        let nodes = skeleton.joints().iter().map(joint).chain(sites.iter().map(site)).collect();
        let rest = skeleton.rest_pose();
        let frames = [rest].into_iter().chain(motion.clip.poses()).map(|pose| {
            let mut world = forward_kinematics(skeleton, &pose).unwrap();
            for site in sites {
                let (k, turn) = (site.parent.index(), world.rotations[site.parent.index()]);
                world.positions.push(world.positions[k] + turn * site.offset);
                world.rotations.push(turn);
            }
            world
        });
        let (frames, world) = (frames.collect(), UnitQuaternion::identity());
        let mut test_rig = Self { nodes, frames, turned: Turned::No, orders: 0, world };
        test_rig.sort(false, |_, _| true);
        test_rig
    }

    /// The node at a place of the body.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == key)
    }

    /// What tells each node from the others: its name, or its place where it is an end site.
    pub(crate) fn labels(&self) -> Vec<String> {
        let label = |node: &Node| if node.site { &node.key } else { &node.name }.clone();
        self.nodes.iter().map(label).collect()
    }

    /// The nodes that are joints in the file, in its order.
    pub(crate) fn joints(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&k| !self.nodes[k].site).collect()
    }

    /// What hangs on a node.
    pub(crate) fn children(&self, of: usize) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&k| self.nodes[k].parent == Some(of)).collect()
    }

    /// The nodes from below `above` down to `below`.
    pub(crate) fn line(&self, above: usize, below: usize) -> Vec<usize> {
        let up = std::iter::successors(Some(below), |&k| self.nodes[k].parent);
        let mut line: Vec<usize> = up.take_while(|&k| k != above).collect();
        line.reverse();
        line
    }

    /// The rest place of each node in the frame of what it hangs on.
    pub(crate) fn offsets(&self) -> Vec<Vector3<f64>> {
        let rest = &self.frames[0].positions;
        let from = |node: &Node| node.parent.map_or(Vector3::zeros(), |above| rest[above]);
        self.nodes.iter().zip(rest).map(|(node, place)| place - from(node)).collect()
    }

    /// Lays the nodes of some frames out anew, from the root on, by their offsets.
    pub(crate) fn lay(&mut self, frames: std::ops::Range<usize>, offsets: &[Vector3<f64>]) {
        for frame in &mut self.frames[frames] {
            for (k, node) in self.nodes.iter().enumerate() {
                if let Some(above) = node.parent {
                    let bone = frame.rotations[above] * offsets[k];
                    frame.positions[k] = frame.positions[above] + bone;
                }
            }
        }
    }

    /// 1.1 leg and 1.65 trunk lengths, in the unit of the file.
    pub(crate) fn stature(&self) -> f64 {
        let place = |key: &str| self.frames[0].positions[self.find(key).expect("a body")];
        let twice = |a: &str, b: &str| place(a) + place(b);
        let leg = (place("LeftUpLeg") - place("LeftLeg")).norm()
            + (place("LeftLeg") - place("LeftFoot")).norm();
        let trunk = twice("LeftUpLeg", "RightUpLeg") - twice("LeftArm", "RightArm");
        1.1 * leg + 1.65 * trunk.norm() / 2.0
    }

    /// Adds a joint that hangs on `parent`, or is the root, and carries what is `below`.
    pub(crate) fn insert(
        &mut self,
        (key, name): (&str, String),
        parent: Option<usize>,
        below: &[usize],
        place: impl Fn(&WorldPose) -> (Vector3<f64>, UnitQuaternion<f64>),
    ) {
        let (key, moves) = (key.to_string(), parent.is_none());
        self.nodes.push(Node { key, name, parent, site: false, moves });
        for &node in below {
            self.nodes[node].parent = Some(self.nodes.len() - 1);
        }
        for frame in &mut self.frames {
            let (position, rotation) = place(frame);
            frame.positions.push(position);
            frame.rotations.push(rotation);
        }
        self.sort(false, |_, _| true);
    }

    /// Puts the nodes that are kept in order; what hangs on others goes with them.
    pub(crate) fn sort(&mut self, reversed: bool, keep: impl Fn(usize, &Node) -> bool) {
        let root = self.nodes.iter().position(|node| node.parent.is_none());
        let (mut order, mut open) = (Vec::new(), Vec::from_iter(root));
        while let Some(node) = open.pop() {
            order.push(node);
            let mut children = self.children(node);
            children.retain(|&child| keep(child, &self.nodes[child]));
            // What was inserted takes the place of what it carries.
            children.sort_by_key(|&child| self.children(child).into_iter().chain([child]).min());
            if !reversed {
                children.reverse();
            }
            children.sort_by_key(|&child| !self.nodes[child].site);
            open.extend(children);
        }
        let place = |old: usize| order.iter().position(|&k| k == old).expect("parents are kept");
        let moved = |&old: &usize| {
            let node = self.nodes[old].clone();
            Node { parent: node.parent.map(place), ..node }
        };
        self.nodes = order.iter().map(moved).collect();
        for frame in &mut self.frames {
            frame.positions = order.iter().map(|&k| frame.positions[k]).collect();
            frame.rotations = order.iter().map(|&k| frame.rotations[k]).collect();
        }
    }

    /// The turn of each joint's axes in the rest pose.
    pub(crate) fn axes(&self) -> Vec<UnitQuaternion<f64>> {
        let offsets = self.offsets();
        let turn = |k: usize| match self.turned {
            Turned::No => UnitQuaternion::identity(),
            Turned::AtRandom(seed) => {
                let x = f64::from(seed) + 1.3 * k as f64;
                let axis = Vector3::new((7.0 * x).sin(), (3.1 * x).cos(), (1.7 * x + 1.0).sin());
                UnitQuaternion::from_scaled_axis(axis * 1.7)
            }
            Turned::AlongBones => {
                let bone = self.children(k).first().and_then(|&below| direction(&offsets[below]));
                shortest_arc(&Vector3::x_axis(), &bone.unwrap_or(Vector3::x_axis()))
            }
        };
        (0..self.nodes.len()).map(turn).collect()
    }

    /// The file of these frames as a program reads it; an error where a bone is not rigid.
    pub(crate) fn file(&self, frames: std::ops::Range<usize>) -> Result<Motion, String> {
        let (offsets, axes, count) = (self.offsets(), self.axes(), self.nodes.len());
        let most = RIGID * self.stature();
        let (sites, joints): (Vec<_>, Vec<_>) = (0..count).partition(|&k| self.nodes[k].site);
        let id = |node: usize| JointId(joints.binary_search(&node).expect("sites are leaves"));
        let above = |k: usize| self.nodes[k].parent.map(|above| axes[above].inverse());
        let offset = |k: usize| above(k).unwrap_or_default() * offsets[k];
        let joint = |&k: &usize| Joint {
            name: self.nodes[k].name.clone().into(),
            parent: self.nodes[k].parent.map(id),
            rest_translation: offset(k),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: if self.nodes[k].moves { Axis::ALL.to_vec() } else { Vec::new() },
            rotation_axes: order(self.orders, k),
        };
        let site = |&k: &usize| EndSite {
            parent: id(self.nodes[k].parent.expect("end sites hang on joints")),
            offset: offset(k),
        };
        let sites = sites.iter().map(site).collect();
        let skeleton = Skeleton::new(joints.iter().map(joint).collect(), sites)
            .map_err(|error| error.to_string())?;
        let pose = |frame: &WorldPose| {
            let locals = (0..count).map(|k| self.local(frame, k, offsets[k], &axes, most));
            let locals = locals.collect::<Result<Vec<_>, _>>()?;
            let (translations, rotations) = joints.iter().map(|&k| locals[k]).unzip();
            Ok(Pose { translations, rotations })
        };
        let poses = self.frames[frames].iter().map(pose).collect::<Result<Vec<_>, String>>()?;
        let clip = Clip::from_poses(&skeleton, 1.0 / 30.0, poses).unwrap();
        read_back(&Motion { skeleton, clip })
    }

    /// The local transform of a node in the axes of the file; an error where its bone is further than that
    /// from rigid.
    fn local(
        &self,
        frame: &WorldPose,
        k: usize,
        offset: Vector3<f64>,
        axes: &[UnitQuaternion<f64>],
        most: f64,
    ) -> Result<(Vector3<f64>, UnitQuaternion<f64>), String> {
        let (place, turn, node) = (frame.positions[k], frame.rotations[k], &self.nodes[k]);
        let Some(above) = node.parent else { return Ok((place, turn * axes[k])) };
        let from_world = frame.rotations[above].inverse();
        let here = from_world * (place - frame.positions[above]);
        let off = (here - offset).norm();
        if off > most && !node.moves {
            return Err(format!("{} is not rigid: off by {off:e}", node.name));
        }
        let from_parent = axes[above].inverse();
        let here = if node.moves { here } else { offset };
        Ok((from_parent * here, from_parent * from_world * turn * axes[k]))
    }
}

/// The Euler order of a joint: one of six.
fn order(seed: u8, k: usize) -> Vec<Axis> {
    use Axis::{X, Y, Z};
    let orders = [[Z, X, Y], [X, Y, Z], [Z, Y, X], [Y, X, Z], [X, Z, Y], [Y, Z, X]];
    orders[usize::from(seed) * (k + 1) % 6].to_vec()
}

/// Through the text of a file and back.
fn read_back(motion: &Motion) -> Result<Motion, String> {
    let hierarchy = bvh::Hierarchy::from_skeleton(&motion.skeleton);
    let options = bvh::WriteOptions::default();
    let text = bvh::write_clip(Vec::new(), &hierarchy, &motion.clip, options);
    let read = bvh::parse(&text.unwrap());
    read.map(|document| document.motion).map_err(|error| error.to_string())
}
