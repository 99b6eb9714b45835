//! Values of plans and comparisons that no retarget gives.

use crate::motions::{plan, walk};
use rebone::quality::evaluate;
use rebone::retarget_clip;

#[test]
fn placements_worst_frames_and_counts_take_any_number() {
    let plan = plan();
    let mut no_path = plan.clone();
    no_path.path_scale = 0.0;
    assert_eq!(no_path.world_from_files(f64::NAN, f64::INFINITY).len(), 2);
    let result = retarget_clip(&plan, &walk().clip).unwrap().0;
    let mut own = evaluate(&plan, &walk().clip, &result).unwrap();
    own.curves.truncate(1);
    own.curves[0].values.truncate(1);
    for frame_time in [0.0, -1.0, f64::NAN] {
        assert!(own.worst_frames(frame_time).len() < 11);
    }
    own.verdict.count_from(usize::MAX);
    own.verdict.count_from(1);
}
