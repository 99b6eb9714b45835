//! A clip that was solved, with its report.

use crate::answer::Failure;
use rebone::quality::{Evaluation, evaluate};
use rebone::skeleton::Clip;
use rebone::{Contact, Report, RetargetJob};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A result in memory.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) clip: Clip,
    pub(crate) report: Report,
    /// The comparison of source and result; `None` of a clip without motion.
    evaluation: Option<Evaluation>,
}

impl Solved {
    /// Solves the whole clip.
    pub(crate) fn new(job: &RetargetJob) -> Result<Self, Failure> {
        let (clip, report) = job.run(None)?;
        let mut source = Cow::Borrowed(job.source().clip());
        let used = job.dropped_frames()..source.len();
        if used.start > 0 {
            source.to_mut().keep(used)?;
        }
        let evaluation = evaluate(job.plan(), &source, &clip).ok();
        Ok(Self { clip, report, evaluation })
    }

    /// The rotation of the result about the vertical against the source, radians, and the rise of the source onto the result's
    /// floor, metres.
    pub(crate) fn offsets(&self) -> (f64, f64) {
        self.evaluation.as_ref().map_or((0.0, 0.0), |own| (own.yaw, own.floor_rise))
    }

    /// The report, with curves, contacts with the ground and the worst frames in their order.
    pub(crate) fn fields(&self, job: &RetargetJob) -> Value {
        let (frames, frame_time) = job.frames();
        let evaluation = self.evaluation.as_ref();
        let curves: Vec<Value> = evaluation
            .iter()
            .flat_map(|own| &own.curves)
            .map(|curve| json!({ "name": curve.name, "unit": curve.unit, "values": curve.values }))
            .collect();
        let worst = evaluation.map(|own| own.worst_frames(frame_time)).unwrap_or_default();
        json!({
            "frames": frames,
            "frame_time": frame_time,
            "first_frame": job.frame_offset(),
            "report": self.report,
            "curves": curves,
            "contacts": self.contacts(),
            "worst": worst.into_iter().collect::<BTreeSet<_>>(),
        })
    }

    /// The contacts of both bodies with the ground, detected on each.
    fn contacts(&self) -> Value {
        let of = |side: usize| -> &[Contact] {
            self.evaluation.as_ref().map_or(&[], |own| &own.contacts[side])
        };
        json!({ "source": of(0), "result": of(1) })
    }
}
