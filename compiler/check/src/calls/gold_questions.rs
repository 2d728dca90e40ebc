//! `doubtful_gold`: rows of a data set whose question or SQL occurs twice, or that ask for one value where the SQL returns several rows.

use std::collections::BTreeMap;
use syntax::prompts::english::queries::{ONE_VALUE, SEVERAL};

use model::compute::GoldQuery;
use model::{Span, Value};
use sql::find_repeated_queries;

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

    /// The question of a row, if a column has questions.
    pub fn find_question(&self, row: usize) -> Option<&str> {
        self.asked.get(row).map(String::as_str).filter(|question| !question.is_empty())
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
            let has_part = QUESTIONS.iter().any(|part| name.contains(part));
            let is_question = (has_part || name.split('_').any(|word| word == "ask")) && !name.ends_with("id");
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
        let sql: Vec<&str> = asked.iter().map(|query| query.sql).collect();
        self.scope.report_repeats(self.cx, &questions, (&sql, &databases), span);
        self.scope.report_single_values(self.cx, &questions, found, span);
        self.scope.report_unread_values(self.cx, &questions, asked, span);
    }
}

/// Whether a cell has a query.
fn is_sql(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    (first.eq_ignore_ascii_case("select") || first.eq_ignore_ascii_case("with"))
        && text.to_lowercase().contains("select ")
}

impl<'a> TaskScope<'a> {
    /// Reports rows with the same question of one database, or else those with the same query.
    pub(super) fn report_repeats(
        &self,
        cx: &mut Checker<'a>,
        questions: &Questions,
        (sql, clusters): (&[&str], &[usize]),
        span: Span,
    ) {
        if !self.report_repeated_questions(cx, questions, clusters, span) {
            self.report_repeated_queries(cx, sql, clusters, span);
        }
    }

    /// Reports rows with the same question of one database. Returns whether there are any. `clusters` are the databases of the rows.
    fn report_repeated_questions(
        &self,
        cx: &mut Checker<'a>,
        questions: &Questions,
        clusters: &[usize],
        span: Span,
    ) -> bool {
        let words = |question: &String| question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let again = list_repeated(&questions.asked.iter().map(words).collect::<Vec<_>>(), clusters);
        if again.is_empty() {
            return false;
        }
        let message = format!("{} rows of the data set ask the same question of one database", again.len());
        let said = Diagnostic::new(Code::DOUBTFUL_GOLD, message, span, "run here");
        cx.report(
            said.note(self.describe_records(&again))
                .help("remove the repeated rows, or exclude them with `where` after `each`"),
        );
        true
    }

    /// Reports a few rows with the same SQL.
    fn report_repeated_queries(&self, cx: &mut Checker<'a>, sql: &[&str], clusters: &[usize], span: Span) {
        let again = find_repeated_queries(sql, clusters);
        if self.each.is_none() || again.is_empty() {
            return;
        }
        let message = format!("{} rows of the data set have the same SQL", again.len());
        let said = Diagnostic::new(Code::DOUBTFUL_GOLD, message, span, "run here");
        cx.report(
            said.note(format!(
                "{}: one of their questions has the SQL of another one, or they ask the same",
                self.describe_records(&again)
            ))
            .help("correct the SQL, or exclude all but one of these rows with `where` after `each`"),
        );
    }

    /// Reports rows that ask for one value and return several rows.
    fn report_single_values(&self, cx: &mut Checker<'a>, questions: &Questions, found: &[GoldSummary], span: Span) {
        let is_listed = |row: &usize| {
            let asked = questions.asked.get(*row).is_some_and(|question| is_about_different(question));
            asked && found.get(*row).is_some_and(|seen| seen.has_equal_rows)
        };
        let equal: Vec<usize> = (0..questions.asked.len()).filter(is_listed).collect();
        if !equal.is_empty() {
            let returns = if equal.len() == 1 { "returns" } else { "return" };
            let message =
                format!("{} {returns} equal rows, but different ones are asked for", describe_query_count(equal.len()));
            let said = Diagnostic::new(Code::DOUBTFUL_GOLD, message, span, "run here");
            cx.report(
                said.note(self.describe_records(&equal)).help("write `SELECT DISTINCT`, or correct the question"),
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

/// The rows whose text occurs twice in one cluster.
fn list_repeated(texts: &[String], clusters: &[usize]) -> Vec<usize> {
    let mut seen: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut again: Vec<usize> = Vec::new();
    for (row, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let cluster = clusters.get(row).copied().unwrap_or_default();
        match seen.get(&(cluster, text.as_str())) {
            Some(first) => again.extend([*first, row]),
            None => drop(seen.insert((cluster, text.as_str()), row)),
        }
    }
    again.sort_unstable();
    again.dedup();
    again
}

/// Whether a question asks for one number.
fn is_about_one_value(question: &str) -> bool {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let spaced = format!(" {} ", words.replace([',', '?', '.', ';', ':'], " "));
    ONE_VALUE.iter().any(|start| words.starts_with(start))
        && !SEVERAL.split(", ").any(|word| spaced.contains(&format!(" {word} ")))
}

/// Whether a question asks for each value once.
fn is_about_different(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["different", "distinct", "unique"].contains(&word)) && !lower.contains("different from")
}
