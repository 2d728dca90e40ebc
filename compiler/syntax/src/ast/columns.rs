//! How a column or field is found and written: its name, its place in a record, its styles, and the headers that `unpivot` turns into rows.

use super::{Expr, Ident, StringLit, Whole};
use model::Span;
use model::text_style::TextStyle;

/// A column's or field's name; `@name` for an XML attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The name.
    pub name: Ident,
    /// `@` in front.
    pub attribute: bool,
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
    /// `written "#,##0"`, `written "0.0K" times 1_000`, `written "0.00 EUR" 10%`
    Written(Written),
    /// `case 25%`, `space 5%`
    Text(TextStyle, Expr),
    /// `missing ["", "N/A"]`
    Missing(Vec<Expr>),
}

/// A pattern of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The pattern.
    pub pattern: StringLit,
    /// What the number in a cell is multiplied by.
    pub times: Option<Expr>,
    /// The percentage of the cells that are written so.
    pub share: Option<Expr>,
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
