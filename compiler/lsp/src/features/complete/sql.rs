//! Completion inside queries: tables, the columns of tables that the query reads, parameters, keywords, and functions.

use std::ops::Range;

use compiler::ast::RawKind;
use compiler::diagnostics::wording::quote_ident;
use compiler::hir;
use compiler::syntax::lex::{Embedded, Kind, lex_raw_parts};
use gen_lsp_types::CompletionItemKind as Item;

use super::offer::{Offer, Offers};
use super::scope::{Scope, list_sql_columns};
use crate::analysis::strip_quotes;
use crate::context::Context;
use crate::sql_words;

/// A token of the query other than a blank.
struct Part<'t> {
    kind: Embedded,
    text: &'t str,
    start: usize,
}

/// Completes the query at `raw`, with the cursor at byte `offset` of the text. Returns the start of the name under the cursor.
pub fn offer_in_query(
    offers: &mut Offers,
    scope: &Scope,
    text: &str,
    raw: &Range<usize>,
    offset: usize,
    context: &Context<'_>,
) -> usize {
    let query = text.get(raw.start..raw.end.max(offset)).unwrap_or("");
    let parts: Vec<Part<'_>> = lex_raw_parts(query, RawKind::Sql)
        .iter()
        .filter_map(|token| match token.kind {
            Kind::Embedded(Embedded::Blank) => None,
            Kind::Embedded(kind) => {
                Some(Part { kind, text: token.text(query), start: raw.start + token.start as usize })
            }
            _ => None,
        })
        .collect();
    let touched = parts.iter().find(|part| part.start < offset && offset <= part.start + part.text.len());
    // The start of the name under the cursor, if one is being written.
    let name = touched.filter(|part| part.kind == Embedded::Name).map_or(offset, |part| part.start);
    match touched {
        Some(Part { kind: Embedded::Comment | Embedded::Text | Embedded::Number, .. }) => offset,
        Some(Part { kind: Embedded::Parameter, start, .. }) => {
            offer_parameters(offers, scope);
            start + 1
        }
        Some(Part { kind: Embedded::Sign, text: ":", .. }) => {
            offer_parameters(offers, scope);
            offset
        }
        _ => {
            let before = parts.partition_point(|part| part.start + part.text.len() <= name);
            offer_after_parts(offers, scope, &parts, before, context);
            name
        }
    }
}

fn offer_parameters(offers: &mut Offers, scope: &Scope) {
    for name in scope.names().iter().filter(|name| name.ty.is_scalar()) {
        offers.add_offer(Offer::new(&name.name, Item::Variable, 0).with_detail(name.ty.to_string()));
    }
}

/// A table that the query reads, with its alias.
struct Read<'a> {
    alias: String,
    relation: &'a hir::Relation,
}

