//! Strings with placeholders, and strings that are paths in the sandbox.

use model::path::{LONGEST, describe_problem, fold_path};
use model::suite::{ColumnId, NameId, RelationId, STEPS, StageId};
use model::{Domain, SharedList, TiVec, Value, ValueType};

use crate::context::{Checker, Relations, TaskChecker, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{ColumnSource, Draw, DrawDomain, Expr, ExprKind, Extra, NameSource, Stage};
use syntax::ast::{self, Cooked};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a string by checking its pieces in order. Its value is known if all of theirs are.
    pub fn check_string(&mut self, text: &'a ast::StringLit) -> Expr {
        self.scope.check_unopened_placeholders(self.cx, text);
        self.scope.check_foreign_placeholders(self.cx, text);
        let mut pieces: Vec<Expr> = Vec::new();
        for piece in text.cook() {
            match piece {
                Cooked::Text(text_piece) => {
                    pieces.push(Expr::constant(Value::Text(text_piece), Ty::new(TyKind::Text), text.span));
                }
                Cooked::Placeholder(placeholder) => {
                    let value = self.check_expr(placeholder);
                    self.scope.check_not_null(self.cx, &value, "a value in a string");
                    if matches!(value.ty.kind, TyKind::Rows(_)) {
                        let message = "a result set cannot be written as text";
                        let help = "write a single value or a list: <<value: SELECT …>>, <<list: SELECT …>>";
                        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, "many rows");
                        self.cx.report(said.help(help));
                    }
                    pieces.push(value);
                }
            }
        }
        let ty = Ty::new(TyKind::Text);
        let mut known = String::new();
        for piece in &pieces {
            match piece.as_constant() {
                Some(value) => value.render_into(&mut known),
                None => return Expr { kind: ExprKind::Concat(pieces), ty, span: text.span },
            }
        }
        self.cx.note_duration_text(&pieces, text.span);
        self.cx.make_bounded_constant(Value::Text(known), ty, text.span)
    }

    /// Checks the path of a file, which must not end with `/`.
    pub fn check_file_path(&mut self, text: &'a ast::StringLit) -> Expr {
        let path = self.check_path(text);
        let last = path.as_pieces().last().and_then(Expr::as_constant).and_then(Value::as_text);
        if last.is_some_and(|last| last.len() > 1 && last.ends_with('/')) {
            let message = "the path is that of a folder, but a file is expected";
            let said = Diagnostic::new(Code::UNSAFE_PATH, message, text.span, "ends with `/`");
            self.cx.report(said.help("add the file's name, or use `folder` or `tree` for folders"));
        }
        path
    }

    /// Checks a path inside the sandbox. Reports a path that is proved unsafe.
    pub fn check_path(&mut self, text: &'a ast::StringLit) -> Expr {
        let checked = self.check_string(text);
        let mut pieces = match checked.kind {
            ExprKind::Concat(pieces) => pieces,
            ExprKind::Const(_) => vec![checked.clone()],
            _ => return checked,
        };
        // `<<sandbox>>/x` is the same as `x`, because paths start at the root of the sandbox.
        if matches!(pieces.first().map(|piece| &piece.kind), Some(ExprKind::Sandbox)) {
            pieces.remove(0);
            if let Some(Expr { kind: ExprKind::Const(Value::Text(rest)), .. }) = pieces.first_mut()
                && let Some(stripped) = rest.strip_prefix('/')
            {
                *rest = stripped.to_owned();
            }
        }
        self.scope.check_path_pieces(self.cx, &pieces, text.span, find_placeholder_escape(text));
        match pieces.as_slice() {
            [Expr { kind: ExprKind::Const(Value::Text(whole)), .. }] => {
                Expr::constant(Value::Text(whole.clone()), Ty::new(TyKind::Text), text.span)
            }
            _ => Expr { kind: ExprKind::Concat(pieces), ty: Ty::new(TyKind::Text), span: text.span },
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Reports `>>` after a name in scope if neither `<<` nor `\<<` precedes the name.
    fn check_unopened_placeholders(&mut self, cx: &mut Checker<'a>, text: &ast::StringLit) {
        for piece in &text.pieces {
            let ast::Piece::Text(raw, span) = piece else { continue };
            for (at, _) in raw.match_indices(">>") {
                let before = &raw[..at];
                let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
                let name = &before[start..];
                // `\<<` has opened text that is not a placeholder.
                let last = before.rsplit(">>").next().unwrap_or_default();
                if last.contains("\\<<") {
                    continue;
                }
                let column = self.here.row.is_some_and(|row| self.find_column(row, name).is_some());
                if !(column || self.entities.contains_key(name) || (name == "sandbox" && !self.in_global)) {
                    continue;
                }
                self.mark_name_used(name);
                let place = |at: usize| span.start + at as u32;
                let message = format!("`{name}>>` closes a placeholder that is not open");
                let label = "no `<<` before it";
                let help = format!("write <<{name}>>");
                let said = Diagnostic::new(
                    Code::UNOPENED_PLACEHOLDER,
                    message,
                    model::Span::new(span.file, place(start), place(at + 2)),
                    label,
                );
                cx.report(said.help(help).fix(
                    "open the placeholder",
                    Applicability::Safe,
                    model::Span::new(span.file, place(start), place(start)),
                    "<<",
                ));
            }
        }
    }

    /// Marks a name as used if text that is not a placeholder refers to it.
    pub fn mark_name_used(&mut self, name: &str) {
        self.used.extend(self.entities.get(name));
    }

    /// Checks the paths in a named list.
    pub fn check_named_paths(&self, cx: &mut Checker<'a>, id: NameId) {
        let Some(NameSource::Compute(list)) = self.names[id].checked.clone() else {
            return;
        };
        let items = match list.kind {
            ExprKind::List(items) => items,
            ExprKind::Const(Value::List(items)) => {
                items.into_iter().map(|item| Expr::constant(item, Ty::new(TyKind::Text), list.span)).collect()
            }
            _ => return,
        };
        for item in items {
            let pieces = item.as_pieces();
            self.check_path_pieces(cx, pieces, item.span, None);
        }
    }

    /// Checks a drawn or computed part of a path.
    fn check_path_piece(&self, cx: &mut Checker<'a>, piece: &Expr) {
        let why = match &piece.kind {
            ExprKind::Sandbox => Some("the root of the sandbox works only at the start of a path".to_owned()),
            ExprKind::Name(id) => self.explain_unsafe_values(*id),
            ExprKind::Column(column) => {
                self.here.row.and_then(|row| self.relations.explain_unsafe_cells(cx, row, *column))
            }
            _ => explain_unsafe_type(&piece.ty),
        };
        let Some(why) = why else { return };
        let message = format!("part of the path can be unsafe: {why}");
        let help = "use only letters, digits, `_`, `-`, `.`, and spaces: `word`, an int, or a date is safe";
        let said = Diagnostic::new(Code::UNSAFE_PATH, message, piece.span, "not safe in a file name");
        cx.report(said.with_labels(self.find_named_span(piece).map(|declared| (declared, "drawn here"))).help(help));
    }

    /// Explains why values of a name are unsafe as part of a path. Returns `None` if they are safe, or known only when they are generated.
    fn explain_unsafe_values(&self, id: NameId) -> Option<String> {
        let decl = &self.names[id];
        match decl.checked.as_ref()? {
            NameSource::Draw { draw, .. } => explain_unsafe_draw(draw),
            NameSource::Axis => {
                let axis = self.axes.iter().find(|axis| axis.slot == id)?;
                explain_unsafe_texts(axis.cells.iter().filter_map(|(_, value)| value.as_constant()))
            }
            NameSource::Row => explain_unsafe_texts(self.find_row_cells(id)?.iter()),
            NameSource::Compute(_) => explain_unsafe_type(&decl.ty).filter(|_| decl.ty.kind == TyKind::DateTime),
        }
    }

    /// Lists the values of an axis, of a cell of the row, or of a name that is drawn from a list of at most 1,000 values.
    fn list_closed_name_values(&self, id: NameId) -> SharedList<Value> {
        const MAX_LISTED: usize = 1000;
        match self.names[id].checked.as_ref() {
            Some(NameSource::Draw { draw: Draw { domain: DrawDomain::Fixed(domain), .. }, .. })
                if matches!(domain, Domain::OneOf { .. } | Domain::Weighted { .. }) =>
            {
                domain.list_values().filter(|values| values.len() <= MAX_LISTED).unwrap_or_default()
            }
            Some(NameSource::Axis) => {
                let axis = self.axes.iter().find(|axis| axis.slot == id);
                axis.iter().flat_map(|axis| &axis.cells).filter_map(|(_, value)| value.as_constant().cloned()).collect()
            }
            Some(NameSource::Row) => {
                self.find_row_cells(id).into_iter().flat_map(|cells| cells.iter()).cloned().collect()
            }
            _ => SharedList::default(),
        }
    }

    /// Checks the unknown parts of a path, and then the path as a whole, with `\u{1}` for each unknown part.
    fn check_path_pieces(
        &self,
        cx: &mut Checker<'a>,
        pieces: &[Expr],
        span: model::Span,
        escaped: Option<model::Span>,
    ) {
        let mut shape = String::new();
        for piece in pieces {
            match piece.as_constant() {
                Some(value) => value.render_into(&mut shape),
                None => {
                    self.check_path_piece(cx, piece);
                    shape.push('\u{1}');
                }
            }
        }
        // An unknown part counts as a letter. The path of a folder can end with a slash.
        let known = |shape: &str| shape.strip_suffix('/').unwrap_or(shape).replace('\u{1}', "x");
        let mut why = describe_problem(&known(&shape));
        // If only one name is unknown and has few values, each of them is checked in its place.
        if why.is_none()
            && let [ExprKind::Name(id)] =
                pieces.iter().filter(|piece| piece.as_constant().is_none()).map(|piece| &piece.kind).collect::<Vec<_>>()
                    [..]
        {
            // The rest of the path is safe and short enough, so usually only the segment with the value needs a check.
            let (before, behind) = shape.split_once('\u{1}').unwrap_or((&shape, ""));
            let head = before.rsplit('/').next().unwrap_or("");
            let tail = behind.split('/').next().unwrap_or("");
            let single = shape.matches('\u{1}').count() == 1;
            let mut part = String::new();
            why = self.list_closed_name_values(*id).iter().find_map(|value| {
                part.clear();
                part.push_str(head);
                value.render_into(&mut part);
                part.push_str(tail);
                if single
                    && shape.len() + part.len() <= LONGEST
                    && !part.contains('\u{1}')
                    && describe_problem(&part).is_none()
                {
                    return None;
                }
                describe_problem(&known(&shape.replace('\u{1}', &value.render_text())))
            });
        }
        if let Some(why) = why {
            let said = Diagnostic::new(Code::UNSAFE_PATH, format!("the path {why}"), span, "unsafe path");
            cx.report(match escaped {
                Some(at) => said.help("separate folders with `/`: `\\<<` is `<<` as text").fix(
                    "replace the backslash with `/`",
                    Applicability::Safe,
                    at,
                    "/",
                ),
                None if why.contains("'*'") => {
                    said.help("paths have no wildcards: write each of them, or a folder, such as \"data/\"")
                }
                None => said.help("write a relative path with `/`, such as \"data/report.csv\""),
            });
        }
    }

    /// Reports two files whose paths are always equal (ignoring letter case), and a file where another path needs a folder.
    pub fn check_path_clashes(&self, cx: &mut Checker<'a>, extras: &[Extra], stages: &TiVec<StageId, Stage>) {
        let mut seen: Vec<(String, model::Span, String)> = Vec::new();
        if let Some(stage) = stages.first() {
            seen.push((STEPS.to_owned(), stage.way.span, "file of the stages".to_owned()));
        }
        let files: Vec<(Expr, String)> = self
            .relations
            .files
            .iter()
            .filter_map(|file| Some((file.path.clone()?, format!("file `{}`", file.ast.name.text))))
            .chain(
                extras.iter().filter_map(Extra::placed_path).map(|(path, what)| (path.clone(), what.noun().to_owned())),
            )
            .collect();
        for (path, what) in files {
            let key = cx.build_path_key(&path);
            if let Some((_, first, first_what)) = seen.iter().find(|(known, ..)| *known == key && !key.is_empty()) {
                let message = if what == *first_what {
                    format!("two {what}s have the same path")
                } else {
                    format!("the {what} and the {first_what} have the same path")
                };
                let said = Diagnostic::new(Code::PATH_CLASH, message, path.span, "the same path on some systems")
                    .label(*first, "the first one")
                    .help("give each its own path");
                cx.report(said);
                continue;
            }
            let below = |a: &str, b: &str| !b.is_empty() && a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
            let inside = seen.iter().find(|(known, _, other)| {
                (other.starts_with("file") && below(&key, known)) || (what.starts_with("file") && below(known, &key))
            });
            if let Some((_, first, first_what)) = inside {
                let message = format!(
                    "the path of the {what} and that of the {first_what} need one name to be a file and a folder"
                );
                let said = Diagnostic::new(Code::PATH_CLASH, message, path.span, "one is inside the other")
                    .label(*first, "the other one")
                    .help("rename one of the two");
                cx.report(said);
            }
            seen.push((key, path.span, what));
        }
        self.check_lake_clashes(cx, &seen);
    }
}

impl<'a> Relations<'a> {
    /// Explains why the cells of a column are unsafe as part of a path. Returns `None` if they are safe, or known only when they are generated.
    fn explain_unsafe_cells(&self, cx: &Checker<'a>, relation: RelationId, column: ColumnId) -> Option<String> {
        let is_text = self.checked.get(relation)?.columns.get(column)?.ty.kind == TyKind::Text;
        if let Some(values) = self.list_closed_column_values(cx, relation, column).filter(|_| is_text) {
            return explain_unsafe_texts(values.iter());
        }
        let (relation, column) = self.find_column_origin(relation, column);
        let column = self.checked.get(relation)?.columns.get(column)?;
        let domain = match &column.source {
            ColumnSource::Draw { draw, .. } => explain_unsafe_draw(draw),
            ColumnSource::Given(given) => given
                .seen
                .fact(&given.cells.values)
                .closed
                .as_ref()
                .and_then(|values| explain_unsafe_texts(values.iter())),
            _ => None,
        };
        domain.or_else(|| explain_unsafe_type(&column.ty))
    }
}

impl Checker<'_> {
    /// Builds a key that is equal for paths that are always equal. It is empty if a part of the path is neither a constant nor a name.
    fn build_path_key(&self, path: &Expr) -> String {
        let mut key = String::new();
        for piece in path.as_pieces() {
            match &piece.kind {
                ExprKind::Const(value) => key.push_str(&fold_path(&value.render_text())),
                ExprKind::Name(id) => key.push_str(&format!("\u{1}{}\u{1}", id.0)),
                _ => return String::new(),
            }
        }
        key.trim_end_matches('/').to_owned()
    }
}

