//! `axis NAME = …`: its cells, with their labels and type.

use std::collections::BTreeMap;

use model::functions::{Inputs, Kernel};
use model::suite::NameId;
use model::{Span, Val, Value};

use crate::context::{Checker, Relations, TaskChecker};
use crate::expr::build_mixed_types_diagnostic;
use hir::Expr;
use hir::types::{Ty, TyKind};
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks `axis NAME = [50, 500]` or `{ small: 50 }`. Returns the common type of the cells.
    pub fn check_axis(&mut self, slot: NameId, cells: &'a ast::Expr) -> Ty {
        let labelled: Vec<(Option<&'a ast::Ident>, Expr)> = match &cells.kind {
            ExprKind::List(items) => items.iter().map(|item| (None, self.check_expr(item))).collect(),
            ExprKind::Object(fields) => {
                fields.iter().map(|field| (Some(&field.key), self.check_expr(&field.value))).collect()
            }
            ExprKind::Missing => return Ty::UNKNOWN,
            _ => {
                let list = self.check_expr(cells);
                if list.is_broken() {
                    return Ty::UNKNOWN;
                }
                match self.scope.relations.list_known_items(&list) {
                    Some(items) => items.into_iter().map(|item| (None, item)).collect(),
                    None => {
                        self.cx.report_unknown_cells(&list);
                        return Ty::UNKNOWN;
                    }
                }
            }
        };
        let name = self.scope.names[slot].ident;
        if labelled.is_empty() {
            let message = format!("axis `{}` has no value", name.text);
            let said = Diagnostic::new(Code::MISSING_PART, message, cells.span, "empty");
            self.cx.report(said.help("write: axis size = [50, 500]"));
        }
        let mut ty: Option<Ty> = None;
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let mut checked = Vec::new();
        for (written, value) in labelled {
            self.scope.check_not_null(self.cx, &value, "an axis value");
            let at = written.map_or(value.span, |written| written.span);
            let label = match written {
                Some(written) => Some(written.text.clone()),
                None => value.as_constant().map(|value| value.render_text().into_owned()).filter(|own| own.len() <= 40),
            };
            let Some(label) = label.filter(|label| is_id_part(label)) else {
                if written.is_some() || !value.ty.is_unknown() {
                    self.cx.report_bad_label(at);
                }
                continue;
            };
            if let Some(first) = seen.insert(label.to_lowercase(), at) {
                let message = format!("axis `{}` has two cells named `{label}`", name.text);
                let said = Diagnostic::new(Code::DUPLICATE, message, at, "again").label(first, "first here");
                self.cx.report(said.help("give each cell its own label (letter case is ignored)"));
                continue;
            }
            match Ty::join_next(ty.as_ref(), &value.ty) {
                Some(joined) => ty = Some(joined),
                None => {
                    let message = format!("the values of axis `{}` have different types", name.text);
                    let help = "use values of one type, or several axes";
                    self.cx.report(build_mixed_types_diagnostic(message, &value, ty.as_ref()).help(help));
                }
            }
            checked.push((label, value));
        }
        self.scope.axes.push(hir::Axis { name: name.text.clone(), slot, cells: checked });
        ty.unwrap_or(Ty::UNKNOWN)
    }
}

impl Relations<'_> {
    /// Returns the items of a list that is known before anything is drawn: a constant, or the cells of a column of a fixture.
    fn list_known_items(&self, list: &Expr) -> Option<Vec<Expr>> {
        if let (Some(Value::List(values)), TyKind::List(item)) = (list.as_constant(), &list.ty.kind) {
            let item = |value: &Value| {
                let ty = Ty { nullable: value.is_null(), ..item.as_ref().clone() };
                Expr::constant(value.clone(), ty, list.span)
            };
            return Some(values.iter().map(item).collect());
        }
        let hir::ExprKind::Call(function, args) = &list.kind else { return None };
        match (function.kernel, args.as_slice()) {
            (_, [hir::Arg::Column { relation, column, filter: None }]) if function.is_value_list() => {
                let decl = self.checked.get(*relation)?.columns.get(*column)?;
                let hir::ColumnSource::Given(given) = &decl.source else { return None };
                let values = given.cells.values.iter().filter(|value| !value.is_null());
                let ty = Ty { nullable: false, ..decl.ty.clone() };
                Some(values.map(|value| Expr::constant(value.clone(), ty.clone(), list.span)).collect())
            }
            // The function only reorders or selects the values.
            (Kernel::Values(kernel), [hir::Arg::Value(inner)]) if inner.ty.kind == list.ty.kind => {
                let items = self.list_known_items(inner)?;
                let ty = items.first().map_or(Ty::UNKNOWN, |item| item.ty.clone());
                let values = items.iter().map(|item| item.as_constant().cloned()).collect::<Option<_>>()?;
                let values = vec![Val::Own(Value::List(values))];
                let Value::List(values) = kernel(Inputs { function: function.name, values }).ok()?.into_value() else {
                    return None;
                };
                Some(values.into_iter().map(|value| Expr::constant(value, ty.clone(), list.span)).collect())
            }
            _ => None,
        }
    }
}

impl Checker<'_> {
    fn report_unknown_cells(&mut self, list: &Expr) {
        let said = match list.ty.kind {
            TyKind::List(_) => Diagnostic::new(
                Code::NOT_CONSTANT,
                "the values of the axis depend on drawn data",
                list.span,
                "known only when the suite is built",
            )
            .help("use a constant, or a whole column of a fixture: axis city = list(cities.NAME)"),
            _ => Diagnostic::new(
                Code::TYPE_MISMATCH,
                "an axis needs a list or labeled values",
                list.span,
                format!("{}", list.ty),
            )
            .help("write: axis size = [50, 500]  or: axis size = { small: 50, large: 5_000 }"),
        };
        self.report(said);
    }

    fn report_bad_label(&mut self, span: Span) {
        let message = "this axis value needs a label";
        let said = Diagnostic::new(Code::BAD_SETTING, message, span, "a label has only letters, digits, and `_`");
        self.report(said.help("write labels: axis size = { small: 50, large: 5_000 }"));
    }
}

/// Checks whether a text can be part of an id: it consists of letters, digits, and `_`.
fn is_id_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
