//! One retarget: a clip of a character onto another character, with everything that is decided before its frames.

use super::added_root::AddedRoot;
use super::checks::{check_format, check_mask, check_plan};
use super::cycle::cut_to_cycle;
use super::mask::mask;
use super::notes::{count_from, input_warnings, lost_of_target, note_seam, notes};
use crate::align::{Plan, align};
use crate::clip::{BodyMask, ClipInput, Evidence, FrameMapping, SolvedClip, grade, solve_clip};
use crate::contacts::{self, Contact};
use crate::error::Error;
use crate::export::ResultFile;
use crate::frame::Retargeter;
use crate::options::{LeadingPose, Method, Options};
use crate::report::{CycleReport, Report};
use crate::watch::Watch;
use rebone_body::poses;
use rebone_body::{AnalysedPair, Character};
use rebone_skeleton::{Clip, Format, JointId};
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
/// use rebone::{Options, Pair};
///
/// let characters = [rebone::parse("walk.bvh", walk)?, rebone::parse("rig.bvh", rig)?];
/// let job = Pair::new(characters, None)?.job(&Options::default())?;
/// let (clip, report) = job.run(None)?;
/// assert_eq!(report.frames, clip.len());
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
    /// The cycle that the source was cut to.
    cycle: Option<CycleReport>,
    /// Warnings on unused parts of clip, map and contacts.
    warnings: Vec<String>,
}

impl RetargetJob {
    /// Prepares a retarget: see [`Pair::job`](crate::Pair::job).
    pub(super) fn new(
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
            cycle,
            warnings,
        })
    }

    /// Takes the contacts of the source, by frames of its file, instead of detecting them. `name` is that of their file,
    /// for messages.
    ///
    /// # Errors
    /// When the text is no file of contacts; names the line.
    pub fn set_contacts(&mut self, text: &str, name: &Path) -> Result<(), Error> {
        let contacts = contacts::parse(text)
            .map_err(|error| Error::Contacts { path: name.to_owned(), error })?;
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
        Ok(())
    }

    /// Asks for [`Report::root_path`] also where the root motion stays in the world.
    #[must_use]
    pub fn with_root_path(self) -> Self {
        Self { wants_root_path: true, ..self }
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
        self.input(None).first(&self.plan().options)
    }

    /// Number of frames of the result, and seconds from one to the next.
    pub fn frames(&self) -> (usize, f64) {
        let clip = self.source.clip();
        (clip.len() - self.dropped_frames(), clip.frame_time)
    }

    /// Solves the clip: the motion on the target's skeleton, and its report. `watch` is told the progress as
    /// [`ClipInput::watch`], and may stop the work.
    ///
    /// # Errors
    /// [`Error::Stopped`] by the watch.
    pub fn run(&self, watch: Option<&Watch>) -> Result<(Clip, Report), Error> {
        let SolvedClip { clip, report, mut evidence } = self.solve(watch)?;
        self.keep_result(&mut evidence, &clip, watch)?;
        Ok((clip, self.finish(report, evidence, watch)?))
    }

    /// Solves the clip, without a verdict. The motion before its path is moved and parts of the body are left out is what
    /// is graded.
    fn solve(&self, watch: Option<&Watch>) -> Result<SolvedClip, Error> {
        let (plan, input) = (self.plan(), self.input(watch));
        let mut solved = solve_clip(&self.retargeter, &input)?;
        let SolvedClip { clip, evidence, .. } = &mut solved;
        if let Some(mut mask) = self.mask.clone() {
            self.keep_result(evidence, clip, watch)?;
            let frame_time = clip.frame_time;
            poses::edit(clip, |frame, pose| mask.apply(plan, frame as f64 * frame_time, pose));
        }
        Ok(solved)
    }

    /// Traces the result as it is now, where what is graded is not known yet.
    fn keep_result(
        &self,
        evidence: &mut Option<Evidence>,
        result: &Clip,
        watch: Option<&Watch>,
    ) -> Result<(), Error> {
        let input = self.input(watch);
        let mut traced = evidence.iter_mut();
        traced.try_for_each(|own| own.keep_result(&self.retargeter, &input, result))?;
        Ok(())
    }

    /// Completes the report of a result that was traced: verdict, frames of the file, warnings and notes.
    fn finish(
        &self,
        mut report: Report,
        evidence: Option<Evidence>,
        watch: Option<&Watch>,
    ) -> Result<Report, Error> {
        let plan = self.plan();
        grade(&self.retargeter, &self.input(watch), &mut report, evidence)?;
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
        Ok(report)
    }

    /// Checks that the result can be written in a format, under a name.
    ///
    /// # Errors
    /// When the format does not hold what the options ask for, or is a VRM and the target is none.
    pub fn check_format(&self, format: Format, name: &Path) -> Result<(), Error> {
        check_format(&self.target, &self.plan().options, format, name)
    }

    /// Solves the clip and writes the result; `take` gets the motion as the file holds it. `watch` is as for
    /// [`run`](Self::run), with the step `write` of a BVH. The motion is graded after that: one that is not kept is not in memory then.
    ///
    /// # Errors
    /// When the format cannot hold the result, the output fails, or the watch stops the work.
    pub fn write(
        &self,
        format: Format,
        file: &mut (dyn Write + Send),
        watch: Option<&Watch>,
        take: impl FnOnce(Clip),
    ) -> Result<Report, Error> {
        let SolvedClip { mut clip, report, mut evidence } = self.solve(watch)?;
        if format == Format::Npz {
            self.keep_result(&mut evidence, &clip, watch)?;
            let report = self.finish(report, evidence, watch)?;
            take(self.write_arrays(clip, &report, file)?);
            return Ok(report);
        }
        clip = self.file().write(format, clip, file, watch)?;
        self.keep_result(&mut evidence, &clip, watch)?;
        take(clip);
        let mut report = self.finish(report, evidence, watch)?;
        report.warnings.extend(lost_of_target(&self.target, format, &self.file()));
        Ok(report)
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
        match format {
            Format::Npz => self.write_arrays(clip.clone(), report, file)?,
            _ => self.file().write(format, clip.clone(), file, None)?,
        };
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

    fn input<'a>(&'a self, watch: Option<&'a Watch<'a>>) -> ClipInput<'a> {
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
            watch,
        }
    }

    pub(super) fn file(&self) -> ResultFile<'_> {
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
