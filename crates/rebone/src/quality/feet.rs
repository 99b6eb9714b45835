//! Contacts of source and result, and the floor.

use super::body_trace::Comparison;
use super::metric::MetricCollector;
use super::source_float;
use crate::align::Plan;
use crate::contacts::{
    BodyPart, Contact, ContactKind, ContactMatch, DetectedContacts, SupportTrajectories, Terrain,
};
use crate::contacts::{
    CLOSE_DISPLACEMENT_METRES, MAX_FLOAT_METRES, PivotPath, detect_by_displacement, foot_slide,
};
use rebone_body::body::{CENTIMETRES_PER_METRE, METRES_PER_CENTIMETRE, Side};
use std::ops::Range;

/// Displacement within the window of contacts of a foot that is all but still: the slide that is the first to count more.
const ALL_BUT_STILL_METRES: f64 = CLOSE_DISPLACEMENT_METRES + 1.5 * METRES_PER_CENTIMETRE;
/// Number of frames between cuts that are a pose, as for calibration, and no motion.
const MAX_POSE_FRAMES: usize = 2;

/// Contacts of the source that are known before a result is graded.
#[derive(Clone, Debug)]
pub(crate) struct ContactContext<'a> {
    /// Ranges of frames between cuts of the clip.
    pub(crate) pieces: &'a [Range<usize>],
    /// Contacts of the source, if they were detected before.
    pub(crate) known: Option<DetectedContacts>,
    /// Body parts whose contacts are detected.
    pub(crate) parts: &'a [BodyPart],
}

/// Grades contacts and floor. Returns the contacts of both, each found by itself, and [`floor_rise`].
pub(crate) fn grade(
    plan: &Plan,
    pair: &Comparison,
    ContactContext { pieces, known, parts }: ContactContext,
    collector: &mut MetricCollector,
) -> ([Vec<Contact>; 2], f64) {
    let [source, result] = &pair.tracks;
    let scale = plan.path_scale;
    let DetectedContacts { low_passed, terrain: from, contacts } = known.unwrap_or_else(|| {
        let low_passed = source.low_passed(pieces);
        let terrain = Terrain::detect(&low_passed, pieces, plan.source.soles.pitch_sigma());
        let contacts = detect_by_displacement(&low_passed, &terrain, pieces, parts);
        DetectedContacts { low_passed, terrain, contacts }
    });
    // The result stands on the same floor, at a height of its own.
    let below = from.scaled_to_target(plan);
    let own_calm = result.low_passed(pieces).with_soles_on_mesh();
    let own = Terrain::with_normal(&own_calm, pieces, below.normal);
    let onto = below.with_floor_at(own.levels[0]);
    let contacts = [contacts, detect_by_displacement(&own_calm, &onto, pieces, parts)];
    contact_events([&low_passed, &own_calm], [&from, &onto], &contacts, collector);
    floor(&from, &onto, scale, collector);
    slides(pair, &low_passed, &from, &contacts[0], scale, collector);
    source_float::grade(&low_passed, &from, pieces, scale, collector);
    let under = BodyPart::FEET.map(|part| levels(&low_passed, &from, part, &contacts[0], pieces));
    heights(pair, [&from, &onto], &under, (&contacts[0], pieces), scale, collector);
    hand_depth(pair, [&from, &onto], &low_passed, pieces, scale, collector);
    (contacts, floor_rise(&from, &onto, scale))
}

/// Compares the contacts of feet of source and result.
fn contact_events(
    low_passed: [&SupportTrajectories; 2],
    terrains: [&Terrain; 2],
    contacts: &[Vec<Contact>; 2],
    collector: &mut MetricCollector,
) {
    let rests = |body: usize, part, frames: &Range<usize>| {
        all_but_rests(low_passed[body], terrains[body], part, frames)
    };
    let [from, own] = contacts;
    let events = ContactMatch::new(from, own, collector.frame_time, &BodyPart::FEET, rests);
    let lost = events.first_unmatched.clone();
    let frames = lost.clone().map(|(_, frames)| frames);
    collector.metric("contact_mismatch", 1.0 - events.f1(), frames, || {
        let part = named(lost.map(|(part, _)| part));
        let [matched, unmatched] = [events.matched, events.unmatched];
        format!("{matched} contacts of feet match, {unmatched} do not, first of the {part}")
    });
    collector.metric("contact_onset", 1000.0 * events.onset_error, None, || {
        format!("contacts begin {:.0} ms off", 1000.0 * events.onset_error)
    });
}

