//! Progress of a batch: a bar on a terminal, plain lines elsewhere.

use super::manifest::{Line, Status};
use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Counts so far.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Results.
    done: usize,
    /// Failed results.
    failed: usize,
    /// Frames of the results.
    frames: usize,
}

/// Shows progress.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    terminal: Terminal,
    count: Count,
    all: usize,
    begin: Instant,
}

impl Progress {
    /// Starts for a number of results, from clips of a number of bytes.
    pub(crate) fn new(all: usize, bytes: u64, terminal: Terminal) -> Self {
        let wants_bar = std::io::stderr().is_terminal() && terminal.wants_progress();
        let bar = wants_bar.then(|| {
            let bar = ProgressBar::new(bytes);
            let style =
                ProgressStyle::with_template("{bar:24} {percent:>3} %, {eta} left; {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, terminal, count: Count::default(), all, begin: Instant::now() }
    }

    /// Adds a result, made or failed, from `bytes` of a clip.
    pub(crate) fn add(&mut self, line: &Line, bytes: u64) -> std::io::Result<()> {
        let name = line.output.as_deref().unwrap_or(&line.input);
        let frames = line.result.as_ref().map_or(0, |result| result.frames);
        let fault = line.error.as_ref().map(|error| match error.message.contains(&line.input) {
            true => error.message.clone(),
            false => format!("{}: {}", line.input, error.message),
        });
        match line.status {
            Status::Done => self.count.done += 1,
            _ => self.count.failed += 1,
        }
        self.count.frames += frames;
        let Count { done, failed, frames: total } = self.count;
        let Some(bar) = &self.bar else {
            if let Some(fault) = fault {
                self.terminal.warn(&fault);
                return Ok(());
            }
            let number = done + failed;
            return self.terminal.say(&format!("{number}/{}  {name}, {frames} frames", self.all));
        };
        if let Some(fault) = fault {
            bar.suspend(|| self.terminal.warn(&fault));
        }
        let rate = total as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        bar.inc(bytes);
        bar.set_message(format!(
            "{done} of {} done, {failed} failed, {rate:.0} frames/s, {name}",
            self.all
        ));
        Ok(())
    }

    /// Ends; returns the seconds since the start.
    pub(crate) fn finish(self) -> f64 {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.begin.elapsed().as_secs_f64()
    }
}
