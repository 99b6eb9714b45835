//! Random rigs that are known by their cards: what a card says is written, read back and all that is
//! used.

use crate::kit::edit::{Edit, edited};
use crate::kit::generated_case::{Case, cases};
use crate::kit::known::riddle;
use crate::kit::seen::Seen;
use crate::kit::test_rig::{TestRig, Turned};
use nalgebra::UnitQuaternion;
use proptest::prelude::*;
use rebone::body::Anatomy;
use rebone::body::JointEntry;
use rebone::card::Card;
use rebone::skeleton::selector::{resolve, select};
use rebone::skeleton::{Clip, JointId, Motion, Pose, forward_kinematics};
use rebone::{Hints, Options, Retargeter, align, analyse};
use std::mem::discriminant;
use std::ops::Range;

/// A case, and for each rig the axes of its joints where its card is learned from a motion in which
/// nobody stands.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) case: Case,
    pub(crate) learned: [Option<Turned>; 2],
    /// The frames that cards are learned from.
    pub(crate) window: Range<usize>,
}

/// Random pairs: any two bodies, one of four learned from a motion.
pub(crate) fn pairs() -> impl Strategy<Value = Pair> {
    let learned = || {
        prop_oneof![
            6 => Just(None),
            1 => Just(Some(Turned::AlongBones)),
            1 => any::<u8>().prop_map(|seed| Some(Turned::AtRandom(seed))),
        ]
    };
    (cases(2, 2), [learned(), learned()], 1..8usize, 9..18usize).prop_map(
        |(case, learned, start, count)| Pair { case, learned, window: start..start + count },
    )
}

/// Random pairs of one body whose cards are made from rest poses.
pub(crate) fn standing_pairs() -> impl Strategy<Value = Pair> {
    cases(2, 0).prop_map(|case| Pair { case, learned: [None; 2], window: 1..9 })
}

impl Pair {
    /// Source and target.
    pub(crate) fn rigs(&self) -> Result<[Rig; 2], String> {
        let common = self.case.common();
        Ok([self.rig(0, &common, &[])?, self.rig(1, &common, &[])?])
    }

    /// Returns whether nobody can know what a motion that somebody made of one of both rigs shows; see [`riddle`].
    pub(crate) fn left_out(&self) -> bool {
        let is_riddle = |(own, learned): (&Vec<Edit>, Option<Turned>)| {
            let all =
                [&self.case.body[..], own].concat().into_iter().chain(learned.map(Edit::Turn));
            riddle(&all.collect::<Vec<_>>()).is_some()
        };
        [&self.case.source, &self.case.target].into_iter().zip(self.learned).any(is_riddle)
    }

    /// One of both rigs with some edits more; of how a file is written they count first.
    pub(crate) fn rig(&self, side: usize, common: &TestRig, more: &[Edit]) -> Result<Rig, String> {
        let own = [&self.case.source, &self.case.target][side];
        let learned = self.learned[side].map(Edit::Turn);
        let (mut format, more): (Vec<Edit>, Vec<Edit>) =
            more.iter().chain(&learned).cloned().partition(Edit::is_format);
        let (own_format, joints): (Vec<Edit>, Vec<Edit>) =
            own.iter().cloned().partition(Edit::is_format);
        let is_again = |own: &Edit| format.iter().any(|new| discriminant(new) == discriminant(own));
        let kept: Vec<Edit> = own_format.into_iter().filter(|own| !is_again(own)).collect();
        format.extend(kept);
        // The frames that the card is made from: a target's rest pose alone, if somebody stands in it.
        let window = match (learned, side) {
            (Some(_), _) => self.window.clone(),
            (None, 0) => 0..self.window.end,
            (None, _) => 0..1,
        };
        Rig::new(&edited(&edited(common, &joints), &more), &format, window)
    }
}
/// A test rig, its file, and what its card says.
pub(crate) struct Rig {
    /// What its nodes are called before a file gives them names.
    pub(crate) labels: Vec<String>,
    pub(crate) test_rig: TestRig,
    pub(crate) motion: Motion,
    pub(crate) card: Card,
    pub(crate) anatomy: Anatomy,
}

