//! A random case: one body and clip, made into two rigs by two lists of edits.

use crate::compare::Found;
use crate::edit::{Edit, Ground, LimbBone, Part, edited};
use crate::known::left_out;
use crate::names::Style;
use crate::puppet::{Puppet, Turned};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use rebone::Options;
use std::fmt;
use std::sync::LazyLock;

/// Frames of each clip.
const FRAMES: usize = 8;

static CLIPS: LazyLock<Vec<Puppet>> = LazyLock::new(|| {
    let clips = rebone::samples::clips().into_iter();
    clips.map(|clip| Puppet::of(&clip.motion, FRAMES)).collect()
});

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
        rigs.iter().find_map(|edits| left_out(edits))
    }

    /// The body with its motion, before it becomes two rigs.
    pub(crate) fn common(&self) -> Puppet {
        edited(&CLIPS[self.clip], &self.body)
    }

    /// Retargets the source's file onto the target's, a rig with its rest pose alone, with nothing else
    /// given; then looks at what came out.
    pub(crate) fn retargeted<T>(&self, look: impl Fn(&Found) -> T) -> Result<T, String> {
        let common = self.common();
        let (source, target) = (edited(&common, &self.source), edited(&common, &self.target));
        let skipped = usize::from(!source.stands());
        let motion = source.file(1 - skipped..source.frames.len())?;
        let rig = target.file(0..1)?;
        let result = rebone::retarget(&motion, &rig, &Options::default());
        let result = result.map_err(|error| error.to_string())?;
        Ok(look(&Found::new((&source, &target), &rig.skeleton, &result.clip, skipped)))
    }
}

/// Cases of one body: lossy edits are of both rigs alike.
pub(crate) fn of_one_body() -> impl Strategy<Value = Case> {
    let lists = (lossy(2), exact(), exact());
    (0..CLIPS.len(), lists).prop_map(|(clip, (body, source, target))| Case {
        clip,
        body,
        source,
        target,
    })
}

/// Cases of two bodies: each has lossy edits of its own.
pub(crate) fn of_two_bodies() -> impl Strategy<Value = Case> {
    let lists = (lossy(4), exact(), lossy(4), exact());
    (0..CLIPS.len(), lists).prop_map(|(clip, (of_source, source, of_target, target))| Case {
        clip,
        body: Vec::new(),
        source: [of_source, source].concat(),
        target: [of_target, target].concat(),
    })
}

/// A list of edits after which not all places can be met.
fn lossy(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    use Part::{Arms, Feet, Hands, Head, Hips, Legs, Shoulders, Trunk};
    let part = select(vec![Legs, Arms, Trunk, Head, Feet, Hands, Hips, Shoulders]);
    let edit = prop_oneof![
        3 => (part, 0.6..1.6).prop_map(|(part, factor)| Edit::Proportions(part, factor)),
        2 => (0..6u8).prop_map(Edit::Merge),
        1 => Just(Edit::TakeCollars),
        1 => Just(Edit::StiffenToes),
    ];
    prop::collection::vec(edit, 0..=most)
}

/// A list of edits after which all places can be met.
pub(crate) fn exact() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(prop_oneof![3 => joint(), 3 => of_file()], 0..8)
}

/// Edits of the joints.
fn joint() -> impl Strategy<Value = Edit> {
    use LimbBone::{Forearm, Shin, Thigh, UpperArm};
    let bone = || select(vec![UpperArm, Forearm, Thigh, Shin]);
    let (at, share) = (|| 0.0..0.9, || 0.0..=1.0);
    prop_oneof![
        3 => (0..7u8, at(), any::<bool>())
            .prop_map(|(below, at, twists)| Edit::Split { below, at, twists }),
        1 => (0..5u8).prop_map(Edit::Fingers),
        1 => Just(Edit::TakeHands),
        1 => Just(Edit::TakeToes),
        1 => Just(Edit::AddCollars),
        1 => Just(Edit::AddHipBones),
        2 => (bone(), at(), share()).prop_map(|(bone, at, own)| Edit::TwistInLine { bone, at, own }),
        1 => (bone(), at(), share())
            .prop_map(|(bone, at, share)| Edit::TwistBeside { bone, at, share }),
        1 => (0..5u8).prop_map(Edit::Backwards),
        1 => any::<bool>().prop_map(|whole| Edit::Centre { whole }),
        1 => select(vec![Ground::Still, Ground::Moves, Ground::Turns]).prop_map(Edit::Ground),
        1 => Just(Edit::TakeEnds),
        1 => Just(Edit::AddMetacarpals),
    ]
}

/// Edits of how a file writes the joints down.
fn of_file() -> impl Strategy<Value = Edit> {
    let turned = prop_oneof![any::<u8>().prop_map(Turned::AtRandom), Just(Turned::AlongBones)];
    let arms = select(vec![0.0, 30.0, 45.0, 60.0, 90.0]);
    prop_oneof![
        2 => (arms, 0.0..15.0, 0.0..5.0, 0.0..8.0)
            .prop_map(|(arms, elbows, knees, apart)| Edit::Rest { arms, elbows, knees, apart }),
        1 => Just(Edit::Reversed),
        1 => Just(Edit::AtOrigin),
        1 => (1..6u8).prop_map(Edit::Orders),
        1 => turned.prop_map(Edit::Turn),
        1 => select(vec![0.01, 10.0, 1.0 / 2.54, 100.0]).prop_map(Edit::Unit),
        2 => (1..24u8).prop_map(Edit::World),
        2 => select(vec![Style::Mixamo, Style::Unreal, Style::Cmu, Style::Biped])
            .prop_map(Edit::Names),
    ]
}
