//! The table of words against everything that has a word of its own: the grammar, enums, editors' files, and the manual.
//!
//! `UPDATE_DOCS=1 cargo test -p picard-compiler --test it words::` writes the lists anew: those of editors, which are between `words: generated` and
//! `words: end`, alternatives in regular expressions, and what `lists` names of the two grammars and of pages, with drafts of statements.

mod editors;
mod lists;
mod read;

use compiler::ast::{ConstraintKind, Format, Modifier, SuffixKind};
use compiler::syntax::words::{self, Class};
use model::domain::LoremUnit;
use model::suite::{Ignore, Matcher, Op};
use read::{Words, file, has_word, of, same};

fn updating() -> bool {
    testing::is_switched_on("UPDATE_DOCS")
}

#[test]
fn every_member_of_an_enum_has_a_row() {
    let class = |classes: &[Class]| of(classes);
    let members: [(&[Class], Vec<&'static str>); 8] = [
        (&[Class::Format], Format::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Modifier], Modifier::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Suffix], SuffixKind::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Constraint], ConstraintKind::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Unit], LoremUnit::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Matcher, Class::State], Matcher::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Ignored], Ignore::ALL.iter().map(|member| member.word()).collect()),
        (&[Class::Prefix, Class::Infix], {
            let spelled = Op::ALL.iter().flat_map(|op| op.word().split(' '));
            let words = spelled.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
            words.chain(["if", "then", "else"]).collect()
        }),
    ];
    for (classes, members) in members {
        same("the table of words", &format!("{classes:?}"), &class(classes), &members.into_iter().collect());
    }
}

#[test]
fn no_word_is_twice_in_a_class() {
    for word in words::iter_words() {
        let same = words::iter_class(word.class).filter(|other| other.label == word.label).count();
        assert_eq!(same, 1, "`{}` is twice among {:?}", word.label, word.class);
        assert!(!word.text.is_empty() && word.label.starts_with(word.text), "{word:?}");
    }
}

/// Words that are not in the grammar: names whose meaning is the checker's.
const BY_NAME: [Class; 3] = [Class::Constructor, Class::Ignored, Class::Name];

#[test]
fn the_grammar_has_the_words_of_the_table() {
    lists::check_lists();
    // Quotes in quotes would open others.
    let grammar = file("grammar/pcd.pest").replace("\\\"", "'");
    let rules = read::rules(&grammar);
    let written: Words = rules.values().flat_map(|rule| read::quoted(rule)).collect();
    let table: Words =
        words::iter_words().filter(|word| !BY_NAME.contains(&word.class)).map(|word| word.text).collect();
    let missing: Words = table.difference(&written).copied().collect();
    if updating() && !missing.is_empty() {
        lists::write_keyword_rules("grammar/pcd.pest", &missing);
        panic!("grammar/pcd.pest: the rules of {missing:?} are at the end of the keywords now, and no rule takes them");
    }
    same("grammar/pcd.pest", "all words", &written, &table);
    for (name, rule) in &rules {
        if let Some(word) = name.strip_prefix("k_").filter(|word| *word != "format") {
            assert!(rule.contains(&format!("\"{word}\"")), "grammar/pcd.pest: the rule `{name}` is not for `{word}`");
        }
    }
}

#[test]
fn the_pages_for_people_name_every_word() {
    let grammar = file("grammar/README.md");
    let manual = read::manual();
    let code = read::code(&manual);
    for word in words::iter_words().filter(|word| !matches!(word.class, Class::Library | Class::PlannedOption)) {
        let plural = format!("{}s", word.text);
        let duration = word.class == Class::Duration;
        assert!(
            has_word(&code, word.text) || duration && has_word(&manual, &plural),
            "docs/src does not show `{}` ({:?}) in code",
            word.text,
            word.class
        );
        let people = BY_NAME.contains(&word.class)
            || matches!(word.class, Class::Setting | Class::Duration | Class::PlannedOption);
        for (path, ..) in lists::STATEMENTS {
            assert!(word.class != Class::Statement || has_word(&file(path), word.text), "{path} lacks `{}`", word.text);
        }
        assert!(people || has_word(&grammar, word.text), "grammar/README.md lacks `{}` ({:?})", word.text, word.class);
    }
}
