//! A retarget from motion to motion, with all that the tests look at.

use rebone::skeleton::{Clip, Motion};
use rebone::{
    ClipInput, Hints, Options, Plan, Report, RetargetError, align, analyse_pair, retarget_clip,
};

/// The result of [`retarget_motions`].
#[derive(Clone, Debug)]
pub(crate) struct RetargetedMotion {
    pub(crate) clip: Clip,
    pub(crate) report: Report,
    pub(crate) plan: Plan,
}

/// Retargets `source` onto the skeleton of `target`, whose own motion only helps to calibrate it.
pub(crate) fn retarget_motions(
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
