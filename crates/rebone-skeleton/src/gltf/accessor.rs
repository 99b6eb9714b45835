//! Accessors: numbers in buffers.

use super::buffers::Buffers;
use super::chunks::Chunks;
use super::error::{ReadError, unexpected};
use super::json::{Accessor, Root};

/// Limit of numbers in an accessor without bytes.
const MAX_ZEROS: usize = 1 << 22;

/// The numbers of an accessor, in rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    /// Numbers of a row.
    pub(super) width: usize,
    /// All rows, one after another.
    pub(super) values: Vec<f64>,
}

impl Numbers {
    /// The rows.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }
}

/// The bytes of all buffers and what is in them.
pub(super) struct Data<'a> {
    /// The JSON.
    pub(super) root: &'a Root,
    /// The bytes of the file.
    pub(super) chunks: &'a Chunks,
    pub(super) buffers: &'a Buffers,
}

impl Data<'_> {
    /// All numbers of an accessor, which `place` names; integers as they are, or as parts of one where they
    /// are normalized.
    pub(super) fn read(&self, index: usize, place: &str) -> Result<Numbers, ReadError> {
        let numbers = self.read_any(index, place)?;
        match numbers.values.iter().all(|value| value.is_finite()) {
            true => Ok(numbers),
            false => {
                let at = format!("accessors[{index}]");
                Err(unexpected(at, "a number that is not finite", "numbers"))
            }
        }
    }

    /// Returns whether an accessor has no numbers of its own: an extension has them, or they are zeros.
    pub(super) fn is_empty(&self, index: usize) -> bool {
        let own = self.root.accessors.get(index);
        own.is_some_and(|own| own.buffer_view.is_none() && own.sparse.is_none())
    }

    /// All numbers of an accessor, finite or not.
    pub(super) fn read_any(&self, index: usize, place: &str) -> Result<Numbers, ReadError> {
        let own = self.root.accessors.get(index);
        let own = own.ok_or_else(|| missing(place, "accessor", index))?;
        let at = format!("accessors[{index}]");
        let width = width(&own.kind).ok_or_else(|| {
            let found = format!("the type {:?}", own.kind);
            unexpected(format!("{at}.type"), found, "SCALAR, VEC2, VEC3, VEC4 or MAT4")
        })?;
        let component = Component::new(own.component_type, &at)?;
        let values = match own.buffer_view {
            Some(view) => {
                let rows = Rows { view, offset: own.byte_offset, count: own.count, width };
                self.rows(&rows, component, own.normalized, &at)?
            }
            None if own.count.saturating_mul(width) > MAX_ZEROS => {
                let found = format!("{} rows without a bufferView", own.count);
                return Err(unexpected(at, found, format!("at most {MAX_ZEROS} numbers")));
            }
            None => vec![0.0; own.count * width],
        };
        let mut numbers = Numbers { width, values };
        self.add_sparse(own, component, &mut numbers, &at)?;
        Ok(numbers)
    }

    fn add_sparse(
        &self,
        own: &Accessor,
        component: Component,
        numbers: &mut Numbers,
        at: &str,
    ) -> Result<(), ReadError> {
        let Some(sparse) = &own.sparse else { return Ok(()) };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let (count, width) = (sparse.count, numbers.width);
        let at = format!("{at}.sparse");
        let kind = Component::new(indices.component_type, &at)?;
        let rows = Rows { view: indices.buffer_view, offset: indices.byte_offset, count, width: 1 };
        let places = self.rows(&rows, kind, false, &format!("{at}.indices"))?;
        let rows = Rows { view: values.buffer_view, offset: values.byte_offset, count, width };
        let rows = self.rows(&rows, component, own.normalized, &format!("{at}.values"))?;
        for (place, row) in places.iter().zip(rows.chunks_exact(width)) {
            let place = *place as usize;
            let into = numbers.values.get_mut(place.saturating_mul(width)..);
            let Some(into) = into.filter(|into| into.len() >= width) else {
                let found = format!("the index {place}");
                return Err(unexpected(at, found, format!("less than {}", own.count)));
            };
            into[..width].copy_from_slice(row);
        }
        Ok(())
    }

    fn rows(
        &self,
        rows: &Rows,
        component: Component,
        normalized: bool,
        at: &str,
    ) -> Result<Vec<f64>, ReadError> {
        let &Rows { view: index, offset, count, width } = rows;
        let view = self.root.buffer_views.get(index);
        let view = view.ok_or_else(|| missing(at, "bufferView", index))?;
        let place = format!("bufferViews[{index}]");
        let bytes = self.buffers.view(index, view, self.chunks);
        let bytes = bytes.map_err(|[found, expected]| unexpected(&place, found, expected))?;
        let size = component.size() * width;
        let stride = view.byte_stride.unwrap_or(size);
        let last = count.checked_sub(1).map(|last| last.checked_mul(stride));
        let end = match last {
            None => return Ok(Vec::new()),
            Some(last) => last.and_then(|last| last.checked_add(offset)?.checked_add(size)),
        };
        if stride < size || end.is_none_or(|end| end > bytes.len()) {
            let found =
                format!("{count} rows of {size} bytes, {stride} apart, from byte {offset} on");
            return Err(unexpected(
                at,
                found,
                format!("at most the {} bytes of {place}", bytes.len()),
            ));
        }
        let mut values = Vec::with_capacity(count * width);
        for row in 0..count {
            let row = &bytes[offset + row * stride..][..size];
            values
                .extend(row.chunks_exact(component.size()).map(|x| component.read(x, normalized)));
        }
        Ok(values)
    }
}

/// Position of rows in a buffer view.
struct Rows {
    view: usize,
    offset: usize,
    count: usize,
    width: usize,
}

/// Says that something is not there.
pub(super) fn missing(place: &str, what: &str, index: usize) -> ReadError {
    unexpected(place, format!("{what} {index}"), format!("one of the {what}s that the file has"))
}

fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return None,
    })
}

/// Storage of a number.
#[derive(Clone, Copy, Debug)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn new(code: u32, at: &str) -> Result<Self, ReadError> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => {
                let expected = "5120, 5121, 5122, 5123, 5125 or 5126";
                return Err(unexpected(format!("{at}.componentType"), code.to_string(), expected));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Normalized integers as section 3.11 of the specification has them.
    fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let byte = |at: usize| bytes[at];
        let (value, whole) = match self {
            Self::I8 => (f64::from(byte(0) as i8), 127.0),
            Self::U8 => (f64::from(byte(0)), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([byte(0), byte(1)])), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([byte(0), byte(1)])), 65535.0),
            Self::U32 => {
                return f64::from(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]));
            }
            Self::F32 => {
                return f64::from(f32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]));
            }
        };
        if normalized { (value / whole).max(-1.0) } else { value }
    }
}
