//! How a table is written in a file: everything that is between the clean values of a relation and the bytes of its file.

use serde::Serialize;

use super::{ColumnId, Compile, Compiled, Phase, Printed, Role, Scope, Visit};

/// How rows of cells, or lines of text, are written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Form<S: Phase = Compiled> {
    /// The character between cells: one of ASCII that cells do not need, such as `,`, `;` or a tab. In texts unused.
    pub delimiter: char,
    /// Every cell is quoted, except nulls.
    pub quoted: bool,
    /// Lines end in `\r\n`, not `\n`.
    pub crlf: bool,
    /// The file begins with U+FEFF.
    pub bom: bool,
    /// How characters are bytes: the word of one of `tabular`'s encodings, `utf-8` if nothing is said.
    #[serde(skip_serializing_if = "is_utf8")]
    pub encoding: String,
    /// Lines before the table, a text: over a row of the relation where a file is one of many, else at the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<S::Expr>,
    /// Lines after the table, the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<S::Expr>,
    /// How many rows the header has: 0, 1, or 2. In texts unused.
    #[serde(skip_serializing_if = "is_one")]
    pub header: u8,
    /// The columns whose cells are not written plainly, in the order of the columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub styled: Vec<Styled<S>>,
    /// Percentage of rows that are written twice: an int or a decimal, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<S::Expr>,
}

/// How the cells of a column are written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Styled<S: Phase = Compiled> {
    /// Which column of the file's relation.
    pub column: ColumnId,
    /// Its styles, as they are in the source.
    pub styles: Vec<Style<S>>,
}

/// A style. A share is an int or a decimal, 0 to 100: a percentage of the cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Style<S: Phase = Compiled> {
    /// Written by a pattern of `tabular`; without a share, every cell that none with a share has taken.
    Written {
        /// The pattern.
        pattern: String,
        /// How many of the cells.
        #[serde(skip_serializing_if = "Option::is_none")]
        share: Option<S::Expr>,
    },
    /// Each null is one of these texts, drawn.
    Missing(Vec<String>),
    /// So many of the cells in other letters: capitals, small letters, or capitalized.
    Case(S::Expr),
    /// So many of the cells with a blank more.
    Space(S::Expr),
}

impl<S: Phase> Form<S> {
    /// A form about which nothing is said but the character between cells.
    pub fn from_delimiter(delimiter: char) -> Form<S> {
        Form {
            delimiter,
            quoted: false,
            crlf: false,
            bom: false,
            encoding: UTF_8.to_owned(),
            above: None,
            below: None,
            header: 1,
            styled: Vec::new(),
            repeat: None,
        }
    }

    /// The styles of a column.
    pub fn find_styles(&self, column: ColumnId) -> &[Style<S>] {
        self.styled.iter().find(|styled| styled.column == column).map_or(&[], |styled| &styled.styles)
    }

    /// Whether a file of this form could be read as another table than it was written from: it is read back.
    pub fn is_read_back(&self) -> bool {
        !is_utf8(&self.encoding)
            || self.above.is_some()
            || self.below.is_some()
            || self.header != 1
            || !self.styled.is_empty()
            || self.repeat.is_some()
    }

    /// Calls `visit` for every whole expression in it. What is above and below is at `around`: where a file is one of many, a row of its relation.
    pub fn visit_exprs<'a>(&'a self, around: Scope, visit: &mut Visit<'_, 'a, S>) {
        self.above.iter().chain(&self.below).for_each(|text| visit(Role::Value, text, around));
        let shares = self.styled.iter().flat_map(|styled| &styled.styles).filter_map(Style::share);
        shares.chain(&self.repeat).for_each(|share| visit(Role::Value, share, Scope::default()));
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Form {
        Form {
            delimiter: self.delimiter,
            quoted: self.quoted,
            crlf: self.crlf,
            bom: self.bom,
            encoding: self.encoding.clone(),
            above: self.above.as_ref().map(|text| by.compile_expr(text)),
            below: self.below.as_ref().map(|text| by.compile_expr(text)),
            header: self.header,
            styled: self.styled.iter().map(|styled| styled.compile_with(by)).collect(),
            repeat: self.repeat.as_ref().map(|share| by.compile_expr(share)),
        }
    }
}

impl<S: Phase> Styled<S> {
    fn compile_with(&self, by: &mut impl Compile<S>) -> Styled {
        Styled { column: self.column, styles: self.styles.iter().map(|style| style.compile_with(by)).collect() }
    }
}

impl<S: Phase> Style<S> {
    /// How many of a hundred cells have it; nothing for one that every cell has which it can apply to.
    pub fn share(&self) -> Option<&S::Expr> {
        match self {
            Style::Written { share, .. } => share.as_ref(),
            Style::Missing(_) => None,
            Style::Case(share) | Style::Space(share) => Some(share),
        }
    }

    fn compile_with(&self, by: &mut impl Compile<S>) -> Style {
        match self {
            Style::Written { pattern, share } => {
                Style::Written { pattern: pattern.clone(), share: share.as_ref().map(|share| by.compile_expr(share)) }
            }
            Style::Missing(marks) => Style::Missing(marks.clone()),
            Style::Case(share) => Style::Case(by.compile_expr(share)),
            Style::Space(share) => Style::Space(by.compile_expr(share)),
        }
    }
}

/// The encoding of files of which nothing is said.
pub const UTF_8: &str = "utf-8";

/// Plans are printed as before there were other encodings and headers.
fn is_utf8(encoding: &str) -> bool {
    encoding == UTF_8
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks with a reference
fn is_one(header: &u8) -> bool {
    *header == 1
}
