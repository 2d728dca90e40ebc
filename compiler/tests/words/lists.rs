//! Lists of words in the two grammars and on pages: compared with the table, and written from it where asked to.

use std::fs;

use compiler::syntax::words::{self, Class, Word};
use model::suite::Matcher;
use model::suite::matchers::Ignores;
use model::text_style::TextStyle;
use regex::{Captures, Regex};
use testing::root;

use crate::words::read::{Words, file, has_word, of, same};
use crate::words::updating;

/// How the words of a list are spelled: what is around each, and what is between two of them.
#[derive(Clone, Copy)]
struct Spelling {
    before: &'static str,
    after: &'static str,
    between: &'static str,
}

const fn spelling(before: &'static str, after: &'static str, between: &'static str) -> Spelling {
    Spelling { before, after, between }
}

/// Alternatives of a rule of pest: `"a" | "b"`, and those of rules of keywords: `k_a | k_b`.
const PEST: Spelling = spelling("\"", "\"", " | ");
const KEYWORDS: Spelling = spelling("k_", "", " | ");
/// Alternatives of a rule of tree-sitter.
const TREE_SITTER: Spelling = spelling("'", "'", ", ");
/// In a sentence or in a cell of a table; before the last word may be more than a comma.
const PROSE: Spelling = spelling("`", "`", ", ");
const BARE: Spelling = spelling("", "", " ");

impl Spelling {
    fn spell(self, word: &str) -> String {
        format!("{}{word}{}", self.before, self.after)
    }

    /// The list that shares a word with `wanted` and is the first one of a text: where it begins, and its text.
    fn find<'t>(self, text: &'t str, wanted: &Words) -> Option<(usize, &'t str)> {
        let word = format!("{}[a-z0-9_]+{}", self.before, self.after);
        let between = match self.between.trim() {
            "" => " ".to_owned(),
            sign => format!(r"\s*{}\s+(?:(?:or|and) )?", regex::escape(sign)),
        };
        let list = Regex::new(&format!("{word}(?:{between}{word})*")).expect("a regular expression");
        let mut lists = list.find_iter(text).map(|found| (found.start(), found.as_str()));
        lists.find(|(_, list)| self.list_words(list).iter().any(|word| wanted.contains(word)))
    }

    fn list_words(self, list: &str) -> Vec<&str> {
        let words = list
            .split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '_')
            .filter(|word| !word.is_empty());
        let own = |word| if self.before == "k_" { str::strip_prefix(word, "k_") } else { Some(word) };
        words.filter_map(own).filter(|word| self.between != ", " || !["or", "and"].contains(word)).collect()
    }

    /// The list without words that are not wanted, and with those that it lacks: last, or before a word with which they begin.
    fn edit(self, list: &str, wanted: &Words) -> String {
        let mut list = list.to_owned();
        let written: Vec<String> = self.list_words(&list).into_iter().map(str::to_owned).collect();
        for word in written.iter().filter(|word| !wanted.contains(word.as_str())) {
            let spelled = self.spell(word);
            list = match list.strip_prefix(&format!("{spelled}{}", self.between)) {
                Some(rest) => rest.to_owned(),
                None => list.replacen(&format!("{}{spelled}", self.between), "", 1),
            };
        }
        for word in wanted.iter().filter(|word| written.iter().all(|known| known != *word)) {
            let new = self.spell(word);
            let longer =
                written.iter().find(|known| word.starts_with(known.as_str()) && wanted.contains(known.as_str()));
            // `a, or b` gets its new word before the comma.
            let last = list.rfind([", or ", ", and "].into_iter().find(|sign| list.contains(sign)).unwrap_or("\0"));
            match (longer, last) {
                (Some(known), _) => {
                    let known = self.spell(known);
                    list = list.replacen(&known, &format!("{new}{}{known}", self.between), 1);
                }
                (None, Some(at)) => list.insert_str(at, &format!("{}{new}", self.between)),
                (None, None) => list.push_str(&format!("{}{new}", self.between)),
            }
        }
        list
    }
}

/// A list: its file, the text after which it is, how it is spelled, and its words.
type List = (&'static str, &'static str, Spelling, Words<'static>);

fn without(words: Words<'static>, left_out: &str) -> Words<'static> {
    words.into_iter().filter(|word| *word != left_out).collect()
}

fn flags(class: Class) -> Words<'static> {
    words::iter_class(class).filter(|word| word.snippet == word.text).map(|word| word.text).collect()
}

fn matchers(takes: impl Fn(&Matcher) -> bool) -> Words<'static> {
    Matcher::ALL.iter().filter(|matcher| takes(matcher)).map(|matcher| matcher.word()).collect()
}

