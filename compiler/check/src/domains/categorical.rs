//! Categorical domains: closed lists of values (`one_of`), and lists of values with weights (`weighted`).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use model::{Decimal, Domain, Span, Value};

use crate::context::{Checker, TaskScope};
use crate::domains::DrawChecker;
use crate::expr::build_mixed_types_diagnostic;
use hir::types::{Ty, TyKind};
use hir::{Draw, DrawDomain, Expr};
use syntax::ast;
use syntax::diagnostics::wording::build_unknown_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> DrawChecker<'_, '_, 'a> {
    /// `one_of [ … ]`
    pub fn check_one_of(&mut self, items: &'a [ast::Expr], span: Span) -> Draw {
        let checked: Vec<Expr> = items.iter().map(|item| self.task.check_expr(item)).collect();
        self.task.scope.build_one_of(self.task.cx, checked, span)
    }

    /// `weighted [ "a": 3, "b": 1 ]`
    pub fn check_weighted(&mut self, items: &'a [(ast::Expr, ast::Expr)], span: Span) -> Draw {
        let values: Vec<Expr> = items.iter().map(|(value, _)| self.task.check_expr(value)).collect();
        let ty = self.task.scope.infer_item_type(self.task.cx, &values, span);
        let mut weighted: Vec<(Value, u64)> = Vec::new();
        let mut good = ty.is_some();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for ((_, weight), value) in items.iter().zip(&values) {
            let weight = self.task.check_expr(weight);
            let number = match weight.as_constant() {
                Some(Value::Int(number @ 0..=1_000_000_000)) => Some(*number as u64),
                _ => None,
            };
            if number.is_none() && !weight.ty.is_unknown() {
                let message = "a weight must be a whole number from 0 to 1,000,000,000";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, weight.span, "not so");
                self.task.cx.report(said.help("write: weighted [ \"INFO\": 90, \"WARN\": 8, \"ERROR\": 2 ]"));
            }
            let Some(known) = value.as_constant() else {
                if !value.ty.is_unknown() {
                    let message = "`weighted` needs fixed values";
                    let said = Diagnostic::new(Code::NOT_CONSTANT, message, value.span, "not fixed");
                    self.task.cx.report(said.help("write the values out"));
                }
                good = false;
                continue;
            };
            match seen.entry(build_equality_key(known)) {
                Entry::Occupied(first) => {
                    self.task.cx.report_duplicate_item(value.span, *first.get(), &known.render_text());
                    continue;
                }
                Entry::Vacant(free) => drop(free.insert(value.span)),
            }
            match number {
                Some(number) => weighted.push((known.clone(), number)),
                None => good = false,
            }
        }
        if good && weighted.iter().all(|(_, weight)| *weight == 0) {
            let said = Diagnostic::new(Code::EMPTY_RANGE, "all weights are 0", span, "nothing to draw");
            self.task.cx.report(said.help("give one item a weight of at least 1"));
            good = false;
        }
        let ty = ty.unwrap_or(Ty::UNKNOWN);
        let places =
            weighted.iter().filter_map(|(value, _)| value.as_decimal()).map(Decimal::places).max().unwrap_or(0);
        if places > 0 {
            for (value, _) in &mut weighted {
                if let Some(decimal) = value.as_decimal().and_then(|decimal| decimal.with_places(places)) {
                    *value = Value::Decimal(decimal);
                }
            }
        }
        let draw = match good {
            true => Draw::from_domain(Domain::Weighted { items: weighted.into() }, span),
            false => Draw::new_unknown(span),
        };
        Draw { ty, ..draw }
    }
}

