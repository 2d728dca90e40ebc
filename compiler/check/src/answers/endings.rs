//! Files whose extension shows that their content is not text: text matchers cannot read them.

use model::format::describe_unreadable;
use model::suite::Matcher;
use model::suite::matchers::Reads;
use model::{Format, Span, Value};

use crate::context::{Checker, Relations};
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Reports a text matcher that is applied to a file whose content is not text.
    pub(super) fn reject_unreadable_file(
        &self,
        cx: &mut Checker<'a>,
        subject: &hir::Subject,
        matcher: Matcher,
        matcher_span: Span,
    ) {
        let (hir::Subject::File(path), Reads::Text) = (subject, matcher.record().reads) else { return };
        let Some((noun, ending)) = self.describe_unreadable_file(path) else { return };
        let word = matcher.word();
        let said = Diagnostic::new(Code::MISPLACED, format!("`{word}` cannot read {noun}"), matcher_span, "reads text");
        let label = match &ending {
            Some(ending) => format!("`.{ending}` is {noun}"),
            None => format!("declared as {noun}"),
        };
        let text = match matcher {
            Matcher::Rows => "csv",
            Matcher::Json | Matcher::List => "json",
            _ => "txt",
        };
        cx.report(said.label(path.span, label).help(format!(
            "ask for a text file, such as one that ends with `.{text}`, or compare the file with `bytes`, `unchanged`, or `exists`"
        )));
    }

    /// Describes a file whose content is not text: a noun, and the extension if that is the evidence. Returns `None` for other files.
    fn describe_unreadable_file(&self, path: &Expr) -> Option<(&'static str, Option<String>)> {
        let last = path.as_pieces().last()?;
        if let ExprKind::FilePath(file) = last.kind {
            let own = &self.files[file];
            if matches!(own.format, Format::Xlsx | Format::Sqlite) {
                return Some((own.format.noun, None));
            }
            return own.path.as_ref().and_then(|path| self.describe_unreadable_file(path));
        }
        let Some(Value::Text(text)) = last.as_constant() else { return None };
        let noun = describe_unreadable(text)?;
        let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        Some((noun, ending))
    }
}
