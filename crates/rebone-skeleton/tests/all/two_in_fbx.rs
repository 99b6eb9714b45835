//! An FBX with two characters.

/// A body of FBX text and its copy, whose joints have another prefix.
pub(crate) fn two_in_fbx(prefix: &str) -> String {
    let text = include_str!("../../../../tests/fuzz/seeds/fbx/arm.fbx");
    let (head, body) = text.split_once("Objects:  {\n").unwrap();
    let (objects, connections) = body.split_once("}\nConnections:  {\n").unwrap();
    let connections = connections.trim_end().strip_suffix('}').unwrap();
    // Numbers of three digits are those of objects; 0 is the scene.
    let moved = |text: &str| -> String {
        let words = text.split_inclusive([',', ' ', ':', '\n', '\t']);
        let word = |word: &str| {
            let digits = word.trim_end_matches([',', ' ', ':', '\n', '\t']);
            let is_id = digits.len() == 3 && digits.parse::<u32>().is_ok_and(|id| id >= 100);
            if is_id { format!("7{word}") } else { word.to_owned() }
        };
        words.map(word).collect()
    };
    let copy = |line: &str| match line.contains(", \"") && line.ends_with("{\n") {
        true => moved(line).replace("Model::", &format!("Model::{prefix}")),
        false => line.to_owned(),
    };
    let objects: String =
        [objects.to_owned(), objects.split_inclusive('\n').map(copy).collect()].concat();
    format!(
        "{head}Objects:  {{\n{objects}}}\nConnections:  {{\n{connections}{}}}\n",
        moved(connections)
    )
}
