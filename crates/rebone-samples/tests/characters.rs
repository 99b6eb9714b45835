//! What is promised of the built-in characters, and `data/characters` against them.
//!
//! `REBONE_BLESS=1 cargo test -p rebone-samples --test characters` writes `data/characters` anew.

use rebone_samples::{Character, characters};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

type V = nalgebra::Vector3<f64>;

static CHARACTERS: LazyLock<Vec<Character>> = LazyLock::new(characters);

#[test]
fn data_is_what_the_generator_writes_and_nothing_else() {
    let bless = std::env::var_os("REBONE_BLESS").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/characters");
    let mut size = 0;
    for character in CHARACTERS.iter() {
        let path = folder.join(character.file_name);
        size += character.bytes.len();
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &character.bytes).unwrap();
        }
        let kept = std::fs::read(&path).unwrap_or_default();
        assert!(kept == character.bytes, "{} is not what the generator writes", path.display());
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, CHARACTERS.len(), "files in {}", folder.display());
    assert!(size < 1_500_000, "{size} bytes");
}

#[test]
fn characters_are_reproducible() {
    assert!(characters() == *CHARACTERS);
}

#[test]
fn meshes_are_of_moderate_size() {
    for character in CHARACTERS.iter() {
        let count = character.vertices.len();
        assert!((3000..=8000).contains(&count), "{}: {count} vertices", character.name);
    }
}

#[test]
fn meshes_are_closed_and_right_side_out() {
    for character in CHARACTERS.iter() {
        let mut edges: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        for &[a, b, c] in &character.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &edges {
            let back = edges.get(&(b, a)).copied().unwrap_or(0);
            let place = character.vertices[a].place;
            assert!(
                count == 1 && back == 1,
                "{}: edge {count} times, {back} times back, at {place}",
                character.name
            );
        }
        for (piece, volume) in volumes(character) {
            let place = character.vertices[piece].place;
            assert!(volume > 0.0, "{}: volume {volume} at {place}", character.name);
        }
    }
}

/// Signed volume of each connected piece, by its first vertex.
fn volumes(character: &Character) -> BTreeMap<usize, f64> {
    let mut piece: Vec<usize> = (0..character.vertices.len()).collect();
    fn root(piece: &mut [usize], mut k: usize) -> usize {
        while piece[k] != k {
            piece[k] = piece[piece[k]];
            k = piece[k];
        }
        k
    }
    for &[a, b, c] in &character.triangles {
        for (a, b) in [(a, b), (b, c)] {
            let (a, b) = (root(&mut piece, a), root(&mut piece, b));
            piece[a.max(b)] = a.min(b);
        }
    }
    let mut volumes = BTreeMap::new();
    for &[a, b, c] in &character.triangles {
        let [pa, pb, pc] = [a, b, c].map(|k| character.vertices[k].place);
        *volumes.entry(root(&mut piece, a)).or_default() += pa.dot(&pb.cross(&pc)) / 6.0;
    }
    volumes
}

#[test]
fn weights_add_up_and_name_joints() {
    for character in CHARACTERS.iter() {
        for vertex in &character.vertices {
            let sum: u32 = vertex.weights.iter().map(|&weight| u32::from(weight)).sum();
            assert_eq!(sum, 255, "{} at {}", character.name, vertex.place);
            let last = vertex.joints.iter().max().copied().unwrap_or(0);
            assert!(usize::from(last) < character.joints.len());
        }
    }
}

#[test]
fn characters_stand_on_the_floor() {
    for character in CHARACTERS.iter() {
        for sign in [1.0, -1.0] {
            let side = character.vertices.iter().filter(|vertex| vertex.place.x * sign > 0.0);
            let lowest = side.map(|vertex| vertex.place.y).fold(f64::INFINITY, f64::min);
            assert_eq!(lowest, 0.0, "{}", character.name);
        }
    }
}

