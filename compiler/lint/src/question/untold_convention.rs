//! `untold_convention`: the answer is read from a file with values in several forms or repeated rows, and the prompt does not explain them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use syntax::prompts::english::lints::{NULLS, REPEATS};

use model::Span;
use model::suite::{ColumnId, FileId, NameId, Style};

use super::prompt_content::{Telling, Way, collect_told_text, has_word};
use super::reads::collect_read_files;
use super::unmentioned_file::{collect_rendered_names, describe_prompt};
use crate::context::TaskCx;
use crate::reach::files::{Rendering, Shown, collect_renderings};
use crate::reach::needed;
use hir::{Checked, Expr, FileContent};
use syntax::diagnostics::{Code, Diagnostic};

/// The names of marks.
const MARKS: [(&str, &[&str]); 18] = [
    ("*", &["star", "asterisk"]),
    ("%", &["percent"]),
    ("$", &["dollar", "usd", "currency", "currencies"]),
    ("usd", &["dollar", "$", "currency", "currencies"]),
    ("€", &["euro", "eur", "currency", "currencies"]),
    ("eur", &["euro", "€", "currency", "currencies"]),
    ("£", &["pound", "gbp", "currency", "currencies"]),
    ("gbp", &["pound", "£", "currency", "currencies"]),
    ("~", &["tilde", "approximat"]),
    ("†", &["dagger"]),
    ("?", &["question mark"]),
    ("!", &["exclamation"]),
    ("#", &["hash"]),
    ("+", &["plus"]),
    ("-", &["dash", "hyphen", "minus"]),
    ("<", &["less than", "below"]),
    (">", &["more than", "greater than", "above"]),
    ("(", &["parenthes", "bracket"]),
];

/// A convention of a file that the prompt must mention.
struct Convention {
    /// The convention, as named in the message.
    what: String,
    /// The suggestion for the prompt.
    help: String,
    /// Beginnings of words, any of which mentions it.
    words: Vec<String>,
    /// Marks, any of which mentions it anywhere in the text.
    marks: Vec<String>,
    /// The span of its declaration, and a label for it.
    declared: (Span, Cow<'static, str>),
}

pub(super) fn report_untold_conventions<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let written = collect_renderings(cx.task);
    let mut known: BTreeSet<(Span, String)> = BTreeSet::new();
    let papers = collect_explanatory_texts(cx.task);
    for way in ways {
        for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
            let text = format!("{}\n{papers}", telling.text).to_lowercase();
            let mut own: BTreeSet<String> = BTreeSet::new();
            for convention in find_conventions(cx.task, way, telling, &written) {
                if convention.is_told(&text) || !own.insert(convention.what.clone()) {
                    continue;
                }
                if known.insert((telling.span, convention.what.clone())) {
                    said.push(build_diagnostic(way, telling, &convention));
                }
            }
        }
    }
}

/// Collects the texts in the sandbox that might explain the data: files that do not consist of rows.
fn collect_explanatory_texts(task: &hir::Task) -> String {
    let mut out = String::new();
    for file in &task.files {
        if let FileContent::ComputedText(value) = &file.content {
            out.push_str(&collect_told_text(task, value));
            out.push('\n');
        }
    }
    out
}

fn find_conventions(task: &hir::Task, way: &Way<'_>, telling: &Telling, written: &[Rendering]) -> Vec<Convention> {
    let hidden: BTreeSet<NameId> = collect_rendered_names(telling);
    let answers: Vec<&Expr> = way.asked.iter_answers().collect();
    let files: BTreeSet<FileId> = answers.iter().flat_map(|value| collect_read_files(task, value, &hidden)).collect();
    let readings = needed::collect_answer_readings(task, &answers, &hidden, BTreeSet::new());
    let mut found = Vec::new();
    for file in files {
        let Some(made) = task.files.get(file) else { continue };
        let (Some(form), [relation]) = (made.content.form(), made.content.relations()) else { continue };
        if let Some(share) = form.repeat.as_ref().filter(|share| !share.is_zero_share()) {
            found.push(build_repeat_convention(share.span, task));
        }
        let rendering = written.iter().find(|rendering| rendering.relation == *relation);
        let Some(own) = task.relations.get(*relation) else { continue };
        for styled in &form.styled {
            let of_table = |column: ColumnId| {
                rendering.is_some_and(|rendering| {
                    let same =
                        |shown: &Shown| matches!(shown, Shown::Through(Some(own)) | Shown::As(own) if *own == column);
                    let mut columns = rendering.columns.iter().filter(|(_, shown)| shown.iter().any(same));
                    columns.any(|(of, _)| is_read(&readings, rendering.from, *of))
                })
            };
            if !is_read(&readings, *relation, styled.column) && !of_table(styled.column) {
                continue;
            }
            let Some(column) = own.columns.get(styled.column) else { continue };
            found.extend(styled.styles.iter().flat_map(|style| build_style_conventions(style, column)));
        }
    }
    found
}

