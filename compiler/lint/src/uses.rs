//! How the result of a query is used: whether an answer depends on it, whether the order of its rows matters, and what the prompt states.

use std::collections::{BTreeMap, BTreeSet};
use syntax::prompts::english::lints::{JOIN_RULES, SMALL_EXTREMES, TIE_PHRASES, TIE_RULES};

use model::functions::{FunctionId, Order, QueryResult};
use model::pointer::escape_step;
use model::suite::matchers::Takes;
use model::suite::{NameId, Op, RelationId};
use model::{Domain, Span, Value};

use super::context::{Asked, TaskCx};
use super::domains::split_at;
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, FileContent};

/// Why the order of rows matters: the option after them.
pub(super) const ORDERED_ROWS: &str = "`ordered` rows";

/// How an answer uses the rows of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// The order of the rows does not matter, but the rows do.
    Bag,
    /// The order of the rows matters, for this reason.
    Ordered(&'static str),
}

/// The queries on which one answer depends.
pub(super) struct Answered<'a> {
    task: &'a hir::Task,
    /// Names whose values the prompt states: a value that depends only on them need not be found.
    told: BTreeSet<NameId>,
    seen: BTreeSet<(NameId, bool)>,
    /// The span of each query, with the use of its rows.
    pub queries: BTreeMap<Span, Use>,
    /// All text that the prompts contain or can contain, in lowercase.
    pub prompt: String,
}

