//! Options after expected values: which ones can be combined, and which fit a matcher and a value.

use model::suite::matchers::{Ignores, Record, Takes};
use model::suite::{ColumnId, ConstraintKind, FileId, Graded, Ignore, Matcher, Options, RelationId, Within};
use model::{Decimal, Span, Value};

use super::columns::{self, OptionColumn, Precisions, has_same_target};
use super::examples::Place;
use super::governed::AnswerOptions;
use super::state_columns::{reject_ignored_columns, resolve_state_columns};
use super::told::ToldPlaces;
use super::traps::as_ident;
use crate::answers::AnswerChecker;
use crate::context::{Checker, Relations};
use hir::types::{Ty, TyKind};
use hir::{ColumnSource, Expr};
use syntax::ast::{self, ExprKind, OptKind};
use syntax::diagnostics::wording::{build_unknown_diagnostic, join_with_or, suggest_name};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::words::{self, Class};

/// Suggests a replacement for an option that appears twice: one `trap` with the names of both, else one of the two.
fn suggest_merged_option(first: &ast::Opt, again: &ast::Opt) -> String {
    match (&first.kind, &again.kind) {
        (OptKind::Trap(names), OptKind::Trap(others)) => {
            let all = names.iter().chain(others).filter_map(as_ident).map(|name| name.text.as_str());
            format!("write it once, with all names: `trap {}`", all.collect::<Vec<_>>().join(", "))
        }
        _ => "keep one of the two".to_owned(),
    }
}

