//! A result as arrays: what learners of motion read.

use super::npz::NpzWriter;
use crate::align::Plan;
use crate::contacts::{BodyPart, Contact, ContactKind};
use crate::quality::Finding;
use crate::report::Report;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rebone_body::poses;
use rebone_skeleton::{Clip, JointId, Pose, WorldPose};
use std::io::{self, Write};

/// Kinds of contacts by their label; 0 is none.
const KINDS: [(&str, Option<ContactKind>); 6] = [
    ("none", None),
    ("plant", Some(ContactKind::Plant)),
    ("pivot", Some(ContactKind::Pivot)),
    ("roll", Some(ContactKind::Roll)),
    ("slide", Some(ContactKind::Slide)),
    ("hold", Some(ContactKind::Hold)),
];

/// Hands, in the order of their columns of touches.
const HANDS: [BodyPart; 2] = [BodyPart::ALL[2], BodyPart::ALL[3]];

/// A clip of the target as arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultArrays<'a> {
    pub(crate) plan: &'a Plan,
    /// The clip, whose numbers are of single precision.
    pub(crate) clip: &'a Clip,
    /// Contacts and verdict, as far as they are known.
    pub(crate) report: &'a Report,
    /// Number of the clip's first frame, as the report counts them.
    pub(crate) first: usize,
}

