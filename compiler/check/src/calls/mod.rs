//! Calls: which overload the arguments fit, and diagnostics if none fits.
//!
//! | file | concept |
//! | --- | --- |
//! | `arguments` | the arguments before the overload is chosen |
//! | `overloads` | whether the arguments fit a signature |
//! | `apply` | the call of the overload that fits, and its type |
//! | `overload_errors` | diagnostics if no overload fits |
//! | `bounds` | positions, divisors, shares, and decimal places that are out of bounds |
//! | `gold` | SQL that is a value |
//! | `gold_lints` | lints on SQL that is a value |
//! | `gold_slips` | what its lints have in common, and whether known rows confirm them |
//! | `gold_questions` | whether SQL that is a value fits its question |
//! | `gold_values` | whether it has the values that its question names |
//! | `query`, `paths` | arguments that are SQL, or paths into files |
//! | `query_tables`, `parameters` | the relations and the values of the task that a query reads |
//! | `possible_keys` | columns that can be keys of these relations, although it is not proved |

mod apply;
mod arguments;
pub(crate) mod bounds;
pub(crate) mod gold;
mod gold_lints;
mod gold_questions;
mod gold_slips;
mod gold_values;
mod overload_errors;
mod overloads;
mod parameters;
pub(crate) mod paths;
mod possible_keys;
pub(crate) mod query;
mod query_tables;

use model::Span;

use self::arguments::{ArgKind, GivenArg};
use self::overloads::{can_take_column, can_take_row_values, can_take_rows, is_open};
use crate::context::TaskChecker;
use hir::Expr;
use hir::types::TyKind;
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a call.
    pub fn check_call(&mut self, call: &'a ast::Call, span: Span) -> Expr {
        let name = call.callee.text.as_str();
        let Some(function) = self.cx.project.library.functions.get(name) else {
            self.cx.report_unknown_function(call, span);
            // The arguments count as used, and can have errors of their own.
            for arg in &call.args {
                self.check_argument(arg, false);
            }
            return Expr::unknown(span);
        };
        let overloads = &function.overloads;
        let mut args: Vec<GivenArg<'a>> = (0..)
            .zip(&call.args)
            .map(|(at, arg)| self.check_argument(arg, can_take_row_values(function, at)))
            .collect();
        if function.id.is_count()
            && can_take_rows(overloads)
            && let [GivenArg { given: ArgKind::Each(relation, value), span: at, .. }] = args.as_slice()
            && value.ty.kind == TyKind::Bool
        {
            let (relation, at) = (self.scope.relations.checked[*relation].name.clone(), *at);
            let condition = self.cx.sources.quote(at);
            let help = format!("count the rows that meet it: {name}({relation} where {condition})");
            let message = format!("`{name}` needs a table or a column, but this is a condition");
            let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, at, "true or false in each row");
            self.cx.report(said.help(help));
            return Expr::unknown(span);
        }
        if args.iter().any(|arg| matches!(arg.given, ArgKind::Nothing)) {
            return Expr::unknown(span);
        }
        if args.iter().any(|arg| arg.whole.is_some())
            && !overloads.iter().any(|signature| self.scope.relations.find_mismatch(signature, &args).is_none())
        {
            for (at, arg) in args.iter_mut().enumerate() {
                if let Some((relation, column)) = arg.whole
                    && can_take_column(overloads, at)
                {
                    self.ensure_relation(relation, Some(arg.span));
                    arg.given = ArgKind::Column(relation, column);
                }
            }
        }
        if let Some(columns) = function.id.count_joint_columns()
            && !self.scope.relations.check_single_relation(self.cx, function.id, args.get(..columns).unwrap_or(&args))
        {
            return Expr::unknown(span);
        }
        let fitting = overloads.iter().find(|signature| self.scope.relations.find_mismatch(signature, &args).is_none());
        match fitting {
            Some(signature) => {
                let signature = signature.clone();
                // If a type is known only at build, any overload will do, but the result type is then unknown.
                let open = args.iter().any(|arg| is_open(&arg.given))
                    && overloads.iter().any(|other| {
                        other.result != signature.result && self.scope.relations.find_mismatch(other, &args).is_none()
                    });
                let mut made = self.apply_overload(function.id, &signature, args, span);
                if open && !made.is_broken() {
                    made.ty.kind = TyKind::Unknown;
                }
                made
            }
            None => {
                let broken = |arg: &GivenArg<'_>| matches!(&arg.given, ArgKind::Value(value) if value.is_broken());
                if !args.iter().any(broken) {
                    self.scope.report_no_overload(self.cx, call, function, &args, span);
                }
                Expr::unknown(span)
            }
        }
    }
}
