//! Bundles from a stand-in for generation: the same bytes for any number of threads and shards, and nothing left behind by failures.

use std::path::PathBuf;
use std::sync::Arc;

use model::answer_key::{Answer, Expected, Subject};
use model::suite::{Matcher, Plan, SuiteInfo, Task, Variant};
use model::{Decimal, TiVec, Value};

use super::super::{Shard, merge_bundles};
use super::*;
use crate::failure::FailureKind;
use crate::generate::{Address, Options, SandboxFile};

/// Two tasks: `small` with 2 variants and files, `big` without either.
struct Fake {
    plan: Plan,
    options: Options,
    samples: [u32; 2],
    file_bytes: usize,
    /// Indexes that fail.
    fails: Vec<u64>,
}

pub(in super::super) fn build_task(name: &str, variants: &[&str]) -> Task {
    let variants = variants.iter().map(|name| Variant { name: (*name).into(), ..Variant::default() }).collect();
    Task { name: name.into(), samples: 1, variants, ..Task::default() }
}

fn build_fake(samples: [u32; 2]) -> Fake {
    let suite = SuiteInfo { name: "fake".into(), version: "1".into(), ..SuiteInfo::default() };
    Fake {
        plan: Plan {
            edition: 1,
            suite,
            domains: TiVec::new(),
            lakes: TiVec::new(),
            tasks: vec![build_task("small", &["a", "b"]), build_task("big", &[])],
            ..Plan::default()
        },
        options: Options { seed: "7".into(), samples: None, task: None, sandbox_root: ".".into(), traps: true },
        samples,
        file_bytes: 100,
        fails: vec![],
    }
}

impl Source for Fake {
    fn plan(&self) -> &Plan {
        &self.plan
    }
    fn options(&self) -> &Options {
        &self.options
    }
    fn count_instances(&self) -> u64 {
        u64::from(self.samples[0]) * 2 + u64::from(self.samples[1])
    }
    fn resolve_address(&self, index: u64) -> Option<Address> {
        let small = u64::from(self.samples[0]);
        let at = |task, variant, sample: u64| Some(Address { task, cell: 0, variant, sample: sample as u32 });
        match index {
            _ if index < 2 * small => at(0, (index / small) as u32, index % small),
            _ if index < self.count_instances() => at(1, 0, index - 2 * small),
            _ => None,
        }
    }
    fn list_sample_counts(&self) -> Vec<(u32, u32)> {
        vec![(0, self.samples[0]), (1, self.samples[1])]
    }
    fn generate_instance(&self, address: Address, _threads: usize) -> Result<Instance, Failure> {
        let sample = address.sample + 1;
        let task = &self.plan.tasks[address.task as usize];
        let variant = task.variants.get(address.variant as usize).map(|variant| variant.name.clone());
        if let Some(index) = self.fails.iter().find(|index| self.resolve_address(**index) == Some(address)) {
            return Err(Failure::new(FailureKind::NullAtBuild, format!("instance {index}")));
        }
        let text = format!("{}-{sample}\n", task.name).repeat(self.file_bytes / 8);
        let files = if address.task == 0 {
            vec![
                SandboxFile { path: "a/b/data.csv".into(), bytes: text.into_bytes().into() },
                SandboxFile { path: "top.txt".into(), bytes: b"same in all\n".to_vec().into() },
            ]
        } else {
            vec![]
        };
        Ok(Instance {
            id: [Some(task.name.clone()), variant.clone(), Some(sample.to_string())]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("-"),
            files_id: format!("{}-{sample}", task.name),
            task: task.name.clone(),
            variant,
            sample,
            draws: vec![("n".into(), Value::Int(i64::from(sample)))],
            prompt: format!("What is {sample}?"),
            files: Arc::new(files),
            expects: vec![Expected {
                name: None,
                at: None,
                subject: Subject::Reply(None),
                matcher: Matcher::Number,
                answer: Some(Answer::One(Value::Int(i64::from(sample)))),
                options: vec![],
                weight: Decimal::from_int(1),
                gate: false,
                database: None,
                among: None,
                read: model::answer_key::Read::default(),
                columns: Vec::new(),
                tests: Default::default(),
                traps: Vec::new(),
                span: (),
            }],
            ..Instance::default()
        })
    }
}

fn build_settings() -> Settings {
    Settings {
        source_sha256: "00".into(),
        compiler: super::super::Compiler { name: "picardc".into(), version: "0.0.0".into() },
        threads: 2,
        ..Settings::default()
    }
}

fn build_bundle(source: &Fake, settings: &Settings, out: &Path) -> Result<Summary, Failure> {
    write_bundle(source, settings, out, &(), &AtomicBool::new(false))
}

#[test]
fn threads_and_shards_do_not_matter() {
    let home = tempfile::tempdir().expect("temp");
    for (split_keys, inline) in [(false, false), (true, false), (true, true)] {
        let name = |what: &str| home.path().join(format!("{what}-{split_keys}-{inline}"));
        let source = build_fake([40, 55]);
        let settings = Settings { split_keys, inline, ..build_settings() };
        build_bundle(&source, &settings, &name("whole")).expect("whole");
        let whole = testing::read_files(name("whole"));
        assert_eq!(whole.len(), if inline { 3 } else { 2 + usize::from(split_keys) + 80 });
        build_bundle(&source, &Settings { threads: 7, ..settings.clone() }, &name("seven")).expect("seven threads");
        assert_eq!(testing::read_files(name("seven")), whole);
        for of in [1, 3, 200] {
            let parts: Vec<PathBuf> = (1..=of)
                .map(|index| {
                    let part = name(&format!("part-{index}-of-{of}"));
                    build_bundle(&source, &Settings { shard: Some(Shard { index, of }), ..settings.clone() }, &part)
                        .expect("part");
                    part
                })
                .collect();
            let reversed: Vec<&Path> = parts.iter().rev().map(PathBuf::as_path).collect();
            merge_bundles(&reversed, &name(&format!("merged-{of}")), false, &(), &AtomicBool::new(false))
                .expect("merged");
            assert!(
                testing::read_files(name(&format!("merged-{of}"))) == whole,
                "{of} shards, split {split_keys}, inline {inline}"
            );
        }
    }
}

