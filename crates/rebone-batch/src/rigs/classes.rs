//! Rig classes: files with the same skeleton, which share a card.

use crate::error::BatchError;
use crate::find::clip_file::{ClipFile, TarPlace};
use crate::jobs::names::card_name;
use crate::record::fingerprint::RigFingerprint;
use crate::record::hash;
use crate::record::manifest::HashedFile;
use crate::rigs::index::RigIndex;
use rebone::{Character, CharacterChoice};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// File of the survey.
#[derive(Clone, Debug)]
pub(crate) struct SurveyedFile {
    /// Path.
    pub(crate) path: PathBuf,
    /// Place in a tar, of a member of one.
    pub(crate) place: Option<TarPlace>,
    /// Character that is chosen.
    pub(crate) character: CharacterChoice,
    /// Hash of its bytes.
    pub(crate) hash: String,
    /// Files beside it that hold its data.
    pub(crate) beside: Vec<HashedFile>,
    /// Features of its skeleton; files with the same ones share them.
    pub(crate) fingerprint: Arc<RigFingerprint>,
}

impl SurveyedFile {
    /// The file and those beside it, as they were hashed; a member of a tar is checked when it is read.
    pub(crate) fn read_files(&self) -> Vec<HashedFile> {
        let own = HashedFile { path: self.path.clone(), hash: self.hash.clone() };
        let own = Some(own).filter(|_| self.place.is_none());
        own.into_iter().chain(self.beside.iter().cloned()).collect()
    }

    /// Refuses a file that changed since it was surveyed.
    pub(crate) fn check_unchanged(&self) -> Result<(), BatchError> {
        hash::check_unchanged(&self.read_files())?;
        self.place.as_ref().map_or(Ok(()), |place| place.check(&self.path, &self.hash))
    }

    /// Reads the file with its first clip.
    pub(crate) fn open(&self) -> Result<Character, BatchError> {
        self.file().open(&self.hash, None)
    }

    /// Reads the skeleton and the first frame.
    pub(crate) fn open_first_frame(&self) -> Result<Character, BatchError> {
        self.file().open_first_frame(&self.hash)
    }

    fn file(&self) -> ClipFile<'_> {
        let character = self.character.selector();
        ClipFile { path: &self.path, place: self.place.as_ref(), character }
    }
}

/// Files of one rig class.
#[derive(Clone, Debug)]
pub(crate) struct RigClass {
    /// Name of its card, without extension.
    pub(crate) name: String,
    /// Indices of its files: first those with the skeleton of the class, then the others, by the hashes of their bytes.
    pub(crate) members: Vec<usize>,
}

/// Groups files by rig class.
///
/// Classes are those that are `known` by their cards, and one for each file that is of none before it, in the order of
/// hashes; each file then belongs to the nearest. A new class is named after the first of its files in the order of
/// paths; a skeleton of it without a card, among the `others` in the folder of cards, gives it its name, and any other
/// file there takes the name away. Where cards are frozen there are no new classes. Neither the order of the files nor which of these classes were known before changes the result.
pub(crate) fn of(
    files: &[SurveyedFile],
    known: &BTreeMap<String, RigFingerprint>,
    others: &BTreeMap<String, Option<RigFingerprint>>,
    is_frozen: bool,
) -> Vec<RigClass> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_cached_key(|&k| {
        (hash::of(&files[k].fingerprint.tree), files[k].hash.clone(), files[k].path.clone())
    });
    let mut centres = RigIndex::default();
    known.values().for_each(|print| centres.add(print));
    for own in order.iter().map(|&k| &*files[k].fingerprint) {
        if !is_frozen && centres.near(own).is_empty() {
            centres.add(own);
        }
    }
    let mut members = vec![Vec::new(); centres.len()];
    for &k in &order {
        if let Some((_, nearest)) = centres.near(&files[k].fingerprint).first() {
            members[*nearest].push(k);
        }
    }
    let (mut without_card, mut names_of_others) = (RigIndex::default(), Vec::new());
    for (name, print) in others.iter().filter_map(|(name, print)| Some((name, print.as_ref()?))) {
        without_card.add(print);
        names_of_others.push(name);
    }
    let mut named = BTreeSet::new();
    let mut names = ClassNames::new(known.keys().chain(others.keys()));
    let mut class = |(centre, card): (&RigFingerprint, Option<&String>),
                     mut members: Vec<usize>| {
        members.sort_by_key(|&k| *files[k].fingerprint != *centre);
        let first = members.iter().map(|&k| &files[k].path).min();
        let first = first.map_or(String::new(), |path| card_name(path));
        let near = without_card.near(centre);
        let mut near = near.into_iter().map(|(_, index)| names_of_others[index]);
        let near = near.find(|name| !named.contains(*name));
        named.extend(near.filter(|_| card.is_none()).cloned());
        let name = card.or(near).cloned().unwrap_or_else(|| names.free(&first));
        RigClass { name, members }
    };
    let cards = known.keys().map(Some).chain(std::iter::repeat(None));
    let met = members.into_iter().zip(cards).enumerate();
    let met = met.filter(|(_, (members, _))| !members.is_empty());
    met.map(|(index, (members, card))| class((centres.get(index), card), members)).collect()
}

/// Names of rig classes, unique where case does not count.
struct ClassNames {
    /// Names in lower case, each with the next number to try.
    taken: HashMap<String, usize>,
}

