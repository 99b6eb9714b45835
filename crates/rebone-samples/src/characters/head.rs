//! Head: skull, face, hair. Lengths are in twentieths of the head's height above its joint.

use super::field::{V, cone, ellipsoid, join, meet};
use super::look::{Hair, Look};
use super::mesh::{Colour, Grid, Piece, ring, surface};

/// Place of the left eye.
const EYE: V = V::new(3.3, 8.2, 0.0);

/// Head and neck with all that is on them.
pub(super) fn pieces(look: &Look) -> Vec<Piece> {
    let unit = look.body.head / 20.0;
    let joint = look.body.neck(1.0);
    let to_world = |mut piece: Piece| {
        for point in &mut piece.points {
            *point = joint + *point * unit;
        }
        piece
    };
    let mut pieces = vec![Piece { limbless: true, ..to_world(skin(look, unit)) }];
    let face = |x: f64, y: f64| front(look, x, y);
    let mut both = Vec::new();
    both.extend(eye(look, &face));
    both.push(brow(look, &face));
    for piece in both {
        pieces.extend([to_world(piece.mirrored()).on_head(), to_world(piece).on_head()]);
    }
    pieces.push(to_world(mouth(look, &face)).on_head());
    pieces.extend(hair(look).into_iter().map(|piece| to_world(piece).on_head()));
    pieces
}

fn skull(p: V) -> f64 {
    ellipsoid(p, V::new(0.0, 11.2, 0.6), V::new(7.5, 8.8, 9.2))
}

/// Skull and jaw alone.
fn plain(look: &Look, p: V) -> f64 {
    let jaw = ellipsoid(p, V::new(0.0, 5.4, 2.8), V::new(6.1 * look.face[2], 8.0, 6.6));
    join(skull(p), jaw, 2.5)
}

fn face_field(look: &Look, p: V) -> f64 {
    let [eyes, nose, jaw] = look.face;
    let p = V::new(p.x.abs(), p.y, p.z);
    let mut all = plain(look, p);
    let chin = cone(p, (V::new(0.0, -0.9, 6.6), 2.1), (V::new(3.2 * jaw, 0.6, 3.6), 2.2));
    all = join(all, chin, 3.0);
    all = join(all, ellipsoid(p, V::new(3.3 * jaw, 4.6, 6.3), V::new(2.5, 2.6, 2.3)), 2.5);
    let socket = ellipsoid(p, V::new(EYE.x, EYE.y, 11.0), V::new(2.2 * eyes, 1.6 * eyes, 2.7));
    all = meet(all, -socket, 1.4);
    let bridge = cone(p, (V::new(0.0, 8.6, 8.5), 0.8), (V::new(0.0, 4.9, 10.0), 1.15 * nose));
    all = join(all, bridge, 1.3);
    all = join(all, ellipsoid(p, V::new(1.1 * nose, 4.5, 9.2), V::new(0.8, 0.75, 0.9) * nose), 0.9);
    let ear = ellipsoid(p, V::new(7.5, 7.2, 0.0), V::new(1.0, 2.9, 1.9));
    let shell = ellipsoid(p, V::new(8.6, 7.5, 0.6), V::new(0.8, 1.8, 1.0));
    join(all, meet(ear, -shell, 0.6), 0.8)
}

/// The face's surface at a place, ahead.
fn front(look: &Look, x: f64, y: f64) -> f64 {
    let (mut low, mut high) = (2.0, 16.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let inside = face_field(look, V::new(x, y, middle)) < 0.0;
        (low, high) = if inside { (middle, high) } else { (low, middle) };
    }
    low
}

fn skin(look: &Look, unit: f64) -> Piece {
    let n = look.neck / unit;
    let base = (look.body.neck(0.0) - look.body.neck(1.0)) / unit;
    let field = |p: V| {
        let low = base + V::new(0.0, -0.35 * n, -0.3);
        let neck = cone(p, (low, 1.08 * n), (V::new(0.0, 4.0, 0.2), 0.96 * n));
        join(face_field(look, p), neck, 1.6)
    };
    let cell = V::new(1.42, 1.42, 1.4);
    // Half as fine where the neck and the hair are.
    let low = V::new(-8.0 * cell.x, (base.y - 1.5 * n) / 3.0 - 2.6, -4.7);
    surface(&Grid { low, high: V::new(11.4, 21.8, 13.8), cell, coarse: 3.0 }, field, look.skin)
}

