//! Notations for cells: the patterns of `written`, the headers of `unpivot`, and `line`, with their diagnostics.

use model::Span;
use tables::{
    CellType, Dropped, Line, LineError, Pattern, PatternError, PatternErrorKind, Piece, Unpivot, UnpivotError,
};

use crate::context::Checker;
use crate::lakes::LakeChecker;
use crate::lakes::marks::{build_left_out_diagnostic, check_factor, collect_letters};
use syntax::ast;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::string::quote_string;

/// The kind of text that is split into columns.
#[derive(Clone, Copy)]
pub(crate) enum Lined {
    /// A line of a file that is read.
    Read,
    /// A cell of a file that is read.
    Cell,
    /// A line of a file that is written.
    Written,
    /// The path of one of many files.
    Path,
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Parses a pattern of `written` with its factor. Returns `None` after reporting an error.
    pub(crate) fn parse_written_pattern(&mut self, written: &'a ast::Written, ty: CellType) -> Option<Pattern> {
        let text = &written.pattern;
        let source = self.require_fixed_text(text, "a pattern")?;
        let parsed = Pattern::parse(&source, ty)
            .map_err(|error| self.task.cx.report_pattern_error(&error, &source, text.span, ty));
        let times = match &written.times {
            Some(times) => {
                let factor = check_factor(self.task, times, Code::BAD_STYLE)?;
                if !ty.is_number() {
                    let message = format!("`times` needs a number, but the column is {}", with_article(ty));
                    let said = Diagnostic::new(Code::BAD_STYLE, message, times.span, "nothing to multiply");
                    self.task.cx.report(said.help("remove `times`"));
                    return None;
                }
                Some(factor)
            }
            None => None,
        };
        let pattern = parsed.ok()?;
        Some(match times {
            Some(times) => pattern.with_times(times),
            None => pattern,
        })
    }
}

impl<'a> Checker<'a> {
    /// Checks that the text that patterns ignore around numbers does not change them, and is the same in all of them. Reports it if it is not.
    pub(super) fn can_leave_out(&mut self, styles: &'a [ast::Style], written: &[Pattern]) -> bool {
        let texts = styles.iter().filter_map(|style| match &style.kind {
            ast::StyleKind::Written(written) => Some(written.pattern.span),
            _ => None,
        });
        if let Some(said) = texts.zip(written).find_map(|(at, pattern)| build_left_out_diagnostic(pattern, at)) {
            self.report(said);
            return false;
        }
        // With factors, the author has said what the texts mean.
        if written.iter().any(|pattern| pattern.times().is_some()) {
            return true;
        }
        let spans =
            styles.iter().filter(|style| matches!(style.kind, ast::StyleKind::Written(_))).map(|style| style.span);
        let lettered: Vec<(Span, &Pattern, String)> = spans
            .zip(written)
            .map(|(at, pattern)| (at, pattern, collect_letters(pattern)))
            .filter(|(.., letters)| !letters.is_empty())
            .collect();
        let Some((_, first, known)) = lettered.first() else { return true };
        let Some((at, other, _)) = lettered.iter().find(|(.., letters)| letters != known) else { return true };
        let message = format!("`{}` and `{}` read different texts as one number", first.source(), other.source());
        let said = Diagnostic::new(Code::BAD_STYLE, message, *at, "another text around the number");
        let help = format!(
            "say how much one of the other is: written {} times 0.001; or `times 1` if that means nothing",
            quote_string(other.source())
        );
        self.report(said.help(help));
        false
    }

    pub(crate) fn report_pattern_error(&mut self, error: &PatternError, source: &str, text: Span, ty: CellType) {
        let range = (error.at.start, error.at.end);
        let at = self.sources.find_in_string(text, source, range).unwrap_or(text);
        let (message, label, help) = describe_pattern_error(error, source, ty);
        let said = Diagnostic::new(Code::BAD_STYLE, message, at, label);
        self.report(match &error.instead {
            Some(instead) => self.suggest_instead(said, source, text, instead, Applicability::Clear),
            None => said.help(help),
        });
    }

    /// Suggests another pattern of `written`, the source of which is at `text`: as help, and as a fix where that is possible.
    pub(crate) fn suggest_instead(
        &self,
        said: Diagnostic,
        source: &str,
        text: Span,
        instead: &str,
        applicability: Applicability,
    ) -> Diagnostic {
        let said = said.help(format!("write: written \"{instead}\""));
        // A replacement without special characters can be inserted unescaped.
        let all = self.sources.find_in_string(text, source, (0, source.len()));
        match all.filter(|_| !instead.contains(['"', '\\', '<'])) {
            Some(all) => said.replace(applicability, all, instead),
            None => said,
        }
    }