/// Returns whether a part rests on the ground in most of some frames, or misses the thresholds of contacts by so little
/// that nobody sees it: heights and slides of contacts are graded by their own metrics.
fn all_but_rests(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    part: BodyPart,
    frames: &Range<usize>,
) -> bool {
    let frames = frames.start..frames.end.min(low_passed.len());
    let points = part.points(&low_passed.points);
    if frames.is_empty() || points.is_empty() {
        return false;
    }
    let pivot = PivotPath::new(low_passed, Some(terrain), &points, frames.clone());
    let is_near = |k: &usize| {
        pivot.clearance[*k] < MAX_FLOAT_METRES && pivot.displacement[*k] < ALL_BUT_STILL_METRES
    };
    2 * (0..pivot.len()).filter(is_near).count() > frames.len()
}

/// Rise of the result's floor over the source's where it is nearer to height zero than to the source's, metres of a 1.7 m
/// body; else 0.
fn floor_rise(from: &Terrain, onto: &Terrain, scale: f64) -> f64 {
    let level = onto.levels[0];
    let rise = level - from.levels[0] * scale;
    if level.abs() < rise.abs() { rise } else { 0.0 }
}

fn floor(from: &Terrain, onto: &Terrain, scale: f64, collector: &mut MetricCollector) {
    let level = onto.levels[0];
    let off = (level - from.levels[0] * scale).abs().min(level.abs()) * CENTIMETRES_PER_METRE;
    collector
        .metric("floor", off, None, || format!("the floor is {off:.1} cm too high or too low"));
}

/// Slide of feet while they are in contact, beyond what the source's do.
fn slides(
    pair: &Comparison,
    low_passed: &SupportTrajectories,
    from: &Terrain,
    contacts: &[Contact],
    scale: f64,
    collector: &mut MetricCollector,
) {
    let tracks = pair.tracks.each_ref();
    let mut worst = (0.0, None);
    for part in BodyPart::FEET {
        let mut own = (0.0, 0..0);
        let stays = |contact: &&Contact| contact.part == part && contact.kind != ContactKind::Slide;
        for contact in contacts.iter().filter(stays) {
            let [slip, beyond] = foot_slide(contact, tracks, low_passed, from, scale)
                .map(|slip| slip * CENTIMETRES_PER_METRE);
            if beyond > worst.0 {
                worst = (beyond, Some(contact));
            }
            if slip > own.0 {
                own = (slip, contact.frames.clone());
            }
        }
        let text = format!("{part} slides up to {:.1} cm in the source", own.0);
        collector.source_defect("foot_slide", own.0, own.1, text);
    }
    let (slide, contact) = worst;
    collector.metric("foot_slide", slide, contact.map(|own| own.frames.clone()), || {
        let part = named(contact.map(|own| own.part));
        format!("{part} slides {slide:.1} cm more than the source's")
    });
}

/// Depth of soles in the floor, and height over it of feet that should stand.
fn heights(
    pair: &Comparison,
    terrains: [&Terrain; 2],
    under: &[Vec<usize>; 2],
    (contacts, pieces): (&[Contact], &[Range<usize>]),
    scale: f64,
    collector: &mut MetricCollector,
) {
    let is_motion =
        |frame: &usize| pieces.iter().any(|own| own.len() > MAX_POSE_FRAMES && own.contains(frame));
    let mut deepest = (0.0, None);
    let mut highest = (0.0, None);
    for (part, under) in BodyPart::FEET.into_iter().zip(under) {
        let over = over_floor(pair, terrains, (part, under), scale);
        for (frame, [from, own]) in over.iter().enumerate().filter(|(frame, _)| is_motion(frame)) {
            let joint = joint_over_floor(pair, terrains[0], (part, under[frame]), frame);
            let depth = -own - (-joint.map_or(*from, |joint| joint * scale)).max(0.0);
            if depth > deepest.0 {
                deepest = (depth, Some((part, frame)));
            }
        }
        for contact in contacts.iter().filter(|contact| contact.part == part) {
            let frames = contact.frames.start..contact.frames.end.min(over.len());
            let mut off: Vec<f64> =
                over[frames].iter().map(|[from, own]| own - from.max(0.0)).collect();
            off.sort_unstable_by(f64::total_cmp);
            let float = off.get(off.len() / 2).copied().unwrap_or(0.0);
            if float > highest.0 {
                highest = (float, Some(contact));
            }
        }
        for (k, whose) in ["source", "result"].into_iter().enumerate() {
            let own = over.iter().map(|over| over[k]).collect();
            collector.curve(format!("{whose} {part} over the floor"), "cm", own);
        }
    }
    let (depth, at) = deepest;
    collector.metric("foot_depth", depth, at.map(|(_, frame)| frame..frame + 1), || {
        format!("{} is {depth:.1} cm in the floor", named(at.map(|own| own.0)))
    });
    let (float, contact) = highest;
    collector.metric("foot_float", float, contact.map(|own| own.frames.clone()), || {
        format!("{} stands {float:.1} cm over the floor", named(contact.map(|own| own.part)))
    });
}

