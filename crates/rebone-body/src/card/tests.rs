use super::*;
use crate::body::{Assigned, Finger, Side};
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::bstr::BString;
use rebone_skeleton::selector::SelectorError;
use rebone_skeleton::{Axis, Joint};

/// A skeleton of names and parents.
fn skeleton(joints: &[(&[u8], Option<usize>)]) -> Skeleton {
    let joint = |&(name, parent): &(&[u8], Option<usize>)| Joint {
        name: BString::from(name),
        parent: parent.map(JointId),
        rest_translation: Vector3::zeros(),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Vec::new(),
        rotation_axes: Vec::new(),
    };
    Skeleton::new(joints.iter().map(joint).collect(), Vec::new()).unwrap()
}

fn fault(text: &str) -> (usize, String) {
    let error = Card::parse(text).unwrap_err();
    (error.line, error.message)
}

#[test]
fn a_card_is_read() {
    let card = Card::parse(
        "up = \"+Z\" # the file's\nfacing = \"-y\"\nunit = \"cm\"\npose_from = \"tpose.bvh:3\"\n\n[roles]\n\
         hips = \"pelvis\"\nspine = [\"a\", \"b\"]\nleftToes = []\n\n[limits]\n\
         \"arm.L\" = { swing_x = [0, 140.5] }\n[limits.hand]\nx = [-3, 4]\n",
    )
    .unwrap();
    assert_eq!(card.up, Some(SignedAxis { axis: Axis::Z, negative: false }));
    assert_eq!(card.facing.map(|axis| axis.to_string()).as_deref(), Some("-Y"));
    assert_eq!(card.unit, Some(0.01));
    assert_eq!(card.pose_from, Some(PoseFrom::File("tpose.bvh".into(), Some(3))));
    let roles: Vec<_> = card.roles.iter().map(|r| (r.role, r.joints.len(), r.line)).collect();
    let toes = Role::Toes(Side::Left);
    assert_eq!(roles, [(Role::Hips, 1, 7), (Role::Spine, 2, 8), (toes, 0, 9)]);
    assert_eq!(card.limits[0].joint, "arm.L");
    assert_eq!(card.limits[0].value, [("swing_x".to_string(), [0.0, 140.5])]);
    assert_eq!(card.limits[1].value, [("x".to_string(), [-3.0, 4.0])]);
    assert_eq!(Card::parse("").unwrap(), Card::default());
    assert_eq!(Card::parse("pose_from = \"rest\"").unwrap().pose_from, Some(PoseFrom::Rest));
    let windows = Card::parse("pose_from = 'C:\\a.bvh'").unwrap().pose_from;
    assert_eq!(windows, Some(PoseFrom::File("C:\\a.bvh".into(), None)));
}

#[test]
fn every_fault_has_its_line() {
    let (line, text) = fault("up = \"+Y\"\nroles = {");
    assert_eq!(line, 2, "{text}");
    assert_eq!(fault("\nupp = 1"), (2, "\"upp\" is no key; nearest: up".into()));
    assert_eq!(
        fault("[roles]\nleftFoot = \"a\"\nleftUperArm = \"b\""),
        (3, "\"leftUperArm\" is no role; nearest: leftUpperArm, leftLowerArm, leftUpperLeg".into())
    );
    for (text, nearest) in [
        ("leftArm", "leftLowerArm, leftUpperArm, leftLowerArmTwist"),
        ("right_leg", "rightLowerLeg, rightUpperLeg, rightLowerLegTwist"),
        ("Twist", "leftLowerArmTwist, leftLowerLegTwist, leftUpperArmTwist"),
        ("hed", "head"),
    ] {
        let said = format!("{text:?} is no role; nearest: {nearest}");
        assert_eq!(fault(&format!("[roles]\n{text} = \"a\"")), (2, said));
    }
    assert_eq!(
        fault("up = \"north\""),
        (1, "found \"north\", expected an axis such as \"+Z\"".into())
    );
    assert_eq!(
        fault("unit = 0"),
        (1, "found 0, expected \"m\", \"dm\", \"cm\", \"mm\", \"inch\", \"foot\" or metres".into())
    );
    assert_eq!(
        fault("[roles]\nhead = [\"a\", \"b\"]"),
        (2, "head is played by one joint, not by 2".into())
    );
    assert_eq!(
        fault("[roles]\nhead = 3"),
        (2, "found 3, expected a joint or a list of joints, in quotes".into())
    );
    assert_eq!(fault("[limits.a]\nyaw = [0, 1]").0, 2);
    assert_eq!(
        fault("[limits]\na = { x = [2, 1] }").1,
        "found [2, 1], expected two numbers in degrees from -360 to 360, the lower first"
    );
    for (range, most) in [
        ("swing_x = [360, 360]", 180),
        ("swing_z = [-190, 0]", 180),
        ("twist = [0, 361]", 360),
        ("x = [-inf, 0]", 360),
        ("y = [nan, nan]", 360),
    ] {
        let (line, said) = fault(&format!("[limits]\n\na = {{ {range} }}"));
        let expected = format!("expected two numbers in degrees from -{most} to {most}");
        assert!(line == 3 && said.contains(&expected), "{range}: {line} {said}");
    }
    let axis = "up +Y and facing -Y lie on one axis, expected two";
    assert_eq!(fault("facing = \"-y\"\n\nup = \"y\""), (3, axis.into()));
    assert_eq!(fault("roles = 1").1, "found 1, expected a table");
}

