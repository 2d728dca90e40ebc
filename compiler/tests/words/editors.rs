//! Lists of words in editors' files: some are written from the table, the others are compared with it.

use std::fs;

use compiler::syntax::words::{self, Class, Head, Word};
use testing::root;

use crate::words::read::{Words, file, is_word, of, quoted, same};
use crate::words::updating;

const BEGIN: &str = "words: generated";
const END: &str = "words: end";

/// Words that begin a block or a declaration.
fn declares(word: &Word) -> bool {
    let heads = [Head::Block, Head::Columns, Head::Equals];
    matches!(word.class, Class::Item | Class::Library | Class::Stored)
        || word.class == Class::Statement && word.head.is_some_and(|head| heads.contains(&head))
}

/// Words that begin any other statement, or a line of a table.
fn states(word: &Word) -> bool {
    matches!(word.class, Class::Statement | Class::Body) && !declares(word)
}

fn class(classes: &'static [Class]) -> impl Fn(&Word) -> bool {
    move |word| classes.contains(&word.class)
}

/// Whether a list takes a word.
type Takes<'t> = &'t dyn Fn(&Word) -> bool;

/// The words of each list, in the order of the table; a word is in the first list that takes it.
fn lists<'n>(named: &[(&'n str, Takes<'_>)]) -> Vec<(&'n str, Vec<&'static str>)> {
    let mut seen = Words::new();
    let mut list = |takes: Takes<'_>| {
        words::iter_words()
            .filter(|word| takes(word))
            .map(|word| word.text)
            .filter(|word| seen.insert(word))
            .collect::<Vec<_>>()
    };
    named.iter().map(|(name, takes)| (*name, list(takes))).collect()
}

/// Lines of at most 120 characters.
fn wrapped(words: &[String], first: &str, next: &str) -> String {
    let mut lines = vec![first.to_owned()];
    for word in words {
        let line = lines.last_mut().expect("a line");
        if line.len() + word.len() >= 120 {
            lines.push(format!("{next}{word}"));
        } else {
            let blank = if line.ends_with([' ', '(', '[']) { "" } else { " " };
            line.push_str(&format!("{blank}{word}"));
        }
    }
    lines.join("\n")
}

fn neovim() -> String {
    // `contains` is an argument of `syntax keyword` itself. `text`, `json`, and `file` are formats first.
    let lists = lists(&[
        ("pcdItem", &declares),
        ("pcdStatement", &states),
        ("pcdFormat", &class(&[Class::Format])),
        ("pcdStatement", &class(&[Class::Subject])),
        ("pcdOperator", &class(&[Class::Prefix, Class::Infix])),
        ("pcdConstant", &class(&[Class::Literal])),
        (
            "pcdWord",
            &class(&[
                Class::Writing,
                Class::Reading,
                Class::Style,
                Class::Modifier,
                Class::Suffix,
                Class::Form,
                Class::Unit,
                Class::Slice,
                Class::Matcher,
                Class::State,
                Class::Option,
                Class::Link,
                Class::Second,
                Class::Filter,
            ]),
        ),
    ]);
    let lines = lists.iter().map(|(name, words)| {
        let words: Vec<&str> = words.iter().copied().filter(|word| *word != "contains").collect();
        format!("syntax keyword {name} {}\n", words.join(" "))
    });
    lines.chain(["syntax match pcdWord /\\<contains\\>/\n".to_owned()]).collect()
}

fn emacs() -> String {
    let lists = lists(&[
        ("pcd--statements", &|word| declares(word) || states(word) || word.class == Class::Format),
        (
            "pcd--words",
            &class(&[
                Class::Modifier,
                Class::Suffix,
                Class::Form,
                Class::Subject,
                Class::Option,
                Class::Link,
                Class::Prefix,
                Class::Infix,
                Class::Filter,
            ]),
        ),
    ]);
    let shown = |(name, words): &(&str, Vec<&str>)| {
        let what =
            if *name == "pcd--words" { "inside of statements" } else { "with which an item or statement begins" };
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        format!("(defconst {name}\n{})\n  \"Words {what}.\")\n", wrapped(&quoted, "  '(", "    "))
    };
    lists.iter().map(shown).collect::<Vec<_>>().join("\n")
}

