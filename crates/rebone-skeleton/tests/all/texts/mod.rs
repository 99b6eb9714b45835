//! Small texts for the tests of the BVH reader.

use rebone_skeleton::bvh::{self, Document};

pub(crate) const ROOT: &str =
    "ROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n";
pub(crate) const HEAD: &str = "MOTION\nFrames: 1\nFrame Time: 0.1\n";

pub(crate) fn parse(text: impl AsRef<[u8]>) -> Document {
    bvh::parse(text.as_ref()).unwrap()
}

/// A file of one joint with three channels, and this motion section.
pub(crate) fn with_motion(motion: &str) -> String {
    format!("HIERARCHY\n{ROOT}{motion}")
}

/// A file with this hierarchy section and one frame of zeros.
pub(crate) fn with_hierarchy(hierarchy: &str) -> String {
    let channels = hierarchy.matches("rotation").count() + hierarchy.matches("position").count();
    format!("{hierarchy}{HEAD}{}\n", "0 ".repeat(channels))
}

pub(crate) fn child(body: &str) -> String {
    let start = ROOT.trim_end().strip_suffix('}').unwrap();
    with_hierarchy(&format!("HIERARCHY\n{start}JOINT b\n{{\n{body}}}\n}}\n"))
}

pub(crate) fn names(document: &Document) -> Vec<String> {
    document.hierarchy.skeleton().joints().iter().map(|joint| joint.name.to_string()).collect()
}
