//! Placeholders in the syntax of other tools, which are plain text here: `{{name}}` of PICARD and of template engines, `{name}` and
//! `${name}` of programming languages. Only clear cases are reported: a name of the task, or a form that only PICARD uses.

use model::Span;

use crate::context::{Checker, TaskScope};
use syntax::ast;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The maximum length in bytes of a placeholder; longer text is not a placeholder.
const LONGEST: usize = 200;

impl<'a> TaskScope<'a> {
    /// Reports `{{…}}` in any string.
    pub fn check_foreign_placeholders(&mut self, cx: &mut Checker<'a>, text: &'a ast::StringLit) {
        for (inner, span) in find_enclosed_texts(text, "{{", "}}") {
            let (head, arguments) = match inner.split_once(':') {
                Some((head, arguments)) => (head, Some(arguments)),
                None => (inner, None),
            };
            if arguments.is_none() && self.is_value(head) {
                if !has_placeholder(text, head) {
                    self.report_foreign_placeholder(cx, head, span);
                }
                continue;
            }
            let message = format!("`{{{{{inner}}}}}` is a placeholder in PICARD, but not in `.pcd`");
            let said = Diagnostic::new(Code::UNOPENED_PLACEHOLDER, message, span, "the agent sees it literally");
            let of_kind = |kind: &str| {
                head.strip_prefix(kind)
                    .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
            };
            let function = arguments.is_some() && cx.project.library.functions.contains_key(head);
            let number = head.trim_start_matches(|c: char| !c.is_ascii_digit());
            let help = match head {
                "artifacts" if arguments.is_none() => {
                    "write the path without it, as in \"data/report.csv\"; in a prompt the name of a file, <<report>>, is its path, and <<sandbox>> the root".to_owned()
                }
                "qs_id" if arguments.is_none() => {
                    "leave it out: every sample has a sandbox of its own, so paths need no number".to_owned()
                }
                _ if of_kind("entity") => format!("draw a name, e{number} : word, and write <<e{number}>>"),
                _ if of_kind("semantic") => {
                    let domain = arguments.unwrap_or("city").split(':').next().unwrap_or_default();
                    format!("draw a name, s{number} : {domain}, and write <<s{number}>>")
                }
                _ if of_kind("number") => match arguments.map(|all| all.split(':').collect::<Vec<_>>()).as_deref() {
                    Some([low, high, ..]) => format!("draw a name, n{number} : int {low}..{high}, and write <<n{number}>>"),
                    _ => format!("draw a name, n{number} : int 1..100, and write <<n{number}>>"),
                },
                _ if function => {
                    format!("write <<{head}: …>>, with the name of the file in place of its path and commas between the arguments")
                }
                _ => continue,
            };
            cx.report(said.help(help));
        }
    }

    /// Reports `{name}` and `${name}` in a prompt if `name` is in scope and the text before it does not end inside a word.
    pub fn check_prompt_placeholders(&mut self, cx: &mut Checker<'a>, text: &'a ast::StringLit) {
        for opening in ["${", "{"] {
            for (inner, span) in find_enclosed_texts(text, opening, "}") {
                let own = cx
                    .find_char_before(span)
                    .is_none_or(|c| c.is_whitespace() || matches!(c, '\'' | '`' | '(' | '/' | '"'));
                if own && self.is_value(inner) && !has_placeholder(text, inner) {
                    self.report_foreign_placeholder(cx, inner, span);
                }
            }
        }
    }

    fn report_foreign_placeholder(&mut self, cx: &mut Checker<'a>, name: &str, span: Span) {
        let written = cx.sources.text(span).to_owned();
        self.mark_name_used(name);
        let message = format!("`{written}` is not a placeholder");
        let help = format!("write <<{name}>>");
        let said = Diagnostic::new(Code::UNOPENED_PLACEHOLDER, message, span, "the agent sees it literally");
        cx.report(said.help(help).fix("make it a placeholder", Applicability::Unsafe, span, format!("<<{name}>>")));
    }

    /// Checks whether a name is in scope: a value, a file, or `sandbox` inside a task.
    fn is_value(&self, name: &str) -> bool {
        self.entities.contains_key(name) || name == "sandbox" && !self.in_global
    }
}

impl Checker<'_> {
    fn find_char_before(&self, span: Span) -> Option<char> {
        let source = self.sources.get(span.file)?;
        source.text.get(..span.start as usize)?.chars().next_back()
    }
}

/// Finds the single-line texts between `open` and `close` that have no space at either end. Their spans include `open` and `close`.
fn find_enclosed_texts<'t>(text: &'t ast::StringLit, open: &str, close: &str) -> Vec<(&'t str, Span)> {
    let mut found = Vec::new();
    for piece in &text.pieces {
        let ast::Piece::Text(raw, span) = piece else { continue };
        for (at, _) in raw.match_indices(open) {
            let Some(behind) = raw.get(at + open.len()..) else { continue };
            let Some(length) = behind.find(close) else { break };
            let Some(inner) = behind.get(..length) else { continue };
            let plain =
                !inner.is_empty() && length <= LONGEST && !inner.contains(['\n', '{', '}']) && inner.trim() == inner;
            if plain {
                let start = span.start + at as u32;
                let end = start + (open.len() + length + close.len()) as u32;
                found.push((inner, Span::new(span.file, start, end)));
            }
        }
    }
    found
}

/// Checks whether the string also contains a real placeholder with this name: then its author knows the syntax and means the other form literally.
fn has_placeholder(text: &ast::StringLit, name: &str) -> bool {
    text.pieces.iter().any(|piece| match piece {
        ast::Piece::Placeholder(expr) => match &expr.kind {
            ast::ExprKind::Placeholder(inner) => matches!(&inner.kind, ast::ExprKind::Path(names) if names.first().is_some_and(|known| known.text == name)),
            _ => false,
        },
        ast::Piece::Text(..) => false,
    })
}
