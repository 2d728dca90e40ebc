//! Texts that a regular expression matches, counted and indexed: an acyclic deterministic automaton.
//!
//! A pattern matches a whole text, so `^` at the start and `$` at the end change nothing. So that every pattern is a
//! list of texts a person would type, classes are narrower than a search engine's: `\d` is `[0-9]`, `\w` is
//! `[0-9A-Za-z_]`, `\s` is one blank, and `.` and whatever is negated (`[^a]`, `\D`) keep to printable ASCII, U+0020 to
//! U+007E. Other characters match themselves.
//!
//! The way through: the syntax tree of `regex-syntax` (its spans are the author's) → an automaton with empty moves, built from the
//! end backwards → subset construction over disjoint ranges of characters → equal states merged, counted.

use std::collections::{BTreeSet, HashMap};

use regex::Regex;
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, HirKind};
use serde::{Deserialize, Serialize};

/// The most states of the automaton before equal ones are merged.
const MAX_STATES: usize = 10_000;
/// The most nodes of the automaton with empty moves: repetition copies its body.
const MAX_NODES: usize = 50_000;
/// The most steps of the subset construction, so that a hostile pattern ends in a message and not in a wait.
const MAX_WORK: usize = 20_000_000;
/// The most characters of a class: beyond this, nobody meant all of them.
const MAX_CLASS: u128 = 2_000;

/// A bounded regular expression as an automaton without cycles. Every text it accepts has one path, so counting and indexing are exact;
/// indexes follow the order of code points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// State 0 is the start.
    states: Vec<State>,
}

/// Ranges of characters, ascending and apart, and where they lead.
type Transitions = Vec<(char, char, u32)>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// A text may end here.
    accepts: bool,
    /// What may come next.
    transitions: Transitions,
    /// How many texts lead from here to an end; saturating.
    count: u128,
}

/// Why a regular expression cannot be generated from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// In the author's words.
    pub message: String,
    /// Bytes of the pattern's text that are at fault, where known.
    pub range: Option<(usize, usize)>,
}

/// The regular expression that a whole text has to fit (`expect … matches`, where repetition needs no end): `^` and `$` at its ends change nothing.
/// Refused, with a few words why: what cannot be read, and what is too large once it is compiled.
pub fn compile_anchored(source: &str) -> Result<Regex, String> {
    match regex_syntax::Parser::new().parse(source) {
        Ok(_) => {}
        Err(regex_syntax::Error::Parse(error)) => return Err(error.kind().to_string()),
        Err(regex_syntax::Error::Translate(error)) => return Err(error.kind().to_string()),
        Err(_) => return Err("its form is unknown".to_owned()),
    }
    // The line end closes a comment of an expression with `(?x)`, where it does not count.
    let whole = Regex::new(&format!(r"\A(?:{source})\z")).or_else(|_| Regex::new(&format!("\\A(?:{source}\n)\\z")));
    whole.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        other => other.to_string(),
    })
}

impl Pattern {
    /// Reads a regular expression. Refused: what cannot be read, repetition without an upper end, look-around other than `^` at the start and
    /// `$` at the end, flags, classes without or with more than 2,000 characters, more than 10,000 states.
    pub fn new(source: &str) -> Result<Pattern, PatternError> {
        let tree = ast::parse::Parser::new()
            .parse(source)
            .map_err(|error| build_error(error.span(), format!("the pattern cannot be read: {}", error.kind())))?;
        let mut builder = Builder { source, nodes: vec![Node::Accept] };
        let start = builder.add_tree(&tree, 0, true, true)?;
        Ok(Pattern {
            source: source.to_owned(),
            states: fill_counts(merge_equal_states(build_dfa(&builder.nodes, start)?)),
        })
    }

