//! The samples of the demo.

use rebone::skeleton::bvh;
use rebone_samples::{self as samples, Sample};
use std::io::Write;

/// The clip that the demo retargets.
pub(crate) fn demo_clip() -> Sample {
    samples::walk()
}

/// The rig that it is given to.
pub(crate) fn demo_rig() -> Sample {
    let mut rigs = samples::rigs();
    let index = rigs.iter().position(|rig| rig.name == "twist-zup-cm").unwrap_or(0);
    rigs.swap_remove(index)
}

/// Writes a sample as BVH.
pub(crate) fn write_sample(sample: &Sample, file: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let hierarchy = bvh::Hierarchy::from_skeleton(&sample.motion.skeleton);
    let clip = &sample.motion.clip;
    bvh::write_clip(file, &hierarchy, clip, bvh::WriteOptions::default())?;
    Ok(())
}
