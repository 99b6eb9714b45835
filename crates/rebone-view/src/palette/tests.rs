//! Files of other languages that hold the palette, and contrasts of its colours.

use super::*;
use std::path::Path;

/// Joints that are picked in the studio, and bones in Blender whose role is not sure.
const PICKED: Rgb = [0xD6, 0x00, 0x8A];
/// Surface samples of the studio by depth: from light to dark, and apart from the orange skin of a result.
const DEPTHS: [(&str, Rgb); 4] = [
    ("near", [0xA9, 0xB1, 0xBC]),
    ("touching", [0xFF, 0xE1, 0x4D]),
    ("inside", [0x1F, 0x6F, 0xE0]),
    ("deep", [0x2E, 0x0A, 0x6B]),
];
/// Contrast that WCAG 2.1 asks of text (1.4.3) and of marks (1.4.11).
const TEXT_CONTRAST: f64 = 4.5;
const MARK_CONTRAST: f64 = 3.0;

/// Relative luminance as in WCAG 2.1.
fn luminance(colour: Rgb) -> f64 {
    let linear = colour.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let [a, b] = [a, b].map(|colour| luminance(colour) + 0.05);
    a.max(b) / a.min(b)
}

/// Reads `#rrggbb`.
fn rgb(hex: &str) -> Rgb {
    let digits = hex.strip_prefix('#').unwrap_or_else(|| panic!("{hex}"));
    [0, 2, 4].map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a generated file, or writes it where `REBONE_BLESS` is set.
fn compare(path: &str, made: &str) {
    if std::env::var_os("REBONE_BLESS").is_some() {
        std::fs::write(root().join(path), made).unwrap();
    }
    assert!(read(path) == made, "{path} is old: REBONE_BLESS=1 cargo test -p rebone-view palette");
}

/// Shade of an ink for text: the middle one where the ground is dark, where it is light the darker one of left limbs.
fn text_shade(ink: Ink, white: f64) -> Rgb {
    if white > 0.0 { ink.middle } else { ink.left }
}

/// The variables that the studio has beside those of a report.
fn studio_css() -> String {
    let more = css_rules(|white| {
        let inks = [("source-text", Ink::BLUE_GREY), ("result-text", Ink::ORANGE)]
            .map(|(name, ink)| (name, text_shade(ink, white)));
        let axes = std::iter::zip(["bend", "twist", "side"], AXES);
        let rest = [("picked", PICKED)].into_iter().chain(DEPTHS).chain(axes);
        let define = |(name, colour)| format!("--{name}: {}; ", hex(colour, white));
        inks.into_iter().chain(rest).map(define).collect()
    });
    format!(
        "/* Generated from crates/rebone-view/src/palette.rs: REBONE_BLESS=1 cargo test -p rebone-view palette */\n{}{more}",
        css_variables()
    )
}

fn blender_python() -> String {
    let Ink { left, middle, right } = Ink::ORANGE;
    let line = |(name, [r, g, b]): (&str, Rgb)| {
        format!("{name} = (0x{r:02X} / 255, 0x{g:02X} / 255, 0x{b:02X} / 255)\n")
    };
    let lines = [("LEFT", left), ("TRUNK", middle), ("RIGHT", right), ("UNSURE", PICKED)].map(line);
    format!(
        "\"\"\"Colours of bones, sRGB from 0 to 1. Generated: REBONE_BLESS=1 cargo test -p rebone-view palette\"\"\"\n\n{}",
        lines.concat()
    )
}

/// Values of the CSS variables of a light or dark background, later definitions first.
fn variables(css: &str, is_dark: bool) -> Vec<(&str, &str)> {
    let is_in = |line: &&str| line.starts_with("@media (prefers-color-scheme: dark)") == is_dark;
    let lines = css.lines().filter(|line| line.contains(":root {")).filter(is_in);
    let pairs = lines.flat_map(|line| line.split(['{', ';', '}'])).filter_map(|part| {
        part.trim().strip_prefix("--").and_then(|definition| definition.split_once(": "))
    });
    pairs.collect::<Vec<_>>().into_iter().rev().collect()
}

fn variable(css: &str, name: &str, is_dark: bool) -> Rgb {
    let found = variables(css, is_dark).into_iter().find(|(known, _)| *known == name);
    rgb(found.unwrap_or_else(|| panic!("no --{name}")).1)
}

/// Grounds of text in the studio's page, light or dark.
fn grounds(is_dark: bool) -> Vec<Rgb> {
    let css = read("web/src/page.css");
    let value = |name: &str| {
        let start = format!("--{name}: light-dark(");
        let rest = css.split_once(&start).unwrap_or_else(|| panic!("no --{name}")).1;
        let pair = rest.split_once(')').unwrap().0.split_once(", ").unwrap();
        rgb(if is_dark { pair.1 } else { pair.0 })
    };
    ["ground", "panel", "pointed"].map(value).to_vec()
}

#[test]
fn palette_of_studio_and_blender_is_what_is_generated() {
    compare("web/src/palette.css", &studio_css());
    compare("blender/palette.py", &blender_python());
}

#[test]
fn curves_and_trunks_stand_out_from_the_paper() {
    for ink in [Ink::BLUE_GREY, Ink::ORANGE] {
        assert!(contrast(PAPER, ink.middle) >= MARK_CONTRAST);
    }
}

#[test]
fn palette_of_text_in_the_studio_stands_out_from_its_grounds() {
    let css = read("web/src/palette.css");
    for is_dark in [false, true] {
        for ground in grounds(is_dark) {
            for (name, least) in [("source-text", TEXT_CONTRAST), ("result-text", TEXT_CONTRAST)] {
                let found = contrast(variable(&css, name, is_dark), ground);
                assert!(found >= least, "--{name} on {ground:02x?}: {found:.2}");
            }
        }
        // Bars and curves lie on the panel.
        for name in ["source", "result", "picked"] {
            let found = contrast(variable(&css, name, is_dark), grounds(is_dark)[1]);
            assert!(found >= MARK_CONTRAST, "--{name}: {found:.2}");
        }
    }
}

/// The colours of a figure in the four places: pixels of a picture, both style sheets, Python.
#[test]
fn palette_is_one_in_pictures_report_studio_and_blender() {
    let mut report = Vec::new();
    crate::Page::new("rebone", "").write(&mut report, crate::PageDetails::Inside(&[])).unwrap();
    let report = String::from_utf8(report).unwrap();
    let studio = read("web/src/palette.css");
    for (name, ink) in [("source", Ink::BLUE_GREY), ("result", Ink::ORANGE)] {
        let drawn = pixels(ink);
        for (side, shade) in [("-left", ink.left), ("", ink.middle), ("-right", ink.right)] {
            assert!(drawn.contains(&shade), "{name}{side} is not in a picture");
            for css in [&report, &studio] {
                assert_eq!(variable(css, &format!("{name}{side}"), false), shade, "{name}{side}");
                let mixed = rgb(&hex(shade, DARK_MODE_WHITE));
                assert_eq!(variable(css, &format!("{name}{side}"), true), mixed, "{name}{side}");
            }
        }
    }
    let Ink { left, middle, right } = Ink::ORANGE;
    for (name, shade) in [("LEFT", left), ("TRUNK", middle), ("RIGHT", right), ("UNSURE", PICKED)] {
        assert_eq!(python(&read("blender/palette.py"), name), shade, "{name}");
    }
}

/// Colours of the pixels of a walk in this ink.
fn pixels(ink: Ink) -> Vec<Rgb> {
    let walk = rebone_samples::walk().motion;
    let anatomy = rebone::analyse(&walk, &rebone::Hints::default()).unwrap();
    let shown = crate::ShownFrame::spread(walk.clip.len(), walk.clip.frame_time, 2);
    let view =
        crate::MotionView { label: "walk", motion: &walk, anatomy: Some(&anatomy), skin: None };
    let figure = crate::motion_figure(&view, &shown, ink).unwrap();
    let options = crate::SheetOptions { title: String::new(), first_frame: 0 };
    let bytes = crate::contact_sheet(&[figure], &shown, &options).unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    let step = info.color_type.samples();
    data[..info.buffer_size()].chunks(step).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

/// Reads a colour of Python: `NAME = (0x.. / 255, 0x.. / 255, 0x.. / 255)`.
fn python(text: &str, name: &str) -> Rgb {
    let start = format!("{name} = (");
    let line = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
    let parts: Vec<u8> = line
        .trim_end_matches(')')
        .split(", ")
        .map(|part| part.strip_prefix("0x").and_then(|part| part.strip_suffix(" / 255")).unwrap())
        .map(|digits| u8::from_str_radix(digits, 16).unwrap())
        .collect();
    parts.try_into().unwrap()
}

/// Names of variables that the palette alone defines, whole or as the part before a hyphen.
const NAMES: [&str; 15] = [
    "source", "result", "target", "left", "right", "picked", "near", "touching", "inside", "deep",
    "bend", "twist", "side", "trunk", "unsure",
];
/// Largest difference of the channels of a grey.
const GREY: u8 = 0x18;

#[test]
fn palette_alone_has_colours_of_figures() {
    let mut found = Vec::new();
    for folder in ["web/src", "crates/rebone-view/src/page/web", "blender"] {
        for path in files(&root().join(folder)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if ["palette.css", "palette.py"].contains(&&*name) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let wrong = text.lines().filter(|line| is_other_colour(line, name.ends_with(".css")));
            found.extend(wrong.map(|line| format!("{}: {line}", path.display())));
        }
    }
    assert!(found.is_empty(), "colours beside the palette: {found:#?}");
}

#[test]
fn palette_finds_colours_beside_it() {
    for line in
        ["--source: #123456;", "--left-arm: light-dark(#123456, #fff);", ".a { color: #d60; }"]
    {
        assert!(is_other_colour(line, true), "{line}");
    }
    assert!(!is_other_colour("  --ground: light-dark(#ffffff, #15171b);", true));
    assert!(is_other_colour("const COLORS = { source: \"#d97706\" };", false));
    for line in ["LEFT = (0.20, 0.45, 0.85)", "    (0.20, 0.45, 0.85),"] {
        assert!(is_other_colour(line, false), "{line}");
    }
    assert!(!is_other_colour("PROBE_AXIS = (0.8, 0.0, 0.6)", false));
    assert!(!is_other_colour("const floor = new GridHelper(10, 20, \"#8a8f99\");", false));
}

/// Whether a line holds a colour that belongs into the palette. Style sheets define variables of other names; code has greys alone.
fn is_other_colour(line: &str, is_css: bool) -> bool {
    let line = line.trim();
    if let Some((name, _)) = line.strip_prefix("--").and_then(|line| line.split_once(':'))
        && is_css
    {
        return !colours(line).is_empty() && name.split('-').any(|part| NAMES.contains(&part));
    }
    let is_hue = |[r, g, b]: &Rgb| r.max(g).max(b) - r.min(g).min(b) > GREY;
    colours(line).iter().any(is_hue) || is_python_colour(line)
}

/// Colours `#rgb` and `#rrggbb` of a line.
fn colours(line: &str) -> Vec<Rgb> {
    let words = line.split('#').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        &rest[..end]
    });
    let hex = words.filter(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hex.filter_map(|word| match word.len() {
        3 => Some([0, 1, 2].map(|at| 17 * u8::from_str_radix(&word[at..=at], 16).unwrap())),
        6 | 8 => Some(rgb(&format!("#{word}"))),
        _ => None,
    })
    .collect()
}

/// Whether a line of Python is three numbers from 0 to 1, alone or under a name of the palette.
fn is_python_colour(line: &str) -> bool {
    let (name, value) = line.split_once(" = ").unwrap_or(("", line));
    let inside = value.trim_matches(['(', ')', ',']).split(", ").map(str::parse::<f64>);
    let Ok(parts) = inside.collect::<Result<Vec<_>, _>>() else { return false };
    let name = name.to_lowercase();
    let is_named = name.is_empty() || name.split('_').any(|part| NAMES.contains(&part));
    is_named && parts.len() == 3 && parts.iter().all(|part| (0.0..=1.0).contains(part))
}

/// Sources of a folder: style sheets, pages and code; tests and what tools put there are left out.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" && !name.starts_with("__") {
            found.extend(files(&path));
        } else if [".css", ".html", ".js", ".ts", ".tsx", ".py"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}
