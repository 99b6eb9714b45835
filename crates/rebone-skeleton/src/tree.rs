//! Walks through the tree of joints: paths, descendants, lengths.

use crate::{JointId, Skeleton};

/// Paths, descendants and lengths.
///
/// ```
/// # use rebone_skeleton::{JointId, bvh};
/// # let text = b"HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 1 Xrotation JOINT Spine { OFFSET 0 1 0
/// #   JOINT Head { OFFSET 0 2 0 } } JOINT Leg { OFFSET 1 0 0 } }\nMOTION\nFrames: 1\nFrame Time: 1\n0\n";
/// # let skeleton = bvh::parse(text)?.motion.skeleton;
/// let [hips, spine, head, leg] = ["Hips", "Spine", "Head", "Leg"].map(|name| skeleton.find(name.into()).unwrap());
/// assert_eq!(skeleton.path_between(leg, head), [hips, spine, head]);
/// assert_eq!(skeleton.strictly_between(hips, head), [spine]);
/// assert_eq!(skeleton.descendants(hips), [spine, head, leg]);
/// let lengths = skeleton.subtree_lengths();
/// assert_eq!(lengths, [3.0, 2.0, 0.0, 0.0]);
/// assert_eq!(skeleton.longest_path(&lengths, hips), [hips, spine, head]);
/// # Ok::<(), bvh::ReadError>(())
/// ```
impl Skeleton {
    /// The joints from `from` (excluded) over the lowest common ancestor to `to` (included); none where one of the two is
    /// not there.
    pub fn path_between(&self, from: JointId, to: JointId) -> Vec<JointId> {
        if self.joint(from).and(self.joint(to)).is_none() {
            return Vec::new();
        }
        let apex = self.lowest_common_ancestor(from, to);
        let up = self.path_to_root(from).take_while(|&id| id != apex).skip(1);
        let apex_itself = (from != apex).then_some(apex);
        let mut joints: Vec<JointId> = up.chain(apex_itself).collect();
        let rise = joints.len();
        joints.extend(self.path_to_root(to).take_while(|&id| id != apex));
        joints[rise..].reverse();
        joints
    }

    /// The joints strictly between an ancestor and a joint below it, from the top.
    pub fn strictly_between(&self, ancestor: JointId, below: JointId) -> Vec<JointId> {
        let up = self.path_to_root(below).skip(1).take_while(|&id| id != ancestor);
        let mut joints: Vec<JointId> = up.collect();
        joints.reverse();
        joints
    }

    /// All joints below `joint`, parents first.
    pub fn descendants(&self, joint: JointId) -> Vec<JointId> {
        let mut joints: Vec<JointId> = self.children(joint).collect();
        let mut next = 0;
        while let Some(&id) = joints.get(next) {
            joints.extend(self.children(id));
            next += 1;
        }
        joints.sort_unstable();
        joints
    }

    /// All joints depth first, each followed by its descendants, with their depth (the root's is 0).
    #[cfg(feature = "files")]
    pub(crate) fn depth_first(&self) -> Vec<(JointId, usize)> {
        let mut order = Vec::with_capacity(self.len());
        let mut waiting = vec![(JointId(0), 0)];
        while let Some((id, depth)) = waiting.pop() {
            order.push((id, depth));
            waiting.extend(self.children(id).rev().map(|child| (child, depth + 1)));
        }
        order
    }

    /// Length of the longest path down from each joint at rest, end sites included, in file units.
    ///
    /// An end site counts at most as much as its joint's own length: some programs give each leaf an end site of
    /// any length.
    pub fn subtree_lengths(&self) -> Vec<f64> {
        let mut ends = vec![0.0_f64; self.len()];
        for site in self.end_sites() {
            let own = self[site.parent].rest_translation.norm();
            let end = &mut ends[site.parent.index()];
            *end = end.max(site.offset.norm().min(own));
        }
        self.lengths_over(ends)
    }

    /// Length of the longest path down from each joint at rest; `ends` holds what lies beyond each joint itself.
    pub(crate) fn lengths_over(&self, ends: Vec<f64>) -> Vec<f64> {
        let mut lengths = ends;
        for (index, joint) in self.joints().iter().enumerate().rev() {
            if let Some(parent) = joint.parent {
                let through = joint.rest_translation.norm() + lengths[index];
                lengths[parent.index()] = lengths[parent.index()].max(through);
            }
        }
        lengths
    }

    /// The longest path down from a joint, itself included, given [`subtree_lengths`](Self::subtree_lengths). Joints
    /// beyond the end of the list are left out.
    pub fn longest_path(&self, lengths: &[f64], from: JointId) -> Vec<JointId> {
        let first = self.joint(from).map(|_| from);
        std::iter::successors(first, |&id| self.longest_child(lengths, id)).collect()
    }

    /// The child on the longest path; of equal ones the first, and none where all have length 0. `lengths` as for
    /// [`longest_path`](Self::longest_path).
    pub fn longest_child(&self, lengths: &[f64], joint: JointId) -> Option<JointId> {
        let length =
            |id: JointId| Some(self[id].rest_translation.norm() + lengths.get(id.index())?);
        let children = self.children(joint).filter_map(|child| Some((length(child)?, child)));
        let children = children.filter(|(length, _)| *length > 0.0);
        let longest = children.max_by(|(a, one), (b, other)| a.total_cmp(b).then(other.cmp(one)));
        longest.map(|(_, child)| child)
    }
}
