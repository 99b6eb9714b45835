//! Progress of a batch: a bar on a terminal, plain lines elsewhere.

use crate::terminal::{Terminal, counted, visible};
use indicatif::ProgressStyle;
use rebone_batch::manifest::{JobStatus, ManifestLine};
use rebone_batch::path_text;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Progress of a batch on the terminal.
#[derive(Debug)]
pub(crate) struct ProgressBar {
    bar: Option<indicatif::ProgressBar>,
    terminal: Terminal,
    /// Results so far: made, failed.
    counts: [usize; 2],
    /// Frames of the results so far.
    frames: usize,
    /// Number of results in the end.
    all: usize,
    begin: Instant,
}

impl ProgressBar {
    /// Starts for a number of results, from clips of a number of bytes.
    pub(crate) fn new(all: usize, bytes: u64, terminal: Terminal) -> Self {
        let wants_bar = std::io::stderr().is_terminal() && terminal.wants_progress();
        let bar = wants_bar.then(|| {
            let bar = indicatif::ProgressBar::new(bytes);
            let style =
                ProgressStyle::with_template("{bar:24} {percent:>3} %, {eta} left; {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, terminal, counts: [0; 2], frames: 0, all, begin: Instant::now() }
    }

    /// Adds a result, made or failed, from `bytes` of a clip.
    pub(crate) fn add(&mut self, line: &ManifestLine, bytes: u64) -> std::io::Result<()> {
        let name = path_text(line.output.as_deref().unwrap_or(&line.input));
        let frames = line.result.as_ref().map_or(0, |result| result.frames);
        let fault = line.error.as_ref().map(|error| {
            match error.message.contains(&line.input.display().to_string()) {
                true => error.message.clone(),
                false => format!("{}: {}", line.input.display(), error.message),
            }
        });
        self.counts[usize::from(line.status != JobStatus::Done)] += 1;
        self.frames += frames;
        let [done, failed] = self.counts;
        let Some(bar) = &self.bar else {
            if let Some(fault) = fault {
                self.terminal.warn(&fault);
                return Ok(());
            }
            let number = done + failed;
            return self.terminal.say(&format!(
                "{number}/{}  {name}, {}",
                self.all,
                counted(frames, "frame")
            ));
        };
        if let Some(fault) = fault {
            bar.suspend(|| self.terminal.warn(&fault));
        }
        let rate = self.frames as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        bar.inc(bytes);
        bar.set_message(visible(&format!(
            "{done} of {} done, {failed} failed, {rate:.0} frames/s, {name}",
            self.all
        )));
        Ok(())
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.iter().for_each(indicatif::ProgressBar::finish_and_clear);
    }
}
