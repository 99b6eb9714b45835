//! What was understood of a file, as plain data for text and JSON.

use super::file_name;
use crate::exit_code::Failure;
use rebone::body::{Anatomy, Role, Roles};
use rebone::card::calibration_summary;
use rebone::skeleton::{JointId, Skeleton};
use rebone::{Character, MIN_ROLE_CONFIDENCE, accepts_calibration};
use serde::Serialize;
use std::path::Path;

/// Below this confidence a line says what is least sure.
const WORTH_A_LOOK: f64 = 0.8;

/// What was understood of a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// The file.
    pub(crate) file: String,
    /// How many frames there are.
    pub(crate) frames: usize,
    /// Seconds from one frame to the next.
    pub(crate) frame_time: f64,
    /// The axis that points up; `None` where it is between axes.
    pub(crate) up: Option<String>,
    /// The axis that the rest pose faces along, where it says so.
    pub(crate) facing: Option<String>,
    /// Stature (1.1 leg + 1.65 trunk lengths) in file units.
    pub(crate) stature: f64,
    /// Metres for one file unit, where the card or the user says.
    pub(crate) unit: Option<f64>,
    /// Where the anatomical frames were read off.
    pub(crate) calibration: String,
    /// Probability that the calibration is right.
    pub(crate) calibration_confidence: f64,
    /// Whether the calibration is used without asking.
    pub(crate) calibration_accepted: bool,
    /// The role that is the least sure, and its probability.
    pub(crate) weakest_role: Option<(String, f64)>,
    /// The roles that no joint plays.
    pub(crate) absent: Vec<String>,
    /// What there is to know of the calibration.
    pub(crate) warnings: Vec<String>,
    /// All joints, parents first.
    pub(crate) joints: Vec<JointLine>,
}

/// What was understood of a joint.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JointLine {
    /// Its place in the file.
    pub(crate) index: usize,
    /// The name, with what cannot be printed replaced.
    pub(crate) name: String,
    /// The joint it hangs on.
    pub(crate) parent: Option<usize>,
    /// The role and how sure it is, where it has one.
    pub(crate) role: Option<RoleLine>,
    /// Least and greatest value of each variable that the card limits, in degrees.
    pub(crate) limits: Vec<(String, [f64; 2])>,
}

/// A role of a joint.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RoleLine {
    /// Name as in VRM.
    pub(crate) name: String,
    /// Probability that it is right, 0 to 1.
    pub(crate) confidence: f64,
    /// Whether it is used without asking.
    pub(crate) accepted: bool,
    /// Why.
    pub(crate) reason: String,
    /// The next best joint for that role.
    pub(crate) runner_up: Option<String>,
}

impl Summary {
    /// Gathers what is known.
    pub(crate) fn new(loaded: &Character, anatomy: &Anatomy) -> Self {
        let clip = loaded.clip();
        let joints: Vec<JointLine> =
            anatomy.skeleton.ids().map(|id| JointLine::of(anatomy, id)).collect();
        let roles = joints.iter().filter_map(|joint| joint.role.as_ref());
        let weakest = roles.min_by(|a, b| a.confidence.total_cmp(&b.confidence));
        let [up, facing] = anatomy.signed_axes();
        let nobody = |role: &Role| anatomy.roles.joint(*role).is_none();
        Self {
            file: loaded.path().display().to_string(),
            frames: clip.len(),
            frame_time: clip.frame_time,
            up: up.map(|axis| axis.to_string()),
            facing: facing.map(|axis| axis.to_string()),
            stature: anatomy.stature,
            unit: anatomy.metres_per_file_unit,
            calibration: calibration_summary(anatomy),
            calibration_confidence: anatomy.confidence,
            calibration_accepted: accepts_calibration(anatomy),
            absent: Role::all().into_iter().filter(nobody).map(Role::name).collect(),
            warnings: anatomy.warnings.clone(),
            weakest_role: weakest.map(|role| (role.name.clone(), role.confidence)),
            joints,
        }
    }

    /// How many joints have a role.
    pub(crate) fn roles(&self) -> usize {
        self.joints.iter().filter(|joint| joint.role.is_some()).count()
    }