#[test]
fn joints_are_found_by_name_path_and_number() {
    let rig = skeleton(&[
        (b"Hips", None),
        (b"Left/Leg", Some(0)),
        (b"Site", Some(1)),
        (b"Spine", Some(0)),
        (b"Site", Some(3)),
        (b"\xff\xfe", Some(3)),
        (b"#2", Some(3)),
        (b"Site", Some(3)),
    ]);
    assert_eq!(resolve(&rig, "Spine"), Ok(JointId(3)));
    assert_eq!(resolve(&rig, "Left/Leg"), Ok(JointId(1)));
    assert_eq!(resolve(&rig, "Hips/Spine"), Ok(JointId(3)));
    assert_eq!(resolve(&rig, "#5"), Ok(JointId(5)));
    assert_eq!(resolve(&rig, "#2"), Ok(JointId(2)), "a number comes before a name");
    assert_eq!(select(&rig, JointId(6)), "Spine/#2");
    assert!(matches!(
        resolve(&rig, "Site"),
        Err(SelectorError::Ambiguous { joints, .. }) if joints == ["#2", "#4", "#7"]
    ));
    assert_eq!(
        resolve(&rig, "hip").unwrap_err().to_string(),
        "there is no joint \"hip\"; nearest: Hips"
    );
    assert_eq!(resolve(&rig, "#99").unwrap_err().to_string(), "there is no joint \"#99\"");
}

#[test]
fn a_joint_that_is_not_there_is_told_with_its_line() {
    let rig = skeleton(&[(b"Hips", None), (b"LeftArm", Some(0)), (b"LeftForeArm", Some(1))]);
    let cast =
        |text: &str| Card::parse(text).unwrap().resolve_roles(&rig).map_err(|e| e.to_string());
    assert_eq!(
        cast("[roles]\nleftLowerArm = \"LeftForearms\"").unwrap_err(),
        "line 2: there is no joint \"LeftForearms\"; nearest: LeftForeArm"
    );
    let other =
        "[roles]\nhips = \"pelvis\"\nspine = \"s1\"\nhead = \"skull\"\nleftFoot = \"foot.L\"";
    assert_eq!(
        cast(other).unwrap_err(),
        "line 2: there is no joint \"pelvis\"; the skeleton has no joint that the card names: it is the card of another rig"
    );
    assert_eq!(
        cast("[roles]\nhips = \"Hips\"\nspine = [\"#0\"]").unwrap_err(),
        "line 3: joint \"#0\" cannot be both hips and spine"
    );
    assert_eq!(cast("[roles]\nhead = []").unwrap(), [(Role::Head, vec![])]);
}

