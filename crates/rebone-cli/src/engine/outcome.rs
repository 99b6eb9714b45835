//! A retarget, from two files to a clip.

use super::guess::SURE_ENOUGH;
use super::output::Joints;
use super::told;
use super::{Kind, Output, Summary, document, file_name, plan};
use crate::args::Retarget;
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, PreparedFile};
use rebone::contacts;
use rebone::skeleton::{Clip, JointId, Pose};
use rebone::{
    AnalysedPair, BodyMask, Character, ClipInput, Contact, FrameMapping, LeadingPose, Options,
    Plan, Report, Retargeter, RootMotion, retarget_frames,
};
use rebone_view::{RetargetSheet, SheetNames};
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
    /// How its frames come from those of the file.
    timing: FrameMapping,
    /// Source and result over each other, as PNG, where that was wanted.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Retargets `source`'s clip frame by frame into a new file, which does not have its name yet.
///
/// Memory holds the source's clip, what a verdict needs, and the result wherever what comes late changes what comes early.
pub(crate) fn retarget(
    source: &Character,
    target: &Character,
    analysed: &AnalysedPair,
    args: &Retarget,
    timing: FrameMapping,
) -> Result<(PreparedFile, Outcome), Failure> {
    let made = Made::new(analysed, &args.options, [source, target])?;
    let clip = source.clip();
    let given = args.contacts_from.as_ref().map(|path| contacts_of(path, &timing, clip.len()));
    let (given, lost) = given.transpose()?.unzip();
    let input = ClipInput { clip, reference: timing.leading_pose, contacts: given.as_deref() };
    let plan = made.retargeter.plan();
    let dropped = input.first(&plan.options);
    let frames = (clip.len() - dropped, clip.frame_time);
    let mut pictured = args.preview.as_ref().map(|_| RetargetSheet::new(plan, frames.0, frames.1));
    let output = Output {
        target,
        document: document(target, &analysed.anatomies[1]),
        path: &args.output,
        kind: Kind::of(&args.output),
        options: &args.options,
        name: args.options.animation.clone().unwrap_or_else(|| source.clip_name()),
    };
    let (file, mut report) = paths::prepare(&args.output, |file| {
        made.write(&input, &timing, &output, file, |pose| {
            interrupt::check()?;
            pictured.iter_mut().for_each(|pictured| pictured.add(pose));
            Ok(())
        })
    })?;
    report.warnings.extend(lost.flatten());
    let [source, target, result] =
        [&args.source, &args.target, &args.output].map(|path| file_name(path));
    let names = SheetNames { source: &source, target: &target, result: &result };
    let picture = pictured.map(|pictured| pictured.draw(clip, [dropped, timing.begin()], names));
    Ok((file, Outcome { report, plan: plan.clone(), dropped, timing, picture }))
}

/// The contacts in a file, by frames of a take with so many of them; and what of them is not in it.
fn contacts_of(
    path: &Path,
    timing: &FrameMapping,
    count: usize,
) -> Result<(Vec<Contact>, Option<String>), Failure> {
    let text = paths::read_text(path, "contacts")?;
    let contacts = contacts::parse(&text)
        .map_err(|error| anyhow::anyhow!("{}:{}: {}", path.display(), error.line, error.what))?;
    let all = contacts.len();
    let mut own = timing.contacts_of_clip(contacts);
    own.retain(|contact| contact.frames.start < count);
    let cut = own.iter().filter(|contact| contact.frames.end > count).count();
    let lost = all - own.len() + cut;
    let warning = format!(
        "{}: {lost} of {all} contacts are not or not as a whole in the clip",
        path.display()
    );
    Ok((own, (lost > 0).then_some(warning)))
}

/// Most and least times as far as its legs say that a target goes.
const MAX_TRAVEL_RATIO: f64 = 100.0;

/// A result that is about to be made.
pub(crate) struct Made<'a> {
    retargeter: Retargeter,
    /// What stays as the rig has it, where the user wants only a part.
    overlay: Option<BodyMask>,
    options: &'a Options,
    /// What of a map is not used.
    unused: Vec<String>,
}

