//! The subject of an `expect`: parts of the reply, files, and lists of paths; also the database that `sql` reads.

use model::Value;
use model::suite::FileId;
use model::thoughts::is_thought;

use crate::answers::AnswerChecker;
use crate::context::{Checker, Relations, TaskScope};
use crate::domains::domain::as_bare_path;
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr};
use syntax::ast::{self, Cooked, ExprKind, Format};
use syntax::diagnostics::wording::{build_unknown_diagnostic, join_with_or};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The keyword before a list of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// `files`
    Files,
    /// `tree`
    Tree,
    /// `tree only`. Its list may be empty: then nothing new is expected.
    Only,
    /// `tree unchanged except`. Its list may be empty: then nothing may change.
    Except,
}

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the path of the file that an `expect` reads: a string, or the name of a declared file.
    pub fn check_expected_file(&mut self, path: &'a ast::Expr) -> Expr {
        let name = match &path.kind {
            ExprKind::String(text) => return self.task.check_file_path(text),
            ExprKind::Path(names) => names.first(),
            _ => None,
        };
        let Some(name) = name else { return Expr::unknown(path.span) };
        let entity = self.task.scope.entities.get(name.text.as_str()).copied();
        if let Some(entity) = entity {
            self.task.scope.refer_entity(self.task.cx, name.span, entity);
        }
        let file = match entity {
            Some(Entity::File(file)) => file,
            Some(Entity::Lake(_)) => {
                let message = format!("`{}` is a lake, not a file", name.text);
                let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, name.span, "many files");
                self.task.cx.report(said.help("write the path of the file that the agent must leave, in quotes"));
                return Expr::unknown(path.span);
            }
            Some(Entity::Name(id)) => {
                let declared = self.task.scope.names[id].ident.span;
                let value = self.task.check_expr(path);
                if !value.ty.is_unknown() {
                    let message = format!("`{}` is {}, not a file", name.text, value.ty);
                    let said = Diagnostic::new(Code::TYPE_MISMATCH, message, name.span, value.ty.to_string());
                    let said = said.label(declared, "declared here");
                    self.task.cx.report(match value.ty.kind {
                        TyKind::Text => {
                            let (file, place) = (format!("\"<<{}>>\"", name.text), name.span);
                            said.help(format!("write the path in quotes: expect file {file}")).fix(
                                format!("replace `{}` with `{file}`", name.text),
                                Applicability::Unsafe,
                                place,
                                file,
                            )
                        }
                        _ => said,
                    });
                }
                return Expr::unknown(path.span);
            }
            Some(Entity::Relation(_) | Entity::Row) | None => {
                self.task.scope.relations.report_unknown_file(self.task.cx, name);
                return Expr::unknown(path.span);
            }
        };
        let piece = self.task.resolve_file_path(file, path.span);
        if piece.is_broken() {
            return piece;
        }
        // The same path as `"<<conf>>"`.
        Expr { kind: hir::ExprKind::Concat(vec![piece]), ty: Ty::new(TyKind::Text), span: path.span }
    }

    pub fn check_slice(&mut self, slice: &'a ast::Slice) -> hir::Slice {
        match slice {
            ast::Slice::LastLine(_) => hir::Slice::LastLine,
            ast::Slice::After(text) => {
                hir::Slice::After(self.check_mark(text, "after", "expect reply after \"Answer:\" number …"))
            }
            ast::Slice::Between(open, close) => {
                let example = "expect reply in \"[[\"..\"]]\" number …";
                hir::Slice::Between(self.check_mark(open, "in", example), self.check_mark(close, "in", example))
            }
            ast::Slice::Tag(name) => hir::Slice::Tag(self.check_tag(name)),
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

    /// Checks a text that is looked for in a reply.
    fn check_mark(&mut self, text: &'a ast::StringLit, word: &str, example: &str) -> Expr {
        let checked = self.task.check_string(text);
        if matches!(checked.as_constant(), Some(Value::Text(text)) if text.trim().is_empty()) {
            let message = format!("`{word}` needs a text to look for");
            let said = Diagnostic::new(Code::BAD_SETTING, message, text.span, "blank");
            self.task.cx.report(said.help(format!("write: {example}")));
        }
        checked
    }

    /// Checks the name of a tag and returns it; empty after an error.
    fn check_tag(&mut self, written: &'a ast::StringLit) -> String {
        let checked = self.task.check_string(written);
        let Some(Value::Text(name)) = checked.as_constant() else {
            self.task.scope.report_not_fixed(self.task.cx, &checked, "the tag after `in`");
            return String::new();
        };
        let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
        let said = if is_thought(name) {
            let message = format!("`{name}` is a tag of reasoning, which is removed before a reply is read");
            let label = "never in the cleaned reply";
            let said = Diagnostic::new(Code::BAD_OPTION, message, written.span, label);
            said.help("ask for another tag in the prompt and here, such as `answer`")
        } else if name.is_empty() || !name.chars().all(is_name) {
            let message = format!("`{}` is not the name of a tag", name.escape_debug());
            let said = Diagnostic::new(Code::BAD_SETTING, message, written.span, "not letters, digits, `_`, `-`");
            let bare = name.trim_matches(['<', '>', '/']);
            said.help(match name.strip_prefix('\\').map(|command| command.trim_end_matches(['{', '}'])) {
                Some(command) if !command.is_empty() && command.chars().all(is_name) => {
                    format!(
                        "write what is before the answer and after it: expect reply in \"\\\\{command}{{\"..\"}}\" …"
                    )
                }
                _ if !bare.is_empty() && bare.chars().all(is_name) => {
                    format!("write the name without brackets: expect reply in \"{bare}\" …")
                }
                _ => "write a tag as `in \"answer\"`, and two texts as `in \"[[\"..\"]]\"`".to_owned(),
            })
        } else {
            return name.clone();
        };
        self.task.cx.report(said);
        String::new()
    }

    /// Checks a list of paths; string items are checked as paths.
    pub fn check_paths(&mut self, list: &'a ast::Expr, listed: Listed) -> Expr {
        let span = list.span;
        let (word, tree) = match listed {
            Listed::Files => ("files", false),
            Listed::Tree | Listed::Only | Listed::Except => ("tree", true),
        };
        let text = Ty::new(TyKind::Text);
        if let ExprKind::List(items) = &list.kind {
            if items.is_empty() && matches!(listed, Listed::Files | Listed::Tree) {
                let message = format!("`{word}` does not list a path, so every sandbox would pass");
                let said = Diagnostic::new(Code::MISSING_PART, message, span, "empty");
                self.task.cx.report(said.help(format!("write: expect {word} [\"a.txt\", \"b.txt\"]")));
            }
            let checked: Vec<Expr> = items
                .iter()
                .map(|item| match &item.kind {
                    ExprKind::String(path) => self.task.check_path(path),
                    _ => {
                        let checked = self.task.check_expr(item);
                        self.task.cx.expect_type(&checked, &text, "a path");
                        self.task.scope.check_not_null(self.task.cx, &checked, "a path");
                        match &checked.kind {
                            hir::ExprKind::Folder(_) if listed == Listed::Except => extend_to_folder(checked),
                            _ => checked,
                        }
                    }
                })
                .collect();
            if !tree {
                self.task.cx.reject_folders(&checked);
            }
            return Expr { kind: hir::ExprKind::List(checked), ty: Ty::new(TyKind::List(Box::new(text))), span };
        }
        let checked = self.task.check_expr(list);
        if let hir::ExprKind::Name(id) = checked.kind {
            self.task.scope.check_named_paths(self.task.cx, id);
        }
        if checked.ty.kind == TyKind::Text {
            let word = if listed == Listed::Except { "except" } else { word };
            let message = format!("`{word}` takes a list of paths");
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "one path");
            self.task.cx.report(said.help(format!("write it in brackets: {word} [\"out.csv\"]")));
            return Expr::unknown(span);
        }
        self.task.cx.expect_type(&checked, &Ty::new(TyKind::List(Box::new(text))), &format!("the value of `{word}`"));
        checked
    }
}

