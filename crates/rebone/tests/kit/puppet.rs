//! A puppet: nodes and where each of them is in the world in each frame.
//!
//! Frame 0 is the rest pose and no motion; in it no node is turned. How a node is tied to the others
//! can be changed freely, as long as it stays rigid in the frame of what it hangs on: the motion in the
//! world is data, and what a file needs of it is read off at the end.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{
    Axis, Clip, EndSite, Joint, JointId, Motion, Pose, Skeleton, WorldPose, bvh,
    forward_kinematics, rotation,
};

/// How far a bone may be from rigid, in statures.
const RIGID: f64 = 1e-9;

/// A joint or an end site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The place of the body where it is; empty where no other rig has a place to compare with.
    pub(crate) key: String,
    /// Its name in the file.
    pub(crate) name: String,
    /// What it hangs on.
    pub(crate) parent: Option<usize>,
    /// Whether it is an end site.
    pub(crate) site: bool,
    /// Whether it has channels of translation, and so need not be rigid in its parent's frame.
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
pub(crate) struct Puppet {
    /// Depth first.
    pub(crate) nodes: Vec<Node>,
    /// World transforms of the nodes, the rest pose first.
    pub(crate) frames: Vec<WorldPose>,
    /// The axes of the joints in the file.
    pub(crate) turned: Turned,
    /// Which Euler orders the joints have; 0 for ZXY everywhere.
    pub(crate) orders: u8,
    /// Turns a Y-up world that faces +Z into that of the file.
    pub(crate) world: UnitQuaternion<f64>,
}

impl Puppet {
    /// `count` frames of a motion, evenly spread, behind its rest pose.
    pub(crate) fn of(motion: &Motion, count: usize) -> Self {
        let skeleton = &motion.skeleton;
        let mut nodes: Vec<Node> = Vec::new();
        for joint in skeleton.joints() {
            let name = joint.name.to_string();
            let parent = joint.parent.map(JointId::index);
            let moves = !joint.translation_axes.is_empty();
            nodes.push(Node { key: name.clone(), name, parent, site: false, moves });
        }
        for site in skeleton.end_sites() {
            let parent = site.parent.index();
            let key = format!("{}End", nodes[parent].name);
            let name = String::new();
            nodes.push(Node { key, name, parent: Some(parent), site: true, moves: false });
        }
        let clip = &motion.clip.frames;
        let last = count.saturating_sub(1).max(1);
        let chosen = (0..count).map(|k| clip[k * (clip.len() - 1) / last].clone());
        let frames = [skeleton.rest_pose()].into_iter().chain(chosen).map(|pose| {
            let mut world = forward_kinematics(skeleton, &pose);
            for site in skeleton.end_sites() {
                let (k, turn) = (site.parent.index(), world.rotations[site.parent.index()]);
                world.positions.push(world.positions[k] + turn * site.offset);
                world.rotations.push(turn);
            }
            world
        });
        let (frames, world) = (frames.collect(), UnitQuaternion::identity());
        let mut puppet = Self { nodes, frames, turned: Turned::No, orders: 0, world };
        puppet.sort(false, |_, _| true);
        puppet
    }

