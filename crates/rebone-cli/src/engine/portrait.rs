//! A body in its T pose and in others, with the axes of its segments: shows what a calibration says.

use super::anatomy::{calibration, side};
use super::track::still;
use super::{Seen, file_name, percent};
use crate::preview::{Bone, Column, Ink, Point, Sheet, Side, Track, View};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Anatomy, CalibrationSource, Role};
use rebone::skeleton::{Axis, JointId, Pose, WorldPose, forward_kinematics};
use rebone::{Character, Plan, Retargeter};

/// Metres of a 1.7 m body that axes are long: of main segments, of parts of hands and feet, of fingers.
const MAIN: f64 = 0.09;
const PART: f64 = 0.04;
const FINGER: f64 = 0.018;
/// Sine of the angle between the pelvis's forward axis and the vertical, below which it faces nowhere.
const LYING: f64 = 0.01;
/// Metres of a 1.7 m body that a stroke of a hand or foot is long at least.
const SHORTEST: f64 = 0.002;
/// How many times larger than the body hands and feet are shown.
const ZOOM: f64 = 4.0;

/// One figure and what is said under it.
struct Figure {
    track: Track,
    caption: [String; 2],
    zoom: f64,
}

/// The T pose, the rest pose, the calibration pose where it is another, and in the T pose hands and feet.
pub(crate) fn portrait(loaded: &Character, anatomy: &Anatomy) -> Vec<u8> {
    let name = file_name(loaded.path());
    let body = Body { anatomy, name: &name, ink: Ink::BLUE_GREY };
    let mut figures = vec![body.in_t_pose(["T pose", "worked out"].map(str::to_owned))];
    let parts = body.parts();
    let rest = anatomy.skeleton.rest_pose();
    let mut stand = |pose: Pose, caption: [&str; 2]| {
        let world = standing(loaded, anatomy, pose);
        let ahead = ahead(anatomy, &world, anatomy.upright_from_file);
        figures.push(body.standing(&world, ahead, caption.map(str::to_owned)));
    };
    stand(rest.clone(), ["rest pose", "of the file"]);
    use CalibrationSource::{BindPose, Frame, Given};
    if matches!(anatomy.calibration, BindPose | Frame(_) | Given) {
        let pose = Pose { rotations: anatomy.locals.clone(), ..rest };
        stand(pose, ["stance", "calibrated on"]);
    }
    figures.extend(parts);
    let sure = percent(anatomy.confidence);
    let title = format!("{name}: {}, {sure} sure", calibration(anatomy));
    draw(title, &figures, &[&figures[0].track], &[View::Front, View::Side, View::Top])
}

/// A pose in the world, with the bones that the clip gives it.
fn standing(loaded: &Character, anatomy: &Anatomy, mut pose: Pose) -> WorldPose {
    for id in anatomy.skeleton.ids().skip(1) {
        pose.translations[id.index()] = loaded.clip().bone(&anatomy.skeleton, id);
    }
    forward_kinematics(&anatomy.skeleton, &pose)
}

/// Both bodies in the T pose, and in the first and the middle frame of the source.
pub(crate) fn portraits(loaded: &[Character; 2], plan: &Plan) -> anyhow::Result<Vec<u8>> {
    let clip = loaded[0].clip();
    let names = loaded.each_ref().map(|loaded| file_name(loaded.path()));
    let bodies = [
        Body { anatomy: &plan.source, name: &names[0], ink: Ink::BLUE_GREY },
        Body { anatomy: &plan.target, name: &names[1], ink: Ink::ORANGE },
    ];
    let caption = |place: usize, said: String| [names[place].clone(), said];
    let mut figures: Vec<Figure> =
        (0..2).map(|at| bodies[at].in_t_pose(caption(at, "T pose".to_owned()))).collect();
    let mut retargeter = Retargeter::new(plan.clone())?;
    let mut pose = plan.target.skeleton.rest_pose();
    let mut shown = vec![0, clip.len() / 2];
    shown.dedup();
    for frame in shown.into_iter().filter(|&at| at < clip.len()) {
        let source = clip.pose(frame);
        retargeter.frame(&source, &mut pose);
        let worlds = [
            forward_kinematics(&plan.source.skeleton, &source),
            forward_kinematics(&plan.target.skeleton, &pose),
        ];
        let turn = ahead(&plan.source, &worlds[0], plan.inner_from_source);
        let yaw = turn * plan.inner_from_source.inverse();
        let said = [format!("frame {frame}"), "retargeted".to_owned()];
        for (at, inner) in [turn, yaw * plan.inner_from_target].into_iter().enumerate() {
            let caption = caption(at, said[at].clone());
            figures.push(bodies[at].standing(&worlds[at], inner, caption));
        }
    }
    let title = format!("{} and {} in the same poses", names[0], names[1]);
    let legend = [&figures[0].track, &figures[1].track];
    Ok(draw(title, &figures, &legend, &[View::Front, View::Side]))
}

