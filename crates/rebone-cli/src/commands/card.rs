//! `rebone card`: the rig card of a skeleton.

use crate::args::Card;
use crate::engine::{self, Known, OldCard};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};

/// Writes the card, or prints it.
pub(crate) fn run(args: &Card, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(output) = &args.output {
        let clips = args.learn.iter().chain(&args.hints.card).chain([&args.file]);
        paths::check_outputs(&clips.cloned().collect::<Vec<_>>(), &[output])?;
    }
    let old = OldCard::read(args)?;
    let known = match &old {
        Some(old) => old.known(&args.hints)?,
        None => Known::read(&args.hints)?,
    };
    if let Some(output) = &args.output {
        paths::check_outputs(&known.pose_input().collect::<Vec<_>>(), &[output])?;
    }
    let loaded = engine::read(&args.file, terminal)?;
    let (anatomy, remark) = match args.learn[..] {
        [] => (engine::understand(&loaded, &known)?, None),
        ref clips => {
            let (anatomy, remark) = engine::learn(&loaded, clips, &known, terminal)?;
            (anatomy, Some(remark))
        }
    };
    anatomy.warnings.iter().for_each(|warning| terminal.warn(warning));
    let output = args.output.as_deref();
    let card = engine::card_text(&anatomy, &known, remark.clone(), old.as_ref(), output)?;
    let Some(output) = output else {
        terminal.json(&serde_json::json!({ "card": card }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.raw(card.as_bytes())?) };
    };
    if let Some(remark) = remark.or_else(|| old.as_ref()?.remark()) {
        terminal.say(&styled(NAME, remark))?;
    }
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    terminal.json(&serde_json::json!({ "written": [output.display().to_string()] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), output.display()))?)
}
