//! Learns the calibration of a skeleton from several clips of the same rig.
//!
//! Each clip is analysed by itself. Its frames are fused by precision, joint by joint: what stands in
//! a plain pose says more than what was read off a motion, and many motions say more than one.

use super::{Hints, analyse};
use crate::body::{Anatomy, CalibrationSource, SignedAxis, TRUNK_RADII_METRES};
use crate::calibrate::{
    Estimate, Known, anatomy_of, fuse_rotations, mean, same_rig, within_ten_degrees,
};
use crate::card::Card;
use crate::error::RetargetError;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Motion};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Two files whose ups are further apart have different axes up, radians.
const OTHER_UP: f64 = std::f64::consts::FRAC_PI_4;

/// Learns the calibration of a rig from its clips.
///
/// It holds some numbers a joint and clip, so that clips can be read one after the other.
///
/// ```
/// use rebone::{Hints, Learner};
/// use rebone_samples as samples;
///
/// let [rig, clip] = [samples::walk().motion, samples::walk().motion];
/// let hints = Hints::default();
/// let mut learner = Learner::new(&rig, &hints)?;
/// learner.add(&clip)?;
/// let anatomy = learner.anatomy()?;
/// assert!(anatomy.confidence > 0.9);
/// # Ok::<(), rebone::RetargetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learner<'a> {
    rig: &'a Motion,
    hints: &'a Hints,
    own: Anatomy,
    estimates: Vec<ClipEstimate>,
}

/// Estimates from one file, by the joints of the rig.
#[derive(Clone, Debug)]
struct ClipEstimate {
    /// Frames of joints that it knows.
    frames: BTreeMap<JointId, Estimate>,
    /// Local rotations of its calibration pose.
    locals: BTreeMap<JointId, UnitQuaternion<f64>>,
    /// Quality of its calibration pose.
    pose_quality: PoseQuality,
    /// Up, in the axes of its file.
    up: Unit<Vector3<f64>>,
    /// Standard deviation of up, radians.
    sigma: f64,
    /// Height of the lowest joint of a standing foot over the floor, where its floor is at zero.
    sole_height: Option<f64>,
    /// Distances of seat, back and head from the skin, likewise.
    trunk_radii: Option<[f64; 3]>,
}

/// Quality of a calibration pose, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PoseQuality {
    /// The body stands.
    Standing,
    /// It is the mean of a motion.
    MeanOfMotion,
    /// The body does not stand.
    NotStanding,
}

impl ClipEstimate {
    fn new(anatomy: &Anatomy, rig: &Anatomy, own_of_rig: &BTreeMap<JointId, JointId>) -> Self {
        let sigma = anatomy.sigmas[anatomy.body.pelvis().index()].max();
        let pose_quality = match anatomy.calibration {
            CalibrationSource::Motion => PoseQuality::MeanOfMotion,
            _ if anatomy.stands() => PoseQuality::Standing,
            _ => PoseQuality::NotStanding,
        };
        let reading = |id: JointId| {
            let own = own_of_rig.get(&id)?.index();
            let reading = (anatomy.joint_from_anatomical[own], anatomy.sigmas[own]);
            // Frames that nothing was found of have no deviation at all.
            Some((id, reading)).filter(|_| reading.1.max() > 0.0)
        };
        let locals =
            own_of_rig.iter().map(|(&id, own)| (id, anatomy.calibration_rotations[own.index()]));
        Self {
            frames: rig.framed().filter_map(reading).collect(),
            locals: locals.collect(),
            pose_quality,
            up: anatomy.upright_from_file.inverse() * Vector3::y_axis(),
            sigma,
            sole_height: anatomy.sole_height,
            trunk_radii: anatomy.sole_height.map(|_| anatomy.trunk_radii),
        }
    }
}

impl<'a> Learner<'a> {
    /// Begins with what the rig says itself. `hints` are of the rig; what their card says of roles and up
    /// holds for the clips as well, and its frames stay as they are.
    ///
    /// # Errors
    /// When the rig is not recognised, or the hints give the calibration pose.
    pub fn new(rig: &'a Motion, hints: &'a Hints) -> Result<Self, RetargetError> {
        let card = hints.card.as_ref();
        let posed = |card: &Card| card.pose_from.is_some() || !card.pose.is_empty();
        if hints.pose.is_some() || card.is_some_and(posed) {
            return Err(RetargetError::PoseGiven);
        }
        let own = analyse(rig, hints)?;
        let itself = own.skeleton.ids().map(|id| (id, id)).collect();
        let estimates = vec![ClipEstimate::new(&own, &own, &itself)];
        Ok(Self { rig, hints, own, estimates })
    }

    /// Adds what a clip says.
    ///
    /// # Errors
    /// When the clip is not recognised, or its skeleton is of another kind: the first joint in the order
    /// of the rig that differs.
    pub fn add(&mut self, clip: &Motion) -> Result<(), RetargetError> {
        let card = self.hints.card.as_ref().map(|card| Card {
            up: card.up,
            roles: card.roles.clone(),
            ..Card::default()
        });
        let anatomy = analyse(clip, &Hints { card, ..Hints::default() })?;
        let clip_of_rig = same_rig(&self.own, &anatomy).map_err(RetargetError::OtherSkeleton)?;
        self.estimates.push(ClipEstimate::new(&anatomy, &self.own, &clip_of_rig));
        Ok(())
    }

