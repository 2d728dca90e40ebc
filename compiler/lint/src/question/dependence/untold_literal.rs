//! `untold_literal`: an answer chooses rows, or computes, by a constant that no wording mentions. A heuristic.

use std::collections::BTreeSet;

use model::suite::matchers::Takes;
use model::suite::{ColumnId, RelationId};
use model::{Span, Value};

use super::conditions::{Constant, Used, collect_constants, is_telling_number};
use super::documents::{add_texts, collect_documents};
use super::hints::{Hints, is_near, list_formula_numbers, read_day};
use super::template::{Template, ends_with_phrase, list_first_words};
use super::untold_code::is_untold_code;
use super::untold_input::locate_untold;
use super::untold_term::{is_unit, read_constant_name};
use crate::context::TaskCx;
use crate::question::prompt_content::{Telling, Way, has_word};
use crate::question::unmentioned_file::describe_prompt;
use hir::facts::Facts;
use hir::types::TyKind;
use hir::{Expr, Task};
use names::prose::DRAWN;
use names::words::{have_same_singular, split_words};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::fmt::shorten_text;
use syntax::prompts::english::data::{COMPARISONS, EFFORT, EXCLUDING, LIMITS_AFTER, PLAIN, UNITS};
use syntax::prompts::has_listed;

pub(super) fn report_untold_literals<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let mut texts = None;
    let mut known: BTreeSet<Span> = BTreeSet::new();
    for way in ways {
        // Another form of the same rows can name values as columns.
        let is_one_of_forms =
            |expect: &&hir::Expect| expect.is_any_of() && expect.matcher.record().takes == Takes::Rows;
        let asked = way.asked.expects.iter().filter(|expect| !is_one_of_forms(expect));
        let answers: Vec<&'a Expr> = asked.filter_map(|expect| expect.answer_expr()).collect();
        for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
            let mut constants = collect_constants(task, &answers, &telling.names);
            constants.retain(|constant| !is_unit(cx, constant));
            if constants.is_empty() {
                break;
            }
            let (documents, vocabulary) =
                texts.get_or_insert_with(|| (Hints::from_text(&collect_documents(task)), collect_vocabulary(task)));
            // A value of the wording that nothing reads was meant.
            let is_unread =
                |said: &Diagnostic| said.code == Code::UNREAD_CONDITION && telling.span.is_enclosing(said.primary.span);
            if said.iter().any(is_unread) {
                continue;
            }
            let mut told = Told::new(task, way, telling);
            told.note_open_words(task, vocabulary, &constants);
            for constant in &constants {
                let is_told = told.has_constant(task, constant) || is_documented(documents, constant);
                if is_told || known.contains(&constant.span) || is_impossible(task, cx.facts(), constant) {
                    continue;
                }
                let why = told.find_reason(cx.facts(), constant, &constants);
                if let Some(why) = why.or_else(|| told.find_term(cx, documents, constant, &constants)) {
                    let same = |other: &&Constant| other.used == constant.used;
                    known.extend(constants.iter().filter(same).map(|other| other.span));
                    said.push(build_diagnostic(cx, constant, &why, way, telling));
                }
            }
        }
    }
}

/// Checks whether a column never has a text: that is told as a predicate that is never true.
fn is_impossible(task: &Task, facts: &Facts<'_>, constant: &Constant) -> bool {
    let Used::Compared(Some(place)) = constant.used else { return false };
    let is_text = task.find_column(place).is_some_and(|column| column.ty.kind == TyKind::Text);
    is_text
        && matches!(constant.value, Value::Text(_))
        && !facts.lookup_column(place.0, place.1).can_be(&constant.value)
}

/// Checks whether a text in the sandbox tells a constant.
fn is_documented(documents: &Hints, constant: &Constant) -> bool {
    !matches!(constant.used, Used::Flag(_)) && documents.has_value(&constant.value)
}

/// Collects the words that name files, tables, and columns.
fn collect_vocabulary(task: &Task) -> Vec<String> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut add = |name: &str| words.extend(split_words(name));
    for relation in &task.relations {
        add(&relation.name);
        relation.columns.iter().for_each(|column| add(&column.name));
    }
    for file in &task.files {
        add(&file.name);
        let pieces = file.path.as_pieces().iter().filter_map(Expr::as_constant).filter_map(Value::as_text);
        pieces.for_each(&mut add);
    }
    words.into_iter().collect()
}

