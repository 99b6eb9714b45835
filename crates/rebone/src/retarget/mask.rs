//! The mask of a job.

use super::added_root::AddedRoot;
use crate::align::Plan;
use crate::clip::BodyMask;
use crate::error::Error;
use rebone_body::Character;
use std::sync::Arc;

/// The mask of options that leave a part of the rig as it is.
pub(super) fn mask(
    plan: &Plan,
    target: &Character,
    added_root: Option<&AddedRoot>,
) -> Result<Option<BodyMask>, Error> {
    let options = &plan.options;
    let base = match &options.base {
        None => None,
        Some(name) => {
            let clip = target.with_clip(name.as_str())?.clip().clone();
            if clip.is_empty() {
                let path = target.path().display();
                return Err(Error::Conflict(format!("{path}: {name:?} has no frames")));
            }
            Some(Arc::new(added_root.map(|root| root.clip(&clip)).unwrap_or(clip)))
        }
    };
    let is_whole = base.is_none() && options.only.is_empty();
    Ok((!is_whole).then(|| BodyMask::new(plan, base, &options.only)))
}
