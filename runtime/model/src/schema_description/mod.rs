//! Describes a database within a number of tokens.
//!
//! The text depends only on the content of the database, the number of tokens, and a hint. Parts that do not fit are omitted in a fixed order:
//! [`Loss`]. Tables are ordered by their relevance to the hint, then as declared.

mod hint;

use std::collections::{BTreeMap, BTreeSet};

use crate::tokens::count_tokens;
use hint::Hint;

/// Maximum number of different values of a column that are shown as examples.
pub const EXAMPLES: usize = 3;
/// Maximum number of rows, from the first, that are searched for examples.
pub const EXAMPLE_ROWS: usize = 1000;
/// Maximum number of characters shown of a text.
const LONGEST: usize = 20;
/// Number of columns of a table that remain when the others are omitted.
const FEW: usize = 8;

/// The description of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its number of rows.
    pub rows: u64,
    /// Its columns, as declared.
    pub columns: Vec<Column>,
}

/// The description of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its declared type; empty without one.
    pub declared: String,
    /// Whether it is declared `NOT NULL`.
    pub not_null: bool,
    /// Whether it is part of the primary key.
    pub key: bool,
    /// The columns that it references, each as a table and its column.
    pub references: Vec<(String, String)>,
    /// Its first different values, as rendered by [`render_number`] and [`render_text`].
    pub examples: Vec<String>,
}

crate::worded! {
    /// The kinds of omitted parts, in order. Each kind is omitted from all tables, beginning with the last, before the next kind.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Loss {
        /// Nothing.
        Nothing = "nothing",
        /// Examples of values.
        Examples = "examples",
        /// Numbers of rows.
        Rows = "row counts",
        /// `not null` and `key`.
        Constraints = "`not null` and `key`",
        /// References of columns.
        References = "references",
        /// Columns after the eighth. Those with a word of the hint are kept first, then those declared first.
        ManyColumns = "columns after the eighth",
        /// All columns.
        Columns = "all columns",
        /// The table.
        Table = "tables",
    }
}

/// The omitted parts of a description: every kind before `loss` in all tables, and `loss` in the last tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omissions {
    /// The last omitted kind.
    pub loss: Loss,
    /// Number of tables without it, from the last.
    pub tables: usize,
    /// Total number of tables.
    pub of: usize,
}

impl Default for Omissions {
    fn default() -> Omissions {
        Omissions { loss: Loss::Nothing, tables: 0, of: 0 }
    }
}

impl Omissions {
    /// Lists the omitted parts in this order, for messages: `examples`, `row counts of 2 of 5 tables`. Empty if nothing was omitted.
    pub fn describe_losses(&self) -> Vec<String> {
        let lost = Loss::ALL.iter().copied().skip(1).take_while(|loss| *loss <= self.loss);
        lost.map(|loss| match (loss == self.loss && self.tables < self.of, loss) {
            (true, Loss::Table) => format!("{} of {} tables", self.tables, self.of),
            // The first table is never omitted.
            (false, Loss::Table) => "tables".to_owned(),
            (true, loss) => format!("{} of {} of {} tables", loss.word(), self.tables, self.of),
            (false, loss) => loss.word().to_owned(),
        })
        .collect()
    }
}

/// A description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The text: a line for each table and column, without a line end after the last.
    pub text: String,
    /// Its number of tokens.
    pub tokens: usize,
    /// The tables in the text, best first, each with its columns in the text.
    pub named: Vec<(String, Vec<String>)>,
    /// The omitted parts.
    pub lost: Omissions,
}

impl Description {
    /// Returns the share of the needed tables and columns that the text names; 1 if none is needed. Names are compared as in SQLite, ignoring ASCII
    /// letter case.
    pub fn compute_visible_share(&self, needed: &BTreeSet<(String, Option<String>)>) -> f64 {
        let has = |(table, column): &&(String, Option<String>)| {
            let of = self.named.iter().filter(|(name, _)| name.eq_ignore_ascii_case(table));
            match column {
                None => of.count() > 0,
                Some(column) => of.flat_map(|(_, columns)| columns).any(|name| name.eq_ignore_ascii_case(column)),
            }
        };
        if needed.is_empty() { 1.0 } else { needed.iter().filter(has).count() as f64 / needed.len() as f64 }
    }
}

/// The error if not even the first line fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// The shortest text: the line of the first table.
    pub line: String,
    /// Its number of tokens.
    pub needs: usize,
}

