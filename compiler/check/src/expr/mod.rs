//! Expressions: their meanings and their types.

mod conditions;
pub(crate) mod foreign;
mod nulls;
pub(crate) mod operators;
pub(crate) mod strings;

use model::functions::{Family, Kernel};
use model::ops;
use model::suite::FileId;
use model::{Date, DateTime, Span, Value};

use crate::constants::NullDiagnostic;
use crate::context::{Checker, NameAst, TaskChecker, TaskScope};
use crate::domains::domain::as_bare_path;
use crate::scope::names::Meaning;
use hir::facts::{MAX_WEIGHT, weigh_value};
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr, ExprKind};
use syntax::ast::{self, UnaryOp};
use syntax::diagnostics::wording::suggest_name;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks an expression.
    pub fn check_expr(&mut self, expr: &'a ast::Expr) -> Expr {
        let passes = std::mem::take(&mut self.states_pass);
        if passes && matches!(expr.kind, ast::ExprKind::Placeholder(_) | ast::ExprKind::Paren(_)) {
            // The inner expression is the same value.
            self.states_pass = true;
            return self.check_expr_kind(expr);
        }
        let checked = self.check_expr_kind(expr);
        match &checked.ty.kind {
            TyKind::State(of) if !passes => {
                let of = of.name.clone();
                self.cx.report_state_as_value(expr, &of);
                Expr::unknown(expr.span)
            }
            _ => checked,
        }
    }

    /// Checks an expression that may be the state of a database.
    pub fn check_expr_or_state(&mut self, expr: &'a ast::Expr) -> Expr {
        self.states_pass = true;
        self.check_expr(expr)
    }

    fn check_expr_kind(&mut self, expr: &'a ast::Expr) -> Expr {
        use ast::ExprKind as A;
        let decides = std::mem::take(&mut self.decides);
        let span = expr.span;
        let constant = |value: Value, kind: TyKind| Expr::constant(value, Ty::new(kind), span);
        match &expr.kind {
            A::Missing => Expr::unknown(span),
            A::Null => Expr::constant(Value::Null, Ty { kind: TyKind::Null, nullable: true }, span),
            A::Bool(value) => constant(Value::Bool(*value), TyKind::Bool),
            A::Int(value) => constant(Value::Int(*value), TyKind::Int),
            A::Decimal(value) => constant(Value::Decimal(*value), TyKind::Decimal(Some(value.places()))),
            A::Float(value) => constant(Value::Float(*value), TyKind::Float),
            A::Date(value) => constant(Value::Date(*value), TyKind::Date),
            A::DateTime(value) => constant(Value::DateTime(*value), TyKind::DateTime),
            A::Duration(value) => constant(Value::Duration(*value), TyKind::Duration),
            A::Percent(_) | A::PercentOf(_) => {
                let help = "percentages work only as shares, such as after `blank`; elsewhere, write 0.05 for 5%";
                let said = Diagnostic::new(Code::TYPE_MISMATCH, "a percentage is not a value", span, "not a share");
                self.cx.report(said.help(help));
                Expr::unknown(span)
            }
            A::String(text) => self.check_string(text),
            A::List(items) => self.check_list(items, span),
            A::Object(fields) => self.check_object(fields, span),
            A::Path(path) => {
                let meaning = self.resolve_path(path, span);
                self.resolve_value(meaning, span)
            }
            A::Call(call) => {
                let made = self.check_call(call, span);
                self.scope.narrow_call_type(made)
            }
            A::Placeholder(inner) | A::Paren(inner) => {
                self.decides = decides;
                let checked = self.check_expr(inner);
                Expr { span, ..checked }
            }
            A::Unary { op: UnaryOp::Not, operand } => {
                let operand = self.check_condition(operand, "`not`");
                let ty = Ty { kind: TyKind::Bool, nullable: operand.ty.nullable };
                match operand.as_constant() {
                    Some(value) => Expr::constant(ops::apply_not(value), ty, span),
                    None => Expr { kind: ExprKind::Not(Box::new(operand)), ty, span },
                }
            }
            A::Unary { op: UnaryOp::Neg, operand } => self.check_negation(operand, span),
            A::Binary { op, op_span, left, right } => {
                self.decides = decides;
                self.check_binary(*op, *op_span, left, right, span)
            }
            A::If { condition, then, otherwise } => self.check_if(condition, then, otherwise, span),
        }
    }

    /// Returns the value of a path's meaning; reports a meaning that is not a value.
    pub fn resolve_value(&mut self, meaning: Meaning, span: Span) -> Expr {
        match meaning {
            Meaning::Value(value) | Meaning::ResultSet(value, _) => value,
            Meaning::File(file, _) => self.resolve_file_path(file, span),
            Meaning::Relation(relation) if self.scope.relations.find_element_column(relation).is_some() => {
                self.build_element_list(relation, span)
            }
            Meaning::Relation(relation) => {
                let name = self.scope.relations.checked[relation].name.clone();
                let message = format!("`{name}` is a table, not a value");
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "many rows");
                let help = format!("write count({name}), or another function of its rows or columns");
                // A view is named after its lake.
                let lake = name.split_once('.').map(|(lake, _)| lake);
                let lake = lake.filter(|lake| self.cx.globals.lakes.contains_key(lake));
                self.cx.report(match (self.scope.relations.declared[relation].private.is_some(), lake) {
                    (false, _) => said.help(help),
                    (true, Some(lake)) => said.help(format!(
                        "a view does not have a path: {help}; or name its files in words, and their folder as `<<{lake}>>`"
                    )),
                    (true, None) => said.help(format!(
                        "its file is not given to agents, so it does not have a path: {help}; or give agents a file: csv NAME at \"file.csv\" from \"file.csv\""
                    )),
                });
                Expr::unknown(span)
            }
            Meaning::Column(relation, column) => {
                let relation = &self.scope.relations.checked[relation];
                let name = format!("{}.{}", relation.name, relation.columns[column].name);
                let message = format!("`{name}` is a whole column, not a value");
                let help = format!("write avg({name}), first({name}), list({name}) or another function of a column");
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "many values");
                self.cx.report(said.help(help));
                Expr::unknown(span)
            }
            Meaning::Nothing => Expr::unknown(span),
        }
    }

    /// Returns the path of a file; reports a file that is several.
    pub fn resolve_file_path(&mut self, file: FileId, span: Span) -> Expr {
        self.use_file(file, span);
        if self.scope.relations.is_many(self.cx, file, span) {
            return Expr::unknown(span);
        }
        Expr { kind: ExprKind::FilePath(file), ty: Ty::new(TyKind::Text), span }
    }

    /// Records that a file is used, and ensures that it is generated first.
    pub fn use_file(&mut self, file: FileId, span: Span) {
        self.ensure_file(file, Some(span));
        self.scope.used.insert(Entity::File(file));
    }

    fn check_list(&mut self, items: &'a [ast::Expr], span: Span) -> Expr {
        let checked: Vec<Expr> = items.iter().map(|item| self.check_expr(item)).collect();
        let mut ty: Option<Ty> = None;
        for item in &checked {
            ty = Some(Ty::join_next(ty.as_ref(), &item.ty).unwrap_or_else(|| {
                let help = "in an answer key, an object { a: 1, b: \"x\" } holds values of several types";
                let message = "the items of the list have different types";
                self.cx.report(build_mixed_types_diagnostic(message, item, ty.as_ref()).help(help));
                Ty::UNKNOWN
            }));
        }
        let ty = Ty::new(TyKind::List(Box::new(ty.unwrap_or(Ty::UNKNOWN))));
        let values: Option<Vec<Value>> = checked.iter().map(|item| item.as_constant().cloned()).collect();
        match values {
            Some(values) => self.cx.make_bounded_constant(Value::List(values), ty, span),
            None => Expr { kind: ExprKind::List(checked), ty, span },
        }
    }

    fn check_object(&mut self, fields: &'a [ast::Field], span: Span) -> Expr {
        let mut checked: Vec<(String, Expr)> = Vec::new();
        for field in fields {
            if let Some(option) = field.options.first() {
                let message = "an option appears outside an answer key";
                let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "not in an answer key");
                self.cx.report(said.help("write the object after `expect … json`, or the option after its value"));
            }
            let value = self.check_expr(&field.value);
            self.cx.add_field(&mut checked, field, value);
        }
        let object = build_object(checked, span);
        match object.kind {
            ExprKind::Const(value) => self.cx.make_bounded_constant(value, object.ty, span),
            kind => Expr { kind, ..object },
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Reports a value that may be null or contain nulls.
    pub fn check_not_null(&self, cx: &mut Checker<'a>, expr: &Expr, what: &str) {
        let in_list = match &expr.ty.kind {
            TyKind::List(item) => item.nullable && !item.is_unknown(),
            _ => false,
        };
        // Whether a cell of a row of `each` is null is known, even if its column has values of several types.
        let is_cell = matches!(expr.kind, ExprKind::Name(id) if matches!(self.names[id].source, NameAst::Row(_)));
        if expr.ty.is_unknown() && !is_cell || !(expr.ty.nullable || in_list) {
            return;
        }
        let shown = cx.quote_short(expr).map_or_else(|| "this".to_owned(), |shown| format!("`{shown}`"));
        let subject = if in_list { format!("{shown} can contain nulls") } else { format!("{shown} can be null") };
        let help = if in_list { self.without_nulls(cx, expr) } else { self.without_null(cx, expr) };
        let declared = self.find_named_span(expr).map(|declared| (declared, "declared here"));
        let said =
            Diagnostic::new(Code::NULLABLE, format!("{subject}, but {what} cannot"), expr.span, expr.ty.to_string())
                .with_labels(declared)
                .help(help);
        // A value that depends neither on a draw nor on a row is computed later, and reported only if it is null.
        if self.in_global || self.here.row.is_some() {
            cx.report(said);
        } else if !cx.project.is_doubtful(&said) {
            let items = in_list || !matches!(expr.ty.kind, TyKind::List(_));
            cx.doubts.push(NullDiagnostic { task: cx.tasks, value: expr.clone(), items, said });
        }
    }
}