    /// Checks that the headers of an `unpivot` are possible. Reports it if not.
    pub(super) fn can_unpivot(&mut self, made: &Unpivot, unpivot: &'a ast::Unpivot) -> bool {
        let Err(error) = made.check_definition() else { return true };
        let (UnpivotError::Several(at)
        | UnpivotError::NoStar(at)
        | UnpivotError::Stars(at)
        | UnpivotError::Again(at, _)) = &error;
        let span = unpivot.values.get(*at).map_or(unpivot.span, |value| match &value.headers {
            ast::Headers::Pattern(text) => text.span,
            _ => value.span,
        });
        let common = "write what the headers have in common: from \"* / Tag\"";
        let (message, label, help) = match &error {
            UnpivotError::Several(_) => {
                ("several columns of `unpivot` need patterns with `*`".to_owned(), "not a pattern", common.to_owned())
            }
            UnpivotError::NoStar(_) => (
                "a pattern of headers needs a `*`".to_owned(),
                "no `*`",
                format!("{common}; or list the headers: from [\"2001\", \"2002\"]"),
            ),
            UnpivotError::Stars(_) => ("a pattern of headers has one `*`".to_owned(), "several `*`", common.to_owned()),
            UnpivotError::Again(_, name) => {
                (format!("`unpivot` has the header `{name}` twice"), "listed here", "remove one of them".to_owned())
            }
        };
        self.report(Diagnostic::new(Code::BAD_STYLE, message, span, label).help(help));
        false
    }

    /// Builds the pattern of a line or path. Returns `None` after reporting that it cannot be read. `pieces` are its parts with their spans, and `names` the
    /// names of the columns.
    pub(crate) fn build_line(
        &mut self,
        pieces: &[(Piece, Span)],
        names: &[String],
        line: Span,
        of: Lined,
    ) -> Option<Line> {
        let read: Vec<Piece> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        let built = Line::new(&read);
        let said = built.as_ref().err().and_then(|error| build_line_diagnostic(error, pieces, names, line, of));
        said.into_iter().for_each(|diagnostic| self.report(diagnostic));
        built.ok()
    }
}

/// Builds the diagnostic for a line or path that cannot be read.
fn build_line_diagnostic(
    error: &LineError,
    pieces: &[(Piece, Span)],
    names: &[String],
    line: Span,
    of: Lined,
) -> Option<Diagnostic> {
    let column = |at: usize| match pieces.get(at) {
        Some((Piece::Column(column, ty), span)) => Some((names.get(*column)?.as_str(), *ty, *span)),
        _ => None,
    };
    Some(match *error {
        LineError::Touching(at) => {
            let (Some((first, ty, from)), Some((second, _, to))) = (column(at), column(at + 1)) else { return None };
            let message = format!("nothing separates `{first}` from `{second}`");
            let label = if ty == CellType::Text { "both are text" } else { "both are numbers" };
            Diagnostic::new(Code::BAD_STYLE, message, from.extend_to(to), label)
                .help(match of {
                    Lined::Read => format!("write what is between them: <<{first}>> <<{second}>>; or cut them by characters: {first} : {} from 1..10", ty.name()),
                    Lined::Cell => format!("write what is between them: <<{first}>> <<{second}>>"),
                    Lined::Written => format!("write something between them: <<{first}>> | <<{second}>>"),
                    Lined::Path => format!("write something between them: <<{first}>>_<<{second}>>"),
                })
        }
        LineError::Again(at) => {
            let (name, _, span) = column(at)?;
            Diagnostic::new(Code::BAD_STYLE, format!("`line` has the column `{name}` twice"), span, "again")
                .help("remove it: a column has one place in a line")
        }
        LineError::NoColumn => Diagnostic::new(Code::BAD_STYLE, "`line` does not have a column", line, "only text")
            .help("name the columns that are in it: line \"<<DAY>> <<TEXT>>\""),
    })
}

/// Returns a type with its article.
pub(super) fn with_article(ty: CellType) -> String {
    let article = if ty == CellType::Int { "an" } else { "a" };
    format!("{article} {}", ty.name())
}

/// Suggests a pattern for a type.
fn suggest_pattern(ty: CellType) -> &'static str {
    match ty {
        CellType::Int => "write for example: written \"#,##0\"",
        CellType::Decimal(_) | CellType::Float => "write for example: written \"#,##0.00\"",
        CellType::Date => "write for example: written \"dd.MM.yyyy\"",
        CellType::DateTime => "write for example: written \"dd.MM.yyyy HH:mm\"",
        CellType::Bool | CellType::Text => "write for example: written \"@ km\"",
    }
}

