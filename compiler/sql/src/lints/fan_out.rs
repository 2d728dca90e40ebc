//! `multiplied_rows`: aggregates over rows that a join repeats.
//!
//! The rows of the relations from which an aggregate reads determine the joined row, or else the join repeats them: once for each matching row of another
//! relation. If that relation refers to them, they are its parents, and the prompt tells whether each counts once; if both refer to a third one, their rows
//! are paired without any reason.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::Expr;

use super::asked::{Asked, Otherwise, Unit};
use super::calls::{Call, collect_calls};
use super::findings::{Finding, Need, Probe, ReportCondition};
use super::links::Links;
use super::scene::Scene;
use super::unit_names::{is_price_name, is_unit_name};
use super::witness::Reading;
use super::{example, sample};
use crate::analyser::Analyser;
use crate::expressions::split_conjuncts;
use crate::functional_dependencies::Fixed;
use crate::output::Use;
use crate::parse::find_expr_bytes;
use crate::reads::collect_all_reads;
use crate::scope::{Frame, Place, ROW_ID, resolve_place};
use crate::visitor::{Visitor, visit_nodes};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::prompts::english::queries::PAIRS;

/// The aggregates that change if a row occurs twice.
const ADDING: [&str; 4] = ["sum", "total", "avg", "count"];

/// An expression that always fails.
const NO_NUMBER: &str = "abs(-9223372036854775807 - 1)";

/// A SELECT whose aggregates are looked at.
struct FanOut<'a, 's, 'f, 'q> {
    analyser: &'a Analyser<'q>,
    scene: &'a Scene<'s, 'f, 'q>,
    frame: &'a Frame,
    links: Links,
    /// The columns by which the rows are grouped.
    groups: Vec<Place>,
    /// Relations of which the rows are without a match: `LEFT JOIN … WHERE t.ID IS NULL`.
    absent: BTreeSet<usize>,
}

/// Reports aggregates whose rows a join repeats.
pub fn check_fan_out(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last().filter(|frame| frame.relations.len() > 1) else { return };
    if scene.joins.reversed || !scene.joins.arguments.is_empty() || (!scene.whole && scene.groups.is_empty()) {
        return;
    }
    let Some(terms) = scene.group_terms() else { return };
    let Some(links) = Links::new(analyser, scene) else { return };
    let groups = terms.iter().filter_map(|term| resolve_place(&analyser.frames, term)).collect();
    let absent = find_absent(analyser, scene, frame);
    let fan_out = FanOut { analyser, scene, frame, links, groups, absent };
    let is_adding = |call: &&Call| !call.distinct && ADDING.contains(&call.name.as_str());
    let mut is_told = false;
    for call in collect_calls(analyser, scene).iter().filter(is_adding) {
        for finding in fan_out.check_call(call) {
            // Two counts over the same pairs have one cause.
            let is_pair = finding.heard == ReportCondition::Asked(Asked::Without(PAIRS));
            if !(is_pair && is_told) {
                found.push(finding);
            }
            is_told |= is_pair;
        }
    }
}

impl FanOut<'_, '_, '_, '_> {
    fn check_call(&self, call: &Call) -> Vec<Finding> {
        let read = call.argument().map(|argument| collect_all_reads(self.analyser, argument)).unwrap_or_default();
        if read.unclear {
            return Vec::new();
        }
        let summed: BTreeSet<usize> = read.places.keys().map(|(relation, _)| *relation).collect();
        if summed.is_empty() {
            return self.check_row_count(call);
        }
        let Some(loose) = self.find_loose(&summed) else { return Vec::new() };
        let chasm = loose.iter().copied().find(|other| !self.links.has_reference(self.frame, *other, &summed));
        match (chasm, loose.first()) {
            (Some(other), _) => self.build_chasm(call, &summed, other).into_iter().collect(),
            (None, Some(other)) => self.build_chain(call, &summed, *other).into_iter().collect(),
            (None, None) => Vec::new(),
        }
    }

