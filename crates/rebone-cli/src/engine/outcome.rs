//! A retarget, from two files to a clip.

use super::guess::SURE_ENOUGH;
use super::output::{Joints, metres_of};
use super::pictured::Pictured;
use super::told;
use super::wishes::{options, part};
use super::{Kind, Loaded, Output, Summary, Wanted, document, plan};
use crate::args::{ReferenceFrame, Retarget, Root, Wishes};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, Whole};
use rebone::contacts;
use rebone::skeleton::{Clip, JointId, Pose};
use rebone::{
    Contact, Overlay, Part, Plan, Report, Retargeter, Understood, first_frame, retarget_frames,
};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What came of a retarget.
pub(crate) struct Outcome {
    /// How it went.
    pub(crate) report: Report,
    plan: Plan,
    /// How many frames of the source were left out at its begin.
    dropped: usize,
    /// How many frames there are for one of the source's file.
    ratio: f64,
    /// Source and result over each other, as PNG, where that was wanted.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Retargets `source`'s clip frame by frame into a new file, which does not have its name yet.
///
/// Memory holds the source's clip. Only a result that is to be put on its floor is held as well.
pub(crate) fn retarget(
    source: &Loaded,
    target: &Loaded,
    understood: &Understood,
    args: &Retarget,
    ratio: f64,
) -> Result<(Whole, Outcome), Failure> {
    let mut made = Made::new(understood, &args.wishes, [source, target])?;
    let clip = source.clip();
    let first = scaled(args.frames.map_or(0, |range| range.start), ratio);
    if let Some(path) = &args.contacts_from {
        made.retargeter.state_contacts(contacts_of(path, first, ratio)?);
    }
    let plan = made.retargeter.plan();
    let dropped = first_frame(plan, clip);
    let frames = (clip.len() - dropped, clip.frame_time);
    let mut pictured = args.preview.as_ref().map(|_| Pictured::new(plan, frames));
    let output = Output {
        target,
        document: document(target, &understood.anatomies[1]),
        path: &args.output,
        kind: Kind::of(&args.output),
        written: args.written,
        name: args.animation.clone().unwrap_or_else(|| source.clip_name()),
    };
    let (file, report) = paths::whole(&args.output, |file| {
        made.write(clip, first, &output, file, |pose| {
            interrupt::check()?;
            pictured.iter_mut().for_each(|pictured| pictured.result.add(pose));
            Ok(())
        })
    })?;
    let picture = pictured.map(|pictured| pictured.draw(clip, [dropped, first], args));
    Ok((file, Outcome { report, plan: plan.clone(), dropped, ratio, picture }))
}

/// A frame of the source's file, where there are so many for one of its frames.
pub(crate) fn scaled(frame: usize, ratio: f64) -> usize {
    (frame as f64 * ratio).round() as usize
}

/// The contacts in a file, by frames from `first` on, so many for one of the source's file.
fn contacts_of(path: &Path, first: usize, ratio: f64) -> Result<Vec<Contact>, Failure> {
    let text = paths::read_text(path, "contacts")?;
    let contacts = contacts::parse(&text)
        .map_err(|error| anyhow::anyhow!("{}:{}: {}", path.display(), error.line, error.what))?;
    let contacts = contacts.into_iter().map(|own| at_rate(own, ratio));
    let later = contacts.filter(|own| own.frames.end > first);
    let shifted = later.map(|own| {
        let frames = own.frames.start.saturating_sub(first)..own.frames.end - first;
        Contact { frames, ..own }
    });
    Ok(shifted.collect())
}

/// A contact by frames of which there are so many for one.
fn at_rate(contact: Contact, ratio: f64) -> Contact {
    let [start, end] = [contact.frames.start, contact.frames.end].map(|own| scaled(own, ratio));
    Contact { frames: start..end.max(start + 1), ..contact }
}

/// A result that is about to be made.
pub(crate) struct Made<'a> {
    retargeter: Retargeter,
    /// What stays as the rig has it, where the user wants only a part.
    overlay: Option<Overlay>,
    wishes: &'a Wishes,
    /// What of a map is not used.
    unused: Vec<String>,
}