impl<'a> TaskScope<'a> {
    /// `one_of CITIES`
    pub fn check_one_of_constant(&self, cx: &mut Checker<'a>, name: &'a ast::Ident, span: Span) -> Draw {
        let Some(constant) = cx.resolve_constant(&name.text, Some(name.span)) else {
            let task = self.entities.get(name.text.as_str()).copied();
            let said = match task {
                Some(entity) => {
                    let at = self.find_entity_span(entity);
                    Diagnostic::new(
                        Code::NOT_CONSTANT,
                        format!("`one_of` needs a constant, but `{}` is declared inside the task", name.text),
                        name.span,
                        "not a constant",
                    )
                    .label(at, "declared here")
                    .help("to draw from a column write `ref`, as in: ref orders.CITY; or move the list out of the task")
                }
                None => {
                    let message = format!("`{}` is not defined", name.text);
                    let known = cx.globals.constants.keys().copied();
                    build_unknown_diagnostic(Code::UNKNOWN_NAME, name, message, "not a constant", known)
                        .with_default_help(format!("declare it outside the tasks: {} = [\"a\", \"b\"]", name.text))
                }
            };
            cx.report(said);
            return Draw::new_unknown(span);
        };
        if constant.ty.is_unknown() {
            return Draw::new_unknown(span);
        }
        let (Some(Value::List(items)), TyKind::List(item)) = (constant.as_constant(), &constant.ty.kind) else {
            let message =
                format!("`one_of` needs a list, but `{}` is {}", name.text, constant.ty.describe_with_article());
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, name.span, format!("{}", constant.ty));
            cx.report(said.help(format!("write the value in brackets: one_of [{}]", name.text)));
            return Draw::new_unknown(span);
        };
        let items = items.iter().map(|value| {
            let ty = Ty { nullable: value.is_null(), ..item.as_ref().clone() };
            Expr::constant(value.clone(), ty, name.span)
        });
        self.build_one_of(cx, items.collect(), span)
    }

    fn build_one_of(&self, cx: &mut Checker<'a>, checked: Vec<Expr>, span: Span) -> Draw {
        let Some(ty) = self.infer_item_type(cx, &checked, span) else { return Draw::new_unknown(span) };
        let mut values: Vec<Value> = Vec::new();
        let mut known = true;
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for item in &checked {
            let Some(value) = item.as_constant() else {
                known = false;
                continue;
            };
            match seen.entry(build_equality_key(value)) {
                Entry::Occupied(first) => cx.report_duplicate_item(item.span, *first.get(), &value.render_text()),
                Entry::Vacant(free) => {
                    free.insert(item.span);
                    values.push(value.clone());
                }
            }
        }
        if known {
            return Draw { ty, ..Draw::from_domain(Domain::OneOf { items: unify_number_types(values).into() }, span) };
        }
        Draw { domain: DrawDomain::OneOf(checked), ty, ..Draw::new_unknown(span) }
    }

    /// Infers the common type of the items of a list, which must be single values and not null.
    fn infer_item_type(&self, cx: &mut Checker<'a>, items: &[Expr], span: Span) -> Option<Ty> {
        if items.is_empty() {
            let said = Diagnostic::new(Code::EMPTY_RANGE, "the list of values is empty", span, "nothing to draw");
            cx.report(said.help("write: one_of [\"ruby\", \"opal\"]"));
            return None;
        }
        let mut ty: Option<Ty> = None;
        for item in items {
            self.check_not_null(cx, item, "an item of a domain");
            let Some(joined) = Ty::join_next(ty.as_ref(), &item.ty).filter(|_| item.ty.is_scalar()) else {
                let help = "write text in double quotes, and numbers without";
                let message = "the items of the domain have different types";
                cx.report(build_mixed_types_diagnostic(message, item, ty.as_ref()).help(help));
                return None;
            };
            ty = Some(joined);
        }
        ty.filter(|ty| !ty.is_unknown())
    }
}

impl<'a> Checker<'a> {
    fn report_duplicate_item(&mut self, span: Span, first: Span, value: &str) {
        let help = "remove one; to make a value more likely, write: weighted [ \"a\": 3, \"b\": 1 ]";
        let said = Diagnostic::new(Code::DUPLICATE, format!("`{value}` appears twice in the list"), span, "again here");
        self.report(said.label(first, "first here").help(help));
    }

    /// `one_of lines "animals.txt"`
    pub fn check_one_of_lines(&mut self, path: &'a ast::StringLit, span: Span) -> Draw {
        let Some(name) = self.resolve_project_path(path) else { return Draw::new_unknown(span) };
        let unknown = Draw { ty: Ty::new(TyKind::Text), ..Draw::new_unknown(span) };
        let Some(text) = self.read_word_list(&name, path.span) else { return unknown };
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut items = Vec::new();
        for (index, line) in text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty()) {
            if let Some(first) = seen.insert(line, index + 1) {
                let message = format!("`{line}` appears twice in `{name}`, in lines {first} and {}", index + 1);
                let said = Diagnostic::new(Code::DUPLICATE, message, path.span, "read from here");
                self.report(said.help("remove one of the two lines"));
                return unknown;
            }
            items.push(Value::from_text(line));
        }
        if items.is_empty() {
            let message = format!("`{name}` does not contain a value");
            let said = Diagnostic::new(Code::EMPTY_RANGE, message, path.span, "nothing to draw");
            self.report(said.help("write one value per line"));
            return unknown;
        }
        Draw::from_domain(Domain::OneOf { items: items.into() }, span)
    }
}

/// Builds a text that is equal for equal values of one type. Numbers are compared by value, regardless of their decimal places.
fn build_equality_key(value: &Value) -> String {
    match value.as_decimal() {
        Some(number) if number.is_whole() => number.round_to(0).map_or_else(String::new, |whole| whole.to_string()),
        Some(number) => number.to_string().trim_end_matches('0').to_owned(),
        None => value.render_text().into_owned(),
    }
}

/// Converts the numbers of a list to one type. If any of them is a decimal, all become decimals with the most decimal places among them.
fn unify_number_types(values: Vec<Value>) -> Vec<Value> {
    let places = values.iter().filter_map(|value| match value {
        Value::Decimal(value) => Some(value.places()),
        _ => None,
    });
    let Some(places) = places.max() else { return values };
    values
        .into_iter()
        .map(|value| match value.as_decimal().and_then(|decimal| decimal.with_places(places)) {
            Some(decimal) => Value::Decimal(decimal),
            None => value,
        })
        .collect()
}
