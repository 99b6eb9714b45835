//! The command line and its help.

mod help;
mod hints;
pub(crate) mod values;

pub(crate) use hints::{FileHints, PairChoice, PairHints};
pub(crate) use values::{StandingFoot, StandingFrame, Which};

use clap::{Args, Parser, Subcommand};
use rebone::body::Side;
use rebone::skeleton::Format;
use rebone::{CharacterChoice, FrameRange, LoopRange, Method, Options};
use rebone_batch::{NameTemplate, Shard};
use std::ffi::OsString;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

/// Retargets motion clips from one character to another.
#[derive(Debug, Parser)]
#[command(name = "rebone", version, arg_required_else_help = true, after_long_help = help::PROGRAM)]
pub(crate) struct Cli {
    /// Subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Amount and form of output.
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

/// Amount and form of what is printed.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Verbosity {
    /// Print all details, not only the summary.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print errors only.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print one JSON object on standard output instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// Files that may be replaced.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Replace {
    /// Replace existing files of any kind; without it a file of another kind, a motion under the name of a picture for
    /// instance, is refused.
    #[arg(long)]
    pub(crate) overwrite: bool,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Retarget the motion of one file onto the character of another.
    #[command(after_long_help = help::RETARGET)]
    Retarget(Box<RetargetArgs>),
    /// Retarget the motions of many files onto one or more characters.
    #[command(after_long_help = help::BATCH)]
    Batch(Box<BatchArgs>),
    /// Merge the manifests of all shards of a batch into one, and list the shards that are missing.
    #[command(after_long_help = help::MERGE)]
    Merge(MergeArgs),
    /// Show the role, axes and calibration of each joint of a skeleton, or of two.
    #[command(after_long_help = help::INSPECT)]
    Inspect(InspectArgs),
    /// Write the rig card of a skeleton: its roles, axes and calibration, to correct and give back.
    #[command(after_long_help = help::CARD)]
    Card(CardArgs),
    /// Write a rotation table: what an engine needs to copy rotations from one skeleton to another by itself.
    #[command(after_long_help = help::EXPORT)]
    Export(Box<ExportArgs>),
    /// Grade a result of any program against the motion that it was made of, from the two files alone.
    #[command(after_long_help = help::CHECK)]
    Check(Box<CheckArgs>),
    /// Make one page of all results of a batch, the worst first: grades, curves, contacts and a player.
    #[command(after_long_help = help::REPORT)]
    Report(ReportArgs),
    /// Open the studio: a page that shows source and target over each other with their skins, and takes corrections.
    #[cfg(feature = "studio")]
    #[command(after_long_help = help::STUDIO)]
    Studio(StudioArgs),
    /// Draw motions over time, from the front and from the side, into one PNG.
    #[command(after_long_help = help::PREVIEW)]
    Preview(PreviewArgs),
    /// Retarget a built-in sample and write clip, result, report and picture into a folder.
    Demo(DemoArgs),
    /// List format errors of files and defects of their motion.
    #[command(after_long_help = help::DOCTOR)]
    Doctor(DoctorArgs),
    /// Print the completion script for a shell.
    #[command(after_long_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
}

