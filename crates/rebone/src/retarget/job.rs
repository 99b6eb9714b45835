//! One retarget: a clip of a character onto another character, with everything that is decided before its frames.

use super::added_root::AddedRoot;
use super::checks::{check_format, check_mask, check_plan};
use super::cycle::cut_to_cycle;
use super::mask::mask;
use super::notes::{count_from, input_warnings, lost_of_target, note_seam, notes};
use crate::align::{Plan, align};
use crate::analyse::AnalysedPair;
use crate::character::{Character, analyse_characters};
use crate::clip::{BodyMask, ClipInput, Evidence, FrameMapping, grade, solved_frames};
use crate::contacts::Contact;
use crate::error::Error;
use crate::export::ResultFile;
use crate::frame::Retargeter;
use crate::options::{LeadingPose, Method, Options, RootMotion};
use crate::report::{CycleReport, Report};
use crate::watch::{Halt, WatchFunction};
use rebone_skeleton::{Clip, Format, JointId, Pose};
use std::io::Write;
use std::path::Path;

/// One retarget: the clip of a character onto another character, ready to be solved and written any number of times.
///
/// ```
/// # use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
/// # let bytes = |motion: &rebone::skeleton::Motion| {
/// #     let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
/// #     write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default())
/// # };
/// # let (walk, rig) = (bytes(&rebone_samples::walk().motion)?, bytes(&rebone_samples::rigs()[0].motion)?);
/// use rebone::{Options, RetargetJob, analyse_characters};
///
/// let characters = [rebone::parse("walk.bvh", walk)?, rebone::parse("rig.bvh", rig)?];
/// let pair = analyse_characters(characters.each_ref(), &[], None)?;
/// let job = RetargetJob::new(characters, &pair, &Options::default())?;
/// let mut frames = 0;
/// let report = job.run(|_pose| {
///     frames += 1;
///     Ok::<(), rebone::Error>(())
/// })?;
/// assert_eq!(report.frames, frames);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RetargetJob {
    source: Character,
    target: Character,
    added_root: Option<AddedRoot>,
    retargeter: Retargeter,
    /// Keeps joints of the rig that do not follow the source.
    mask: Option<BodyMask>,
    mapping: FrameMapping,
    contacts: Option<Vec<Contact>>,
    wants_root_path: bool,
    watch: WatchFunction,
    /// The cycle that the source was cut to.
    cycle: Option<CycleReport>,
    /// Warnings on unused parts of clip, map and contacts.
    warnings: Vec<String>,
}

impl RetargetJob {
    /// Prepares a retarget of `[source, target]`, which were analysed: checks confidence and options, takes the frames
    /// that are wanted at the rate that is wanted.
    ///
    /// # Errors
    /// When the analysis is of other skeletons, a guess is below confidence, the clip has no such frames, options do not fit, or the target's joints do not
    /// form chains.
    pub fn new(
        [mut source, target]: [Character; 2],
        analysed: &AnalysedPair,
        options: &Options,
    ) -> Result<Self, Error> {
        options.check()?;
        source.check_motion()?;
        for (anatomy, character) in analysed.anatomies.iter().zip([&source, &target]) {
            character.clip().check_for(&anatomy.skeleton)?;
        }
        if !options.accept_guesses {
            source.check_confidence(&analysed.anatomies[0])?;
            target.check_confidence(&analysed.anatomies[1])?;
        }
        let mut warnings = input_warnings(&source, &target);
        if options.method == Method::Ik {
            source.turn_feet_back(&analysed.anatomies[0]);
        }
        let first = options.frames.map_or(0, |range| range.start);
        if let Some(range) = options.frames {
            warnings.extend(source.cut((range.start, range.end))?);
        }
        let mut mapping = FrameMapping::new(&source, &analysed.anatomies[0], first);
        if let Some(rate) = options.fps {
            mapping.ratio = source.resample(&analysed.anatomies[0], rate)?;
        }
        let [from, to] = &analysed.anatomies;
        let mut cycle = None;
        if let Some(range) = options.cycle {
            let (cut, report) = cut_to_cycle(&mut source, from, mapping, range)?;
            (mapping, cycle) = (cut, Some(report));
        }
        let mut plan = align(from, to, options);
        let added_root = AddedRoot::of(&plan, &target)?;
        let mut loose = analysed.loose.clone();
        if let Some(root) = &added_root {
            plan = align(from, &to.with_root(&root.skeleton), options);
            loose.iter_mut().for_each(|pair| pair[1] = pair[1].below_root());
        }
        let unused = plan.follow(&loose);
        check_plan(&plan, &target)?;
        let mask = mask(&plan, &target, added_root.as_ref())?;
        check_mask(&plan, mask.as_ref())?;
        let retargeter = Retargeter::new(plan).map_err(|error| Error::Stages(Box::new(error)))?;
        warnings.extend(analysed.warnings.iter().cloned().chain(unused));
        Ok(Self {
            source,
            target,
            added_root,
            retargeter,
            mask,
            mapping,
            contacts: None,
            wants_root_path: false,
            watch: WatchFunction(None),
            cycle,
            warnings,
        })
    }