/// Why a constant is probably not told.
pub(super) enum Reason {
    /// The wording has another value of the same column, or another limit.
    Other(String),
    /// No word of the wording can mean it.
    NoWord,
    /// The wording has a word of the constant's name, or of a choice among limits, and nothing says its value.
    Term(String),
}

/// What a wording tells.
pub(super) struct Told {
    /// The prompt as it is.
    prompt: String,
    /// The words that name files, tables, and columns.
    pub vocabulary: Vec<String>,
    pub hints: Hints,
    /// The same without the values that its placeholders can have.
    pub fixed: Hints,
    /// Whether it has words that could mean a condition.
    is_open: bool,
    /// Numbers after words such as "above".
    pub limits: Vec<f64>,
    /// Whether a value is after such a word.
    pub has_drawn_limit: bool,
}

impl Told {
    fn new(task: &Task, way: &Way<'_>, telling: &Telling) -> Told {
        let fixed = Hints::from_text(&telling.prompt);
        let mut text = telling.prompt.clone();
        let mut has_drawn_limit = false;
        for wording in &way.asked.prompts {
            let template = Template::from_wording(task, wording);
            for value in &template.values {
                text.push('\n');
                add_texts(task, value.expr, &mut text);
                has_drawn_limit |= ends_with_phrase(template.text_before(value), COMPARISONS);
            }
        }
        Told {
            prompt: telling.prompt.clone(),
            vocabulary: Vec::new(),
            hints: Hints::from_text(&text),
            is_open: true,
            limits: list_limits(&telling.prompt),
            fixed,
            has_drawn_limit,
        }
    }

