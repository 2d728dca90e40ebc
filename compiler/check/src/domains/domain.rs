//! Checks domains as written, with modifiers, suffixes, and references, and converts them to draws.

use model::{Domain, Span, Value};

use crate::context::{Checker, TaskScope};
use crate::domains::DrawChecker;
use crate::scope::names::Meaning;
use crate::scope::tree_names::check_list_or_column;
use hir::types::{Ty, TyKind};
use hir::{Draw, DrawDomain, Entity, Expr};
use model::suite::RelationId;
use syntax::ast::{self, DomainKind, ExprKind, Modifier, SuffixKind};
use syntax::diagnostics::wording::format_count;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> DrawChecker<'_, '_, 'a> {
    /// Checks the domain of a named domain, outside any task.
    pub fn check_named_domain(&mut self, domain: &'a ast::Domain) -> Draw {
        let draw = self.check_domain(domain);
        self.task.cx.reject_modifier(domain, Modifier::Unique, "`unique` belongs to the column that uses the domain");
        self.task.cx.reject_modifier(domain, Modifier::Distinct, "`distinct` belongs to the names that use the domain");
        self.task.cx.reject_modifier(domain, Modifier::Sorted, "`sorted` belongs to the column that uses the domain");
        if !matches!(draw.domain, DrawDomain::Fixed(_) | DrawDomain::Unknown(())) {
            let message = "a domain outside the tasks needs fixed bounds";
            let said = Diagnostic::new(Code::NOT_CONSTANT, message, domain.span, "depends on values of a task");
            self.task.cx.report(said.help("write the domain out where it is used"));
            return Draw::new_unknown(domain.span);
        }
        draw
    }

    /// Checks the domain of the name at `place` among the `count` names of a statement.
    pub fn draw_name(&mut self, domain: &'a ast::Domain, place: usize, count: usize) -> Draw {
        let draw = self.check_domain(domain);
        self.task.cx.reject_exactly_outside_table(&draw);
        let mut draw = self.task.scope.relations.pick_tuple_column(self.task.cx, draw, domain, place, count);
        self.task.cx.reject_modifier(
            domain,
            Modifier::Unique,
            "`unique` works with columns; for names of a task, write `distinct`",
        );
        self.task.cx.reject_modifier(domain, Modifier::Sorted, "`sorted` works only with columns");
        draw.unique = domain.has_modifier(Modifier::Distinct);
        if draw.unique {
            if count < 2 {
                let message = "`distinct` needs several names";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, domain.span, "one name only");
                self.task.cx.report(said.help("write: a, b : distinct word"));
            }
            self.task.scope.check_enough_values(self.task.cx, &draw, count as u64, &format_count(count as u32, "name"));
        }
        if matches!(draw.domain, DrawDomain::Fixed(Domain::Serial)) {
            let message = "`serial` works only in a table";
            let said = Diagnostic::new(Code::BAD_DOMAIN, message, domain.span, "not in a table");
            self.task.cx.report(said.help("for a number write: int 1..100"));
        }
        draw
    }

    /// Checks the domain of the column at `place` of a statement that declares `of` columns.
    pub fn draw_column(&mut self, domain: &'a ast::Domain, relation: RelationId, place: usize, of: usize) -> Draw {
        let draw = self.check_domain(domain);
        let draw = self.task.scope.relations.pick_tuple_column(self.task.cx, draw, domain, place, of);
        if domain.has_modifier(Modifier::Distinct) {
            if of < 2 {
                let message = "`distinct` needs several columns";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, domain.span, "one column only");
                self.task.cx.report(said.help("to make the values of one column differ, write `unique`"));
            }
            self.task.scope.check_enough_values(self.task.cx, &draw, of as u64, &format_count(of as u32, "column"));
        }
        self.task.scope.check_enough_rows(self.task.cx, &draw, relation);
        if draw.unique
            && let Some(most) = self.task.scope.infer_row_bounds(relation).known_max()
        {
            self.task.scope.check_enough_values(self.task.cx, &draw, most, &format_count(most as u32, "row"));
        }
        draw
    }

    /// Checks a domain with its modifiers and suffixes.
    pub(crate) fn check_domain(&mut self, domain: &'a ast::Domain) -> Draw {
        let step = domain.suffixes.iter().find(|suffix| suffix.kind == SuffixKind::Step);
        let mut draw = self.check_base_domain(domain, step);
        draw.span = domain.span;
        for (index, (modifier, span)) in domain.modifiers.iter().enumerate() {
            if domain.modifiers[..index].iter().any(|(earlier, _)| earlier == modifier) {
                let said = Diagnostic::new(Code::DUPLICATE, "the same word appears twice", *span, "again");
                self.task.cx.report(said.help("keep one of the two"));
            }
            match modifier {
                Modifier::Unique => draw.unique = true,
                // Applies to several names or columns, not to a single one.
                Modifier::Distinct => {}
                Modifier::Sorted => draw.sorted = true,
            }
        }
        for (index, suffix) in domain.suffixes.iter().enumerate() {
            let twice = domain.suffixes[..index].iter().any(|earlier| earlier.kind == suffix.kind);
            if twice && suffix.kind != SuffixKind::Except {
                let said = Diagnostic::new(Code::DUPLICATE, "this appears twice", suffix.span, "again");
                self.task.cx.report(said.help("keep one of the two"));
            }
            match suffix.kind {
                SuffixKind::Step => {}
                SuffixKind::Blank => {
                    self.check_blank_share(&suffix.value, &mut draw);
                    self.task.cx.reject_suffix_with_exactly(&draw, suffix.span, "blank");
                }
                SuffixKind::Except => {
                    let except = self.check_except(&suffix.value, &draw.ty);
                    draw.except.extend(except);
                    self.task.cx.reject_suffix_with_exactly(&draw, suffix.span, "except");
                }
            }
        }
        self.task.cx.check_values_remain(&draw);
        draw
    }

    /// Checks the excluded values: one value, a list, or the values of a column.
    fn check_except(&mut self, value: &'a ast::Expr, ty: &Ty) -> Option<Expr> {
        let checked = check_list_or_column(self.task, value);
        let item = match &checked.ty.kind {
            TyKind::List(item) => (**item).clone(),
            _ => checked.ty.clone(),
        };
        if !ty.is_comparable(&item) {
            let message = format!("the domain does not contain {item}");
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, checked.span, format!("its values are {ty}"));
            self.task.cx.report(said.help("exclude values of the domain's own type"));
            return None;
        }
        Some(checked)
    }

    /// Checks a domain without its modifiers and suffixes.
    fn check_base_domain(&mut self, domain: &'a ast::Domain, step: Option<&'a ast::Suffix>) -> Draw {
        let span = domain.span;
        if let Some(step) = step
            && !matches!(&domain.kind, DomainKind::Named(named) if named.range.is_some())
        {
            let said = Diagnostic::new(Code::BAD_DOMAIN, "`step` needs a range", step.span, "not a range");
            self.task.cx.report(said.help("write: int 0..1_000 step 50"));
        }
        match &domain.kind {
            DomainKind::Missing => Draw::new_unknown(span),
            DomainKind::Named(named) => self.check_domain_constructor(named, step, span),
            DomainKind::OneOf(items) => self.check_one_of(items, span),
            DomainKind::OneOfConstant(name) => self.task.scope.check_one_of_constant(self.task.cx, name, span),
            DomainKind::OneOfLines(path) => self.task.cx.check_one_of_lines(path, span),
            DomainKind::Weighted(items) => self.check_weighted(items, span),
            DomainKind::Pattern(text) => self.check_pattern_domain(text, span),
            DomainKind::Template(text) => self.task.cx.check_template(text, span),
            DomainKind::Ref { path, tuple, filter } => {
                let draw = self.check_ref_domain(path, filter.as_deref(), span);
                self.check_ref_tuple(draw, tuple)
            }
            DomainKind::Lorem { unit, count } => self.check_lorem(*unit, count, span),
            DomainKind::Object(_) | DomainKind::Array { .. } => {
                let message = "objects and arrays work only in JSON, YAML, and XML files";
                let help = "declare it in such a file: json conf at \"conf.json\" { NAME : [ { … } ; 5..20 ] }";
                let said = Diagnostic::new(Code::MISPLACED, message, span, "not drawn here");
                self.task.cx.report(said.help(help));
                Draw::new_unknown(span)
            }
        }
    }

    /// Checks `ref REL.COLUMN [where P]`.
    fn check_ref_domain(&mut self, path: &'a [ast::Ident], filter: Option<&'a ast::Expr>, span: Span) -> Draw {
        let path_span = match (path.first(), path.last()) {
            (Some(first), Some(last)) => first.span.extend_to(last.span),
            _ => span,
        };
        if path.len() < 2 {
            self.task.cx.report(build_bad_ref_diagnostic(path_span, "no column"));
            return Draw::new_unknown(span);
        }
        let (relation, column) = match self.task.resolve_path(path, path_span) {
            Meaning::Column(relation, column) => (relation, column),
            Meaning::Relation(relation)
                if let Some(column) = self.task.scope.relations.find_element_column(relation) =>
            {
                (relation, column)
            }
            Meaning::Nothing => return Draw::new_unknown(span),
            Meaning::Value(_) => {
                let message = "`ref` refers to its own table";
                let help = "refer to another table, because the rows of a table are drawn independently";
                let said = Diagnostic::new(Code::BAD_REF, message, path_span, "refers to its own table");
                self.task.cx.report(said.help(help));
                return Draw::new_unknown(span);
            }
            Meaning::File(..) | Meaning::Relation(_) | Meaning::ResultSet(..) => {
                self.task.cx.report(build_bad_ref_diagnostic(path_span, "a table, not a column"));
                return Draw::new_unknown(span);
            }
        };
        self.task.ensure_relation(relation, Some(path_span));
        self.task.note_column_read(relation, column, path_span);
        self.task.scope.used.insert(Entity::Relation(relation));
        let filter = filter.map(|filter| {
            let candidates = self.task.scope.here.with_filtered_row(relation);
            self.task.check_within(candidates, |task| task.check_decision(filter, "`where`"))
        });
        if self.task.scope.infer_row_bounds(relation).most == 0 {
            let declared = self.task.scope.relations.checked[relation].span;
            let message = "the referenced column does not have any rows";
            let said = Diagnostic::new(Code::BAD_REF, message, path_span, "no rows");
            self.task.cx.report(said.label(declared, "has `rows 0`").help("add rows to it"));
        }
        let ty = self.task.scope.relations.checked[relation].columns[column].ty.clone();
        Draw {
            domain: DrawDomain::Ref { relation, column, together: Vec::new(), filter },
            ty: Ty { nullable: false, ..ty },
            ..Draw::new_unknown(span)
        }
    }

    fn check_lorem(&mut self, unit: ast::LoremUnit, count: &'a ast::Count, span: Span) -> Draw {
        const MAX_LENGTH: i64 = 1_000_000;
        let (low, high) = self.task.check_count(count, "a number of lorem units");
        for bound in [&low, &high] {
            if let Some(Value::Int(number)) = bound.as_constant()
                && !(1..=MAX_LENGTH).contains(number)
            {
                let number = *number;
                let message = "`lorem` needs 1 to 1,000,000 units";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, bound.span, format!("this is {number}"));
                self.task.cx.report(said.help("write: lorem lines 100"));
                return Draw::new_unknown(span);
            }
        }
        match (low.as_constant(), high.as_constant()) {
            (Some(Value::Int(low)), Some(Value::Int(high))) => {
                Draw::from_domain(Domain::Lorem { unit, low: *low as u32, high: *high as u32 }, span)
            }
            _ => Draw {
                domain: DrawDomain::Lorem { unit, low, high },
                ty: Ty::new(TyKind::Text),
                ..Draw::new_unknown(span)
            },
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Reports a domain that has fewer different values than needed, or whose values are not equally likely.
    fn check_enough_values(&self, cx: &mut Checker<'a>, draw: &Draw, wanted: u64, what: &str) {
        match &draw.domain {
            DrawDomain::Share(_) | DrawDomain::Exactly(_) => cx.report_not_uniform(draw.span),
            DrawDomain::Fixed(domain) => {
                if !domain.is_uniform() && !matches!(domain, Domain::Serial) {
                    return cx.report_not_uniform(draw.span);
                }
                let Some(size) = domain.cardinality() else { return };
                let excepted = draw.except.iter().filter_map(Expr::as_constant_items).flatten();
                let excluded: std::collections::BTreeSet<u128> =
                    excepted.filter_map(|value| domain.index_of(value)).collect();
                cx.check_value_count(draw.span, size.saturating_sub(excluded.len() as u128), wanted, what);
            }
            DrawDomain::Ref { relation, .. } => {
                let most = self.infer_row_bounds(*relation).most;
                cx.check_value_count(draw.span, u128::from(most), wanted, what);
            }
            DrawDomain::OneOf(items) => cx.check_value_count(draw.span, items.len() as u128, wanted, what),
            DrawDomain::Lorem { .. } | DrawDomain::Range { .. } | DrawDomain::Unknown(()) => {}
        }
    }
}

