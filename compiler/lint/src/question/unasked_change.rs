//! `unasked_change`: a goal changes more rows of a database than the prompt asks for. `untold_value`: it writes a text that the prompt does not tell.

use model::suite::{ColumnId, Matcher, NameId};
use names::prose::DRAWN;
use sql::ChangeKind;
use sql::lex::{Kind, Token};
use syntax::prompts::english::lints::{AMOUNTS, COMPARED};

use super::left_rows::{check_left_rows, find_kept_rows};
use super::listed_rows::{check_dates, check_listed_rows};
use super::other_key::check_table;
use super::prompt_content::{Telling, Way};
use super::spared_rows::{check_spared_rows, check_spared_values};
use super::stated_flags::{find_stated_flag, has_phrase, states_value};
use crate::context::{TaskCx, report_once};
use crate::goals::{Goal, Step, list_goals};
use crate::idle::reads_data;
use hir::types::TyKind;
use hir::{DrawDomain, ExprKind, FileContent, NameSource};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unasked_changes<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    if !cx.task.iter_expects().any(|expect| expect.matcher == Matcher::Database) {
        return;
    }
    let lint = Lint { cx };
    for way in ways {
        if way.tellings.is_empty() || way.tellings.iter().any(|telling| telling.opaque) {
            continue;
        }
        for goal in list_goals(cx.task, way.asked.expects.iter().copied()) {
            let words = Words::from_goal(&goal);
            for step in &goal.steps {
                let new = lint
                    .check_rows(step, &words, way)
                    .or_else(|| check_table(cx, way, &goal, step))
                    .or_else(|| check_left_rows(cx, step, way))
                    .or_else(|| check_spared_rows(cx, &goal, step, way))
                    .or_else(|| check_spared_values(cx, &goal, step, way))
                    .or_else(|| check_listed_rows(cx, step, way))
                    .or_else(|| check_dates(cx, step, &words.literals, way))
                    .or_else(|| lint.check_values(step, way));
                new.into_iter().for_each(|new| report_once(new, said));
            }
        }
    }
}

/// What all statements of a goal name.
struct Words {
    /// Texts and numbers, in lower case.
    literals: Vec<String>,
    /// The names of parameters.
    params: Vec<String>,
    /// The columns in conditions, in lower case.
    compared: Vec<String>,
}

impl Words {
    fn from_goal(goal: &Goal<'_>) -> Words {
        let mut words = Words { literals: Vec::new(), params: Vec::new(), compared: Vec::new() };
        for sql in goal.steps.iter().map(|step| step.sql) {
            for token in sql::lex::tokenize_sql(&sql.text) {
                match token.kind {
                    Kind::Text | Kind::Number => words.literals.push(token.to_unquoted().to_lowercase()),
                    Kind::Param => words.params.push(token.text.get(1..).unwrap_or_default().to_owned()),
                    _ => {}
                }
            }
        }
        let conditions = goal.steps.iter().flat_map(|step| step.change.conditions.iter().flatten());
        words.compared =
            conditions.filter(|token| token.is_name()).map(|token| token.to_unquoted().to_lowercase()).collect();
        words
    }
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
}

impl Lint<'_, '_> {
    /// Reports an UPDATE or DELETE without a condition that every wording of the prompt states.
    fn check_rows(&self, step: &Step<'_>, words: &Words, way: &Way<'_>) -> Option<Diagnostic> {
        let change = &step.change;
        if change.kind == ChangeKind::Insert || change.is_complex || self.is_single_row(step) {
            return None;
        }
        let stated: Vec<Stated> =
            way.tellings.iter().map(|telling| self.find_condition(step, words, telling)).collect::<Option<_>>()?;
        let first = stated.first()?;
        let verb = if change.kind == ChangeKind::Delete { "deletes" } else { "changes" };
        let (message, label) = match change.conditions.is_empty() {
            true => (format!("the goal {verb} every row of `{}`", change.table), "no WHERE".to_owned()),
            false => (
                format!("the goal {verb} more rows than the prompt asks for"),
                format!("`{}` is not compared", first.column),
            ),
        };
        Some(
            Diagnostic::new(Code::UNASKED_CHANGE, message, step.span(), label)
                .label(first.telling, format!("asks for {}", first.shown))
                .help(format!("add the condition of the prompt: WHERE {} {}", first.column, first.comparison)),
        )
    }

