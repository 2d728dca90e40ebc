//! The product speaks plain English: forms that readers stumble over appear neither in what it says (messages, help, labels) nor in its documents.
//! CONTRIBUTING ("Words") has the rules; the forms are listed here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use regex::Regex;

/// What is not written, in letters of either case, and what is written instead.
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

/// The same outside the standard library, whose editions are frozen: a relative clause or a negation where English has a noun or an adjective.
const READ: [(&str, &str); 29] = [
    (r"\b(is|are) there twice\b", "duplicate rows, appears twice"),
    (r"\b(what|that|which) (is|are) there\b", "the noun, such as the content"),
    (r"\b(digests?|list|much|parts?|share|true) of what\b", "the noun"),
    (r"\bso that\b", ", so …; : then …"),
    (r"(^|[.:] )(?-i:Of) (a|all|each|many|merged|several|the|two|what)\b", "With …, In …, For …"),
    (r", for (it|they) ", "because"),
    (r"\bif nobody\b|\babout nobody\b", "as by an agent that ignores …"),
    (r"\b(is|are) known by\b", "identifies"),
    (r"\bnot the other way round\b", "A depends on B, and B does not depend on A"),
    (r"\b([Ww]hat|which) (became|becomes) of\b", "the result of"),
    (r"\btak(e|es|en) (a known text|the other value) for\b", "reads as, accepts"),
    (r"\bnever tells? less\b|\belse it said none\b", "the fact itself"),
    (r"\b(dirty|there|right|wrong) that (was|were) (dirty|there|right|wrong) before\b", "values never change"),
    (r"\b(that|than) (can|could) be run\b|\bthat (is|are) almost\b", "feasible, inexact"),
    (r"\bon the \w+ that (has|needs|reads|uses) it\b", "that machine"),
    (r"\bone never[,;.]", "an idle agent never is"),
    (r"\b(files?|lakes?|pages?|tables?) (has|have) the answer\b", "the answer can be recovered from"),
    (r"\bas \w+ (leaves?|left) them\b", "an adjective, such as messy"),
    (r"\bnever from\b", "from … only"),
    (r"\bfrom the \w+ that (is|are) (drawn|generated|read|written)\b", "the generated rows"),
    (r"\bfrom \w+ that are written\b", "columns that a file has"),
    (r"\bno difference shown\b|(\b(?-i:[A-Z])|\}) less ((?-i:[A-Z])\b|\{)", "no significant difference; B is above A"),
    (r"\bwhat an? \w+ \w+s (is|are)\b", "the noun, such as the refusals of a kernel"),
    (r"\bif nothing is \w+ in\b", "if no draw affects"),
    (r"\ball the same\b", "still, anyway"),
    (r"\blead(s|ing)? to at most\b", "selects at most one value"),
    (
        r"\bat a time is\b|\b(is|are) taken for\b|\btaken for (a|an|the|values)\b|\bthat (is|are) left (is|are|a|an|the)\b",
        "exactly one; matches, reads as; remaining",
    ),
    (
        r"\b(other|the same) \w+ (is|are) (itself|themselves)\b|\bas (few|little|many|much) as lets?\b|\bone [a-z]+ or more\b",
        "literally; as little as possible; one or more",
    ),
    (
        r"\b(but|except|only): (how|what|when|where|which|who|why)\b|\bwhat the system says\b",
        "the noun, such as the error of the system",
    ),
];

