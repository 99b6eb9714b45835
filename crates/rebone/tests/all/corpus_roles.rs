//! The roles of real files: reads the folder that `REBONE_CORPUS` names, or says that it was skipped.

use rebone::AnalysisError;
use rebone::body::{Role, Roles};
use rebone::card::Card;
use rebone::roles::{assign_other_roles, assign_roles};
use rebone::skeleton::bvh;
use rebone::skeleton::bvh::Document;
use rebone::skeleton::{Joint, Skeleton, WorldPose, forward_kinematics};
use std::path::{Path, PathBuf};

const LR: [&str; 2] = ["Left", "Right"];
const SHORT: [&str; 2] = ["L", "R"];
const SMALL: [&str; 2] = ["l", "r"];
const MIXAMORIG: [&str; 2] = ["mixamorig:Left", "mixamorig:Right"];

/// Folder, first letters of the file, the words for `{}`, and who plays hips, last of the spine and
/// head; then collar, upper arm, forearm and hand; then thigh, shin, foot and toes; `-` for nobody.
type Row = (&'static str, &'static str, [&'static str; 2], [&'static str; 3]);

const HIK: [&str; 2] = ["{}Shoulder {}Arm {}ForeArm {}Hand", "{}UpLeg {}Leg {}Foot {}ToeBase"];
const MAX: &str = "{}Collar {}Shoulder {}Elbow {}Wrist";
const DAZ: [&str; 2] = ["{}Collar {}Shldr {}ForeArm {}Hand", "{}Thigh {}Shin {}Foot -"];

const EXPECTED: &[Row] = &[
    ("accad", "", LR, ["Hips Spine1 Head", HIK[0], HIK[1]]),
    (
        "bandai-namco",
        "",
        SHORT,
        [
            "Hips Chest Head",
            "Shoulder_{} UpperArm_{} LowerArm_{} Hand_{}",
            "UpperLeg_{} LowerLeg_{} Foot_{} Toes_{}",
        ],
    ),
    ("boxing", "", LR, ["Hips Chest Head", MAX, "{}Hip {}Knee {}Ankle {}Toes"]),
    ("cmu-3dsmax", "", LR, ["Hips Chest2 Head", MAX, "{}Hip {}Knee {}Ankle {}Toe"]),
    (
        "cmu-cc",
        "",
        SHORT,
        [
            "CC_Base_Pelvis CC_Base_Spine02 CC_Base_Head",
            "CC_Base_{}_Clavicle CC_Base_{}_Upperarm CC_Base_{}_Forearm CC_Base_{}_Hand",
            "CC_Base_{}_Thigh CC_Base_{}_Calf CC_Base_{}_Foot CC_Base_{}_ToeBase",
        ],
    ),
    ("cmu-cgspeed", "", LR, ["Hips Spine1 Head", HIK[0], HIK[1]]),
    ("cmu-daz", "02_02", LR, ["Hip Chest Head", MAX, "{}Hip {}Knee {}Ankle -"]),
    ("cmu-daz", "", SMALL, ["hip chest head", DAZ[0], DAZ[1]]),
    ("cmu-uniform", "", LR, ["Hips Spine1 Head", HIK[0], HIK[1]]),
    ("fair1", "", LR, ["Hips Spine3 Head", HIK[0], HIK[1]]),
    ("lafan1", "", LR, ["Hips Spine2 Head", HIK[0], "{}UpLeg {}Leg {}Foot {}Toe"]),
    (
        "makehuman",
        "",
        SHORT,
        [
            "Hips Spine3 Head",
            "Clavicle_{} UpArm_{} LoArm_{} Hand_{}",
            "UpLeg_{} LoLeg_{} Foot_{} Toe_{}",
        ],
    ),
    (
        "mb-lab",
        "",
        SHORT,
        [
            "pelvis spine03 head",
            "clavicle_{} upperarm_{} lowerarm_{} hand_{}",
            "thigh_{} calf_{} foot_{} toes_{}",
        ],
    ),
    (
        "mixamo",
        "Beta",
        ["Beta:Left", "Beta:Right"],
        ["Beta:Hips Beta:Spine2 Beta:Head", HIK[0], HIK[1]],
    ),
    ("mixamo", "", MIXAMORIG, ["mixamorig:Hips mixamorig:Spine2 mixamorig:Head", HIK[0], HIK[1]]),
    ("mocapbank", "", LR, ["Hips Chest2 Head", MAX, "{}Hip {}Knee {}Ankle -"]),
    ("pfnn", "", LR, ["Hips Spine1 Head", HIK[0], HIK[1]]),
    ("rokoko", "", LR, ["Hips Spine2 Head", HIK[0], HIK[1]]),
    ("second-life", "", SMALL, ["hip chest head", DAZ[0], DAZ[1]]),
    ("sfu", "", LR, ["Hips Spine1 Head", HIK[0], HIK[1]]),
    (
        "smpl",
        "",
        ["Left_", "Right_"],
        [
            "Pelvis Spine3 Head",
            "{}collar {}shoulder {}elbow {}wrist",
            "{}hip {}knee {}ankle {}foot",
        ],
    ),
    ("walk24", "", LR, ["Hips Spine1 Head", HIK[0], "{}UpLeg {}Leg {}Foot -"]),
    ("xsens", "", LR, ["Hips Chest4 Head", MAX, "{}Hip {}Knee {}Ankle {}Toe"]),
    ("zeroeggs", "", LR, ["Hips Spine3 Head", HIK[0], HIK[1]]),
    ("bvh", "Geno", LR, ["Hips Spine3 Head", HIK[0], HIK[1]]),
    (
        "bvh",
        "makehuman",
        SHORT,
        [
            "root spine01 head",
            "clavicle.{} upperarm01.{} lowerarm01.{} wrist.{}",
            "upperleg01.{} lowerleg01.{} foot.{} -",
        ],
    ),
];

