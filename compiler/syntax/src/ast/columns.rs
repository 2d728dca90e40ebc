//! Columns and fields: their names, values, places in records, styles, and the headers that `unpivot` turns into rows.

use super::{Doc, Domain, Expr, Ident, Span, StringLit, Walk, Whole};
use model::text_style::TextStyle;

/// A column or field: `NAME : DOMAIN`, `NAME = expr`.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Several only in draws (`a, b : distinct D`).
    pub keys: Vec<Key>,
    /// Drawn or computed; in a file that is read, checked against a domain or computed.
    pub kind: ColumnKind,
    /// `from "Header"`: the place of the cell in the record.
    pub place: Option<Place>,
    /// `as STYLE…`, in order.
    pub styles: Vec<Style>,
    /// Without the doc comment.
    pub span: Span,
}

/// The place of a column's cell in a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// With `from`.
    pub span: Span,
}

/// The kinds of [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    /// `from "Header"`: under this header.
    Header(StringLit),
    /// `from 3`: the third cell.
    Position(Whole),
    /// `from 19..32`: these characters of a line.
    Characters(Whole, Whole),
}

/// A style in which the cells of a column are written or read.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Which.
    pub kind: StyleKind,
    /// The whole style.
    pub span: Span,
}

/// The kinds of [`Style`].
#[derive(Clone, Debug, PartialEq)]
pub enum StyleKind {
    /// `written "#,##0"`, `written "0.00 EUR" 10%`
    Written(StringLit, Option<Expr>),
    /// `case 25%`, `space 5%`
    Text(TextStyle, Expr),
    /// `missing ["", "N/A"]`
    Missing(Vec<Expr>),
}

/// `unpivot NAME [: DOMAIN], NAME : DOMAIN from HEADERS [as STYLE…], …`: a row for each of several headers.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpivot {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// The column of the headers.
    pub name: Ident,
    /// Its domain; text without one.
    pub domain: Option<Domain>,
    /// The columns of the cells below them, at least one.
    pub values: Vec<UnpivotValue>,
    /// Without the doc comment.
    pub span: Span,
}

/// `NAME : DOMAIN from HEADERS [as STYLE…]` of an [`Unpivot`].
#[derive(Clone, Debug, PartialEq)]
pub struct UnpivotValue {
    /// The column's name.
    pub name: Ident,
    /// The domain of its cells.
    pub domain: Domain,
    /// The headers of the cells.
    pub headers: Headers,
    /// `as STYLE…`, in order.
    pub styles: Vec<Style>,
    /// The whole.
    pub span: Span,
}

/// The headers that `unpivot` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Headers {
    /// `["2001", "2002"]`
    List(Vec<Expr>),
    /// `"January".."December"`
    Span(StringLit, StringLit),
    /// `"* / Tag"`
    Pattern(StringLit),
}

/// A column's or field's name; `@name` for an XML attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The name.
    pub name: Ident,
    /// `@` in front.
    pub attribute: bool,
}

/// The source of a column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// `: DOMAIN`
    Draw(Domain),
    /// `= expr`
    Compute(Expr),
}

impl Style {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            StyleKind::Written(pattern, share) => {
                walk.visit_string(pattern);
                walk.visit_exprs(share);
            }
            StyleKind::Text(_, share) => walk.visit_expr(share),
            StyleKind::Missing(marks) => walk.visit_exprs(marks),
        }
    }
}

impl Unpivot {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        self.domain.iter().for_each(|domain| walk.visit_domain(domain));
        for value in &self.values {
            walk.visit_name(&value.name);
            walk.visit_domain(&value.domain);
            match &value.headers {
                Headers::List(headers) => walk.visit_exprs(headers),
                Headers::Span(first, last) => walk.visit_strings([first, last]),
                Headers::Pattern(pattern) => walk.visit_string(pattern),
            }
            value.styles.iter().for_each(|style| style.walk_children(walk));
        }
    }
}
