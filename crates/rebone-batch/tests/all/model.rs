//! Random sequences of changes and runs: after each full run that prunes, the output is that of a run into an empty
//! folder, and files of people are as they were.
//!
//! `REBONE_SEQUENCES` is the number of sequences, 4 without it, `REBONE_STEPS` the steps of each, 12 without it, and
//! `REBONE_SEED` the first seed. Runs are stopped here; `crates/rebone-cli/tests/cli/killed.rs` kills them.

use crate::common::random::{Random, variable};
use crate::common::{
    Place, RIG, root_pictures, tree, try_run, turning, turning_bent, turning_other, write_gltf,
};
use rebone_batch::{BatchError, BatchRequest, Pictures, Progress, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Takes one of these names.
fn pick<'a>(random: &mut Random, names: &[&'a str]) -> &'a str {
    names[random.below(names.len() as u64) as usize]
}

/// Takes an angle, in degrees.
fn turn(random: &mut Random) -> f64 {
    random.below(40) as f64 / 2.0
}

const CLIPS: [&str; 4] = ["lib/a.bvh", "lib/b.bvh", "lib/sub/a.bvh", "lib/sub/d.bvh"];
const FILES: [&str; 2] = ["lib/m.gltf", "lib/sub/n.gltf"];
const NAMES: [&str; 5] = ["walk", "#1", "a/b", "a_b", "0"];
const RIGS: [&str; 2] = ["hero.bvh", "other.bvh"];

/// A library with its output folder, and what is known of both.
struct Model {
    place: Place,
    random: Random,
    seed: u64,
    /// Files of people in the output folder.
    people: BTreeMap<String, Vec<u8>>,
    rigs: Vec<&'static str>,
    one_file: bool,
    limits: bool,
    /// Draws the results.
    draws: bool,
    trace: Vec<String>,
}

impl Model {
    fn new(seed: u64) -> Self {
        let place = Place::new();
        place.write("lib/a.bvh", &turning(5.0));
        let rigs = vec![RIGS[0]];
        let (random, people) = (Random(seed), BTreeMap::new());
        Self {
            place,
            random,
            seed,
            people,
            rigs,
            one_file: false,
            limits: false,
            draws: seed % 2 == 1,
            trace: Vec::new(),
        }
    }

    fn request(&self) -> BatchRequest {
        let mut request = BatchRequest {
            targets: self.rigs.iter().map(|rig| self.place.path(rig)).collect(),
            name: Some("{stem}-{target}".parse().unwrap()),
            one_file: self.one_file,
            ..self.place.request()
        };
        if self.limits {
            request.options.fps = Some(60.0);
        }
        request.pictures = self.pictures("pictures");
        request
    }

    /// Pictures in a folder, where results are drawn.
    fn pictures(&self, folder: &str) -> Option<Pictures> {
        self.draws.then(|| root_pictures(self.place.path(folder)))
    }

    fn step(&mut self) {
        let kind = self.random.below(15);
        let turn = turn(&mut self.random);
        let what = match kind {
            0 | 1 => {
                let name = pick(&mut self.random, &CLIPS);
                let body = self.random.below(4);
                let clip = [turning, turning, turning_bent, turning_other][body as usize];
                self.place.write(name, &clip(turn));
                format!("{name} turns by {turn}, body {body}")
            }
            2 => {
                let name = pick(&mut self.random, &CLIPS[1..]);
                self.remove(name)
            }
            3 => self.write_scene(),
            4 => self.change_data(turn),
            5 => {
                let name = pick(&mut self.random, &FILES);
                self.remove(name)
            }
            6 => {
                self.rigs = match self.random.below(3) {
                    0 => vec![RIGS[0]],
                    1 => RIGS.to_vec(),
                    _ => vec![RIGS[1]],
                };
                format!("rigs {:?}", self.rigs)
            }
            14 => self.change_rig(),
            7 => self.name_pose(turn),
            8 => self.write_as_person(),
            9 => {
                self.one_file = !self.one_file;
                format!("one file: {}", self.one_file)
            }
            10 => {
                self.limits = !self.limits;
                format!("other options: {}", self.limits)
            }
            11 => self.run_some(),
            12 => self.run_stopped(),
            _ => {
                self.place.write("lib/broken.bvh", if turn > 8.0 { "HIERARCHY" } else { "x" });
                "a broken clip".to_owned()
            }
        };
        self.trace.push(what);
    }

