//! Suggestions for values that can be null but must not be.

use crate::context::{Checker, NameAst, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{Arg, Expr, ExprKind, NameSource};
use syntax::diagnostics::wording::quote_ident;

/// The maximum number of characters of an expression that a message quotes.
const MAX_QUOTED: usize = 40;

impl<'a> TaskScope<'a> {
    /// Suggests how to avoid a null value, using the author's names.
    pub(crate) fn without_null(&self, cx: &Checker<'a>, expr: &Expr) -> String {
        if expr.is_null() {
            return "write another value, such as \"none\" or 0".to_owned();
        }
        let Some(written) = self.render_expr(cx, expr) else {
            return "name the value, and redraw the samples in which it is null with `require`, or give a fallback with `coalesce`".to_owned();
        };
        let fallback = format!("give a fallback: coalesce({written}, {})", suggest_fallback(&expr.ty));
        match &expr.kind {
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                let from = self.here.row.and_then(|row| self.relations.declared.get(row)?.taken);
                match from.and_then(|from| self.relations.checked.get(from)) {
                    Some(from) => {
                        format!(
                            "leave such rows out: from {} where {written} != null; or {fallback}",
                            quote_ident(&from.name)
                        )
                    }
                    None => fallback,
                }
            }
            ExprKind::Name(id) => match &self.names[*id].source {
                NameAst::Row(column) => {
                    let relation = self.find_asked_rows().and_then(|rows| self.relations.checked.get(rows.relation));
                    let name = relation.and_then(|relation| Some(&relation.columns.get(*column)?.name));
                    let name = name.map_or_else(|| written.clone(), |name| quote_ident(name));
                    format!("exclude such rows with `where {name} != null` after `each`; or {fallback}")
                }
                _ if self.required.is_shown_later(&self.names[*id].ident.text) => {
                    format!("write `require {written} != null` before the `require` that needs it; or {fallback}")
                }
                _ => format!("redraw such samples: require {written} != null; or {fallback}"),
            },
            _ => format!("redraw such samples: require {written} != null; or {fallback}"),
        }
    }

    /// Suggests how to avoid the nulls in a list.
    pub(crate) fn without_nulls(&self, cx: &Checker<'a>, list: &Expr) -> String {
        let list = self.follow_names(list);
        let guard = list.find_query().and_then(|sql| sql.analysis.columns.first()?.guard.as_ref());
        if let Some(guard) = guard {
            return format!("exclude them in the query: `{guard}`");
        }
        if let ExprKind::List(items) = &list.kind
            && let Some(item) = items.iter().find(|item| item.ty.nullable)
        {
            return self.without_null(cx, item);
        }
        let column = match &list.kind {
            ExprKind::Call(_, args) => args.iter().find_map(|arg| match arg {
                Arg::Column { relation, column, .. } => {
                    let relation = self.relations.checked.get(*relation)?;
                    Some((relation, &relation.columns.get(*column)?.name))
                }
                _ => None,
            }),
            _ => None,
        };
        match column {
            Some((relation, column)) => {
                let column = quote_ident(column);
                format!("exclude them: `{}.{column} where {column} != null`", quote_ident(&relation.name))
            }
            None => {
                "exclude them: in SQL with `WHERE … IS NOT NULL`, elsewhere with `where` after the column".to_owned()
            }
        }
    }

    /// Follows computed names to the expression that they are computed from; returns other expressions unchanged. A name that depends on itself has none.
    pub(crate) fn follow_names<'e>(&'e self, mut expr: &'e Expr) -> &'e Expr {
        while let ExprKind::Name(id) = expr.kind
            && let Some(NameSource::Compute(value)) = &self.names[id].checked
        {
            expr = value;
        }
        expr
    }

    /// Renders an expression as an author could write it elsewhere in the same scope, if it is short.
    fn render_expr(&self, cx: &Checker<'a>, expr: &Expr) -> Option<String> {
        match &expr.kind {
            // In SQL, the name follows a colon.
            ExprKind::Name(id) => Some(match self.names[*id].source {
                NameAst::Row(column) => self.name_of_cell(column),
                _ => quote_ident(&self.names[*id].ident.text),
            }),
            ExprKind::Column(column) => {
                let relation = self.relations.checked.get(self.here.row?)?;
                Some(quote_ident(&relation.columns.get(*column)?.name))
            }
            _ => {
                // A query keeps its `<<` and `>>`.
                let query = expr.find_query().is_some();
                keep_short(if query { cx.sources.quote(expr.span) } else { cx.sources.quote_bare(expr.span) })
            }
        }
    }
}

impl Checker<'_> {
    /// Quotes an expression if it is short.
    pub(super) fn quote_short(&self, expr: &Expr) -> Option<String> {
        keep_short(self.sources.quote_bare(expr.span))
    }
}

/// Returns a quote that is short, and nothing for any other.
fn keep_short(quoted: String) -> Option<String> {
    (!quoted.is_empty() && quoted.chars().count() <= MAX_QUOTED).then_some(quoted)
}

/// Suggests a value to use instead of null.
fn suggest_fallback(ty: &Ty) -> &'static str {
    match ty.kind {
        TyKind::Text | TyKind::Null => "\"none\"",
        TyKind::Bool => "false",
        TyKind::Date => "2024-01-01",
        TyKind::DateTime => "2024-01-01T00:00",
        TyKind::Duration => "0 days",
        _ => "0",
    }
}