/// Describes tables in at most `budget` tokens; `tables` are in the order of declaration. Without tables the text is empty. Takes time in proportion
/// to the length of the full text.
///
/// ```
/// use model::schema_description::{Column, Table, describe_tables};
///
/// let column = |name: &str| Column {
///     name: name.to_owned(),
///     declared: "TEXT".to_owned(),
///     examples: vec!["'Ulm'".to_owned()],
///     ..Column::default()
/// };
/// let table = |name: &str| Table { name: name.to_owned(), rows: 3, columns: vec![column("CITY")] };
/// let tables = [table("customers"), table("orders")];
/// // The table of the hint is first.
/// let all = describe_tables(&tables, 1_000, "which orders?").expect("room");
/// assert!(all.text.starts_with("# orders (3 rows)\n- CITY: TEXT, e.g. 'Ulm'\n# customers (3 rows)\n"));
/// // What does not fit is left out, and named.
/// let less = describe_tables(&tables, all.tokens - 1, "which orders?").expect("room");
/// assert_eq!(less.lost.describe_losses(), ["examples of 1 of 2 tables"]);
/// assert_eq!(describe_tables(&tables, 0, "which orders?").expect_err("no room").line, "# orders");
/// ```
pub fn describe_tables(tables: &[Table], budget: usize, hint: &str) -> Result<Description, TooFew> {
    let hint = Hint::new(hint);
    let mut shown: Vec<Shown<'_>> =
        rank_tables(tables, &hint).into_iter().map(|table| Shown::new(table, &hint)).collect();
    let Some(last) = shown.len().checked_sub(1) else { return Ok(Description::default()) };
    let mut all = shown.iter().map(|table| table.tokens).sum::<usize>();
    // The last line has no end. A table is removed only after those that follow it.
    let last_text = |shown: &[Shown<'_>], end: usize| {
        shown.get(end).map_or((0, 0), |table| (table.tokens, count_tokens(&table.text)))
    };
    let mut end = last;
    let (mut ended, mut alone) = last_text(&shown, end);
    if all - ended + alone <= budget {
        return Ok(build_description(&shown, Omissions::default()));
    }
    for loss in Loss::ALL.iter().copied().skip(1) {
        for at in (0..=last).rev() {
            // The first table is kept.
            if loss == Loss::Table && at == 0 {
                continue;
            }
            let Some(table) = shown.get_mut(at) else { continue };
            all -= table.tokens;
            table.apply_loss(loss);
            all += table.tokens;
            if at == end {
                end -= usize::from(loss == Loss::Table);
                (ended, alone) = last_text(&shown, end);
            }
            if all - ended + alone <= budget {
                let lost = Omissions { loss, tables: shown.len() - at, of: shown.len() };
                return Ok(build_description(&shown, lost));
            }
        }
    }
    let line = shown.first().map(|table| table.text.clone()).unwrap_or_default();
    let needs = count_tokens(&line);
    Err(TooFew { line, needs })
}

/// Sorts tables by score, then as declared.
fn rank_tables<'a>(tables: &'a [Table], hint: &Hint) -> Vec<&'a Table> {
    let own: Vec<u64> = tables.iter().map(|table| hint.score_table(table)).collect();
    let chief = own.iter().copied().max().filter(|chief| *chief > 0);
    let of_chief = tables.iter().zip(&own).filter(|(_, score)| Some(**score) == chief).map(|(table, _)| table);
    let chiefs: BTreeMap<String, &Table> = of_chief.map(|table| (fold_case(&table.name), table)).collect();
    let targets = |table: &'a Table| {
        let references = table.columns.iter().flat_map(|column| &column.references);
        references.map(|(to, _)| fold_case(to)).filter(|to| *to != fold_case(&table.name))
    };
    // The tables that one of the best tables references.
    let from_chief: BTreeSet<String> = chiefs.values().copied().flat_map(targets).collect();
    let near = |table: &'a Table| {
        from_chief.contains(&fold_case(&table.name)) || targets(table).any(|to| chiefs.contains_key(&to))
    };
    let scores = tables.iter().zip(&own).map(|(table, score)| score + if near(table) { 5 } else { 0 });
    let mut ranked: Vec<(u64, &Table)> = scores.zip(tables).collect();
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    ranked.into_iter().map(|(_, table)| table).collect()
}

/// Folds a name as SQLite compares it, ignoring ASCII letter case.
fn fold_case(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// A table with its omitted parts, and the remaining text.
struct Shown<'a> {
    table: &'a Table,
    /// The columns that remain if most are omitted, as indexes in the order of declaration.
    few: Vec<usize>,
    lost: Loss,
    text: String,
    /// Number of tokens of its lines with their ends. Each line begins with `#` or `-`, so no token spans a line end, and the tokens of a text are
    /// the sum of those of its tables.
    tokens: usize,
}