/// White, iris, pupil, light and upper lid of the left eye.
fn eye(look: &Look, face: &impl Fn(f64, f64) -> f64) -> Vec<Piece> {
    let e = look.face[0];
    let z = face(EYE.x, EYE.y);
    let centre = V::new(EYE.x, EYE.y, z - 0.75);
    let radii = V::new(1.75 * e, 1.25 * e, 1.3);
    let depth = |x: f64, y: f64| {
        let (a, b) = (x / radii.x, y / radii.y);
        radii.z * (1.0 - a * a - b * b).max(0.05).sqrt()
    };
    let disc = |x: f64, y: f64, r: f64, lift: f64, n: usize, colour: Colour| {
        let middle = centre + V::new(x, y, depth(x, y) - 0.12 + lift);
        Piece::ball(middle, V::new(r, r, 0.22), n, colour)
    };
    let lid: Vec<Vec<V>> = (0..9)
        .map(|k| {
            let t = f64::from(k) / 4.0 - 1.0;
            let x = 1.08 * radii.x * t;
            let y = 1.02 * radii.y * (1.0 - 0.86 * t * t).sqrt();
            let middle = centre + V::new(x, y, 0.0);
            let out = face(middle.x, middle.y).max(centre.z + depth(x, y)) - middle.z;
            let r = 0.34 * (1.0 - 0.75 * t * t);
            ring(6, |c, s| middle + V::new(0.0, r * c, out + 0.5 * r * s))
        })
        .collect();
    vec![
        Piece::ball(centre, radii, 14, [250, 250, 248]),
        disc(-0.12, -0.05, 0.92 * e, 0.0, 12, look.iris),
        disc(-0.12, -0.05, 0.50 * e, 0.09, 10, [24, 20, 24]),
        disc(0.2, 0.36 * e, 0.22 * e, 0.2, 6, [255, 255, 255]),
        Piece::loft(&lid, [52, 36, 34]),
    ]
}

fn brow(look: &Look, face: &impl Fn(f64, f64) -> f64) -> Piece {
    let e = look.face[0];
    let rings: Vec<Vec<V>> = (0..8)
        .map(|k| {
            let t = f64::from(k) / 7.0;
            let x = 1.35 + 3.9 * t;
            let y = EYE.y + 1.55 * e + 0.75 + 0.75 * libm::sin(2.4 * t) - 0.3 * t;
            let r = 0.52 * (1.0 - t * t * 0.75) * if k == 0 { 0.6 } else { 1.0 };
            let z = face(x, y);
            ring(6, |c, s| V::new(x, y + r * c, z + 0.1 + 0.6 * r * s))
        })
        .collect();
    Piece::loft(&rings, look.hair_colour)
}

fn mouth(look: &Look, face: &impl Fn(f64, f64) -> f64) -> Piece {
    let wide = 2.5 * look.face[2].min(1.15);
    let rings: Vec<Vec<V>> = (0..13)
        .map(|k| {
            let t = f64::from(k) / 6.0 - 1.0;
            let (x, y) = (wide * t, 1.35 + 0.55 * t * t);
            let r = 0.62 * (1.0 - 0.96 * t * t).sqrt();
            let z = face(x, y);
            ring(6, |c, s| V::new(x, y + r * c, z + 0.02 + 0.35 * r * s))
        })
        .collect();
    Piece::loft(&rings, look.lips)
}