fn has_same_kind(a: &ast::Opt, b: &ast::Opt) -> bool {
    std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind)
}

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the options that follow the value at `pointer` and adds them to `governed`.
    pub fn check_options(
        &mut self,
        written: &'a [ast::Opt],
        matcher: Matcher,
        pointer: &str,
        value: Option<&Expr>,
        governed: &mut AnswerOptions,
    ) {
        let whole_ty = &value.map_or(Ty::UNKNOWN, |value| value.ty.clone());
        let mut all = Options::default();
        let mut of_columns: Vec<(OptionColumn, Options)> = Vec::new();
        let mut told = ToldPlaces::new();
        let mut precisions = Precisions::default();
        for (index, option) in written.iter().enumerate() {
            let repeats = !matches!(option.kind, OptKind::Example(..) | OptKind::Written(..) | OptKind::Unit(_));
            let is_again =
                |other: &&ast::Opt| repeats && has_same_kind(other, option) && has_same_target(other, option);
            if let Some(first) = written[..index].iter().find(is_again) {
                let said = Diagnostic::new(Code::DUPLICATE, "this option appears twice", option.span, "again");
                self.task.cx.report(said.label(first.span, "first here").help(suggest_merged_option(first, option)));
                continue;
            }
            let columns = match whole_ty.as_state() {
                Some(of) if matcher.record().takes == Takes::State => {
                    resolve_state_columns(self.task.cx, &self.task.scope.relations, option, of.file)
                }
                None if whole_ty.is_unknown() && matcher.record().takes == Takes::State => continue,
                _ => columns::resolve_option_columns(self.task.cx, option, matcher, whole_ty),
            };
            let Some(columns) = columns else { continue };
            let ty = columns::choose_type_for_numbers(&columns).unwrap_or(whole_ty);
            let first_precision = precisions.find_first(&columns);
            let mut options = Options::default();
            let whole = pointer.is_empty();
            match &option.kind {
                OptKind::Within(value) => {
                    self.task.cx.check_number_option(matcher, ty, option.span, "within");
                    self.task.cx.check_single_precision(first_precision, (option.span, "within"));
                    options.within = self.check_tolerance(value);
                }
                OptKind::Rounded(value) => {
                    self.task.cx.check_number_option(matcher, ty, option.span, "rounded");
                    self.task.cx.check_single_precision(first_precision, (option.span, "rounded"));
                    let Some(places) = self.task.require_fixed_value(value, "`rounded`") else { continue };
                    match places.as_constant() {
                        Some(Value::Int(places @ 0..=15)) => options.rounded = Some(*places as u8),
                        _ => {
                            let message = "`rounded` takes a number of decimal places, 0 to 15";
                            self.task.cx.report(build_bad_value_diagnostic(places.span, message, "rounded 2"));
                        }
                    }
                }
                OptKind::Graded(_) if !whole => self.task.cx.report_graded_inside(option.span),
                OptKind::Graded(None) => {
                    if matcher.record().takes == Takes::List {
                        self.task.cx.reject_graded_list(option.span);
                    } else if self
                        .task
                        .cx
                        .check_option_supported(option.span, "graded", matcher, |record| record.takes == Takes::Number)
                    {
                        options.graded = Some(Graded::Score);
                    }
                }
                OptKind::Graded(Some(above)) => {
                    if self.task.cx.check_option_supported(option.span, "graded above", matcher, |record| {
                        record.takes == Takes::List
                    }) {
                        self.task.cx.check_number_option(matcher, ty, option.span, "graded above");
                        self.task.cx.check_single_precision(first_precision, (option.span, "graded above"));
                        options.graded = self.check_grade_threshold(above).map(Graded::Above);
                    }
                }
                OptKind::Unit(value) => {
                    let texts = |record: &Record| record.numbers && record.takes != Takes::State;
                    if self.task.cx.check_option_supported(option.span, "unit", matcher, texts) {
                        self.task.cx.check_number_option(matcher, ty, option.span, "unit");
                    }
                    options.units.extend(self.check_unit(value));
                }
                OptKind::Written(pattern, times) => {
                    let types = match columns.as_slice() {
                        [] => vec![whole_ty],
                        columns => columns.iter().map(|column| &column.ty).collect(),
                    };
                    let form = self.check_told(option.span, (pattern, times.as_ref()), matcher, &types);
                    options.written.extend(form.clone());
                    told.extend(form.map(|form| (option.span, form)));
                }
                OptKind::Open => {
                    self.task.cx.check_object_option(matcher, ty, option.span);
                    columns::check_open_names(self.task.cx, ty, option.span);
                    options.open = true;
                }
                OptKind::Schema if whole => {
                    let states = |record: &Record| record.takes == Takes::State;
                    options.schema = self.task.cx.check_option_supported(option.span, "schema", matcher, states);
                }
                OptKind::Ignore(paths) if matcher.record().ignores == Ignores::Parts && option.columns.is_empty() => {
                    let Some(of) = ty.as_state() else { continue };
                    let relations = &self.task.scope.relations;
                    let parts =
                        paths.iter().filter_map(|path| relations.resolve_ignored_part(self.task.cx, path, of.file));
                    options.parts.extend(parts);
                    relations.reject_key_cycle(self.task.cx, &options.parts, (of.file, option.span));
                }
                OptKind::Ignore(words) => {
                    self.task.cx.check_option_supported(option.span, "ignore", matcher, |record| {
                        record.ignores != Ignores::Nothing
                    });
                    for path in words {
                        match path.as_slice() {
                            [word] => match self.task.cx.check_ignored_word(word) {
                                Some(ignore) if !options.ignore.contains(&ignore) => options.ignore.push(ignore),
                                _ => {}
                            },
                            _ => self.task.cx.report_ignored_column(path),
                        }
                    }
                }
                OptKind::Trap(names) => {
                    if self.task.cx.check_option_supported(option.span, "trap", matcher, |record| record.has_traps()) {
                        self.check_traps(names, matcher, pointer, value, governed);
                    }
                }
                OptKind::Example(verdict, examples) => {
                    let place = if whole { Place::Whole } else { Place::Inside };
                    self.check_examples(option.span, (*verdict, examples), (matcher, place), governed);
                }
                OptKind::Ordered | OptKind::Unordered => {
                    self.task.cx.check_option_supported(option.span, "ordered` and `unordered", matcher, |record| {
                        record.ordered.is_some()
                    });
                    if all.ordered.is_some() || !all.sorted_by.is_empty() {
                        let message = "`ordered` and `unordered` cannot be combined";
                        let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "which one?");
                        self.task.cx.report(said.help("keep one of the two"));
                    }
                    options.ordered = Some(option.kind == OptKind::Ordered);
                }
                OptKind::OrderedBy(keys) => {
                    if self.task.cx.check_option_supported(option.span, "ordered by", matcher, |record| {
                        record.takes == Takes::Rows
                    }) {
                        if all.ordered.is_some() {
                            let message = "`ordered by` cannot be combined with `ordered` or `unordered`";
                            let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "which one?");
                            self.task.cx.report(said.help("keep one of the two"));
                        }
                        options.sorted_by = columns::resolve_sort_keys(self.task.cx, keys, ty, value);
                    }
                }
                OptKind::Cells(cells) => {
                    let is_text = |column: &&OptionColumn| !matches!(column.ty.kind, TyKind::Text | TyKind::Unknown);
                    if let Some(column) = columns.iter().find(is_text) {
                        columns::report_cells_of_other_type(self.task.cx, cells.word(), column);
                    }
                    options.cells = Some(*cells);
                }
                OptKind::Among(list) if whole => {
                    if self.task.cx.check_option_supported(option.span, "among", matcher, |record| {
                        record.loose && record.takes == Takes::One
                    }) {
                        governed.among = self.check_among(list, whole_ty);
                    }
                }
                OptKind::Among(_) => {
                    let message = "`among` applies to a whole `expect`";
                    let help = "give the value an `expect` of its own: expect reply at \"$.key\" contains … among …";
                    let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "inside a value");
                    self.task.cx.report(said.help(help));
                }
                OptKind::Weight(value) if whole => {
                    let Some(weight) = self.task.require_fixed_value(value, "`weight`") else { continue };
                    match weight.as_constant().and_then(Value::as_decimal) {
                        Some(weight) if weight > Decimal::from_int(0) => governed.weight = Some(weight),
                        _ => {
                            let message = "`weight` needs a fixed number above 0";
                            self.task.cx.report(build_bad_value_diagnostic(weight.span, message, "weight 2"));
                        }
                    }
                }
                OptKind::Gate if whole => governed.gate = true,
                OptKind::Weight(_) | OptKind::Gate | OptKind::Schema => self.task.cx.report(
                    Diagnostic::new(
                        Code::BAD_OPTION,
                        "`weight`, `gate`, and `schema` apply to a whole `expect`",
                        option.span,
                        "inside a value",
                    )
                    .help("write it after the closing brace, or split the answer into several `expect`"),
                ),
            }
            if columns.is_empty() {
                all = std::mem::take(&mut all).or(options);
                continue;
            }
            for column in columns {
                match of_columns.iter_mut().find(|(known, _)| known.name == column.name) {
                    Some((_, own)) => *own = std::mem::take(own).or(options.clone()),
                    None => of_columns.push((column, options.clone())),
                }
            }
        }
        let unit = written.iter().find(|option| matches!(option.kind, OptKind::Unit(_))).map(|option| option.span);
        reject_ignored_columns(self.task.cx, &of_columns, &all.parts);
        let mut is_clear = self.check_told_together(&told, &all, whole_ty, unit);
        let mut columns = Vec::new();
        for (column, own) in of_columns {
            let own = own.or_whole(&all);
            is_clear = is_clear && self.check_told_together(&told, &own, &column.ty, unit);
            columns.push((format!("{pointer}{}", column.pointer), own));
        }
        if all != Options::default() {
            governed.options.push((pointer.to_owned(), all));
        }
        governed.options.extend(columns);
    }

    /// Checks the grade after `graded above`, which must be between 0 and 1 (exclusive).
    fn check_grade_threshold(&mut self, value: &'a ast::Expr) -> Option<Decimal> {
        let grade = self.task.require_fixed_value(value, "the grade after `graded above`")?;
        let known = grade.as_constant().and_then(Value::as_decimal);
        let fits = known.filter(|grade| *grade > Decimal::from_int(0) && *grade < Decimal::from_int(1));
        if fits.is_none() {
            let message = "`graded above` needs a number between 0 and 1";
            self.task.cx.report(build_bad_value_diagnostic(grade.span, message, "graded above 0.9"));
        }
        fits
    }

    /// Checks the text of `unit "kg"` and returns it without surrounding spaces.
    fn check_unit(&mut self, value: &'a ast::Expr) -> Option<String> {
        let fixed = self.task.require_fixed_value(value, "`unit`")?;
        let Some(Value::Text(text)) = fixed.as_constant() else { return None };
        let unit = text.trim();
        let Some(why) = find_unit_problem(unit) else { return Some(unit.to_owned()) };
        let message = match unit {
            "" => "the unit is empty".to_owned(),
            _ => format!("`{}` is not a unit", unit.escape_debug()),
        };
        let said = Diagnostic::new(Code::BAD_OPTION, message, fixed.span, why);
        self.task.cx.report(said.help("write the unit as it follows the number, as in: unit \"kg\""));
        None
    }

    fn check_tolerance(&mut self, value: &'a ast::Expr) -> Option<Within> {
        if let ExprKind::Percent(percent) = &value.kind {
            return Some(Within::Percent(*percent));
        }
        let tolerance = self.task.require_fixed_value(value, "`within`")?;
        // Converts `1e-6` to the decimal with the same digits.
        let exact = |value: &Value| match value {
            Value::Float(value) => format!("{value}").parse().ok(),
            value => value.as_decimal(),
        };
        match tolerance.as_constant().and_then(exact) {
            Some(tolerance) if tolerance >= Decimal::from_int(0) => Some(Within::Absolute(tolerance)),
            _ => {
                let message = "a tolerance must be a number of at least 0, or a percentage";
                self.task.cx.report(build_bad_value_diagnostic(tolerance.span, message, "within 0.01   or: within 1%"));
                None
            }
        }
    }
}