impl<'a> Shown<'a> {
    fn new(table: &'a Table, hint: &Hint) -> Shown<'a> {
        let (mut few, others): (Vec<usize>, Vec<usize>) = (0..table.columns.len())
            .partition(|at| table.columns.get(*at).is_some_and(|column| hint.has_word_of(&column.name)));
        few.extend(others);
        few.truncate(FEW);
        few.sort_unstable();
        let mut shown = Shown { table, few, lost: Loss::Nothing, text: String::new(), tokens: 0 };
        shown.apply_loss(Loss::Nothing);
        shown
    }

    fn apply_loss(&mut self, loss: Loss) {
        self.lost = loss;
        let text = if loss == Loss::Table { String::new() } else { self.render_lines().join("\n") };
        if text != self.text {
            self.tokens = if text.is_empty() { 0 } else { count_tokens(&format!("{text}\n")) };
            self.text = text;
        }
    }

    fn is_shown(&self, what: Loss) -> bool {
        self.lost < what
    }

    fn list_columns(&self) -> Vec<&'a Column> {
        let table = self.table;
        match () {
            () if !self.is_shown(Loss::Columns) => Vec::new(),
            () if self.is_shown(Loss::ManyColumns) => table.columns.iter().collect(),
            () => self.few.iter().filter_map(|at| table.columns.get(*at)).collect(),
        }
    }

    fn render_lines(&self) -> Vec<String> {
        let name = to_single_line(&self.table.name);
        let rows = match self.table.rows {
            _ if !self.is_shown(Loss::Rows) => String::new(),
            1 => " (1 row)".to_owned(),
            rows => format!(" ({rows} rows)"),
        };
        let columns = self.list_columns();
        let more = self.table.columns.len() - columns.len();
        let mut lines = vec![format!("# {name}{rows}")];
        lines.extend(columns.iter().map(|column| self.render_column(column)));
        if more > 0 && self.is_shown(Loss::Columns) {
            lines.push(format!("- … {more} more"));
        }
        lines
    }

    fn render_column(&self, column: &Column) -> String {
        let mut line = format!("- {}", to_single_line(&column.name));
        if !column.declared.is_empty() {
            line += &format!(": {}", to_single_line(&column.declared));
        }
        if self.is_shown(Loss::Constraints) {
            line += if column.not_null { " not null" } else { "" };
            line += if column.key { ", key" } else { "" };
        }
        if self.is_shown(Loss::References) {
            for (table, to) in &column.references {
                line += &format!(" -> {}.{}", to_single_line(table), to_single_line(to));
            }
        }
        if self.is_shown(Loss::Examples) && !column.examples.is_empty() {
            line += &format!(", e.g. {}", column.examples.join(", "));
        }
        line
    }
}

