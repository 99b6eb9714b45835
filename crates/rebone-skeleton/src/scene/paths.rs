//! Walks up and down a tree of nodes.

use super::{ArmatureError, Node, NodeKind};
use std::collections::BTreeSet;

/// A tree of nodes, with the lists that walks need.
pub(super) struct Paths<'a> {
    tree: &'a [Node],
    pub(super) children: Vec<Vec<usize>>,
    /// All nodes, each before those below it, siblings in their order.
    pub(super) order: Vec<usize>,
    /// The root above each node.
    top: Vec<usize>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(tree: &'a [Node]) -> Result<Self, ArmatureError> {
        let mut children = vec![Vec::new(); tree.len()];
        let mut next = Vec::new();
        for (node, own) in tree.iter().enumerate() {
            match own.parent {
                Some(parent) => children[parent].push(node),
                None => next.push(node),
            }
        }
        next.reverse();
        let mut top: Vec<usize> = (0..tree.len()).collect();
        let mut order = Vec::with_capacity(tree.len());
        while let Some(node) = next.pop() {
            order.push(node);
            for &child in children[node].iter().rev() {
                top[child] = top[node];
                next.push(child);
            }
        }
        if order.len() < tree.len() {
            let mut reached = vec![false; tree.len()];
            order.iter().for_each(|&node| reached[node] = true);
            let node = reached.iter().position(|reached| !reached).unwrap_or(0);
            return Err(ArmatureError::Loop(node));
        }
        Ok(Self { tree, children, order, top })
    }

    /// A node, its parent, and so on up to its root.
    pub(super) fn up(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&node| self.tree[node].parent)
    }

    /// The lowest common ancestor of `wanted`; of several trees in the one with most of them.
    pub(super) fn common(&self, wanted: &BTreeSet<usize>) -> Option<usize> {
        let mut carried = vec![0_usize; self.tree.len()];
        for &node in self.order.iter().rev() {
            carried[node] += usize::from(wanted.contains(&node));
            if let Some(parent) = self.tree[node].parent {
                carried[parent] += carried[node];
            }
        }
        let tops = self.order.iter().filter(|&&node| self.tree[node].parent.is_none());
        let top = *tops.rev().max_by_key(|&&top| carried[top])?;
        let all = |node: &&usize| self.top[**node] == top && carried[**node] == carried[top];
        let lowest = self.order.iter().rfind(all).copied();
        lowest.filter(|_| carried[top] > 0)
    }

    /// Marks the wanted nodes below `root`, their ancestors up to it, and descendants that show nothing.
    pub(super) fn taken(&self, root: usize, wanted: &BTreeSet<usize>) -> Vec<bool> {
        let mut taken = vec![false; self.tree.len()];
        let mut below = vec![false; self.tree.len()];
        below[root] = true;
        for &node in &self.order {
            let parent = self.tree[node].parent;
            let shows = self.tree[node].kind == NodeKind::Object;
            let hangs = parent.is_some_and(|parent| taken[parent]) && !shows;
            below[node] |= parent.is_some_and(|parent| below[parent]);
            taken[node] = below[node] && (hangs || wanted.contains(&node));
        }
        for &node in self.order.iter().rev() {
            if let Some(parent) = self.tree[node].parent.filter(|_| taken[node] && node != root) {
                taken[parent] = true;
            }
        }
        taken
    }
}