    /// The rig, calibrated as all of them say together. The order in which clips were added changes no bit.
    ///
    /// # Errors
    /// When the rig makes no body in that calibration.
    pub fn anatomy(&self) -> Result<Anatomy, RetargetError> {
        let own = &self.own;
        let card = self.hints.card.as_ref();
        let stated = card.map(|card| card.joint_axes(&own.skeleton)).transpose();
        let mut frames = stated?.unwrap_or_default();
        let mut sigmas = own.sigmas.clone();
        frames.keys().for_each(|id| sigmas[id.index()] = Vector3::zeros());
        let unstated: Vec<JointId> = own.framed().filter(|id| !frames.contains_key(id)).collect();
        for id in unstated {
            let readings = self.estimates.iter().filter_map(|estimate| estimate.frames.get(&id));
            let known = fuse_rotations(&readings.copied().collect::<Vec<_>>());
            let (frame, sigma) =
                known.unwrap_or((own.joint_from_anatomical[id.index()], sigmas[id.index()]));
            frames.insert(id, frame);
            sigmas[id.index()] = sigma;
        }
        let mut pose = own.skeleton.rest_pose();
        pose.rotations = self.locals();
        let (up, facing) = self.up_and_facing();
        let said = card.and_then(|card| card.facing).map(SignedAxis::unit);
        let known = Known {
            up: Some(up),
            facing: said,
            pose: Some(pose),
            bound: None,
            skin: Arc::clone(&self.hints.skin),
            frames,
        };
        let clip = &self.rig.clip;
        let mut anatomy = anatomy_of(&own.skeleton, own.roles.clone(), clip, &known)?;
        anatomy.take(own.metres_per_file_unit, &own.limits, &own.helpers);
        let mut learned = Anatomy {
            facing: if said.is_some() { anatomy.facing } else { facing },
            sigmas,
            bind_rotations: own.bind_rotations.clone(),
            card_corrects_bind_pose: own.card_corrects_bind_pose,
            calibration: CalibrationSource::Learned(self.estimates.len()),
            sole_height: self.sole_height(),
            trunk_radii: self.trunk_radii(),
            ..anatomy
        };
        learned.confidence = within_ten_degrees(learned.least_sure().1);
        learned.warnings.extend(self.other_ups(&learned));
        Ok(learned)
    }

    /// Returns a warning where files have another axis up.
    fn other_ups(&self, learned: &Anatomy) -> Option<String> {
        let up = learned.upright_from_file.inverse() * Vector3::y_axis();
        let others = self.estimates.iter().filter(|estimate| estimate.up.angle(&up) > OTHER_UP);
        let (count, all) = (others.count(), self.estimates.len());
        let taken = learned.signed_axes()[0].map_or("no axis".to_owned(), |axis| axis.to_string());
        (count > 0).then(|| {
            format!(
                "the files do not agree what is up: {taken} is taken, {count} of {all} say otherwise; \
                 state it, and learn from files that have it so"
            )
        })
    }

    /// Median of the heights of the feet over the floor.
    fn sole_height(&self) -> Option<f64> {
        let heights = self.estimates.iter().filter_map(|estimate| estimate.sole_height);
        let mut heights: Vec<f64> = heights.collect();
        heights.sort_by(f64::total_cmp);
        heights.get(heights.len() / 2).copied()
    }

    /// Least distances of seat, back and head from the skin.
    fn trunk_radii(&self) -> [f64; 3] {
        let radii = self.estimates.iter().filter_map(|estimate| estimate.trunk_radii);
        radii.fold(TRUNK_RADII_METRES, |least, own| std::array::from_fn(|k| least[k].min(own[k])))
    }

    /// Mean local rotations over the best calibration poses there are.
    fn locals(&self) -> Vec<UnitQuaternion<f64>> {
        let best = self.estimates.iter().map(|estimate| estimate.pose_quality).min();
        let joints = self.own.skeleton.ids();
        let local = |id: JointId| {
            let estimates =
                self.estimates.iter().filter(|estimate| Some(estimate.pose_quality) == best);
            let locals: Vec<_> = estimates.filter_map(|w| w.locals.get(&id).copied()).collect();
            mean(&locals).unwrap_or(self.own.calibration_rotations[id.index()])
        };
        joints.map(local).collect()
    }

    /// Those of the rig, where the body stands in it; else up as the surest clip says.
    fn up_and_facing(&self) -> (Unit<Vector3<f64>>, Option<f64>) {
        let own = &self.estimates[0];
        let said = self.hints.card.as_ref().is_some_and(|card| card.up.is_some());
        if said || self.own.stands() {
            return (own.up, self.own.facing);
        }
        let order = |a: &&ClipEstimate, b: &&ClipEstimate| {
            let axis = |k: usize| a.up[k].total_cmp(&b.up[k]);
            a.sigma.total_cmp(&b.sigma).then(axis(0)).then(axis(1)).then(axis(2))
        };
        let surest = self.estimates.iter().min_by(order);
        (surest.unwrap_or(own).up, None)
    }
}
