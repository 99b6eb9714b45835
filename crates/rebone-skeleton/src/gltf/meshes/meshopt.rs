//! Buffer views that `EXT_meshopt_compression` or `KHR_meshopt_compression` compresses.

use crate::gltf::json::{BufferView, Meshopt, Root};
use meshoptimizer_rs::codec::{self, Filter, Mode};
use meshoptimizer_rs::{Error, Limits, Workspace};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most bytes that the views of one file are decompressed to.
const MAX_BYTES: usize = 1 << 30;

/// Decompressed views of a file, each once and when it is first read.
#[derive(Debug, Default)]
pub(crate) struct DecodedViews {
    views: Vec<OnceLock<Result<Vec<u8>, String>>>,
    bytes: AtomicUsize,
}

impl DecodedViews {
    pub(crate) fn new(root: &Root) -> Self {
        let views = root.buffer_views.iter().map(|_| OnceLock::new()).collect();
        Self { views, bytes: AtomicUsize::new(0) }
    }

    /// The bytes of view `index`, which is compressed as `own` says from a buffer with the bytes `source`; `None` where
    /// there is no such view.
    pub(crate) fn get(
        &self,
        index: usize,
        view: &BufferView,
        own: &Meshopt,
        source: &[u8],
    ) -> Option<Result<&[u8], &str>> {
        let cell = self.views.get(index)?;
        let decoded = cell.get_or_init(|| self.decode(view, own, source));
        Some(decoded.as_deref().map_err(String::as_str))
    }

    fn decode(&self, view: &BufferView, own: &Meshopt, source: &[u8]) -> Result<Vec<u8>, String> {
        let end = own.byte_offset.checked_add(own.byte_length);
        let source = end.and_then(|end| source.get(own.byte_offset..end));
        let source = source.ok_or("more bytes than its buffer has")?;
        let filter = own.filter.as_deref().unwrap_or("NONE");
        let decode = || {
            let (mode, filter) = (Mode::parse(&own.mode)?, Filter::parse(filter)?);
            let layout = codec::BufferView::new(mode, filter, own.count, own.byte_stride)?;
            layout.validate_parent(view.byte_length, view.byte_stride)?;
            let used = self.bytes.fetch_add(layout.byte_length(), Ordering::Relaxed);
            let limits = Limits { max_bytes: MAX_BYTES.saturating_sub(used), ..Limits::default() };
            let workspace = &mut Workspace::new(limits);
            match mode {
                Mode::Attributes => attributes(filter, own, source, workspace),
                _ => layout.decode(source, workspace),
            }
        };
        decode().map_err(|error: Error| {
            let Meshopt { mode, count, byte_stride, .. } = own;
            format!("{error} ({mode}, filter {filter}, {count} rows of {byte_stride} bytes)")
        })
    }
}

/// Decompresses rows of numbers. Both extensions may use both versions of the codec, though `EXT_` was published with version 0.
fn attributes(
    filter: Filter,
    own: &Meshopt,
    source: &[u8],
    workspace: &mut Workspace,
) -> Result<Vec<u8>, Error> {
    let (count, stride) = (own.count, own.byte_stride);
    let mut rows = codec::decode_vertex_buffer(count, stride, source, workspace)?;
    match filter {
        Filter::None => {}
        Filter::Octahedral => codec::decode_filter_oct(&mut rows, count, stride, workspace)?,
        Filter::Quaternion => codec::decode_filter_quat(&mut rows, count, stride, workspace)?,
        Filter::Exponential => codec::decode_filter_exp(&mut rows, count, stride, workspace)?,
    }
    Ok(rows)
}
