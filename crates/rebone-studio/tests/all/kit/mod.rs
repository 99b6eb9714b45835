//! An engine with samples in it, and its answers.

use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone_samples::Sample;
use rebone_studio::{Answer, Studio};
use serde_json::Value;

pub(crate) fn bytes_of(sample: &Sample) -> Vec<u8> {
    let hierarchy = Hierarchy::from_skeleton(&sample.motion.skeleton);
    write_clip(Vec::new(), &hierarchy, &sample.motion.clip, WriteOptions::default()).unwrap()
}

pub(crate) fn rig(name: &str) -> Sample {
    rebone_samples::rigs().into_iter().find(|rig| rig.name == name).unwrap()
}

/// An engine with `walk` and a rig of the samples.
pub(crate) fn opened(name: &str) -> Studio {
    let mut studio = Studio::default();
    ok(studio.ask(
        r#"{ "do": "open", "side": "source", "name": "walk.bvh" }"#,
        &bytes_of(&rebone_samples::walk()),
    ));
    ok(studio
        .ask(r#"{ "do": "open", "side": "target", "name": "rig.bvh" }"#, &bytes_of(&rig(name))));
    studio
}

pub(crate) fn fields(answer: &Answer) -> Value {
    serde_json::from_str(&answer.json).unwrap()
}

pub(crate) fn ok(answer: Answer) -> (Value, Vec<u8>) {
    let fields = fields(&answer);
    assert_eq!(fields["ok"], true, "{}", answer.json);
    (fields, answer.bytes)
}

pub(crate) fn causes(answer: &Answer) -> String {
    let fields = fields(answer);
    assert_eq!(fields["ok"], false, "{}", answer.json);
    fields["causes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect::<Vec<_>>()
        .join(" | ")
}

/// The joint that plays a role of the target.
pub(crate) fn joint(studio: &mut Studio, role: &str) -> usize {
    let (fields, _) = ok(studio.ask(r#"{ "do": "understand", "document": {} }"#, &[]));
    let joints = fields["sides"]["target"]["joints"].as_array().unwrap();
    joints.iter().position(|joint| joint["role"]["name"] == role).unwrap()
}

/// Rotation of a joint in an answer of one frame, `x y z w`.
pub(crate) fn rotation(bytes: &[u8], joint: usize) -> [f32; 4] {
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    [0, 1, 2, 3].map(|k| number(28 * joint + 12 + 4 * k))
}
