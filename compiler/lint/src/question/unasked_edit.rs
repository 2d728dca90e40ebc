//! `unasked_change` of files: an expected content changes more places than the prompt asks for, with `edit` or `replace`. `missing_change`: it changes one item of a
//! list, and the prompt asks for all. Heuristics.

use model::Span;
use model::functions::{Kernel, Reader};

use super::chosen_items;
use super::edited_places::{Item, ItemPlace, find_edited_relation, iter_places, read_item_place};
use super::left_rows::join_other_sentences;
use super::other_key;
use super::prompt_content::{Telling, Way, has_word};
use super::replaced_numbers;
use super::stated_flags::states_value;
use crate::context::{TaskCx, judge_by_words, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, FileContent, Task};
use names::words::to_singular;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::fmt::shorten_text;

/// The number of pieces after which a text is abandoned, because names composed of names can double each time.
const MAX_PIECES: usize = 2_000;
/// Characters in place of drawn values: no text has them.
pub(super) const FIRST_VALUE: u32 = 0xF_0000;

pub(super) fn report_unasked_edits<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        if way.tellings.is_empty() || way.tellings.iter().any(|telling| telling.opaque) {
            continue;
        }
        for answer in way.asked.iter_answers() {
            let mut edited = Vec::new();
            answer.visit_through_names(cx.task, &mut |part| edited.extend(find_edited_path(part)));
            let lint = Lint { cx, way, edited };
            answer.visit_through_names(cx.task, &mut |part| {
                let new = lint.check_edit(part).or_else(|| lint.check_replacement(part));
                new.into_iter().for_each(|new| report_once(new, said));
            });
        }
    }
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    way: &'l Way<'a>,
    /// The paths of the edits of which the answer consists.
    edited: Vec<&'a str>,
}

