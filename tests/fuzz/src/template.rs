//! Figures to begin with: the samples of the library.

use crate::figure::{Figure, Node};
use arbitrary::{Result, Unstructured};
use rebone::body::Role;
use rebone::roles::assign_roles;
use rebone::skeleton::bvh;
use rebone::skeleton::bvh::{Channel, ChannelKind, Hierarchy, WriteOptions};
use rebone::skeleton::{Clip, Motion};
use rebone_samples as samples;
use std::sync::LazyLock;

/// So many frames of a clip are kept, evenly over its time.
const FRAMES: usize = 8;

/// Every so many samples keep their fingers: most joints are in fingers, and take most of the time.
const FINGERS: usize = 4;

/// A figure, and the values of its channels in some frames.
#[derive(Clone, Debug)]
pub struct Template {
    /// The document, for a whole skeleton to retarget from or onto.
    pub document: bvh::Document,
    nodes: Vec<Node>,
    /// Values of each joint's channels, frame by frame.
    frames: Vec<Vec<Vec<f64>>>,
}

/// The samples, clips and rigs.
pub fn templates() -> &'static [Template] {
    static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
        let samples = samples::clips().into_iter().chain(samples::rigs());
        let template = |(index, sample): (usize, samples::Sample)| {
            let whole = Template::new(sample.motion);
            if index % FINGERS == 0 { whole } else { whole.without_fingers() }
        };
        samples.enumerate().map(template).collect()
    });
    &TEMPLATES
}

impl Template {
    fn new(motion: Motion) -> Self {
        let clip = motion.clip;
        let step = clip.len().div_ceil(FRAMES);
        let clip = Clip::from_poses(&motion.skeleton, clip.frame_time, clip.poses().step_by(step))
            .unwrap();
        let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
        let text = bvh::write_clip(Vec::new(), &hierarchy, &clip, WriteOptions::default());
        let text = text.expect("a sample can be written");
        let document = bvh::parse(&text).expect("what was written can be read");
        let text = String::from_utf8(text).expect("names of samples are UTF-8");
        let lines = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
        let values = |line: &str| -> Vec<f64> {
            line.split(' ').map(|word| word.parse().expect("a frame is numbers")).collect()
        };
        let frames = lines.map(|line| by_joint(&document.hierarchy, &values(line))).collect();
        Self { nodes: nodes(&document.hierarchy), frames, document }
    }

    fn without_fingers(self) -> Self {
        let skeleton = &self.document.motion.skeleton;
        let roles = assign_roles(skeleton, &[]).expect("a sample is a body");
        let is_finger = |id| matches!(roles.of(id), Some(Role::Finger(..)));
        let stays: Vec<bool> = skeleton.ids().map(|id| !is_finger(id)).collect();
        let frames = self.frames.len();
        let mut figure = Figure { nodes: self.nodes, frames };
        for (index, node) in figure.nodes.iter_mut().enumerate() {
            node.values = self.frames.iter().map(|frame| frame[index].clone()).collect();
        }
        figure.keep(&stays);
        let document = bvh::parse(&figure.text()).expect("what is left is a body");
        Self::new(document.motion)
    }

    /// The figure in one to three of its frames.
    pub(crate) fn figure(&self, bytes: &mut Unstructured) -> Result<Figure> {
        let count = bytes.int_in_range(1..=3)?;
        let frames = (0..count).map(|_| bytes.choose(&self.frames));
        let frames = frames.collect::<Result<Vec<_>>>()?;
        let mut nodes = self.nodes.clone();
        for (index, node) in nodes.iter_mut().enumerate() {
            node.values = frames.iter().map(|frame| frame[index].clone()).collect();
        }
        Ok(Figure { nodes, frames: count })
    }
}

fn nodes(hierarchy: &Hierarchy) -> Vec<Node> {
    let skeleton = hierarchy.skeleton();
    let node = |(index, joint): (usize, &rebone::skeleton::Joint)| {
        let own = |channel: &&Channel| channel.joint.index() == index;
        let number = |channel: &Channel| {
            channel.axis.index() + 3 * usize::from(channel.kind == ChannelKind::Rotation)
        };
        Node {
            name: joint.name.to_vec(),
            parent: joint.parent.map_or(0, |parent| parent.index()),
            offset: joint.rest_translation.into(),
            channels: hierarchy.channels().iter().filter(own).map(number).collect(),
            values: Vec::new(),
            sites: skeleton
                .end_sites_of(rebone::skeleton::JointId(index))
                .map(|site| site.offset.into())
                .collect(),
        }
    };
    skeleton.joints().iter().enumerate().map(node).collect()
}

fn by_joint(hierarchy: &Hierarchy, values: &[f64]) -> Vec<Vec<f64>> {
    let mut joints = vec![Vec::new(); hierarchy.skeleton().len()];
    for (channel, &value) in hierarchy.channels().iter().zip(values) {
        joints[channel.joint.index()].push(value);
    }
    joints
}