impl<'a> Made<'a> {
    /// Of two bodies and the files that they are of.
    ///
    /// # Errors
    /// When the target's joints do not form chains, or wishes do not go together or with the target.
    pub(crate) fn new(
        understood: &Understood,
        wishes: &'a Wishes,
        files: [&Loaded; 2],
    ) -> Result<Self, Failure> {
        Self::over(understood, wishes, files, base(files[1], wishes)?)
    }

    /// The same over the target's own animation, where one is wished.
    pub(crate) fn over(
        understood: &Understood,
        wishes: &'a Wishes,
        files: [&Loaded; 2],
        base: Option<Arc<Clip>>,
    ) -> Result<Self, Failure> {
        let [from, to] = &understood.anatomies;
        let metres = [metres_of(files[0], from), metres_of(files[1], to)];
        let (plan, unused) = plan(understood, &options(wishes, metres));
        if wishes.root == Root::GroundJoint && plan.ground_joint().is_none() {
            let message = format!(
                "--root ground-joint: {} has no joint above the one that carries the body that can be moved and turned",
                files[1].path.display()
            );
            return Err(Failure::usage(message));
        }
        let parts: Vec<Part> = wishes.only.iter().copied().map(part).collect();
        let is_whole = base.is_none() && parts.is_empty();
        let overlay = (!is_whole).then(|| Overlay::new(&plan, base, &parts));
        if wishes.ground && overlay.as_ref().is_some_and(|own| !own.follows(plan.carrier)) {
            let message =
                "--ground moves the hips, which --only leaves out: add hips or lower to --only";
            return Err(Failure::usage(message.to_owned()));
        }
        let retargeter = Retargeter::new(plan).map_err(anyhow::Error::new)?;
        Ok(Self { retargeter, overlay, wishes, unused })
    }

