//! The command line: what can be said, and its help.

mod help;

mod hints;

pub(crate) mod values;

pub(crate) use hints::{FileHints, PairHints};
pub(crate) use values::Which;

use crate::batch::names::Template;
use clap::{Args, Parser, Subcommand};
use rebone::{FrameRange, Method, Options};
use std::num::NonZeroU16;
use std::path::PathBuf;

/// Moves motion clips from one skeleton to another.
#[derive(Debug, Parser)]
#[command(name = "rebone", version, arg_required_else_help = true, after_long_help = help::PROGRAM)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// How to talk.
    #[command(flatten)]
    pub(crate) talk: Talk,
}

/// How much is printed, and how.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Talk {
    /// Print all that is known, not only the summary.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print nothing but errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print one JSON object on standard output instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// One variant for each subcommand.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Move the motion of one file onto the skeleton of another.
    #[command(after_long_help = help::RETARGET)]
    Retarget(Box<Retarget>),
    /// Move the motion of many files onto the skeletons of some others.
    #[command(after_long_help = help::BATCH)]
    Batch(Box<Batch>),
    /// Show what is understood of a skeleton, or of two: which joint is which part of the body.
    #[command(after_long_help = help::INSPECT)]
    Inspect(Inspect),
    /// Write the rig card of a skeleton: what is understood of it, to correct and give back.
    #[command(after_long_help = help::CARD)]
    Card(Card),
    /// Write a rotation table: what an engine needs to copy rotations from one skeleton to another by itself.
    #[command(after_long_help = help::EXPORT)]
    Export(Box<Export>),
    /// Say how good a result is, against the motion that it was made of: anybody's, from the two files alone.
    #[command(after_long_help = help::CHECK)]
    Check(Box<Check>),
    /// Make a page of all results of a batch, the worst first: verdicts, curves, contacts and a player.
    #[command(after_long_help = help::REPORT)]
    Report(Report),
    /// Draw motions over time, from the front and from the side, into one PNG.
    #[command(after_long_help = help::PREVIEW)]
    Preview(Preview),
    /// Retarget a built-in sample and leave clip, result, report and picture in a folder.
    Demo(Demo),
    /// List what is odd about files: what readers trip over, and defects of the motion.
    #[command(after_long_help = help::DOCTOR)]
    Doctor(Doctor),
    /// Print the completion script for a shell.
    #[command(after_long_help = help::COMPLETIONS)]
    Completions(Completions),
}

/// `rebone retarget`.
#[derive(Args, Debug)]
pub(crate) struct Retarget {
    /// The motion: a BVH, glTF, VRM or FBX file of a humanoid.
    pub(crate) source: PathBuf,
    /// The skeleton to move: a BVH, glTF, VRM or FBX file of a humanoid. Its own motion only helps to
    /// understand it.
    pub(crate) target: PathBuf,
    /// The file to write, replaced if it exists. `.bvh`: the target's hierarchy with the new motion. `.glb`,
    /// `.gltf`, `.vrm`: all that a target of that kind holds, with the motion as one more animation; of
    /// others joints and motion alone.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Options of the retarget.
    #[command(flatten)]
    pub(crate) options: Options,
    /// What is known of source and target.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// The clip of the source to use, where it has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// Also draw source and result over each other, into this PNG.
    #[arg(long, value_name = "PNG")]
    pub(crate) preview: Option<PathBuf>,
    /// Also write all that is known of the result into this JSON file.
    #[arg(long, value_name = "JSON")]
    pub(crate) report: Option<PathBuf>,
    /// Contacts of the source's clip, as --write-contacts writes them, instead of those that are found.
    #[arg(long, value_name = "JSON")]
    pub(crate) contacts_from: Option<PathBuf>,
    /// Also write the source's contacts into this JSON file: which part of the body, what it does, frames.
    #[arg(long, value_name = "JSON")]
    pub(crate) write_contacts: Option<PathBuf>,
}

/// `rebone batch`.
#[derive(Args, Debug)]
pub(crate) struct Batch {
    /// Where the motions are: BVH files, folders with all that is below them, patterns as `walk/**/*.bvh`,
    /// `@LIST` for a file that names one of these a line, `-` for such a list on standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The skeleton to move: a BVH, glTF, VRM or FBX file of a humanoid. Say it again for more.
    #[arg(short, long = "target", value_name = "RIG", required = true)]
    pub(crate) targets: Vec<PathBuf>,
    /// Where to leave results, cards and the manifest; made if it does not exist. It mirrors the folders of
    /// the inputs.
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// How results are called, without `.bvh`. Default: `{stem}`, with more than one rig
    /// `{stem}-{target}`.
    #[arg(long, value_name = "TEMPLATE", value_parser = Template::parse)]
    pub(crate) name: Option<Template>,
    /// A TOML file with other options for some of the clips.
    #[arg(id = "rules", long = "options", value_name = "TOML")]
    pub(crate) rules: Option<PathBuf>,
    /// Options of each retarget.
    #[command(flatten)]
    pub(crate) options: Options,
    /// Also gather all results for a rig in one file, FOLDER/RIG.glb, with the rig's mesh once; they are named as
    /// the clips. The parts, joints and motion alone, are in FOLDER/parts.
    #[arg(long)]
    pub(crate) one_file: bool,
    /// Also draw source and result of each retarget over each other, as PNGs in this folder, in the folders of the results.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) preview: Option<PathBuf>,
    /// How many threads work. Default: one a core. The results are the same to the byte.
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU16>,
    /// Do again what is done already and would not change.
    #[arg(long)]
    pub(crate) force: bool,
    /// Go on where an earlier run ended: what is done with the same clip, rig, cards and options is not
    /// done again. This is the default.
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Make cards anew that are there already; what people wrote in them stays.
    #[arg(long)]
    pub(crate) relearn: bool,
    /// Say what would be done, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `rebone inspect`.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// A BVH, glTF, VRM or FBX file of a humanoid.
    pub(crate) file: PathBuf,
    /// Another one, to compare: as the target of the first one's motion.
    pub(crate) target: Option<PathBuf>,
    /// Also draw the body with the axes of its segments, into this PNG: in its T pose and its rest
    /// pose; two bodies in the T pose and in two frames of the first file.
    #[arg(long, value_name = "PNG")]
    pub(crate) preview: Option<PathBuf>,
    /// Draw the poses that two bodies are calibrated in over each other instead, and their T poses: where they
    /// differ as bodies that stand alike do not, a card should turn joints.
    #[arg(long, requires_all = ["target", "preview"])]
    pub(crate) pose: bool,
    /// What is known of both.
    #[command(flatten)]
    pub(crate) hints: PairHints,
}