impl Checker<'_> {
    fn report_not_uniform(&mut self, span: Span) {
        let message = "`unique` and `distinct` need equally likely values";
        let said = Diagnostic::new(Code::BAD_DOMAIN, message, span, "not equally likely");
        self.report(said.help("use a range, `one_of`, `pattern` or a named domain"));
    }

    /// Reports a domain that has fewer different values than wanted.
    fn check_value_count(&mut self, span: Span, left: u128, wanted: u64, what: &str) {
        if left < u128::from(wanted) {
            let values = if left == 1 { "value" } else { "values" };
            let message = format!("{what} cannot all differ: the domain has {left} different {values}");
            let said = Diagnostic::new(Code::TOO_FEW_VALUES, message, span, format!("{left} < {wanted}"));
            self.report(said.help("use a larger domain, or ask for fewer"));
        }
    }

    fn reject_modifier(&mut self, domain: &ast::Domain, modifier: Modifier, why: &str) {
        if let Some((_, span)) = domain.modifiers.iter().find(|(found, _)| *found == modifier) {
            self.report(Diagnostic::new(Code::MISPLACED, why.to_owned(), *span, "not here").help("remove it"));
        }
    }

    fn check_values_remain(&mut self, draw: &Draw) {
        let DrawDomain::Fixed(domain) = &draw.domain else { return };
        if draw.except.is_empty() {
            return;
        }
        let Some(values) = domain.list_values() else { return };
        let gone = |value: &Value| {
            let mut excepted = draw.except.iter().filter_map(Expr::as_constant_items).flatten();
            excepted.any(|item| item.is_same(value))
        };
        if values.iter().all(gone) {
            let message = "`except` excludes every value of the domain";
            let said = Diagnostic::new(Code::TOO_FEW_VALUES, message, draw.span, "nothing left");
            self.report(said.help("exclude fewer values"));
        }
    }

    /// Returns the draw of a named domain, with the span of this use.
    pub fn check_domain_name(&mut self, name: &ast::Ident, span: Span) -> Draw {
        match self.resolve_named_domain(&name.text, Some(name.span)) {
            Some(draw) => Draw { span, ..draw },
            None => {
                self.report_unknown_domain(name);
                Draw::new_unknown(span)
            }
        }
    }
}