const TRUNK: [&str; 3] = ["hips", "spine", "head"];
const LIMBS: [&str; 8] =
    ["Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"];

#[allow(clippy::print_stderr)]
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("REBONE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: REBONE_CORPUS is not set");
    }
    folder
}

/// All BVH files in the folders of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let folders = list(folder).into_iter().filter(|path| path.is_dir());
    let all = folders.flat_map(|folder| list(&folder));
    all.filter(|path| path.extension().is_some_and(|ending| ending == "bvh")).collect()
}

fn poses(document: &Document) -> Vec<WorldPose> {
    let clip = &document.motion.clip;
    let step = (clip.len() / 40).max(1);
    let skeleton = &document.motion.skeleton;
    clip.poses().step_by(step).map(|pose| forward_kinematics(skeleton, &pose).unwrap()).collect()
}

fn role(side: &str, part: &str) -> Role {
    Role::from_name(&format!("{side}{part}")).unwrap()
}

fn assert_roles(path: &Path, skeleton: &Skeleton, roles: &Roles) {
    let folder = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
    let file = path.file_name().unwrap().to_string_lossy();
    let row = EXPECTED.iter().find(|row| row.0 == folder && file.starts_with(row.1));
    let (_, _, words, names) = row.unwrap_or_else(|| panic!("nothing is expected of {folder}"));
    let player = |role: Role| {
        let joint = roles.joints(role).last();
        joint.map_or("-".to_string(), |joint| skeleton[joint].name.to_string())
    };
    for (part, name) in TRUNK.iter().zip(names[0].split(' ')) {
        assert_eq!(player(role("", part)), name, "{file}: {part}");
    }
    for (side, word) in ["left", "right"].into_iter().zip(words) {
        let names = names[1].split(' ').chain(names[2].split(' '));
        for (part, name) in LIMBS.iter().zip(names) {
            let name = name.replace("{}", word);
            assert_eq!(player(role(side, part)), name, "{file}: {side}{part}");
        }
    }
    for known in roles.by_joint.iter().flatten() {
        assert!(known.confidence >= 0.75, "{file}: {known:?}");
    }
}

/// A card written and read back says the same.
fn assert_card(path: &Path, skeleton: &Skeleton, roles: &Roles) {
    let card = Card::parse(&Card::of(skeleton, roles).to_toml()).unwrap();
    let again = assign_other_roles(skeleton, &[], &card.resolve_roles(skeleton).unwrap());
    let again = again.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for id in skeleton.ids() {
        assert_eq!(again.of(id), roles.of(id), "{}", path.display());
    }
}

