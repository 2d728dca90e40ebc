//! Printing of the tree as lines: it determines the line breaks and the indentation.
//!
//! A line break is written before a part, inside brackets that are open over several lines, after a comment, and where the author broke an expression before or
//! after an operator. Brackets are opened over several lines if the author did so, or if they are too long for one line.

use super::lines::{Line, Under, measure_width};
use super::marks::{PartKind, Text};
use super::measure::{self, Gap, decide_gap};
use super::multiline;
use super::spread::{Spread, choose_spread, measure_first_element};
use super::tokens::{Kind, Token};
use super::tree::{Block, Entry, Group, Node, Role};
use super::width::{INDENT, WIDTH};

/// Prints the lines of a file; `source` is its text.
pub(super) fn print_file<'a>(file: &Block<'a>, source: &'a str) -> Vec<Line<'a>> {
    let mut printer = Printer { source, lines: Vec::new(), behind_comment: false };
    printer.print_entries(&file.entries, 0);
    printer.lines
}

/// The lines printed so far.
pub(super) struct Printer<'a> {
    source: &'a str,
    lines: Vec<Line<'a>>,
    /// Whether the line ends with a comment, so the next token needs a new line.
    behind_comment: bool,
}

/// A part with its position among the adjacent parts.
struct Place {
    /// Its first line.
    line: usize,
    /// Its last line.
    end: usize,
    /// The byte of its first line at which blanks can be inserted to align signs.
    at: Option<usize>,
    kind: PartKind,
}

impl<'a> Printer<'a> {
    /// Begins a line.
    fn new_line(&mut self, indent: usize) {
        self.lines.push(Line { indent, base: indent, ..Line::default() });
        self.behind_comment = false;
    }

    /// Begins a line, with a blank line before it if the author left one (`breaks` above 1).
    fn new_line_after(&mut self, breaks: u8, indent: usize) {
        self.new_line(indent);
        if breaks > 1
            && let Some(line) = self.lines.last_mut()
        {
            line.apart = true;
        }
    }

    /// The index of the current line.
    fn current_line(&self) -> usize {
        self.lines.len().saturating_sub(1)
    }

    /// The indentation to which brackets opened in this line are relative.
    fn base(&self) -> usize {
        self.lines.last().map_or(0, |line| line.base)
    }

    /// The column at the end of the line, without padding: alignment must not affect whether something fits.
    fn column(&self) -> usize {
        self.lines.last().map_or(0, |line| line.indent + line.text.chars().count())
    }

    /// Appends text to the line.
    fn push_text(&mut self, text: &str) {
        if let Some(line) = self.lines.last_mut() {
            line.text.push_str(text);
        }
    }

    /// Prints a comment among tokens: as a trailing comment, or on its own line with this indentation.
    fn print_comment(&mut self, comment: &Token<'a>, indent: usize, breaks: u8) {
        match self.lines.last_mut() {
            Some(line) if comment.is_trailing() && !self.behind_comment => line.comment = Some(comment.text),
            _ => {
                self.new_line_after(breaks, indent);
                self.push_text(comment.text);
            }
        }
        self.behind_comment = true;
    }