/// `rebone retarget`.
#[derive(Args, Debug)]
pub(crate) struct RetargetArgs {
    /// Source: a BVH, glTF, VRM, FBX or Acclaim file of a humanoid with a motion.
    pub(crate) source: PathBuf,
    /// Target: a BVH, glTF, VRM, FBX or Acclaim file of the humanoid to animate. Motion in it only helps to calibrate the
    /// skeleton.
    pub(crate) target: PathBuf,
    /// File to write, replaced if it exists. `.bvh`: the target's hierarchy with the new motion. `.glb`, `.gltf`, `.vrm`:
    /// the target's file with the motion as one more animation; for targets of other formats joints and motion alone.
    /// `.vrma`: the motion for any VRM 1.0 avatar. `.npz`: arrays as NumPy reads them.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Options of the retarget.
    #[command(flatten)]
    pub(crate) options: Options,
    /// Statements on source and target.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// Clip of a source that has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// Draw source and result into this PNG, or, named `.gif`, as they move side by side. A character with a mesh is drawn with
    /// its skin, other bodies as sticks.
    #[arg(long, value_name = "PNG|GIF")]
    pub(crate) preview: Option<PathBuf>,
    /// Write the report into this JSON file: roles, goals, contacts, limits, verdict.
    #[arg(long, value_name = "JSON")]
    pub(crate) report: Option<PathBuf>,
    /// Contacts of the source's clip, as --write-contacts writes them; replaces detection.
    #[arg(long, value_name = "JSON")]
    pub(crate) contacts_from: Option<PathBuf>,
    /// Write the source's contacts into this JSON file: body part, the part that a hand touches, kind, frames, confidence.
    #[arg(long, value_name = "JSON")]
    pub(crate) write_contacts: Option<PathBuf>,
    /// Write the path of the body over the floor into this JSON file: position and heading of each frame.
    #[arg(long, value_name = "JSON")]
    pub(crate) root_path: Option<PathBuf>,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone batch`.
#[derive(Args, Debug)]
pub(crate) struct BatchArgs {
    /// Sources: files, folders with all files below them, patterns such as `walk/**/*.bvh`, `@LIST` for a file with one
    /// of these per line, `-` for such a list on standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<OsString>,
    /// Target: a BVH, glTF, VRM, FBX or Acclaim file of the humanoid to animate. Repeat it for more targets.
    #[arg(short, long = "target", value_name = "RIG", required = true)]
    pub(crate) targets: Vec<PathBuf>,
    /// Folder for results, cards and the manifest; made if it does not exist. It mirrors the folders of the inputs.
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Names of results, without extension. Default: `{stem}`, with more than one rig
    /// `{stem}-{target}`.
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) name: Option<NameTemplate>,
    /// Format of results; `npz` is arrays as NumPy reads them. Default: the target's, of FBX `glb` and of Acclaim `bvh`.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), conflicts_with = "one_file")]
    pub(crate) format: Option<Format>,
    /// TOML file with other options for some of the clips.
    #[arg(id = "rules", long = "options", value_name = "TOML")]
    pub(crate) rules: Option<PathBuf>,
    /// Options of each retarget.
    #[command(flatten)]
    pub(crate) options: Options,
    /// Choices among the characters of all sources and of all targets.
    #[command(flatten)]
    pub(crate) character: PairChoice,
    /// Merge all results for a rig into one file, FOLDER/RIG.glb, with the rig's mesh once; animations are named as the
    /// clips, or by --name. The parts, joints and motion alone, are in FOLDER/parts.
    #[arg(long)]
    pub(crate) one_file: bool,
    /// Draw source and result of each retarget, as PNGs below this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) preview: Option<PathBuf>,
    /// Number of threads. Default: one per core. Results do not depend on it.
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU16>,
    /// Remove what earlier runs made and this one does not: results, pictures and merged animations of other clips, rigs and
    /// names. Files that were changed since are left.
    #[arg(long)]
    pub(crate) prune: bool,
    /// Replace files in the output folder that no run of a batch there made; without it they are refused.
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Redo results that are up to date.
    #[arg(long)]
    pub(crate) force: bool,
    /// Continue an earlier run: results with the same clip, rig, cards and options are kept. This is the default.
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Compute existing cards anew; user entries in them stay.
    #[arg(long)]
    pub(crate) relearn: bool,
    /// Print what would be done, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Make one shard of the results, as `17/512`, counted from 0, with the cards that are in FOLDER/cards. Other shards may be
    /// made at the same time; `rebone merge` puts their manifests together.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["one_file", "relearn"])]
    pub(crate) shard: Option<Shard>,
    /// Make the cards of targets and sources, from a sample of the sources, and no results: before shards are made.
    #[arg(long, conflicts_with_all = ["shard", "one_file", "preview", "prune", "overwrite", "force", "resume", "dry_run"])]
    pub(crate) cards_only: bool,
    /// Number of files to survey for cards: first those that shards left without a card, then those with the least hashes
    /// of their paths. Default: 10000.
    #[arg(long, value_name = "N", requires = "cards_only")]
    pub(crate) sample: Option<NonZeroUsize>,
}

/// `rebone merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// Output folder of a batch that was made in shards.
    pub(crate) folder: PathBuf,
}