#[test]
fn roles_of_all_conventions() {
    let Some(corpus) = corpus() else { return };
    let mut people = 0;
    for path in [files(&corpus.join("motions")), files(&corpus.join("rigs"))].concat() {
        let document = bvh::parse(&std::fs::read(&path).unwrap()).unwrap();
        let skeleton = &document.motion.skeleton;
        let kind = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
        match (assign_roles(skeleton, &poses(&document)), &*kind) {
            (Err(AnalysisError::Animal { evidence }), "dog") => assert_eq!(evidence.len(), 3),
            (Err(AnalysisError::NoLimbs { missing }), "truebones") => {
                assert_eq!(missing, ["no left upper arm", "no right upper arm"]);
            }
            (Err(error), _) => panic!("{}: {error}", path.display()),
            (Ok(roles), _) => {
                people += 1;
                assert_roles(&path, skeleton, &roles);
                assert_card(&path, skeleton, &roles);
            }
        }
    }
    assert_eq!(people, 53);
}

/// What names alone can tell: eyes, jaws, and helpers beside a bone.
fn needs_a_name(role: Option<Role>) -> bool {
    use Role::{Eye, Jaw, LowerArmTwist, LowerLegTwist, UpperArmTwist, UpperLegTwist};
    let beside = |role| {
        matches!(role, UpperArmTwist(_) | LowerArmTwist(_) | UpperLegTwist(_) | LowerLegTwist(_))
    };
    role.is_some_and(|role| matches!(role, Eye(_) | Jaw) || beside(role))
}

/// The fingers that names tell, and those that are another without names.
fn nameless_fingers(path: &Path, skeleton: &Skeleton, poses: &[WorldPose]) -> (usize, usize) {
    let (mut count, mut wrong) = (0, 0);
    let Ok(named) = assign_roles(skeleton, poses) else { return (0, 0) };
    let bare = |joint: &Joint| Joint { name: "x".into(), ..joint.clone() };
    let joints = skeleton.joints().iter().map(bare).collect();
    let nameless = Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap();
    let guessed = assign_roles(&nameless, poses);
    let guessed = guessed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for id in skeleton.ids() {
        let (role, guess) = (named.of(id), guessed.of(id));
        let is_finger = matches!(role.or(guess), Some(Role::Finger(..)));
        count += usize::from(is_finger);
        if guess == role || guess.is_none() && needs_a_name(role) {
            continue;
        }
        let name = &skeleton[id].name;
        assert!(is_finger, "{}: {name} is {role:?}, not {guess:?}", path.display());
        let sure = guessed.by_joint[id.index()].as_ref().map_or(0.0, |guess| guess.confidence);
        assert!(sure < 0.5, "{}: {name} is {role:?}, not {guess:?}", path.display());
        wrong += 1;
    }
    (count, wrong)
}

/// All roles of the body are found again, left and right, when all names are taken away, from a clip
/// and from its first frame alone; and nearly all fingers.
#[test]
fn limbs_without_names() {
    let Some(corpus) = corpus() else { return };
    let (mut count, mut wrong) = (0, 0);
    for path in [files(&corpus.join("motions")), files(&corpus.join("rigs"))].concat() {
        let document = bvh::parse(&std::fs::read(&path).unwrap()).unwrap();
        let poses = poses(&document);
        for poses in [&poses[..], &poses[..1]] {
            let (fingers, others) = nameless_fingers(&path, &document.motion.skeleton, poses);
            count += fingers;
            wrong += others;
        }
    }
    assert!(count > 1500 && wrong * 50 <= count, "{wrong} of {count} fingers are wrong");
}

#[test]
fn what_is_no_humanoid_is_refused() {
    let Some(corpus) = corpus() else { return };
    for name in
        ["debug-axes", "no-end-site", "rotation-first-root", "long-frame-time", "unbalanced-braces"]
    {
        let path = corpus.join("nasty").join(name).with_extension("bvh");
        let document = bvh::parse(&std::fs::read(&path).unwrap()).unwrap();
        let result = assign_roles(&document.motion.skeleton, &poses(&document));
        assert!(matches!(result, Err(AnalysisError::NoLimbs { .. })), "{name}");
    }
}