fn explain_unsafe_draw(draw: &hir::Draw) -> Option<String> {
    match &draw.domain {
        DrawDomain::Fixed(domain) => explain_unsafe_domain(domain),
        DrawDomain::Range { value_type: ValueType::DateTime, .. } => explain_unsafe_type(&Ty::new(TyKind::DateTime)),
        DrawDomain::Lorem { .. } => Some(LOREM.to_owned()),
        DrawDomain::Ref { .. }
        | DrawDomain::OneOf(_)
        | DrawDomain::Unknown(())
        | DrawDomain::Range { .. }
        | DrawDomain::Share(_)
        | DrawDomain::Exactly(_) => None,
    }
}

fn explain_unsafe_type(ty: &Ty) -> Option<String> {
    match ty.kind {
        TyKind::DateTime => Some("a datetime contains colons".to_owned()),
        TyKind::Float => Some("a float's digits are not fixed".to_owned()),
        _ => None,
    }
}

const LOREM: &str = "lorem text can be long and has punctuation";

fn explain_unsafe_domain(domain: &Domain) -> Option<String> {
    match domain {
        Domain::Lorem { .. } => Some(LOREM.to_owned()),
        Domain::Pattern(pattern) => {
            pattern.iter_characters().find(|c| !is_safe_char(*c)).map(|c| format!("the pattern may give {c:?}"))
        }
        Domain::Template { parts } => parts.iter().find_map(|part| match part {
            model::domain::TemplatePart::Text(text) => {
                text.chars().find(|c| !is_safe_char(*c)).map(|c| format!("its text has {c:?}"))
            }
            model::domain::TemplatePart::Domain(domain) => explain_unsafe_domain(domain),
        }),
        Domain::OneOf { .. } | Domain::Weighted { .. } => explain_unsafe_texts(domain.list_values()?.iter()),
        // Numbers, dates, and booleans.
        other => explain_unsafe_type(&other.value_type().into()).filter(|_| other.value_type() == ValueType::DateTime),
    }
}

fn explain_unsafe_texts<'v>(mut values: impl Iterator<Item = &'v Value>) -> Option<String> {
    values.find_map(|value| match value.render_text() {
        text if text.is_empty() => Some("one of its values is empty".to_owned()),
        text => text.chars().find(|c| !is_safe_char(*c)).map(|c| format!("one of its values has {c:?}")),
    })
}

/// Checks for a character that every file system accepts and no shell or glob interprets.
fn is_safe_char(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '_' | '-' | '.' | ' ' | ',' | '+' | '=' | '@' | '(' | ')' | '\'' | '&' | '#' | '~')
}

/// Finds the backslash of `\<<`, which turns the placeholder after it into text.
fn find_placeholder_escape(path: &ast::StringLit) -> Option<model::Span> {
    path.pieces.iter().find_map(|piece| match piece {
        ast::Piece::Text(raw, at) => {
            let start = at.start + u32::try_from(raw.find("\\<<")?).ok()?;
            Some(model::Span::new(at.file, start, start + 1))
        }
        ast::Piece::Placeholder(_) => None,
    })
}