/// Returns the path of an expression that is nothing but a path.
pub(crate) fn as_bare_path(expr: &ast::Expr) -> Option<&[ast::Ident]> {
    match &as_bare_expr(expr).kind {
        ExprKind::Path(path) => Some(path),
        _ => None,
    }
}

/// Returns the expression inside of placeholders and parentheses.
pub(crate) fn as_bare_expr(expr: &ast::Expr) -> &ast::Expr {
    match &expr.kind {
        ExprKind::Placeholder(inner) | ExprKind::Paren(inner) => as_bare_expr(inner),
        _ => expr,
    }
}

/// Builds the diagnostic for an empty range such as `9..3`.
pub(crate) fn build_empty_range_diagnostic(span: Span, low: &str, high: &str, swapped: String) -> Diagnostic {
    Diagnostic::new(
        Code::EMPTY_RANGE,
        format!("the range `{low}..{high}` is empty: {low} is greater than {high}"),
        span,
        "contains no value",
    )
    .help(format!("swap the bounds: {swapped}"))
    .fix("swap the ends", Applicability::Unsafe, span, swapped)
}

/// Builds the diagnostic for a `ref` of something else than a column.
fn build_bad_ref_diagnostic(path: Span, label: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_REF, "`ref` names a column", path, label).help("write: ref customers.CUST_ID")
}
