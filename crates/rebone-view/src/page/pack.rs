//! Numbers over time as small text: whole numbers, differences, DEFLATE, base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;

/// Effort of DEFLATE, 0 to 10.
const LEVEL: u8 = 9;
/// Greatest magnitude of a value of a curve, in its steps.
const MAX_STEPS: f64 = 1000.0;
/// Stands for a missing value of a curve.
const MISSING: i32 = 1024;

/// Columns of whole numbers, each as the order of its differences and the differences.
#[derive(Debug, Default)]
pub(super) struct Columns(Vec<u8>);

impl Columns {
    /// Adds a column by its differences of first or second order, whichever are smaller.
    pub(super) fn push(&mut self, values: impl Iterator<Item = i32>) {
        let values: Vec<i64> = values.map(i64::from).collect();
        let [first, second] = [1, 2].map(|order| differences(&values, order));
        let bits = |all: &[u64]| all.iter().map(|own| u64::BITS - own.leading_zeros()).sum::<u32>();
        let (order, chosen) = if bits(&second) < bits(&first) { (2, second) } else { (1, first) };
        self.0.push(order);
        chosen.into_iter().for_each(|value| self.push_number(value));
    }

    /// Adds a curve in units of `step`.
    pub(super) fn push_curve(&mut self, values: impl Iterator<Item = f64>, step: f64) {
        let whole = |value: f64| (value / step).round() as i32;
        self.push(values.map(|value| if value.is_finite() { whole(value) } else { MISSING }));
    }

    /// Adds a number as LEB128: 7 bits a byte, the lowest first, the highest bit set where more follow.
    fn push_number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Returns the columns as text.
    pub(super) fn text(&self) -> String {
        text(&self.0)
    }
}

/// Returns the differences to what the one or two values before predict, the sign in the lowest bit.
fn differences(values: &[i64], order: usize) -> Vec<u64> {
    let predicted = |index: usize| match index {
        0 => 0,
        1 => values[0],
        _ if order == 1 => values[index - 1],
        _ => 2 * values[index - 1] - values[index - 2],
    };
    let difference = |(index, value): (usize, &i64)| {
        let difference = value - predicted(index);
        ((difference << 1) ^ (difference >> 63)) as u64
    };
    values.iter().enumerate().map(difference).collect()
}

/// Returns the step in which the values of a curve are packed.
pub(super) fn curve_step(values: impl Iterator<Item = f64>) -> f64 {
    let most = values.filter(|value| value.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    (most / MAX_STEPS).max(1e-9)
}

/// Compresses bytes: raw DEFLATE in base64.
pub(super) fn text(bytes: &[u8]) -> String {
    STANDARD.encode(compress_to_vec(bytes, LEVEL))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the bytes of a text.
    pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec(&STANDARD.decode(text).unwrap()).unwrap()
    }

    /// Reads the next column, as the page does.
    pub(crate) fn read_column(bytes: &mut impl Iterator<Item = u8>, count: usize) -> Vec<i64> {
        let order = bytes.next().unwrap();
        let mut values: Vec<i64> = Vec::new();
        for index in 0..count {
            let (mut number, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes.next().unwrap();
                number |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
            let before = |back: usize| if index < back { 0 } else { values[index - back] };
            let predicted = match order {
                2 if index > 1 => 2 * before(1) - before(2),
                _ => before(1),
            };
            values.push(predicted + difference);
        }
        values
    }

    #[test]
    fn columns_are_read_as_they_were_written() {
        let columns = [
            vec![],
            vec![7],
            vec![i32::MIN, i32::MAX, i32::MIN, 0, -1],
            (0..50).map(|k| 3 * k - 70).collect(),
            vec![5, 5, 5, 9, 9, 9],
        ];
        let mut packed = Columns::default();
        columns.iter().for_each(|column| packed.push(column.iter().copied()));
        packed.push_curve([1.0, f64::NAN, -0.25].into_iter(), 0.25);
        let mut bytes = bytes_of(&packed.text()).into_iter();
        for column in columns {
            let wanted: Vec<i64> = column.iter().copied().map(i64::from).collect();
            assert_eq!(read_column(&mut bytes, column.len()), wanted);
        }
        assert_eq!(read_column(&mut bytes, 3), [4, i64::from(MISSING), -1]);
        assert_eq!(bytes.next(), None);
    }
}
