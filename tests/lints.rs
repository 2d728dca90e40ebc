//! What lints say, and what they must not say: one table of cases a lint.

#[path = "lints/queries.rs"]
mod queries;

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
