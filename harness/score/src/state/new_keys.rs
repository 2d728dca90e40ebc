//! Ignored keys: rows that are new get the keys of the goal's new rows with which they pair, then every key is right.
//!
//! A row whose key was there at the start keeps it, unless its row had to go. New rows pair by their other cells. Among several rows with the same cells, those pair whose
//! referencing rows are the same; references follow the keys.

use std::collections::{BTreeMap, BTreeSet};

use sqlite::state::Cell;

use super::cells::CellRules;
use super::rows::render_cell;
use super::table_versions::{Rows, TableVersions, extract_key};
use super::tolerance::pair_near_rows;

/// Cells of a row.
type Cells = Vec<Cell>;

/// A reference between tables, by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The table that refers.
    pub child: usize,
    /// Its columns.
    pub columns: Vec<usize>,
    /// The table to which it refers.
    pub parent: usize,
    /// The columns of that table.
    pub to: Vec<usize>,
}

/// Keys lead back to themselves through references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle;

/// The maximum number of rows with the same cells for which all pairs are weighed.
const MAX_GROUP: usize = 1000;

/// The maximum number of rows for which the best assignment is computed; of more, the best pairs come first.
const MAX_EXACT: usize = 200;

/// Replaces the keys of the new rows that are left by those of the goal. `ignored` has the ignored columns of the key of each table.
pub fn replace_new_keys(
    tables: &mut [TableVersions],
    ignored: &[Vec<usize>],
    links: &[Link],
    rules: &[CellRules<'_>],
) -> Result<(), Cycle> {
    let links: Vec<&Link> =
        links.iter().filter(|link| link.to.iter().any(|at| ignored[link.parent].contains(at))).collect();
    for parent in order_tables(ignored, &links)? {
        let pairs = Pairing { tables, ignored, links: &links, rules, parent }.pair_new_rows();
        rename_rows(tables, (&ignored[parent], parent), &links, &pairs);
    }
    Ok(())
}

/// Orders the tables with ignored keys: those to which others refer come first.
fn order_tables(ignored: &[Vec<usize>], links: &[&Link]) -> Result<Vec<usize>, Cycle> {
    let mut open: Vec<usize> = (0..ignored.len()).filter(|table| !ignored[*table].is_empty()).collect();
    let mut order = Vec::new();
    while !open.is_empty() {
        let refers = |table: usize| links.iter().any(|link| link.child == table && open.contains(&link.parent));
        let next = open.iter().position(|table| !refers(*table)).ok_or(Cycle)?;
        order.push(open.remove(next));
    }
    Ok(order)
}

/// The new rows of a table: those of the goal, and those that are left, by position; which of them pair.
struct Pairs {
    goal: Vec<usize>,
    left: Vec<usize>,
    /// For each of `left`, the row of the goal.
    partners: Vec<Option<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Goal,
    Left,
}

struct Pairing<'t> {
    tables: &'t [TableVersions],
    ignored: &'t [Vec<usize>],
    links: &'t [&'t Link],
    /// How the cells of each table are compared.
    rules: &'t [CellRules<'t>],
    parent: usize,
}

