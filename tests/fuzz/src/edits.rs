//! What bytes do to a figure.

use crate::figure::{Figure, Node};
use arbitrary::{Result, Unstructured};

/// More joints would only take time.
const JOINTS: usize = 160;

/// The longest chains that one edit adds: mostly, and now and then.
const CHAINS: [usize; 2] = [8, 120];

/// Names of many conventions, and what breaks them.
const NAMES: [&[u8]; 48] = [
    b"Hips",
    b"hip",
    b"pelvis",
    b"Spine",
    b"spine_01",
    b"Chest",
    b"Neck",
    b"Head",
    b"HeadTop_End",
    b"LeftShoulder",
    b"RightShoulder",
    b"LeftArm",
    b"RightArm",
    b"LeftForeArm",
    b"RightForeArm",
    b"LeftHand",
    b"RightHand",
    b"LeftUpLeg",
    b"RightUpLeg",
    b"LeftLeg",
    b"RightLeg",
    b"LeftFoot",
    b"RightFoot",
    b"LeftToeBase",
    b"RightToeBase",
    b"LeftHandThumb1",
    b"RightHandIndex2",
    b"LeftHandPinky3",
    b"upperarm_twist_01_l",
    b"lCollar",
    b"rShldr",
    b"lThigh",
    b"Bip01 L Thigh",
    b"mixamorig:LeftLeg",
    b"J_Bip_R_UpperLeg",
    b"LHipJoint",
    b"Tail1",
    b"Hair",
    b"prop",
    b"Site",
    b"End Site",
    b"",
    b"#3",
    b"a/b",
    b"\xff\xfe",
    b"\x83\x7b{",
    b"}",
    b"\xe5\xb7\xa6\xe8\x85\x95",
];

/// Numbers that break formulas: the last are more than a reader takes.
const NUMBERS: [f64; 24] = [
    0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e-30, 1e-12, 1e-9, -1e-6, 0.01, 10.0, 45.0, 89.999_999,
    90.0, -90.0, 180.0, 360.0, 1e4, -1e6, 1e9, -1e12, 1e12, 1e13,
];

/// One change.
pub(crate) fn edit(figure: &mut Figure, bytes: &mut Unstructured) -> Result<()> {
    let node = bytes.choose_index(figure.nodes.len())?;
    match bytes.int_in_range(0..=15)? {
        0 => drop_below(figure, node),
        1 => bypass(figure, node),
        2 => insert(figure, node, bytes)?,
        3 => add(figure, node, bytes)?,
        4 => add_chain(figure, node, bytes)?,
        5 => figure.nodes[node].offset = place(bytes)?,
        6 => scale(figure, node, bytes)?,
        7 => figure.nodes[node].channels = channels(bytes)?,
        8 => figure.nodes[node].name = name(bytes)?,
        9 => swap_names(figure, node, bytes)?,
        10 => set_values(figure, node, bytes)?,
        11 => hang(figure, node, bytes)?,
        12 => set_sites(figure, node, bytes)?,
        13 => turn_axes(figure, bytes)?,
        14 => copy_below(figure, node),
        _ => rename_all(figure, bytes)?,
    }
    Ok(())
}

fn number(bytes: &mut Unstructured) -> Result<f64> {
    Ok(match bytes.int_in_range(0..=3)? {
        0 => *bytes.choose(&NUMBERS)?,
        1 => f64::from(bytes.arbitrary::<i8>()?),
        2 => f64::from(bytes.arbitrary::<i16>()?) / 128.0,
        _ => Some(bytes.arbitrary::<f64>()?).filter(|number| number.abs() < 1e12).unwrap_or(1.5),
    })
}

fn place(bytes: &mut Unstructured) -> Result<[f64; 3]> {
    match bytes.ratio(1, 4)? {
        true => Ok([0.0; 3]),
        false => Ok([number(bytes)?, number(bytes)?, number(bytes)?]),
    }
}

fn name(bytes: &mut Unstructured) -> Result<Vec<u8>> {
    if bytes.ratio(7, 8)? {
        return Ok(bytes.choose(&NAMES)?.to_vec());
    }
    let length = bytes.int_in_range(0..=12)?;
    let name = bytes.bytes(length.min(bytes.len()))?;
    Ok(name.iter().copied().filter(|byte| !b"\r\n".contains(byte)).collect())
}

/// Any of the six in any order, mostly three rotations.
fn channels(bytes: &mut Unstructured) -> Result<Vec<usize>> {
    let mut left: Vec<usize> = if bytes.ratio(1, 3)? { (0..6).collect() } else { (3..6).collect() };
    let mut channels = Vec::new();
    for _ in 0..bytes.int_in_range(0..=left.len())? {
        channels.push(left.swap_remove(bytes.choose_index(left.len())?));
    }
    Ok(channels)
}

fn node(parent: usize, bytes: &mut Unstructured) -> Result<Node> {
    let (name, offset, channels) = (name(bytes)?, place(bytes)?, channels(bytes)?);
    Ok(Node { name, parent, offset, channels, ..Node::default() })
}

