//! A skeleton with a motion, in the terms of a BVH file, which need not make sense.

use std::io::Write;

/// Names of channels, by number.
const CHANNELS: [&str; 6] =
    ["Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"];

/// A joint and its end sites.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its name, any bytes.
    pub name: Vec<u8>,
    /// A node before this one; 0 for the first, too.
    pub parent: usize,
    /// Its OFFSET.
    pub offset: [f64; 3],
    /// Numbers of channels, below 6.
    pub channels: Vec<usize>,
    /// Values of the channels in each frame; what lacks is 0.
    pub values: Vec<Vec<f64>>,
    /// End sites.
    pub sites: Vec<[f64; 3]>,
}

/// Nodes, parents first.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The nodes, never none.
    pub nodes: Vec<Node>,
    /// How many frames.
    pub frames: usize,
}

impl Default for Figure {
    /// A lone root with six channels, in one frame.
    fn default() -> Self {
        let channels = (0..6).collect();
        Self {
            nodes: vec![Node { name: b"Hips".to_vec(), channels, ..Node::default() }],
            frames: 1,
        }
    }
}

impl Figure {
    /// True for `above` and all below it.
    pub fn below(&self, above: usize) -> Vec<bool> {
        let mut below = vec![false; self.nodes.len()];
        below[above] = true;
        for index in above + 1..self.nodes.len() {
            below[index] = below[self.nodes[index].parent];
        }
        below
    }

    /// Keeps the nodes that `stays` says, what hangs on others then on what is left above them.
    pub fn keep(&mut self, stays: &[bool]) {
        let mut places = Vec::new();
        let mut kept: Vec<Node> = Vec::new();
        for (mut node, &stays) in std::mem::take(&mut self.nodes).into_iter().zip(stays) {
            let parent = places.get(node.parent).copied().unwrap_or(0);
            places.push(if stays { kept.len() } else { parent });
            node.parent = parent;
            kept.extend(stays.then_some(node));
        }
        self.nodes = kept;
    }

    /// The figure as a BVH text.
    pub fn text(&self) -> Vec<u8> {
        let mut text = b"HIERARCHY\n".to_vec();
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            children[node.parent].push(index);
        }
        let mut order = Vec::new();
        // What is still to come: a node, or the closing brace of one.
        let mut waiting = vec![Some(0)];
        while let Some(next) = waiting.pop() {
            let Some(index) = next else {
                text.extend(b"}\n");
                continue;
            };
            order.push(index);
            self.nodes[index].open(&mut text, index == 0);
            waiting.push(None);
            waiting.extend(children[index].iter().rev().map(|&child| Some(child)));
        }
        write!(text, "MOTION\nFrames: {}\nFrame Time: 0.01\n", self.frames)
            .expect("memory is enough");
        for frame in 0..self.frames {
            for &index in &order {
                self.nodes[index].frame(&mut text, frame);
            }
            text.push(b'\n');
        }
        text
    }
}

impl Node {
    fn open(&self, text: &mut Vec<u8>, is_root: bool) {
        text.extend_from_slice(if is_root { b"ROOT " } else { b"JOINT " });
        text.extend_from_slice(&self.name);
        text.extend_from_slice(b"\n{\nOFFSET");
        numbers(text, &self.offset);
        write!(text, "\nCHANNELS {}", self.channels.len()).expect("memory is enough");
        for &channel in &self.channels {
            write!(text, " {}", CHANNELS[channel]).expect("memory is enough");
        }
        for site in &self.sites {
            text.extend_from_slice(b"\nEnd Site\n{\nOFFSET");
            numbers(text, site);
            text.extend_from_slice(b"\n}");
        }
        text.push(b'\n');
    }

    fn frame(&self, text: &mut Vec<u8>, frame: usize) {
        let given = self.values.get(frame).map_or(&[][..], |values| values);
        let values: Vec<f64> =
            (0..self.channels.len()).map(|k| given.get(k).copied().unwrap_or(0.0)).collect();
        numbers(text, &values);
    }
}

fn numbers(text: &mut Vec<u8>, numbers: &[f64]) {
    for number in numbers {
        write!(text, " {number:e}").expect("memory is enough");
    }
}