/// Returns the path of a lake as that of a folder with all below it.
fn extend_to_folder(lake: Expr) -> Expr {
    let (text, span) = (Ty::new(TyKind::Text), lake.span);
    let end = Expr::constant(Value::Text("/".to_owned()), text.clone(), span);
    Expr { kind: hir::ExprKind::Concat(vec![lake, end]), ty: text, span }
}

impl<'a> TaskScope<'a> {
    /// Resolves a bare name to the declared file, also in parentheses or `<<…>>`.
    pub fn resolve_file_name(&self, cx: &mut Checker<'a>, expr: &'a ast::Expr) -> Option<FileId> {
        let Some([name]) = as_bare_path(expr) else { return None };
        let file = self.find_file(name)?;
        self.refer_entity(cx, name.span, Entity::File(file));
        Some(file)
    }

    pub fn resolve_database(&mut self, cx: &mut Checker<'a>, name: &'a ast::Ident) -> Option<FileId> {
        if let Some(file) = self.find_file(name).filter(|file| self.relations.files[*file].format == Format::Sqlite) {
            self.used.insert(Entity::File(file));
            return Some(file);
        }
        let databases = self.relations.files.iter().filter(|file| file.format == Format::Sqlite);
        let known: Vec<&str> = databases.map(|file| file.ast.name.text.as_str()).collect();
        let message = format!("database `{}` is not defined", name.text);
        let names = known.iter().copied();
        let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, "not a declared database", names);
        cx.report(said.with_default_help(match known.is_empty() {
            true => "this task has no database; declare one with: sqlite NAME at \"data.db\" { table … }".to_owned(),
            false => format!("this task has {}", join_with_or(known)),
        }));
        None
    }
}

