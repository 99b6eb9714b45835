//! Surfaces by which the self-contacts of a plan are kept and graded.

use super::plan::is_same_rig;
use crate::body::Anatomy;
use crate::body::surface::StatedSurface;
use crate::surface::{Surface, SurfacePair};
use std::sync::{Arc, OnceLock};

/// Difference between the surfaces of a segment from which on two bodies with one skeleton are two, metres of a 1.7 m body.
const SAME_BODY_METRES: f64 = 0.005;

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
        let surfaces = own.each_ref().map(Arc::as_ref);
        let is_same_body = is_same_rig(bodies[0], bodies[1]) && are_alike(surfaces);
        let pair = (!is_same_body).then(|| SurfacePair::of(bodies, surfaces)).flatten();
        Self { pair, misfits }
    }
}

/// Returns whether self-contacts of two bodies are seen by their surfaces: not of a target without a mesh whose card states no
/// girth, nor of one rig of which one skin is known, whose arms are where they are.
fn are_wanted([source, target]: [&Anatomy; 2]) -> bool {
    let has_girth = |own: &Anatomy| own.stated_surfaces.iter().any(is_girth);
    let is_seen = |own: &Anatomy| has_girth(own) || !own.skin.is_empty();
    let is_same_body = |a: &Anatomy, b: &Anatomy| {
        let is_same_skin = a.skin == b.skin && a.stated_surfaces == b.stated_surfaces;
        is_same_rig(a, b) && (is_same_skin || !is_seen(a) && !has_girth(b))
    };
    is_seen(target) && !is_same_body(source, target)
}

fn is_girth(own: &Option<StatedSurface>) -> bool {
    matches!(own, Some(StatedSurface::Girth(_)))
}

/// Returns whether two surfaces of one skeleton are those of one body: exports and levels of detail of a mesh differ by less.
fn are_alike([a, b]: [&Surface; 2]) -> bool {
    a.fields.iter().zip(&b.fields).all(|fields| match fields {
        (Some(a), Some(b)) => a.difference(b) < SAME_BODY_METRES,
        (a, b) => a.is_none() && b.is_none(),
    })
}
