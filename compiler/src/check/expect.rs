//! Answer keys: subject, matcher, value, options.

use plan::suite::{FileIx, Matcher};
use plan::{Decimal, Span, Value};

use super::expr::object_of;
use super::options::Governed;
use super::task::{Entity, TaskChecker};
use super::{one_of_words, suggest_name};
use crate::ast::{self, Cooked, ExprKind, Format};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Expr};
use crate::types::{Ty, TyKind};

/// Options of the whole key and of its parts, by JSON pointer.
impl<'a> TaskChecker<'_, 'a> {
    /// Checks an answer key. `None` where too little of it is there.
    pub fn expect(&mut self, expect: &'a ast::Expect, span: Span) -> Option<hir::Expect> {
        let (subject, of_reply, of_files) = match &expect.subject {
            ast::Subject::Reply { slice, .. } => {
                let slice = slice.as_ref().map(|slice| self.slice(slice));
                (hir::Subject::Reply(slice), true, false)
            }
            ast::Subject::File(path) => (hir::Subject::File(self.file_path(path)), false, false),
            ast::Subject::Files(paths) => (hir::Subject::Files(self.paths(paths, false)), false, true),
            ast::Subject::Tree(paths) => (hir::Subject::Tree(self.paths(paths, true)), false, true),
        };
        let (matcher, matcher_span) = match (&expect.matcher, of_files) {
            (Some((matcher, at)), false) => (plan_matcher(*matcher), *at),
            (Some((_, at)), true) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        "`files` and `tree` ask for existence only",
                        *at,
                        "no matcher here",
                    )
                    .help("for the content of one file write: expect file \"…\" text …"),
                );
                (Matcher::Exists, *at)
            }
            (None, true) => (Matcher::Exists, span),
            // The parser has said what is missing.
            (None, false) => return None,
        };
        let existence = matches!(matcher, Matcher::Exists | Matcher::Absent | Matcher::Unchanged);
        if of_reply && existence {
            self.cx.say(
                Diagnostic::new(
                    Code::MISPLACED,
                    "a reply neither exists nor is absent",
                    matcher_span,
                    "for files only",
                )
                .help("write: expect file \"…\" exists"),
            );
            return None;
        }
        if matcher == Matcher::Sql && !of_reply {
            self.cx.say(
                Diagnostic::new(Code::MISPLACED, "`sql` reads the reply", matcher_span, "not a file's content")
                    .help("write: expect reply sql db <<rows: SELECT …>>"),
            );
        }
        let mut governed = Governed::default();
        let any_of = expect.answer.as_ref().is_some_and(|answer| answer.any_of);
        let value = match &expect.answer {
            Some(answer) if !existence => Some(self.answer(answer, matcher, matcher_span, &mut governed)),
            _ => None,
        };
        let ty = value.as_ref().map_or(Ty::UNKNOWN, |value| value.ty.clone());
        self.options(&expect.options, matcher, "", &ty, &mut governed);
        let database = expect.database.as_ref().and_then(|name| self.database(name));
        Some(hir::Expect {
            subject,
            matcher,
            value,
            any_of,
            options: governed.options,
            weight: governed.weight.unwrap_or(Decimal::from_int(1)),
            gate: governed.gate,
            database,
            span,
        })
    }

    fn slice(&mut self, slice: &'a ast::Slice) -> hir::Slice {
        match slice {
            ast::Slice::LastLine(_) => hir::Slice::LastLine,
            ast::Slice::After(text) => {
                let checked = self.string(text);
                if matches!(checked.value(), Some(Value::Text(text)) if text.trim().is_empty()) {
                    self.cx.say(
                        Diagnostic::new(Code::BAD_SETTING, "`after` needs a text to look for", text.span, "blank")
                            .help("write: expect reply after \"Answer:\" number …"),
                    );
                }
                hir::Slice::After(checked)
            }
            ast::Slice::Fenced(_, language) => {
                let language = language.as_ref().map(|language| {
                    language
                        .cook()
                        .iter()
                        .filter_map(|piece| if let Cooked::Text(text) = piece { Some(text.as_str()) } else { None })
                        .collect()
                });
                hir::Slice::Fenced(language)
            }
        }
    }

    /// A list of paths: each is checked where it is a string.
    fn paths(&mut self, list: &'a ast::Expr, tree: bool) -> Expr {
        let span = list.span;
        let word = if tree { "tree" } else { "files" };
        let text = Ty::of(TyKind::Text);
        if let ExprKind::List(items) = &list.kind {
            if items.is_empty() {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISSING_PART,
                        format!("`{word}` lists no path, so every sandbox would do"),
                        span,
                        "empty",
                    )
                    .help(format!("write: expect {word} [\"a.txt\", \"b.txt\"]")),
                );
            }
            let checked: Vec<Expr> = items
                .iter()
                .map(|item| match &item.kind {
                    ExprKind::String(path) => self.path(path),
                    _ => {
                        let checked = self.expr(item);
                        self.expect_type(&checked, &text, "a path");
                        self.not_null(&checked, "a path");
                        checked
                    }
                })
                .collect();
            if !tree {
                self.no_folders(&checked);
            }
            return Expr { kind: hir::ExprKind::List(checked), ty: Ty::of(TyKind::List(Box::new(text))), span };
        }
        let checked = self.expr(list);
        if let hir::ExprKind::Name(id) = checked.kind {
            self.named_paths(id);
        }
        self.expect_type(&checked, &Ty::of(TyKind::List(Box::new(text))), &format!("the value of `{word}`"));
        checked
    }

    fn no_folders(&mut self, paths: &[Expr]) {
        for path in paths {
            let last = match &path.kind {
                hir::ExprKind::Concat(pieces) => pieces.last().and_then(Expr::value),
                _ => path.value(),
            };
            if matches!(last, Some(Value::Text(text)) if text.ends_with('/')) {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        "`files` lists files, and this is a folder",
                        path.span,
                        "ends with `/`",
                    )
                    .help("write `tree` for files and folders"),
                );
            }
        }
    }

    fn database(&mut self, name: &'a ast::Ident) -> Option<FileIx> {
        if let Some(Entity::File(file)) = self.scope.get(name.text.as_str()).copied()
            && self.files[file.0 as usize].format == Format::Sqlite
        {
            self.files[file.0 as usize].used = true;
            return Some(file);
        }
        let said = Diagnostic::new(
            Code::UNKNOWN_TABLE,
            format!("there is no database `{}` here", name.text),
            name.span,
            "not a declared database",
        );
        let known: Vec<&str> = self
            .files
            .iter()
            .filter(|file| file.format == Format::Sqlite)
            .map(|file| file.ast.name.text.as_str())
            .collect();
        let mut said = suggest_name(said, name.span, &name.text, known.iter().copied());
        if said.help.is_none() {
            said = said.help(if known.is_empty() {
                "this task has no database; declare one with: sqlite NAME at \"data.db\" { table … }".to_owned()
            } else {
                format!("this task has {}", one_of_words(known))
            });
        }
        self.cx.say(said);
        None
    }

    /// The expected value, with the options inside it.
    fn answer(
        &mut self,
        answer: &'a ast::Answer,
        matcher: Matcher,
        matcher_span: Span,
        governed: &mut Governed,
    ) -> Expr {
        let value = match matcher {
            Matcher::Json => self.json(&answer.value, String::new(), governed),
            _ => self.expr(&answer.value),
        };
        if value.ty.is_unknown() {
            return value;
        }
        if answer.any_of {
            let TyKind::List(item) = value.ty.kind.clone() else {
                self.cx.say(
                    Diagnostic::new(
                        Code::TYPE_MISMATCH,
                        "`any_of` takes a list of accepted answers",
                        value.span,
                        format!("this is {}", value.ty),
                    )
                    .help("write: any_of [a, b]"),
                );
                return value;
            };
            if matches!(value.value(), Some(Value::List(items)) if items.is_empty()) {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISSING_PART,
                        "`any_of` lists no answer, so none is right",
                        value.span,
                        "empty",
                    )
                    .help("write: any_of [a, b]"),
                );
            }
            self.not_null(&value, "an answer");
            if item.nullable {
                self.not_null(&Expr { ty: (*item).clone(), ..value.clone() }, "an accepted answer");
            }
            self.answer_type(&Ty { nullable: false, ..*item }, matcher, matcher_span, value.span, None);
            return value;
        }
        // JSON's leaves have been asked one by one, and a written `null` is meant.
        if matcher != Matcher::Json || value.ty.nullable {
            self.not_null(&value, "an answer");
        }
        let ty = value.ty.clone();
        let file = match value.kind {
            hir::ExprKind::FilePath(file) => Some(file),
            _ => None,
        };
        self.answer_type(&ty, matcher, matcher_span, value.span, file);
        if matcher == Matcher::Contains {
            self.not_empty(&value, "every reply contains an empty text", "write what the reply must contain");
        }
        if let (Matcher::Matches, Some(Value::Text(pattern))) = (matcher, value.value())
            && let Err(why) = plan::pattern::readable(pattern)
        {
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_PATTERN,
                    format!("this regular expression cannot be read: {why}"),
                    value.span,
                    "here",
                )
                .help("mend it, or use `contains` for a plain text"),
            );
        }
        value
    }

    /// Whether a matcher can compare a type.
    fn answer_type(&mut self, ty: &Ty, matcher: Matcher, matcher_span: Span, span: Span, file: Option<FileIx>) {
        use TyKind as K;
        if ty.is_unknown() {
            return;
        }
        let (fits, wants) = match matcher {
            Matcher::Text | Matcher::Contains => {
                if matches!(ty.kind, K::Decimal(_) | K::Float) {
                    self.cx.say(
                        Diagnostic::new(
                            Code::TEXT_OF_FRACTION,
                            format!("{ty} compared as text: `0.5`, `0.50` and `.5` would be three answers"),
                            span,
                            format!("this is {ty}"),
                        )
                        .label(matcher_span, "compares letter by letter")
                        .help("use `number` (with `within` or `rounded` where the prompt says how exact)"),
                    );
                    return;
                }
                (!matches!(ty.kind, K::List(_) | K::Object(_) | K::Rows(_)), "a single value")
            }
            Matcher::Matches => (ty.kind == K::Text, "a regular expression, a text"),
            Matcher::Number => (ty.is_number(), "a number"),
            Matcher::List => (matches!(ty.kind, K::List(_)), "a list"),
            Matcher::Rows | Matcher::Sql => (matches!(ty.kind, K::Rows(_)), "a result set: <<rows: SELECT …>>"),
            Matcher::Json | Matcher::Exists | Matcher::Absent | Matcher::Unchanged => (true, ""),
        };
        if !fits {
            let word = matcher.word();
            if let Some(file) = file
                && let Some(relation) = self.file_relation(file)
            {
                let name = self.relations[relation.0 as usize].name.clone();
                self.cx.say(
                    Diagnostic::new(
                        Code::TYPE_MISMATCH,
                        format!("`{word}` compares {wants}"),
                        span,
                        "this is a file: its path, as a value",
                    )
                    .label(matcher_span, "this matcher")
                    .help(format!("the number of its rows is count({name})")),
                );
                return;
            }
            let instead = match ty.kind {
                K::Date | K::DateTime | K::Bool => "use `text`",
                K::List(_) => "use `list`",
                K::Object(_) => "use `json`",
                K::Rows(_) => "use `rows`",
                K::Text => "use `text`",
                _ => "use `number` or `text`",
            };
            self.cx.say(
                Diagnostic::new(
                    Code::TYPE_MISMATCH,
                    format!("`{word}` compares {wants}"),
                    span,
                    format!("this is {ty}"),
                )
                .label(matcher_span, "this matcher")
                .help(instead),
            );
        }
    }

    /// A JSON value: objects and lists may hold options behind their values.
    fn json(&mut self, expr: &'a ast::Expr, pointer: String, governed: &mut Governed) -> Expr {
        match &expr.kind {
            ExprKind::Object(fields) => {
                let mut checked: Vec<(String, Expr)> = Vec::new();
                for field in fields {
                    let inner = format!("{pointer}/{}", field.key.text.replace('~', "~0").replace('/', "~1"));
                    let value = self.json(&field.value, inner.clone(), governed);
                    self.options(&field.options, Matcher::Json, &inner, &value.ty, governed);
                    self.add_field(&mut checked, field, value);
                }
                object_of(checked, expr.span)
            }
            ExprKind::List(items) => {
                let checked: Vec<Expr> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.json(item, format!("{pointer}/{index}"), governed))
                    .collect();
                // JSON arrays may hold values of several types.
                let mut ty = None;
                for item in &checked {
                    ty = Some(match ty {
                        None => item.ty.clone(),
                        Some(so_far) => item.ty.join(&so_far).unwrap_or(Ty::UNKNOWN),
                    });
                }
                let ty = Ty::of(TyKind::List(Box::new(ty.unwrap_or(Ty::UNKNOWN))));
                Expr { kind: hir::ExprKind::List(checked), ty, span: expr.span }
            }
            ExprKind::Paren(inner) | ExprKind::Placeholder(inner)
                if matches!(inner.kind, ExprKind::Object(_) | ExprKind::List(_)) =>
            {
                self.json(inner, pointer, governed)
            }
            _ => {
                let value = self.expr(expr);
                // A written `null` is meant.
                if expr.kind != ExprKind::Null && !pointer.is_empty() {
                    self.not_null(&value, "a value of the answer");
                }
                value
            }
        }
    }
}

fn plan_matcher(matcher: ast::Matcher) -> Matcher {
    match matcher {
        ast::Matcher::Text => Matcher::Text,
        ast::Matcher::Contains => Matcher::Contains,
        ast::Matcher::Matches => Matcher::Matches,
        ast::Matcher::Number => Matcher::Number,
        ast::Matcher::Json => Matcher::Json,
        ast::Matcher::List => Matcher::List,
        ast::Matcher::Rows => Matcher::Rows,
        ast::Matcher::Sql => Matcher::Sql,
        ast::Matcher::Exists => Matcher::Exists,
        ast::Matcher::Absent => Matcher::Absent,
        ast::Matcher::Unchanged => Matcher::Unchanged,
    }
}
