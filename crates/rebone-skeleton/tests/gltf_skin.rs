//! Vertices of glTF meshes.

use rebone_skeleton::gltf::{ReadOptions, parse};
use rebone_skeleton::nalgebra::Vector3;

/// A vertex is a point of the joint with the most weight; a mesh below a joint without a skin moves with that joint.
#[test]
fn vertices_are_points_of_their_joints() {
    let numbers: Vec<f32> = vec![
        // Positions of three vertices, weights, then inverse bind matrices of two joints, the second one up by two.
        1.0, 0.0, 0.0, 1.0, 2.5, 0.0, 0.0, 2.0, 3.0, 0.9, 0.1, 0.0, 0.0, 0.2, 0.8, 0.0, 0.0, 0.0,
        1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0,
        1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -2.0, 0.0, 1.0,
    ];
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend([0u8, 1, 0, 0].repeat(3));
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},
        "nodes":[{{"name":"top","scale":[0.5,0.5,0.5],"children":[1,3]}},{{"name":"a","children":[2]}},
            {{"name":"b","translation":[0,2,0],"children":[4]}},{{"mesh":0,"skin":0}},
            {{"mesh":0,"translation":[0,1,0]}}],
        "skins":[{{"joints":[1,2],"inverseBindMatrices":2}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"WEIGHTS_0":1,"JOINTS_0":3}}}},
            {{"attributes":{{"POSITION":99}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
            {{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC4"}},
            {{"bufferView":0,"byteOffset":84,"componentType":5126,"count":2,"type":"MAT4"}},
            {{"bufferView":0,"byteOffset":212,"componentType":5121,"count":3,"type":"VEC4"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{0}}}],
        "buffers":[{{"byteLength":{0},"uri":"data.bin"}}]}}"#,
        bytes.len()
    );
    let file = |_: &str, _: usize| Ok(bytes.clone());
    let document = parse(text.into_bytes(), Some(&file), ReadOptions::default()).unwrap();
    let joint = |name: &str| document.skeleton().find(name.as_bytes().into()).unwrap();
    let points = document.skin_points();
    let vertices = points.iter().filter(|point| point.is_vertex);
    let found: Vec<_> = vertices.map(|point| (point.joint, point.offset)).collect();
    let at = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let (a, b) = (joint("a"), joint("b"));
    let skinned = [(a, at(0.5, 0.0, 0.0)), (b, at(0.5, 0.25, 0.0)), (b, at(0.0, 0.0, 1.5))];
    let rigid = [(b, at(0.5, 0.5, 0.0)), (b, at(0.5, 1.75, 0.0)), (b, at(0.0, 1.5, 1.5))];
    assert_eq!(found, [skinned, rigid].concat());
    // The triangle is large, and some of its points go with each of its joints.
    let within = |joint| points.iter().filter(|own| !own.is_vertex && own.joint == joint).count();
    assert!(within(a) > 100 && within(b) > 100, "{} {}", within(a), within(b));
}
