//! Contacts of source and result, and the floor.

use super::figure::Judge;
use super::seen::Pair;
use crate::align::Plan;
use crate::contacts::{BodyPart, Contact, ContactKind, Events, Terrain, find, slips};
use crate::understand::BODY_HEIGHT;
use std::ops::Range;

/// Centimetres at a stature of 1.8 m for a metre of a 1.7 m body.
pub(super) const CENTIMETRES: f64 = 180.0 / BODY_HEIGHT;

/// What is known of the source's contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footing<'a> {
    /// The pieces of the clip between which nothing passes.
    pub(crate) pieces: &'a [Range<usize>],
    /// What the source moves on, and its contacts, where somebody found them already.
    pub(crate) known: Option<(&'a Terrain, &'a [Contact])>,
    /// Parts of the body whose contacts are looked for.
    pub(crate) parts: &'a [BodyPart],
}

/// Judges contacts and floor; the contacts of both, each found by itself, and the height of the result's floor.
pub(super) fn judge(
    plan: &Plan,
    pair: &Pair,
    Footing { pieces, known, parts }: Footing,
    judge: &mut Judge,
) -> ([Vec<Contact>; 2], f64) {
    let [source, result] = &pair.tracks;
    let scale = plan.path_scale;
    let (from, contacts) = match known {
        Some((terrain, contacts)) => (terrain.clone(), contacts.to_vec()),
        None => {
            let terrain = Terrain::find(source, pieces, plan.source.soles.pitch_sigma());
            let contacts = find(source, &terrain, pieces, parts);
            (terrain, contacts)
        }
    };
    // The result stands on the same floor, at a height of its own.
    let below = from.under(plan);
    let own = Terrain::across(result, pieces, below.normal);
    let onto = below.raised_to(own.levels[0]);
    let contacts = [contacts, find(result, &onto, pieces, parts)];
    let feet = &BodyPart::ALL[..2];
    let events = Events::new(&contacts[0], &contacts[1], judge.frame_time, feet);
    let lost = events.first_alone.clone();
    judge.figure("events", 1.0 - events.f1(), lost, || {
        format!("{} contacts of feet match, {} do not", events.both, events.alone)
    });
    judge.figure("onset", 1000.0 * events.onset, None, || {
        format!("contacts begin {:.0} ms off", 1000.0 * events.onset)
    });
    floor(&from, &onto, scale, judge);
    slides(pair, &from, &contacts[0], scale, judge);
    heights(pair, [&from, &onto], &contacts[0], scale, judge);
    (contacts, onto.levels[0])
}

fn floor(from: &Terrain, onto: &Terrain, scale: f64, judge: &mut Judge) {
    let level = onto.levels[0];
    let off = (level - from.levels[0] * scale).abs().min(level.abs()) * CENTIMETRES;
    judge.figure("floor", off, None, || format!("the floor is {off:.1} cm too high or too low"));
}

/// How far feet slide while they are in contact, beyond what the source's do.
fn slides(pair: &Pair, from: &Terrain, contacts: &[Contact], scale: f64, judge: &mut Judge) {
    let tracks = pair.tracks.each_ref();
    let mut worst = (0.0, None);
    for part in BodyPart::ALL.into_iter().take(2) {
        let mut own = (0.0, 0..0);
        let stays = |contact: &&Contact| contact.part == part && contact.kind != ContactKind::Slide;
        for contact in contacts.iter().filter(stays) {
            let [slip, beyond] = slips(contact, tracks, from, scale).map(|slip| slip * CENTIMETRES);
            if beyond > worst.0 {
                worst = (beyond, Some(contact));
            }
            if slip > own.0 {
                own = (slip, contact.frames.clone());
            }
        }
        let text = format!("{part} slides up to {:.1} cm in the source", own.0);
        judge.source_defect("slide", own.0, own.1, text);
    }
    let (slide, contact) = worst;
    judge.figure("slide", slide, contact.map(|own| own.frames.clone()), || {
        let part = contact.map_or(String::new(), |own| own.part.to_string());
        format!("{part} slides {slide:.1} cm more than the source's")
    });
}

/// How deep soles are in the floor, and how high feet are over it that should stand.
fn heights(
    pair: &Pair,
    terrains: [&Terrain; 2],
    contacts: &[Contact],
    scale: f64,
    judge: &mut Judge,
) {
    let lowest = |body: usize, part: BodyPart, scale: f64| -> Vec<f64> {
        let tracks = &pair.tracks[body];
        let points = part.points(&tracks.points);
        let height = |frame: usize, k: usize| {
            terrains[body].clearance(&tracks.place(frame, k)) - tracks.radii[k]
        };
        let least = |frame| points.iter().map(|&k| height(frame, k)).fold(f64::INFINITY, f64::min);
        (0..pair.len()).map(|frame| least(frame) * scale).collect()
    };
    let feet = [0, 1].map(|side| BodyPart::ALL[side]);
    let all = feet.map(|part| [lowest(0, part, scale), lowest(1, part, 1.0)]);
    let mut deepest = (0.0, 0, feet[0]);
    for (part, heights) in feet.into_iter().zip(&all) {
        for (whose, own) in ["source", "result"].into_iter().zip(heights) {
            let own = own.iter().map(|height| height * CENTIMETRES);
            judge.curve(format!("{whose} {part} over the floor"), "cm", own.collect());
        }
        for (frame, (a, b)) in heights[0].iter().zip(&heights[1]).enumerate() {
            let depth = -b - (-a).max(0.0);
            if depth > deepest.0 {
                deepest = (depth, frame, part);
            }
        }
    }
    let (depth, frame, part) = (deepest.0 * CENTIMETRES, deepest.1, deepest.2);
    judge.figure("depth", depth, Some(frame..frame + 1), || {
        format!("{part} is {depth:.1} cm in the floor")
    });
    let mut highest = (0.0, None);
    for contact in contacts {
        let Some(side) = feet.iter().position(|part| *part == contact.part) else { continue };
        let [from, own] = &all[side];
        let mut over: Vec<f64> =
            contact.frames.clone().map(|frame| own[frame] - from[frame]).collect();
        over.sort_by(f64::total_cmp);
        let float = over.get(over.len() / 2).copied().unwrap_or(0.0) * CENTIMETRES;
        if float > highest.0 {
            highest = (float, Some(contact));
        }
    }
    let (float, contact) = highest;
    judge.figure("float", float, contact.map(|own| own.frames.clone()), || {
        let part = contact.map_or(String::new(), |own| own.part.to_string());
        format!("{part} stands {float:.1} cm over the floor")
    });
}
