//! Hierarchies that all programs read.

use nalgebra::Vector3;
use rebone_skeleton::bvh::Hierarchy;
use rebone_skeleton::{EndSite, Joint, JointId, Skeleton, SkeletonError};
use std::collections::BTreeMap;

/// Returns the hierarchy of a skeleton with unique names without blanks and an end site below each last joint, as all
/// programs read it.
///
/// ```
/// use rebone::export::clean_hierarchy;
/// use rebone::skeleton::bvh::{WriteOptions, write_clip};
/// let walk = rebone_samples::walk().motion;
/// let hierarchy = clean_hierarchy(&walk.skeleton)?;
/// let bytes = write_clip(Vec::new(), &hierarchy, &walk.clip, WriteOptions::default())?;
/// assert!(bytes.starts_with(b"HIERARCHY"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the joints are not a tree.
pub fn clean_hierarchy(skeleton: &Skeleton) -> Result<Hierarchy, SkeletonError> {
    let mut next_numbers = BTreeMap::new();
    let joints = skeleton.joints().iter().map(|joint| {
        let name = unique_name(&plain_name(&joint.name.to_string()), &mut next_numbers);
        Joint { name: name.into(), ..joint.clone() }
    });
    let joints: Vec<Joint> = joints.collect();
    let is_last = |id: &JointId| {
        skeleton.children(*id).next().is_none() && skeleton.end_sites_of(*id).next().is_none()
    };
    let added =
        skeleton.ids().filter(is_last).map(|parent| EndSite { parent, offset: Vector3::zeros() });
    let sites = skeleton.end_sites().iter().cloned().chain(added).collect();
    Ok(Hierarchy::from_skeleton(&Skeleton::new(joints, sites)?))
}

/// Replaces blanks, braces and control characters.
fn plain_name(name: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '{' | '}' | '\u{FFFD}');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if plain.is_empty() { "joint".to_owned() } else { plain }
}

/// Returns a name that is not in use; `next_numbers` holds the next number to try for each name in use.
fn unique_name(name: &str, next_numbers: &mut BTreeMap<String, usize>) -> String {
    let mut number = next_numbers.get(name).copied().unwrap_or(1);
    let numbered = |number| if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
    while next_numbers.contains_key(&numbered(number)) {
        number += 1;
    }
    next_numbers.insert(name.to_owned(), number + 1);
    let unique = numbered(number);
    next_numbers.entry(unique.clone()).or_insert(2);
    unique
}
