//! Options behind expected values: which go together, with which matchers and values.

use plan::suite::{Ignore, Matcher, Options, Within};
use plan::{Decimal, Span, Value};

use super::task::TaskChecker;
use super::{one_of_words, suggest_name};
use crate::ast::{self, ExprKind, OptKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::types::{Ty, TyKind};

#[derive(Default)]
pub(crate) struct Governed {
    pub options: Vec<(String, Options)>,
    pub weight: Option<Decimal>,
    pub gate: bool,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Options behind a value.
    pub fn options(
        &mut self,
        written: &'a [ast::Opt],
        matcher: Matcher,
        pointer: &str,
        ty: &Ty,
        governed: &mut Governed,
    ) {
        let mut options = Options::default();
        let mut first_precision: Option<Span> = None;
        for (index, option) in written.iter().enumerate() {
            let same = |other: &ast::Opt| std::mem::discriminant(&other.kind) == std::mem::discriminant(&option.kind);
            if let Some(first) = written[..index].iter().find(|other| same(other)) {
                self.cx.say(
                    Diagnostic::new(Code::DUPLICATE, "this option stands twice", option.span, "again")
                        .label(first.span, "first here")
                        .help("keep one of the two"),
                );
                continue;
            }
            let whole = pointer.is_empty();
            match &option.kind {
                OptKind::Within(value) => {
                    self.fits_numbers(matcher, ty, option.span, "within");
                    self.one_precision(&mut first_precision, option.span);
                    options.within = self.tolerance(value);
                }
                OptKind::Rounded(value) => {
                    self.fits_numbers(matcher, ty, option.span, "rounded");
                    self.one_precision(&mut first_precision, option.span);
                    let Some(places) = self.fixed(value, "`rounded`") else { continue };
                    match places.value() {
                        Some(Value::Int(places @ 0..=15)) => options.rounded = Some(*places as u8),
                        _ => self.cx.say(
                            Diagnostic::new(
                                Code::BAD_OPTION,
                                "`rounded` takes a number of decimal places, 0 to 15",
                                places.span,
                                "not so",
                            )
                            .help("write: rounded 2"),
                        ),
                    }
                }
                OptKind::Unit(value) => {
                    self.fits_numbers(matcher, ty, option.span, "unit");
                    options.unit = self.unit(value);
                }
                OptKind::Open => {
                    self.fits_objects(matcher, ty, option.span);
                    options.open = true;
                }
                OptKind::Ignore(words) => {
                    if !matches!(
                        matcher,
                        Matcher::Text
                            | Matcher::Contains
                            | Matcher::Json
                            | Matcher::List
                            | Matcher::Rows
                            | Matcher::Sql
                    ) {
                        self.bad_option(option.span, "ignore", matcher, "text, contains, json, list, rows and sql");
                    }
                    for word in words {
                        match self.ignore_word(word) {
                            Some(ignore) if !options.ignore.contains(&ignore) => options.ignore.push(ignore),
                            _ => {}
                        }
                    }
                }
                OptKind::Ordered | OptKind::Unordered => {
                    if !matches!(matcher, Matcher::Json | Matcher::List | Matcher::Rows | Matcher::Sql) {
                        self.bad_option(option.span, "ordered` and `unordered", matcher, "json, list, rows and sql");
                    }
                    if options.ordered.is_some() {
                        self.cx.say(
                            Diagnostic::new(
                                Code::BAD_OPTION,
                                "`ordered` and `unordered` exclude each other",
                                option.span,
                                "which one?",
                            )
                            .help("keep one of the two"),
                        );
                    }
                    options.ordered = Some(option.kind == OptKind::Ordered);
                }
                OptKind::Weight(value) if whole => {
                    let Some(weight) = self.fixed(value, "`weight`") else { continue };
                    match weight.value().and_then(Value::as_decimal) {
                        Some(weight) if weight > Decimal::from_int(0) => governed.weight = Some(weight),
                        _ => self.cx.say(
                            Diagnostic::new(
                                Code::BAD_OPTION,
                                "a weight is a fixed number above 0",
                                weight.span,
                                "not so",
                            )
                            .help("write: weight 2"),
                        ),
                    }
                }
                OptKind::Gate if whole => governed.gate = true,
                OptKind::Weight(_) | OptKind::Gate => self.cx.say(
                    Diagnostic::new(
                        Code::BAD_OPTION,
                        "`weight` and `gate` govern a whole `expect`",
                        option.span,
                        "inside a value",
                    )
                    .help("write it behind the closing brace, or split the answer into several `expect`"),
                ),
            }
        }
        if options != Options::default() {
            governed.options.push((pointer.to_owned(), options));
        }
    }

    fn one_precision(&mut self, first: &mut Option<Span>, span: Span) {
        if let Some(first) = first {
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_OPTION,
                    "`within` and `rounded` exclude each other",
                    span,
                    "a second precision",
                )
                .label(*first, "the first one")
                .help("keep the one that the prompt tells"),
            );
        } else {
            *first = Some(span);
        }
    }

    fn fits_numbers(&mut self, matcher: Matcher, ty: &Ty, span: Span, word: &str) {
        if matches!(
            matcher,
            Matcher::Text
                | Matcher::Contains
                | Matcher::Matches
                | Matcher::Bytes
                | Matcher::Exists
                | Matcher::Absent
                | Matcher::Unchanged
        ) {
            self.bad_option(span, word, matcher, "number, json, list, rows and sql");
        } else if matches!(ty.kind, TyKind::Text | TyKind::Bool | TyKind::Date | TyKind::DateTime) {
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_OPTION,
                    format!("`{word}` is for numbers, and the value is {ty}"),
                    span,
                    "no number",
                )
                .help("remove it"),
            );
        }
    }

    fn fits_objects(&mut self, matcher: Matcher, ty: &Ty, span: Span) {
        fn holds_objects(ty: &Ty) -> bool {
            match &ty.kind {
                TyKind::Object(_) | TyKind::Rows(_) | TyKind::Unknown => true,
                TyKind::List(item) => holds_objects(item),
                _ => false,
            }
        }
        if !matches!(matcher, Matcher::Json | Matcher::List) {
            self.bad_option(span, "open", matcher, "json and list");
        } else if !holds_objects(ty) {
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_OPTION,
                    format!("`open` needs an object, but the value is {}", ty.words()),
                    span,
                    "nothing here has keys",
                )
                .help("remove `open`"),
            );
        }
    }

    /// The text of `unit "kg"`, without blanks around it.
    fn unit(&mut self, value: &'a ast::Expr) -> Option<String> {
        let fixed = self.fixed(value, "`unit`")?;
        let Some(Value::Text(text)) = fixed.value() else { return None };
        let unit = text.trim();
        let Some(why) = no_unit(unit) else { return Some(unit.to_owned()) };
        let message = match unit {
            "" => "the unit is empty".to_owned(),
            _ => format!("`{}` is not a unit", unit.escape_debug()),
        };
        self.cx.say(
            Diagnostic::new(Code::BAD_OPTION, message, fixed.span, why)
                .help("write the unit as it follows the number, as in: unit \"kg\""),
        );
        None
    }

    fn bad_option(&mut self, span: Span, word: &str, matcher: Matcher, fits: &str) {
        self.cx.say(
            Diagnostic::new(
                Code::BAD_OPTION,
                format!("`{word}` does not go with `{}`", matcher.word()),
                span,
                "not here",
            )
            .help(format!("it goes with {fits}")),
        );
    }

    fn tolerance(&mut self, value: &'a ast::Expr) -> Option<Within> {
        if let ExprKind::Percent(percent) = &value.kind {
            return Some(Within::Percent(*percent));
        }
        let tolerance = self.fixed(value, "`within`")?;
        // `1e-6` as the digits it stands for.
        let exact = |value: &Value| match value {
            Value::Float(value) => format!("{value}").parse().ok(),
            value => value.as_decimal(),
        };
        match tolerance.value().and_then(exact) {
            Some(tolerance) if tolerance >= Decimal::from_int(0) => Some(Within::Absolute(tolerance)),
            _ => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_OPTION,
                        "a tolerance is a number from 0 on, or a percentage",
                        tolerance.span,
                        "not so",
                    )
                    .help("write: within 0.01   or: within 1%"),
                );
                None
            }
        }
    }

    fn ignore_word(&mut self, word: &ast::Ident) -> Option<Ignore> {
        const WORDS: [&str; 3] = ["case", "space", "punctuation"];
        match word.text.as_str() {
            "case" => Some(Ignore::Case),
            "space" => Some(Ignore::Space),
            "punctuation" => Some(Ignore::Punctuation),
            other => {
                let said = Diagnostic::new(
                    Code::BAD_OPTION,
                    format!("`{other}` cannot be ignored"),
                    word.span,
                    "not one of these",
                )
                .help(format!("write {}", one_of_words(WORDS)));
                self.cx.say(suggest_name(said, word.span, other, WORDS));
                None
            }
        }
    }
}

/// Why a text cannot follow a number as its unit, if it cannot: the number would not end where the unit begins.
fn no_unit(unit: &str) -> Option<&'static str> {
    let Some(first) = unit.chars().next() else { return Some("an empty text") };
    let exponent = unit.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    if unit.chars().any(char::is_control) {
        Some("has a line break or control character")
    } else if first.is_numeric() || matches!(first, '+' | '-' | '\u{2212}' | '.' | ',') {
        Some("begins like a number")
    } else if exponent.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit())) {
        Some("reads as an exponent")
    } else {
        None
    }
}