    /// The relations that have rows.
    fn list_present(&self) -> impl Iterator<Item = usize> {
        (0..self.frame.relations.len()).filter(|index| !self.absent.contains(index))
    }

    /// The relations that repeat rows of others; `None` if it is not known whether they do.
    fn find_loose(&self, rows: &BTreeSet<usize>) -> Option<Vec<usize>> {
        let fixed = self.scene.facts.compute_fixed_beside(&self.groups, rows);
        let loose: Vec<usize> = self.list_present().filter(|index| !fixed.is_relation_fixed(*index)).collect();
        let is_known = |index: &usize| {
            let relation = self.frame.relations.get(*index);
            relation.is_some_and(|relation| relation.table.is_some() && relation.most.is_none_or(|most| most > 1))
                && !self.links.tangled.contains(index)
                && self.links.iter_of(*index).next().is_some()
        };
        (!loose.is_empty() && loose.iter().all(is_known)).then_some(loose)
    }

    /// `COUNT(*)`: the joined rows are those of one relation, or pairs of two that have nothing to do with each other.
    fn check_row_count(&self, call: &Call) -> Vec<Finding> {
        let fixed_by =
            |index: usize| (index, self.scene.facts.compute_fixed_beside(&self.groups, &BTreeSet::from([index])));
        let fixed: Vec<(usize, Fixed)> = self.list_present().map(fixed_by).collect();
        let is_finest = |(_, fixed): &&(usize, Fixed)| self.list_present().all(|index| fixed.is_relation_fixed(index));
        if let Some((finest, _)) = fixed.iter().find(is_finest) {
            return self.build_counted_parents(call, *finest);
        }
        let is_leaf = |index: &usize| {
            let mut others = fixed.iter().filter(|(other, _)| other != index);
            !others.any(|(_, fixed)| fixed.is_relation_fixed(*index))
        };
        let leaves: Vec<usize> = self.list_present().filter(is_leaf).collect();
        let [first, second, ..] = leaves.as_slice() else { return Vec::new() };
        let table = |index: &usize| self.frame.relations.get(*index).and_then(|relation| relation.table);
        let rows = BTreeSet::from([*first]);
        let is_alike = [first, second].into_iter().any(|index| self.links.alike.contains(index));
        if is_alike || table(first).is_none() || table(first) == table(second) || self.find_loose(&rows).is_none() {
            return Vec::new();
        }
        self.build_chasm(call, &rows, *second).into_iter().collect()
    }

    /// `COUNT(*)` over the rows of `finest`, where the prompt asks for rows of another table.
    fn build_counted_parents(&self, call: &Call, finest: usize) -> Vec<Finding> {
        let mut found = Vec::new();
        let grouped = self.scene.facts.compute_fixed(&self.groups);
        for parent in (0..self.frame.relations.len()).filter(|index| *index != finest) {
            let rows = BTreeSet::from([parent]);
            let Some(loose) = self.find_loose(&rows) else { continue };
            let is_child = loose.contains(&finest) && self.links.has_reference(self.frame, finest, &rows);
            // Rows of the same parent are counted on purpose, and the rows of a subquery for a reason that the prompt need not tell.
            if !is_child || grouped.is_relation_fixed(parent) || self.scene.becomes != Use::Given {
                continue;
            }
            let unit = self.build_unit(call, parent, Otherwise::Silence);
            let said = self.describe(call, parent, finest);
            let reading = self.build_reading(call, parent);
            found.extend(said.map(|said| {
                Finding::new_if(ReportCondition::Asked(Asked::Unit(unit)), said)
                    .with_needs(self.build_need(finest))
                    .with_reading(reading)
            }));
        }
        found
    }

    fn build_unit(&self, call: &Call, repeated: usize, otherwise: Otherwise) -> Unit {
        let name = |index: usize| example::name_relation_at(self.analyser, index).to_owned();
        let fixed = self.scene.facts.compute_fixed_beside(&[], &BTreeSet::from([repeated]));
        let others = self.list_present().filter(|index| !fixed.is_relation_fixed(*index)).map(name).collect();
        Unit { repeated: name(repeated), others, counted: call.name == "count", otherwise }
    }