impl ClassNames {
    fn new<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        Self { taken: names.map(|name| (name.to_lowercase(), 2)).collect() }
    }

    /// Takes a name, with a number behind it where it is taken.
    fn free(&mut self, name: &str) -> String {
        let Some(&first) = self.taken.get(&name.to_lowercase()) else {
            self.taken.insert(name.to_lowercase(), 2);
            return name.to_owned();
        };
        let numbered = |number: usize| format!("{name}-{number}");
        let is_taken = |number: usize| self.taken.contains_key(&numbered(number).to_lowercase());
        let mut number = first;
        while is_taken(number) {
            number += 1;
        }
        self.taken.insert(name.to_lowercase(), number + 1);
        self.taken.insert(numbered(number).to_lowercase(), 2);
        numbered(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fingerprint::COMPARISONS;

    /// A file whose only bone points that many degrees off +Y.
    fn file(name: &str, hash: &str, degrees: f64) -> SurveyedFile {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let print = RigFingerprint {
            tree: b"tree".to_vec(),
            directions: vec![nalgebra::Vector3::new(sin, cos, 0.0)],
            rest_rotations: Vec::new(),
        };
        SurveyedFile {
            path: name.into(),
            place: None,
            character: CharacterChoice::default(),
            hash: hash.to_owned(),
            beside: Vec::new(),
            fingerprint: Arc::new(print),
        }
    }

    fn named(
        files: &[SurveyedFile],
        known: &BTreeMap<String, RigFingerprint>,
    ) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let paths =
            |class: &RigClass| class.members.iter().map(|&k| files[k].path.clone()).collect();
        of(files, known, &BTreeMap::new(), false)
            .iter()
            .map(|class| (class.name.clone(), paths(class)))
            .collect()
    }

    #[test]
    fn rig_classes_do_not_depend_on_the_order_of_files() {
        let files =
            [file("a", "3", 0.0), file("b", "1", 4.0), file("c", "2", 8.0), file("A", "0", 40.0)];
        let mut turned = files.clone();
        let classes = named(&files, &BTreeMap::new());
        assert_eq!(classes.keys().collect::<Vec<_>>(), ["A", "a-2"]);
        for _ in 0..files.len() {
            turned.rotate_left(1);
            assert_eq!(named(&turned, &BTreeMap::new()), classes);
        }
    }

    #[test]
    fn rig_classes_are_the_same_whichever_are_known() {
        let angles = [0.0, 4.5, 8.0, 12.5, 15.0, 17.0, 21.0, 24.5, 30.0];
        let places = angles.iter().enumerate();
        let files: Vec<SurveyedFile> = places
            .map(|(k, angle)| file(&format!("f{k}"), &((k * 5 + 3) % 9).to_string(), *angle))
            .collect();
        let all = named(&files, &BTreeMap::new());
        let centre =
            |class: &RigClass| (class.name.clone(), (*files[class.members[0]].fingerprint).clone());
        let centres: Vec<_> =
            of(&files, &BTreeMap::new(), &BTreeMap::new(), false).iter().map(centre).collect();
        assert!(centres.len() > 2);
        for some in 0..1 << centres.len() {
            let known = centres.iter().enumerate().filter(|(k, _)| some >> k & 1 == 1);
            assert_eq!(named(&files, &known.map(|(_, card)| card.clone()).collect()), all);
        }
    }

    #[test]
    fn a_rig_class_keeps_the_name_of_its_card() {
        let known =
            BTreeMap::from([("hero".to_owned(), (*file("x", "", 2.0).fingerprint).clone())]);
        let files = [file("a", "1", 0.0), file("b", "2", 50.0)];
        let names: Vec<String> = of(&files, &known, &BTreeMap::new(), false)
            .into_iter()
            .map(|class| class.name)
            .collect();
        assert_eq!(names, ["hero", "b"]);
    }

    #[test]
    fn files_on_both_sides_of_a_card_have_that_one() {
        let known =
            BTreeMap::from([("hero".to_owned(), (*file("x", "", 0.0).fingerprint).clone())]);
        let files = [file("a", "1", 3.5), file("b", "2", -3.5), file("c", "3", 8.0)];
        let classes = of(&files, &known, &BTreeMap::new(), false);
        let names: Vec<_> =
            classes.iter().map(|class| (class.name.as_str(), class.members.len())).collect();
        assert_eq!(names, [("hero", 2), ("c", 1)]);
    }

    #[test]
    fn thousands_of_skeletons_are_grouped_in_linear_time() {
        let of_tree = |k: usize| SurveyedFile {
            fingerprint: Arc::new(RigFingerprint {
                tree: format!("tree {}", k % 5000).into_bytes(),
                directions: vec![nalgebra::Vector3::y(); 60],
                rest_rotations: Vec::new(),
            }),
            ..file("walk", &k.to_string(), 0.0)
        };
        let files: Vec<SurveyedFile> = (0..20_000).map(of_tree).collect();
        let before = COMPARISONS.get();
        let classes = of(&files, &BTreeMap::new(), &BTreeMap::new(), false);
        assert_eq!(classes.len(), 5000);
        assert!(classes.iter().all(|class| class.members.len() == 4));
        // Each file with each class would be a hundred million.
        let comparisons = COMPARISONS.get() - before;
        assert!(comparisons <= 2 * files.len(), "{comparisons}");
    }
}
