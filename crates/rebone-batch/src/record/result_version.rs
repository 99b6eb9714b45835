//! Version of results and cards, by which those of another program are known.

/// Version of results and cards. It is part of their hashes in a manifest, so that a batch makes those of another version
/// again. To be raised by each change after which equal inputs give other bytes.
pub const RESULT_VERSION: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::hash;
    use rebone::skeleton::Format;
    use rebone::{Character, CharacterHints, Options, Selection};
    use std::path::Path;

    /// Hashes of a few results and of their targets' cards, all of [`RESULT_VERSION`].
    const HASHES: &str = "\
clips/walk.bvh rigs/toy-a-pose.bvh bf11e5352541b5bf0d258c3a9fca8e0f 8d8d596d01359b55ba6e74875e62481a 2\n\
clips/climb.bvh rigs/one-spine.bvh 603dfa56ce83dae521170a854eca6e3a 1cdffdc82fe45a8b95e1ee5ddb6ac899 2\n\
clips/sit.bvh characters/person.glb d617eba791791f927c0a658b7af66b54 24c20a51a3eca55866967d3f7babcec4 2\n\
clips/wave.bvh rigs/nameless.bvh 2863e9e42d6134a2bc22f3b7aec63363 43f903e7d2fcf27900b74bbdf6d07219 2\n\
";

    fn open(name: &str) -> Character {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        Character::open(data.join(name), Selection::default()).unwrap()
    }

    #[test]
    fn results_of_other_bytes_have_another_version() {
        let mut found = String::new();
        for (source, target, format) in [
            ("clips/walk.bvh", "rigs/toy-a-pose.bvh", Format::Bvh),
            ("clips/climb.bvh", "rigs/one-spine.bvh", Format::Bvh),
            ("clips/sit.bvh", "characters/person.glb", Format::Glb),
            ("clips/wave.bvh", "rigs/nameless.bvh", Format::Npz),
        ] {
            let (from, to) = (open(source), open(target));
            let options = Options { accept_guesses: true, ..Options::default() };
            let result = rebone::retarget(&from, &to, &options).unwrap();
            let bytes = hash::of(&result.write(format).unwrap());
            let card = CharacterHints::default().card_of(&to.analyse().unwrap(), None, false);
            let card = hash::of(card.unwrap().to_toml().as_bytes());
            found += &format!("{source} {target} {bytes} {card} {RESULT_VERSION}\n");
        }
        assert_eq!(
            found, HASHES,
            "bytes of results or cards changed: raise RESULT_VERSION, then take the hashes on the left"
        );
    }
}
