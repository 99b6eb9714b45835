//! Vertices of glTF meshes.

use rebone_skeleton::gltf::{Document, ReadOptions, parse};
use rebone_skeleton::nalgebra::Vector3;

/// Reads a file of two joints and a triangle, which is skinned to them and hangs on the second one as well.
fn read(first: f32, compressed: bool) -> Document {
    let edit = |text: String| match compressed {
        true => text.replacen("\"bufferView\":0,", "", 1),
        false => text,
    };
    read_edited(first, edit)
}

/// Reads the file after its text was edited.
fn read_edited(first: f32, edit: impl Fn(String) -> String) -> Document {
    let numbers: Vec<f32> = vec![
        // Positions of three vertices, weights, then inverse bind matrices of two joints, the second one up by two.
        first, 0.0, 0.0, 0.5, 1.75, 0.0, 0.0, 2.0, 0.375, 0.9, 0.1, 0.0, 0.0, 0.2, 0.8, 0.0, 0.0,
        0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
        0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -2.0, 0.0, 1.0,
    ];
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend([0u8, 1, 0, 0].repeat(3));
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},
        "nodes":[{{"name":"top","scale":[0.5,0.5,0.5],"children":[1,3]}},{{"name":"a","children":[2]}},
            {{"name":"b","translation":[0,2,0],"children":[4]}},{{"mesh":0,"skin":0}},
            {{"mesh":0,"translation":[0,-1.5,0]}}],
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
    let text = edit(text);
    let file = |_: &str, _: usize| Ok(bytes.clone());
    parse(text.into_bytes(), Some(&file), ReadOptions::default()).expect("a file")
}

/// A vertex is a point of the joint with the most weight; a mesh below a joint without a skin moves with that joint.
#[test]
fn vertices_are_points_of_their_joints() {
    let document = read(1.0, false);
    let joint = |name: &str| document.skeleton().find(name.as_bytes().into()).unwrap();
    let found = document.skin_points();
    let points = found.points;
    let vertices = points.iter().filter(|point| point.is_vertex);
    let found: Vec<_> = vertices.map(|point| (point.joint, point.offset)).collect();
    let at = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let (a, b) = (joint("a"), joint("b"));
    let skinned = [(a, at(0.5, 0.0, 0.0)), (b, at(0.25, -0.125, 0.0)), (b, at(0.0, 0.0, 0.1875))];
    let rigid = [(b, at(0.5, -0.75, 0.0)), (b, at(0.25, 0.125, 0.0)), (b, at(0.0, 0.25, 0.1875))];
    assert_eq!(found, [skinned, rigid].concat());
    // The triangle is large, and some of its points go with each of its joints.
    let within = |joint| points.iter().filter(|own| !own.is_vertex && own.joint == joint).count();
    assert!(within(a) > 100 && within(b) > 100, "{} {}", within(a), within(b));
}

/// One broken vertex does not lose the mesh.
#[test]
fn vertices_that_are_no_places_are_left_out_and_told() {
    for number in [f32::NAN, f32::INFINITY] {
        let found = read(number, false).skin_points();
        let vertices = found.points.iter().filter(|point| point.is_vertex);
        assert_eq!(vertices.count(), 4, "{number}");
        let told = |text: &&String| text.contains("1 of 3 vertices of meshes[0].primitives[0]");
        assert_eq!(found.left_out.iter().filter(told).count(), 2, "{:?}", found.left_out);
    }
}

#[test]
fn meshes_that_cannot_be_read_are_told() {
    let left_out = read(1.0, false).skin_points().left_out;
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    let missing = "meshes[0].primitives[1] is left out: meshes[0].primitives[1].attributes.POSITION: found accessor 99";
    assert!(left_out[0].starts_with(missing), "{left_out:?}");
    let found = read(1.0, true).skin_points();
    assert!(found.points.is_empty() && found.left_out[0].contains("Draco"), "{:?}", found.left_out);
}

