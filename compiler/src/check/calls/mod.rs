//! Calls: which overload the arguments fit, and what is wrong where none does.
//!
//! | file | concept |
//! | --- | --- |
//! | `given` | the arguments, before it is known what the function wants |
//! | `fits` | whether they fit a signature |
//! | `apply` | the call of the overload that fits, and its type |
//! | `misfit` | what is wrong where none fits |
//! | `bounds` | positions, divisors, and places that no value can be |
//! | `gold` | SQL that is a value |
//! | `query`, `paths` | arguments that are SQL, or paths into files |
//! | `readable`, `parameters` | what a query reads: relations, and values of the task |

mod apply;
pub(in crate::check) mod bounds;
mod fits;
mod given;
pub(in crate::check) mod gold;
mod misfit;
mod parameters;
pub(in crate::check) mod paths;
pub(in crate::check) mod query;
mod readable;

use model::Span;

use self::fits::{is_open, takes_column, takes_each, takes_rows};
use self::given::{Given, GivenArg};
use crate::ast;
use crate::check::model::TaskChecker;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::Expr;
use crate::types::TyKind;

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
        let mut args: Vec<GivenArg<'a>> =
            (0..).zip(&call.args).map(|(at, arg)| self.given(arg, takes_each(function, at))).collect();
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
            for (at, arg) in args.iter_mut().enumerate() {
                if let Some((relation, column)) = arg.whole
                    && takes_column(overloads, at)
                {
                    self.ensure_relation(relation, Some(arg.span));
                    arg.given = Given::Column(relation, column);
                }
            }
        }
        if let Some(columns) = function.id.of_one_relation()
            && !self.one_relation(function.id, args.get(..columns).unwrap_or(&args))
        {
            return Expr::unknown(span);
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
                let broken = |arg: &GivenArg<'_>| matches!(&arg.given, Given::Value(value) if value.is_broken());
                if !args.iter().any(broken) {
                    self.no_overload(call, function, &args, span);
                }
                Expr::unknown(span)
            }
        }
    }
}
