//! Vertices of FBX meshes.

#![cfg(feature = "fbx")]

use rebone_skeleton::nalgebra::Vector3;
use rebone_skeleton::{SkinPoint, fbx};

/// Three joints in inches, +Z up: Root at 0, 0, 10; Upper at 0, 0, 30, turned by 90 degrees about Y; Lower at 10, 0, 30.
const ARM: &str = include_str!("data/arm.fbx");
const INCH: f64 = 0.0254;
/// Matrices from the mesh to the joints in the bind pose, and from the joints to the world.
const BIND: [[&str; 2]; 3] = [
    ["1,0,0,0,0,1,0,0,0,0,1,0,0,0,-10,1", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,10,1"],
    ["0,0,1,0,0,1,0,0,-1,0,0,0,30,0,0,1", "0,0,-1,0,0,1,0,0,1,0,0,0,0,0,30,1"],
    ["0,0,1,0,0,1,0,0,-1,0,0,0,30,0,-10,1", "0,0,-1,0,0,1,0,0,1,0,0,0,10,0,30,1"],
];
/// Vertices and weights of the joints.
const WEIGHTS: [[&str; 2]; 3] = [["0,1", "1,0.3"], ["1,77", "0.7,1"], ["2", "1"]];

/// Returns the file with a quad that is skinned to the joints, and one that hangs on Upper, moved by 0, 0, 5.
fn file(bind: [[&str; 2]; 3]) -> String {
    let quad = |id: usize, places: &str| {
        format!(
            "Geometry: {id}, \"Geometry::\", \"Mesh\" {{\n Vertices: *12 {{ a: {places}\n }}\n \
             PolygonVertexIndex: *4 {{ a: 0,1,2,-4\n }}\n }}\n Model: {}, \"Model::Mesh\", \"Mesh\" {{\n \
             Properties70: {{\n P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,{}\n }}\n }}\n",
            id + 1,
            if id == 500 { 0 } else { 5 },
        )
    };
    let mut objects = quad(500, "3,0,10, 0,2,35, 12,0,30, 3,1,10");
    objects += &quad(510, "0,0,0, 1,0,0, 0,1,0, 1,1,0");
    objects += "Deformer: 520, \"Deformer::\", \"Skin\" {\n Version: 101\n }\n";
    let mut links = "C: \"OO\",501,0\nC: \"OO\",500,501\nC: \"OO\",511,101\nC: \"OO\",510,511\nC: \"OO\",520,500\n"
        .to_owned();
    for (joint, ([to_joint, to_world], [vertices, weights])) in
        bind.into_iter().zip(WEIGHTS).enumerate()
    {
        let (count, id) = (vertices.split(',').count(), 530 + joint);
        objects += &format!(
            "Deformer: {id}, \"SubDeformer::\", \"Cluster\" {{\n Indexes: *{count} {{ a: {vertices}\n }}\n \
             Weights: *{count} {{ a: {weights}\n }}\n Transform: *16 {{ a: {to_joint}\n }}\n \
             TransformLink: *16 {{ a: {to_world}\n }}\n }}\n",
        );
        links += &format!("C: \"OO\",{id},520\nC: \"OO\",{},{id}\n", 100 + joint);
    }
    let with_objects = ARM.replace("\tAnimationStack:", &format!("{objects}\tAnimationStack:"));
    with_objects.replace("Connections:  {\n", &format!("Connections:  {{\n{links}"))
}

/// Returns all points, and the joint and the place of each vertex in the rest pose, in the inches and axes of the file.
fn read(text: &str) -> (Vec<SkinPoint>, Vec<(usize, [i64; 3])>) {
    let document = fbx::parse(text.as_bytes()).unwrap();
    let (points, rest) = (document.skin_points().points, document.skeleton().rest_world());
    let vertices = points.iter().filter(|point| point.is_vertex).map(|point| {
        let joint = point.joint.index();
        let place = (rest.positions[joint] + rest.rotations[joint] * point.offset) / INCH;
        let own = Vector3::new(place.x, -place.z, place.y);
        assert!((own - own.map(f64::round)).norm() < 1e-6, "{own}");
        (joint, own.map(|x| x.round() as i64).into())
    });
    let vertices = vertices.collect();
    (points, vertices)
}

/// A vertex without weights is left out, and so is a weight of a vertex that is not there; the mesh that hangs on Upper is
/// turned with it.
#[test]
fn vertices_are_points_of_their_joints() {
    let (points, found) = read(&file(BIND));
    let skinned = [(0, [3, 0, 10]), (1, [0, 2, 35]), (2, [12, 0, 30])];
    let rigid = [(1, [5, 0, 30]), (1, [5, 0, 29]), (1, [5, 1, 30]), (1, [5, 1, 29])];
    assert_eq!(found, [&skinned[..], &rigid].concat());
    let within = |joint| points.iter().filter(|p| !p.is_vertex && p.joint.index() == joint).count();
    assert!((0..3).all(|joint| within(joint) > 100));
}

#[test]
fn skins_that_do_not_fit_the_joints_are_left_out() {
    let rigid = &read(&file(BIND)).1[3..];
    let with = |joint: usize, side: usize, matrix: &'static str| {
        let mut bind = BIND;
        bind[joint][side] = matrix;
        let left_out = fbx::parse(file(bind).as_bytes()).unwrap().skin_points().left_out;
        assert!(left_out.iter().any(|text| text.contains("is left out")), "{left_out:?}");
        read(&file(bind)).1
    };
    // The mesh was bound to longer bones, lies elsewhere for one of the joints, and is in another unit.
    assert_eq!(with(1, 1, "0,0,-1,0,0,1,0,0,1,0,0,0,0,0,90,1"), rigid);
    assert_eq!(with(1, 0, "0,0,1,0,0,1,0,0,-1,0,0,0,90,0,0,1"), rigid);
    let small =
        file(BIND).replace("3,0,10, 0,2,35, 12,0,30", "0.03,0,0.1, 0,0.02,0.35, 0.12,0,0.3");
    assert!(
        fbx::parse(small.as_bytes())
            .unwrap()
            .skin_points()
            .points
            .iter()
            .all(|p| p.joint.index() == 1)
    );
    // A hidden mesh is no surface.
    let hidden = "Model::Mesh\", \"Mesh\" {\n Properties70: {\n P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n";
    let shown = "Model::Mesh\", \"Mesh\" {\n Properties70: {\n";
    assert_eq!(read(&file(BIND).replace(shown, hidden)).1, []);
}

