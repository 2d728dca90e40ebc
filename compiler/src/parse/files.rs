//! Files in the sandbox, tables, rows and columns.

use super::grammar::{Pair, Rule};
use super::walk::Walker;
use crate::ast::{
    Body, Column, ColumnKind, Constraint, ConstraintKind, Content, Data, Expr, ExprKind, Format, FromRel, Ident, Key,
    OrderBy, Repeat, Rows, Span, TableDef, TableStmt,
};

impl Walker<'_> {
    /// `FORMAT NAME at PATH …`
    pub fn data(&mut self, pair: Pair<'_>) -> Option<Data> {
        let mut parts = pair.into_inner();
        let mut data = self.data_head(parts.next()?)?;
        let mut root = None;
        for part in parts {
            match part.as_rule() {
                Rule::from_disk => {
                    // What precedes `from` describes the same file.
                    let mut from = self.on_disk(part)?;
                    from.options.splice(0..0, std::mem::take(&mut data.options));
                    data.content = Content::Fixture(from);
                }
                Rule::domain => data.content = Content::Drawn(self.domain(part)),
                Rule::expr => data.content = Content::Computed(self.expr(part)),
                Rule::tables => data.content = Content::Tables(self.tables(part)),
                Rule::root => root = Some(self.ident(&part)),
                Rule::body => data.content = Content::Body { root: root.take(), body: self.body(part) },
                Rule::from_rel => data.content = Content::Taken(Box::new(self.taken(part)?)),
                _ => {}
            }
        }
        Some(data)
    }

    /// `FORMAT NAME [: TABLE] at PATH [OPTION…]`, with nothing in it yet.
    pub fn data_head(&mut self, pair: Pair<'_>) -> Option<Data> {
        let whole = self.span(&pair);
        let mut parts = pair.into_inner();
        let format = parts.next()?;
        let format_span = self.span(&format);
        let format = Format::of(format.as_str())?;
        let name = self.declared(&parts.next()?, true);
        let (mut table, mut path, mut options) = (None, None, Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::name => table = Some(self.ident(&part)),
                Rule::string => path = Some(self.string(part)),
                _ => options.extend(self.path_option(part)),
            }
        }
        Some(Data { format, format_span, name, table, path: path?, options, content: Content::Missing(whole.after()) })
    }

    /// `from REL [where P] [{ columns }]`
    fn taken(&mut self, pair: Pair<'_>) -> Option<FromRel> {
        let span = self.span(&pair);
        self.rel_parts(span, pair.into_inner())
    }

    /// `FORMAT NAME at PATH … from REL [where P]`, whose columns are read one by one.
    pub fn rel_opened(&mut self, pair: Pair<'_>) -> Option<(Data, FromRel)> {
        let whole = pair.clone();
        let mut parts = pair.into_inner();
        let data = self.data_head(parts.next()?)?;
        let span = self.span_from(self.span(&parts.clone().next()?), &whole);
        Some((data, self.rel_parts(span, parts)?))
    }

    fn rel_parts<'p>(&mut self, span: Span, parts: impl Iterator<Item = Pair<'p>>) -> Option<FromRel> {
        let (mut rel, mut filter, mut body) = (None, None, None);
        for part in parts {
            match part.as_rule() {
                Rule::path => {
                    let span = self.span(&part);
                    rel = Some(Expr { kind: ExprKind::Path(self.path(part)), span });
                }
                Rule::expr => filter = Some(self.expr(part)),
                Rule::body => body = Some(self.body(part)),
                _ => {}
            }
        }
        Some(FromRel { rel: rel?, filter, body, span })
    }

    fn tables(&mut self, pair: Pair<'_>) -> Vec<TableStmt> {
        pair.into_inner()
            .filter_map(|part| match part.as_rule() {
                Rule::table_stmt => self.table_stmt(part, false),
                Rule::query_view => self.query_view(part),
                _ => None,
            })
            .collect()
    }

    /// `table NAME [: TABLE] { … }`, as a value of the task or inside a file.
    pub fn table_stmt(&mut self, pair: Pair<'_>, value: bool) -> Option<TableStmt> {
        let whole = pair.clone();
        let (doc, rest) = self.documented(pair);
        let mut parts = rest.into_iter();
        let head = parts.next()?;
        let start = self.span(&head);
        let (name, table) = self.table_head(head, value)?;
        let body = self.body(parts.next()?);
        Some(TableStmt { doc, name, table, body, view: None, span: self.span_from(start, &whole) })
    }

    /// `view NAME = <<rows: SELECT …>>` inside a database.
    pub fn query_view(&mut self, pair: Pair<'_>) -> Option<TableStmt> {
        let whole = pair.clone();
        let (doc, rest) = self.documented(pair);
        let mut parts = rest.into_iter();
        let start = self.span(&parts.next()?);
        let name = self.declared(&parts.next()?, false);
        let query = self.after_eq(parts.next()?, parts.next(), &name.text)?;
        let body = Body::empty(name.span);
        Some(TableStmt { doc, name, table: None, body, view: Some(query), span: self.span_from(start, &whole) })
    }

    /// `table NAME [: TABLE]`
    pub fn table_head(&mut self, pair: Pair<'_>, value: bool) -> Option<(Ident, Option<Ident>)> {
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_table);
        let name = self.declared(&parts.next()?, value);
        let table = parts.next().map(|table| self.ident(&table));
        Some((name, table))
    }

    /// `table NAME { columns }` at top level.
    pub fn table_def(&mut self, pair: Pair<'_>) -> Option<TableDef> {
        let mut parts = pair.into_inner();
        let (name, _) = self.table_head(parts.next()?, false)?;
        Some(TableDef { name, body: self.body(parts.next()?) })
    }

    /// `{ rows … columns }`
    pub fn body(&mut self, pair: Pair<'_>) -> Body {
        let mut body = Body::empty(self.span(&pair));
        for part in pair.into_inner() {
            self.entry(part, &mut body);
        }
        body
    }

    /// A part of a body.
    pub fn entry(&mut self, pair: Pair<'_>, body: &mut Body) {
        match pair.as_rule() {
            Rule::rows => {
                let span = self.span(&pair);
                let Some(part) = pair.into_inner().nth(1) else { return };
                match part.as_rule() {
                    Rule::repeated => body.repeats.extend(self.repeated(part, span)),
                    Rule::ordered_by => body.orders.extend(self.ordered_by(part, span)),
                    _ => body.rows.push(Rows { count: self.count(part), span }),
                }
            }
            Rule::line => {
                if let Some(text) = pair.into_inner().nth(1) {
                    body.lines.push(self.string(text));
                }
            }
            Rule::allow => {
                let span = self.span(&pair);
                if let Some(lint) = pair.into_inner().nth(1) {
                    body.allows.extend(self.lint(lint, span));
                }
            }
            Rule::constraint => body.constraints.extend(self.constraint(pair)),
            Rule::column => body.columns.extend(self.column(pair)),
            Rule::unpivot => body.unpivots.extend(self.unpivot(pair)),
            _ => {}
        }
    }

    /// `repeat P%`, after `rows`
    fn repeated(&mut self, pair: Pair<'_>, span: Span) -> Option<Repeat> {
        Some(Repeat { share: self.share(pair.into_inner().nth(1)?)?, span })
    }

    /// `by COLUMN [desc]`, after `rows`
    fn ordered_by(&mut self, pair: Pair<'_>, span: Span) -> Option<OrderBy> {
        let mut parts = pair.into_inner().skip(1);
        let column = self.ident(&parts.next()?);
        Some(OrderBy { column, desc: parts.next().is_some(), span })
    }

    /// `unique (A, B)`, `key (A, B)`, `index (A, B)`
    fn constraint(&mut self, pair: Pair<'_>) -> Option<Constraint> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let kind = ConstraintKind::of(parts.next()?.as_str())?;
        Some(Constraint { kind, columns: self.tuple(parts.next()?), span })
    }

    /// Names with commas between them.
    pub fn tuple(&mut self, pair: Pair<'_>) -> Vec<Ident> {
        let mut names: Vec<Ident> = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::comma => self.comma(&part, names.last().map(|name| name.span)),
                _ => names.push(self.ident(&part)),
            }
        }
        names
    }

    fn column(&mut self, pair: Pair<'_>) -> Option<Column> {
        let (doc, rest) = self.documented(pair);
        let mut keys = Vec::new();
        let (mut kind, mut place, mut styles) = (None, None, Vec::new());
        let mut end: Option<Span> = None;
        let mut rest = rest.into_iter();
        while let Some(part) = rest.next() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::key => keys.push(self.key(&part)),
                Rule::colon_hole => {
                    let sign = self.at(span.start as usize, span.start as usize + 1);
                    kind = Some(ColumnKind::Draw(self.missing_domain(sign, "a domain")));
                }
                Rule::eq_hole | Rule::eq | Rule::expr => {
                    let name = keys.last().map(|key: &Key| key.name.text.clone()).unwrap_or_default();
                    let value = self.after_eq(part, rest.next(), &name)?;
                    end = Some(value.span);
                    kind = Some(ColumnKind::Compute(value));
                    continue;
                }
                Rule::domain => kind = Some(ColumnKind::Draw(self.domain(part))),
                Rule::place => place = self.place(part),
                Rule::styles => styles = self.styles(part),
                _ => {}
            }
            end = Some(span);
        }
        let first = keys.first()?.name.span;
        let start = if keys.first()?.attribute { first.start as usize - 1 } else { first.start as usize };
        let span = self.at(start, end?.end as usize);
        Some(Column { doc, keys, kind: kind?, place, styles, span })
    }

    fn key(&mut self, pair: &Pair<'_>) -> Key {
        let attribute = pair.clone().into_inner().any(|part| part.as_rule() == Rule::attribute);
        Key { name: self.ident(pair), attribute }
    }
}