    /// Rows that are paired with rows of another table only because both refer to a third one.
    fn build_chasm(&self, call: &Call, summed: &BTreeSet<usize>, other: usize) -> Option<Finding> {
        let from = *summed.iter().next()?;
        let is_table =
            |index: &usize| self.frame.relations.get(*index).is_some_and(|relation| relation.table.is_some());
        if !summed.iter().all(is_table) {
            return None;
        }
        let said = self.describe(call, from, other)?;
        let asked = ReportCondition::Asked(Asked::Without(PAIRS));
        let needs = [from, other].into_iter().filter_map(|index| self.build_need(index));
        let found = Finding::new_if(asked, said).with_needs(needs).with_probe(self.build_probe(other));
        Some(found.with_reading(self.build_reading(call, from)))
    }

    /// Rows that are repeated for each row that refers to them: probably not meant where the prompt or the query is about them.
    fn build_chain(&self, call: &Call, summed: &BTreeSet<usize>, other: usize) -> Option<Finding> {
        let mut rows = summed.iter().copied();
        let from = rows.next().filter(|_| rows.next().is_none())?;
        let counted = call.name == "count";
        let argument = call.argument()?;
        let is_grouped = self.scene.facts.compute_fixed(&self.groups).is_relation_fixed(from);
        if !is_arithmetic(argument) || counted && (is_grouped || self.scene.becomes != Use::Given) {
            return None;
        }
        let places: Vec<Place> = collect_all_reads(self.analyser, argument).places.into_keys().collect();
        let is_key = |place: &Place| self.frame.relations.get(place.0).is_some_and(|r| r.keys.contains(&vec![place.1]));
        let is_price = |place: &Place| self.frame.get_column(*place).is_none_or(|column| is_price_name(&column.name));
        let is_unit = |place: &Place| self.frame.get_column(*place).is_none_or(|column| is_unit_name(&column.name));
        let is_probable = match counted {
            true => places.iter().all(is_key),
            // Values of both tables side by side: those of one of them are not of the rows of the other.
            false => !places.iter().any(is_unit) || self.is_aggregated(other) && !places.iter().any(is_price),
        };
        // Groups of the other table have each row once for each of its own.
        let clear = from < other && is_probable && !self.groups.iter().any(|place| place.0 == other);
        let otherwise = if clear { Otherwise::Report } else { Otherwise::Silence };
        let unit = self.build_unit(call, from, otherwise);
        let said = self.describe(call, from, other)?;
        Some(
            Finding::new_if(ReportCondition::Asked(Asked::Unit(unit)), said)
                .with_needs(self.build_need(other))
                .with_probe(self.build_probe(other))
                .with_reading(self.build_reading(call, from)),
        )
    }

    /// Whether the query adds up values of a relation.
    fn is_aggregated(&self, relation: usize) -> bool {
        collect_calls(self.analyser, self.scene).iter().filter(|call| call.name == "sum").any(|call| {
            let read = call.argument().map(|argument| collect_all_reads(self.analyser, argument)).unwrap_or_default();
            !read.unclear && !read.places.is_empty() && read.places.keys().all(|place| place.0 == relation)
        })
    }

    /// The column by which a table is joined has equal values.
    fn build_need(&self, index: usize) -> Option<Need> {
        let ((_, place), _) = self.links.iter_of(index).next()?;
        let (table, column) = self.frame.relations.get(index)?.get_column(place)?.value.origin?;
        let (relation, column) = self.analyser.query.request.resolve_column((table, column))?;
        Some(Need::Repeated(relation, column))
    }

    /// A query that shows that several rows of a table have the same value in the column by which it is joined.
    fn build_probe(&self, other: usize) -> Option<Probe> {
        let table = self.frame.relations.get(other)?.find_table(self.analyser.query.request)?;
        let ((_, place), _) = self.links.iter_of(other).next()?;
        let column = model::ddl::quote_name(table.columns.get(place)?.name);
        let table = model::ddl::quote_name(table.name);
        Some(Probe::Returns(format!(
            "SELECT 1 FROM {table} WHERE {column} IS NOT NULL GROUP BY {column} HAVING COUNT(*) > 1 LIMIT 1"
        )))
    }