/// Vertices with the joints below `joint` turned about an axis through it.
fn bent(character: &Character, joint: usize, axis: V, degrees: f64) -> Vec<V> {
    let turn = nalgebra::Rotation3::from_axis_angle(
        &nalgebra::Unit::new_normalize(axis),
        degrees.to_radians(),
    );
    let pivot = character.joints[joint].place;
    let mut moved = vec![false; character.joints.len()];
    for k in 0..moved.len() {
        moved[k] = k == joint || character.joints[k].parent.is_some_and(|parent| moved[parent]);
    }
    let blend = |vertex: &rebone_samples::CharacterVertex| {
        vertex.joints.iter().zip(&vertex.weights).fold(V::zeros(), |sum, (&j, &weight)| {
            let place = vertex.place;
            let there = if moved[usize::from(j)] { pivot + turn * (place - pivot) } else { place };
            sum + there * (f64::from(weight) / 255.0)
        })
    };
    character.vertices.iter().map(blend).collect()
}

/// Width along the hinge at the joint, and area of sections one radius to either side: what bending
/// leaves of them, the least of all. `sides`: −1 above the joint, 1 below; above a shoulder is the chest.
fn left_of_width(
    character: &Character,
    [joint, child]: [usize; 2],
    axis: V,
    degrees: f64,
    sides: &[f64],
) -> f64 {
    let (pivot, end) = (character.joints[joint].place, character.joints[child].place);
    let length = (end - pivot).norm();
    let line = (end - pivot) / length;
    let side = line.cross(&axis) / line.cross(&axis).norm();
    let near = |k: usize| {
        let q = character.vertices[k].place - pivot;
        let own = q - line * q.dot(&line);
        own.norm() < 0.45 * length
    };
    let all: Vec<usize> = (0..character.vertices.len()).filter(|&k| near(k)).collect();
    let along = |k: usize| (character.vertices[k].place - pivot).dot(&line);
    let extent = |places: &dyn Fn(usize) -> V, chosen: &[usize], d: V| {
        let values: Vec<f64> = chosen.iter().map(|&k| (places(k) - pivot).dot(&d)).collect();
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        high - values.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let rest = |k: usize| character.vertices[k].place;
    let posed = bent(character, joint, axis, degrees);
    let posed = |k: usize| posed[k];
    let slab = |middle: f64| -> Vec<usize> {
        all.iter().copied().filter(|&k| (along(k) - middle).abs() < 0.1 * length).collect()
    };
    let hinge = slab(0.0);
    let radius = 0.5 * extent(&rest, &hinge, axis);
    let turn = nalgebra::Rotation3::from_axis_angle(
        &nalgebra::Unit::new_normalize(axis),
        degrees.to_radians(),
    );
    let mut least = extent(&posed, &hinge, axis) / extent(&rest, &hinge, axis);
    for &way in sides {
        let across = if way < 0.0 { side } else { turn * side };
        let ring = slab(way * radius);
        least = least.min(extent(&posed, &ring, across) / extent(&rest, &ring, side));
        least = least.min(extent(&posed, &ring, axis) / extent(&rest, &ring, axis));
    }
    least
}

#[test]
fn knees_elbows_and_shoulders_keep_their_width() {
    const LIMBS: [(&str, [&str; 3], [&str; 3]); 5] = [
        (
            "person",
            ["mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"],
            ["mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"],
        ),
        ("broad", ["upperarm_l", "lowerarm_l", "hand_l"], ["thigh_l", "calf_l", "foot_l"]),
        ("child", ["upper_arm.L", "forearm.L", "hand.L"], ["thigh.L", "shin.L", "foot.L"]),
        (
            "toy",
            ["Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand"],
            ["Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot"],
        ),
        (
            "avatar",
            ["J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand"],
            ["J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot"],
        ),
    ];
    for (character, (name, arm, leg)) in CHARACTERS.iter().zip(LIMBS) {
        assert_eq!(character.name, name);
        let id = |name: &str| character.joints.iter().position(|j| j.name == name).unwrap();
        let [shoulder, elbow, wrist] = arm.map(id);
        let [_, knee, ankle] = leg.map(id);
        let kept = [
            ("elbow", left_of_width(character, [elbow, wrist], -V::y(), 120.0, &[-1.0, 1.0])),
            ("knee", left_of_width(character, [knee, ankle], V::x(), 120.0, &[-1.0, 1.0])),
            ("shoulder", left_of_width(character, [shoulder, elbow], -V::z(), 90.0, &[1.0])),
        ];
        for (joint, kept) in kept {
            assert!(kept > 0.85, "{name}: {joint} keeps {kept} of its width");
        }
    }
}
