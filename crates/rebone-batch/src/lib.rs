//! Retargets libraries of clips: many motion files onto one or more rigs, each result done once and then kept.
//!
//! # The way of the data
//!
//! ```text
//!  inputs ──► clips ──► jobs ◄── rules, names        what is to be made, under which name, with which options
//!               │        │
//!               ▼        │
//!            survey      │                           hash and rig class of each file
//!               │        │
//!               ▼        │
//!          rig classes   │                           files with one skeleton
//!               │        │
//!               ▼        ▼
//!             cards ──► provenance ──► up to date?   hashes of clip, rig, both cards and options: manifest
//!                        │
//!                        ▼
//!                      work ──► manifest             one clip at a time onto all its rigs, on all threads
//!                        │
//!                        ▼
//!                      merge                         all results for a rig in one file, where wanted
//! ```
//!
//! A result is a function of its clip, its rig, their two cards and the options. The manifest keeps the hashes of these
//! five, so a second run makes only what changed. Neither threads nor the order of inputs change a byte.
//!
//! Nothing here prints. [`run`] reports [`Progress`] to a callback, and ends early when the caller sets a flag.
//!
//! ```
//! use rebone_batch::{BatchRequest, Input, run};
//! use std::sync::atomic::AtomicBool;
//!
//! let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
//! let output = tempfile::tempdir()?;
//! let inputs = vec![Input::Files(format!("{data}/clips/w*.bvh").into())];
//! let targets = vec![format!("{data}/rigs/toy-a-pose.bvh").into()];
//! let request = BatchRequest::new(inputs, targets, output.path());
//! let outcome = run(&request, &AtomicBool::new(false), &mut |_progress| {})?;
//! assert!(outcome.failed().count() == 0 && output.path().join("walk.bvh").is_file());
//! // A second run finds everything up to date.
//! assert!(run(&request, &AtomicBool::new(false), &mut |_progress| {})?.lines.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cards;
mod cards_only;
mod choice;
mod clip_file;
mod earlier;
mod error;
mod file_lock;
mod folders;
mod folding;
mod hash;
mod held;
mod input_clip;
mod inputs;
mod jobs;
mod lock;
pub mod manifest;
mod manifest_place;
mod merge;
mod names;
mod npz_file;
mod on_disk;
mod outcome;
mod path_text;
mod pattern_clips;
mod patterns;
mod place;
mod plan;
mod prepared;
mod request;
mod result_folders;
mod result_version;
mod rig_cache;
mod rig_classes;
mod rig_fingerprint;
mod rig_index;
mod rules;
mod run;
mod run_tasks;
mod shard;
mod shard_files;
mod shard_merge;
mod shard_reader;
mod shard_request;
mod stored;
mod survey;
pub mod tar;
mod tar_clips;
mod tar_earlier;
mod tar_jobs;
mod tar_names;
mod tar_plan;
mod tar_work;
mod threads;
mod unused_options;
mod verify;
mod work;

pub use cards_only::{CardsOutcome, make_cards};
pub use earlier::Pruned;
pub use error::{BatchError, Fault, FaultKind};
pub use file_lock::FileLock;
pub use inputs::{Input, is_motion_name};
pub use merge::MergedFile;
pub use names::NameTemplate;
pub use outcome::BatchOutcome;
pub use path_text::path_text;
pub use plan::{BatchPlan, CardState, PlannedClass, plan};
pub use request::{BatchRequest, Picture, Pictures, Progress};
pub use result_version::RESULT_VERSION;
pub use run::run;
pub use shard::{Shard, path_hash};
pub use shard_merge::{MergedShards, WorstResult, merge_shards};
pub use stored::files_up_to_date;
pub use tar_names::is_tar_name;
pub use threads::on_threads;
pub use verify::ManifestFiles;