    fn describe(&self, call: &Call, from: usize, other: usize) -> Option<Diagnostic> {
        let query = self.analyser.query;
        let text = query.slice_text(call.bytes);
        let (rows, of) = (example::name_relation_at(self.analyser, from), self.name_apart(from, other));
        let verb = if matches!(call.name.as_str(), "count" | "avg") { "counts" } else { "adds" };
        let said = Diagnostic::new(
            Code::MULTIPLIED_ROWS,
            format!("`{text}` {verb} a row of `{rows}` once for each matching row of `{of}`"),
            query.to_span(call.bytes),
            format!("the join repeats `{rows}`"),
        )
        .with_labels(self.find_mention(other).map(|bytes| (query.to_span(bytes), "joined here")));
        let said = match self.describe_example(call, from, &of) {
            Some(note) => said.note(note),
            None => said,
        };
        Some(self.suggest(said, call, from, other))
    }

    /// The aggregate over each row of a relation once. A mean needs more rows than an example has.
    fn build_reading(&self, call: &Call, from: usize) -> Option<Reading> {
        let (text, row) = (|bytes| self.analyser.query.slice_text(bytes), self.name_row(from)?);
        let argument = call.argument().and_then(|argument| find_expr_bytes(self.analyser.query.tokens, argument));
        let once = match (call.name.as_str(), argument) {
            ("count", None) => format!("COUNT(DISTINCT {row})"),
            ("count", Some(argument)) => {
                format!("COUNT(DISTINCT CASE WHEN ({}) IS NOT NULL THEN {row} END)", text(argument))
            }
            ("avg", _) | (_, None) => return None,
            // Where different rows have different values, and otherwise an error.
            (_, Some(argument)) => {
                let (name, value) = (&call.function.name, text(argument));
                format!(
                    "CASE WHEN COUNT(DISTINCT {row}) = COUNT(DISTINCT ({value})) THEN {name}(DISTINCT ({value})) ELSE {NO_NUMBER} END"
                )
            }
        };
        let rows = example::name_relation_at(self.analyser, from);
        Some(Reading::new(format!("each row of `{rows}` once"), [(call.bytes, once)]))
    }

    /// What identifies a row of a relation.
    fn name_row(&self, index: usize) -> Option<String> {
        let relation = self.frame.relations.get(index)?;
        relation.table.map(|_| format!("{}.rowid", model::ddl::quote_name(&relation.alias)))
    }

    /// Where a table is named in FROM, rather than before the name of a column.
    fn find_mention(&self, index: usize) -> Option<(usize, usize)> {
        let (name, tokens) = (example::name_relation_at(self.analyser, index), self.analyser.query.tokens);
        let at = (0..tokens.len()).find(|at| {
            let is_named = tokens.get(*at).is_some_and(|token| token.is_named(name));
            is_named && !tokens.get(at + 1).is_some_and(|next| next.is_punct("."))
        })?;
        tokens.get(at).map(|token| (token.start, token.end()))
    }

    /// The name of a relation; its alias if both have the same table.
    fn name_apart(&self, from: usize, other: usize) -> String {
        let name = |index| example::name_relation_at(self.analyser, index);
        match self.frame.relations.get(other) {
            Some(relation) if name(from) == name(other) => relation.alias.clone(),
            _ => name(other).to_owned(),
        }
    }

