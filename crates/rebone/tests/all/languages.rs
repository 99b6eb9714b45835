//! Renaming: joints of arms, legs and fingers get names of another language, or nonsense, and have to get their roles back.
//!
//! Reads the files beside the folder that `REBONE_CORPUS` names, or says that it was skipped. The words are those that
//! people use; that some stand in `names.toml` and others do not is the point.

#![cfg(feature = "disk")]

use rebone::body::{Finger, Role, Roles, Side};
use rebone::skeleton::{Clip, Joint, Motion, Skeleton};
use rebone::{Character, Hints, Selection, analyse};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Least share of limb and finger joints that get their role back.
const MIN_LIMBS: f64 = 0.97;
const MIN_FINGERS: f64 = 0.95;

/// Skeletons, by folder beside the corpus.
const FILES: [&str; 20] = [
    "corpus/rigs/gltf/Soldier.glb",
    "corpus/rigs/gltf/Xbot.glb",
    "corpus/rigs/gltf/human-male.glb",
    "corpus/rigs/gltf/rpm-brunette-t.glb",
    "corpus/rigs/gltf/RobotExpressive.glb",
    "corpus/rigs/vrm/cryptovoxels-vrm0.vrm",
    "corpus/rigs/bvh/makehuman-default.bvh",
    "corpus/motions/cmu-daz/pirouette.bvh",
    "corpus/motions/mb-lab/walking.bvh",
    "corpus/motions/mixamo/Ortiz-Salsa_Dancing.bvh",
    "corpus/motions/zeroeggs/067_Speech_2_x_1_0.bvh",
    "corpus/motions/makehuman/zombieWalk1.bvh",
    "fresh/rigs/gltf/human-sophia.glb",
    "fresh/rigs/gltf/rpm-64f1.glb",
    "fresh/motions/perception-neuron/axis-neuron.bvh",
    "fresh2/rigs/vrm/Godette-vrm0.vrm",
    "fresh2/rigs/gltf/viverse-mannequin-plain.glb",
    "fresh2/rigs/gltf/npc25.glb",
    "fresh2/motions/hands/shoulder2-fingers65.bvh",
    "fresh2/motions/smplx/wham55.bvh",
];

