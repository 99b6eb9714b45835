//! Two files in memory, and what follows from a document.

mod calibration;
mod depths;
mod understand;

use crate::answer::{Answer, Failure};
use crate::edit::edited;
use crate::pair::{Pair, analyse, with_card};
use crate::poses::{JOINT_BYTES, write_pose};
use crate::request::{CardRequest, Document, Edit, OutputFormat, Request, Side};
use crate::solved::Solved;
use rebone::card::{Card, CardFile};
use rebone::correct::{level_feet, mirror};
use rebone::export::RotationTable;
use rebone::skeleton::file::FORMATS_READ;
use rebone::skeleton::nalgebra::UnitQuaternion;
use rebone::skeleton::{Format, JointId, WorldPose, forward_kinematics};
use rebone::{AnalysisError, Anatomy, Character, CharacterChoice, Selection, error_line};
use serde_json::{Value, json};
use std::path::Path;

/// Largest number of bytes of poses in one answer.
const MAX_POSE_BYTES: usize = 1 << 28;

/// Radians from which a joint counts as moved.
const MIN_MOVE: f64 = 0.5_f64.to_radians();

/// The engine of a page: two files in memory. It never panics; an error is an answer.
#[derive(Debug, Default)]
pub struct Studio {
    files: [Option<Character>; 2],
    /// The files by the document that was asked about last, with the clip that was solved by it.
    pair: Option<Pair>,
    /// The anatomies by the cards without turns that were asked about last, with the texts of these cards.
    plain: [Option<(String, Anatomy)>; 2],
    last_frame: Option<LastFrame>,
}

/// The frame that was retargeted last.
#[derive(Debug)]
struct LastFrame {
    frame: usize,
    document: Document,
    /// World rotations of its joints.
    rotations: Vec<UnitQuaternion<f64>>,
}

