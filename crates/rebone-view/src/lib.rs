//! Pictures of motions and skeletons as PNG sheets, and the page of a report as HTML with its details inside or beside it.
//!
//! All functions take motions, skeletons and plans of the crate `rebone` and return bytes or text;
//! nothing here reads or writes files.
//!
//! ```
//! use rebone::{Hints, analyse};
//! use rebone_view::{Ink, MotionView, SheetOptions, ShownFrame, contact_sheet, motion_figure};
//!
//! let walk = rebone_samples::walk().motion;
//! let anatomy = analyse(&walk, &Hints::default())?;
//! let instants = ShownFrame::spread(walk.clip.len(), walk.clip.frame_time, 6);
//! let view = MotionView { label: "walk.bvh", motion: &walk, anatomy: Some(&anatomy), skin: None };
//! let figure = motion_figure(&view, &instants, Ink::BLUE_GREY)?;
//! let options = SheetOptions { title: "A walk".to_owned(), first_frame: 0 };
//! let png = contact_sheet(&[figure], &instants, &options)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod calibration_sheet;
mod error;
mod outline;
mod page;
mod palette;
mod raster;
mod recorder;
mod retarget_sheet;
mod sheet;
mod skin;
mod stick_figure;
mod text;

pub use animation::animation;
pub use calibration_sheet::{
    SheetSubject, calibration_poses_sheet, calibration_sheet, comparison_sheet, surface_sheet,
};
pub use error::ViewError;
pub use page::{
    BLOCK_SCRIPT, ClipDetails, Comparison, Page, PageDetails, PageEntry, PageMesh, block_script,
    compare,
};
pub use palette::{Ink, Rgb};
pub use recorder::{MotionView, motion_figure};
pub use retarget_sheet::{RetargetSheet, SheetNames};
pub use sheet::{Figure, SheetOptions, ShownFrame, contact_sheet};
