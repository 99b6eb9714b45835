//! Rig classes: files with the same skeleton, which share a card.

use super::hash;
use super::inputs::stem;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::Character;
use rebone::skeleton::{Clip, JointId, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest difference of rest poses within a rig class, radians: 5 degrees.
const ALIKE: f64 = 0.087;

/// Features that tell rig classes apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fingerprint {
    /// Hash of all names and of the hierarchy.
    tree: String,
    /// The way from each joint's parent to it, of length 1, or 0 where it has none. Not the root's, nor that of
    /// a joint with position channels that carries all but the root: these are the place of the body in its
    /// file.
    ways: Vec<Vector3<f64>>,
    /// Rest rotations.
    rests: Vec<UnitQuaternion<f64>>,
}

impl Fingerprint {
    /// Reads the skeleton of a file, with the first frame only.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let first = Character::open_first_frame(path)?;
        Ok(Self::new(first.skeleton(), first.clip()))
    }

    fn new(skeleton: &Skeleton, first: &Clip) -> Self {
        let mut text = Vec::new();
        for joint in skeleton.joints() {
            let parent = joint.parent.map_or(u64::MAX, |parent| parent.index() as u64);
            text.extend((joint.name.len() as u64).to_le_bytes());
            text.extend_from_slice(&joint.name);
            text.extend(parent.to_le_bytes());
        }
        let way = |id: JointId| {
            let moves = id.index() == 0 || !skeleton.joint(id).translation_axes.is_empty();
            let is_place = moves && skeleton.carries_all(id);
            let bone = first.bone(skeleton, id);
            if is_place { None } else { bone.try_normalize(1e-9) }.unwrap_or_default()
        };
        let ways = skeleton.ids().map(way);
        let rests = skeleton.joints().iter().map(|joint| joint.rest_rotation);
        Self { tree: hash::of(&text), ways: ways.collect(), rests: rests.collect() }
    }

    /// Largest angle between two, radians; `None` for different hierarchies.
    fn apart(&self, other: &Self) -> Option<f64> {
        if self.tree != other.tree {
            return None;
        }
        let ways = self.ways.iter().zip(&other.ways).map(|(a, b)| match (a.norm(), b.norm()) {
            (0.0, 0.0) => 0.0,
            (0.0, _) | (_, 0.0) => std::f64::consts::PI,
            _ => a.angle(b),
        });
        let rests = self.rests.iter().zip(&other.rests).map(|(a, b)| a.angle_to(b));
        Some(ways.chain(rests).fold(0.0, f64::max)).filter(|&most| most < ALIKE)
    }
}

/// File of the survey.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Path.
    pub(crate) path: PathBuf,
    /// Hash of its bytes.
    pub(crate) hash: String,
    /// Features of its skeleton; files with the same ones share them.
    pub(crate) print: Arc<Fingerprint>,
}

/// Files of one rig class.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// Name of its card, without extension.
    pub(crate) name: String,
    /// Its files, places in the list, by the hashes of their bytes, but first those with the skeleton that
    /// stands for all.
    pub(crate) members: Vec<usize>,
}

/// The kinds of some files: those that are `known` by their cards and, in the order of hashes, each file that is
/// near to none before it; all files then belong to the nearest. A new kind is called as the first of its files in
/// the order of paths. The order of the files changes nothing, nor which of these kinds were known before.
pub(crate) fn of(files: &[Seen], known: &BTreeMap<String, Fingerprint>) -> Vec<Kind> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|&k| (&files[k].print.tree, &files[k].hash, &files[k].path));
    let mut centres: Vec<(&Fingerprint, Option<&String>)> =
        known.iter().map(|(name, print)| (print, Some(name))).collect();
    for print in order.iter().map(|&k| &*files[k].print) {
        if centres.iter().all(|(centre, _)| centre.apart(print).is_none()) {
            centres.push((print, None));
        }
    }
    let mut members = vec![Vec::new(); centres.len()];
    for &k in &order {
        let apart = |(centre, _): &(&Fingerprint, _)| centre.apart(&files[k].print);
        let near = centres.iter().enumerate().filter_map(|(n, centre)| Some((apart(centre)?, n)));
        if let Some((_, nearest)) = near.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            members[nearest].push(k);
        }
    }
    let mut taken: BTreeSet<String> = known.keys().cloned().collect();
    let mut kind = |(centre, card): (&Fingerprint, Option<&String>), mut members: Vec<usize>| {
        members.sort_by_key(|&k| *files[k].print != *centre);
        let first =
            members.iter().map(|&k| &files[k].path).min().map_or(String::new(), |p| stem(p));
        let name = card.cloned().unwrap_or_else(|| free_name(&first, &mut taken));
        Kind { name, members }
    };
    let met = centres.into_iter().zip(members).filter(|(_, members)| !members.is_empty());
    met.map(|(centre, members)| kind(centre, members)).collect()
}

