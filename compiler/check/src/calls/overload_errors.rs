//! Diagnostics for arguments that fit no overload.

use std::collections::BTreeSet;

use model::Span;
use model::functions::FunctionId;
use model::suite::{NameId, RelationId};

use super::arguments::{ArgKind, GivenArg};
use super::overloads::can_take_rows;
use crate::context::{Checker, NameAst, Relations, TaskScope};
use crate::expr::{build_day_literal, suggest_literal};
use crate::library::{Function, ParamKind, Pattern, Signature};
use hir::types::TyKind;
use syntax::ast::{self, Format, RawKind};
use syntax::diagnostics::wording::{format_count, join_with_or, quote_ident};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskScope<'a> {
    pub(super) fn report_no_overload(
        &self,
        cx: &mut Checker<'a>,
        call: &'a ast::Call,
        function: &Function,
        args: &[GivenArg<'a>],
        span: Span,
    ) {
        let (name, overloads) = (call.callee.text.as_str(), &function.overloads);
        // The intended overload is the one that fits the most arguments.
        let best = overloads
            .iter()
            .filter_map(|signature| Some((self.relations.find_mismatch(signature, args)?, signature)))
            // If several fit equally well, the first declared one is used (`max_by_key` would use the last).
            .rev()
            .max_by_key(|(at, signature)| {
                (*at, signature.arity().0 <= args.len() && args.len() <= signature.arity().1)
            });
        let Some((at, signature)) = best else { return };
        let signature = signature.clone();
        let (least, most) = signature.arity();
        if args.len() < least || args.len() > most {
            let wanted = if least == most {
                format_count(least as u32, "argument")
            } else if most == usize::MAX {
                format!("at least {}", format_count(least as u32, "argument"))
            } else {
                format!("{least} to {most} arguments")
            };
            let at = if args.len() > most { args.get(most).map_or(span, |arg| arg.span) } else { call.callee.span };
            let message = format!("`{name}` takes {wanted}, not {}", args.len());
            let label = if args.len() > most { "one too many" } else { "too few" };
            let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, at, label);
            cx.report(said.help(format!("its signature is: {}", signature.text)));
            return;
        }
        let (Some(arg), Some(param)) = (args.get(at), signature.find_param(at)) else { return };
        if let Some(filter) = arg.filter_span
            && !matches!(param.kind, ParamKind::Relation { .. } | ParamKind::Column { .. })
        {
            let message = format!("`{}` of `{name}` does not accept `where`", param.name);
            let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, filter, "not here");
            cx.report(said.help("`where` works with a table or a column of a table"));
            return;
        }
        // If the argument is a table or a column, overloads that take values do not help.
        let of_relation = |signature: &Signature| {
            let kind = signature.find_param(at).map(|param| &param.kind);
            matches!(kind, Some(ParamKind::Column { .. } | ParamKind::Relation { .. }))
        };
        let mut overloads = overloads.clone();
        if matches!(
            arg.given,
            ArgKind::File(_, Some(_)) | ArgKind::Relation(_) | ArgKind::Column(..) | ArgKind::Each(..)
        ) && overloads.iter().any(of_relation)
        {
            overloads.retain(of_relation);
        }
        let wanted = self.relations.describe_wanted_kinds(&overloads, args, at, &param.kind);
        let (is, label, declared) = self.describe_argument(&arg.given, &param.kind);
        let message = format!("`{name}` needs {wanted} as `{}`, but this is {is}", param.name);
        let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, arg.span, label).with_labels(declared);
        if let Some((at, literal)) = find_literal(&arg.given, &param.kind, (arg.span, span), call, &signature.result) {
            return cx.report(suggest_literal(said, at, &literal));
        }
        let mut forms: Vec<&str> = overloads.iter().map(|signature| signature.text.as_str()).collect();
        forms.dedup();
        let hint = self.relations.suggest_argument(function, &arg.given, &param.kind);
        let hint = hint.or_else(|| self.suggest_path(cx, name, args, at, &param.kind));
        cx.report(said.help(match hint {
            Some(hint) => hint,
            None if forms.len() == 1 => format!("its signature is: {}", forms.join("")),
            None => format!("its signatures are: {}", forms.join("; ")),
        }));
    }

    /// Describes an argument: what it is, a label, and where it is declared.
    fn describe_argument(&self, given: &ArgKind<'a>, wanted: &ParamKind) -> (String, String, Option<(Span, String)>) {
        match given {
            ArgKind::Value(value) if is_path(wanted) && is_changing_text(value) => {
                let declared = self.find_changing_name(value).map(|id| self.describe_change(id));
                ("text that is not constant".to_owned(), "not constant".to_owned(), declared)
            }
            ArgKind::Value(value) | ArgKind::ResultSet(value, _) => (format!("{}", value.ty), String::new(), None),
            ArgKind::File(file, _) => {
                let decl = &self.relations.files[*file];
                (decl.format.noun.to_owned(), String::new(), Some((decl.ast.name.span, "declared here".to_owned())))
            }
            ArgKind::Relation(relation) => {
                let decl = &self.relations.checked[*relation];
                ("a table".to_owned(), String::new(), Some((decl.span, "declared here".to_owned())))
            }
            ArgKind::Column(relation, column) => {
                let decl = &self.relations.checked[*relation];
                let column = &decl.columns[*column];
                let not_csv = matches!(wanted, ParamKind::Column { delimited: true, .. })
                    && !self.relations.is_delimited(*relation);
                let is = if not_csv {
                    "a column that is not in a CSV file".to_owned()
                } else {
                    format!("a column of {}", column.ty)
                };
                let mut holds = format!("`{}` holds {}", column.name, column.ty);
                // A column of a fixture that almost has another type.
                if let hir::ColumnSource::Given(given) = &column.source
                    && let Some(note) = &given.note
                {
                    holds = format!("{holds}: {note}");
                }
                (is, String::new(), Some((column.span, holds)))
            }
            ArgKind::Raw(raw) => {
                let kind = match raw.kind {
                    RawKind::Sql => ParamKind::Sql,
                    RawKind::JsonPath => ParamKind::JsonPath,
                    RawKind::XPath => ParamKind::XPath,
                };
                (describe_param_kind(&kind), String::new(), None)
            }
            ArgKind::Each(_, value) => (format!("{} in each row", value.ty), String::new(), None),
            ArgKind::Nothing => (String::new(), String::new(), None),
        }
    }

    /// Suggests how to write a path that was given as a text.
    fn suggest_path(
        &self,
        cx: &Checker<'a>,
        function: &str,
        args: &[GivenArg<'a>],
        at: usize,
        wanted: &ParamKind,
    ) -> Option<String> {
        let ArgKind::Value(value) = &args.get(at)?.given else { return None };
        if !is_path(wanted) || value.ty.kind != TyKind::Text {
            return None;
        }
        let render_call = |path: &str| {
            let written = |index: usize, arg: &GivenArg<'a>| match (index == at, wanted) {
                (false, _) => cx.sources.text(arg.span).split_whitespace().collect::<Vec<_>>().join(" "),
                (true, ParamKind::Place) => format!("\"{path}\""),
                (true, _) => path.to_owned(),
            };
            let list: Vec<String> = (0..).zip(args).map(|(index, arg)| written(index, arg)).collect();
            match wanted {
                ParamKind::Place => format!("{function}({})", list.join(", ")),
                _ => format!("<<{function}: {}>>", list.join(", ")),
            }
        };
        if let Some(model::Value::Text(path)) = value.as_constant() {
            let is_plain = !path.is_empty() && !path.contains(['<', '>', '\\', '\n']);
            let call = render_call(if is_plain { path } else { "…" });
            return Some(format!("write the path without quotes, in a placeholder: {call}"));
        }
        let call = render_call(if *wanted == ParamKind::XPath { "/…" } else { "$.…" });
        let choice = self.find_changing_name(value).map_or_else(String::new, |id| {
            let name = quote_ident(&self.names[id].ident.text);
            format!("; to choose one of several by `{name}`: if {name} == … then {call} else {call}")
        });
        Some(format!("write the path itself: {call}{choice}"))
    }

    /// Finds the first name that differs between samples, cells of an axis, or rows, and on which a value depends.
    fn find_changing_name(&self, value: &hir::Expr) -> Option<NameId> {
        let (mut left, mut seen) = (Vec::new(), BTreeSet::new());
        value.visit_names(&mut |id| left.insert(0, id));
        while let Some(id) = left.pop() {
            match (self.names[id].source, &self.names[id].checked) {
                (NameAst::Draw { .. } | NameAst::Axis(_) | NameAst::Row(_), _) => return Some(id),
                (_, Some(hir::NameSource::Compute(inner))) if seen.insert(id) => {
                    inner.visit_names(&mut |id| left.push(id));
                }
                _ => {}
            }
        }
        None
    }

    /// Describes why a name is not constant, at its declaration.
    fn describe_change(&self, id: NameId) -> (Span, String) {
        let decl = &self.names[id];
        let why = match decl.source {
            NameAst::Axis(_) => "is an axis",
            NameAst::Row(_) => "is a cell of the row",
            _ => "is drawn here",
        };
        (decl.ident.span, format!("`{}` {why}", decl.ident.text))
    }
}

