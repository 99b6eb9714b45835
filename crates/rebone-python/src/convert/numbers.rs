//! Lists of numbers as bytes: little-endian `f64`, frame by frame.

use crate::convert::errors::input_error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Largest distance of a quaternion's length from 1.
const MAX_LENGTH_ERROR: f64 = 1e-6;
/// Bytes of a number.
const WIDTH: usize = size_of::<f64>();

/// Vectors as bytes: x, y, z.
pub(crate) fn vectors<'py>(py: Python<'py>, all: &[Vector3<f64>]) -> PyResult<Bound<'py, PyBytes>> {
    bytes(py, all.len(), all.iter().map(|own| [own.x, own.y, own.z]))
}

/// Quaternions as bytes: x, y, z, w.
pub(crate) fn quaternions<'py>(
    py: Python<'py>,
    all: &[UnitQuaternion<f64>],
) -> PyResult<Bound<'py, PyBytes>> {
    bytes(py, all.len(), all.iter().map(|own| [own.i, own.j, own.k, own.w]))
}

fn bytes<const N: usize>(
    py: Python<'_>,
    count: usize,
    all: impl Iterator<Item = [f64; N]>,
) -> PyResult<Bound<'_, PyBytes>> {
    PyBytes::new_with(py, count * N * WIDTH, |bytes| {
        for (place, own) in bytes.chunks_exact_mut(N * WIDTH).zip(all) {
            for (place, number) in place.chunks_exact_mut(WIDTH).zip(own) {
                place.copy_from_slice(&number.to_le_bytes());
            }
        }
        Ok(())
    })
}

/// Reads vectors: x, y, z.
pub(crate) fn read_vectors(bytes: &[u8]) -> PyResult<Vec<Vector3<f64>>> {
    Ok(read::<3>(bytes)?.into_iter().map(Vector3::from).collect())
}

/// Reads quaternions of length 1: x, y, z, w.
pub(crate) fn read_quaternions(bytes: &[u8]) -> PyResult<Vec<UnitQuaternion<f64>>> {
    let unit = |[x, y, z, w]: [f64; 4]| {
        let own = Quaternion::new(w, x, y, z);
        let length = own.norm();
        let is_unit = (length - 1.0).abs() < MAX_LENGTH_ERROR;
        is_unit.then(|| UnitQuaternion::new_unchecked(own)).ok_or_else(|| {
            input_error(&format!("found a quaternion of length {length}, expected 1"))
        })
    };
    read::<4>(bytes)?.into_iter().map(unit).collect()
}

fn read<const N: usize>(bytes: &[u8]) -> PyResult<Vec<[f64; N]>> {
    if !bytes.len().is_multiple_of(N * WIDTH) {
        let message = format!("found {} bytes, expected rows of {N} numbers", bytes.len());
        return Err(input_error(&message));
    }
    let number = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_le_bytes);
    let row = |bytes: &[u8]| {
        let mut row = [0.0; N];
        row.iter_mut().zip(bytes.chunks_exact(WIDTH)).for_each(|(own, new)| *own = number(new));
        row
    };
    Ok(bytes.chunks_exact(N * WIDTH).map(row).collect())
}
