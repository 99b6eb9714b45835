//! Characters with a mesh: five people in plain colours on rigs of five conventions.

mod dress;
mod ends;
mod field;
mod glb;
mod head;
mod look;
mod mesh;
mod skeleton;
mod skin;
mod vrm;

use field::V;
use look::Look;
use mesh::Piece;
use skeleton::{Names, Rig};
use skin::{Joints, Skinned};

/// A computed character: its file, and the mesh that is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// A short name.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The name of its file in `data/characters`.
    pub file_name: &'static str,
    /// The file: binary glTF 2.0, or VRM 1.0. Metres, +Y up, facing +Z.
    pub bytes: Vec<u8>,
    /// Joints at rest, parents first; none is turned.
    pub joints: Vec<CharacterJoint>,
    /// Vertices at rest.
    pub vertices: Vec<CharacterVertex>,
    /// Corners of the triangles, counterclockwise from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// A joint of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterJoint {
    /// The name in the convention of the character's rig.
    pub name: String,
    /// The number of the parent; none for the root.
    pub parent: Option<usize>,
    /// The place at rest, cm.
    pub place: nalgebra::Vector3<f64>,
}

/// A vertex of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterVertex {
    /// The place at rest, cm.
    pub place: nalgebra::Vector3<f64>,
    /// Numbers of the joints that move it.
    pub joints: [u8; 4],
    /// Weights of the joints, in 255ths.
    pub weights: [u8; 4],
}

/// Computes the five characters: person, broad, child, toy, avatar.
///
/// ```
/// let characters = rebone_samples::characters();
/// let names: Vec<&str> = characters.iter().map(|character| character.file_name).collect();
/// assert_eq!(names, ["person.glb", "broad.glb", "child.glb", "toy.glb", "avatar.vrm"]);
/// assert!(characters[0].bytes.starts_with(b"glTF"));
/// ```
pub fn characters() -> Vec<Character> {
    look::looks().iter().map(character).collect()
}

fn character(look: &Look) -> Character {
    let mut rig = Rig::new(&look.body, look.names, look.fingers, look.finger_joints);
    let mut pieces = dress::pieces(look);
    pieces.extend(head::pieces(look));
    for piece in ends::hand(look).into_iter().chain(ends::shoe(look)) {
        pieces.extend([piece.mirrored(), piece]);
    }
    let (mut points, triangles) = skinned(look, &rig, &pieces);
    skin::lower_arms(&mut rig, look.drop, &mut points);
    let extension = (look.names == Names::Vroid).then(|| vrm::extension(look.name, &rig));
    let bytes = glb::write(look.name, &rig.joints, &points, &triangles, extension.as_deref());
    let vertex =
        |p: Skinned| CharacterVertex { place: p.place, joints: p.joints, weights: p.weights };
    Character {
        name: look.name,
        about: look.about,
        file_name: look.file_name,
        bytes,
        joints: rig.joints,
        vertices: points.into_iter().map(vertex).collect(),
        triangles,
    }
}

/// All pieces in one mesh, with weights.
fn skinned(look: &Look, rig: &Rig, pieces: &[Piece]) -> (Vec<Skinned>, Vec<[usize; 3]>) {
    let size = Joints { arm: look.arm, leg: look.leg, trunk: 0.11 * look.body.trunk };
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for piece in pieces {
        let first = points.len();
        triangles.extend(piece.triangles.iter().map(|t| t.map(|corner| corner + first)));
        for (&place, &normal) in piece.points.iter().zip(&piece.normals) {
            let (joints, weights) = skin::weights(rig, &size, piece, place);
            let colour = piece.colour;
            points.push(Skinned { place: on_floor(place), normal, colour, joints, weights });
        }
    }
    (points, triangles)
}

/// Puts what is within 2 mm of the floor onto it.
fn on_floor(place: V) -> V {
    V::new(place.x, if place.y < 0.2 { 0.0 } else { place.y }, place.z)
}
