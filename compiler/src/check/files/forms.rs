//! Forms of files that are read in a file that is generated, and forms that are planned.

use plan::Span;

use crate::ast::{self, PathOptionKind};
use crate::check::model::TaskChecker;
use crate::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Says that a form of files that are written is read, and not built so far.
    pub fn not_built(&mut self, what: &str, at: Span, help: &str) {
        let message = format!("{what} not supported yet");
        self.cx.say(Diagnostic::new(Code::NOT_YET, message, at, "").help(help));
    }

    /// Whether an option of a file that is generated can be checked further; says so if not.
    pub fn is_written(&mut self, option: &ast::PathOption, name: &ast::Ident) -> bool {
        let word = option.kind.word();
        let instead = match option.kind {
            PathOptionKind::Delimiter(_) | PathOptionKind::Quoted | PathOptionKind::Crlf | PathOptionKind::Bom => {
                return true;
            }
            PathOptionKind::Encoding(_)
            | PathOptionKind::Above(_)
            | PathOptionKind::Below(_)
            | PathOptionKind::Header(_) => {
                self.not_built(
                    &format!("`{word}` is"),
                    option.span,
                    "remove it: the file is UTF-8, and begins with its header",
                );
                return false;
            }
            PathOptionKind::Skip(_) | PathOptionKind::Until(_) => "remove it: every row of the file is written",
            PathOptionKind::Sheet(_) => "name a sheet with `table NAME { … }` in a workbook",
            PathOptionKind::Missing(_) => "write `blank 5%` after a column's domain: its nulls are empty fields",
            PathOptionKind::At(_) => "declare the array where it is: `items : [ { … } ; 5 ]`",
        };
        self.cx.say(
            Diagnostic::new(
                Code::MISPLACED,
                format!("`{word}` is not an option of a generated file"),
                option.span,
                "says how a file is read",
            )
            .label(name.span, "generated")
            .help(instead),
        );
        false
    }

    /// Whether an option may say how a file is read; says so if it says how one is written.
    pub fn is_read(&mut self, option: &ast::PathOption, file: Span) -> bool {
        let instead = match option.kind {
            PathOptionKind::Above(_) => "use `skip` to leave out the lines before a table",
            PathOptionKind::Below(_) => "use `until` to leave out the lines after a table",
            _ => return true,
        };
        let message = format!("`{}` is not an option of a file that is read", option.kind.word());
        self.cx.say(
            Diagnostic::new(Code::MISPLACED, message, option.span, "says how a file is written")
                .label(file, "the file")
                .help(instead),
        );
        false
    }

    /// Says so where columns of a table that is generated have what only those of a file that is read have.
    pub fn only_written(&mut self, body: &'a ast::Body) {
        for column in &body.columns {
            let first = column.keys.first().map_or(column.span, |key| key.name.span);
            if let Some(place) = &column.place {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        "only a column that is read comes from a header",
                        place.span,
                        "says where a field is read",
                    )
                    .label(first, "generated")
                    .help("to name the column in the file, write its name: `` `North / Tag` : int 1..9 ``"),
                );
            }
            if let [first, .., last] | [first @ last] = column.styles.as_slice() {
                self.not_built(
                    "styles of generated columns are",
                    first.span.to(last.span),
                    "compute the text: `PRICE = format(_PRICE, 2)`",
                );
            }
        }
        for repeat in &body.repeats {
            self.not_built("`rows repeat` is", repeat.span, "remove it: every row is written once");
        }
        for order in &body.orders {
            self.not_built("`rows by` is", order.span, "draw a sorted column: `DAY : sorted date`");
        }
        for allow in &body.allows {
            let message = "`allow` of a table that is generated belongs to its task";
            let said = Diagnostic::new(Code::MISPLACED, message, allow.span, "the table is generated");
            self.cx.say(said.help("write it in the task, outside the braces of the table"));
        }
        for unpivot in &body.unpivots {
            self.cx.say(
                Diagnostic::new(
                    Code::MISPLACED,
                    "only a table that is read has `unpivot`",
                    unpivot.span,
                    "the table is generated",
                )
                .help("declare a column for each value"),
            );
        }
    }
}
