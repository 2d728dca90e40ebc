//! Options for reading in files that are generated, and options of texts without rows.

use model::Span;
use model::suite::{FileId, Form};

use crate::context::{Checker, TaskChecker, TaskScope};
use syntax::ast::{self, PathOptionKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Determines how a text is written that is drawn or computed as a whole. Returns false after reporting an error.
    pub fn check_text_form(&mut self, file: FileId, data: &'a ast::Data) -> bool {
        let mut form = Form::from_delimiter(',');
        let mut sound = true;
        let options: Vec<_> =
            data.options.iter().filter(|option| data.format.writing.contains(&option.kind.word())).collect();
        for option in &options {
            if matches!(option.kind, PathOptionKind::Encoding(_) | PathOptionKind::Crlf | PathOptionKind::Bom) {
                sound &= self.apply_form_option(file, &option.kind, &mut form).is_some();
                continue;
            }
            sound = false;
            let message = format!("`{}` works only in a text of lines", option.kind.word());
            let help = "make it part of the text, or write lines: { rows 50  line \"…\"  … }";
            let said = Diagnostic::new(Code::MISPLACED, message, option.span, "the text is one piece");
            self.cx.report(said.label(data.name.span, "drawn or computed as a whole").help(help));
        }
        if !options.is_empty() {
            self.scope.relations.files[file].form = Some(form);
        }
        sound
    }
}

impl<'a> TaskScope<'a> {
    /// Checks whether `rows` is followed only by `repeat` or `by`, which is not a name in scope. If so, reports the missing argument.
    pub fn is_unfinished(&self, cx: &mut Checker<'a>, rows: &ast::Rows) -> bool {
        let ast::ExprKind::Path(path) = &rows.count.low.kind else { return false };
        let [word] = path.as_slice() else { return false };
        let text = word.text.as_str();
        if rows.count.high.is_some() || self.entities.contains_key(text) || cx.globals.constants.contains_key(text) {
            return false;
        }
        let (what, example) = match text {
            "repeat" => ("a share", "rows repeat 5%"),
            "by" => ("a column", "rows by DAY"),
            _ => return false,
        };
        let message = format!("{what} is missing after `{text}`");
        let said = Diagnostic::new(Code::MISSING_VALUE, message, word.span.shrink_to_end(), "missing here");
        cx.report(said.help(format!("for example: {example}")));
        true
    }
}

impl<'a> Checker<'a> {
    /// Checks that an option applies to a file that is generated. Reports an option for reading.
    pub fn is_written(&mut self, option: &ast::PathOption, name: &ast::Ident) -> bool {
        let word = option.kind.word();
        let instead = match option.kind {
            PathOptionKind::Delimiter(_)
            | PathOptionKind::Quoted
            | PathOptionKind::Crlf
            | PathOptionKind::Bom
            | PathOptionKind::Encoding(_)
            | PathOptionKind::Above(_)
            | PathOptionKind::Below(_)
            | PathOptionKind::Header(_) => return true,
            PathOptionKind::Skip(_) => "write lines before the table with `above \"…\"`",
            PathOptionKind::Until(_) => "write lines after the table with `below \"…\"`",
            PathOptionKind::Sheet(_) => "name a sheet with `table NAME { … }` in a workbook",
            PathOptionKind::Missing(_) => "say it of a column: NAME : word blank 5% as missing [\"\", \"n/a\"]",
            PathOptionKind::At(_) => "declare the array where it is: `items : [ { … } ; 5 ]`",
        };
        let message = format!("`{word}` is not an option of a generated file");
        let said = Diagnostic::new(Code::MISPLACED, message, option.span, "says how a file is read");
        self.report(said.label(name.span, "generated").help(instead));
        false
    }

    /// Checks that an option applies to a file that is read. Reports an option for writing.
    pub fn is_read(&mut self, option: &ast::PathOption, file: Span) -> bool {
        let instead = match option.kind {
            PathOptionKind::Above(_) => "use `skip` to leave out the lines before a table",
            PathOptionKind::Below(_) => "use `until` to leave out the lines after a table",
            _ => return true,
        };
        let message = format!("`{}` is not an option of a file that is read", option.kind.word());
        let said = Diagnostic::new(Code::MISPLACED, message, option.span, "says how a file is written");
        self.report(said.label(file, "the file").help(instead));
        false
    }

    /// Reports clauses that a table of this kind cannot have.
    pub(crate) fn reject_clauses(
        &mut self,
        clauses: impl IntoIterator<Item = Span>,
        message: &str,
        label: &str,
        help: &str,
    ) {
        for clause in clauses {
            self.report(Diagnostic::new(Code::MISPLACED, message, clause, label).help(help));
        }
    }

    /// Reports columns of a generated table with clauses that only apply to columns of a file that is read.
    pub fn check_generated_columns(&mut self, body: &'a ast::Body, formed: bool) {
        self.reject_clauses(
            body.cell_lines.iter().map(|line| line.span),
            "`line … from` splits the cells of a file that is read",
            "not read",
            "to write several columns into one cell, compute its text: Price = \"<<AMOUNT>> <<UNIT>>\"",
        );
        for column in &body.columns {
            let first = column.keys.first().map(|key| &key.name);
            if let Some(place) = &column.place {
                let name = first.map_or("a column", |name| name.text.as_str());
                let first = first.map_or(column.span, |name| name.span);
                let message = format!("`{name}` is generated, so it has no header to come from");
                let help = "to name the column in the file, write its name: `` `North / Tag` : int 1..9 ``";
                let said = Diagnostic::new(Code::MISPLACED, message, place.span, "says where a field is read");
                self.report(said.label(first, "generated").help(help));
            }
            if let ([first, .., last] | [first @ last], false) = (column.styles.as_slice(), formed) {
                let message = "styles work only in files of cells and texts";
                let help = "write it in a csv, tsv, or text file, or compute a text: `PRICE = format(_PRICE, 2)`";
                let said = Diagnostic::new(Code::MISPLACED, message, first.span.extend_to(last.span), "does not fit");
                self.report(said.help(help));
            }
        }
        let repeats = body.repeats.iter().map(|repeat| ("rows repeat", repeat.span));
        let orders = body.orders.iter().map(|order| ("rows by", order.span));
        for (word, span) in repeats.chain(orders).filter(|_| !formed) {
            self.reject_clauses(
                [span],
                &format!("`{word}` works only in files of cells and texts"),
                "does not fit",
                &format!("write it in a file from this table: csv NAME at \"file.csv\" from TABLE {{ {word} … }}"),
            );
        }
        self.reject_clauses(
            body.allows.iter().map(|allow| allow.span),
            "`allow` of a table that is generated belongs to its task",
            "the table is generated",
            "write it in the task, outside the braces of the table",
        );
        self.reject_clauses(
            body.unpivots.iter().map(|unpivot| unpivot.span),
            "`unpivot` is in a generated table",
            "works only in a table that is read",
            "declare a column for each value",
        );
    }
}
