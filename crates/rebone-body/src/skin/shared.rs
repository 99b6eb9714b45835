//! The surface of an anatomy, fitted once for all of its copies.

use crate::body::Anatomy;
use crate::body::surface::{FittedSurface, Surface};
use std::sync::Arc;

impl FittedSurface {
    fn new(anatomy: &Anatomy, surface: Surface) -> Self {
        Self {
            surface: Arc::new(surface),
            skeleton: anatomy.skeleton.clone(),
            body: anatomy.body.clone(),
            t_pose: anatomy.t_pose.clone(),
            stature: anatomy.stature,
            skin: Arc::clone(&anatomy.skin),
            stated: anatomy.stated_surfaces,
        }
    }

    /// Returns whether it is the surface of an anatomy: a copy may have been changed since.
    fn is_of(&self, anatomy: &Anatomy) -> bool {
        let Self { surface: _, skeleton, body, t_pose, stature, skin, stated } = self;
        Arc::ptr_eq(skin, &anatomy.skin)
            && *stature == anatomy.stature
            && *stated == anatomy.stated_surfaces
            && *t_pose == anatomy.t_pose
            && *body == anatomy.body
            && *skeleton == anatomy.skeleton
    }
}

impl Anatomy {
    /// Returns the surface that `fit` gives. The first call on any copy of the anatomy fits it; a copy that was changed has its
    /// own, fitted in each call.
    pub(crate) fn shared_surface(&self, fit: impl Fn(&Anatomy) -> Surface) -> Arc<Surface> {
        let fitted = self.surface.0.get_or_init(|| FittedSurface::new(self, fit(self)));
        match fitted.is_of(self) {
            true => Arc::clone(&fitted.surface),
            false => Arc::new(fit(self)),
        }
    }
}
