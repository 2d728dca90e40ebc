//! Lints on SQL that is a value: the same as for queries in placeholders.
//!
//! If the database is a fixture, its rows are known, so running the query decides which rows tie. If the SQL is one text of the source, a finding points into
//! it; otherwise the findings about all rows of the data set are reported once for each lint, at the expression.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::compute::{GoldQuery, GoldResult};
use model::ddl::quote_name;
use model::suite::{ColumnId, FileId, RelationId};
use model::{Span, Value};

use super::gold::{GoldSummary, describe_query_count, run_queries};
use super::gold_questions::Questions;
use super::gold_slips::{describe_slip, is_probe_met};
use crate::context::{Checker, TaskChecker, TaskScope};
use hir::fixture::{self, Fixture};
use hir::{Expr, ExprKind};
use sql::limit_ties::{Compared, Tied, has_equal_rows, uses_tie_break};
use sql::{Asked, Finding, Odd, Probe, ReportCondition, SqlAnalysis, SqlColumn, SqlRequest, SqlTable, SqlText, lex};
use syntax::ast::{self, Format};
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Sqlite, StoredTable};
use tables::Layout;

/// The maximum number of names that lead to a text.
const MAX_NAMES: u32 = 64;

/// The facts that running a query on known rows shows, each only if a finding depends on it.
#[derive(Clone, Debug, Default)]
struct RunFacts {
    /// The bounds of the numbers of rows of the tables that it names.
    rows: BTreeMap<usize, Bounds>,
    /// Whether different rows are equal in what they are ordered by.
    equal: Option<bool>,
    /// The same for the first term of `ORDER BY`.
    equal_in_first: Option<bool>,
    /// Whether a term after the first one decides which rows `LIMIT` takes.
    breaks_ties: bool,
    /// The probes that the rows refute.
    refuted: Vec<Probe>,
}

impl TaskChecker<'_, '_> {
    /// Notes the findings about queries that were run on fixtures. A tie that a finding describes is removed from its summary.
    pub(super) fn note_run_queries(&mut self, asked: &[GoldQuery<'_>], found: &mut [GoldSummary], sql: &Expr) {
        let literal = self.scope.find_literal(self.cx, sql);
        let mut schemas: BTreeMap<usize, Vec<StoredTable>> = BTreeMap::new();
        for query in asked {
            schemas.entry(identify_database(query)).or_insert_with(|| list_stored_tables(self.cx, query.database));
        }
        let tables = |query: &GoldQuery<'_>| schemas.get(&identify_database(query)).map_or(&[][..], Vec::as_slice);
        let lint = |query: &GoldQuery<'_>, rows: &BTreeMap<usize, Bounds>| {
            let raw = literal.clone().unwrap_or_else(|| build_raw(query.sql, lengthen(sql.span, query.sql.len())));
            self.cx.lint_on_tables(&raw, tables(query), rows)
        };
        let mut analyses: Vec<SqlAnalysis> = asked.iter().map(|query| lint(query, &BTreeMap::new())).collect();
        let open: Vec<usize> =
            (0..analyses.len()).filter(|at| analyses.get(*at).is_some_and(depends_on_rows)).collect();
        let again: Vec<GoldQuery<'_>> = open.iter().filter_map(|at| asked.get(*at).copied()).collect();
        let known = match again.is_empty() {
            true => Vec::new(),
            false => run_queries(self.cx.host.evaluator(), &again, |at, _, ask| {
                let analysis = open.get(at).and_then(|at| analyses.get(*at));
                let known = again.get(at).zip(analysis);
                known.map_or_else(RunFacts::default, |(query, analysis)| {
                    collect_run_facts(query.sql, tables(query), &analysis.odd.findings, ask)
                })
            }),
        };
        let mut facts: BTreeMap<usize, RunFacts> = open.into_iter().zip(known).collect();
        for (at, (analysis, summary)) in analyses.iter_mut().zip(found.iter_mut()).enumerate() {
            let facts = facts.remove(&at).unwrap_or_default();
            if let Some(query) = asked.get(at).filter(|_| facts.rows.values().any(|rows| rows.most < 2)) {
                *analysis = lint(query, &facts.rows);
            }
            let SqlAnalysis { odd, understood, .. } = analysis;
            odd.findings.retain(|finding| is_confirmed(finding, summary, &facts) && !is_of_no_rows(finding, summary));
            odd.in_no_order = odd.in_no_order.take().filter(|_| summary.rows > 1);
            let has_tie = odd.findings.iter().any(is_cut_tie);
            if literal.is_some() {
                odd.findings
                    .iter_mut()
                    .filter(|finding| is_cut_tie(finding))
                    .for_each(|finding| finding.heard = ReportCondition::Always);
            } else {
                odd.findings.retain(|finding| !is_cut_tie(finding));
            }
            // Rows may be taken in any order if only their number matters, or if a subquery sorts them.
            let is_harmless = *understood && matches!(summary.tied, Some(Tied::Limit { ordered: false, .. }));
            if has_tie && literal.is_some() || !has_tie && is_harmless {
                summary.tied = None;
            }
        }
        self.note_gold_queries(analyses, literal, sql.span);
    }

