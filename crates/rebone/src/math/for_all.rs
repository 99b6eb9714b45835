//! Work on all threads.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Returns what a function gives for each element, with threads on all of them.
pub(crate) fn for_all<'a, T: Sync, R: Send>(
    all: &'a [T],
    of: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    let all = all.par_iter();
    #[cfg(not(feature = "rayon"))]
    let all = all.iter();
    all.map(of).collect()
}
