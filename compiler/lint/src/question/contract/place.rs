//! `other_place`: the prompt does not name the marker or the block that the key reads, asks for another line, or names the columns in another order.

use model::Value;
use model::answer_key::{Slice, Subject};
use model::suite::Matcher;
use model::suite::matchers::Takes;
use model::thoughts::is_thought;
use tables::workbook::parse_place;

use super::column_order;
use super::wording::Wording;
use crate::context::{Asked, report_once};
use hir::types::TyKind;
use syntax::diagnostics::{Code, Diagnostic};

/// Names of languages of fenced blocks, with other names for them.
const LANGUAGES: [&[&str]; 12] = [
    &["json"],
    &["sql", "sqlite"],
    &["python", "py"],
    &["yaml", "yml"],
    &["xml"],
    &["csv"],
    &["bash", "sh", "shell"],
    &["html"],
    &["javascript", "js"],
    &["toml"],
    &["rust"],
    &["markdown", "md"],
];

/// Compares where a wording asks for the answer with where the key reads it.
pub(super) fn report_places<'a>(wording: &Wording<'_, 'a>, asked: &Asked<'a>, said: &mut Vec<Diagnostic>) {
    for expect in &asked.expects {
        let found = match &expect.subject {
            Subject::Reply(Some(Slice::After(marker))) => check_marker(wording, marker),
            Subject::Reply(Some(Slice::Tag(name))) => check_tag(wording, expect, name),
            Subject::Reply(Some(Slice::Between(open, _))) => check_opening(wording, open),
            Subject::Reply(Some(Slice::Fenced(language))) => check_fence(wording, expect, language.as_deref()),
            Subject::Reply(Some(Slice::LastLine)) => check_first_line(wording, expect),
            Subject::Reply(None) => check_last_line(wording, asked, expect),
            Subject::File(path) => check_sheet(wording, expect, path),
            _ => None,
        };
        let found = found.or_else(|| check_told_part(wording, asked, expect));
        let found = found.or_else(|| check_columns(wording, expect));
        let found = found.or_else(|| column_order::check_described_columns(wording, expect));
        if let Some(new) = found {
            report_once(new, said);
        }
    }
}

/// Checks that a wording has the marker before the answer.
fn check_marker(wording: &Wording<'_, '_>, marker: &hir::Expr) -> Option<Diagnostic> {
    let Value::Text(text) = marker.resolve_name(wording.cx.task).as_constant()? else { return None };
    let told = normalize_blanks(&wording.telling.text);
    let sought = normalize_blanks(text);
    if sought.is_empty() || told.contains(&sought) || wording.telling.opaque || wording.can_vary() {
        return None;
    }
    // "Begin with the word Answer and a colon."
    let bare = sought.trim_end_matches([':', ' ', '=']);
    if told.to_lowercase().contains("colon") && super::super::prompt_content::has_word(&told, bare) {
        return None;
    }
    let message = format!("the key reads what follows `{sought}`, but the prompt does not say so");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, marker.span, "the agent cannot guess this marker")
            .label(wording.telling.span, "not mentioned here")
            .help(format!("ask in the prompt for a line that begins with `{sought}`, in the same letters")),
    )
}

/// Checks that a wording names the tag around the answer.
fn check_tag(wording: &Wording<'_, '_>, expect: &hir::Expect, name: &str) -> Option<Diagnostic> {
    let (text, command) = (wording.telling.prompt.as_str(), format!("\\{name}"));
    if text.contains(&command) && !text.contains(&format!("<{name}")) {
        let message = format!("the prompt asks for `{command}`, but the key reads the tag `<{name}>`");
        return Some(
            Diagnostic::new(Code::OTHER_PLACE, message, expect.span, "does not read what is in it")
                .label(wording.telling.span, "asked here")
                .help(format!("write: expect reply in \"\\\\{name}{{\"..\"}}\" {} …", expect.matcher.word())),
        );
    }
    if wording.telling.lower_text.contains(&name.to_lowercase()) || wording.telling.opaque || wording.can_vary() {
        return None;
    }
    let message = format!("the key reads what is in `<{name}>`, but the prompt does not say so");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, expect.span, "the agent cannot guess this tag")
            .label(wording.telling.span, "not mentioned here")
            .help(format!("ask in the prompt for the answer between <{name}> and </{name}>")),
    )
}