fn drop_below(figure: &mut Figure, above: usize) {
    if above > 0 {
        let stays: Vec<bool> = figure.below(above).into_iter().map(|below| !below).collect();
        figure.keep(&stays);
    }
}

fn bypass(figure: &mut Figure, lost: usize) {
    if lost > 0 {
        let stays: Vec<bool> = (0..figure.nodes.len()).map(|index| index != lost).collect();
        figure.keep(&stays);
    }
}

/// A new node between one and its children.
fn insert(figure: &mut Figure, above: usize, bytes: &mut Unstructured) -> Result<()> {
    let new = node(above, bytes)?;
    figure.nodes.insert(above + 1, new);
    for node in &mut figure.nodes[above + 2..] {
        node.parent += usize::from(node.parent >= above);
    }
    Ok(())
}

fn add(figure: &mut Figure, parent: usize, bytes: &mut Unstructured) -> Result<()> {
    let new = node(parent, bytes)?;
    figure.nodes.push(new);
    figure.nodes.truncate(JOINTS);
    Ok(())
}

fn add_chain(figure: &mut Figure, parent: usize, bytes: &mut Unstructured) -> Result<()> {
    let link = node(parent, bytes)?;
    let longest = CHAINS[usize::from(bytes.ratio(1, 16)?)];
    for at in 0..bytes.int_in_range(1..=longest)? {
        let parent = if at == 0 { parent } else { figure.nodes.len() - 1 };
        figure.nodes.push(Node { parent, ..link.clone() });
    }
    figure.nodes.truncate(JOINTS);
    Ok(())
}

fn scale(figure: &mut Figure, above: usize, bytes: &mut Unstructured) -> Result<()> {
    let by = number(bytes)?;
    for (node, below) in figure.below(above).into_iter().enumerate() {
        let node = &mut figure.nodes[node];
        let places = std::iter::once(&mut node.offset).chain(&mut node.sites);
        places.filter(|_| below).flatten().for_each(|x| *x *= by);
    }
    Ok(())
}

fn swap_names(figure: &mut Figure, one: usize, bytes: &mut Unstructured) -> Result<()> {
    let other = bytes.choose_index(figure.nodes.len())?;
    let name = std::mem::take(&mut figure.nodes[one].name);
    figure.nodes[one].name = std::mem::replace(&mut figure.nodes[other].name, name);
    Ok(())
}

fn set_values(figure: &mut Figure, node: usize, bytes: &mut Unstructured) -> Result<()> {
    let count = figure.nodes[node].channels.len();
    let frame = |bytes: &mut Unstructured| (0..count).map(|_| number(bytes)).collect();
    figure.nodes[node].values = (0..figure.frames).map(|_| frame(bytes)).collect::<Result<_>>()?;
    Ok(())
}

/// Hangs a node on another that stands before it.
fn hang(figure: &mut Figure, node: usize, bytes: &mut Unstructured) -> Result<()> {
    if node > 0 {
        figure.nodes[node].parent = bytes.choose_index(node)?;
    }
    Ok(())
}

fn set_sites(figure: &mut Figure, node: usize, bytes: &mut Unstructured) -> Result<()> {
    let count = bytes.int_in_range(0..=2)?;
    figure.nodes[node].sites = (0..count).map(|_| place(bytes)).collect::<Result<_>>()?;
    Ok(())
}

/// Other axes for all places, mirrored or not.
fn turn_axes(figure: &mut Figure, bytes: &mut Unstructured) -> Result<()> {
    let (by, mirror) = (bytes.int_in_range(0..=2)?, bytes.arbitrary::<bool>()?);
    for node in &mut figure.nodes {
        for place in std::iter::once(&mut node.offset).chain(&mut node.sites) {
            place.rotate_left(by);
            place[0] *= if mirror { -1.0 } else { 1.0 };
        }
    }
    Ok(())
}

/// The node and all below it once more.
fn copy_below(figure: &mut Figure, above: usize) {
    let below = figure.below(above);
    let mut places = vec![figure.nodes[above].parent; below.len()];
    for index in (above..below.len()).filter(|&index| below[index]) {
        let mut copy = figure.nodes[index].clone();
        copy.parent = places[copy.parent.max(above)];
        if index == above {
            copy.parent = figure.nodes[above].parent;
        }
        places[index] = figure.nodes.len();
        figure.nodes.push(copy);
    }
    figure.nodes.truncate(JOINTS);
}

/// Numbers for names, one name for all, or a part of each name lost.
fn rename_all(figure: &mut Figure, bytes: &mut Unstructured) -> Result<()> {
    let (how, one, cut) = (bytes.int_in_range(0..=2)?, name(bytes)?, bytes.int_in_range(0..=9)?);
    for (index, node) in figure.nodes.iter_mut().enumerate() {
        match how {
            0 => node.name = format!("j{index}").into_bytes(),
            1 => node.name.clone_from(&one),
            _ => drop(node.name.drain(..cut.min(node.name.len()))),
        }
    }
    Ok(())
}