    /// Every character that some text has; a character may come several times.
    pub fn iter_characters(&self) -> impl Iterator<Item = char> + '_ {
        self.states.iter().flat_map(|state| &state.transitions).flat_map(|(low, high, _)| *low..=*high)
    }

    /// How many texts it matches; saturates at `u128::MAX`.
    pub fn count_texts(&self) -> u128 {
        self.states[0].count
    }

    /// The text at `index` in the order of code points; `None` beyond the count.
    pub fn text_at(&self, index: u128) -> Option<String> {
        let mut out = String::new();
        let mut rest = index;
        let mut state = self.states.first()?;
        if rest >= state.count {
            return None;
        }
        loop {
            if state.accepts {
                match rest.checked_sub(1) {
                    None => return Some(out),
                    Some(less) => rest = less,
                }
            }
            let mut next = None;
            for &(low, high, to) in &state.transitions {
                // A saturated block is larger than any index, and so is the true one: both are entered at the same place.
                let each = self.states.get(to as usize)?.count;
                let block = each.saturating_mul(count_characters(low, high));
                if rest < block {
                    next = Some((low, to, rest / each, rest % each));
                    break;
                }
                rest -= block;
            }
            let (low, to, offset, within) = next?;
            out.push(char::from_u32(u32::from(low) + u32::try_from(offset).ok()?)?);
            rest = within;
            state = self.states.get(to as usize)?;
        }
    }

    /// The index of `text`, if it matches; `u128::MAX` for every text whose index is that or more.
    pub fn index_of(&self, text: &str) -> Option<u128> {
        let mut index: u128 = 0;
        let mut state = self.states.first()?;
        for char in text.chars() {
            index = index.saturating_add(u128::from(state.accepts));
            let mut next = None;
            for &(low, high, to) in &state.transitions {
                let target = self.states.get(to as usize)?;
                if (low..=high).contains(&char) {
                    index = index.saturating_add(target.count.saturating_mul(count_characters(low, char) - 1));
                    next = Some(target);
                    break;
                }
                index = index.saturating_add(target.count.saturating_mul(count_characters(low, high)));
            }
            state = next?;
        }
        state.accepts.then_some(index)
    }

    /// The positions that a reader of characters can reach with one of the texts, from one of the positions `from`.
    /// `step` gives the positions after a character of `low..=high`, from the position before it.
    pub fn find_reachable(
        &self,
        from: &BTreeSet<usize>,
        step: &dyn Fn(usize, char, char) -> BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let mut met: BTreeSet<(u32, usize)> = from.iter().map(|place| (0, *place)).collect();
        let mut open: Vec<(u32, usize)> = met.iter().copied().collect();
        let mut ends = BTreeSet::new();
        while let Some((at, place)) = open.pop() {
            let Some(state) = self.states.get(at as usize) else { continue };
            if state.accepts {
                ends.insert(place);
            }
            for &(low, high, to) in &state.transitions {
                for next in step(place, low, high) {
                    if met.insert((to, next)) {
                        open.push((to, next));
                    }
                }
            }
        }
        ends
    }

    /// Whether one of its texts contains `char`.
    pub(crate) fn may_contain(&self, char: char) -> bool {
        self.states.iter().flat_map(|state| &state.transitions).any(|(low, high, _)| (*low..=*high).contains(&char))
    }
}

/// How many characters `low..=high` has. No range here spans the surrogates.
fn count_characters(low: char, high: char) -> u128 {
    u128::from(u32::from(high) - u32::from(low)) + 1
}

fn build_error(span: &ast::Span, message: impl Into<String>) -> PatternError {
    PatternError { message: message.into(), range: Some((span.start.offset, span.end.offset)) }
}

fn build_size_error() -> PatternError {
    PatternError { message: "the pattern is too large: repeat less, or less deeply".into(), range: None }
}

/// A node of the automaton with empty moves. Nodes only lead to earlier nodes, so the automaton has no cycle.
enum Node {
    /// The end of the text.
    Accept,
    /// One character, then on.
    Chars(Vec<(char, char)>, usize),
    /// Either way, without a character.
    Either(Vec<usize>),
}

struct Builder<'a> {
    source: &'a str,
    nodes: Vec<Node>,
}