fn tree_sitter() -> String {
    // Formats, matchers, states, and flags have nodes of their own.
    let valued = |word: &Word| word.snippet != word.text;
    let option = |word: &Word| word.class == Class::Option && valued(word);
    let inside = |word: &Word| {
        let file = matches!(word.class, Class::Writing | Class::Reading | Class::Style) && valued(word);
        file || matches!(word.class, Class::Link | Class::Slice | Class::Filter)
            || word.class == Class::Subject && !words::is_of_class(Class::Format, word.text)
    };
    let branch = |word: &Word| ["if", "then", "else"].contains(&word.text);
    let lists = lists(&[
        ("keyword", &declares),
        ("keyword", &states),
        ("keyword.conditional", &branch),
        ("keyword.operator", &class(&[Class::Prefix, Class::Infix])),
        ("keyword", &inside),
        ("keyword", &class(&[Class::Form, Class::Unit, Class::Argument])),
        ("keyword.modifier", &class(&[Class::Modifier, Class::Suffix, Class::Constraint])),
        ("keyword.modifier", &option),
    ]);
    let shown = |(capture, words): &(&str, Vec<&str>)| {
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{}] @{capture}\n", wrapped(&quoted, "[", " "))
    };
    lists.iter().map(shown).collect()
}

/// Compares what is between the marks of a file with what the table gives; writes it where asked to.
fn generated(path: &str, wanted: &str) {
    let text = file(path);
    let part = || {
        let begin = text.find(BEGIN)?;
        let start = begin + text[begin..].find('\n')? + 1;
        let end = start + text[start..].find(END)?;
        Some((start, text[..end].rfind('\n')? + 1))
    };
    let (start, end) = part().unwrap_or_else(|| panic!("{path} has no lines `{BEGIN}` and `{END}`"));
    if text[start..end] == *wanted {
        return;
    }
    if updating() {
        return fs::write(root().join(path), format!("{}{wanted}{}", &text[..start], &text[end..])).expect("written");
    }
    let (written, wanted) = (names(&text[start..end]), names(wanted));
    same(path, "generated words", &written, &wanted);
    panic!(
        "{path}: its words are in another order or list; UPDATE_DOCS=1 cargo test -p picard-compiler --test it words:: rewrites it"
    );
}

fn names(text: &str) -> Words<'_> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

#[test]
fn generated_lists_are_the_table_s() {
    generated("bindings/editors/neovim/syntax/pcd.vim", &neovim());
    generated("bindings/editors/emacs/pcd-mode.el", &emacs());
    generated("grammar/tree-sitter-pcd/queries/highlights.scm", &tree_sitter());
    // Zed reads queries from its extension's folder.
    for name in ["highlights.scm", "injections.scm"] {
        let copy = root().join("bindings/editors/zed/languages/pcd").join(name);
        let original = file(&format!("grammar/tree-sitter-pcd/queries/{name}"));
        if updating() {
            fs::write(copy, original).expect("written");
        } else {
            let copied = fs::read_to_string(&copy).expect("a query");
            assert!(
                copied == original,
                "{}: UPDATE_DOCS=1 copies it from grammar/tree-sitter-pcd/queries",
                copy.display()
            );
        }
    }
}

/// Alternatives of words in the regular expressions of a text: `a|b`, in Vim's and Emacs's spelling too.
fn alternatives(text: &str) -> Vec<String> {
    let text = text.replace("\\\\|", "|").replace("\\|", "|");
    let runs = text.split(|c: char| !c.is_ascii_lowercase() && c != '_' && c != '|');
    runs.filter(|run| run.contains('|') && run.split('|').all(is_word)).map(str::to_owned).collect()
}

/// Alternatives that are not words of the language, or only in a part of a form.
const FOREIGN: [&str; 7] = [
    "and|or|div|mod",
    "insert|replace",
    "select|with",
    "s|delete",
    "update|drop|create|alter|attach|detach|pragma",
    "reply|line|fenced",
    "one_of|lines",
];

