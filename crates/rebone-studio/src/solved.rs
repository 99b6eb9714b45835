//! A clip that was solved, and what is told of it.

use crate::answer::Failure;
use crate::pair::Pair;
use rebone::quality::{Evaluation, evaluate};
use rebone::skeleton::{Clip, ClipError};
use rebone::{Contact, Report};
use serde_json::{Value, json};

/// Largest number of worst frames, and least time between two of them.
const MAX_WORST_FRAMES: usize = 10;
const MIN_WORST_SECONDS: f64 = 0.25;

/// A result in memory.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) clip: Clip,
    report: Report,
    /// The comparison of source and result; `None` of a clip without motion.
    evaluation: Option<Evaluation>,
}

impl Solved {
    /// Solves the whole clip.
    pub(crate) fn new(pair: &Pair) -> Result<Self, Failure> {
        let mut clip = Clip::new(&pair.plan().target.skeleton, pair.job.frames().1);
        let report = pair.job.run(|pose| clip.push(pose));
        let report = report.map_err(|error: ClipError| Failure::new(error.to_string()))?;
        let evaluation = evaluate(pair.plan(), pair.source_clip(), &clip).ok();
        Ok(Self { clip, report, evaluation })
    }

    /// Rotation of the result about the vertical against the source, radians, and the rise of the source onto the result's
    /// floor, metres.
    pub(crate) fn placement(&self) -> (f64, f64) {
        self.evaluation.as_ref().map_or((0.0, 0.0), |own| (own.yaw, own.floor_rise))
    }

    /// The report, with curves, bars of contacts and the worst frames.
    pub(crate) fn fields(&self, pair: &Pair) -> Value {
        let (frames, frame_time) = pair.job.frames();
        let evaluation = self.evaluation.as_ref();
        let curves: Vec<Value> = evaluation
            .iter()
            .flat_map(|own| &own.curves)
            .map(|curve| json!({ "name": curve.name, "unit": curve.unit, "values": curve.values }))
            .collect();
        json!({
            "frames": frames,
            "frame_time": frame_time,
            "first_frame": pair.job.frame_offset(),
            "report": self.report,
            "curves": curves,
            "contacts": self.contacts(),
            "worst": self.worst(frame_time),
        })
    }

    /// Contacts of both bodies with the ground as they were detected on each; contacts of hands with the body as they were
    /// kept.
    fn contacts(&self) -> Value {
        let of = |side: usize| -> &[Contact] {
            self.evaluation.as_ref().map_or(&[], |own| &own.contacts[side])
        };
        json!({ "source": of(0), "result": of(1) })
    }

    /// Frames with the highest values of any curve, relative to its mean, the first first.
    fn worst(&self, frame_time: f64) -> Vec<usize> {
        let Some(evaluation) = &self.evaluation else { return Vec::new() };
        let reasons = evaluation.verdict.reasons.iter().filter_map(|reason| reason.frames);
        let mut frames: Vec<usize> = Vec::new();
        let least = (MIN_WORST_SECONDS / frame_time.max(1e-6)) as usize;
        for [start, end] in reasons {
            let middle = usize::midpoint(start, end);
            if frames.iter().all(|frame| frame.abs_diff(middle) > least) {
                frames.push(middle);
            }
        }
        frames.truncate(MAX_WORST_FRAMES);
        frames.sort_unstable();
        frames
    }
}
