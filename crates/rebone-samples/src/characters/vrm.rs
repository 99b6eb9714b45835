//! The extension `VRMC_vrm` of VRM 1.0.

use super::skeleton::Rig;

/// JSON of the extension: who made the avatar, what may be done with it, and its humanoid bones.
pub(super) fn extension(name: &str, rig: &Rig) -> String {
    let mut bones =
        vec![("hips".to_owned(), rig.hips), ("neck".into(), rig.neck), ("head".into(), rig.head)];
    let spine = ["spine", "chest", "upperChest"];
    bones.extend(spine.iter().zip(&rig.spine).map(|(bone, &joint)| ((*bone).into(), joint)));
    for (side, word) in ["left", "right"].into_iter().enumerate() {
        let arm = ["Shoulder", "UpperArm", "LowerArm", "Hand"];
        let leg = ["UpperLeg", "LowerLeg", "Foot", "Toes"];
        let limbs = arm.iter().zip(&rig.arms[side]).chain(leg.iter().zip(&rig.legs[side]));
        bones.extend(limbs.map(|(bone, &joint)| (format!("{word}{bone}"), joint)));
        for (finger, joints) in FINGERS.iter().zip(&rig.fingers[side]) {
            let parts = match *finger {
                "Thumb" => ["Metacarpal", "Proximal", "Distal"],
                _ => ["Proximal", "Intermediate", "Distal"],
            };
            bones.extend(
                parts
                    .iter()
                    .zip(joints)
                    .map(|(part, &joint)| (format!("{word}{finger}{part}"), joint)),
            );
        }
    }
    let bones: Vec<String> =
        bones.iter().map(|(bone, joint)| format!(r#""{bone}":{{"node":{joint}}}"#)).collect();
    format!(
        r#"{{"specVersion":"1.0","meta":{{"name":"{name}","version":"1","authors":["rebone"],"licenseUrl":"https://vrm.dev/licenses/1.0/","avatarPermission":"everyone","allowExcessivelyViolentUsage":true,"allowExcessivelySexualUsage":false,"commercialUsage":"corporation","allowPoliticalOrReligiousUsage":true,"allowAntisocialOrHateUsage":false,"creditNotation":"unnecessary","allowRedistribution":true,"modification":"allowModificationRedistribution"}},"humanoid":{{"humanBones":{{{}}}}}}}"#,
        bones.join(",")
    )
}

const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];
