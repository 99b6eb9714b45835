//! Pictures of motions.

use crate::convert::errors::input_error;
use crate::motion::Motion;
use crate::pool;
use crate::result::file_name;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone_view::{
    Ink, MotionView, SheetOptions, ShownFrame, ViewError, contact_sheet, motion_figure,
};

/// Draws motions over time in one picture, as PNG; one that is not recognised is drawn with +Y up.
#[pyfunction]
pub(crate) fn preview<'py>(
    py: Python<'py>,
    motions: Vec<Motion>,
    columns: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    if motions.is_empty() || motions.len() > Ink::ALL.len() {
        let (found, most) = (motions.len(), Ink::ALL.len());
        return Err(input_error(&format!("found {found} motions to draw, expected 1 to {most}")));
    }
    let draw = || -> Result<Vec<u8>, ViewError> {
        let clips = motions.iter().map(|motion| motion.character.clip());
        let shown =
            clips.take(1).flat_map(|clip| ShownFrame::spread(clip.len(), clip.frame_time, columns));
        let shown: Vec<_> = shown.collect();
        let (mut figures, mut names) = (Vec::new(), Vec::new());
        for (motion, ink) in motions.iter().zip(Ink::ALL) {
            let name = file_name(motion.character.path());
            let anatomy = motion.character.analyse().ok();
            let (motion, skin) = (motion.character.motion(), motion.character.skin_mesh());
            let anatomy = anatomy.as_ref();
            let view = MotionView { label: &name, motion, anatomy, skin: Some(&skin) };
            figures.push(motion_figure(&view, &shown, ink)?);
            names.push(name);
        }
        let options = SheetOptions { title: names.join(", "), first_frame: 0 };
        contact_sheet(&figures, &shown, &options)
    };
    let drawn = pool::run_unwatched(py, draw)?;
    Ok(PyBytes::new(py, &drawn.map_err(|error| input_error(&error.to_string()))?))
}
