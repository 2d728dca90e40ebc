//! `impossible_predicate`, `vacuous_predicate`, `out_of_range_draw` inside queries.

use plan::suite::{ColumnId, Op, RelationId};
use plan::{Span, Value, ValueType};

use super::super::roots::roots;
use super::super::{TaskCx, readable};
use super::conditions::each;
use super::{cells, words};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::facts::{Fact, Facts, Scope, Truth, compare};
use crate::hir::{self, ExprKind, NameSource};
use crate::sql::SqlRequest;
use crate::sql::predicates::{Atom, Operand, Side, Test, predicates};
use crate::suggest;

/// Says which comparisons of queries are decided before anything is drawn, and gives their places.
pub fn check<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, said: &mut Vec<Diagnostic>) -> Vec<Span> {
    let mut decided = Vec::new();
    let task = cx.task;
    let mut found: Vec<(&'a hir::Sql, Scope)> = Vec::new();
    let mut look = |expr: &'a hir::Expr, scope| {
        each(expr, scope, &mut |expr, scope| found.extend(readable::of(expr).map(|sql| (sql, scope))));
    };
    task.requires.iter().for_each(|expr| look(expr, Scope::default()));
    roots(task, &mut |_, expr, scope| look(expr, scope));
    for (sql, scope) in found {
        let tables = readable::tables(task, sql);
        let relations: Vec<RelationId> = tables.iter().map(|(id, _)| *id).collect();
        let tables: Vec<_> = tables.into_iter().map(|(_, table)| table).collect();
        let raw = readable::raw(sql);
        let param = |name: &str| readable::param(sql, name);
        let request = SqlRequest {
            raw: &raw,
            scope_name: None,
            tables: &tables,
            non_sql_relations: &[],
            param: &param,
            task_names: &[],
        };
        let lint = Lint { cx, facts, sql, scope, relations };
        for atom in predicates(&request, cx.sqlite) {
            if let Some(diagnostic) = lint.atom(&atom) {
                decided.push(atom.span);
                said.push(diagnostic);
            }
        }
    }
    decided
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    facts: &'l Facts<'a>,
    sql: &'a hir::Sql,
    scope: Scope,
    /// The relations of the query's tables.
    relations: Vec<RelationId>,
}

/// A side of a comparison, as far as it is known.
struct Known<'a> {
    /// As SQLite compares it.
    stored: Fact<'a>,
    /// As the author thinks of it.
    fact: Fact<'a>,
    /// Where it is declared.
    declared: Option<Span>,
    /// The name of the task that is drawn for it.
    drawn: Option<&'a hir::Name>,
    column: bool,
}