impl Rig {
    /// Writes a test rig with a format, makes the card from some frames, and understands the others by it.
    pub(crate) fn new(
        bare: &TestRig,
        format: &[Edit],
        window: Range<usize>,
    ) -> Result<Self, String> {
        let test_rig = edited(bare, format);
        let first = analyse(&test_rig.file(window)?, &Hints::default());
        let first = first.map_err(|error| error.to_string())?;
        let mut card = Card::of(&first.skeleton, &first.roles);
        card.take_calibration(&first);
        Self::of_card(bare.labels(), test_rig, &card)
    }

    fn of_card(labels: Vec<String>, test_rig: TestRig, card: &Card) -> Result<Self, String> {
        let card = Card::parse(&card.to_toml()).map_err(|error| error.to_string())?;
        let motion = test_rig.file(1..test_rig.frames.len())?;
        let anatomy = read(&motion, &card)?;
        Ok(Self { labels, test_rig, motion, card, anatomy })
    }

    /// The same rig in another file: other Euler orders and axes, names that say nothing, and where that is
    /// wanted another order of siblings. Its card says the same.
    pub(crate) fn rewritten(&self, orders: u8, turned: Turned, back: bool) -> Result<Self, String> {
        let mut test_rig = self.test_rig.clone();
        test_rig.nodes.iter_mut().zip(&self.labels).for_each(|(node, label)| {
            node.name.clone_from(label);
        });
        test_rig.sort(back, |_, _| true);
        let labels = test_rig.labels();
        (test_rig.orders, test_rig.turned) = (orders, turned);
        let joints = test_rig.nodes.iter_mut().filter(|node| !node.name.is_empty());
        joints.enumerate().for_each(|(k, node)| node.name = format!("j{k}"));
        let card = self.card_for(&labels, &test_rig)?;
        Self::of_card(labels, test_rig, &card)
    }

    /// Scales the rig and the lengths of its card to another unit.
    pub(crate) fn scaled(&self, by: f64) -> Result<Self, String> {
        let mut test_rig = self.test_rig.clone();
        let places = test_rig.frames.iter_mut().flat_map(|frame| &mut frame.positions);
        places.for_each(|place| *place *= by);
        let card = Card {
            sole_height: self.card.sole_height.map(|height| height * by),
            trunk_radii: self.card.trunk_radii.map(|radii| radii.map(|radius| radius * by)),
            ..self.card.clone()
        };
        Self::of_card(self.labels.clone(), test_rig, &card)
    }

    /// The card for another file of the test rig.
    fn card_for(&self, labels: &[String], other: &TestRig) -> Result<Card, String> {
        let skeleton = other.file(0..1)?.skeleton;
        let old = |node: &String| self.labels.iter().position(|label| label == node).unwrap();
        let old: Vec<usize> = labels.iter().map(old).collect();
        let (ours, theirs) = (self.test_rig.joints(), other.joints());
        let new = |selector: &str| {
            let node = ours[resolve(&self.motion.skeleton, selector).unwrap().index()];
            theirs.iter().position(|&k| old[k] == node).unwrap()
        };
        let (own_axes, axes) = (self.test_rig.axes(), other.axes());
        let turns = |joint: usize| axes[theirs[joint]].inverse() * own_axes[old[theirs[joint]]];
        let mut card = self.card.clone();
        for selector in card.roles.iter_mut().flat_map(|casting| &mut casting.joints) {
            *selector = select(&skeleton, JointId(new(selector)));
        }
        for frame in &mut card.axes {
            let joint = new(&frame.joint);
            frame.value = turns(joint) * frame.value;
            frame.joint = select(&skeleton, JointId(joint));
        }
        let rest = self.motion.skeleton.rest_pose();
        let posed = self.card.posed(&self.motion.skeleton).unwrap().unwrap_or(rest);
        let world = forward_kinematics(&self.motion.skeleton, &posed).unwrap();
        let turned = |joint: usize| {
            let place = ours.iter().position(|&node| node == old[theirs[joint]]).unwrap();
            world.rotations[place] * turns(joint).inverse()
        };
        let local = |id: JointId| {
            let above = skeleton[id].parent.map(|above| turned(above.index()).inverse());
            let rotation = above.unwrap_or_default() * turned(id.index());
            JointEntry { joint: select(&skeleton, id), value: rotation, line: 0 }
        };
        card.pose = skeleton.ids().map(local).collect();
        card.pose_from = None;
        // What a person states of hands goes before their knuckles: nobody states anything here.
        let key = |section: &str, joint: &str| (format!("{section}.{joint}"), String::new());
        let axes = card.axes.iter().map(|frame| key("axes", &frame.joint));
        card.generated =
            axes.chain(card.pose.iter().map(|turn| key("pose", &turn.joint))).collect();
        Ok(card)
    }

