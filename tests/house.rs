//! The measures of the house: names, signatures, and sizes of the sources. Each may become better and not worse; a change that makes one better lowers its bound here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use regex::Regex;

/// First words of names that are verbs.
const VERBS: &str = include_str!("house/verbs.txt");

/// How names begin that need no verb: constructors, conversions, predicates, and what std's traits prescribe.
const FORMS: &str = "^(new|from|into|as|to|is|has|can|may|must|should|with|without|try|len|iter|default|fmt|eq|cmp|partial|next|drop|clone|deref|borrow|main)(_|$)";

/// A function of the sources.
struct Function {
    name: String,
    parameters: String,
    result: String,
}

/// The sources of the crates, as (path, text without tests).
fn read_sources() -> Vec<(PathBuf, String)> {
    let tests = Regex::new(r"\n#\[cfg\(test\)\]\nmod \w+ \{").expect("a pattern");
    crate::voice::list_sources()
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source");
            let end = tests.find(&text).map_or(text.len(), |found| found.start());
            (path, text[..end].to_owned())
        })
        .collect()
}

fn list_functions(sources: &[(PathBuf, String)]) -> Vec<Function> {
    let head = Regex::new(r"\bfn ([a-z_0-9]+)\s*(?:<[^>]*>)?\(([^)]*)\)(\s*->\s*[^{;]*)?").expect("a pattern");
    let mut found = Vec::new();
    for (_, text) in sources {
        for captures in head.captures_iter(text) {
            let part = |at: usize| captures.get(at).map_or("", |part| part.as_str()).to_owned();
            found.push(Function { name: part(1), parameters: part(2), result: part(3) });
        }
    }
    found
}

/// Fails where a share of functions, in percent, is above its bound.
#[track_caller]
fn assert_share(found: &[&Function], all: usize, bound: usize, what: &str) {
    let share = found.len() * 100 / all;
    let mut names = String::new();
    for function in found.iter().rev().take(20) {
        let _ = write!(names, " {}", function.name);
    }
    assert!(share <= bound, "{share} % of {all} functions {what}, more than {bound} %, such as{names}");
}

#[test]
fn functions_say_what_they_do() {
    let functions = list_functions(&read_sources());
    assert!(functions.len() > 5_000, "{}", functions.len());
    let verbs: BTreeSet<&str> = VERBS.lines().collect();
    let forms = Regex::new(FORMS).expect("a pattern");
    let has_verb =
        |name: &str| forms.is_match(name) || name.split('_').next().is_some_and(|first| verbs.contains(first));
    let verbless: Vec<&Function> = functions.iter().filter(|function| !has_verb(&function.name)).collect();
    assert_share(&verbless, functions.len(), 9, "have no verb (getters may)");
    let short: Vec<&Function> = functions.iter().filter(|function| !function.name.contains('_')).collect();
    assert_share(&short, functions.len(), 9, "are one word");
}

/// `is_…` and the like answer a question: they neither report nor judge, and they do not fail where the answer is no.
#[test]
fn questions_are_answered() {
    // Parameters with tuples and closures in them.
    let inner = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*";
    let head = format!(r"\bfn ((?:is|has|can|may|must|should)_[a-z_0-9]+)\s*(?:<[^>]*>)?\({inner}\)(\s*->\s*[^{{;]*)?");
    let head = Regex::new(&head).expect("a pattern");
    let answer = Regex::new(r"\bbool\b|\bTruth\b").expect("a pattern");
    let (mut asked, mut silent) = (0, Vec::new());
    for (path, text) in read_sources() {
        for captures in head.captures_iter(&text) {
            asked += 1;
            let result = captures.get(2).map_or("", |result| result.as_str());
            if !answer.is_match(result) {
                silent.push(format!("{}: {}{}", path.display(), &captures[1], result.trim_end()));
            }
        }
    }
    assert!(asked > 600, "{asked}");
    assert!(silent.is_empty(), "named as questions, but the answer is not yes or no: {silent:#?}");
}

#[test]
fn signatures_say_what_they_take_and_how_they_fail() {
    let functions = list_functions(&read_sources());
    let flags: usize = functions.iter().map(|function| function.parameters.matches(": bool").count()).sum();
    assert!(flags <= 52, "{flags} boolean parameters: an enum says at the call what it asks for");
    let texts = functions
        .iter()
        .filter(|function| function.result.contains("Result<") && function.result.contains(", String>"))
        .count();
    assert!(texts <= 6, "{texts} functions fail with a text: an enum of errors lets callers tell them apart");
}

/// A type with hundreds of methods is a namespace without rooms.
#[test]
fn types_have_few_methods() {
    let head = Regex::new(r"^impl(?:<[^{]*?>)? (\w+)(?:<[^{]*>)? \{$").expect("a pattern");
    let method = Regex::new(r"^    (?:pub(?:\([^)]*\))? )?(?:const )?fn ").expect("a pattern");
    let mut methods: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    for (path, text) in read_sources() {
        let crate_folder: PathBuf = path.iter().take_while(|part| *part != "src").collect();
        let mut owner = None;
        for line in text.lines() {
            if let Some(captures) = head.captures(line) {
                owner = Some((crate_folder.clone(), captures[1].to_owned()));
            } else if line == "}" {
                owner = None;
            } else if let Some(owner) = owner.clone().filter(|_| method.is_match(line)) {
                *methods.entry(owner).or_default() += 1;
            }
        }
    }
    assert!(methods.values().sum::<usize>() > 2_000, "{}", methods.len());
    let large: Vec<_> = methods.iter().filter(|(_, count)| **count > 150).collect();
    assert!(large.is_empty(), "types with more than 150 methods: {large:?}");
}

#[test]
fn files_can_be_held_in_the_head() {
    let sources = read_sources();
    let long: Vec<String> = sources
        .iter()
        .filter(|(_, text)| text.lines().count() > 500)
        .map(|(path, text)| format!("{} ({})", path.display(), text.lines().count()))
        .collect();
    assert!(long.is_empty(), "{} files have more than 500 lines: {long:#?}", long.len());
}

#[test]
fn no_more_than_two_files_use_each_other() {
    if !testing::has_python() {
        return;
    }
    let script = testing::root().join("tests/python/file_circles.py");
    let output =
        std::process::Command::new("python3").arg(script).arg(testing::root()).output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "move what these files share into a file below them");
}

#[test]
fn bounds_are_called_max() {
    let most = Regex::new(r"(?:const|static) MOST").expect("a pattern");
    for (path, text) in read_sources() {
        assert!(!most.is_match(&text), "{}: MAX_, not MOST_", path.display());
    }
}
