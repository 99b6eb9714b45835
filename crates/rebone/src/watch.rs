//! Progress of the work on a clip, and its end before the last frame.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use thiserror::Error;

/// Steps of the work on a clip, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkStep {
    /// Solves the frames.
    Solve,
    /// Applies the corrections of contacts.
    Contacts,
    /// Turns arms where hands are near the body.
    SelfContacts,
    /// Minimises energies over windows of the clip.
    Energies,
}

impl WorkStep {
    const ALL: [Self; 4] = [Self::Solve, Self::Contacts, Self::SelfContacts, Self::Energies];

    /// Name of the step.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Contacts => "contacts",
            Self::SelfContacts => "self-contacts",
            Self::Energies => "energies",
        }
    }
}

/// Progress of the work on a clip, for another thread that shows it and may stop it. The result is equal to the bit with and
/// without one.
///
/// ```
/// use rebone::{Watch, WorkStep};
///
/// let watch = Watch::default();
/// assert_eq!(watch.progress(), (WorkStep::Solve, 0, 0));
/// watch.stop();
/// ```
#[derive(Debug, Default)]
pub struct Watch {
    is_stopped: AtomicBool,
    step: AtomicUsize,
    done: AtomicUsize,
    all: AtomicUsize,
}

/// Error of work that was stopped by [`Watch::stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

impl Watch {
    /// Ends the work after the blocks of frames that are computed now.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The step, and how many of all its frames or windows are done.
    pub fn progress(&self) -> (WorkStep, usize, usize) {
        let [step, done, all] =
            [&self.step, &self.done, &self.all].map(|own| own.load(Ordering::Relaxed));
        (WorkStep::ALL[step.min(WorkStep::ALL.len() - 1)], done.min(all), all)
    }

    fn begin(&self, step: WorkStep, all: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.step.store(step as usize, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

/// A step of the work on a clip, with its watch where it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched<'a>(Option<&'a Watch>);

impl<'a> Watched<'a> {
    /// Begins a step of so many frames or windows.
    pub(crate) fn begin(watch: Option<&'a Watch>, step: WorkStep, all: usize) -> Self {
        if let Some(watch) = watch {
            watch.begin(step, all);
        }
        Self(watch)
    }

    /// Counts frames or windows that are done.
    pub(crate) fn add(self, count: usize) {
        if let Some(watch) = self.0 {
            watch.done.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Fails where the work was stopped.
    pub(crate) fn check(self) -> Result<(), Stopped> {
        self.0.map_or(Ok(()), Watch::check)
    }
}

/// Error of a sink of poses, or the stop of a watch.
#[derive(Debug)]
pub(crate) enum Halt<E> {
    Stopped,
    Sink(E),
}

impl<E> From<Stopped> for Halt<E> {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl<E> Halt<E> {
    /// The error of the sink, or another for the stop.
    pub(crate) fn or(self, stopped: impl FnOnce(Stopped) -> E) -> E {
        match self {
            Self::Stopped => stopped(Stopped),
            Self::Sink(error) => error,
        }
    }
}
