//! Surfaces by which the self-contacts of a plan are kept and graded.

use super::plan::is_same_rig;
use crate::body::Anatomy;
use crate::body::surface::StatedSurface;
use crate::surface::{Surface, SurfacePair};
use std::sync::{Arc, OnceLock};

/// Surfaces of source and target, fitted when they are first asked for: a frame alone needs none. Copies share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanSurfaces(Arc<OnceLock<Fitted>>);

#[derive(Debug)]
struct Fitted {
    pair: Option<SurfacePair>,
    misfits: Vec<String>,
}

impl PlanSurfaces {
    /// Returns the surfaces of two bodies; `None` where self-contacts are not seen.
    pub(crate) fn pair(&self, bodies: [&Anatomy; 2]) -> Option<&SurfacePair> {
        self.fitted(bodies).pair.as_ref()
    }

    /// Returns a sentence for each mesh that does not fit its skeleton.
    pub(crate) fn misfits(&self, bodies: [&Anatomy; 2]) -> &[String] {
        &self.fitted(bodies).misfits
    }

    // Nothing below may wait for other threads: one that waits could be given a frame that needs the same surfaces.
    fn fitted(&self, bodies: [&Anatomy; 2]) -> &Fitted {
        self.0.get_or_init(|| match are_wanted(bodies) {
            true => Fitted::of(bodies),
            false => Fitted { pair: None, misfits: Vec::new() },
        })
    }
}

impl Fitted {
    fn of(bodies: [&Anatomy; 2]) -> Self {
        let own = bodies.map(Surface::of);
        let named = ["source", "target"].into_iter().zip(bodies).zip(&own);
        let misfits = named.filter_map(|((name, body), surface)| {
            surface.misfit(body).map(|why| format!("the mesh of the {name} {why}"))
        });
        let misfits = misfits.collect();
        Self { pair: SurfacePair::of(bodies, own.each_ref().map(Arc::as_ref)), misfits }
    }
}

/// Returns whether self-contacts of two bodies are seen by their surfaces: not of a target without a mesh whose card states no
/// girth, nor of one rig, whose arms are where they are.
fn are_wanted([source, target]: [&Anatomy; 2]) -> bool {
    let is_girth = |own: &Option<StatedSurface>| matches!(own, Some(StatedSurface::Girth(_)));
    (target.stated_surfaces.iter().any(is_girth) || !target.skin.is_empty())
        && !is_same_rig(source, target)
}
