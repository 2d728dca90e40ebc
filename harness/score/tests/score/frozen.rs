//! What scorers 1 and 2 said before scorer 3 was opened: a published scorer never says anything else of the same response.
//!
//! `frozen.txt` was written by the version before it. It is compared and never written again: a line that differs is a bug in the rules, not in the file.

use records::{Instance, Score};
use score::score_response;

use super::common::{Files, instance_of};
use super::corpus::{Draws, SHOP, database, of_files, of_state, texts};

/// What is said of a response: each verdict's reason and score, and where it differs; of files without that, for the bytes of a database are those of the
/// library that wrote it.
fn judged(score: &Score, is_of_files: bool) -> String {
    let verdicts = score.verdicts.iter().map(|verdict| {
        let differences = verdict
            .differences
            .iter()
            .filter(|_| !is_of_files)
            .map(|one| format!("{}\u{1}{}\u{1}{}", one.at, one.expected, one.got));
        format!("{:?} {} {:?}", verdict.reason, verdict.score, differences.collect::<Vec<_>>())
    });
    verdicts.collect::<Vec<_>>().join("\n")
}

fn letter(score: &Score) -> char {
    let word = serde_json::to_value(score.verdicts[0].reason).expect("a word");
    match word.as_str().expect("a word") {
        "right" => 'r',
        "differs" => '.',
        "partial" => 'p',
        "not_a_number" => 'n',
        "not_json" => 'j',
        "not_rows" => 't',
        "no_slice" => 's',
        "empty" => 'e',
        "changed" => 'c',
        "wrong_schema" => 'w',
        other => other.chars().last().map_or('?', |last| last.to_ascii_uppercase()),
    }
}

/// One line: matcher, scorer, a sum of all that is said, and a letter for each response.
fn line(scorer: u64, matcher: &str, count: usize) -> String {
    let start = Files::from([
        ("t.db".to_owned(), database(SHOP)),
        ("a.txt".to_owned(), "café\r\n".as_bytes().to_vec()),
        ("latin.txt".to_owned(), b"caf\xe9\r\n".to_vec()),
    ]);
    let mut draws = Draws(matcher.bytes().map(u64::from).sum());
    // FNV-1a.
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut letters = String::new();
    let is_of_files = matches!(matcher, "bytes" | "exists" | "absent" | "unchanged" | "database");
    for _ in 0..count {
        let (expect, response) = match matcher {
            "database" => of_state(&mut draws),
            "bytes" | "exists" | "absent" | "unchanged" => of_files(&mut draws, matcher, &start),
            _ => texts(&mut draws, matcher),
        };
        let instance: Instance = instance_of(&expect, scorer);
        let score = score_response(&instance, Some(&response), 1, &start);
        for byte in judged(&score, is_of_files).bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        letters.push(letter(&score));
    }
    format!("{matcher} {scorer} {sum:016x} {letters}\n")
}

#[test]
fn scorers_1_and_2_say_what_they_have_always_said() {
    let matchers = [
        ("text", 600),
        ("contains", 400),
        ("matches", 200),
        ("number", 600),
        ("json", 600),
        ("list", 800),
        ("rows", 600),
        ("sql", 200),
        ("bytes", 200),
        ("exists", 50),
        ("absent", 50),
        ("unchanged", 200),
        ("database", 300),
    ];
    let said: String =
        matchers.iter().flat_map(|(matcher, count)| [1, 2].map(|scorer| line(scorer, matcher, *count))).collect();
    let known = include_str!("frozen.txt");
    let changed: Vec<&str> = said.lines().filter(|line| !known.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "verdicts of a published scorer have changed:\n{}", changed.join("\n"));
    assert_eq!(said.lines().count(), known.lines().count());
}
