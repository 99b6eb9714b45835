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

mod disk;
mod error;
mod find;
mod jobs;
mod record;
mod rigs;
mod shards;
mod state;
mod work;

pub use disk::file_lock::FileLock;
pub use disk::path_text::path_text;
pub use disk::tar;
pub use error::{BatchError, Fault, FaultKind};
pub use find::inputs::{Input, is_motion_name};
pub use find::tar_names::is_tar_name;
pub use jobs::names::NameTemplate;
pub use jobs::request::{BatchRequest, Pictures, Progress};
pub use record::manifest;
pub use record::result_version::RESULT_VERSION;
pub use record::shard::{Shard, path_hash};
pub use shards::merge::{MergedShards, WorstResult, merge_shards};
pub use state::earlier::Pruned;
pub use state::stored::files_up_to_date;
pub use state::verify::ManifestFiles;
pub use work::cards_only::{CardsOutcome, make_cards};
pub use work::merge::MergedFile;
pub use work::outcome::BatchOutcome;
pub use work::plan::{BatchPlan, CardState, PlannedClass, plan};
pub use work::run::run;
pub use work::threads::on_threads;