fn library_domains() -> impl Iterator<Item = &'static str> {
    let library = include_str!("../../../stdlib/1/domains.pcd");
    library.lines().filter_map(|line| line.strip_prefix("domain ")?.split(' ').next())
}

/// Words that begin a statement, an item, or a line of a table.
fn heads() -> Words<'static> {
    let heads = |word: &&Word| word.class == Class::Body || word.head.is_some() && word.class != Class::Format;
    words::iter_words().filter(heads).map(|word| word.text).chain(["format"]).collect()
}

fn lists() -> Vec<List> {
    let (pest, tree_sitter, readme) = ("grammar/pcd.pest", "grammar/tree-sitter-pcd/grammar.js", "grammar/README.md");
    let expect = "docs/src/language/expect.md";
    let styles: Words = TextStyle::ALL.iter().map(|style| style.word()).collect();
    let reserved: Words = words::iter_reserved().collect();
    vec![
        (pest, "\nsetting_word ", PEST, of(&[Class::Setting])),
        (pest, "\nconstraint_word ", PEST, of(&[Class::Constraint])),
        (pest, "\nstyle ", KEYWORDS, styles.clone()),
        (pest, "\nmodifier ", PEST, of(&[Class::Modifier])),
        (pest, "\nsuffix ", KEYWORDS, of(&[Class::Suffix])),
        (pest, "\nlorem_unit ", PEST, of(&[Class::Unit])),
        (pest, "\ndomain_word ", PEST, of(&[Class::Form, Class::Modifier])),
        (pest, "\nkeyword ", PEST, of(&[Class::Argument])),
        (pest, "\nstate ", PEST, of(&[Class::State])),
        (pest, "\nmatcher_word ", PEST, without(of(&[Class::Matcher]), "sql")),
        (pest, "\nflag ", KEYWORDS, flags(Class::Option)),
        (pest, "\nconstant_word ", PEST, of(&[Class::Literal])),
        (pest, "\nunit ", PEST, of(&[Class::Duration])),
        (pest, "\nreserved ", PEST, reserved.clone()),
        (pest, "\nk_format ", PEST, of(&[Class::Format])),
        (pest, "\nhead_word ", KEYWORDS, heads()),
        (tree_sitter, "\n    format: ", TREE_SITTER, without(of(&[Class::Format]), "xml")),
        (tree_sitter, "\n    file_flag: ", TREE_SITTER, flags(Class::Writing)),
        (tree_sitter, "\n    constraint: ", TREE_SITTER, of(&[Class::Constraint])),
        (tree_sitter, "\n    style: ", TREE_SITTER, styles.clone()),
        (tree_sitter, "\n    changed_domain: ", TREE_SITTER, of(&[Class::Modifier])),
        (tree_sitter, "\n    suffix: ", TREE_SITTER, of(&[Class::Suffix])),
        (tree_sitter, "\n    lorem: ", TREE_SITTER, of(&[Class::Unit])),
        (tree_sitter, "\n    keyword_argument: ", TREE_SITTER, of(&[Class::Argument])),
        (tree_sitter, "\n    _match: ", TREE_SITTER, of(&[Class::State])),
        (tree_sitter, "\n    matcher: ", TREE_SITTER, without(of(&[Class::Matcher]), "sql")),
        (tree_sitter, "\n    flag: ", TREE_SITTER, flags(Class::Option)),
        (readme, "reserved everywhere: `", BARE, reserved.clone()),
        (readme, "; a WORD is ", PROSE, of(&[Class::Argument])),
        (readme, "\nFORMAT is ", PROSE, of(&[Class::Format])),
        (readme, "\nMATCH is ", PROSE, without(of(&[Class::Matcher]), "sql")),
        (readme, "\nMATCH is ", PROSE, of(&[Class::State])),
        (readme, "or a word for texts and a SHARE: ", PROSE, styles.clone()),
        ("docs/src/language/lexical.md", "columns and keys of objects:\n\n```text\n", BARE, reserved),
        (
            "docs/src/codes/E0204.md",
            "\nDomains with arguments: ",
            PROSE,
            words::iter_domains().map(|word| word.text).collect(),
        ),
        ("docs/src/codes/E0204.md", "\nDomains of the standard library: ", PROSE, library_domains().collect()),
        ("docs/src/reference/bundle.md", "\n| `match` | ", PROSE, matchers(|_| true)),
        (expect, "\n| `ignore case", PROSE, matchers(|one| one.record().ignores == Ignores::Differences)),
        (expect, "\n| `ordered`, ", PROSE, matchers(|one| one.record().ordered.is_some())),
        (expect, "\n| `trap ", PROSE, matchers(|one| one.record().has_traps())),
    ]
}

