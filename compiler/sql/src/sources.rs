//! The tables that a query names, determined from its tree before their columns are known. They must be generated before the query.

use std::ops::ControlFlow;

use model::ValueType;
use model::ddl::DdlColumn;
use model::span::Span;
use sqlparser::ast::{ObjectName, Query};

use super::ddl::{attach_database, create_table_of};
use super::parse;
use super::query_text::SqlText;
use super::request::is_same_name;
use super::visitor::{Visitor, visit_nodes};
use syntax::host::Sqlite;

/// A table that a query may name.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// The database; `Some("shop")` for the full name `shop.sales`.
    pub database: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// The names of its columns.
    pub columns: Vec<&'a str>,
}

/// The maximum number of tokens of a query whose tree is visited. The tree of a longer one may be deeper than SQLite accepts, so SQLite checks it first.
const MAX_TOKENS: usize = 2_000;

/// The indexes of the candidates that a query reads, without duplicates, each with the span at which it is first named. If the tree is not available, SQLite
/// determines them. For a query that is not valid SQL, the result is empty.
pub fn read_tables(sql: &SqlText<'_>, candidates: &[Candidate<'_>], sqlite: &dyn Sqlite) -> Vec<(usize, Span)> {
    let tokens = &sql.tokens;
    let mut found: Vec<(usize, Span)> = Vec::new();
    let tree = (tokens.len() <= MAX_TOKENS).then(|| sql.tree()).flatten();
    if let Some(tree) = tree {
        let mut names = Names::default();
        let _ = visit_nodes(tree, &mut names);
        for name in &names.found {
            for index in find_candidates(candidates, name) {
                if found.iter().all(|(known, _)| *known != index) {
                    found.push((index, sql.to_span(name.bytes)));
                }
            }
        }
        return found;
    }
    for token in tokens {
        for (index, candidate) in candidates.iter().enumerate() {
            if token.is_named(candidate.name) && found.iter().all(|(known, _)| *known != index) {
                found.push((index, sql.to_span((token.start, token.end()))));
            }
        }
    }
    let prepare = |found: &[(usize, Span)]| sqlite.prepare_query(&build_schema(candidates, found), &sql.raw.text);
    let Ok(prepared) = prepare(&found) else { return Vec::new() };
    let is_read = |(index, _): &(usize, Span)| {
        let read = |known: &Candidate<'_>| prepared.reads.iter().any(|(read, _)| is_same_name(read, known.name));
        candidates.get(*index).is_some_and(read)
    };
    let (mut read, unread): (Vec<_>, Vec<_>) = found.iter().copied().partition(is_read);
    // SQLite does not report a read of a table if only USING names its columns. It is read if the query fails without it.
    for named in unread {
        let without: Vec<(usize, Span)> = found.iter().filter(|other| **other != named).copied().collect();
        if prepare(&without).is_err() {
            read.push(named);
        }
    }
    read
}

/// The candidates that a name in FROM refers to. An unqualified name refers to a table of the task itself, if that exists.
fn find_candidates(candidates: &[Candidate<'_>], name: &Name) -> Vec<usize> {
    let fitting = |own: bool| -> Vec<usize> {
        let fits = |candidate: &Candidate<'_>| match (&name.database, candidate.database) {
            (None, database) => own == database.is_none(),
            (Some(written), None) => own && is_same_name(written, "main"),
            (Some(written), Some(database)) => !own && is_same_name(written, database),
        };
        let all = candidates.iter().enumerate();
        all.filter(|(_, candidate)| is_same_name(candidate.name, &name.table) && fits(candidate))
            .map(|(index, _)| index)
            .collect()
    };
    let own = fitting(true);
    if own.is_empty() { fitting(false) } else { own }
}

