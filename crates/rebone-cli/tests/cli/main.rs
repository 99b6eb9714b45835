//! The program as its users meet it: files in, files, text and an exit code out.

#[cfg(test)]
mod acclaim;

#[cfg(test)]
mod arrays;

#[cfg(test)]
mod batch;

#[cfg(test)]
mod batch_refusals;

#[cfg(test)]
mod batch_report;

#[cfg(test)]
mod cards;

#[cfg(test)]
mod characters;

#[cfg(test)]
mod check;

#[cfg(test)]
mod cluster;

#[cfg(test)]
mod commands;

#[cfg(test)]
mod contacts;

#[cfg(test)]
mod corrections;

#[cfg(test)]
mod doctor;

#[cfg(test)]
mod documents;

#[cfg(test)]
mod empty_clips;

#[cfg(test)]
mod front_door;

#[cfg(test)]
#[cfg(target_os = "linux")]
mod full_disk;

#[cfg(test)]
mod ground;

#[cfg(test)]
mod grades;

#[cfg(target_os = "linux")]
#[cfg(test)]
mod hostile_places;

#[cfg(test)]
mod inspect;

#[cfg(test)]
#[cfg(unix)]
mod killed;

#[cfg(test)]
mod learned_cards;
mod loops;

#[cfg(test)]
mod maps;

#[cfg(test)]
mod names;

#[cfg(test)]
mod options;

#[cfg(test)]
mod outputs;

#[cfg(test)]
mod pictures;

#[cfg(test)]
#[cfg(unix)]
#[path = "../../../rebone-batch/tests/all/common/random.rs"]
mod random;

#[cfg(test)]
mod rotation_tables;

#[cfg(test)]
mod refusals;

#[cfg(test)]
mod root_motion;

#[cfg(test)]
mod scenes;

#[cfg(target_os = "linux")]
#[cfg(test)]
mod signals;

#[cfg(test)]
mod statements;

#[cfg(test)]
mod support;

#[cfg(test)]
mod unused_options;