    /// Analyses source and target and prepares the retarget.
    ///
    /// # Errors
    /// When one of the two is not recognised as a humanoid, and as [`new`](Self::new).
    pub fn of(source: &Character, target: &Character, options: &Options) -> Result<Self, Error> {
        source.check_motion()?;
        let analysed = analyse_characters([source, target], &[], None)?;
        Self::new([source.clone(), target.clone()], &analysed, options)
    }

    /// Takes the contacts of the source, by frames of its file, instead of detecting them. `name` is that of their file,
    /// for warnings.
    pub fn set_contacts(&mut self, contacts: Vec<Contact>, name: &Path) {
        let (all, count) = (contacts.len(), self.source.clip().len());
        let mut own = self.mapping.contacts_of_clip(contacts);
        own.retain(|contact| contact.frames.start < count);
        let cut = own.iter().filter(|contact| contact.frames.end > count).count();
        let lost = all - own.len() + cut;
        if lost > 0 {
            self.warnings.push(format!(
                "{}: {lost} of {all} contacts begin or end after the {count} frames of the clip: they may be of another clip",
                name.display()
            ));
        }
        self.contacts = Some(own);
    }

    /// Asks for [`Report::root_path`] also where the root motion stays in the world.
    #[must_use]
    pub fn with_root_path(self) -> Self {
        Self { wants_root_path: true, ..self }
    }