fn is_read(readings: &[needed::Reading<'_>], relation: model::suite::RelationId, column: ColumnId) -> bool {
    readings.iter().any(|reading| reading.relation == relation && reading.columns.contains(&column))
}

fn build_repeat_convention(span: Span, task: &hir::Task) -> Convention {
    // "How many copies" asks for a column COPIES.
    let columns: BTreeSet<String> =
        task.relations.iter().flat_map(|own| &own.columns).map(|column| column.name.to_lowercase()).collect();
    let mut words = split_words(REPEATS);
    words.retain(|word| !columns.contains(word));
    Convention {
        what: "repeated rows".to_owned(),
        help: "say that repeated rows count once".to_owned(),
        words,
        marks: Vec::new(),
        declared: (span, "rows repeat here".into()),
    }
}

fn build_style_conventions(style: &Style<Checked>, column: &hir::Column) -> Vec<Convention> {
    let name = &column.name;
    match style {
        Style::Text(style, share) if !share.is_zero_share() => vec![Convention {
            what: format!("the {} `{name}`", style.record().varies_in),
            help: style.record().telling.to_owned(),
            words: to_owned_words(style.record().words),
            marks: Vec::new(),
            declared: (share.span, format!("written with `{}`", style.word()).into()),
        }],
        Style::Written { pattern, share: Some(share), .. } if !share.is_zero_share() => extract_affixes(pattern)
            .into_iter()
            .map(|(mark, place)| {
                let (words, mut marks) = (list_mark_names(&mark), vec![mark.to_lowercase()]);
                marks.extend(words.iter().filter(|word| !word.chars().all(char::is_alphanumeric)).cloned());
                Convention {
                    what: format!("`{mark}` {place} a value of `{name}`"),
                    help: format!("say what `{mark}` means, or that it means nothing"),
                    words,
                    marks,
                    declared: (share.span, "written so here".into()),
                }
            })
            .collect(),
        Style::Missing(marks) => {
            // A dash is obviously not a value.
            let speaks = |mark: &&String| !mark.chars().all(|c| c.is_whitespace() || "-–—.…?".contains(c));
            let marks: Vec<String> = marks.iter().filter(speaks).cloned().collect();
            let Some(first) = marks.first() else { return Vec::new() };
            let mut words = split_words(NULLS);
            words.extend(marks.iter().flat_map(|mark| list_mark_names(mark)));
            vec![Convention {
                what: format!("how missing values of `{name}` are marked"),
                help: format!("say that `{first}` marks a missing value"),
                words,
                marks: marks.iter().map(|mark| mark.to_lowercase()).collect(),
                declared: (column.span, "written with `missing`".into()),
            }]
        }
        Style::Written { .. } | Style::Text(..) => Vec::new(),
    }
}

/// Returns the text before and after the value in a pattern for numbers or texts. Empty for dates.
pub(super) fn extract_affixes(pattern: &str) -> Vec<(String, &'static str)> {
    // The forms of numbers from 0, and of those below.
    if let Some((first, below)) = pattern.split_once(';').filter(|(a, b)| a.contains('0') && b.contains('0')) {
        let mut found = extract_affixes(first);
        let new: Vec<_> = extract_affixes(below).into_iter().filter(|mark| !found.contains(mark)).collect();
        found.extend(new);
        return found;
    }
    let is_value = |c: char| matches!(c, '0' | '#' | '@');
    let (Some(first), Some(last)) = (pattern.find(is_value), pattern.rfind(is_value)) else { return Vec::new() };
    let before = pattern.get(..first).unwrap_or_default().trim();
    let after = pattern.get(last..).map(|rest| rest.trim_start_matches(is_value).trim()).unwrap_or_default();
    let both = [(before, "before"), (after, "after")];
    both.into_iter().filter(|(mark, _)| !mark.is_empty()).map(|(mark, place)| (mark.to_owned(), place)).collect()
}

/// Lists the usual names of a mark.
fn list_mark_names(mark: &str) -> Vec<String> {
    let mark = mark.to_lowercase();
    let of = MARKS
        .iter()
        .filter(|(sign, _)| mark == *sign || (!sign.chars().all(char::is_alphabetic) && mark.contains(sign)));
    of.flat_map(|(_, names)| to_owned_words(names)).collect()
}

fn split_words(words: &str) -> Vec<String> {
    words.split(", ").map(str::to_owned).collect()
}

fn to_owned_words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl Convention {
    /// Checks whether a lowercase text mentions it.
    fn is_told(&self, text: &str) -> bool {
        let begins = |word: &String| {
            text.match_indices(word.as_str()).any(|(at, _)| {
                let before = text.get(..at).and_then(|text| text.chars().next_back());
                !before.is_some_and(char::is_alphanumeric)
            })
        };
        // A mark of letters or digits must be a whole word, because single letters occur in every text.
        let tells = |mark: &String| match mark.chars().all(char::is_alphanumeric) {
            true => has_word(text, mark),
            false => text.contains(mark.as_str()),
        };
        self.words.iter().any(begins) || self.marks.iter().any(tells)
    }
}

fn build_diagnostic(way: &Way<'_>, telling: &Telling, convention: &Convention) -> Diagnostic {
    let message = format!("{} probably does not mention {}", describe_prompt(way), convention.what);
    Diagnostic::new(Code::UNTOLD_CONVENTION, message, telling.span, "not mentioned here")
        .label(convention.declared.0, convention.declared.1.as_ref())
        .help(convention.help.clone())
}
