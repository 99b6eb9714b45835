//! Where results go.

use super::inputs::{Clip, stem};
use crate::exit_code::Failure;
use crate::paths;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// How results are called: text with `{stem}`, the clip's name, and `{target}`, the rig's, both without
/// their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(String);

impl Template {
    /// `{stem}` for one rig, `{stem}-{target}` for more.
    pub(crate) fn usual(rigs: usize) -> Self {
        Self(if rigs == 1 { "{stem}" } else { "{stem}-{target}" }.to_owned())
    }

    /// Reads a template.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.replace("{stem}", "").replace("{target}", "");
        let is_inside = |part: Component| matches!(part, Component::Normal(_));
        if rest.contains(['{', '}']) {
            Err("expected text with {stem} and {target}, nothing else in braces".to_owned())
        } else if !text.contains("{stem}") {
            Err("without {stem} all clips would have one name".to_owned())
        } else if !Path::new(text).components().all(is_inside) {
            Err("expected a name below the output folder".to_owned())
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The place of a result below the output folder.
    pub(crate) fn place(&self, clip: &Clip, rig: &Path) -> PathBuf {
        let name = self.0.replace("{stem}", "\u{0}").replace("{target}", &stem(rig));
        clip.folder.join(name.replace('\u{0}', &stem(&clip.path)) + ".bvh")
    }
}

/// Refuses where two results would have one name, whatever the case of its letters, or would replace an
/// input.
pub(crate) fn check(
    outputs: &[(PathBuf, &Path)],
    inputs: &[&Path],
    folder: &Path,
) -> Result<(), Failure> {
    let mut taken: BTreeMap<String, (&Path, &Path)> = BTreeMap::new();
    for (place, clip) in outputs {
        let key = place.to_string_lossy().to_lowercase();
        if let Some((other_place, other)) = taken.insert(key, (place, clip)) {
            let [place, other_place] = [place.as_path(), other_place].map(Path::display);
            let same = if place.to_string() == other_place.to_string() {
                format!("{place}")
            } else {
                format!("{other_place} and {place}, one name where case does not count")
            };
            return Err(Failure::usage(format!(
                "{} and {} would both be written to {same}: name them apart with --name, or give the \
                 folder that both are below",
                other.display(),
                clip.display()
            )));
        }
    }
    if !folder.exists() {
        return Ok(());
    }
    for (place, _) in outputs {
        let output = folder.join(place);
        let input = inputs.iter().find(|input| output.exists() && paths::same_file(input, &output));
        if let Some(input) = input {
            return Err(Failure::usage(format!(
                "the output {} is the same file as the input {}: an input is never changed",
                output.display(),
                input.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(path: &str, folder: &str) -> Clip {
        Clip { path: path.into(), folder: folder.into() }
    }

    #[test]
    fn templates_are_filled_and_stay_below_the_folder() {
        let walk = clip("in/a/{target}.bvh", "a");
        let place = |text| Template::parse(text).unwrap().place(&walk, Path::new("rigs/Hero.bvh"));
        assert_eq!(place("{target}/x-{stem}"), Path::new("a/Hero/x-{target}.bvh"));
        assert_eq!(
            Template::usual(2).place(&walk, Path::new("H.bvh")),
            Path::new("a/{target}-H.bvh")
        );
        for wrong in ["{target}", "{stem}{kind}", "../{stem}", "/{stem}", "{stem", ""] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn results_of_one_name_are_found_before_the_work() {
        let outputs = |a: &str, b: &str| {
            let out = [(PathBuf::from(a), Path::new("x/a.bvh")), (b.into(), Path::new("y/a.bvh"))];
            check(&out, &[], Path::new("no such folder"))
        };
        assert!(outputs("a.bvh", "b.bvh").is_ok());
        let message = outputs("a.bvh", "A.bvh").unwrap_err().message();
        assert!(message.contains("x/a.bvh and y/a.bvh") && message.contains("case"), "{message}");
    }
}
