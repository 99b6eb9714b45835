//! Numbers as text: 16 bits each, in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Stands for a missing value.
const MISSING: i16 = i16::MIN;

/// Returns the quantisation step that makes values fit into 16 bits.
pub(super) fn quantum(values: impl Iterator<Item = f64>) -> f64 {
    let most = values.filter(|value| value.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    (most / f64::from(i16::MAX)).max(1e-9)
}

/// Packs numbers as base64 of little-endian 16 bits in units of `scale`.
pub(super) fn pack(values: impl Iterator<Item = f64>, scale: f64) -> String {
    let bytes = values.flat_map(|value| {
        let whole = if value.is_finite() { (value / scale).round() as i16 } else { MISSING };
        whole.to_le_bytes()
    });
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}
