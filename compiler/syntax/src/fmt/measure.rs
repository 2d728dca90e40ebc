//! The gap between two tokens, and the width of nodes on one line.

use super::marks::Text;
use super::tokens::{Kind, Token};
use super::tree::{Block, Entry, Group, Node, Role};
use super::width::WIDTH;
use crate::ast::Op;
use crate::lex::has_open_quote;
use crate::words::{self, Class};

/// The gap between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    Blank,
    /// The author's line break, which is kept.
    Break,
}

/// Words that a line may end with.
const ENDS_LINE: &[Class] = &[Class::Infix];
/// Words that a line may begin with, besides `not`: operators, and words after a value or domain.
const BEGINS_LINE: &[Class] = &[Class::Infix, Class::Filter, Class::Option, Class::Suffix];

/// Words that a line may begin with unless they are values: options for reading or writing a file, and styles of columns.
const OPTIONS: &[Class] = &[Class::Reading, Class::Writing, Class::Style];

/// The gap between two adjacent nodes in the brackets `within`.
pub(super) fn decide_gap(before: &Node<'_>, next: &Node<'_>, within: Option<Role>) -> Gap {
    if is_glued(before, next, within) {
        Gap::None
    } else if next.breaks() > 0 && may_break(before, next, within) {
        Gap::Break
    } else {
        Gap::Blank
    }
}

fn is_glued(before: &Node<'_>, next: &Node<'_>, within: Option<Role>) -> bool {
    let after = match before {
        Node::Leaf(leaf) => leaf.sign || is_sign(leaf, &[".", "..", "@"]),
        _ => false,
    };
    after
        || match next {
            Node::Leaf(leaf) => {
                is_sign(leaf, &[",", ".", "..", "...", "?", "%"]) || within.is_some() && is_sign(leaf, &[":"])
            }
            Node::Group(group) => group.role == Role::Call,
            Node::Comment(_) | Node::Block(_) => false,
        }
}

fn is_sign(leaf: &Token<'_>, signs: &[&str]) -> bool {
    matches!(leaf.kind, Kind::Sign) && signs.contains(&leaf.text)
}

fn is_word(node: &Node<'_>, is: impl Fn(&str) -> bool) -> bool {
    matches!(node, Node::Leaf(leaf) if matches!(leaf.kind, Kind::Word) && is(leaf.text))
}

fn is_operator(node: &Node<'_>) -> bool {
    matches!(node, Node::Leaf(leaf) if !leaf.sign && matches!(leaf.kind, Kind::Sign) && Op::from_word(leaf.text).is_some())
}

fn is_sign_node(node: &Node<'_>) -> bool {
    matches!(node, Node::Leaf(leaf) if matches!(leaf.kind, Kind::Sign))
}

fn is_raw(node: &Node<'_>) -> bool {
    matches!(node, Node::Leaf(Token { kind: Kind::Text(Text::Raw(_)), .. }))
}

fn may_break(before: &Node<'_>, next: &Node<'_>, within: Option<Role>) -> bool {
    is_operator(before)
        || is_operator(next)
        || is_word(before, |word| words::is_any(ENDS_LINE, word))
        || is_word(next, |word| word == "not" || words::is_any(BEGINS_LINE, word))
        || !is_sign_node(before)
            && is_word(next, |word| {
                word == "as" || words::is_any(OPTIONS, word) && !words::is_of_class(Class::Link, word)
            })
        || within == Some(Role::Placeholder) && (before.is_sign(",") || before.is_sign(":") && is_raw(next))
}

