//! Rig cards: an existing one to begin with, and calibrations learned from clips.

use super::{percent, read};
use crate::args;
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use anyhow::anyhow;
use rebone::skeleton::file::FileKind;
use rebone::skeleton::selector::select;
use rebone::{Anatomy, Character, CharacterHints, ExistingCard, Learner, RetargetError, Selection};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads the card to begin with: the output, if it exists; else the given one, of which all is kept but what is learned.
/// Also returns from what its calibration was learned, where it is kept.
pub(crate) fn read_old_card(
    args: &args::CardArgs,
) -> Result<Option<(ExistingCard, Option<String>)>, Failure> {
    let is_card = |output: &&Path| match FileKind::of_file(output) {
        Some(kind) => !args.replace.overwrite || kind == FileKind::Toml,
        None => output.is_file(),
    };
    let existing = args.output.as_deref().filter(is_card);
    let path = match (existing, &args.hints.card) {
        (Some(output), Some(card)) => {
            let (output, card) = (output.display(), card.display());
            let message = format!("{output} exists already, and --card gives {card} as well");
            return Err(Failure::usage(message).with_help(
                "user entries of an existing card stay: omit --card, or name a new file with -o",
            ));
        }
        (Some(path), None) => path,
        (None, Some(path)) => path,
        (None, None) => return Ok(None),
    };
    let card = ExistingCard::read(path)?;
    let file = card.file().clone();
    let is_stated = args.hints.pose_from.is_some();
    let learned = file.learned_from().map(str::to_owned);
    let learned = learned.filter(|_| args.learn.is_empty() && !is_stated);
    let keeps_all = existing.is_none() && args.learn.is_empty();
    let file = if keeps_all { file.keep_all() } else { file };
    let file = match learned {
        _ if is_stated => file.without_pose(),
        Some(_) => file.keep_calibration(),
        None => file,
    };
    Ok(Some((card.with_file(file), learned)))
}

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
    let known = rig.hints();
    let hints = known.of(rig)?;
    let failure = |error| match error {
        RetargetError::PoseGiven => Failure::from(anyhow!("{}: {error}", known.name()))
            .with_help("delete [pose] or pose_from to have it learned, or omit --learn to keep it"),
        error => {
            let context = format!("cannot use {}", rig.path().display());
            Failure::from(known.fault(error, context))
        }
    };
    let mut learner = Learner::new(rig.motion(), &hints).map_err(failure)?;
    let canonical = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut files = BTreeSet::from([canonical(rig.path())]);
    let mut frames = rig.clip().len();
    let mut refused = Vec::new();
    for path in clips {
        if !files.insert(canonical(path)) {
            continue;
        }
        match read(path, Selection::default(), &CharacterHints::default(), terminal) {
            Err(failure) => refused.push((failure.message(), false)),
            Ok(clip) => {
                frames += clip.clip().len();
                if let Err(error) = learner.add(clip.motion()) {
                    let message = format!("cannot learn from {}: {error}", path.display());
                    refused.push((message, matches!(error, RetargetError::OtherSkeleton(_))));
                }
            }
        }
    }
    if !refused.is_empty() {
        return Err(refusal(&refused));
    }
    let anatomy = learner.anatomy().map_err(failure)?;
    let remark = format!(
        "learned from {} {}, {frames} frames; {} sure, least of {}",
        files.len(),
        if files.len() == 1 { "file" } else { "files" },
        percent(anatomy.confidence),
        select(&anatomy.skeleton, anatomy.least_sure().0)
    );
    Ok((anatomy, remark))
}

/// Failure for clips that cannot be learned from: a message for each, and whether it is of another rig.
fn refusal(refused: &[(String, bool)]) -> Failure {
    let messages: Vec<&str> = refused.iter().map(|(message, _)| message.as_str()).collect();
    let (message, help) = match messages[..] {
        [message] => (message.to_owned(), "leave it out"),
        _ => {
            let all = messages.join("\n  ");
            (format!("{} clips cannot be used:\n  {all}", messages.len()), "leave them out")
        }
    };
    let of_other_rigs = refused.iter().any(|(_, is_of_other_rig)| *is_of_other_rig);
    let more = if of_other_rigs { "; a card is for one rig, make one for each" } else { "" };
    Failure::from(anyhow::Error::msg(message)).with_help(format!("{help}{more}"))
}

/// Writes the text of a card for an anatomy, over an existing one, with a remark on the calibration. With `t_pose` its pose
/// is the T pose, whatever a card states of the pose.
pub(crate) fn card_text(
    anatomy: &Anatomy,
    hints: &CharacterHints,
    remark: Option<String>,
    old: Option<ExistingCard>,
    (output, t_pose): (Option<&Path>, bool),
) -> Result<String, Failure> {
    let mut card = hints.card_of(anatomy, output, t_pose)?;
    card.generated.extend(remark.map(|remark| (String::new(), remark)));
    let Some(old) = old else { return Ok(card.to_toml()) };
    let file = old.file().clone();
    let old = if t_pose { old.with_file(file.without_pose()) } else { old };
    Ok(old.update(&card)?)
}