#[test]
fn roles_are_written_with_their_reasons() {
    let rig = skeleton(&[(b"Hips", None), (b"A \"b\"", Some(0)), (b"x\xffy", Some(1))]);
    let assigned = |role, runner_up| {
        let reason = "named\nso".to_string();
        Some(Assigned { role, confidence: 0.875, reason, runner_up })
    };
    let thumb = Role::Finger(Side::Left, Finger::Thumb);
    let roles = Roles {
        by_joint: vec![
            assigned(Role::Hips, Some(JointId(1))),
            assigned(Role::Head, None),
            assigned(thumb, None),
        ],
    };
    let mut card = Card::of(&rig, &roles);
    card.up = Some(SignedAxis { axis: Axis::Y, negative: false });
    card.generated.insert("up".into(), "0.9 from the rest pose".into());
    card.limits.push(JointEntry {
        joint: "A \"b\"".into(),
        value: vec![("swing_x".into(), [-1.5, 20.0])],
        line: 0,
    });
    let text = card.to_toml();
    assert_eq!(
        text,
        format!(
            "{}\n\n[limits]\n'A \"b\"' = {{ swing_x = [-1.5, 20.0] }}\n\n\
             [generated]  # rebone rewrites this part; delete it to have everything found anew\n\
             up = \"+Y\"  # 0.9 from the rest pose\n\n[generated.roles]\n\
             hips = \"Hips\"  # 0.88 named so; or A \"b\"\n\
             head = 'A \"b\"'  # 0.88 named so\n\
             leftThumb = [\"#2\"]  # 0.88 named so (x\u{fffd}y)\n",
            write::RULE.join("\n")
        )
    );
    let read = Card::parse(&text).unwrap();
    assert_eq!(read.resolve_roles(&rig).unwrap(), card.resolve_roles(&rig).unwrap());
    assert_eq!((read.up, read.limits[0].value.len()), (card.up, 1));
    assert_eq!(read.to_toml(), text);
}

#[test]
fn entries_of_the_user_go_before_generated_ones() {
    let rig =
        skeleton(&[(b"Hips", None), (b"Leg", Some(0)), (b"Foot", Some(1)), (b"Toe", Some(2))]);
    let generated = "\n[generated]\nup = \"+Y\"\nfacing = \"+Z\"  # 0.9 so\nconfidence = 0.5\n\
                     [generated.roles]\nhips = \"Hips\"\nleftFoot = \"Leg\"\nleftToes = \"Foot\"\n\
                     [generated.pose]\nLeg = [0, 0, 90]\nFoot = [0, 0, 9]\n\
                     [generated.axes]\nLeg = { x = \"x\", y = \"y\" }\nFoot = { x = \"x\", y = \"y\" }\n";
    let card = |user: &str| Card::parse(&format!("{user}{generated}")).unwrap();
    let roles = |card: &Card| card.resolve_roles(&rig).unwrap();
    let [foot, toes] = [Role::Foot(Side::Left), Role::Toes(Side::Left)];
    let all =
        vec![(Role::Hips, vec![JointId(0)]), (foot, vec![JointId(1)]), (toes, vec![JointId(2)])];
    assert_eq!(roles(&card("")), all);
    assert_eq!(card("").generated["facing"], "0.9 so");
    // The joint of a stated role is taken from the generated one, by whatever name.
    let stated = card("[roles]\nleftFoot = \"#2\"\n");
    assert_eq!(roles(&stated), [(foot, vec![JointId(2)]), all[0].clone()]);
    assert!(!stated.is_generated("roles", "leftFoot") && stated.is_generated("roles", "hips"));
    assert_eq!(roles(&card("[roles]\nleftToes = []\n"))[0], (toes, vec![]));
    // A stated axis takes away a generated one that does not go with it.
    let up = card("up = \"+Z\"\n");
    assert_eq!((up.up.map(|up| up.axis), up.facing), (Some(Axis::Z), None));
    let angles = |card: &Card| {
        let pose = card.posed(&rig).unwrap().unwrap();
        pose.rotations.iter().map(|turn| turn.angle().to_degrees().round()).collect::<Vec<_>>()
    };
    assert_eq!(angles(&card("")), [0.0, 90.0, 9.0, 0.0]);
    let turned = card("[pose]\n\"#1\" = [0, 0, 45]\nToe = [0, 0, 5]\n");
    assert_eq!((angles(&turned), turned.confidence), (vec![0.0, 45.0, 9.0, 5.0], None));
    assert_eq!(turned.axes.len(), 2);
    let axes = card("[axes]\n\"#1\" = { x = \"z\", y = \"y\" }\n").joint_axes(&rig).unwrap();
    assert!(axes.len() == 2 && axes[&JointId(1)].angle() > 1.0 && axes[&JointId(2)].angle() < 1e-9);
    let posed = card("pose_from = \"rest\"\n");
    assert_eq!((posed.pose.len(), posed.axes.len(), posed.confidence), (0, 0, None));
    let beside = "pose_from = \"rest\"\n[generated]\nconfidence = 0.5\n";
    assert_eq!(Card::parse(beside).unwrap().confidence, Some(0.5));
    assert_eq!(fault("\n[generated]\nunit = 3").0, 3);
    assert_eq!(fault("[generated.roles]\nhead = 3").0, 2);
}