impl<'a> Checker<'a> {
    /// Reports a state that is used as a value.
    pub fn report_state_as_value(&mut self, expr: &'a ast::Expr, database: &str) {
        let name = as_bare_path(expr).and_then(|path| path.first()).map(|name| name.text.as_str());
        let (message, help) = match name {
            Some(name) => (
                format!("`{name}` is a state of `{database}`, not a value"),
                format!(
                    "expect it with `expect file {database} database {name}`, or count its changes with `changed({name})`"
                ),
            ),
            None => (
                format!("`after` gives a state of `{database}`, not a value"),
                format!("name it: `goal = <<after: {database}, …>>`"),
            ),
        };
        let label = format!("state of `{database}`");
        self.report(Diagnostic::new(Code::TYPE_MISMATCH, message, expr.span, label).help(help));
    }

    /// Checks whether an expression has the wanted type or is null, and reports any other type.
    pub fn expect_type(&mut self, expr: &Expr, wanted: &Ty, what: &str) -> bool {
        let fits = expr.ty.is_unknown()
            || expr.ty.kind == TyKind::Null
            || match (&wanted.kind, &expr.ty.kind) {
                (TyKind::Decimal(_), TyKind::Int | TyKind::Decimal(_)) => true,
                (wanted, given) => wanted == given,
            };
        if !fits {
            let example = match wanted.kind {
                TyKind::Int => "a whole number: 50",
                TyKind::Decimal(_) => "a number with its places: 10.00",
                TyKind::Date => "a date: 2024-01-31",
                TyKind::DateTime => "a datetime: 2024-01-31T09:30",
                TyKind::Duration => "a duration: 7 days",
                TyKind::Text => "a text in double quotes",
                TyKind::List(_) => "a list: [\"a\", \"b\"]",
                _ => "a value of that type",
            };
            let message = format!("{what} is {wanted}");
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, expr.span, format!("this is {}", expr.ty));
            self.report(said.help(format!("write {example}")));
        }
        fits
    }

    /// Builds a constant, and reports a value that is too large (values of values multiply).
    pub fn make_bounded_constant(&mut self, value: Value, ty: Ty, span: Span) -> Expr {
        if weigh_value(&value) <= MAX_WEIGHT {
            return Expr::constant(value, ty, span);
        }
        let message = "the value is too large for a suite";
        let said = Diagnostic::new(Code::TOO_COMPLEX, message, span, "more than 100,000 characters or items");
        self.report(said.help("draw it, or put it into a file"));
        Expr::unknown(span)
    }

    /// Adds a field; reports its key instead if another field has it.
    pub fn add_field(&mut self, fields: &mut Vec<(String, Expr)>, field: &ast::Field, value: Expr) {
        if let Some((_, first)) = fields.iter().find(|(key, _)| *key == field.key.text) {
            let first = first.span;
            let message = format!("key `{}` appears twice", field.key.text);
            let said = Diagnostic::new(Code::DUPLICATE, message, field.key.span, "again");
            self.report(said.label(first, "the first one's value").help("keep one of the two"));
            return;
        }
        fields.push((field.key.text.clone(), value));
    }

    /// Reports a function that does not exist.
    pub fn report_unknown_function(&mut self, call: &ast::Call, span: Span) {
        let callee = &call.callee;
        let name = callee.text.as_str();
        let message = format!("`{name}` is not a function");
        let said = Diagnostic::new(Code::UNKNOWN_FUNCTION, message, callee.span, "not a function");
        if let Some(literal) = find_day_literal(call).filter(|_| !call.placeholder) {
            return self.report(suggest_literal(said, span, &literal));
        }
        let functions = &self.project.library.functions;
        let without_where =
            name.strip_suffix("_where").and_then(|base| functions.get(base)).map(|function| function.id);
        let said = match without_where {
            // A condition on JSON or YAML is a filter in the path.
            Some(base) if matches!(base.kernel, Kernel::Path(Family::Json | Family::Yaml, _)) => said.help(format!(
                "write `{base}` with a filter in the path: <<{base}: conf, $.items[?@.price > 10].price>>"
            )),
            Some(base) => {
                said.help(format!("write `{base}` with a condition: <<{base}: hr.SALARY where DEPT == \"HR\">>"))
            }
            None => match functions.values().map(|function| function.id).find(|function| function.is_also(name)) {
                Some(meant) => said.suggest(Applicability::Safe, callee.span, meant.name),
                None => suggest_name(said, callee.span, name, functions.keys().map(String::as_str)),
            },
        };
        self.report(said.with_default_help(
            "the reference manual lists the functions; functions of SQL work only in a query: <<value: SELECT …>>",
        ));
    }
}

