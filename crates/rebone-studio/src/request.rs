//! Requests of a page, and the document that it holds.

use rebone::{Options, body};
use serde::{Deserialize, Serialize};

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The file whose motion is retargeted.
    Source,
    /// The character that gets the motion; in requests for poses, the result on it.
    Target,
}

impl Side {
    /// 0 for the source, 1 for the target.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Its name in requests and answers.
    pub(crate) fn name(self) -> &'static str {
        ["source", "target"][self.index()]
    }
}

/// Texts of the rig cards of both files; empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cards {
    /// The card of the source.
    pub source: String,
    /// The card of the target.
    pub target: String,
}

impl Cards {
    /// The card of a side.
    pub fn of(&self, side: Side) -> &str {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }
}

/// Everything that a person states and corrects. The page holds it and sends it whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    /// Rig cards.
    pub cards: Cards,
    /// Text of a map of joints; empty where there is none.
    pub map: String,
    /// Text of a file of contacts; empty where contacts are detected.
    pub contacts: String,
    /// Options of the retarget.
    pub options: Options,
}

/// A change of a rig card. Frames of the card's turns are the anatomical frames of the segments, angles are degrees.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "set", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// States which joints play a role; none: no joint does. `null` takes the statement back.
    Role {
        /// The role, as cards name it.
        role: String,
        /// Indices of joints.
        joints: Option<Vec<usize>>,
    },
    /// States the turn of a joint in the calibration pose, from the pose of the generated part or the rest pose. `null`
    /// takes the statement back.
    Pose {
        /// The joint.
        joint: usize,
        /// Rotation vector: bend, twist and side, that is about X, Y and Z of the anatomical frame, degrees.
        turn: Option<[f64; 3]>,
    },
    /// States the pose of a frame of the file as the calibration pose.
    PoseOfFrame {
        /// The frame, counted from the first that is used.
        frame: usize,
    },
    /// States a key at the top of the card: `up`, `facing`, `pose_from`. `null` takes it back.
    Key {
        /// The key.
        key: String,
        /// Its value.
        value: Option<String>,
    },
}

/// A format of files that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputFormat {
    /// BVH.
    Bvh,
    /// glTF in one binary file.
    Glb,
    /// A VRM avatar.
    Vrm,
    /// A VRM animation.
    Vrma,
    /// The rotation table of rotation copy, for engines.
    RotationTable,
}

/// A card to write, with corrections of the calibration.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardRequest {
    /// The side of the card.
    pub side: Side,
    /// The document.
    pub document: Document,
    /// Writes the calibration pose as the T pose, in turns to correct.
    #[serde(default)]
    pub t_pose: bool,
    /// Frames in which the left and the right foot stand flat on the floor, counted from the first that is used.
    #[serde(default)]
    pub level_feet: [Option<usize>; 2],
    /// The side of the body that is copied to the other, `left` or `right`.
    #[serde(default)]
    pub mirror: Option<body::Side>,
}

/// A question of a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Names the formats of files that are read, as a sentence.
    Formats,
    /// Reads a file, whose bytes come with the request.
    Open {
        /// The side it is for.
        side: Side,
        /// Its name, for messages.
        name: String,
        /// A clip of it, by name or number; the first by default.
        #[serde(default)]
        clip: Option<String>,
        /// A character of it by the number of its skin; the largest body by default.
        #[serde(default)]
        skin: Option<usize>,
        /// A character of it by its root joint.
        #[serde(default)]
        joint: Option<String>,
    },
    /// Forgets a file.
    Close {
        /// The side.
        side: Side,
    },
    /// Analyses the files that are open.
    Understand {
        /// The document.
        document: Document,
    },
    /// Retargets one frame of the source, without contacts.
    Frame {
        /// The document.
        document: Document,
        /// The frame, counted from the first that is used.
        frame: usize,
    },
    /// Retargets the whole clip.
    Solve {
        /// The document.
        document: Document,
    },
    /// Gives poses of the source or of the result that was solved last.
    Poses {
        /// Source, or result.
        side: Side,
        /// First frame.
        start: usize,
        /// Number of frames.
        count: usize,
    },
    /// Gives how deep hands and forearms of the result that was solved last are in the own body.
    Depths {
        /// The frame, counted from the first that is used.
        frame: usize,
    },
    /// Gives both bodies in their calibration poses.
    Calibration {
        /// The document.
        document: Document,
    },
    /// Edits a card; gives its new text.
    Edit {
        /// The side of the card.
        side: Side,
        /// The document that holds it.
        document: Document,
        /// Changes, in their order.
        edits: Vec<Edit>,
    },
    /// Writes the card of what was understood, with the generated part.
    Card(CardRequest),
    /// Writes the result that was solved last.
    Write {
        /// The format.
        format: OutputFormat,
    },
}