/// All numbers of a file may be anything.
#[test]
fn broken_numbers_do_no_harm() {
    let text = file(BIND);
    for (from, to) in [
        ("a: 0,1,2,-4", "a: 0,1,900,-4"),
        ("a: 0,1,2,-4", "a: 0,1,2,4"),
        ("a: 3,0,10", "a: 1e300,0,10"),
        ("a: 3,0,10", "a: nan,0,10"),
        ("a: 1,0.3", "a: nan,inf"),
        ("a: 1,0,0,0", "a: 0,0,0,0"),
        ("a: 1,0,0,0", "a: inf,0,0,0"),
        ("Indexes: *2 { a: 0,1", "Indexes: *2 { a: -1,99999999999"),
    ] {
        assert!(text.contains(from), "{from}");
        let Ok(document) = fbx::parse(text.replace(from, to).as_bytes()) else { continue };
        let joints = document.skeleton().len();
        assert!(document.skin_points().points.iter().all(|point| point.joint.index() < joints));
        let mut places = Vec::new();
        document.skin_mesh().pose(&document.skeleton().rest_world(), &mut places);
        let corners = document.skin_mesh().triangles.concat();
        assert!(corners.iter().all(|corner| (*corner as usize) < places.len()));
    }
}

/// The triangles at rest have their vertices where those of the surface are.
#[test]
fn triangles_stand_where_the_points_of_the_surface_do() {
    let document = fbx::parse(file(BIND).as_bytes()).unwrap();
    let rest = document.skeleton().rest_world();
    let (mesh, mut places) = (document.skin_mesh(), Vec::new());
    mesh.pose(&rest, &mut places);
    let points = document.skin_points().points;
    let vertices = points.iter().filter(|point| point.is_vertex).map(|point| {
        let joint = point.joint.index();
        rest.positions[joint] + rest.rotations[joint] * point.offset
    });
    // The vertex without weights has no triangle.
    assert_eq!((mesh.triangles.len(), places.len()), (3, 8));
    places.remove(3);
    assert_eq!(vertices.clone().count(), places.len());
    assert!(vertices.zip(&places).all(|(a, b)| (a - b).norm() < 1e-6));
}

/// The box around the mesh of a real character is the one that Blender 4.5 gives, to a millimetre.
#[test]
fn a_real_character_is_where_blender_has_it() {
    let Some(files) = crate::common::files(&["fbx"]) else { return };
    let Some(file) = files.iter().find(|file| file.ends_with("Geno_bind.fbx")) else { return };
    let document = rebone_skeleton::Document::open(file, None).unwrap();
    let (points, rest) = (document.skin_points().points, document.skeleton().rest_world());
    let places = points.iter().filter(|point| point.is_vertex).map(|point| {
        let joint = point.joint.index();
        rest.positions[joint] + rest.rotations[joint] * point.offset
    });
    let places: Vec<Vector3<f64>> = places.collect();
    assert_eq!(places.len(), 9332);
    let low = places.iter().fold(places[0], |low, place| low.inf(place));
    let high = places.iter().fold(places[0], |high, place| high.sup(place));
    assert!((low - Vector3::new(-0.597, -0.005, -0.162)).amax() < 1e-3, "{low}");
    assert!((high - Vector3::new(0.597, 1.702, 0.119)).amax() < 1e-3, "{high}");
}
