//! Two files in memory, a document of corrections, and what follows from them: the engine of a page that shows and
//! corrects retargets.
//!
//! A page asks, [`Studio::ask`] answers: requests and answers are JSON, with bytes beside them. The page holds the
//! [`Document`] and sends it with each request that depends on it. No state can drift apart, undo needs no engine, and an
//! engine can be thrown away at any time.
//!
//! ```
//! use rebone_studio::Studio;
//!
//! # let sample = rebone_samples::walk().motion;
//! # let hierarchy = rebone::skeleton::bvh::Hierarchy::from_skeleton(&sample.skeleton);
//! # let options = rebone::skeleton::bvh::WriteOptions::default();
//! # let walk = rebone::skeleton::bvh::write_clip(Vec::new(), &hierarchy, &sample.clip, options)?;
//! let mut studio = Studio::default();
//! studio.ask(r#"{ "do": "open", "side": "source", "name": "walk.bvh" }"#, &walk);
//! studio.ask(r#"{ "do": "open", "side": "target", "name": "rig.bvh" }"#, &walk);
//! let answer = studio.ask(r#"{ "do": "solve", "document": {} }"#, &[]);
//! assert!(answer.json.contains(r#""verdict":"PASS""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod doubts;
mod edit;
mod pair;
mod poses;
mod request;
mod solved;
mod studio;
mod summary;

pub use answer::Answer;
pub use request::{CardRequest, Cards, Document, Edit, OutputFormat, Request, Side};
pub use studio::Studio;
pub use summary::{CharacterSummary, JointSummary, RoleSummary, shown};
