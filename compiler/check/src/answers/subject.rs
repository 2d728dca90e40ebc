//! The subject of an `expect`: parts of the reply, files, and lists of paths; also the database that `sql` reads.

use model::Value;
use model::suite::FileId;

use crate::answers::AnswerChecker;
use crate::context::{Checker, Relations, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr};
use syntax::ast::{self, Cooked, ExprKind, Format};
use syntax::diagnostics::wording::{join_with_or, suggest_name};
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
                    let said = Diagnostic::new(
                        Code::TYPE_MISMATCH,
                        format!("`{}` is {}, not a file", name.text, value.ty),
                        name.span,
                        value.ty.to_string(),
                    );
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
        self.task.ensure_file(file, Some(path.span));
        self.task.scope.used.insert(Entity::File(file));
        if self.task.scope.relations.is_many(self.task.cx, file, path.span) {
            return Expr::unknown(path.span);
        }
        // The same path as `"<<conf>>"`.
        let piece = Expr { kind: hir::ExprKind::FilePath(file), ty: Ty::new(TyKind::Text), span: path.span };
        Expr { kind: hir::ExprKind::Concat(vec![piece]), ty: Ty::new(TyKind::Text), span: path.span }
    }

    pub fn check_slice(&mut self, slice: &'a ast::Slice) -> hir::Slice {
        match slice {
            ast::Slice::LastLine(_) => hir::Slice::LastLine,
            ast::Slice::After(text) => {
                let checked = self.task.check_string(text);
                if matches!(checked.as_constant(), Some(Value::Text(text)) if text.trim().is_empty()) {
                    self.task.cx.report(
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

    /// Checks a list of paths; string items are checked as paths.
    pub fn check_paths(&mut self, list: &'a ast::Expr, listed: Listed) -> Expr {
        let span = list.span;
        let (word, tree) = match listed {
            Listed::Files => ("files", false),
            Listed::Tree | Listed::Only => ("tree", true),
        };
        let text = Ty::new(TyKind::Text);
        if let ExprKind::List(items) = &list.kind {
            if items.is_empty() && listed != Listed::Only {
                self.task.cx.report(
                    Diagnostic::new(
                        Code::MISSING_PART,
                        format!("`{word}` does not list a path, so every sandbox would pass"),
                        span,
                        "empty",
                    )
                    .help(format!("write: expect {word} [\"a.txt\", \"b.txt\"]")),
                );
            }
            let checked: Vec<Expr> = items
                .iter()
                .map(|item| match &item.kind {
                    ExprKind::String(path) => self.task.check_path(path),
                    _ => {
                        let checked = self.task.check_expr(item);
                        self.task.cx.expect_type(&checked, &text, "a path");
                        self.task.scope.check_not_null(self.task.cx, &checked, "a path");
                        checked
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
        self.task.cx.expect_type(&checked, &Ty::new(TyKind::List(Box::new(text))), &format!("the value of `{word}`"));
        checked
    }
}

impl<'a> TaskScope<'a> {
    /// Resolves a bare name to the declared file, also in parentheses or `<<…>>`.
    pub fn resolve_file_name(&self, cx: &mut Checker<'a>, expr: &'a ast::Expr) -> Option<FileId> {
        match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Placeholder(inner) => self.resolve_file_name(cx, inner),
            ExprKind::Path(names) => {
                let [name] = names.as_slice() else { return None };
                let Some(Entity::File(file)) = self.entities.get(name.text.as_str()).copied() else { return None };
                self.refer_entity(cx, name.span, Entity::File(file));
                Some(file)
            }
            _ => None,
        }
    }

    pub fn resolve_database(&mut self, cx: &mut Checker<'a>, name: &'a ast::Ident) -> Option<FileId> {
        if let Some(Entity::File(file)) = self.entities.get(name.text.as_str()).copied()
            && self.relations.files[file].format == Format::Sqlite
        {
            self.used.insert(Entity::File(file));
            return Some(file);
        }
        let said = Diagnostic::new(
            Code::UNKNOWN_TABLE,
            format!("database `{}` is not defined", name.text),
            name.span,
            "not a declared database",
        )
        .with_unknown_name(&name.text);
        let known: Vec<&str> = self
            .relations
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
                format!("this task has {}", join_with_or(known))
            });
        }
        cx.report(said);
        None
    }
}

impl<'a> Relations<'a> {
    fn report_unknown_file(&self, cx: &mut Checker<'a>, name: &'a ast::Ident) {
        let text = name.text.as_str();
        let inside: Vec<String> = self
            .files
            .keys()
            .filter(|file| self.find_table(*file, text).is_some())
            .map(|file| self.files[file].ast.name.text.clone())
            .collect();
        let private = self
            .checked
            .iter()
            .zip(&self.declared)
            .any(|(relation, decl)| decl.private.is_some() && relation.name == text);
        let said = match inside.first() {
            _ if private => Diagnostic::new(
                Code::UNKNOWN_TABLE,
                format!("`{text}` is a table that no agent is given, not a file"),
                name.span,
                "not a file",
            )
            .help("write the path of the file that the agent must leave, in quotes"),
            Some(file) => Diagnostic::new(
                Code::UNKNOWN_TABLE,
                format!("`{text}` is a table of `{file}`, not a file"),
                name.span,
                "not a file",
            )
            .help(format!("write the file: expect file {file}")),
            None => {
                Diagnostic::new(Code::UNKNOWN_TABLE, format!("file `{text}` is not defined"), name.span, "not declared")
            }
        }
        .with_unknown_name(text);
        if said.help.is_some() {
            return cx.report(said);
        }
        let known: Vec<&str> = self.files.iter().map(|file| file.ast.name.text.as_str()).collect();
        let mut said = suggest_name(said, name.span, text, known.iter().copied());
        if said.help.is_none() {
            said = said.help(if known.is_empty() {
                format!("write a path in quotes: expect file \"{text}.txt\"")
            } else {
                format!("this task has {}; write any other path in quotes", join_with_or(known))
            });
        }
        cx.report(said);
    }
}

impl Checker<'_> {
    fn reject_folders(&mut self, paths: &[Expr]) {
        for path in paths {
            let last = match &path.kind {
                hir::ExprKind::Concat(pieces) => pieces.last().and_then(Expr::as_constant),
                _ => path.as_constant(),
            };
            if matches!(last, Some(Value::Text(text)) if text.ends_with('/')) {
                self.report(
                    Diagnostic::new(
                        Code::MISPLACED,
                        "`files` needs files, but this is a folder",
                        path.span,
                        "ends with `/`",
                    )
                    .help("write `tree` for files and folders"),
                );
            }
        }
    }
}
