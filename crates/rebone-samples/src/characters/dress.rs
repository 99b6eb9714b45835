//! Trunk, arms and legs in their clothes.

use super::field::{V, cone, curve, join, meet, oval};
use super::look::Look;
use super::mesh::{Colour, Grid, Piece, ring, surface};

/// Half width, half depth and place ahead of the trunk at a share of its height.
fn trunk(look: &Look, share: f64) -> [f64; 3] {
    let ([hw, hd], [ww, wd], [cw, cd]) = (look.hips, look.waist, look.chest);
    let size = look.body.trunk / 53.0;
    let belly = (wd - 0.9 * cd).max(0.0) * 0.6;
    let rows = [
        (-0.32, [hw * 0.82, hd * 0.84, -0.8]),
        (-0.14, [hw * 0.98, hd * 0.98, -0.9]),
        (0.04, [hw, hd, -0.8]),
        (0.30, [ww, wd, belly - 0.4]),
        (0.54, [0.45 * ww + 0.53 * cw, 0.45 * wd + 0.55 * cd, 0.4 * belly]),
        (0.74, [cw, cd, 0.2]),
        (0.90, [cw * 0.88, cd * 0.82, -0.9]),
        (0.98, [cw * 0.52, cd * 0.62, -1.2]),
        (1.05, [look.neck * 1.02, look.neck * 1.1, -0.6]),
    ];
    let [w, d, z] = curve(&rows, share);
    [w, d, z * size]
}

fn trunk_field(look: &Look, p: V, cloth: f64) -> f64 {
    let share = (p.y - look.body.hip_height()) / look.body.trunk;
    let [w, d, z] = trunk(look, share);
    oval(p.x, p.z - z, [w + cloth, d + cloth], 0.35)
}

/// Radii up and ahead, and place up and ahead of the axis, of an arm: −1 shoulder, 0 elbow, 1 wrist.
pub(super) fn arm(look: &Look, share: f64) -> [f64; 4] {
    let rows = [
        (-1.0, [1.10, 1.12, -0.05, 0.0]),
        (-0.62, [1.0, 1.02, -0.02, 0.05]),
        (-0.30, [0.90, 0.90, 0.0, 0.02]),
        (0.0, [0.76, 0.78, 0.0, -0.02]),
        (0.22, [0.82, 0.84, 0.0, 0.03]),
        (0.55, [0.66, 0.70, 0.0, 0.02]),
        (0.86, [0.46, 0.56, 0.0, 0.0]),
        (1.05, [0.42, 0.58, 0.0, 0.0]),
    ];
    curve(&rows, share).map(|x| x * look.arm)
}

/// The share of the left arm at `x`.
fn arm_share(look: &Look, x: f64) -> f64 {
    let body = &look.body;
    let along = x - body.shoulder - body.upper_arm;
    along / if along < 0.0 { body.upper_arm } else { body.forearm }
}

fn arm_place(look: &Look, share: f64) -> V {
    look.body.along_limb(1.0, share)
}

/// Radii to the side and ahead, and place ahead, of a leg: 0 ankle, 1 hip joint.
fn leg(look: &Look, share: f64) -> [f64; 3] {
    let rows = [
        (-0.05, [0.47, 0.52, -0.08]),
        (0.06, [0.46, 0.50, -0.10]),
        (0.30, [0.66, 0.72, -0.18]),
        (0.42, [0.64, 0.68, -0.08]),
        (0.50, [0.67, 0.70, 0.04]),
        (0.62, [0.76, 0.80, 0.02]),
        (0.80, [0.90, 0.98, 0.0]),
        (1.0, [0.94, 1.14, -0.06]),
        (1.1, [0.94, 1.14, -0.06]),
    ];
    curve(&rows, share).map(|x| x * look.leg)
}

fn leg_share(look: &Look, y: f64) -> f64 {
    let body = &look.body;
    let along = y - body.ankle - body.shin;
    0.5 + 0.5 * along / if along < 0.0 { body.shin } else { body.thigh }
}

fn leg_place(look: &Look, share: f64) -> V {
    let [hip, knee, ankle, ..] = look.body.leg(1.0);
    if share < 0.5 { ankle.lerp(&knee, 2.0 * share) } else { knee.lerp(&hip, 2.0 * share - 1.0) }
}

/// All of trunk and limbs.
pub(super) fn pieces(look: &Look) -> Vec<Piece> {
    let mut pieces = vec![shirt(look), trousers(look)];
    let mut both = |piece: Piece| pieces.extend([piece.mirrored(), piece]);
    both(bare_arm(look));
    if look.hem > 0.3 {
        both(bare_leg(look));
    }
    both(cuff(look));
    both(turn_up(look));
    pieces.push(collar(look));
    if look.tucked {
        pieces.push(band(look, 0.13..0.20, 1.5, look.trim));
    }
    if look.stripes {
        for low in [0.22, 0.45] {
            pieces.push(band(look, low..low + 0.075, 1.35, look.trim));
        }
    }
    pieces
}

