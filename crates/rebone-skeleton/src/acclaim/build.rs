//! The skeleton of an ASF: joints from bones.

use super::asf::{AsfText, Bone, Dof};
use super::error::{ReadError, ReadErrorKind};
use crate::bvh::error::{Warning, quoted};
use crate::bvh::nodes::{MAX_DEPTH, check_limit};
use crate::rotation::{direction, from_euler};
use crate::{Axis, EndSite, Joint, JointId, Skeleton};
use bstr::BString;
use nalgebra::{UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// The name of the root, in the hierarchy and in motions.
const ROOT: &[u8] = b"root";

/// The skeleton of an ASF, and how the frames of an AMC move it.
#[derive(Clone, Debug)]
pub struct Asf {
    skeleton: Skeleton,
    /// The joint of each bone by its name; `None` where the hierarchy does not have the bone.
    pub(super) joints: BTreeMap<BString, Option<JointId>>,
    /// The movement of each joint.
    pub(super) moves: Vec<Movement>,
    pub(super) is_radians: bool,
    warnings: Vec<Warning>,
}

/// Movement of a joint by the values of its bone.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    /// The axes in which values are measured: `parent_from_bone`.
    axes: UnitQuaternion<f64>,
    /// The axes of rotation in the order of multiplication.
    factors: Vec<Axis>,
    pub(super) dofs: Vec<Dof>,
}

/// Reads an ASF.
///
/// # Errors
/// When it is no ASF that can be read one way only; the message holds the line, what was found and what was expected.
pub fn parse_asf(bytes: &[u8]) -> Result<Asf, ReadError> {
    let (mut text, last_line) = AsfText::read(bytes)?;
    let missing = |expected| ReadErrorKind::MissingPart { expected }.at(last_line);
    if text.root.dofs.is_none() {
        return Err(missing(":root with a line order TX TY TZ RX RY RZ"));
    }
    if text.links.is_empty() {
        return Err(missing(":hierarchy with a line of the root and its bones"));
    }
    warn_of_moved_root(&mut text);
    let children = children(&text)?;
    let mut build = Build::new(&text);
    build.add_all(&text, &children)?;
    let Build { joints, end_sites, moves, of_bones } = build;
    if moves.iter().all(|own| own.dofs.is_empty()) {
        return Err(missing("at least one dof: nothing can move"));
    }
    let skeleton = Skeleton::new(joints, end_sites)
        .expect("there is one root, and children are met behind their parents");
    let mut names = BTreeMap::from([(BString::from(ROOT), Some(JointId(0)))]);
    for (bone, joint) in std::mem::take(&mut text.bones).into_iter().zip(of_bones) {
        let name = quoted(&bone.name);
        if joint.is_none() {
            text.warn(bone.line, format!("bone {name} is not below the root: left out"));
        } else if bone.dofs.contains(&Dof::Along) {
            text.warn(bone.line, format!("bone {name} moves along itself (dof l): left out"));
        }
        names.insert(bone.name, joint);
    }
    let (is_radians, warnings) = (text.is_radians, text.warnings);
    Ok(Asf { skeleton, joints: names, moves, is_radians, warnings })
}

impl Asf {
    /// The skeleton, at rest where all values are zero, in the file's unit and axes.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Parts of the file that were left out, or on which programs differ.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl Movement {
    /// The rotation, and the offset from the rest position, of values: one for each degree of freedom.
    pub(super) fn transform(
        &self,
        values: &[f64],
        is_radians: bool,
    ) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let (mut angles, mut offset) = ([0.0; 3], Vector3::zeros());
        for (dof, &value) in self.dofs.iter().zip(values) {
            match *dof {
                Dof::Rotation(axis) => angles[axis.index()] = radians(value, is_radians),
                Dof::Translation(axis) => offset[axis.index()] = value,
                Dof::Along => {}
            }
        }
        let mut turned = [0.0; 3];
        for (turned, axis) in turned.iter_mut().zip(&self.factors) {
            *turned = angles[axis.index()];
        }
        let rotation = from_euler(&self.factors, &turned);
        if self.axes == UnitQuaternion::identity() {
            return (rotation, offset);
        }
        (self.axes * rotation * self.axes.inverse(), self.axes * offset)
    }

    fn new(
        axes: UnitQuaternion<f64>,
        order: impl DoubleEndedIterator<Item = Axis>,
        dofs: &[Dof],
    ) -> Self {
        Self { axes, factors: order.rev().collect(), dofs: dofs.to_vec() }
    }

    fn joint(&self, name: &[u8], parent: Option<JointId>, at: Vector3<f64>) -> Joint {
        let has = |kind: fn(&Dof) -> bool| self.dofs.iter().any(kind);
        let moves = has(|dof| matches!(dof, Dof::Translation(_)));
        let turns = has(|dof| matches!(dof, Dof::Rotation(_)));
        // Bones turn about their own axes, which as a rule are none of the joint's.
        let others = || Axis::ALL.into_iter().filter(|axis| !self.factors.contains(axis));
        Joint {
            name: name.into(),
            parent,
            rest_translation: at,
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: if moves { Axis::ALL.to_vec() } else { Vec::new() },
            rotation_axes: match turns {
                true => self.factors.iter().copied().chain(others()).collect(),
                false => Vec::new(),
            },
        }
    }
}

