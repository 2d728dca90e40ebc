//! Semantic highlighting: names by the kind of their declaration, and the parts of queries, JSONPaths, and XPaths.

use std::collections::BTreeMap;
use std::ops::Range;

use compiler::Source;
use compiler::ast::{Node, RawKind, Span, visit_nodes};
use compiler::query::Kind as Declared;
use compiler::syntax::lex::{self, Embedded, Kind, Token};
use compiler::syntax::words::{self, Class};
use gen_lsp_types as lsp;
use model::SourceId;

use super::symbols::to_editor_kind;
use crate::analysis::Analysis;
use crate::sql_words;
use crate::state::State;

/// The types of tokens; editors know all of them.
pub const TYPES: [&str; 14] = [
    "comment",
    "keyword",
    "string",
    "number",
    "operator",
    "namespace",
    "class",
    "enum",
    "struct",
    "variable",
    "property",
    "function",
    "parameter",
    "type",
];

/// The modifiers; the last three name the embedded language.
pub const MODIFIERS: [&str; 7] =
    ["declaration", "readonly", "defaultLibrary", "documentation", "sql", "jsonpath", "xpath"];

/// A token's type and modifiers, by name.
type Colour = (&'static str, &'static [&'static str]);

/// Returns the tokens of a document.
pub fn handle_semantic_tokens_full(
    state: &mut State,
    params: lsp::SemanticTokensParams,
) -> Option<lsp::SemanticTokens> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    encode_tokens(&analysis, file, (0, u32::MAX))
}

/// Returns the tokens in a range.
pub fn handle_semantic_tokens_range(
    state: &mut State,
    params: lsp::SemanticTokensRangeParams,
) -> Option<lsp::SemanticTokens> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    encode_tokens(&analysis, file, analysis.find_offsets(file, params.range)?)
}

/// A colored piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    start: usize,
    end: usize,
    colour: Colour,
    /// The embedded language that it belongs to.
    language: Option<&'static str>,
}

fn encode_tokens(analysis: &Analysis, file: SourceId, (from, to): (u32, u32)) -> Option<lsp::SemanticTokens> {
    let (text, lines) = (analysis.text(file), analysis.lines(file)?);
    let mut data = Vec::new();
    let mut last = lsp::Position::default();
    let inside = |piece: &Piece| piece.end > from as usize && piece.start < to as usize;
    for piece in collect_pieces(analysis, file).into_iter().filter(inside) {
        // A token of the protocol cannot span lines.
        let mut start = piece.start;
        for line in text.get(piece.start..piece.end)?.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\r', '\n']);
            let at = lines.find_position(text, start);
            let end = lines.find_position(text, start + shown.len());
            start += line.len();
            if end.character <= at.character || end.line != at.line {
                continue;
            }
            let modifiers = piece.colour.1.iter().copied().chain(piece.language);
            data.push(lsp::SemanticToken {
                delta_line: at.line - last.line,
                delta_start: if at.line == last.line { at.character - last.character } else { at.character },
                length: end.character - at.character,
                token_type: TYPES.iter().position(|known| *known == piece.colour.0)? as u32,
                token_modifiers_bitset: modifiers
                    .filter_map(|modifier| MODIFIERS.iter().position(|known| *known == modifier))
                    .fold(0, |bits, at| bits | 1 << at),
            });
            last = at;
        }
    }
    Some(lsp::SemanticTokens { result_id: None, data })
}

/// The pieces of a file, in order and without overlaps.
fn collect_pieces(analysis: &Analysis, file: SourceId) -> Vec<Piece> {
    let text = analysis.text(file);
    let meanings = collect_meanings(analysis, file);
    let mut found: Vec<Piece> = Vec::new();
    let lexed = lex::guess_tokens(text);
    let (mut before, mut last) = ("", Kind::Blank);
    for (at, token) in lexed.tokens.iter().enumerate() {
        let word = token.text(text);
        let Range { start, end } = token.range();
        // `5%` is one number; an escape continues the characters before it.
        let goes_on = match token.kind {
            Kind::Sign => word == "%" && last == Kind::Number,
            Kind::Chars | Kind::Escape => matches!(last, Kind::Chars | Kind::Escape),
            _ => false,
        };
        last = token.kind;
        if goes_on && let Some(piece) = found.last_mut().filter(|piece| piece.end == start) {
            piece.end = end;
            continue;
        }
        let colour: Option<Colour> = match token.kind {
            // Their parts follow as separate tokens.
            Kind::Blank | Kind::Text => continue,
            Kind::Comment => Some(("comment", &[])),
            Kind::Doc => Some(("comment", &["documentation"])),
            Kind::Quote | Kind::Chars | Kind::Escape | Kind::SingleQuoted => Some(("string", &[])),
            Kind::Number => Some(("number", &[])),
            Kind::Open(b'<') | Kind::Close(b'<') => Some(("operator", &[])),
            Kind::Sign if word.is_ascii() && ![",", ":", ".", ";", "@"].contains(&word) => Some(("operator", &[])),
            Kind::Open(_) | Kind::Close(_) | Kind::Sign | Kind::Embedded(_) => None,
            Kind::Word | Kind::Quoted => {
                let keyword = token.kind == Kind::Word && before != "." && is_keyword(word);
                meanings.get(&start).copied().or(keyword.then_some(("keyword", &[])))
            }
            Kind::Raw(RawKind::Sql) => {
                collect_sql_pieces(text, lexed.parts(at), &meanings, &mut found);
                None
            }
            Kind::Raw(kind) => {
                let language = if kind == RawKind::JsonPath { "jsonpath" } else { "xpath" };
                collect_path_pieces(text, lexed.parts(at), language, &mut found);
                None
            }
        };
        found.extend(colour.map(|colour| Piece { start, end, colour, language: None }));
        before = word;
    }
    found
}