    /// Notes whether the wording has words besides those of any prompt, of names, and of the constants that it mentions.
    fn note_open_words(&mut self, task: &Task, vocabulary: &[String], constants: &[Constant]) {
        self.vocabulary = vocabulary.to_vec();
        let mut known = vocabulary.to_vec();
        for constant in constants.iter().filter(|constant| self.has_constant(task, constant)) {
            known.extend(split_words(&constant.value.render_text()));
        }
        let is_told = |limit: &f64| {
            constants.iter().filter_map(|constant| constant.value.as_f64()).any(|number| is_same_amount(*limit, number))
        };
        if !self.limits.is_empty() && self.limits.iter().all(is_told) {
            known.extend(COMPARISONS.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned));
        }
        self.is_open = !self.fixed.list_open_words(&known).is_empty();
    }

    /// Checks whether the wording mentions a constant, or the column of bools that is a condition.
    fn has_constant(&self, task: &Task, constant: &Constant) -> bool {
        match constant.used {
            Used::Flag(place) => task.find_column(place).is_none_or(|column| self.has_any_word(&column.name)),
            _ => self.hints.has_value(&constant.value),
        }
    }

    fn has_any_word(&self, name: &str) -> bool {
        split_words(name)
            .iter()
            .filter(|word| !["is", "has", "was"].contains(&word.as_str()))
            .any(|word| self.hints.has_form(word))
    }

    /// Finds out why a constant is probably not told. `None` if it may be.
    fn find_reason(&self, facts: &Facts<'_>, constant: &Constant, all: &[Constant]) -> Option<Reason> {
        let column = match constant.used {
            Used::Compared(Some(column)) => Some(column),
            _ => None,
        };
        if column.is_some_and(|column| self.excludes_others(facts, column, constant, all)) {
            return None;
        }
        let day = as_day(&constant.value);
        if let (Value::Text(_), None, Some(column)) = (&constant.value, day, column)
            && let Some(other) = self.find_sibling(facts, column, all)
        {
            return Some(Reason::Other(format!("the prompt says \"{other}\"")));
        }
        let is_any_day_told = || {
            all.iter().filter(|other| as_day(&other.value).is_some()).any(|other| self.hints.has_value(&other.value))
        };
        if day.is_some() && self.fixed.has_date() && !is_any_day_told() && !self.fixed.has_length() {
            return Some(Reason::Other("the prompt has another date".to_owned()));
        }
        if column.is_some_and(|column| is_untold_code(facts, &self.prompt.to_lowercase(), column, &constant.value)) {
            return Some(Reason::NoWord);
        }
        let years = self.fixed.list_years();
        if let (Some(_), [year]) = (as_year(&constant.value), years.as_slice())
            && matches!(constant.used, Used::Compared(_))
            && self.limits.is_empty()
            && !all.iter().any(|other| as_year(&other.value).is_some_and(|other| is_near(other, *year)))
        {
            return Some(Reason::Other(format!("the prompt says {year}")));
        }
        let is_number = day.is_none() && constant.value.as_f64().is_some();
        if is_number && matches!(constant.used, Used::Compared(_)) && !self.has_drawn_limit {
            let numbers = || all.iter().filter_map(|constant| constant.value.as_f64());
            let strange: Vec<&f64> =
                self.limits.iter().filter(|limit| !numbers().any(|number| is_same_amount(**limit, number))).collect();
            let untold = numbers().filter(|number| !self.hints.has_number(*number)).count();
            if let ([other], 1) = (strange.as_slice(), untold) {
                return Some(Reason::Other(format!("the prompt says {other}")));
            }
        }
        let is_blind = match constant.used {
            Used::Chosen(_) => false,
            // A formula is told by its numbers, whatever else the wording says.
            Used::Computed => {
                let is_told = self.count_formula_numbers() > 1 || self.hints.has_vague_words();
                !is_told && is_telling_number(&constant.value)
            }
            _ if day.is_some() => !self.is_open && !self.hints.has_date_words() && !self.has_drawn_limit,
            _ if is_number => !self.is_open && !self.has_drawn_limit && self.are_limits_read(all),
            _ => !self.is_open && !self.has_drawn_limit,
        };
        is_blind.then_some(Reason::NoWord)
    }

    /// Checks whether all limits of the wording are other constants.
    fn are_limits_read(&self, all: &[Constant]) -> bool {
        let mut read = all.iter().filter_map(|other| other.value.as_f64());
        self.limits.iter().all(|limit| read.any(|number| is_near(*limit, number)))
    }

    /// Counts the numbers of the wording that can belong to a formula.
    pub fn count_formula_numbers(&self) -> usize {
        list_formula_numbers(&self.prompt).len()
    }

    /// Checks whether the wording names all values of a column that no constant is: after a word such as "except", or where the answer leaves out the
    /// constant.
    fn excludes_others(
        &self,
        facts: &Facts<'_>,
        column: (RelationId, ColumnId),
        constant: &Constant,
        all: &[Constant],
    ) -> bool {
        let values = facts.lookup_column(column.0, column.1).closed.unwrap_or_default();
        let is_read = |value: &Value| all.iter().any(|constant| constant.value.is_same(value));
        let others: Vec<&str> = values.iter().filter(|value| !is_read(value)).filter_map(Value::as_text).collect();
        let prompt = self.prompt.to_lowercase();
        !others.is_empty()
            && others.iter().all(|other| is_named(&self.prompt, other))
            && (constant.is_excluded || EXCLUDING.split(", ").any(|phrase| has_word(&prompt, phrase)))
    }

    /// Finds another value of a column that the wording names and no constant is.
    fn find_sibling(&self, facts: &Facts<'_>, column: (RelationId, ColumnId), all: &[Constant]) -> Option<String> {
        let values = facts.lookup_column(column.0, column.1).closed?;
        let texts = values.iter().filter_map(Value::as_text);
        let is_other = |text: &&str| {
            let lower = text.to_lowercase();
            let is_read = all
                .iter()
                .any(|constant| constant.value.as_text().is_some_and(|known| known.eq_ignore_ascii_case(text)));
            let is_name = self.vocabulary.iter().any(|name| have_same_singular(name, &lower));
            !is_name
                && lower.chars().count() > 3
                && !has_listed(PLAIN, &lower)
                && !is_read
                && is_named(&self.prompt, text)
        };
        texts.filter(is_other).map(str::to_owned).next()
    }
}

/// Checks whether a prompt has a text as a word, or its plural.
fn is_named(prompt: &str, text: &str) -> bool {
    has_word(prompt, text) || has_word(prompt, &format!("{text}s"))
}

