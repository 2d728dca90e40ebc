//! Analysis of FROM (tables, subqueries, and joins) and WITH.

use sqlparser::ast::{
    self, Ident, Join, JoinConstraint, JoinOperator, ObjectName, SetExpr, TableAlias, TableFactor, TableWithJoins,
};

use super::analyser::Analyser;
use super::expressions::{as_plain_argument, find_last_name};
use super::joins::{Joins, On, OuterJoin};
use super::lossless_joins::{Joined, Matched};
use super::meaning::NameTarget;
use super::output::{Cte, Output};
use super::request::is_same_name;
use super::scope::{Column, ExprType, Frame, Relation};

impl Analyser<'_> {
    /// Analyzes FROM. Returns the frame, and the joins whose conditions are still to be visited.
    pub fn infer_from<'t>(&mut self, from: &'t [TableWithJoins]) -> (Frame, Joins<'t>) {
        let (mut frame, mut joins) = (Frame::default(), Joins::default());
        joins.least = 1;
        for item in from {
            // SQLite treats a comma like other joins: a RIGHT JOIN after it applies to everything before it.
            let least = self.infer_joined_tables(item, 0, &mut frame, &mut joins);
            joins.least = joins.least.saturating_mul(least);
        }
        (frame, joins)
    }

    /// Analyzes a table and its joins; `first` is the first relation to which they apply. Returns the minimum number of rows.
    fn infer_joined_tables<'t>(
        &mut self,
        item: &'t TableWithJoins,
        first: usize,
        frame: &mut Frame,
        joins: &mut Joins<'t>,
    ) -> u64 {
        // The rows of each item between commas are counted separately.
        joins.whole.clear();
        let mut least = self.infer_factor(&item.relation, frame, joins);
        for join in &item.joins {
            least = self.infer_join(join, first, (frame, least), joins);
        }
        least
    }

    /// Analyzes a join; its left side has at least `least` rows. Returns the minimum number of rows of the result.
    fn infer_join<'t>(
        &mut self,
        join: &'t Join,
        first: usize,
        (frame, least): (&mut Frame, u64),
        joins: &mut Joins<'t>,
    ) -> u64 {
        let before = frame.relations.len();
        let (constraints, equal) = (joins.constraints.len(), joins.equal.len());
        let right = self.infer_factor(&join.relation, frame, joins);
        let (constraint, left_null, right_null) = match &join.join_operator {
            JoinOperator::Join(on) | JoinOperator::Inner(on) | JoinOperator::CrossJoin(on) => (on, false, false),
            JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => (on, false, true),
            JoinOperator::Right(on) | JoinOperator::RightOuter(on) => (on, true, false),
            JoinOperator::FullOuter(on) => (on, true, true),
            _ => {
                joins.reversed = true;
                self.give_up();
                return 0;
            }
        };
        joins.reversed |= left_null;
        let joined = before..frame.relations.len();
        if right_null {
            // Conditions inside the right side do not apply to rows without a match.
            for on in joins.constraints.iter_mut().skip(constraints).filter(|on| !on.left) {
                (on.left, on.joined) = (true, joined.clone());
            }
            for (.., range) in joins.equal.iter_mut().skip(equal) {
                range.get_or_insert_with(|| joined.clone());
            }
            for relation in frame.relations.iter_mut().skip(before) {
                relation.after = relation.after.max(before);
            }
        }
        let within = right_null.then(|| joined.clone());
        match constraint {
            JoinConstraint::On(on) => joins.constraints.push(On { on, joined, left: right_null }),
            JoinConstraint::Using(names) => {
                for name in names.iter().filter_map(find_last_name) {
                    let merged = self.merge_join_columns(name, first, before, frame, true);
                    joins.equal.extend(merged.map(|(a, b)| (a, b, within.clone())));
                }
            }
            JoinConstraint::Natural => {
                let names: Vec<String> = frame
                    .relations
                    .iter()
                    .skip(before)
                    .filter_map(|r| r.columns.as_ref())
                    .flatten()
                    .map(|column| column.name.clone())
                    .collect();
                for name in names {
                    let merged = self.merge_join_columns(&Ident::new(name), first, before, frame, false);
                    joins.equal.extend(merged.map(|(a, b)| (a, b, within.clone())));
                }
            }
            JoinConstraint::None => {}
        }
        let right_side = before..frame.relations.len();
        let partners = Joined { tables: self.query.request.tables, frame, right: right_side, whole: &joins.whole }
            .find_matched_side(constraint, joins.equal.get(equal..).unwrap_or_default());
        let matched = partners == Some(Matched::Left);
        for (index, relation) in frame.relations.iter_mut().enumerate().skip(first) {
            relation.outer |= if index < before { left_null } else { right_null && !matched };
        }
        if right_null && !left_null {
            joins.outer.push(OuterJoin { joined: before..frame.relations.len(), matched });
        }
        // Which sides keep all their rows, and how many rows there are at least.
        let (keeps_left, keeps_right, rows) = match (left_null, right_null) {
            (false, true) => (true, false, least),
            (true, false) => (false, true, right),
            (true, true) => (true, true, least.max(right)),
            (false, false) if matches!(constraint, JoinConstraint::None) => {
                (right > 0, least > 0, least.saturating_mul(right))
            }
            (false, false) => match partners {
                Some(Matched::Left) => (true, false, least),
                Some(Matched::Right) => (false, true, right),
                None => (false, false, 0),
            },
        };
        joins.whole.retain(|relation| if *relation < before { keeps_left } else { keeps_right });
        rows
    }

    /// Merges the columns `name` of both sides of a join. Returns them as (relation, column).
    fn merge_join_columns(
        &mut self,
        name: &Ident,
        first: usize,
        before: usize,
        frame: &mut Frame,
        must: bool,
    ) -> Option<((usize, usize), (usize, usize))> {
        let at = |(index, relation): (usize, &Relation)| {
            Some((index, relation.find_column(&name.value)?)).filter(|(_, place)| !relation.merged.contains(place))
        };
        let left = frame.relations.iter().enumerate().take(before).skip(first).find_map(at);
        let pair = left.zip(frame.relations.iter().enumerate().skip(before).find_map(at));
        let holds = |relation: &Relation| relation.find_column(&name.value).is_some();
        let unknown = |relations: &[Relation]| relations.iter().any(|relation| relation.columns.is_none());
        let (left, right) = frame.relations.split_at_mut(before);
        let left = left.get(first..).unwrap_or_default();
        let (on_left, on_right) = (left.iter().any(holds), right.iter().any(holds));
        if on_left && on_right {
            for side in [left, right] {
                let values: Vec<ExprType> =
                    side.iter().filter_map(|r| Some(r.infer_column(r.find_column(&name.value)?))).collect();
                for value in &values {
                    self.note_read(value);
                    if let (true, Some((table, column))) = (must, value.origin) {
                        self.note_meaning(name, NameTarget::Column(table, column));
                    }
                }
            }
            for relation in right.iter_mut() {
                relation.merged.extend(relation.find_column(&name.value));
            }
        } else if must && (on_left || !unknown(left)) && (on_right || !unknown(right)) {
            let lacking = if on_left { right } else { left };
            self.report_missing_join_column(name, lacking);
        }
        pair
    }

    fn infer_factor<'t>(&mut self, factor: &'t TableFactor, frame: &mut Frame, joins: &mut Joins<'t>) -> u64 {
        let before = frame.relations.len();
        let (mut relation, alias) = match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                joins.whole.push(before);
                (self.resolve_table(name), alias.as_ref())
            }
            TableFactor::Table { name, alias, args: Some(args), .. } => {
                joins.arguments.extend(args.args.iter().filter_map(as_plain_argument));
                let own = find_last_name(name).map(|name| name.value.clone()).unwrap_or_default();
                (Relation { alias: own, ..Relation::default() }, alias.as_ref())
            }
            TableFactor::Derived { subquery, alias, .. } => {
                (build_relation(self.infer_query(subquery)), alias.as_ref())
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let least = self.infer_joined_tables(table_with_joins, before, frame, joins);
                if alias.is_none() {
                    return least;
                }
                // A nested join under a new name: its columns are not distinguished.
                frame.relations.truncate(before);
                joins.whole.retain(|relation| *relation < before);
                joins.reversed = true;
                self.give_up();
                (Relation::default(), alias.as_ref())
            }
            _ => {
                self.give_up();
                joins.reversed = true;
                (Relation::default(), None)
            }
        };
        rename_relation(&mut relation, alias);
        let least = relation.least;
        frame.relations.push(relation);
        least
    }

    fn resolve_table(&mut self, name: &ObjectName) -> Relation {
        let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        let tables = self.query.request.tables;
        match parts.as_slice() {
            [table] => {
                if let Some(cte) = self.ctes.iter().rev().find(|cte| is_same_name(&cte.name, &table.value)) {
                    return Relation { alias: cte.name.clone(), ..build_relation(cte.output.clone()) };
                }
                if let Some(index) =
                    tables.iter().position(|t| t.database.is_none() && is_same_name(t.name, &table.value))
                {
                    return self.resolve_known_table(index, table, None);
                }
            }
            [database, table] => {
                let fits = |written: Option<&str>| is_same_name(written.unwrap_or("main"), &database.value);
                if let Some(index) = tables.iter().position(|t| fits(t.database) && is_same_name(t.name, &table.value))
                {
                    return self.resolve_known_table(index, table, Some(database));
                }
            }
            _ => {
                self.give_up();
                return Relation::default();
            }
        }
        let alias = parts.last().map(|table| table.value.clone()).unwrap_or_default();
        let index = self.report_unknown_table(&parts);
        let known = index.map(|index| Relation::from_table(tables, index)).unwrap_or_default();
        Relation { alias, ..known }
    }

    fn resolve_known_table(&mut self, index: usize, name: &Ident, database: Option<&Ident>) -> Relation {
        self.meaning.tables.insert(index);
        if let Some(span) = self.note_meaning(name, NameTarget::Table(index)) {
            self.meaning.sources.insert((index, span));
        }
        if let Some(database) = database {
            self.note_meaning(database, NameTarget::Database(index));
        }
        let known = Relation::from_table(self.query.request.tables, index);
        Relation { alias: name.value.clone(), database: database.map(|database| database.value.clone()), ..known }
    }

    /// Analyzes WITH: every table can read the others; a recursive table starts with the types of its first SELECT.
    pub fn infer_ctes(&mut self, with: &ast::With) {
        let first = self.ctes.len();
        for cte in &with.cte_tables {
            self.ctes.push(Cte { name: cte.alias.name.value.clone(), output: Output::default() });
        }
        // A table that reads a later one is understood only once the later one is.
        let forward = with.cte_tables.iter().enumerate().any(|(index, cte)| {
            let later = with.cte_tables.get(index + 1..).unwrap_or_default();
            later.iter().any(|later| self.is_name_in_cte(cte, &later.alias.name.value))
        });
        if forward && self.quiet < 2 {
            self.quiet += 1;
            self.with_tables(with, first);
            self.quiet -= 1;
        }
        self.with_tables(with, first);
    }

    fn with_tables(&mut self, with: &ast::With, first: usize) {
        for (index, cte) in with.cte_tables.iter().enumerate() {
            let place = first + index;
            let recursive = self.is_name_in_cte(cte, &cte.alias.name.value);
            if recursive {
                // Whether it ends depends on the values.
                let risk = self.find_growth_risk(cte);
                self.add_risk(risk);
                self.infer_recursive_types(cte, place);
            }
            let output = self.infer_query(&cte.query);
            let columns = rename_columns(output.columns, &cte.alias);
            let columns = if recursive { columns.map(clear_terms) } else { columns };
            let output = Output { columns, ..output };
            if let Some(slot) = self.ctes.get_mut(place) {
                // The types that were assumed while its query was analyzed must be equal to the result.
                let settled = !recursive || slot.output.columns.is_none() || slot.output.columns == output.columns;
                let columns = if settled { output.columns } else { output.columns.map(clear_types) };
                slot.output = Output { columns, ..output };
            }
        }
    }

    /// Infers types that hold for the first row and for all further rows.
    fn infer_recursive_types(&mut self, cte: &ast::Cte, place: usize) {
        // In nested WITH clauses, visiting each twice would take exponential time.
        if self.quiet >= 2 {
            return;
        }
        let mut start: &SetExpr = &cte.query.body;
        while let SetExpr::SetOperation { left, .. } = start {
            start = left;
        }
        self.quiet += 1;
        let seed = self.infer_body(start);
        let mut columns = rename_columns(seed.columns, &cte.alias).map(clear_terms);
        for _ in 0..3 {
            self.set_cte(place, columns.clone());
            let next = rename_columns(self.infer_query(&cte.query).columns, &cte.alias).map(clear_terms);
            if next == columns {
                break;
            }
            columns = next;
        }
        self.quiet -= 1;
        self.set_cte(place, columns);
    }

    fn set_cte(&mut self, place: usize, columns: Option<Vec<Column>>) {
        if let Some(cte) = self.ctes.get_mut(place) {
            cte.output = Output { columns, ..Output::default() };
        }
    }

    /// Whether a name occurs in the query of a table of WITH.
    fn is_name_in_cte(&self, cte: &ast::Cte, name: &str) -> bool {
        let Some((_, end)) = super::parse::find_span_bytes(cte.alias.name.span) else { return false };
        let close =
            super::parse::find_span_bytes(cte.closing_paren_token.0.span).map_or(usize::MAX, |(start, _)| start);
        let from = self.query.tokens.partition_point(|token| token.start < end);
        let inside = self.query.tokens.iter().skip(from).take_while(|token| token.start < close);
        inside.into_iter().any(|token| token.is_named(name))
    }
}

