//! Lakes in bundles: which files an instance is given, and that they lie once in the bundle, with the same bytes for any number of threads and shards.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::generate_support::*;
use disk::Folder;
use model::suite::*;
use model::{Span, Value};
use runtime::Failure;
use runtime::bundle::{Settings, Shard, Summary, merge_bundles, write_bundle};
use runtime::failure::FailureKind;
use runtime::generate::{Generator, Options as Build, Portion};

/// A folder with `data/NN.csv`, and a suite with a lake of it that is handed out as told.
fn lake_of(home: &Path, count: u32, files: LakeSelection) -> Suite {
    let mut lake = Lake { name: "ftc".into(), at: "ftc".into(), from: "data".into(), ..Lake::default() };
    for number in 0..count {
        let path = format!("{}/{number:05}.csv", number % 10);
        let text = format!("N\n{number}\n");
        fs::create_dir_all(home.join("data").join(&path[..1])).expect("made");
        fs::write(home.join("data").join(&path), &text).expect("written");
        lake.files.push(LakeFile { path, size: text.len() as u64, sha256: None });
    }
    lake.files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut suite = Suite::new();
    suite.plan.lakes.push(Arc::new(lake));
    suite.task().lakes.push(LakeUse { lake: LakeId(0), span: Span::default(), files });
    suite.prompt(Expr::Concat(vec![text("Look into "), Expr::Folder("ftc".into())]));
    suite.expect(Matcher::Text, text("7"));
    suite
}

fn needed(files: &[u32], others: Option<i64>) -> LakeSelection {
    LakeSelection::Needed { files: files.to_vec(), others: others.map(|others| Expr::Const(Value::Int(others))) }
}

fn given(suite: &Suite, index: u64) -> Result<Vec<String>, Failure> {
    let generator = Generator::new(&suite.plan, Build::new("7"))?;
    let instance = generator.generate_instance(generator.resolve_address(index).expect("there"))?;
    assert_eq!(instance.prompt, "Look into ftc");
    let [lake] = &instance.lakes[..] else { panic!("one lake") };
    let files: Vec<String> = lake.files().map(|file| file.path.clone()).collect();
    assert!(files.is_sorted());
    for file in &files {
        assert!(lake.find_file(&format!("ftc/{file}")).is_some_and(|found| found.path == *file));
    }
    assert!(lake.find_file("ftc/none").is_none() && lake.find_file("ft").is_none());
    assert_eq!(matches!(lake.portion, Portion::All), matches!(suite.plan.tasks[0].lakes[0].files, LakeSelection::All));
    Ok(files)
}

fn build(suite: &Suite, home: &Path, settings: Settings, out: &Path) -> Result<Summary, Failure> {
    let project = Some(Folder::open(home).expect("open"));
    let generator = Generator::new(&suite.plan, Build::new("7"))?;
    let settings = Settings { source_sha256: "00".into(), project, compiler: ours(), ..settings };
    write_bundle(&generator, &settings, out, &(), &AtomicBool::new(false))
}

fn ours() -> runtime::bundle::Compiler {
    runtime::bundle::Compiler { name: "picardc".into(), version: "0".into() }
}

