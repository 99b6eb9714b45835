//! The surface of an anatomy, fitted once for all of its copies.

use super::{StatedSurfaces, Surface};
use crate::body::Body;
use rebone_skeleton::{Skeleton, SkinPoint, WorldPose};
use std::sync::{Arc, OnceLock};

/// A surface that is fitted on first use and shared by copies of an anatomy.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedSurface(pub(crate) Arc<OnceLock<FittedSurface>>);

/// A surface with all that it depends on.
#[derive(Debug)]
pub(crate) struct FittedSurface {
    pub(crate) surface: Arc<Surface>,
    pub(crate) skeleton: Skeleton,
    pub(crate) body: Body,
    pub(crate) t_pose: WorldPose,
    pub(crate) stature: f64,
    pub(crate) skin: Arc<[SkinPoint]>,
    pub(crate) stated: StatedSurfaces,
}