    /// What poses of the file show.
    pub(crate) fn seen(&self, poses: &[Pose]) -> Seen {
        let skeleton = self.motion.skeleton.clone();
        let clip = Clip::from_poses(&skeleton, 1.0, poses.iter().cloned()).unwrap();
        let shown = TestRig::of(&Motion { skeleton, clip });
        Seen::of(&self.test_rig, self.labels.clone(), shown.frames[1..].to_vec())
    }

    /// The same of the body alone, without the joints above it.
    pub(crate) fn seen_of_body(&self, poses: &[Pose]) -> Seen {
        let (body, skeleton) = (&self.anatomy.body, &self.motion.skeleton);
        let top = body.trunk[body.trunk_top()];
        let above = skeleton.path_to_root(top).skip(1).map(|id| self.test_rig.joints()[id.index()]);
        let above: Vec<&String> = above.map(|node| &self.labels[node]).collect();
        self.seen(poses).only(|label| !above.iter().any(|above| *above == label))
    }

    /// Some of the frames, evenly spread.
    pub(crate) fn few(&self) -> Vec<Pose> {
        self.motion.clip.poses().step_by(5).collect()
    }
}

/// The turn about up from what a source shows to what a target shows of it: a quarter turn where not both
/// rest poses say where they face.
pub(crate) fn heading(source: &Rig, target: &Rig) -> UnitQuaternion<f64> {
    let plan = align(&source.anatomy, &target.anatomy, &Options::default());
    let from_source = plan.inner_from_source * source.test_rig.world;
    (plan.inner_from_target * target.test_rig.world).inverse() * from_source
}

/// Understands a motion by a card.
pub(crate) fn read(motion: &Motion, card: &Card) -> Result<Anatomy, String> {
    let hints = Hints { card: Some(card.clone()), ..Hints::default() };
    analyse(motion, &hints).map_err(|error| error.to_string())
}

/// A retargeter from one rig to another.
pub(crate) fn retargeter(source: &Anatomy, target: &Anatomy) -> Retargeter {
    Retargeter::new(align(source, target, &Options::default())).unwrap()
}

/// The target's poses for the source's.
pub(crate) fn results(source: &Rig, target: &Rig, poses: &[Pose]) -> Vec<Pose> {
    poses_of(&mut retargeter(&source.anatomy, &target.anatomy), poses)
}

/// The poses that a retargeter gives.
pub(crate) fn poses_of<'a>(
    retargeter: &mut Retargeter,
    poses: impl IntoIterator<Item = &'a Pose>,
) -> Vec<Pose> {
    let pose = |source| {
        let mut pose = retargeter.plan().target.skeleton.rest_pose();
        retargeter.frame(source, &mut pose).unwrap();
        pose
    };
    poses.into_iter().map(pose).collect()
}
