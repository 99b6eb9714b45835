//! Reports of results that were pickled.

use rebone::quality::{Metric, Verdict};
use rebone::report::GroundReport;
use rebone::{ContactReport, KeptContact, Report};
use serde_json::{Map, Value};

/// Restores the floor, the contacts and the verdict of a report from its JSON: as much as pictures and arrays hold of it.
pub(crate) fn restored_report(text: &str) -> Report {
    let report: Value = serde_json::from_str(text).unwrap_or_default();
    let report = &report["report"];
    let contacts = list(&report["contacts"]["contacts"]).iter().filter_map(contact).collect();
    Report {
        floor: floor(&report["floor"]),
        contacts: Some(ContactReport { levels: Vec::new(), slope: 0.0, confidence: 0.0, contacts }),
        verdict: verdict(&report["verdict"]),
        ..Report::default()
    }
}

fn floor(own: &Value) -> Option<GroundReport> {
    Some(GroundReport {
        level: own["level"].as_f64()?,
        confidence: own["confidence"].as_f64()?,
        moved_to: own["moved_to"].as_f64(),
    })
}

fn contact(own: &Value) -> Option<KeptContact> {
    let fields = ["part", "on", "kind", "frames", "confidence"];
    let fields = fields.iter().filter_map(|&name| Some((name.to_owned(), own.get(name)?.clone())));
    let contact = serde_json::from_value(Value::Object(fields.collect::<Map<_, _>>())).ok()?;
    Some(KeptContact { contact, slack: None, reason: None })
}

fn verdict(own: &Value) -> Option<Verdict> {
    // JSON has `null` for a number that is not finite.
    let number = |own: &Value| own.as_f64().unwrap_or(f64::NAN);
    let metrics = list(&own["metrics"]).iter();
    let metrics =
        metrics.filter_map(|own| Metric::of(own["name"].as_str()?, number(&own["value"])));
    Some(Verdict {
        verdict: serde_json::from_value(own.get("verdict")?.clone()).ok()?,
        score: number(&own["score"]),
        reasons: Vec::new(),
        source_defects: Vec::new(),
        metrics: metrics.collect(),
        frames: 0,
    })
}

fn list(own: &Value) -> &[Value] {
    own.as_array().map_or(&[], Vec::as_slice)
}