#[test]
fn alternatives_in_regular_expressions_are_classes_of_the_table() {
    let without = |classes: &'static [Class], left_out: &[&str]| -> Words<'static> {
        of(classes).into_iter().filter(|word| !left_out.contains(word)).collect()
    };
    let some = |takes: &dyn Fn(&Word) -> bool| -> Words<'static> {
        words::iter_words().filter(|word| takes(word)).map(|word| word.text).collect()
    };
    let headed = |heads: &'static [Head]| {
        some(&move |word| word.class == Class::Statement && word.head.is_some_and(|head| heads.contains(&head)))
    };
    let numbered = headed(&[Head::Number, Head::List, Head::Text]);
    let named =
        some(&|word| matches!(word.head, Some(Head::Block | Head::Columns | Head::Equals)) && word.text != "axis");
    let blocks = some(&|word| word.head == Some(Head::Block));
    let vs_code = [
        ("settings", without(&[Class::Setting], &["allow"])),
        ("blocks of statements", blocks.iter().copied().filter(|word| *word != "suite").collect()),
        ("formats", of(&[Class::Format])),
        ("links of paths", ["at", "from"].into()),
        ("links of columns and lakes", ["as", "needed"].into()),
        ("options of files", {
            let valued = some(&|word| word.class == Class::Writing && word.snippet != word.text);
            of(&[Class::Reading, Class::Style]).into_iter().chain(valued).chain(["from"]).collect()
        }),
        ("flags of files", some(&|word| word.class == Class::Writing && word.snippet == word.text)),
        ("subjects", of(&[Class::Subject])),
        ("parts of the reply", without(&[Class::Slice], &["last"])),
        ("matchers", of(&[Class::Matcher, Class::State])),
        ("modifiers", of(&[Class::Modifier])),
        ("forms of domains", of(&[Class::Form])),
        ("forms of domains but `one_of`", without(&[Class::Form], &["one_of"])),
        ("units of `lorem`", of(&[Class::Unit])),
        ("what follows a domain", of(&[Class::Suffix, Class::Argument])),
        ("statements with a value", headed(&[Head::Wording, Head::Condition, Head::Subject])),
        ("statements with a count", numbered.union(&of(&[Class::Body])).copied().collect()),
        ("constraints", of(&[Class::Constraint])),
        ("`if`", ["if", "then", "else"].into()),
        ("operators", ["and", "or", "not", "in"].into()),
        ("options of expectations", of(&[Class::Option])),
        ("durations", of(&[Class::Duration])),
        ("constants", of(&[Class::Literal])),
    ];
    compare("bindings/editors/vscode/syntaxes/pcd.tmLanguage.json", &vs_code);
    compare(
        "bindings/editors/neovim/syntax/pcd.vim",
        &[("modifiers", of(&[Class::Modifier])), ("heads with a name", named)],
    );
    let emacs = [
        ("modifiers", of(&[Class::Modifier])),
        ("blocks", blocks),
        ("named types", ["domain", "table"].into()),
        ("constants", of(&[Class::Literal])),
    ];
    compare("bindings/editors/emacs/pcd-mode.el", &emacs);
}

/// Whether each set is in a file as alternatives, and the file has no others. The nearest is rewritten where asked to.
fn compare(path: &str, wanted: &[(&str, Words<'static>)]) {
    let mut text = file(path);
    let groups = |text: &str| -> Vec<String> {
        alternatives(text).into_iter().filter(|group| !FOREIGN.contains(&group.as_str())).collect()
    };
    for (what, words) in wanted {
        let written = groups(&text);
        if written.iter().any(|group| group.split('|').collect::<Words>() == *words) {
            continue;
        }
        let shared = |group: &&String| group.split('|').filter(|word| words.contains(word)).count();
        let nearest = written.iter().max_by_key(shared).expect("alternatives");
        if !updating() {
            same(path, what, &nearest.split('|').collect(), words);
        }
        let kept: Vec<&str> = nearest.split('|').filter(|word| words.contains(word)).collect();
        let new = words.iter().copied().filter(|word| !kept.contains(word));
        let all: Vec<&str> = kept.iter().copied().chain(new).collect();
        for sign in ["|", "\\|", "\\\\|"] {
            text = text.replace(&nearest.replace('|', sign), &all.join(sign));
        }
        fs::write(root().join(path), &text).expect("written");
    }
    let written = groups(&text);
    let written: Vec<Words> = written.iter().map(|group| group.split('|').collect()).collect();
    for group in &written {
        assert!(wanted.iter().any(|(_, words)| words == group), "{path}: {group:?} is not a class of the table");
    }
}

#[test]
fn the_tree_sitter_grammar_has_the_words_of_the_table() {
    let path = "grammar/tree-sitter-pcd/grammar.js";
    let grammar = file(path).replace('"', " ").replace('\'', "\"");
    let rules = grammar.split("rules: {").nth(1).expect("rules");
    // Names of fields are quoted too.
    let rules: String = rules
        .split("field(\"")
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('"').expect("a name").1 })
        .collect();
    let written: Words = quoted(&rules).collect();
    let by_name = [
        Class::Constructor,
        Class::Setting,
        Class::Ignored,
        Class::Name,
        Class::Duration,
        Class::Planned,
        Class::PlannedOption,
    ];
    let wanted: Words =
        words::iter_words().filter(|word| !by_name.contains(&word.class)).map(|word| word.text).collect();
    same(path, "all words", &written, &wanted);
}