impl Pairing<'_> {
    fn pair_new_rows(&self) -> Pairs {
        let table = &self.tables[self.parent];
        let key_of = |row: &Cells| extract_key(row, &table.key);
        let known: BTreeMap<Cells, &Cells> = table.before.iter().map(|row| (key_of(row), row)).collect();
        let wanted: BTreeSet<Cells> = table.goal.iter().map(key_of).collect();
        // The key of a row that had to go may be given again.
        let is_new = |row: &Cells| match known.get(&key_of(row)) {
            Some(before) => !wanted.contains(&key_of(row)) && self.strip_key(before) != self.strip_key(row),
            None => true,
        };
        let list_new = |rows: &Rows| -> Vec<usize> { (0..rows.len()).filter(|at| is_new(&rows[*at])).collect() };
        let (goal, left) = (list_new(&table.goal), list_new(&table.left));
        let mut partners: BTreeMap<usize, usize> = BTreeMap::new();
        let mut groups: BTreeMap<Cells, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for at in &goal {
            groups.entry(self.strip_key(&table.goal[*at])).or_default().0.push(*at);
        }
        for at in &left {
            groups.entry(self.strip_key(&table.left[*at])).or_default().1.push(*at);
        }
        for (wanted, found) in groups.values() {
            partners.extend(self.pair_group(wanted, found).into_iter().map(|(wanted, found)| (found, wanted)));
        }
        self.pair_near(&goal, &left, &mut partners);
        Pairs { partners: left.iter().map(|at| partners.get(at).copied()).collect(), goal, left }
    }

    /// Returns a row without the ignored columns of its key.
    fn strip_key(&self, row: &[Cell]) -> Cells {
        remove_columns(row, &self.ignored[self.parent])
    }

    /// Pairs the rows that are equal by the options, if more rows pair so.
    fn pair_near(&self, goal: &[usize], left: &[usize], partners: &mut BTreeMap<usize, usize>) {
        let table = &self.tables[self.parent];
        let taken: BTreeSet<usize> = partners.values().copied().collect();
        if left.iter().all(|at| partners.contains_key(at)) || goal.iter().all(|at| taken.contains(at)) {
            return;
        }
        let rules = self.rules[self.parent].without_columns(&self.ignored[self.parent]);
        // The rest of a key is exact.
        let strip = |row: &Cells| {
            let exact = |(at, cell): (usize, &Cell)| match table.key.contains(&at) {
                true => Cell::Text(format!("{cell:?}")),
                false => cell.clone(),
            };
            self.strip_key(&row.iter().enumerate().map(exact).collect::<Cells>())
        };
        let pair = |goal: &[usize], left: &[usize]| -> Vec<(usize, usize)> {
            let [wanted, found] = [(&table.goal, goal), (&table.left, left)]
                .map(|(rows, all)| all.iter().map(|at| strip(&rows[*at])).collect::<Rows>());
            let near = pair_near_rows(&wanted, &found, &rules);
            near.into_iter().map(|(wanted, found)| (left[found], goal[wanted])).collect()
        };
        let open = |all: &[usize], is_taken: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            all.iter().copied().filter(|at| !is_taken(at)).collect()
        };
        let rest = pair(&open(goal, &|at| taken.contains(at)), &open(left, &|at| partners.contains_key(at)));
        partners.extend(rest);
        // Rows that are exactly equal stay together, unless others would then have no partner.
        let all = pair(goal, left);
        if all.len() > partners.len() {
            *partners = all.into_iter().collect();
        }
    }

    /// Pairs rows with the same cells: first those whose referencing rows are the same, then those with the most of them in common.
    fn pair_group(&self, wanted: &[usize], found: &[usize]) -> Vec<(usize, usize)> {
        if wanted.is_empty() || found.is_empty() {
            return Vec::new();
        }
        if let ([wanted], [found]) = (wanted, found) {
            return vec![(*wanted, *found)];
        }
        let children = [Side::Goal, Side::Left].map(|side| Children::new(self, side));
        let table = &self.tables[self.parent];
        let describe = |all: &[usize], rows: &Rows, children: &Children<'_>| -> Vec<(usize, Vec<Node>)> {
            all.iter().map(|at| (*at, children.list_nodes(self.parent, &rows[*at]))).collect()
        };
        let wanted = describe(wanted, &table.goal, &children[0]);
        let mut open: BTreeMap<Vec<Node>, Vec<usize>> = BTreeMap::new();
        for (at, nodes) in describe(found, &table.left, &children[1]).into_iter().rev() {
            open.entry(nodes).or_default().push(at);
        }
        let mut pairs = Vec::new();
        let mut rest: Vec<(usize, Vec<Node>)> = Vec::new();
        for (at, nodes) in wanted {
            match open.get_mut(&nodes).and_then(Vec::pop) {
                Some(found) => pairs.push((at, found)),
                None => rest.push((at, nodes)),
            }
        }
        let mut others: Vec<(usize, &Vec<Node>)> =
            open.iter().flat_map(|(nodes, all)| all.iter().map(move |at| (*at, nodes))).collect();
        others.sort_unstable();
        let weigh = |a: &[Node], b: &[Node]| count_common(a, b) as i64;
        let partners = match rest.len().max(others.len()) {
            0..=MAX_GROUP => {
                let weights: Vec<Vec<i64>> =
                    rest.iter().map(|(_, a)| others.iter().map(|(_, b)| weigh(a, b)).collect()).collect();
                assign_by_weight(&weights)
            }
            _ => (0..rest.len()).map(|at| (at < others.len()).then_some(at)).collect(),
        };
        pairs.extend(rest.iter().zip(partners).filter_map(|((at, _), other)| Some((*at, others.get(other?)?.0))));
        pairs
    }
}

/// A row that refers to another one, with the rows that refer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    link: usize,
    cells: Cells,
    below: Vec<Node>,
}

/// The rows of a side that refer to rows, by link and by the cells that refer.
struct Children<'p> {
    tables: &'p [TableVersions],
    ignored: &'p [Vec<usize>],
    links: &'p [&'p Link],
    rules: &'p [CellRules<'p>],
    side: Side,
    rows: Vec<BTreeMap<Cells, Vec<usize>>>,
    /// For each link, the texts that the goal writes in the table that refers. Remaining texts are compared as the ones that they match.
    texts: Vec<Vec<(usize, Vec<Cell>)>>,
}

