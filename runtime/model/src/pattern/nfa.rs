//! A nondeterministic finite automaton (NFA) with empty moves, built from the syntax tree of a regular expression.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, HirKind};

use super::error::{PatternError, build_error, build_size_error};

/// The maximum number of nodes: repetition copies its body.
const MAX_NODES: usize = 50_000;
/// The maximum number of characters of a class: beyond this, nobody meant all of them.
const MAX_CLASS: u128 = 2_000;

/// A node. Nodes only lead to earlier nodes, so the automaton has no cycle.
pub(crate) enum Node {
    /// The end of the text.
    Accept,
    /// One character, then on.
    Chars(Vec<(char, char)>, usize),
    /// Either way, without a character.
    Either(Vec<usize>),
}

/// Counts the characters of `low..=high`. No range here spans the surrogates.
pub(crate) fn count_characters(low: char, high: char) -> u128 {
    u128::from(u32::from(high) - u32::from(low)) + 1
}

/// Builds the nodes of a pattern.
pub(crate) struct Builder<'a> {
    /// The pattern, as written.
    pub(crate) source: &'a str,
    /// The first is the end of the text.
    pub(crate) nodes: Vec<Node>,
}

/// The ends of the text at which a part of a pattern is: nothing can precede or follow it, and an anchor always holds there.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    first: bool,
    last: bool,
}

impl Ends {
    /// The ends of the whole pattern.
    pub(crate) const WHOLE: Ends = Ends { first: true, last: true };
    /// A part that can be repeated.
    const INNER: Ends = Ends { first: false, last: false };
}

const FLAGS: &str = "flags are not taken in a pattern: write the letters, as in `[Aa]`";

