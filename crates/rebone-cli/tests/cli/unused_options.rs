//! Options that change nothing beside others are refused, with what they need.

use crate::support::Place;

#[test]
fn an_option_without_effect_is_refused_with_what_it_needs() {
    let place = Place::new();
    let before = place.files();
    for (output, options, need) in [
        ("bvh", "--add-root", "--root root-bone"),
        ("bvh", "--add-root --root in-place", "--root root-bone"),
        ("bvh", "--root-start source", "--root root-bone"),
        ("bvh", "--root-smoothing 0.5", "--root in-place"),
        ("bvh", "--animation walk", "a .glb"),
        ("bvh", "--tolerance 1,1", "a .glb"),
        ("glb", "--decimals 3", "a .bvh"),
        ("bvh", "--method copy --solver nelder-mead", "--method ik"),
        ("bvh", "--method copy --contacts all", "--method ik"),
        ("bvh", "--method copy --contacts off", "--method ik"),
        ("bvh", "--contacts off --no-self-contact", "--contacts off"),
        ("bvh", "--method copy --no-self-contact", "--method ik"),
        ("bvh", "--method copy --limbs position", "--method ik"),
        ("glb", "--method bind --arms 0.5", "--method ik"),
        ("bvh", "--method copy --legs position", "--method ik"),
        ("bvh", "--method copy --limits human", "--method ik"),
        ("bvh", "--method bind --floor 3 --ground keep", "--method ik"),
        ("bvh", "--method egocentric --arms position", "--method ik"),
        ("bvh", "--method egocentric --solver jacobian-transpose", "--method ik"),
        ("bvh", "--method egocentric --contacts feet --no-self-contact", "--method ik"),
        ("bvh", "--method energies --limits human", "--method ik"),
        ("bvh", "--contacts off --floor 3 --ground on", "contacts"),
        ("bvh", "--animation-only", "a .glb or .gltf"),
        ("vrma", "--animation-only", "a .glb or .gltf"),
        ("bvh", "--unit cm", "--travel metric"),
    ] {
        let run = place.run(&format!("retarget walk.bvh hero.bvh -o out.{output} {options}"));
        run.fails(2, &["has no effect: it needs", need]);
        assert_eq!(place.files(), before, "{options}");
    }
    for (options, said) in [
        ("--decimals 3 -t walk.bvh -t hero.glb", ""),
        ("--decimals 3 --one-file", "--decimals has no effect: it needs a .bvh to write"),
        ("--animation x --one-file", "--animation has no effect: it needs a file for each result"),
        ("--add-root", "--add-root has no effect: it needs --root root-bone"),
        ("--animation walk", "--animation has no effect: it needs a .glb"),
        ("--method copy --solver nelder-mead", "--solver has no effect: it needs --method ik"),
        ("--options rules.toml", "rules.toml: tolerance has no effect: it needs a .glb"),
        ("--options rules.toml -t hero.glb", ""),
        ("--animation-only", "--animation-only has no effect: it needs a .glb or .gltf"),
        ("--animation-only --one-file", ""),
    ] {
        place.write("rules.toml", "[[clips]]\nfiles = '*'\ntolerance = '1,1'\n");
        place.run("retarget walk.bvh hero.bvh -o hero.glb").succeeds();
        for dry in ["--dry-run", ""] {
            let run = place.run(&format!("batch walk.bvh -t hero.bvh -o out {options} {dry}"));
            match said {
                "" => run.succeeds(),
                said => run.fails(2, &[said]),
            }
            assert_eq!(place.path("out").exists(), said.is_empty() && dry.is_empty(), "{options}");
        }
        let _ = std::fs::remove_dir_all(place.path("out"));
    }
    place.run("preview walk.bvh hero.bvh -o a.png --clip b").fails(2, &["--clip has no effect"]);
    for line in [
        "retarget walk.bvh hero.bvh -o a.bvh --root in-place --root-smoothing 0.5",
        "retarget walk.bvh hero.bvh -o a.bvh --root-path path.json --root-smoothing 0.5",
        "retarget walk.bvh hero.bvh -o a.bvh --root root-bone --add-root --root-start source",
        "retarget walk.bvh hero.bvh -o a.bvh --travel metric --unit cm",
        "retarget walk.bvh hero.bvh -o a.glb --unit target=cm --animation-only",
        "retarget walk.bvh hero.bvh -o a.bvh --contacts off --floor 3",
    ] {
        place.run(line).succeeds();
    }
}

#[test]
fn a_rule_without_an_option_is_refused() {
    let place = Place::new();
    place.write("rules.toml", "[[clips]]\nfiles = 'x'\nskip = true\n[[clips]]\nfiles = '*'\n");
    let run = place.run("batch walk.bvh -t hero.bvh -o out --options rules.toml");
    run.fails(1, &["rules.toml:4: the table has no effect: expected an option"]);
    for (text, said) in [
        ("# none\n", "rules.toml:1: the file has no effect: expected a [[clips]] table"),
        (
            "[[clips]]\nfiles = '*'\nskip = true\nfps = 30\n",
            "rules.toml:1: fps has no effect: skip = true leaves the clips out",
        ),
    ] {
        place.write("rules.toml", text);
        place.run("batch walk.bvh -t hero.bvh -o out --options rules.toml").fails(1, &[said]);
    }
    assert!(!place.path("out").exists());
}
