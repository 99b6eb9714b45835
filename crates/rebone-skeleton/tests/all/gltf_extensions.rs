//! Extensions of glTF that touch joints and animations: compressed data, animation pointers, and those that are not known.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use meshoptimizer_rs::codec::{VertexEncoding, encode_filter_quat, encode_vertex_buffer};
use meshoptimizer_rs::{Limits, Workspace};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{Document, ReadOptions, parse};
use serde_json::{Value, json};

const KEYS: usize = 40;

/// Rotations about X by a degree more in each key.
fn rotations() -> Vec<[f32; 4]> {
    let turn = |key: usize| {
        let angle = (key as f64).to_radians();
        UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle).coords.map(|x| x as f32).into()
    };
    (0..KEYS).map(turn).collect()
}

fn bytes(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn times() -> Vec<u8> {
    bytes((0..KEYS).map(|key| key as f32 / 30.0))
}

/// A file of two joints, the upper of which turns: times in buffer 0, rotations in buffer 1.
fn file() -> Value {
    let uri =
        |data: &[u8]| format!("data:application/octet-stream;base64,{}", STANDARD.encode(data));
    let (times, turns) = (times(), bytes(rotations().into_iter().flatten()));
    json!({
        "asset": { "version": "2.0" },
        "nodes": [
            { "name": "a", "children": [1] },
            { "name": "b", "translation": [0, 1, 0], "children": [2] },
            { "name": "c", "translation": [0, 1, 0] },
        ],
        "buffers": [
            { "byteLength": times.len(), "uri": uri(&times) },
            { "byteLength": turns.len(), "uri": uri(&turns) },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": times.len() },
            { "buffer": 1, "byteLength": turns.len() },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": KEYS, "type": "SCALAR" },
            { "bufferView": 1, "componentType": 5126, "count": KEYS, "type": "VEC4" },
        ],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
            "samplers": [{ "input": 0, "output": 1 }],
        }],
    })
}

/// [`file`] with its rotations compressed as gltfpack does it: 16 bits, a filter, and a buffer that only reserves space.
fn compressed(extension: &str, version: u8) -> Value {
    let mut workspace = Workspace::new(Limits::default());
    let turns: Vec<f32> = rotations().into_iter().flatten().collect();
    let filtered = encode_filter_quat(KEYS, 8, 16, &turns, &mut workspace).unwrap();
    let encoding = VertexEncoding::new(version, 2).unwrap();
    let data = encode_vertex_buffer(&filtered, KEYS, 8, encoding, &mut workspace).unwrap();
    let mut file = file();
    let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&data));
    file["extensionsRequired"] = json!([extension]);
    file["buffers"][1] = json!({ "byteLength": data.len(), "uri": uri });
    let fallback =
        json!({ "byteLength": 8 * KEYS, "extensions": { extension: { "fallback": true } } });
    file["buffers"].as_array_mut().unwrap().push(fallback);
    file["bufferViews"][1] = json!({
        "buffer": 2, "byteLength": 8 * KEYS, "byteStride": 8,
        "extensions": { extension: {
            "buffer": 1, "byteLength": data.len(), "byteStride": 8, "count": KEYS,
            "mode": "ATTRIBUTES", "filter": "QUATERNION",
        } },
    });
    file["accessors"][1] = json!({
        "bufferView": 1, "componentType": 5122, "normalized": true, "count": KEYS, "type": "VEC4",
    });
    file
}

fn read(file: &Value) -> Result<Document, String> {
    let read = parse(file.to_string().into_bytes(), None, ReadOptions::default());
    read.map_err(|error| error.to_string())
}

/// Degrees of the upper joint in the last frame, or what is wrong.
fn last_angle(file: &Value) -> Result<f64, String> {
    let read = read(file)?.clip(0).map_err(|error| error.to_string())?;
    let last = read.clip.len() - 1;
    Ok(read.clip.pose(last).unwrap().rotations[1].angle().to_degrees())
}

#[test]
fn animations_that_meshopt_compresses_are_read() {
    for (extension, version) in [("EXT_meshopt_compression", 0), ("KHR_meshopt_compression", 1)] {
        let file = compressed(extension, version);
        let angle = last_angle(&file).unwrap();
        assert!((angle - (KEYS - 1) as f64).abs() < 0.01, "{extension}: {angle}");
        assert!(read(&file).unwrap().clip(0).unwrap().warnings.is_empty());
    }
}

#[test]
fn broken_compressed_data_is_named() {
    let wrong = |key: &str, value: Value| {
        let mut file = compressed("EXT_meshopt_compression", 0);
        file["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][key] = value;
        last_angle(&file).unwrap_err()
    };
    for message in [
        wrong("mode", json!("TRIANGLES")),
        wrong("filter", json!("NONSENSE")),
        wrong("byteLength", json!(4)),
        wrong("byteLength", json!(1_u64 << 40)),
        wrong("count", json!(1_u64 << 40)),
        wrong("buffer", json!(9)),
    ] {
        assert!(message.starts_with("bufferViews[1]: found"), "{message}");
    }
}

#[test]
fn a_pointer_to_a_joint_animates_it() {
    let mut file = file();
    file["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    file["animations"][0]["channels"][0]["target"] = json!({
        "path": "pointer",
        "extensions": { "KHR_animation_pointer": { "pointer": "/nodes/1/rotation" } },
    });
    assert!((last_angle(&file).unwrap() - (KEYS - 1) as f64).abs() < 1e-3);
    let pointer = "/materials/0/emissiveFactor";
    file["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"] =
        json!({ "pointer": pointer });
    assert_eq!(read(&file).unwrap().clip(0).unwrap().clip.len(), 0, "it moves no joint");
}

#[test]
fn required_extensions_that_are_not_known_are_named() {
    let mut file = file();
    let known = ["KHR_texture_basisu", "KHR_materials_unlit", "KHR_draco_mesh_compression", "VRM"];
    file["extensionsRequired"] = json!(known);
    assert!(read(&file).unwrap().clip(0).unwrap().warnings.is_empty());
    file["extensionsRequired"] = json!(["VRMC_vrm", "ACME_bones"]);
    let warnings = read(&file).unwrap().clip(0).unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    let message = warnings[0].to_string();
    assert!(
        message.starts_with("extensionsRequired[1]: ") && message.contains("ACME_bones"),
        "{message}"
    );
}

#[test]
fn keys_without_a_rotation_and_whole_numbers_are_errors() {
    let mut zero = file();
    let mut turns: Vec<f32> = rotations().into_iter().flatten().collect();
    turns[28..32].fill(0.0);
    let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes(turns)));
    zero["buffers"][1]["uri"] = json!(uri);
    let message = last_angle(&zero).unwrap_err();
    assert!(message.contains("in key 7, expected a unit quaternion"), "{message}");
    let mut whole = file();
    whole["accessors"][1]["componentType"] = json!(5122);
    let message = last_angle(&whole).unwrap_err();
    assert!(message.starts_with("accessors[1].componentType: found 5122"), "{message}");
    let mut times = file();
    times["accessors"][0]["componentType"] = json!(5125);
    assert!(last_angle(&times).unwrap_err().starts_with("accessors[0].componentType"));
}
