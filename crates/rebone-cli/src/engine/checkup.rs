//! Defects of a file, for `doctor`.

use rebone::Character;
use rebone::quality::Diagnosis;
use serde::Serialize;

/// Defects of a file: repairs and warnings of the reader, and defects of the motion.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Checkup {
    file: String,
    frames: usize,
    joints: usize,
    warnings: Vec<String>,
    #[serde(flatten)]
    diagnosis: Diagnosis,
}

impl Checkup {
    /// Diagnoses a file.
    pub(crate) fn new(character: &Character) -> Self {
        let (skeleton, clip) = (character.skeleton(), character.clip());
        Self {
            file: character.path().display().to_string(),
            frames: clip.len(),
            joints: skeleton.len(),
            warnings: character.warnings().iter().map(ToString::to_string).collect(),
            diagnosis: Diagnosis::new(skeleton, clip),
        }
    }

    /// Formats a headline, and a line for each defect.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { file, frames, joints, warnings, diagnosis } = self;
        let all = warnings.iter().chain(&diagnosis.motion);
        let count = warnings.len() + diagnosis.motion.len();
        let found = match count {
            0 => "no defects".to_owned(),
            1 => "1 defect".to_owned(),
            _ => format!("{count} defects"),
        };
        let head = format!("{file}: {frames} frames, {joints} joints, {found}");
        [head].into_iter().chain(all.map(|line| format!("  {line}"))).collect()
    }
}
