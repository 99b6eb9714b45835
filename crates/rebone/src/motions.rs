//! A retarget from motion to motion, without files.

use crate::align::{Plan, align};
use crate::clip::{ClipInput, retarget_clip};
use crate::error::RetargetError;
use crate::options::Options;
use crate::report::Report;
use rebone_body::analyse::{Hints, analyse_pair};
use rebone_skeleton::{Clip, Motion};

/// The result of [`retarget_motions`].
#[derive(Clone, Debug)]
pub struct RetargetedMotion {
    /// The source's motion on the target's skeleton.
    pub clip: Clip,
    /// Goals, contacts, limits and verdict.
    pub report: Report,
    /// The analysis of both bodies, and how they correspond.
    pub plan: Plan,
}

/// Retargets `source` onto the skeleton of `target`, whose own motion only helps to calibrate it. Options that concern
/// files, frames and parts of the body are left out.
///
/// ```
/// let walk = rebone_samples::walk().motion;
/// let rig = rebone_samples::rigs().remove(0).motion;
/// let result = rebone::retarget_motions(&walk, &rig, &rebone::Options::default())?;
/// assert_eq!(result.clip.len(), walk.clip.len());
/// # Ok::<(), rebone::RetargetError>(())
/// ```
///
/// # Errors
/// When one of the two is not recognised as a humanoid.
pub fn retarget_motions(
    source: &Motion,
    target: &Motion,
    options: &Options,
) -> Result<RetargetedMotion, RetargetError> {
    let unknown = Hints::default();
    let analysed = analyse_pair([source, target], [&unknown, &unknown], &[])?;
    let plan = align(&analysed.anatomies[0], &analysed.anatomies[1], options);
    let (clip, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip))?;
    Ok(RetargetedMotion { clip, report, plan })
}
