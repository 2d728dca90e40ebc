//! The form of a table in a file: all differences between the clean values of a relation and the bytes of its file.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{ColumnId, Compile, Compiled, Phase, Printed, Role, Scope, Visit};
use crate::Decimal;
use crate::text_style::TextStyle;

/// The form of rows of cells, or of lines of text.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Form<S: Phase = Compiled> {
    /// The character between cells: an ASCII character that cells do not need, such as `,`, `;`, or a tab. Unused in texts.
    pub delimiter: char,
    /// Whether every cell is quoted, except nulls.
    pub quoted: bool,
    /// Whether lines end in `\r\n` instead of `\n`.
    pub crlf: bool,
    /// Whether the file begins with U+FEFF.
    pub bom: bool,
    /// The encoding, as the word for one of `tabular`'s encodings; `utf-8` by default.
    #[serde(skip_serializing_if = "is_utf8")]
    pub encoding: String,
    /// The lines before the table, a text: evaluated for a row of the relation in a file group, otherwise without a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<S::Expr>,
    /// The lines after the table, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<S::Expr>,
    /// Number of header rows: 0, 1, or 2. Unused in texts.
    #[serde(skip_serializing_if = "is_one")]
    pub header: u8,
    /// The columns with styles, in the order of the columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub styled: Vec<Styled<S>>,
    /// Percentage of rows that are written twice: an int or a decimal, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<S::Expr>,
}

/// The styles of the cells in a column.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Styled<S: Phase = Compiled> {
    /// The column of the file's relation.
    pub column: ColumnId,
    /// Its styles, in source order.
    pub styles: Vec<Style<S>>,
}

/// A style. A share is an int or a decimal from 0 to 100: a percentage of the cells.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Style<S: Phase = Compiled> {
    /// A pattern of `tabular`; without a share, it applies to every cell without another pattern. With factors, the first of several that holds the value.
    Written {
        /// The pattern.
        pattern: String,
        /// What the number in a text is multiplied by.
        #[serde(skip_serializing_if = "Option::is_none")]
        times: Option<Decimal>,
        /// The share of the cells.
        #[serde(skip_serializing_if = "Option::is_none")]
        share: Option<S::Expr>,
    },
    /// Each null is drawn from these texts.
    Missing(Vec<String>),
    /// This share of the cells has other letters or blanks.
    #[serde(untagged, serialize_with = "serialize_text_style")]
    Text(TextStyle, S::Expr),
}

/// Serializes a style of texts as `{"case": SHARE}`.
fn serialize_text_style<E: Serialize, S: Serializer>(style: &TextStyle, share: &E, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(1))?;
    map.serialize_entry(style.word(), share)?;
    map.end()
}

impl<S: Phase> Form<S> {
    /// Creates the default form with this character between cells.
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

    /// Returns the styles of a column.
    pub fn find_styles(&self, column: ColumnId) -> &[Style<S>] {
        self.styled.iter().find(|styled| styled.column == column).map_or(&[], |styled| &styled.styles)
    }

    /// Checks whether a file of this form could be read as a different table; then it is read back.
    pub fn is_read_back(&self) -> bool {
        !is_utf8(&self.encoding)
            || self.above.is_some()
            || self.below.is_some()
            || self.header != 1
            || !self.styled.is_empty()
            || self.repeat.is_some()
    }

    /// Calls `visit` for every whole expression in it. The lines above and below have the scope `around`: a row of the relation in a file group.
    pub fn visit_exprs<'a>(&'a self, around: Scope, visit: &mut Visit<'_, 'a, S>) {
        self.above.iter().chain(&self.below).for_each(|text| visit(Role::Value, text, around));
        let shares = self.styled.iter().flat_map(|styled| &styled.styles).filter_map(Style::share);
        shares.chain(&self.repeat).for_each(|share| visit(Role::Value, share, Scope::default()));
    }

    /// Compiles it.
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
    /// Returns the percentage of the cells with this style; `None` if it applies to every possible cell.
    pub fn share(&self) -> Option<&S::Expr> {
        match self {
            Style::Written { share, .. } => share.as_ref(),
            Style::Missing(_) => None,
            Style::Text(_, share) => Some(share),
        }
    }

    /// Returns which style of texts it is.
    pub fn text_style(&self) -> Option<TextStyle> {
        match self {
            Style::Text(style, _) => Some(*style),
            Style::Written { .. } | Style::Missing(_) => None,
        }
    }

    fn compile_with(&self, by: &mut impl Compile<S>) -> Style {
        match self {
            Style::Written { pattern, times, share } => Style::Written {
                pattern: pattern.clone(),
                times: *times,
                share: share.as_ref().map(|share| by.compile_expr(share)),
            },
            Style::Missing(marks) => Style::Missing(marks.clone()),
            Style::Text(style, share) => Style::Text(*style, by.compile_expr(share)),
        }
    }
}

/// The default encoding of files.
pub const UTF_8: &str = "utf-8";

/// Checks for the default, which is omitted: plans are printed as before other encodings and headers existed.
fn is_utf8(encoding: &str) -> bool {
    encoding == UTF_8
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks with a reference
fn is_one(header: &u8) -> bool {
    *header == 1
}
