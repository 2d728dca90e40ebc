//! The product speaks plain English: forms that readers stumble over appear neither in what it says (messages, help, labels) nor in its documents.
//! CONTRIBUTING ("Words") has the rules; the forms are listed here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use regex::Regex;

/// What is not written, and what is written instead.
const FORMS: [(&str, &str); 15] = [
    (r"\b(is|are|was|were) (no|none)\b( [a-z`{]|$)", "is not a …, does not exist"),
    (r"\bthere (is|are) no\b", "… does not exist, unknown …"),
    (r"\b(stands?|stood)\b", "is, appears"),
    (r"\b(behind|beside|in front of)\b", "after, next to, before"),
    (r"\bneither exists\b", "does not exist"),
    (r"\b(unasked|whoever|heeds?|at hand)\b", "plain words"),
    (r"\b(takes?|took) away\b", "removes"),
    (r"\bgoes by\b", "has the name"),
    (r"\bthe very\b", "the same"),
    (r"\bso many\b", "N, a number of"),
    (r"\bin capitals\b", "in uppercase"),
    (r"\b(told|tells?) (the agent|so|of)\b", "states, mentions"),
    (r"\bfull stop\b", "period"),
    (r"\b[Mm]ends?\b", "fix"),
    (r"[0-9}] %", "45.0%"),
];

/// The same for what people read, not for comments of contributors: a relative clause or a negation where English has a noun or an adjective.
const READ: [(&str, &str); 14] = [
    (r"\b(is|are) there twice\b", "duplicate rows, appears twice"),
    (r"\b(what|that|which) (is|are) there\b", "the noun, such as the content"),
    (r"\b(digests?|list|much|parts?|share|true) of what\b", "the noun"),
    (r"\bso that\b", ", so …; : then …"),
    (r"(^|[.:] )Of (a|all|each|many|merged|several|the|two|what)\b", "With …, In …, For …"),
    (r", for (it|they) ", "because"),
    (r"\bas if nobody\b|\babout nobody\b", "as by an agent that ignores …"),
    (r"\b(is|are) known by\b", "identifies"),
    (r"\bnot the other way round\b", "A depends on B, and B does not depend on A"),
    (r"\b([Ww]hat|which) (became|becomes) of\b", "the result of"),
    (r"\btak(e|es|en) (a known text|the other value) for\b", "reads as, accepts"),
    (r"\bnever tells? less\b|\belse it said none\b", "the fact itself"),
    (r"\b(dirty|there|right|wrong) that (was|were) (dirty|there|right|wrong) before\b", "values never change"),
    (r"\b(that|than) (can|could) be run\b|\bthat (is|are) almost\b", "feasible, inexact"),
];

fn compiled(forms: &[(&str, &'static str)]) -> Vec<(Regex, &'static str)> {
    forms.iter().map(|(form, instead)| (Regex::new(form).expect("a form is a regular expression"), *instead)).collect()
}

fn forms() -> Vec<(Regex, &'static str)> {
    compiled(&FORMS)
}

/// The forms that are not written where people read.
fn forms_of_prose() -> Vec<(Regex, &'static str)> {
    compiled(&[&FORMS[..], &READ[..]].concat())
}

/// Pages made from the standard library: an edition is frozen, with its words.
const FROZEN: [&str; 2] = ["reference/functions.md", "reference/domains.md"];

/// What a Rust source says: its string literals, and its doc comments. Tests are left out.
#[derive(Default)]
struct Said {
    literals: Vec<String>,
    comments: Vec<String>,
}

impl Said {
    fn of(source: &str) -> Said {
        let mut said = Said::default();
        said.walk(source.parse().expect("a source of Rust"));
        said
    }

    fn walk(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut is_test = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    // `#![…]` is of the whole file.
                    tokens.next_if(|next| matches!(next, TokenTree::Punct(sign) if sign.as_char() == '!'));
                    if let Some(TokenTree::Group(attribute)) =
                        tokens.next_if(|next| matches!(next, TokenTree::Group(_)))
                    {
                        is_test |= self.attribute(&attribute);
                    }
                }
                TokenTree::Group(group) => {
                    // The body of an item ends what its attributes speak of.
                    if !is_test {
                        self.walk(group.stream());
                    }
                    is_test &= group.delimiter() != Delimiter::Brace;
                }
                TokenTree::Literal(literal) => self.literals.extend(text(&literal)),
                TokenTree::Punct(sign) if sign.as_char() == ';' => is_test = false,
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// Whether it marks a test. A doc comment is kept; `#[command(about = "…")]` speaks too.
    fn attribute(&mut self, attribute: &Group) -> bool {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(name), _, TokenTree::Literal(literal)] if name == "doc" => {
                self.comments.extend(text(literal));
                false
            }
            [TokenTree::Ident(name), ..] if name == "test" => true,
            [TokenTree::Ident(name), TokenTree::Group(of)] if name == "cfg" => of.stream().to_string() == "test",
            _ => {
                self.walk(attribute.stream());
                false
            }
        }
    }
}

/// A string literal's text, escapes and all.
fn text(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    let text = written.strip_prefix(['b', 'c']).unwrap_or(&written);
    let text = text.trim_start_matches('r').trim_matches('#');
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

/// Every file with this ending below a folder of the repository, but for tests.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let root = testing::root();
    let is_of_tests = |path: &PathBuf| {
        let below = path.strip_prefix(root).unwrap_or(path);
        // The crates of the tests are crates like others.
        let below = below.strip_prefix("tests").unwrap_or(below);
        below.to_string_lossy().ends_with("tests.rs")
            || below.components().any(|part| ["tests", "snapshots"].iter().any(|name| part.as_os_str() == *name))
    };
    let mut found = testing::list_below(root.join(folder), ending);
    found.retain(|path| !is_of_tests(path));
    found
}