    /// Notes the findings about queries on a database whose rows are drawn.
    pub(super) fn note_unrun_queries(&mut self, file: FileId, texts: &[String], sql: &Expr) {
        let literal = self.scope.find_literal(self.cx, sql);
        let mut analyses = Vec::new();
        for text in texts {
            let raw = literal.clone().unwrap_or_else(|| build_raw(text, sql.span));
            let text = SqlText::new(&raw);
            let Some(relations) = self.resolve_database_tables(file, raw.span) else { return };
            let (analysis, ..) = self.analyse_query(&text, Some(file), &relations);
            if analysis.ok {
                analyses.push(SqlAnalysis { meant: Vec::new(), ..analysis });
            }
        }
        self.note_gold_queries(analyses, literal, sql.span);
    }

    /// Notes the analyses of the SQL of all rows.
    fn note_gold_queries(&mut self, mut analyses: Vec<SqlAnalysis>, literal: Option<ast::Raw>, span: Span) {
        for odd in analyses.iter_mut().map(|analysis| &mut analysis.odd) {
            // SQL that is a value has no parameters.
            for confusion in std::mem::take(&mut odd.confusions) {
                let said = confusion.describe_itself();
                let said = said.map(|said| said.help("compare it with a value, or with another column"));
                odd.findings.extend(said.map(Finding::new_unconditional));
            }
        }
        let questions = self.read_questions();
        if literal.is_none() {
            for analysis in &mut analyses {
                let compared = sql::find_idle_comparisons(&analysis.predicates);
                analysis.odd.findings.extend(compared);
            }
        }
        let (text, analysis) = match (literal, analyses.as_mut_slice()) {
            (Some(raw), [one]) => (raw.text, std::mem::take(one)),
            _ => {
                let odd = self.scope.merge_findings(&analyses, &questions, (self.cx.host.sqlite(), span));
                (String::new(), SqlAnalysis { odd, ..SqlAnalysis::default() })
            }
        };
        if analysis.ok || analysis.odd != Odd::default() {
            self.gold.push(hir::Sql {
                text,
                database: None,
                params: Vec::new(),
                analysis: Arc::new(analysis),
                surely_changes: false,
                span,
            });
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Merges the findings about the queries of all rows: one for each lint.
    fn merge_findings(
        &self,
        analyses: &[SqlAnalysis],
        questions: &Questions,
        (sqlite, span): (&dyn Sqlite, Span),
    ) -> Odd {
        let mut groups: BTreeMap<(&'static str, bool), Vec<(usize, Finding)>> = BTreeMap::new();
        for (row, SqlAnalysis { odd, .. }) in analyses.iter().enumerate() {
            let unordered = odd.in_no_order.as_ref().map(|rows| {
                let message = "the order of these rows matters, but `ORDER BY` is missing";
                let said = Diagnostic::new(Code::AMBIGUOUS_ORDER, message, rows.span, "").help(rows.help.clone());
                let heard = ReportCondition::Answer { ties: Vec::new(), told: None, ordered: true };
                Finding { heard, ..Finding::new_unconditional(said) }
            });
            for finding in odd.findings.iter().cloned().chain(unordered) {
                let is_ordered = is_about_order(&finding);
                // The question is a cell, so its words are not known here.
                let is_told = matches!(finding.heard, ReportCondition::Answer { told: Some(_), .. });
                let is_met = match (&finding.heard, questions.text(row)) {
                    (ReportCondition::Asked(asked), Some(question)) => !question.is_empty() && asked.is_met(question),
                    (ReportCondition::Asked(asked), None) => !asked.needs_question() || self.each.is_none(),
                    (ReportCondition::Place(_), question) => question.is_some_and(|text| Asked::Place.is_met(text)),
                    _ => true,
                };
                if is_met && !(is_told && self.each.is_some()) {
                    groups.entry((finding.said.code.id, is_ordered)).or_default().push((row, finding));
                }
            }
        }
        let merged = groups.into_iter().filter_map(|((_, is_ordered), all)| {
            let (_, first) = all.first()?;
            let heard = match &first.heard {
                // The tables have no relations that a `require` could check.
                ReportCondition::Answer { .. } => {
                    ReportCondition::Answer { ties: Vec::new(), told: None, ordered: is_ordered }
                }
                ReportCondition::Asked(asked) if self.each.is_none() => ReportCondition::Asked(asked.clone()),
                ReportCondition::Place(_) if self.each.is_none() => ReportCondition::Asked(Asked::Place),
                _ => ReportCondition::Always,
            };
            let needs = first.needs.clone();
            let Diagnostic { code, message, help, note, .. } = first.describe(sqlite);
            let mut rows: Vec<usize> = all.iter().map(|(row, _)| *row).collect();
            rows.dedup();
            let said = if self.each.is_some() {
                let count = describe_query_count(rows.len());
                let help = help.map(|help| format!("; {help}")).unwrap_or_default();
                let example = note.map(|example| format!(" ({example})")).unwrap_or_default();
                let note = format!("{}. The first: {message}{example}{help}", self.describe_records(&rows));
                Diagnostic::new(code, format!("in {count}, {}", describe_slip(code)), span, "run here")
                    .note(note)
                    .help("correct the data, or exclude these rows with `where` after `each`")
            } else {
                Diagnostic { help, ..Diagnostic::new(code, message, span, "run here") }
            };
            Some(Finding { needs, ..Finding::new_if(heard, said) })
        });
        Odd { findings: merged.collect(), ..Odd::default() }
    }

    /// Finds the text that an expression is, if it is in the source as it is.
    fn find_literal(&self, cx: &Checker<'a>, sql: &Expr) -> Option<ast::Raw> {
        if self.each.is_some() {
            return None;
        }
        let mut expr = sql;
        for _ in 0..MAX_NAMES {
            match &expr.kind {
                ExprKind::Name(id) => match self.names.get(*id)?.checked.as_ref()? {
                    hir::NameSource::Compute(value) => expr = value,
                    _ => return None,
                },
                ExprKind::Const(Value::Text(text)) => {
                    let before = cx.sources.text(expr.span).find(text.as_str()).filter(|_| !text.is_empty())?;
                    let start = expr.span.start.saturating_add(u32::try_from(before).ok()?);
                    let end = start.saturating_add(u32::try_from(text.len()).ok()?);
                    return Some(build_raw(text, Span::new(expr.span.file, start, end)));
                }
                _ => return None,
            }
        }
        None
    }
}

/// Lists the tables and views of a fixture.
pub(super) fn list_stored_tables(cx: &Checker<'_>, database: &Arc<[u8]>) -> Vec<StoredTable> {
    match fixture::read_shared(&Layout::from_format(Format::Sqlite), database, cx.host.sqlite()).as_deref() {
        Ok(Fixture::Tables(tables)) => tables.iter().filter_map(|table| table.get_declaration().cloned()).collect(),
        _ => Vec::new(),
    }
}

impl Checker<'_> {
    /// Finds what is odd in a query on these tables.
    fn lint_on_tables(&self, raw: &ast::Raw, tables: &[StoredTable], rows: &BTreeMap<usize, Bounds>) -> SqlAnalysis {
        let tables = tables.iter().enumerate();
        let tables: Vec<SqlTable<'_>> = tables
            .map(|(at, table)| build_stored_table(at, table, rows.get(&at).copied().unwrap_or(Bounds::ANY), raw.span))
            .collect();
        let request = SqlRequest {
            sql: &SqlText::new(raw),
            scope_name: None,
            tables: &tables,
            non_sql_relations: &[],
            param: &|_| sql::ParamKind::Unknown { suggestion: None },
            task_names: &[],
        };
        let mut analysis = sql::lint_query(&request, self.host.sqlite());
        // The tables are not declared in the source.
        for finding in &mut analysis.odd.findings {
            finding.said.secondary.clear();
            finding.needs.clear();
        }
        analysis
    }
}

fn build_raw(text: &str, span: Span) -> ast::Raw {
    ast::Raw { kind: ast::RawKind::Sql, text: text.to_owned(), span }
}

/// A span with a place of its own for each part of a text, which is not in the source: parts are told apart by their places.
fn lengthen(span: Span, length: usize) -> Span {
    Span::new(span.file, span.start, span.start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)))
}