impl<'a> Lint<'_, 'a> {
    /// Compares the places that an `edit` changes with the items of which the prompt speaks.
    fn check_edit(&self, call: &'a Expr) -> Option<Diagnostic> {
        let ExprKind::Call(function, args) = &call.kind else { return None };
        function.content_edit()?;
        let Some(Arg::Path(path)) = args.get(1) else { return None };
        let Some(place) = read_item_place(&path.text) else {
            return other_key::check_key(self.cx, self.way, &self.edited, path);
        };
        match place.item {
            Item::Every => self
                .check_every(path.span, &place)
                .or_else(|| chosen_items::check_chosen(self.cx, self.way, self.edited.len(), path.span, &place)),
            // Several edits can change several items.
            Item::One(_) if self.edited.iter().filter(|path| place.is_in(path)).count() > 1 => None,
            Item::One(index) => {
                let found = self.check_one(path.span, &place).or_else(|| self.check_ordinal(path.span, &place, index));
                found.or_else(|| chosen_items::check_other_item(self.cx, self.way, path.span, &place, index))
            }
        }
    }

    /// Reports `$.sensors[*].limit` if the prompt names a value of another key of the items.
    fn check_every(&self, path: Span, place: &ItemPlace<'_>) -> Option<Diagnostic> {
        let relation_id = find_edited_relation(self.cx.task, path)?;
        let relation = self.cx.task.relations.get(relation_id)?;
        let columns = relation
            .iter_own_columns()
            .filter(|(_, column)| column.name != place.key && column.ty.kind == TyKind::Text);
        for (id, column) in columns {
            let fact = self.cx.facts().lookup_column(relation_id, id);
            let values = fact.closed.as_deref().filter(|values| values.len() > 1).unwrap_or_default();
            let is_stated = |value: &String, telling: &Telling| {
                let prompt = &telling.lower_prompt;
                states_value(prompt, &column.name.to_lowercase(), &place.list.to_lowercase(), &value.to_lowercase())
            };
            let texts = values.iter().map(|value| value.render_text().into_owned());
            let stated: Vec<String> =
                texts.filter(|value| self.way.tellings.iter().all(|telling| is_stated(value, telling))).collect();
            let [value] = stated.as_slice() else { continue };
            // Other values are mentioned to include them.
            let names_another = |telling: &Telling| {
                let prompt = join_other_sentences(&telling.prompt);
                let others = values.iter().map(|other| other.render_text().to_lowercase());
                others.into_iter().any(|other| other != value.to_lowercase() && has_word(&prompt, &other))
            };
            if self.way.tellings.iter().any(names_another) {
                continue;
            }
            let message = format!(
                "the edit changes every item of `{}`, but the prompt names only those with the {} `{value}`",
                place.list, column.name
            );
            let telling = self.way.tellings.first()?;
            return Some(
                judge_by_words(Code::UNASKED_CHANGE, message, path, format!("`{}` is not compared", column.name))
                    .label(telling.span, format!("asks for `{value}`"))
                    .help(format!(
                        "select them in the path: $.{}[?@.{} == '{value}'].{}",
                        place.list, column.name, place.key
                    )),
            );
        }
        None
    }

    /// Reports `$.legs[0].carrier` if the prompt asks for every leg.
    fn check_one(&self, path: Span, place: &ItemPlace<'_>) -> Option<Diagnostic> {
        let list = place.list.to_lowercase();
        let one = to_singular(&list);
        let phrases = ["every ", "each ", "each of the ", "all ", "all of the ", "all the "];
        let find = |telling: &Telling| {
            let prompt = telling.lower_prompt.replace('`', "");
            let phrases = phrases.iter().map(|word| match word.starts_with("all") || word.ends_with("the ") {
                true => format!("{word}{list}"),
                false => format!("{word}{one}"),
            });
            phrases.into_iter().find(|phrase| has_word(&prompt, phrase))
        };
        let found: Vec<String> = self.way.tellings.iter().map(find).collect::<Option<_>>()?;
        let (words, telling) = (found.first()?, self.way.tellings.first()?);
        let message =
            format!("the prompt asks for a change of `{words}`, but the edit changes one item of `{}`", place.list);
        Some(
            judge_by_words(Code::MISSING_CHANGE, message, path, "selects one item")
                .label(telling.span, format!("says `{words}`"))
                .help(format!("write `[*]` for all items: $.{}[*].{}", place.list, place.key)),
        )
    }

    /// Reports `$.legs[1].carrier` if the prompt speaks of the first leg.
    fn check_ordinal(&self, path: Span, place: &ItemPlace<'_>, index: i64) -> Option<Diagnostic> {
        let one = to_singular(&place.list.to_lowercase());
        let find = |telling: &Telling| {
            let prompt = telling.lower_prompt.replace('`', "");
            let mut told = iter_places().filter(|(word, _)| has_word(&prompt, &format!("{word} {one}")));
            told.next().filter(|_| told.next().is_none())
        };
        let told: Vec<(&str, i64)> = self.way.tellings.iter().map(find).collect::<Option<_>>()?;
        let ((word, at), telling) = (told.first()?, self.way.tellings.first()?);
        (*at != index).then(|| {
            let message =
                format!("the prompt speaks of the {word} {one}, but the edit changes `{}[{index}]`", place.list);
            judge_by_words(Code::OTHER_CHANGE, message, path, "counts from 0")
                .label(telling.span, format!("says `{word} {one}`"))
                .help(format!("write `{}[{at}]`", place.list))
        })
    }

    /// Reports a replacement in several sections of a text if the prompt names one of them where it tells the new text.
    fn check_replacement(&self, call: &'a Expr) -> Option<Diagnostic> {
        let ExprKind::Call(function, args) = &call.kind else { return None };
        let [Arg::Value(text), Arg::Value(sought), Arg::Value(new)] = args.as_slice() else { return None };
        if function.sought != Some(1) {
            return None;
        }
        let task = self.cx.task;
        let ExprKind::Call(reader, of) = &text.resolve_name(task).kind else { return None };
        let (Kernel::Reads(Reader::Content), [Arg::File(file)]) = (reader.kernel, of.as_slice()) else { return None };
        let FileContent::ComputedText(content) = &task.files.get(*file)?.content else { return None };
        let (content, needle, new) = (write_text(task, content)?, write_text(task, sought)?, write_text(task, new)?);
        if let Some(line) = find_longer_line(&content, &needle) {
            return Some(build_longer_diagnostic(self.cx, sought, line));
        }
        if let Some(new) = replaced_numbers::check_number(self.cx, self.way, sought, &content, &needle) {
            return Some(new);
        }
        let sections = list_sections(&content, &needle);
        if sections.len() < 2 {
            return None;
        }
        let named: Vec<&str> = self
            .way
            .wordings
            .iter()
            .map(|wording| find_named(task, wording, &sections, &new, &needle))
            .collect::<Option<_>>()?;
        let (first, telling) = (named.first()?, self.way.tellings.first()?);
        let shown = shorten_text(&self.cx.sources.quote(sought.span), 40);
        let message =
            format!("`replace` changes {shown} in {} sections, but the prompt asks for `{first}` only", sections.len());
        let of_file =
            task.files.get(*file).map(|file| (file.span, format!("has it in {}", describe_sections(&sections))));
        Some(
            judge_by_words(Code::UNASKED_CHANGE, message, sought.span, "occurs several times")
                .with_labels(of_file)
                .label(telling.span, format!("names `{first}`"))
                .help("replace a longer text that occurs once, with the line before it"),
        )
    }
}