impl<'a> Lint<'_, 'a> {
    fn atom(&self, atom: &Atom) -> Option<Diagnostic> {
        match &atom.test {
            Test::Compare(op, left, right) => {
                if let Some(said) = self.with_null(atom, *op, left, right) {
                    return Some(said);
                }
                let (a, b) = (self.known(left)?, self.known(right)?);
                let Some(truth) = decide(*op, &a, &b) else {
                    return self.strange_cell(atom, *op, (left, &a), (right, &b));
                };
                if a.column || !b.column {
                    Some(self.say(atom, truth, (left, &a), Some((right, &b))))
                } else {
                    Some(self.say(atom, truth, (right, &b), Some((left, &a))))
                }
            }
            Test::Between { value, low, high, negated } => {
                if let Some(said) = self.upside_down(atom, low, high, *negated) {
                    return Some(said);
                }
                let (known, low_known, high_known) = (self.known(value)?, self.known(low)?, self.known(high)?);
                let above = decide(Op::Ge, &known, &low_known);
                let below = decide(Op::Le, &known, &high_known);
                let other = match (above, below) {
                    (Some(Truth::Never), _) => Some((low, &low_known)),
                    (_, Some(Truth::Never)) => Some((high, &high_known)),
                    (Some(Truth::Always), Some(Truth::Always)) => None,
                    _ => return None,
                };
                let truth = if other.is_some() { Truth::Never } else { Truth::Always };
                self.negated(atom, truth, *negated, (value, &known), other)
            }
            Test::In { value, items, negated } => {
                let known = self.known(value)?;
                let others: Option<Vec<Known<'a>>> = items.iter().map(|item| self.known(item)).collect();
                let others = others?;
                let verdicts: Vec<Option<Truth>> = others.iter().map(|item| decide(Op::Eq, &known, item)).collect();
                let strange = verdicts.iter().position(|verdict| *verdict == Some(Truth::Never));
                let all = !items.is_empty() && verdicts.iter().all(|verdict| *verdict == Some(Truth::Never));
                if let (true, [item], [other]) = (all, items.as_slice(), others.as_slice()) {
                    return self.negated(atom, Truth::Never, *negated, (value, &known), Some((item, other)));
                }
                if all {
                    return self.negated(atom, Truth::Never, *negated, (value, &known), None);
                }
                if let Some((item, other)) = strange.and_then(|at| Some((items.get(at)?, others.get(at)?))) {
                    let is_literal = matches!(item.value, Side::Literal(_));
                    return (is_literal && known.stored.closed.is_some())
                        .then(|| self.strange(value, &known, item, other));
                }
                let listed: Vec<&Value> = others.iter().filter_map(|other| other.stored.single()).collect();
                let every = known
                    .stored
                    .closed
                    .as_ref()
                    .filter(|values| !values.is_empty())
                    .is_some_and(|values| values.iter().all(|value| listed.iter().any(|item| item.same(value))));
                if every && !known.stored.nullable {
                    return self.negated(atom, Truth::Always, *negated, (value, &known), None);
                }
                None
            }
            Test::Like { value, text, pattern, negated } => {
                let known = self.known(value)?;
                let values = known.stored.closed.as_ref().filter(|values| !values.is_empty())?;
                let fits = |value: &Value| matches!(value, Value::Text(value) if value.eq_ignore_ascii_case(text));
                if values.iter().any(fits) {
                    return None;
                }
                let operand = Operand { value: Side::Literal(Value::text(text.as_str())), span: *pattern };
                let other = self.known(&operand)?;
                self.negated(atom, Truth::Never, *negated, (value, &known), Some((&operand, &other)))
            }
            Test::Null { value, negated } => {
                let Side::Column { nullable: false, .. } = value.value else { return None };
                let known = self.known(value)?;
                if known.stored.nullable || known.fact.is_empty() {
                    return None;
                }
                let (code, who, label) = if *negated {
                    (Code::VACUOUS_PREDICATE, "every row meets", "always")
                } else {
                    (Code::IMPOSSIBLE_PREDICATE, "no row meets", "never")
                };
                let message = format!("{who} `{}`: `{}` is never null", self.text(atom.span), self.text(value.span));
                let mut said = Diagnostic::new(code, message, atom.span, label);
                if let Some(declared) = known.declared {
                    said = said.label(declared, "never null");
                }
                Some(said.help("leave the condition out, or let the column be blank now and then: `blank 5%`"))
            }
        }
    }

    /// A value of an axis that the column never is.
    fn strange_cell(
        &self,
        atom: &Atom,
        op: Op,
        (left, a): (&Operand, &Known<'a>),
        (right, b): (&Operand, &Known<'a>),
    ) -> Option<Diagnostic> {
        let axis = |side: &Operand| {
            let Side::Param(name) = &side.value else { return None };
            let (_, value) = self.sql.params.iter().find(|(known, _)| known == name)?;
            cells::axis(self.cx.task, value)
        };
        let (axis, place, known) = match (axis(left), axis(right)) {
            (Some(axis), None) if b.column => (axis, right.span, b),
            (None, Some(axis)) if a.column => (axis, left.span, a),
            _ => return None,
        };
        let same_class = class(&a.stored)? == class(&b.stored)?;
        if op != Op::Eq || !same_class {
            return None;
        }
        cells::strange(axis, (place, &known.fact), atom.span, self.cx.sources)
    }

    /// `x = NULL`: a comparison with NULL is NULL, and no row meets that.
    fn with_null(&self, atom: &Atom, op: Op, left: &Operand, right: &Operand) -> Option<Diagnostic> {
        let is_null = |side: &Operand| matches!(side.value, Side::Literal(Value::Null));
        let tested = match (is_null(left), is_null(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return None,
        };
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("no row meets `{}`: what is compared with NULL is neither true nor false", self.text(atom.span)),
            atom.span,
            "never",
        );
        let test = match op {
            Op::Eq => "IS NULL",
            Op::Ne => "IS NOT NULL",
            _ => return Some(said.help("only `IS NULL` and `IS NOT NULL` ask for NULL")),
        };
        let instead = format!("{} {test}", self.cx.sources.text(tested.span));
        Some(said.help(format!("write `{}`", self.brief(&instead))).fix(
            format!("replace with `{}`", self.brief(&instead)),
            Applicability::Safe,
            atom.span,
            instead,
        ))
    }

    /// `BETWEEN 60 AND 30`: nothing lies there.
    fn upside_down(&self, atom: &Atom, low: &Operand, high: &Operand, negated: bool) -> Option<Diagnostic> {
        let (from, to) = (self.known(low)?, self.known(high)?);
        if class(&from.stored)? != class(&to.stored)? || compare(Op::Gt, &from.stored, &to.stored) != Truth::Always {
            return None;
        }
        let (first, second) = (self.cx.sources.text(low.span), self.cx.sources.text(high.span));
        let (code, who) = match negated {
            true => (Code::VACUOUS_PREDICATE, "every row that is not null there meets"),
            false => (Code::IMPOSSIBLE_PREDICATE, "no row meets"),
        };
        let message = format!("{who} `{}`: {first} is more than {second}", self.text(atom.span));
        let said = Diagnostic::new(code, message, low.span.to(high.span), "the lower bound comes first");
        let swapped = format!("{second} AND {first}");
        Some(said.help(format!("write `BETWEEN {swapped}`")).fix(
            "swap the bounds",
            Applicability::Unsafe,
            low.span.to(high.span),
            swapped,
        ))
    }

    /// What is known of a side; `None` where it is nothing that the source tells of.
    fn known(&self, operand: &Operand) -> Option<Known<'a>> {
        match &operand.value {
            Side::Literal(Value::Null) => None,
            Side::Literal(value) => {
                let fact = Fact::of_value(value);
                Some(Known { stored: fact.clone(), fact, declared: None, drawn: None, column: false })
            }
            Side::Column { table, column, nullable } => {
                let id = *self.relations.get(*table)?;
                let relation = self.cx.task.relations.get(id.0 as usize)?;
                let (column, declared): (ColumnId, _) = readable::visible(relation).nth(*column)?;
                let fact = self.facts.column(id, column).or_null(*nullable);
                let stored = stored(&fact, declared.ty.value_type()?)?;
                Some(Known { stored, fact, declared: Some(declared.span), drawn: None, column: true })
            }
            Side::Param(name) => {
                let (_, value) = self.sql.params.iter().find(|(known, _)| known == name)?;
                let fact = self.facts.of(value, self.scope);
                let stored = stored(&fact, value.ty.value_type()?)?;
                let name = match value.kind {
                    ExprKind::Name(id) => self.cx.task.names.get(id.0 as usize),
                    _ => None,
                };
                let drawn = name.filter(|name| matches!(name.source, NameSource::Draw { .. }));
                let declared = words::declared(self.cx.task, value, self.scope);
                Some(Known { stored, fact, declared, drawn, column: false })
            }
            Side::Other => None,
        }
    }

    fn text(&self, span: Span) -> String {
        self.brief(self.cx.sources.text(span))
    }

    /// On one line, and not too long.
    fn brief(&self, text: &str) -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() <= 60 { text } else { text.chars().take(59).chain(['…']).collect() }
    }

    /// NOT IN, NOT LIKE, NOT BETWEEN.
    fn negated(
        &self,
        atom: &Atom,
        truth: Truth,
        negated: bool,
        subject: (&Operand, &Known<'a>),
        other: Option<(&Operand, &Known<'a>)>,
    ) -> Option<Diagnostic> {
        let truth = if negated { truth.opposite() } else { truth };
        if truth == Truth::Always && subject.1.stored.nullable {
            return None;
        }
        Some(self.say(atom, truth, subject, other))
    }

    fn say(
        &self,
        atom: &Atom,
        truth: Truth,
        (subject, known): (&Operand, &Known<'a>),
        other: Option<(&Operand, &Known<'a>)>,
    ) -> Diagnostic {
        let written = self.text(atom.span);
        let word = if truth == Truth::Always { "always" } else { "never" };
        let name = self.text(subject.span);
        if let Some((_, Known { drawn: Some(drawn), fact, .. })) = other
            && known.column
        {
            let said = Diagnostic::new(
                Code::OUT_OF_RANGE_DRAW,
                format!("`{written}` {word} holds, whatever is drawn for `{}`", drawn.name),
                drawn.span,
                words::is(fact).unwrap_or_else(|| "drawn here".to_owned()),
            )
            .label(atom.span, format!("{word} holds"));
            let is = words::is(&known.fact);
            let said = match (known.declared, &is) {
                (Some(declared), Some(is)) => said.label(declared, is.clone()),
                _ => said,
            };
            return said.help(match is {
                Some(is) => format!("draw `{}` from values among those of `{name}`, which {is}", drawn.name),
                None => format!("draw `{}` from values among those of `{name}`", drawn.name),
            });
        }
        let (code, message) = match truth {
            Truth::Always => (Code::VACUOUS_PREDICATE, format!("every row meets `{written}`")),
            _ => (Code::IMPOSSIBLE_PREDICATE, format!("no row meets `{written}`")),
        };
        let mut said = Diagnostic::new(code, message, atom.span, word);
        if let Some(declared) = known.declared {
            said = said.label(declared, words::is(&known.fact).unwrap_or_else(|| "declared here".to_owned()));
        }
        if let Some((_, other)) = other
            && let (Some(declared), Some(is)) = (other.declared, words::is(&other.fact))
        {
            said = said.label(declared, is);
        }
        if let Some((place, other)) = other
            && let Some(said) = near(&said, known, place, other)
        {
            return said;
        }
        match truth {
            Truth::Always => said.help("leave it out, or compare with a value that some rows have and others have not"),
            _ => said.help(format!("compare with a value that `{name}` can have, or widen what it is drawn from")),
        }
    }

    /// One item of `IN (…)` that nothing equals.
    fn strange(&self, value: &Operand, known: &Known<'a>, item: &Operand, other: &Known<'a>) -> Diagnostic {
        let (name, shown) = (self.text(value.span), self.text(item.span));
        let mut said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("`{name}` is never {shown}"),
            item.span,
            "matches nothing",
        );
        if let Some(declared) = known.declared {
            said = said.label(declared, words::is(&known.fact).unwrap_or_else(|| "declared here".to_owned()));
        }
        near(&said, known, item, other).unwrap_or_else(|| said.help("take it out of the list"))
    }
}

/// Names the nearest text of a closed list.
fn near(said: &Diagnostic, known: &Known<'_>, place: &Operand, other: &Known<'_>) -> Option<Diagnostic> {
    let (Side::Literal(_), Some(Value::Text(word)), Some(values)) =
        (&place.value, other.stored.single(), &known.stored.closed)
    else {
        return None;
    };
    let texts = values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let (near, clear) = suggest::best(word, texts)?;
    let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
    let literal = format!("'{}'", near.replace('\'', "''"));
    let said = said.clone().help(format!("did you mean {literal}?"));
    Some(said.fix(format!("replace with {literal}"), applicability, place.span, literal.clone()))
}

/// Whether `a op b` is decided; never where nothing is compared with data, or text with a number.
fn decide(op: Op, a: &Known<'_>, b: &Known<'_>) -> Option<Truth> {
    let varies = |known: &Known<'_>| known.column || known.declared.is_some();
    if !(varies(a) || varies(b)) || class(&a.stored)? != class(&b.stored)? {
        return None;
    }
    match compare(op, &a.stored, &b.stored) {
        Truth::Open => None,
        known => Some(known),
    }
}

/// Whether a side is text, as SQLite compares it; `None`: not known.
fn class(fact: &Fact<'_>) -> Option<bool> {
    let value = fact.closed.as_ref().and_then(|values| values.first()).or(fact.range.as_ref().map(|(low, _)| low));
    match value {
        Some(value) => Some(matches!(value, Value::Text(_))),
        // Texts of a pattern or template have neither.
        None => fact.domain.map(|domain| domain.value_type() == ValueType::Text),
    }
}

/// A fact of the language as SQLite holds and compares it: days and moments are texts in order, bools are 1 and 0.
fn stored<'a>(fact: &Fact<'a>, value_type: ValueType) -> Option<Fact<'a>> {
    /// Doubles hold so many units apart.
    const EXACT: u128 = 1_000_000_000_000_000;
    let convert = |value: &Value| match value {
        Value::Bool(value) => Some(Value::Int(i64::from(*value))),
        Value::Date(_) | Value::DateTime(_) => Some(Value::text(value.render())),
        Value::Decimal(decimal) if decimal.units().unsigned_abs() > EXACT => None,
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Text(_) => Some(value.clone()),
        _ => None,
    };
    if value_type == ValueType::Duration {
        return None;
    }
    let converted = |values: &Vec<Value>| values.iter().map(convert).collect::<Option<Vec<Value>>>();
    let closed = match &fact.closed {
        Some(values) => Some(converted(values)?),
        None => None,
    };
    let range = match &fact.range {
        Some((low, high)) => Some((convert(low)?, convert(high)?)),
        None => None,
    };
    let domain = fact.domain.filter(|domain| domain.value_type() == ValueType::Text);
    Some(Fact { range, closed, nullable: fact.nullable, unique: false, domain })
}