fn is_keyword(word: &str) -> bool {
    words::iter_uses(word).any(|word| {
        !matches!(
            word.class,
            Class::Constructor | Class::Duration | Class::Library | Class::Planned | Class::PlannedOption
        )
    })
}

/// The colors of resolved names, by their first byte.
fn collect_meanings(analysis: &Analysis, file: SourceId) -> BTreeMap<usize, Colour> {
    let mut found: BTreeMap<usize, Colour> = BTreeMap::new();
    if let Some(ast) = analysis.find_ast(file) {
        visit_nodes(ast, &mut |node| {
            let (name, colour): (Span, Colour) = match node {
                Node::Field(field) => (field.key.span, ("property", &[])),
                Node::Setting(setting) => (setting.key.span, ("keyword", &[])),
                Node::Call(call, _) => (call.callee.span, ("function", &["defaultLibrary"])),
                Node::Named(named) if words::is_of_class(Class::Constructor, &named.name.text) => {
                    (named.name.span, ("type", &["defaultLibrary"]))
                }
                _ => return,
            };
            found.insert(name.start as usize, colour);
        });
    }
    for (declared, _) in analysis.iter_declarations(file) {
        found.insert(declared.name.span.start as usize, pick_declaration_colour(declared.kind));
    }
    // The color of each declaration is looked up once.
    let mut targets: BTreeMap<Span, Option<Colour>> = BTreeMap::new();
    for reference in analysis.analysed.references.iter().filter(|reference| reference.at.file == file) {
        let colour = *targets.entry(reference.target).or_insert_with(|| {
            let declared = analysis.find_declaration(reference.target)?;
            Some(pick_use_colour(declared.kind, analysis.source(reference.target.file)))
        });
        // A column of a result set or fixture has no name in the source.
        let own = analysis.name_at(reference.at).eq_ignore_ascii_case(&analysis.name_at(reference.target));
        found.insert(reference.at.start as usize, colour.filter(|_| own).unwrap_or(("property", &[])));
    }
    found
}

fn pick_declaration_colour(kind: Declared) -> Colour {
    (to_editor_kind(kind).1, if kind == Declared::Constant { &["declaration", "readonly"] } else { &["declaration"] })
}

fn pick_use_colour(kind: Declared, declared_in: Option<&Source>) -> Colour {
    let modifiers: &[&str] = match (kind, declared_in) {
        (Declared::Constant, _) => &["readonly"],
        (_, Some(source)) if source.library => &["defaultLibrary"],
        _ => &[],
    };
    (to_editor_kind(kind).1, modifiers)
}

/// The tokens of a query or path except blanks: the kind, the text, the first byte, and whether `(` follows.
fn iter_parts<'t>(text: &'t str, parts: &'t [Token]) -> impl Iterator<Item = (Embedded, &'t str, usize, bool)> {
    let visible = |token: &&Token| token.kind != Kind::Embedded(Embedded::Blank);
    parts.iter().enumerate().filter_map(move |(at, token)| {
        let Kind::Embedded(kind) = token.kind else { return None };
        let next = parts.iter().skip(at + 1).find(visible);
        let called = next.is_some_and(|next| next.text(text) == "(");
        (kind != Embedded::Blank).then(|| (kind, token.text(text), token.start as usize, called))
    })
}

/// The pieces of a query.
fn collect_sql_pieces(text: &str, tokens: &[Token], meanings: &BTreeMap<usize, Colour>, found: &mut Vec<Piece>) {
    for (kind, word, start, called) in iter_parts(text, tokens) {
        let colour: Colour = match kind {
            Embedded::Comment => ("comment", &[]),
            Embedded::Text => ("string", &[]),
            Embedded::Number => ("number", &[]),
            Embedded::Sign if matches!(word, "(" | ")" | "," | "." | ";") => continue,
            Embedded::Blank | Embedded::Sign => ("operator", &[]),
            Embedded::Parameter => ("parameter", &[]),
            Embedded::Name => match meanings.get(&start) {
                Some(colour) => *colour,
                None if is_sql_keyword(word) && !(called && sql_words::is_function(word)) => ("keyword", &[]),
                None if called => ("function", &[]),
                None => ("variable", &[]),
            },
        };
        found.push(Piece { start, end: start + word.len(), colour, language: Some("sql") });
    }
}

fn is_sql_keyword(word: &str) -> bool {
    sql_words::is_keyword(word)
        || ["set", "values", "recursive", "collate", "glob", "rows", "range"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
}

/// The pieces of a JSONPath or XPath.
fn collect_path_pieces(text: &str, tokens: &[Token], language: &'static str, found: &mut Vec<Piece>) {
    for (kind, word, start, called) in iter_parts(text, tokens) {
        let colour: Colour = match kind {
            Embedded::Text => ("string", &[]),
            Embedded::Number => ("number", &[]),
            Embedded::Name if called => ("function", &[]),
            Embedded::Name if language == "xpath" && matches!(word, "and" | "or" | "div" | "mod") => ("keyword", &[]),
            Embedded::Name | Embedded::Parameter => ("property", &[]),
            Embedded::Sign if matches!(word, "(" | ")" | "," | "." | "[" | "]") => continue,
            Embedded::Blank | Embedded::Sign | Embedded::Comment => ("operator", &[]),
        };
        found.push(Piece { start, end: start + word.len(), colour, language: Some(language) });
    }
}
