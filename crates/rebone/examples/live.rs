//! An avatar that follows a stream of poses, as in a game or behind a camera: `cargo run --example live`.
//!
//! Everything that takes long happens once, in [`avatar`]: two skeletons are understood and aligned. A frame
//! is then one call without allocation. [`Retargeter::frame`] depends on no other frame, so poses may be dropped or come
//! twice; [`LiveContacts`] holds feet, and hands on the body, over the frames that come. Both can be sent to the thread that draws.

#![allow(clippy::print_stdout, reason = "an example may print")]

use rebone::skeleton::{Motion, Pose, forward_kinematics};
use rebone::{Hints, LiveContacts, Options, RetargetError, Retargeter, align, analyse_pair};
use rebone_samples as samples;
use std::error::Error;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Understands the performer and the avatar, and sets up what a frame needs.
fn avatar(performer: &Motion, rig: &Motion) -> Result<Retargeter, RetargetError> {
    let unknown = Hints::default();
    let analysed = analyse_pair([performer, rig], [&unknown, &unknown], &[])?;
    let [from, onto] = &analysed.anatomies;
    Retargeter::new(align(from, onto, &Options::default()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let performer = samples::wave().motion;
    let rig = samples::rigs().remove(0).motion;
    let mut retargeter = avatar(&performer, &rig)?;
    let mut contacts = LiveContacts::new(retargeter.plan(), performer.clip.frame_time)
        .expect("poses and clips of the example fit");

    // Capture: here a clip, else a suit or a camera. Whoever draws too slowly gets the latest poses only.
    let (capture, poses) = sync_channel::<Pose>(2);
    let capturing = thread::spawn(move || {
        performer.clip.poses().filter(|pose| capture.send(pose.clone()).is_ok()).count()
    });

    // Drawing: one pose of the avatar in memory, overwritten frame by frame.
    let drawing = thread::spawn(move || {
        let mut pose = rig.skeleton.rest_pose();
        let mut highest = f64::MIN;
        for source in poses {
            contacts
                .frame(&mut retargeter, &source, &mut pose)
                .expect("poses and clips of the example fit");
            let world = forward_kinematics(&rig.skeleton, &pose)
                .expect("poses and clips of the example fit");
            highest = world.positions.iter().map(|place| place.y).fold(highest, f64::max);
        }
        highest
    });
    let frames = capturing.join().map_err(|_| "the capture broke off")?;
    let highest = drawing.join().map_err(|_| "the drawing broke off")?;
    println!("{frames} frames; the highest joint reached {highest:.2}");
    Ok(())
}
