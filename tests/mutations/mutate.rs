//! Mistakes planted into a right source, one at a time.

use mutants::scan::{Kind, Place, Token, scan_tokens};

/// A source with one mistake.
pub struct Mutant {
    /// Which kind of mistake.
    pub kind: &'static str,
    /// What was changed: `before → after`.
    pub change: String,
    /// The line that was changed, trimmed.
    pub line: String,
    /// The new source.
    pub text: String,
}

/// Words after which a name is free to choose.
const FREE: [&str; 6] = ["task", "variant", "suite", "tags", "axis", "canary"];
/// Functions whose last number is a position.
const POSITIONED: [&str; 5] = ["file_line", "file_word", "csv_value", "csv_cell", "csv_row"];

/// Every mistake of every kind that can be planted.
pub fn mutants(source: &str) -> Vec<Mutant> {
    let tokens = scan_tokens(source);
    let mut out = Vec::new();
    for at in 0..tokens.len() {
        misspell(source, &tokens, at, &mut out);
        literal(source, &tokens, at, &mut out);
        bracket(source, &tokens, at, &mut out);
        number(source, &tokens, at, &mut out);
        type_of(source, &tokens, at, &mut out);
        colon(source, &tokens, at, &mut out);
        drop_block(source, &tokens, at, &mut out);
    }
    out
}

fn mutant(kind: &'static str, source: &str, start: usize, end: usize, new: &str) -> Mutant {
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
    let before: String = source[start..end].chars().take(60).collect();
    Mutant {
        kind,
        change: format!("{} → {new}", before.replace('\n', "⏎")),
        line: source[line_start..line_end].trim().to_owned(),
        text: format!("{}{new}{}", &source[..start], &source[end..]),
    }
}

/// The item (task, table, suite) that a place lies in, as a range of the source.
fn item(source: &str, at: usize) -> (usize, usize) {
    let heads = |text: &str| ["task ", "table ", "suite ", "domain "].iter().any(|head| text.starts_with(head));
    let mut start = 0;
    let mut end = source.len();
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        if heads(line) {
            if offset <= at {
                start = offset;
            } else {
                end = offset;
                break;
            }
        }
        offset += line.len();
    }
    (start, end)
}

/// How often a word stands in code or SQL: in the same task, or (outside of tasks) anywhere.
fn uses(source: &str, all: &[Token<'_>], token: &Token<'_>) -> usize {
    let (start, end) = item(source, token.start);
    let local = source[start..].starts_with("task ");
    all.iter()
        .filter(|other| other.kind == Kind::Word && other.text.eq_ignore_ascii_case(token.text))
        .filter(|other| !local || (start..end).contains(&other.start))
        .count()
}

fn swapped(word: &str) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let at = (1..letters.len().saturating_sub(1)).find(|at| letters[*at] != letters[*at + 1])?;
    letters.swap(at, at + 1);
    Some(letters.into_iter().collect())
}

/// A name or keyword with two letters swapped.
fn misspell(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    if token.kind != Kind::Word || token.text.len() < 3 {
        return;
    }
    let before = at.checked_sub(1).map_or("", |at| all[at].text);
    let after = all.get(at + 1).map_or("", |next| next.text);
    let known_word = token.place == Place::Sql || uses(source, all, token) > 1;
    // A declaration that nothing else names, a key of an object, a label: free to choose.
    let declared = matches!(after, ":" | "=") && before != "<<" && before != ".";
    if FREE.contains(&before) || (declared && !known_word) {
        return;
    }
    // An alias that nothing names again.
    if token.place == Place::Sql && before.eq_ignore_ascii_case("AS") && uses(source, all, token) < 2 {
        return;
    }
    let kind = match (token.place, declared) {
        (Place::Sql, _) => "misspell_in_sql",
        (Place::Code, true) => "rename_declaration",
        (Place::Code, false) => "misspell_word",
    };
    if let Some(new) = swapped(token.text).filter(|new| !new.eq_ignore_ascii_case(token.text)) {
        out.push(mutant(kind, source, token.start, token.end(), &new));
    }
}