    /// Whether a statement looks for one value of a column without repetitions: then the prompt may describe the row in other words.
    fn is_single_row(&self, step: &Step<'_>) -> bool {
        step.change.conditions.iter().any(|part| match part.as_slice() {
            [name, equals, _] if equals.is_punct("=") => {
                let column = step.find_column(self.cx.task, &name.to_unquoted());
                column.is_some_and(|(id, _)| self.cx.facts().lookup_column(step.relation, id).unique)
            }
            _ => false,
        })
    }

    /// Finds a condition on the changed table that a wording states and the goal does not have.
    fn find_condition(&self, step: &Step<'_>, words: &Words, telling: &Telling) -> Option<Stated> {
        let relation = self.cx.task.relations.get(step.relation)?;
        let prompt = &telling.lower_prompt;
        // A parameter that is computed from the data can stand for any words.
        let is_computed = step.sql.params.iter().any(|(_, value)| reads_data(self.cx.task, value));
        for (id, column) in relation.iter_written_columns() {
            let name = column.name.to_lowercase();
            let is_set = step.change.sets.iter().any(|(set, _)| set.eq_ignore_ascii_case(&name));
            if words.compared.contains(&name) {
                continue;
            }
            let fact = self.cx.facts().lookup_column(step.relation, id);
            let values = fact.closed.as_deref().filter(|_| column.ty.kind == TyKind::Text).unwrap_or_default();
            for value in values.iter().filter(|values| !words.literals.contains(&values.render_text().to_lowercase())) {
                let value = value.render_text();
                if states_value(prompt, &name, &relation.table.to_lowercase(), &value.to_lowercase()) {
                    let comparison = format!("= '{}'", value.replace('\'', "''"));
                    return Some(Stated::new(column, telling, format!("`{value}`"), comparison));
                }
            }
            let is_used =
                is_set || step.change.sets.iter().flat_map(|(_, value)| value).any(|token| token.is_named(&name));
            let stated = if is_used || is_computed { None } else { find_stated_flag(prompt, column, &relation.table) };
            if let Some(flag) = stated {
                return Some(Stated::new(column, telling, format!("`{}`", flag.shown), flag.comparison.to_owned()));
            }
            let stated = if is_computed { None } else { find_kept_rows(&telling.lower_prompt, &name) };
            if let Some((shown, value)) = stated {
                return Some(Stated::new(column, telling, format!("`{shown}`"), format!("<> {value}")));
            }
            // A comparison word between the column and a value that the goal does not have.
            if !is_set
                && (column.ty.is_number() || matches!(column.ty.kind, TyKind::Date | TyKind::DateTime))
                && let Some(phrase) = find_comparison(prompt, &name, words)
            {
                return Some(Stated::new(column, telling, format!("`{phrase}`"), "…".to_owned()));
            }
        }
        let is_open = step.change.conditions.is_empty() || !is_computed;
        if is_open { self.find_named_value(step, words, telling) } else { None }
    }

    /// Finds a value drawn from a column of the changed table that the wording shows and the goal does not use.
    fn find_named_value(&self, step: &Step<'_>, words: &Words, telling: &Telling) -> Option<Stated> {
        let task = self.cx.task;
        // Next to another condition, it is one that chooses rows.
        let is_condition = |id: ColumnId, column: &hir::Column| {
            let is_named = |name: &str| name.eq_ignore_ascii_case(&column.name);
            let is_set = step.change.sets.iter().any(|(set, _)| is_named(set));
            let is_known = words.compared.iter().any(|name| is_named(name));
            step.change.conditions.is_empty()
                || !is_set && !is_known && !self.cx.facts().lookup_column(step.relation, id).unique
        };
        let unused = |id: &&NameId| task.names.get(**id).is_some_and(|name| !words.params.contains(&name.name));
        for id in telling.names.iter().filter(unused) {
            let name = task.names.get(*id)?;
            // A parameter can be computed from the name.
            let is_needed = step
                .sql
                .params
                .iter()
                .any(|(_, value)| value.has_part_through_names(task, |part| part.kind == ExprKind::Name(*id)));
            let NameSource::Draw { draw, .. } = &name.source else { continue };
            let column = match &draw.domain {
                DrawDomain::Ref { relation, column, .. } if *relation == step.relation => {
                    task.find_column((*relation, *column)).map(|known| (*column, known))
                }
                // Next to a condition, only a value of the changed rows can be another one.
                _ if !step.change.conditions.is_empty() => None,
                _ => self.find_column_of_values(step, *id),
            };
            let column = column.filter(|(id, column)| !is_needed && is_condition(*id, column));
            if let Some((_, column)) = column {
                return Some(Stated::new(column, telling, format!("`<<{}>>`", name.name), format!("= :{}", name.name)));
            }
        }
        None
    }

