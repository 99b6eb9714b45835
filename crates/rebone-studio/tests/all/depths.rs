//! Depths of the result's hands in its own body.

use crate::kit::{causes, joint, ok, opened};
use rebone_studio::Studio;
use serde_json::{Value, json};

/// Frames of the walk that are looked at.
const FRAMES: usize = 60;

fn numbers(bytes: &[u8]) -> Vec<f64> {
    let number = |four: &[u8]| f64::from(f32::from_le_bytes(four.try_into().unwrap()));
    bytes.chunks_exact(4).map(number).collect()
}

/// Solves with a card of the target; returns the answers of the first frames.
fn depths(studio: &mut Studio, card: &str) -> Vec<(Value, Vec<f64>)> {
    let options = json!({ "no-self-contact": true });
    let document = json!({ "cards": { "target": card }, "options": options });
    ok(studio.ask(&json!({ "do": "solve", "document": document }).to_string(), &[]));
    let frames = 0..FRAMES;
    frames
        .map(|frame| {
            let request = json!({ "do": "depths", "frame": frame });
            let (fields, bytes) = ok(studio.ask(&request.to_string(), &[]));
            (fields, numbers(&bytes))
        })
        .collect()
}

#[test]
fn hands_in_broad_thighs_are_told_where_they_are() {
    let mut studio = opened("seven-spine");
    let hands = ["leftHand", "rightHand"].map(|role| joint(&mut studio, role));
    let mut deepest = 0.0_f64;
    for (frame, (fields, samples)) in
        depths(&mut studio, "[surface]\nthigh = 2.5\n").iter().enumerate()
    {
        assert_eq!(samples.len(), 4 * fields["samples"].as_u64().unwrap() as usize);
        let least = samples.chunks_exact(4).map(|own| own[3]).fold(f64::INFINITY, f64::min);
        let Some(distance) = fields["worst"]["distance"].as_f64() else {
            assert!(samples.is_empty());
            continue;
        };
        assert!((distance - least).abs() < 1e-6 && distance < 0.03, "{fields}");
        assert!(fields["worst"]["on"].as_str().unwrap().ends_with("thigh"), "{fields}");
        deepest = deepest.min(distance);
        let request = json!({ "do": "poses", "side": "target", "start": frame, "count": 1 });
        let pose = numbers(&ok(studio.ask(&request.to_string(), &[])).1);
        for sample in samples.chunks_exact(4) {
            let far = |hand: usize| {
                (0..3)
                    .map(|axis| (pose[7 * hand + axis] - sample[axis]).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            assert!(hands.into_iter().map(far).fold(f64::INFINITY, f64::min) < 0.3, "{sample:?}");
        }
    }
    assert!(deepest < -0.02, "{deepest}");
}

#[test]
fn nothing_near_and_nothing_known_are_told_apart() {
    let mut studio = opened("seven-spine");
    assert!(
        causes(&studio.ask(r#"{ "do": "depths", "frame": 0 }"#, &[])).contains("no result yet")
    );
    let far = depths(&mut studio, "[surface]\nneck = 1\n");
    assert!(far.iter().all(|(fields, samples)| fields["known"] == true && samples.is_empty()));
    let unknown = depths(&mut studio, "");
    assert!(unknown.iter().all(|(fields, samples)| fields["known"] == false && samples.is_empty()));
    let beyond = studio.ask(r#"{ "do": "depths", "frame": 100000 }"#, &[]);
    assert!(causes(&beyond).contains("expected 0 to"));
}