impl<'a> Relations<'a> {
    /// Resolves `TABLE` or `TABLE.COLUMN` of a database to its name in the answer key.
    fn resolve_ignored_part(&self, cx: &mut Checker<'a>, path: &'a [ast::Ident], file: FileId) -> Option<String> {
        let (table, column) = match path {
            [table] => (table, None),
            [table, column] => (table, Some(column)),
            _ => {
                cx.report_ignored_column(path);
                return None;
            }
        };
        let (relation, column) = self.resolve_part(cx, table, column, file)?;
        let decl = &self.checked[relation];
        Some(match column {
            None => decl.table.clone(),
            Some(column) => format!("{}.{}", decl.table, decl.columns[column].name),
        })
    }

    /// Finds a table of a database, and its column; reports a name that is none.
    pub(super) fn resolve_part(
        &self,
        cx: &mut Checker<'a>,
        table: &'a ast::Ident,
        column: Option<&'a ast::Ident>,
        file: FileId,
    ) -> Option<(RelationId, Option<ColumnId>)> {
        let Some(relation) = self.find_table(file, &table.text) else {
            let tables = || self.checked.iter().filter(|decl| decl.file == Some(file)).map(|decl| decl.table.as_str());
            let message = format!("`{}` has no table `{}`", self.files[file].ast.name.text, table.text);
            let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, table, message, "not a table", tables());
            cx.report(said.with_default_help(format!("it has {}", join_with_or(tables()))));
            return None;
        };
        let decl = &self.checked[relation];
        let name = &decl.table;
        let Some(column) = column else { return Some((relation, None)) };
        let columns = || decl.columns.iter().filter(|known| !known.helper).map(|known| known.name.as_str());
        let found = decl.columns.iter_enumerated().find(|(_, known)| !known.helper && known.name == column.text);
        if found.is_none() {
            let message = format!("`{name}` has no column `{}`", column.text);
            let said = build_unknown_diagnostic(Code::UNKNOWN_COLUMN, column, message, "not a column", columns());
            cx.report(said.with_default_help(format!("it has {}", join_with_or(columns()))));
        }
        Some((relation, Some(found?.0)))
    }

    /// Finds the columns that identify the rows of a table in its database: its primary key, or else its first unique columns without nulls.
    pub(super) fn find_key_columns(&self, relation: RelationId) -> Vec<&str> {
        let decl = &self.checked[relation];
        let column = |at: ColumnId| decl.columns.get(at).map(|column| column.name.as_str());
        let never_null = |at: ColumnId| decl.columns.get(at).is_some_and(|column| !column.ty.nullable);
        let set = |kind: ConstraintKind| {
            let mut found = decl.constraints.iter().filter(|constraint| constraint.kind == kind);
            Some(found.find(|found| found.columns.iter().all(|at| never_null(*at)))?.columns.as_slice())
        };
        let names = |columns: &[ColumnId]| columns.iter().filter_map(|at| column(*at)).collect();
        if let Some(key) = set(ConstraintKind::PrimaryKey) {
            return names(key);
        }
        let source = |at: ColumnId| decl.columns.get(at).map(|column| &column.source);
        let is_key = |at: ColumnId| match source(at) {
            Some(ColumnSource::Given(given)) => given.primary_key,
            Some(ColumnSource::Draw { draw, .. }) => draw.is_serial() && never_null(at),
            _ => false,
        };
        let all = || decl.columns.keys();
        let single = all()
            .find(|at| is_key(*at))
            .or_else(|| all().find(|at| never_null(*at) && source(*at).is_some_and(hir::is_unique)));
        match single {
            Some(at) => names(&[at]),
            None => names(set(ConstraintKind::Unique).unwrap_or_default()),
        }
    }
}