impl Builder<'_> {
    /// Adds `tree`, to be followed by `next`, and returns its first node.
    pub(crate) fn add_tree(&mut self, tree: &Ast, next: usize, ends: Ends) -> Result<usize, PatternError> {
        match tree {
            Ast::Empty(_) => Ok(next),
            Ast::Literal(literal) => self.push_node(Node::Chars(vec![(literal.c, literal.c)], next)),
            Ast::Dot(dot) => self.add_narrowed_class(&build_printable(**dot), next),
            Ast::ClassPerl(class) => self.add_class(&convert_perl(class), class.span, next),
            Ast::ClassUnicode(class) => self.add_class(&convert_unicode(class), class.span, next),
            Ast::ClassBracketed(class) => self.add_class(&convert_bracketed(class), class.span, next),
            Ast::Group(group) => {
                if let ast::GroupKind::NonCapturing(flags) = &group.kind
                    && !flags.items.is_empty()
                {
                    return Err(build_error(&flags.span, FLAGS));
                }
                self.add_tree(&group.ast, next, ends)
            }
            Ast::Flags(flags) => Err(build_error(&flags.span, FLAGS)),
            Ast::Assertion(assertion) => match assertion.kind {
                ast::AssertionKind::StartLine | ast::AssertionKind::StartText if ends.first => Ok(next),
                ast::AssertionKind::EndLine | ast::AssertionKind::EndText if ends.last => Ok(next),
                _ => Err(build_error(
                    &assertion.span,
                    "a pattern describes the whole text: `^` is allowed at its start and `$` at its end, but no other anchor",
                )),
            },
            Ast::Alternation(alternation) => {
                let mut ways = Vec::with_capacity(alternation.asts.len());
                for tree in &alternation.asts {
                    ways.push(self.add_tree(tree, next, ends)?);
                }
                self.push_node(Node::Either(ways))
            }
            Ast::Concat(concat) => {
                // Anchors have no width: `^^a` starts twice.
                let anchors = |trees: &mut dyn Iterator<Item = &Ast>| {
                    trees.take_while(|tree| matches!(tree, Ast::Assertion(_))).count()
                };
                let from_start = anchors(&mut concat.asts.iter());
                let to_end = concat.asts.len() - anchors(&mut concat.asts.iter().rev());
                concat.asts.iter().enumerate().rev().try_fold(next, |next, (at, tree)| {
                    let ends = Ends { first: ends.first && at <= from_start, last: ends.last && at + 1 >= to_end };
                    self.add_tree(tree, next, ends)
                })
            }
            Ast::Repetition(repetition) => {
                let (least, most) = read_bounds(&repetition.op)?;
                let mut start = next;
                for _ in least..most {
                    let body = self.add_tree(&repetition.ast, start, Ends::INNER)?;
                    if body == start {
                        return Ok(next); // an empty body repeats to nothing
                    }
                    start = self.push_node(Node::Either(vec![body, next]))?;
                }
                for _ in 0..least {
                    let body = self.add_tree(&repetition.ast, start, Ends::INNER)?;
                    if body == start {
                        break;
                    }
                    start = body;
                }
                Ok(start)
            }
        }
    }

    fn push_node(&mut self, node: Node) -> Result<usize, PatternError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(build_size_error());
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    fn add_class(&mut self, item: &ast::ClassSetItem, span: ast::Span, next: usize) -> Result<usize, PatternError> {
        let class = ast::ClassBracketed { span, negated: false, kind: ast::ClassSet::Item(item.clone()) };
        self.add_narrowed_class(&class, next)
    }

    /// Adds a class, already narrowed, as ranges.
    fn add_narrowed_class(&mut self, class: &ast::ClassBracketed, next: usize) -> Result<usize, PatternError> {
        let span = class.span;
        let hir = Translator::new()
            .translate(self.source, &Ast::class_bracketed(class.clone()))
            .map_err(|error| build_error(error.span(), format!("the pattern cannot be read: {}", error.kind())))?;
        let ranges = match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => {
                class.iter().flat_map(|range| exclude_surrogates(range.start(), range.end())).collect()
            }
            HirKind::Class(Class::Bytes(class)) => {
                class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
            }
            // A class of one character is simplified to that character.
            HirKind::Literal(literal) => {
                std::str::from_utf8(&literal.0).unwrap_or_default().chars().map(|char| (char, char)).collect()
            }
            _ => Vec::new(),
        };
        match ranges.iter().map(|&(low, high)| count_characters(low, high)).sum() {
            0 => Err(build_error(&span, "the class does not contain a character")),
            size if size > MAX_CLASS => Err(build_error(
                &span,
                format!("this class has {size} characters: write the ones you need, as in `[a-zà-ÿ]`"),
            )),
            _ => self.push_node(Node::Chars(ranges, next)),
        }
    }
}

/// Splits a range around the surrogates, which are not characters.
fn exclude_surrogates(low: char, high: char) -> impl Iterator<Item = (char, char)> {
    let ends = if low < '\u{E000}' && high > '\u{D7FF}' {
        [Some((low, '\u{D7FF}')), Some(('\u{E000}', high))]
    } else {
        [Some((low, high)), None]
    };
    ends.into_iter().flatten()
}

/// Reads the bounds of a repetition; an open one is an error.
fn read_bounds(op: &ast::RepetitionOp) -> Result<(u32, u32), PatternError> {
    let endless = |written: &str, least: u32| {
        Err(build_error(
            &op.span,
            format!(
                "`{written}` has no upper limit, but a pattern needs finitely many values: write, for example, `{{{least},{}}}`",
                least.saturating_add(8)
            ),
        ))
    };
    match &op.kind {
        ast::RepetitionKind::ZeroOrOne => Ok((0, 1)),
        ast::RepetitionKind::ZeroOrMore => endless("*", 0),
        ast::RepetitionKind::OneOrMore => endless("+", 1),
        ast::RepetitionKind::Range(ast::RepetitionRange::Exactly(n)) => Ok((*n, *n)),
        ast::RepetitionKind::Range(ast::RepetitionRange::AtLeast(n)) => endless(&format!("{{{n},}}"), *n),
        ast::RepetitionKind::Range(ast::RepetitionRange::Bounded(low, high)) => Ok((*low, *high)),
    }
}

