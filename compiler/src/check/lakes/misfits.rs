//! Cells that are not what their column is declared to be, in words.

use tabular::read::Misfits;
use tabular::{CellType, Misfit, Outside, Proof};

use plan::Value;

use super::read::Origins;
use super::shape::{Declared, Proved};
use crate::check::model::TaskChecker;
use crate::diagnostics::{Code, Diagnostic};

/// The cells that are shown.
const SHOWN: usize = 5;

/// Cells of one column that do not fit, over all files.
#[derive(Default)]
pub(super) struct Wrong {
    pub count: usize,
    /// Where, what the cell is, and why.
    pub first: Vec<(String, String, String)>,
    /// The different cells, not more than a few.
    pub marks: Vec<String>,
}

impl Wrong {
    /// Adds those of one file.
    pub fn add(&mut self, path: &str, misfits: &Misfits, ty: CellType) {
        self.count += misfits.count;
        for (line, cell, misfit) in &misfits.first {
            if self.first.len() < SHOWN {
                let place =
                    if *line == 0 { format!("the header of `{path}`") } else { format!("line {line} of `{path}`") };
                self.first.push((place, cell.clone(), why(misfit, ty)));
            }
        }
        for mark in &misfits.marks {
            if !self.marks.contains(mark) {
                self.marks.push(mark.clone());
            }
        }
    }
}

/// Why a cell does not fit, where its text does not show it.
fn why(misfit: &Misfit, ty: CellType) -> String {
    match misfit {
        Misfit::Empty => ", which is empty".to_owned(),
        Misfit::Unreadable => String::new(),
        Misfit::Unwritten => ", which is not as `written` says".to_owned(),
        Misfit::TooLarge => format!(", which is too large for {}", article(ty)),
        Misfit::Places(0) => ", which has decimals".to_owned(),
        Misfit::Places(most) => format!(", which has more than {most} places"),
        Misfit::NoSuchDay => ", which is not in the calendar".to_owned(),
        Misfit::Fraction => ", which has a fraction of a second".to_owned(),
        Misfit::TwoReadings { .. } => ", which two patterns read differently".to_owned(),
    }
}

fn article(ty: CellType) -> String {
    match ty {
        CellType::Int => "an int".to_owned(),
        other => format!("a {}", other.name()),
    }
}

impl<'a> TaskChecker<'_, 'a> {
    /// Says that cells are not of their column's type.
    pub(super) fn say_misfits(&mut self, declared: &Declared<'a>, column: usize, wrong: &Wrong) {
        let Some(proved) = declared.read.get(column) else { return };
        let name = &proved.name.text;
        let ty = proved.domain.ty;
        let message = match wrong.count {
            1 => format!("a field of `{name}` is not {}", article(ty)),
            count => format!("{} fields of `{name}` are not {}s", plan::value::grouped(count as u64), ty.name()),
        };
        let mut help = shown(wrong);
        if !wrong.marks.is_empty()
            && wrong.marks.len() <= 3
            && wrong.marks.iter().all(|mark| mark.chars().count() <= 20)
        {
            let marks: Vec<String> = wrong.marks.iter().map(|mark| format!("{mark:?}")).collect();
            help.push_str(&format!(
                "\nif that means that nothing is known, make `{name}` null: as missing [{}]",
                marks.join(", ")
            ));
        } else if ty != CellType::Text {
            help.push_str(&format!(
                "\nwrite how the cells are written: as written \"…\"; or read them as they are: {name} : text"
            ));
        }
        self.cx
            .say(Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, proved.domain.span, "declared here").help(help));
    }

    /// Whether all values of a column are in its domain; says so where they are not.
    pub(super) fn proved_cells(&mut self, proved: &Proved<'a>, values: &[Value], origins: &Origins<'_>) -> bool {
        let domain = &proved.domain;
        let proof = domain.within.as_ref().map(Proof::of);
        let mut wrong = Wrong::default();
        for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let why = if domain.except.iter().any(|except| except.same(value)) {
                ", which is excepted".to_owned()
            } else {
                match proof.as_ref().map(|proof| proof.check(value)) {
                    None | Some(Ok(())) => continue,
                    Some(Err(Outside::Below(low))) => format!(", less than {}", low.render()),
                    Some(Err(Outside::Above(high))) => format!(", more than {}", high.render()),
                    Some(Err(Outside::Step)) => ", which is between two steps".to_owned(),
                    Some(Err(Outside::List | Outside::Pattern)) => String::new(),
                }
            };
            wrong.count += 1;
            if wrong.first.len() < SHOWN {
                wrong.first.push((origins.place(row), value.render().into_owned(), why));
            }
        }
        if wrong.count == 0 {
            return true;
        }
        let message = match wrong.count {
            1 => format!("a field of `{}` is not in its domain", proved.name.text),
            count => {
                format!("{} fields of `{}` are not in its domain", plan::value::grouped(count as u64), proved.name.text)
            }
        };
        let said = Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, domain.span, "declared here");
        self.cx.say(said.help(format!("{}\nwiden the domain, or correct the file", shown(&wrong))));
        false
    }
}

/// `line 9 of `x.csv` is `M``, line by line.
fn shown(wrong: &Wrong) -> String {
    let cell = |text: &str| {
        let cut: String = text.chars().take(60).collect();
        if cut.len() < text.len() { format!("`{cut}…`") } else { format!("`{cut}`") }
    };
    let mut lines: Vec<String> =
        wrong.first.iter().map(|(place, text, why)| format!("{place} is {}{why}", cell(text))).collect();
    if wrong.count > wrong.first.len() {
        lines.push(format!("and {} more", plan::value::grouped((wrong.count - wrong.first.len()) as u64)));
    }
    lines.join("\n")
}
