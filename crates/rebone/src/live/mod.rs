//! Contacts in live use: detected and held frame by frame, without knowledge of later frames.

mod feet;

use crate::align::Plan;
use crate::contacts::{BodyPart, SupportTrajectories, TrackedPoints};
use crate::error::RetargetError;
use crate::frame::{PoseOffset, Retargeter};
use crate::self_contact::LiveArmTurns;
use feet::Foot;
use nalgebra::Vector3;
use rebone_skeleton::{ClipError, Pose};

/// Default of [`LiveContacts::with_blend`], seconds.
const BLEND_SECONDS: f64 = 0.1;
/// Contacts of feet and self-contacts of hands for a stream of frames, as from live motion capture.
///
/// A foot of the source that is near the floor and slow is held: its pivot on the target moves as the source's, scaled,
/// by inverse kinematics of the leg. When it leaves the floor, the offset fades out over the blend time. Only earlier
/// frames are used, so contacts begin some frames late and the root is not corrected; a whole clip is better retargeted
/// with [`retarget_clip`](crate::retarget_clip). The floor is flat: that of [`Options::floor`](crate::Options), or
/// the lowest point of the source's feet so far. A clip that walks in place has no contacts: its feet slide.
///
/// If the target has a mesh, or its card states girths, arms stay out of the body; if the source has a mesh too, hands touch what
/// the source's touch. They come there about 0.1 s late. [`Options::no_self_contact`](crate::Options) leaves them as they are.
///
/// [`Pair::plan`](crate::Pair::plan) plans for characters from files. `crates/rebone/examples/live.rs` streams between two
/// threads.
///
/// ```
/// use rebone::{Hints, LiveContacts, Options, Retargeter, align, analyse};
///
/// let walk = rebone_samples::walk().motion;
/// let rig = rebone_samples::rigs()[0].motion.clone();
/// let [source, target] = [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).expect("a body"));
/// let mut retargeter = Retargeter::new(align(&source, &target, &Options::default()))?;
/// let mut contacts = LiveContacts::new(retargeter.plan(), walk.clip.frame_time)?;
/// let (mut from, mut to) = (walk.skeleton.rest_pose(), rig.skeleton.rest_pose());
/// let mut held = 0;
/// for frame in 0..walk.clip.len() {
///     walk.clip.read(frame, &mut from);
///     contacts.frame(&mut retargeter, &from, &mut to)?;
///     held += contacts.held().iter().filter(|is_held| **is_held).count();
/// }
/// assert!(held > walk.clip.len() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveContacts {
    /// Tracked points of source and target.
    points: [TrackedPoints; 2],
    /// The last two frames of source and target before correction.
    tracks: [SupportTrajectories; 2],
    feet: [Foot; 2],
    arms: LiveArmTurns,
    /// Numbers of joints of the plan's skeletons.
    joints: [usize; 2],
    /// Height of the source's floor, inner world.
    floor: f64,
    is_floor_stated: bool,
    blend_seconds: f64,
}

impl LiveContacts {
    /// Allocates the memory for frames of `frame_time` seconds.
    ///
    /// # Errors
    /// If the frame time is no positive number.
    pub fn new(plan: &Plan, frame_time: f64) -> Result<Self, RetargetError> {
        if !(frame_time > 0.0 && frame_time.is_finite()) {
            return Err(ClipError::FrameTime(frame_time).into());
        }
        let points = TrackedPoints::of_plan(plan);
        let tracks =
            points.each_ref().map(|points| SupportTrajectories::new(points, frame_time, 3));
        let stated = plan.options.floor.map(|height| height * plan.source.metres_per_unit());
        Ok(Self {
            feet: BodyPart::FEET.map(|part| Foot::new(part, &tracks[0])),
            arms: LiveArmTurns::new(),
            joints: [plan.source.skeleton.len(), plan.target.skeleton.len()],
            floor: stated.unwrap_or(f64::INFINITY),
            is_floor_stated: stated.is_some(),
            blend_seconds: BLEND_SECONDS,
            points,
            tracks,
        })
    }

    /// Sets the time over which contacts of feet fade in and out, seconds.
    #[must_use]
    pub fn with_blend(self, seconds: f64) -> Self {
        Self { blend_seconds: seconds.max(0.0), ..self }
    }

    /// Forgets earlier frames, at a cut or a jump of the performer; the floor stays.
    pub fn reset(&mut self) {
        self.tracks.iter_mut().for_each(SupportTrajectories::clear);
        self.feet.iter_mut().for_each(Foot::reset);
        self.arms = LiveArmTurns::new();
    }

    /// Whether the left and the right foot are held.
    pub fn held(&self) -> [bool; 2] {
        self.feet.each_ref().map(|foot| foot.is_held)
    }

    /// Retargets one pose, holds the feet that are in contact, and keeps self-contacts of hands. Returns the distance that each
    /// foot is off its contact, metres of a 1.7 m body: more than 0 where the leg is too short. Allocates nothing unless
    /// a hand is near body or floor.
    ///
    /// # Errors
    /// As for [`Retargeter::frame`]; if `retargeter` has a plan of other skeletons.
    pub fn frame(
        &mut self,
        retargeter: &mut Retargeter,
        source: &Pose,
        target: &mut Pose,
    ) -> Result<[f64; 2], RetargetError> {
        let Plan { source: from, target: to, .. } = retargeter.plan();
        for (anatomy, expected) in [from, to].into_iter().zip(self.joints) {
            let found = anatomy.skeleton.len();
            if found != expected {
                return Err(ClipError::Pose { found, expected }.into());
            }
        }
        retargeter.frame(source, target)?;
        let worlds = [retargeter.source_world(), retargeter.target_world()];
        for ((tracks, points), world) in self.tracks.iter_mut().zip(&self.points).zip(worlds) {
            tracks.keep_last_frame();
            tracks.push(points, world);
        }
        self.update_floor();
        let scale = retargeter.plan().path_scale;
        let mut offset = PoseOffset::default();
        for (k, foot) in self.feet.iter_mut().enumerate() {
            foot.update(self.tracks.each_ref(), self.floor, scale, self.blend_seconds);
            offset.ends[k] = (foot.offset != Vector3::zeros()).then_some(foot.offset);
        }
        let [left, right, ..] = retargeter.apply_offset(target, &offset);
        self.turn_arms(retargeter, target);
        Ok([left, right])
    }

