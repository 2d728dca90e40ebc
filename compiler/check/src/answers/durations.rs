//! Durations in expected values: `PT6651S`, `1:50:51`, and `110 minutes` are one duration, and no matcher reads all of them.
//!
//! A duration is found as a value, and in a text that is made of it: through names, placeholders, calls, and queries. What is only compared, counted, or
//! searched for is not part of a text. A text in a file that agents get is copied from there, so its durations have one spelling.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, NameId, RelationId, Scope};

use crate::answers::AnswerChecker;
use crate::context::{Checker, NameAst, TaskChecker};
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, NameSource, Rows, Sql};
use sql::{Letters, SqlOutput};
use syntax::diagnostics::{Code, Diagnostic};

/// A duration in an expected value.
pub(crate) struct FoundDuration<'e> {
    /// Its place.
    pub span: Span,
    /// The expression that is the duration, if it is written as one.
    value: Option<&'e Expr>,
}

impl AnswerChecker<'_, '_, '_> {
    /// Reports an expected value that is a duration or contains one. Returns whether it did.
    pub(super) fn report_duration(&mut self, value: &Expr, matcher_span: Span) -> bool {
        let Some((part, found)) = self.task.find_duration(value) else { return false };
        let (message, here) = match part.ty.has_duration() {
            true => {
                ("the expected value is a duration, which can be written in many ways", format!("this is {}", part.ty))
            }
            false => (
                "the expected text contains a duration, which can be written in many ways",
                "this is a duration".to_owned(),
            ),
        };
        let said = match part.span.is_enclosing(found.span) {
            true => Diagnostic::new(Code::TEXT_OF_FRACTION, message, found.span, here),
            false => Diagnostic::new(Code::TEXT_OF_FRACTION, message, part.span, "contains a duration")
                .label(found.span, here),
        };
        let help = suggest_seconds(self.task.cx, found.value);
        self.task.cx.report(said.label(matcher_span, "compares one spelling").help(help));
        true
    }
}

impl TaskChecker<'_, '_> {
    /// Finds the innermost written part of a value that is a duration or contains one, and the duration.
    fn find_duration<'e>(&'e self, value: &'e Expr) -> Option<(&'e Expr, FoundDuration<'e>)> {
        match &value.kind {
            ExprKind::List(items) => items.iter().find_map(|item| self.find_duration(item)),
            ExprKind::Object(fields) => fields.iter().find_map(|(_, field)| self.find_duration(field)),
            _ => self.find_duration_in_text(value, Scope::default()).map(|found| (value, found)),
        }
    }

    /// Finds a duration that a value is, or that is written in its texts.
    pub(crate) fn find_duration_in_text<'e>(&'e self, value: &'e Expr, scope: Scope) -> Option<FoundDuration<'e>> {
        let open = vec![(value, scope)];
        Search { checker: self, open, names: BTreeSet::new(), columns: BTreeSet::new() }.find_first()
    }
}

/// Suggests a value to expect instead of a duration.
fn suggest_seconds(cx: &Checker<'_>, duration: Option<&Expr>) -> String {
    match duration.map(|duration| cx.sources.quote(duration.span)) {
        Some(written) => format!("expect its seconds: `seconds({written})`"),
        None => "expect the seconds of the duration: `seconds(length)`".to_owned(),
    }
}

impl Checker<'_> {
    /// Records a known text if one of its pieces is a duration or a text that contains one.
    pub(crate) fn note_duration_text(&mut self, pieces: &[Expr], text: Span) {
        let found = pieces.iter().find_map(|piece| match piece.ty.has_duration() {
            true => Some(piece.span),
            false => piece.ty.may_hold_text().then(|| self.find_duration_text(piece.span)).flatten(),
        });
        self.duration_texts.extend(found.map(|at| (text, at)));
    }

    /// Finds the duration in a known text in this range of the source.
    fn find_duration_text(&self, within: Span) -> Option<Span> {
        let first = Span { end: within.start, ..within };
        let last = Span { start: within.end, end: u32::MAX, ..within };
        let inside = self.duration_texts.range(first..=last).find(|(text, _)| within.is_enclosing(**text));
        inside.map(|(_, at)| *at)
    }

    /// Records the place at which a constant is used, if its value contains a text with a duration.
    pub(crate) fn note_duration_constant(&mut self, value: &Expr, declared: Span, asked: Option<Span>) {
        let found = asked.filter(|_| value.ty.may_hold_text()).zip(self.find_duration_text(declared));
        self.duration_texts.extend(found);
    }
}

/// A search through the expressions from which a value is made. It does not recurse, because chains of names can be long.
struct Search<'e, 'c, 'a> {
    checker: &'e TaskChecker<'c, 'a>,
    open: Vec<(&'e Expr, Scope)>,
    names: BTreeSet<NameId>,
    columns: BTreeSet<(RelationId, ColumnId)>,
}