fn compiled(forms: &[(&str, &'static str)]) -> Vec<(Regex, &'static str)> {
    forms
        .iter()
        .map(|(form, instead)| (Regex::new(&format!("(?i){form}")).expect("a form is a regular expression"), *instead))
        .collect()
}

fn forms() -> Vec<(Regex, &'static str)> {
    compiled(&FORMS)
}

/// The forms that are not written outside the standard library.
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

/// What is compared with prompts, as a text or in a list of such: words of authors, not of ours.
const OF_AUTHORS: [&str; 10] = [
    "full stop",
    "whoever",
    "behind",
    "beside",
    "stand",
    "stands",
    "stand for",
    "stands for",
    "in capitals",
    "late delayed overdue tardy behind",
];

/// Where a text has a form that is not written.
fn broken<'t>(forms: &[(Regex, &'static str)], texts: impl Iterator<Item = (&'t Path, &'t str)>) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let is_of_authors = |text: &str| text.split(", ").any(|item| OF_AUTHORS.contains(&item));
    for (path, text) in texts.filter(|(_, text)| !is_of_authors(text)) {
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
    let forms = forms_of_prose();
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
        // What commands print as help is ours, too.
        let fences = if path.ends_with("reference/command-line.md") { Fences::Read } else { Fences::LeftOut };
        let paragraphs = list_paragraphs(&page, fences);
        found.extend(broken(&forms, paragraphs.iter().map(|text| (path.as_path(), text.as_str()))));
    }
    assert!(found.is_empty(), "{} paragraphs are not in plain English:\n{}", found.len(), found.join("\n"));
}

/// Whether blocks between fences are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fences {
    Read,
    LeftOut,
}

/// The paragraphs, headings, items, and rows of a page, each on one line: a sentence that is broken into lines is one sentence. Code is left out.
fn list_paragraphs(page: &str, fences: Fences) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut is_fenced = false;
    for line in page.lines().map(str::trim) {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        if is_fence || is_fenced && fences == Fences::LeftOut {
            paragraphs.push(String::new());
            continue;
        }
        let is_item = line.starts_with(['-', '*', '|', '#', '>']) || line.starts_with(|c: char| c.is_ascii_digit());
        if line.is_empty() || is_item {
            paragraphs.push(String::new());
        }
        let last = paragraphs.last_mut().expect("a paragraph");
        last.push_str(if last.is_empty() { "" } else { " " });
        last.push_str(line);
    }
    // What is in backticks is code or output.
    let without_code = |text: String| text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    paragraphs.into_iter().filter(|text| !text.is_empty()).map(without_code).collect()
}

/// The files that `init` writes are read first of all.
#[test]
fn the_first_suite_is_plain_english() {
    let forms = forms_of_prose();
    for path in files("cli/init", ".pcd") {
        let suite = std::fs::read_to_string(&path).expect("a suite");
        // Comments, titles, and prompts are read; other code has no words that these forms are about.
        assert_eq!(broken(&forms, suite.lines().map(|line| (path.as_path(), line))), Vec::<String>::new());
    }
}