impl ResultArrays<'_> {
    /// Writes all arrays; docs/batch.md describes them.
    pub(crate) fn write(&self, file: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut npz = NpzWriter::new(file);
        self.add_motion(&mut npz)?;
        self.add_skeleton(&mut npz)?;
        self.add_contacts(&mut npz)?;
        self.add_verdict(&mut npz)?;
        npz.finish()
    }

    fn add_motion(&self, npz: &mut NpzWriter) -> io::Result<()> {
        let (skeleton, clip) = (&self.plan.target.skeleton, self.clip);
        let (frames, joints) = (clip.len(), skeleton.len());
        let metres = self.plan.target.file_unit_metres();
        let numbers = (0..frames).flat_map(|frame| poses::rotations(clip, frame));
        let numbers = numbers.flat_map(|own| own.coords.iter().map(|&x| x as f32));
        npz.add("rotations", &[frames, joints, 4], numbers)?;
        let mut world = WorldPose::zeros(skeleton);
        let mut pose = skeleton.rest_pose();
        let mut positions = Vec::with_capacity(frames * joints * 3);
        for frame in 0..frames {
            clip.read(frame, &mut pose);
            poses::update(&mut world, skeleton, &pose);
            positions.extend(world.positions.iter().flat_map(|place| in_metres(place, metres)));
        }
        let root = self.plan.translation_joint.index();
        let of_root = positions.chunks_exact(joints * 3).flat_map(|frame| &frame[root * 3..][..3]);
        npz.add("root_positions", &[frames, 3], of_root.copied())?;
        npz.add("positions", &[frames, joints, 3], positions.iter().copied())?;
        let rest = |id: JointId| skeleton[id].rest_translation;
        // Joints that could move and stay at their offsets are left out.
        let moves = |id: &JointId| {
            let least = 1e-6 * self.plan.target.stature;
            let is_off = |place: Vector3<f64>| (place - rest(*id)).norm() > least;
            *id == self.plan.translation_joint || clip.translations(*id).any(is_off)
        };
        let moving: Vec<JointId> = self.plan.moving().filter(moves).collect();
        let translations = (0..frames).flat_map(|frame| {
            clip.read(frame, &mut pose);
            let own =
                moving.iter().flat_map(|id| in_metres(&pose.translations[id.index()], metres));
            own.collect::<Vec<f32>>()
        });
        npz.add("translations", &[frames, moving.len(), 3], translations)?;
        npz.add("moving", &[moving.len()], moving.iter().map(|id| id.index() as i32))?;
        npz.add("fps", &[], [1.0 / clip.frame_time])
    }

    fn add_skeleton(&self, npz: &mut NpzWriter) -> io::Result<()> {
        let target = &self.plan.target;
        let joints = target.skeleton.joints();
        let names: Vec<_> = joints.iter().map(|joint| joint.name.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        npz.add_texts("names", &[names.len()], &names)?;
        let parent = |parent: Option<JointId>| parent.map_or(-1, |id| id.index() as i32);
        npz.add("parents", &[joints.len()], joints.iter().map(|joint| parent(joint.parent)))?;
        let rest = target.skeleton.rest_pose();
        let metres = target.file_unit_metres();
        let offsets = rest.translations.iter().flat_map(|offset| in_metres(offset, metres));
        npz.add("offsets", &[joints.len(), 3], offsets)?;
        let turns = rest.rotations.iter().flat_map(|own| own.coords.iter().map(|&x| x as f32));
        npz.add("rest_rotations", &[joints.len(), 4], turns)?;
        npz.add_texts("unit", &[], &["m"])?;
        npz.add("metres_per_unit", &[], [1.0_f64])?;
        npz.add("root", &[], [self.plan.translation_joint.index() as i32])?;
        let up = target.inner_from_file().inverse() * Vector3::y();
        npz.add("up", &[3], up.iter().map(|&x| x as f32))
    }

    fn add_contacts(&self, npz: &mut NpzWriter) -> io::Result<()> {
        let (frames, parts) = (self.clip.len(), BodyPart::ALL);
        let mut labels = vec![0_i8; frames * parts.len()];
        let mut touches = vec![0_i8; frames * HANDS.len()];
        let contacts = self.report.contacts.iter().flat_map(|own| &own.contacts);
        for Contact { part, on, kind, frames: range, .. } in contacts.map(|own| &own.contact) {
            let of =
                |parts: &[BodyPart], own: &BodyPart| parts.iter().position(|other| other == own);
            let (columns, column, label) = match on {
                None => (
                    &mut labels,
                    of(&parts, part),
                    KINDS.iter().position(|own| own.1 == Some(*kind)),
                ),
                Some(on) => {
                    (&mut touches, of(&HANDS, part), of(&BodyPart::TOUCHABLE, on).map(|k| k + 1))
                }
            };
            let width = columns.len() / frames.max(1);
            let (Some(column), Some(label)) = (column, label) else { continue };
            let [start, end] =
                [range.start, range.end].map(|own| own.saturating_sub(self.first).min(frames));
            (start..end).for_each(|frame| columns[frame * width + column] = label as i8);
        }
        npz.add("contacts", &[frames, parts.len()], labels)?;
        npz.add("touches", &[frames, HANDS.len()], touches)?;
        let texts = |parts: &[BodyPart]| parts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let none = [KINDS[0].0.to_owned()];
        let kinds = KINDS.map(|own| own.0.to_owned());
        for (name, texts) in [
            ("contact_parts", texts(&parts)),
            ("contact_kinds", kinds.to_vec()),
            ("touch_hands", texts(&HANDS)),
            ("touch_parts", [&none[..], &texts(&BodyPart::TOUCHABLE)].concat()),
        ] {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            npz.add_texts(name, &[texts.len()], &texts)?;
        }
        Ok(())
    }

    fn add_verdict(&self, npz: &mut NpzWriter) -> io::Result<()> {
        let verdict = self.report.verdict.as_ref();
        let word = verdict.map_or(String::new(), |own| own.verdict.to_string());
        npz.add_texts("verdict", &[], &[&word])?;
        npz.add("score", &[], [verdict.map_or(f64::NAN, |own| own.score)])?;
        let metrics = verdict.map_or(&[][..], |own| &own.metrics);
        let defects = verdict.into_iter().flat_map(|own| &own.source_defects);
        let defects: Vec<String> = defects.map(Finding::in_words).collect();
        let texts: Vec<&str> = defects.iter().map(String::as_str).collect();
        npz.add_texts("source_defects", &[texts.len()], &texts)?;
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
        npz.add_texts("metric_names", &[names.len()], &names)?;
        npz.add("metric_values", &[metrics.len()], metrics.iter().map(|metric| metric.value))
    }
}

/// Rounds a pose to single precision.
pub(crate) fn round_pose(pose: &mut Pose) {
    let round = |x: f64| f64::from(x as f32);
    for rotation in &mut pose.rotations {
        let coords = rotation.coords.map(round);
        *rotation = UnitQuaternion::new_unchecked(Quaternion::from(coords));
    }
    pose.translations.iter_mut().for_each(|own| *own = own.map(round));
}

fn in_metres(place: &Vector3<f64>, metres: f64) -> [f32; 3] {
    [place.x, place.y, place.z].map(|x| (x * metres) as f32)
}
