//! Domains as written.

use super::{Body, Count, Expr, Ident, LoremUnit, Node, Span, StringLit, Walk};

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

impl Domain {
    /// A domain that is missing at a place.
    pub fn new_missing(span: Span) -> Domain {
        Domain { modifiers: Vec::new(), kind: DomainKind::Missing, suffixes: Vec::new(), span }
    }

    /// Whether the domain has this modifier.
    pub fn has_modifier(&self, modifier: Modifier) -> bool {
        self.modifiers.iter().any(|(found, _)| *found == modifier)
    }

    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            DomainKind::Missing | DomainKind::OneOfConstant(_) => {}
            DomainKind::Named(named) => {
                walk.visit_node(Node::Named(named));
                named.walk_children(walk);
            }
            DomainKind::OneOf(items) => walk.visit_exprs(items),
            DomainKind::OneOfLines(text) | DomainKind::Pattern(text) | DomainKind::Template(text) => {
                walk.visit_string(text)
            }
            DomainKind::Weighted(items) => walk.visit_exprs(items.iter().flat_map(|(value, weight)| [value, weight])),
            DomainKind::Ref { path, tuple, filter } => {
                walk.visit_names(path.iter().chain(tuple.iter().skip(1)));
                walk.visit_exprs(filter.as_deref());
            }
            DomainKind::Lorem { count, .. } => count.walk_children(walk),
            DomainKind::Object(body) => walk.visit_body(body),
            DomainKind::Array { element, count } => {
                walk.visit_domain(element);
                count.walk_children(walk);
            }
        }
        for suffix in &self.suffixes {
            walk.visit_node(Node::Suffix(suffix));
            walk.visit_expr(&suffix.value);
        }
    }
}

impl NamedDomain {
    fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        if let Some(range) = &self.range {
            walk.visit_exprs([&range.0, &range.1]);
        }
        walk.visit_exprs(self.args.iter().flatten());
        walk.visit_exprs(self.keywords.iter().map(|(_, value)| value));
        walk.visit_exprs(self.operand.as_deref());
    }
}
