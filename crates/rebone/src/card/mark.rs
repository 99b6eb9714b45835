//! How a card tells its own lines from those that people wrote.
//!
//! A line that the program wrote ends in `~` and six digits that are a checksum of its text and its
//! section: `hips = "pelvis"  # 0.98 both thighs hang on it ~3fa91c`. Whoever changes anything in the
//! line, or takes the mark away, owns it from then on.

/// Digits of a mark.
const DIGITS: usize = 6;

/// The lines, the first with the mark of all of them behind it.
pub(crate) fn marked(section: &str, lines: &[&str]) -> String {
    let first = lines.first().copied().unwrap_or_default();
    format!("{first} ~{}", checksum(section, lines))
}

/// Whether the first line ends in the mark of these lines.
pub(crate) fn is_marked(section: &str, lines: &[&str]) -> bool {
    let Some((first, rest)) = lines.split_first() else { return false };
    let Some((text, mark)) = first.trim_end().rsplit_once('~') else { return false };
    let lines: Vec<&str> = [text].into_iter().chain(rest.iter().copied()).collect();
    mark == checksum(section, &lines)
}

/// The line without its mark.
pub(crate) fn unmarked(line: &str) -> &str {
    line.rsplit_once(" ~").map_or(line, |(text, _)| text)
}

/// FNV-1a (Fowler, Noll & Vo) over section and lines, as [`plain`] has them, as six digits.
fn checksum(section: &str, lines: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for line in [section].iter().chain(lines) {
        plain(line).bytes().chain([b'\n']).for_each(&mut add);
    }
    let folded = hash ^ (hash >> 24) ^ (hash >> 48);
    format!("{:0DIGITS$x}", folded & 0xff_ffff)
}

/// The line with blanks in a row taken for one, but for those inside quotes, and one behind it.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut quote = None;
    let [mut is_escaped, mut is_comment] = [false; 2];
    for c in line.trim().chars().chain([' ']) {
        if quote.is_none() && c.is_whitespace() {
            if !plain.is_empty() && !plain.ends_with(' ') {
                plain.push(' ');
            }
            continue;
        }
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some('"') if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if is_comment => {}
            None if c == '#' => is_comment = true,
            None => quote = Some(c).filter(|&c| c == '"' || c == '\''),
        }
        plain.push(c);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_touched_is_not_ours() {
        let line = marked("roles", &["head = \"Head\"  # 0.95 named Head"]);
        assert!(is_marked("roles", &[&line]));
        assert!(is_marked("roles", &[&format!("  {}\t\r\n", line.replace("  #", " #"))]));
        assert!(!is_marked("axes", &[&line]));
        for (from, to) in [("\"Head\"", "\"Neck\""), ("named", "called"), ("0.95 ", ""), ("~", "")]
        {
            assert!(!is_marked("roles", &[&line.replace(from, to)]), "{from} to {to}");
        }
        assert!(!is_marked("roles", &["head = \"Head\""]) && !is_marked("roles", &[]));
    }

    #[test]
    fn blanks_in_names_count() {
        let line = marked("roles", &["head = 'a  \"b'  # 0.95  it's"]);
        assert!(is_marked("roles", &[&line.replace("  #", "   #").replace("0.95  ", "0.95 ")]));
        assert!(!is_marked("roles", &[&line.replace("a  ", "a ")]));
        let line = marked("roles", &["head = \"a\\\"  b\"  # 0.95"]);
        assert!(!is_marked("roles", &[&line.replace("  b", " b")]));
    }

    #[test]
    fn a_head_speaks_for_all_lines_below_it() {
        let head = marked("pose", &["[pose]", "a = [0, 0, 1]", "b = [0, 0, 2]"]);
        assert!(is_marked("pose", &[&head, "a = [0, 0, 1]", "b = [0, 0, 2]"]));
        assert!(!is_marked("pose", &[&head, "a = [0, 0, 1]"]));
        assert!(!is_marked("pose", &[&head, "a = [0, 0, 1]", "b = [0, 0, 3]"]));
    }
}