impl<'e> Search<'e, '_, '_> {
    fn find_first(&mut self) -> Option<FoundDuration<'e>> {
        while let Some((expr, scope)) = self.open.pop() {
            if expr.ty.has_duration() {
                return Some(FoundDuration { span: expr.span, value: Some(expr) });
            }
            let found = match expr.ty.may_hold_text() {
                true => self.visit_expr(expr, scope),
                false => None,
            };
            if let Some(span) = found {
                return Some(FoundDuration { span, value: None });
            }
        }
        None
    }

    /// Adds the parts of an expression that are in its texts. Returns the place of a duration that is already known.
    fn visit_expr(&mut self, expr: &'e Expr, scope: Scope) -> Option<Span> {
        match &expr.kind {
            ExprKind::Const(_) => return self.checker.cx.find_duration_text(expr.span),
            ExprKind::Name(id) => return self.visit_name(*id),
            ExprKind::Column(column) => return scope.row.and_then(|row| self.visit_column(row, *column)),
            ExprKind::OuterColumn(column) => return scope.outer.and_then(|row| self.visit_column(row, *column)),
            ExprKind::List(items) | ExprKind::Concat(items) => {
                self.open.extend(items.iter().rev().map(|item| (item, scope)));
            }
            ExprKind::Object(fields) => self.open.extend(fields.iter().rev().map(|(_, field)| (field, scope))),
            ExprKind::If(parts) => self.open.extend([(&parts.2, scope), (&parts.1, scope)]),
            // The text of a query is not in its rows.
            ExprKind::Call(function, _) if function.can_run_sql() => {}
            ExprKind::Call(function, args) => {
                let written = args.iter().enumerate().filter(|(at, _)| Some(*at) != function.sought);
                return written.rev().find_map(|(_, arg)| self.visit_arg(arg, scope));
            }
            _ => {}
        }
        None
    }

    fn visit_arg(&mut self, arg: &'e Arg, scope: Scope) -> Option<Span> {
        match arg {
            Arg::Value(value) => self.open.push((value, scope)),
            Arg::Each { relation, value, .. } => self.open.push((value, scope.enter_filter(*relation))),
            Arg::Column { relation, column, .. } => return self.visit_column(*relation, *column),
            Arg::Sql(sql) => return sql.analysis.columns.iter().find_map(|output| self.visit_output(sql, output)),
            // The content of a file is copied as it is.
            Arg::Relation { .. } | Arg::File(_) | Arg::Path(_) => {}
        }
        None
    }

    /// Visits an output column of a query.
    fn visit_output(&mut self, sql: &'e Sql, output: &SqlOutput) -> Option<Span> {
        output.letters.iter().find_map(|source| match source {
            Letters::Column { column: (relation, column), .. } => self.visit_column(*relation, *column),
            Letters::Param { name, .. } => {
                let value = sql.params.iter().find(|(param, _)| param == name);
                self.open.extend(value.map(|(_, value)| (value, Scope::default())));
                None
            }
        })
    }

    fn visit_name(&mut self, id: NameId) -> Option<Span> {
        if !self.names.insert(id) {
            return None;
        }
        let checker = self.checker;
        match checker.scope.names[id].checked.as_ref()? {
            NameSource::Compute(value) => self.open.push((value, Scope::default())),
            NameSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::OneOf(items) => self.open.extend(items.iter().rev().map(|item| (item, Scope::default()))),
                DrawDomain::Ref { relation, column, .. } => return self.visit_column(*relation, *column),
                DrawDomain::Fixed(_) => return checker.cx.find_duration_text(draw.span),
                _ => {}
            },
            NameSource::Axis => {
                let cells =
                    checker.scope.axes.iter().filter(|axis| axis.slot == id).flat_map(|axis| axis.cells.iter().rev());
                self.open.extend(cells.map(|(_, value)| (value, Scope::default())));
            }
            NameSource::Row => {
                let rows = checker.scope.find_asked_rows()?;
                if let NameAst::Row(column) = checker.scope.names[id].source {
                    return self.visit_column(rows.relation, column);
                }
            }
        }
        None
    }

    /// Visits a column. Its texts count only if agents do not get them in a file.
    fn visit_column(&mut self, relation: RelationId, column: ColumnId) -> Option<Span> {
        if !self.columns.insert((relation, column)) {
            return None;
        }
        let own = self.checker.scope.relations.checked.get(relation)?;
        let decl = own.columns.get(column)?;
        if decl.ty.has_duration() {
            return Some(decl.span);
        }
        if !decl.ty.may_hold_text() {
            return None;
        }
        match (&decl.source, &own.rows) {
            (ColumnSource::Compute(value), rows) if decl.helper || matches!(rows, Rows::Given(_)) => {
                self.open.push((value, Scope::with_row(relation)));
            }
            (ColumnSource::Taken(of), Rows::Taken { from, .. }) => return self.visit_column(*from, *of),
            (ColumnSource::Result(at), Rows::Query(name)) => {
                let Some(NameSource::Compute(value)) = &self.checker.scope.names[*name].checked else { return None };
                let sql = self.checker.scope.follow_names(value).find_query()?;
                return self.visit_output(sql, sql.analysis.columns.get(usize::try_from(*at).ok()?)?);
            }
            (ColumnSource::Given(_), _) => return self.checker.cx.duration_texts.get(&decl.span).copied(),
            _ => {}
        }
        None
    }
}
