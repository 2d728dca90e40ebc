//! `query(db, sql)`: SQL that is a value. If the database and the text are known here, every query is run: failures are reported once for all rows,
//! and the columns of the results become the type of the values.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use model::Span;
use model::compute::{Compute, GoldQuery, GoldResult};
use model::suite::FileId;
use model::value::group_digits;
use model::{Value, ValueType};

use crate::context::{Checker, LookedAt, Relations, TaskChecker, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{Expr, FileContent};
use sql::limit_ties::{Tied, find_tie};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The maximum number of records that a message lists.
const SHOWN: usize = 5;

/// The largest number of rows of a result that are compared with each other.
const MAX_LISTED: usize = 200;

/// A summary of the result of one query. The rows are not kept, because those of all queries could be too many.
#[derive(Clone, Debug, Default)]
pub(super) struct GoldSummary {
    /// The error, if the query failed.
    failed: Option<String>,
    /// The number of rows of the result.
    pub rows: usize,
    /// Whether two rows of the result are equal.
    pub has_equal_rows: bool,
    /// The reason why other rows would be equally correct, if any.
    pub tied: Option<Tied>,
    columns: Vec<String>,
    types: Vec<Option<ValueType>>,
}

impl GoldSummary {
    fn from_result(sql: &str, found: &GoldResult, ask: &dyn Fn(&str) -> GoldResult) -> GoldSummary {
        match found {
            Err(why) => GoldSummary { failed: Some(why.clone()), ..GoldSummary::default() },
            Ok(gold) => GoldSummary {
                failed: None,
                rows: gold.rows.rows.len(),
                has_equal_rows: has_equal_rows(&gold.rows.rows),
                tied: find_tie(sql, ask),
                columns: gold.rows.columns.clone(),
                types: gold.types.clone(),
            },
        }
    }
}

/// Whether two rows are equal. Only results that a question can list are looked at.
fn has_equal_rows(rows: &[Vec<Value>]) -> bool {
    let mut seen = BTreeSet::new();
    let mut texts = rows.iter().map(|row| row.iter().map(|value| value.render_text().to_string()).collect::<Vec<_>>());
    rows.len() <= MAX_LISTED && !texts.all(|texts| seen.insert(texts))
}

impl TaskChecker<'_, '_> {
    /// Infers the type of the result of SQL that is a value. Reports errors in the SQL.
    pub(super) fn infer_gold_type(&mut self, args: &[hir::Arg], span: Span) -> Ty {
        let [hir::Arg::File(file), hir::Arg::Value(sql)] = args else { return Ty::UNKNOWN };
        if sql.is_mistaken() {
            return Ty::UNKNOWN;
        }
        let bare = sql.without_spans();
        if let Some(known) = self.looked_at.iter().find(|known| known.file == *file && known.sql == bare) {
            return known.ty.clone();
        }
        let mut is_run = false;
        let columns = self.run_gold_queries(*file, sql, span, &mut is_run);
        let ty = Ty::new(TyKind::Rows(columns.unwrap_or_default()));
        self.looked_at.push(LookedAt { file: *file, sql: bare, ty: ty.clone(), is_run });
        ty
    }

    /// Runs the queries of all rows and reports their problems. Returns the columns of the results if all queries return the same ones, and notes whether
    /// all of them have a result.
    fn run_gold_queries(
        &mut self,
        file: FileId,
        sql: &Expr,
        span: Span,
        is_run: &mut bool,
    ) -> Option<Vec<(String, Ty)>> {
        let mut texts = self.scope.evaluate_by_row(self.cx, sql)?;
        let most = self.cx.host.max_queries();
        let all = texts.len();
        texts.truncate(most);
        let text = |value: &Value| if let Value::Text(text) = value { text.clone() } else { String::new() };
        let texts: Vec<String> = texts.iter().map(text).collect();
        let databases: Option<Vec<Arc<[u8]>>> =
            (0..texts.len() as u32).map(|row| self.scope.relations.find_row_database(file, row)).collect();
        let Some(databases) = databases else {
            self.note_unrun_queries(file, &texts, sql);
            let questions = self.read_questions();
            let sql: Vec<&str> = texts.iter().map(String::as_str).collect();
            self.scope.report_repeats(self.cx, &questions, (&sql, &[]), span);
            return None;
        };
        let asked: Vec<GoldQuery<'_>> =
            databases.iter().zip(&texts).map(|(database, sql)| GoldQuery { database, sql }).collect();
        self.cx.host.check_cancellation();
        let mut found = run_queries(self.cx.host.evaluator(), &asked, |at, found, ask| {
            GoldSummary::from_result(asked.get(at).map_or("", |query| query.sql), found, ask)
        });
        if self.scope.report_failed_queries(self.cx, &found, sql, span) {
            return None;
        }
        *is_run = found.len() == all;
        self.scope.report_empty_queries(self.cx, &found, span);
        self.report_questions(&asked, &found, span);
        self.note_run_queries(&asked, &mut found, sql);
        self.scope.report_tied_queries(self.cx, &found, span);
        if texts.len() < all {
            return None;
        }
        merge_result_columns(&found)
    }
}

impl<'a> TaskScope<'a> {
    /// Reports the queries that fail, with one diagnostic for all of them. Returns whether there are any.
    fn report_failed_queries(&self, cx: &mut Checker<'a>, found: &[GoldSummary], sql: &Expr, span: Span) -> bool {
        let failed: Vec<(usize, &String)> =
            found.iter().enumerate().filter_map(|(row, found)| Some((row, found.failed.as_ref()?))).collect();
        if failed.is_empty() {
            return false;
        }
        if self.each.is_none() {
            let why = failed.first().map_or("", |(_, why)| why.as_str());
            let said = Diagnostic::new(Code::BAD_QUERIES, format!("the query fails: {why}"), sql.span, "run here");
            cx.report(said.help("correct the query"));
            return true;
        }
        let (count, all) = (group_digits(failed.len() as u64), group_digits(found.len() as u64));
        let shown = cx.sources.quote(sql.span);
        let message = match failed.len() {
            1 => format!("1 of {all} queries in `{shown}` fails"),
            _ => format!("{count} of {all} queries in `{shown}` fail"),
        };
        let key = self.describe_key_column();
        let why = failed.iter().take(SHOWN).map(|(row, why)| format!("{key} {}: {why}", self.find_row_key(*row)));
        let mut note = why.collect::<Vec<_>>().join("; ");
        if failed.len() > SHOWN {
            note.push_str(&format!("; and {} more", group_digits((failed.len() - SHOWN) as u64)));
        }
        let rows: Vec<usize> = failed.iter().map(|(row, _)| *row).collect();
        let said = Diagnostic::new(Code::BAD_QUERIES, message, span, "run here").note(note);
        cx.report(self.suggest_exclusion(said, &rows, "fails", ", or correct the data"));
        true
    }

    /// Suggests to exclude rows whose queries do something wrong, as help with an addition, and as a fix where that is possible.
    fn suggest_exclusion(&self, said: Diagnostic, rows: &[usize], does: &str, addition: &str) -> Diagnostic {
        match self.suggest_row_exclusion(rows) {
            Some((condition, at)) => said.help(format!("exclude these rows with `where`{addition}")).fix(
                format!("exclude the rows whose query {does}"),
                Applicability::Unsafe,
                at,
                condition,
            ),
            None => said.help(format!("exclude these rows with `where` after `each`{addition}")),
        }
    }

    /// Reports the queries that cut off or number rows that tie, because SQLite then decides which rows they return.
    fn report_tied_queries(&self, cx: &mut Checker<'a>, found: &[GoldSummary], span: Span) {
        for (what, does) in [
            ("LIMIT", "cuts off rows that tie"),
            ("LIMIT", "takes arbitrary rows, without `ORDER BY`"),
            ("ROW_NUMBER", "numbers rows that tie"),
        ] {
            let is_tied = |seen: &GoldSummary| match seen.tied {
                Some(Tied::Limit { ordered: true, .. }) => does.starts_with("cuts"),
                Some(Tied::Limit { ordered: false, .. }) => does.starts_with("takes"),
                Some(Tied::Number) => what == "ROW_NUMBER",
                None => false,
            };
            let tied: Vec<usize> = (0..found.len()).filter(|row| found.get(*row).is_some_and(is_tied)).collect();
            let message = match tied.len() {
                0 => continue,
                many => format!("`{what}` of {} {does}", describe_query_count(many)),
            };
            let code = if does.starts_with("takes") { Code::AMBIGUOUS_ORDER } else { Code::TIED_ANSWER };
            let said = Diagnostic::new(code, message, span, "run here");
            let help = "exclude them with `where`, or correct the data: several results are right, but one is expected";
            cx.report(match self.each.is_some() {
                true => said.note(self.describe_records(&tied)).help(help),
                false => said.help("add a unique column to `ORDER BY`"),
            });
        }
    }

    /// Lists the key values of rows, at most five of them.
    pub(super) fn describe_records(&self, rows: &[usize]) -> String {
        let mut keys = rows.iter().take(SHOWN).map(|row| self.find_row_key(*row)).collect::<Vec<_>>().join(", ");
        if rows.len() > SHOWN {
            keys.push_str(&format!(", and {} more", group_digits((rows.len() - SHOWN) as u64)));
        }
        format!("{} {keys}", self.describe_key_column())
    }

    /// Reports the queries that return no rows, because every query without rows would be correct.
    fn report_empty_queries(&self, cx: &mut Checker<'a>, found: &[GoldSummary], span: Span) {
        let empty: Vec<usize> =
            (0..found.len()).filter(|row| found.get(*row).is_some_and(|seen| seen.rows == 0)).collect();
        if empty.is_empty() {
            return;
        }
        let returns = if empty.len() == 1 { "returns" } else { "return" };
        let message = format!("{} {returns} no rows", describe_query_count(empty.len()));
        let said = Diagnostic::new(Code::EMPTY_GOLD, message, span, "run here");
        if self.each.is_none() {
            return cx.report(said.help("correct the query: every query without rows is then correct"));
        }
        let note = format!("{}: every query without rows is then correct", self.describe_records(&empty));
        cx.report(self.suggest_exclusion(said.note(note), &empty, "returns nothing", ""));
    }
}

/// Runs queries, in several threads, and returns what `summarize` makes of the result of each.
pub(super) fn run_queries<T: Clone + Default + Send>(
    evaluator: &dyn Compute,
    asked: &[GoldQuery<'_>],
    summarize: impl Fn(usize, &GoldResult, &dyn Fn(&str) -> GoldResult) -> T + Sync,
) -> Vec<T> {
    let seen = Mutex::new(vec![T::default(); asked.len()]);
    evaluator.run_queries(asked, &|at, found, ask| {
        let own = summarize(at, found, ask);
        if let Some(slot) = seen.lock().unwrap_or_else(PoisonError::into_inner).get_mut(at) {
            *slot = own;
        }
    });
    seen.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Relations<'_> {
    /// Returns the bytes of the database of a row, if it is a fixture.
    fn find_row_database(&self, file: FileId, row: u32) -> Option<Arc<[u8]>> {
        let decl = self.files.get(file)?;
        let bytes = match (&decl.by_row, &decl.fixture, &decl.content) {
            (Some(by_row), _, _) => &by_row.find_file(row)?.bytes,
            (None, Some(fixture), _) => &fixture.bytes,
            (None, None, Some(FileContent::Fixture { bytes, .. })) => bytes,
            _ => return None,
        };
        Some(Arc::clone(&bytes.0))
    }
}

/// `1 gold query`, or `2 gold queries`.
pub(super) fn describe_query_count(count: usize) -> String {
    match count {
        1 => "1 gold query".to_owned(),
        many => format!("{} gold queries", group_digits(many as u64)),
    }
}

/// Returns the columns of results if all of them have the same column names and none is a duplicate.
fn merge_result_columns(golds: &[GoldSummary]) -> Option<Vec<(String, Ty)>> {
    let (first, rest) = golds.split_first()?;
    let names = &first.columns;
    let alike = |gold: &GoldSummary| {
        gold.columns.len() == names.len()
            && gold.columns.iter().zip(names).all(|(one, other)| one.eq_ignore_ascii_case(other))
    };
    let twice = |at: usize| {
        let name = names.get(at);
        names.iter().take(at).any(|earlier| name.is_some_and(|name| name.eq_ignore_ascii_case(earlier)))
    };
    if !rest.iter().all(alike) || (0..names.len()).any(twice) {
        return None;
    }
    let column = |(at, name): (usize, &String)| {
        let types = golds.iter().filter(|gold| gold.rows > 0).map(|gold| gold.types.get(at).copied().flatten());
        let kind = join_value_types(types).map_or(TyKind::Unknown, |value_type| Ty::from(value_type).kind);
        (name.clone(), Ty { kind, nullable: true })
    };
    Some(names.iter().enumerate().map(column).collect())
}

/// Returns the common type of these types, if any.
fn join_value_types(types: impl Iterator<Item = Option<ValueType>>) -> Option<ValueType> {
    types
        .reduce(|all, own| match (all?, own?) {
            (a, b) if a == b => Some(a),
            (ValueType::Int, ValueType::Float) | (ValueType::Float, ValueType::Int) => Some(ValueType::Float),
            _ => None,
        })
        .flatten()
}
