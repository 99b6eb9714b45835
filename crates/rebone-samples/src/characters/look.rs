//! What tells one character from another: lengths, girths, clothes, colours, face.

use super::mesh::Colour;
use super::skeleton::Names;
use crate::body::{ADULT, Body};

/// Cut of the hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hair {
    Short,
    Beard,
    Tufts,
    Bob,
}

/// All that a character is made from; lengths in cm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) file_name: &'static str,
    pub(super) body: Body,
    pub(super) names: Names,
    /// Fingers as `Body::finger` counts them.
    pub(super) fingers: &'static [usize],
    pub(super) finger_joints: usize,
    /// How far the arms hang below the horizontal, degrees.
    pub(super) drop: f64,
    /// Half width and half depth.
    pub(super) chest: [f64; 2],
    pub(super) waist: [f64; 2],
    pub(super) hips: [f64; 2],
    /// Radius of the upper arm.
    pub(super) arm: f64,
    /// Radius of the thigh.
    pub(super) leg: f64,
    /// Radius of a finger.
    pub(super) finger: f64,
    /// Radius of the neck.
    pub(super) neck: f64,
    /// Size of eyes, of the nose, and width of the jaw; 1 is usual.
    pub(super) face: [f64; 3],
    /// End of the sleeves: −1 shoulder, 0 elbow, 1 wrist.
    pub(super) sleeve: f64,
    /// End of the trousers: 0 ankle, 1 hip joint.
    pub(super) hem: f64,
    pub(super) tucked: bool,
    pub(super) stripes: bool,
    pub(super) hair: Hair,
    pub(super) skin: Colour,
    pub(super) shirt: Colour,
    pub(super) trim: Colour,
    pub(super) trousers: Colour,
    pub(super) shoes: Colour,
    pub(super) sole: Colour,
    pub(super) hair_colour: Colour,
    pub(super) iris: Colour,
    pub(super) lips: Colour,
}

/// The five characters.
pub(super) fn looks() -> [Look; 5] {
    [person(), broad(), child(), toy(), avatar()]
}

fn person() -> Look {
    Look {
        name: "person",
        about: "A grown person of usual build in T-pose with five fingers and the names of Mixamo",
        file_name: "person.glb",
        body: ADULT,
        names: Names::Mixamo,
        fingers: &[0, 1, 2, 3, 4],
        finger_joints: 3,
        drop: 0.0,
        chest: [17.6, 11.8],
        waist: [14.6, 10.2],
        hips: [16.2, 11.6],
        arm: 5.0,
        leg: 8.4,
        finger: 0.86,
        neck: 5.0,
        face: [1.0, 1.0, 1.0],
        sleeve: -0.42,
        hem: -0.012,
        tucked: false,
        stripes: false,
        hair: Hair::Short,
        skin: [226, 172, 138],
        shirt: [58, 134, 168],
        trim: [38, 98, 128],
        trousers: [58, 66, 92],
        shoes: [210, 88, 62],
        sole: [242, 240, 234],
        hair_colour: [74, 48, 36],
        iris: [92, 64, 42],
        lips: [186, 104, 94],
    }
}

fn broad() -> Look {
    Look {
        name: "broad",
        about: "A broad, heavy person in A-pose with the names of Unreal Engine",
        file_name: "broad.glb",
        body: Body {
            ankle: 9.0,
            shin: 42.0,
            thigh: 43.0,
            hip: 11.5,
            trunk: 58.0,
            neck: 8.5,
            head: 21.0,
            shoulder: 23.0,
            upper_arm: 30.0,
            forearm: 27.0,
            hand: 20.5,
            foot: 14.0,
            arm_drop: 0.0,
        },
        names: Names::Unreal,
        drop: 42.0,
        chest: [24.0, 17.0],
        waist: [25.0, 20.0],
        hips: [22.5, 17.0],
        arm: 7.2,
        leg: 11.2,
        finger: 1.12,
        neck: 7.2,
        face: [0.9, 1.25, 1.22],
        sleeve: -0.12,
        hem: -0.01,
        tucked: true,
        hair: Hair::Beard,
        skin: [206, 146, 112],
        shirt: [176, 66, 56],
        trim: [66, 46, 38],
        trousers: [74, 82, 74],
        shoes: [92, 64, 46],
        sole: [44, 40, 40],
        hair_colour: [58, 40, 34],
        iris: [70, 92, 88],
        lips: [168, 92, 84],
        ..person()
    }
}