impl<'a> Checker<'a> {
    /// Reports `graded` after a value inside an answer.
    fn report_graded_inside(&mut self, span: Span) {
        let message = "`graded` applies to a whole `expect`";
        let help = "give the value an `expect` of its own: expect reply at \"$.key\" number … graded";
        self.report(Diagnostic::new(Code::BAD_OPTION, message, span, "inside a value").help(help));
    }

    /// Reports `graded` without a threshold after a list, whose score is the share of correct items anyway.
    fn reject_graded_list(&mut self, span: Span) {
        let help =
            "a list already gives partial credit; to accept items that are nearly equal, write: graded above 0.9";
        let said = Diagnostic::new(Code::BAD_OPTION, "`graded` alone does not work with `list`", span, "for `number`");
        self.report(said.help(help));
    }

    fn check_single_precision(&mut self, first: &mut Option<(Span, &'static str)>, option: (Span, &'static str)) {
        let (span, word) = option;
        if let Some((first, other)) = first {
            let message = match (*other, word) {
                ("within" | "rounded", "within" | "rounded") => "`within` and `rounded` cannot be combined".to_owned(),
                _ => format!("`{other}` and `{word}` cannot be combined"),
            };
            let said = Diagnostic::new(Code::BAD_OPTION, message, span, "a second precision");
            self.report(said.label(*first, "the first one").help("keep the one that the prompt states"));
        } else {
            *first = Some(option);
        }
    }