/// Whether brackets are laid out over several lines, because of the author's line breaks or a comment. Placeholders and arrays of elements never are, because
/// they contain only one element.
pub(super) fn is_open(group: &Group<'_>) -> bool {
    if matches!(group.role, Role::Placeholder | Role::Array) {
        return false;
    }
    let breaks = |node: &Node<'_>| node.breaks() > 0;
    let behind_comma = |pair: &[Node<'_>]| matches!(pair, [comma, next] if comma.is_sign(",") && next.breaks() > 0);
    !group.nodes.is_empty()
        && (group.closes_on_own_line
            || group.nodes.first().is_some_and(breaks)
            || group.nodes.windows(2).any(behind_comma)
            || group.nodes.iter().any(Node::is_comment))
}

/// Whether the closing `>>` is on its own line. This is so after raw text if the author put it there (the last line may be a comment), or if a quote is open at
/// the end of the raw text, because any text after it on the line could close the quote.
pub(super) fn must_close_below(group: &Group<'_>) -> bool {
    let Some(Node::Leaf(Token { kind: Kind::Text(Text::Raw(raw)), .. })) = group.nodes.last() else { return false };
    group.role == Role::Placeholder && (group.closes_on_own_line || has_open_quote(&raw.text, raw.kind))
}

/// Whether brackets that the author wrote on one line must be opened because they do not fit. Brackets with one element are not opened; their element is opened
/// instead.
pub(super) fn is_too_wide(group: &Group<'_>, column: usize) -> bool {
    let several = match group.role {
        Role::Object => true,
        Role::List | Role::Call => group.nodes.iter().any(|node| node.is_sign(",")),
        Role::Paren | Role::Columns | Role::Array | Role::Placeholder => false,
    };
    several && measure_group(group).is_some_and(|width| column + width > WIDTH)
}

/// The blank that separates the closing `>>` from raw text. Without it, `a > >>` would close before the last `>`, and `a - >>` would read as `->>`.
pub(super) fn choose_closing_blank(group: &Group<'_>) -> &'static str {
    match group.nodes.last() {
        Some(Node::Leaf(Token { kind: Kind::Text(Text::Raw(_)), text, .. })) if text.ends_with(['>', '-']) => " ",
        _ => "",
    }
}

/// The blank inside brackets on one line.
pub(super) fn choose_padding(role: Role) -> &'static str {
    match role {
        Role::Object | Role::Array => " ",
        Role::Paren | Role::Call | Role::Columns | Role::List | Role::Placeholder => "",
    }
}

/// A receiver of the text of nodes on one line.
pub(super) trait Receive {
    /// Whether it takes nodes that fill several lines in a file, each joined into one line.
    const TAKES_TALL: bool;

    /// Takes the next text.
    fn receive(&mut self, text: &str);
}

/// A width in characters.
impl Receive for usize {
    const TAKES_TALL: bool = false;

    fn receive(&mut self, text: &str) {
        *self += text.chars().count();
    }
}

/// The text itself.
impl Receive for String {
    const TAKES_TALL: bool = true;

    fn receive(&mut self, text: &str) {
        if text.contains('\n') {
            self.push_str(&join_blanks(text));
        } else {
            self.push_str(text);
        }
    }
}

/// Replaces the blanks and line breaks between words with one blank each, and removes them at both ends.
pub fn join_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The width of adjacent nodes on one line; `None` if there is a line break among them.
pub(super) fn measure_nodes(nodes: &[Node<'_>], within: Option<Role>) -> Option<usize> {
    let mut width = 0;
    write_nodes(nodes, within, &mut width)?;
    Some(width)
}

fn measure_group(group: &Group<'_>) -> Option<usize> {
    let mut width = 0;
    write_group(group, &mut width)?;
    Some(width)
}

/// The width of a block on one line; `None` if it needs more lines.
pub(super) fn measure_block(block: &Block<'_>) -> Option<usize> {
    let mut width = 0;
    write_block(block, &mut width)?;
    Some(width)
}

/// Writes adjacent nodes on one line; returns `None` if there is a line break among them that `out` does not take.
pub(super) fn write_nodes<R: Receive>(nodes: &[Node<'_>], within: Option<Role>, out: &mut R) -> Option<()> {
    let mut before: Option<&Node<'_>> = None;
    for node in nodes {
        match before.map(|before| decide_gap(before, node, within)) {
            None | Some(Gap::None) => {}
            Some(Gap::Blank) => out.receive(" "),
            Some(Gap::Break) => return None,
        }
        match node {
            Node::Leaf(leaf) if leaf.text.contains('\n') && !R::TAKES_TALL => return None,
            Node::Leaf(leaf) => out.receive(leaf.text),
            Node::Comment(_) => return None,
            Node::Group(group) => write_group(group, out)?,
            Node::Block(block) => write_block(block, out)?,
        }
        before = Some(node);
    }
    Some(())
}

fn write_group<R: Receive>(group: &Group<'_>, out: &mut R) -> Option<()> {
    let below = must_close_below(group);
    if is_open(group) || below && !R::TAKES_TALL {
        return None;
    }
    let (open, close) = group.role.brackets();
    let padding = if group.nodes.is_empty() { "" } else { choose_padding(group.role) };
    out.receive(open);
    out.receive(padding);
    write_nodes(&group.nodes, Some(group.role), out)?;
    out.receive(padding);
    out.receive(if below { " " } else { choose_closing_blank(group) });
    out.receive(close);
    Some(())
}

/// Writes a block on one line; returns `None` if it needs more lines.
pub(super) fn write_block<R: Receive>(block: &Block<'_>, out: &mut R) -> Option<()> {
    if !block.on_one_line {
        return None;
    }
    out.receive("{ ");
    for (number, entry) in block.entries.iter().enumerate() {
        let Entry::Part { nodes, .. } = entry else { return None };
        out.receive(if number > 0 { "  " } else { "" });
        write_nodes(nodes, None, out)?;
    }
    out.receive(" }");
    Some(())
}