/// Builds the class of `.`: `[ -~]`.
fn build_printable(span: ast::Span) -> ast::ClassBracketed {
    let literal = |c| ast::Literal { span, kind: ast::LiteralKind::Verbatim, c };
    let range = ast::ClassSetRange { span, start: literal(' '), end: literal('~') };
    ast::ClassBracketed { span, negated: false, kind: ast::ClassSet::Item(ast::ClassSetItem::Range(range)) }
}

/// Intersects a negated class with printable ASCII.
fn narrow_to_printable(class: ast::ClassBracketed) -> ast::ClassSetItem {
    let span = class.span;
    let of = |class| Box::new(ast::ClassSet::Item(ast::ClassSetItem::Bracketed(Box::new(class))));
    let kind = ast::ClassSet::BinaryOp(ast::ClassSetBinaryOp {
        span,
        kind: ast::ClassSetBinaryOpKind::Intersection,
        lhs: of(class),
        rhs: of(build_printable(span)),
    });
    ast::ClassSetItem::Bracketed(Box::new(ast::ClassBracketed { span, negated: false, kind }))
}

/// Returns every printable character except `item`.
fn negate_item(span: ast::Span, item: ast::ClassSetItem) -> ast::ClassSetItem {
    narrow_to_printable(ast::ClassBracketed { span, negated: true, kind: ast::ClassSet::Item(item) })
}

fn convert_perl(class: &ast::ClassPerl) -> ast::ClassSetItem {
    let span = class.span;
    let ascii = |kind| ast::ClassSetItem::Ascii(ast::ClassAscii { span, kind, negated: false });
    let item = match class.kind {
        ast::ClassPerlKind::Digit => ascii(ast::ClassAsciiKind::Digit),
        ast::ClassPerlKind::Word => ascii(ast::ClassAsciiKind::Word),
        ast::ClassPerlKind::Space => {
            ast::ClassSetItem::Literal(ast::Literal { span, kind: ast::LiteralKind::Verbatim, c: ' ' })
        }
    };
    if class.negated { negate_item(span, item) } else { item }
}

fn convert_unicode(class: &ast::ClassUnicode) -> ast::ClassSetItem {
    let item = ast::ClassSetItem::Unicode(class.clone());
    if class.is_negated() {
        let kind = ast::ClassSet::Item(item);
        narrow_to_printable(ast::ClassBracketed { span: class.span, negated: false, kind })
    } else {
        item
    }
}

fn convert_bracketed(class: &ast::ClassBracketed) -> ast::ClassSetItem {
    let inner = ast::ClassBracketed { kind: convert_set(&class.kind), ..class.clone() };
    if class.negated { narrow_to_printable(inner) } else { ast::ClassSetItem::Bracketed(Box::new(inner)) }
}

fn convert_set(class: &ast::ClassSet) -> ast::ClassSet {
    match class {
        ast::ClassSet::Item(item) => ast::ClassSet::Item(set_item(item)),
        ast::ClassSet::BinaryOp(op) => ast::ClassSet::BinaryOp(ast::ClassSetBinaryOp {
            lhs: Box::new(convert_set(&op.lhs)),
            rhs: Box::new(convert_set(&op.rhs)),
            ..op.clone()
        }),
    }
}

fn set_item(item: &ast::ClassSetItem) -> ast::ClassSetItem {
    match item {
        ast::ClassSetItem::Perl(class) => convert_perl(class),
        ast::ClassSetItem::Unicode(class) => convert_unicode(class),
        ast::ClassSetItem::Bracketed(class) => convert_bracketed(class),
        ast::ClassSetItem::Ascii(class) => {
            let plain = ast::ClassSetItem::Ascii(ast::ClassAscii { negated: false, ..class.clone() });
            if class.negated { negate_item(class.span, plain) } else { plain }
        }
        ast::ClassSetItem::Union(union) => ast::ClassSetItem::Union(ast::ClassSetUnion {
            span: union.span,
            items: union.items.iter().map(set_item).collect(),
        }),
        ast::ClassSetItem::Empty(_) | ast::ClassSetItem::Literal(_) | ast::ClassSetItem::Range(_) => item.clone(),
    }
}