/// Describes an error in a pattern: message, label, and help.
fn describe_pattern_error(error: &PatternError, source: &str, ty: CellType) -> (String, &'static str, String) {
    let part = source.get(error.at.clone()).unwrap_or(source);
    let example = || suggest_pattern(ty).to_owned();
    let parts = "the parts are yyyy, yy, MMMM, MMM, MM, M, dd, d, EEEE, EEE, HH, H, hh, h, a, mm, ss, D, S, XXX, and X; write other letters in quotes: 'T'";
    match &error.kind {
        PatternErrorKind::Empty => ("the pattern is empty".to_owned(), "empty", example()),
        PatternErrorKind::OuterBlank => {
            (format!("`{}` has a blank at its end", source.trim()), "a field has none", "remove the blank".to_owned())
        }
        PatternErrorKind::NoPatterns => (
            "`written` does not apply to a bool".to_owned(),
            "not a number, date, or text",
            "read the column as text, and compute: PAID = lower(_PAID) == \"yes\"".to_owned(),
        ),
        PatternErrorKind::Meant(other) => (
            format!(
                "`written \"{source}\"` needs {}, but the column is {}",
                describe_pattern_purpose(*other),
                with_article(ty)
            ),
            "does not fit",
            example(),
        ),
        PatternErrorKind::NoBody => (
            format!("`{source}` does not say where the number is"),
            "no `0`",
            format!("write `0` for it; {}", example()),
        ),
        PatternErrorKind::BadBody => (
            format!("`{part}` does not say how digits are written"),
            "not a form of digits",
            "write 0, 0.00, #,##0, or #,##0.00, with the signs of the file".to_owned(),
        ),
        PatternErrorKind::DigitOutside => (
            "the text around a number cannot have digits".to_owned(),
            "not a part of the number",
            "write that text without digits, such as `m²` for `m2`".to_owned(),
        ),
        PatternErrorKind::Forbidden(char) => (
            format!("`{char}` cannot be before or after a number"),
            "not allowed here",
            "read the column as text: written \"@\"".to_owned(),
        ),
        PatternErrorKind::Minus => (
            "a pattern of numbers cannot begin with `-`".to_owned(),
            "not needed",
            "remove it: negative numbers begin with `-` in any pattern".to_owned(),
        ),
        PatternErrorKind::Percents => {
            (format!("`{source}` has `%` twice"), "again", "write it once: the number is divided by 100".to_owned())
        }
        PatternErrorKind::Sections => (
            format!("`{source}` has more than two forms"),
            "a third form",
            "write one for numbers from 0, and one for those below: \"0.00;(0.00)\"".to_owned(),
        ),
        PatternErrorKind::SameSections => (
            format!("`{source}` writes numbers above and below 0 alike"),
            "the same text around the number",
            "write the sign of those below 0: \"0.00;(0.00)\"".to_owned(),
        ),
        PatternErrorKind::Letters => (format!("`{part}` is not a part of a date"), "unknown letters", parts.to_owned()),
        PatternErrorKind::Offset => (
            format!("`{part}` is not a part of a date here"),
            "an offset from UTC, or the name of a time zone",
            "write XXX for +02:00, X for +0200 or +02: the datetime is read in UTC; names of zones are text".to_owned(),
        ),
        PatternErrorKind::OffsetBefore => (
            format!("`{part}` is before a part of the time"),
            "an offset",
            "write it after the time: HH:mm:ssXXX".to_owned(),
        ),
        PatternErrorKind::OpenQuote => {
            ("a quote in the pattern is not closed".to_owned(), "opens here", "write the second quote: 'T'".to_owned())
        }
        PatternErrorKind::Again => {
            (format!("`{part}` repeats a part of the date"), "again", "write each part once".to_owned())
        }
        PatternErrorKind::Needs(other) => {
            (format!("`{part}` needs `{other}`"), "cannot be read alone", format!("add `{other}` to the pattern"))
        }
        PatternErrorKind::NotOfDate => (
            format!("`{part}` needs a datetime, but the column is a date"),
            "a part of the time",
            "declare the column as `datetime`".to_owned(),
        ),
        PatternErrorKind::Touching => (
            format!("nothing separates the numbers of `{part}`"),
            "both have one digit or two",
            "write two digits: ddMM".to_owned(),
        ),
        PatternErrorKind::NoPlace => {
            (format!("`{source}` does not say where the text is"), "no `@`", "write `@` for it: \"@ km\"".to_owned())
        }
        PatternErrorKind::Places => {
            (format!("`{source}` has `@` twice"), "again", "write it once: it is the text".to_owned())
        }
        PatternErrorKind::Drops(Dropped::Decimals { needed }) => {
            (format!("`{source}` drops decimals"), "too few places", format!("write {needed} zeros after the point"))
        }
        PatternErrorKind::Drops(what) => {
            let (what, add) = describe_dropped(*what);
            (format!("`{source}` drops {what}"), "incomplete", format!("add `{add}` to the pattern"))
        }
        PatternErrorKind::OfFloat => (
            "`written` needs fixed places, but the column is a float".to_owned(),
            "of a float",
            "round the column to a decimal".to_owned(),
        ),
        PatternErrorKind::OnlyRead => {
            (format!("`{source}` can only be read"), "cannot be written", "write year, month, and day".to_owned())
        }
    }
}

/// Returns the part of a date that a pattern drops, and what writes it.
pub(crate) fn describe_dropped(part: Dropped) -> (&'static str, &'static str) {
    match part {
        Dropped::Year => ("the year", "yyyy"),
        Dropped::Month => ("the month", "MM"),
        Dropped::Day => ("the day", "dd"),
        Dropped::Time | Dropped::Decimals { .. } => ("the time", "HH:mm:ss"),
    }
}

/// Returns the kind of value that a pattern is for.
fn describe_pattern_purpose(ty: CellType) -> &'static str {
    match ty {
        CellType::Int | CellType::Decimal(_) | CellType::Float => "a number",
        CellType::Date | CellType::DateTime => "a date",
        CellType::Bool | CellType::Text => "a text",
    }
}