/// A language: left and right; collar, upper arm, forearm, hand, thigh, shin, foot, toes; the fingers, thumb first.
struct Language {
    name: &'static str,
    sides: [&'static str; 2],
    limbs: [&'static str; 8],
    fingers: [&'static str; 5],
}

const LANGUAGES: [Language; 10] = [
    Language {
        name: "German",
        sides: ["L", "R"],
        limbs: ["Schulter", "Arm", "UnterArm", "Hand", "Bein", "UnterBein", "Fuss", "Zeh"],
        fingers: ["Daumen", "Zeigefinger", "Mittelfinger", "Ringfinger", "KleinerFinger"],
    },
    Language {
        name: "French",
        sides: ["G", "D"],
        limbs: ["epaule", "bras", "avant_bras", "main", "jambe", "mollet", "pied", "orteil"],
        fingers: ["pouce", "index", "majeur", "annulaire", "auriculaire"],
    },
    Language {
        name: "Spanish",
        sides: ["izq", "der"],
        limbs: ["Hombro", "Brazo", "Antebrazo", "Mano", "Pierna", "Espinilla", "Pie", "Punta"],
        fingers: ["Pulgar", "Indice", "Corazon", "Anular", "Menique"],
    },
    Language {
        name: "Italian",
        sides: ["Sx", "Dx"],
        limbs: ["spalla", "braccio", "avambraccio", "mano", "gamba", "stinco", "piede", "punta"],
        fingers: ["pollice", "indice", "medio", "anulare", "mignolo"],
    },
    Language {
        name: "Korean",
        sides: ["왼", "오른"],
        limbs: ["어깨", "팔", "팔뚝", "손", "다리", "정강이", "발", "발끝"],
        fingers: ["엄지", "검지", "중지", "약지", "새끼"],
    },
    Language {
        name: "Chinese",
        sides: ["左", "右"],
        limbs: ["肩膀", "大臂", "小臂", "手掌", "大腿", "小腿", "脚掌", "脚尖"],
        fingers: ["大拇指", "食指", "中指", "无名指", "小拇指"],
    },
    Language {
        name: "Turkish",
        sides: ["Sol", "Sag"],
        limbs: ["Omuz", "Kol", "OnKol", "El", "Bacak", "Baldir", "Ayak", "AyakUcu"],
        fingers: ["BasParmak", "IsaretParmak", "OrtaParmak", "YuzukParmak", "SerceParmak"],
    },
    Language {
        name: "Finnish",
        sides: ["V", "O"],
        limbs: ["olka", "kasivarsi", "kyynarvarsi", "kasi", "reisi", "saari", "jalka", "varvas"],
        fingers: ["peukalo", "etusormi", "keskisormi", "nimeton", "pikkusormi"],
    },
    Language {
        name: "Polish",
        sides: ["L", "P"],
        limbs: ["bark", "ramie", "przedramie", "dlon", "udo", "lydka", "stopa", "palce"],
        fingers: ["kciuk", "wskazujacy", "srodkowy", "serdeczny", "maly"],
    },
    Language {
        name: "Hindi",
        sides: ["बायां", "दायां"],
        limbs: ["कंधा", "बांह", "प्रकोष्ठ", "हाथ", "जांघ", "पिंडली", "पैर", "पंजा"],
        fingers: ["अंगूठा", "तर्जनी", "मध्यमा", "अनामिका", "कनिष्ठा"],
    },
];

impl Language {
    fn word(&self, role: Role) -> Option<(&'static str, Side)> {
        Some(match role {
            Role::Shoulder(side) => (self.limbs[0], side),
            Role::UpperArm(side) => (self.limbs[1], side),
            Role::LowerArm(side) => (self.limbs[2], side),
            Role::Hand(side) => (self.limbs[3], side),
            Role::UpperLeg(side) => (self.limbs[4], side),
            Role::LowerLeg(side) => (self.limbs[5], side),
            Role::Foot(side) => (self.limbs[6], side),
            Role::Toes(side) => (self.limbs[7], side),
            Role::Finger(side, finger) => (self.fingers[finger as usize], side),
            _ => return None,
        })
    }
}

/// Names of joints by their number.
fn renamed(skeleton: &Skeleton, name: impl Fn(usize) -> Option<String>) -> Skeleton {
    let joint = |(at, joint): (usize, &Joint)| match name(at) {
        Some(name) => Joint { name: name.as_str().into(), ..joint.clone() },
        None => joint.clone(),
    };
    let joints = skeleton.joints().iter().enumerate().map(joint).collect();
    Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap()
}

/// The name of a joint in a language: word, side, and a number for joints of a finger.
fn translated(language: &Language, roles: &Roles, at: usize) -> Option<String> {
    let role = roles.by_joint[at].as_ref()?.role;
    if is_twist(role) {
        return nonsense(roles, at);
    }
    let (word, side) = language.word(role)?;
    let number = roles.by_joint[..at].iter().flatten().filter(|other| other.role == role).count();
    let number =
        if matches!(role, Role::Finger(..)) { format!("{}", number + 1) } else { String::new() };
    Some(format!("{word}_{}{number}", language.sides[side.index()]))
}

/// Twist joints of a limb are often called as its joints.
fn is_twist(role: Role) -> bool {
    use Role::{LowerArmTwist, LowerLegTwist, UpperArmTwist, UpperLegTwist};
    matches!(role, UpperArmTwist(_) | LowerArmTwist(_) | UpperLegTwist(_) | LowerLegTwist(_))
}

fn nonsense(roles: &Roles, at: usize) -> Option<String> {
    let role = roles.by_joint[at].as_ref()?.role;
    let is_renamed = is_twist(role) || LANGUAGES[0].word(role).is_some();
    is_renamed.then(|| format!("qx{}", (at * 7919) % 10007))
}

/// Joints of limbs and of fingers: those that keep their role, and all.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    limbs: [usize; 2],
    fingers: [usize; 2],
}

impl Share {
    fn add(&mut self, wanted: &Roles, found: Option<&Roles>) {
        for (at, assigned) in wanted.by_joint.iter().enumerate() {
            let Some(role) = assigned.as_ref().map(|assigned| assigned.role) else { continue };
            let count = match role {
                Role::Finger(..) => &mut self.fingers,
                Role::UpperArm(_) | Role::LowerArm(_) | Role::Hand(_) => &mut self.limbs,
                Role::UpperLeg(_) | Role::LowerLeg(_) | Role::Foot(_) => &mut self.limbs,
                _ => continue,
            };
            let found = found.and_then(|roles| Some(roles.by_joint[at].as_ref()?.role));
            count[0] += usize::from(found == Some(role));
            count[1] += 1;
        }
    }

    fn of([kept, all]: [usize; 2]) -> f64 {
        kept as f64 / all.max(1) as f64
    }
}

#[test]
fn joints_of_any_language_get_their_roles_back() {
    let Some(corpus) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let folder = corpus.parent().unwrap();
    let mut shares: BTreeMap<(bool, String), Share> = BTreeMap::new();
    for file in FILES {
        let path = folder.join(file);
        let Ok(character) = Character::open(&path, Selection::default()) else {
            panic!("{file} cannot be read");
        };
        let skeleton = character.skeleton().clone();
        for with_clip in [false, true] {
            let clip = match with_clip {
                true => character.clip().clone(),
                false => Clip::new(&skeleton, 1.0 / 30.0),
            };
            if with_clip && clip.len() < 2 {
                continue;
            }
            let of = |skeleton: Skeleton| {
                analyse(&Motion { skeleton, clip: clip.clone() }, &Hints::default())
            };
            let wanted =
                of(skeleton.clone()).unwrap_or_else(|error| panic!("{file}: {error}")).roles;
            let mut check = |kind: String, skeleton: Skeleton| {
                let found = of(skeleton);
                let share = shares.entry((with_clip, kind)).or_default();
                share.add(&wanted, found.as_ref().ok().map(|anatomy| &anatomy.roles));
            };
            for language in &LANGUAGES {
                let name = |at| translated(language, &wanted, at);
                check(language.name.to_owned(), renamed(&skeleton, name));
                let half = |at: usize| name(at).filter(|_| (at * 7919 / 13).is_multiple_of(2));
                check(format!("half {}", language.name), renamed(&skeleton, half));
            }
            check("nonsense".into(), renamed(&skeleton, |at| nonsense(&wanted, at)));
            let half =
                |at: usize| nonsense(&wanted, at).filter(|_| (at * 7919 / 13).is_multiple_of(2));
            check("half nonsense".into(), renamed(&skeleton, half));
        }
    }
    for with_clip in [false, true] {
        let mut all = Share::default();
        for (_, share) in shares.iter().filter(|((own, _), _)| *own == with_clip) {
            for (sum, own) in [(&mut all.limbs, share.limbs), (&mut all.fingers, share.fingers)] {
                (0..2).for_each(|at| sum[at] += own[at]);
            }
        }
        let [limbs, fingers] = [all.limbs, all.fingers].map(Share::of);
        let of =
            format!("with clip {with_clip}: limbs {limbs:.3}, fingers {fingers:.3}: {shares:?}");
        assert!(limbs >= MIN_LIMBS && fingers >= MIN_FINGERS, "{of}");
    }
}

/// Fingers are counted as the roles have them.
#[test]
fn words_stand_for_all_fingers() {
    let hand =
        Finger::ALL.map(|finger| LANGUAGES[0].word(Role::Finger(Side::Left, finger)).unwrap().0);
    assert_eq!(hand, LANGUAGES[0].fingers);
}
