//! Parts of a reply between two marks: a tag, or two texts.

use std::ops::Range;

/// Returns what is in the last tag of this name; `None` if there is none, or if another one opens after it.
///
/// The letter case of the name does not count, nor do blanks inside the brackets. A tag has no attributes.
pub fn cut_tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (mut open, mut found) = (None, None);
    // The last opening tag, and the part before the last closing tag.
    for tag in find_tags(text, name) {
        match tag.kind {
            Kind::Opening => open = Some(tag.place),
            Kind::Closing => found = open.clone().map(|open| (open, tag.place)),
        }
    }
    let (opened, closed) = found?;
    if open.is_some_and(|open| open.start > closed.start) {
        return None;
    }
    Some(without_outer_emphasis(text.get(..opened.start)?, text.get(opened.end..closed.start)?))
}

/// Whether a tag opens or closes.
#[derive(Clone, Copy)]
enum Kind {
    Opening,
    Closing,
}

struct Tag {
    place: Range<usize>,
    kind: Kind,
}

/// Finds the tags of a name, in their order.
fn find_tags(text: &str, name: &str) -> impl Iterator<Item = Tag> {
    text.match_indices('<').filter_map(move |(start, _)| {
        let inner = text.get(start + 1..)?.trim_start();
        let (inner, kind) = match inner.strip_prefix('/') {
            Some(rest) => (rest.trim_start(), Kind::Closing),
            None => (inner, Kind::Opening),
        };
        let (known, rest) = inner.split_at_checked(name.len())?;
        let behind = rest.trim_start().strip_prefix('>').filter(|_| known.eq_ignore_ascii_case(name))?;
        Some(Tag { place: start..text.len() - behind.len(), kind })
    })
}

/// Returns what is between the last occurrence of a text that the other one follows, and that one; `None` if there is none, or if the first text is once more
/// after it. If the texts end and begin with a pair of brackets, nested pairs are skipped.
pub fn cut_between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let inside = match find_brackets(open, close) {
        Some(brackets) => find_nested(text, (open, close), brackets)?,
        None => {
            let start = text.get(..text.rfind(close)?)?.rfind(open)? + open.len();
            start..start + text.get(start..)?.find(close)?
        }
    };
    let behind = text.get(inside.end + close.len()..)?;
    if behind.contains(open) {
        return None;
    }
    Some(without_outer_emphasis(text.get(..inside.start - open.len())?, text.get(inside)?))
}

/// Returns the brackets with which the first text ends and the second one begins.
fn find_brackets(open: &str, close: &str) -> Option<(char, char)> {
    let found = (open.chars().next_back()?, close.chars().next()?);
    [('{', '}'), ('(', ')'), ('[', ']')].contains(&found).then_some(found)
}

/// A bracket that is open.
enum Open {
    /// The end of the first text: the part begins here.
    Part(usize),
    /// Another one.
    Nested,
}

/// Finds the last part between the two texts whose nested brackets are paired.
fn find_nested(text: &str, (open, close): (&str, &str), brackets: (char, char)) -> Option<Range<usize>> {
    let mut opened: Vec<Open> = Vec::new();
    let mut found: Option<Range<usize>> = None;
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        let end = at + char.len_utf8();
        if char == '\\' && open.starts_with('\\') {
            // TeX: the next character is escaped, unless it begins a command.
            if text.get(end..).is_some_and(|rest| rest.starts_with(['{', '}', '(', ')', '[', ']', '\\']))
                && !text.get(at..).is_some_and(|rest| rest.starts_with(open) || rest.starts_with(close))
            {
                chars.next();
            }
        } else if char == brackets.0 {
            let is_part = text.get(..end).is_some_and(|before| before.ends_with(open));
            opened.push(if is_part { Open::Part(end) } else { Open::Nested });
        } else if char == brackets.1 {
            match opened.as_slice() {
                [.., Open::Part(start)] if text.get(at..).is_some_and(|rest| rest.starts_with(close)) => {
                    if found.as_ref().is_none_or(|found| found.start < *start) {
                        found = Some(*start..at);
                    }
                    opened.pop();
                }
                // Of `[[[1], [2]]]`, the third bracket is nested.
                [.., Open::Part(around), Open::Part(start)] if *start < around + open.len() => drop(opened.pop()),
                [.., Open::Nested] => drop(opened.pop()),
                _ => {}
            }
        }
    }
    found
}