    /// Two matching rows, and what the aggregate makes of them.
    fn describe_example(&self, call: &Call, from: usize, of: &str) -> Option<String> {
        let rows = example::name_relation_at(self.analyser, from);
        let text = self.analyser.query.slice_text(call.bytes);
        if call.name == "count" {
            return Some(format!("1 row of `{rows}` with 2 matching rows of `{of}`: `{text}` is 2, not 1"));
        }
        let argument = call.argument()?;
        let place = resolve_place(&self.analyser.frames, argument).filter(|place| place.1 != ROW_ID)?;
        let column = example::find_request_column(self.analyser, place)?;
        let (small, large) = (sample::sample_value(column, 1)?, sample::sample_value(column, 4)?);
        if call.name == "avg" {
            let (model::Value::Int(a), model::Value::Int(b)) = (&small, &large) else { return None };
            let (once, thrice) = ((*a as f64 + *b as f64) / 2.0, (2.0 * *a as f64 + *b as f64) / 3.0);
            return (a != b).then(|| {
                format!(
                    "rows of `{rows}` with {} (2 matching rows of `{of}`) and {} (1 row): `{text}` is {thrice:.2}, not {once:.2}",
                    sample::describe_cell(column, &small),
                    sample::describe_cell(column, &large),
                )
            });
        }
        let once = sample::describe_value(&small);
        let twice = sample::multiply_value(&small, 2).filter(|twice| *twice != once)?;
        Some(format!(
            "1 row of `{rows}` with {} and 2 matching rows of `{of}`: `{text}` is {twice}, not {once}",
            sample::describe_cell(column, &small),
        ))
    }

    fn suggest(&self, said: Diagnostic, call: &Call, from: usize, other: usize) -> Diagnostic {
        let relation = self.frame.relations.get(from);
        let key = relation.and_then(|relation| {
            let key = relation.keys.iter().find_map(|key| match key.as_slice() {
                [place] if *place != ROW_ID => Some(*place),
                _ => None,
            });
            example::qualify_column(self.frame, (from, key?))
        });
        let span = self.analyser.query.to_span(call.bytes);
        if call.name == "count"
            && let Some(key) = key
        {
            let once = format!("COUNT(DISTINCT {key})");
            return said.help(format!("count each row once: `{once}`")).replace(Applicability::Unsafe, span, once);
        }
        let (rows, of) = (example::name_relation_at(self.analyser, from), self.name_apart(from, other));
        if self.is_only_filter(other) {
            let test = self.frame.relations.get(other).map_or("", |relation| relation.alias.as_str());
            return said.help(
                format!(
                    "leave `{of}` out of the join, and test it in WHERE: `EXISTS (SELECT 1 FROM {of} {} WHERE …)`",
                    if test == of { "" } else { test }
                )
                .replace("  ", " "),
            );
        }
        said.help(format!("aggregate `{rows}` and `{of}` in subqueries of their own, and join the results"))
    }

    /// Whether a relation only decides which rows there are.
    fn is_only_filter(&self, other: usize) -> bool {
        let reads = |expr: &Expr| collect_all_reads(self.analyser, expr).places.keys().any(|place| place.0 == other);
        let outputs = self.scene.collect_outputs().unwrap_or_default();
        !outputs.iter().any(|expr| reads(expr)) && !self.scene.groups.iter().any(reads)
    }
}

/// The relations after a LEFT JOIN of which WHERE keeps only rows without a match.
fn find_absent(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, frame: &Frame) -> BTreeSet<usize> {
    let conditions = scene.select.selection.iter().flat_map(split_conjuncts);
    let tested = conditions.filter_map(|condition| match condition {
        Expr::IsNull(inner) => resolve_place(&analyser.frames, inner).map(|place| place.0),
        _ => None,
    });
    tested.filter(|index| frame.relations.get(*index).is_some_and(|relation| relation.outer)).collect()
}

/// Whether an expression consists of columns, numbers, and arithmetic.
fn is_arithmetic(expr: &Expr) -> bool {
    struct Other;
    impl Visitor for Other {
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) | Expr::Nested(_) => {}
                Expr::BinaryOp { op, .. } if !crate::expressions::is_comparison(op) => {}
                Expr::UnaryOp { .. } | Expr::Cast { .. } => {}
                _ => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        }
    }
    visit_nodes(expr, &mut Other).is_continue()
}