#[test]
fn more_others_include_fewer_and_a_new_file_moves_none() {
    let home = tempfile::tempdir().expect("temp");
    let others = |count: u32, others: i64| -> BTreeSet<String> {
        given(&lake_of(home.path(), count, needed(&[1, 2], Some(others))), 1).expect("given").into_iter().collect()
    };
    let [none, four, nine] = [0, 4, 9].map(|number| others(40, number));
    assert_eq!((none.len(), four.len(), nine.len()), (2, 6, 11));
    assert!(none.is_subset(&four) && four.is_subset(&nine));
    // Frozen: which files these are follows from seed, suite, task, sample, lake and path alone.
    let golden: Vec<&str> = four.iter().map(String::as_str).collect();
    assert_eq!(golden, ["0/00010.csv", "0/00020.csv", "1/00031.csv", "3/00003.csv", "6/00026.csv", "9/00009.csv"]);
    // The needed ones are others by path as soon as the lake has more: what was taken stays, or makes way for a new file.
    let mut one_more = lake_of(home.path(), 40, needed(&[1, 2], Some(9)));
    let mut lake = (*one_more.plan.lakes[LakeId(0)]).clone();
    lake.files.push(LakeFile { path: "zzz.csv".into(), size: 0, sha256: None });
    one_more.plan.lakes[LakeId(0)] = Arc::new(lake);
    let with: BTreeSet<String> = given(&one_more, 1).expect("given").into_iter().collect();
    assert!(nine.difference(&with).count() <= 1, "{nine:?} {with:?}");
    let all = given(&lake_of(home.path(), 40, LakeSelection::All), 0).expect("given");
    assert_eq!(all.len(), 40);
    // Another sample has others.
    let suite = lake_of(home.path(), 40, needed(&[1, 2], Some(9)));
    assert_ne!(given(&suite, 0).expect("given"), given(&suite, 1).expect("given"));
}

#[test]
fn there_must_be_that_many() {
    let home = tempfile::tempdir().expect("temp");
    let refused = |others: i64| {
        let failure = given(&lake_of(home.path(), 5, needed(&[1, 2], Some(others))), 0).expect_err("refused");
        assert_eq!(failure.kind, FailureKind::ExhaustedDomain);
        failure.message
    };
    assert_eq!(refused(4), "lake `ftc` has only 3 other files, but 4 are taken");
    assert_eq!(refused(-1), "lake `ftc` cannot add -1 other files");
    assert_eq!(given(&lake_of(home.path(), 5, needed(&[1, 2], Some(3))), 0).expect("all").len(), 5);
}

#[test]
fn no_file_of_the_task_clashes_with_one_of_the_lake() {
    let home = tempfile::tempdir().expect("temp");
    let mut suite = lake_of(home.path(), 5, needed(&[1], None));
    suite.file("own", text("FTC/0/00000.csv"), FileContent::ComputedText(text("x")));
    let failure = given(&suite, 0).expect_err("refused");
    assert_eq!(failure.kind, FailureKind::PathAtBuild);
    let mut suite = lake_of(home.path(), 5, needed(&[1], None));
    suite.file("own", text("ftc/new.csv"), FileContent::ComputedText(text("x")));
    assert!(given(&suite, 0).is_ok());
}

#[test]
fn threads_and_shards_do_not_matter_and_each_file_lies_there_once() {
    let home = tempfile::tempdir().expect("temp");
    let suite = lake_of(home.path(), 40, needed(&[1, 2], Some(9)));
    let out = |name: &str| home.path().join(name);
    let summary = build(&suite, home.path(), Settings { threads: 1, ..Settings::default() }, &out("one")).expect("one");
    build(&suite, home.path(), Settings { threads: 7, ..Settings::default() }, &out("seven")).expect("seven");
    let one = testing::read_files(out("one"));
    assert_eq!(one, testing::read_files(out("seven")));
    let lent: BTreeSet<String> = (0..3).flat_map(|index| given(&suite, index).expect("given")).collect();
    let kept = one.keys().filter_map(|path| path.strip_prefix("static/data/"));
    assert_eq!(kept.map(str::to_owned).collect::<BTreeSet<_>>(), lent);
    assert_eq!(summary.files, lent.len() as u64);
    for path in &lent {
        assert_eq!(one[&format!("static/data/{path}")], fs::read(out("data").join(path)).expect("there"));
    }
    let manifest: serde_json::Value = serde_json::from_slice(&one["manifest.json"]).expect("JSON");
    assert_eq!(manifest["schema"], 2);

    let parts = [1, 2].map(|index| {
        let part = out(&format!("part{index}"));
        let settings = Settings { shard: Some(Shard { index, of: 2 }), ..Settings::default() };
        build(&suite, home.path(), settings, &part).expect("built");
        part
    });
    let parts: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    merge_bundles(&parts, &out("whole"), false, &(), &AtomicBool::new(false)).expect("merged");
    assert_eq!(one, testing::read_files(out("whole")));
    // A bundle with a lake is a bundle: it may be replaced.
    let force = Settings { force: true, ..Settings::default() };
    build(&suite, home.path(), force.clone(), &out("whole")).expect("replaced");
    fs::write(out("whole/static/data/mine"), "x").expect("written");
    let failure = build(&suite, home.path(), force, &out("whole")).expect_err("kept");
    assert!(failure.message.contains("static/data/mine"), "{}", failure.message);

    // What was changed in one of them is noticed.
    let shared = given(&suite, 0).expect("given")[0].clone();
    fs::write(parts[0].join("static/data").join(&shared), "changed").expect("written");
    let failure = merge_bundles(&parts, &out("other"), false, &(), &AtomicBool::new(false)).expect_err("refused");
    assert_eq!(failure.kind, FailureKind::Usage, "{}", failure.message);
    assert!(!out("other").exists());
}