impl<'a> Made<'a> {
    /// Of two bodies and the files that they are of.
    ///
    /// # Errors
    /// When the target's joints do not form chains, or wishes do not go together or with the target.
    pub(crate) fn new(
        analysed: &AnalysedPair,
        options: &'a Options,
        files: [&Character; 2],
    ) -> Result<Self, Failure> {
        Self::over(analysed, options, files, base(files[1], options)?)
    }

    /// The same over the target's own animation, where one is wished.
    pub(crate) fn over(
        analysed: &AnalysedPair,
        options: &'a Options,
        files: [&Character; 2],
        base: Option<Arc<Clip>>,
    ) -> Result<Self, Failure> {
        let (plan, unused) = plan(analysed, options);
        if options.root == RootMotion::RootBone && plan.root_bone().is_none() {
            let message = format!(
                "--root root-bone: {} has no joint above {}, which carries the body, that can be moved and turned; \
                 --root in-place takes the way out of any rig",
                files[1].path().display(),
                plan.target.skeleton.joint(plan.translation_joint).name
            );
            return Err(Failure::usage(message));
        }
        let ratio = plan.travel_scale / plan.path_scale;
        if !(1.0 / MAX_TRAVEL_RATIO..MAX_TRAVEL_RATIO).contains(&ratio) {
            return Err(Failure::usage(format!(
                "--travel metric: by their units the target would go {ratio:.3e} times as far as its legs say: state \
                 units with --unit"
            )));
        }
        let is_whole = base.is_none() && options.only.is_empty();
        let overlay = (!is_whole).then(|| BodyMask::new(&plan, base, &options.only));
        let stays = overlay.as_ref().is_some_and(|own| !own.follows(plan.translation_joint));
        let moves = [("--ground", options.ground), ("--root", options.root != RootMotion::World)];
        if let Some((option, _)) = moves.into_iter().find(|own| own.1 && stays) {
            return Err(Failure::usage(format!(
                "{option} moves the hips, which --only leaves out: add hips or lower to --only"
            )));
        }
        let retargeter = Retargeter::new(plan).map_err(anyhow::Error::new)?;
        Ok(Self { retargeter, overlay, options, unused })
    }

    /// Writes the frames of a take. Each pose goes to `each` as
    /// well, which may break off.
    pub(crate) fn write(
        &self,
        input: &ClipInput,
        timing: &FrameMapping,
        output: &Output,
        file: &mut (dyn Write + Send),
        mut each: impl FnMut(&Pose) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<Report> {
        let plan = self.retargeter.plan();
        let clip = input.clip;
        let count = clip.len() - input.first(&plan.options);
        let mut overlay = self.overlay.clone();
        let moves = |id: &JointId| overlay.as_ref().is_none_or(|own| own.follows(*id));
        let joints = Joints {
            mapped: plan.mapped().filter(moves).collect(),
            moving: moving(plan, clip).chain(overlay.iter().flat_map(BodyMask::moving)).collect(),
        };
        let mut own = plan.target.skeleton.rest_pose();
        let mut frame = 0;
        let frames = (count, clip.frame_time);
        let mut report = output.write(plan, &joints, frames, file, |write| {
            retarget_frames(&self.retargeter, input, |pose| {
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
        count_from(&mut report, timing.begin());
        report.warnings.extend(self.unused.iter().cloned());
        report.warnings.extend(notes(&report, self.options, timing.first));
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
pub(crate) fn base(target: &Character, options: &Options) -> Result<Option<Arc<Clip>>, Failure> {
    let Some(base) = &options.base else { return Ok(None) };
    let clip = target.with_clip(base)?.clip().clone();
    match clip.is_empty() {
        true => Err(Failure::usage(format!("{}: {base:?} has no frames", target.path().display()))),
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
fn notes(report: &Report, options: &Options, first: usize) -> Vec<String> {
    let drop = options.leading_pose == LeadingPose::Drop;
    let mut notes = Vec::new();
    match (report.leading_pose, drop) {
        (true, false) => notes.push(format!(
            "frame {first} of the source looks like a reference pose, not like motion; leave it out \
             with --leading-pose drop"
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
            extras += "; without the leading pose";
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
        contacts::write(&self.timing.contacts_of_file(kept.map(|own| &own.contact)))
    }

    /// Source and target.
    pub(crate) fn summaries(&self, source: &Character, target: &Character) -> [Summary; 2] {
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
