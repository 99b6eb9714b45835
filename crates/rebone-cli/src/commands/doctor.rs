//! `rebone doctor`: defects of files.

use crate::args::DoctorArgs;
use crate::exit_code::{ExitCode, Failure};
use crate::paths::{self, Outputs};
use crate::terminal::{Terminal, counted};
use rebone::export::clean_hierarchy;
use rebone::quality::Diagnosis;
use rebone::skeleton::bvh::{WriteOptions, write_clip};
use rebone::skeleton::file::FileKind;
use rebone::skeleton::{ClipError, Format};
use rebone::{Character, Selection};
use serde::Serialize;
use std::path::Path;

/// Diagnoses all files; with `--fix` writes a clean copy.
pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> Result<(), Failure> {
    if args.output.is_some() && args.files.len() > 1 {
        return Err(Failure::usage("--fix writes a copy of one file: give one".to_owned()));
    }
    if let Some(output) = &args.output {
        check_name(output)?;
    }
    let outputs = Outputs::new(args.replace).with(args.output.as_ref(), FileKind::Bvh);
    outputs.check(&args.files)?;
    outputs.check_kinds()?;
    let mut diagnoses = Vec::new();
    let mut unread = 0;
    for path in &args.files {
        let loaded = match Character::open(path, Selection::default()).map_err(Failure::from) {
            Ok(loaded) => loaded,
            Err(failure) if args.files.len() == 1 => return Err(failure),
            Err(failure) => {
                unread += 1;
                terminal.fail(&failure);
                continue;
            }
        };
        let diagnosis = FileDiagnosis::new(&loaded).map_err(anyhow::Error::new)?;
        diagnosis.lines().iter().try_for_each(|line| terminal.say(line))?;
        diagnoses.push(diagnosis);
        if let Some(output) = &args.output {
            let hierarchy = clean_hierarchy(loaded.skeleton()).map_err(anyhow::Error::new)?;
            paths::write(output, |file| {
                let options = WriteOptions::default();
                Ok(write_clip(file, &hierarchy, loaded.clip(), options).map(drop)?)
            })?;
            terminal.line("wrote", output.display())?;
        }
    }
    terminal.json(&diagnoses)?;
    match (unread, diagnoses.len()) {
        (0, _) => Ok(()),
        (_, 0) => Err(Failure::silent(ExitCode::Input)),
        _ => Err(Failure::silent(ExitCode::Partial)),
    }
}

/// Refuses a name of another format: a copy is a BVH.
fn check_name(output: &Path) -> Result<(), Failure> {
    match Format::of_name(output).map_err(rebone::Error::from)? {
        Format::Bvh => Ok(()),
        _ => {
            let [path, bvh] = [output.to_owned(), output.with_extension("bvh")];
            let message = "--fix writes a BVH";
            Err(Failure::usage(format!("{}: {message}: name it {}", path.display(), bvh.display())))
        }
    }
}

/// Defects of a file: repairs and warnings of the reader, and defects of the motion.
#[derive(Clone, Debug, Serialize)]
struct FileDiagnosis {
    file: String,
    frames: usize,
    joints: usize,
    warnings: Vec<String>,
    #[serde(flatten)]
    diagnosis: Diagnosis,
}

impl FileDiagnosis {
    /// Diagnoses a file.
    fn new(character: &Character) -> Result<Self, ClipError> {
        let (skeleton, clip) = (character.skeleton(), character.clip());
        Ok(Self {
            file: character.path().display().to_string(),
            frames: clip.len(),
            joints: skeleton.len(),
            warnings: character.warnings().iter().map(ToString::to_string).collect(),
            diagnosis: match character.analyse() {
                Ok(body) => Diagnosis::of(&body, clip)?,
                Err(_) => Diagnosis::new(skeleton, clip)?,
            },
        })
    }

    /// Formats a headline, and a line for each defect.
    fn lines(&self) -> Vec<String> {
        let Self { file, frames, joints, warnings, diagnosis } = self;
        let all = warnings.iter().chain(&diagnosis.motion);
        let count = warnings.len() + diagnosis.motion.len();
        let found = match count {
            0 => "no defects".to_owned(),
            _ => counted(count, "defect"),
        };
        let [frames, joints] =
            [(*frames, "frame"), (*joints, "joint")].map(|(own, noun)| counted(own, noun));
        let head = format!("{file}: {frames}, {joints}, {found}");
        [head].into_iter().chain(all.map(|line| format!("  {line}"))).collect()
    }
}