fn child() -> Look {
    Look {
        name: "child",
        about: "A child, 1.1 m tall, in T-pose with the names of Rigify's deform bones",
        file_name: "child.glb",
        body: Body {
            ankle: 5.6,
            shin: 22.5,
            thigh: 23.5,
            hip: 6.2,
            trunk: 32.5,
            neck: 5.6,
            head: 20.0,
            shoulder: 11.6,
            upper_arm: 17.5,
            forearm: 15.0,
            hand: 11.8,
            foot: 8.8,
            arm_drop: 0.0,
        },
        names: Names::Rigify,
        chest: [11.2, 8.4],
        waist: [10.6, 8.4],
        hips: [11.2, 8.6],
        arm: 3.5,
        leg: 5.8,
        finger: 0.66,
        neck: 3.6,
        face: [1.25, 0.75, 1.02],
        sleeve: -0.35,
        hem: 0.62,
        stripes: true,
        hair: Hair::Tufts,
        skin: [240, 190, 156],
        shirt: [246, 206, 92],
        trim: [232, 116, 74],
        trousers: [62, 108, 166],
        shoes: [72, 150, 122],
        hair_colour: [176, 104, 52],
        iris: [66, 118, 84],
        lips: [212, 122, 112],
        ..person()
    }
}

fn toy() -> Look {
    Look {
        name: "toy",
        about: "A toy with a big head, short limbs, three fingers and the names of 3ds Max's Biped",
        file_name: "toy.glb",
        body: Body {
            ankle: 5.4,
            shin: 17.5,
            thigh: 17.5,
            hip: 6.2,
            trunk: 25.0,
            neck: 3.2,
            head: 30.0,
            shoulder: 10.8,
            upper_arm: 12.0,
            forearm: 11.0,
            hand: 10.5,
            foot: 8.2,
            arm_drop: 0.0,
        },
        names: Names::Biped,
        fingers: &[0, 1, 3],
        finger_joints: 2,
        chest: [10.2, 8.4],
        waist: [11.0, 9.4],
        hips: [11.2, 9.2],
        arm: 3.7,
        leg: 5.4,
        finger: 1.15,
        neck: 4.6,
        face: [1.45, 0.8, 1.08],
        sleeve: 0.75,
        hem: 0.0,
        tucked: true,
        hair: Hair::Tufts,
        skin: [250, 206, 168],
        shirt: [232, 92, 88],
        trim: [250, 204, 84],
        trousers: [70, 96, 182],
        shoes: [250, 204, 84],
        sole: [120, 84, 60],
        hair_colour: [70, 54, 84],
        iris: [52, 40, 58],
        lips: [206, 96, 96],
        ..person()
    }
}

fn avatar() -> Look {
    Look {
        name: "avatar",
        about: "A VRM 1.0 avatar in T-pose with a bob, large eyes and the names of VRoid",
        file_name: "avatar.vrm",
        body: Body {
            ankle: 8.0,
            shin: 39.5,
            thigh: 41.0,
            hip: 8.4,
            trunk: 45.5,
            neck: 8.0,
            head: 22.0,
            shoulder: 14.6,
            upper_arm: 25.0,
            forearm: 22.5,
            hand: 16.0,
            foot: 11.6,
            arm_drop: 0.0,
        },
        names: Names::Vroid,
        chest: [13.4, 9.6],
        waist: [11.0, 8.2],
        hips: [14.6, 10.6],
        arm: 3.8,
        leg: 7.5,
        finger: 0.72,
        neck: 3.9,
        face: [1.4, 0.6, 0.92],
        sleeve: 0.9,
        hem: -0.01,
        hair: Hair::Bob,
        skin: [250, 212, 188],
        shirt: [238, 236, 240],
        trim: [92, 84, 150],
        trousers: [72, 66, 104],
        shoes: [236, 234, 238],
        sole: [92, 84, 150],
        hair_colour: [96, 78, 158],
        iris: [82, 132, 196],
        lips: [222, 132, 134],
        ..person()
    }
}
