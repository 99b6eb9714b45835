//! Summary of a body's surface for people: origins, measures and doubts of its segments, and outlines to draw.

use crate::body::surface::Surface;
use crate::body::surface::{ALONG, AROUND, Misfit, Origin, RadialField, SurfacePoint};
use crate::body::{Anatomy, BodySegment, Landmark};
use serde::Serialize;
use std::fmt;

/// Spread of a fitted surface and share of inner layers beyond which a warning says so.
const MAX_SPREAD_METRES: f64 = 0.03;
const MAX_INNER_SHARE: f64 = 0.3;
/// Spread of the usual surfaces of arms and of all other segments over people, metres of a 1.7 m body.
const USUAL_ARM_SPREAD_METRES: f64 = 0.01;
const USUAL_SPREAD_METRES: f64 = 0.03;
/// The row of a field whose circumference is told: the middle of its axis.
const MIDDLE_ROW: usize = ALONG / 2;
/// Columns of a field whose outline is drawn: those of the sides, ahead and behind, and between.
const OUTLINE_COLUMNS: [usize; 4] = [0, 2, 4, 6];
/// Rows of a field that are drawn.
const OUTLINE_ROWS: [usize; 3] = [2, 4, 6];

/// Surface of a segment in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct SegmentSummary {
    /// Name, as in files of contacts.
    segment: String,
    /// Name in cards.
    #[serde(skip)]
    card_name: String,
    /// Origin: `skin`, `default`, or `card` of a surface that a card states.
    origin: &'static str,
    /// Standard deviation, metres of a 1.7 m body: of the skin from its field, of people from the default.
    spread: f64,
    /// Circumference half way along, metres of a 1.7 m body.
    circumference: f64,
    /// Length with both ends, metres of a 1.7 m body.
    length: f64,
    /// Share of the skin below the outermost layer; `None` without skin.
    inner_layers: Option<f64>,
    /// Reason for which the segment's skin is not used.
    misfit: Option<String>,
}

impl fmt::Display for SegmentSummary {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let Self { segment, origin, .. } = self;
        let [around, length, spread] =
            [self.circumference, self.length, self.spread].map(|metres| metres * 100.0);
        write!(
            to,
            "{segment:15}  {origin:7}  {around:5.1} cm around, {length:5.1} long, spread {spread:.1}"
        )?;
        if let Some(inner) = self.inner_layers {
            write!(to, ", {:.0} % inner layers", inner * 100.0)?;
        }
        Ok(())
    }
}

impl SegmentSummary {
    fn of(surface: &Surface, segment: BodySegment) -> Option<Self> {
        let field = surface.fields[segment.index()].as_ref()?;
        let own = surface.origins[segment.index()];
        let (origin, spread, inner_layers, misfit) = match own {
            Origin::Skin(fit) => ("skin", fit.spread, Some(fit.inner), None),
            Origin::Usual(misfit) => ("default", usual_spread(segment), None, misfit),
        };
        let origin = if surface.stated[segment.index()].is_some() { "card" } else { origin };
        Some(Self {
            segment: segment.to_string(),
            card_name: segment.card_name(),
            origin,
            spread,
            circumference: circumference(field),
            length: length(field),
            inner_layers,
            misfit: misfit.as_ref().map(Misfit::to_string),
        })
    }

    /// Returns what a person should know of a segment with the surface of its skin, and what to write into the card.
    fn warnings(&self) -> impl Iterator<Item = String> {
        let name = &self.segment;
        let is_skin = self.origin == "skin";
        let line = format!("{} = \"default\"", self.card_name);
        let inner = self.inner_layers.filter(|inner| is_skin && *inner > MAX_INNER_SHARE);
        let inner = inner.map(|inner| {
            let percent = inner * 100.0;
            format!(
                "{percent:.0} % of the skin of the {name} is below its outermost layer, which clothes or hair may be: hands \
                 keep their distance from it; if they should not, write `{line}` below [surface] of its card"
            )
        });
        let is_rough = is_skin && self.spread > MAX_SPREAD_METRES;
        let rough = is_rough.then(|| {
            let spread = self.spread * 100.0;
            format!(
                "the skin of the {name} is {spread:.1} cm off its surface (of a 1.7 m body): it is no shape around one axis; \
                 if it is a skirt, hair or a cape, write `{line}` below [surface] of its card"
            )
        });
        inner.into_iter().chain(rough)
    }
}

