//! Source and target with one skeleton.

use rebone_body::body::Anatomy;
use rebone_skeleton::Joint;

/// Returns whether two skeletons are one: joints, their parents and their rest translations.
pub(super) fn is_same_rig(source: &Anatomy, target: &Anatomy) -> bool {
    let [source, target] = [source, target].map(|own| own.skeleton.joints());
    let is_same = |(a, b): (&Joint, &Joint)| {
        (&a.name, a.parent, a.rest_translation) == (&b.name, b.parent, b.rest_translation)
    };
    source.len() == target.len() && source.iter().zip(target).all(is_same)
}