impl<'a> Relations<'a> {
    fn report_unknown_file(&self, cx: &mut Checker<'a>, name: &'a ast::Ident) {
        let text = name.text.as_str();
        let inside = self.files.keys().find(|file| self.find_table(*file, text).is_some());
        let inside = inside.map(|file| &self.files[file].ast.name.text);
        let mut tables = self.checked.iter().zip(&self.declared);
        let private = tables.any(|(relation, decl)| decl.private.is_some() && relation.name == text);
        let (message, help) = match inside {
            _ if private => (
                format!("`{text}` is a table that no agent is given, not a file"),
                "write the path of the file that the agent must leave, in quotes".to_owned(),
            ),
            Some(file) => {
                (format!("`{text}` is a table of `{file}`, not a file"), format!("write the file: expect file {file}"))
            }
            None => {
                let known: Vec<&str> = self.files.iter().map(|file| file.ast.name.text.as_str()).collect();
                let (message, names) = (format!("file `{text}` is not defined"), known.iter().copied());
                let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, "not declared", names);
                return cx.report(said.with_default_help(match known.is_empty() {
                    true => format!("write a path in quotes: expect file \"{text}.txt\""),
                    false => format!("this task has {}; write any other path in quotes", join_with_or(known)),
                }));
            }
        };
        let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, name.span, "not a file");
        cx.report(said.with_unknown_name(text).help(help));
    }
}

impl Checker<'_> {
    fn reject_folders(&mut self, paths: &[Expr]) {
        for path in paths {
            let last = path.as_pieces().last().and_then(Expr::as_constant).and_then(Value::as_text);
            if last.is_some_and(|text| text.ends_with('/')) {
                let message = "`files` needs files, but this is a folder";
                let said = Diagnostic::new(Code::MISPLACED, message, path.span, "ends with `/`");
                self.report(said.help("write `tree` for files and folders"));
            }
        }
    }
}