#[test]
fn a_file_that_changed_since_it_was_listed_ends_the_build() {
    let home = tempfile::tempdir().expect("temp");
    let out = home.path().join("out");
    let suite = lake_of(home.path(), 5, LakeSelection::All);
    fs::write(home.path().join("data/3/00003.csv"), "longer than it was").expect("written");
    let failure = build(&suite, home.path(), Settings::default(), &out).expect_err("refused");
    assert_eq!(failure.message, "`data/3/00003.csv` changed while the suite was built");
    fs::remove_file(home.path().join("data/3/00003.csv")).expect("removed");
    let failure = build(&suite, home.path(), Settings::default(), &out).expect_err("refused");
    assert_eq!(failure.kind, FailureKind::Io);
    assert!(!out.exists());

    // Where the compiler has read it, its content counts, not only its size.
    let mut suite = lake_of(home.path(), 5, LakeSelection::All);
    let mut lake = (*suite.plan.lakes[LakeId(0)]).clone();
    lake.files[0].sha256 = Some(disk::digest::hash_sha256(b"N\n0\n"));
    suite.plan.lakes[LakeId(0)] = Arc::new(lake);
    build(&suite, home.path(), Settings::default(), &out).expect("as it was read");
    fs::write(home.path().join("data/0/00000.csv"), "N\n9\n").expect("written");
    assert!(build(&suite, home.path(), Settings::default(), &home.path().join("out2")).is_err());
}

#[test]
fn inside_the_lines_up_to_a_size() {
    let home = tempfile::tempdir().expect("temp");
    let mut suite = lake_of(home.path(), 5, LakeSelection::All);
    let inline = Settings { inline: true, ..Settings::default() };
    build(&suite, home.path(), inline.clone(), &home.path().join("out")).expect("small");
    let built = testing::read_files(home.path().join("out"));
    assert_eq!(built.len(), 2, "manifest and lines");
    let lines = String::from_utf8(built["instances.jsonl"].clone()).expect("UTF-8");
    assert!(lines.contains(r#""ftc/3/00003.csv":"data:text/csv;base64,"#), "{lines}");

    fs::write(home.path().join("data/large.csv"), vec![b'x'; 17 << 20]).expect("written");
    let mut lake = (*suite.plan.lakes[LakeId(0)]).clone();
    lake.files.push(LakeFile { path: "large.csv".into(), size: 17 << 20, sha256: None });
    suite.plan.lakes[LakeId(0)] = Arc::new(lake);
    let failure = build(&suite, home.path(), inline, &home.path().join("large")).expect_err("too large");
    assert_eq!(failure.message, "lake `ftc` is too large for --inline: all files of lakes may have 16 MiB at most");
}

#[test]
fn ten_thousand_files() {
    let home = tempfile::tempdir().expect("temp");
    let suite = lake_of(home.path(), 10_000, LakeSelection::All);
    let summary = build(&suite, home.path(), Settings::default(), &home.path().join("out")).expect("built");
    // Nothing of it is drawn: one instance.
    assert_eq!((summary.instances, summary.files), (1, 10_000));
    assert_eq!(fs::read(home.path().join("out/static/data/7/09997.csv")).expect("there"), b"N\n9997\n");
}