/// Checks whether two numbers can be one amount, perhaps in different units, or an age and a year.
pub(super) fn is_same_amount(told: f64, read: f64) -> bool {
    let ratio = (told / read).abs().max((read / told).abs());
    let is_unit = UNITS.iter().any(|unit| (ratio / unit - 1.0).abs() < 0.02);
    let is_temperature = is_near(told * 1.8 + 32.0, read) || is_near((told - 32.0) / 1.8, read);
    let is_age = as_year(&Value::Float(read)).is_some() && told < 200.0;
    Hints::from_numbers(vec![told]).has_number(read) || is_unit || is_temperature || is_age
}

/// Reads a constant as a year.
fn as_year(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_text()?.parse::<f64>().ok())?;
    ((1900.0..2100.0).contains(&number) && number.fract() == 0.0).then_some(number)
}

/// Reads a constant as a day.
fn as_day(value: &Value) -> Option<model::Date> {
    match value {
        Value::Text(text) => read_day(text),
        Value::Date(day) => Some(*day),
        Value::DateTime(at) => Some(at.date()),
        _ => None,
    }
}

/// Lists the numbers of a prompt that are after words such as "above", and that do not limit the reply.
fn list_limits(prompt: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let mut rest = prompt;
    let mut passed = 0;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let start = passed + at;
        let inner = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '_' | '\'');
        let digits = prompt.get(start..).unwrap_or_default();
        let length = digits.find(|c: char| !inner(c)).unwrap_or(digits.len());
        let run = digits.get(..length).unwrap_or_default();
        let after = digits.get(length..).unwrap_or_default();
        let before = prompt.get(..start).unwrap_or_default();
        let is_effort = list_first_words(after, 1).first().is_some_and(|word| has_listed(EFFORT, word));
        let is_part = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '_' | DRAWN))
            || after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '_' | '%' | DRAWN));
        let sentence = before.rsplit(['.', '?', '!', '\n']).next().unwrap_or_default();
        let next = list_first_words(after, 2).join(" ");
        let is_limit = ends_with_phrase(sentence, COMPARISONS) || LIMITS_AFTER.split(", ").any(|phrase| next == phrase);
        if !is_effort && !is_part && is_limit {
            let plain: String = run.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            found.extend(plain.trim_end_matches('.').parse::<f64>().ok());
        }
        passed = start + length.max(1);
        rest = prompt.get(passed..).unwrap_or_default();
    }
    found
}

/// Writes a constant as an author does.
fn quote_value(value: &Value) -> String {
    let text = shorten_text(&value.render_text(), 40);
    if matches!(value, Value::Text(_)) { format!("\"{text}\"") } else { text }
}

fn build_diagnostic(
    cx: &TaskCx<'_>,
    constant: &Constant,
    why: &Reason,
    way: &Way<'_>,
    telling: &Telling,
) -> Diagnostic {
    let prompt = describe_prompt(way);
    let (what, label) = match constant.used {
        Used::Flag(place) => {
            let column = cx.task.find_column(place).map_or("", |column| column.name.as_str());
            (format!("rows by `{column}`"), "the condition")
        }
        Used::Computed => (format!("the number {}", constant.value.render_text()), "computed with this number"),
        Used::Compared(_) => (quote_value(&constant.value), "the condition"),
        Used::Chosen(_) => (format!("the number {}", constant.value.render_text()), "chosen among such numbers"),
    };
    let message = match constant.used {
        Used::Flag(_) => format!("the answer selects {what}, which {prompt} does not mention"),
        _ => format!("the answer uses {what}, which {prompt} does not mention"),
    };
    let note = match why {
        Reason::Other(other) => other.clone(),
        Reason::Term(note) => note.clone(),
        Reason::NoWord => "no word of the prompt can mean it, as far as its words are known here".to_owned(),
    };
    let what = match constant.used {
        Used::Computed => "state the number in the prompt, or compute without it",
        Used::Chosen(_) => "state these numbers in the prompt, or write them to a file",
        _ => "state the condition in the prompt, or remove it from the expected value",
    };
    let name = match constant.used {
        Used::Flag(place) | Used::Compared(Some(place)) => cx.task.find_column(place).map(|column| column.name.clone()),
        _ => read_constant_name(cx, constant).map(str::to_owned),
    };
    let told = locate_untold(cx, way, telling, &name.unwrap_or_default());
    Diagnostic::new(Code::UNTOLD_LITERAL, message, constant.span, label)
        .with_labels(told.into_iter().map(|span| (span, "not mentioned here")))
        .note(note)
        .help(what)
}