impl<'p> Children<'p> {
    fn new(pairing: &'p Pairing<'p>, side: Side) -> Children<'p> {
        let index = |link: &&Link| {
            let mut found: BTreeMap<Cells, Vec<usize>> = BTreeMap::new();
            for (at, row) in select_rows(&pairing.tables[link.child], side).iter().enumerate() {
                found.entry(extract_key(row, &link.columns)).or_default().push(at);
            }
            found
        };
        let rows = pairing.links.iter().map(index).collect();
        let list_texts = |link: &&Link| match side {
            Side::Goal => Vec::new(),
            Side::Left => pairing.rules[link.child].list_goal_texts(&pairing.tables[link.child]),
        };
        let texts = pairing.links.iter().map(list_texts).collect();
        let Pairing { tables, ignored, links, rules, .. } = *pairing;
        Children { tables, ignored, links, rules, side, rows, texts }
    }

    /// Lists the rows that refer to a row, without the keys that are not known yet. References have no cycle.
    fn list_nodes(&self, table: usize, row: &[Cell]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (at, link) in self.links.iter().enumerate().filter(|(_, link)| link.parent == table) {
            let places = self.rows[at].get(&extract_key(row, &link.to)).map_or(&[][..], Vec::as_slice);
            for place in places {
                let child = &select_rows(&self.tables[link.child], self.side)[*place];
                let of_links = self.links.iter().filter(|other| other.child == link.child);
                let mut hidden: Vec<usize> = of_links.flat_map(|other| other.columns.iter().copied()).collect();
                hidden.extend(&self.ignored[link.child]);
                let below = match self.ignored[link.child].is_empty() {
                    true => Vec::new(),
                    false => self.list_nodes(link.child, child),
                };
                let mut cells = child.clone();
                self.rules[link.child].replace_by_goal_texts(&mut cells, &self.texts[at]);
                nodes.push(Node { link: at, cells: remove_columns(&cells, &hidden), below });
            }
        }
        nodes.sort_unstable();
        nodes
    }
}

fn select_rows(table: &TableVersions, side: Side) -> &Rows {
    match side {
        Side::Goal => &table.goal,
        Side::Left => &table.left,
    }
}

fn remove_columns(row: &[Cell], columns: &[usize]) -> Cells {
    row.iter().enumerate().filter(|(at, _)| !columns.contains(at)).map(|(_, cell)| cell.clone()).collect()
}

/// Counts the equal items of two sorted lists.
fn count_common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut a, mut b, mut common) = (a.iter().peekable(), b.iter().peekable(), 0);
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let order = x.cmp(y);
        common += usize::from(order.is_eq());
        if order.is_le() {
            a.next();
        }
        if order.is_ge() {
            b.next();
        }
    }
    common
}

/// Gives the new rows of a table their keys, and the references to them. A row without a partner gets a key that no other row has.
fn rename_rows(tables: &mut [TableVersions], (ignored, parent): (&[usize], usize), links: &[&Link], pairs: &Pairs) {
    let table = &mut tables[parent];
    let old: Rows = pairs.left.iter().map(|at| table.left[*at].clone()).collect();
    for (number, (at, partner)) in pairs.left.iter().zip(&pairs.partners).enumerate() {
        match partner {
            Some(goal) => {
                for column in &table.key {
                    table.left[*at][*column] = table.goal[*goal][*column].clone();
                }
            }
            None => {
                for column in ignored {
                    let cell = &mut table.left[*at][*column];
                    *cell = build_fresh_cell(cell, number);
                }
            }
        }
    }
    for link in links.iter().filter(|link| link.parent == parent) {
        let table = &tables[parent];
        let of = |row: &Cells| extract_key(row, &link.to);
        let known: BTreeSet<Cells> = table.before.iter().map(of).collect();
        let wanted: BTreeSet<Cells> = pairs.goal.iter().map(|at| of(&table.goal[*at])).collect();
        let mut renamed: BTreeMap<Cells, Cells> = BTreeMap::new();
        for (at, old) in pairs.left.iter().zip(&old) {
            renamed.entry(of(old)).or_insert_with(|| of(&table.left[*at]));
        }
        for row in &mut tables[link.child].left {
            let cells = extract_key(row, &link.columns);
            if cells.contains(&Cell::Null) {
                continue;
            }
            // A reference that leads to no row is none to a row of the goal.
            let is_loose = || wanted.contains(&cells) && !known.contains(&cells);
            let fresh = || cells.iter().map(|cell| build_fresh_cell(cell, pairs.left.len())).collect();
            let Some(now) = renamed.get(&cells).cloned().or_else(|| is_loose().then(fresh)) else { continue };
            for (column, cell) in link.columns.iter().zip(now) {
                row[*column] = cell;
            }
        }
    }
}

