//! A fixed share of the mutants, in every run of the tests. `MUTANTS=100000 cargo test -p picard-mutants` judges more of them.

use std::path::Path;

use picard_mutants::corpus;
use picard_mutants::judge::Judge;
use picard_mutants::tally::Tally;

/// So many in every run; `.ci/run` judges ten times as many.
const SHARE: u64 = 2_000;

#[test]
fn no_mutant_panics_hangs_or_is_made_worse() {
    let corpus = corpus::read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("sources");
    let count = std::env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(SHARE);
    let half = count / 2;
    let judged = |indexes: std::ops::Range<u64>| Tally::from_mutants(&corpus, 1, indexes, &mut Judge::new(), 20);
    let mut tally = std::thread::scope(|scope| {
        let second = scope.spawn(|| judged(half..count));
        let mut first = judged(0..half);
        first.add_tally(second.join().expect("panics are caught"), 20);
        first
    });
    // The machine is busy with other tests; `.ci/run` takes the time of its own mutants.
    tally.faults.remove("steps over 2 s");
    let shown: Vec<String> = tally.shown.iter().map(|(index, words)| format!("{index}: {words}")).collect();
    println!("{}", tally.render_table());
    assert!(tally.has_no_faults(), "{}\n{}", tally.render_table(), shown.join("\n"));
    assert!(tally.formatted * 20 > tally.mutants && tally.fixes * 20 > tally.mutants, "{}", tally.render_table());
}

/// What mutants brought to light, each cut down: a setting misspelt where the block opens on the next line, raw text that ends with a sign.
const FOUND: [&str; 6] = [
    "suite\ns\n{\ntiitle\n\"S\"\nversion\n\"1.0.0\"\nsamples\n3\n}\ntask\nt\n{\nprompt \"a\"\nexpect reply number 1\n}\n",
    "suite\ns\n{\ntitletitle\n\"S\"\nversion\n\"1.0.0\"\n}\ntask\nt\n{\nprompt \"a\"\nexpect reply number 1\n}\n",
    "suite s { title \"S\" version \"1.0.0\" }\ntask t {\ncsv d at \"d.csv\" { rows 3  A : int 1..9 }\nn = <<value: SELECT A FROM d WHERE A > >>\n\
     prompt \"Read <<d>>.\"\nexpect reply number n\n}\n",
    "suite s { title \"S\" version \"1.0.0\" }\ntask t {\ncsv d at \"d.csv\" { rows 3  A : int 1..9 blank 5% }\nprompt \"Read <<d>>.\"\n\
     expect reply number max(\nd.A)\n}\n",
    "suite s { title \"S\" version \"1.0.0\" }\ntask t {\ncsv d at \"d.csv\" { rows 30  A : int 1..9 }\n\
     prompt \"In <<d>>, say <<value:\n        select count(distinct A)\n          from d\n>>.\"\n\
     expect reply number <<value:\n        select count(distinct A)\n          from d\n>>\n}\n",
    "suite s { title \"S\" version \"1.0.0\" }\ntask t {\ncsv d at \"d.csv\" { rows 30  A : int 1..9 }\nn = <<value: SELECT /* `x\n\
          y */ count(A)\n from d>>\nprompt \"Read <<d>>.\"\nexpect reply number n\n}\n",
];

#[test]
fn what_mutants_brought_to_light_holds() {
    let mut judge = Judge::new();
    for text in FOUND {
        let judged = judge.judge_text(Path::new("."), text);
        assert!(judged.formatted, "{text}");
        assert_eq!(judged.faults, [], "{text}");
    }
}

/// The sources of the repository themselves, the wrong ones above all: what `fmt` and safe fixes do to them.
#[test]
fn no_source_of_the_repository_is_made_worse() {
    let corpus = corpus::read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("sources");
    let (mut judge, mut fixes, mut wrong) = (Judge::new(), 0, Vec::new());
    for source in &corpus {
        let judged = judge.judge_text(&source.folder, &source.text);
        fixes += judged.fixes;
        let faults = judged.faults.iter().filter(|fault| fault.kind() != "steps over 2 s");
        wrong.extend(faults.map(|fault| format!("{}: {}: {}", source.path, fault.kind(), fault.words())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixes > 100, "{fixes} safe fixes in all: are they found?");
}
