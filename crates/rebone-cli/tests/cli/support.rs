//! Runs the program in a folder of its own, on a small humanoid.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A folder with `walk.bvh` (three frames) and `hero.bvh` (one frame, other names).
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("walk.bvh"), humanoid("", 3)).unwrap();
        std::fs::write(folder.path().join("hero.bvh"), humanoid("mixamorig:", 1)).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `rebone` with these words.
    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_with(line, &[])
    }

    /// The same with variables of the environment.
    pub(crate) fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Run {
        let words = line.split_whitespace();
        Run::new(self.command().args(words).envs(variables.iter().copied()).output().unwrap())
    }

    /// Starts `rebone` with these words, and does not wait.
    pub(crate) fn start(&self, line: &str) -> Child {
        let mut command = self.command();
        command.args(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// As [`run`](Self::run) with words that need not be text.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_words(&self, words: &[&std::ffi::OsStr]) -> Run {
        Run::new(self.command().args(words).output().unwrap())
    }

    /// `rebone` in this folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebone"));
        command.current_dir(self.folder.path()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }
}

/// The data of a report's page.
pub(crate) fn report_data(page: &str) -> serde_json::Value {
    let begin = page.find("{\"page\":").unwrap();
    serde_json::from_str(page[begin..].split_once("</script>").unwrap().0).unwrap()
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The run ended with this code and said all of these on standard error.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, said: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        for text in said {
            assert!(self.stderr.contains(text), "no {text:?} in {}", self.stderr);
        }
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
    }

    #[track_caller]
    pub(crate) fn succeeds(&self) {
        assert_eq!(self.code, 0, "{self:?}");
    }
}

/// A figure in T-pose, in centimetres, that bends its left knee a little more in each frame.
pub(crate) fn humanoid(prefix: &str, frames: usize) -> String {
    let mut text = String::from("HIERARCHY\n");
    node(&mut text, prefix, &tree());
    text += &format!("MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n");
    for frame in 0..frames {
        let mut values = vec![String::from("0 90 0")];
        for (index, name) in names().iter().enumerate() {
            let bend = if *name == "LeftLeg" { 10.0 * frame as f64 } else { 0.0 };
            values.push(if index == 0 { "0 0 0".into() } else { format!("0 {bend} 0") });
        }
        text += &values.join(" ");
        text.push('\n');
    }
    text
}

/// A T pose, and then frames in which the arms hang.
pub(crate) fn with_leading_pose(frames: usize) -> String {
    let text = humanoid("", frames);
    let (head, motion) = text.split_once("Frame Time: 0.0333333\n").unwrap();
    let names = names();
    // The Z rotation of a joint, behind the three positions of the root.
    let column = |name: &str| 3 + 3 * names.iter().position(|other| *other == name).unwrap();
    let hang = |(frame, line): (usize, &str)| {
        let mut values: Vec<&str> = line.split(' ').collect();
        if frame > 0 {
            values[column("LeftArm")] = "-75";
            values[column("RightArm")] = "75";
        }
        values.join(" ") + "\n"
    };
    let frames: String = motion.lines().enumerate().map(hang).collect();
    format!("{head}Frame Time: 0.0333333\n{frames}")
}

struct Node {
    name: &'static str,
    offset: [i32; 3],
    children: Vec<Node>,
}

/// A chain of joints, each the only child of the one before it.
fn chain(parts: &[(&'static str, [i32; 3])], last: Vec<Node>) -> Node {
    let ((name, offset), rest) = parts.split_first().unwrap();
    let children = if rest.is_empty() { last } else { vec![chain(rest, last)] };
    Node { name, offset: *offset, children }
}

fn tree() -> Node {
    let arm = |names: [&'static str; 4], s: i32| {
        let [collar, upper, lower, hand] = names;
        let parts = [
            (collar, [3 * s, 12, 0]),
            (upper, [14 * s, 0, 0]),
            (lower, [28 * s, 0, 0]),
            (hand, [25 * s, 0, 0]),
        ];
        chain(&parts, vec![])
    };
    let leg = |names: [&'static str; 4], s: i32| {
        let [upper, lower, foot, toes] = names;
        let parts = [
            (upper, [9 * s, -3, 0]),
            (lower, [0, -40, 0]),
            (foot, [0, -40, 0]),
            (toes, [0, -6, 12]),
        ];
        chain(&parts, vec![])
    };
    let head = chain(&[("Neck", [0, 16, 0]), ("Head", [0, 10, 2])], vec![]);
    let arms = [
        arm(["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"], 1),
        arm(["RightShoulder", "RightArm", "RightForeArm", "RightHand"], -1),
    ];
    let above = [head].into_iter().chain(arms).collect();
    let spine = chain(&[("Spine", [0, 12, 0]), ("Spine1", [0, 18, 0])], above);
    let left = leg(["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"], 1);
    let right = leg(["RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"], -1);
    chain(&[("Hips", [0, 0, 0])], vec![spine, left, right])
}

/// All joints in the order of the file.
fn names() -> Vec<&'static str> {
    fn walk(node: &Node, names: &mut Vec<&'static str>) {
        names.push(node.name);
        node.children.iter().for_each(|child| walk(child, names));
    }
    let mut names = Vec::new();
    walk(&tree(), &mut names);
    names
}

fn node(text: &mut String, prefix: &str, of: &Node) {
    let [x, y, z] = of.offset;
    let (kind, position) = match of.name {
        "Hips" => ("ROOT", "6 Xposition Yposition Zposition"),
        _ => ("JOINT", "3"),
    };
    *text += &format!("{kind} {prefix}{}\n{{\nOFFSET {x} {y} {z}\n", of.name);
    *text += &format!("CHANNELS {position} Zrotation Xrotation Yrotation\n");
    of.children.iter().for_each(|child| node(text, prefix, child));
    if of.children.is_empty() {
        *text += &format!("End Site\n{{\nOFFSET {} {} {}\n}}\n", x / 2, y / 2, z / 2);
    }
    *text += "}\n";
}

/// The first eight bytes of a PNG file.
pub(crate) fn is_png(path: &Path) -> bool {
    std::fs::read(path).unwrap().starts_with(b"\x89PNG\r\n\x1a\n")
}