/// `rebone inspect`.
#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// A BVH, glTF, VRM, FBX or Acclaim file of a humanoid.
    pub(crate) file: PathBuf,
    /// Second file, to compare: the target of the first one's motion.
    pub(crate) target: Option<PathBuf>,
    /// Draw the body with the axes of its segments into this PNG: in T pose and rest pose; two bodies in T pose and in two
    /// frames of the first file.
    #[arg(long, value_name = "PNG")]
    pub(crate) preview: Option<PathBuf>,
    /// Draw the calibration poses and T poses of two bodies over each other instead: where they differ, a card should
    /// rotate joints.
    #[arg(long, requires_all = ["target", "preview"])]
    pub(crate) pose: bool,
    /// List the surface of each segment instead of the joints: its origin, spread and measures. --preview draws its outlines over
    /// the skeleton in the calibration pose.
    #[arg(long, conflicts_with = "target")]
    pub(crate) surface: bool,
    /// Statements on both.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone card`.
#[derive(Args, Debug)]
pub(crate) struct CardArgs {
    /// A BVH, glTF, VRM, FBX or Acclaim file of a humanoid.
    pub(crate) file: PathBuf,
    /// TOML file to write. Default: standard output. User entries of an existing card stay.
    #[arg(short, long, value_name = "CARD")]
    pub(crate) output: Option<PathBuf>,
    /// Clips of the same rig, to learn the calibration from; the file itself counts as well.
    #[arg(long, value_name = "CLIP", num_args = 1.., conflicts_with = "pose_from")]
    pub(crate) learn: Vec<PathBuf>,
    /// State the calibration as rotations of joints that bring the rest pose to the T pose: to correct it joint by joint.
    #[arg(long, conflicts_with = "pose_from")]
    pub(crate) t_pose: bool,
    /// Write the calibration pose, as a frame of the skeleton: `.bvh`, `.glb`, `.gltf` or `.vrm`.
    #[arg(long, value_name = "OUT")]
    pub(crate) write_pose: Option<PathBuf>,
    /// Clip of a file that has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// Calibrate the soles on a frame of the clip in which both feet stand flat on the floor, counted from 0; `left=FRAME` or
    /// `right=FRAME` for one foot. `auto` takes frames in which the feet stand.
    #[arg(long, value_name = "[SIDE=]FRAME|auto", value_parser = values::standing_foot)]
    pub(crate) level_feet: Vec<StandingFoot>,
    /// Copy the calibration of this side, `left` or `right`, to the other: arm, hand, leg and foot, mirrored.
    #[arg(long, value_name = "SIDE", value_parser = values::side())]
    pub(crate) mirror: Option<Side>,
    /// Statements on it.
    #[command(flatten)]
    pub(crate) hints: FileHints,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone export`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Source: the skeleton whose motion the engine plays: a BVH, glTF, VRM, FBX or Acclaim file of a humanoid.
    pub(crate) source: PathBuf,
    /// Target: the skeleton to animate.
    pub(crate) target: PathBuf,
    /// JSON file to write.
    #[arg(short, long, value_name = "JSON")]
    pub(crate) output: PathBuf,
    /// Rotation copy since the calibration poses (`copy`), or since the bind poses of the files (`bind`).
    #[arg(long, value_name = "METHOD", default_value = "copy", value_parser = values::copy_method())]
    pub(crate) method: Method,
    /// Statements on source and target.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// Use guesses below confidence, instead of stopping with exit code 4.
    #[arg(long)]
    pub(crate) accept_guesses: bool,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Source of the result: a BVH, glTF, VRM, FBX or Acclaim file of a humanoid.
    pub(crate) source: PathBuf,
    /// Result, on any skeleton.
    pub(crate) result: PathBuf,
    /// Rig that the result was made for, where its file does not hold it whole, as a BVH: its mesh, rest pose and card count.
    #[arg(long, value_name = "FILE")]
    pub(crate) rig: Option<PathBuf>,
    /// The clip of the source, where it has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// Clip of a result that has several.
    #[arg(long, value_name = "CLIP")]
    pub(crate) animation: Option<String>,
    /// Frames of the source that the result was made of, counted from 0, B not included: `A..B`, `A..`, `..B`.
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<FrameRange>,
    /// The result is a cycle of the source: the best one, or frames A..B, counted from 0, of which B repeats A.
    #[arg(long = "loop", value_name = "A..B", num_args = 0..=1, default_missing_value = "auto")]
    pub(crate) cycle: Option<LoopRange>,
    /// Write the metrics of each frame into this CSV file.
    #[arg(long, value_name = "CSV")]
    pub(crate) csv: Option<PathBuf>,
    /// Statements on source and result.
    #[command(flatten)]
    pub(crate) hints: PairHints,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Manifest of a batch, or its output folder. Run it in the folder where the batch was run: paths of clips are as they
    /// were given.
    pub(crate) manifest: PathBuf,
    /// Page to write: HTML that works offline. Details of more than 16 MB are in a folder beside it, `report_data` of
    /// `report.html`.
    #[arg(short, long, value_name = "HTML", required_unless_present_any = ["list", "csv"], conflicts_with_all = ["list", "csv"])]
    pub(crate) output: Option<PathBuf>,
    /// Print the paths of results with these grades instead, one a line: `PASS`, `LOOK`, `FAIL`, or `NONE` for clips without a
    /// result, whose own paths are printed. Grades are those of the manifest.
    #[arg(long, value_name = "GRADE", value_delimiter = ',', value_parser = values::grade_word(), ignore_case = true)]
    pub(crate) list: Vec<String>,
    /// Write a table of these results, or of all, into this CSV file.
    #[arg(long, value_name = "CSV")]
    pub(crate) csv: Option<PathBuf>,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone studio`.
#[cfg(feature = "studio")]
#[derive(Args, Debug)]
pub(crate) struct StudioArgs {
    /// Source: a file of a humanoid with a motion. It can be opened in the page as well.
    pub(crate) source: Option<PathBuf>,
    /// Target: the file of the humanoid to animate.
    pub(crate) target: Option<PathBuf>,
    /// Cards and map.
    #[command(flatten)]
    pub(crate) files: hints::PairFiles,
    /// Contacts of the source's clip, as `rebone retarget --write-contacts` writes them.
    #[arg(long, value_name = "JSON")]
    pub(crate) contacts_from: Option<PathBuf>,
    /// Manifest of a batch, or its output folder: its results are listed, the worst first. Run it in the folder where the batch
    /// was run.
    #[arg(long, value_name = "MANIFEST")]
    pub(crate) library: Option<PathBuf>,
    /// Folder for results that the page exports. Default: the browser's downloads.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Port of 127.0.0.1. Default: one that is free.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print the address, and open no browser.
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Write the page into this HTML file, which works without rebone and without a network, and end.
    #[arg(long, value_name = "HTML", conflicts_with_all = ["source", "library", "out", "port", "no_browser"])]
    pub(crate) save_page: Option<PathBuf>,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone preview`.
#[derive(Args, Debug)]
pub(crate) struct PreviewArgs {
    /// Files to draw: side by side where one has a mesh or in a GIF, else over each other; at most eight.
    #[arg(required = true, num_args = 1..=8)]
    pub(crate) files: Vec<PathBuf>,
    /// Picture to write. `.gif`: as they move, in real time, at most 3 MB up to 10 seconds. Otherwise a PNG.
    #[arg(short, long, value_name = "PNG|GIF")]
    pub(crate) output: PathBuf,
    /// Frames to show, counted from 0, B not included: `A..B`, `A..`, `..B`.
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<FrameRange>,
    /// The clip to show of each file that has several: its name, or its number, counted from 0.
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// Choice among the characters of each file that has several.
    #[command(flatten)]
    pub(crate) character: CharacterChoice,
    /// Number of frames to show in a PNG. Default: 8.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=24))]
    pub(crate) columns: Option<u8>,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone doctor`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// BVH files of any skeleton.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write a repaired copy of the file, with the same motion.
    #[arg(long, requires = "output")]
    pub(crate) fix: bool,
    /// File to write it to.
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone demo`.
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Folder for the files; made if it does not exist.
    #[arg(default_value = "rebone-demo")]
    pub(crate) folder: PathBuf,
    /// Files that may be replaced.
    #[command(flatten)]
    pub(crate) replace: Replace,
}

/// `rebone completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell.
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