impl Builder<'_> {
    /// Adds `tree`, to be followed by `next`, and returns its first node. `first` and `last` say that nothing can
    /// precede or follow it, so that an anchor always holds there.
    fn add_tree(&mut self, tree: &Ast, next: usize, first: bool, last: bool) -> Result<usize, PatternError> {
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
                    return Err(build_error(
                        &flags.span,
                        "flags are not taken in a pattern: write the letters, as in `[Aa]`",
                    ));
                }
                self.add_tree(&group.ast, next, first, last)
            }
            Ast::Flags(flags) => {
                Err(build_error(&flags.span, "flags are not taken in a pattern: write the letters, as in `[Aa]`"))
            }
            Ast::Assertion(assertion) => match assertion.kind {
                ast::AssertionKind::StartLine | ast::AssertionKind::StartText if first => Ok(next),
                ast::AssertionKind::EndLine | ast::AssertionKind::EndText if last => Ok(next),
                _ => Err(build_error(
                    &assertion.span,
                    "a pattern describes the whole text: `^` is allowed at its start and `$` at its end, but no other anchor",
                )),
            },
            Ast::Alternation(alternation) => {
                let mut ways = Vec::with_capacity(alternation.asts.len());
                for tree in &alternation.asts {
                    ways.push(self.add_tree(tree, next, first, last)?);
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
                    self.add_tree(tree, next, first && at <= from_start, last && at + 1 >= to_end)
                })
            }
            Ast::Repetition(repetition) => {
                let (least, most) = read_bounds(&repetition.op)?;
                let mut start = next;
                for _ in least..most {
                    let body = self.add_tree(&repetition.ast, start, false, false)?;
                    if body == start {
                        return Ok(next); // an empty body repeats to nothing
                    }
                    start = self.push_node(Node::Either(vec![body, next]))?;
                }
                for _ in 0..least {
                    let body = self.add_tree(&repetition.ast, start, false, false)?;
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

    /// A class whose narrowing is done, as ranges.
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

/// A range of characters without the surrogates, which are not characters.
fn exclude_surrogates(low: char, high: char) -> impl Iterator<Item = (char, char)> {
    let ends = if low < '\u{E000}' && high > '\u{D7FF}' {
        [Some((low, '\u{D7FF}')), Some(('\u{E000}', high))]
    } else {
        [Some((low, high)), None]
    };
    ends.into_iter().flatten()
}

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

/// `.`: `[ -~]`
fn build_printable(span: ast::Span) -> ast::ClassBracketed {
    let literal = |c| ast::Literal { span, kind: ast::LiteralKind::Verbatim, c };
    let range = ast::ClassSetRange { span, start: literal(' '), end: literal('~') };
    ast::ClassBracketed { span, negated: false, kind: ast::ClassSet::Item(ast::ClassSetItem::Range(range)) }
}

/// `class` where it is printable ASCII: what a negated class is narrowed to.
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

/// `item`, or everything else that is printable.
fn negate_if(negated: bool, span: ast::Span, item: ast::ClassSetItem) -> ast::ClassSetItem {
    if negated {
        narrow_to_printable(ast::ClassBracketed { span, negated, kind: ast::ClassSet::Item(item) })
    } else {
        item
    }
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
    negate_if(class.negated, span, item)
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
            negate_if(class.negated, class.span, plain)
        }
        ast::ClassSetItem::Union(union) => ast::ClassSetItem::Union(ast::ClassSetUnion {
            span: union.span,
            items: union.items.iter().map(set_item).collect(),
        }),
        ast::ClassSetItem::Empty(_) | ast::ClassSetItem::Literal(_) | ast::ClassSetItem::Range(_) => item.clone(),
    }
}

/// Subset construction. A state is the set of nodes that take a character (or accept), reachable without one.
fn build_dfa(nodes: &[Node], start: usize) -> Result<Vec<State>, PatternError> {
    let mut work = 0;
    let mut known: HashMap<Vec<usize>, u32> = HashMap::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![usize::MAX; nodes.len()];
    let mut round = 0;
    let mut state_of = |from: &[usize], sets: &mut Vec<Vec<usize>>, work: &mut usize| {
        round += 1;
        let mut stack = from.to_vec();
        let mut set = Vec::new();
        while let Some(at) = stack.pop() {
            *work += 1;
            if std::mem::replace(&mut seen[at], round) == round {
                continue;
            }
            match &nodes[at] {
                Node::Either(ways) => stack.extend(ways),
                Node::Accept | Node::Chars(..) => set.push(at),
            }
        }
        set.sort_unstable();
        if let Some(&state) = known.get(&set) {
            return Ok(state);
        }
        if sets.len() >= MAX_STATES || *work > MAX_WORK {
            return Err(build_size_error());
        }
        let state = sets.len() as u32;
        known.insert(set.clone(), state);
        sets.push(set);
        Ok(state)
    };

    let mut states = Vec::new();
    state_of(&[start], &mut sets, &mut work)?;
    while let Some(set) = sets.get(states.len()).cloned() {
        let mut accepts = false;
        // (first, one past the last, target)
        let mut ranges: Vec<(u32, u32, usize)> = Vec::new();
        for &at in &set {
            match &nodes[at] {
                Node::Accept => accepts = true,
                Node::Chars(chars, next) => {
                    ranges.extend(chars.iter().map(|&(low, high)| (u32::from(low), u32::from(high) + 1, *next)));
                }
                Node::Either(_) => {}
            }
        }
        let cuts: BTreeSet<u32> = ranges.iter().flat_map(|&(low, past, _)| [low, past]).collect();
        let cuts: Vec<u32> = cuts.into_iter().collect();
        ranges.sort_unstable();
        let mut transitions = Transitions::new();
        let mut open: Vec<(u32, usize)> = Vec::new(); // one past the last, target
        let mut upcoming = ranges.into_iter().peekable();
        for pair in cuts.windows(2) {
            let &[low, past] = pair else { continue };
            open.retain(|&(end, _)| end > low);
            while let Some((_, end, target)) = upcoming.next_if(|&(first, ..)| first == low) {
                open.push((end, target));
            }
            work += open.len() + 1;
            if open.is_empty() {
                continue;
            }
            let mut targets: Vec<usize> = open.iter().map(|&(_, target)| target).collect();
            targets.sort_unstable();
            targets.dedup();
            let to = state_of(&targets, &mut sets, &mut work)?;
            let (Some(low), Some(high)) = (char::from_u32(low), char::from_u32(past - 1)) else { continue };
            push_range(&mut transitions, low, high, to);
        }
        states.push(State { accepts, transitions, count: 0 });
    }
    Ok(states)
}