    /// Finds a column of the changed table that can have all texts that a name can be, and few others.
    fn find_column_of_values(&self, step: &Step<'_>, name: NameId) -> Option<(ColumnId, &hir::Column)> {
        let relation = self.cx.task.relations.get(step.relation)?;
        let drawn = self.cx.facts().lookup_name(name).closed?;
        let is_text = drawn.len() > 1 && drawn.iter().all(|value| value.as_text().is_some());
        let own = relation.iter_written_columns().find(|(id, column)| {
            let values = self.cx.facts().lookup_column(step.relation, *id).closed.unwrap_or_default();
            let is_set = step.change.sets.iter().any(|(set, _)| set.eq_ignore_ascii_case(&column.name));
            !is_set && drawn.iter().all(|value| values.iter().any(|own| own.is_same(value)))
        });
        own.filter(|_| is_text)
    }

    /// Reports a column that the goal sets next to one that the prompt names.
    fn check_columns(&self, step: &Step<'_>, way: &Way<'_>) -> Option<Diagnostic> {
        // A text can have the rules.
        if self.cx.task.files.iter().any(|file| !matches!(file.content, FileContent::Sqlite { .. })) {
            return None;
        }
        // A name in small letters can be an ordinary word.
        let is_plain = |column: &str| column.chars().all(|c| !c.is_uppercase() && c != '_');
        let is_named = |column: &str| {
            let written = if is_plain(column) { format!("`{column}`") } else { column.to_owned() };
            way.tellings.iter().all(|telling| has_phrase(&telling.prompt, &written))
        };
        let sets = &step.change.sets;
        let (column, value) =
            sets.iter().find(|(column, value)| !is_column_told(column, way) && !is_param_told(step, value, way))?;
        let is_used =
            |name: &str| step.change.conditions.iter().flatten().chain(value).any(|token| token.is_named(name));
        let relation = self.cx.task.relations.get(step.relation)?;
        let columns = relation.iter_written_columns().map(|(_, column)| &column.name);
        let other = columns.into_iter().find(|name| is_named(name) && !is_used(name))?;
        let (first, last, telling) = (value.first()?, value.last()?, way.tellings.first()?);
        let message = format!("the goal sets `{column}`, but the prompt only mentions `{other}`");
        let span = step.to_span((first.start, last.end()));
        Some(
            Diagnostic::new(Code::UNTOLD_VALUE, message, span, "the agent cannot know this change")
                .label(telling.span, "not mentioned here")
                .help(format!("ask for the change of `{column}` in the prompt, or leave it out with `ignore`")),
        )
    }

    /// Reports a text that the goal writes and that neither the prompt nor the data has.
    fn check_values(&self, step: &Step<'_>, way: &Way<'_>) -> Option<Diagnostic> {
        let found = step.change.sets.iter().find_map(|(column, value)| match value.as_slice() {
            [only] if only.kind == Kind::Text && is_untold(only, way) => Some((column, *only)),
            _ => None,
        });
        let Some((column, token)) = found else {
            return self.check_columns(step, way).or_else(|| check_number(step, way));
        };
        let message = format!("the goal sets `{column}` to {}, but the prompt does not contain it", token.text);
        let telling = way.tellings.first()?;
        Some(
            Diagnostic::new(
                Code::UNTOLD_VALUE,
                message,
                step.to_span((token.start, token.end())),
                "the agent cannot know this text",
            )
            .label(telling.span, "not mentioned here")
            .help(format!("write in the prompt which text `{column}` should get")),
        )
    }
}

/// Whether every wording shows the value of a parameter that is all of a set value.
fn is_param_told(step: &Step<'_>, value: &[Token<'_>], way: &Way<'_>) -> bool {
    let [param] = value else { return false };
    let name = param.text.get(1..).filter(|_| param.kind == Kind::Param);
    match name.and_then(|name| step.sql.find_param(name)).map(|value| &value.kind) {
        Some(ExprKind::Name(id)) => way.tellings.iter().all(|telling| telling.names.contains(id)),
        _ => false,
    }
}