/// Depth of hands in the floor, beyond the source's.
fn hand_depth(
    pair: &Comparison,
    [from, onto]: [&Terrain; 2],
    low_passed: &SupportTrajectories,
    pieces: &[Range<usize>],
    scale: f64,
    collector: &mut MetricCollector,
) {
    let [source, result] = &pair.tracks;
    let mut deepest = (0.0, None);
    for side in Side::BOTH {
        let under = levels(low_passed, from, BodyPart::Hand(side), &[], pieces);
        for (frame, level) in under.into_iter().enumerate().take(pair.len()) {
            let [of_source, own] =
                [source, result].map(|tracks| tracks.lowest_of_hand(frame, side.index()));
            let allowed = (-from.height_over_level(level, &of_source) * scale).max(0.0);
            let depth = -onto.height_over_level(level, &own) - allowed;
            if depth > deepest.0 {
                deepest = (depth, Some((BodyPart::Hand(side), frame)));
            }
        }
    }
    let (depth, at) = (deepest.0 * CENTIMETRES_PER_METRE, deepest.1);
    collector.metric("hand_depth", depth, at.map(|(_, frame)| frame..frame + 1), || {
        format!("{} is {depth:.1} cm in the floor", named(at.map(|own| own.0)))
    });
}

/// The level that a foot of the source is over in each frame.
fn levels(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    part: BodyPart,
    contacts: &[Contact],
    pieces: &[Range<usize>],
) -> Vec<usize> {
    let held = contacts.iter().filter(|own| own.part == part).map(|own| own.frames.clone());
    let under = |piece| terrain.level_under_part(low_passed, part, held.clone(), piece);
    pieces.iter().flat_map(under).collect()
}

fn named(part: Option<BodyPart>) -> String {
    part.map_or(String::new(), |part| part.to_string())
}

/// Height of a foot of the source and of the result in each frame, centimetres at the result's size: over the level
/// that it is over in the frame.
fn over_floor(
    pair: &Comparison,
    [from, onto]: [&Terrain; 2],
    (part, under): (BodyPart, &[usize]),
    scale: f64,
) -> Vec<[f64; 2]> {
    let [source, result] = &pair.tracks;
    let points = part.points(&source.points);
    let lowest = |frame: usize| {
        let mut least = [f64::INFINITY; 2];
        for &k in &points {
            let level = under[frame];
            let own = onto.height_over_level(level, &result.position(frame, k)) - result.radii[k];
            let of_source =
                from.height_over_level(level, &source.position(frame, k)) - source.radii[k];
            least = [least[0].min(of_source * scale), least[1].min(own)];
        }
        if let (BodyPart::Foot(side), true) = (part, result.has_foot_mesh) {
            let lowest = result.lowest_of_foot(frame, side.index());
            least[1] = onto.height_over_level(under[frame], &lowest);
        }
        least.map(|height| height * CENTIMETRES_PER_METRE)
    };
    (0..pair.len()).map(lowest).collect()
}

/// Height of the lowest joint of a foot of the source over a level, or of its mesh, centimetres; `None` where the result's
/// feet have no mesh. What a sole that is assumed below joints has in the floor is no reason for a mesh to be in it.
fn joint_over_floor(
    pair: &Comparison,
    from: &Terrain,
    (part, level): (BodyPart, usize),
    frame: usize,
) -> Option<f64> {
    let [source, result] = &pair.tracks;
    let BodyPart::Foot(side) = part else { return None };
    let lowest = source.lowest_of_foot(frame, side.index());
    let height = from.height_over_level(level, &lowest) * CENTIMETRES_PER_METRE;
    result.has_foot_mesh.then_some(height)
}