/// The address of a database, which identifies it while it is queried.
fn identify_database(query: &GoldQuery<'_>) -> usize {
    query.database.as_ptr().addr()
}

/// A table as its database declares it. SQLite does not enforce types, but converts numbers to the declared type.
fn build_stored_table(at: usize, table: &StoredTable, rows: Bounds, span: Span) -> SqlTable<'_> {
    let columns = (0..).map(ColumnId).zip(&table.columns).map(|(id, column)| SqlColumn {
        id,
        name: &column.name,
        span,
        value_type: column.decl_type.as_deref().and_then(sql::infer_declared_type),
        nullable: !column.not_null,
        primary_key: column.primary_key,
        unique: column.unique,
        references: column.references.as_ref().map(|(table, to)| (table.as_str(), to.as_str())),
        closed: None,
        domain: None,
    });
    SqlTable {
        id: RelationId(u32::try_from(at).unwrap_or(u32::MAX)),
        database: None,
        name: &table.name,
        span,
        columns: columns.collect(),
        hidden: Vec::new(),
        keys: table.keys.clone(),
        helper_keys: Vec::new(),
        determined: Vec::new(),
        rows,
        of_files: false,
    }
}

/// Whether the rows of the database decide a finding, besides the ties that are known.
fn depends_on_rows(analysis: &SqlAnalysis) -> bool {
    analysis.odd.findings.iter().any(|finding| {
        [Code::CARTESIAN_JOIN, Code::UNSHARED_TIEBREAK].contains(&finding.said.code)
            || is_about_order(finding)
            || finding.probe.is_some()
    })
}