impl Anatomy {
    /// Returns the surface of each segment in figures, in the order of trunk, arms, legs: a line of text, or as data its
    /// origin, spread, circumference and length in metres of a 1.7 m body, and share of inner layers. Beside them doubts, a
    /// sentence each: a mesh that does not fit the skeleton, segments without skin beside others that have one, many inner
    /// layers, and skin far from its surface.
    ///
    /// ```
    /// let walk = rebone_samples::walk().motion;
    /// let anatomy = rebone_body::analyse(&walk, &rebone_body::Hints::default())?;
    /// let (segments, warnings) = anatomy.surface_summary();
    /// assert!(segments[0].to_string().starts_with("pelvis           default"));
    /// assert!(warnings.is_empty());
    /// # Ok::<(), rebone_body::AnalysisError>(())
    /// ```
    pub fn surface_summary(&self) -> (Vec<impl Serialize + fmt::Display + use<>>, Vec<String>) {
        let surface = Surface::of(self);
        let segments = summaries(&surface);
        let warnings = surface.warnings(self, &segments);
        (segments, warnings)
    }

    /// Returns outlines of the surface of each segment, as closed polygons that move with the joints: four along its axis and
    /// three around it.
    pub fn surface_outlines(&self) -> Vec<Vec<Vec<Landmark>>> {
        let surface = Surface::of(self);
        let unit = self.metres_per_unit();
        surface.fields.iter().flatten().map(|field| outlines(field, unit)).collect()
    }

    /// Returns whether a mesh that fits the skeleton, or a girth in a card, tells the surface of a segment at least; else all are
    /// those of a usual body.
    pub fn has_known_surface(&self) -> bool {
        let surface = Surface::of(self);
        surface.has_skin() || !surface.girths().is_empty()
    }
}

impl Surface {
    /// Returns doubts about the surface of a body, given its segments in figures.
    fn warnings(&self, anatomy: &Anatomy, segments: &[SegmentSummary]) -> Vec<String> {
        let unfit = self.misfit(anatomy).map(|why| format!("the mesh {why}"));
        let has_skin = self.has_skin();
        let bare = segments.iter().filter(|own| has_skin && own.origin == "default").map(|own| {
            let name = &own.segment;
            match &own.misfit {
                Some(misfit) => format!("the skin of the {name} is not used: {misfit}"),
                None => format!("the {name} has no skin: its surface is the usual one"),
            }
        });
        let own = segments.iter().flat_map(SegmentSummary::warnings);
        let is_absent = |own: &BodySegment| {
            self.stated[own.index()].is_some() && self.fields[own.index()].is_none()
        };
        let absent = BodySegment::ALL.into_iter().filter(is_absent).map(|own| {
            format!("the card states a surface of the {own}, which the body does not have")
        });
        unfit.into_iter().chain(bare).chain(own).chain(absent).collect()
    }

    /// Returns why no segment has the surface of its skin; `None` where one has, or there is no mesh.
    #[doc(hidden)]
    pub fn misfit(&self, anatomy: &Anatomy) -> Option<String> {
        if anatomy.skin.is_empty() || self.has_skin() {
            return None;
        }
        let own = BodySegment::ALL.into_iter().zip(self.origins);
        let misfits: Vec<(BodySegment, Misfit)> = own
            .filter_map(|(segment, origin)| match origin {
                Origin::Usual(Some(misfit)) => Some((segment, misfit)),
                _ => None,
            })
            .collect();
        let is_own = |misfit: Misfit| !matches!(misfit, Misfit::OtherSide | Misfit::WholeMesh);
        let wrong: Vec<_> = misfits.iter().filter(|(_, misfit)| is_own(*misfit)).collect();
        Some(match wrong.first() {
            Some((segment, misfit)) => format!(
                "does not fit its skeleton at {} of {} segments, as one of another scale; of the skin of the {segment}, {misfit}",
                wrong.len(),
                misfits.len()
            ),
            None if self.stated.iter().any(Option::is_some) => return None,
            None => "has too few points at each segment to be a skin".to_owned(),
        })
    }
}