/// Looseness of cloth.
fn cloth(look: &Look) -> f64 {
    0.14 * look.arm
}

fn shirt(look: &Look) -> Piece {
    let body = &look.body;
    let unit = body.trunk / 53.0;
    let at = |share: f64| body.hip_height() + share * body.trunk;
    let hem = at(if look.tucked { 0.14 } else { -0.02 });
    let end = arm_place(look, look.sleeve).x;
    let shoulder = body.arm(1.0)[1];
    let field = |p: V| {
        let p = V::new(p.x.abs(), p.y, p.z);
        let trunk = meet(trunk_field(look, p, cloth(look)), p.y - at(1.02), 2.0 * unit);
        let share = arm_share(look, p.x);
        let [ry, rz, y, z] = arm(look, share);
        let loose = cloth(look) * (1.0 + 0.6 * (share + 1.0).max(0.0));
        let sleeve =
            oval(p.y - shoulder.y - y, p.z - shoulder.z - z, [ry + loose, rz + loose], 0.0);
        let sleeve = meet(sleeve, 0.45 * body.shoulder - p.x, 3.0 * unit);
        let slope = cone(
            p,
            (V::new(0.25 * body.shoulder, at(0.955), -unit), 0.78 * look.neck),
            (shoulder + V::new(-1.5, 0.3, 0.0) * unit, 1.08 * look.arm),
        );
        let all = join(join(trunk, sleeve, 7.0 * unit), slope, 4.0 * unit);
        let all = if look.tucked { all } else { join(all, lower(look, p) - 1.2, 3.0 * unit) };
        meet(meet(all, hem - p.y, 0.8), p.x - end, 0.6)
    };
    let cell = V::new(4.0, 4.1, 3.8) * unit;
    let wide = ((end + 2.0) / cell.x).ceil() * cell.x + cell.x;
    let deep = look.chest[1].max(look.waist[1]).max(look.hips[1]) * 1.35 + 4.0;
    let low = V::new(-wide, hem - 1.5 * cell.y, -deep);
    surface(
        &Grid { low, high: V::new(wide, at(1.1) + 2.0, deep), cell, coarse: 1.0 },
        field,
        look.shirt,
    )
}

fn trousers(look: &Look) -> Piece {
    let body = &look.body;
    let hem = leg_place(look, look.hem).y;
    let share = if look.tucked { 0.17 } else { 0.08 };
    let top = body.hip_height() + share * body.trunk;
    let field = |p: V| meet(meet(lower(look, p), p.y - top, 0.8), hem - p.y, 0.6);
    let cell = V::new(0.46, 0.72, 0.46) * look.leg;
    let wide = ((look.hips[0] + 5.0) / cell.x).ceil() * cell.x + cell.x;
    let deep = look.hips[1].max(look.waist[1]) * 1.4 + 4.0;
    let low = V::new(-wide, hem - 1.5 * cell.y, -deep);
    surface(
        &Grid { low, high: V::new(wide, top + 2.0 * cell.y, deep), cell, coarse: 1.0 },
        field,
        look.trousers,
    )
}

/// Hips and legs in trousers, without end.
fn lower(look: &Look, p: V) -> f64 {
    let unit = look.body.hip_height() / 93.5;
    let one = |p: V| {
        let share = leg_share(look, p.y);
        let [rx, rz, z] = leg(look, share);
        let flare = flare(look, share);
        let d = oval(p.x - look.body.hip, p.z - z, [rx + flare, rz + flare], 0.1);
        meet(d, p.y - look.body.hip_height() - 0.3 * look.leg, 3.0 * unit)
    };
    let legs = join(one(p), one(V::new(-p.x, p.y, p.z)), 0.22 * look.leg);
    let pelvis = trunk_field(look, p, if look.tucked { 1.0 } else { 0.0 });
    let crotch = look.body.hip_height() - 0.62 * look.leg - p.y;
    let pelvis = meet(pelvis, crotch, 4.0 * unit);
    let top = p.y - look.body.hip_height() - 0.25 * look.body.trunk;
    meet(join(legs, pelvis, 4.0 * unit), top, 2.0 * unit)
}

/// How far trousers are from the leg: more towards the ankle.
fn flare(look: &Look, share: f64) -> f64 {
    0.07 * look.leg * (1.0 + 1.2 * (1.0 - share).max(0.0))
}