/// Makes a name unique, case ignored.
fn free_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let is_taken = |name: &str| taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !is_taken(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file whose only bone points that many degrees off +Y.
    fn file(name: &str, hash: &str, degrees: f64) -> Seen {
        let way = Vector3::new(degrees.to_radians().sin(), degrees.to_radians().cos(), 0.0);
        let print = Fingerprint { tree: "tree".to_owned(), ways: vec![way], rests: Vec::new() };
        Seen { path: name.into(), hash: hash.to_owned(), print: Arc::new(print) }
    }

    fn named(
        files: &[Seen],
        known: &BTreeMap<String, Fingerprint>,
    ) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let paths = |kind: &Kind| kind.members.iter().map(|&k| files[k].path.clone()).collect();
        of(files, known).iter().map(|kind| (kind.name.clone(), paths(kind))).collect()
    }

    #[test]
    fn kinds_do_not_depend_on_the_order_of_files() {
        let files =
            [file("a", "3", 0.0), file("b", "1", 4.0), file("c", "2", 8.0), file("A", "0", 40.0)];
        let mut turned = files.clone();
        let kinds = named(&files, &BTreeMap::new());
        assert_eq!(kinds.keys().collect::<Vec<_>>(), ["A", "a-2"]);
        for _ in 0..files.len() {
            turned.rotate_left(1);
            assert_eq!(named(&turned, &BTreeMap::new()), kinds);
        }
    }

    #[test]
    fn kinds_are_the_same_whichever_are_known() {
        let angles = [0.0, 4.5, 8.0, 12.5, 15.0, 17.0, 21.0, 24.5, 30.0];
        let places = angles.iter().enumerate();
        let files: Vec<Seen> = places
            .map(|(k, angle)| file(&format!("f{k}"), &((k * 5 + 3) % 9).to_string(), *angle))
            .collect();
        let all = named(&files, &BTreeMap::new());
        let centre = |kind: &Kind| (kind.name.clone(), (*files[kind.members[0]].print).clone());
        let centres: Vec<_> = of(&files, &BTreeMap::new()).iter().map(centre).collect();
        assert!(centres.len() > 2);
        for some in 0..1 << centres.len() {
            let known = centres.iter().enumerate().filter(|(k, _)| some >> k & 1 == 1);
            assert_eq!(named(&files, &known.map(|(_, card)| card.clone()).collect()), all);
        }
    }

    #[test]
    fn a_kind_keeps_the_name_of_its_card() {
        let known = BTreeMap::from([("hero".to_owned(), (*file("x", "", 2.0).print).clone())]);
        let files = [file("a", "1", 0.0), file("b", "2", 50.0)];
        let names: Vec<String> = of(&files, &known).into_iter().map(|kind| kind.name).collect();
        assert_eq!(names, ["hero", "b"]);
    }

    #[test]
    fn files_on_both_sides_of_a_card_have_that_one() {
        let known = BTreeMap::from([("hero".to_owned(), (*file("x", "", 0.0).print).clone())]);
        let files = [file("a", "1", 3.5), file("b", "2", -3.5), file("c", "3", 8.0)];
        let kinds = of(&files, &known);
        let names: Vec<_> =
            kinds.iter().map(|kind| (kind.name.as_str(), kind.members.len())).collect();
        assert_eq!(names, [("hero", 2), ("c", 1)]);
    }
}