    /// Removes a clip, and its folder with the last one: results of clips of an empty folder are not pruned.
    fn remove(&self, name: &str) -> String {
        let path = self.place.path(name);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir(path.parent().unwrap());
        format!("{name} is gone")
    }

    /// Makes the lower legs of a rig longer, or turns its thighs: then it is of another rig class.
    fn change_rig(&mut self) -> String {
        let (name, length) = (pick(&mut self.random, &RIGS), 16 + self.random.below(4));
        let turned = self.random.below(3) == 0;
        let text = RIG.replace("OFFSET 0 -16.14173 0", &format!("OFFSET 0 -{length} 0"));
        let thigh = if turned { "OFFSET 0 -18 3" } else { "OFFSET 0 -18.11024 0" };
        self.place.write(name, &text.replace("OFFSET 0 -18.11024 0", thigh));
        format!("{name} has lower legs of {length}, turned {turned}")
    }

    /// Writes a file with several clips.
    fn write_scene(&mut self) -> String {
        let name = pick(&mut self.random, &FILES);
        let path = self.place.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let count = 1 + self.random.below(3);
        let clips: Vec<(&str, f64)> =
            (0..count).map(|_| (pick(&mut self.random, &NAMES), turn(&mut self.random))).collect();
        write_gltf(&path, &clips);
        format!("{name}: {clips:?}")
    }

    /// Changes numbers in a `.bin`, and nothing else.
    fn change_data(&mut self, turn: f64) -> String {
        let name = pick(&mut self.random, &FILES);
        let path = self.place.path(name);
        let Ok(text) = fs::read_to_string(&path) else { return format!("no {name}") };
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let clips = json["animations"].as_array().unwrap().len();
        write_gltf(&path, &vec![("x", turn); clips]);
        fs::write(&path, text).unwrap();
        format!("other data for {name}")
    }

    /// Writes a pose beside the cards and names it in one.
    fn name_pose(&mut self, turn: f64) -> String {
        let cards = self.place.path("out/cards");
        let Some(card) = cards_in(&cards).into_iter().find(|name| !name.contains("guess")) else {
            return "no card".to_owned();
        };
        // The skeleton of the card as its pose: it has its joints.
        let skeleton = cards.join(&card).with_extension("bvh");
        let Ok(text) = fs::read_to_string(&skeleton) else { return "no skeleton".to_owned() };
        let pose = text.trim_end().to_owned() + &"\n".repeat(1 + turn as usize);
        let (pose_name, card_name) = ("cards/0-pose.bvh", format!("cards/{card}"));
        let text = self.place.read(&format!("out/{card_name}"));
        let named = match text.starts_with("pose_from") {
            true => text,
            false => format!("pose_from = \"0-pose.bvh:0\"\n{text}"),
        };
        self.write_person(pose_name, &pose);
        self.write_person(&card_name, &named);
        format!("{card} names a pose")
    }

    /// Writes a file of a person.
    fn write_as_person(&mut self) -> String {
        let names = [
            "notes.txt",
            "sub/mine.bvh",
            "cards/x.guess.toml",
            "cards/stray.bvh",
            "parts/mine.glb",
        ];
        let name = pick(&mut self.random, &names);
        let text = format!("of a person, {}", self.random.below(100));
        self.write_person(name, &text);
        format!("a person writes {name}")
    }

    fn write_person(&mut self, name: &str, text: &str) {
        self.place.write(&format!("out/{name}"), text);
        self.people.insert(name.to_owned(), text.as_bytes().to_vec());
    }

