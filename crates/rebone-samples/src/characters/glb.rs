//! Binary glTF 2.0 of a character, and VRM 1.0.

use super::CharacterJoint;
use super::skin::Skinned;

/// Bytes of a file: one mesh, one skin whose joints are all nodes but the mesh's.
pub(super) fn write(
    name: &str,
    joints: &[CharacterJoint],
    points: &[Skinned],
    triangles: &[[usize; 3]],
    vrm: Option<&str>,
) -> Vec<u8> {
    let mut binary = Vec::new();
    let mut views = Vec::new();
    let mut view = |bytes: Vec<u8>, target: &str| {
        let (start, length) = (binary.len(), bytes.len());
        views.push(format!(r#"{{"buffer":0,"byteOffset":{start},"byteLength":{length}{target}}}"#));
        binary.extend(bytes);
        binary.resize(binary.len().next_multiple_of(4), 0);
    };
    let floats = |values: &mut dyn Iterator<Item = f32>| -> Vec<u8> {
        values.flat_map(f32::to_le_bytes).collect()
    };
    let vertex = r#","target":34962"#;
    view(floats(&mut points.iter().flat_map(|p| metres(p.place))), vertex);
    view(floats(&mut points.iter().flat_map(|p| short(p.normal))), vertex);
    view(points.iter().flat_map(|p| linear(p.colour)).collect(), vertex);
    view(points.iter().flat_map(|p| p.joints).collect(), vertex);
    view(points.iter().flat_map(|p| p.weights).collect(), vertex);
    let indices = triangles.iter().flatten().flat_map(|&k| (k as u16).to_le_bytes());
    view(indices.collect(), r#","target":34963"#);
    view(floats(&mut joints.iter().flat_map(inverse_bind)), "");
    let json = json(name, joints, points, triangles, &views, binary.len(), vrm);
    pack(json.into_bytes(), &binary)
}

fn pack(mut json: Vec<u8>, binary: &[u8]) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |n: usize| (n as u32).to_le_bytes();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(word(28 + json.len() + binary.len()));
    bytes.extend(word(json.len()));
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(word(binary.len()));
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

fn json(
    name: &str,
    joints: &[CharacterJoint],
    points: &[Skinned],
    triangles: &[[usize; 3]],
    views: &[String],
    bytes: usize,
    vrm: Option<&str>,
) -> String {
    let (count, bones) = (points.len(), joints.len());
    let bound = |pick: fn(f32, f32) -> f32| {
        let first = metres(points[0].place);
        let all = points.iter().map(|p| metres(p.place));
        let [x, y, z] = all.fold(first, |a, b| [0, 1, 2].map(|k| pick(a[k], b[k])));
        format!("[{x},{y},{z}]")
    };
    let accessors = [
        format!(
            r#"{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3","min":{},"max":{}}}"#,
            bound(f32::min),
            bound(f32::max)
        ),
        format!(r#"{{"bufferView":1,"componentType":5126,"count":{count},"type":"VEC3"}}"#),
        format!(
            r#"{{"bufferView":2,"componentType":5121,"normalized":true,"count":{count},"type":"VEC4"}}"#
        ),
        format!(r#"{{"bufferView":3,"componentType":5121,"count":{count},"type":"VEC4"}}"#),
        format!(
            r#"{{"bufferView":4,"componentType":5121,"normalized":true,"count":{count},"type":"VEC4"}}"#
        ),
        format!(
            r#"{{"bufferView":5,"componentType":5123,"count":{},"type":"SCALAR"}}"#,
            3 * triangles.len()
        ),
        format!(r#"{{"bufferView":6,"componentType":5126,"count":{bones},"type":"MAT4"}}"#),
    ];
    let nodes = nodes(name, joints);
    let all: Vec<String> = (0..bones).map(|k| k.to_string()).collect();
    let extensions = vrm.map_or(String::new(), |text| {
        format!(r#""extensionsUsed":["VRMC_vrm"],"extensions":{{"VRMC_vrm":{text}}},"#)
    });
    format!(
        r#"{{"asset":{{"version":"2.0","generator":"rebone-samples"}},{extensions}"scene":0,"scenes":[{{"nodes":[0,{bones}]}}],"nodes":[{nodes}],"meshes":[{{"name":"{name}","primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1,"COLOR_0":2,"JOINTS_0":3,"WEIGHTS_0":4}},"indices":5,"material":0}}]}}],"skins":[{{"inverseBindMatrices":6,"skeleton":0,"joints":[{}]}}],"materials":[{{"name":"{name}","pbrMetallicRoughness":{{"baseColorFactor":[1,1,1,1],"metallicFactor":0,"roughnessFactor":0.8}}}}],"accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{bytes}}}]}}"#,
        all.join(","),
        accessors.join(","),
        views.join(","),
    )
}

fn nodes(name: &str, joints: &[CharacterJoint]) -> String {
    let mut nodes = Vec::new();
    for (k, joint) in joints.iter().enumerate() {
        let above = joint.parent.map_or_else(Default::default, |parent| joints[parent].place);
        let [x, y, z] = metres(joint.place - above);
        let below: Vec<String> = (0..joints.len())
            .filter(|&child| joints[child].parent == Some(k))
            .map(|child| child.to_string())
            .collect();
        let children = match below.is_empty() {
            true => String::new(),
            false => format!(r#","children":[{}]"#, below.join(",")),
        };
        let bone = &joint.name;
        nodes.push(format!(r#"{{"name":"{bone}","translation":[{x},{y},{z}]{children}}}"#));
    }
    nodes.push(format!(r#"{{"name":"{name}","mesh":0,"skin":0}}"#));
    nodes.join(",")
}

/// Metres from cm, to a hundredth of a millimetre, without negative zero.
fn metres(v: super::field::V) -> [f32; 3] {
    [v.x, v.y, v.z].map(|x| ((x * 1e3).round() / 1e5 + 0.0) as f32)
}

/// A direction to three decimals, so that the file is the same everywhere and packs well.
fn short(v: super::field::V) -> [f32; 3] {
    let v = super::mesh::unit(v.map(|x| (x * 1e3).round()));
    [v.x, v.y, v.z].map(|x| (x + 0.0) as f32)
}

/// Linear light from sRGB, opaque: vertex colours of glTF are linear.
fn linear(colour: [u8; 3]) -> [u8; 4] {
    let [r, g, b] = colour.map(|c| {
        let c = f64::from(c) / 255.0;
        let light = if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
        (light * 255.0).round() as u8
    });
    [r, g, b, 255]
}

fn inverse_bind(joint: &CharacterJoint) -> [f32; 16] {
    let [x, y, z] = metres(-joint.place);
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}