#[test]
fn a_shard_holds_the_files_of_its_own_lines() {
    let home = tempfile::tempdir().expect("temp");
    let out = home.path().join("out");
    build_bundle(&build_fake([3, 0]), &Settings { shard: Some(Shard { index: 2, of: 2 }), ..build_settings() }, &out)
        .expect("built");
    for line in fs::read_to_string(out.join("instances.jsonl")).expect("lines").lines() {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for path in json["files"].as_object().expect("object").values() {
            assert!(out.join(path.as_str().expect("path")).is_file(), "{path}");
        }
    }
}

#[test]
fn many_samples_get_a_level() {
    let home = tempfile::tempdir().expect("temp");
    let out = home.path().join("out");
    build_bundle(&Fake { file_bytes: 8, ..build_fake([1001, 0]) }, &build_settings(), &out).expect("built");
    assert!(out.join("files/small-000/small-999/a/b/data.csv").is_file());
    assert!(out.join("files/small-001/small-1001/top.txt").is_file());
}

#[test]
fn the_first_failure_in_order_is_told_and_nothing_is_left() {
    let home = tempfile::tempdir().expect("temp");
    for threads in [1, 2, 5] {
        let source = Fake { fails: vec![71, 70, 33, 100, 47], ..build_fake([40, 55]) };
        let failure = build_bundle(&source, &Settings { threads, ..build_settings() }, &home.path().join("out"))
            .expect_err("fails");
        assert_eq!(failure.message, "instance 33");
        assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 0);
    }
}

#[test]
fn cancelling_leaves_nothing() {
    let home = tempfile::tempdir().expect("temp");
    let failure =
        write_bundle(&build_fake([40, 55]), &build_settings(), &home.path().join("out"), &(), &AtomicBool::new(true))
            .expect_err("cancelled");
    assert_eq!(failure.message, "interrupted");
    assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 0);
}

#[test]
fn large_instances_are_handed_over_in_parts() {
    let home = tempfile::tempdir().expect("temp");
    let source = Fake { file_bytes: 1 << 20, ..build_fake([20, 1]) };
    let summary =
        build_bundle(&source, &Settings { inline: true, ..build_settings() }, &home.path().join("out")).expect("built");
    let lines = fs::read_to_string(home.path().join("out/instances.jsonl")).expect("lines");
    assert_eq!((summary.instances, lines.lines().count()), (41, 41));
    let ids = lines.lines().map(|line| {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON")["id"].as_str().expect("id").to_owned()
    });
    assert_eq!(ids.skip(19).take(3).collect::<Vec<_>>(), ["small-a-20", "small-b-1", "small-b-2"]);
}

#[test]
fn the_manifest() {
    let home = tempfile::tempdir().expect("temp");
    let out = home.path().join("out");
    let summary = build_bundle(&build_fake([2, 3]), &build_settings(), &out).expect("built");
    let text = fs::read_to_string(out.join("manifest.json")).expect("manifest");
    let manifest = Manifest::from_bytes(text.as_bytes()).expect("ours");
    assert_eq!(manifest.bundle_sha256, summary.bundle_sha256);
    assert_eq!(
        manifest.instances_sha256,
        disk::digest::hash_sha256(&fs::read(out.join("instances.jsonl")).expect("lines"))
    );
    let head: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.contains("source_sha256")).collect();
    assert_eq!(
        head.join(" "),
        concat!(
            r#"{ "schema": 1, "suite": { "name": "fake", "title": "", "version": "1", "license": null, "authors": [] }, "edition": 1, "#,
            r#""seed": "7", "options": { "samples": null, "task": null, "sandbox_root": ".", "inline": false, "split_keys": false, "#,
            r#""shard": null }, "tasks": { "small": 4, "big": 3 }, "instances": 7, "canary": null,"#
        )
    );
}

/// `cargo test --release -p picard-runtime bundle::write::tests::measure -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure() {
    // ext4 searches long for inodes when many were deleted within the last minutes: wait, and delete nothing in between.
    let home = tempfile::tempdir_in(".").expect("temp");
    for (what, inline, file_bytes) in
        [("inline 20 KB", true, 20_000), ("files 20 KB", false, 20_000), ("files 2 KB", false, 2_000)]
    {
        for threads in [1, 2, 4] {
            let source = Fake { file_bytes, ..build_fake([10_000, 0]) };
            let folder = home.path().join(format!("{what}-{threads}"));
            fs::create_dir(&folder).expect("created");
            let settings = Settings { inline, threads, ..build_settings() };
            let mut manifest = Manifest::new(&source.plan, &source.options, &settings);
            let early = File::open(&folder).expect("opened");
            let start = std::time::Instant::now();
            write_lines(&source, &settings, &folder, &(0..20_000), &(), &AtomicBool::new(false), &mut manifest)
                .expect("written");
            let wrote = start.elapsed().as_secs_f64();
            super::super::sync::sync_tree(&folder, Some(&early)).expect("synced");
            let synced = start.elapsed().as_secs_f64() - wrote;
            println!("{what}, {threads} threads: {:.0}/s, sync {synced:.2} s", 20_000.0 / wrote);
        }
    }
}
