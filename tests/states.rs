//! 250 ways to leave a database, in `states/`: wrong ones are never correct, right ones always are, and each has the score that a program in Python
//! computes from the rows. They were written by someone who had read the manual and no code. 60 more ways to the same state, and 90 to destroy something next to it, are
//! judged by `database` with `schema` and an ignored key, `unchanged`, and `tree unchanged except`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use agent::sandbox::{Lazy, Sandbox, capture};
use records::{Bundle, Instance, Response, Score};
use serde::Deserialize;

/// What `play.py` says of one case on one instance.
#[derive(Debug, Deserialize)]
struct End {
    case: String,
    id: String,
    why: String,
    right: bool,
    /// The documents do not say what it scores.
    loose: bool,
    /// The reason, where the documents state one.
    reason: Option<String>,
    #[serde(default)]
    broken: bool,
    #[serde(default)]
    score: f64,
    /// Whether the program comes to what the label says.
    #[serde(default = "yes")]
    label: bool,
}

fn yes() -> bool {
    true
}

#[test]
fn no_wrong_state_is_correct_and_every_right_one_is() {
    let Some(played) = Played::new(&["shop.pcd", "office.db"], "play.py", "1") else { return };
    let ends: Vec<End> = played.read_ends();
    let wrong = played.judge_all(&ends, |end| (end.case.as_str(), end.id.as_str()), judge_end);
    assert!(wrong.is_empty(), "{} of {} end states:\n{}", wrong.len(), ends.len(), wrong.join("\n"));
    let cases = |right: bool| {
        let names = ends.iter().filter(|end| end.right == right).map(|end| end.case.as_str());
        names.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert!(cases(false) >= 165 && cases(true) >= 85, "{} wrong and {} right ways", cases(false), cases(true));
}

/// Compares the score of the first expectation with the label and the program of a case; describes the difference.
fn judge_end(end: &End, score: &Score) -> Option<String> {
    let at = format!("{} {} ({})", end.case, end.id, end.why);
    if end.broken || !end.label {
        return Some(format!("{at}: the case itself failed, or is not what its label says"));
    }
    let verdict = &score.verdicts[0];
    let reason = serde_json::to_value(verdict.reason).expect("a word");
    let as_scored = end.loose || (score.score - end.score).abs() < 1e-9;
    let as_told = end.reason.as_deref().is_none_or(|wanted| reason == wanted);
    let same = score.correct == end.right && as_scored && as_told;
    (!same).then(|| {
        format!(
            "{at}: should be {} with {}, is {} with {} ({reason}) {:?}",
            end.right, end.score, score.correct, score.score, verdict.differences
        )
    })
}

/// What `hires.py` says of one case on one instance.
#[derive(Debug, Deserialize)]
struct Ending {
    case: String,
    id: String,
    why: String,
    broken: bool,
    /// The reasons that are right, for each expectation that is not met.
    wrong: BTreeMap<String, Vec<String>>,
    /// Whether the rows are as the label says.
    label: bool,
}

/// Compares the reason of each expectation with that of a case.
fn judge_ending(end: &Ending, score: &Score) -> Option<String> {
    let at = format!("{} {} ({})", end.case, end.id, end.why);
    if end.broken || !end.label {
        return Some(format!("{at}: the case itself failed, or is not what its label says"));
    }
    assert_eq!(score.verdicts.len(), 3);
    let right = vec!["right".to_owned()];
    let found: Vec<String> = score
        .verdicts
        .iter()
        .filter_map(|verdict| {
            let name = verdict.name.clone().expect("a name");
            let reason = serde_json::to_value(verdict.reason).expect("a word");
            let wanted = end.wrong.get(&name).unwrap_or(&right);
            let same = wanted.iter().any(|wanted| reason == wanted.as_str());
            (!same).then(|| format!("`{name}` is {reason}, not {wanted:?}: {:?}", verdict.differences))
        })
        .collect();
    (!found.is_empty()).then(|| format!("{at}: {}", found.join("; ")))
}

#[test]
fn a_sandbox_around_a_state_is_judged_as_the_prompt_says() {
    let project = [
        ("project/.env", "KEY=1\n"),
        ("project/.vscode/settings.json", "{}\n"),
        ("project/src/app.json", "{\"port\": 80}\n"),
        ("project/src/crlf.txt", "a\r\nb\r\n"),
    ];
    let Some(played) = Played::with_files(&["hires.pcd", "office.db"], &project, "hires.py", "2") else { return };
    let ends: Vec<Ending> = played.read_ends();
    let wrong = played.judge_all(&ends, |end| (end.case.as_str(), end.id.as_str()), judge_ending);
    assert!(wrong.is_empty(), "{} of {} sandboxes:\n{}", wrong.len(), ends.len(), wrong.join("\n"));
    let cases = |is_met: bool| {
        let names = ends.iter().filter(|end| end.wrong.is_empty() == is_met).map(|end| end.case.as_str());
        names.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert!(cases(true) >= 60 && cases(false) >= 90, "{} right and {} wrong ways", cases(true), cases(false));
}

/// A bundle, and the sandboxes that the cases of a program in Python left.
struct Played {
    home: tempfile::TempDir,
}

impl Played {
    /// Builds the first of these files of `states/`, and plays the cases of the program on the bundle. `None` without Python.
    fn new(names: &[&str], program: &str, samples: &str) -> Option<Played> {
        Played::with_files(names, &[], program, samples)
    }

    fn with_files(names: &[&str], more: &[(&str, &str)], program: &str, samples: &str) -> Option<Played> {
        if !testing::has_python() {
            println!("skipped: no Python");
            return None;
        }
        // SQLite waits for the disk after each transaction, of which there are thousands: in memory, where the system has such a folder.
        let memory = Path::new("/dev/shm");
        let home = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder");
        let source = testing::root().join("tests/states");
        for name in names {
            std::fs::copy(source.join(name), home.path().join(name)).expect("copied");
        }
        for (path, text) in more {
            testing::write_in_folder(home.path(), path, text.as_bytes());
        }
        testing::expect_success(
            home.path(),
            &["build", names[0], "-o", "bundle", "--seed", "5", "--samples", samples, "--quiet"],
        );
        let out = home.path().join("out");
        let played = Command::new("python3")
            .args([source.join(program), home.path().join("bundle"), out])
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("Python runs");
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        Some(Played { home })
    }

    fn read_ends<E: serde::de::DeserializeOwned>(&self) -> Vec<E> {
        let text = std::fs::read(self.home.path().join("out/expected.json")).expect("read");
        serde_json::from_slice(&text).expect("ends of cases")
    }

    /// Scores the sandboxes that were left; a line for each that is not judged as it should be.
    fn judge_all<E>(
        &self,
        ends: &[E],
        place: fn(&E) -> (&str, &str),
        judge: impl Fn(&E, &Score) -> Option<String>,
    ) -> Vec<String> {
        sqlite::init_process().expect("SQLite");
        let bundle = Bundle::open_verified(&self.home.path().join("bundle")).expect("a bundle");
        let instances = bundle.open_instances().expect("instances").map(|one| one.expect("an instance"));
        let instances: BTreeMap<String, Instance> = instances.map(|one| (one.id.clone(), one)).collect();
        let score = |end: &E| {
            let (case, id) = place(end);
            let instance = &instances[id];
            let left = self.home.path().join("out").join(case).join(id);
            let sandbox = Sandbox::open_answered(&left, &bundle).expect("a sandbox");
            let files = capture::capture_paths(&sandbox, instance, &Lazy::new(&bundle, instance));
            let response = Response { id: id.to_owned(), trial: 1, files, ..Response::default() };
            score::score_response(instance, Some(&response), 1, &Lazy::new(&bundle, instance))
        };
        ends.iter().filter_map(|end| judge(end, &score(end))).collect()
    }
}
