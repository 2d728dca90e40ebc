//! The tokens grouped into brackets and blocks.

use std::collections::BTreeMap;

use super::marks::{Marks, Part, PartKind};
use super::tokens::{Kind, Token};
use crate::words::{self, Class};

/// A token, a comment, or a bracketed sequence.
pub(super) enum Node<'a> {
    /// A token that is not a bracket.
    Leaf(Token<'a>),
    /// A comment.
    Comment(Token<'a>),
    /// Brackets with values inside.
    Group(Group<'a>),
    /// Braces with parts inside.
    Block(Block<'a>),
}

/// `( … )`, `[ … ]`, `{ … }`, or `<< … >>` with the values inside, including commas except one before the closing bracket.
pub(super) struct Group<'a> {
    /// Its kind.
    pub role: Role,
    /// Its content.
    pub nodes: Vec<Node<'a>>,
    /// The number of line breaks before the opening bracket.
    pub breaks: u8,
    /// Whether a line break precedes the closing bracket.
    pub closes_on_own_line: bool,
}

/// The kinds of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// `(a)`: an expression in parentheses.
    Paren,
    /// `f(a, b)`
    Call,
    /// `unique (A, B)`
    Columns,
    /// `[a, b]`
    List,
    /// `[ DOMAIN ; COUNT ]`
    Array,
    /// `{ a: b }`
    Object,
    /// `<<a>>`
    Placeholder,
}

impl Role {
    /// Returns the opening and the closing bracket.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Role::Paren | Role::Call | Role::Columns => ("(", ")"),
            Role::List | Role::Array => ("[", "]"),
            Role::Object => ("{", "}"),
            Role::Placeholder => ("<<", ">>"),
        }
    }
}

/// `{ … }` with the parts inside.
pub(super) struct Block<'a> {
    /// Parts and the comments between them, in order.
    pub entries: Vec<Entry<'a>>,
    /// The number of line breaks before `{`.
    pub breaks: u8,
    /// Whether it is on one line in the source and may stay on one line.
    pub on_one_line: bool,
}

/// An entry of a block.
pub(super) enum Entry<'a> {
    /// A comment between parts.
    Comment(Token<'a>),
    /// A part.
    Part {
        /// Its tokens.
        nodes: Vec<Node<'a>>,
        /// Its kind.
        kind: PartKind,
    },
}

impl Node<'_> {
    /// The number of line breaks before it, at most 2.
    pub fn breaks(&self) -> u8 {
        match self {
            Node::Leaf(token) | Node::Comment(token) => token.breaks,
            Node::Group(group) => group.breaks,
            Node::Block(block) => block.breaks,
        }
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, text: &str) -> bool {
        matches!(self, Node::Leaf(leaf) if matches!(leaf.kind, Kind::Sign) && leaf.text == text)
    }

    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(self, Node::Comment(_))
    }
}

/// Builds the tree of a file, as one block without braces.
pub(super) fn build_tree<'a>(tokens: &[Token<'a>], marks: &Marks<'a>) -> Block<'a> {
    let mut builder = Builder { tokens, marks, blocks: BTreeMap::new(), at: 0 };
    for (index, block) in marks.blocks.iter().enumerate() {
        let first = tokens.partition_point(|token| token.start < block.from);
        let brace = (first..tokens.len()).find(|at| builder.is_sign(*at, "{"));
        if let Some(brace) = brace {
            builder.blocks.insert(brace, index);
        }
    }
    builder.build_block(&marks.items, 0)
}

struct Builder<'t, 'a> {
    tokens: &'t [Token<'a>],
    marks: &'t Marks<'a>,
    /// The index in [`Marks::blocks`] for the token that opens the block.
    blocks: BTreeMap<usize, usize>,
    at: usize,
}