/// Finds the bones below each bone, the last entry being those below the root.
fn children(text: &AsfText) -> Result<Vec<Vec<usize>>, ReadError> {
    let mut indices = BTreeMap::from([(BString::from(ROOT), text.bones.len())]);
    for (index, bone) in text.bones.iter().enumerate() {
        if bone.name.is_empty() {
            let (line, expected) = ("name", "a line name and the bone's name");
            let bone_name = quoted(&bone.name);
            return Err(
                ReadErrorKind::MissingLine { bone: bone_name, line, expected }.at(bone.line)
            );
        }
        if indices.insert(bone.name.clone(), index).is_some() {
            let place = "in the skeleton";
            return Err(
                ReadErrorKind::RepeatedBone { bone: quoted(&bone.name), place }.at(bone.line)
            );
        }
    }
    let mut children = vec![Vec::new(); text.bones.len() + 1];
    let mut has_parent = vec![false; text.bones.len() + 1];
    has_parent[text.bones.len()] = true;
    for link in &text.links {
        let index = |name: &BString| {
            let advice = ": each name of the hierarchy needs a bone in :bonedata";
            let unknown = || ReadErrorKind::UnknownBone { bone: quoted(name), advice };
            indices.get(name).copied().ok_or_else(|| unknown().at(link.line))
        };
        let parent = index(&link.parent)?;
        for child in &link.children {
            let own = index(child)?;
            if std::mem::replace(&mut has_parent[own], true) {
                let place = "behind one parent in the hierarchy";
                return Err(
                    ReadErrorKind::RepeatedBone { bone: quoted(child), place }.at(link.line)
                );
            }
            children[parent].push(own);
        }
    }
    Ok(children)
}

/// Joints while they are made.
struct Build {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    moves: Vec<Movement>,
    /// The joint of each bone of the text.
    of_bones: Vec<Option<JointId>>,
}

impl Build {
    /// The root alone.
    fn new(text: &AsfText) -> Self {
        let dofs = text.root.dofs.as_deref().unwrap_or_default();
        let rotations = dofs.iter().filter_map(|dof| match dof {
            Dof::Rotation(axis) => Some(*axis),
            _ => None,
        });
        let axes = turned(&text.root.orientation, &text.root.order, text.is_radians);
        let root = Movement::new(axes, rotations, dofs);
        Self {
            joints: vec![root.joint(ROOT, None, text.root.position)],
            end_sites: Vec::new(),
            moves: vec![root],
            of_bones: vec![None; text.bones.len()],
        }
    }

    /// Adds all bones below the root, depth first.
    fn add_all(&mut self, text: &AsfText, children: &[Vec<usize>]) -> Result<(), ReadError> {
        let all = |bones: &[usize], parent, end, depth| -> Vec<_> {
            bones.iter().rev().map(|&bone| (bone, parent, end, depth)).collect()
        };
        let root = text.bones.len();
        let mut open = all(&children[root], JointId(0), Vector3::zeros(), 2);
        while let Some((index, parent, at, depth)) = open.pop() {
            let bone = &text.bones[index];
            let limit = check_limit("bones nested more deeply", depth, MAX_DEPTH);
            limit.map_err(|kind| ReadErrorKind::from(kind).at(bone.line))?;
            let (joint, end) =
                self.add(text, bone, parent, at).map_err(|kind| kind.at(bone.line))?;
            self.of_bones[index] = Some(joint);
            if children[index].is_empty() {
                self.end_sites.push(EndSite { parent: joint, offset: end });
            }
            open.extend(all(&children[index], joint, end, depth + 1));
        }
        Ok(())
    }