    /// Tells a function the progress, as [`ClipInput::watch`]; where it stops the work, that fails with [`Error::Stopped`].
    #[must_use]
    pub fn with_watch(
        self,
        watch: impl Fn(&'static str, usize, usize) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { watch: WatchFunction(Some(Box::new(watch))), ..self }
    }

    /// The correspondence of the two bodies.
    pub fn plan(&self) -> &Plan {
        self.retargeter.plan()
    }

    /// The source, with the frames that are used, at the rate of the result.
    pub fn source(&self) -> &Character {
        &self.source
    }

    /// First frame of the source's file that is used, counted from 0.
    pub fn first_frame(&self) -> usize {
        self.mapping.first
    }

    /// Number of that frame at the rate of the result: frames of the report are counted from there.
    pub fn frame_offset(&self) -> usize {
        self.mapping.begin()
    }

    /// Frames at the begin of the clip that are left out: 1 for a leading pose that is dropped.
    pub fn dropped_frames(&self) -> usize {
        self.input().first(&self.plan().options)
    }

    /// Number of frames of the result, and seconds from one to the next.
    pub fn frames(&self) -> (usize, f64) {
        let clip = self.source.clip();
        (clip.len() - self.dropped_frames(), clip.frame_time)
    }

    /// Solves the clip; each pose of the target goes to `sink`, in the order of the frames.
    ///
    /// # Errors
    /// The first error of `sink`, which ends the work; [`Error::Stopped`] by a watch.
    pub fn run<E: From<Error> + Send>(
        &self,
        sink: impl FnMut(&Pose) -> Result<(), E> + Send,
    ) -> Result<Report, E> {
        let (report, evidence) = self.solve(sink).map_err(Halt::error::<Error>)?;
        Ok(self.finish(report, evidence))
    }

    /// Solves the clip: [`run`](Self::run) without the verdict, and with the data for it.
    pub(super) fn solve<E: Send>(
        &self,
        mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
    ) -> Result<(Report, Option<Evidence>), Halt<E>> {
        let (plan, frame_time) = (self.plan(), self.source.clip().frame_time);
        let mut mask = self.mask.clone();
        let mut masked = plan.target.skeleton.rest_pose();
        let mut frame = 0;
        solved_frames(&self.retargeter, &self.input(), |pose| {
            let Some(mask) = &mut mask else { return sink(pose) };
            masked.clone_from(pose);
            mask.apply(plan, frame as f64 * frame_time, &mut masked);
            frame += 1;
            sink(&masked)
        })
    }

    /// Completes a report: verdict, frames of the file, warnings and notes.
    fn finish(&self, mut report: Report, evidence: Option<Evidence>) -> Report {
        let plan = self.plan();
        grade(plan, &self.input(), &mut report, evidence);
        if let (Some(cycle), Some(closed)) = (&self.cycle, &mut report.cycle) {
            *closed = CycleReport { residual_metres: closed.seam_metres, ..cycle.clone() };
            note_seam(cycle, &mut report);
        }
        let keeps_leading_pose =
            report.leading_pose && plan.options.leading_pose == LeadingPose::Keep;
        if let (true, Some(verdict)) = (keeps_leading_pose, &mut report.verdict) {
            verdict.note_leading_pose();
        }
        count_from(&mut report, self.mapping.begin());
        report.warnings.extend(self.warnings.iter().cloned());
        report.warnings.extend(notes(&report, &plan.options, self.mapping.first));
        report
    }

    /// Checks that the result can be written in a format, under a name.
    ///
    /// # Errors
    /// When the format does not hold what the options ask for, or is a VRM and the target is none.
    pub fn check_format(&self, format: Format, name: &Path) -> Result<(), Error> {
        check_format(&self.target, &self.plan().options, format, name)
    }

    /// Solves the clip and writes the result as it is solved, as far as the format allows; each pose goes to `each` as
    /// well.
    ///
    /// # Errors
    /// When the format cannot hold the result, the output fails, or `each` does.
    pub fn write<E: From<Error> + Send>(
        &self,
        format: Format,
        file: &mut (dyn Write + Send),
        mut each: impl FnMut(&Pose) -> Result<(), E> + Send,
    ) -> Result<Report, E> {
        if format == Format::Npz {
            return self.write_arrays(file, each);
        }
        let ((report, evidence), written) =
            self.file().write(format, self.frames(), file, |write| {
                let solved = self.solve::<E>(|pose| {
                    each(pose)?;
                    Ok(write(pose)?)
                });
                solved.map_err(Halt::error::<Error>)
            })?;
        let mut report = self.finish_written(report, evidence, written.as_ref());
        report.warnings.extend(lost_of_target(&self.target, format, &self.file()));
        Ok(report)
    }

    /// Completes the report of a result with the poses that its file holds, where they are other ones.
    fn finish_written(
        &self,
        report: Report,
        mut evidence: Option<Evidence>,
        written: Option<&Clip>,
    ) -> Report {
        // The verdict is on the motion before its path is moved and parts of the body are left out.
        let is_whole = self.plan().options.root == RootMotion::World && self.mask.is_none();
        if let (Some(evidence), Some(written), true) = (&mut evidence, written, is_whole) {
            evidence.set_written(self.plan(), written);
        }
        self.finish(report, evidence)
    }

    /// Writes a clip of the target that was solved before, as [`write`](Self::write) does. Arrays hold the
    /// contacts and the verdict of `report`.
    ///
    /// # Errors
    /// When the format cannot hold the result, the clip has another skeleton, or the output fails.
    pub fn write_clip(
        &self,
        format: Format,
        clip: &Clip,
        report: &Report,
        file: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        clip.check_for(&self.plan().target.skeleton)?;
        if format == Format::Npz {
            return self.write_arrays_of(clip.clone(), report, file);
        }
        self.file().write(format, (clip.len(), clip.frame_time), file, |write| {
            let mut pose = self.plan().target.skeleton.rest_pose();
            (0..clip.len()).try_for_each(|frame| {
                clip.read(frame, &mut pose);
                write(&pose)
            })
        })?;
        Ok(())
    }

    /// The contacts of a report, by frames of the source's file.
    pub fn contacts_of_file(&self, report: &Report) -> Vec<Contact> {
        let contacts = report.contacts.iter().flat_map(|own| &own.contacts);
        self.mapping.contacts_of_file(contacts.map(|own| &own.contact))
    }

    /// The files that the result must not replace.
    pub fn inputs(&self) -> Vec<std::path::PathBuf> {
        let of = |character: &Character| {
            let mut files = character.files_beside();
            files.push(character.path().to_owned());
            files.extend(character.hints().files());
            files
        };
        [of(&self.source), of(&self.target)].concat()
    }

    /// The target.
    pub fn target(&self) -> &Character {
        &self.target
    }

    fn input(&self) -> ClipInput<'_> {
        let contacts = self.contacts.as_deref();
        let reference = self.mapping.leading_pose;
        let has_rig_floor = self.target.document().hierarchy().is_none();
        ClipInput {
            clip: self.source.clip(),
            reference,
            contacts,
            has_rig_floor,
            wants_root_path: self.wants_root_path,
            is_cycle: self.cycle.is_some(),
            // Frames that are chosen may be a part in which the body stands still.
            expects_motion: self.plan().options.frames.is_none() && self.source.file_moves(),
            watch: self.watch.0.as_deref().map(|watch| watch as _),
        }
    }

    fn file(&self) -> ResultFile<'_> {
        let (plan, clip) = (self.plan(), self.source.clip());
        let options = &plan.options;
        let follows = |id: &JointId| self.mask.as_ref().is_none_or(|mask| mask.follows(*id));
        let masked = self.mask.iter().flat_map(BodyMask::moving);
        let document = self.target.document();
        let added_root = self.added_root.as_ref();
        ResultFile {
            hierarchy: document.hierarchy().filter(|_| added_root.is_none()),
            gltf: added_root.map_or(document.gltf(), |root| root.gltf.as_ref()),
            plan,
            options,
            name: options.animation.clone().unwrap_or_else(|| self.source.clip_name()),
            mapped: plan.mapped().filter(follows).collect(),
            moving: moving(plan, clip).chain(masked).collect(),
        }
    }
}

/// The target joints whose translations a clip changes.
fn moving<'a>(plan: &'a Plan, clip: &'a Clip) -> impl Iterator<Item = JointId> + 'a {
    plan.moving().filter(|&id| match plan.stretched(id) {
        Some([joint, _]) => {
            let bone = clip.bone(&plan.source.skeleton, joint).unwrap_or_default();
            let least = 1e-6 / plan.source.metres_per_unit();
            clip.translations(joint).any(|translation| (translation - bone).norm() > least)
        }
        None => true,
    })
}
