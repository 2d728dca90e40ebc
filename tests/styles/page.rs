//! The page of the manual that shows how an answer may be written.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::suite::Matcher;

use super::Case;

const HEAD: &str = "\
<!-- Made by tests/styles.rs: UPDATE_DOCS=1 cargo test --test it styles:: -->

# Answer styles

This page lists the ways to write an answer that `picardc` tests for each matcher, and the near misses that it tests with them. The rules are in
[Scoring](scoring.md). An independent program writes each answer from the expected value, for values of every type. Every style is always correct, and
every near miss is always wrong. The styles of NumPy and pandas are tested too, but not listed here.

In the examples, `⏎` is the end of a line, `→` is a tab, and `·` is a space at an end.
";

/// The matchers of texts and queries, in the order of the manual, each with the sentence of its record.
fn matchers() -> impl Iterator<Item = (&'static str, &'static str)> {
    let written = Matcher::ALL.iter().filter(|matcher| !matcher.is_of_files());
    written.map(|matcher| (matcher.word(), matcher.record().doc))
}

/// So many characters of an example are shown.
const SHOWN: usize = 64;

/// What has no styles.
const EXACT: &str = "\n## `bytes`\n\nThe file has exactly the expected bytes, or the reply the expected characters. No style is accepted: a blank, a line end, or a byte order mark more or less is wrong.\n";

/// A style that this many matchers have is told once for all.
const COMMON: usize = 5;

/// The page, from the cases that need only Python itself.
pub fn page(cases: &[Case]) -> String {
    let mut out = HEAD.to_owned();
    let own: Vec<&Case> =
        cases.iter().filter(|case| !["numpy", "pandas"].iter().any(|name| case.style.contains(name))).collect();
    let right = |case: &&&Case| !case.near;
    let by_style = grouped(own.iter().filter(right), |case| case.style.clone(), |case| &case.matcher);
    let common: Vec<_> = by_style.into_iter().filter(|(_, matchers, _)| matchers.len() >= COMMON).collect();
    out.push_str("\n## Around every answer\n\n| style | matchers | example |\n| --- | --- | --- |\n");
    for (style, matchers, _) in &common {
        // Of one matcher, so that the examples differ in style alone; a query is in no file.
        let of = |wanted: &str| own.iter().find(|case| !case.near && case.style == *style && case.matcher == wanted);
        let said = of("number").or_else(|| of("text")).map_or("", |case| case.said.as_str());
        let all = matchers.len() == self::matchers().count();
        let which = if all { "all".to_owned() } else { words(matchers) };
        let _ = writeln!(out, "| {} | {which} | {} |", cell(style), code(said));
    }
    for (matcher, what) in matchers() {
        let is_own = |case: &&&Case| case.matcher == matcher && !common.iter().any(|(style, ..)| *style == case.style);
        let _ = write!(out, "\n## `{matcher}`\n\n{what}\n\n| style | types | example |\n| --- | --- | --- |\n");
        let styles = grouped(own.iter().filter(right).filter(is_own), name, |case| value_type(case));
        let most = styles.iter().map(|(_, types, _)| types.len()).max().unwrap_or(0);
        for (style, types, first) in styles {
            let types = if types.len() == most && most > 3 { "all".to_owned() } else { types.join(", ") };
            let _ = writeln!(out, "| {} | {types} | {} |", cell(&style), code(&first.said));
        }
        let near = own.iter().filter(|case| case.near && case.matcher == matcher);
        let near: Vec<String> =
            grouped(near, name, |case| value_type(case)).iter().map(|(style, ..)| cell(style)).collect();
        let _ = write!(out, "\nAlways wrong: {}.\n", near.join("; "));
    }
    out.push_str(EXACT);
    out
}

fn words(matchers: &[&str]) -> String {
    matchers.iter().map(|matcher| format!("`{matcher}`")).collect::<Vec<_>>().join(", ")
}

/// The style without what only says in which form it is written.
fn name(case: &Case) -> String {
    const FORMS: [&str; 7] = ["fenced", "lines", "JSON", "commas", "csv", "Markdown", "with a blank"];
    match case.style.rsplit_once(", ") {
        Some((style, form)) if case.near && FORMS.contains(&form) => style.to_owned(),
        _ if case.matcher == "contains" => {
            case.style.split_once(": ").map_or(&*case.style, |(_, text)| text).to_owned()
        }
        _ => case.style.clone(),
    }
}

/// A type of values without the options of its key.
fn value_type(case: &Case) -> &str {
    case.r#type.split(',').next().unwrap_or_default()
}

/// Cases by a name of theirs, in the order in which the names first come; each with what its cases have, and the first case.
fn grouped<'a, 'b: 'a>(
    cases: impl Iterator<Item = &'a &'b Case>,
    name: impl Fn(&Case) -> String,
    has: impl Fn(&'b Case) -> &'b str,
) -> Vec<(String, Vec<&'b str>, &'b Case)> {
    let mut out: Vec<(String, Vec<&str>, &Case)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases {
        let name = name(case);
        let at = *places.entry(name.clone()).or_insert_with(|| {
            out.push((name, Vec::new(), case));
            out.len() - 1
        });
        if !out[at].1.contains(&has(case)) {
            out[at].1.push(has(case));
        }
    }
    out
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    let marks = ['|', '*', '`', '<', '>', '[', ']', '_', '#'];
    text.chars().fold(String::new(), |mut out, char| {
        if marks.contains(&char) {
            out.push('\\');
        }
        out.push(char);
        out
    })
}

/// A text as code in a cell of a table, with what cannot be seen made visible.
fn code(text: &str) -> String {
    let inner = text.trim_matches(' ');
    let spaces = |count: usize| "·".repeat(count);
    let (before, after) =
        (text.len() - text.trim_start_matches(' ').len(), text.len() - text.trim_end_matches(' ').len());
    let visible = if inner.is_empty() { spaces(before) } else { format!("{}{inner}{}", spaces(before), spaces(after)) };
    let mut shown = String::new();
    for (at, char) in visible.chars().enumerate() {
        if at == SHOWN {
            shown.push('…');
            break;
        }
        match char {
            '\n' => shown.push('⏎'),
            '\t' => shown.push('→'),
            '|' => shown.push_str("\\|"),
            '\r' => shown.push_str("\\r"),
            '\u{a0}' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => {
                let _ = write!(shown, "\\u{:04x}", u32::from(char));
            }
            other => shown.push(other),
        }
    }
    let longest = shown.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let mark = "`".repeat(longest + 1);
    let blank = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{mark}{blank}{shown}{blank}{mark}")
}