    /// Adds a bone whose joint is at `at`; returns the joint, and the end of the bone.
    fn add(
        &mut self,
        text: &AsfText,
        bone: &Bone,
        parent: JointId,
        at: Vector3<f64>,
    ) -> Result<(JointId, Vector3<f64>), ReadErrorKind> {
        let missing = |line, expected| {
            let bone = quoted(&bone.name);
            ReadErrorKind::MissingLine { bone, line, expected }
        };
        let length = bone.length.ok_or_else(|| missing("length", "a line length and a number"))?;
        let along = bone.direction.ok_or_else(|| missing("direction", "a line direction x y z"))?;
        if !bone.dofs.is_empty() && bone.axes.is_none() {
            return Err(missing("axis", "a line axis with three angles and their order"));
        }
        let base = self.moves[0].axes;
        let end = match direction(&along) {
            Some(along) => base * (along.into_inner() * length),
            None if length == 0.0 => Vector3::zeros(),
            None => return Err(ReadErrorKind::NoDirection { bone: quoted(&bone.name) }),
        };
        let axes = turned(&bone.axes.unwrap_or_default(), &bone.order, text.is_radians);
        let movement = Movement::new(base * axes, bone.order.iter().copied(), &bone.dofs);
        let joint = JointId(self.joints.len());
        self.joints.push(movement.joint(&bone.name, Some(parent), at));
        self.moves.push(movement);
        Ok((joint, end))
    }
}

/// The rotation by angles about X, Y and Z, in an order about fixed axes.
fn turned(angles: &Vector3<f64>, order: &[Axis], is_radians: bool) -> UnitQuaternion<f64> {
    let angle = |axis: Axis| radians(angles[axis.index()], is_radians);
    let order = if order.is_empty() { &Axis::ALL } else { order };
    let factors: Vec<Axis> = order.iter().rev().copied().collect();
    let angles: Vec<f64> = factors.iter().map(|&axis| angle(axis)).collect();
    from_euler(&factors, &angles)
}

fn radians(angle: f64, is_radians: bool) -> f64 {
    if is_radians { angle } else { angle.to_radians() }
}

