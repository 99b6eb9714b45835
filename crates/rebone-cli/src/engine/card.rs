//! Cards: learned from clips, and written over older ones.

use super::{percent, read};
use crate::args;
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use anyhow::anyhow;
use rebone::card::{Card, CardFile};
use rebone::skeleton::selector::select;
use rebone::{Anatomy, Character, CharacterHints, Learner, RetargetError, Selection, read_text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A card to begin with.
#[derive(Debug)]
pub(crate) struct OldCard {
    path: PathBuf,
    file: CardFile,
    /// From what the calibration was learned, where it was and is kept.
    kept: Option<String>,
}

impl OldCard {
    /// A card that is there, of which all is learned anew that people did not write.
    pub(crate) fn learned(path: &Path) -> Result<Option<Self>, Failure> {
        Self::read(&args::Card {
            file: PathBuf::new(),
            output: Some(path.to_owned()),
            learn: vec![PathBuf::new()],
            t_pose: false,
            write_pose: None,
            hints: args::FileHints::default(),
        })
    }

    /// The output, if it exists; else the card that was given, which stays as it is, but for what is to be
    /// learned.
    pub(crate) fn read(args: &args::Card) -> Result<Option<Self>, Failure> {
        let existing = args.output.as_deref().filter(|output| output.is_file());
        let path = match (existing, &args.hints.card) {
            (Some(output), Some(card)) => {
                let (output, card) = (output.display(), card.display());
                let message = format!("{output} is there already, and --card gives {card} as well");
                return Err(Failure::usage(message).with_help(
                    "what people wrote in a card stays: leave --card away, or name a new file with -o",
                ));
            }
            (Some(path), None) => path,
            (None, Some(path)) => path,
            (None, None) => return Ok(None),
        };
        let file = CardFile::parse(&read_text(path, "card")?);
        let file = file.map_err(|error| rebone::Error::card(path, error))?;
        let keep = existing.is_none() && args.learn.is_empty();
        let learned = file.learned_from().map(str::to_owned);
        let anew = !args.learn.is_empty() || args.hints.pose_from.is_some();
        let kept = learned.filter(|_| !anew);
        let file = if keep { file.keep_all() } else { file };
        let file = match (&args.hints.pose_from, &kept) {
            (Some(_), _) => file.without_pose(),
            (None, Some(_)) => file.keep_calibration(),
            (None, None) => file,
        };
        Ok(Some(Self { path: path.to_owned(), file, kept }))
    }

    /// What to tell of a learned calibration that was kept.
    pub(crate) fn remark(&self) -> Option<String> {
        let files = self.kept.as_ref()?;
        Some(format!(
            "kept the calibration that was learned from {files}; --learn learns anew, --pose-from \
             states another"
        ))
    }

    /// What people say in it, with what the command line says in its place.
    pub(crate) fn known(&self, said: &Card) -> Result<CharacterHints, Failure> {
        let card = self.file.user_entries();
        Ok(CharacterHints::new(card, Some(&self.path), said)?)
    }
}

/// What clips of its kind and itself say together of a skeleton, and a remark on that.
pub(crate) fn learn(
    loaded: &Character,
    clips: &[PathBuf],
    terminal: &Terminal,
) -> Result<(Anatomy, String), Failure> {
    let known = loaded.hints();
    let hints = known.of(loaded)?;
    let of_rig = |error| match error {
        RetargetError::PoseGiven => Failure::from(anyhow!("{}: {error}", known.name())).with_help(
            "delete [pose] or pose_from to have it learned, or leave --learn away to keep it",
        ),
        error => {
            let context = format!("cannot use {}", loaded.path().display());
            Failure::from(known.fault(error, context))
        }
    };
    let mut learner = Learner::new(loaded.motion(), &hints).map_err(of_rig)?;
    let place = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut seen = BTreeSet::from([place(loaded.path())]);
    let mut frames = loaded.clip().len();
    let mut refused = Vec::new();
    for path in clips {
        if !seen.insert(place(path)) {
            continue;
        }
        let clip = match read(path, Selection::default(), &CharacterHints::default(), terminal) {
            Ok(clip) => clip,
            Err(failure) => {
                refused.push((failure.message(), false));
                continue;
            }
        };
        frames += clip.clip().len();
        if let Err(error) = learner.add(clip.motion()) {
            refused.push((
                format!("cannot learn from {}: {error}", path.display()),
                matches!(error, RetargetError::OtherSkeleton(_)),
            ));
        }
    }
    if !refused.is_empty() {
        return Err(none_of(&refused));
    }
    let anatomy = learner.anatomy().map_err(of_rig)?;
    let (least, _) = anatomy.least_sure();
    let remark = format!(
        "learned from {}, {frames} frames; {} sure, least of {}",
        files(seen.len()),
        percent(anatomy.confidence),
        select(&anatomy.skeleton, least)
    );
    Ok((anatomy, remark))
}

/// `1 file`, `4 files`.
fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// Clips that nothing can be learned from: what to say of each, and whether it is of another kind.
fn none_of(refused: &[(String, bool)]) -> Failure {
    let messages: Vec<&str> = refused.iter().map(|(message, _)| message.as_str()).collect();
    let message = match messages[..] {
        [message] => message.to_owned(),
        _ => format!("{} clips cannot be used:\n  {}", messages.len(), messages.join("\n  ")),
    };
    let out = if messages.len() == 1 { "leave it out" } else { "leave them out" };
    let kinds = "; a card is for one kind of skeleton, make one for each kind";
    let kinds = if refused.iter().any(|(_, is_kind)| *is_kind) { kinds } else { "" };
    Failure::from(anyhow::Error::msg(message)).with_help(format!("{out}{kinds}"))
}

/// Writes the rig card of what was understood, for a file `output`, with a remark on the calibration. With `t_pose` its
/// pose is the T pose, whatever a card said of the pose.
pub(crate) fn card_text(
    anatomy: &Anatomy,
    known: &CharacterHints,
    remark: Option<String>,
    old: Option<&OldCard>,
    (output, t_pose): (Option<&Path>, bool),
) -> Result<String, Failure> {
    let stated = Card { pose_from: known.pose_from(output)?, ..known.card().clone() };
    let card = match t_pose {
        true => Card::from_anatomy_in_t_pose(anatomy, &stated),
        false => Card::from_anatomy(anatomy, &stated),
    };
    let mut card = card.map_err(anyhow::Error::new)?;
    card.generated.extend(remark.map(|remark| (String::new(), remark)));
    let Some(old) = old else { return Ok(card.to_toml()) };
    let file = old.file.clone();
    let text = if t_pose { file.without_pose().update(&card) } else { file.update(&card) };
    Ok(text.map_err(|error| rebone::Error::card(&old.path, error))?)
}