impl<'a> Relations<'a> {
    /// Checks that columns whose values belong together row by row come from one relation. Reports columns of two relations.
    pub(super) fn check_single_relation(
        &self,
        cx: &mut Checker<'a>,
        function: FunctionId,
        args: &[GivenArg<'a>],
    ) -> bool {
        let of = |arg: &GivenArg<'a>| match &arg.given {
            ArgKind::Column(relation, _) | ArgKind::Each(relation, _) => Some((*relation, arg.span)),
            _ => None,
        };
        let mut all = args.iter().filter_map(of);
        let Some((first, at)) = all.next() else { return true };
        let Some((other, there)) = all.find(|(relation, _)| *relation != first) else { return true };
        let (a, b) = (self.checked[first].name.clone(), self.checked[other].name.clone());
        let columns: Vec<String> = args.iter().map(|arg| cx.sources.quote(arg.span)).collect();
        let columns = columns.join(", ");
        let message = format!("`{function}` needs columns of one table, but these are of `{a}` and `{b}`");
        let help = format!("join them in SQL: <<value: SELECT {function}({columns}) FROM {a} JOIN {b} ON …>>");
        let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, there, format!("of `{b}`"));
        cx.report(said.label(at, format!("of `{a}`")).help(help));
        false
    }

    /// Describes what the overloads whose first mismatch is the argument at `at` take there. Columns of ints, decimals, and floats are combined into
    /// a column of numbers.
    fn describe_wanted_kinds(
        &self,
        overloads: &[Signature],
        args: &[GivenArg<'a>],
        at: usize,
        kind: &ParamKind,
    ) -> String {
        let kinds: Vec<&ParamKind> = overloads
            .iter()
            .filter(|signature| self.find_mismatch(signature, args) == Some(at))
            .filter_map(|signature| signature.find_param(at).map(|param| &param.kind))
            .collect();
        let shared = |kind: &&ParamKind| match kind {
            ParamKind::Column { delimited, of } if of.is_number() => {
                ParamKind::Column { delimited: *delimited, of: Pattern::Number }
            }
            ParamKind::Value(Pattern::List(of), nullable) if of.is_number() => {
                ParamKind::Value(Pattern::List(Box::new(Pattern::Number)), *nullable)
            }
            other => (*other).clone(),
        };
        let mut words: Vec<String> = Vec::new();
        for kind in &kinds {
            let alike = kinds.iter().filter(|other| shared(other) == shared(kind)).count();
            let word = if alike > 1 { describe_param_kind(&shared(kind)) } else { describe_param_kind(kind) };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.is_empty() { describe_param_kind(kind) } else { words.join(" or ") }
    }

    fn suggest_argument(&self, function: &Function, given: &ArgKind<'a>, wanted: &ParamKind) -> Option<String> {
        match (given, wanted) {
            (ArgKind::File(_, Some(relation)) | ArgKind::Relation(relation), ParamKind::Column { .. }) => {
                let decl = &self.checked[*relation];
                let column = decl.columns.first()?;
                if can_take_rows(&function.overloads) {
                    return None;
                }
                let name = function.id;
                Some(format!("name the column too: {name}({}.{})", decl.name, quote_ident(&column.name)))
            }
            (ArgKind::Column(relation, _), ParamKind::Column { delimited: true, .. })
                if !self.is_delimited(*relation) =>
            {
                let general = function.id.general?;
                Some(format!("`{general}` works on every table"))
            }
            (ArgKind::Column(relation, _), ParamKind::Column { of, .. }) if of.is_number() => {
                self.suggest_number_column(*relation)
            }
            (ArgKind::Value(value), ParamKind::Sql) if value.ty.kind == TyKind::Text => Some(
                "write the SQL without quotes, as the last argument of a placeholder: <<value: SELECT …>>".to_owned(),
            ),
            (ArgKind::File(file, relation), ParamKind::Value(Pattern::Single(TyKind::Text), _)) => {
                let decl = &self.files[*file];
                let name = quote_ident(&decl.ast.name.text);
                let text =
                    decl.format.is_read_as(Format::Text).then(|| format!("for its text, write `content({name})`"));
                let rows = relation.map(|_| format!("for the number of its rows, `count({name})`"));
                let path = Some(format!("for its path, `\"<<{name}>>\"`"));
                Some([text, rows, path].into_iter().flatten().collect::<Vec<_>>().join("; "))
            }
            _ => None,
        }
    }
}

impl<'a> Relations<'a> {
    /// Names the columns of a table that have numbers.
    fn suggest_number_column(&self, relation: RelationId) -> Option<String> {
        /// Maximum number of names.
        const MAX_NAMES: usize = 6;
        let decl = &self.checked[relation];
        let numbers = decl.columns.iter().filter(|column| column.ty.is_number());
        let names: Vec<String> = numbers.map(|column| format!("{}.{}", decl.name, quote_ident(&column.name))).collect();
        let shown = join_with_or(names.iter().take(MAX_NAMES).map(String::as_str));
        (!names.is_empty()).then(|| format!("use a column with numbers: {shown}"))
    }
}

/// Finds the literal that is meant by a text in quotes where a date or datetime is needed, and what it replaces: the text, or the whole call if that
/// would be the value of the text.
fn find_literal(
    given: &ArgKind<'_>,
    wanted: &ParamKind,
    (text, whole): (Span, Span),
    call: &ast::Call,
    result: &Pattern,
) -> Option<(Span, String)> {
    let (ArgKind::Value(value), ParamKind::Value(Pattern::Single(wanted), _)) = (given, wanted) else { return None };
    let literal = build_day_literal(value.as_constant()?.as_text()?)?;
    let found = if literal.contains('T') { TyKind::DateTime } else { TyKind::Date };
    if *wanted == found {
        return Some((text, literal));
    }
    (call.args.len() == 1 && !call.placeholder && *result == Pattern::Single(found)).then_some((whole, literal))
}

/// Whether a parameter is a path that is written out.
fn is_path(wanted: &ParamKind) -> bool {
    matches!(wanted, ParamKind::Place | ParamKind::JsonPath | ParamKind::XPath)
}

/// Whether a value is a text that is known only when the suite is built.
fn is_changing_text(value: &hir::Expr) -> bool {
    value.ty.kind == TyKind::Text && value.as_constant().is_none()
}

fn describe_param_kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Value(pattern, _) => pattern.describe_with_article(),
        ParamKind::Relation { delimited: false } => "a table".to_owned(),
        ParamKind::Relation { delimited: true } => "a CSV file".to_owned(),
        ParamKind::Column { delimited, of } => {
            let csv = if *delimited { " of a CSV file" } else { "" };
            match of {
                Pattern::Any | Pattern::Var | Pattern::Scalar => format!("a column{csv}"),
                other => format!("a column{csv} with {}s", other.as_noun()),
            }
        }
        ParamKind::File(wanted) => wanted.unwrap_or(Format::File).noun.to_owned(),
        ParamKind::Sql => "SQL".to_owned(),
        ParamKind::Change => "SQL that changes rows".to_owned(),
        ParamKind::JsonPath => "a JSONPath".to_owned(),
        ParamKind::XPath => "an XPath".to_owned(),
        ParamKind::Place => "a constant JSONPath in quotes".to_owned(),
    }
}
