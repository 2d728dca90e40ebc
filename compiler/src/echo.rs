//! One diagnostic for one mistake: what is said of the rest of a file only because a part of it could not be read is left out.

use std::collections::BTreeSet;

use plan::Span;

use crate::diagnostics::{Cause, Code, Diagnostic};
use crate::sources::Sources;

/// Codes of a name that something that could not be read may have declared.
const NAMES: [&Code; 6] = [
    Code::UNKNOWN_NAME,
    Code::UNKNOWN_TABLE,
    Code::UNKNOWN_DOMAIN,
    Code::SQL_UNKNOWN_TABLE,
    Code::SQL_UNKNOWN_COLUMN,
    Code::SQL_PARAMETER,
];

/// Mistakes of the text that leave a value behind that can be checked.
const READ_ALL_THE_SAME: [&Code; 2] = [Code::BAD_LITERAL, Code::BAD_ESCAPE];

/// What was said of the text, without what a mistake before it brought about.
pub fn of_the_text(mut read: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    read.sort_by_key(|said| (said.primary.span, said.code.id));
    let mut kept: Vec<Diagnostic> = Vec::new();
    // Up to here the text of a string that was never closed goes on.
    let mut closed: Option<Span> = None;
    for (index, said) in read.iter().enumerate() {
        if closed.is_some_and(|quote| quote.file == said.primary.span.file && said.primary.span.start <= quote.start) {
            continue;
        }
        if said.code == Code::UNCLOSED_STRING {
            closed = read.iter().skip(index + 1).find_map(|later| closing(said, later, sources));
        }
        // What stands behind a task that was closed too early is said of the first.
        let outside = |said: &Diagnostic| said.cause == Some(Cause::OutsideTask);
        let stray = said.code == Code::SYNTAX && sources.text(said.primary.span) == "}";
        let same_file = |known: &&Diagnostic| known.primary.span.file == said.primary.span.file;
        if (outside(said) || stray) && kept.iter().filter(same_file).any(outside) {
            continue;
        }
        kept.push(said.clone());
    }
    kept
}

/// The quote that was to close the string `first`, where `later` takes it for the beginning of another.
fn closing(first: &Diagnostic, later: &Diagnostic, sources: &Sources) -> Option<Span> {
    let (open, quote) = (first.primary.span, later.primary.span);
    if later.code != Code::UNCLOSED_STRING || open.file != quote.file || sources.text(open) != "\"" {
        return None;
    }
    let text = &sources.get(open.file)?.text;
    let between = text.get(open.end as usize..quote.start as usize)?;
    let (_, behind) = between.split_once('\n')?;
    // It stands right behind a word, and nothing but it is in quotes since.
    let ends =
        behind.chars().next_back().is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '[' | ',' | ':' | '='));
    (ends && !behind.contains('"')).then_some(quote)
}

/// What checking said, without what only echoes `read`, the mistakes of the text.
pub fn of_checks(read: &[Diagnostic], checked: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let line = |span: Span| (span.file, sources.start(span).line);
    let unread: Vec<&Diagnostic> = read.iter().filter(|said| !READ_ALL_THE_SAME.contains(&said.code)).collect();
    let lines: BTreeSet<_> = unread.iter().map(|said| line(said.primary.span)).collect();
    let mut declared = BTreeSet::new();
    for (file, number) in &lines {
        let text = sources.get(*file).and_then(|source| source.text.lines().nth((*number as usize).saturating_sub(1)));
        declared.extend(declares(text.unwrap_or_default()));
    }
    let endless: Vec<Span> =
        unread.iter().filter(|said| opens_a_block(said, sources)).map(|said| said.primary.span).collect();
    let loose: Vec<Span> = unread.iter().filter_map(|said| loose_end(said, sources)).collect();
    let echo = |said: &Diagnostic| {
        let span = said.primary.span;
        let text = sources.text(span);
        let within = |place: &Span| place.file == span.file && place.start <= span.start && span.start < place.end;
        lines.contains(&line(span))
            || NAMES.contains(&said.code) && declared.contains(text.trim_start_matches(':').trim_matches('`'))
            // Where a block never ends, nobody knows what stands in it.
            || endless.iter().any(|open| open.file == span.file && open.start < span.start)
            || loose.iter().any(within)
            // The part that is missing may be the one that could not be read.
            || said.code == Code::MISSING_PART
                && block(span, sources).is_some_and(|block| unread.iter().any(|said| block.covers(said.primary.span)))
    };
    checked.iter().filter(|said| !echo(said)).cloned().collect()
}

