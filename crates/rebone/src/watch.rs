//! Progress of the work on a clip, and its end before the last frame.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Function that is told the progress of the work on a clip: see [`ClipInput::watch`](crate::ClipInput::watch).
pub(crate) type Watch<'a> = dyn Fn(&'static str, usize, usize) -> bool + Send + Sync + 'a;

/// The work was stopped by its watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A step of the work on a clip, with its watch where it has one.
pub(crate) struct Watched<'a> {
    watch: Option<&'a Watch<'a>>,
    step: &'static str,
    done: AtomicUsize,
    all: usize,
    is_stopped: AtomicBool,
}

impl<'a> Watched<'a> {
    /// Begins a step of so many frames or windows.
    pub(crate) fn begin(watch: Option<&'a Watch<'a>>, step: &'static str, all: usize) -> Self {
        let (done, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let own = Self { watch, step, done, all, is_stopped };
        own.add(0);
        own
    }

    /// Counts frames or windows that are done.
    pub(crate) fn add(&self, count: usize) {
        let Some(watch) = self.watch else { return };
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        if !watch(self.step, done, self.all) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Fails where the work was stopped.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use crate::clip::{ClipInput, retarget_clip};
    use crate::error::RetargetError;
    use crate::options::{LoopRange, Method, Options};
    use crate::{Hints, align, analyse};
    use rebone_samples as samples;
    use std::sync::Mutex;

    #[test]
    fn a_watch_hears_all_steps_and_stops_each_of_them() {
        let clip = samples::walk().motion;
        let rig = samples::rigs().remove(0).motion;
        let [source, target] =
            [&clip, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        for method in [Method::Ik, Method::Copy, Method::Energies] {
            let options = Options { method, cycle: None::<LoopRange>, ..Options::default() };
            let plan = align(&source, &target, &options);
            let plain = ClipInput::new(&source, &clip.clip);
            let solved = |input: &ClipInput| retarget_clip(&plan, input);
            let heard = Mutex::new(Vec::new());
            let listen = |step: &'static str, done: usize, all: usize| {
                assert!(done <= all);
                heard.lock().unwrap().push((step, done));
                true
            };
            let with = solved(&ClipInput { watch: Some(&listen), ..plain }).unwrap();
            assert_eq!(with, solved(&plain).unwrap(), "{method:?}");
            let heard = heard.into_inner().unwrap();
            assert_eq!(heard.last().map(|own| own.0), Some("verdict"));
            assert!(heard.contains(&("solve", clip.clip.len())));
            for (step, done) in heard {
                let stop = |own: &'static str, count: usize, _: usize| own != step || count < done;
                let stopped = solved(&ClipInput { watch: Some(&stop), ..plain });
                assert!(matches!(stopped, Err(RetargetError::Stopped)), "{method:?} {step} {done}");
            }
        }
    }
}
