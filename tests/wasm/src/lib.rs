//! Hashes of the results of all sample clips on all sample rigs, native and in WebAssembly.
//!
//! `tests/wasm/run` builds this crate for both and compares the texts of [`report`] line by line.

#[cfg(target_arch = "wasm32")]
pub mod export;

use rebone::skeleton::{Clip, Skeleton, bvh, gltf};
use rebone::{
    Character, ClipInput, Hints, Options, Plan, Selection, align, analyse_pair, retarget_clip,
};
use rebone_samples::Sample;
use std::error::Error;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};

/// Retargets each sample clip onto each sample rig, contacts included, from and to bytes of files.
///
/// Each line of the text holds the names of clip and rig and three hashes: of the result as BVH, of the result
/// as GLB, of the verdict as JSON.
///
/// # Errors
/// When a sample cannot be read, retargeted or written.
pub fn report() -> Result<String, Box<dyn Error>> {
    let clips = characters(&rebone_samples::clips())?;
    let rigs = characters(&rebone_samples::rigs())?;
    let mut text = String::new();
    for clip in &clips {
        for rig in &rigs {
            let [bvh, glb, verdict] = results(clip, rig)?.map(|bytes| hash(&bytes));
            let names = (clip.clip_name(), rig.clip_name());
            writeln!(text, "{} {} {bvh:016x} {glb:016x} {verdict:016x}", names.0, names.1)?;
        }
    }
    Ok(text)
}

/// Reads samples from the bytes of their files.
fn characters(samples: &[Sample]) -> Result<Vec<Character>, Box<dyn Error>> {
    let characters = samples.iter().map(|sample| {
        let bytes = bvh_bytes(&sample.motion.skeleton, &sample.motion.clip)?;
        Ok(Character::parse(format!("{}.bvh", sample.name), bytes, Selection::default())?)
    });
    characters.collect()
}

/// The bytes of a result as BVH and GLB, and of its verdict as JSON.
fn results(source: &Character, target: &Character) -> Result<[Vec<u8>; 3], Box<dyn Error>> {
    let unknown = Hints::default();
    let pair = [source.motion(), target.motion()];
    let analysed = analyse_pair(pair, [&unknown, &unknown], &[])?;
    let plan = align(&analysed.anatomies[0], &analysed.anatomies[1], &Options::default());
    let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, source.clip()))?;
    let verdict =
        rebone::quality::evaluate(&plan, source.clip(), &clip).expect("values of the test fit");
    let bvh = bvh_bytes(target.skeleton(), &clip)?;
    Ok([bvh, glb_bytes(&plan, &clip)?, serde_json::to_vec(&verdict.verdict)?])
}

fn bvh_bytes(skeleton: &Skeleton, clip: &Clip) -> Result<Vec<u8>, Box<dyn Error>> {
    let hierarchy = bvh::Hierarchy::from_skeleton(skeleton);
    Ok(bvh::write_clip(Vec::new(), &hierarchy, clip, bvh::WriteOptions::default())?)
}

fn glb_bytes(plan: &Plan, clip: &Clip) -> Result<Vec<u8>, Box<dyn Error>> {
    let target = &plan.target;
    let document = gltf::Document::from_skeleton(
        &target.skeleton,
        target.metres_per_unit(),
        &target.inner_from_file(),
    );
    let mapped = target.skeleton.ids().collect();
    let new = gltf::NewAnimation { name: "result", clip, mapped: &mapped };
    Ok(document.with_animations(&[new], gltf::Tolerance::default(), gltf::Container::Glb)?)
}

/// SipHash of bytes, the same on all platforms.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