fn collect_run_facts(
    sql: &str,
    tables: &[StoredTable],
    findings: &[Finding],
    ask: &dyn Fn(&str) -> GoldResult,
) -> RunFacts {
    let tokens = lex::tokenize_sql(sql);
    let is_named = |table: &StoredTable| {
        tokens.iter().any(|token| token.is_name() && token.to_unquoted().eq_ignore_ascii_case(&table.name))
    };
    let count = |table: &StoredTable| {
        let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {} LIMIT 2)", quote_name(&table.name));
        match ask(&count).ok()?.rows.rows.first()?.first()? {
            Value::Int(rows) => u64::try_from(*rows).ok(),
            _ => None,
        }
    };
    let bounds = |rows: u64| if rows < 2 { Bounds::from_count(rows) } else { Bounds { least: 2, ..Bounds::ANY } };
    let tables = tables.iter().enumerate().filter(|(_, table)| is_named(table));
    // Each of the questions runs the query again.
    let is_asked = |ordered: bool, tie: bool| {
        findings.iter().any(|finding| is_about_order(finding) == ordered && is_about_tie(finding) == tie)
    };
    RunFacts {
        rows: tables.filter_map(|(at, table)| Some((at, bounds(count(table)?)))).collect(),
        equal: if is_asked(true, true) { has_equal_rows(sql, Compared::AllTerms, ask) } else { None },
        equal_in_first: if is_asked(true, false) { has_equal_rows(sql, Compared::FirstTerm, ask) } else { None },
        breaks_ties: is_asked(false, false) && uses_tie_break(sql, ask),
        refuted: findings
            .iter()
            .filter_map(|finding| finding.probe.clone())
            .filter(|probe| !is_probe_met(probe, ask))
            .collect(),
    }
}

/// Whether a finding matters only if the order of the rows does.
fn is_about_order(finding: &Finding) -> bool {
    matches!(finding.heard, ReportCondition::Answer { ordered: true, .. })
}

/// Whether a finding is about rows that tie, and not about a tie-break that the prompt does not mention.
fn is_about_tie(finding: &Finding) -> bool {
    finding.said.code != Code::UNSHARED_TIEBREAK
}

/// Whether a finding is about tied rows that the query selects from.
fn is_cut_tie(finding: &Finding) -> bool {
    finding.cut && is_about_tie(finding)
}

/// Whether a finding explains why a query returns no rows, which is told itself.
fn is_of_no_rows(finding: &Finding, summary: &GoldSummary) -> bool {
    summary.rows == 0 && finding.probe.is_some() && finding.said.code == Code::IMPOSSIBLE_PREDICATE
}

/// Whether the rows of the database do not refute a finding.
fn is_confirmed(finding: &Finding, summary: &GoldSummary, facts: &RunFacts) -> bool {
    if finding.probe.as_ref().is_some_and(|probe| facts.refuted.contains(probe)) {
        return false;
    }
    match (is_about_order(finding), is_about_tie(finding)) {
        (true, true) => facts.equal != Some(false),
        (true, false) => facts.equal_in_first != Some(false),
        (false, _) if !finding.cut => true,
        (false, false) => facts.breaks_ties,
        (false, true) => match summary.tied {
            Some(Tied::Limit { ordered, .. }) => ordered == (finding.said.code == Code::TIED_ANSWER),
            Some(Tied::Number) => finding.said.code == Code::TIED_ANSWER,
            None => false,
        },
    }
}
