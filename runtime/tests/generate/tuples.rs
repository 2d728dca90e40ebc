//! Rows that differ in several columns together, over random sizes.

use std::collections::BTreeSet;

use model::suite::*;
use model::{Domain, ValueType};
use proptest::prelude::*;

use crate::generate_support::*;

fn unique_over(columns: &[u32]) -> Constraint {
    Constraint { kind: ConstraintKind::Unique, columns: columns.iter().copied().map(ColumnId).collect(), span: span() }
}

/// `rows` rows of `A : int 1..a`, `B : int 1..b`, together unique.
fn pairs(a: i64, b: i64, rows: i64, sorted: bool) -> Suite {
    let mut suite = Suite::new();
    let (first, second) = (suite.domain(ints(a)), suite.domain(ints(b)));
    let first = Draw { sorted, ..draw(first) };
    let columns = vec![column("A", ValueType::Int, first), column("B", ValueType::Int, draw(second))];
    let (_, relation) = suite.csv("d", (rows, rows), columns);
    suite.task().relations[relation].constraints = vec![unique_over(&[1, 0])];
    suite
}

fn ints(high: i64) -> Domain {
    Domain::Int { low: 1, high, step: 1 }
}

fn lines(suite: &Suite) -> Result<Vec<String>, String> {
    let instance = suite.instance().map_err(|failure| failure.message)?;
    let text = String::from_utf8(instance.files[0].bytes.to_vec()).unwrap();
    Ok(text.lines().skip(1).map(str::to_owned).collect())
}

proptest! {
    /// No pair comes twice; more rows go on where fewer end; and where nothing is left, that is said of a row that cannot be made.
    #[test]
    fn no_pair_comes_twice(a in 1i64..6, b in 1i64..12, rows in 1i64..30, sorted: bool) {
        match lines(&pairs(a, b, rows, sorted)) {
            Ok(made) => {
                prop_assert_eq!(made.len() as i64, rows);
                prop_assert_eq!(made.iter().collect::<BTreeSet<_>>().len() as i64, rows);
                if !sorted {
                    let shorter = lines(&pairs(a, b, rows - 1, sorted)).unwrap();
                    prop_assert_eq!(&shorter[..], &made[..shorter.len()]);
                }
            }
            Err(message) => {
                // A column that is sorted is drawn first; else each pair is left until it is drawn.
                prop_assert!(rows > if sorted { b } else { a * b }, "{}", message);
                prop_assert!(message.contains("has no value left") && message.contains("(B, A)"), "{}", message);
            }
        }
    }

    /// Cells that are taken together stand in one row of the parent, and `unique` takes each pair once.
    #[test]
    fn cells_of_one_row_stay_together(parents in 1i64..20, rows in 1i64..25, once: bool, blank in prop::sample::select(vec![0u32, 400_000])) {
        let mut suite = Suite::new();
        let (number, half) = (suite.domain(ints(9)), suite.domain(ints(3)));
        let with_nulls = Draw { blank_per_million: 300_000, ..draw(half) };
        let (_, parent) = suite.csv(
            "p",
            (parents, parents),
            vec![column("A", ValueType::Int, draw(number)), column("B", ValueType::Int, with_nulls)],
        );
        let take = |at: u32| {
            let to = DomainExpr::Ref { relation: parent, column: ColumnId(at), together: vec![ColumnId(0), ColumnId(1)], filter: None };
            let draw = Draw { unique: once, blank_per_million: blank, ..draw(to) };
            let name = ["X", "Y"][at as usize];
            let source = ColumnSource::Draw { draw: draw.clone(), group: "X".into(), place: at, of: 1 };
            let column = column(name, ValueType::Int, draw);
            Column { cells: Cells { unique: false, ..column.cells }, source, ..column }
        };
        let (_, child) = suite.csv("c", (rows, rows), vec![take(0), take(1)]);
        if once {
            suite.task().relations[child].constraints = vec![unique_over(&[0, 1])];
        }
        let Ok(instance) = suite.instance() else {
            // No parent without a null, or fewer different ones than rows.
            return Ok(());
        };
        let text = |at: usize| String::from_utf8(instance.files[at].bytes.to_vec()).unwrap();
        let (above, below) = (text(0), text(1));
        let known: BTreeSet<&str> = above.lines().skip(1).filter(|line| !line.ends_with(',')).collect();
        let taken: Vec<&str> = below.lines().skip(1).filter(|line| *line != ",").collect();
        prop_assert!(taken.iter().all(|pair| known.contains(pair)), "{:?} of {:?}", taken, known);
        if once {
            prop_assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), taken.len());
        }
    }
}
