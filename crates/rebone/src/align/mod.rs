//! How two bodies correspond: everything that depends on the two skeletons and the options alone.

mod chain_map;
pub(crate) mod chains;
mod channel_ranges;
mod copies;
mod groups;
mod helpers;
mod rules;
mod supports;
mod twists;

pub use chain_map::ChainMap;
pub use chains::ChainLink;
pub(crate) use copies::alike_poses;
pub use groups::{Group, groups};
pub use helpers::Helper;
pub use rules::Rule;
pub use supports::{Support, SupportPoint, Supports};
pub use twists::TwistShare;

use copies::copies;
use helpers::helpers;

use crate::body::Anatomy;
use crate::options::{ContactMode, Method, Options, RootMotion, TravelScale};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::direction;

/// How the motion of one skeleton becomes that of another. Built once, used for every clip and frame.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The skeleton that the motion was made for.
    pub source: Anatomy,
    /// The skeleton that it is given to.
    pub target: Anatomy,
    /// What the user chose.
    pub options: Options,
    /// Turns the source file's axes into the inner world.
    pub inner_from_source: UnitQuaternion<f64>,
    /// Turns the target file's axes into the inner world.
    pub inner_from_target: UnitQuaternion<f64>,
    /// Paths and heights of the target over those of the source, both in metres of a 1.7 m body.
    pub path_scale: f64,
    /// The same of paths along the floor.
    pub travel_scale: f64,
    /// What both bodies bear on.
    pub supports: Supports,
    /// Trunk, neck and fingers.
    pub chains: Vec<ChainLink>,
    /// Where each target joint's orientation comes from.
    pub rules: Vec<Rule>,
    /// Which stage each target joint belongs to.
    pub groups: Vec<Group>,
    /// The target joint whose translation carries the body.
    pub translation_joint: JointId,
    /// Helper joints of the target in their order, which go along with joints of the body.
    pub helpers: Vec<Helper>,
    /// True for the carrier and all target joints below it.
    pub carried: Vec<bool>,
    /// Girdles of both bodies.
    pub girdle: Girdle,
    /// The target's bones: place of each joint in its parent's frame, metres of a 1.7 m body.
    pub bones: Vec<Vector3<f64>>,
}

/// Where the shoulders are in the frames of the chests, in metres of a 1.7 m body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Girdle {
    /// Source shoulders (left, right) from the chest joint, in the chest's frame, in the T pose.
    pub source: [Vector3<f64>; 2],
    /// The same of the target.
    pub target: [Vector3<f64>; 2],
    /// Half the width between the target's shoulders over half that of the source's.
    pub width: f64,
}

/// Matches two anatomies.
///
/// Where one of two like calibrations was mended by evidence that the other lacks (soles by the motion,
/// limbs by a straight zero pose), neither is: what is the same without it shall be the same.
pub fn align(source: &Anatomy, target: &Anatomy, options: &Options) -> Plan {
    let (source, target) = (source.beside(target), target.beside(source));
    let chains = chains::chains(source, target);
    let headings = source.facing.zip(target.facing);
    let turned = |anatomy: &Anatomy, yaw: f64| {
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw) * anatomy.upright_from_file
    };
    let (source_yaw, target_yaw) = headings.unwrap_or((0.0, 0.0));
    let scale = target.metres_per_unit();
    let translation_joint = translation_joint(target);
    let path_scale = leg_length(target) / leg_length(source);
    let travel_scale = match options.travel {
        TravelScale::LegLength => path_scale,
        TravelScale::Metric => {
            let [from, to] = [source.file_unit_metres(), target.file_unit_metres()];
            from * scale / (to * source.metres_per_unit())
        }
    };
    let inner = [turned(source, source_yaw), turned(target, target_yaw)];
    let mut rules = rules::rules(source, target, &chains);
    if options.method != Method::Ik {
        rules = copies([source, target], inner, (&rules, &chains), options.method);
    }
    Plan {
        supports: Supports::new(source, target, path_scale),
        inner_from_source: inner[0],
        inner_from_target: inner[1],
        path_scale,
        travel_scale,
        helpers: helpers(target, &rules),
        rules,
        groups: groups(target),
        translation_joint,
        carried: target
            .skeleton
            .ids()
            .map(|id| target.skeleton.is_ancestor(translation_joint, id))
            .collect(),
        girdle: girdle(source, target),
        bones: target
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.rest_translation * scale)
            .collect(),
        chains,
        source: source.clone(),
        target: target.clone(),
        options: options.clone(),
    }
}

impl Plan {
    /// A place of the source as one on the target's way.
    pub(crate) fn on_path(&self, place: &Vector3<f64>) -> Vector3<f64> {
        place.component_mul(&Vector3::new(self.travel_scale, self.path_scale, self.travel_scale))
    }