    /// Runs with a part of the inputs and rigs, without pruning or with it.
    fn run_some(&mut self) -> String {
        let input = pick(&mut self.random, &["lib/a.bvh", "lib/sub", "lib/m.gltf"]);
        if !self.place.path(input).exists() {
            return format!("no {input}");
        }
        let before = tree(&self.place.path("out"));
        let prune = self.random.below(4) == 0;
        let request =
            BatchRequest { inputs: vec![self.place.input(input)], prune, ..self.request() };
        let done = try_run(&request, &AtomicBool::new(false));
        if !prune && done.is_ok() {
            let now = tree(&self.place.path("out"));
            let lost: Vec<_> = before.keys().filter(|name| !now.contains_key(*name)).collect();
            // The program's own guess of a card that was accepted goes.
            assert!(
                lost.iter().all(|name| name.ends_with(".guess.toml")),
                "{self}: {lost:?} is gone"
            );
        }
        format!("a run with {input}, prune {prune}: {}", done.is_ok())
    }

    /// Runs until the first result.
    fn run_stopped(&mut self) -> String {
        let stop = AtomicBool::new(false);
        let _ = run(&self.request(), &stop, &mut |event: Progress| {
            if matches!(event, Progress::Result { .. }) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        "a run that is stopped".to_owned()
    }

    /// Runs all, and compares with a run into a new folder with these cards.
    fn check(&mut self) {
        let request = BatchRequest { prune: true, ..self.request() };
        let outcome = try_run(&request, &AtomicBool::new(false));
        let fresh = self.place.path("fresh");
        let _ = fs::remove_dir_all(&fresh);
        let _ = fs::remove_dir_all(self.place.path("fresh-pictures"));
        for (name, bytes) in tree(&self.place.path("out/cards")) {
            let path = fresh.join("cards").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let pictures = self.pictures("fresh-pictures");
        let again = BatchRequest { output: fresh.clone(), pictures, ..self.request() };
        let expected = try_run(&again, &AtomicBool::new(false));
        let message = |error: BatchError| rebone::error_line(&error).replace("/fresh/", "/out/");
        let (outcome, expected) = (outcome.map_err(message).err(), expected.map_err(message).err());
        assert_eq!(outcome, expected, "{self}");
        for (name, bytes) in &self.people {
            let now = fs::read(self.place.path("out").join(name)).ok();
            assert_eq!(now.as_ref(), Some(bytes), "{self}: {name} of a person");
        }
        if outcome.is_some() {
            return;
        }
        let [drawn, expected] =
            ["pictures", "fresh-pictures"].map(|name| tree(&self.place.path(name)));
        assert!(drawn == expected, "{self}: {:?}, fresh: {:?}", drawn.keys(), expected.keys());
        let mut own = tree(&self.place.path("out"));
        own.retain(|name, _| !self.people.contains_key(name) || name.starts_with("cards/"));
        let mut expected = tree(&fresh);
        let manifest = expected.get_mut(rebone_batch::manifest::NAME).unwrap();
        *manifest =
            String::from_utf8(manifest.clone()).unwrap().replace("/fresh/", "/out/").into_bytes();
        for (name, bytes) in &own {
            let text = |bytes: &[u8]| {
                String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned()
            };
            let other = expected.get(name);
            let shown = other.map(|other| text(other));
            assert!(other == Some(bytes), "{self}: {name}:\n{}\nfresh: {shown:?}", text(bytes));
        }
        assert_eq!(own.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{self}");
    }
}

impl std::fmt::Display for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "seed {}: {:#?}", self.seed, self.trace)
    }
}

/// Names of the cards in a folder, sorted.
fn cards_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
    names.sort();
    names
}

#[test]
fn a_full_run_leaves_what_a_fresh_run_makes() {
    let first = variable("REBONE_SEED", 0);
    for seed in first..first + variable("REBONE_SEQUENCES", 4) {
        let mut model = Model::new(seed);
        model.place.write(RIGS[1], RIG);
        for step in 0..variable("REBONE_STEPS", 12) {
            model.step();
            if step % 3 == 2 {
                model.check();
            }
        }
        model.check();
    }
}
