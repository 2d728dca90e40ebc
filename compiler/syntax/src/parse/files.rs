//! Parsing of files in the sandbox, tables, rows, and columns.

use super::ast_builder::{AstBuilder, NameOf};
use super::grammar::{Pair, Rule};
use crate::ast::{
    Body, CellLine, Column, ColumnKind, Compute, Constraint, ConstraintKind, Content, Data, Format, FromRel, Ident,
    Key, OrderBy, Repeat, Rows, Span, TableDef, TableStmt,
};

impl AstBuilder<'_> {
    /// `FORMAT NAME at PATH …`
    pub fn parse_data(&mut self, pair: Pair<'_>) -> Option<Data> {
        let mut parts = pair.into_inner();
        let mut data = self.parse_data_head(parts.next()?)?;
        let mut root = None;
        for part in parts {
            match part.as_rule() {
                Rule::from_disk => {
                    // The options before `from` describe the same file.
                    let mut from = self.parse_from_disk(part)?;
                    from.options.splice(0..0, std::mem::take(&mut data.options));
                    data.content = Content::Fixture(from);
                }
                Rule::domain => data.content = Content::Drawn(self.parse_domain(part)),
                Rule::expr => data.content = Content::Computed(self.parse_expr(part)),
                Rule::tables => data.content = Content::Tables(self.parse_tables(part)),
                Rule::root => root = Some(self.parse_ident(&part)),
                Rule::body => data.content = Content::Body { root: root.take(), body: self.parse_body(part) },
                Rule::from_rel => data.content = Content::Taken(Box::new(self.parse_from_rel(part)?)),
                _ => {}
            }
        }
        Some(data)
    }

    /// `FORMAT NAME [: TABLE] at PATH [OPTION…]`, without content.
    pub fn parse_data_head(&mut self, pair: Pair<'_>) -> Option<Data> {
        let whole = self.span(&pair);
        let mut parts = pair.into_inner();
        let format = parts.next()?;
        let format_span = self.span(&format);
        let format = Format::from_word(format.as_str())?;
        let name = self.parse_declared(&parts.next()?, NameOf::Value);
        let (mut table, mut path, mut options) = (None, None, Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::name => table = Some(self.parse_ident(&part)),
                Rule::string => path = Some(self.parse_string(part)),
                _ => options.extend(self.parse_path_option(part)),
            }
        }
        Some(Data {
            format,
            format_span,
            name,
            table,
            path: path?,
            options,
            content: Content::Missing(whole.shrink_to_end()),
        })
    }

    /// `from REL [where P] [{ columns }]`
    fn parse_from_rel(&mut self, pair: Pair<'_>) -> Option<FromRel> {
        let span = self.span(&pair);
        let (mut rel, mut filter, mut body) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::path => rel = Some(self.parse_expr(part)),
                Rule::expr => filter = Some(self.parse_expr(part)),
                Rule::body => body = Some(self.parse_body(part)),
                _ => {}
            }
        }
        Some(FromRel { rel: rel?, filter, body, span })
    }

    fn parse_tables(&mut self, pair: Pair<'_>) -> Vec<TableStmt> {
        pair.into_inner()
            .filter_map(|part| match part.as_rule() {
                Rule::table_stmt => self.parse_table_stmt(part, NameOf::Part),
                Rule::query_view => self.parse_query_view(part),
                _ => None,
            })
            .collect()
    }

    /// `table NAME [: TABLE] { … }`, as a value of the task or inside a file.
    pub fn parse_table_stmt(&mut self, pair: Pair<'_>, of: NameOf) -> Option<TableStmt> {
        let whole = pair.clone();
        let (doc, rest) = self.split_doc(pair);
        let mut parts = rest.into_iter();
        let head = parts.next()?;
        let start = self.span(&head);
        let (name, table) = self.parse_table_head(head, of)?;
        let body = self.parse_body(parts.next()?);
        Some(TableStmt { doc, name, table, body, view: None, span: self.join_span(start, &whole) })
    }

    /// `view NAME = <<rows: SELECT …>>` inside a database.
    pub fn parse_query_view(&mut self, pair: Pair<'_>) -> Option<TableStmt> {
        let whole = pair.clone();
        let (doc, rest) = self.split_doc(pair);
        let mut parts = rest.into_iter();
        let start = self.span(&parts.next()?);
        let Compute { name, value } = self.parse_value_of(parts, NameOf::Part)?;
        let body = Body::new_empty(name.span);
        Some(TableStmt { doc, name, table: None, body, view: Some(value), span: self.join_span(start, &whole) })
    }

    /// `table NAME [: TABLE]`
    pub fn parse_table_head(&mut self, pair: Pair<'_>, of: NameOf) -> Option<(Ident, Option<Ident>)> {
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_table);
        let name = self.parse_declared(&parts.next()?, of);
        let table = parts.next().map(|table| self.parse_ident(&table));
        Some((name, table))
    }

    /// `table NAME { columns }` at top level.
    pub fn parse_table_def(&mut self, pair: Pair<'_>) -> Option<TableDef> {
        let mut parts = pair.into_inner();
        let (name, _) = self.parse_table_head(parts.next()?, NameOf::Part)?;
        Some(TableDef { name, body: self.parse_body(parts.next()?) })
    }

    /// `{ rows … columns }`
    pub fn parse_body(&mut self, pair: Pair<'_>) -> Body {
        let mut body = Body::new_empty(self.span(&pair));
        for part in pair.into_inner() {
            self.parse_body_entry(part, &mut body);
        }
        body
    }

    /// Parses a part of a body.
    pub fn parse_body_entry(&mut self, pair: Pair<'_>, body: &mut Body) {
        match pair.as_rule() {
            Rule::rows => {
                let span = self.span(&pair);
                let Some(part) = pair.into_inner().nth(1) else { return };
                match part.as_rule() {
                    Rule::repeated => body.repeats.extend(self.parse_repeat(part, span)),
                    Rule::ordered_by => body.orders.extend(self.parse_order_by(part, span)),
                    _ => body.rows.push(Rows { count: self.parse_count(part), span }),
                }
            }
            Rule::line => {
                let span = self.span(&pair);
                let mut parts = pair.into_inner().skip(1);
                let Some(text) = parts.next() else { return };
                let text = self.parse_string(text);
                match parts.next() {
                    None => body.lines.push(text),
                    Some(place) => {
                        let line = self.parse_place(place).map(|place| CellLine { text, place, span });
                        body.cell_lines.extend(line);
                    }
                }
            }
            Rule::allow => {
                let span = self.span(&pair);
                if let Some(lint) = pair.into_inner().nth(1) {
                    body.allows.extend(self.parse_allow(lint, span));
                }
            }
            Rule::constraint => body.constraints.extend(self.parse_constraint(pair)),
            Rule::column => body.columns.extend(self.parse_column(pair)),
            Rule::unpivot => body.unpivots.extend(self.parse_unpivot(pair)),
            _ => {}
        }
    }

    /// `repeat P%`, after `rows`
    fn parse_repeat(&mut self, pair: Pair<'_>, span: Span) -> Option<Repeat> {
        Some(Repeat { share: self.parse_share(pair.into_inner().nth(1)?)?, span })
    }

    /// `by COLUMN [desc]`, after `rows`
    fn parse_order_by(&mut self, pair: Pair<'_>, span: Span) -> Option<OrderBy> {
        let mut parts = pair.into_inner().skip(1);
        let column = self.parse_ident(&parts.next()?);
        Some(OrderBy { column, desc: parts.next().is_some(), span })
    }

    /// `unique (A, B)`, `key (A, B)`, `index (A, B)`
    fn parse_constraint(&mut self, pair: Pair<'_>) -> Option<Constraint> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let kind = ConstraintKind::from_word(parts.next()?.as_str())?;
        Some(Constraint { kind, columns: self.parse_tuple(parts.next()?), span })
    }

    /// Parses names separated by commas.
    pub fn parse_tuple(&mut self, pair: Pair<'_>) -> Vec<Ident> {
        self.parse_separated(pair, |this, name| Some(this.parse_ident(&name)))
    }

    fn parse_column(&mut self, pair: Pair<'_>) -> Option<Column> {
        let (doc, rest) = self.split_doc(pair);
        let mut keys = Vec::new();
        let (mut kind, mut place, mut styles) = (None, None, Vec::new());
        let mut end: Option<Span> = None;
        let mut rest = rest.into_iter();
        while let Some(part) = rest.next() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::key => keys.push(self.parse_key(&part)),
                Rule::colon_hole => {
                    let sign = self.make_span(span.start as usize, span.start as usize + 1);
                    kind = Some(ColumnKind::Draw(self.report_missing_domain(sign, "a domain")));
                }
                Rule::eq_hole | Rule::eq | Rule::expr => {
                    let name = keys.last().map(|key: &Key| key.name.text.clone()).unwrap_or_default();
                    let value = self.parse_after_eq(part, rest.next(), &name)?;
                    end = Some(value.span);
                    kind = Some(ColumnKind::Compute(value));
                    continue;
                }
                Rule::domain => kind = Some(ColumnKind::Draw(self.parse_domain(part))),
                Rule::place => place = self.parse_place(part),
                Rule::styles => styles = self.parse_styles(part),
                _ => {}
            }
            end = Some(span);
        }
        let first = keys.first()?.name.span;
        let start = if keys.first()?.attribute { first.start as usize - 1 } else { first.start as usize };
        let span = self.make_span(start, end?.end as usize);
        Some(Column { doc, keys, kind: kind?, place, styles, span })
    }

    fn parse_key(&mut self, pair: &Pair<'_>) -> Key {
        let attribute = pair.clone().into_inner().any(|part| part.as_rule() == Rule::attribute);
        Key { name: self.parse_ident(pair), attribute }
    }
}
