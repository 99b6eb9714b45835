//! Self-contacts of a result beside those of its source, by the two clips alone.

use crate::align::Plan;
use crate::contacts::Contact;
use crate::error::RetargetError;
use crate::math::for_all;
use crate::quality::{BodyTrace, FRAME_TIMES, TrackedJoints};
use crate::report::KeptContact;
use crate::self_contact::ContactSlack;
use crate::surface::SurfacePair;
use rebone_body::body::surface::Surface;
use rebone_body::body::turn_and_scale;
use rebone_body::calibrate::begins_with_reference;
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};
use std::borrow::Cow;

/// Returns the self-contacts of a source with what a result keeps of each, and those of the result, each detected by itself,
/// in the order of hands and frames.
///
/// Contacts that involve a body without a mesh are found on a surface that is a guess: those with other parts than the other arm
/// have 0.4 of their confidence, and up to all of it where a hand rests at the end of a bent arm. There are none of toys without a mesh. Where the target has no mesh to turn arms by, that is
/// the reason ("no mesh") of a slack in place of "pose". The result may come from any program; what it should have kept, as by a
/// file of contacts, is not known here.
///
/// ```
/// let [walk, rig] = [rebone_samples::walk(), rebone_samples::rigs().remove(0)].map(|sample| sample.motion);
/// let [source, target] = [&walk, &rig].map(|motion| rebone::analyse(motion, &rebone::Hints::default()));
/// let plan = rebone::align(&source?, &target?, &rebone::Options::default());
/// let input = rebone::ClipInput::new(&plan.source, &walk.clip);
/// let (clip, _) = rebone::retarget_clip(&plan, &input)?;
/// let (kept, found) = rebone::compare_self_contacts(&plan, &walk.clip, &clip)?;
/// assert!(kept.is_empty() && found.is_empty(), "arms that swing touch nothing");
/// # Ok::<(), rebone::RetargetError>(())
/// ```
///
/// # Errors
/// When the clips are no motions of the plan's skeletons.
pub fn compare_self_contacts(
    plan: &Plan,
    source: &Clip,
    result: &Clip,
) -> Result<(Vec<KeptContact>, Vec<Contact>), RetargetError> {
    plan.check_source(source)?;
    result.check_for(&plan.target.skeleton)?;
    let (frames, frame_time) = (0..source.len().min(result.len()), source.frame_time);
    let Some(pair) = surfaces(plan).filter(|_| FRAME_TIMES.contains(&frame_time)) else {
        return Ok(Default::default());
    };
    let clips = [source, result];
    let world_at = |body: usize, frame: usize| world(plan, body, (clips[body], frame));
    let bodies = [&plan.source, &plan.target];
    let trace = BodyTrace::of(plan, &TrackedJoints::new(plan), 0, source, frames.len());
    let pieces = trace.tracks.segments(begins_with_reference(&plan.source, source));
    let all = Vec::from_iter(frames);
    let [found, of_result] = [0, 1].map(|body| {
        let hands = for_all(&all, |frame| {
            let at = pair.transforms(bodies[body], body, &world_at(body, *frame));
            pair.near_hands(body, &at)
        });
        let mut found = pair.find_contacts(&[0, 1], &hands, &pieces, frame_time);
        found.sort_by_key(|own| (own.part, own.frames.start, own.on));
        found
    });
    let mut slacks = vec![ContactSlack::default(); found.len()];
    for frame in all.into_iter().filter(|frame| found.iter().any(|own| own.frames.contains(frame)))
    {
        let source = pair.transforms(bodies[0], 0, &world_at(0, frame));
        let target = pair.transforms_beside(&source, bodies[1], &world_at(1, frame));
        let touches = pair.slacks([&source, &target]);
        ContactSlack::add(&mut slacks, &found, frame, &touches);
    }
    let mut kept = KeptContact::of_hands(&found, &slacks);
    if plan.surfaces().is_none() && !plan.is_same_rig() {
        let posed = kept.iter_mut().filter(|own| own.reason == Some("pose"));
        posed.for_each(|own| own.reason = Some("no mesh"));
    }
    Ok((kept, of_result))
}

/// Returns the surfaces of both bodies, usual ones where they have no skin.
fn surfaces(plan: &Plan) -> Option<Cow<'_, SurfacePair>> {
    if let Some(own) = plan.surfaces() {
        return Some(Cow::Borrowed(own));
    }
    let bodies = [&plan.source, &plan.target];
    let surfaces = bodies.map(Surface::of);
    let surfaces = surfaces.each_ref().map(|own| own.as_ref());
    SurfacePair::to_compare(bodies, surfaces).map(Cow::Owned)
}

/// Returns a frame of the clip of a body in the inner world.
fn world(plan: &Plan, body: usize, (clip, frame): (&Clip, usize)) -> WorldPose {
    let anatomy = [&plan.source, &plan.target][body];
    let inner = [plan.inner_from_source, plan.inner_from_target][body];
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    poses::update(&mut world, &anatomy.skeleton, &poses::pose(clip, frame));
    turn_and_scale(&mut world, &inner, anatomy.metres_per_unit());
    world
}