/// Compares every list with the table, and writes it where asked to.
pub fn check_lists() {
    for (path, after, spelling, wanted) in lists() {
        let text = file(path);
        let from = text.find(after).unwrap_or_else(|| panic!("{path}: no {after:?}")) + after.len();
        let (at, list) =
            spelling.find(&text[from..], &wanted).unwrap_or_else(|| panic!("{path}: no list after {after:?}"));
        if updating() {
            let (start, end) = (from + at, from + at + list.len());
            let new = format!("{}{}{}", &text[..start], spelling.edit(list, &wanted), &text[end..]);
            if new != text {
                fs::write(root().join(path), new).expect("written");
            }
        } else {
            same(path, after.trim(), &spelling.list_words(list).into_iter().collect(), &wanted);
        }
    }
    if updating() {
        draft_statements();
    }
}

/// Writes the line of a statement from its form and what editors say of it.
pub type WriteLine = fn(&str, &str) -> String;

/// Pages with a line for each statement: what begins the line before which a draft is added, and how it is written.
pub const STATEMENTS: [(&str, &str, WriteLine); 2] = [
    ("grammar/README.md", "\nallow LINT", |form, _| format!("\n{form}")),
    ("docs/src/language/tasks.md", "\n| `tags ", |form, doc| {
        format!("\n| `{form}` | {} |", doc.trim_end_matches('.').to_lowercase())
    }),
];

/// Adds drafts of the statements that a page lacks.
fn draft_statements() {
    let value = Regex::new(r#"("?)\$\{\d:[^}]*\}"?"#).expect("a regular expression");
    let form = |found: &Captures<'_>| if found[1].is_empty() { "EXPR" } else { "STRING" };
    for (path, before, line) in STATEMENTS {
        let text = file(path);
        let missing = words::iter_class(Class::Statement).filter(|word| !has_word(&text, word.text));
        let lines: String = missing.map(|word| line(&value.replace_all(word.snippet, form), word.doc)).collect();
        let new = text.replacen(before, &format!("{lines}{before}"), 1);
        fs::write(root().join(path), new).expect("written");
    }
}

/// Adds the rules of keywords to the grammar where asked to: one for each word that no rule has.
pub fn write_keyword_rules(path: &str, missing: &Words) {
    const LAST: &str = "k_in = @{ \"in\" ~ !idc }\n";
    let rules: String = missing.iter().map(|word| format!("k_{word} = @{{ \"{word}\" ~ !idc }}\n")).collect();
    fs::write(root().join(path), file(path).replacen(LAST, &format!("{LAST}{rules}"), 1)).expect("written");
}

#[test]
fn a_list_is_edited_in_place() {
    let edit = |spelling: Spelling, list: &str, wanted: &[&str]| spelling.edit(list, &wanted.iter().copied().collect());
    assert_eq!(edit(PEST, "\"a\" | \"b\"", &["a", "b"]), "\"a\" | \"b\"");
    assert_eq!(edit(PEST, "\"json\" | \"xml\"", &["json", "jsonl", "xml"]), "\"jsonl\" | \"json\" | \"xml\"");
    assert_eq!(edit(KEYWORDS, "k_a\n  | k_b", &["a", "b", "c"]), "k_a\n  | k_b | k_c");
    assert_eq!(edit(TREE_SITTER, "'a', 'b', 'c'", &["a", "c", "d"]), "'a', 'c', 'd'");
    assert_eq!(edit(PROSE, "`a`, `b`, or `c`", &["a", "b", "c", "d"]), "`a`, `b`, `d`, or `c`");
    assert_eq!(edit(BARE, "a b", &["b", "c"]), "b c");
    let wanted = ["exists"].into_iter().collect();
    assert_eq!(TREE_SITTER.find("alias('state', choice('exists', 'gone'))", &wanted), Some((22, "'exists', 'gone'")));
}
