//! Motion files and clips of the inputs.

pub(crate) mod character_rules;
pub(crate) mod choice;
pub(crate) mod clip_file;
pub(crate) mod held;
pub(crate) mod input_clip;
pub(crate) mod inputs;
pub(crate) mod pattern_clips;
pub(crate) mod patterns;
pub(crate) mod result_folders;
pub(crate) mod tar_clips;
pub(crate) mod tar_names;
