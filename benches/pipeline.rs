//! `cargo bench`: check latency and build throughput in process, on the suites that ship and on a large one made here.

#![allow(missing_docs)] // criterion's macros make undocumented functions

use std::fmt::Write as _;
use std::hint::black_box;

use compiler::{Host, ReadError, Sqlite};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use picardc::sqlite::Prepare;
use runtime::generate::{Generator, Options};

/// A suite in memory.
struct Memory {
    text: String,
    sqlite: Prepare,
}

impl Host for Memory {
    fn read(&self, _: &str) -> Result<Vec<u8>, ReadError> {
        Ok(self.text.clone().into_bytes())
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }
}

fn memory(text: &str) -> Memory {
    Memory { text: text.to_owned(), sqlite: Prepare::default() }
}

fn shipped(name: &str) -> String {
    let path = format!("{}/suites/{name}.pcd", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a shipped suite")
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
                || memory(&text),
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
    let compiled = compiler::compile("past.pcd", &memory(&shipped("past")));
    let plan = compiled.plan.expect("PAST compiles");
    let mut group = c.benchmark_group("instance");
    group.sample_size(20);
    for task in &plan.tasks {
        let options =
            Options { seed: "1".into(), samples: Some(64), task: Some(task.name.clone()), sandbox_root: ".".into() };
        let generator = Generator::new(&plan, options).expect("a generator");
        group.throughput(Throughput::Elements(generator.count()));
        group.bench_function(task.name.as_str(), |b| {
            b.iter(|| {
                for index in 0..generator.count() {
                    let address = generator.address(index).expect("in range");
                    black_box(generator.instance(address).expect("an instance"));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, check, instances);
criterion_main!(benches);