/// Sentences that readers of the third look read twice, each with what replaced it.
const REPLACED: &[(&str, &str)] = &[
    ("Rows that are there twice count once.", "Duplicate rows count once."),
    (
        "Without Rust on the machine that uses it, install the wheels that `./dist wheels` builds.",
        "If that machine has no Rust, build the wheels elsewhere with `./dist wheels` and install them there.",
    ),
    ("a perfect agent always passes, an idle one never.", "a perfect agent always passes, an idle agent never does."),
    ("check that dirty files have the answer", "check that the answer can be recovered from the dirty files"),
    ("a lake of files as offices leave them", "a lake of messy office files"),
    ("asks for columns by names that are almost theirs", "asks for columns by inexact names"),
    ("so many instances of each task", "number of instances per task"),
    ("So many fields with a blank too many.", "The share of fields with an extra blank."),
    ("one that stands in the file: never a question about nobody", "drawn from the file, so somebody always matches"),
    ("a question about nobody", "a question that nobody matches"),
    (
        "The answer comes from the rows that are written, never from you.",
        "The answer is computed from the generated rows.",
    ),
    ("The answer is computed by us, never from you.", "The answer is computed from the generated rows."),
    ("no difference shown: 5.6 points", "No significant difference: B is 5.6 points above A"),
    ("B less A is 5.6 points", "B is 5.6 points above A"),
    ("{b} less {a} is {points}", "{b} is {points} above {a}"),
    ("what a statement needs is generated before it", "Statements are evaluated in dependency order."),
    (
        "A task is *static* if nothing is drawn in its files and lakes, its prompt, and its answer.",
        "A task is static if no draw affects its files, prompt, or answer.",
    ),
    (
        "A change that the tolerance covers has to be made all the same.",
        "If a required change is smaller than the tolerance, selftest fails: an agent that rounds differently might not change anything.",
    ),
    ("It leads to at most one place.", "It must select at most one value."),
    (
        "is also read by the answer of B, and not the other way round",
        "A precedes B if B's answer depends on a computed value of A's answer and A's does not depend on one of B's.",
    ),
    (
        "More dirt leaves the cells dirty that were dirty before.",
        "Raising the share only adds dirty cells; values never change.",
    ),
    ("One kind of dirt at a time is left.", "Each trap ignores exactly one kind of dirt."),
    ("nor does a pattern take a known text for another one", "A pattern reads each known text as itself only."),
    (
        "A blank is one blank or more, and other text stays.",
        "A space matches one or more spaces; other text matches literally.",
    ),
    ("other text is itself", "other text matches literally"),
    ("a text as little as lets the rest fit", "text fields match as little as possible"),
    ("So more tokens never tell less.", "A larger budget never removes information."),
    ("else it said none though a column was meant", "in the other 31 cases it found no column although there was one"),
    (
        "Of several descriptions in one instance, the best share and the sum of the tokens count.",
        "With several descriptions, the best share and the total tokens are used.",
    ),
    ("rows of `refunds` are known by it", "this key identifies the rows"),
    ("What became of a suite.", "The result of compiling a suite."),
    ("Of a hundred rows, how many are listed again.", "Percentage of rows that are written twice."),
    ("How many rows are there twice.", "Percentage of rows that are written twice."),
    ("There is one, but: what the system says.", "The file exists but cannot be read; contains the OS error."),
    ("It cannot be read; what the system says.", "The file exists but cannot be read; contains the OS error."),
    (
        "which row of the goal, or of the start, a row is taken for",
        "Matches each remaining row to a row of the goal or of the start.",
    ),
    ("a row that is left is one of the goal", "Matches each remaining row to a row of the goal or of the start."),
    (
        "Relations as if nobody had cleaned one kind of dirt.",
        "Relations as read by an agent that ignores one kind of dirt.",
    ),
    ("draw it, so that it exists", "draw it: it then exists"),
    ("It fails, for it has no rows.", "It fails because it has no rows."),
    ("missing marks taken for values", "marks for missing values read as values"),
    ("compute the answer from columns that are written", "compute the answer from columns that a file has"),
    ("Whoever reads the file must know it.", "The reader of the file must know it."),
];

#[test]
fn sentences_that_were_read_twice_are_found() {
    let forms = forms_of_prose();
    let find = |text: &str| broken(&forms, std::iter::once((Path::new("x.md"), text)));
    for (now, better) in REPLACED {
        // Sentences begin with a capital, and follow others.
        let mut capital = (*now).to_owned();
        capital.get_mut(..1).expect("a letter").make_ascii_uppercase();
        for now in [now, capital.as_str()] {
            assert!(!find(now).is_empty(), "{now}");
        }
        assert_eq!(find(better), [] as [String; 0]);
    }
    for plain in ["Offer of the day.", "of a float", "Visible: of the tables that the query reads, the share"] {
        assert_eq!(find(plain), [] as [String; 0]);
    }
}

/// A sentence in two lines of a page is one sentence, also in an item of a list; rows, items, and code are apart.
#[test]
fn sentences_that_are_broken_into_lines_are_found() {
    let page = "It counts so\nmany rows.\n\n- one so\n- many\n  all the\n  same\n\n```text\nso many\n```\n\nSee `so many\nrows` of it.\n";
    let paragraphs = list_paragraphs(page, Fences::LeftOut);
    let found = broken(&forms_of_prose(), paragraphs.iter().map(|text| (Path::new("x.md"), text.as_str())));
    assert_eq!(found.len(), 2, "{found:#?}");
    let paragraphs = list_paragraphs(page, Fences::Read);
    let found = broken(&forms_of_prose(), paragraphs.iter().map(|text| (Path::new("x.md"), text.as_str())));
    assert_eq!(found.len(), 3, "{found:#?}");
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
