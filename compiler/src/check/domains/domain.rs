//! Domains as written, to what is drawn: modifiers, suffixes, references.

use model::{Domain, Span, Value, functions};

use crate::ast::{self, DomainKind, ExprKind, Modifier, SuffixKind};
use crate::check::model::TaskChecker;
use crate::check::say::counted;
use crate::check::scope::names::Meaning;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::hir::{self, Arg, Draw, DrawDomain, Entity, Expr};
use crate::types::{Ty, TyKind};
use model::suite::RelationId;

impl<'a> TaskChecker<'_, 'a> {
    /// The domain of a named domain, outside any task.
    pub fn named(&mut self, domain: &'a ast::Domain) -> Draw {
        let draw = self.domain(domain);
        self.refuse(domain, Modifier::Unique, "`unique` belongs to the column that uses the domain");
        self.refuse(domain, Modifier::Distinct, "`distinct` belongs to the names that use the domain");
        self.refuse(domain, Modifier::Sorted, "`sorted` belongs to the column that uses the domain");
        if !matches!(draw.domain, DrawDomain::Fixed(_) | DrawDomain::Unknown(())) {
            self.cx.say(
                Diagnostic::new(
                    Code::NOT_CONSTANT,
                    "a domain outside the tasks needs fixed bounds",
                    domain.span,
                    "depends on values of a task",
                )
                .help("write the domain out where it is used"),
            );
            return Draw::unknown(domain.span);
        }
        draw
    }

    /// The domain of the name at `place` of the `count` names of a statement.
    pub fn draw_name(&mut self, domain: &'a ast::Domain, place: usize, count: usize) -> Draw {
        let draw = self.domain(domain);
        self.counts_rows(&draw);
        let mut draw = self.at_place(draw, domain, place, count);
        self.refuse(domain, Modifier::Unique, "`unique` works with columns; for names of a task, write `distinct`");
        self.refuse(domain, Modifier::Sorted, "`sorted` works only with columns");
        draw.unique = domain.is(Modifier::Distinct);
        if draw.unique {
            if count < 2 {
                self.cx.say(
                    Diagnostic::new(Code::BAD_DOMAIN, "`distinct` needs several names", domain.span, "one name only")
                        .help("write: a, b : distinct word"),
                );
            }
            self.enough(&draw, count as u64, &counted(count as u32, "name"));
        }
        if matches!(draw.domain, DrawDomain::Fixed(Domain::Serial)) {
            self.cx.say(
                Diagnostic::new(Code::BAD_DOMAIN, "`serial` works only in a table", domain.span, "not in a table")
                    .help("for a number write: int 1..100"),
            );
        }
        draw
    }

    /// The domain of the column at `place` of a statement that declares `of` columns.
    pub fn draw_column(&mut self, domain: &'a ast::Domain, relation: RelationId, place: usize, of: usize) -> Draw {
        let draw = self.domain(domain);
        let draw = self.at_place(draw, domain, place, of);
        if domain.is(Modifier::Distinct) {
            if of < 2 {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        "`distinct` needs several columns",
                        domain.span,
                        "one column only",
                    )
                    .help("to make the values of one column differ, write `unique`"),
                );
            }
            self.enough(&draw, of as u64, &counted(of as u32, "column"));
        }
        self.enough_rows(&draw, relation);
        if draw.unique
            && let Some(most) = self.row_bounds(relation).known_most()
        {
            self.enough(&draw, most, &counted(most as u32, "row"));
        }
        draw
    }

    /// Says so where more different values are asked for than there are.
    fn enough(&mut self, draw: &Draw, wanted: u64, what: &str) {
        match &draw.domain {
            DrawDomain::Share(_) | DrawDomain::Exactly(_) => self.not_equally_likely(draw.span),
            DrawDomain::Fixed(domain) => {
                if !domain.is_uniform() && !matches!(domain, Domain::Serial) {
                    return self.not_equally_likely(draw.span);
                }
                let Some(size) = domain.cardinality() else { return };
                let excepted = draw.except.iter().flat_map(|except| match except.value() {
                    Some(Value::List(items)) => items.clone(),
                    Some(value) => vec![value.clone()],
                    None => Vec::new(),
                });
                let excluded: std::collections::BTreeSet<u128> =
                    excepted.filter_map(|value| domain.index_of(&value)).collect();
                let left = size.saturating_sub(excluded.len() as u128);
                if left < u128::from(wanted) {
                    self.too_few(draw.span, left, wanted, what);
                }
            }
            DrawDomain::Ref { relation, .. } => {
                let most = self.row_bounds(*relation).most;
                if most < wanted {
                    self.too_few(draw.span, u128::from(most), wanted, what);
                }
            }
            DrawDomain::OneOf(items) => {
                if (items.len() as u64) < wanted {
                    self.too_few(draw.span, items.len() as u128, wanted, what);
                }
            }
            DrawDomain::Lorem { .. } | DrawDomain::Range { .. } | DrawDomain::Unknown(()) => {}
        }
    }

    fn not_equally_likely(&mut self, span: Span) {
        let message = "`unique` and `distinct` need equally likely values";
        let said = Diagnostic::new(Code::BAD_DOMAIN, message, span, "not equally likely");
        self.cx.say(said.help("use a range, `one_of`, `pattern` or a named domain"));
    }

    fn too_few(&mut self, span: Span, left: u128, wanted: u64, what: &str) {
        self.cx.say(
            Diagnostic::new(
                Code::TOO_FEW_VALUES,
                format!(
                    "{what} cannot all differ: the domain has {left} different {}",
                    if left == 1 { "value" } else { "values" }
                ),
                span,
                format!("{left} < {wanted}"),
            )
            .help("use a larger domain, or ask for fewer"),
        );
    }

    fn refuse(&mut self, domain: &ast::Domain, modifier: Modifier, why: &str) {
        if let Some((_, span)) = domain.modifiers.iter().find(|(found, _)| *found == modifier) {
            self.cx.say(Diagnostic::new(Code::MISPLACED, why.to_owned(), *span, "not here").help("remove it"));
        }
    }

    /// A domain with its modifiers and suffixes.
    pub(in crate::check) fn domain(&mut self, domain: &'a ast::Domain) -> Draw {
        let step = domain.suffixes.iter().find(|suffix| suffix.kind == SuffixKind::Step);
        let mut draw = self.core(domain, step);
        draw.span = domain.span;
        for (index, (modifier, span)) in domain.modifiers.iter().enumerate() {
            if domain.modifiers[..index].iter().any(|(earlier, _)| earlier == modifier) {
                self.cx.say(
                    Diagnostic::new(Code::DUPLICATE, "the same word appears twice", *span, "again")
                        .help("keep one of the two"),
                );
            }
            match modifier {
                Modifier::Unique => draw.unique = true,
                // Of names or columns, not of one alone.
                Modifier::Distinct => {}
                Modifier::Sorted => draw.sorted = true,
            }
        }
        for (index, suffix) in domain.suffixes.iter().enumerate() {
            let twice = domain.suffixes[..index].iter().any(|earlier| earlier.kind == suffix.kind);
            if twice && suffix.kind != SuffixKind::Except {
                self.cx.say(
                    Diagnostic::new(Code::DUPLICATE, "this appears twice", suffix.span, "again")
                        .help("keep one of the two"),
                );
            }
            match suffix.kind {
                SuffixKind::Step => {}
                SuffixKind::Blank => {
                    self.blanks(&suffix.value, &mut draw);
                    self.leaves_the_count(&draw, suffix.span, "blank");
                }
                SuffixKind::Except => {
                    let except = self.except(&suffix.value, &draw.ty);
                    draw.except.extend(except);
                    self.leaves_the_count(&draw, suffix.span, "except");
                }
            }
        }
        self.except_leaves_something(&draw);
        draw
    }

    /// What may not come: a value, a list, or a column's values.
    fn except(&mut self, value: &'a ast::Expr, ty: &Ty) -> Option<Expr> {
        let checked = match inner_path(value) {
            Some(path) => match self.meaning(path, value.span) {
                Meaning::Column(relation, column) => {
                    self.ensure_relation(relation, Some(value.span));
                    let item = self.relations[relation].columns[column].ty.clone();
                    Expr {
                        kind: hir::ExprKind::Call(
                            functions::LIST,
                            vec![Arg::Column { relation, column, filter: None }],
                        ),
                        ty: Ty::of(TyKind::List(Box::new(item))),
                        span: value.span,
                    }
                }
                other => self.value_of(other, value.span),
            },
            None => self.expr(value),
        };
        let item = match &checked.ty.kind {
            TyKind::List(item) => (**item).clone(),
            _ => checked.ty.clone(),
        };
        if !ty.comparable(&item) {
            self.cx.say(
                Diagnostic::new(
                    Code::TYPE_MISMATCH,
                    format!("the domain does not contain {item}"),
                    checked.span,
                    format!("its values are {ty}"),
                )
                .help("exclude values of the domain's own type"),
            );
            return None;
        }
        Some(checked)
    }

    fn except_leaves_something(&mut self, draw: &Draw) {
        let DrawDomain::Fixed(domain) = &draw.domain else { return };
        if draw.except.is_empty() {
            return;
        }
        let Some(values) = domain.closed() else { return };
        let gone = |value: &Value| {
            draw.except.iter().any(|except| match except.value() {
                Some(Value::List(items)) => items.iter().any(|item| item.same(value)),
                Some(other) => other.same(value),
                None => false,
            })
        };
        if values.iter().all(gone) {
            self.cx.say(
                Diagnostic::new(
                    Code::TOO_FEW_VALUES,
                    "`except` excludes every value of the domain",
                    draw.span,
                    "nothing left",
                )
                .help("exclude fewer values"),
            );
        }
    }

    /// The domain proper.
    fn core(&mut self, domain: &'a ast::Domain, step: Option<&'a ast::Suffix>) -> Draw {
        let span = domain.span;
        if let Some(step) = step
            && !matches!(&domain.kind, DomainKind::Named(named) if named.range.is_some())
        {
            self.cx.say(
                Diagnostic::new(Code::BAD_DOMAIN, "`step` needs a range", step.span, "not a range")
                    .help("write: int 0..1_000 step 50"),
            );
        }
        match &domain.kind {
            DomainKind::Missing => Draw::unknown(span),
            DomainKind::Named(named) => self.named_or_range(named, step, span),
            DomainKind::OneOf(items) => self.one_of(items, span),
            DomainKind::OneOfConstant(name) => self.one_of_constant(name, span),
            DomainKind::OneOfLines(path) => self.one_of_lines(path, span),
            DomainKind::Weighted(items) => self.weighted(items, span),
            DomainKind::Pattern(text) => self.pattern(text, span),
            DomainKind::Template(text) => self.template(text, span),
            DomainKind::Ref { path, tuple, filter } => {
                let draw = self.reference(path, filter.as_deref(), span);
                self.together(draw, tuple)
            }
            DomainKind::Lorem { unit, count } => self.lorem(*unit, count, span),
            DomainKind::Object(_) | DomainKind::Array { .. } => {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        "objects and arrays work only in JSON, YAML, and XML files",
                        span,
                        "not drawn here",
                    )
                    .help("declare it in such a file: json conf at \"conf.json\" { NAME : [ { … } ; 5..20 ] }"),
                );
                Draw::unknown(span)
            }
        }
    }

    /// `ref REL.COLUMN [where P]`
    fn reference(&mut self, path: &'a [ast::Ident], filter: Option<&'a ast::Expr>, span: Span) -> Draw {
        let path_span = match (path.first(), path.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        if path.len() < 2 {
            self.cx.say(
                Diagnostic::new(Code::BAD_REF, "`ref` names a column", path_span, "no column")
                    .help("write: ref customers.CUST_ID"),
            );
            return Draw::unknown(span);
        }
        let (relation, column) = match self.meaning(path, path_span) {
            Meaning::Column(relation, column) => (relation, column),
            Meaning::Relation(relation) if let Some(column) = self.element_column(relation) => (relation, column),
            Meaning::Nothing => return Draw::unknown(span),
            Meaning::Value(_) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_REF,
                        "`ref` refers to its own table",
                        path_span,
                        "refers to its own table",
                    )
                    .help("refer to another table, because the rows of a table are drawn independently"),
                );
                return Draw::unknown(span);
            }
            Meaning::File(..) | Meaning::Relation(_) | Meaning::ResultSet(..) => {
                self.cx.say(
                    Diagnostic::new(Code::BAD_REF, "`ref` names a column", path_span, "a table, not a column")
                        .help("write: ref customers.CUST_ID"),
                );
                return Draw::unknown(span);
            }
        };
        self.ensure_relation(relation, Some(path_span));
        self.reads_column(relation, column, path_span);
        self.used.insert(Entity::Relation(relation));
        let filter = filter.map(|filter| {
            let candidates = self.here.filter(relation);
            let around = std::mem::replace(&mut self.here, candidates);
            let filter = self.decision(filter, "`where`");
            self.here = around;
            filter
        });
        if self.row_bounds(relation).most == 0 {
            let declared = self.relations[relation].span;
            self.cx.say(
                Diagnostic::new(Code::BAD_REF, "the referenced column does not have any rows", path_span, "no rows")
                    .label(declared, "has `rows 0`")
                    .help("add rows to it"),
            );
        }
        let ty = self.relations[relation].columns[column].ty.clone();
        Draw {
            domain: DrawDomain::Ref { relation, column, together: Vec::new(), filter },
            ty: Ty { nullable: false, ..ty },
            ..Draw::unknown(span)
        }
    }

    fn lorem(&mut self, unit: ast::LoremUnit, count: &'a ast::Count, span: Span) -> Draw {
        const MOST: i64 = 1_000_000;
        let (low, high) = self.count(count, "a number of lorem units");
        for bound in [&low, &high] {
            if let Some(Value::Int(number)) = bound.value()
                && !(1..=MOST).contains(number)
            {
                let number = *number;
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        "`lorem` needs 1 to 1,000,000 units",
                        bound.span,
                        format!("this is {number}"),
                    )
                    .help("write: lorem lines 100"),
                );
                return Draw::unknown(span);
            }
        }
        match (low.value(), high.value()) {
            (Some(Value::Int(low)), Some(Value::Int(high))) => {
                Draw::fixed(Domain::Lorem { unit, low: *low as u32, high: *high as u32 }, span)
            }
            _ => {
                Draw { domain: DrawDomain::Lorem { unit, low, high }, ty: Ty::of(TyKind::Text), ..Draw::unknown(span) }
            }
        }
    }

    /// A named domain's own draw with this place.
    pub fn by_name(&mut self, name: &ast::Ident, span: Span) -> Draw {
        match self.cx.named_domain(&name.text, Some(name.span)) {
            Some(draw) => Draw { span, ..draw },
            None => {
                self.cx.unknown_domain(name);
                Draw::unknown(span)
            }
        }
    }
}

/// The path of an expression that is nothing else.
pub(crate) fn inner_path(expr: &ast::Expr) -> Option<&[ast::Ident]> {
    match &expr.kind {
        ExprKind::Path(path) => Some(path),
        ExprKind::Placeholder(inner) | ExprKind::Paren(inner) => inner_path(inner),
        _ => None,
    }
}

/// `9..3`
pub(crate) fn empty_range(span: Span, low: &str, high: &str, swapped: String) -> Diagnostic {
    Diagnostic::new(
        Code::EMPTY_RANGE,
        format!("the range `{low}..{high}` is empty: {low} is greater than {high}"),
        span,
        "contains no value",
    )
    .help(format!("swap the bounds: {swapped}"))
    .fix("swap the ends", Applicability::Unsafe, span, swapped)
}