#[test]
fn turns_and_frames_are_read() {
    let text = "[pose]\n\"arm.L\" = [0, 0, 90]\n[axes]\nhand = { x = \"-z\", y = [0, 2, 0] }\n";
    let card = Card::parse(text).unwrap();
    let quarter = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2);
    assert!(card.pose[0].value.angle_to(&quarter) < 1e-12);
    assert!((card.axes[0].value * Vector3::x() + Vector3::z()).norm() < 1e-12);
    assert!((card.axes[0].value * Vector3::y() - Vector3::y()).norm() < 1e-12);
    let two =
        "found { x = \"x\", y = \"-x\" }, expected two different directions: { x = …, y = … }";
    assert_eq!(fault("[axes]\na = { x = \"x\", y = \"-x\" }"), (2, two.into()));
    assert_eq!(fault("[axes]\na = { z = \"x\" }").0, 2);
    assert_eq!(fault("[pose]\n\na = [1, 2]").0, 3);
    let twice = "pose_from and [pose] both state the calibration pose: take one of them away";
    assert_eq!(fault("pose_from = \"rest\"\n[pose]\na = [1, 2, 3]"), (2, twice.into()));
}

proptest! {
    /// Any turn and any frame is read back to a billionth of a radian.
    #[test]
    fn rotations_are_read_back(turn in prop::array::uniform3(-3.0f64..3.0)) {
        let rotation = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
        let said = vec![JointEntry { joint: "a b".into(), value: rotation, line: 0 }];
        let card = Card { pose: said.clone(), axes: said, ..Card::default() };
        let read = Card::parse(&card.to_toml()).unwrap();
        for read in [&read.pose[0], &read.axes[0]] {
            prop_assert!(read.value.angle_to(&rotation) < 1e-9);
        }
    }

    /// Whatever the names, a joint's selector names that joint.
    #[test]
    fn selectors_are_read_back(
        joints in prop::collection::vec((prop::sample::select(vec![
            "a", "b", "#1", "#2", "a/b", "", "l\u{4e00}", "\u{fffd}", " x ", "quo\"te'\n",
        ]), any::<bool>(), 0usize..100), 1..12),
    ) {
        let named: Vec<(Vec<u8>, Option<usize>)> = joints.iter().enumerate().map(|(at, (name, odd, parent))| {
            let name = if *odd { [name.as_bytes(), b"\xff"].concat() } else { name.as_bytes().to_vec() };
            (name, (at > 0).then(|| parent % at.max(1)))
        }).collect();
        let borrowed: Vec<_> = named.iter().map(|(name, parent)| (&name[..], *parent)).collect();
        let rig = skeleton(&borrowed);
        for id in rig.ids() {
            prop_assert_eq!(resolve(&rig, &select(&rig, id)), Ok(id));
        }
        let card = Card {
            roles: vec![RoleEntry { role: Role::Spine, joints: rig.ids().map(|id| select(&rig, id)).collect(), line: 0 }],
            ..Card::default()
        };
        let read = Card::parse(&card.to_toml()).unwrap();
        prop_assert_eq!(read.resolve_roles(&rig).unwrap(), card.resolve_roles(&rig).unwrap());
    }
}

#[test]
fn keys_of_the_top_in_a_table_are_refused_with_their_place() {
    for (section, key, each) in [
        ("limits", "facing = \"+Z\"", "joint"),
        ("pose", "unit = 0.01", "joint"),
        ("axes", "up = \"z\"", "joint"),
        ("helpers", "up = \"+Z\"", "joint"),
        ("roles", "sole_height = 3", "role"),
    ] {
        let error = Card::parse(&format!("[{section}]\n{key}\n\n[generated]\n")).unwrap_err();
        let name = key.split(' ').next().unwrap();
        let expected = format!(
            "`{name}` stands in [{section}], where each line is a {each}: move it above [{section}]"
        );
        assert_eq!((error.line, error.message), (2, expected));
    }
    let joints = "[limits]\nup = { twist = [0, 1] }\n[pose]\nunit = [0, 0, 1]\n\
                  [axes]\nup = { x = \"+X\", y = \"+Y\" }\n[helpers]\nfacing = \"head\"\n";
    assert_eq!(Card::parse(joints).unwrap().helpers.len(), 1);
}