fn find_edited_path(part: &Expr) -> Option<&str> {
    match &part.kind {
        ExprKind::Call(function, args) if function.content_edit().is_some() => match args.get(1) {
            Some(Arg::Path(path)) => Some(&path.text),
            _ => None,
        },
        _ => None,
    }
}

fn build_longer_diagnostic(cx: &TaskCx<'_>, sought: &Expr, line: &str) -> Diagnostic {
    let shown = shorten_text(&cx.sources.quote(sought.span), 40);
    let message = format!("`replace` changes {shown} also within `{}`", shorten_text(line.trim(), 40));
    Diagnostic::new(Code::UNASKED_CHANGE, message, sought.span, "is the beginning of a longer line, too")
        .help("replace the whole line, with the line break after it")
}

/// Finds a line in which a text goes on with a letter or digit, if the text is also a whole line.
fn find_longer_line<'c>(content: &'c str, needle: &str) -> Option<&'c str> {
    let is_plain = !needle.is_empty() && !needle.contains('\n') && needle.ends_with(char::is_alphanumeric);
    if !is_plain || !content.lines().any(|line| line.trim() == needle.trim()) {
        return None;
    }
    let is_longer = |line: &&str| {
        line.match_indices(needle).any(|(at, _)| {
            line.get(at + needle.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        }) && line.chars().all(|c| u32::from(c) < FIRST_VALUE)
    };
    content.lines().find(is_longer)
}

fn describe_sections(sections: &[String]) -> String {
    syntax::diagnostics::wording::join_with_and(sections.iter().map(String::as_str))
}

/// Writes a text with a special character for each drawn value. `None` if it is too long.
fn write_text(task: &Task, text: &Expr) -> Option<String> {
    let (mut out, mut left) = (String::new(), MAX_PIECES);
    add_text(task, text, &mut out, &mut left).then_some(out)
}

fn add_text(task: &Task, text: &Expr, out: &mut String, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    match &text.kind {
        ExprKind::Const(value) => {
            value.render_into(out);
            true
        }
        ExprKind::Concat(pieces) => pieces.iter().all(|piece| add_text(task, piece, out, left)),
        ExprKind::Name(id) => match task.find_computed(*id) {
            Some(value) if matches!(value.kind, ExprKind::Concat(_) | ExprKind::Const(_) | ExprKind::Name(_)) => {
                add_text(task, value, out, left)
            }
            _ => {
                let at = task.names.keys().position(|known| known == *id).and_then(|at| u32::try_from(at).ok());
                out.extend(at.and_then(|at| char::from_u32(FIRST_VALUE.saturating_add(at))));
                true
            }
        },
        _ => {
            // A value that is like no other.
            out.push('\u{10FFFD}');
            true
        }
    }
}

/// Lists the headers of the sections in which a text occurs, if it occurs at most once in each.
fn list_sections(content: &str, needle: &str) -> Vec<String> {
    if needle.is_empty() || needle.contains('\n') {
        return Vec::new();
    }
    let mut header: Option<String> = None;
    let mut found: Vec<String> = Vec::new();
    for line in content.lines() {
        if let Some(name) = read_header(line) {
            header = Some(name);
        } else if line.contains(needle) {
            let Some(name) = header.clone().filter(|name| !found.contains(name)) else { return Vec::new() };
            found.push(name);
        }
    }
    found
}

/// Reads the name of a section: `[night]`, or `night:`.
fn read_header(line: &str) -> Option<String> {
    let line = line.trim();
    let name = match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(name) => name.trim_matches(['[', ']']),
        None => line.strip_suffix(':').or_else(|| line.strip_prefix("# ")).or_else(|| line.strip_prefix("## "))?,
    };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    is_name.then(|| name.to_owned())
}

/// Finds the only section that the sentence with the new text names.
fn find_named<'s>(task: &Task, wording: &[&Expr], sections: &'s [String], new: &str, old: &str) -> Option<&'s str> {
    let values: Vec<char> = new.chars().filter(|c| u32::from(*c) >= FIRST_VALUE && !old.contains(*c)).collect();
    let mut prompt = String::new();
    for text in wording {
        prompt.push_str(&write_text(task, text)?);
        prompt.push('\n');
    }
    let last_word = new.rsplit([' ', '=', ':']).next().unwrap_or(new);
    let tells_new = |sentence: &&str| match values.as_slice() {
        [] => has_word(sentence, last_word),
        all => all.iter().all(|value| sentence.contains(*value)),
    };
    let mut sentences = prompt.split(". ").flat_map(|part| part.split(".\n")).filter(tells_new);
    let sentence = sentences.next().filter(|_| sentences.next().is_none())?;
    let mut named = sections.iter().filter(|name| has_word(&sentence.to_lowercase(), &name.to_lowercase()));
    named.next().map(String::as_str).filter(|_| named.next().is_none())
}