fn build_description(shown: &[Shown<'_>], lost: Omissions) -> Description {
    let left = shown.iter().filter(|table| table.lost != Loss::Table);
    let text = left.clone().map(|table| table.text.as_str()).collect::<Vec<_>>().join("\n");
    let named = left.map(|table| {
        (table.table.name.clone(), table.list_columns().into_iter().map(|column| column.name.clone()).collect())
    });
    Description { tokens: count_tokens(&text), named: named.collect(), text, lost }
}

/// Renders a name or a value on one line: control characters, including line ends, become spaces.
fn to_single_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

/// Renders a number as an example.
pub fn render_number(value: f64) -> String {
    format!("{value:?}")
}

/// Renders a text as an example: in single quotes, as in SQL, and truncated after 20 characters.
pub fn render_text(value: &str) -> String {
    let cut: String = value.chars().take(LONGEST).collect();
    let more = if value.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("'{}{more}'", to_single_line(&cut).replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, declared: &str, examples: &[&str]) -> Column {
        Column {
            name: name.to_owned(),
            declared: declared.to_owned(),
            examples: examples.iter().map(|&text| text.to_owned()).collect(),
            ..Column::default()
        }
    }

    fn shop() -> Vec<Table> {
        let orders = vec![
            Column { key: true, ..column("OID", "INTEGER", &[]) },
            Column {
                not_null: true,
                references: vec![("customers".to_owned(), "ID".to_owned())],
                ..column("CUST", "INTEGER", &[])
            },
            column("AMOUNT", "REAL", &["12.5", "99.9", "3.0"]),
        ];
        let customers =
            vec![Column { key: true, ..column("ID", "INTEGER", &["1", "2"]) }, column("NAME", "TEXT", &["'Ada'"])];
        vec![
            Table { name: "customers".to_owned(), rows: 1, columns: customers },
            Table { name: "orders".to_owned(), rows: 75, columns: orders },
            Table {
                name: "wide".to_owned(),
                rows: 0,
                columns: (1..=11)
                    .map(|n| format!("c{n}"))
                    .chain(["size".to_owned()])
                    .map(|name| column(&name, "", &[]))
                    .collect(),
            },
        ]
    }

    #[test]
    fn all_of_it() {
        let all = describe_tables(&shop(), 1000, "amounts of orders").expect("room");
        assert_eq!(
            all.text,
            "# orders (75 rows)\n- OID: INTEGER, key\n- CUST: INTEGER not null -> customers.ID\n- AMOUNT: REAL, e.g. 12.5, 99.9, 3.0\n\
             # customers (1 row)\n- ID: INTEGER, key, e.g. 1, 2\n- NAME: TEXT, e.g. 'Ada'\n\
             # wide (0 rows)\n- c1\n- c2\n- c3\n- c4\n- c5\n- c6\n- c7\n- c8\n- c9\n- c10\n- c11\n- size"
        );
        assert_eq!(all.tokens, count_tokens(&all.text));
        assert_eq!(describe_tables(&shop(), all.tokens, "amounts of orders").expect("room"), all);
        assert_eq!(describe_tables(&[], 0, "").expect("nothing"), Description::default());
    }

    #[test]
    fn losses_in_their_order() {
        let mut texts: Vec<String> = Vec::new();
        for budget in (0..200).rev() {
            match describe_tables(&shop(), budget, "the Sizes of wide") {
                Ok(found) if texts.last() != Some(&found.text) => texts.push(found.text),
                Ok(_) => {}
                Err(few) => {
                    assert_eq!((few.line.as_str(), few.needs), ("# wide", budget + 1));
                    break;
                }
            }
        }
        assert!(texts.iter().any(|text| text.contains("- c7\n- size\n- … 4 more")), "{texts:#?}");
        assert_eq!(texts.last().map(String::as_str), Some("# wide"));
        for text in ["'Ada'", "(75 rows)", "not null", "->", "- c9", "- ID", "# customers"] {
            let last = |text: &str| texts.iter().rposition(|known| known.contains(text)).expect("it is there at first");
            let order = ["'Ada'", "(75 rows)", "not null", "->", "- c9", "- ID", "# customers"];
            for earlier in order.iter().take_while(|earlier| **earlier != text) {
                assert!(last(earlier) <= last(text), "`{earlier}` goes before `{text}`");
            }
        }
    }

    #[test]
    fn what_is_left_out() {
        let lost =
            |budget: usize| describe_tables(&shop(), budget, "").expect("room").lost.describe_losses().join("; ");
        let all = describe_tables(&shop(), 1000, "").expect("room");
        assert_eq!(lost(all.tokens), "");
        // The last table has no examples.
        assert_eq!(lost(all.tokens - 1), "examples of 2 of 3 tables");
        let first = "examples; row counts; `not null` and `key`; references; columns after the eighth; all columns";
        assert_eq!(lost(4), format!("{first}; 2 of 3 tables"));
    }

    #[test]
    fn a_thousand_tables() {
        let table = |at: usize| Table {
            name: format!("table_{at}"),
            rows: at as u64,
            columns: (0..10)
                .map(|n| Column {
                    references: (n == 3)
                        .then(|| (format!("Table_{}", at * 7 % 1000), "c0".to_owned()))
                        .into_iter()
                        .collect(),
                    ..column(&format!("c{n}"), "INTEGER", &["1", "2", "3"])
                })
                .collect(),
        };
        let tables: Vec<Table> = (0..1000).map(table).collect();
        let all = describe_tables(&tables, usize::MAX, "table 5").expect("room");
        assert!(all.text.starts_with("# table_5 (5 rows)\n"), "{}", &all.text[..80]);
        let few = describe_tables(&tables, 4, "table 5").expect("room");
        assert_eq!((few.text.as_str(), few.lost.tables), ("# table_5", 999));
        for budget in [4, 100, 10_000, all.tokens - 1] {
            assert!(describe_tables(&tables, budget, "table 5").expect("room").tokens <= budget);
        }
    }

    #[test]
    fn what_is_visible() {
        let needed = |items: &[(&str, Option<&str>)]| {
            items
                .iter()
                .map(|(table, column)| ((*table).to_owned(), column.map(str::to_owned)))
                .collect::<BTreeSet<_>>()
        };
        let all = describe_tables(&shop(), 1000, "").expect("room");
        assert_eq!(all.compute_visible_share(&needed(&[("Orders", None), ("orders", Some("amount"))])), 1.0);
        assert_eq!(all.compute_visible_share(&needed(&[("orders", None), ("orders", Some("NAME"))])), 0.5);
        assert_eq!(all.compute_visible_share(&BTreeSet::new()), 1.0);
        let few = describe_tables(&shop(), 4, "").expect("room");
        assert_eq!(few.text, "# customers");
        assert_eq!(few.compute_visible_share(&needed(&[("orders", None), ("orders", Some("AMOUNT"))])), 0.0);
    }

    #[test]
    fn examples_are_of_one_line() {
        assert_eq!(render_text("it's\na text of more than twenty"), "'it''s a text of more …'");
        assert_eq!([render_number(3.0), render_number(12.5)], ["3.0", "12.5"]);
    }
}