fn hair(look: &Look) -> Vec<Piece> {
    let cap = |p: V| {
        let p = V::new(p.x.abs(), p.y, p.z);
        let all = ellipsoid(p, V::new(0.0, 11.4, 0.2), V::new(8.3, 9.6, 10.0));
        let all = join(all, plain(look, p) - 1.05, 1.0);
        let face = ellipsoid(p, V::new(0.0, 4.2, 11.0), V::new(6.6, 10.6, 9.0));
        let below = cone(p, (V::new(0.0, 0.0, 1.0), 4.0), (V::new(9.0, 3.0, 1.0), 5.0));
        let nape = 2.2 + 0.45 * (p.z + 6.0).max(0.0) - p.y;
        meet(meet(meet(all, -face, 1.2), nape, 1.2), -below, 1.0)
    };
    let grid = |low: f64| Grid {
        low: V::new(-14.4, low / 2.0, -8.0),
        high: V::new(14.4, 24.5, 13.5),
        cell: V::new(1.8, 1.7, 1.65),
        coarse: 2.0,
    };
    let lock = |p: V, a: [f64; 3], ra: f64, b: [f64; 3], rb: f64| {
        cone(p, (V::from(a), ra), (V::from(b), rb))
    };
    match look.hair {
        Hair::Short => vec![surface(
            &grid(0.0),
            |p| {
                let quiff = lock(p, [4.2, 16.2, 6.4], 2.4, [-3.4, 17.6, 7.2], 2.9);
                let wave = lock(p, [3.5, 18.5, 3.0], 2.4, [-4.0, 18.8, 2.0], 2.6);
                join(join(cap(p), quiff, 1.5), wave, 2.0)
            },
            look.hair_colour,
        )],
        Hair::Tufts => vec![surface(
            &grid(0.0),
            |p| {
                let a = lock(p, [0.0, 17.0, 6.0], 2.8, [-4.6, 15.0, 8.2], 1.2);
                let b = lock(p, [0.5, 17.0, 6.0], 2.8, [4.4, 15.4, 8.2], 1.2);
                let c = lock(p, [0.0, 19.0, 0.0], 2.6, [1.4, 22.4, -1.4], 0.8);
                let d = lock(p, [0.0, 16.6, 6.6], 2.6, [0.4, 14.4, 9.6], 1.1);
                [a, b, c, d].into_iter().fold(cap(p), |all, tuft| join(all, tuft, 1.0))
            },
            look.hair_colour,
        )],
        Hair::Beard => vec![
            surface(&grid(0.0), cap, look.hair_colour),
            surface(&grid(-10.0), |p| beard(look, p), look.hair_colour),
        ],
        Hair::Bob => vec![surface(
            &grid(-9.0),
            |p| {
                let q = V::new(p.x.abs(), p.y, p.z);
                let side = lock(q, [6.6, 11.0, 0.5], 2.6, [7.4, -0.6, 1.6], 1.9);
                let back = ellipsoid(p, V::new(0.0, 5.5, -4.2), V::new(8.6, 8.6, 5.6));
                let neck = lock(p, [0.0, -6.0, 1.4], 4.2, [0.0, 8.0, 1.4], 5.0);
                let back = meet(back, -neck, 1.5);
                let fringe = lock(q, [0.4, 17.6, 6.2], 2.7, [4.4, 12.4, 9.0], 1.1);
                let part = lock(p, [2.2, 17.4, 6.4], 2.6, [-2.0, 12.8, 10.0], 1.0);
                [side, back, fringe, part].into_iter().fold(cap(p), |all, d| join(all, d, 1.2))
            },
            look.hair_colour,
        )],
    }
}

/// A full beard: the lower face, thicker, without the mouth.
fn beard(look: &Look, p: V) -> f64 {
    let q = V::new(p.x.abs(), p.y, p.z);
    let mouth = ellipsoid(q, V::new(0.0, 1.7, 12.0), V::new(2.9, 1.3, 4.5));
    let chin = ellipsoid(q, V::new(0.0, -2.0, 7.4), V::new(3.6, 2.6, 2.6));
    let all = join(face_field(look, q) - 0.55, chin, 2.5);
    let top = q.y - 3.6 - 0.32 * (q.x - 2.0).max(0.0) * (q.x - 2.0).clamp(0.0, 1.6);
    meet(meet(meet(all, top, 0.8), -1.0 - q.z, 0.8), -mouth, 0.6)
}