    /// Writes the frames of a clip, which begins at frame `first` of its file. Each pose goes to `each` as
    /// well, which may break off.
    pub(crate) fn write(
        &self,
        clip: &Clip,
        first: usize,
        output: &Output,
        file: &mut (dyn Write + Send),
        mut each: impl FnMut(&Pose) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<Report> {
        let plan = self.retargeter.plan();
        let count = clip.len() - first_frame(plan, clip);
        let mut overlay = self.overlay.clone();
        let moves = |id: &JointId| overlay.as_ref().is_none_or(|own| own.follows(*id));
        let joints = Joints {
            mapped: plan.mapped().filter(moves).collect(),
            moving: moving(plan, clip).chain(overlay.iter().flat_map(Overlay::moving)).collect(),
        };
        let mut own = plan.target.skeleton.rest_pose();
        let mut frame = 0;
        let frames = (count, clip.frame_time);
        let mut report = output.write(plan, &joints, frames, file, |write| {
            retarget_frames(&self.retargeter, clip, |pose| {
                let Some(overlay) = &mut overlay else {
                    each(pose)?;
                    return write(pose);
                };
                own.clone_from(pose);
                overlay.apply(plan, frame as f64 * clip.frame_time, &mut own);
                frame += 1;
                each(&own)?;
                write(&own)
            })
        })?;
        count_from(&mut report, first);
        report.warnings.extend(self.unused.iter().cloned());
        report.warnings.extend(notes(&report, self.wishes, first));
        Ok(report)
    }
}

/// The target joints whose places a clip changes.
fn moving<'a>(plan: &'a Plan, clip: &'a Clip) -> impl Iterator<Item = JointId> + 'a {
    plan.moving().filter(|&id| match plan.stretched(id) {
        Some([joint, _]) => {
            let bone = clip.bone(&plan.source.skeleton, joint);
            let least = 1e-6 / plan.source.metres_per_unit();
            clip.translations(joint).any(|place| (place - bone).norm() > least)
        }
        None => true,
    })
}

/// The animation of a rig that the user wishes below the result.
pub(crate) fn base(target: &Loaded, wishes: &Wishes) -> Result<Option<Arc<Clip>>, Failure> {
    let Some(base) = &wishes.base else { return Ok(None) };
    let wanted = Wanted { clip: Some(base), skin: target.skin };
    let clip = Loaded::read_part(&target.path, wanted)?.motion.clip;
    match clip.is_empty() {
        true => Err(Failure::usage(format!("{}: {base:?} has no frames", target.path.display()))),
        false => Ok(Some(Arc::new(clip))),
    }
}

/// Counts frames from the begin of the file, where the clip begins at its frame `first`.
fn count_from(report: &mut Report, first: usize) {
    for stage in &mut report.stages {
        stage.worst_frame += first;
        stage.goals.iter_mut().for_each(|goal| goal.worst_frame += first);
    }
    for own in report.contacts.iter_mut().flat_map(|own| &mut own.contacts) {
        let frames = &mut own.contact.frames;
        *frames = frames.start + first..frames.end + first;
    }
    report.verdict.iter_mut().for_each(|own| own.count_from(first));
    for limit in &mut report.limits {
        limit.first_frame += first;
        limit.worst_frame += first;
    }
}

/// What the user should know of a first frame that is no motion, and of the floor.
fn notes(report: &Report, wishes: &Wishes, first: usize) -> Vec<String> {
    let drop = wishes.reference_frame == ReferenceFrame::Drop;
    let mut notes = Vec::new();
    match (report.reference_frame, drop) {
        (true, false) => notes.push(format!(
            "frame {first} of the source looks like a reference pose, not like motion; leave it out \
             with --reference-frame drop"
        )),
        (false, true) => notes.push(format!(
            "frame {first} of the source looks like motion, not like a reference pose: it was kept; \
             if it is one, --frames {}.. leaves it out",
            first + 1
        )),
        _ => {}
    }
    if report.floor.is_some_and(|floor| floor.confidence < SURE_ENOUGH) {
        notes.push(
            "not sure where the floor is: few frames bear on what was taken for it".to_owned(),
        );
    }
    notes
}

impl Outcome {
    /// What was done besides the main job, in half a line; empty if nothing was.
    pub(crate) fn extras(&self) -> String {
        let mut extras = String::new();
        if self.dropped > 0 {
            extras += "; without the reference frame";
        }
        if let Some(floor) = self.report.floor {
            let sure = super::percent(floor.confidence);
            extras += &format!("; floor moved from height {:.4} to 0 ({sure} sure)", floor.level);
        }
        extras
    }

    /// The source's contacts as a text.
    pub(crate) fn contacts(&self) -> String {
        let kept = self.report.contacts.iter().flat_map(|own| &own.contacts);
        let kept = kept.map(|own| at_rate(own.contact.clone(), 1.0 / self.ratio));
        contacts::write(&kept.collect::<Vec<_>>())
    }

    /// Source and target.
    pub(crate) fn summaries(&self, source: &Loaded, target: &Loaded) -> [Summary; 2] {
        [Summary::new(source, &self.plan.source), Summary::new(target, &self.plan.target)]
    }

    /// How far from the goals, in one line.
    pub(crate) fn line(&self) -> String {
        told::goals(&self.report)
    }

    /// How good it is, and the worst reasons why it is not better, or all, one in a line.
    pub(crate) fn verdict(&self, all: bool) -> Vec<String> {
        self.report.verdict.iter().flat_map(|own| told::verdict(own, all)).collect()
    }

    /// Each stage in a line, and below it its goals that were missed.
    pub(crate) fn details(&self) -> Vec<String> {
        told::stages(&self.report)
    }

    /// The limits that cost most, or all, one in a line.
    pub(crate) fn limits(&self, all: bool) -> Vec<String> {
        told::limits(&self.report, all)
    }
}