impl<'a> Answered<'a> {
    /// Collects the queries of one way of asking a task.
    pub fn new(cx: &TaskCx<'a>, asked: &Asked<'a>) -> Answered<'a> {
        let mut this = Answered {
            task: cx.task,
            told: BTreeSet::new(),
            seen: BTreeSet::new(),
            queries: BTreeMap::new(),
            prompt: String::new(),
        };
        for prompt in &asked.prompts {
            this.visit_prompt(prompt);
        }
        for expect in &asked.expects {
            this.visit_expect(expect);
        }
        this
    }

    /// Adds the words and names of a prompt.
    fn visit_prompt(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Const(value) => self.add_prompt_text(value),
            // What a text says to which the prompt points, the prompt says.
            ExprKind::FilePath(id) => {
                let content = self.task.files.get(*id).map(|file| &file.content);
                let Some(FileContent::ComputedText(text)) = content else { return };
                text.visit_through_names(self.task, &mut |part| {
                    part.as_constant().into_iter().for_each(|value| self.add_prompt_text(value));
                });
            }
            ExprKind::Name(id) => {
                if !self.told.insert(*id) {
                    return;
                }
                match self.task.names.get(*id).map(|name| &name.source) {
                    Some(hir::NameSource::Compute(value)) => self.visit_prompt(value),
                    Some(hir::NameSource::Draw { draw, .. }) => match &draw.domain {
                        DrawDomain::OneOf(items) => items.iter().for_each(|item| self.visit_prompt(item)),
                        DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. })) => {
                            domain.list_values().iter().flatten().for_each(|value| self.add_prompt_text(value))
                        }
                        _ => {}
                    },
                    _ => {}
                }
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    if let Arg::Value(value) = arg {
                        self.visit_prompt(value);
                    }
                }
            }
            _ => expr.visit_children(&mut |child, _| self.visit_prompt(child)),
        }
    }

    fn add_prompt_text(&mut self, value: &Value) {
        if let Value::Text(text) = value {
            if text.is_ascii() {
                self.prompt.extend(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
            } else {
                self.prompt.push_str(&text.to_lowercase());
            }
            self.prompt.push('\n');
        } else if let Value::List(items) = value {
            items.iter().for_each(|item| self.add_prompt_text(item));
        }
    }

    fn visit_expect(&mut self, expect: &'a hir::Expect) {
        let Some(value) = expect.answer_expr() else { return };
        let option = |at: &str| expect.options.iter().find(|(pointer, _)| pointer == at).and_then(|(_, o)| o.ordered);
        let many = matches!(value.ty.kind, TyKind::List(_) | TyKind::Rows(_));
        let record = expect.matcher.record();
        let why = match record.takes {
            _ if expect.is_any_of() => None,
            _ if many && expect.matcher.is_of_one_text() => Some("the answer is one text"),
            Takes::Json => return self.visit_json(value, String::new(), option("").unwrap_or(true), &option),
            _ if record.ordered.is_some() && option("") == Some(true) && record.takes == Takes::Rows => {
                Some(ORDERED_ROWS)
            }
            _ if record.ordered.is_some() && option("") == Some(true) => Some("`ordered`"),
            Takes::List if matches!(value.kind, ExprKind::List(_)) => {
                // Arrays inside the items are ordered.
                return value.visit_children(&mut |item, _| self.visit_json(item, String::new(), true, &|_| None));
            }
            _ => None,
        };
        self.visit_expr(value, why);
    }

    /// Visits a JSON value. Its arrays are ordered unless an option says otherwise.
    fn visit_json(&mut self, value: &'a Expr, at: String, ordered: bool, option: &dyn Fn(&str) -> Option<bool>) {
        match &value.kind {
            ExprKind::Object(fields) => {
                for (key, value) in fields {
                    let at = format!("{at}/{}", escape_step(key));
                    let ordered = option(&at).unwrap_or(ordered);
                    self.visit_json(value, at, ordered, option);
                }
            }
            ExprKind::List(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.visit_json(value, format!("{at}/{index}"), ordered, option);
                }
            }
            _ => self.visit_expr(value, ordered.then_some("a JSON array is in order")),
        }
    }

    /// Visits an expression on which an answer depends. `why` is the reason why the order of its items matters, if it does.
    fn visit_expr(&mut self, expr: &'a Expr, why: Option<&'static str>) {
        match &expr.kind {
            ExprKind::Name(id) => self.visit_name(*id, why),
            ExprKind::Concat(items) => items.iter().for_each(|item| self.visit_expr(item, Some("it becomes a text"))),
            ExprKind::If(parts) => {
                self.visit_expr(&parts.0, None);
                self.visit_expr(&parts.1, why);
                self.visit_expr(&parts.2, why);
            }
            ExprKind::Call(function, args) => self.visit_call(*function, args, why),
            ExprKind::List(_) | ExprKind::Object(_) => expr.visit_children(&mut |child, _| self.visit_expr(child, why)),
            _ => expr.visit_children(&mut |child, _| self.visit_expr(child, None)),
        }
    }

    fn visit_name(&mut self, id: NameId, why: Option<&'static str>) {
        if self.told.contains(&id) || !self.seen.insert((id, why.is_some())) {
            return;
        }
        if let Some(value) = self.task.find_computed(id) {
            self.visit_expr(value, why);
        }
    }

    fn visit_call(&mut self, function: FunctionId, args: &'a [Arg], why: Option<&'static str>) {
        let inner = match function.order {
            Order::Written => Some("it becomes a text"),
            Order::Picked => Some("one is taken by its place"),
            Order::Kept => why,
            Order::Ignored => None,
        };
        for arg in args {
            // Of one row there is no order.
            let inner = inner.filter(|_| !self.is_one_row(arg));
            match arg {
                Arg::Value(value) => {
                    if function.can_run_sql() {
                        self.note_use(value.span, why.map_or(Use::Bag, Use::Ordered));
                    }
                    self.visit_expr(value, inner)
                }
                Arg::Relation { relation, filter } | Arg::Column { relation, filter, .. } => {
                    self.visit_relation(*relation, inner);
                    filter.iter().for_each(|filter| self.visit_expr(filter, None));
                }
                Arg::Each { relation, value, filter } => {
                    self.visit_relation(*relation, inner);
                    self.visit_expr(value, None);
                    filter.iter().for_each(|filter| self.visit_expr(filter, None));
                }
                Arg::Sql(sql) => {
                    let many = matches!(function.query, Some(QueryResult::List | QueryResult::Rows));
                    let becomes = why.filter(|_| many).map_or(Use::Bag, Use::Ordered);
                    self.note_use(sql.span, becomes);
                    sql.params.iter().for_each(|(_, value)| self.visit_expr(value, None));
                    sql.analysis.tables.iter().for_each(|relation| self.visit_relation(*relation, None));
                }
                Arg::File(_) | Arg::Path(_) => {}
            }
        }
    }

    /// Whether a `require` says that at most one row meets the condition of an argument.
    fn is_one_row(&self, arg: &Arg) -> bool {
        let (Arg::Relation { relation, filter: Some(filter) }
        | Arg::Column { relation, filter: Some(filter), .. }
        | Arg::Each { relation, filter: Some(filter), .. }) = arg
        else {
            return false;
        };
        let is_same = |counted: &Arg| match counted {
            Arg::Relation { relation: other, filter: Some(condition) } => {
                relation == other && condition.without_spans() == filter.without_spans()
            }
            _ => false,
        };
        self.task.iter_conditions().flat_map(|condition| split_at(Op::And, condition)).any(|condition| {
            let ExprKind::Binary(Op::Eq | Op::Le, sides) = &condition.resolve_name(self.task).kind else {
                return false;
            };
            let is_one = sides.1.as_constant().is_some_and(|value| value.is_same(&Value::Int(1)));
            let ExprKind::Call(function, args) = &sides.0.resolve_name(self.task).kind else { return false };
            is_one && function.is_count() && args.first().is_some_and(is_same)
        })
    }

    /// Notes the use of the rows of a query.
    fn note_use(&mut self, query: Span, becomes: Use) {
        let known = self.queries.entry(query).or_insert(Use::Bag);
        if *known == Use::Bag {
            *known = becomes;
        }
    }

    /// Visits a relation: if it is a result set, its query is used.
    fn visit_relation(&mut self, id: RelationId, why: Option<&'static str>) {
        if let Some(hir::Rows::Query(name)) = self.task.relations.get(id).map(|relation| &relation.rows) {
            self.visit_name(*name, why);
        }
    }

    /// Checks whether the prompt states the value of a name.
    pub fn is_told(&self, id: NameId) -> bool {
        self.told.contains(&id)
    }

    /// Checks whether the prompt names columns and states that their values are compared.
    pub fn is_join_told(&self, columns: &[String]) -> bool {
        let prompt = normalize_words(&self.prompt);
        let has = |word: &str| prompt.contains(&format!(" {word} "));
        columns.iter().all(|column| prompt.contains(&normalize_words(column))) && JOIN_RULES.split(", ").any(has)
    }

    /// Checks whether the prompt states how ties are resolved.
    pub fn is_tie_rule_told(&self, names: &[String]) -> bool {
        // One superlative is probably part of the question itself; only a second one suggests that the prompt explains ties.
        let prompt = normalize_words(&self.prompt);
        let is_extreme = |word: &str| {
            let known = ["most", "least", "best", "first", "last", "maximum", "minimum"];
            known.contains(&word) || word.len() > 5 && word.ends_with("est") && !["request", "interest"].contains(&word)
        };
        let has = |word: &str| prompt.contains(&format!(" {word} "));
        let extremes = prompt.split(' ').filter(|word| is_extreme(word)).count();
        TIE_RULES.split(", ").any(has)
            || (extremes > 1 && SMALL_EXTREMES.into_iter().any(has))
            || TIE_PHRASES.split(", ").any(|phrase| self.prompt.contains(phrase))
            || names.iter().any(|name| prompt.contains(&normalize_words(name)))
    }
}

/// Splits a text into lowercase words separated by single spaces, with a space at both ends: names can contain spaces but are matched at word boundaries.
fn normalize_words(text: &str) -> String {
    let words = text.to_lowercase();
    format!(" {} ", words.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect::<Vec<_>>().join(" "))
}
