//! Rigs of a manifest, each read and analysed once for many results.

use rebone::{Anatomy, Character, CharacterChoice};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Largest number of rigs that stay in memory.
const MAX_RIGS: usize = 64;

/// Path of a rig, its card, and the character that is chosen in it.
pub(crate) type RigKey = (PathBuf, String, CharacterChoice);

/// A rig and its anatomy.
pub(crate) type KnownRig = Arc<(Character, Anatomy)>;

/// Rigs that were read.
#[derive(Debug, Default)]
pub(crate) struct RigCache(Mutex<BTreeMap<RigKey, KnownRig>>);

impl RigCache {
    /// Returns a rig, read where it is not known. Threads that want it at one time each read it.
    pub(crate) fn get<E>(
        &self,
        key: RigKey,
        read: impl FnOnce() -> Result<(Character, Anatomy), E>,
    ) -> Result<KnownRig, E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&key).cloned();
        if let Some(rig) = found {
            return Ok(rig);
        }
        let rig = Arc::new(read()?);
        let mut known = known();
        if known.len() >= MAX_RIGS {
            known.clear();
        }
        known.insert(key, Arc::clone(&rig));
        Ok(rig)
    }
}
