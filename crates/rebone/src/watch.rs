//! Progress of the work on a clip, and its end before the last frame.

use rebone_skeleton::Pose;
#[cfg(feature = "files")]
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Function that is told the progress of the work on a clip: see [`ClipInput::watch`](crate::ClipInput::watch).
pub(crate) type Watch<'a> = dyn Fn(&'static str, usize, usize) -> bool + Send + Sync + 'a;

/// The watch of a job.
#[cfg(feature = "files")]
pub(crate) struct WatchFunction(pub(crate) Option<Box<Watch<'static>>>);

#[cfg(feature = "files")]
impl fmt::Debug for WatchFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "a watch" } else { "no watch" })
    }
}

/// Function that receives the poses of a result. One type for all of them: the work on a clip is compiled once.
pub(crate) type Sink<'a> = dyn FnMut(&Pose) -> Result<(), Stopped> + Send + 'a;

/// The work was stopped, by its watch or by a sink.
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

/// Error of a sink of poses, or the stop of a watch.
#[derive(Debug)]
pub(crate) enum Halt<E> {
    Stopped,
    Sink(E),
}

impl<E> Halt<E> {
    /// The error of the sink, or that of the stop, by way of the library's own error `S`.
    pub(crate) fn error<S: From<Stopped>>(self) -> E
    where
        E: From<S>,
    {
        match self {
            Self::Stopped => S::from(Stopped).into(),
            Self::Sink(error) => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::clip::{ClipInput, retarget_frames};
    use crate::error::RetargetError;
    use crate::frame::Retargeter;
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
            let retargeter = Retargeter::new(align(&source, &target, &options)).unwrap();
            let plain = ClipInput::new(&source, &clip.clip);
            let poses = |input: &ClipInput| {
                let mut poses = Vec::new();
                let report = retarget_frames(&retargeter, input, |pose| {
                    poses.push(pose.clone());
                    Ok::<_, RetargetError>(())
                });
                report.map(|report| (poses, report))
            };
            let heard = Mutex::new(Vec::new());
            let listen = |step: &'static str, done: usize, all: usize| {
                assert!(done <= all);
                heard.lock().unwrap().push((step, done));
                true
            };
            let with = poses(&ClipInput { watch: Some(&listen), ..plain }).unwrap();
            assert_eq!(with, poses(&plain).unwrap(), "{method:?}");
            let heard = heard.into_inner().unwrap();
            assert_eq!(heard.last().map(|own| own.0), Some("verdict"));
            assert!(heard.contains(&("solve", clip.clip.len())));
            for (step, done) in heard {
                let stop = |own: &'static str, count: usize, _: usize| own != step || count < done;
                let stopped = poses(&ClipInput { watch: Some(&stop), ..plain });
                assert!(matches!(stopped, Err(RetargetError::Stopped)), "{method:?} {step} {done}");
            }
        }
    }
}
