//! Hands and shoes.

use super::dress::arm;
use super::field::{V, cone, join, meet, oval, ramp};
use super::look::Look;
use super::mesh::{Grid, Piece, ring, surface, unit};

/// The left hand: palm and fingers.
pub(super) fn hand(look: &Look) -> Vec<Piece> {
    let mut pieces = vec![palm(look)];
    pieces.extend((0..look.fingers.len()).map(|finger| digit(look, finger)));
    pieces
}

fn palm(look: &Look) -> Piece {
    let body = &look.body;
    let wrist = body.arm(1.0)[3];
    let r = look.finger;
    let [ry, rz, ..] = arm(look, 1.0);
    let field = |p: V| {
        let q = p - wrist;
        let grown = 0.94 + 0.09 * ramp(q.x, -2.7 * r, 0.0);
        let stub = oval(q.y, q.z, [ry * grown, rz * grown], 0.0);
        let mut all = meet(meet(stub, -q.x - 2.7 * r, 0.5), q.x - 1.5 * r, 1.5 * r);
        for &finger in look.fingers {
            let [base, next, ..] = body.finger(1.0, finger);
            let from = wrist + V::new(0.6 * r, 0.0, 0.34 * (base.z - wrist.z));
            let d = if finger == 0 {
                let from = wrist + V::new(0.09 * body.hand, -0.015 * body.hand, 0.05 * body.hand);
                cone(p, (from, 1.45 * r), (next, 1.02 * r))
            } else {
                cone(p, (from, 1.25 * r), (base - V::new(0.3 * r, 0.0, 0.0), 1.2 * r))
            };
            all = join(all, d, 1.8 * r);
        }
        all
    };
    let cell = V::new(1.75, 1.2, 1.35) * r;
    let (wide, h) = (3.0 * cell, body.hand);
    let low = wrist + V::new(-2.7 * r, -0.14 * h, -0.22 * h) - wide;
    let high = wrist + V::new(0.62 * h, 0.14 * h, 0.34 * h) + wide;
    surface(&Grid { low, high, cell, coarse: 1.0 }, field, look.skin)
}

fn digit(look: &Look, index: usize) -> Piece {
    let finger = look.fingers[index];
    let places = look.body.finger(1.0, finger);
    let r = look.finger * [1.12, 1.0, 1.04, 0.98, 0.84][finger];
    let line = unit(places[3] - places[0]);
    let side = unit(line.cross(&V::y()));
    let up = side.cross(&line);
    let reach = |k: usize| (places[k] - places[0]).norm();
    let (a, b, end) = (reach(1), reach(2), reach(3));
    let mut rows = vec![(-0.5 * r, 0.9), (0.45 * a, 0.95), (a - 0.3 * r, 1.0), (a + 0.3 * r, 0.98)];
    if b - a > 1.4 * r {
        rows.extend([(0.5 * (a + b), 0.9), (b - 0.25 * r, 0.92), (b + 0.25 * r, 0.9)]);
    }
    rows.extend([(end - 1.0 * r, 0.84), (end - 0.45 * r, 0.7), (end - 0.12 * r, 0.42)]);
    rows.dedup_by(|next, last| next.0 <= last.0 + 0.05 * r);
    let mut rings: Vec<Vec<V>> = rows
        .into_iter()
        .map(|(at, size)| {
            let middle = places[0] + line * at;
            ring(6, |c, s| middle + (side * -c * 0.98 + up * s * 0.96) * (r * size))
        })
        .collect();
    let tip = places[0] + line * end;
    rings.push(ring(6, |c, s| tip + (side * -c + up * s) * (0.1 * r)));
    let mut piece = Piece::loft(&rings, look.skin);
    piece.finger = Some((1.0, index));
    piece
}

/// The left shoe: upper and sole.
pub(super) fn shoe(look: &Look) -> [Piece; 2] {
    let body = &look.body;
    let (f, h, x) = (body.foot, body.ankle, body.hip);
    let w = 0.33 * f;
    let at = |out: f64, y: f64, z: f64| V::new(x + out * f, y * h, z * f);
    let thick = 0.2 * h;
    let print = |p: V| {
        let p = V::new(p.x, 0.0, p.z);
        let heel = cone(p, (at(0.0, 0.0, -0.2), 0.78 * w), (at(0.02, 0.0, 0.5), 0.84 * w));
        let ball = cone(p, (at(0.02, 0.0, 0.5), 0.84 * w), (at(0.04, 0.0, 0.98), 1.06 * w));
        let toes = cone(p, (at(0.04, 0.0, 0.98), 1.06 * w), (at(0.0, 0.0, 1.32), 0.84 * w));
        join(join(heel, ball, 1.0), toes, 1.5)
    };
    let upper = |p: V| {
        let heel = cone(p, (at(0.0, 0.42, -0.18), 0.74 * w), (at(0.0, 0.95, -0.06), 0.80 * w));
        let instep = cone(p, (at(0.0, 0.72, 0.05), 0.84 * w), (at(0.02, 0.36, 0.80), 0.78 * w));
        let toes = cone(p, (at(0.03, 0.24, 0.85), 0.86 * w), (at(0.0, 0.2, 1.32), 0.70 * w));
        let all = join(join(heel, instep, 0.12 * f), toes, 0.22 * f);
        let inside = meet(all, print(p) + 0.1, 0.6);
        let top = p.y - h * (1.12 - 0.16 * p.z / f);
        meet(meet(inside, 0.5 * thick - p.y, 0.3), top, 0.5)
    };
    let cell = V::new(0.15, 0.13, 0.17) * f;
    let low = V::new(x - 0.6 * f, -1.5 * cell.y, -0.62 * f);
    let grid = Grid { low, high: V::new(x + 0.64 * f, 1.5 * h, 1.85 * f), cell, coarse: 1.0 };
    [surface(&grid, upper, look.shoes), sole(look, thick, &print)]
}

/// A sole so thick, a little wider than the shoe's print.
fn sole(look: &Look, thick: f64, print: &impl Fn(V) -> f64) -> Piece {
    let f = look.body.foot;
    let middle = V::new(look.body.hip + 0.02 * f, 0.0, 0.5 * f);
    let edge = |way: V| {
        let (mut low, mut high) = (0.0, 2.0 * f);
        for _ in 0..40 {
            let reach = 0.5 * (low + high);
            let inside = print(middle + way * reach) < 0.035 * f;
            (low, high) = if inside { (reach, high) } else { (low, reach) };
        }
        low
    };
    let rows = [(0.0, 0.93), (0.0, 0.975), (0.2, 1.0), (0.75, 1.0), (1.0, 0.97), (1.0, 0.8)];
    let rings = rows.map(|(up, out)| {
        ring(22, |a, b| {
            // Directions crowd where the print is far away, so that points are even along its edge.
            let way = unit(V::new(0.55 * b, 0.0, a));
            middle + way * (edge(way) * out) + V::new(0.0, thick * up, 0.0)
        })
    });
    Piece::loft(&rings, look.sole)
}
