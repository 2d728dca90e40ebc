//! Queries that depend on no draw are computed while a suite is checked, all of them within one budget.

use compiler::diagnostics::Diagnostic;
use compiler::host::{Compute, Entry, Host, ReadError, Sqlite};
use model::Plan;
use model::compute::{Budget, Evaluation, GoldQuery, ResultVisitor, Rows};
use model::suite::Expr;
use testing::{SOURCE, run_picardc};

/// Checks with another budget than that of all hosts, so that a test need not use up the real one.
struct Short(u64);

impl Compute for Short {
    fn evaluate_fixed(&self, plan: &Plan, task: usize, wanted: &[Expr], budget: &mut Budget) -> Vec<Evaluation> {
        if *budget == Budget::CHECK {
            budget.left = self.0;
        }
        runtime::generate::Computer.evaluate_fixed(plan, task, wanted, budget)
    }

    fn try_sample(&self, plan: &Plan, task: usize) -> Option<model::failure::Failure> {
        runtime::generate::Computer.try_sample(plan, task)
    }

    fn run_queries(&self, asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>) {
        runtime::generate::Computer.run_queries(asked, look);
    }

    fn new_table(&self, columns: usize, rows: usize) -> Box<dyn Rows> {
        runtime::generate::Computer.new_table(columns, rows)
    }
}

struct Hosted<H>(H, Short);

impl<H: Host> Host for Hosted<H> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.0.read_file(path)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.0.list_folder(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.0.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        &self.1
    }
}

/// What is said of a source with a budget of so many steps.
fn said(source: &str, steps: u64) -> Vec<Diagnostic> {
    let mut memory = api::Memory::default();
    memory.insert_file(SOURCE, source);
    compiler::compile(SOURCE, &Hosted(memory, Short(steps))).diagnostics
}

/// Numbers that repeat.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A query of about 12 steps for each row. The salt changes its text, and nothing else.
fn counts(rows: u64, salt: u64) -> String {
    format!(
        "<<value: WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {rows}) SELECT COUNT(*) + 0 * {salt} FROM c>>"
    )
}

/// A suite of tasks whose names are queries, some of them used by several others. `first`: only so many of the names of each.
fn suite(shape: &[Vec<u64>], salt: u64, first: usize) -> String {
    let mut text =
        String::from("suite s { title \"S\" version \"1.0.0\" allow untold_literal \"only the work counts\" }\n");
    for (at, queries) in shape.iter().enumerate() {
        text.push_str(&format!("task t{at} {{\n  n : int 1..9\n"));
        let shown = queries.len().min(first);
        for (place, rows) in queries.iter().enumerate().take(shown) {
            text.push_str(&format!("  v{place} = {}\n  w{place} = v0 + v{place}\n", counts(*rows, salt)));
        }
        let sum: Vec<String> = (0..shown).map(|place| format!("w{place}")).collect();
        text.push_str(&format!("  prompt \"What is <<n>>?\"\n  expect reply number n + {}\n}}\n", sum.join(" + ")));
    }
    text
}

fn places(said: &[Diagnostic]) -> Vec<(&'static str, String, u32)> {
    said.iter().map(|said| (said.code.id, said.message.clone(), said.primary.span.start)).collect()
}

/// What is not computed depends on the source alone: neither on what another check has computed before, nor on how often the same is asked.
#[test]
fn s8_the_budget_of_a_check_does_not_depend_on_what_is_known() {
    let mut numbers = Numbers(1);
    let (mut over, mut within) = (0, 0);
    for round in 0..60 {
        let shape: Vec<Vec<u64>> = (0..=numbers.below(3))
            .map(|_| (0..=numbers.below(5)).map(|_| 1000 + numbers.below(9000)).collect())
            .collect();
        let work: u64 = shape.iter().flatten().sum::<u64>() * 14;
        let steps = numbers.below(work + work / 2);
        // Two of the same work, of which nothing is known; but of the second, what a check of a part of it left.
        let cold = places(&said(&suite(&shape, 100 + 2 * round, usize::MAX), steps));
        let other = suite(&shape, 101 + 2 * round, usize::MAX);
        said(&suite(&shape, 101 + 2 * round, 1 + numbers.below(4) as usize), u64::MAX - 1);
        let warm = places(&said(&other, steps));
        let again = places(&said(&other, steps));
        assert_eq!(cold, warm, "{other}\n{steps} steps");
        assert_eq!(cold, again, "{other}\n{steps} steps");
        let told = cold.iter().filter(|(code, ..)| *code == "E0905").count();
        assert!(told <= 1, "{cold:?}");
        over += told;
        within += 1 - told;
        assert_eq!(places(&said(&other, 20 * work)).iter().filter(|(code, ..)| *code == "E0905").count(), 0, "{other}");
    }
    assert!(over > 10 && within > 10, "{over} over the budget, {within} within it");
}

/// What needs no query is still computed, and what is not computed is counted.
#[test]
fn s8_what_was_not_computed_is_said() {
    let source = format!(
        "suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{\n  n : int 1..9\n  a = {}\n  b = {}\n  l = [1, 2]\n  k = len(l) - 2\n  c = 7 / k\n  prompt \"What is <<n>>?\"\n  expect reply number n + a + b + c\n}}\n",
        counts(9000, 1),
        counts(9000, 2)
    );
    let said = said(&source, 20_000);
    let of = |code: &str| said.iter().find(|said| said.code.id == code).unwrap_or_else(|| panic!("{code}: {said:#?}"));
    assert_eq!(of("E0905").message, "the constant queries of this suite need more than 600 million steps of SQLite");
    assert_eq!(of("E0905").note.as_deref(), Some("this value and 1 more constant value were not computed"));
    assert_eq!(of("E0903").message, "division by zero: 7 / 0", "what needs no query is computed");
}

/// Suites of people, also over files of a million cells, are far from the budget.
#[test]
fn s8_shipped_suites_need_a_third_of_the_budget_at_most() {
    let suites = testing::root().join("suites");
    let mut count = 0;
    for suite in testing::list_sources(&suites) {
        let path = suite.display().to_string();
        let host = Hosted(picardc::host::Disk::new(&path), Short(Budget::CHECK.left / 3));
        let said = compiler::compile(&path, &host).diagnostics;
        let over = said.iter().any(|said| said.code.id == "E0905");
        assert!(!over, "{path}: {said:#?}");
        count += 1;
    }
    assert!(count > 10, "{count} suites");
}

/// The suite of the finding: 30 queries of 200 million steps, in 4 KB. The other hosts have the same budget, for they have no other.
#[test]
fn s8_a_small_suite_of_endless_queries_is_refused() {
    let shape = [(0..30).map(|at| 8_000_000 + at).collect::<Vec<u64>>()];
    let home = testing::create_folder(&[("s.pcd", &suite(&shape, 100, usize::MAX))]);
    let ran = run_picardc(home.path(), &["check", "s.pcd", "--format", "short"]);
    assert_eq!(ran.status.code(), Some(1), "{}", ran.join_output());
    let told = ran.join_output().matches("need more than 600 million steps of SQLite").count();
    assert_eq!(told, 1, "{}", ran.join_output());
}
