//! What each lint catches, and what comes near and is right: tables of small tasks.

#[path = "lints/domains.rs"]
mod domains;
#[path = "lints/facts.rs"]
mod facts;
#[path = "lints/joins.rs"]
mod joins;
#[path = "lints/queries.rs"]
mod queries;
#[path = "lints/question.rs"]
mod question;
#[path = "lints/sound.rs"]
mod sound;

use compiler::{Host, ReadError, Sqlite};
use picardc::sqlite::Prepare;

struct Memory {
    text: String,
    sqlite: Prepare,
}

impl Host for Memory {
    fn read(&self, _: &str) -> Result<Vec<u8>, ReadError> {
        Ok(self.text.clone().into_bytes())
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }
}

/// The lints on what the agent is told.
const QUESTION: [&str; 10] = [
    "unmentioned_file",
    "unmentioned_output",
    "unmentioned_key",
    "unexpected_key",
    "leaked_answer",
    "ambiguous_precision",
    "unshared_rounding",
    "punctuated_word",
    "nothing_expected",
    "may_collide",
];

/// The names of what is said of a task with this body, and the messages.
fn said(body: &str) -> Vec<(&'static str, String)> {
    let text = format!("suite s {{ title \"S\" version \"1\" }}\ntask q {{\n{body}\n}}\n");
    let compiled = compiler::compile("s.pcd", &Memory { text, sqlite: Prepare::default() });
    // Other families of lints have tables of their own; errors have none.
    let own = |said: &&compiler::diagnostics::Diagnostic| {
        said.severity() == compiler::diagnostics::Severity::Error || QUESTION.contains(&said.code.name)
    };
    compiled.diagnostics.iter().filter(own).map(|said| (said.code.name, said.message.clone())).collect()
}

/// Every body of `caught` gives this lint once and no other diagnostic; no body of `right` gives it, or an error.
fn hold(lint: &str, caught: &[&str], right: &[&str]) {
    assert!(caught.len() >= 6 && right.len() >= 6, "{lint}: too few examples");
    let mut wrong = Vec::new();
    for body in caught {
        let said = said(body);
        if said.iter().map(|(name, _)| *name).collect::<Vec<_>>() != [lint] {
            wrong.push(format!("not caught, or more than that: {said:#?}\n{body}"));
        }
    }
    for body in right {
        let said = said(body);
        if !said.is_empty() {
            wrong.push(format!("a false alarm: {said:#?}\n{body}"));
        }
    }
    assert!(wrong.is_empty(), "{lint}\n{}", wrong.join("\n\n"));
}

/// The names of all lints that a suite of one task with this body gets, and the words they point at.
fn lints(body: &str) -> Vec<(&'static str, String)> {
    let text = format!("suite s {{ title \"S\" version \"1\" }}\ntask q {{\n{body}\n}}\n");
    let compiled = compiler::compile("s.pcd", &Memory { text: text.clone(), sqlite: Prepare::default() });
    let point = |said: &compiler::diagnostics::Diagnostic| {
        let span = said.primary.span;
        text[span.start as usize..span.end as usize].to_owned()
    };
    compiled.diagnostics.iter().map(|said| (said.code.name, point(said))).collect()
}
