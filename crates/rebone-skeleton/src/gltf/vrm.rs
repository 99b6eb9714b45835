//! Humanoid bones that VRM files name.

use super::json::Extensions;

/// The bones of a VRM file: their names in VRM 1.0, and their nodes.
///
/// VRM 0.x called the joints of the thumb by the names that the next ones have now: its Proximal is the
/// Metacarpal of VRM 1.0, its Intermediate the Proximal (`VRMC_vrm-1.0`, `humanoid.md`).
pub(super) fn humanoid(extensions: &Extensions) -> Vec<(String, usize)> {
    if let Some(vrm) = &extensions.vrm1 {
        return vrm
            .humanoid
            .human_bones
            .iter()
            .map(|(name, bone)| (name.clone(), bone.node))
            .collect();
    }
    let Some(vrm) = &extensions.vrm0 else { return Vec::new() };
    let bones = vrm.humanoid.human_bones.iter();
    bones.filter_map(|own| Some((renamed(&own.bone), usize::try_from(own.node).ok()?))).collect()
}

fn renamed(name: &str) -> String {
    match name {
        "leftThumbProximal" => "leftThumbMetacarpal".into(),
        "leftThumbIntermediate" => "leftThumbProximal".into(),
        "rightThumbProximal" => "rightThumbMetacarpal".into(),
        "rightThumbIntermediate" => "rightThumbProximal".into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<(String, usize)> {
        humanoid(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn thumbs_of_both_versions_are_the_same() {
        let old = r#"{"VRM":{"humanoid":{"humanBones":[
            {"bone":"leftThumbProximal","node":3},{"bone":"leftThumbIntermediate","node":4},
            {"bone":"leftThumbDistal","node":5},{"bone":"hips","node":1},{"bone":"jaw","node":-1}]}}}"#;
        let new = r#"{"VRMC_vrm":{"humanoid":{"humanBones":{"hips":{"node":1},
            "leftThumbMetacarpal":{"node":3},"leftThumbProximal":{"node":4},
            "leftThumbDistal":{"node":5}}}}}"#;
        let (mut old, mut new) = (read(old), read(new));
        old.sort();
        new.sort();
        assert_eq!(old, new);
        assert_eq!(read("{}"), []);
    }
}