fn bare_arm(look: &Look) -> Piece {
    let start = look.sleeve - 0.14;
    let shares = [
        -1.0, -0.8, -0.6, -0.42, -0.26, -0.13, 0.0, 0.13, 0.26, 0.42, 0.58, 0.74, 0.86, 0.95, 1.04,
    ];
    let rings: Vec<Vec<V>> = std::iter::once(start)
        .chain(shares.into_iter().filter(|&share| share > start + 0.05))
        .map(|share| {
            let ([ry, rz, y, z], place) = (arm(look, share), arm_place(look, share));
            // The last ring is within the hand.
            let k = if share > 1.0 { 0.7 } else { 1.0 };
            ring(12, |a, b| place + V::new(0.0, y + k * ry * a, z + k * rz * b))
        })
        .collect();
    Piece::loft(&rings, look.skin)
}

fn bare_leg(look: &Look) -> Piece {
    let rows = 11;
    let rings: Vec<Vec<V>> = (0..=rows)
        .map(|row| {
            let share = 0.0 + (look.hem + 0.15) * f64::from(row) / f64::from(rows);
            let ([rx, rz, z], place) = (leg(look, share), leg_place(look, share));
            ring(14, |a, b| place + V::new(rx * b, 0.0, z + rz * a))
        })
        .collect();
    Piece::loft(&rings, look.skin)
}

/// A band with rounded edges: rows of a place along the axis, and of what is added to the radius.
fn rim(thick: f64) -> [(f64, f64); 6] {
    [
        (0.0, -2.2 * thick),
        (0.0, -0.4 * thick),
        (0.12, 0.0),
        (0.88, 0.0),
        (1.0, -0.4 * thick),
        (1.0, -2.2 * thick),
    ]
}

fn cuff(look: &Look) -> Piece {
    let (width, thick) = (0.42 * look.arm, 0.12 * look.arm);
    let end = arm_place(look, look.sleeve).x;
    let rings: Vec<Vec<V>> = rim(thick)
        .into_iter()
        .map(|(along, more)| {
            let x = end - width * (0.85 - along);
            let share = arm_share(look, x);
            let ([ry, rz, y, z], place) = (arm(look, share), arm_place(look, share));
            let out = cloth(look) * (1.35 + 0.6 * (share + 1.0)) + more;
            ring(16, |a, b| place + V::new(0.0, y + (ry + out) * a, z + (rz + out) * b))
        })
        .collect();
    Piece::loft(&rings, look.trim)
}

fn turn_up(look: &Look) -> Piece {
    let (width, thick) = (0.3 * look.leg, 0.05 * look.leg);
    let low = leg_place(look, look.hem).y - 0.25 * width;
    let rings: Vec<Vec<V>> = rim(thick)
        .into_iter()
        .map(|(along, more)| {
            let y = low + width * along;
            let share = leg_share(look, y);
            let [rx, rz, z] = leg(look, share);
            let out = 1.2 * flare(look, share) + more;
            ring(16, |a, b| V::new(look.body.hip + (rx + out) * b, y, z + (rz + out) * a))
        })
        .collect();
    Piece::loft(&rings, darker(look.trousers))
}

/// A band around the trunk over a range of its height, so many times as far out as the shirt.
fn band(look: &Look, range: std::ops::Range<f64>, out: f64, colour: Colour) -> Piece {
    let rings: Vec<Vec<V>> = rim(1.2 * cloth(look))
        .into_iter()
        .map(|(along, more)| {
            let share = range.start + (range.end - range.start) * along;
            let [w, d, z] = trunk(look, share);
            let out = out * cloth(look) + more + if look.tucked { 0.8 } else { 0.0 };
            let y = look.body.hip_height() + share * look.body.trunk;
            // A point of the squircle's direction, moved onto it.
            ring(28, |a, b| {
                let r = [w + out, d + out];
                let k = 1.0 / (1.0 + oval(b * r[0], a * r[1], r, 0.35) / r[0].min(r[1]));
                V::new(b * r[0] * k, y, z + a * r[1] * k)
            })
        })
        .collect();
    Piece::loft(&rings, colour)
}

fn collar(look: &Look) -> Piece {
    let base = look.body.neck(0.0);
    let n = look.neck;
    let rings: Vec<Vec<V>> = rim(0.1 * n)
        .into_iter()
        .map(|(along, more)| {
            let r = 1.22 * n + more - 0.1 * n * along;
            let y = (0.38 * along + 0.2) * n;
            ring(24, |a, b| base + V::new(r * b, y - 0.16 * r * a, 1.02 * r * a - 0.08 * n))
        })
        .collect();
    Piece::loft(&rings, look.trim)
}

/// A darker shade.
pub(super) fn darker(colour: Colour) -> Colour {
    colour.map(|c| (u16::from(c) * 4 / 5) as u8)
}
