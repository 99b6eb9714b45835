//! A random case: one body and clip, made into two rigs by two lists of edits.

use crate::kit::compare::Made;
use crate::kit::cuts::PARTS;
use crate::kit::edit::{Edit, edited};
use crate::kit::joints::TRUNK;
use crate::kit::known::riddle;
use crate::kit::names::Style;
use crate::kit::test_rig::{TestRig, Turned};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use rebone::skeleton::{Clip, Motion};
use rebone::{ContactMode, Options};
use rebone_samples::Sample;
use std::fmt;
use std::sync::LazyLock;

/// Frames of each clip.
const FRAMES: usize = 8;
/// Frames of each clip where cards are learned from a part of them.
pub(crate) const MANY: usize = 24;

static CLIPS: LazyLock<Vec<TestRig>> = LazyLock::new(|| clips(FRAMES));
static LONG: LazyLock<Vec<TestRig>> = LazyLock::new(|| clips(MANY));

/// The samples on a level floor. Of who climbs posture alone says what is up, and that is less than the axes that are
/// usual.
pub(crate) fn samples() -> impl Iterator<Item = Sample> {
    rebone_samples::clips().into_iter().filter(|sample| sample.name != "climb")
}

fn clips(count: usize) -> Vec<TestRig> {
    samples().map(|clip| TestRig::of(&thinned(clip.motion, count))).collect()
}

/// A few frames of a clip, evenly spread.
pub(crate) fn thinned(motion: Motion, count: usize) -> Motion {
    let poses = motion.clip.poses().step_by(motion.clip.len() / count).take(count);
    let clip = Clip::from_poses(&motion.skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { clip, ..motion }
}

/// The same cases in each run.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

/// One body and clip as two rigs.
#[derive(Clone)]
pub(crate) struct Case {
    /// Which clip.
    pub(crate) clip: usize,
    /// What both rigs have.
    pub(crate) body: Vec<Edit>,
    /// What the source has besides.
    pub(crate) source: Vec<Edit>,
    /// What the target has besides.
    pub(crate) target: Vec<Edit>,
}

/// One line a list: what a failing case shrank to has to be read.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clip {}", self.clip)?;
        let lists = [("body", &self.body), ("source", &self.source), ("target", &self.target)];
        lists.iter().try_for_each(|(name, edits)| write!(f, "\n  {name}: {edits:?}"))
    }
}

impl Case {
    /// Why the case is no test of the library.
    pub(crate) fn left_out(&self) -> Option<&'static str> {
        let rigs = [&self.source, &self.target].map(|edits| [&self.body[..], edits].concat());
        rigs.iter().find_map(|edits| riddle(edits))
    }

    /// The body and clip of both rigs, with [`MANY`] frames.
    pub(crate) fn common(&self) -> TestRig {
        edited(&LONG[self.clip], &self.body)
    }

    /// Retargets the source's file onto the target's, a rig with its rest pose alone, with nothing else
    /// given.
    pub(crate) fn retargeted(&self) -> Result<Made, String> {
        let common = edited(&CLIPS[self.clip], &self.body);
        let (source, target) = (edited(&common, &self.source), edited(&common, &self.target));
        // A source in whose zero pose nobody stands begins with its rest pose.
        let skipped = usize::from(source.turned != Turned::No);
        let motion = source.file(1 - skipped..source.frames.len())?;
        let rig = target.file(0..1)?;
        let result = crate::motions::retarget_motions(
            &motion,
            &rig,
            &Options { contacts: ContactMode::Off, ..Options::default() },
        );
        let mut clip = result.map_err(|error| error.to_string())?.clip;
        clip.keep(skipped..clip.len()).unwrap();
        let found = TestRig::of(&Motion { skeleton: rig.skeleton, clip });
        Ok(Made { source, target, found })
    }
}

/// Cases with so many lossy edits at most that both rigs have, and that each has for itself.
pub(crate) fn cases(common: usize, own: usize) -> impl Strategy<Value = Case> {
    let rig = || (lossy(own), exact()).prop_map(|(lossy, exact)| [lossy, exact].concat());
    (0..CLIPS.len(), lossy(common), rig(), rig()).prop_map(|(clip, body, source, target)| Case {
        clip,
        body,
        source,
        target,
    })
}

fn lossy(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        3 => (0..PARTS.len(), 0.6..1.6).prop_map(|(part, by)| Edit::Proportions(part, by)),
        2 => (0..TRUNK.len() - 1).prop_map(Edit::Merge),
        1 => select(vec![Edit::TakeCollars, Edit::StiffenToes]),
    ];
    prop::collection::vec(edit, 0..=most)
}

pub(crate) fn exact() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(prop_oneof![of_joints(), of_file()], 0..8)
}

fn of_joints() -> impl Strategy<Value = Edit> {
    use Edit::{AddCollars, AddHipBones, AddMetacarpals, TakeEnds, TakeHands, TakeToes};
    let (bone, at, share) = (0..4usize, 0.0..0.9, 0.0..=1.0);
    let twist = (any::<bool>(), bone, at.clone(), share);
    prop_oneof![
        6 => select(vec![AddCollars, AddHipBones, AddMetacarpals, TakeEnds, TakeHands, TakeToes]),
        3 => (0..TRUNK.len(), at, any::<bool>())
            .prop_map(|(below, at, twists)| Edit::Split { below, at, twists }),
        3 => twist.prop_map(|(in_line, bone, at, share)| match in_line {
            true => Edit::TwistInLine { bone, at, own: share },
            false => Edit::TwistBeside { bone, at, share },
        }),
        1 => (0..5usize).prop_map(Edit::Fingers),
        1 => (0..5usize).prop_map(Edit::Backwards),
        2 => any::<[bool; 3]>()
            .prop_map(|[ground, moves, turns]| Edit::Root { ground, moves, turns }),
    ]
}

fn of_file() -> impl Strategy<Value = Edit> {
    let turned = prop_oneof![any::<u8>().prop_map(Turned::AtRandom), Just(Turned::AlongBones)];
    let arms = select(vec![0.0, 30.0, 45.0, 60.0, 90.0]);
    let styles = vec![Style::Mixamo, Style::Unreal, Style::Cmu, Style::Biped];
    prop_oneof![
        2 => (arms, 0.0..15.0, 0.0..5.0, 0.0..8.0)
            .prop_map(|(arms, elbows, knees, apart)| Edit::Rest { arms, elbows, knees, apart }),
        2 => select(vec![Edit::Reversed, Edit::AtOrigin]),
        1 => (1..6u8).prop_map(Edit::Orders),
        1 => turned.prop_map(Edit::Turn),
        1 => select(vec![0.01, 10.0, 1.0 / 2.54, 100.0]).prop_map(Edit::Unit),
        2 => (1..24u8).prop_map(Edit::World),
        2 => select(styles).prop_map(Edit::Names),
    ]
}