/// Reports a number in a set value if the prompt has another number instead.
fn check_number(step: &Step<'_>, way: &Way<'_>) -> Option<Diagnostic> {
    let known: Vec<f64> = sql::lex::tokenize_sql(&step.sql.text).iter().filter_map(read_number).collect();
    let (column, token) = step.change.sets.iter().find_map(|(column, value)| {
        let value = match value.as_slice() {
            [round, open, inner @ .., comma, _, close]
                if round.is_keyword("ROUND") && open.is_punct("(") && comma.is_punct(",") && close.is_punct(")") =>
            {
                inner
            }
            all => all,
        };
        let (op, number) = match value {
            [number] => ("", number),
            [name, op, number] if name.is_named(column) => (op.text, number),
            _ => return None,
        };
        let by = read_number(number).filter(|by| by.abs() > 1.0 || op == "*")?;
        let meant = match op {
            "*" => vec![by, (by - 1.0).abs() * 100.0, by * 100.0],
            _ => vec![by],
        };
        let is_other = |telling: &Telling| {
            let told = list_numbers(&telling.prompt);
            let is_told = |meant: &f64| told.iter().any(|told| (told - meant).abs() < 1e-6);
            !meant.iter().any(is_told) && told.iter().any(|told| !known.iter().any(|known| (known - told).abs() < 1e-6))
        };
        way.tellings.iter().all(is_other).then_some((column, *number))
    })?;
    let telling = way.tellings.first()?;
    let message = format!("the goal sets `{column}` with {}, but the prompt has another number", token.text);
    Some(
        Diagnostic::new(Code::UNTOLD_VALUE, message, step.to_span((token.start, token.end())), "not in the prompt")
            .label(telling.span, "another number here")
            .help("use the same number in both"),
    )
}

fn read_number(token: &Token<'_>) -> Option<f64> {
    if token.kind == Kind::Number { token.text.parse().ok() } else { None }
}

/// The numbers in a prompt, also small ones in words. `<<x>>` is not one of them.
fn list_numbers(prompt: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '_' | '-');
    let words = prompt.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['.', ',', '-', '_']).to_lowercase());
    words
        .filter_map(|word| {
            match AMOUNTS.iter().find(|(known, _)| *known == word || word.starts_with(known) && known.len() > 3) {
                Some((_, number)) => Some(*number),
                None => word.replace([',', '_'], "").parse().ok(),
            }
        })
        .collect()
}

/// Whether every wording names a column, or one of its words.
fn is_column_told(column: &str, way: &Way<'_>) -> bool {
    const STEM: usize = 4;
    let words: Vec<String> = column.split('_').filter(|word| word.len() >= 3).map(str::to_lowercase).collect();
    let stem = |word: &String| word.chars().take(STEM).collect::<String>();
    way.tellings.iter().any(|telling| {
        let prompt = &telling.lower_prompt;
        words.is_empty() || words.iter().any(|word| prompt.contains(&stem(word)))
    })
}

/// A condition that a wording states.
struct Stated {
    column: String,
    telling: model::Span,
    shown: String,
    comparison: String,
}

impl Stated {
    fn new(column: &hir::Column, telling: &Telling, shown: String, comparison: String) -> Stated {
        Stated { column: column.name.clone(), telling: telling.span, shown, comparison }
    }
}

/// Finds `COLUMN above 50` or `COLUMN before 2024-01-01` with a value that the goal does not contain.
fn find_comparison(prompt: &str, column: &str, words: &Words) -> Option<String> {
    let tokens: Vec<&str> = prompt
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | ',' | ';' | '(' | ')'))
        .map(|word| word.trim_end_matches(['.', '?', '!', ':']))
        .filter(|word| !word.is_empty())
        .collect();
    let at = tokens.iter().position(|token| *token == column)?;
    let next: Vec<&str> = tokens.iter().skip(at + 1).take(5).copied().collect();
    let word = next.iter().position(|word| COMPARED.split(' ').any(|known| known == *word)).filter(|at| *at < 4)?;
    let value = next.get(word + 1)?;
    let is_value = value.starts_with(|c: char| c.is_ascii_digit()) || value.starts_with(DRAWN);
    let plain = value.replace([',', '_', '$', '€'], "");
    let known = words.literals.iter().any(|literal| literal.replace('_', "") == plain);
    // A parameter can be a constant of the task.
    (is_value && !known && words.params.is_empty()).then(|| {
        let phrase = next.get(..=word + 1).unwrap_or_default().join(" ").replace(DRAWN, "…");
        format!("{column} {phrase}")
    })
}

/// Whether no wording, and no file or database that it names, contains a text or the beginning of its words.
fn is_untold(token: &Token<'_>, way: &Way<'_>) -> bool {
    const STEM: usize = 4;
    let text = token.to_unquoted().to_lowercase();
    let is_word = text.chars().filter(|c| c.is_alphabetic()).count() >= STEM;
    let stems = || {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() >= STEM)
            .map(|word| word.chars().take(STEM).collect::<String>())
    };
    is_word
        && way.tellings.iter().all(|telling| {
            let told = &telling.lower_text;
            !told.contains(&text) && !stems().any(|stem| told.contains(&stem))
        })
}