fn summaries(surface: &Surface) -> Vec<SegmentSummary> {
    BodySegment::ALL.into_iter().filter_map(|own| SegmentSummary::of(surface, own)).collect()
}

/// Returns the spread of the usual surface of a segment over people.
fn usual_spread(segment: BodySegment) -> f64 {
    match segment {
        BodySegment::UpperArm(_) | BodySegment::Forearm(_) | BodySegment::Hand(_) => {
            USUAL_ARM_SPREAD_METRES
        }
        _ => USUAL_SPREAD_METRES,
    }
}

/// Returns the circumference of a field at the middle of its axis.
fn circumference(field: &RadialField) -> f64 {
    let ring = ring(MIDDLE_ROW);
    let places: Vec<_> = ring.map(|point| field.place(point, 0.0)).collect();
    let next = places.iter().cycle().skip(1);
    places.iter().zip(next).map(|(a, b)| (b - a).norm()).sum()
}

/// Returns the length of a field from pole to pole.
fn length(field: &RadialField) -> f64 {
    field.length + field.radii[0][0] + field.radii[ALONG - 1][0]
}

/// Returns the points of a row.
fn ring(row: usize) -> impl Iterator<Item = SurfacePoint> {
    (0..AROUND).map(move |column| SurfacePoint { along: row as f64, around: column as f64 })
}

/// Returns the points of a column and of the one on the other side, around both poles.
fn meridian(column: usize) -> impl Iterator<Item = SurfacePoint> {
    let half = |column: usize, row: usize| SurfacePoint {
        along: row as f64,
        around: (column % AROUND) as f64,
    };
    let up = (0..ALONG).map(move |row| half(column, row));
    up.chain((1..ALONG - 1).rev().map(move |row| half(column + AROUND / 2, row)))
}

fn outlines(field: &RadialField, unit: f64) -> Vec<Vec<Landmark>> {
    let landmark = |point: SurfacePoint| {
        let offset = field.origin + field.joint_from_field * field.place(point, 0.0);
        Landmark { joint: field.joint, offset: offset / unit }
    };
    let along = OUTLINE_COLUMNS.map(|column| meridian(column).map(landmark).collect());
    let around = OUTLINE_ROWS.map(|row| ring(row).map(landmark).collect());
    along.into_iter().chain(around).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, analyse};
    use rebone_samples as samples;

    #[test]
    fn a_skeleton_has_the_measures_of_a_person() {
        let anatomy = analyse(&samples::walk().motion, &Hints::default()).unwrap();
        let all = summaries(&Surface::of(&anatomy));
        let of = |name: &str| all.iter().find(|own| own.segment == name).unwrap();
        let around = |name: &str| of(name).circumference;
        assert!((0.7..1.0).contains(&around("belly")), "{}", around("belly"));
        assert!((0.2..0.33).contains(&around("left forearm")), "{}", around("left forearm"));
        assert!((0.15..0.3).contains(&of("right hand").length), "{:?}", of("right hand"));
        assert!(all.iter().all(|own| own.origin == "default" && own.inner_layers.is_none()));
        assert!(anatomy.surface_summary().1.is_empty());
    }

    #[test]
    fn outlines_are_on_the_surface() {
        let anatomy = analyse(&samples::walk().motion, &Hints::default()).unwrap();
        let surface = Surface::of(&anatomy);
        let at = surface.transforms(&anatomy.t_pose);
        let outlines: Vec<_> = anatomy.surface_outlines().into_iter().flatten().collect();
        let lines = OUTLINE_COLUMNS.len() + OUTLINE_ROWS.len();
        assert_eq!(outlines.len(), lines * surface.fields.iter().flatten().count());
        for (k, field) in surface.fields.iter().enumerate() {
            let (Some(field), Some(at)) = (field, at[k]) else { continue };
            for corner in outlines[k * lines..(k + 1) * lines].iter().flatten() {
                let place = corner.place(&anatomy.t_pose, anatomy.metres_per_unit()).unwrap();
                let seen = field.project(&at.inward(&place));
                assert!(seen.height.abs() < 1e-9, "{}: {}", BodySegment::ALL[k], seen.height);
            }
        }
    }
}
