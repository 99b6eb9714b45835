//! Characters with meshes: drawn where the mesh stands, whatever it holds.

use base64::Engine;
use rebone::skeleton::Document;
use rebone::{Character, Selection};
use rebone_view::{
    Figure, Ink, MotionView, SheetOptions, ShownFrame, animation, contact_sheet, motion_figure,
};

/// A square of two triangles with a colour, on the second of three joints, as glTF.
fn character(corners: [[f32; 3]; 4], edit: impl Fn(String) -> String) -> Character {
    let mut bytes: Vec<u8> = corners.concat().iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([1u8, 0, 0, 0].repeat(4));
    bytes.extend([1.0f32, 0.0, 0.0, 0.0].repeat(4).iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0u8, 1, 2, 0, 2, 3]);
    let length = bytes.len();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},
        "nodes":[{{"name":"a","children":[1]}},{{"name":"b","translation":[0,1,0],"children":[2]}},
            {{"name":"c","translation":[0,1,0]}},{{"mesh":0,"skin":0}}],
        "skins":[{{"joints":[0,1,2]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0,1,0,1]}}}}],
        "meshes":[{{"primitives":[{{"material":0,"indices":3,
            "attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":0,"byteOffset":48,"componentType":5121,"count":4,"type":"VEC4"}},
            {{"bufferView":0,"byteOffset":64,"componentType":5126,"count":4,"type":"VEC4"}},
            {{"bufferView":0,"byteOffset":128,"componentType":5121,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{length}}}],
        "buffers":[{{"byteLength":{length},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
    );
    let document = Document::parse("square.gltf", edit(text).into_bytes(), None)
        .expect("values of the test fit");
    let still =
        Character::of_document(document, Selection::default()).expect("values of the test fit");
    let mut clip = rebone::skeleton::Clip::new(still.skeleton(), 0.1);
    (0..3).for_each(|_| clip.push(&still.skeleton().rest_pose()).expect("values of the test fit"));
    still.with_motion(clip).expect("values of the test fit")
}

fn shown() -> Vec<ShownFrame> {
    vec![ShownFrame { frame: 1, seconds: 0.1 }]
}

fn figure(character: &Character) -> Figure {
    let (skin, motion) = (character.skin_mesh(), character.motion());
    let view = MotionView { label: "square", motion, anatomy: None, skin: Some(&skin) };
    motion_figure(&view, &shown(), Ink::ORANGE).expect("values of the test fit")
}

/// Width, and pixels.
fn sheet(character: &Character) -> (usize, Vec<[u8; 3]>) {
    let options = SheetOptions { title: String::new(), first_frame: 0 };
    let bytes =
        contact_sheet(&[figure(character)], &shown(), &options).expect("values of the test fit");
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("values of the test fit");
    let mut pixels = vec![0; reader.output_buffer_size().expect("values of the test fit")];
    let info = reader.next_frame(&mut pixels).expect("values of the test fit");
    (info.width as usize, pixels.as_chunks::<3>().0.to_vec())
}

fn is_green([r, g, b]: &[u8; 3]) -> bool {
    *g > 100 && *r < 40 && *b < 40
}

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn a_skin_is_drawn_in_its_colour_where_its_joint_has_it() {
    let (width, pixels) = sheet(&character(SQUARE, |text| text));
    let green: Vec<usize> = (0..pixels.len()).filter(|at| is_green(&pixels[*at])).collect();
    let rows: Vec<usize> = green.iter().map(|at| at / width).collect();
    let columns: Vec<usize> = green.iter().map(|at| at % width).collect();
    let range = |of: &[usize]| {
        of.iter().max().expect("values of the test fit") - of.iter().min().unwrap() + 1
    };
    // The joint is half way up a body of 1.7 m, whose height the square has half of; from the side it is a line.
    let (high, wide) = (range(&rows), range(&columns));
    assert!(high.abs_diff(wide) <= 2 && green.len().abs_diff(high * wide) <= 4 * high);
    assert!((100..=300).contains(&high), "{high}");
    assert!(!pixels.contains(&Ink::ORANGE.middle), "no sticks are drawn over it");
}

#[test]
fn a_mesh_that_is_no_place_or_cannot_be_read_is_drawn_as_sticks() {
    let mut broken = SQUARE;
    broken[0][0] = f32::NAN;
    broken[1] = [1e30, 0.0, 0.0];
    let cut = |text: String| text.replace("\"WEIGHTS_0\":2", "\"WEIGHTS_0\":99");
    let odd = [
        character(broken, |text| text),
        character([[1e30; 3], [-1e30; 3], [1e38; 3], [f32::INFINITY; 3]], |text| text),
        character(SQUARE, cut),
        character(SQUARE, |text| text.replace("\"count\":4", "\"count\":9")),
    ];
    for character in &odd {
        let (_, pixels) = sheet(character);
        assert!(pixels.contains(&Ink::ORANGE.middle) && !pixels.iter().any(is_green));
        assert!(
            animation(&[figure(character)], &shown())
                .expect("values of the test fit")
                .starts_with(b"GIF89a")
        );
    }
    assert!(!odd[2].skin_mesh().left_out.is_empty());
}

#[test]
fn figures_with_skins_stand_beside_each_other() {
    let square = figure(&character(SQUARE, |text| text));
    let options = SheetOptions { title: String::new(), first_frame: 0 };
    let bytes = contact_sheet(&[square.clone(), square], &shown(), &options)
        .expect("values of the test fit");
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("values of the test fit");
    let mut pixels = vec![0; reader.output_buffer_size().expect("values of the test fit")];
    let width = reader.next_frame(&mut pixels).expect("values of the test fit").width as usize;
    let pixels = pixels.as_chunks::<3>().0;
    let changes = |row: &[[u8; 3]]| {
        row.windows(2).filter(|two| is_green(&two[0]) != is_green(&two[1])).count()
    };
    assert_eq!(pixels.chunks(width).map(changes).max(), Some(4), "two squares in a row");
}
