//! Skeletons as lists and arrays.

use crate::convert::errors::input_error;
use crate::convert::numbers;
use pyo3::prelude::*;
use rebone::skeleton::{Axis, EndSite, Joint, JointId, Skeleton};

/// A skeleton as plain data. Numbers are bytes: see [`numbers`].
#[derive(Clone, Debug, FromPyObject, IntoPyObject)]
pub(crate) struct SkeletonParts {
    /// Names of the joints, bytes of UTF-8 as a rule.
    #[pyo3(item)]
    names: Vec<Vec<u8>>,
    /// Index of the parent of each joint, -1 for the root.
    #[pyo3(item)]
    parents: Vec<i64>,
    /// Rest translations, 3 numbers a joint.
    #[pyo3(item)]
    offsets: Vec<u8>,
    /// Rest rotations, 4 numbers a joint.
    #[pyo3(item)]
    rest_rotations: Vec<u8>,
    /// Axes of rotation of each joint, in the order of multiplication: `xyz`.
    #[pyo3(item)]
    rotation_axes: Vec<String>,
    /// Axes of translation of each joint.
    #[pyo3(item)]
    translation_axes: Vec<String>,
    /// Joints of the end sites.
    #[pyo3(item)]
    end_parents: Vec<usize>,
    /// Places of the end sites, 3 numbers each.
    #[pyo3(item)]
    end_offsets: Vec<u8>,
}

impl SkeletonParts {
    /// Takes a skeleton apart.
    pub(crate) fn of(py: Python<'_>, skeleton: &Skeleton) -> PyResult<Self> {
        let joints = skeleton.joints();
        let offsets: Vec<_> = joints.iter().map(|own| own.rest_translation).collect();
        let rotations: Vec<_> = joints.iter().map(|own| own.rest_rotation).collect();
        let ends: Vec<_> = skeleton.end_sites().iter().map(|own| own.offset).collect();
        let axes = |axes: &[Axis]| axes.iter().map(|axis| letter(*axis)).collect();
        let parent = |own: &Joint| own.parent.map_or(-1, |parent| parent.index() as i64);
        Ok(Self {
            names: joints.iter().map(|own| own.name.to_vec()).collect(),
            parents: joints.iter().map(parent).collect(),
            offsets: numbers::vectors(py, &offsets)?.as_bytes().to_vec(),
            rest_rotations: numbers::quaternions(py, &rotations)?.as_bytes().to_vec(),
            rotation_axes: joints.iter().map(|own| axes(&own.rotation_axes)).collect(),
            translation_axes: joints.iter().map(|own| axes(&own.translation_axes)).collect(),
            end_parents: skeleton.end_sites().iter().map(|own| own.parent.index()).collect(),
            end_offsets: numbers::vectors(py, &ends)?.as_bytes().to_vec(),
        })
    }

    /// Puts a skeleton together.
    pub(crate) fn skeleton(&self) -> PyResult<Skeleton> {
        let offsets = numbers::read_vectors(&self.offsets)?;
        let rotations = numbers::read_quaternions(&self.rest_rotations)?;
        let count = self.names.len();
        let lengths = [
            self.parents.len(),
            offsets.len(),
            rotations.len(),
            self.rotation_axes.len(),
            self.translation_axes.len(),
        ];
        if lengths.iter().any(|length| *length != count) {
            let message = format!("found lists of {lengths:?} joints, expected {count} in each");
            return Err(input_error(&message));
        }
        let joints = (0..count).map(|k| {
            Ok(Joint {
                name: self.names[k].clone().into(),
                parent: usize::try_from(self.parents[k]).ok().map(JointId),
                rest_translation: offsets[k],
                rest_rotation: rotations[k],
                translation_axes: axes(&self.translation_axes[k])?,
                rotation_axes: axes(&self.rotation_axes[k])?,
            })
        });
        let ends = numbers::read_vectors(&self.end_offsets)?;
        let ends = self.end_parents.iter().zip(ends);
        let ends = ends.map(|(parent, offset)| EndSite { parent: JointId(*parent), offset });
        Skeleton::new(joints.collect::<PyResult<_>>()?, ends.collect())
            .map_err(|error| input_error(&error.to_string()))
    }
}

fn letter(axis: Axis) -> char {
    ['x', 'y', 'z'][axis.index()]
}

/// Reads axes, each at most once.
fn axes(text: &str) -> PyResult<Vec<Axis>> {
    let found = text.chars().map(|own| Axis::ALL.into_iter().find(|axis| letter(*axis) == own));
    let all: Option<Vec<Axis>> = found.collect();
    let is_once = |all: &Vec<Axis>| {
        Axis::ALL.iter().all(|axis| all.iter().filter(|own| *own == axis).count() < 2)
    };
    all.filter(is_once).ok_or_else(|| {
        input_error(&format!("found the axes {text:?}, expected some of x, y, z, each once"))
    })
}
