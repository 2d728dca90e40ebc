//! Suites are compiled, and tables of cells replaced by plain ones.

use model::suite::{NameId, RelationId, Task};
use model::{Plan, Val, Value};

use super::*;
use crate::generate::column::Column;
use crate::generate::making::Making;
use crate::generate::table::Table;
use crate::generate::{Address, Generator, Options};

/// The plan of a suite with one task of this body, and these files next to it.
fn compile_plan(body: &str, files: &[(&str, &[u8])]) -> Plan {
    let compiled = testing::keep_errors(testing::compile_with(&testing::build_suite_source("samples 5", body), files));
    assert_eq!(testing::list_places(&compiled), Vec::<String>::new());
    compiled.plan.expect("a plan")
}

/// Calls `see` with the cell of each of the first samples.
fn visit_cells(plan: &Plan, see: impl Fn(&InstanceDraft<'_>, &Task)) {
    let generator = Generator::new(plan, Options::new("7")).expect("a generator");
    let ready = &generator.tasks[0];
    for sample in 0..ready.samples {
        let at = Address { task: 0, cell: 0, variant: 0, sample };
        let (cell, _) =
            ready.make_accepted_cell(&generator.samplers, ".", at, Making::ALONE, |_, _| ()).expect("a cell");
        see(&cell, ready.task);
    }
}

fn find_relation(task: &Task, name: &str) -> RelationId {
    task.relations.iter_enumerated().find(|(_, it)| it.name == name).expect("a relation").0
}

fn find_name(task: &Task, name: &str) -> NameId {
    task.names.iter_enumerated().find(|(_, it)| it.name == name).expect("a name").0
}

fn find_value(cell: &InstanceDraft<'_>, name: &str) -> Value {
    cell.names[find_name(cell.task, name)].clone()
}

fn to_int(value: &Value) -> i64 {
    match value {
        Value::Int(value) => *value,
        other => panic!("{other:?}"),
    }
}

/// The rows of a relation, each as often as `times` says.
fn repeat_rows(cell: &InstanceDraft<'_>, id: RelationId, times: usize) -> Rc<Table> {
    let (table, columns) = (Eval::new(cell).find_table(id).expect("a table"), &cell.task.relations[id].columns);
    let columns = table.columns.iter().zip(columns).map(|(made, column)| {
        let mut other = Column::new(column.cells.value_type, 0);
        for row in (0..table.rows).flat_map(|row| std::iter::repeat_n(row, times)) {
            other.push_value(Val::Own(made.get(row).into_value()));
        }
        other.into()
    });
    Rc::new(Table { rows: table.rows * times, starts: Vec::new(), origins: Vec::new(), columns: columns.collect() })
}

const LOG: &str = r#"
  csv log at "<<n>>.csv" { rows 6  ID : serial  N : int 1..100 }
  csv notes at "notes.csv" { rows 2  A : int 1..9  LOGGED = count(log) }
  n : ref log.N
  m : int 1..9
  total = sum(log.N)
  twice = total * 2 + m
  top = <<rows: SELECT N FROM log ORDER BY N DESC LIMIT 4>>
  reached = coalesce(sum(top.N), 0)
  joined = <<value: SELECT COUNT(*) FROM log JOIN notes ON ID > 0>>
  noted = max(notes.LOGGED)
  prompt "?"
"#;

#[test]
fn what_is_computed_from_a_replaced_relation_is_computed_anew() {
    let plan = compile_plan(&format!("{LOG} expect reply json [twice, reached, joined, noted]"), &[]);
    visit_cells(&plan, |cell, task| {
        let log = find_relation(task, "log");
        let table = repeat_rows(cell, log, 2);
        let needed = Uses::from_computation(task, task.expects[0].answer_expr().expect("an answer"));
        let replaced = [Replaced { relation: log, column: None, table: Rc::clone(&table) }];
        let (other, _) = cell.replace_relations(&replaced, &needed).expect("a cell");
        let int_of = |cell: &InstanceDraft<'_>, name: &str| to_int(&find_value(cell, name));
        assert_eq!(int_of(&other, "total"), 2 * int_of(cell, "total"));
        assert_eq!(int_of(&other, "twice"), 4 * (int_of(cell, "total")) + int_of(cell, "m"));
        assert_eq!((int_of(cell, "joined"), int_of(&other, "joined")), (12, 24));
        // Two rows of each of the two greatest.
        let top = |cell: &InstanceDraft<'_>| match find_value(cell, "top") {
            Value::Rows(set) => set.rows.iter().map(|row| to_int(&row[0])).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let greatest = top(cell);
        assert_eq!(top(&other), [greatest[0], greatest[0], greatest[1], greatest[1]]);
        assert_eq!(int_of(&other, "reached"), 2 * (greatest[0] + greatest[1]));
        // Draws, other tables, and files are as they were.
        for name in ["n", "m", "noted"] {
            assert_eq!(find_value(&other, name), find_value(cell, name));
        }
        assert!(other.files.iter().zip(&cell.files).all(|(a, b)| Rc::ptr_eq(a.as_ref().unwrap(), b.as_ref().unwrap())));
        let notes = find_relation(task, "notes");
        assert!(Rc::ptr_eq(other.tables[notes].as_ref().unwrap(), cell.tables[notes].as_ref().unwrap()));
        // What the answer does not need is not computed again.
        let needed = Uses::from_computation(task, &model::suite::Expr::Name(find_name(task, "twice"))).names.len();
        assert_eq!(needed, 3, "`twice`, `total`, and `m`");
    });
}

#[test]
fn what_is_given_can_be_replaced_too_and_other_cells_see_what_is_given() {
    let body = r#"
      table limits from "limits.csv" { A : int  B : int }
      csv log at "log.csv" { rows 3  N : int 1..9 }
      total = <<value: SELECT SUM(B) FROM limits>>
      all = <<value: SELECT COUNT(*) FROM limits JOIN log ON 1>>
      prompt "?"
      expect reply json [total, all]
    "#;
    let plan = compile_plan(body, &[("limits.csv", b"A,B\n1,10\n2,20\n")]);
    visit_cells(&plan, |cell, task| {
        let expr = task.expects[0].answer_expr().expect("an answer");
        let limits = find_relation(task, "limits");
        let replaced = [Replaced { relation: limits, column: None, table: repeat_rows(cell, limits, 3) }];
        let (other, _) = cell.replace_relations(&replaced, &Uses::from_computation(task, expr)).expect("a cell");
        let answer = |cell: &InstanceDraft<'_>| Eval::new(cell).evaluate(expr).expect("a value").into_value();
        let ints = |values: [i64; 2]| Value::List(values.map(Value::Int).to_vec());
        assert_eq!((answer(cell), answer(&other)), (ints([30, 6]), ints([90, 18])));
    });
}

#[test]
fn traps_are_named_ones_in_source_order_then_misreadings_by_name() {
    let body = format!(
        "{LOG} expect reply number twice trap reached, m, same, none\n same = twice + 0  none = max(log.N where N > 900)"
    );
    let plan = compile_plan(&body, &[]);
    visit_cells(&plan, |cell, task| {
        let (log, notes, expect) = (find_relation(task, "log"), find_relation(task, "notes"), &task.expects[0]);
        let key = answers::evaluate_expect(Eval::new(cell), expect).expect("a key");
        let misreading =
            |name: &str, relation, table| Misreading { name: name.into(), relation, column: None, table: Some(table) };
        let misreadings = [
            misreading("log.repeat", log, repeat_rows(cell, log, 2)),
            misreading("log.N.case", log, repeat_rows(cell, log, 0)),
            misreading("log.as_it_is", log, repeat_rows(cell, log, 1)),
            misreading("notes.repeat", notes, repeat_rows(cell, notes, 2)),
        ];
        let traps = compute_traps(cell, expect, &key, &misreadings);
        let names: Vec<&str> = traps.iter().map(|trap| trap.name.as_str()).collect();
        // `same` is the answer, and so is what a reader gets who reads rightly; `none` is null, and so is the sum of no rows.
        assert_eq!(names, ["reached", "m", "log.repeat"]);
        let total = to_int(&find_value(cell, "total"));
        assert_eq!(traps[2].value, Value::Int(4 * total + to_int(&find_value(cell, "m"))));
    });
}

#[test]
fn a_trap_is_one_of_a_bearable_size_and_in_its_place() {
    let body = r#"
      long = "<<lorem_of>> <<lorem_of>>"
      lorem_of : lorem paragraphs 300
      short : word
      other : word
      prompt "?"
      expect reply json { a: { b: short trap long, other }, c: [short] }
    "#;
    let plan = compile_plan(body, &[]);
    visit_cells(&plan, |cell, task| {
        let expect = &task.expects[0];
        let key = answers::evaluate_expect(Eval::new(cell), expect).expect("a key");
        let traps = compute_traps(cell, expect, &key, &[]);
        let (short, other) = (find_value(cell, "short"), find_value(cell, "other"));
        if short == other {
            assert!(traps.is_empty());
            return;
        }
        assert_eq!(traps, [Trap { name: "other".into(), at: "/a/b".into(), value: other.clone() }]);
        let inner = Value::Object(vec![("b".into(), other)]);
        let wrong = Value::Object(vec![("a".into(), inner), ("c".into(), Value::List(vec![short]))]);
        assert_eq!(key.with_trap(&traps[0]).and_then(|key| key.single_value().cloned()), Some(wrong));
    });
}

/// A table and the file of its rows, and one of another table's rows that looks the same.
const DECOY: &str = r#"
  table staff { rows 20  ID : serial  PAY : int 1..100  TEAM : one_of ["a", "b"] }
  table earlier { rows 10  ID : serial  PAY : int 1..100  YEAR : int 2018..2023 }
  csv list_ at "new.csv" from staff { Id = ID  Pay = PAY }
  csv _old : list_ at "old.csv" from earlier where PAY > 20
  csv _same : list_ at "same.csv" from staff where PAY > 20
  of_both = sum(staff.PAY) + coalesce(sum(earlier.PAY where PAY > 20), 0)
  prompt "?"
"#;

#[test]
fn rows_of_a_file_made_like_another_are_taken_for_rows_of_that_one() {
    let answers = "expect reply json [sum(staff.PAY), count(staff.TEAM)] expect reply number sum(list_.Pay)";
    let plan = compile_plan(&format!("{DECOY} {answers}"), &[]);
    visit_cells(&plan, |cell, task| {
        let keys = AnswerKeys::new(cell, &task.expects, (true, true)).expect("keys");
        let keys: Vec<Expected> =
            task.expects.iter().map(|expect| keys.compute_key(cell, expect).expect("a key")).collect();
        let traps = |at: usize| keys[at].traps.iter().map(|trap| (trap.name.as_str(), &trap.value)).collect::<Vec<_>>();
        let both = find_value(cell, "of_both");
        // The rows of the other table have no team; a file of the same table's rows says nothing new of the table.
        assert_eq!(traps(0), [("_old", &Value::List(vec![both.clone(), Value::Int(20)]))]);
        let twice = sum_of(cell, "list_", "Pay") + sum_of(cell, "_same", "Pay");
        assert_eq!(traps(1), [("_old", &both), ("_same", &Value::Int(twice))]);
    });
}

#[test]
fn rows_of_a_file_like_one_that_is_like_another_are_taken_for_rows_of_the_first() {
    let decoy =
        DECOY.replace("csv _same", "csv _older : _old at \"older.csv\" from earlier where PAY <= 20\n  csv _same");
    let plan =
        compile_plan(&format!("{decoy} expect reply number sum(staff.PAY) expect reply number count(list_)"), &[]);
    visit_cells(&plan, |cell, task| {
        let (earlier, counts) = (sum_of(cell, "earlier", "PAY"), sum_of(cell, "_older", "Pay"));
        assert!(counts > 0 && counts < earlier);
        let keys = AnswerKeys::new(cell, &task.expects, (true, true)).expect("keys");
        let traps = |at: usize| -> Vec<(String, i64)> {
            let key = keys.compute_key(cell, &task.expects[at]).expect("a key");
            key.traps.iter().map(|trap| (trap.name.clone(), to_int(&trap.value))).collect()
        };
        let pay = sum_of(cell, "staff", "PAY");
        assert_eq!(traps(0), [("_old".into(), pay + earlier - counts), ("_older".into(), pay + counts)]);
        assert_eq!(traps(1).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["_old", "_older", "_same"]);
    });
}

#[test]
fn one_dirt_in_a_table_and_in_its_file_is_one_trap() {
    let body = r#"
      table sales { rows 30  ID : serial  AMOUNT : int 1..9 blank 40% }
      csv till at "till.csv" from sales { rows repeat 50%  Id = ID  Amount = AMOUNT as missing ["-"] }
      prompt "?"
      expect reply json [count(sales), count(till), count(sales where AMOUNT == 0), count(till where Amount == 0)]
    "#;
    let plan = compile_plan(body, &[]);
    visit_cells(&plan, |cell, task| {
        let keys = AnswerKeys::new(cell, &task.expects, (true, true)).expect("keys");
        let key = keys.compute_key(cell, &task.expects[0]).expect("a key");
        let names: Vec<&str> = key.traps.iter().map(|trap| trap.name.as_str()).collect();
        assert_eq!(names, ["till.Amount.missing", "till.repeat"]);
        for trap in &key.traps {
            let Value::List(values) = &trap.value else { panic!("{trap:?}") };
            assert!(values[0] == values[1] && values[2] == values[3], "{trap:?}");
        }
    });
}

#[test]
fn rows_are_made_only_for_mistakes_that_can_change_a_value() {
    let suite = |answer: &str| {
        let body = format!(
            r#"
          table staff {{ rows 60  ID : serial  NAME : one_of ["Ann", "Bo"]  PAY : int 1..100 blank 40%  AGE : int 20..60 }}
          csv list_ at "list.csv" from staff {{
            rows repeat 50%
            Id = ID
            Name = NAME as case 50%
            Pay = PAY as missing ["-"]
          }}
          by_name = sum(staff.PAY where NAME == "Bo")
          counted = <<value: SELECT COUNT(*) FROM staff>>
          called = <<value: SELECT COUNT(*) FROM staff WHERE NAME = 'Bo'>>
          all = <<value: SELECT COUNT(*) FROM (SELECT * FROM staff)>>
          prompt "?"
          expect reply number coalesce({answer}, 0)
        "#
        );
        compile_plan(&body, &[])
    };
    let made = |answer: &str| {
        let plan = suite(answer);
        let found = std::cell::RefCell::new(Vec::new());
        visit_cells(&plan, |cell, task| {
            let reads = Reads::from_computations(task, task.expects[0].answer_expr());
            let all = misread::collect_misreadings(cell, &reads, false).expect("misreadings").kept;
            let names = |how: &Misreading| (how.name.clone(), how.table.is_some());
            found.replace(all.iter().map(names).collect());
        });
        found.into_inner()
    };
    let found = |case, missing, repeat| {
        [("list_.Name.case", case), ("list_.Pay.missing", missing), ("list_.repeat", repeat)]
            .map(|(name, made): (&str, bool)| (name.to_owned(), made))
            .to_vec()
    };
    assert_eq!(made("sum(staff.PAY)"), found(false, true, true));
    assert_eq!(made("sum(staff.AGE)"), found(false, false, true));
    assert_eq!(made("by_name"), found(true, true, true));
    assert_eq!(made("sum(staff.PAY where NAME == \"Bo\")"), found(true, true, true));
    assert_eq!(made("count(staff where AGE > 30)"), found(true, true, true));
    assert_eq!(made("sum(list_.Id)"), found(false, false, true));
    // A query reads the columns that it names, or all.
    assert_eq!(made("counted"), found(false, false, true));
    assert_eq!(made("called"), found(true, false, true));
    assert_eq!(made("all"), found(true, true, true));
}

#[test]
fn rows_with_dirt_can_be_left_out_instead() {
    let body = r#"
      table staff { rows 40  ID : serial  NAME : one_of ["Ann", "Bo"]  PAY : int 1..9 blank 40%  ALL : one_of ["x"] }
      csv list_ at "list.csv" from staff {
        rows repeat 50%
        Id = ID
        Name = NAME as case 60%
        Pay = PAY as missing ["-"]
        All = ALL as case 100%
      }
      prompt "?"
      expect reply number count(staff where PAY == 0)
      expect reply number count(staff where NAME == "Bo")
      expect reply number 400 / count(staff where ALL == "x")
      expect reply number count(staff where ALL == "x")
    "#;
    let plan = compile_plan(body, &[]);
    visit_cells(&plan, |cell, task| {
        let keys = AnswerKeys::new(cell, &task.expects, (true, true)).expect("keys");
        let names = |traps: Vec<Trap>| traps.into_iter().map(|trap| (trap.name, trap.value)).collect::<Vec<_>>();
        let is_in = |all: &[(String, Value)], name: &str| all.iter().any(|(own, _)| own == name);
        let made: Vec<Expected> =
            task.expects.iter().map(|expect| keys.compute_key(cell, expect).expect("a key")).collect();
        let dropped = task.expects.iter().zip(&made).map(|own| names(keys.compute_dropped(cell, own, &made)));
        let dropped: Vec<_> = dropped.collect();
        // What no key has as a trap is not computed.
        let alone = (&task.expects[2], &made[2]);
        assert!(!is_in(&names(keys.compute_dropped(cell, alone, &made[2..3])), "list_.All.case"));
        let kept: Vec<_> = made.into_iter().map(|key| names(key.traps)).collect();
        // A mark that is taken for 0 counts; a row that is left out does not, and was not 0 before.
        assert!(is_in(&kept[0], "list_.Pay.missing") && !is_in(&dropped[0], "list_.Pay.missing"), "{dropped:?}");
        assert!(is_in(&kept[1], "list_.Name.case") && is_in(&dropped[1], "list_.Name.case"), "{dropped:?}");
        assert!(is_in(&kept[1], "list_.repeat") && is_in(&dropped[1], "list_.repeat"), "{dropped:?}");
        // Without rows, there is nothing to divide by.
        assert!(dropped[2].contains(&("list_.All.case".to_owned(), Value::Null)), "{dropped:?}");
        // Who does not ask is not told.
        let keys = AnswerKeys::new(cell, &task.expects, (true, false)).expect("keys");
        let key = keys.compute_key(cell, &task.expects[1]).expect("a key");
        let asked = (&task.expects[1], &key);
        assert!(keys.compute_dropped(cell, asked, std::slice::from_ref(&key)).is_empty());
    });
}

/// The sum of the ints of a column that is seen.
fn sum_of(cell: &InstanceDraft<'_>, name: &str, column: &str) -> i64 {
    let id = find_relation(cell.task, name);
    let columns = &cell.task.relations[id].columns;
    let (at, _) = columns.iter_enumerated().rfind(|(_, it)| it.name == column).expect("a column");
    let table = Eval::new(cell).find_table(id).expect("a table");
    (0..table.rows).map(|row| to_int(&table.columns[at].get(row).into_value())).sum()
}
