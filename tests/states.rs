//! 250 ways to leave a database, in `states/`: wrong ones are never correct, right ones always are, and each has the score that a program in Python
//! computes from the rows. They were written by someone who had read the manual and no code.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use agent::sandbox::{Lazy, Sandbox, capture};
use records::{Bundle, Instance, Response};
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
    if !testing::has_python() {
        println!("skipped: no Python");
        return;
    }
    // SQLite waits for the disk after each transaction, of which there are thousands: in memory, where the system has such a folder.
    let memory = Path::new("/dev/shm");
    let home = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder");
    let source = testing::root().join("tests/states");
    for name in ["shop.pcd", "office.db"] {
        std::fs::copy(source.join(name), home.path().join(name)).expect("copied");
    }
    testing::expect_success(
        home.path(),
        &["build", "shop.pcd", "-o", "bundle", "--seed", "5", "--samples", "1", "--quiet"],
    );
    let out = home.path().join("out");
    let played = Command::new("python3")
        .args([source.join("play.py"), home.path().join("bundle"), out.clone()])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python runs");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let ends: Vec<End> =
        serde_json::from_slice(&std::fs::read(out.join("expected.json")).expect("read")).expect("ends of cases");
    let wrong = judged(&home.path().join("bundle"), &out, &ends);
    assert!(wrong.is_empty(), "{} of {} end states:\n{}", wrong.len(), ends.len(), wrong.join("\n"));
    let cases = |right: bool| {
        let names = ends.iter().filter(|end| end.right == right).map(|end| end.case.as_str());
        names.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert!(cases(false) >= 165 && cases(true) >= 85, "{} wrong and {} right ways", cases(false), cases(true));
}

/// Scores the sandboxes that were left; a line for each that is not judged as it should be.
fn judged(bundle: &Path, out: &Path, ends: &[End]) -> Vec<String> {
    sqlite::init_process().expect("SQLite");
    let bundle = Bundle::open_verified(bundle).expect("a bundle");
    let instances = bundle.open_instances().expect("instances").map(|one| one.expect("an instance"));
    let instances: BTreeMap<String, Instance> = instances.map(|one| (one.id.clone(), one)).collect();
    let judge = |end: &End| {
        let at = format!("{} {} ({})", end.case, end.id, end.why);
        if end.broken || !end.label {
            return Some(format!("{at}: the case itself failed, or is not what its label says"));
        }
        let instance = &instances[&end.id];
        let sandbox = Sandbox::open_answered(&out.join(&end.case).join(&end.id), &bundle).expect("a sandbox");
        let files = capture::capture_paths(&sandbox, instance, &Lazy::new(&bundle, instance));
        let response = Response { id: end.id.clone(), trial: 1, files, ..Response::default() };
        let score = score::score_response(instance, Some(&response), 1, &Lazy::new(&bundle, instance));
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
    };
    ends.iter().filter_map(judge).collect()
}