/// Checks that a wording names the sheet and the cell of a workbook that the agent makes.
fn check_sheet(wording: &Wording<'_, '_>, expect: &hir::Expect, path: &hir::Expr) -> Option<Diagnostic> {
    let task = wording.cx.task;
    let cell = expect.read.cell.as_deref();
    let sheet = expect.read.sheet.clone().or_else(|| Some(parse_place(cell?)?.sheet))?;
    let place = cell.and_then(|cell| cell.rsplit_once('!')).map(|(_, place)| place.replace('$', ""));
    // A workbook of the start shows its sheets.
    let made = path.resolve_name(task).as_constant()?;
    let is_made = task.lakes.is_empty() && !task.files.iter().any(|file| file.path.as_constant() == Some(made));
    if !is_made || wording.telling.opaque || wording.can_vary() {
        return None;
    }
    let told = &wording.telling.lower_text;
    let is_told = |name: &str| told.contains(&name.to_lowercase());
    let missing = match place {
        _ if !is_told(&sheet) => format!("sheet `{sheet}`"),
        Some(place) if !is_told(&place) => format!("cell `{place}`"),
        _ => return None,
    };
    let message = format!("the key reads the {missing}, but the prompt does not name it");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, expect.span, "the agent cannot guess its name")
            .label(wording.telling.span, "not mentioned here")
            .help(format!("name the {missing} in the prompt")),
    )
}

/// Checks that a wording has the text that the answer follows.
fn check_opening(wording: &Wording<'_, '_>, open: &hir::Expr) -> Option<Diagnostic> {
    let Value::Text(text) = open.resolve_name(wording.cx.task).as_constant()? else { return None };
    let (told, sought) = (normalize_blanks(&wording.telling.text), normalize_blanks(text));
    // Marks of emphasis may be told in words.
    if sought.is_empty() || told.contains(&sought) || wording.telling.opaque || wording.can_vary() {
        return None;
    }
    // "in \\boxed", "in double brackets"
    let bare = sought.trim_end_matches(|char: char| !char.is_alphanumeric());
    if bare.is_empty() || told.contains(bare) {
        return None;
    }
    let message = format!("the key reads what follows `{sought}`, but the prompt does not say so");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, open.span, "the agent cannot guess this mark")
            .label(wording.telling.span, "not mentioned here")
            .help(format!("ask in the prompt for the answer after `{sought}`, in the same letters")),
    )
}

/// Checks that a wording does not ask for the answer in a tag or in `\\boxed`, if the key reads another part of the reply.
fn check_told_part(wording: &Wording<'_, '_>, asked: &Asked<'_>, expect: &hir::Expect) -> Option<Diagnostic> {
    let reads_other = matches!(expect.subject, Subject::Reply(None | Some(Slice::LastLine | Slice::After(_))));
    let of_reply = asked.expects.iter().filter(|expect| matches!(expect.subject, Subject::Reply(_)));
    let is_exact = matches!(expect.matcher, Matcher::Text | Matcher::Number | Matcher::Date | Matcher::Bool)
        && expect.at.is_none();
    if !reads_other || of_reply.count() > 1 || !is_exact || wording.telling.opaque || wording.can_vary() {
        return None;
    }
    let text = wording.telling.prompt.as_str();
    let (told, part) = match find_told_tag(text) {
        Some(name) => (format!("<{name}>"), format!("in \"{name}\"")),
        None => (text.contains(BOXED).then(|| BOXED.to_owned())?, "in \"\\\\boxed{\"..\"}\"".to_owned()),
    };
    let message = format!("the prompt asks for `{told}`, but the key reads another part of the reply");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, expect.span, "does not read what is in it")
            .label(wording.telling.span, "asked here")
            .help(format!("write: expect reply {part} {} …", expect.matcher.word())),
    )
}

/// A command of TeX around an answer.
const BOXED: &str = "\\boxed";

/// Returns the name of the first tag that a text opens and closes.
fn find_told_tag(text: &str) -> Option<&str> {
    text.split('<').skip(1).find_map(|rest| {
        let (name, _) = rest.split_once('>')?;
        let is_name =
            !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'));
        (is_name && !is_thought(name) && text.contains(&format!("</{name}>"))).then_some(name)
    })
}

fn normalize_blanks(text: &str) -> String {
    // Emphasis around a marker does not count, and markers in backticks are read without them.
    let plain: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that a wording asks for a fenced block, and names no other language for it.
fn check_fence(wording: &Wording<'_, '_>, expect: &hir::Expect, language: Option<&str>) -> Option<Diagnostic> {
    if wording.telling.opaque || wording.can_vary() {
        return None;
    }
    let text = &wording.telling.lower_text;
    let has_block = text.contains("```")
        || wording.language.fences.iter().any(|word| super::super::prompt_content::has_word(text, word));
    let own = expect.answer_expr().map_or(expect.span, |value| value.span);
    if !has_block {
        return Some(
            Diagnostic::new(
                Code::OTHER_PLACE,
                "the key reads a fenced block, but the prompt does not ask for one",
                expect.span,
                "reads a block",
            )
            .label(wording.telling.span, "not mentioned here")
            .help("ask in the prompt for the answer in a fenced code block"),
        );
    }
    let language = language?.to_lowercase();
    let names = LANGUAGES.iter().find(|names| names.contains(&language.as_str())).copied().unwrap_or_default();
    let is_named = super::super::prompt_content::has_word(text, &language)
        || names.iter().any(|name| super::super::prompt_content::has_word(text, name));
    let (start, other) =
        find_block_language(wording).filter(|(_, other)| *other != language && !names.contains(&other.as_str()))?;
    if is_named {
        return None;
    }
    let message = format!("the prompt asks for a block of `{other}`, but the key reads a block of `{language}`");
    Some(
        Diagnostic::new(Code::OTHER_PLACE, message, own, format!("in a block of `{language}`"))
            .label(wording.locate(start, start + 1), "asked here")
            .help("name the same language in both"),
    )
}

/// The language that a wording names for a block: "a json code block", "```json".
fn find_block_language(wording: &Wording<'_, '_>) -> Option<(usize, String)> {
    let tokens = &wording.text.tokens;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let is_language = LANGUAGES.iter().any(|names| names.contains(&token.lower.as_str()));
        let mut behind = tokens.iter().skip(at + 1).take(2);
        (is_language && behind.any(|next| next.is_any(wording.language.fences))).then(|| (at, token.lower.clone()))
    })
}

