//! Facts are never wrong: every value that the shipped suites and those of `tests/differential` draw, compute or put into a table, over
//! several seeds, is one that its fact allows.

use std::path::{Path, PathBuf};

use compiler::bounds::Bounds;
use compiler::facts::{Fact, Facts};
use model::answer_key::{Answer, Subject};
use model::functions::{self, FunctionId};
use model::suite::{Arg, Call, ColumnId, ColumnSource, Expect, Expr, Matcher, NameId, RelationId, Step};
use model::{Decimal, Value};
use picardc::host::Disk;
use runtime::generate::{Generator, Options};

/// What stands for a null among the values that are asked for.
const NULL: &str = "\u{0}null";

/// Something whose values are held against its fact.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Name(NameId),
    /// Without its nulls.
    Cells(RelationId, ColumnId),
    /// How many of its cells are not null.
    Filled(RelationId, ColumnId),
    Rows(RelationId),
}

impl Seen {
    /// An answer key that shows it.
    fn expect(self) -> Expect {
        let span = model::Span::default();
        let call = |function, args| Expr::Call(Box::new(Call { function, args, span }));
        let value = match self {
            Seen::Name(name) => call(
                FunctionId::from_name("coalesce").expect("it is one"),
                vec![Arg::Value(Expr::Name(name)), Arg::Value(Expr::Const(Value::from_text(NULL)))],
            ),
            Seen::Cells(relation, column) => {
                call(functions::LIST, vec![Arg::Column { relation, column, filter: None }])
            }
            Seen::Filled(relation, column) => {
                call(functions::COUNT, vec![Arg::Column { relation, column, filter: None }])
            }
            Seen::Rows(relation) => call(functions::COUNT, vec![Arg::Relation { relation, filter: None }]),
        };
        Expect {
            name: None,
            at: None,
            subject: Subject::Reply(None),
            matcher: Matcher::Json,
            answer: Some(Answer::One(value)),
            options: Vec::new(),
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span,
        }
    }
}

fn suites() -> impl Iterator<Item = PathBuf> {
    ["suites", "tests/differential", "tests/lints"]
        .iter()
        .flat_map(|folder| testing::list_sources(testing::root().join(folder)))
}

/// What of a task is looked at: what is made for all variants, then what each makes on its own.
fn shown(task: &model::suite::Task) -> Vec<Seen> {
    let mut seen = Vec::new();
    for step in &task.steps {
        match step {
            Step::Name(name) => seen.push(Seen::Name(*name)),
            Step::Relation(relation) => {
                seen.push(Seen::Rows(*relation));
                let columns = task.relations[*relation].columns.iter_enumerated();
                // A fixture's column that nothing in the suite reads has no values.
                let unread =
                    |source: &ColumnSource| matches!(source, ColumnSource::Given(given) if given.values.is_empty());
                for (column, _) in columns.filter(|(_, column)| !unread(&column.source)) {
                    seen.push(Seen::Cells(*relation, column));
                    seen.push(Seen::Filled(*relation, column));
                }
            }
            Step::File(_) | Step::Require(_) => {}
        }
    }
    seen
}

fn allowed(what: &str, fact: &Fact<'_>, value: &Value) {
    let null = *value == Value::from_text(NULL);
    assert!(fact.can_be(if null { &Value::Null } else { value }), "{what} is {value:?}, and its fact says {fact:?}");
    if let Some((low, high)) = &fact.range
        && !null
    {
        assert!(value.compare_with(low).is_some_and(|order| order.is_ge()), "{what}: {value:?} is below {low:?}");
        assert!(value.compare_with(high).is_some_and(|order| order.is_le()), "{what}: {value:?} is above {high:?}");
    }
}

/// Holds everything that a suite makes with a seed against its facts; gives how many values that were, and of how many something was known.
fn hold(path: &Path, seed: &str) -> (usize, usize) {
    let name = path.to_string_lossy().into_owned();
    let compiled = compiler::compile(&name, &Disk::new(&name));
    let (hir, mut plan) = (compiled.hir.expect("a suite"), compiled.plan.expect("no error"));
    let mut seen: Vec<Vec<Vec<Seen>>> = Vec::new();
    for task in &mut plan.tasks {
        let all = shown(task);
        task.expects = all.iter().map(|seen| seen.expect()).collect();
        let mut lists = Vec::new();
        for variant in &mut task.variants {
            let own = variant.steps.iter().map(|name| Seen::Name(*name));
            let both: Vec<Seen> = all.iter().copied().chain(own).collect();
            variant.expects = both.iter().map(|seen| seen.expect()).collect();
            lists.push(both);
        }
        seen.push(if lists.is_empty() { vec![all] } else { lists });
    }
    // Every value is an answer here, and its traps would be computed anew for each kind of dirt.
    let options = Options { samples: Some(2), traps: false, ..Options::new(seed) };
    let generator = Generator::new(&plan, options).expect("a generator");
    let facts: Vec<Facts<'_>> = hir.tasks.iter().map(Facts::new).collect();
    let (mut values, mut known) = (0, 0);
    for index in 0..generator.count_instances() {
        let address = generator.resolve_address(index).expect("in range");
        let instance = generator.generate_instance(address).unwrap_or_else(|error| panic!("{name}: {error}"));
        let facts = &facts[address.task as usize];
        let mut rows = 0;
        for (seen, expected) in seen[address.task as usize][address.variant as usize].iter().zip(&instance.expects) {
            let value = expected.single_value().expect("a value");
            let what = format!("{name}, {}: {seen:?}", instance.id);
            let mut count = |fact: &Fact<'_>| {
                values += 1;
                known += usize::from(fact.range.is_some() || fact.closed.is_some() || fact.domain.is_some());
            };
            match seen {
                Seen::Name(id) => {
                    let fact = facts.lookup_name(*id);
                    count(&fact);
                    allowed(&what, &fact, value);
                }
                Seen::Cells(relation, column) => {
                    let Value::List(cells) = value else { panic!("{what} is no list") };
                    let fact = facts.lookup_column(*relation, *column);
                    for (at, cell) in cells.iter().enumerate() {
                        count(&fact);
                        allowed(&what, &fact, cell);
                        assert!(
                            !fact.unique || !cells[..at].iter().any(|other| other.is_same(cell)),
                            "{what}: {cell:?}"
                        );
                    }
                }
                Seen::Rows(relation) => {
                    let Value::Int(found) = value else { panic!("{what} is no int") };
                    rows = *found;
                    let Bounds { least, most } = facts.count_rows(*relation);
                    assert!((least..=most).contains(&(rows as u64)), "{what}: {rows} rows of {least}..{most}");
                }
                Seen::Filled(relation, column) => {
                    let blank = Value::Int(rows) != *value;
                    assert!(!blank || facts.lookup_column(*relation, *column).nullable, "{what} has nulls");
                }
            }
        }
    }
    (values, known)
}

#[test]
fn every_value_is_one_that_its_fact_allows() {
    let (mut values, mut known) = (0, 0);
    for path in suites() {
        for seed in ["1", "facts", "7c"] {
            let (some, of_them) = hold(&path, seed);
            values += some;
            known += of_them;
        }
    }
    assert!(values > 20_000, "{values}");
    // Facts that know nothing would never be wrong either.
    assert!(known * 10 > values * 7, "something is known of {known} of {values} values");
    println!("{values} values, something known of {known}");
}
