//! Fixes are tried before they are offered: each is applied to a copy of the text, which is compiled. A fix stays safe only if its diagnostic is gone
//! then and nothing new is said; else it is merely clear. One that leaves its diagnostic, or text that cannot be read, is not offered at all.

use std::collections::BTreeMap;

use crate::diagnostics::{Applicability, Diagnostic, Fix, apply};
use crate::host::{Compute, Entry, Host, ReadError, Sqlite};
use crate::sources::Sources;

/// No more fixes of one compilation are tried.
const MOST: usize = 32;

/// At most this many bytes of source are compiled for trials, so that a check of a large file stays quick.
const BYTES: usize = 400_000;

/// What trying fixes takes: what the text of some files would be, compiled.
pub type Compile<'c> = dyn Fn(&dyn Host) -> Vec<Diagnostic> + 'c;

/// Tries the fixes of `diagnostics`. Safe fixes that are left when the limit is reached become merely clear.
pub fn fixes(diagnostics: &mut [Diagnostic], sources: &Sources, host: &dyn Host, compile: &Compile<'_>) {
    let before = counted(diagnostics);
    let size: usize = sources.iter().filter(|(_, source)| !source.library).map(|(_, source)| source.text.len()).sum();
    let mut left = (BYTES / size.max(1)).clamp(1, MOST);
    // The safe ones first: they are the ones that are promised.
    for safe in [true, false] {
        for said in diagnostics.iter_mut() {
            let own = (said.code.id, said.message.clone());
            let mut kept = Vec::new();
            for mut fix in std::mem::take(&mut said.fixes) {
                if (fix.applicability == Applicability::Safe) != safe {
                    kept.push(fix);
                    continue;
                }
                if left == 0 {
                    fix.applicability = looked_at(&fix);
                    kept.push(fix);
                    continue;
                }
                left -= 1;
                match verdict(&own, &before, after(&fix, sources, host, compile)) {
                    Verdict::Good => kept.push(fix),
                    Verdict::Look => {
                        fix.applicability = looked_at(&fix);
                        kept.push(fix);
                    }
                    Verdict::Bad => {}
                }
            }
            said.fixes = kept;
        }
    }
}

/// What a fix is that wants a look.
fn looked_at(fix: &Fix) -> Applicability {
    match fix.applicability {
        Applicability::Safe | Applicability::Clear => Applicability::Clear,
        Applicability::Unsafe => Applicability::Unsafe,
    }
}

/// What a fix is worth.
enum Verdict {
    /// Its diagnostic is gone, and nothing is new.
    Good,
    /// Its diagnostic is gone, and others have come that it may have hidden.
    Look,
    /// It does not help, or the text cannot be read any more.
    Bad,
}

/// Code and message: what is said, without its place. How often each is.
type Counted = BTreeMap<(&'static str, String), usize>;

fn counted(diagnostics: &[Diagnostic]) -> Counted {
    let mut all = Counted::new();
    for said in diagnostics {
        *all.entry((said.code.id, said.message.clone())).or_default() += 1;
    }
    all
}

fn verdict(own: &(&'static str, String), before: &Counted, after: Option<Vec<Diagnostic>>) -> Verdict {
    let Some(after) = after.map(|after| counted(&after)) else { return Verdict::Bad };
    let many = |all: &Counted, said: &(&'static str, String)| all.get(said).copied().unwrap_or(0);
    if many(&after, own) >= many(before, own) {
        return Verdict::Bad;
    }
    let mut new = after.iter().filter(|(said, count)| **count > many(before, said)).peekable();
    if new.peek().is_none() {
        return Verdict::Good;
    }
    // A mistake of the text may hide the next one; what could be read must stay readable.
    let of_the_text = |code: &str| code.starts_with("E01");
    if !of_the_text(own.0) && new.any(|((code, _), _)| of_the_text(code)) { Verdict::Bad } else { Verdict::Look }
}

/// What is said of the text that a fix leaves.
fn after(fix: &Fix, sources: &Sources, host: &dyn Host, compile: &Compile<'_>) -> Option<Vec<Diagnostic>> {
    let texts = apply(&[fix], sources)?;
    let named =
        |(file, text)| sources.get(file).filter(|source| !source.library).map(|source| (source.path.clone(), text));
    let texts: BTreeMap<String, String> = texts.into_iter().map(named).collect::<Option<_>>()?;
    Some(compile(&Changed { host, texts }))
}

/// Some files with other texts.
struct Changed<'h> {
    host: &'h dyn Host,
    texts: BTreeMap<String, String>,
}

impl Host for Changed<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.host.read(path),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.host.list(folder)
    }

    fn go_on(&self) {
        self.host.go_on();
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.host.sqlite()
    }

    fn compute(&self) -> &dyn Compute {
        self.host.compute()
    }
}