    /// Turns the arms of a retargeted frame so that its self-contacts are the source's.
    fn turn_arms(&mut self, retargeter: &mut Retargeter, target: &mut Pose) {
        let plan = retargeter.plan();
        let Some(pair) = plan.self_contact_surfaces() else { return };
        let source = pair.transforms(&plan.source, 0, retargeter.source_world());
        let onto = pair.transforms_beside(&source, &plan.target, retargeter.target_world());
        let floor = self.floor.is_finite().then_some([self.floor, self.floor * plan.path_scale]);
        let frame_time = self.tracks[0].frame_time;
        if let Some(turns) = self.arms.update(pair, [&source, &onto], floor, frame_time) {
            retargeter.turn_arms(target, &turns);
        }
    }

    /// Lowers the floor to the lowest point of the source's feet.
    fn update_floor(&mut self) {
        if self.is_floor_stated {
            return;
        }
        let heights = self.feet.iter().map(|foot| foot.lowest(&self.tracks[0]));
        self.floor = heights.fold(self.floor, f64::min);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::quality::evaluate;
    use crate::{ClipInput, Hints, align, analyse, retarget_clip};
    use rebone_skeleton::{Clip, Motion};

    /// The metrics `foot_slide` (cm), `foot_depth` (cm), `joint_pops` and `jerk` of a result.
    fn metrics(plan: &Plan, source: &Motion, result: &Clip) -> [f64; 4] {
        let metrics = evaluate(plan, &source.clip, result).unwrap().verdict.metrics;
        let value =
            |name| metrics.iter().find(|own| own.name == name).map_or(f64::NAN, |own| own.value);
        ["foot_slide", "foot_depth", "joint_pops", "jerk"].map(value)
    }

    /// Metrics of frames alone, with live contacts and of the whole clip.
    fn measure(source: &Motion, rig: &Motion) -> [[f64; 4]; 3] {
        let hints = Hints::default();
        let [from, to] = [source, rig].map(|motion| analyse(motion, &hints).expect("a body"));
        let plan = align(&from, &to, &Options::default());
        let mut retargeter = Retargeter::new(plan.clone()).expect("chains");
        let mut contacts = LiveContacts::new(&plan, source.clip.frame_time).unwrap();
        let frame_time = source.clip.frame_time;
        let [mut alone, mut live] = [0, 1].map(|_| Clip::new(&rig.skeleton, frame_time));
        let (mut pose, mut result) = (source.skeleton.rest_pose(), rig.skeleton.rest_pose());
        for frame in 0..source.clip.len() {
            source.clip.read(frame, &mut pose);
            contacts.frame(&mut retargeter, &pose, &mut result).unwrap();
            live.push(&result).unwrap();
            retargeter.frame(&pose, &mut result).unwrap();
            alone.push(&result).unwrap();
        }
        let (whole, _) =
            retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).expect("chains");
        [alone, live, whole].each_ref().map(|clip| metrics(&plan, source, clip))
    }

    #[test]
    fn feet_slide_a_third_at_most_and_no_joint_pops() {
        let walk = rebone_samples::walk().motion;
        for rig in rebone_samples::rigs() {
            let [alone, live, whole] = measure(&walk, &rig.motion);
            assert!(
                live[0] < alone[0] / 3.0,
                "{}: foot sliding {} of {}",
                rig.name,
                live[0],
                alone[0]
            );
            assert!(live[1] < alone[1] + 0.1, "{}: depth {} of {}", rig.name, live[1], alone[1]);
            assert_eq!(live[2], 0.0, "{}: joints pop", rig.name);
            assert!(whole[0] <= live[0], "{}: whole clip {whole:?}", rig.name);
        }
    }

    #[test]
    fn after_a_reset_the_first_frame_is_that_of_the_retargeter() {
        let walk = rebone_samples::walk().motion;
        let rig = &rebone_samples::rigs()[0].motion;
        let hints = Hints::default();
        let [from, to] = [&walk, rig].map(|motion| analyse(motion, &hints).expect("a body"));
        let plan = align(&from, &to, &Options::default());
        let mut retargeter = Retargeter::new(plan.clone()).expect("chains");
        let mut contacts = LiveContacts::new(&plan, walk.clip.frame_time).unwrap().with_blend(0.2);
        let mut pose = walk.skeleton.rest_pose();
        let [mut live, mut alone] = [0, 1].map(|_| rig.skeleton.rest_pose());
        for frame in 0..40 {
            walk.clip.read(frame, &mut pose);
            contacts.frame(&mut retargeter, &pose, &mut live).unwrap();
        }
        retargeter.frame(&pose, &mut alone).unwrap();
        assert_ne!(live, alone);
        contacts.reset();
        contacts.frame(&mut retargeter, &pose, &mut live).unwrap();
        assert_eq!(live, alone);
        assert_eq!(contacts.held(), [false; 2]);
    }
}
