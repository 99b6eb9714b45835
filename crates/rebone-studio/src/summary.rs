//! Summary of an analysed character, as plain data for text and JSON.

use rebone::body::{Role, Roles};
use rebone::card::calibration_summary;
use rebone::skeleton::{JointId, Skeleton};
use rebone::{Anatomy, Character, Error, MIN_ROLE_CONFIDENCE, accepts_calibration};
use serde::Serialize;

/// Summary of an analysed character.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterSummary {
    /// The file.
    pub file: String,
    /// Names of all clips of the file.
    pub clips: Vec<String>,
    /// Numbers of the clips in which no joint moves, counted from 0.
    pub empty_clips: Vec<usize>,
    /// Number of the clip among them, counted from 0.
    pub clip: Option<usize>,
    /// Number of frames.
    pub frames: usize,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// Axis that points up; `None` where it is between axes.
    pub up: Option<String>,
    /// Axis that the rest pose faces along, where it is known.
    pub facing: Option<String>,
    /// Stature (1.1 leg + 1.65 trunk lengths) in file units.
    pub stature: f64,
    /// Metres per file unit, where it is stated.
    pub unit: Option<f64>,
    /// Source of the anatomical frames.
    pub calibration: String,
    /// Probability that the calibration is right.
    pub calibration_confidence: f64,
    /// Lowest confidence of roles and calibration.
    pub confidence: f64,
    /// Calibration that is certain enough to use.
    pub calibration_accepted: bool,
    /// The least certain role, and its probability.
    pub weakest_role: Option<(String, f64)>,
    /// Roles without a joint.
    pub absent: Vec<String>,
    /// Warnings on the calibration.
    pub warnings: Vec<String>,
    /// All joints, parents first.
    pub joints: Vec<JointSummary>,
}

/// Summary of a joint.
#[derive(Clone, Debug, Serialize)]
pub struct JointSummary {
    /// Its index in the file.
    pub index: usize,
    /// Its name, with control characters replaced.
    pub name: String,
    /// Index of its parent.
    pub parent: Option<usize>,
    /// Its role, where it has one.
    pub role: Option<RoleSummary>,
    /// Range of each variable that the card limits, degrees.
    pub limits: Vec<(String, [f64; 2])>,
}

/// Role of a joint.
#[derive(Clone, Debug, Serialize)]
pub struct RoleSummary {
    /// Name as in VRM.
    pub name: String,
    /// Probability, 0 to 1.
    pub confidence: f64,
    /// Certain enough to use.
    pub accepted: bool,
    /// Reason for it.
    pub reason: String,
    /// Next best joint for the role.
    pub runner_up: Option<String>,
}

impl CharacterSummary {
    /// Summarises a file.
    pub fn new(character: &Character, anatomy: &Anatomy) -> Self {
        let clip = character.clip();
        let joints: Vec<JointSummary> =
            anatomy.skeleton.ids().map(|id| JointSummary::of(anatomy, id)).collect();
        let roles = joints.iter().filter_map(|joint| joint.role.as_ref());
        let weakest = roles.min_by(|a, b| a.confidence.total_cmp(&b.confidence));
        let [up, facing] = anatomy.signed_axes();
        let is_absent = |role: &Role| anatomy.roles.joint(*role).is_none();
        Self {
            file: character.path().display().to_string(),
            clips: character.clip_names(),
            empty_clips: character.empty_clips(),
            clip: character.clip_index(),
            frames: clip.len(),
            frame_time: clip.frame_time,
            up: up.map(|axis| axis.to_string()),
            facing: facing.map(|axis| axis.to_string()),
            stature: anatomy.stature,
            unit: anatomy.metres_per_file_unit,
            calibration: calibration_summary(anatomy),
            calibration_confidence: anatomy.confidence,
            confidence: anatomy.least_confidence(),
            calibration_accepted: accepts_calibration(anatomy),
            absent: Role::all().into_iter().filter(is_absent).map(Role::name).collect(),
            warnings: anatomy.warnings.clone(),
            weakest_role: weakest.map(|role| (role.name.clone(), role.confidence)),
            joints,
        }
    }

    /// Number of joints with a role.
    pub fn role_count(&self) -> usize {
        self.joints.iter().filter(|joint| joint.role.is_some()).count()
    }
}

/// A name without control characters.
pub fn shown(name: &str) -> String {
    name.replace(char::is_control, "\u{FFFD}")
}

impl JointSummary {
    fn of(anatomy: &Anatomy, id: JointId) -> Self {
        let limits = anatomy.limits.iter().filter(|(joint, _)| *joint == id);
        let limits = limits.flat_map(|(_, limits)| limits.clone()).collect();
        Self { limits, ..Self::new(&anatomy.skeleton, &anatomy.roles, id) }
    }

    /// A joint with its role, without limits.
    fn new(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Self {
        let name = |id: JointId| shown(&skeleton[id].name.to_string());
        let role = roles.by_joint[id.index()].as_ref().map(|assigned| RoleSummary {
            name: assigned.role.name(),
            confidence: assigned.confidence,
            accepted: assigned.confidence >= MIN_ROLE_CONFIDENCE,
            reason: assigned.reason.clone(),
            runner_up: assigned.runner_up.map(name),
        });
        let parent = skeleton[id].parent.map(JointId::index);
        Self { index: id.index(), name: name(id), parent, role, limits: Vec::new() }
    }

    /// All joints of a file that is not recognised, with the roles that were found.
    ///
    /// # Errors
    /// When the card names a joint that does not exist.
    pub fn of_unrecognised(character: &Character) -> Result<Vec<Self>, Error> {
        let (skeleton, roles) = (character.skeleton(), character.partial_roles()?);
        Ok(skeleton.ids().map(|id| Self::new(skeleton, &roles, id)).collect())
    }
}