impl Studio {
    /// Answers a request, which is JSON of a [`Request`]; `bytes` are the file that is opened.
    pub fn ask(&mut self, request: &str, bytes: &[u8]) -> Answer {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.answer(request, bytes),
            Err(error) => Err(Failure::new(format!("the request cannot be read: {error}"))),
        };
        answer.unwrap_or_else(|failure| failure.answer())
    }

    fn answer(&mut self, request: Request, bytes: &[u8]) -> Result<Answer, Failure> {
        match request {
            Request::Formats => Ok(Answer::new(json!({ "formats": FORMATS_READ }), Vec::new())),
            Request::Open { side, name, clip, skin, joint } => {
                let choice = CharacterChoice { skin, joint };
                let clip = clip.as_deref().map(Into::into);
                let selection = Selection { clip, character: choice.selector() };
                self.open(side, &name, selection, bytes)
            }
            Request::Close { side } => {
                self.forget(side);
                Ok(Answer::new(json!({}), Vec::new()))
            }
            Request::Understand { document } => self.understand(&document),
            Request::Frame { document, frame } => self.frame(&document, frame),
            Request::Solve { document } => self.solve(&document),
            Request::Poses { side, start, count } => self.poses(side, start, count),
            Request::Depths { frame } => self.depths(frame),
            Request::Calibration { document } => self.calibration(&document),
            Request::Edit { side, document, edits } => {
                let text = document.cards.of(side);
                let turns = edits.iter().any(|edit| matches!(edit, Edit::Pose { .. }));
                let anatomy = turns.then(|| self.plain_anatomy(side, &document).cloned()).flatten();
                self.prepare(&document);
                let (file, first) = self.used(side, &document)?;
                let motion = (file.skeleton(), file.clip(), first);
                let text = edited(side, text, &edits, motion, anatomy.as_ref())?;
                Ok(Answer::new(json!({ "card": text }), Vec::new()))
            }
            Request::Card(card) => self.card(&card),
            Request::Write { format } => self.write(format),
        }
    }

    fn forget(&mut self, side: Side) {
        self.files[side.index()] = None;
        self.plain[side.index()] = None;
        self.pair = None;
        self.last_frame = None;
    }

    fn open(
        &mut self,
        side: Side,
        name: &str,
        selection: Selection,
        bytes: &[u8],
    ) -> Result<Answer, Failure> {
        let file = Character::parse(name, bytes.to_vec(), selection);
        let file = file.map_err(|error| Failure::of_side(side, rebone::Error::from(error)))?;
        self.forget(side);
        let (skeleton, document) = (file.skeleton(), file.document());
        let node = |joint: JointId| document.gltf().and_then(|gltf| gltf.node(joint));
        let joints: Vec<Value> = skeleton
            .ids()
            .map(|joint| {
                json!({
                    "name": crate::shown(&skeleton[joint].name.to_string()),
                    "parent": skeleton[joint].parent.map(JointId::index),
                    "node": node(joint),
                })
            })
            .collect();
        let fields = json!({
            "is_gltf": document.gltf().is_some(),
            "has_other_mesh": document.gltf().is_none() && has_mesh(document),
            "is_vrm": document.is_vrm(),
            "clips": file.clip_names(),
            "empty_clips": file.empty_clips(),
            "clip": file.clip_index(),
            "characters": document.characters().iter().map(|own| &own.choice).collect::<Vec<_>>(),
            "frames": file.clip().len(),
            "frame_time": file.clip().frame_time,
            "joints": joints,
            "warnings": file.warnings().iter().map(|warning| warning.in_file(file.path())).collect::<Vec<_>>(),
        });
        self.files[side.index()] = Some(file);
        Ok(Answer::new(fields, Vec::new()))
    }

    fn file(&self, side: Side) -> Result<&Character, Failure> {
        let file = self.files[side.index()].as_ref();
        file.ok_or_else(|| Failure::new(format!("no {} is open", side.name())))
    }

    /// Both files by a document, if that is what was prepared last.
    fn known(&self, document: &Document) -> Option<&Pair> {
        self.pair.as_ref().filter(|pair| pair.document == *document)
    }

    /// Analyses both files and prepares the retarget, unless that is what was done last.
    fn pair(&mut self, document: &Document) -> Result<&mut Pair, Failure> {
        if self.known(document).is_none() {
            let before = self.pair.take();
            let files = [self.file(Side::Source)?, self.file(Side::Target)?];
            self.pair = Some(Pair::new(files, document, before)?);
        }
        self.pair.as_mut().ok_or_else(|| Failure::new("no pair is prepared"))
    }

    /// Prepares the pair of a document that edits refer to, whatever was asked about last: frames count as it uses them.
    fn prepare(&mut self, document: &Document) {
        let _ = self.pair(document);
    }

    /// The result that was solved last, with its pair.
    fn solved(&self) -> Result<(&Pair, &Solved), Failure> {
        let found = self.pair.as_ref().and_then(|pair| Some((pair, pair.solved.as_ref()?)));
        found.ok_or_else(|| Failure::new("there is no result yet: ask `solve` first"))
    }

    fn frame(&mut self, document: &Document, frame: usize) -> Result<Answer, Failure> {
        let before = self.last_frame.take();
        let pair = self.pair(document)?;
        let (yaw, rise) = pair.offsets();
        let count = pair.job.frames().0;
        let pose = pair.frame(frame);
        let pose = pose.ok_or_else(|| Failure::no_frame(frame, count))?;
        let plan = pair.plan();
        let world = forward_kinematics(&plan.target.skeleton, &pose)?;
        let mut bytes = Vec::new();
        write_pose(&world, &plan.world_from_files(yaw, rise)[1], &mut bytes);
        // Only one frame by two documents tells what an edit moved.
        let before = before.filter(|own| own.frame == frame && own.document != *document);
        let moves = before.map(|own| moves(&own.rotations, &world.rotations));
        let joints = world.rotations.len();
        let (document, rotations) = (document.clone(), world.rotations);
        self.last_frame = Some(LastFrame { frame, document, rotations });
        Ok(Answer::new(json!({ "joints": joints, "frames": 1, "moves": moves }), bytes))
    }

    /// Solves the whole clip, unless that is what was solved last.
    fn solve(&mut self, document: &Document) -> Result<Answer, Failure> {
        let pair = self.pair(document)?;
        let solved = match pair.solved.take() {
            Some(solved) => solved,
            None => Solved::new(&pair.job)?,
        };
        let fields = solved.fields(&pair.job);
        pair.solved = Some(solved);
        Ok(Answer::new(fields, Vec::new()))
    }

    fn poses(&self, side: Side, start: usize, count: usize) -> Result<Answer, Failure> {
        let pair = self.pair.as_ref().ok_or_else(|| Failure::new("nothing was understood yet"))?;
        let (yaw, rise) = pair.offsets();
        let plan = pair.plan();
        let anatomy = [&plan.source, &plan.target][side.index()];
        let pose = |frame| match (side, &pair.solved) {
            (Side::Source, _) => pair.source_pose(frame),
            (Side::Target, solved) => solved.as_ref()?.clip.pose(frame),
        };
        if side == Side::Target {
            self.solved()?;
        }
        let most = MAX_POSE_BYTES / (JOINT_BYTES * anatomy.skeleton.len().max(1));
        let end = start.saturating_add(count.min(most)).min(pair.job.frames().0);
        let world_from_file = plan.world_from_files(yaw, rise)[side.index()];
        let mut bytes = Vec::new();
        let mut world = WorldPose::zeros(&anatomy.skeleton);
        for pose in (start..end).filter_map(pose) {
            world.update(&anatomy.skeleton, &pose)?;
            write_pose(&world, &world_from_file, &mut bytes);
        }
        let frames = end.saturating_sub(start);
        let fields = json!({ "joints": anatomy.skeleton.len(), "start": start, "frames": frames, "stride": JOINT_BYTES });
        Ok(Answer::new(fields, bytes))
    }

    /// A file with the frames that are used of it, where that is known, else with all; and the first of its clip that counts.
    fn used(&self, side: Side, document: &Document) -> Result<(&Character, usize), Failure> {
        match (self.known(document), side) {
            (Some(pair), Side::Source) => Ok((pair.job.source(), pair.job.dropped_frames())),
            _ => Ok((self.file(side)?, 0)),
        }
    }

    fn card(&mut self, request: &CardRequest) -> Result<Answer, Failure> {
        let CardRequest { side, document, t_pose, level_feet: standing, mirror: from } = request;
        let side = *side;
        self.prepare(document);
        let file = with_card(side, self.file(side)?, document)?;
        let text = document.cards.of(side);
        let fault = |error| Failure::of_card(side, &error);
        let mut card_file = CardFile::parse(text).map_err(fault)?;
        let mut anatomy = match self.known(document) {
            Some(pair) => pair.files.analysed.anatomies[side.index()].clone(),
            None => analyse(side, &file)?,
        };
        let (used, first) = self.used(side, document)?;
        let (card, clip) = (file.hints().card(), used.clip());
        let standing = standing.map(|frame| frame.map(|frame| frame.saturating_add(first)));
        let wrong = |error: AnalysisError| Failure::of_side(side, Failure::new(error_line(&error)));
        if standing.iter().any(Option::is_some) {
            anatomy = level_feet(&anatomy, clip, standing, card).map_err(wrong)?;
        }
        if let Some(from) = from {
            anatomy = mirror(&anatomy, clip, *from, card).map_err(wrong)?;
        }
        let card = match t_pose {
            true => {
                card_file = card_file.without_pose();
                Card::from_anatomy_in_t_pose(&anatomy, &card_file.user_entries())
            }
            false => Card::from_anatomy(&anatomy, &card_file.user_entries()),
        };
        let text = card_file.update(&card.map_err(fault)?).map_err(fault)?;
        Ok(Answer::new(json!({ "card": text }), Vec::new()))
    }

    fn write(&self, format: OutputFormat) -> Result<Answer, Failure> {
        let (pair, solved) = self.solved()?;
        let format = match format {
            OutputFormat::Bvh => Format::Bvh,
            OutputFormat::Glb => Format::Glb,
            OutputFormat::Vrm => Format::Vrm,
            OutputFormat::Vrma => Format::Vrma,
            OutputFormat::RotationTable => {
                let files = [pair.job.source(), pair.job.target()];
                let table = RotationTable::of_files(files, pair.plan());
                let table = table.ok_or_else(|| {
                    Failure::new("--method ik has no rotation table: choose copy or bind")
                })?;
                let bytes =
                    serde_json::to_vec(&table).map_err(|error| Failure::new(error.to_string()))?;
                return Ok(Answer::new(json!({}), bytes));
            }
        };
        pair.job.check_format(format, Path::new("the result"))?;
        let mut bytes = Vec::new();
        pair.job.write_clip(format, &solved.clip, &solved.report, &mut bytes)?;
        Ok(Answer::new(json!({ "name": pair.job.source().clip_name() }), bytes))
    }
}

/// Returns whether joints move a mesh.
fn has_mesh(document: &rebone::skeleton::Document) -> bool {
    let skin = document.skin_points();
    !skin.points.is_empty() || !skin.left_out.is_empty()
}

/// The joints that turned, parents first, with degrees.
fn moves(before: &[UnitQuaternion<f64>], now: &[UnitQuaternion<f64>]) -> Vec<Value> {
    let angles = before.iter().zip(now).map(|(before, now)| before.angle_to(now));
    let moved = angles.enumerate().filter(|own| own.1 > MIN_MOVE);
    moved.map(|(joint, angle)| json!({ "joint": joint, "degrees": angle.to_degrees() })).collect()
}
