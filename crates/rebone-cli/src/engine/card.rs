//! Rig cards: their text, and calibrations learned from clips.

use super::percent;
use crate::exit_code::Failure;
use crate::terminal::{Terminal, counted};
use anyhow::anyhow;
use rebone::card::CardFile;
use rebone::skeleton::selector::select;
use rebone::{
    AnalysisError, Anatomy, Character, CharacterError, CharacterHints, Selection, error_line,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Remark on a learned calibration that is kept.
pub(crate) fn remark_on_kept(files: &str) -> String {
    format!(
        "kept the calibration that was learned from {files}; --learn learns anew, --pose-from states another"
    )
}

/// Learns the anatomy of a rig from the rig itself and clips of it; also returns a remark on the calibration.
pub(crate) fn learn(
    rig: &Character,
    clips: &[PathBuf],
    terminal: &Terminal,
) -> Result<(Anatomy, String), Failure> {
    let canonical = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut files = BTreeSet::from([canonical(rig.path())]);
    let mut frames = rig.clip().len();
    let mut refused = Vec::new();
    let new: Vec<&PathBuf> = clips.iter().filter(|path| files.insert(canonical(path))).collect();
    let clips = new.into_iter().map(|path| {
        let clip = Character::open(path, Selection::default())?;
        clip.warnings().iter().for_each(|warning| terminal.warn(&warning.in_file(path)));
        frames += clip.clip().len();
        Ok(clip)
    });
    let anatomy = rig.learn(clips, |error| refused.push(error));
    if !refused.is_empty() {
        return Err(refusal(&refused));
    }
    let anatomy = anatomy.map_err(|error| match error.is_pose_given() {
        true => Failure::from(anyhow!("{}: {}", rig.hints().name(), AnalysisError::PoseGiven))
            .with_help("delete [pose] or pose_from to have it learned, or omit --learn to keep it"),
        false => error.into(),
    })?;
    let remark = format!(
        "learned from {}, {}; {} sure, least of {}",
        counted(files.len(), "file"),
        counted(frames, "frame"),
        percent(anatomy.confidence),
        select(&anatomy.skeleton, anatomy.least_sure().0)
    );
    Ok((anatomy, remark))
}

/// Failure for clips that cannot be learned from.
fn refusal(refused: &[CharacterError]) -> Failure {
    let messages: Vec<String> = refused.iter().map(|error| error_line(error)).collect();
    let (message, help) = match &messages[..] {
        [message] => (message.clone(), "leave it out"),
        _ => {
            let all = messages.join("\n  ");
            (format!("{} clips cannot be used:\n  {all}", messages.len()), "leave them out")
        }
    };
    let more = if refused.iter().any(CharacterError::is_of_other_rig) {
        "; a card is for one rig, make one for each"
    } else {
        ""
    };
    Failure::from(anyhow::Error::msg(message)).with_help(format!("{help}{more}"))
}

/// Writes the text of a card for an anatomy, over an existing one, with a remark on the calibration. With `t_pose` its pose
/// is the T pose, whatever a card states of the pose.
pub(crate) fn card_text(
    anatomy: &Anatomy,
    hints: &CharacterHints,
    remark: Option<String>,
    old: Option<CardFile>,
    (output, t_pose): (Option<&Path>, bool),
) -> Result<String, Failure> {
    let mut card = hints.card_of(anatomy, output, t_pose)?;
    card.generated.extend(remark.map(|remark| (String::new(), remark)));
    let Some(old) = old else { return Ok(card.to_toml()) };
    let old = if t_pose { old.without_pose() } else { old };
    let path = old.path().unwrap_or(Path::new("card"));
    Ok(old.update(&card).map_err(|error| CharacterError::card(path, error))?)
}