/// Checks that a wording does not ask for the first line, if the key reads the last.
fn check_first_line(wording: &Wording<'_, '_>, expect: &hir::Expect) -> Option<Diagnostic> {
    let language = wording.language;
    let asked = wording.text.find_any(language.first_line)?;
    if wording.text.find_any(&["last line", "final line"]).is_some()
        || !wording.is_about_reply(asked.start)
        || !wording.is_line_of_reply(asked.end)
    {
        return None;
    }
    let place = (expect.span, "reads the last line");
    let new = wording.contradict(Code::OTHER_PLACE, &asked, "the key reads the last line", place);
    Some(new.help("ask for the answer on the last line"))
}

/// Checks that a wording does not ask for the last line, if the key compares the whole reply.
fn check_last_line(wording: &Wording<'_, '_>, asked: &Asked<'_>, expect: &hir::Expect) -> Option<Diagnostic> {
    let of_reply = asked.expects.iter().filter(|expect| matches!(expect.subject, Subject::Reply(_)));
    if of_reply.count() > 1 || expect.at.is_some() || expect.matcher.record().loose || expect.answer.is_none() {
        return None;
    }
    let found = wording.text.find_any(wording.language.last_line)?;
    (wording.is_about_reply(found.start) && wording.is_line_of_reply(found.end)).then(|| {
        let place = (expect.span, "compares the whole reply");
        wording
            .contradict(Code::OTHER_PLACE, &found, "the key compares the whole reply", place)
            .help("write `expect reply last line`, or ask for the answer and nothing else")
    })
}

/// Compares the order in which a wording names columns with that of the expected rows.
fn check_columns(wording: &Wording<'_, '_>, expect: &hir::Expect) -> Option<Diagnostic> {
    let value = expect.answer_expr().filter(|_| expect.matcher.record().takes == Takes::Rows && !expect.is_any_of())?;
    let TyKind::Rows(columns) = &value.ty.kind else { return None };
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    if names.len() < 2 {
        return None;
    }
    let tokens = &wording.text.tokens;
    let leads = tokens.iter().enumerate().filter(|(_, token)| token.is_any(wording.language.columns));
    for (lead, sentence) in leads.map(|(at, token)| (at, token.sentence)) {
        // A colon begins another sentence.
        let is_near = |at: usize| at == sentence || at == sentence + 1;
        let named: Vec<(usize, &str)> = tokens
            .iter()
            .enumerate()
            .skip(lead + 1)
            .filter(|(_, token)| is_near(token.sentence))
            .filter_map(|(at, token)| {
                names.iter().find(|name| token.lower == name.to_lowercase()).map(|name| (at, *name))
            })
            .collect();
        let (Some((start, _)), Some((end, _))) = (named.first(), named.last()) else { continue };
        let order: Vec<&str> = named.iter().map(|(_, name)| *name).collect();
        // In other letters, as in "parts of a kind", they are words, unless only commas are between them.
        let is_exact = named.iter().all(|(at, name)| tokens.get(*at).is_some_and(|token| token.text == *name));
        let is_name = |at: usize| named.iter().any(|(other, _)| *other == at);
        let is_mark =
            |at: usize| tokens.get(at).is_some_and(|token| token.text == "," || token.is_any(wording.language.and));
        let is_row = match is_exact {
            true => end - start <= names.len() * 3,
            false => (*start..=*end).all(|at| is_name(at) || is_mark(at)),
        };
        if is_row && order.len() == names.len() && order != names && names.iter().all(|name| order.contains(name)) {
            let message =
                format!("the prompt names the columns {}, but the key has {}", list_names(&order), list_names(&names));
            return Some(
                Diagnostic::new(Code::OTHER_PLACE, message, value.span, "columns in another order")
                    .label(wording.locate(*start, end + 1), "named here")
                    .help("name the columns in the same order in both"),
            );
        }
    }
    None
}

pub(super) fn list_names(names: &[&str]) -> String {
    syntax::diagnostics::wording::join_with_and(names.iter().copied())
}