/// Both bodies over each other: in the poses that they are calibrated in, and in their T poses.
pub(crate) fn poses(loaded: &[Character; 2], plan: &Plan) -> Vec<u8> {
    let names = loaded.each_ref().map(|loaded| file_name(loaded.path()));
    let bodies = [
        Body { anatomy: &plan.source, name: &names[0], ink: Ink::BLUE_GREY },
        Body { anatomy: &plan.target, name: &names[1], ink: Ink::ORANGE },
    ];
    let calibrated = [0, 1].map(|at| {
        let body = &bodies[at];
        let rotations = body.anatomy.locals.clone();
        let pose = Pose { rotations, ..body.anatomy.skeleton.rest_pose() };
        let world = standing(&loaded[at], body.anatomy, pose);
        let inner = ahead(body.anatomy, &world, body.anatomy.upright_from_file);
        body.track(&world, inner)
    });
    let t_poses =
        bodies.each_ref().map(|body| body.track(&t_pose(body.anatomy), UnitQuaternion::identity()));
    let columns = vec![
        together(&calibrated, ["calibration", "as they stand"]),
        together(&t_poses, ["T pose", "worked out"]),
    ];
    let title = format!("{} and {}: calibration poses", names[0], names[1]);
    let tracks = calibrated.iter().collect();
    let views = &[View::Front, View::Side, View::Top];
    Sheet { title, tracks, columns, captions: ["", ""], views }.draw()
}

fn together<'a>(tracks: &'a [Track; 2], caption: [&str; 2]) -> Column<'a> {
    let figures = tracks.iter().map(|track| (track, 0)).collect();
    Column { figures, caption: caption.map(str::to_owned), zoom: 1.0 }
}

fn draw(title: String, figures: &[Figure], legend: &[&Track], views: &'static [View]) -> Vec<u8> {
    let columns = figures.iter().map(|figure| Column {
        figures: vec![(&figure.track, 0)],
        caption: figure.caption.clone(),
        zoom: figure.zoom,
    });
    Sheet { title, tracks: legend.to_vec(), columns: columns.collect(), captions: ["", ""], views }
        .draw()
}

/// A body to draw, its name and its colours.
struct Body<'a> {
    anatomy: &'a Anatomy,
    name: &'a str,
    ink: Ink,
}

impl Body<'_> {
    /// The whole body in its T pose.
    fn in_t_pose(&self, caption: [String; 2]) -> Figure {
        self.standing(&t_pose(self.anatomy), UnitQuaternion::identity(), caption)
    }

    /// The whole body in a pose.
    fn standing(
        &self,
        world: &WorldPose,
        inner_from_file: UnitQuaternion<f64>,
        caption: [String; 2],
    ) -> Figure {
        let seen = Seen { anatomy: self.anatomy, inner_from_file };
        let mut track = self.track(world, inner_from_file);
        for joint in main_segments(self.anatomy) {
            add_axes(&mut track, seen, world, joint, MAIN);
        }
        Figure { track, caption, zoom: 1.0 }
    }

    /// The same without axes.
    fn track(&self, world: &WorldPose, inner_from_file: UnitQuaternion<f64>) -> Track {
        let seen = Seen { anatomy: self.anatomy, inner_from_file };
        let mut track = still(seen, world, self.name.to_owned(), self.ink);
        track.bones.extend(face(self.anatomy));
        track
    }

    /// Hands and feet in the T pose, as far as there is more of them than a joint.
    fn parts(&self) -> Vec<Figure> {
        let body = &self.anatomy.body;
        let hands = body.arms.each_ref().map(|arm| arm.hand);
        let feet = body.legs.each_ref().map(|leg| Some(leg.foot));
        let named = ["left hand", "right hand", "left foot", "right foot"];
        let joints = hands.into_iter().chain(feet).zip(named);
        joints.filter_map(|(joint, name)| self.part(joint?, name)).collect()
    }

    /// What hangs on a joint: feet on the floor, hands with the wrist at its height.
    fn part(&self, joint: JointId, name: &str) -> Option<Figure> {
        let anatomy = self.anatomy;
        let seen = Seen { anatomy, inner_from_file: UnitQuaternion::identity() };
        let world = t_pose(anatomy);
        let mut track = still(seen, &world, self.name.to_owned(), self.ink);
        let is_part = |end: usize| anatomy.skeleton.is_ancestor(joint, owner(anatomy, end));
        let points = &track.frames[0];
        let length =
            |[a, b]: [usize; 2]| (Vector3::from(points[a]) - Vector3::from(points[b])).norm();
        track
            .bones
            .retain(|bone| bone.ends.into_iter().all(is_part) && length(bone.ends) > SHORTEST);
        track.bones.iter_mut().for_each(|bone| bone.thin = true);
        let hand = matches!(anatomy.roles.of(joint), Some(Role::Hand(_)));
        if hand {
            let wrist = track.frames[0][joint.index()][1];
            track.frames[0].iter_mut().for_each(|point| point[1] -= wrist);
        }
        for id in anatomy.skeleton.ids().filter(|id| is_part(id.index())) {
            match anatomy.roles.of(id) {
                Some(Role::Finger(..)) => add_axes(&mut track, seen, &world, id, FINGER),
                Some(_) => add_axes(&mut track, seen, &world, id, PART),
                None => {}
            }
        }
        let (skull, centre) = (None, [joint.index(); 2]);
        let track = Track { skull, centre, ..track };
        let said = if hand { "wrist level" } else { "T pose" };
        let caption = [name, said].map(str::to_owned);
        (!track.bones.is_empty()).then_some(Figure { track, caption, zoom: ZOOM })
    }
}