    /// How sure the least sure part of it is.
    pub(crate) fn confidence(&self) -> f64 {
        let role = self.weakest_role.as_ref().map_or(1.0, |role| role.1);
        role.min(self.calibration_confidence)
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let (roles, joints) = (self.roles(), self.joints.len());
        let axis = |name, axis: &Option<String>| {
            axis.as_ref().map_or(String::new(), |axis| format!(", {name} {axis}"))
        };
        format!(
            "{}: {}, {roles} of {joints} joints have a role{}{}{}, {}; {}",
            file_name(Path::new(&self.file)),
            duration(self.frames, self.frame_time),
            axis("up", &self.up),
            axis("facing", &self.facing),
            self.unit.map_or(String::new(), |unit| format!(", {:.2} m tall", self.stature * unit)),
            self.calibration,
            self.sureness()
        )
    }

    /// What would help where the calibration is hardly more than a guess; `option` takes its card.
    pub(crate) fn hint(&self, option: &str) -> Option<String> {
        if self.calibration_confidence >= MIN_ROLE_CONFIDENCE || !self.warnings.is_empty() {
            return None;
        }
        let path = Path::new(&self.file);
        let card = path.with_extension("toml");
        let (file, card) = (self.file.as_str(), file_name(&card));
        let of_target = if option == "--target-card" { "target=" } else { "" };
        Some(format!(
            "learn from more clips (`rebone card {file} --learn CLIP... -o {card}`, then `{option} {card}`), \
             or name a pose in which it stands straight (`--pose-from {of_target}FILE:FRAME`); check with \
             `--preview`"
        ))
    }

    /// How sure the least sure part of it is, and which that is where it is worth a look.
    fn sureness(&self) -> String {
        let sure = format!("{} sure", percent(self.confidence()));
        match &self.weakest_role {
            _ if self.confidence() >= WORTH_A_LOOK => sure,
            Some((role, least)) if *least <= self.calibration_confidence => {
                format!("{sure}, least of {role}")
            }
            _ => format!("{sure}, least of the calibration"),
        }
    }
}

impl JointLine {
    fn of(anatomy: &Anatomy, id: JointId) -> Self {
        let limits = anatomy.limits.iter().filter(|(joint, _)| *joint == id);
        let limits = limits.flat_map(|(_, limits)| limits.clone()).collect();
        Self { limits, ..Self::new(&anatomy.skeleton, &anatomy.roles, id) }
    }

    /// A joint with its role, without limits.
    fn new(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Self {
        let name =
            |id: JointId| skeleton.joint(id).name.to_string().replace(char::is_control, "\u{FFFD}");
        let role = roles.by_joint[id.index()].as_ref().map(|assigned| RoleLine {
            name: assigned.role.name(),
            confidence: assigned.confidence,
            accepted: assigned.confidence >= MIN_ROLE_CONFIDENCE,
            reason: assigned.reason.clone(),
            runner_up: assigned.runner_up.map(name),
        });
        let parent = skeleton.joint(id).parent.map(JointId::index);
        Self { index: id.index(), name: name(id), parent, role, limits: Vec::new() }
    }

    /// All joints of a file that is no humanoid, with the roles that were found.
    pub(crate) fn of_refused(character: &Character) -> Result<Vec<Self>, Failure> {
        let (skeleton, roles) = (character.skeleton(), character.partial_roles()?);
        Ok(skeleton.ids().map(|id| Self::new(skeleton, &roles, id)).collect())
    }
}

/// `1 frame`, or `120 frames at 29.97/s`.
pub(crate) fn duration(frames: usize, frame_time: f64) -> String {
    if frames == 1 {
        return "1 frame".to_owned();
    }
    let rate = format!("{:.2}", 1.0 / frame_time);
    format!("{frames} frames at {}/s", rate.trim_end_matches('0').trim_end_matches('.'))
}

/// A probability as people say it.
pub(crate) fn percent(probability: f64) -> String {
    format!("{:.0} %", 100.0 * probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_said_as_people_say_them() {
        assert_eq!(duration(120, 0.0083333), "120 frames at 120/s");
        assert_eq!(duration(2, 1.0 / 29.97), "2 frames at 29.97/s");
        assert_eq!(duration(2, 1.0), "2 frames at 1/s");
        assert_eq!(duration(1, 1.0), "1 frame");
    }
}