/// Returns the part without emphasis that opens directly before the first mark and closes directly after it, and is so around the second one, too
/// (`**<answer>**4**</answer>**`).
fn without_outer_emphasis<'t>(before: &str, part: &'t str) -> &'t str {
    let Some(sign) = before.chars().next_back().filter(|sign| matches!(sign, '*' | '_')) else { return part };
    let signs = before.get(before.trim_end_matches(sign).len()..).unwrap_or_default();
    part.strip_prefix(signs).and_then(|rest| rest.strip_suffix(signs)).unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tag_counts() {
        for (text, part) in [
            ("<answer>4</answer>", Some("4")),
            ("So it is <answer>4</answer>, as asked.", Some("4")),
            ("< ANSWER >\n**4**\n</ Answer\n>", Some("\n**4**\n")),
            ("<answer>3</answer> no, <answer>4</answer>", Some("4")),
            ("<answer>3 <answer>4</answer>", Some("4")),
            ("<answer></answer>", Some("")),
            ("**<answer>**4**</answer>**", Some("4")),
            ("<answers>3</answers><answer>4</answer>", Some("4")),
            ("<answer>a < b</answer>", Some("a < b")),
            ("<answer>4", None),
            ("<answer>3</answer> or <answer>4", None),
            ("4</answer>", None),
            ("<answer n=\"1\">4</answer>", None),
            ("[answer]4[/answer]", None),
            ("4", None),
            ("<", None),
            ("<é", None),
        ] {
            assert_eq!(cut_tag(text, "answer"), part, "{text}");
        }
    }

    #[test]
    fn the_last_pair_of_texts_counts() {
        for (open, close, text, part) in [
            ("[[", "]]", "It is [[4]].", Some("4")),
            ("[[", "]]", "[[3]] no, [[4]]", Some("4")),
            ("[[", "]]", "[[3]] or [[4", None),
            ("[[", "]]", "[[4]", None),
            ("[[", "]]", "[[ [1], [2] ]]", Some(" [1], [2] ")),
            ("[[", "]]", "[[[1],[2]]]", Some("[1],[2]")),
            ("[[", "]]", "[[ a] b ]]", Some(" a] b ")),
            ("[[", "]]", "[[ oops, [[4]]", Some("4")),
            (r"\boxed{", "}", r"So $\boxed{\text{Ulm}}$.", Some(r"\text{Ulm}")),
            (r"\boxed{", "}", r"\boxed{\frac{1}{2}}", Some(r"\frac{1}{2}")),
            (r"\boxed{", "}", r"\boxed{\{1, 2\}}", Some(r"\{1, 2\}")),
            (r"\boxed{", "}", r"\boxed{x = \boxed{4}}", Some("4")),
            (r"\boxed{", "}", r"\boxed{3} and \boxed{4", None),
            (r"\boxed{", "}", r"\boxed 4", None),
            (r"\[", r"\]", r"So \[4\].", Some("4")),
            (r"\(", r"\)", r"So \(f(2)\).", Some("f(2)")),
            ("Answer: ", ".", "Answer: 3. No. Answer: 4. Bye.", Some("4")),
            ("Answer: ", ".", "Answer: 4. Answer: ", None),
            ("**", "**", "It is **4**.", Some("4")),
            ("«", "»", "«3» «é»", Some("é")),
            ("a", "é", "xaé", Some("")),
            ("[[", "]]", "]] [[", None),
        ] {
            assert_eq!(cut_between(text, open, close), part, "{open} {close} in {text}");
        }
    }

    #[test]
    fn many_marks_take_no_time() {
        let began = std::time::Instant::now();
        assert_eq!(cut_between(&r"\boxed{".repeat(300_000), r"\boxed{", "}"), None);
        assert_eq!(cut_tag(&"<answer>".repeat(300_000), "answer"), None);
        assert_eq!(cut_tag(&"<".repeat(300_000), "answer"), None);
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }
}
