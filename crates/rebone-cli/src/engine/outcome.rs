//! A retarget, from two files to a clip.

use super::guess::SURE_ENOUGH;
use super::output::Joints;
use super::told;
use super::{Film, Kind, Loaded, Output, Seen, Summary, Wanted, document, plan};
use crate::args::{self, Contacts, Limits, ReferenceFrame, Retarget, Transfer, Wishes};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, Whole};
use crate::preview::{Ink, Instant, SheetOptions, contact_sheet};
use rebone::contacts;
use rebone::skeleton::{Clip, JointId, Pose};
use rebone::{
    Anatomy, Contact, Keep, LimbModes, LimitMode, Options, Overlay, Part, Plan, Report, Retargeter,
    Understood, first_frame, retarget_frames,
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
) -> Result<(Whole, Outcome), Failure> {
    let mut made = Made::new(understood, &args.wishes, base(target, &args.wishes)?)?;
    let clip = source.clip();
    let first = args.frames.map_or(0, |range| range.start);
    if let Some(path) = &args.contacts_from {
        made.retargeter.state_contacts(contacts_of(path, first)?);
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
    let picture = pictured.map(|pictured| pictured.draw(clip, dropped, args));
    Ok((file, Outcome { report, plan: plan.clone(), dropped, picture }))
}

/// The contacts in a file, by frames from `first` on.
fn contacts_of(path: &Path, first: usize) -> Result<Vec<Contact>, Failure> {
    let text = paths::read_text(path, "contacts")?;
    let contacts = contacts::parse(&text)
        .map_err(|error| anyhow::anyhow!("{}:{}: {}", path.display(), error.line, error.what))?;
    let later = contacts.into_iter().filter(|own| own.frames.end > first);
    let shifted = later.map(|own| {
        let frames = own.frames.start.saturating_sub(first)..own.frames.end - first;
        Contact { frames, ..own }
    });
    Ok(shifted.collect())
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
    /// Of two bodies; `base` is the target's own animation, where one is wished.
    ///
    /// # Errors
    /// When the target's joints do not form chains, or wishes do not go together.
    pub(crate) fn new(
        understood: &Understood,
        wishes: &'a Wishes,
        base: Option<Arc<Clip>>,
    ) -> Result<Self, Failure> {
        let (plan, unused) = plan(understood, &options(wishes));
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

/// The same part for the library.
fn part(part: args::Part) -> Part {
    match part {
        args::Part::Upper => Part::Upper,
        args::Part::Lower => Part::Lower,
        args::Part::Hips => Part::Hips,
        args::Part::Trunk => Part::Trunk,
        args::Part::Head => Part::Head,
        args::Part::Arms => Part::Arms,
        args::Part::Hands => Part::Hands,
        args::Part::Legs => Part::Legs,
    }
}

/// A picture of source and result over each other, while the result is made.
struct Pictured<'a> {
    instants: Vec<Instant>,
    source: Film<'a>,
    result: Film<'a>,
}

impl<'a> Pictured<'a> {
    fn new(plan: &'a Plan, frames: (usize, f64)) -> Self {
        let instants = Instant::spread(frames.0, frames.1, 8);
        let film = |anatomy: &'a Anatomy, inner_from_file| {
            let seen = Seen { anatomy, inner_from_file };
            Film::new(&anatomy.skeleton, Some(seen), frames, &instants)
        };
        let source = film(&plan.source, plan.inner_from_source);
        let result = film(&plan.target, plan.inner_from_target);
        Self { instants, source, result }
    }

    fn draw(mut self, clip: &Clip, dropped: usize, args: &Retarget) -> Vec<u8> {
        (dropped..clip.len()).for_each(|frame| self.source.add(&clip.pose(frame)));
        let name = |path| super::file_name(path);
        let (from, onto) = (name(&args.source), name(&args.target));
        let tracks = [
            self.source.track(format!("{from} (source)"), Ink::BLUE_GREY),
            self.result.track(format!("{} (result)", name(&args.output)), Ink::ORANGE),
        ];
        let options = SheetOptions {
            title: format!("{from} onto {onto}"),
            first_frame: dropped + args.frames.map_or(0, |range| range.start),
        };
        contact_sheet(&tracks, &self.instants, &options)
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
    for limit in &mut report.limits {
        limit.first_frame += first;
        limit.worst_frame += first;
    }
}

/// The library's words for what the user wants.
fn options(wishes: &Wishes) -> Options {
    Options {
        transfer: match wishes.method {
            Transfer::Ik => rebone::Transfer::Ik,
            Transfer::Copy => rebone::Transfer::Copy,
            Transfer::Bind => rebone::Transfer::Bind,
        },
        limbs: LimbModes {
            arms: wishes.arms.unwrap_or(wishes.limbs).0,
            legs: wishes.legs.unwrap_or(wishes.limbs).0,
        },
        limits: match wishes.limits {
            Limits::Source => LimitMode::Source,
            Limits::Human => LimitMode::Human,
            Limits::Strict => LimitMode::Strict,
        },
        method: wishes.solver,
        ground: wishes.ground,
        contacts: match wishes.contacts {
            Contacts::Off => Keep::Off,
            Contacts::Soft => Keep::Soft,
            Contacts::Feet => Keep::Feet,
            Contacts::All => Keep::All,
            Contacts::Lock => Keep::Lock,
        },
        floor: wishes.floor,
        reference_frame: match wishes.reference_frame {
            ReferenceFrame::Keep => rebone::ReferenceFrame::Keep,
            ReferenceFrame::Drop => rebone::ReferenceFrame::Drop,
        },
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
        contacts::write(&kept.map(|own| own.contact.clone()).collect::<Vec<_>>())
    }

    /// Source and target.
    pub(crate) fn summaries(&self, source: &Loaded, target: &Loaded) -> [Summary; 2] {
        [Summary::new(source, &self.plan.source), Summary::new(target, &self.plan.target)]
    }

    /// How far from the goals, in one line.
    pub(crate) fn line(&self) -> String {
        told::goals(&self.report)
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