/// Strips and fans have faces as lists of triangles have them.
#[test]
fn strips_and_fans_are_triangles() {
    let points = |mode: u32| {
        let of_mode = format!("{{\"mode\":{mode},\"attributes\":{{\"POSITION\":0,");
        read_edited(1.0, |text| text.replace("{\"attributes\":{\"POSITION\":0,", &of_mode))
            .skin_points()
            .points
    };
    let list = points(4);
    assert!(list.len() > 200 && points(5) == list && points(6) == list);
    assert_eq!(points(1).len(), 6, "lines have no faces");
}

/// Weights of zero, joints that a skin does not have, and meshes of another size than their skeleton.
#[test]
fn vertices_without_a_joint_and_meshes_elsewhere_are_told() {
    let weights = "\"byteOffset\":36,\"componentType\":5126";
    let zeros = "\"byteOffset\":88,\"componentType\":5121,\"normalized\":true";
    let edits = [
        ("\"joints\":[1,2]", "\"joints\":[1]", "their joint is none of the skin's"),
        (weights, zeros, "they have no weight above 0"),
    ];
    for (from, to, expected) in edits {
        let left_out = read_edited(0.25, |text| text.replace(from, to)).skin_points().left_out;
        assert!(left_out.iter().any(|own| own.contains(expected)), "{expected}: {left_out:?}");
    }
    // Places far from their joints, though not from the skeleton.
    let moved = |text: String| {
        let accessor = "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}";
        text.replace(
            accessor,
            &accessor.replace("\"componentType", "\"byteOffset\":84,\"componentType"),
        )
    };
    let elsewhere = read_edited(1.0, moved).skin_points();
    let told = elsewhere.left_out.iter().any(|own| own.contains("another scale"));
    assert!(told && elsewhere.points.is_empty(), "{elsewhere:?}");
    let far = read(1e30, false).skin_points();
    assert!(far.left_out.iter().any(|own| own.contains("all meshes are left out")), "{far:?}");
}

/// Vertices of the triangles are between the places that their joints give them; a rigid mesh is where its joint has it.
#[test]
fn triangles_move_with_all_joints_of_their_vertices() {
    let document = read(1.0, false);
    let (mesh, mut rest) = (document.skin_mesh(), document.skeleton().rest_world());
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.colours, [None; 6]);
    assert!(mesh.left_out.iter().any(|own| own.contains("accessor")), "{:?}", mesh.left_out);
    let mut places = Vec::new();
    mesh.pose(&rest, &mut places);
    let at_rest = places.clone();
    let top = document.skeleton().find(b"b".into()).unwrap().index();
    rest.positions[top].x += 1.0;
    mesh.pose(&rest, &mut places);
    let moved: Vec<f64> = places.iter().zip(&at_rest).map(|(a, b)| a.x - b.x).collect();
    for (moved, share) in moved.iter().zip([0.1, 0.8, 1.0, 1.0, 1.0, 1.0]) {
        assert!((moved - share).abs() < 1e-6, "{moved} {share}");
    }
    assert!(read(1e30, false).skin_mesh().triangles.len() < 2);
    let coloured = |text: String| {
        let text = text.replace("\"JOINTS_0\":3}", "\"JOINTS_0\":3},\"material\":0");
        let red =
            "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1]}}],\"meshes\"";
        text.replace("\"meshes\"", red)
    };
    let colours = read_edited(1.0, coloured).skin_mesh().colours;
    assert_eq!(colours, [Some([1.0, 0.0, 0.0]); 6]);
}

/// The heaviest weight of a vertex may be in the second set. A set without weights is none.
#[test]
fn a_second_set_of_joints_counts() {
    // Weights of 1/255 of the second joint.
    let fourth = ",{\"bufferView\":0,\"byteOffset\":212,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"}],\n        \"bufferViews\"";
    let points = |attributes: &str| {
        let edit = |text: String| {
            let text = text.replace("\"WEIGHTS_0\":1", attributes);
            text.replace("],\n        \"bufferViews\"", fourth)
        };
        read_edited(0.25, edit).skin_points().points
    };
    let expected = points("\"WEIGHTS_0\":1");
    assert_ne!(points("\"WEIGHTS_0\":4"), expected);
    assert_eq!(points("\"WEIGHTS_0\":4,\"JOINTS_1\":3,\"WEIGHTS_1\":1"), expected);
    assert_eq!(points("\"WEIGHTS_0\":1,\"JOINTS_1\":3"), expected);
}