/// The same columns without their terms: further rows of a recursive table have other values than its first.
fn clear_terms(mut columns: Vec<Column>) -> Vec<Column> {
    columns.iter_mut().for_each(|column| column.value.term = None);
    columns
}

/// The same columns with unknown types.
fn clear_types(columns: Vec<Column>) -> Vec<Column> {
    columns.into_iter().map(|column| Column { name: column.name, value: ExprType::unknown() }).collect()
}

/// The columns, renamed to the names after the alias.
fn rename_columns(columns: Option<Vec<Column>>, alias: &TableAlias) -> Option<Vec<Column>> {
    let mut columns = columns?;
    for (column, name) in columns.iter_mut().zip(&alias.columns) {
        column.name = name.name.value.clone();
    }
    Some(columns)
}

fn build_relation(output: Output) -> Relation {
    let Output { columns, least, most, keys, sorted, numbered, loose, made, written, .. } = output;
    Relation { columns, least, most, keys, sorted, numbered, loose, made, written, ..Relation::default() }
}

fn rename_relation(relation: &mut Relation, alias: Option<&TableAlias>) {
    if let Some(alias) = alias {
        relation.alias = alias.name.value.clone();
        relation.database = None;
        relation.columns = rename_columns(relation.columns.take(), alias);
    }
}