/// The definitions of an empty database with these tables; the types of the columns do not matter.
fn build_schema(candidates: &[Candidate<'_>], found: &[(usize, Span)]) -> Vec<String> {
    let named = || found.iter().filter_map(|(index, _)| candidates.get(*index));
    let mut databases: Vec<&str> = Vec::new();
    for database in named().filter_map(|candidate| candidate.database) {
        if !databases.iter().any(|known| is_same_name(known, database)) {
            databases.push(database);
        }
    }
    let made = named().map(|candidate| {
        let column = |name: &&str| DdlColumn {
            name: (*name).to_owned(),
            value_type: ValueType::Text,
            nullable: true,
            primary_key: false,
            unique: false,
            references: None,
        };
        create_table_of(candidate.database, candidate.name, candidate.columns.iter().map(column).collect())
    });
    databases.iter().map(|name| attach_database(name)).chain(made).collect()
}

/// A name in FROM.
struct Name {
    database: Option<String>,
    table: String,
    bytes: (usize, usize),
}

/// Collects the names in FROM that do not refer to a table of WITH.
#[derive(Default)]
struct Names {
    /// The tables of WITH in scope; `open` has their number before each open query.
    with: Vec<String>,
    open: Vec<usize>,
    found: Vec<Name>,
}

impl Visitor for Names {
    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.open.push(self.with.len());
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.with.extend(tables.map(|table| table.alias.name.value.clone()));
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.with.truncate(self.open.pop().unwrap_or(0));
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let parts: Vec<_> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        let [before @ .., table] = parts.as_slice() else { return ControlFlow::Continue(()) };
        let database = before.last().map(|database| database.value.clone());
        if database.is_some() || !self.with.iter().any(|known| is_same_name(known, &table.value)) {
            self.found.push(Name { database, table: table.value.clone(), bytes: parse::find_ident_bytes(table) });
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::ast::{Raw, RawKind, SourceId};
    use syntax::host::{DatabaseError, Prepared, SqlError, Stored, StoredTable};

    /// Refuses every query.
    struct Refuses;

    impl Sqlite for Refuses {
        fn list_tables(&self, _: &[u8]) -> Result<Vec<StoredTable>, DatabaseError> {
            Err(DatabaseError::NotADatabase)
        }

        fn read_columns(&self, _: &[u8], _: &str, _: usize, _: usize) -> Result<Vec<Vec<Stored>>, DatabaseError> {
            Err(DatabaseError::NotADatabase)
        }

        fn prepare_query(&self, _: &[String], _: &str) -> Result<Prepared, SqlError> {
            Err(SqlError { message: "no".to_owned(), offset: None })
        }
    }

    fn read(sql: &str) -> Vec<String> {
        let table = |database, name| Candidate { database, name, columns: vec!["A"] };
        let candidates = [
            table(None, "item"),
            table(None, "items"),
            table(None, "ab"),
            table(Some("shop"), "ab"),
            table(Some("shop"), "sales"),
        ];
        let raw = Raw { kind: RawKind::Sql, text: sql.to_owned(), span: Span::new(SourceId(0), 0, sql.len() as u32) };
        let found = read_tables(&SqlText::new(&raw), &candidates, &Refuses);
        found
            .iter()
            .map(|(index, span)| {
                let candidate = &candidates[*index];
                assert_eq!(
                    &sql[span.start as usize..span.end as usize].trim_matches('"').to_lowercase(),
                    candidate.name
                );
                candidate
                    .database
                    .map_or(candidate.name.to_owned(), |database| format!("{database}.{}", candidate.name))
            })
            .collect()
    }

    #[test]
    fn only_names_in_from_are_read() {
        assert_eq!(read("SELECT COUNT(*) FROM items"), ["items"]);
        assert_eq!(read("SELECT 'item' FROM ITEMS WHERE A = ' ab ' -- ab"), ["items"]);
        assert_eq!(read("SELECT items.ab FROM items AS item"), ["items"]);
        assert_eq!(read("SELECT A FROM item WHERE A IN (SELECT A FROM \"items\")"), ["item", "items"]);
        assert_eq!(read("SELECT A FROM item WHERE A IN items"), ["item", "items"]);
        assert_eq!(read("SELECT EXISTS (SELECT 1 FROM item, items JOIN sales)"), ["item", "items", "shop.sales"]);
    }

    #[test]
    fn a_table_of_with_hides_what_is_called_alike() {
        assert_eq!(read("WITH ab AS (SELECT A FROM items) SELECT A FROM ab"), ["items"]);
        assert_eq!(read("SELECT A FROM (WITH ab AS (SELECT 1 AS A) SELECT A FROM ab), ab"), ["ab"]);
        assert_eq!(
            read("WITH RECURSIVE item(A) AS (SELECT 1 UNION SELECT A + 1 FROM item) SELECT * FROM item"),
            [""; 0]
        );
    }

    #[test]
    fn a_database_in_front_is_heeded() {
        assert_eq!(read("SELECT A FROM ab"), ["ab"]);
        assert_eq!(read("SELECT A FROM shop.ab"), ["shop.ab"]);
        assert_eq!(read("SELECT A FROM main.ab"), ["ab"]);
        assert_eq!(read("SELECT A FROM other.ab"), [""; 0]);
    }

    /// Takes a query where `items` is there, and tells no read.
    struct NeedsItems;

    impl Sqlite for NeedsItems {
        fn list_tables(&self, _: &[u8]) -> Result<Vec<StoredTable>, DatabaseError> {
            Err(DatabaseError::NotADatabase)
        }

        fn read_columns(&self, _: &[u8], _: &str, _: usize, _: usize) -> Result<Vec<Vec<Stored>>, DatabaseError> {
            Err(DatabaseError::NotADatabase)
        }

        fn prepare_query(&self, schema: &[String], _: &str) -> Result<Prepared, SqlError> {
            match schema.iter().any(|table| table.contains("items")) {
                true => Ok(Prepared::default()),
                false => Err(SqlError { message: "no such table".to_owned(), offset: None }),
            }
        }
    }

    #[test]
    fn what_only_using_names_is_read_too() {
        // More tokens than a tree is made of here.
        let sql = format!("SELECT COUNT(*) FROM items, item USING (A) WHERE 1{}", " AND 1".repeat(MAX_TOKENS));
        let raw = Raw { kind: RawKind::Sql, span: Span::new(SourceId(0), 0, sql.len() as u32), text: sql };
        let candidates = ["item", "items"].map(|name| Candidate { database: None, name, columns: vec!["A"] });
        let found = read_tables(&SqlText::new(&raw), &candidates, &NeedsItems);
        assert_eq!(found.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn of_what_is_not_sql_nothing_is_known() {
        assert_eq!(read("SELECT 'item' FROM items WHERE ("), [""; 0]);
    }
}
