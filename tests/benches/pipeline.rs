//! `cargo bench`: check latency and build throughput in process, on the suites that ship and on a large one made here.

#![allow(missing_docs)] // criterion's macros make undocumented functions

use std::fmt::Write as _;
use std::hint::black_box;

use api::Memory;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use runtime::generate::{Generator, Options};

fn shipped(name: &str) -> String {
    std::fs::read_to_string(testing::root().join("suites").join(name).with_extension("pcd")).expect("a shipped suite")
}

/// PAST's tasks again and again, under other names, to at least `lines` lines.
fn large(lines: usize) -> String {
    let past = shipped("past");
    let (head, tasks) = past.split_at(past.find("# 100").expect("the first task"));
    let mut text = head.to_owned();
    let mut copy = 0;
    while text.lines().count() < lines {
        copy += 1;
        let _ = write!(text, "{}", tasks.replace("task q", &format!("task c{copy}_q")));
    }
    text
}

fn check(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(20);
    for (name, text) in
        [("past", shipped("past")), ("failure_modes", shipped("failure_modes")), ("10_000_lines", large(10_000))]
    {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| {
            b.iter_batched(
                || Memory::new([("suite.pcd", text.as_str())]),
                |host| {
                    let compiled = compiler::compile("suite.pcd", &host);
                    assert!(compiled.plan.is_some());
                    black_box(compiled.diagnostics.len())
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn instances(c: &mut Criterion) {
    let compiled = testing::compile_text(&shipped("past"));
    let plan = compiled.plan.expect("PAST compiles");
    let mut group = c.benchmark_group("instance");
    group.sample_size(20);
    for task in &plan.tasks {
        let options = Options { samples: Some(64), task: Some(task.name.clone()), ..Options::new("1") };
        let generator = Generator::new(&plan, options).expect("a generator");
        group.throughput(Throughput::Elements(generator.count_instances()));
        group.bench_function(task.name.as_str(), |b| {
            b.iter(|| {
                for index in 0..generator.count_instances() {
                    let address = generator.resolve_address(index).expect("in range");
                    black_box(generator.generate_instance(address).expect("an instance"));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, check, instances);
criterion_main!(benches);
