//! Rows of motion sections that have another number of values than there are channels.

use super::channel::{Channel, ChannelKind};
use super::hierarchy::Hierarchy;

/// Values of a joint that has three positions and three rotations.
const FULL_JOINT: usize = 6;

/// The places of the channels in a row of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowLayout {
    /// Values of a row.
    pub(super) width: usize,
    /// Place in the row of each channel, `None` for one that the rows leave out; empty where rows are as declared.
    places: Vec<Option<usize>>,
}

impl RowLayout {
    /// Rows with a value for each channel.
    pub(super) fn declared(hierarchy: &Hierarchy) -> Self {
        Self { width: hierarchy.channels().len(), places: Vec::new() }
    }

    /// Rows that begin and end with values of other joints.
    pub(super) fn of_part(first: usize, count: usize, width: usize) -> Self {
        Self { width, places: (first..first + count).map(Some).collect() }
    }

    /// Returns whether a row has a value for each channel, in their order, and no others.
    pub(super) fn is_declared(&self) -> bool {
        self.places.is_empty()
    }

    /// Rows with six values for each joint, where the hierarchy declares rotations alone for some: positions and rotations
    /// come in the order of the root's. `None` where that is not the only reading.
    pub(super) fn six_values_a_joint(hierarchy: &Hierarchy) -> Option<Self> {
        let channels = hierarchy.channels();
        let of_joint = |joint: usize| channels.iter().filter(move |own| own.joint.index() == joint);
        let is_rotation = |own: &&Channel| own.kind == ChannelKind::Rotation;
        let rotations_first = of_joint(0).take(FULL_JOINT / 2).all(|own| is_rotation(&own));
        let mut places = Vec::new();
        for joint in 0..hierarchy.skeleton().len() {
            let (count, turns) =
                (of_joint(joint).count(), of_joint(joint).filter(is_rotation).count());
            let first = match (count, turns) {
                (FULL_JOINT, _) => 0,
                (3, 3) if joint > 0 && rotations_first => 0,
                (3, 3) if joint > 0 => FULL_JOINT / 2,
                _ => return None,
            };
            places.extend((0..count).map(|place| Some(FULL_JOINT * joint + first + place)));
        }
        let width = FULL_JOINT * hierarchy.skeleton().len();
        (width > channels.len()).then_some(Self { width, places })
    }

    /// Rows without the positions of all joints below a root that has some. `None` where no joint has others.
    pub(super) fn rotations_below_root(hierarchy: &Hierarchy) -> Option<Self> {
        let is_position = |own: &Channel| own.kind == ChannelKind::Translation;
        let channels = hierarchy.channels();
        channels.iter().find(|own| own.joint.index() == 0 && is_position(own))?;
        let mut width = 0;
        let place = |own: &Channel| {
            let is_there = own.joint.index() == 0 || !is_position(own);
            width += usize::from(is_there);
            is_there.then(|| width - 1)
        };
        let places = channels.iter().map(place).collect();
        (width < channels.len()).then_some(Self { width, places })
    }

    /// Puts the values of a row in the order of the channels. Positions that it leaves out are those of `OFFSET`.
    pub(super) fn values<'a>(
        &self,
        row: &'a [f64],
        hierarchy: &Hierarchy,
        all: &'a mut Vec<f64>,
    ) -> &'a [f64] {
        if self.places.is_empty() {
            return row;
        }
        let channels = hierarchy.channels().iter().zip(&self.places);
        all.clear();
        all.extend(channels.map(|(channel, place)| match place {
            Some(place) => row[*place],
            None => hierarchy.offset(channel),
        }));
        all
    }
}

/// Rows of a motion with too few values.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutRows {
    /// The line of the first.
    pub(super) line: usize,
    /// Values of the first.
    pub(super) found: usize,
    /// The number of rows.
    pub(super) count: u64,
}
