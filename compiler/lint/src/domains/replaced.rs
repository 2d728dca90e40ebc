//! `idle_goal` for texts: a replacement of a text that is never there.

use model::functions::{Kernel, Reader};
use model::suite::{FileId, Scope};
use model::{Domain, Value};

use crate::context::{TaskCx, report_once};
use hir::facts::Fact;
use hir::{Arg, DrawDomain, Expr, ExprKind, FileContent};
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of pieces that are followed for one text, because names composed of names can double each time.
const MAX_STEPS: u32 = 10_000;

/// Reports replacements in expected values whose text never occurs.
pub fn report_idle_replacements<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    let replacements = Replacements { cx };
    for expect in cx.task.iter_expects() {
        let Some(answer) = expect.answer_expr() else { continue };
        answer.visit_through_names(cx.task, &mut |part| {
            replacements.check_call(part).into_iter().for_each(|new| report_once(new, said));
        });
    }
}

struct Replacements<'l, 'a> {
    cx: &'l TaskCx<'a>,
}

/// A piece of a text.
enum Piece<'a> {
    /// One of these texts.
    OneOf(Vec<String>),
    /// A text of characters that this domain may contain.
    Of(&'a Domain),
}

impl<'a> Replacements<'_, 'a> {
    fn check_call(&self, call: &'a Expr) -> Option<Diagnostic> {
        let ExprKind::Call(function, args) = &call.kind else { return None };
        let [Arg::Value(text), Arg::Value(sought), Arg::Value(_)] = args.as_slice() else { return None };
        if function.sought != Some(1) {
            return None;
        }
        let needle = sought.resolve_name(self.cx.task).as_constant()?.as_text()?;
        if needle.is_empty() || needle.contains(['\n', '\r']) {
            return None;
        }
        let (pieces, file) = self.collect_pieces(text.resolve_name(self.cx.task))?;
        let mut steps = 0;
        if can_occur(&pieces, needle, &mut steps) {
            return None;
        }
        let whole = match file.and_then(|file| self.cx.task.files.get(file)) {
            Some(file) => format!("`{}`", file.name),
            None => format!("`{}`", self.cx.sources.quote(text.span)),
        };
        let message = format!("the replacement changes nothing: `{needle}` is never in {whole}");
        Some(
            Diagnostic::new(Code::IDLE_GOAL, message, sought.span, "never there")
                .help("replace a text of the data, or write this one into the data"),
        )
    }

    /// The pieces of which a text or the content of a file surely consists, over and over.
    fn collect_pieces(&self, text: &'a Expr) -> Option<(Vec<Piece<'a>>, Option<FileId>)> {
        let scope = Scope::default();
        let ExprKind::Call(function, args) = &text.kind else {
            return Some((vec![self.read_piece(text, scope)?], None));
        };
        let (Kernel::Reads(Reader::Content), [Arg::File(file)]) = (function.kernel, args.as_slice()) else {
            return None;
        };
        let pieces = match &self.cx.task.files.get(*file)?.content {
            FileContent::ComputedText(value) => self.read_text(value, scope)?,
            FileContent::DrawnText(draw) => match &draw.domain {
                DrawDomain::Fixed(domain) => vec![Piece::Of(domain)],
                _ => return None,
            },
            FileContent::TextLines { relation, line, form: None } => {
                let mut pieces = self.read_text(line, Scope::with_row(*relation))?;
                pieces.push(Piece::OneOf(vec!["\n".to_owned()]));
                pieces
            }
            _ => return None,
        };
        Some((pieces, Some(*file)))
    }

    fn read_text(&self, text: &'a Expr, scope: Scope) -> Option<Vec<Piece<'a>>> {
        text.resolve_name(self.cx.task).as_pieces().iter().map(|piece| self.read_piece(piece, scope)).collect()
    }

    fn read_piece(&self, piece: &'a Expr, scope: Scope) -> Option<Piece<'a>> {
        let fact = self.cx.facts().infer_expr(piece, scope);
        if let Some(values) = fact.closed.as_ref().filter(|values| !values.is_empty()) {
            let mut texts: Vec<String> = values.iter().map(|value| value.render_text().into_owned()).collect();
            texts.extend(fact.nullable.then(String::new));
            return Some(Piece::OneOf(texts));
        }
        fact.domain.filter(|_| is_known(&fact)).map(Piece::Of)
    }
}

/// Whether the domain has all characters of the values.
fn is_known(fact: &Fact<'_>) -> bool {
    // A computed value has no domain; a drawn one is rendered as it is.
    fact.range.as_ref().is_none_or(|(low, _)| !matches!(low, Value::Float(_)))
}

/// Whether a text can occur in pieces that follow each other, over and over. In doubt, it can.
fn can_occur(pieces: &[Piece<'_>], needle: &str, steps: &mut u32) -> bool {
    pieces.iter().enumerate().any(|(at, piece)| match piece {
        Piece::OneOf(texts) => texts.iter().any(|text| {
            text.char_indices().any(|(start, _)| {
                let rest = text.get(start..).unwrap_or_default();
                rest.starts_with(needle)
                    || needle.strip_prefix(rest).is_some_and(|needle| can_follow(pieces, at + 1, needle, steps))
            })
        }),
        Piece::Of(domain) => can_begin(domain, needle, &mut |needle| can_follow(pieces, at + 1, needle, steps)),
    })
}

/// Whether a text can begin where a piece begins.
fn can_follow(pieces: &[Piece<'_>], at: usize, needle: &str, steps: &mut u32) -> bool {
    *steps += 1;
    if needle.is_empty() || *steps > MAX_STEPS {
        return true;
    }
    let at = at % pieces.len().max(1);
    match pieces.get(at) {
        None => true,
        Some(Piece::OneOf(texts)) => texts.iter().any(|text| {
            text.starts_with(needle)
                || needle.strip_prefix(text.as_str()).is_some_and(|needle| can_follow(pieces, at + 1, needle, steps))
        }),
        Some(Piece::Of(domain)) => {
            can_follow(pieces, at + 1, needle, steps)
                || can_begin(domain, needle, &mut |needle| can_follow(pieces, at + 1, needle, steps))
        }
    }
}

/// Whether some first characters of a text can be those of a domain, and `rest` accepts what follows them.
fn can_begin(domain: &Domain, needle: &str, rest: &mut dyn FnMut(&str) -> bool) -> bool {
    for (start, char) in needle.char_indices() {
        if !domain.may_contain(char) {
            return false;
        }
        let after = needle.get(start + char.len_utf8()..).unwrap_or_default();
        if after.is_empty() || rest(after) {
            return true;
        }
    }
    false
}