    /// Whether the target's body can be pitched and rolled as a whole where all its contacts are kept.
    pub(crate) fn tilts(&self) -> bool {
        let keeps = matches!(self.options.contacts, ContactMode::All | ContactMode::Lock);
        keeps && self.target.skeleton.joint(self.translation_joint).rotation_axes.len() == 3
    }

    /// Whether the position channels of the target's carrier can move it straight up.
    pub(crate) fn can_lift(&self) -> bool {
        let axes = &self.target.skeleton.joint(self.translation_joint).translation_axes;
        let up = self.inner_from_target.inverse() * Vector3::y();
        let missing = rebone_skeleton::Axis::ALL.into_iter().filter(|axis| !axes.contains(axis));
        let is_root = self.target.skeleton.joint(self.translation_joint).parent.is_none();
        let along =
            |axis: rebone_skeleton::Axis| direction(&up).map_or(0.0, |up| up.dot(&axis.unit()));
        axes.len() == 3 || (is_root && missing.map(along).all(|part| part.abs() < 1e-9))
    }

    /// The topmost joint above the one that carries the body that can be moved and turned: the root bone of rigs
    /// for engines. `None` where there is none, or the carrier cannot turn.
    pub fn root_bone(&self) -> Option<JointId> {
        let free = |id: JointId| {
            let joint = self.target.skeleton.joint(id);
            joint.translation_axes.len() == 3 && joint.rotation_axes.len() == 3
        };
        let above = self.target.skeleton.path_to_root(self.translation_joint).skip(1);
        above.filter(|&id| free(id)).last().filter(|_| free(self.translation_joint))
    }

    /// The joints that carry the root motion instead of the carrier alone: from that up to the root bone.
    pub(crate) fn grounded(&self) -> Vec<JointId> {
        let wants = self.options.root == RootMotion::RootBone;
        let Some(ground) = self.root_bone().filter(|_| wants) else { return Vec::new() };
        let path = self.target.skeleton.path_to_root(self.translation_joint);
        path.filter(|&id| self.target.skeleton.is_ancestor(ground, id)).collect()
    }

    /// The target joints that follow something of the source.
    pub fn mapped(&self) -> impl Iterator<Item = JointId> + '_ {
        let grounded = self.grounded();
        let is_mapped = move |id: &JointId| {
            *id == self.translation_joint
                || self.rules[id.index()] != Rule::Rest
                || self.is_helper(*id)
                || grounded.contains(id)
        };
        self.target.skeleton.ids().filter(is_mapped)
    }

    /// The target joints whose translations may be those of no rest pose: the carrier, what follows the source
    /// above it, helpers, and in rotation copy what the source may stretch.
    pub fn moving(&self) -> impl Iterator<Item = JointId> + '_ {
        let is_above = |id: JointId| matches!(self.rules[id.index()], Rule::Above(_));
        let grounded = self.grounded();
        let moves = move |id: &JointId| {
            let follows = *id == self.translation_joint
                || is_above(*id)
                || self.is_helper(*id)
                || grounded.contains(id);
            follows || self.stretched(*id).is_some()
        };
        self.target.skeleton.ids().filter(moves)
    }

    fn is_helper(&self, joint: JointId) -> bool {
        self.helper(joint).is_some()
    }

    /// What a joint goes along with, where it is a helper.
    pub(crate) fn helper(&self, joint: JointId) -> Option<&Helper> {
        let place = self.helpers.binary_search_by_key(&joint, |helper| helper.joint);
        place.ok().map(|place| &self.helpers[place])
    }
}

/// Thigh and shin, mean of both sides, in metres of a 1.7 m body.
fn leg_length(anatomy: &Anatomy) -> f64 {
    let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
    let legs = anatomy.body.legs.iter();
    legs.map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot)).sum::<f64>() / 2.0
}

/// The lowest joint on the way from the root to the top of the trunk that has position channels, all
/// three where one has.
fn translation_joint(target: &Anatomy) -> JointId {
    let top = target.body.trunk[target.body.trunk_top()];
    let channels = |id: JointId| target.skeleton.joint(id).translation_axes.len();
    let find = |least| target.skeleton.path_to_root(top).find(|&id| channels(id) >= least);
    find(3).or_else(|| find(1)).unwrap_or(JointId(0))
}

fn girdle(source: &Anatomy, target: &Anatomy) -> Girdle {
    let anchors = |anatomy: &Anatomy| {
        anatomy.shoulders().map(|joint| anatomy.place(joint) - anatomy.place(anatomy.body.chest()))
    };
    let width = |anatomy: &Anatomy| {
        let [left, right] = anatomy.shoulders().map(|joint| anatomy.place(joint));
        (left - right).norm()
    };
    Girdle {
        source: anchors(source),
        target: anchors(target),
        width: width(target) / width(source),
    }
}
