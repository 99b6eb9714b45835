//! Characters of a scene: trees of joints that stand apart from each other.

use super::paths::Paths;
use super::{Node, NodeKind};
use bstr::BString;
use std::collections::{BTreeMap, BTreeSet};

/// Least number of joints of a character.
const MIN_JOINTS: usize = 8;

/// Most characters that are listed.
pub(crate) const MAX_CHARACTERS: usize = 64;

/// Joints of a character, and the number of a skin that tells it from others.
pub(crate) type CharacterJoints = (BTreeSet<usize>, Option<usize>);

/// A tree of joints of a file with several, which may be a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCharacter {
    /// Name of its root joint.
    pub joint: String,
    /// Number of its joints.
    pub joints: usize,
    /// Option of the command line that chooses it: `--skin 1`, `--joint Hips`, or `--joint #1` where names are equal.
    pub choice: String,
    /// True if a skin of its own tells it from others.
    pub has_skin: bool,
    /// Its joints among the nodes of the file.
    pub(crate) nodes: BTreeSet<usize>,
}

impl ListedCharacter {
    /// Lists the characters of these joints.
    pub(crate) fn list(tree: &[Node], all: Vec<CharacterJoints>) -> Vec<Self> {
        let Ok(paths) = Paths::new(tree) else { return Vec::new() };
        let roots = all.iter().map(|(nodes, _)| paths.common(nodes).unwrap_or_default());
        let roots: Vec<usize> = roots.collect();
        let name = |&root: &usize| joint_name(root, &tree[root]).to_string();
        let names: Vec<String> = roots.iter().map(name).collect();
        let named = all.into_iter().zip(names.iter().zip(choices(&names))).zip(roots);
        let listed = named.map(|(((nodes, skin), (name, choice)), root)| Self {
            joint: name.clone(),
            joints: paths.taken(root, &nodes).into_iter().filter(|taken| *taken).count(),
            choice: skin.map_or(choice, |skin| format!("--skin {skin}")),
            has_skin: skin.is_some(),
            nodes,
        });
        listed.collect()
    }

    /// Returns whether one of its joints is among others.
    pub(super) fn has_joint(&self, is_other: impl Fn(usize) -> bool) -> bool {
        self.nodes.iter().any(|node| is_other(*node))
    }

    /// Returns whether it has the joints of a body, below a node.
    pub(super) fn is_below(&self, tree: &[Node], node: usize) -> bool {
        let above = |at: &usize| tree.get(*at).and_then(|own| own.parent);
        let mut path = std::iter::successors(self.nodes.first().copied(), above);
        self.joints >= MIN_JOINTS && path.any(|at| at == node)
    }

    /// Describes the characters of a file, the first of which is read.
    pub fn describe(all: &[&Self]) -> String {
        let own = all.iter().map(|own| (own.joint.as_str(), own.joints, own.choice.as_str()));
        described(&own.collect::<Vec<_>>(), 0)
    }
}

/// Describes characters, of which one is read, by name of the root joint, number of joints, and option.
pub(crate) fn described(all: &[(&str, usize, &str)], read: usize) -> String {
    let own = |(name, joints, choice): &(&str, usize, &str)| {
        format!("{name:?} ({choice}, {joints} joints)")
    };
    let list: Vec<String> = all.iter().map(own).collect();
    let (last, first) = list.split_last().map_or(("", &[][..]), |(last, all)| (last.as_str(), all));
    let (count, first) = (all.len(), first.join(", "));
    let choice = all.get(read).map_or("", |own| own.2);
    format!(
        "found {count} characters, {first} and {last}: {choice} is read, the largest; choose with these options"
    )
}

/// Returns the option that chooses each of several root joints: their names, or their numbers where names are equal.
pub(crate) fn choices(names: &[String]) -> Vec<String> {
    let is_one = |name: &String| names.iter().filter(|own| *own == name).count() == 1;
    let numbered = names.iter().enumerate().map(|(number, name)| match is_one(name) {
        true => format!("--joint {name}"),
        false => format!("--joint #{number}"),
    });
    numbered.collect()
}

/// Returns the name of a node as a joint.
pub(super) fn joint_name(node: usize, own: &Node) -> BString {
    match own.name.is_empty() {
        true => BString::from(format!("node {node}")),
        false => own.name.clone(),
    }
}

/// Divides joints into trees that can each be a character, the largest first; none where there is one such tree alone. Joints
/// below a joint of a skin are of one character.
pub(crate) fn divided(tree: &[Node], wanted: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let Ok(paths) = Paths::new(tree) else { return Vec::new() };
    let is_joint = |node: usize| tree[node].kind == NodeKind::Joint || wanted.contains(&node);
    let mut all = below(tree, &paths, wanted, is_joint);
    if let [(one, _)] = &all[..]
        && let Some(fork) = fork(&paths, one)
        && tree[fork].kind != NodeKind::Joint
    {
        all = below(tree, &paths, wanted, |node| tree[node].parent == Some(fork));
    }
    all.retain(|(_, size)| *size >= MIN_JOINTS);
    all.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    all.truncate(MAX_CHARACTERS);
    if all.len() > 1 { all.into_iter().map(|own| own.0).collect() } else { Vec::new() }
}