/// Builds a key that no row of the goal has, for people to read.
fn build_fresh_cell(cell: &Cell, number: usize) -> Cell {
    Cell::Text(format!("{} (new {})", render_cell(cell), number + 1))
}

/// Pairs rows with columns for the greatest sum of weights: as many as there can be. Returns the column of each row.
fn assign_by_weight(weights: &[Vec<i64>]) -> Vec<Option<usize>> {
    let (rows, columns) = (weights.len(), weights.first().map_or(0, Vec::len));
    if rows.max(columns) > MAX_EXACT {
        return assign_greedily(weights);
    }
    // The Hungarian method, with potentials, for at most as many rows as columns.
    if rows > columns {
        let turned: Vec<Vec<i64>> =
            (0..columns).map(|column| weights.iter().map(|row| row[column]).collect()).collect();
        let mut out = vec![None; rows];
        for (column, row) in assign_by_weight(&turned).into_iter().enumerate() {
            if let Some(row) = row {
                out[row] = Some(column);
            }
        }
        return out;
    }
    let (mut of_rows, mut of_columns) = (vec![0i64; rows + 1], vec![0i64; columns + 1]);
    let (mut owner, mut way) = (vec![0usize; columns + 1], vec![0usize; columns + 1]);
    for row in 1..=rows {
        owner[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; columns + 1];
        let mut used = vec![false; columns + 1];
        while owner[column] != 0 {
            used[column] = true;
            let (from, mut step, mut next) = (owner[column], i64::MAX, 0);
            for to in 1..=columns {
                if used[to] {
                    continue;
                }
                let cost = -weights[from - 1][to - 1] - of_rows[from] - of_columns[to];
                if cost < least[to] {
                    (least[to], way[to]) = (cost, column);
                }
                if least[to] < step {
                    (step, next) = (least[to], to);
                }
            }
            for to in 0..=columns {
                if used[to] {
                    of_rows[owner[to]] += step;
                    of_columns[to] -= step;
                } else if least[to] < i64::MAX {
                    least[to] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            owner[column] = owner[way[column]];
            column = way[column];
        }
    }
    let mut out = vec![None; rows];
    for (column, row) in owner.iter().enumerate().skip(1).filter(|(_, row)| **row > 0) {
        out[row - 1] = Some(column - 1);
    }
    out
}

fn assign_greedily(weights: &[Vec<i64>]) -> Vec<Option<usize>> {
    let cells =
        weights.iter().enumerate().flat_map(|(row, all)| all.iter().enumerate().map(move |(at, of)| (-of, row, at)));
    let mut cells: Vec<(i64, usize, usize)> = cells.collect();
    cells.sort_unstable();
    let mut out = vec![None; weights.len()];
    let mut taken = vec![false; weights.first().map_or(0, Vec::len)];
    for (_, row, column) in cells {
        if out[row].is_none() && !taken[column] {
            out[row] = Some(column);
            taken[column] = true;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(weights: &[Vec<i64>], partners: &[Option<usize>]) -> i64 {
        partners.iter().zip(weights).filter_map(|(partner, row)| Some(row[(*partner)?])).sum()
    }

    proptest! {
        #[test]
        fn the_assignment_is_the_best(rows in 0usize..5, columns in 1usize..5, numbers in prop::collection::vec(0i64..6, 25)) {
            let weights: Vec<Vec<i64>> = (0..rows).map(|row| numbers[row * 5..row * 5 + columns].to_vec()).collect();
            fn best(weights: &[Vec<i64>], taken: &mut Vec<usize>) -> i64 {
                let Some((first, rest)) = weights.split_first() else { return 0 };
                let mut most = best(rest, taken);
                for (at, weight) in first.iter().enumerate() {
                    if !taken.contains(&at) {
                        taken.push(at);
                        most = most.max(weight + best(rest, taken));
                        taken.pop();
                    }
                }
                most
            }
            let partners = assign_by_weight(&weights);
            prop_assert_eq!(partners.iter().flatten().count(), rows.min(columns));
            prop_assert_eq!(partners.iter().flatten().collect::<BTreeSet<_>>().len(), rows.min(columns));
            prop_assert_eq!(sum(&weights, &partners), best(&weights, &mut Vec::new()));
            prop_assert!(sum(&weights, &assign_greedily(&weights)) <= sum(&weights, &partners));
        }
    }
}