/// Offers completions after the first `before` parts.
fn offer_after_parts(offers: &mut Offers, scope: &Scope, parts: &[Part<'_>], before: usize, context: &Context<'_>) {
    let before = parts.get(..before).unwrap_or_default();
    // The database is an earlier argument.
    let database = context.find_last_argument().and_then(|name| scope.find_file(name));
    let tables = scope.list_tables(database.map(|(file, _)| file));
    let reads = find_read_tables(parts, &tables);
    if let [.., name, dot] = before
        && dot.text == "."
        && name.kind == Embedded::Name
    {
        let name = strip_quotes(name.text);
        let read = reads.iter().map(|read| (read.alias.as_str(), read.relation));
        let mut named = read.chain(tables.iter().copied());
        if let Some((_, relation)) = named.find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            offer_columns(offers, scope, relation, 0);
        }
        // After `shop.`, offer the tables of the database.
        for table in tables.iter().filter_map(|(full, _)| full.strip_prefix(name)?.strip_prefix('.')) {
            offers.add_offer(Offer::new(quote_sql_name(table), Item::Struct, 0).with_detail("table"));
        }
        return;
    }
    let last = before.last().map(|part| part.text.to_ascii_uppercase()).unwrap_or_default();
    if matches!(last.as_str(), "FROM" | "JOIN" | "INTO" | "UPDATE") || (last == "," && is_in_from(before)) {
        for (name, relation) in &tables {
            let shown: Vec<&str> = list_sql_columns(relation).map(|column| column.name.as_str()).take(8).collect();
            let name: Vec<String> = name.splitn(2, '.').map(quote_sql_name).collect();
            let offer = Offer::new(name.join("."), Item::Struct, 0).with_detail("table");
            offers.add_offer(offer.with_doc(shown.join(", ")));
        }
        return;
    }
    for read in &reads {
        offer_columns(offers, scope, read.relation, 0);
        let detail = format!("`{}` in this query", read.relation.name);
        offers.add_offer(Offer::new(quote_sql_name(&read.alias), Item::Struct, 1).with_detail(detail));
    }
    if reads.is_empty() {
        tables.iter().for_each(|(_, relation)| offer_columns(offers, scope, relation, 1));
    }
    for name in sql_words::FUNCTIONS {
        offers.add_offer(Offer::new(*name, Item::Function, 3).with_snippet(format!("{name}($1)")));
    }
    offers.add_bare_words(sql_words::KEYWORDS.iter().copied(), 2);
}

fn offer_columns(offers: &mut Offers, scope: &Scope, relation: &hir::Relation, rank: u8) {
    for column in list_sql_columns(relation) {
        let detail = format!("{} · {}", column.ty, relation.name);
        let offer = Offer::new(quote_sql_name(&column.name), Item::Field, rank).with_detail(detail);
        offers.add_offer(offer.with_doc(scope.find_column_doc(column)));
    }
}

/// Quotes a name for SQL if necessary.
fn quote_sql_name(name: &str) -> String {
    if quote_ident(name) == name { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Whether the cursor is in a FROM clause.
fn is_in_from(before: &[Part<'_>]) -> bool {
    let clauses = ["SELECT", "FROM", "WHERE", "GROUP", "ORDER", "HAVING", "ON", "LIMIT"];
    let mut words = before.iter().rev().map(|part| part.text.to_ascii_uppercase());
    words.find(|word| clauses.contains(&word.as_str())).is_some_and(|word| word == "FROM")
}

/// The tables after FROM and JOIN anywhere in the query, including after the cursor.
fn find_read_tables<'a>(parts: &[Part<'_>], tables: &[(&str, &'a hir::Relation)]) -> Vec<Read<'a>> {
    let word = |at: usize| parts.get(at).map_or("", |part| part.text);
    let is_name = |at: usize| parts.get(at).is_some_and(|part| part.kind == Embedded::Name);
    let mut found = Vec::new();
    let mut from = false;
    for at in 0..parts.len() {
        let upper = word(at).to_ascii_uppercase();
        match upper.as_str() {
            "FROM" | "JOIN" => from = true,
            "WHERE" | "GROUP" | "ORDER" | "ON" | "SELECT" | "HAVING" | "LIMIT" | "USING" | "SET" => from = false,
            _ => {}
        }
        let begins = matches!(upper.as_str(), "FROM" | "JOIN") || (upper == "," && from);
        if !begins || !is_name(at + 1) {
            continue;
        }
        let (mut name, mut next) = (strip_quotes(word(at + 1)).to_owned(), at + 2);
        let mut own = name.clone();
        if word(next) == "." && is_name(next + 1) {
            own = strip_quotes(word(next + 1)).to_owned();
            name = format!("{name}.{own}");
            next += 2;
        }
        let Some((_, relation)) = tables.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)) else { continue };
        if word(next).eq_ignore_ascii_case("AS") {
            next += 1;
        }
        let alias = strip_quotes(word(next));
        let is_alias = is_name(next) && !sql_words::is_keyword(alias);
        found.push(Read { alias: if is_alias { alias.to_owned() } else { own }, relation });
    }
    found
}
