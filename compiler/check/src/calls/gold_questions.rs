//! `doubtful_gold`: rows of a data set whose question is asked twice, or asks for one value where the SQL returns several rows.

use std::collections::BTreeMap;
use syntax::prompts::english::queries::{ONE_VALUE, SEVERAL};

use model::compute::GoldQuery;
use model::{Span, Value};

use super::gold::{GoldSummary, describe_query_count};
use crate::context::{Checker, TaskChecker, TaskScope};
use hir::ColumnSource;
use syntax::diagnostics::{Code, Diagnostic};

/// Columns with questions, by parts of their names.
const QUESTIONS: [&str; 6] = ["question", "prompt", "utterance", "instruction", "request", "task"];

/// The rows of a data set as questions.
#[derive(Default)]
pub(super) struct Questions {
    /// All texts of a row, without SQL.
    texts: Vec<String>,
    /// The cell of a row that has the question.
    asked: Vec<String>,
}

impl Questions {
    /// The texts of a row in which a question can say what its SQL means; `None` without a data set.
    pub fn text(&self, row: usize) -> Option<&str> {
        self.texts.get(row).map(String::as_str)
    }
}

impl TaskChecker<'_, '_> {
    /// Reads the questions of the rows of `each`.
    pub(super) fn read_questions(&self) -> Questions {
        let Some(rows) = self.scope.each.as_ref().and_then(|each| each.rows.as_ref()) else {
            return Questions::default();
        };
        let Some(relation) = self.scope.relations.checked.get(rows.relation) else { return Questions::default() };
        let mut questions =
            Questions { texts: vec![String::new(); rows.len()], asked: vec![String::new(); rows.len()] };
        for column in &relation.columns {
            let ColumnSource::Given(given) = &column.source else { continue };
            let cells = &given.cells.values;
            let name = column.name.to_lowercase();
            let is_question = QUESTIONS.iter().any(|part| name.contains(part)) && !name.ends_with("id");
            for (row, at) in rows.kept.iter().enumerate() {
                let Some(Value::Text(text)) = cells.get(*at) else { continue };
                if is_sql(text) {
                    continue;
                }
                if let Some(all) = questions.texts.get_mut(row) {
                    all.push_str(text);
                    all.push_str(".\n");
                }
                if let Some(asked) = questions.asked.get_mut(row).filter(|_| is_question) {
                    asked.push_str(text);
                }
            }
        }
        questions
    }
}

impl TaskChecker<'_, '_> {
    /// Reports questions that are asked twice, or to which their SQL gives too many rows.
    pub(super) fn report_questions(&mut self, asked: &[GoldQuery<'_>], found: &[GoldSummary], span: Span) {
        let questions = self.read_questions();
        let databases: Vec<usize> = asked.iter().map(|query| query.database.as_ptr().addr()).collect();
        self.scope.report_doubtful_questions(self.cx, (&questions, &databases), found, span);
    }
}

/// Whether a cell has a query.
fn is_sql(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    (first.eq_ignore_ascii_case("select") || first.eq_ignore_ascii_case("with"))
        && text.to_lowercase().contains("select ")
}

impl<'a> TaskScope<'a> {
    /// Reports rows with the same question, and rows that ask for one value and return several rows.
    pub(super) fn report_doubtful_questions(
        &self,
        cx: &mut Checker<'a>,
        (questions, clusters): (&Questions, &[usize]),
        found: &[GoldSummary],
        span: Span,
    ) {
        let mut seen: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let mut again: Vec<usize> = Vec::new();
        for (row, question) in questions.asked.iter().enumerate().filter(|(_, question)| !question.is_empty()) {
            let cluster = clusters.get(row).copied().unwrap_or_default();
            let words = question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            match seen.get(&(cluster, words.clone())) {
                Some(first) => again.extend([*first, row]),
                None => drop(seen.insert((cluster, words), row)),
            }
        }
        again.sort_unstable();
        again.dedup();
        if !again.is_empty() {
            let message = format!("{} rows of the data set ask the same question of one database", again.len());
            let said = Diagnostic::new(Code::DOUBTFUL_GOLD, message, span, "run here");
            cx.report(
                said.note(self.describe_records(&again))
                    .help("remove the repeated rows, or exclude them with `where` after `each`"),
            );
        }
        let is_several = |row: &usize| {
            let asked = questions.asked.get(*row).is_some_and(|question| is_about_one_value(question));
            asked && found.get(*row).is_some_and(|seen| seen.rows > 1)
        };
        let several: Vec<usize> = (0..questions.asked.len()).filter(is_several).collect();
        if !several.is_empty() {
            let returns = if several.len() == 1 { "returns" } else { "return" };
            let message =
                format!("{} {returns} several rows, but one value is asked for", describe_query_count(several.len()));
            let said = Diagnostic::new(Code::DOUBTFUL_GOLD, message, span, "run here");
            cx.report(
                said.note(self.describe_records(&several))
                    .help("correct the SQL or the question, or exclude these rows with `where` after `each`"),
            );
        }
    }
}

/// Whether a question asks for one number.
fn is_about_one_value(question: &str) -> bool {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let spaced = format!(" {} ", words.replace([',', '?', '.', ';', ':'], " "));
    ONE_VALUE.iter().any(|start| words.starts_with(start))
        && !SEVERAL.split(", ").any(|word| spaced.contains(&format!(" {word} ")))
}