    /// The node at a place of the body.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == key)
    }

    /// What hangs on a node.
    pub(crate) fn children(&self, of: usize) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&k| self.nodes[k].parent == Some(of)).collect()
    }

    /// The nodes from below `above` down to `below`; empty where it does not hang there.
    pub(crate) fn line(&self, above: usize, below: usize) -> Vec<usize> {
        let mut line = vec![below];
        while let Some(next) = self.nodes[line[line.len() - 1]].parent {
            if next == above {
                line.reverse();
                return line;
            }
            line.push(next);
        }
        Vec::new()
    }

    /// The rest place of each node in the frame of what it hangs on.
    pub(crate) fn offsets(&self) -> Vec<Vector3<f64>> {
        let rest = &self.frames[0].positions;
        let from = |node: &Node| node.parent.map_or(Vector3::zeros(), |above| rest[above]);
        self.nodes.iter().zip(rest).map(|(node, place)| place - from(node)).collect()
    }

    /// 1.1 leg and 1.65 trunk lengths, in the unit of the file.
    pub(crate) fn stature(&self) -> f64 {
        let place = |key: &str| self.frames[0].positions[self.find(key).expect("a body")];
        let middle =
            |part: &str| (place(&format!("Left{part}")) + place(&format!("Right{part}"))) / 2.0;
        let way = |a: &str, b: &str| (place(a) - place(b)).norm();
        let leg = way("LeftUpLeg", "LeftLeg") + way("LeftLeg", "LeftFoot");
        1.1 * leg + 1.65 * (middle("UpLeg") - middle("Arm")).norm()
    }

    /// Whether somebody stands in the zero pose of the file.
    pub(crate) fn stands(&self) -> bool {
        self.turned == Turned::No
    }

    /// Adds a joint that hangs on what `below` hang on, or is the root, and carries these.
    pub(crate) fn insert(
        &mut self,
        (key, name): (&str, String),
        parent: Option<usize>,
        below: &[usize],
        mut place: impl FnMut(&WorldPose) -> (Vector3<f64>, UnitQuaternion<f64>),
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

    /// Puts the nodes that are kept in order, depth first; what hangs on others goes with them.
    pub(crate) fn sort(&mut self, reversed: bool, keep: impl Fn(usize, &Node) -> bool) {
        let mut order = Vec::new();
        let mut open: Vec<usize> =
            (0..self.nodes.len()).filter(|&k| self.nodes[k].parent.is_none()).collect();
        while let Some(node) = open.pop() {
            order.push(node);
            let mut children = self.children(node);
            children.retain(|&child| keep(child, &self.nodes[child]));
            if !reversed {
                children.reverse();
            }
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

    /// Lays the nodes of one frame out anew, from the root on, by their offsets.
    pub(crate) fn lay(&mut self, frame: usize, offsets: &[Vector3<f64>]) {
        let frame = &mut self.frames[frame];
        for (k, node) in self.nodes.iter().enumerate() {
            if let Some(above) = node.parent {
                frame.positions[k] = frame.positions[above] + frame.rotations[above] * offsets[k];
            }
        }
    }

    /// Lays out all frames anew.
    pub(crate) fn lay_all(&mut self, offsets: &[Vector3<f64>]) {
        (0..self.frames.len()).for_each(|frame| self.lay(frame, offsets));
    }

    /// The turn of each joint's axes in the rest pose.
    pub(crate) fn axes(&self) -> Vec<UnitQuaternion<f64>> {
        let offsets = self.offsets();
        let along = |k: usize| {
            let bone = self.children(k).first().and_then(|&b| rotation::direction(&offsets[b]));
            bone.map_or(UnitQuaternion::identity(), |bone| {
                rotation::shortest_arc(&Vector3::x_axis(), &bone)
            })
        };
        let turn = |k: usize| match self.turned {
            Turned::No => UnitQuaternion::identity(),
            Turned::AtRandom(seed) => {
                let x = f64::from(seed) + 1.3 * k as f64;
                let axis = Vector3::new((7.0 * x).sin(), (3.1 * x).cos(), (1.7 * x + 1.0).sin());
                UnitQuaternion::from_scaled_axis(axis * 1.7)
            }
            Turned::AlongBones => along(k),
        };
        (0..self.nodes.len()).map(turn).collect()
    }

    /// The file of these frames as a program reads it, its joints in the order of the nodes; an error
    /// where a bone is not rigid.
    pub(crate) fn file(&self, frames: std::ops::Range<usize>) -> Result<Motion, String> {
        let (offsets, axes) = (self.offsets(), self.axes());
        let joints: Vec<usize> = (0..self.nodes.len()).filter(|&k| !self.nodes[k].site).collect();
        let id = |node: usize| JointId(joints.binary_search(&node).expect("sites are leaves"));
        let in_parent = |k: usize| match self.nodes[k].parent {
            Some(above) => axes[above].inverse() * offsets[k],
            None => offsets[k],
        };
        let joint = |&k: &usize| Joint {
            name: self.nodes[k].name.clone().into(),
            parent: self.nodes[k].parent.map(id),
            rest_translation: in_parent(k),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: if self.nodes[k].moves { Axis::ALL.to_vec() } else { Vec::new() },
            rotation_axes: order(self.orders, k),
        };
        let site = |k: usize| EndSite {
            parent: id(self.nodes[k].parent.expect("end sites hang on joints")),
            offset: in_parent(k),
        };
        let sites = (0..self.nodes.len()).filter(|&k| self.nodes[k].site).map(site).collect();
        let skeleton = Skeleton::new(joints.iter().map(joint).collect(), sites)
            .map_err(|error| error.to_string())?;
        let mut poses = Vec::new();
        for frame in &self.frames[frames] {
            let locals: Result<Vec<_>, String> =
                (0..self.nodes.len()).map(|k| self.local(frame, k, offsets[k], &axes)).collect();
            let locals = locals?;
            let (translations, rotations) = joints.iter().map(|&k| locals[k]).unzip();
            poses.push(Pose { translations, rotations });
        }
        let clip = Clip { frame_time: 1.0 / 30.0, frames: poses };
        read_back(&Motion { skeleton, clip })
    }

    /// The local transform of a node in the axes of the file.
    fn local(
        &self,
        frame: &WorldPose,
        k: usize,
        offset: Vector3<f64>,
        axes: &[UnitQuaternion<f64>],
    ) -> Result<(Vector3<f64>, UnitQuaternion<f64>), String> {
        let (place, turn) = (frame.positions[k], frame.rotations[k]);
        let Some(above) = self.nodes[k].parent else { return Ok((place, turn * axes[k])) };
        let from_world = frame.rotations[above].inverse();
        let here = from_world * (place - frame.positions[above]);
        let off = (here - offset).norm() / self.stature();
        if off > RIGID && !self.nodes[k].moves {
            return Err(format!("{} is not rigid: off by {off:e}", self.nodes[k].name));
        }
        let in_parent = axes[above].inverse();
        let here = if self.nodes[k].moves { here } else { offset };
        Ok((in_parent * here, in_parent * from_world * turn * axes[k]))
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
    let (time, frames) = (motion.clip.frame_time, &motion.clip.frames);
    let options = bvh::WriteOptions::default();
    let mut writer = bvh::Writer::new(Vec::new(), &hierarchy, time, frames.len(), options).unwrap();
    frames.iter().for_each(|pose| writer.write_pose(pose).unwrap());
    let text = writer.finish().map_err(|error| error.to_string())?;
    bvh::parse(&text).map(|document| document.motion).map_err(|error| error.to_string())
}
