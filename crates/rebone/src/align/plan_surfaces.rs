//! Surfaces by which the self-contacts of a plan are kept and graded.

use super::same_rig::is_same_rig;
use crate::surface::SurfacePair;
use rebone_body::body::surface::StatedSurface;
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, BodySegment};
use std::sync::{Arc, OnceLock};

/// Largest difference between the surfaces of a segment of one body, in two files with one skeleton, metres of a 1.7 m body: exports
/// and levels of detail differ by less.
const SAME_BODY_METRES: f64 = 0.01;

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
        let is_seen = surfaces[0].has_skin() || surfaces.iter().any(|own| own.has_girth());
        let is_same_body = is_same_rig(bodies[0], bodies[1]) && (!is_seen || are_alike(surfaces));
        let pair = (!is_same_body).then(|| SurfacePair::of(bodies, surfaces)).flatten();
        Self { pair, misfits }
    }
}

/// Returns whether self-contacts of two bodies may be seen by their surfaces: not of a target without a mesh whose card states no
/// girth, nor of two files of one skeleton with the same mesh.
fn are_wanted([source, target]: [&Anatomy; 2]) -> bool {
    let is_seen =
        !target.skin.is_empty() || target.stated_surfaces.iter().any(StatedSurface::is_girth);
    let is_same_skin =
        source.skin == target.skin && source.stated_surfaces == target.stated_surfaces;
    is_seen && !(is_same_skin && is_same_rig(source, target))
}

/// Returns whether two surfaces of one skeleton are those of one body: cards state the same girths, and segments that have a skin
/// in both files have nearly the same.
fn are_alike([a, b]: [&Surface; 2]) -> bool {
    let mut stated = a.stated.iter().zip(&b.stated);
    let is_girth = StatedSurface::is_girth;
    let are_skinned = |own: &BodySegment| a.is_skinned(*own) && b.is_skinned(*own);
    stated.all(|(a, b)| a == b || !is_girth(a) && !is_girth(b))
        && BodySegment::ALL.into_iter().filter(are_skinned).all(|segment| {
            let [a, b] = [a, b].map(|own| own.fields[segment.index()].as_ref());
            a.zip(b).is_some_and(|(a, b)| a.is_near(b, SAME_BODY_METRES))
        })
}