/// Where a name stands in a placeholder that is none, nothing need be said of its not being used.
pub fn of_placeholders(all: &mut Vec<Diagnostic>, sources: &Sources) {
    let sign = |c: char| !c.is_alphanumeric() && c != '_';
    let meant: BTreeSet<String> = all
        .iter()
        .filter(|said| said.code == Code::UNOPENED_PLACEHOLDER)
        .map(|said| sources.text(said.primary.span).trim_matches(sign).to_owned())
        .collect();
    all.retain(|said| said.code != Code::UNUSED_NAME || !meant.contains(sources.text(said.primary.span)));
}

/// Names that a line probably declares: those before `:`, `=`, `at` or a comma between such, and its first two words.
fn declares(line: &str) -> Vec<String> {
    let mut words: Vec<(&str, &str)> = Vec::new();
    let mut in_text = false;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        match c {
            '"' => in_text = !in_text,
            '#' if !in_text => break,
            _ => {}
        }
        let (head, behind) = rest.split_at(word.max(c.len_utf8()));
        if word > 0 && !in_text {
            words.push((head, behind.trim_start_matches('`').trim_start()));
        }
        rest = behind;
    }
    let declares = |behind: &str| {
        behind.starts_with(':')
            || behind.starts_with('=') && !behind.starts_with("==")
            || behind.starts_with("at ")
            || behind.starts_with(',')
    };
    let named = words.iter().enumerate().filter(|(index, (_, behind))| *index < 2 || declares(behind));
    let mut names: Vec<String> = named.map(|(_, (word, _))| (*word).to_owned()).collect();
    // Of a file without a name, or with one in quotes, it is likely called as its file is.
    if words.iter().any(|(word, _)| *word == "at") {
        let texts = line.split('"').skip(1).step_by(2);
        names.extend(texts.filter_map(|text| text.rsplit('/').next()?.split('.').next()).map(str::to_owned));
    }
    names
}

/// Whether a diagnostic is of a block that has no end: its `{` is the last of its line.
fn opens_a_block(said: &Diagnostic, sources: &Sources) -> bool {
    let span = said.primary.span;
    let behind = sources.get(span.file).and_then(|source| source.text.get(span.end as usize..));
    said.code == Code::UNCLOSED_BLOCK
        && sources.text(span) == "{"
        && behind.is_some_and(|behind| behind.lines().next().unwrap_or_default().trim().is_empty())
}

/// Where `said` is of a statement behind a `}` too many, the lines from there on that are no item of their own.
fn loose_end(said: &Diagnostic, sources: &Sources) -> Option<Span> {
    if said.cause != Some(Cause::OutsideTask) {
        return None;
    }
    let span = said.primary.span;
    let text = &sources.get(span.file)?.text;
    let before = text.get(..span.start as usize)?;
    let start = before.rfind('}').map_or(0, |at| at + 1);
    // An item begins a line.
    let behind = text.get(span.end as usize..)?;
    let end = behind.find("\n}").or_else(|| behind.find("\ntask ")).unwrap_or(behind.len());
    Some(Span::new(span.file, start as u32, span.end + end as u32))
}

/// The block that opens right after `span`, on whatever line, or else on its line.
fn block(span: Span, sources: &Sources) -> Option<Span> {
    let text = &sources.get(span.file)?.text;
    let behind = text.get(span.start as usize..)?;
    let next = text.get(span.end as usize..)?;
    let open = match next.trim_start().starts_with('{') {
        true => span.end as usize + next.find('{')?,
        false => span.start as usize + behind.lines().next()?.find('{')?,
    };
    let (mut depth, mut in_text) = (0_u32, false);
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'"' => in_text = !in_text,
            b'\n' => in_text = false,
            b'{' if !in_text => depth += 1,
            b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 && byte == b'}' {
            return Some(Span::new(span.file, open as u32, at as u32 + 1));
        }
    }
    None
}