/// Adds a range after the others, as part of the last one if it continues it.
fn push_range(transitions: &mut Transitions, low: char, high: char, to: u32) {
    match transitions.last_mut() {
        Some((_, end, target)) if *target == to && u32::from(*end) + 1 == u32::from(low) => *end = high,
        _ => transitions.push((low, high, to)),
    }
}

/// The states such that each leads only to later ones. The start is the only state that nothing leads to.
fn sort_topologically(states: &[State]) -> Vec<usize> {
    let mut entries = vec![0usize; states.len()];
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        entries[*to as usize] += 1;
    }
    let mut order = vec![0];
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for (_, _, to) in &states[state].transitions {
            let to = *to as usize;
            entries[to] -= 1;
            if entries[to] == 0 {
                order.push(to);
            }
        }
        at += 1;
    }
    order
}

/// The same automaton with equal states merged; the start comes first. No state is dead: every class has a character, and every node leads on.
fn merge_equal_states(states: Vec<State>) -> Vec<State> {
    let order = sort_topologically(&states);
    // From the ends backwards, so that what a state leads to is merged before it.
    let mut known: HashMap<(bool, Transitions), u32> = HashMap::new();
    let mut merged: Vec<State> = Vec::new();
    let mut became = vec![0u32; states.len()];
    for &at in order.iter().rev() {
        let state = &states[at];
        let mut transitions = Vec::with_capacity(state.transitions.len());
        for &(low, high, to) in &state.transitions {
            push_range(&mut transitions, low, high, became[to as usize]);
        }
        became[at] = *known.entry((state.accepts, transitions.clone())).or_insert_with(|| {
            merged.push(State { accepts: state.accepts, transitions, count: 0 });
            merged.len() as u32 - 1
        });
    }
    // The start leads to all others, so it was merged last: turned around, it is first.
    merged.reverse();
    let last = merged.len() as u32 - 1;
    for (_, _, to) in merged.iter_mut().flat_map(|state| &mut state.transitions) {
        *to = last - *to;
    }
    merged
}