/// Returns the joints at and below the only node of a name that has some; else the number of such nodes.
pub(crate) fn below_named(
    tree: &[Node],
    wanted: &BTreeSet<usize>,
    name: &str,
) -> Result<BTreeSet<usize>, usize> {
    let Ok(paths) = Paths::new(tree) else { return Err(0) };
    let mut all = below(tree, &paths, wanted, |node| joint_name(node, &tree[node]) == name);
    match all.len() {
        1 => Ok(all.swap_remove(0).0),
        count => Err(count),
    }
}

/// Groups joints by the topmost node above them, or itself, that starts a group; others are left out. With the number of nodes
/// at and below that node that show nothing.
fn below(
    tree: &[Node],
    paths: &Paths,
    wanted: &BTreeSet<usize>,
    starts: impl Fn(usize) -> bool,
) -> Vec<(BTreeSet<usize>, usize)> {
    let mut start: Vec<Option<usize>> = vec![None; tree.len()];
    for &node in &paths.order {
        let above = tree[node].parent.and_then(|parent| start[parent]);
        start[node] = above.or_else(|| starts(node).then_some(node));
    }
    let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &node in wanted {
        if let Some(start) = start[node] {
            groups.entry(start).or_default().insert(node);
        }
    }
    let mut sizes = vec![0; tree.len()];
    let joints = (0..tree.len()).filter(|&node| tree[node].kind != NodeKind::Object);
    joints.filter_map(|node| start[node]).for_each(|start| sizes[start] += 1);
    groups.into_iter().map(|(start, group)| (group, sizes[start])).collect()
}

/// Returns the first node, from the top of all joints down, that has joints below several children.
fn fork(paths: &Paths, wanted: &BTreeSet<usize>) -> Option<usize> {
    let mut carried: Vec<bool> = vec![false; paths.children.len()];
    for &node in paths.order.iter().rev() {
        let below = paths.children[node].iter().any(|&child| carried[child]);
        carried[node] = below || wanted.contains(&node);
    }
    let mut node = paths.up(*wanted.first()?).last()?;
    loop {
        let mut children = paths.children[node].iter().filter(|child| carried[**child]);
        node = match (children.next(), children.next()) {
            (None, _) => return None,
            (Some(&only), None) => only,
            _ => return Some(node),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::Local;
    use super::*;

    /// Nodes by name and parent.
    fn tree(nodes: &[(&str, Option<usize>)], kind: NodeKind) -> Vec<Node> {
        let node = |(name, parent): &(&str, Option<usize>)| Node {
            name: (*name).into(),
            parent: *parent,
            local: Local::IDENTITY,
            kind,
        };
        nodes.iter().map(node).collect()
    }

    /// Two chains of joints below a node at the top.
    fn chains(lengths: [usize; 2]) -> Vec<Node> {
        let mut nodes = vec![("scene", None)];
        for length in lengths {
            let first = nodes.len();
            nodes.extend((0..length).map(|k| ("j", Some(if k == 0 { 0 } else { first + k - 1 }))));
        }
        let mut tree = tree(&nodes, NodeKind::Plain);
        (tree[1].name, tree[1 + lengths[0]].name) = ("a".into(), "b".into());
        tree
    }

    #[test]
    fn trees_that_stand_apart_are_characters() {
        for is_marked in [true, false] {
            let mut tree = chains([9, 12]);
            if is_marked {
                tree[1..].iter_mut().for_each(|node| node.kind = NodeKind::Joint);
            }
            let wanted: BTreeSet<usize> = (usize::from(is_marked)..22).collect();
            let found = divided(&tree, &wanted);
            assert_eq!(found, [(10..22).collect(), (1..10).collect::<BTreeSet<_>>()]);
        }
        let mut below_a_joint = chains([9, 12]);
        below_a_joint[0].kind = NodeKind::Joint;
        assert!(divided(&below_a_joint, &(0..22).collect()).is_empty(), "hips");
        let short = chains([9, 4]);
        assert!(divided(&short, &(1..14).collect()).is_empty(), "a tool");
    }

    #[test]
    fn a_joint_is_found_by_a_name_that_one_node_has() {
        let tree = chains([9, 12]);
        let wanted: BTreeSet<usize> = (1..22).collect();
        assert_eq!(below_named(&tree, &wanted, "b"), Ok((10..22).collect()));
        assert_eq!(below_named(&tree, &wanted, "scene"), Ok(wanted.clone()));
        assert_eq!(below_named(&tree, &wanted, "j"), Err(2), "names below others do not count");
        assert_eq!(below_named(&tree, &wanted, "c"), Err(0));
    }

    #[test]
    fn equal_names_are_told_apart_by_numbers() {
        let names = ["a", "b", "a"].map(str::to_owned);
        assert_eq!(choices(&names), ["--joint #0", "--joint b", "--joint #2"]);
        let all = [("a", 9, "--joint #0"), ("b", 8, "--skin 1")];
        let expected = "found 2 characters, \"a\" (--joint #0, 9 joints) and \"b\" (--skin 1, 8 joints): \
             --joint #0 is read, the largest; choose with these options";
        assert_eq!(described(&all, 0), expected);
    }
}