/// Returns the date or datetime that is the only argument of a call, a text, as a literal.
pub(crate) fn find_day_literal(call: &ast::Call) -> Option<String> {
    let [arg] = call.args.as_slice() else { return None };
    let ast::ArgValue::Expr(value) = &arg.value else { return None };
    let ast::ExprKind::String(text) = &value.kind else { return None };
    match text.cook().as_slice() {
        [ast::Cooked::Text(text)] => build_day_literal(text),
        _ => None,
    }
}

/// Builds the literal of a date, or of a datetime, from its text: `2024-03-01 15:05` is `2024-03-01T15:05`.
pub(crate) fn build_day_literal(text: &str) -> Option<String> {
    let text = text.trim().replacen(' ', "T", 1);
    let is_day = Date::parse_iso(&text).is_some() || DateTime::parse_iso(&text).is_some();
    is_day.then_some(text)
}

/// Suggests a literal in place of a text, or of a call.
pub(crate) fn suggest_literal(said: Diagnostic, span: Span, literal: &str) -> Diagnostic {
    let help = format!("dates and datetimes are written without quotes: {literal}");
    said.help(help).replace(Applicability::Safe, span, literal)
}

/// Builds the diagnostic for a value that has another type than those before it, which are of the type `so_far`.
pub(crate) fn build_mixed_types_diagnostic(message: impl Into<String>, item: &Expr, so_far: Option<&Ty>) -> Diagnostic {
    let so_far = so_far.map_or_else(|| "single values".to_owned(), Ty::to_string);
    let label = format!("this is {}, those before are {so_far}", item.ty);
    Diagnostic::new(Code::TYPE_MISMATCH, message, item.span, label)
}

/// Builds an object: a constant if all its values are constants.
pub(crate) fn build_object(fields: Vec<(String, Expr)>, span: Span) -> Expr {
    let ty = Ty::new(TyKind::Object(fields.iter().map(|(key, value)| (key.clone(), value.ty.clone())).collect()));
    let values: Option<Vec<(String, Value)>> =
        fields.iter().map(|(key, value)| Some((key.clone(), value.as_constant()?.clone()))).collect();
    match values {
        Some(values) => Expr::constant(Value::Object(values), ty, span),
        None => Expr { kind: ExprKind::Object(fields), ty, span },
    }
}