/// Fills in the counts; each state leads only to later ones.
fn fill_counts(mut states: Vec<State>) -> Vec<State> {
    for at in (0..states.len()).rev() {
        let total = states[at].transitions.iter().fold(u128::from(states[at].accepts), |sum, &(low, high, to)| {
            sum.saturating_add(states[to as usize].count.saturating_mul(count_characters(low, high)))
        });
        states[at].count = total;
    }
    states
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let pattern = Pattern::new(source).unwrap();
        (0..pattern.count_texts()).map(|index| pattern.text_at(index).unwrap()).collect()
    }

    fn refusal(source: &str) -> (String, &str) {
        let error = Pattern::new(source).unwrap_err();
        let (start, end) = error.range.unwrap_or((0, 0));
        (error.message, &source[start..end])
    }

    #[test]
    fn lists_its_texts_in_the_order_of_code_points() {
        assert_eq!(texts("b|ab?|[cé]{2}"), ["a", "ab", "b", "cc", "cé", "éc", "éé"]);
        assert_eq!(texts(""), [""]);
        assert_eq!(texts("(a|b){0,2}"), ["", "a", "aa", "ab", "b", "ba", "bb"]);
    }

    #[test]
    fn counts_a_text_once_however_often_it_matches() {
        assert_eq!(texts("a?a?|aa|(a|aa)"), ["", "a", "aa"]);
        assert_eq!(Pattern::new("(a{0,3}){3}").unwrap().count_texts(), 10);
    }

    #[test]
    fn counts_large_patterns_and_saturates() {
        assert_eq!(Pattern::new("[A-Z]{3}-[0-9]{4}").unwrap().count_texts(), 17_576 * 10_000);
        let huge = Pattern::new("[a-z]{40}").unwrap();
        assert_eq!(huge.count_texts(), u128::MAX);
        let text = huge.text_at(u128::MAX - 1).unwrap();
        assert_eq!(huge.index_of(&text), Some(u128::MAX - 1));
        assert_eq!(huge.text_at(u128::MAX), None);
        assert_eq!(huge.index_of(&"z".repeat(40)), Some(u128::MAX));
    }

    #[test]
    fn classes_are_ascii_unless_written() {
        let count = |source: &str| Pattern::new(source).unwrap().count_texts();
        assert_eq!(count(r"\d"), 10);
        assert_eq!(count(r"\w"), 63);
        assert_eq!(count(r"[\w-]"), 64);
        assert_eq!(texts(r"\s"), [" "]);
        assert_eq!(count("."), 95);
        assert_eq!(count("[^a]"), 94);
        assert_eq!(count(r"\D"), 85);
        assert_eq!(count(r"[^\d]"), 85);
        assert_eq!(count(r"\S"), 94);
        assert_eq!(count(r"[[:^alpha:]]"), 43);
        assert_eq!(count("[a-zé&&[^b]]"), 25);
        assert_eq!(count("[^é]"), 95);
        assert_eq!(texts("[\u{D7FF}-\u{E000}]"), ["\u{D7FF}", "\u{E000}"]);
    }

    #[test]
    fn anchors_hold_where_nothing_is_around() {
        assert_eq!(texts("^ab$"), ["ab"]);
        assert_eq!(texts("^(^a|b$)$$"), ["a", "b"]);
        assert_eq!(texts("^a|b$"), ["a", "b"]);
        assert_eq!(refusal("a^b").1, "^");
        assert_eq!(refusal("(^a){2}").1, "^");
        assert_eq!(refusal("a$b").1, "$");
        assert_eq!(refusal(r"a\b").1, r"\b");
    }

    #[test]
    fn what_has_no_end_is_refused_where_it_stands() {
        assert_eq!(refusal("ab*c").1, "*");
        assert_eq!(refusal("a[0-9]+").1, "+");
        assert!(refusal("a[0-9]+").0.contains("`{1,9}`"));
        assert_eq!(refusal("a{3,}").1, "{3,}");
        assert!(refusal("a{4294967295,}").0.contains("no upper limit"));
    }

    #[test]
    fn what_cannot_be_read_is_refused_where_it_stands() {
        assert_eq!(refusal("a(b").1, "(");
        assert_eq!(refusal("a{3,2}").1, "{3,2}");
        assert_eq!(refusal("(?i)a").1, "(?i)");
        assert_eq!(refusal("(?i:a)").1, "i");
        assert_eq!(refusal("x[a&&b]").1, "[a&&b]");
        assert_eq!(refusal(r"\p{L}").1, r"\p{L}");
        assert!(Pattern::new(r"(a)\1").is_err());
    }

    #[test]
    fn hostile_patterns_end_in_a_message() {
        for source in [
            "((a{1000}){1000}){1000}",
            "(a?){20000}",
            "(a|b|ab){300}(a|b){0,300}.{0,300}",
            "(.{0,200}){200}",
            "(a|b){0,20}a(a|b){20}",
            "[ab]{0,5000}c[ab]{5000}",
        ] {
            assert_eq!(Pattern::new(source).map(|pattern| pattern.count_texts()), Err(build_size_error()), "{source}");
        }
        assert_eq!(texts("((){4000000000}){0,4000000000}"), [""]);
        assert_eq!(texts("(a{0}){3}b"), ["b"]);
        assert!(Pattern::new(&"(".repeat(100_000)).is_err());
        assert!(Pattern::new(&format!("{}a{}", "(".repeat(5000), ")".repeat(5000))).is_err());
    }

    #[test]
    fn equal_states_are_merged() {
        assert_eq!(Pattern::new("(a|b)(a|b)(a|b)").unwrap().states.len(), 4);
        assert_eq!(Pattern::new("ax|bx").unwrap().states.len(), 3);
    }

    /// A small expression, listed by brute force.
    #[derive(Clone, Debug)]
    enum Small {
        Class(&'static str, &'static str),
        Repeat(Box<Small>, usize, usize),
        Then(Vec<Small>),
        Or(Vec<Small>),
    }

    impl Small {
        fn source(&self) -> String {
            let join = |parts: &[Small], by| parts.iter().map(Small::source).collect::<Vec<_>>().join(by);
            match self {
                Small::Class(source, _) => (*source).to_owned(),
                Small::Repeat(body, 0, 1) => format!("(?:{})?", body.source()),
                Small::Repeat(body, low, high) if low == high => format!("({}){{{low}}}", body.source()),
                Small::Repeat(body, low, high) => format!("({}){{{low},{high}}}", body.source()),
                Small::Then(parts) => join(parts, ""),
                Small::Or(parts) => format!("({})", join(parts, "|")),
            }
        }

        fn texts(&self) -> BTreeSet<String> {
            let pairs = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                a.iter().flat_map(|a| b.iter().map(move |b| format!("{a}{b}"))).collect::<BTreeSet<_>>()
            };
            let empty = || BTreeSet::from([String::new()]);
            match self {
                Small::Class(_, chars) => chars.chars().map(String::from).collect(),
                Small::Repeat(body, low, high) => {
                    let body = body.texts();
                    let power = |n| (0..n).fold(empty(), |texts, _| pairs(&texts, &body));
                    (*low..=*high).flat_map(power).collect()
                }
                Small::Then(parts) => parts.iter().fold(empty(), |texts, part| pairs(&texts, &part.texts())),
                Small::Or(parts) => parts.iter().flat_map(Small::texts).collect(),
            }
        }
    }

    fn small() -> impl Strategy<Value = Small> {
        let classes =
            vec![("a", "a"), ("b", "b"), ("[a-c]", "abc"), ("[bé]", "bé"), (r"\.", "."), ("[a-d&&[^c]]", "abd")];
        let leaf = prop::sample::select(classes).prop_map(|(source, chars)| Small::Class(source, chars));
        leaf.prop_recursive(3, 6, 3, |inner| {
            prop_oneof![
                (inner.clone(), 0..3usize, 0..2usize).prop_map(|(body, low, more)| Small::Repeat(
                    Box::new(body),
                    low,
                    low + more
                )),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Small::Then),
                prop::collection::vec(inner, 1..3).prop_map(Small::Or),
            ]
        })
        .prop_filter("so few texts that they can be listed", |small| small.size() <= 3_000)
    }

    impl Small {
        /// At least as many as there are texts.
        fn size(&self) -> usize {
            match self {
                Small::Class(_, chars) => chars.chars().count(),
                Small::Repeat(body, _, high) => (body.size() + 1).saturating_pow(*high as u32),
                Small::Then(parts) => parts.iter().fold(1, |size, part| size.saturating_mul(part.size())),
                Small::Or(parts) => parts.iter().fold(0, |size, part| size.saturating_add(part.size())),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn small_patterns_are_what_brute_force_lists(small in small(), probe in "[a-dé.]{0,6}") {
            let pattern = Pattern::new(&small.source()).unwrap();
            let listed = small.texts(); // in the order of UTF-8, which is that of code points
            prop_assert_eq!(pattern.count_texts(), listed.len() as u128, "{}", small.source());
            for (index, text) in listed.iter().enumerate() {
                let drawn = pattern.text_at(index as u128);
                prop_assert_eq!(drawn.as_deref(), Some(text.as_str()));
                prop_assert_eq!(pattern.index_of(text), Some(index as u128));
            }
            prop_assert_eq!(pattern.text_at(pattern.count_texts()), None);
            prop_assert_eq!(pattern.index_of(&probe).is_some(), listed.contains(&probe));
        }

        #[test]
        fn no_text_makes_the_reader_panic(source in r"[ab01(){}|?*+,.^$&\[\]\\\-pdDwWsSbé:!=<]{0,24}") {
            if let Ok(pattern) = Pattern::new(&source) {
                let text = pattern.text_at(pattern.count_texts() / 2).unwrap();
                prop_assert_eq!(pattern.index_of(&text), Some(pattern.count_texts() / 2));
                let copy: Pattern = serde_json::from_str(&serde_json::to_string(&pattern).unwrap()).unwrap();
                prop_assert_eq!(copy, pattern);
            }
        }
    }
}