/// The T pose in file units, standing as the inner world does.
fn t_pose(anatomy: &Anatomy) -> WorldPose {
    let mut world = anatomy.t_pose.clone();
    world.positions.iter_mut().for_each(|place| *place /= anatomy.metres_per_unit());
    world
}

/// Turns the file's axes so that up is +Y and the pelvis looks ahead in this pose.
fn ahead(
    anatomy: &Anatomy,
    world: &WorldPose,
    inner_from_file: UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let pelvis = anatomy.body.pelvis();
    let frame = anatomy.anatomical(pelvis, &world.rotations[pelvis.index()]);
    let forward = inner_from_file * frame * *Axis::Z.unit();
    let level = Vector3::new(forward.x, 0.0, forward.z);
    if level.norm() < LYING {
        return inner_from_file;
    }
    UnitQuaternion::face_towards(&level, &Axis::Y.unit()).inverse() * inner_from_file
}

/// The joints whose axes the whole body shows.
fn main_segments(anatomy: &Anatomy) -> Vec<JointId> {
    let body = &anatomy.body;
    let mut joints = vec![body.pelvis(), body.chest()];
    joints.dedup();
    joints.extend(body.head());
    joints.extend(body.limbs());
    joints.extend(body.legs.iter().filter_map(|leg| leg.toes));
    joints
}

/// The joint that a point of a track belongs to.
fn owner(anatomy: &Anatomy, point: usize) -> JointId {
    let sites = anatomy.skeleton.end_sites();
    let site = point.checked_sub(anatomy.skeleton.len()).and_then(|site| sites.get(site));
    site.map_or(JointId(point), |site| site.parent)
}

/// Thin strokes to eyes, jaw and the ends of the head.
fn face(anatomy: &Anatomy) -> Vec<Bone> {
    let Some(head) = anatomy.body.head() else { return Vec::new() };
    let skeleton = &anatomy.skeleton;
    let bone = |from: JointId, to, side| Bone { ends: [from.index(), to], side, thin: true };
    let joints = skeleton.ids().filter_map(|id| {
        let role = anatomy.roles.of(id).filter(|role| matches!(role, Role::Eye(_) | Role::Jaw))?;
        Some(bone(skeleton.joint(id).parent?, id.index(), side(role)))
    });
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.filter(|(site, _)| site.parent == head);
    let sites = sites.map(|(_, index)| bone(head, index, Side::Middle));
    joints.chain(sites).collect()
}

/// Adds the axes of a joint's anatomical frame to a track of one frame.
fn add_axes(track: &mut Track, seen: Seen, world: &WorldPose, joint: JointId, length: f64) {
    let frame = seen.anatomy.anatomical(joint, &world.rotations[joint.index()]);
    let points = &mut track.frames[0];
    let origin = Vector3::from(points[joint.index()]);
    let first = points.len();
    points.extend(Axis::ALL.map(|axis| -> Point {
        (origin + seen.inner_from_file * frame * *axis.unit() * length).into()
    }));
    track.axes.push([joint.index(), first, first + 1, first + 2]);
}