    /// Prints parts and comments, each on its own line.
    fn print_entries(&mut self, entries: &[Entry<'a>], indent: usize) {
        let mut places: Vec<Place> = Vec::new();
        // The first line after the last part.
        let mut behind: Option<usize> = None;
        let start = self.lines.len();
        for entry in entries {
            let lines = self.lines.len();
            // A blank line at the start is dropped.
            let breaks = |breaks: u8| if lines == start { 0 } else { breaks };
            match entry {
                Entry::Comment(comment) => self.print_comment(comment, indent, breaks(comment.breaks)),
                Entry::Part { nodes, kind } => {
                    self.new_line_after(breaks(nodes.first().map_or(0, Node::breaks)), indent);
                    let at = self.print_part(nodes, *kind, indent);
                    let place = Place { line: lines, end: self.current_line(), at, kind: *kind };
                    let first = behind.unwrap_or(lines).min(lines);
                    // At top level, a part of several lines is separated by blank lines.
                    if indent == 0
                        && let Some(last) = places.last()
                    {
                        let tall = last.end > last.line || place.end > place.line;
                        let apart = self.lines.get(first..=lines).is_some_and(|gap| gap.iter().any(|line| line.apart));
                        if tall
                            && !apart
                            && let Some(line) = self.lines.get_mut(first)
                        {
                            line.apart = true;
                        }
                    }
                    behind = Some(self.lines.len());
                    places.push(place);
                }
            }
        }
        self.align_parts(&places);
    }

    /// Aligns the signs or values after the names of adjacent parts. A blank line, a part of another kind, or a part of several lines ends the alignment.
    fn align_parts(&mut self, places: &[Place]) {
        let mut rest = places;
        while let Some(first) = rest.first() {
            let goes_on = |pair: &&[Place]| {
                let [a, b] = pair else { return false };
                let apart = self.lines.get(a.end + 1..=b.line).is_some_and(|lines| lines.iter().any(|line| line.apart));
                a.kind == b.kind && a.at.is_some() && b.at.is_some() && a.line == a.end && !apart
            };
            let run = 1 + rest.windows(2).take_while(goes_on).count();
            let (together, behind) = rest.split_at(run);
            let width = |place: &Place| {
                let line = self.lines.get(place.line)?;
                Some(line.text.get(..place.at?)?.chars().count())
            };
            let widths: Vec<Option<usize>> = together.iter().map(width).collect();
            let longest = widths.iter().flatten().max().copied().unwrap_or(0);
            if first.at.is_some() {
                for (place, width) in together.iter().zip(widths) {
                    if let (Some(line), Some(width), Some(at)) = (self.lines.get_mut(place.line), width, place.at) {
                        line.pad = Some((at, longest - width));
                    }
                }
            }
            rest = behind;
        }
    }

    /// Prints the tokens of a part. Returns the byte of the line at which blanks can be inserted before its sign or value.
    fn print_part(&mut self, nodes: &[Node<'a>], kind: PartKind, indent: usize) -> Option<usize> {
        let sign = |node: &Node<'_>| node.is_sign(":") || node.is_sign("=");
        let split = match kind {
            PartKind::Named => nodes.iter().position(sign)?,
            PartKind::Setting => 1,
            PartKind::Other => 0,
        };
        let (head, tail) = nodes.split_at_checked(split).unwrap_or((nodes, &[]));
        let line = self.current_line();
        if kind == PartKind::Other
            && let Some((name, sign, rest)) = split_label(nodes)
        {
            self.print_sequence(name, None, indent, None);
            self.print_node(sign, indent);
            self.print_sequence(rest, Some(sign), indent, None);
            return None;
        }
        self.print_sequence(head, None, indent, None);
        let at = (split > 0 && self.current_line() == line && !self.behind_comment)
            .then(|| self.lines.last().map(|line| line.text.len()));
        self.print_sequence(tail, head.last(), indent, None);
        at.flatten()
    }

    /// Prints adjacent nodes in the brackets `within`, after `before`. After a line break, they continue one level deeper than `indent`.
    fn print_sequence(&mut self, nodes: &[Node<'a>], before: Option<&Node<'a>>, indent: usize, within: Option<Role>) {
        let mut before = before;
        for node in nodes {
            self.print_after(node, before, indent, within);
            before = Some(node);
        }
    }

    /// Prints a node after `before`.
    fn print_after(&mut self, node: &Node<'a>, before: Option<&Node<'a>>, indent: usize, within: Option<Role>) {
        if let Node::Comment(comment) = node {
            return self.print_comment(comment, indent + INDENT, 0);
        }
        match before.map(|before| decide_gap(before, node, within)) {
            _ if self.behind_comment => self.new_line(indent + INDENT),
            None | Some(Gap::None) => {}
            Some(Gap::Blank) => self.push_text(" "),
            Some(Gap::Break) => self.new_line(indent + INDENT),
        }
        self.print_node(node, indent);
    }

    /// Prints a node at the end of the current line.
    fn print_node(&mut self, node: &Node<'a>, indent: usize) {
        match node {
            Node::Leaf(leaf) => self.print_leaf(leaf),
            Node::Group(group) => self.print_group(group, indent),
            Node::Block(block) => self.print_block(block),
            Node::Comment(comment) => self.print_comment(comment, indent, 0),
        }
    }

    fn print_leaf(&mut self, leaf: &Token<'a>) {
        let Some((first, _)) = leaf.text.split_once('\n') else { return self.push_text(leaf.text) };
        let base = self.base();
        match leaf.kind {
            Kind::Text(Text::String(string)) => {
                let opening = string.triple && first.trim_end_matches([' ', '\t']) == "\"\"\"";
                self.push_text(if opening { "\"\"\"" } else { first });
                for row in multiline::reindent_string(string, leaf.text, base + INDENT) {
                    self.lines.push(Line { indent: row.indent, base, text: row.text.to_owned(), ..Line::default() });
                }
            }
            Kind::Text(Text::Raw(raw)) if multiline::may_move(raw) => {
                let start = leaf.start as usize;
                let prefix = self.source.get(..start).and_then(|before| before.rsplit('\n').next()).unwrap_or("");
                let behind = self.lines.last().map_or(0, |line| line.text.chars().count());
                let (from, line) = (measure_width(prefix), self.current_line());
                self.push_text(first);
                for text in leaf.text.split('\n').skip(1) {
                    let rest = text.trim_start_matches([' ', '\t']);
                    let blanks = text.get(..text.len() - rest.len()).unwrap_or("");
                    let under = Some(Under { blanks, line, from, behind });
                    self.lines.push(Line { indent: base, base, text: rest.to_owned(), under, ..Line::default() });
                }
            }
            _ => {
                self.push_text(first);
                for text in leaf.text.split('\n').skip(1) {
                    self.lines.push(Line { base, text: text.to_owned(), ..Line::default() });
                }
            }
        }
    }

    fn print_group(&mut self, group: &Group<'a>, indent: usize) {
        let (open, close) = group.role.brackets();
        let (column, base) = (self.column(), self.base());
        self.push_text(open);
        if measure::is_open(group) || measure::is_too_wide(group, column) {
            self.print_elements(group, base + INDENT);
            self.new_line(base);
            return self.push_text(close);
        }
        let padding = if group.nodes.is_empty() { "" } else { measure::choose_padding(group.role) };
        self.push_text(padding);
        self.print_sequence(&group.nodes, None, indent, Some(group.role));
        if self.behind_comment || measure::must_close_below(group) {
            self.new_line(base);
        } else {
            self.push_text(padding);
            self.push_text(measure::choose_closing_blank(group));
        }
        self.push_text(close);
    }

    /// Prints the elements between brackets, from the line break after the opening bracket.
    fn print_elements(&mut self, group: &Group<'a>, indent: usize) {
        let spread = choose_spread(group, indent);
        let last = group.nodes.iter().rposition(|node| !node.is_comment());
        let mut rest: &[Node<'a>] = &group.nodes;
        let mut number = 0;
        let mut begins = true;
        let mut before: Option<&Node<'a>> = None;
        while let Some((node, behind)) = rest.split_first() {
            let breaks = if number == 0 { 0 } else { node.breaks() };
            match node {
                Node::Comment(comment) => {
                    self.print_comment(comment, if begins { indent } else { indent + INDENT }, breaks);
                }
                _ if begins => {
                    let same_line = before.is_some()
                        && !self.behind_comment
                        && match spread {
                            Spread::Each => false,
                            Spread::Kept => breaks == 0,
                            Spread::Filled => self.column() + 1 + measure_first_element(rest, group.role) <= WIDTH,
                        };
                    if same_line {
                        self.push_text(" ");
                    } else {
                        self.new_line_after(breaks, indent);
                    }
                    self.print_node(node, indent);
                }
                _ => self.print_after(node, before, indent, Some(group.role)),
            }
            begins = node.is_sign(",") || begins && node.is_comment();
            if last == Some(number) && matches!(group.role, Role::List | Role::Object) {
                self.push_text(",");
            }
            before = Some(node);
            number += 1;
            rest = behind;
        }
    }

    fn print_block(&mut self, block: &Block<'a>) {
        if block.entries.is_empty() {
            return self.push_text("{}");
        }
        let base = self.base();
        if measure::measure_block(block).is_some_and(|width| self.column() + width <= WIDTH) {
            let mut text = String::new();
            let _ = measure::write_block(block, &mut text);
            return self.push_text(&text);
        }
        self.push_text("{");
        self.print_entries(&block.entries, base + INDENT);
        self.new_line(base);
        self.push_text("}");
    }
}

/// Splits `expect NAME:` from the rest of an expectation: the label, its sign, and the rest. The sign is printed directly after the name.
fn split_label<'n, 'a>(nodes: &'n [Node<'a>]) -> Option<(&'n [Node<'a>], &'n Node<'a>, &'n [Node<'a>])> {
    let (head, rest) = nodes.split_at_checked(2)?;
    let (sign, rest) = rest.split_first()?;
    let labelled = matches!(head, [Node::Leaf(word), Node::Leaf(_)] if word.text == "expect") && sign.is_sign(":");
    labelled.then_some((head, sign, rest))
}