/// A text that is compared with something, misspelt; a text or literal without its last quote.
fn literal(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    if token.kind != Kind::Text {
        return;
    }
    let before = at.checked_sub(1).map_or("", |at| all[at].text);
    let compared = matches!((token.place, before), (Place::Code, "==") | (Place::Sql, "="));
    let inner = &token.text[1..token.text.len() - 1];
    if compared && let Some(new) = swapped(inner) {
        let quote = &token.text[..1];
        out.push(mutant("misspell_literal", source, token.start, token.end(), &format!("{quote}{new}{quote}")));
    }
    out.push(mutant("break_quote", source, token.end() - 1, token.end(), ""));
}

/// A bracket or quote left out.
fn bracket(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    let kind = match token.kind {
        Kind::Bracket => "drop_bracket",
        Kind::Quote => "break_quote",
        _ => return,
    };
    out.push(mutant(kind, source, token.start, token.end(), ""));
}

/// A position far outside of the data; a range with its ends swapped.
fn number(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    if token.kind != Kind::Number || token.place != Place::Code {
        return;
    }
    let back = |n: usize| at.checked_sub(n).map_or("", |at| all[at].text);
    let in_call = (2..9).any(|n| POSITIONED.contains(&back(n))) && matches!(back(1), "," | "(");
    if in_call && matches!(all.get(at + 1).map(|next| next.text), Some(">>" | ")" | ",")) {
        out.push(mutant("position_out_of_range", source, token.start, token.end(), "9999999"));
    }
    if let (Some(dots), Some(high)) = (all.get(at + 1), all.get(at + 2))
        && dots.text == ".."
        && high.kind == Kind::Number
        && high.text != token.text
        && !matches!(back(1), "-" | ".")
        && all.get(at + 3).is_none_or(|next| !matches!(next.text, "." | "-"))
    {
        let new = format!("{}..{}", high.text, token.text);
        out.push(mutant("swap_range", source, token.start, high.end(), &new));
    }
}

/// A number's domain replaced by a word's, where the name is used.
fn type_of(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let [name, colon, int, low, dots, high] = all.get(at..at + 6).unwrap_or_default() else { return };
    let plain = name.kind == Kind::Word
        && colon.text == ":"
        && int.text == "int"
        && low.kind == Kind::Number
        && dots.text == ".."
        && high.kind == Kind::Number
        && all.get(at + 6).is_none_or(|next| next.text != "step");
    if plain && name.place == Place::Code && uses(source, all, name) > 1 {
        out.push(mutant("swap_type", source, int.start, high.end(), "person_name"));
    }
}

/// A parameter of SQL without its colon.
fn colon(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    if token.place == Place::Sql && token.text == ":" && all.get(at + 1).is_some_and(|next| next.kind == Kind::Word) {
        out.push(mutant("drop_colon", source, token.start, token.end(), ""));
    }
}

/// A table or file left out that something reads.
fn drop_block(source: &str, all: &[Token<'_>], at: usize, out: &mut Vec<Mutant>) {
    let token = &all[at];
    let head = matches!(token.text, "table" | "csv" | "tsv" | "sqlite" | "json" | "yaml" | "xml" | "xlsx");
    let Some(name) = all.get(at + 1).filter(|_| head && token.place == Place::Code) else { return };
    let indented = source[..token.start].ends_with(' ');
    if name.kind != Kind::Word || !indented || uses(source, all, name) < 2 {
        return;
    }
    let Some(open) = (at..all.len()).find(|at| all[*at].text == "{") else { return };
    let mut depth = 0;
    for close in &all[open..] {
        match close.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            out.push(mutant("drop_table", source, token.start, close.end(), ""));
            return;
        }
    }
}
