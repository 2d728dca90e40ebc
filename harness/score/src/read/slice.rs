//! Parts of a reply: the last line, the text after a mark, fenced blocks, the text between two marks.

use std::ops::Range;

use model::answer_key::Slice;

use super::{between, clean};
use crate::rules::Rules;

/// Returns the part that counts; `None` if it does not exist.
pub fn cut_slice<'a>(text: &'a str, slice: &Slice, rules: &Rules) -> Option<&'a str> {
    match slice {
        Slice::LastLine => {
            let text = if rules.opens_every_block { &text[..end_of_last_block(text, None)] } else { text };
            let blank = |line: &str| {
                if rules.canonical_texts { clean::normalize_text(line).is_empty() } else { line.trim().is_empty() }
            };
            text.lines().rev().find(|line| !blank(line))
        }
        Slice::After(mark) => find_last_mark(text, mark, rules).map(|Range { start, end: at }| {
            let rest = if rules.opens_every_block { &text[at..end_of_last_block(text, Some(at))] } else { &text[at..] };
            if rules.emphasized_marks { without_emphasis(&text[..start], rest) } else { rest }
        }),
        Slice::Fenced(language) => {
            let named = |block: &Block<'_>| {
                language.as_ref().is_none_or(|language| block.language.eq_ignore_ascii_case(language.trim()))
            };
            find_blocks(text).filter(named).last().map(|block| block.body)
        }
        Slice::Tag(name) => between::cut_tag(text, name),
        Slice::Between(open, close) => between::cut_between(text, open, close),
    }
}

/// Finds the last place of a mark: as it is written, or, where it is not written so, in any letter case, and with a blank before its colon or a wide one.
fn find_last_mark(text: &str, mark: &str, rules: &Rules) -> Option<Range<usize>> {
    if let Some(start) = text.rfind(mark) {
        return Some(start..start + mark.len());
    }
    let word = mark.strip_suffix(':').filter(|word| rules.folded_marks && !word.is_empty());
    let colons = |word: &str| [mark.to_owned(), format!("{word} :"), format!("{word}\u{a0}:"), format!("{word}：")];
    let marks = word.map_or_else(|| vec![mark.to_owned()], |word| colons(word).to_vec());
    marks.iter().find_map(|mark| find_folded_mark(text, mark, rules))
}

/// Finds the last place of a mark in any letter case.
fn find_folded_mark(text: &str, mark: &str, rules: &Rules) -> Option<Range<usize>> {
    let first = mark.chars().next().filter(|_| rules.folded_marks)?;
    let is_same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    text.char_indices().rev().filter(|(_, char)| is_same(*char, first)).find_map(|(start, _)| {
        let mut chars = text[start..].char_indices();
        let is_there = mark.chars().all(|wanted| chars.next().is_some_and(|(_, char)| is_same(char, wanted)));
        is_there.then(|| start..text.len() - chars.as_str().len())
    })
}

/// Returns the text after a mark, without emphasis that opens directly before the mark and closes directly after it (`**Answer:** 42`), or at the end of the
/// same line if that is the last one (`**Answer: 42**`).
fn without_emphasis<'a>(before: &str, rest: &'a str) -> &'a str {
    let Some(sign) = before.chars().next_back().filter(|sign| matches!(sign, '*' | '_')) else { return rest };
    let signs = &before[before.trim_end_matches(sign).len()..];
    let end = rest.trim_end();
    match (rest.strip_prefix(signs), end.strip_suffix(signs)) {
        (Some(after), _) => after,
        (None, Some(inside)) if !inside.trim_start().contains('\n') => inside,
        _ => rest,
    }
}

/// Returns the end of the text without the fence that closes its last block, if nothing follows it. With `inside`, only if that byte is in the block.
fn end_of_last_block(text: &str, inside: Option<usize>) -> usize {
    match find_blocks(text).last() {
        Some(block) if block.ends => {
            let body = block.from..=block.from + block.body.len();
            if inside.is_none_or(|at| body.contains(&at)) { *body.end() } else { text.len() }
        }
        _ => text.len(),
    }
}

/// Whether a part of a reply is mathematics: the text before it is a command of TeX.
pub fn is_mathematics(part: Option<&Slice>) -> bool {
    matches!(part, Some(Slice::Between(open, _)) if open.starts_with('\\'))
}

/// Returns the content of the only block of a text, unless the text was cut out of a block.
pub fn open_block<'t>(part: Option<&Slice>, text: &'t str) -> Option<&'t str> {
    if matches!(part, Some(Slice::Fenced(_))) { None } else { find_only_block(text) }
}

/// Returns the body of a text that consists of one fenced block.
pub fn find_only_block(text: &str) -> Option<&str> {
    let mut blocks = find_blocks(text);
    let only = blocks.next().filter(|block| block.whole)?;
    blocks.next().is_none().then_some(only.body)
}

struct Block<'a> {
    /// The first word after the opening fence.
    language: &'a str,
    body: &'a str,
    /// The byte at which the body begins.
    from: usize,
    /// Whether only white space is around it.
    whole: bool,
    /// Whether only white space follows it.
    ends: bool,
}