    fn check_number_option(&mut self, matcher: Matcher, ty: &Ty, span: Span, word: &str) {
        if self.check_option_supported(span, word, matcher, |record| record.numbers)
            && matches!(ty.kind, TyKind::Text | TyKind::Bool | TyKind::Date | TyKind::DateTime)
        {
            let message = format!("`{word}` needs numbers, but the value is {ty}");
            let said = Diagnostic::new(Code::BAD_OPTION, message, span, "no number");
            self.report(said.help("remove it"));
        }
    }

    fn check_object_option(&mut self, matcher: Matcher, ty: &Ty, span: Span) {
        fn has_objects(ty: &Ty) -> bool {
            match &ty.kind {
                TyKind::Object(_) | TyKind::Map(_) | TyKind::Rows(_) | TyKind::Unknown => true,
                TyKind::List(item) => has_objects(item),
                _ => false,
            }
        }
        let has_names = |record: &Record| record.keys || record.takes == Takes::Rows;
        if self.check_option_supported(span, "open", matcher, has_names) && !has_objects(ty) {
            let message = format!("`open` needs an object, but the value is {}", ty.describe_with_article());
            let said = Diagnostic::new(Code::BAD_OPTION, message, span, "nothing here has keys");
            self.report(said.help("remove `open`"));
        }
    }

    /// Checks whether a matcher supports an option. If not, reports it and lists the matchers that do.
    pub(super) fn check_option_supported(
        &mut self,
        span: Span,
        word: &str,
        matcher: Matcher,
        with: fn(&Record) -> bool,
    ) -> bool {
        if with(matcher.record()) {
            return true;
        }
        let others: Vec<&str> =
            Matcher::ALL.iter().filter(|other| with(other.record())).map(|other| other.word()).collect();
        let message = format!("`{word}` does not work with `{}`", matcher.word());
        let help = match others.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("it works with {} and {last}", first.join(", ")),
            _ => format!("it works with {}", others.concat()),
        };
        self.report(Diagnostic::new(Code::BAD_OPTION, message, span, "not here").help(help));
        false
    }

    /// Reports `items.CHANGED` where only words are allowed.
    fn report_ignored_column(&mut self, path: &'a [ast::Ident]) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { return };
        let span = Span { end: last.span.end, ..first.span };
        let message = format!("`{}` cannot be ignored", self.sources.quote(span));
        let said = Diagnostic::new(Code::BAD_OPTION, message, span, "a column");
        self.report(said.help("only `database` ignores tables and columns"));
    }

    fn check_ignored_word(&mut self, word: &ast::Ident) -> Option<Ignore> {
        let known = Ignore::from_word(&word.text);
        if known.is_none() {
            let message = format!("`{}` cannot be ignored", word.text);
            let said = Diagnostic::new(Code::BAD_OPTION, message, word.span, "not one of these")
                .help(format!("write {}", join_with_or(words::list_names(Class::Ignored))));
            self.report(suggest_name(said, word.span, &word.text, words::list_names(Class::Ignored)));
        }
        known
    }
}

/// Builds the diagnostic for an option with a value that is not possible.
fn build_bad_value_diagnostic(span: Span, message: &str, example: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_OPTION, message, span, "not so").help(format!("write: {example}"))
}

/// Explains why a text cannot follow a number as its unit, because the number would not end where the unit begins. `None` if it can.
fn find_unit_problem(unit: &str) -> Option<&'static str> {
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
