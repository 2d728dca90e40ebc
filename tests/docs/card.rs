//! The language card: short enough for a prompt, and complete by the tables of the compiler.

use std::collections::BTreeSet;
use std::fs;

use analysis::selftest::Selftest;
use analysis::{Analysis, RunOptions};
use api::{Memory, Options, Suite};
use compiler::ast::ItemKind;
use compiler::parse::parse_library;
use compiler::syntax::words::{self, Class, Word};
use model::SourceId;
use regex::Regex;
use testing::root;

use super::blocks::blocks;

/// Where it is.
pub const PAGE: &str = "docs/language-card.md";

/// The beginning of its paragraph of functions.
const FUNCTIONS: &str = "Functions. ";

/// The most tokens that it may have.
pub const TOKENS: usize = 6_000;

/// Domains that only other domains and tables of the library are made of.
const PARTS: &[&str] = &[
    "mail_first",
    "mail_last",
    "mail_host",
    "place_line",
    "country_line",
    "language_line",
    "currency_line",
    "job_line",
    "item_line",
];

/// The page.
pub fn text() -> String {
    fs::read_to_string(root().join(PAGE)).expect("the card")
}

/// The part of the card that lists the domains of the library.
fn domain_list(text: &str) -> &str {
    let listed = paragraph(text, "Library domains, used by name:");
    let end = listed.find("`. `").map_or(listed.len(), |at| at + 1);
    &listed[..end]
}

/// The domains of the library that authors use by name.
fn library_domains() -> BTreeSet<String> {
    names("domains.pcd").into_iter().filter(|name| !PARTS.contains(&name.as_str())).collect()
}

/// Writes what the card lacks: domains and functions behind the others, and words among those that only the manual explains. Then it may be moved.
pub fn write_missing() {
    let text = text();
    let (domains, functions) = (domain_list(&text), paragraph(&text, FUNCTIONS));
    let manual = paragraph(&text, "Not on this card, but in the manual:").trim_end().trim_end_matches('.');
    let missing_words: BTreeSet<String> = missing_words(&text).map(|word| word.text.to_owned()).collect();
    let written = [
        (domains, "", &library_domains() - &leading(domains)),
        (functions, "", &names("functions.pcd") - &listed_functions(&text)),
        (manual, ",", missing_words),
    ];
    let written = written.iter().fold(text.clone(), |text, (list, comma, new)| {
        let new: String = new.iter().map(|name| format!("{comma} `{name}`")).collect();
        text.replacen(list, &format!("{list}{new}"), 1)
    });
    if written != text {
        fs::write(root().join(PAGE), written).expect("written");
    }
}

/// What the card lacks, and what it has that the language does not.
pub fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut compare = |what: &str, card: BTreeSet<String>, table: BTreeSet<String>| {
        let missing = table.difference(&card).map(|name| format!("{what} `{name}` is not on the card"));
        faults.extend(missing);
        faults.extend(
            card.difference(&table).map(|name| format!("the card has a {what} `{name}`, which does not exist")),
        );
    };
    compare("function", listed_functions(text), names("functions.pcd"));

    compare("domain", leading(domain_list(text)), library_domains());

    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let matchers = rows.flat_map(|line| leading(line.split(" | ").next().unwrap_or_default())).collect();
    let known =
        words::iter_class(Class::Matcher).chain(words::iter_class(Class::State)).map(|word| word.text.to_owned());
    compare("matcher", matchers, known.collect());

    faults.extend(missing_words(text).map(|word| format!("{:?} `{}` is not on the card", word.class, word.text)));
    faults
}

/// Words that are nowhere on the card.
fn missing_words(text: &str) -> impl Iterator<Item = &'static Word> {
    let written: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let classes = [
        Class::Item,
        Class::Setting,
        Class::Statement,
        Class::Format,
        Class::Writing,
        Class::Style,
        Class::Body,
        Class::Stored,
        Class::Constraint,
        Class::Modifier,
        Class::Suffix,
        Class::Constructor,
        Class::Form,
        Class::Unit,
        Class::Subject,
        Class::Slice,
        Class::Option,
        Class::Ignored,
        Class::Prefix,
        Class::Infix,
        Class::Filter,
        Class::Literal,
    ];
    let words = classes.into_iter().flat_map(words::iter_class);
    words.filter(|word| !written.contains(word.text)).collect::<Vec<_>>().into_iter()
}

/// The functions on the card: those of YAML are named after those of JSON.
fn listed_functions(text: &str) -> BTreeSet<String> {
    let mut listed = leading(paragraph(text, FUNCTIONS));
    listed.remove("yaml_");
    let yaml: Vec<String> =
        listed.iter().filter_map(|name| Some(format!("yaml_{}", name.strip_prefix("json_")?))).collect();
    let declared = names("functions.pcd");
    listed.extend(yaml.into_iter().filter(|name| declared.contains(name)));
    listed
}

/// Whole suites of the card.
pub fn suites(text: &str) -> Vec<String> {
    let whole = blocks(text).into_iter().filter(|block| block.words == ["pcd"]);
    whole.map(|block| block.text).collect()
}

/// What is weak or unsound about a suite: an example is imitated.
pub fn weak(source: &str) -> Vec<String> {
    let suite = Suite::compile("card.pcd", &Memory::new([("card.pcd", source)]));
    let made =
        |samples| suite.select_instances(Options { samples: Some(samples), ..Options::new("1") }).expect("it compiles");
    let analysis = Analysis::from_generator(made(200).generator(), RunOptions::ALONE).expect("it builds");
    let tried = Selftest::from_instances(&made(20), RunOptions::ALONE).expect("it builds");
    let weak = (!analysis.is_good()).then(|| analysis.render_table("1"));
    weak.into_iter().chain((!tried.is_sound()).then(|| tried.render_table("1"))).collect()
}

/// The paragraph that begins with these words.
fn paragraph<'t>(text: &'t str, start: &str) -> &'t str {
    let from = text.find(start).unwrap_or_else(|| panic!("no paragraph begins with {start:?}"));
    let rest = &text[from..];
    rest.split("\n\n").next().unwrap_or(rest)
}

/// The names that spans of code begin with.
fn leading(text: &str) -> BTreeSet<String> {
    let span = Regex::new(r"`(?:<<)?([a-z][a-z0-9_]*)[^`]*`").expect("a regular expression");
    span.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

/// The names that a file of the library declares.
fn names(file: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("stdlib/1").join(file)).expect("the library");
    let (parsed, _) = parse_library(&text, SourceId(0));
    let name = |kind: &ItemKind| match kind {
        ItemKind::Function(def) => Some(def.name.text.clone()),
        ItemKind::Domain(def) => Some(def.name.text.clone()),
        _ => None,
    };
    parsed.items.iter().filter_map(|item| name(&item.kind)).collect()
}
