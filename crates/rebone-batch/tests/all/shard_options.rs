//! Shards that were made with several options.

use crate::common::{Place, done, turning};
use rebone_batch::{BatchRequest, make_cards, merge_shards};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

#[test]
fn shards_with_other_options_than_most_are_named() {
    let place = Place::new();
    (0..11).for_each(|k| place.write(&format!("lib/{k}.bvh"), &turning(f64::from(k))));
    let stop = AtomicBool::new(false);
    make_cards(&place.request(), NonZeroUsize::MAX, &stop).unwrap();
    let mixed = || merge_shards(&place.path("out"), &stop).unwrap().mixed;
    let of = |shard: &str| BatchRequest { shard: Some(shard.parse().unwrap()), ..place.request() };
    let sizes = ["0/2", "1/2"].map(|shard| done(&of(shard)).lines.len());
    assert!(mixed().is_empty());
    let fewer = usize::from(sizes[1] < sizes[0]);
    let other = of(&format!("{fewer}/2"));
    let options = rebone::Options { fps: Some(50.0), ..other.options.clone() };
    done(&BatchRequest { options, ..other });
    assert_eq!(mixed(), [fewer as u32], "of an odd number of clips: {sizes:?}");
}