fn warn_of_moved_root(text: &mut AsfText) {
    if let Some(line) = text.root.moved {
        let message = "position and orientation of the root are not zero, and programs differ in what they mean: read as \
                       the frame in which the root moves";
        text.warn(line, message.to_owned());
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Pose;
    use crate::acclaim::parse_amc;
    use crate::forward_kinematics;

    /// A root, a thigh below it, and a shin whose axes are turned by 90 degrees about Y: its x is the world's -z.
    pub(in crate::acclaim) const LEG: &str = "# A leg
:version 1.10
:name leg
:units
  mass 1.0
  length 0.5
  angle deg
:documentation
  order of the bones, begin and end
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -2 0
    length 2
    axis 0 0 0 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70, 70.0)
           (-inf inf)
  end
  begin
    name shin
    direction 0 -1 0
    length 3
    axis 0 90 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root thigh
    thigh shin
  end
";

    /// The positions of the joints, and of the end sites behind them, in the first frame.
    fn positions(asf: &str, amc: &str) -> Vec<Vector3<f64>> {
        let asf = parse_asf(asf.as_bytes()).unwrap();
        let pose = parse_amc(amc.as_bytes(), &asf).unwrap().clip.pose(0).unwrap();
        ends(asf.skeleton(), &pose)
    }

    fn ends(skeleton: &Skeleton, pose: &Pose) -> Vec<Vector3<f64>> {
        let world = forward_kinematics(skeleton, pose).unwrap();
        let sites = skeleton.end_sites().iter().map(|site| {
            let parent = site.parent.index();
            world.positions[parent] + world.rotations[parent] * site.offset
        });
        world.positions.iter().copied().chain(sites).collect()
    }

    fn assert_near(found: &[Vector3<f64>], expected: &[[f64; 3]]) {
        let is_near =
            found.iter().zip(expected).all(|(a, b)| (a - Vector3::from(*b)).norm() < 1e-12);
        assert!(is_near && found.len() == expected.len(), "{found:?}");
    }

    #[test]
    fn bones_lie_along_their_directions_at_rest() {
        let asf = parse_asf(LEG.as_bytes()).unwrap();
        let skeleton = asf.skeleton();
        let names: Vec<String> = skeleton.joints().iter().map(|own| own.name.to_string()).collect();
        assert_eq!(names, ["root", "thigh", "shin"]);
        assert!(skeleton.joints().iter().all(|own| own.rest_rotation.angle() == 0.0));
        let expected = [[0.0; 3], [0.0; 3], [0.0, -2.0, 0.0], [0.0, -5.0, 0.0]];
        assert_near(&ends(skeleton, &skeleton.rest_pose()), &expected);
        assert_eq!(asf.warnings(), []);
        assert_eq!(skeleton.joints()[1].rotation_axes, [Axis::Z, Axis::Y, Axis::X]);
    }

    #[test]
    fn bones_turn_about_their_own_axes() {
        let amc = "1\nroot 0 9 0 0 0 0\nthigh 90 0 0\nshin 90\n";
        let expected = [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 9.0, -2.0], [-3.0, 9.0, -2.0]];
        assert_near(&positions(LEG, amc), &expected);
        // About the fixed axes X, then Z: the thigh goes to -z, and stays there.
        let amc = "1\nroot 0 9 0 0 0 0\nthigh 90 0 90\nshin 0\n";
        let expected = [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 9.0, -2.0], [0.0, 9.0, -5.0]];
        assert_near(&positions(LEG, amc), &expected);
        // About Z, then X: the thigh goes to +x, and stays there.
        let turned = LEG.replace("axis 0 0 0 XYZ", "axis 0 0 0 zxy");
        let expected = [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0], [2.0, 9.0, 0.0], [5.0, 9.0, 0.0]];
        assert_near(&positions(&turned, amc), &expected);
        // Values stand in the order of the dof.
        let listed = LEG.replace("dof rx ry rz", "dof rz ry rx");
        assert_near(
            &positions(&listed, amc),
            &[[0.0, 9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 9.0, -2.0], [0.0, 9.0, -5.0]],
        );
    }

    #[test]
    fn the_root_follows_its_order() {
        let amc = "1\nroot 90 0 90 1 2 3\nthigh 0 0 0\nshin 0\n";
        // About X, then Z.
        let root = LEG.replace("order TX TY TZ RX RY RZ", "order RX RY RZ TX TY TZ");
        assert_near(&positions(&root, amc)[2..], &[[1.0, 2.0, 1.0], [1.0, 2.0, -2.0]]);
        // About Z, then X.
        let root = LEG.replace("order TX TY TZ RX RY RZ", "order RZ RY RX TX TY TZ");
        assert_near(&positions(&root, amc)[2..], &[[3.0, 2.0, 3.0], [6.0, 2.0, 3.0]]);
    }

    #[test]
    fn a_root_with_position_and_orientation_is_a_frame_to_move_in() {
        let text = LEG.replace("position 0 0 0", "position 1 2 3");
        let text = text.replace("orientation 0 0 0", "orientation 0 90 0");
        // Its x is the world's -z, and its z the world's x.
        let amc = "1\nroot 1 0 0 0 0 90\nthigh 0 0 0\nshin 0\n";
        let expected = [[1.0, 2.0, 2.0], [1.0, 2.0, 2.0], [1.0, 2.0, 0.0], [1.0, 2.0, -3.0]];
        assert_near(&positions(&text, amc), &expected);
        let asf = parse_asf(text.as_bytes()).unwrap();
        assert_eq!(asf.warnings().len(), 1, "{:?}", asf.warnings());
    }

    #[test]
    fn positions_of_bones_are_measured_in_their_axes() {
        let text = LEG.replace("axis 0 90 0 XYZ\n    dof rx", "axis 0 90 0 XYZ\n    dof l tx");
        let amc = "1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin 7 1\n";
        assert_near(&positions(&text, amc)[2..], &[[0.0, -2.0, -1.0], [0.0, -5.0, -1.0]]);
        let asf = parse_asf(text.as_bytes()).unwrap();
        let [warning] = asf.warnings() else { panic!("{:?}", asf.warnings()) };
        assert!(
            warning.line == 27 && warning.message.contains("\"shin\" moves along"),
            "{warning}"
        );
        let shin = &asf.skeleton().joints()[2];
        assert_eq!((shin.translation_axes.len(), shin.rotation_axes.len()), (3, 0));
    }

    #[test]
    fn radians_are_those_of_the_file() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let text = LEG
            .replace("angle deg", "angle rad")
            .replace("axis 0 90 0", &format!("axis 0 {quarter} 0"));
        let expected = [[0.0, -2.0, 0.0], [-3.0, -2.0, 0.0]];
        let amc = format!("1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin {quarter}\n");
        assert_near(&positions(&text, &amc)[2..], &expected);
        assert_near(&positions(LEG, &format!(":radians\n{amc}"))[2..], &expected);
        assert_near(
            &positions(&text, ":DEGREES\n1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin 90\n")[2..],
            &expected,
        );
    }

    #[test]
    fn faults_name_line_found_and_expected() {
        for (from, to, message) in [
            ("# A leg\n:version", "leg\n:version", "line 1: found \"leg\", expected :version"),
            ("angle deg", "angle turns", "line 7: found \"turns\", expected deg or rad"),
            ("  order TX TY TZ RX RY RZ\n", "", "expected :root with a line order"),
            ("order TX", "order TX TX", "line 11: found \"TX\", expected each dof once"),
            ("dof rx\n", "dof rw\n", "found \"rw\", expected tx, ty, tz, rx, ry, rz or l"),
            ("direction 0 -1 0", "direction 0 -1", "found \"0 -1\", expected three numbers"),
            ("direction 0 -1 0", "direction 0 0 0", "\"shin\" has the direction 0 0 0"),
            ("direction 0 -1 0", "direction 0 nan 0", "found \"nan\", expected a finite number"),
            ("length 3", "length -3", "line 30: found \"-3\", expected a length of at least 0"),
            ("    thigh shin\n  end\n", "    thigh shin\n", "expected end behind the hierarchy"),
            (
                ":name leg",
                ":DEGREES",
                "line 3: found \":DEGREES\", expected a keyword of a skeleton",
            ),
            ("    length 3\n", "", "line 27: bone \"shin\" has no length"),
            ("    axis 0 90 0 XYZ\n", "", "bone \"shin\" has no axis"),
            (
                "axis 0 90 0 XYZ",
                "axis 0 90 0 XXZ",
                "found \"XXZ\", expected an order of X, Y and Z",
            ),
            ("axis 0 90 0 XYZ", "axis 0 90 0", "expected three angles and their order"),
            ("    name shin\n", "", "line 27: bone \"\" has no name"),
            ("name shin", "name thigh", "found bone \"thigh\" for the second time"),
            ("thigh shin\n", "thigh shin foot\n", "line 37: found bone \"foot\", expected one of"),
            ("thigh shin\n", "thigh shin shin\n", "expected it once behind one parent"),
            ("thigh shin\n", "shin root\n", "found bone \"root\" for the second time"),
            ("  end\n:hierarchy", ":hierarchy", "found \":hierarchy\", expected end"),
            ("    root thigh\n    thigh shin\n", "", "expected :hierarchy with a line"),
        ] {
            assert!(LEG.contains(from), "{from}");
            let error = parse_asf(LEG.replace(from, to).as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(parse_asf(b"").is_err());
        assert!(
            parse_asf(
                LEG.replace("    thigh shin\n  end\n", "    thigh shin\n")
                    .replace(":hierarchy\n  begin\n", ":hierarchy\n")
                    .as_bytes()
            )
            .is_ok()
        );
        for motion in [":FULLY-SPECIFIED\n:DEGREES\n1\n", ":radians\n", "1\nroot 0 9\n"] {
            let error = parse_asf(motion.as_bytes()).unwrap_err().to_string();
            assert!(error.ends_with("this is a motion, not a skeleton"), "{error}");
        }
    }

    #[test]
    fn bones_below_no_root_are_left_out() {
        let text = LEG.replace("thigh shin\n", "shin\n");
        let asf = parse_asf(text.as_bytes()).unwrap();
        assert_eq!((asf.skeleton().len(), asf.skeleton().end_sites().len()), (2, 1));
        assert_eq!(asf.warnings().len(), 1);
        let amc = "1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin 1\n";
        assert_eq!(positions(&text, amc).len(), 3);
        let circle =
            LEG.replace("root thigh", "root").replace("thigh shin", "thigh shin\nshin thigh");
        assert_eq!(parse_asf(circle.as_bytes()).unwrap().skeleton().len(), 1);
    }

    #[test]
    fn deep_trees_are_refused_and_not_walked() {
        let mut text = LEG.split("  begin").next().unwrap().to_owned();
        for bone in 0..2000 {
            text += &format!("begin\nname b{bone}\ndirection 0 1 0\nlength 1\nend\n");
        }
        text += ":hierarchy\nroot b0\n";
        for bone in 1..2000 {
            text += &format!("b{} b{bone}\n", bone - 1);
        }
        let error = parse_asf(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("bones nested more deeply, expected at most 1000"), "{error}");
    }
}