/// The crates' own sources.
pub(crate) fn list_sources() -> Vec<PathBuf> {
    let folders = testing::source_folders();
    folders.iter().flat_map(|folder| files(folder, "rs")).collect()
}

/// What is compared with prompts: words of authors, not of ours.
const OF_AUTHORS: [&str; 2] = ["full stop", "whoever"];

/// Where a text has a form that is not written.
fn broken<'t>(forms: &[(Regex, &'static str)], texts: impl Iterator<Item = (&'t Path, &'t str)>) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (path, text) in texts.filter(|(_, text)| !OF_AUTHORS.contains(text)) {
        for (form, instead) in forms {
            if let Some(at) = form.find(text) {
                let path = path.strip_prefix(root).unwrap_or(path).display();
                found.push(format!("{path}: `{}` (write: {instead}) in: {text}", at.as_str()));
            }
        }
    }
    found
}

#[test]
fn messages_are_plain_english() {
    let said: BTreeMap<PathBuf, Said> = list_sources()
        .into_iter()
        .map(|path| {
            let said = Said::of(&std::fs::read_to_string(&path).expect("a source"));
            (path, said)
        })
        .collect();
    let literals: usize = said.values().map(|said| said.literals.len()).sum();
    assert!(literals > 5_000, "only {literals} texts were found");
    let forms = forms_of_prose();
    let texts =
        said.iter().flat_map(|(path, said)| said.literals.iter().map(move |text| (path.as_path(), text.as_str())));
    let found = broken(&forms, texts);
    assert!(found.is_empty(), "{} texts are not in plain English:\n{}", found.len(), found.join("\n"));
}

#[test]
fn comments_are_plain_english() {
    let forms = forms();
    let mut left = 0;
    let mut shown = String::new();
    for path in list_sources() {
        let said = Said::of(&std::fs::read_to_string(&path).expect("a source"));
        for line in broken(&forms, said.comments.iter().map(|text| (path.as_path(), text.as_str()))) {
            left += 1;
            if left <= 20 {
                let _ = writeln!(shown, "{line}");
            }
        }
    }
    assert!(left == 0, "{left} doc comments are not in plain English:\n{shown}");
}

#[test]
fn documents_are_plain_english() {
    let mut pages = files("docs", "md");
    pages.extend(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
            .map(|page| Path::new(env!("CARGO_MANIFEST_DIR")).join(page)),
    );
    let mut found = Vec::new();
    for path in &pages {
        let forms = if FROZEN.iter().any(|frozen| path.ends_with(frozen)) { forms() } else { forms_of_prose() };
        let page = std::fs::read_to_string(path).expect("a page");
        let mut fenced = false;
        // What commands print as help is ours, too.
        let is_help = path.ends_with("reference/command-line.md");
        for line in page.lines() {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
            } else if !fenced || is_help {
                // What stands in backticks is code or output.
                let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
                found.extend(broken(&forms, [(path.as_path(), prose.as_str())].into_iter()));
            }
        }
    }
    assert!(found.is_empty(), "{} lines are not in plain English:\n{}", found.len(), found.join("\n"));
}

/// The files that `init` writes are read first of all.
#[test]
fn the_first_suite_is_plain_english() {
    let forms = forms_of_prose();
    for path in files("cli/init", ".pcd") {
        let suite = std::fs::read_to_string(&path).expect("a suite");
        let comments =
            suite.lines().filter_map(|line| line.split_once('#')).map(|(_, comment)| (path.as_path(), comment));
        assert_eq!(broken(&forms, comments), Vec::<String>::new());
    }
}

/// The sentences that were read twice are found, and what replaced them is not.
#[test]
fn sentences_that_were_read_twice_are_found() {
    let forms = forms_of_prose();
    let found = |text: &str| !broken(&forms, std::iter::once((Path::new("x.md"), text))).is_empty();
    for now in [
        "Rows that are there twice count once.",
        "one that stands in the file: never a question about nobody",
        "so many instances of each task",
        "is also read by the answer of B, and not the other way round",
        "nor does a pattern take a known text for another one",
        "So more tokens never tell less.",
        "else it said none though a column was meant",
        "Of several descriptions in one instance, the best counts.",
        "rows of `refunds` are known by it",
        "What became of a suite.",
        "relations as if nobody had cleaned them",
        "asks for columns by names that are almost theirs",
        "More dirt leaves the cells dirty that were dirty before.",
        "draw it, so that it exists",
        "It fails, for it has no rows.",
    ] {
        assert!(found(now), "{now}");
    }
    for better in [
        "Duplicate rows count once.",
        "drawn from the file, so somebody always matches",
        "number of instances per task",
        "A precedes B if B's answer depends on a computed value of A's answer",
        "A larger budget never removes information.",
        "in the other 31 cases it found no column although there was one",
        "With several descriptions, the best share and the total tokens are used.",
        "this key identifies the rows",
        "The result of compiling a suite.",
        "Raising the share only adds dirty cells; values never change.",
        "Offer of the day.",
    ] {
        assert!(!found(better), "{better}");
    }
}

#[test]
fn the_forms_are_found_where_they_are() {
    let source = r##"
        /// What stands here.
        fn said() { error("the file is no text"); help(r#"so many"#) }
        #[cfg(test)]
        mod tests { const X: &str = "behind"; }
        fn after() { "a full stop" }
    "##;
    let said = Said::of(source);
    let path = Path::new("x.rs");
    let literals = broken(&forms(), said.literals.iter().map(|text| (path, text.as_str())));
    assert_eq!(literals.len(), 3, "{literals:?}");
    assert_eq!(said.comments, [" What stands here."]);
}