/// `rebone card`.
#[derive(Args, Debug)]
pub(crate) struct Card {
    /// A BVH, glTF, VRM or FBX file of a humanoid.
    pub(crate) file: PathBuf,
    /// The TOML file to write. Default: standard output. What people wrote in one that exists stays.
    #[arg(short, long, value_name = "CARD")]
    pub(crate) output: Option<PathBuf>,
    /// Clips of the same kind of skeleton, to learn the calibration from; the file itself counts as well.
    #[arg(long, value_name = "CLIP", num_args = 1.., conflicts_with = "pose_from")]
    pub(crate) learn: Vec<PathBuf>,
    /// State the calibration as turns of joints that bring the rest pose to the T pose, as it was worked out: to
    /// correct it joint by joint.
    #[arg(long, conflicts_with = "pose_from")]
    pub(crate) t_pose: bool,
    /// Also write the calibration pose, as a frame of the skeleton: `.bvh`, `.glb`, `.gltf` or `.vrm`.
    #[arg(long, value_name = "OUT")]
    pub(crate) write_pose: Option<PathBuf>,
    /// What is known of it.
    #[command(flatten)]
    pub(crate) hints: FileHints,
}

/// `rebone export`.
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The skeleton whose motion the engine plays: a BVH, glTF, VRM or FBX file of a humanoid.
    pub(crate) source: PathBuf,
    /// The skeleton to move.
    pub(crate) target: PathBuf,
    /// The JSON file to write.
    #[arg(short, long, value_name = "JSON")]
    pub(crate) output: PathBuf,
    /// Rotation copy since the calibration poses (`copy`), or since the bind poses of the files (`bind`).
    #[arg(long, value_name = "METHOD", default_value = "copy", value_parser = values::copy_method())]
    pub(crate) method: Method,
    /// What is known of source and target.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// Go on where a guess is below confidence, instead of stopping with exit code 4.
    #[arg(long)]
    pub(crate) accept_guesses: bool,
}

/// `rebone check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The motion that the result was made of: a BVH, glTF, VRM or FBX file of a humanoid.
    pub(crate) source: PathBuf,
    /// The result, on whatever skeleton.
    pub(crate) result: PathBuf,
    /// The clip of the source, where it has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// The same of the result.
    #[arg(long, value_name = "CLIP")]
    pub(crate) animation: Option<String>,
    /// Frames of the source that the result was made of, counted from 0, B not included: `A..B`, `A..`, `..B`.
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<FrameRange>,
    /// Also write the figures of each frame into this CSV file.
    #[arg(long, value_name = "CSV")]
    pub(crate) csv: Option<PathBuf>,
    /// What is known of source and result.
    #[command(flatten)]
    pub(crate) hints: PairHints,
}

/// `rebone report`.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// The manifest that a batch has left in its folder, or that folder. Run it where the batch was run: paths of
    /// clips are as they were given.
    pub(crate) manifest: PathBuf,
    /// The page to write: one file that needs no network.
    #[arg(short, long, value_name = "HTML")]
    pub(crate) output: PathBuf,
}

/// `rebone preview`.
#[derive(Args, Debug)]
pub(crate) struct Preview {
    /// Files, drawn over each other; at most four.
    #[arg(required = true, num_args = 1..=4)]
    pub(crate) files: Vec<PathBuf>,
    /// The PNG to write.
    #[arg(short, long, value_name = "PNG")]
    pub(crate) output: PathBuf,
    /// Frames to show, counted from 0, B not included: `A..B`, `A..`, `..B`.
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<FrameRange>,
    /// The clip to show of each file that has several: its name, or `#` and its number, counted from 0.
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// How many instants to show.
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u8).range(1..=24))]
    pub(crate) columns: u8,
}

/// `rebone doctor`.
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    /// BVH files, of whatever skeleton.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Also write a clean copy of the file, with the same motion.
    #[arg(long, requires = "output")]
    pub(crate) fix: bool,
    /// Where to write it.
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
}

/// `rebone demo`.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Where to leave the files; made if it does not exist.
    #[arg(default_value = "rebone-demo")]
    pub(crate) folder: PathBuf,
}

/// `rebone completions`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn negative_axes_are_values() {
        let line = ["rebone", "inspect", "a.bvh", "--up", "-z"];
        let Command::Inspect(inspect) = Cli::try_parse_from(line).unwrap().command else {
            panic!("not inspect");
        };
        assert_eq!(inspect.hints.up[0].value.to_string(), "-Z");
    }
}
