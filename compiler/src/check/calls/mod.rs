//! Calls: which overload the arguments fit, and what is wrong where none does.

pub(in crate::check) mod bounds;
pub(in crate::check) mod paths;
pub(in crate::check) mod query;

use plan::Span;
use plan::functions::FunctionId;
use plan::suite::{ColumnId, FileId, RelationId};

use crate::ast::{self, ArgValue, Format, RawKind};
use crate::check::domains::domain::inner_path;
use crate::check::model::TaskChecker;
use crate::check::scope::names::Meaning;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Entity, Expr, ExprKind};
use crate::library::Function;
use crate::library::{ParamKind, Pattern, Signature};
use crate::types::{Ty, TyKind};

/// An argument before it is known what the function wants.
enum Given<'a> {
    Value(Expr),
    /// A file, which may be a relation too.
    File(FileId, Option<RelationId>),
    Relation(RelationId),
    /// A value, and a relation.
    ResultSet(Expr, RelationId),
    Column(RelationId, ColumnId),
    /// A value for each row.
    Each(RelationId, Expr),
    Raw(&'a ast::Raw),
    /// A mistake that has been reported.
    Nothing,
}

/// An argument as given.
struct GivenArg<'a> {
    given: Given<'a>,
    /// The column that was named in full where its own rows are in sight: a cell, or the whole column where only that fits.
    whole: Option<(RelationId, ColumnId)>,
    filter: Option<Expr>,
    filter_span: Option<Span>,
    span: Span,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a call.
    pub fn call(&mut self, call: &'a ast::Call, span: Span) -> Expr {
        let name = call.callee.text.as_str();
        let Some(function) = self.cx.project.library.functions.get(name) else {
            self.unknown_function(&call.callee);
            // What is in the arguments counts as used, and has mistakes of its own.
            for arg in &call.args {
                self.given(arg, false);
            }
            return Expr::unknown(span);
        };
        let overloads = &function.overloads;
        // A function of one column takes a value computed for each row too.
        let by_rows = call.args.len() == 1
            && overloads.iter().any(|signature| {
                matches!(signature.params.as_slice(), [only] if matches!(only.kind, ParamKind::Column { .. }))
            });
        let mut args: Vec<GivenArg<'a>> = call.args.iter().map(|arg| self.given(arg, by_rows)).collect();
        if function.id.counts()
            && takes_rows(overloads)
            && let [GivenArg { given: Given::Each(relation, value), span: at, .. }] = args.as_slice()
            && value.ty.kind == TyKind::Bool
        {
            let (relation, at) = (self.relations[*relation].name.clone(), *at);
            let condition = self.cx.sources.text(at).trim().to_owned();
            let help = format!("count the rows that meet it: {name}({relation} where {condition})");
            self.cx.say(
                Diagnostic::new(
                    Code::WRONG_ARGUMENTS,
                    format!("`{name}` needs a table or a column, but this is a condition"),
                    at,
                    "true or false in each row",
                )
                .help(help),
            );
            return Expr::unknown(span);
        }
        if args.iter().any(|arg| matches!(arg.given, Given::Nothing)) {
            return Expr::unknown(span);
        }
        if args.iter().any(|arg| arg.whole.is_some())
            && !overloads.iter().any(|signature| self.mismatch(signature, &args).is_none())
        {
            for arg in &mut args {
                if let Some((relation, column)) = arg.whole {
                    self.ensure_relation(relation, Some(arg.span));
                    arg.given = Given::Column(relation, column);
                }
            }
        }
        let fitting = overloads.iter().find(|signature| self.mismatch(signature, &args).is_none());
        match fitting {
            Some(signature) => {
                let signature = signature.clone();
                // Of values whose type only the build can tell, one overload is as good as another; but not its result.
                let open = args.iter().any(|arg| is_open(&arg.given))
                    && overloads
                        .iter()
                        .any(|other| other.result != signature.result && self.mismatch(other, &args).is_none());
                let mut made = self.apply(function.id, &signature, args, span);
                if open && !made.is_broken() {
                    made.ty.kind = TyKind::Unknown;
                }
                made
            }
            None => {
                self.no_overload(call, function, &args, span);
                Expr::unknown(span)
            }
        }
    }

    /// An argument; with `by_rows`, a value that is computed from columns of one relation is computed for each of its rows.
    fn given(&mut self, arg: &'a ast::Arg, by_rows: bool) -> GivenArg<'a> {
        let mut whole = None;
        let mut given = match &arg.value {
            ArgValue::Raw(raw) => Given::Raw(raw),
            ArgValue::Expr(expr) => match inner_path(expr) {
                Some(path) => match self.meaning(path, expr.span) {
                    Meaning::Value(value) if value.ty.is_unknown() && matches!(value.kind, ExprKind::Unknown) => {
                        Given::Nothing
                    }
                    Meaning::Value(value) => {
                        whole = if path.len() > 1 { self.column_of_cell(&value) } else { None };
                        Given::Value(value)
                    }
                    Meaning::File(file, _) if self.files[file].broken => Given::Nothing,
                    Meaning::File(file, relation) => Given::File(file, relation),
                    Meaning::Relation(relation) => Given::Relation(relation),
                    Meaning::ResultSet(value, relation) => Given::ResultSet(value, relation),
                    Meaning::Column(relation, column) => Given::Column(relation, column),
                    Meaning::Nothing => Given::Nothing,
                },
                None => match if by_rows { self.rows_of(expr) } else { RowsOf::None } {
                    RowsOf::None => {
                        let value = self.expr_or_state(expr);
                        if matches!(value.kind, ExprKind::Unknown) { Given::Nothing } else { Given::Value(value) }
                    }
                    RowsOf::One(relation) => {
                        let before = std::mem::replace(&mut self.nulls_pass, true);
                        let value = self.in_row_of(relation, arg.span, |this| this.expr(expr));
                        self.nulls_pass = before;
                        if value.is_broken() { Given::Nothing } else { Given::Each(relation, value) }
                    }
                    RowsOf::Wrong => Given::Nothing,
                },
            },
        };
        // Only a column takes `where`.
        if let (Some((relation, column)), true) = (whole, arg.filter.is_some()) {
            given = Given::Column(relation, column);
        }
        let relation = match &given {
            Given::File(_, relation) => *relation,
            Given::Relation(relation)
            | Given::ResultSet(_, relation)
            | Given::Column(relation, _)
            | Given::Each(relation, _) => Some(*relation),
            _ => None,
        };
        // What is read must be made first.
        match &given {
            // A fixture may be meant as a text, whatever its cells are.
            Given::File(file, Some(relation)) if self.declared[*relation].cells.is_some() => {
                self.used.insert(Entity::File(*file));
            }
            Given::File(_, Some(relation))
            | Given::Relation(relation)
            | Given::ResultSet(_, relation)
            | Given::Column(relation, _) => self.read_relation(*relation, arg.span),
            _ => {}
        }
        let filter_span = arg.filter.as_ref().map(|filter| filter.span);
        let filter = match (&arg.filter, relation) {
            (Some(filter), Some(relation)) => {
                let before = std::mem::take(&mut self.nulls_pass);
                let filter = self.in_row_of(relation, arg.span, |this| this.decision(filter, "`where`"));
                self.nulls_pass = before;
                Some(filter)
            }
            _ => None,
        };
        GivenArg { given, whole, filter, filter_span, span: arg.span }
    }

    /// Takes note that a relation is read; what is read must be made first.
    fn read_relation(&mut self, relation: RelationId, at: Span) {
        self.used.insert(Entity::Relation(relation));
        if let Some(file) = self.relations[relation].file {
            self.used.insert(Entity::File(file));
        }
        self.ensure_relation(relation, Some(at));
    }

    /// Checks an expression with the rows of a relation in scope. The current row, if it is of another relation,
    /// becomes the outer row.
    fn in_row_of(&mut self, relation: RelationId, at: Span, check: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.read_relation(relation, at);
        let filter = self.here.filter(relation);
        let around = std::mem::replace(&mut self.here, filter);
        let checked = check(self);
        self.here = around;
        checked
    }

    /// The relation whose columns an expression is computed from.
    fn rows_of(&mut self, expr: &'a ast::Expr) -> RowsOf {
        let mut paths = Vec::new();
        self.paths_of_values(expr, &mut paths);
        let mut first: Option<(RelationId, Span)> = None;
        for (path, span) in paths {
            let relation = match self.meaning(path, span) {
                Meaning::Column(relation, _) => relation,
                Meaning::Value(cell) => match self.column_of_cell(&cell) {
                    Some((relation, _)) => relation,
                    None => continue,
                },
                Meaning::Nothing => return RowsOf::Wrong,
                _ => continue,
            };
            match first {
                None => first = Some((relation, span)),
                Some((known, _)) if known == relation => {}
                Some((known, at)) => {
                    let name = |id: RelationId| self.relations[id].name.clone();
                    let (a, b) = (name(known), name(relation));
                    self.cx.say(
                        Diagnostic::new(
                            Code::WRONG_ARGUMENTS,
                            format!("this value mixes rows of `{a}` and `{b}`"),
                            span,
                            format!("a row of `{b}`"),
                        )
                        .label(at, format!("a row of `{a}`"))
                        .help(format!("join them in SQL: <<value: SELECT … FROM {a} JOIN {b} ON …>>")),
                    );
                    return RowsOf::Wrong;
                }
            }
        }
        first.map_or(RowsOf::None, |(relation, _)| RowsOf::One(relation))
    }

    /// Collects the paths of several parts that an expression uses as values, but not those that functions take as
    /// tables or columns.
    fn paths_of_values(&self, expr: &'a ast::Expr, found: &mut Vec<(&'a [ast::Ident], Span)>) {
        use ast::ExprKind as A;
        match &expr.kind {
            A::Path(path) if path.len() > 1 => found.push((path, expr.span)),
            A::Paren(inner) | A::Placeholder(inner) | A::Unary { operand: inner, .. } => {
                self.paths_of_values(inner, found);
            }
            A::Binary { left, right, .. } => {
                self.paths_of_values(left, found);
                self.paths_of_values(right, found);
            }
            A::If { condition, then, otherwise } => {
                for part in [condition, then, otherwise] {
                    self.paths_of_values(part, found);
                }
            }
            A::List(items) => items.iter().for_each(|item| self.paths_of_values(item, found)),
            A::String(text) => {
                for piece in &text.pieces {
                    if let ast::Piece::Placeholder(inner) = piece {
                        self.paths_of_values(inner, found);
                    }
                }
            }
            A::Call(call) => {
                let Some(function) = self.cx.project.library.functions.get(&call.callee.text) else { return };
                for (index, arg) in call.args.iter().enumerate() {
                    let takes_value = |signature: &Signature| {
                        matches!(signature.param(index).map(|param| &param.kind), Some(ParamKind::Value(..)) | None)
                    };
                    if let (ArgValue::Expr(value), None, true) =
                        (&arg.value, &arg.filter, function.overloads.iter().all(takes_value))
                    {
                        self.paths_of_values(value, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// The relation and column of a cell of the current or the outer row.
    fn column_of_cell(&self, cell: &Expr) -> Option<(RelationId, ColumnId)> {
        match cell.kind {
            ExprKind::Column(column) => self.here.row().map(|row| (row, column)),
            ExprKind::OuterColumn(column) => self.here.outer().map(|row| (row, column)),
            _ => None,
        }
    }

    /// Why the arguments do not fit a signature: the index of the first that does not, or `None` where they fit.
    fn mismatch(&self, signature: &Signature, args: &[GivenArg<'a>]) -> Option<usize> {
        let (least, most) = signature.arity();
        if args.len() < least || args.len() > most {
            return Some(args.len().min(most));
        }
        let mut var = None;
        args.iter().enumerate().find_map(|(index, arg)| {
            let param = signature.param(index)?;
            (!self.fits(&param.kind, arg, &mut var)).then_some(index)
        })
    }

    fn fits(&self, kind: &ParamKind, arg: &GivenArg<'a>, var: &mut Option<Ty>) -> bool {
        let takes_filter = matches!(kind, ParamKind::Relation { .. } | ParamKind::Column { .. });
        if arg.filter_span.is_some() && !takes_filter {
            return false;
        }
        match (kind, &arg.given) {
            (ParamKind::Value(pattern, _), Given::Value(value) | Given::ResultSet(value, _)) => {
                pattern.admits(&value.ty, var)
            }
            // An array of plain values is a list.
            (ParamKind::Value(pattern, _), Given::Relation(relation)) if self.element_column(*relation).is_some() => {
                let item = self.relations[*relation].columns[ColumnId(0)].ty.clone();
                pattern.admits(&Ty::of(TyKind::List(Box::new(item))), var)
            }
            // A file in a value's place is its path.
            (ParamKind::Value(pattern, _), Given::File(..)) => pattern.admits(&Ty::of(TyKind::Text), var),
            (
                ParamKind::Relation { delimited },
                Given::File(_, Some(relation)) | Given::Relation(relation) | Given::ResultSet(_, relation),
            ) => !delimited || self.is_delimited(*relation),
            (ParamKind::Column { delimited, of }, Given::Column(relation, column)) => {
                let ty = &self.relations[*relation].columns[*column].ty;
                (!delimited || self.is_delimited(*relation)) && of.admits(ty, var)
            }
            (ParamKind::Column { delimited, of }, Given::Each(relation, value)) => {
                (!delimited || self.is_delimited(*relation)) && of.admits(&value.ty, var)
            }
            (ParamKind::File(wanted), Given::File(file, _)) => {
                wanted.is_none_or(|wanted| self.files[*file].format.is_read_as(wanted))
            }
            (ParamKind::Sql | ParamKind::Change, Given::Raw(raw)) => raw.kind == RawKind::Sql,
            (ParamKind::JsonPath, Given::Raw(raw)) => raw.kind == RawKind::JsonPath,
            (ParamKind::XPath, Given::Raw(raw)) => raw.kind == RawKind::XPath,
            _ => false,
        }
    }

    fn is_delimited(&self, relation: RelationId) -> bool {
        self.declared[relation].format.is_some_and(Format::is_cells)
    }

    /// The call of an overload that fits.
    fn apply(&mut self, function: FunctionId, signature: &Signature, args: Vec<GivenArg<'a>>, span: Span) -> Expr {
        let mut var: Option<Ty> = None;
        for (index, arg) in args.iter().enumerate() {
            if let Some(param) = signature.param(index) {
                self.fits(&param.kind, arg, &mut var);
            }
        }
        let mut scalar = Ty::UNKNOWN;
        let alone = args.len() == 1;
        let mut checked: Vec<hir::Arg> = Vec::new();
        let mut certain = None;
        for (index, arg) in args.into_iter().enumerate() {
            let Some(param) = signature.param(index) else { continue };
            let filtered = arg.filter.is_some();
            let arg = match (arg.given, &param.kind) {
                (Given::Relation(relation), ParamKind::Value(..)) if self.element_column(relation).is_some() => {
                    hir::Arg::Value(self.elements(relation, arg.span))
                }
                (Given::Value(value) | Given::ResultSet(value, _), ParamKind::Value(pattern, nullable)) => {
                    let what = format!("`{}` of `{function}`", param.name);
                    if !nullable {
                        self.not_null(&value, &what);
                    } else if matches!(pattern, Pattern::List(_)) && value.ty.nullable {
                        // `list of T?`: the items may be null, the list may not.
                        let list = TyKind::List(Box::new(Ty::UNKNOWN));
                        self.not_null(&Expr { ty: Ty { kind: list, nullable: true }, ..value.clone() }, &what);
                    }
                    if let (Pattern::List(_), Some(least)) = (pattern, function.least) {
                        certain = Some(has_items(&value, usize::from(least)));
                    }
                    hir::Arg::Value(value)
                }
                (Given::File(file, _), ParamKind::Value(..)) => {
                    hir::Arg::Value(self.value_of(Meaning::File(file, None), arg.span))
                }
                (Given::File(_, Some(relation)) | Given::Relation(relation) | Given::ResultSet(_, relation), _)
                    if matches!(param.kind, ParamKind::Relation { .. }) =>
                {
                    match function.counts() {
                        true => self.reads_rows(relation, arg.span),
                        false => self.reads_cells(relation, arg.span),
                    }
                    hir::Arg::Relation { relation, filter: arg.filter }
                }
                (Given::Column(relation, column), _) => {
                    let nullable = self.relations[relation].columns[column].ty.nullable;
                    certain = Some(!filtered && !nullable && self.has_rows(function, relation));
                    hir::Arg::Column { relation, column, filter: arg.filter }
                }
                (Given::Each(relation, value), _) => {
                    self.reads_rows(relation, arg.span);
                    certain = Some(!filtered && !value.ty.nullable && self.has_rows(function, relation));
                    hir::Arg::Each { relation, value, filter: arg.filter }
                }
                (Given::File(file, _), _) => {
                    self.ensure_file(file, Some(arg.span));
                    self.used.insert(Entity::File(file));
                    self.reads_text(file, arg.span);
                    if alone {
                        self.reads_path(function, "$", file, arg.span);
                    }
                    hir::Arg::File(file)
                }
                (Given::Raw(raw), _) => {
                    let database = checked.iter().rev().find_map(|arg| match arg {
                        hir::Arg::File(file) => Some(*file),
                        hir::Arg::Value(Expr { ty: Ty { kind: TyKind::State(of), .. }, .. }) => Some(of.file),
                        _ => None,
                    });
                    if param.kind == ParamKind::Change {
                        match database.and_then(|file| self.changes(raw, file)) {
                            Some((sql, ty)) => {
                                scalar = ty;
                                checked.push(hir::Arg::Sql(sql));
                                continue;
                            }
                            None => return Expr::unknown(span),
                        }
                    }
                    if raw.kind != RawKind::Sql {
                        let Some(followed) = database.and_then(|file| self.followed(function, raw, file)) else {
                            return Expr::unknown(span);
                        };
                        scalar = followed.scalar;
                        certain = Some(followed.certain);
                        checked.push(hir::Arg::Path(followed.query));
                        continue;
                    }
                    match self.query(function, raw, database) {
                        Some((sql, ty)) => {
                            scalar = ty;
                            hir::Arg::Sql(sql)
                        }
                        None => return Expr::unknown(span),
                    }
                }
                (Given::Relation(_) | Given::Nothing | Given::Value(_) | Given::ResultSet(..), _) => {
                    return Expr::unknown(span);
                }
            };
            checked.push(arg);
        }
        let mut ty = signature.result.result(&var, &scalar);
        // The places of decimals are those of their sum, and of what else is made of the first argument.
        if ty.kind == TyKind::Decimal(None)
            && function.places.is_none()
            && let Some(places @ TyKind::Decimal(_)) = checked.first().and_then(|arg| self.number_type(arg))
        {
            ty.kind = places.clone();
        }
        let places = function.places.and_then(|at| value_of_arg(checked.get(at)?));
        if let (TyKind::Decimal(None), Some(plan::Value::Int(places @ 0..=18))) = (&ty.kind, places) {
            ty.kind = TyKind::Decimal(Some(*places as u8));
        }
        ty.nullable = match certain {
            Some(true) if signature.result_nullable => false,
            _ if matches!(signature.result, Pattern::Scalar | Pattern::Rows | Pattern::State) => scalar.nullable,
            // A single cell of a column may be blank where the column may.
            _ if signature.result == Pattern::Var && !signature.result_nullable => {
                checked.iter().any(|arg| match arg {
                    hir::Arg::Column { relation, column, .. } => self.relations[*relation].columns[*column].ty.nullable,
                    _ => false,
                })
            }
            _ => signature.result_nullable,
        };
        // The first argument that is not null is null where the last is.
        if function.is_first_known() {
            ty.nullable = match checked.last() {
                Some(hir::Arg::Value(last)) => last.ty.nullable,
                _ => false,
            };
        }
        self.check_bounds(function, &checked);
        Expr { kind: ExprKind::Call(function, checked), ty, span }
    }

    /// The type of an argument, or of its items.
    fn number_type<'b>(&'b self, arg: &'b hir::Arg) -> Option<&'b TyKind> {
        match arg {
            hir::Arg::Column { relation, column, .. } => Some(&self.relations[*relation].columns[*column].ty.kind),
            hir::Arg::Each { value, .. } => Some(&value.ty.kind),
            hir::Arg::Value(value) => match &value.ty.kind {
                TyKind::List(item) => Some(&item.kind),
                kind => Some(kind),
            },
            _ => None,
        }
    }

    /// Whether a relation surely has as many rows as an aggregate needs for a result.
    fn has_rows(&self, function: FunctionId, relation: RelationId) -> bool {
        let least = self.row_bounds(relation).least;
        function.least.is_some_and(|needed| least >= u64::from(needed))
    }

    fn no_overload(&mut self, call: &'a ast::Call, function: &Function, args: &[GivenArg<'a>], span: Span) {
        let (name, overloads) = (call.callee.text.as_str(), &function.overloads);
        // The overload that fits the longest is the one that was meant.
        let best = overloads
            .iter()
            .filter_map(|signature| Some((self.mismatch(signature, args)?, signature)))
            // Of several as good, the first declared (`max_by_key` would take the last).
            .rev()
            .max_by_key(|(at, signature)| {
                (*at, signature.arity().0 <= args.len() && args.len() <= signature.arity().1)
            });
        let Some((at, signature)) = best else { return };
        let signature = signature.clone();
        let (least, most) = signature.arity();
        if args.len() < least || args.len() > most {
            let wanted = if least == most {
                crate::check::say::counted(least as u32, "argument")
            } else if most == usize::MAX {
                format!("at least {}", crate::check::say::counted(least as u32, "argument"))
            } else {
                format!("{least} to {most} arguments")
            };
            let at = if args.len() > most { args.get(most).map_or(span, |arg| arg.span) } else { call.callee.span };
            self.cx.say(
                Diagnostic::new(
                    Code::WRONG_ARGUMENTS,
                    format!("`{name}` takes {wanted}, not {}", args.len()),
                    at,
                    if args.len() > most { "one too many" } else { "too few" },
                )
                .help(format!("its signature is: {}", signature.text)),
            );
            return;
        }
        let (Some(arg), Some(param)) = (args.get(at), signature.param(at)) else { return };
        if let Some(filter) = arg.filter_span
            && !matches!(param.kind, ParamKind::Relation { .. } | ParamKind::Column { .. })
        {
            self.cx.say(
                Diagnostic::new(
                    Code::WRONG_ARGUMENTS,
                    format!("`{}` of `{name}` does not accept `where`", param.name),
                    filter,
                    "not here",
                )
                .help("`where` works with a table or a column of a table"),
            );
            return;
        }
        // Where a table or a column is given, overloads that take values do not help.
        let of_relation = |signature: &Signature| {
            let kind = signature.param(at).map(|param| &param.kind);
            matches!(kind, Some(ParamKind::Column { .. } | ParamKind::Relation { .. }))
        };
        let mut overloads = overloads.clone();
        if matches!(arg.given, Given::File(_, Some(_)) | Given::Relation(_) | Given::Column(..) | Given::Each(..))
            && overloads.iter().any(of_relation)
        {
            overloads.retain(of_relation);
        }
        let wanted = self.wanted_of_all(&overloads, args, at, &param.kind);
        let (is, label, declared) = self.describe(&arg.given, &param.kind);
        let mut said = Diagnostic::new(
            Code::WRONG_ARGUMENTS,
            format!("`{name}` needs {wanted} as `{}`, but this is {is}", param.name),
            arg.span,
            label,
        );
        if let Some((span, words)) = declared {
            said = said.label(span, words);
        }
        let mut forms: Vec<&str> = overloads.iter().map(|signature| signature.text.as_str()).collect();
        forms.dedup();
        let hint = self.hint(function, &arg.given, &param.kind);
        self.cx.say(said.help(match hint {
            Some(hint) => hint,
            None if forms.len() == 1 => format!("its signature is: {}", forms.join("")),
            None => format!("its signatures are: {}", forms.join("; ")),
        }));
    }

    /// What the overloads that get as far as the argument at `at` take there: of a column of ints, of decimals or of floats, a column of
    /// numbers.
    fn wanted_of_all(&self, overloads: &[Signature], args: &[GivenArg<'a>], at: usize, kind: &ParamKind) -> String {
        let kinds: Vec<&ParamKind> = overloads
            .iter()
            .filter(|signature| self.mismatch(signature, args) == Some(at))
            .filter_map(|signature| signature.param(at).map(|param| &param.kind))
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
            let word = if alike > 1 { wanted_words(&shared(kind)) } else { wanted_words(kind) };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.is_empty() { wanted_words(kind) } else { words.join(" or ") }
    }

    /// What an argument is, a label for it, and where it is declared.
    fn describe(&self, given: &Given<'a>, wanted: &ParamKind) -> (String, String, Option<(Span, String)>) {
        match given {
            Given::Value(value) | Given::ResultSet(value, _) => (format!("{}", value.ty), String::new(), None),
            Given::File(file, _) => {
                let decl = &self.files[*file];
                (decl.format.noun.to_owned(), String::new(), Some((decl.ast.name.span, "declared here".to_owned())))
            }
            Given::Relation(relation) => {
                let decl = &self.relations[*relation];
                ("a table".to_owned(), String::new(), Some((decl.span, "declared here".to_owned())))
            }
            Given::Column(relation, column) => {
                let decl = &self.relations[*relation];
                let column = &decl.columns[*column];
                let not_csv =
                    matches!(wanted, ParamKind::Column { delimited: true, .. }) && !self.is_delimited(*relation);
                let is = if not_csv {
                    "a column that is not in a CSV file".to_owned()
                } else {
                    format!("a column of {}", column.ty)
                };
                let mut holds = format!("`{}` holds {}", column.name, column.ty);
                // A fixture's column that is nearly something better.
                if let hir::ColumnSource::Given(given) = &column.source
                    && let Some(note) = &given.note
                {
                    holds = format!("{holds}: {note}");
                }
                (is, String::new(), Some((column.span, holds)))
            }
            Given::Raw(raw) => {
                let word = match raw.kind {
                    RawKind::Sql => "SQL",
                    RawKind::JsonPath => "a JSONPath",
                    RawKind::XPath => "an XPath",
                };
                (word.to_owned(), String::new(), None)
            }
            Given::Each(_, value) => (format!("{} in each row", value.ty), String::new(), None),
            Given::Nothing => (String::new(), String::new(), None),
        }
    }

    fn hint(&self, function: &Function, given: &Given<'a>, wanted: &ParamKind) -> Option<String> {
        match (given, wanted) {
            (Given::File(_, Some(relation)) | Given::Relation(relation), ParamKind::Column { .. }) => {
                let decl = &self.relations[*relation];
                let column = decl.columns.first()?;
                if takes_rows(&function.overloads) {
                    return None;
                }
                let name = function.id;
                Some(format!("name the column too: {name}({}.{})", decl.name, crate::check::say::spell(&column.name)))
            }
            (Given::Column(relation, _), ParamKind::Column { delimited: true, .. })
                if !self.is_delimited(*relation) =>
            {
                let general = function.id.general?;
                Some(format!("`{general}` works on every table"))
            }
            (Given::Value(value), ParamKind::Sql) if value.ty.kind == TyKind::Text => Some(
                "write the SQL without quotes, as the last argument of a placeholder: <<value: SELECT …>>".to_owned(),
            ),
            _ => None,
        }
    }
}

/// Whether an overload takes the rows of a relation themselves.
fn takes_rows(overloads: &[Signature]) -> bool {
    let mut first = overloads.iter().filter_map(|signature| signature.param(0));
    first.any(|param| matches!(param.kind, ParamKind::Relation { .. }))
}

/// The relation whose columns an expression is computed from.
enum RowsOf {
    None,
    One(RelationId),
    /// Several, or there is a mistake in it; that has been reported.
    Wrong,
}

/// Whether it is a value, or a list of values, of a type that only the build can tell.
fn is_open(given: &Given<'_>) -> bool {
    let Given::Value(value) = given else { return false };
    match &value.ty.kind {
        TyKind::List(item) => item.is_unknown(),
        kind => *kind == TyKind::Unknown,
    }
}

/// Whether it is a list with at least `least` items, none of which can be null.
fn has_items(list: &Expr, least: usize) -> bool {
    match (&list.kind, list.value()) {
        (ExprKind::List(items), _) => items.len() >= least && items.iter().all(|item| !item.ty.nullable),
        (_, Some(plan::Value::List(items))) => items.len() >= least && !items.iter().any(plan::Value::is_null),
        _ => false,
    }
}

fn value_of_arg(arg: &hir::Arg) -> Option<&plan::Value> {
    match arg {
        hir::Arg::Value(value) => value.value(),
        _ => None,
    }
}

fn wanted_words(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Value(pattern, _) => pattern.words(),
        ParamKind::Relation { delimited: false } => "a relation".to_owned(),
        ParamKind::Relation { delimited: true } => "a CSV file".to_owned(),
        ParamKind::Column { delimited, of } => {
            let csv = if *delimited { " of a CSV file" } else { "" };
            match of {
                Pattern::Any | Pattern::Var | Pattern::Scalar => format!("a column{csv}"),
                other => format!("a column{csv} with {}s", other.bare()),
            }
        }
        ParamKind::File(wanted) => wanted.unwrap_or(Format::File).noun.to_owned(),
        ParamKind::Sql => "SQL".to_owned(),
        ParamKind::Change => "SQL that changes rows".to_owned(),
        ParamKind::JsonPath => "a JSONPath".to_owned(),
        ParamKind::XPath => "an XPath".to_owned(),
    }
}
