//! Domains, and the bodies of columns that tables and objects have: a column draws from a domain, and a domain may be an object.

use super::{Allow, Constraint, Count, Doc, Expr, Headers, Ident, Key, OrderBy, Place, Repeat, Rows, StringLit, Style};
use model::Span;
use model::domain::LoremUnit;

/// A domain as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// `unique`, `distinct`, `sorted`, in order.
    pub modifiers: Vec<(Modifier, Span)>,
    /// The domain itself.
    pub kind: DomainKind,
    /// `blank P%`, `except V`, `step S`, in order.
    pub suffixes: Vec<Suffix>,
    /// The range of the whole domain.
    pub span: Span,
}

model::worded! {
    /// Words before a domain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Modifier {
        Unique = "unique",
        Distinct = "distinct",
        Sorted = "sorted",
    }
}

/// A suffix of a domain: a keyword after it, with an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// Its kind.
    pub kind: SuffixKind,
    /// Its argument.
    pub value: Expr,
    /// Its range, with the keyword.
    pub span: Span,
}

model::worded! {
    /// The suffixes of a domain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum SuffixKind {
        Blank = "blank",
        Except = "except",
        Step = "step",
    }
}

/// The forms of a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainKind {
    /// The domain is missing.
    Missing,
    /// `word`, `int 1..9`, `bool 80%`, `zipf 100`, `normal mean 5 sd 2 0..10`, `name(args)`. The compiler distinguishes constructors (`int`, `decimal`, `date`,
    /// `datetime`, `bool`, `serial`, `normal`, `lognormal`, `zipf`) from named domains.
    Named(NamedDomain),
    /// `one_of [ … ]`
    OneOf(Vec<Expr>),
    /// `one_of CITIES`: a constant that is a list.
    OneOfConstant(Ident),
    /// `one_of lines "words.txt"`
    OneOfLines(StringLit),
    /// `weighted [ "a": 3, "b": 1 ]`
    Weighted(Vec<(Expr, Expr)>),
    /// `pattern "[A-Z]{3}"`
    Pattern(StringLit),
    /// `template "<<first_name>> <<last_name>>"`: placeholders name domains.
    Template(StringLit),
    /// `ref REL.COLUMN [where P]`, `ref REL.(A, B) [where P]`
    Ref {
        /// `[REL, COLUMN]` or `[DB, TABLE, COLUMN]`; with several columns, the first.
        path: Vec<Ident>,
        /// The columns in parentheses, the first included; empty without parentheses.
        tuple: Vec<Ident>,
        /// The predicate.
        filter: Option<Box<Expr>>,
    },
    /// `lorem words N`
    Lorem {
        /// `words`, `sentences`, `paragraphs`, or `lines`.
        unit: LoremUnit,
        /// The number of units.
        count: Box<Count>,
    },
    /// `{ fields }`: an object, in JSON, YAML, XML.
    Object(Body),
    /// `[ DOMAIN ; COUNT ]`: an array, in JSON, YAML, XML.
    Array {
        /// The domain of each element.
        element: Box<Domain>,
        /// The number of elements.
        count: Box<Count>,
    },
}

/// A domain by name, with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDomain {
    /// Its name.
    pub name: Ident,
    /// `A..B`
    pub range: Option<Box<(Expr, Expr)>>,
    /// `(a, b)`
    pub args: Option<Vec<Expr>>,
    /// `mean M`, `sd S`, in order.
    pub keywords: Vec<(Ident, Expr)>,
    /// A number without keyword (`zipf 100`), or a share (`bool 80%`, `bool mess%`).
    pub operand: Option<Box<Expr>>,
}

/// `line "<<AMOUNT>> <<UNIT>>" from "Price"`: one cell is read as several columns.
#[derive(Clone, Debug, PartialEq)]
pub struct CellLine {
    /// The pattern of the cells.
    pub text: StringLit,
    /// Where they are.
    pub place: Place,
    /// The whole clause.
    pub span: Span,
}

/// `{ rows N  line "…"  columns }`
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Every `rows` clause (`check` refuses a second one).
    pub rows: Vec<Rows>,
    /// Every `rows repeat P%` of a file that is written (`check` refuses a second one).
    pub repeats: Vec<Repeat>,
    /// Every `rows by COLUMN` of a file that is written (`check` refuses a second one).
    pub orders: Vec<OrderBy>,
    /// Every `line` clause of a text file.
    pub lines: Vec<StringLit>,
    /// Every `line "…" from PLACE` of a table that is read.
    pub cell_lines: Vec<CellLine>,
    /// The columns or fields.
    pub columns: Vec<Column>,
    /// Every `unpivot` of a table that is read (`check` refuses a second one).
    pub unpivots: Vec<Unpivot>,
    /// `unique (A, B)`, `key (A, B)`, `index (A, B)`.
    pub constraints: Vec<Constraint>,
    /// Every `allow LINT "reason"` of a table that is read.
    pub allows: Vec<Allow>,
    /// With the braces.
    pub span: Span,
}

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

/// The source of a column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// `: DOMAIN`
    Draw(Domain),
    /// `= expr`
    Compute(Expr),
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

impl Domain {
    /// A domain that is missing at a place.
    pub fn new_missing(span: Span) -> Domain {
        Domain { modifiers: Vec::new(), kind: DomainKind::Missing, suffixes: Vec::new(), span }
    }

    /// Whether the domain has this modifier.
    pub fn has_modifier(&self, modifier: Modifier) -> bool {
        self.modifiers.iter().any(|(found, _)| *found == modifier)
    }
}

impl Body {
    /// Returns an empty body.
    pub fn new_empty(span: Span) -> Body {
        Body {
            rows: Vec::new(),
            repeats: Vec::new(),
            orders: Vec::new(),
            lines: Vec::new(),
            cell_lines: Vec::new(),
            columns: Vec::new(),
            unpivots: Vec::new(),
            constraints: Vec::new(),
            allows: Vec::new(),
            span,
        }
    }

    /// Iterates over the spans of all clauses that begin with `rows`.
    pub fn iter_rows_clauses(&self) -> impl Iterator<Item = Span> {
        let counts = self.rows.iter().map(|rows| rows.span);
        let repeats = self.repeats.iter().map(|repeat| repeat.span);
        counts.chain(repeats).chain(self.orders.iter().map(|order| order.span))
    }

    /// Checks whether the body has `allow` clauses and nothing else.
    pub fn has_only_allows(&self) -> bool {
        let nothing = self.rows.is_empty() && self.lines.is_empty() && self.columns.is_empty();
        let nothing = nothing && self.cell_lines.is_empty();
        let nothing = nothing && self.repeats.is_empty() && self.orders.is_empty();
        !self.allows.is_empty() && nothing && self.unpivots.is_empty() && self.constraints.is_empty()
    }
}