/// Finds fenced blocks by the rules of CommonMark: three or more backticks or tildes, closed by at least as many, or by the end of the text.
fn find_blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut lines = text.split_inclusive('\n');
    let mut open: Option<(usize, char, usize, &str, usize)> = None;
    let mut at = 0;
    std::iter::from_fn(move || {
        for line in lines.by_ref() {
            let (start, end) = (at, at + line.len());
            at = end;
            match (open, parse_fence(line)) {
                (None, Some((mark, length, info))) if mark == '~' || !info.contains('`') => {
                    open = Some((start, mark, length, info.split_whitespace().next().unwrap_or_default(), end));
                }
                (Some((from, mark, length, language, body_from)), Some((closing, width, info)))
                    if closing == mark && width >= length && info.trim().is_empty() =>
                {
                    let body = text[body_from..start].trim_end_matches('\n');
                    let ends = text[end..].trim().is_empty();
                    let whole = text[..from].trim().is_empty() && ends;
                    open = None;
                    return Some(Block { language, body, from: body_from, whole, ends });
                }
                _ => {}
            }
        }
        let (from, _, _, language, body_from) = open.take()?;
        let whole = text[..from].trim().is_empty();
        let body = text[body_from..].trim_end_matches('\n');
        Some(Block { language, body, from: body_from, whole, ends: true })
    })
}

/// Parses a fence: returns its mark, its length, and the rest of the line.
fn parse_fence(line: &str) -> Option<(char, usize, &str)> {
    let inner = line.trim_start_matches(' ');
    let mark = inner.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = inner.len() - inner.trim_start_matches(mark).len();
    (length >= 3 && line.len() - inner.len() <= 3).then(|| (mark, length, &inner[length..]))
}

#[cfg(test)]
mod tests {
    use model::Scorer;

    use super::*;
    use crate::rules::assert_same_for_all;

    fn cut<'a>(text: &'a str, slice: &Slice) -> Option<&'a str> {
        assert_same_for_all(|rules| super::cut_slice(text, slice, rules))
    }

    const REPLY: &str = "First:\n```sql\nSELECT 1\n```\nthen\n~~~SQL\nSELECT 2\n```\n~~~\nAnswer: 3\nAnswer: 4\n\n";

    #[test]
    fn the_last_place_counts() {
        assert_eq!(cut(REPLY, &Slice::LastLine), Some("Answer: 4"));
        assert_eq!(cut(REPLY, &Slice::After("Answer:".into())), Some(" 4\n\n"));
        assert_eq!(cut(REPLY, &Slice::After("Result:".into())), None);
        assert_eq!(cut(REPLY, &Slice::Fenced(Some("sql".into()))), Some("SELECT 2\n```"));
        assert_eq!(cut(REPLY, &Slice::Fenced(None)), Some("SELECT 2\n```"));
        assert_eq!(cut(REPLY, &Slice::Fenced(Some("json".into()))), None);
        assert_eq!(cut("```\ncut off", &Slice::Fenced(None)), Some("cut off"));
        assert_eq!(cut("inline ``` here", &Slice::Fenced(None)), None);
        assert_eq!(cut("``` a`b\nx\n```", &Slice::Fenced(None)), Some(""));
    }

    #[test]
    fn the_emphasis_of_a_mark_is_not_part_of_the_answer() {
        for (text, two) in [
            ("**Answer:** 42", " 42"),
            ("So:\n__Answer:__ 42", " 42"),
            ("*Answer:* 42\n", " 42\n"),
            ("***Answer:*** 42", " 42"),
            ("**Answer: 42**\n", " 42"),
            ("**Answer:** **42**", " **42**"),
            ("**Answer:\n42\nx**", "\n42\nx**"),
            ("Answer: 42**", " 42**"),
            ("* Answer: 42", " 42"),
            ("**Answer:* 42", "* 42"),
        ] {
            let mark = Slice::After("Answer:".into());
            assert_eq!(super::cut_slice(text, &mark, Rules::from_scorer(Scorer::Two)), Some(two), "{text}");
            let as_it_is = text.split_once("Answer:").map(|(_, rest)| rest);
            assert_eq!(super::cut_slice(text, &mark, Rules::from_scorer(Scorer::One)), as_it_is, "{text}");
        }
    }

    #[test]
    fn the_letter_case_of_a_mark_counts_only_where_it_is_written_so() {
        let mark = Slice::After("Résultat:".into());
        for (text, three) in [
            ("résultat: 4", Some(" 4")),
            ("RÉSULTAT: 4\nrésultat: 5", Some(" 5")),
            ("Résultat: 4\nRÉSULTAT: 5", Some(" 4\nRÉSULTAT: 5")),
            ("resultat: 4", None),
            ("résultat 4", None),
        ] {
            assert_eq!(super::cut_slice(text, &mark, Rules::from_scorer(Scorer::Three)), three, "{text}");
        }
        assert_eq!(super::cut_slice("résultat: 4", &mark, Rules::from_scorer(Scorer::Two)), None);
    }

    #[test]
    fn a_closing_fence_is_no_line_of_the_answer() {
        for (text, slice, one, two) in [
            ("```\n41\n42\n```", Slice::LastLine, "```", "42"),
            ("So:\n```\n42\n```\n", Slice::LastLine, "```", "42"),
            ("```\nAnswer: 42\n```", Slice::After("Answer:".into()), " 42\n```", " 42"),
            ("Answer:\n```\n42\n```", Slice::After("Answer:".into()), "\n```\n42\n```", "\n```\n42\n```"),
            ("```\n1\n```\n42", Slice::LastLine, "42", "42"),
            ("```\nAnswer:\n```", Slice::After("Answer:".into()), "\n```", ""),
        ] {
            assert_eq!(super::cut_slice(text, &slice, Rules::from_scorer(Scorer::One)), Some(one), "{text}");
            assert_eq!(super::cut_slice(text, &slice, Rules::from_scorer(Scorer::Two)), Some(two), "{text}");
        }
    }

    #[test]
    fn a_single_block_is_the_reply() {
        assert_eq!(find_only_block("```json\n{}\n```\n"), Some("{}"));
        assert_eq!(find_only_block("Here:\n```json\n{}\n```"), None);
        assert_eq!(find_only_block("```\n1\n```\n```\n2\n```"), None);
        assert_eq!(find_only_block("{}"), None);
    }
}