impl<'a> Builder<'_, 'a> {
    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Sign) && token.text == sign)
    }

    /// Builds a block from its parts, up to `}` or the end.
    fn build_block(&mut self, parts: &[Part], breaks: u8) -> Block<'a> {
        let mut block = Block { entries: Vec::new(), breaks, on_one_line: true };
        let mut parts = parts.iter().peekable();
        while let Some(token) = self.tokens.get(self.at) {
            block.on_one_line &= token.breaks == 0;
            if self.is_sign(self.at, "}") {
                break;
            }
            if let Kind::Comment = token.kind {
                block.on_one_line = false;
                block.entries.push(Entry::Comment(*token));
                self.at += 1;
                continue;
            }
            if self.is_sign(self.at, ",") {
                // A comma between columns has no meaning, except that it separates a number from a name that is also a unit: `5, days : …`.
                block.on_one_line &= !self.is_number_unit_boundary();
                self.at += 1;
                continue;
            }
            while parts.next_if(|part| part.span.end <= token.start).is_some() {}
            let (end, kind) = match parts.next() {
                Some(part) => (part.span.end, part.kind),
                None => (token.start + 1, PartKind::Other),
            };
            let first = self.at;
            let mut nodes = Vec::new();
            while self.tokens.get(self.at).is_some_and(|token| token.start < end) {
                nodes.push(self.build_node(nodes.last()));
            }
            let inside = self.tokens.get(first..self.at).unwrap_or_default();
            let broken = |(at, token): (usize, &Token<'_>)| at > 0 && token.breaks > 0 || token.text.contains('\n');
            block.on_one_line &= !inside.iter().enumerate().any(broken);
            block.entries.push(Entry::Part { nodes, kind });
        }
        block
    }

    /// Whether the current token is between a number and the name of a unit.
    fn is_number_unit_boundary(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let unit = |token: &Token<'_>| words::is_of_class(Class::Duration, token.text.trim_end_matches('s'));
        before.is_some_and(|token| matches!(token.kind, Kind::Number)) && self.tokens.get(self.at + 1).is_some_and(unit)
    }

    /// Builds a node from the current token or the brackets that it opens.
    fn build_node(&mut self, before: Option<&Node<'a>>) -> Node<'a> {
        let Some(token) = self.tokens.get(self.at).copied() else {
            return Node::Leaf(Token { text: "", kind: Kind::Word, breaks: 0, sign: false, start: 0 });
        };
        let opening = self.at;
        self.at += 1;
        match token.kind {
            Kind::Comment => return Node::Comment(token),
            Kind::Sign => {}
            Kind::Word | Kind::Number | Kind::Text(_) => return Node::Leaf(token),
        }
        let role = match token.text {
            "(" if self.marks.parens.contains(&token.start) => Role::Paren,
            "(" if before.is_some() && self.is_after_constraint(opening) => Role::Columns,
            "(" => Role::Call,
            "[" => Role::List,
            "<<" => Role::Placeholder,
            "{" => match self.blocks.get(&opening).and_then(|block| self.marks.blocks.get(*block)) {
                Some(block) => {
                    let block = self.build_block(&block.parts, token.breaks);
                    self.at += 1;
                    return Node::Block(block);
                }
                None => Role::Object,
            },
            _ => return Node::Leaf(token),
        };
        Node::Group(self.build_group(role, token.breaks))
    }

    fn is_after_constraint(&self, opening: usize) -> bool {
        let mut before = self.tokens.get(..opening).unwrap_or_default().iter().rev();
        let word = before.find(|token| !matches!(token.kind, Kind::Comment));
        word.is_some_and(|word| self.marks.constraints.contains(&word.start))
    }

    /// Builds a group from the values up to the closing bracket.
    fn build_group(&mut self, role: Role, breaks: u8) -> Group<'a> {
        let (_, close) = role.brackets();
        let mut nodes: Vec<Node<'a>> = Vec::new();
        let mut closes_on_own_line = false;
        while let Some(token) = self.tokens.get(self.at) {
            if self.is_sign(self.at, close) {
                closes_on_own_line = token.breaks > 0;
                self.at += 1;
                break;
            }
            nodes.push(self.build_node(nodes.last()));
        }
        let array = role == Role::List && nodes.iter().any(|node| node.is_sign(";"));
        let role = if array { Role::Array } else { role };
        if let Some(last) = nodes.iter().rposition(|node| !node.is_comment())
            && nodes.get(last).is_some_and(|node| node.is_sign(","))
        {
            nodes.remove(last);
        }
        Group { role, nodes, breaks, closes_on_own_line }
    }
}
