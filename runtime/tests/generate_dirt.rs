//! Files that are written from rows of a table: clean rows, dirty cells, and what is read back.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::generate_support::*;
use model::suite::*;
use model::text_style::TextStyle;
use model::{Domain, Value, ValueType};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use runtime::failure::FailureKind;
use runtime::generate::{Address, Instance};

const FIRST: Address = Address { task: 0, cell: 0, variant: 0, sample: 0 };

/// The table that files are written from: ID, NAME, PAY, DAY, BOSS (which may be null), CITY.
fn staff(suite: &mut Suite, rows: i64) -> RelationId {
    let key = serial(suite, "ID");
    let name = suite.domain(person());
    let pay = suite.domain(Domain::Decimal { low: d("-50.00"), high: d("9999.99"), step: d("0.01"), places: 2 });
    let day = suite.domain(Domain::Date {
        low: model::Date::new(2019, 11, 1).unwrap(),
        high: model::Date::new(2021, 3, 28).unwrap(),
        step: 1,
    });
    let boss = suite.domain(words(&["Ann Lee", "Bo", "Cy d'Or"]));
    let city = suite.domain(words(&["Kiel", "Oslo", "Sankt Peter"]));
    let columns = vec![
        key,
        column("NAME", ValueType::Text, draw(name)),
        column("PAY", ValueType::Decimal(2), draw(pay)),
        column("DAY", ValueType::Date, draw(day)),
        column("BOSS", ValueType::Text, Draw { blank_per_million: 400_000, ..draw(boss) }),
        column("CITY", ValueType::Text, draw(city)),
    ];
    suite.relation("staff", (rows, rows), columns)
}

const HIDDEN: u32 = 6;

/// A relation of the rows of another one: its columns, then these.
fn taken(suite: &mut Suite, name: &str, from: RelationId, filter: Option<Expr>, own: Vec<Column>) -> RelationId {
    let hidden = suite.task().relations[from].columns.clone();
    let hidden = hidden.iter_enumerated().map(|(id, column)| Column {
        helper: true,
        source: ColumnSource::Taken(id),
        cells: Cells { primary_key: false, ..column.cells },
        ..column.clone()
    });
    let columns: Vec<Column> = hidden.chain(own).collect();
    let relation = suite.relation(name, (0, 0), columns);
    suite.task().relations[relation].rows = Rows::Taken { from, filter };
    relation
}

/// All columns as they are.
fn as_they_are() -> Vec<Column> {
    let types = [
        ("ID", ValueType::Int),
        ("NAME", ValueType::Text),
        ("PAY", ValueType::Decimal(2)),
        ("DAY", ValueType::Date),
        ("BOSS", ValueType::Text),
        ("CITY", ValueType::Text),
    ];
    let column = |(at, (name, ty)): (u32, &(&str, ValueType))| {
        let column = computed(name, *ty, col(at));
        Column { cells: Cells { nullable: *name == "BOSS", ..column.cells }, ..column }
    };
    (0..).zip(&types).map(column).collect()
}

fn own(at: u32) -> ColumnId {
    ColumnId(HIDDEN + at)
}

/// What the cells of a column get.
fn styled(at: u32, styles: Vec<Style>) -> Styled {
    Styled { column: own(at), styles }
}

fn written(pattern: &str, share: Option<i64>) -> Style {
    Style::Written { pattern: pattern.into(), times: None, share: share.map(int) }
}

fn missing(marks: &[&str]) -> Style {
    Style::Missing(marks.iter().map(|mark| mark.to_string()).collect())
}

/// A suite with one file of the staff, written so.
fn suite_of(form: Form, filter: Option<Expr>, by: Option<OrderBy>) -> (Suite, FileId) {
    let mut suite = Suite::new();
    let staff = staff(&mut suite, 40);
    let relation = taken(&mut suite, "list", staff, filter, as_they_are());
    suite.task().relations[relation].by = by;
    let file = suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
    (suite, file)
}

fn form() -> Form {
    Form::from_delimiter(',')
}

fn text_of(instance: &Instance) -> String {
    String::from_utf8(instance.files[0].bytes.to_vec()).unwrap()
}

fn lines_of(form: Form) -> Vec<String> {
    let (suite, _) = suite_of(form, None, None);
    text_of(&suite.instance().unwrap()).lines().map(str::to_owned).collect()
}

/// The cells of a file without quotes in it, by ID.
fn cells(form: Form, filter: Option<Expr>, by: Option<OrderBy>) -> BTreeMap<String, Vec<String>> {
    let (suite, _) = suite_of(Form { delimiter: '|', ..form }, filter, by);
    let text = text_of(&suite.instance().unwrap());
    let rows = text.lines().skip(1).map(|line| line.split('|').map(str::to_owned).collect::<Vec<_>>());
    rows.map(|cells| (cells[0].clone(), cells)).collect()
}

#[test]
fn a_file_has_the_rows_of_another_table() {
    let (suite, file) = suite_of(form(), Some(binary(col(2), Op::Gt, dec("5000.00"))), None);
    let look = suite.generator().inspect_instance(FIRST, usize::MAX, &[]).unwrap();
    let (staff, list) = (&look.relations[RelationId(0)], &look.relations[RelationId(1)]);
    let rows: Vec<usize> = (0..40)
        .filter(|row| staff.columns[ColumnId(2)][*row].compare_with(&Value::Decimal(d("5000.00"))).unwrap().is_gt())
        .collect();
    assert!(rows.len() > 5 && rows.len() < 35);
    for at in 0..HIDDEN {
        let taken: Vec<&Value> = rows.iter().map(|row| &staff.columns[ColumnId(at)][*row]).collect();
        assert_eq!(list.columns[own(at)].iter().collect::<Vec<_>>(), taken);
    }
    // In the file are its own columns alone.
    let text = text_of(&suite.instance().unwrap());
    assert_eq!(text.lines().next(), Some("ID,NAME,PAY,DAY,BOSS,CITY"));
    assert_eq!(text.lines().count(), rows.len() + 1);
    // And its reader reads them.
    let read = suite.generator().read_back_file(FIRST, file).unwrap();
    for at in 0..HIDDEN {
        assert_eq!(read.columns[own(at)], list.columns[own(at)]);
    }
}

#[test]
fn neither_a_filter_nor_an_order_changes_a_drawn_cell() {
    let drawn = |filter: Option<Expr>, by: Option<OrderBy>, bounds: (Expr, Expr)| {
        let mut suite = Suite::new();
        let staff = staff(&mut suite, 40);
        let noise = suite.domain(ints(0, 1_000_000));
        let of_row = DomainExpr::Range { value_type: ValueType::Int, low: bounds.0, high: bounds.1, step: None };
        let blank = |domain| Draw { blank_per_million: 300_000, ..draw(domain) };
        let own = vec![
            computed("ID", ValueType::Int, col(0)),
            column("NOISE", ValueType::Int, blank(noise.clone())),
            column("CODE", ValueType::Int, unique(noise)),
            column("LESS", ValueType::Int, blank(of_row)),
        ];
        let list = taken(&mut suite, "list", staff, filter, own);
        suite.task().relations[list].by = by;
        let look = suite.generator().inspect_instance(FIRST, usize::MAX, &[]).unwrap();
        let table = &look.relations[list];
        let row = |row: usize| (0..4).map(|at| table.columns[self::own(at)][row].clone()).collect::<Vec<_>>();
        (0..table.rows).map(row).collect::<Vec<_>>()
    };
    let bounds = || (int(0), binary(col(0), Op::Mul, int(1000)));
    let all = drawn(None, None, bounds());
    let some = drawn(Some(binary(col(0), Op::Gt, int(13))), None, bounds());
    assert_eq!(some, all[13..]);
    let by = OrderBy { column: own(1), descending: true };
    let mut ordered = drawn(None, Some(by), bounds());
    assert_ne!(ordered, all);
    let nulls = ordered.iter().position(|row| row[1].is_null()).unwrap();
    assert!(ordered[nulls..].iter().all(|row| row[1].is_null()), "nulls are last where the greatest is first");
    assert!(ordered[..nulls].windows(2).all(|pair| pair[0][1].compare_with(&pair[1][1]).unwrap().is_ge()));
    ordered.sort_by(|a, b| a[0].compare_with(&b[0]).unwrap());
    assert_eq!(ordered, all);
}

#[test]
fn bytes_of_a_file_of_each_kind_of_dirt() {
    let of = |form: Form| {
        let mut suite = Suite::new();
        let staff = staff(&mut suite, 8);
        let relation = taken(&mut suite, "list", staff, None, as_they_are());
        suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
        text_of(&suite.instance().unwrap())
    };
    let with = |at: u32, style: Style| Form { styled: vec![styled(at, vec![style])], ..form() };
    let all = [
        ("plain", form()),
        ("case", with(1, Style::Text(TextStyle::Case, int(100)))),
        ("space", with(5, Style::Text(TextStyle::Space, int(100)))),
        ("written", with(2, written("#.##0,00 €", None))),
        ("days", with(3, written("d. MMMM yyyy", Some(50)))),
        ("missing", with(4, missing(&["-", "n/a"]))),
        ("repeat", Form { repeat: Some(int(60)), ..form() }),
        (
            "around",
            Form { above: Some(text("Staff\n")), below: Some(text("\nSource: HR")), crlf: true, bom: true, ..form() },
        ),
    ];
    let mut shown = String::new();
    for (name, form) in all {
        shown.push_str(&format!("── {name}\n{}", of(form).replace('\r', "␍").replace('\u{feff}', "<bom>")));
    }
    insta::assert_snapshot!("dirt", shown);
}

#[test]
fn what_is_added_changes_no_other_dirt_and_no_clean_value() {
    let base = || vec![styled(1, vec![Style::Text(TextStyle::Case, int(30))]), styled(4, vec![missing(&["-", "n/a"])])];
    let plain = cells(Form { styled: base(), ..form() }, None, None);
    let more = vec![
        styled(1, vec![Style::Text(TextStyle::Case, int(30)), Style::Text(TextStyle::Space, int(40))]),
        styled(2, vec![written("0.00 EUR", Some(50))]),
        styled(4, vec![missing(&["-", "n/a"])]),
    ];
    let styled_more = cells(Form { styled: more, ..form() }, None, None);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (id, row) in &plain {
        let other = &styled_more[id];
        assert_eq!((&row[0], &row[3], &row[4], &row[5]), (&other[0], &other[3], &other[4], &other[5]));
        assert_eq!(squeezed(&row[1]), squeezed(&other[1]), "the case of its letters is the same");
        assert_eq!(row[2], other[2].trim_end_matches(" EUR"));
    }
    assert!(plain.iter().any(|(id, row)| row[2] != styled_more[id][2]));
    // With fewer rows and in another order, each has the same dirt.
    let filter = Some(binary(col(0), Op::Gt, int(7)));
    let fewer = cells(Form { styled: base(), ..form() }, filter, Some(OrderBy { column: own(3), descending: false }));
    assert_eq!(fewer.len(), 33);
    assert!(fewer.iter().all(|(id, row)| plain[id] == *row));
    // Rows that are there twice: without them, the file is as before.
    let mut repeated = lines_of(Form { styled: base(), repeat: Some(int(30)), ..form() });
    let once = lines_of(Form { styled: base(), ..form() });
    assert!(repeated.len() > once.len());
    let mut left = once.iter().peekable();
    repeated.retain(|line| left.next_if(|next| *next == line).is_none());
    assert_eq!(left.next(), None, "the first rows are there in their order");
    let ids: BTreeSet<&str> = repeated.iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ids.len(), repeated.len(), "a row is there once more, not more often");
}

#[test]
fn more_dirt_keeps_dirty_cells_dirty() {
    let clean = cells(form(), None, None);
    let mut before: BTreeSet<String> = BTreeSet::new();
    for share in [0, 1, 10, 35, 70, 99, 100] {
        let styles = vec![styled(1, vec![Style::Text(TextStyle::Case, int(share))])];
        let dirty = cells(Form { styled: styles, ..form() }, None, None);
        let now: BTreeSet<String> =
            dirty.iter().filter(|(id, row)| clean[*id] != **row).map(|(id, _)| id.clone()).collect();
        assert!(now.is_superset(&before), "{share}%");
        assert!(now.iter().all(|id| dirty[id][1].eq_ignore_ascii_case(&clean[id][1])));
        assert!(!before.iter().any(|id| clean[id][1] == dirty[id][1]));
        before = now;
    }
    assert_eq!(before.len(), clean.len());
}

#[test]
fn a_file_for_each_value() {
    let mut suite = Suite::new();
    let staff = staff(&mut suite, 60);
    let relation = taken(&mut suite, "list", staff, None, as_they_are());
    let form = Form { above: Some(Expr::Concat(vec![text("City: "), col(5)])), ..form() };
    let path = Expr::Concat(vec![text("lake/"), col(5), text(".csv")]);
    let file = suite.file("list", path, FileContent::Delimited { form, relation });
    suite.task().files[file].split = true;
    let instance = suite.instance().unwrap();
    let paths: Vec<&str> = instance.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["lake/Kiel.csv", "lake/Oslo.csv", "lake/Sankt Peter.csv"]);
    let mut rows = 0;
    for file in instance.files.iter() {
        let text = String::from_utf8(file.bytes.to_vec()).unwrap();
        let city = file.path.trim_start_matches("lake/").trim_end_matches(".csv");
        assert!(text.starts_with(&format!("City: {city},,,,,\n")), "{text}");
        assert!(text.lines().skip(2).all(|line| line.ends_with(city)));
        rows += text.lines().count() - 2;
    }
    assert_eq!(rows, 60);
    assert_eq!(suite.generator().read_back_file(FIRST, file).unwrap().rows, 60);
    // Of no rows there is no file.
    suite.task().relations[relation].rows =
        Rows::Taken { from: staff, filter: Some(binary(col(0), Op::Gt, int(1000))) };
    assert!(suite.instance().unwrap().files.is_empty());
}

/// A suite with a file for each of the staff, in which some cells are dirty; `note` is in each.
fn a_file_each(note: Option<Expr>) -> Suite {
    let mut suite = Suite::new();
    let staff = staff(&mut suite, 300);
    let mut columns = as_they_are();
    let own = note.is_some().then(|| styled(columns.len() as u32, vec![missing(&["gone"])]));
    columns.extend(note.map(|note| computed("NOTE", ValueType::Text, note)));
    let relation = taken(&mut suite, "list", staff, None, columns);
    let mut styles = vec![
        styled(1, vec![Style::Text(TextStyle::Case, int(40)), Style::Text(TextStyle::Space, int(40))]),
        styled(4, vec![missing(&["-"])]),
    ];
    styles.extend(own);
    let form = Form { styled: styles, repeat: Some(int(30)), ..form() };
    let path = Expr::Concat(vec![text("lake/"), col(0), text(".csv")]);
    let file = suite.file("list", path, FileContent::Delimited { form, relation });
    suite.task().files[file].split = true;
    suite
}

#[test]
fn the_number_of_threads_changes_neither_files_nor_failures() {
    let by = |suite: &Suite, threads: usize| suite.generator().generate_with_threads(FIRST, threads);
    let suite = a_file_each(None);
    let one = by(&suite, 1).unwrap();
    assert_eq!(one.files.len(), 300);
    for threads in [2, 3, 16, 1000] {
        assert_eq!(by(&suite, threads).unwrap(), one, "{threads}");
    }
    // A mark of null is not a text; the files are in byte order of their paths.
    let lossy = Expr::If(Box::new((binary(col(0), Op::Ge, int(20)), text("gone"), text("y"))));
    let suite = a_file_each(Some(lossy));
    let one = by(&suite, 1).unwrap_err();
    assert!(one.message.contains("row 100 of `list` in \"lake/100.csv\""), "{one}");
    for _ in 0..20 {
        assert_eq!(by(&suite, 4).unwrap_err(), one);
    }
}

#[test]
fn two_groups_are_not_one_file() {
    let with = |path: Expr| {
        let mut suite = Suite::new();
        let staff = staff(&mut suite, 60);
        let relation = taken(&mut suite, "list", staff, None, as_they_are());
        let file = suite.file("list", path, FileContent::Delimited { form: form(), relation });
        suite.task().files[file].split = true;
        suite.instance().map(|instance| instance.files.len())
    };
    // `1` and `11`, `11` and `1`.
    let touching = with(Expr::Concat(vec![col(0), col(0), text(".csv")]));
    assert_eq!(touching.unwrap(), 60);
    let half =
        |first: &str, second: &str| Expr::If(Box::new((binary(col(0), Op::Lt, int(30)), text(first), text(second))));
    let failure = with(Expr::Concat(vec![half("a", "ab"), half("bc", "c"), text(".csv")])).unwrap_err();
    assert_eq!(failure.kind, FailureKind::PathAtBuild, "{failure}");
    let failure = with(Expr::Concat(vec![col(4), text(".csv")])).unwrap_err();
    assert_eq!(failure.kind, FailureKind::PathAtBuild, "{failure}");
}

#[test]
fn a_path_is_told_by_its_parts() {
    let with = |path: Vec<Expr>, written: bool| {
        let mut suite = Suite::new();
        let staff = staff(&mut suite, 60);
        let columns = if written { as_they_are() } else { vec![computed("PAY", ValueType::Text, text("x"))] };
        let relation = taken(&mut suite, "list", staff, None, columns);
        let file = suite.file("list", Expr::Concat(path), FileContent::Delimited { form: form(), relation });
        suite.task().files[file].split = true;
        suite.instance().map(|instance| instance.files.len())
    };
    let half =
        |first: &str, second: &str| Expr::If(Box::new((binary(col(0), Op::Lt, int(30)), text(first), text(second))));
    let dashed = |written| with(vec![half("x", "w"), text("-"), half("y-z", "a"), text(".csv")], written);
    let failure = dashed(false).unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
    assert!(failure.message.contains("\"x-y-z.csv\""), "{failure}");
    // Who reads the file knows the number that both are made of.
    assert_eq!(dashed(true).unwrap(), 2);
    assert_eq!(with(vec![half("x", "x-y"), text("/"), half("y-z", "a"), text(".csv")], false).unwrap(), 2);
    let number =
        |first: i64, second: i64| Expr::If(Box::new((binary(col(0), Op::Lt, int(30)), int(first), int(second))));
    let failure = with(vec![number(1, 11), number(12, 3), text(".csv")], false).unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
    assert_eq!(with(vec![number(1, 11), half("-x", "-y"), text(".csv")], false).unwrap(), 2);
}

#[test]
fn a_text_that_a_pattern_takes_is_no_matter_of_blanks() {
    let mut suite = Suite::new();
    let key = serial(&mut suite, "ID");
    let name = suite.domain(words(&["x?"]));
    let relation = suite.relation("list", (20, 20), vec![key, column("A", ValueType::Text, draw(name))]);
    let style = Style::Written { pattern: "@?".into(), times: None, share: Some(int(40)) };
    let styled = Styled { column: ColumnId(1), styles: vec![style] };
    let form = Form { styled: vec![styled], ..form() };
    suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
    let failure = suite.instance().expect_err("it is read as another");
    assert!(failure.message.contains("\"x?\", but is read as \"x\""), "{failure}");
    assert!(failure.help.as_deref().is_some_and(|help| !help.contains("trim")), "{failure}");
}

#[test]
fn what_cannot_be_read_back_is_not_written() {
    let refused = |form: Form, column: Option<Column>| {
        let mut suite = Suite::new();
        let staff = staff(&mut suite, 40);
        let mut columns = as_they_are();
        columns.extend(column);
        let relation = taken(&mut suite, "list", staff, None, columns);
        suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
        let failure = suite.instance().expect_err("something is lost");
        assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
        assert!(failure.help.is_some() && failure.span.is_some());
        failure.message
    };
    let with = |at: u32, style: Style| Form { styled: vec![styled(at, vec![style])], ..form() };
    let mark = refused(with(4, missing(&["Bo"])), None);
    assert!(mark.contains("`BOSS`") && mark.contains("\"Bo\"") && mark.contains("null"), "{mark}");
    let lacks = Form { encoding: "iso-8859-1".into(), ..form() };
    let lacks = refused(lacks, Some(computed("NOTE", ValueType::Text, text("5 €"))));
    assert!(lacks.contains('€') && lacks.contains("iso-8859-1"), "{lacks}");
    let below = refused(Form { below: Some(text("1")), ..form() }, None);
    assert!(below.contains("row 1 of `list`"), "{below}");
    let share = |share: i64| {
        let (suite, _) = suite_of(Form { repeat: Some(int(share)), ..form() }, None, None);
        suite.instance().expect_err("a share beyond 100%").kind
    };
    assert_eq!((share(101), share(-1)), (FailureKind::FailedComputation, FailureKind::FailedComputation));
}

#[test]
fn values_that_differ_in_what_is_written_otherwise_are_told() {
    let with = |values: &[&str], style: Style| {
        let mut suite = Suite::new();
        let key = serial(&mut suite, "ID");
        let name = suite.domain(words(values));
        let columns = vec![key, column("NAME", ValueType::Text, draw(name))];
        let relation = suite.relation("list", (60, 60), columns);
        let styled = Styled { column: ColumnId(1), styles: vec![style] };
        let form = Form { styled: vec![styled], ..form() };
        suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
        suite.instance().map(|_| ())
    };
    let failure = with(&["aB", "Ab", "c"], Style::Text(TextStyle::Case, int(20))).expect_err("two values are one");
    assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
    let said = failure.to_string();
    assert!(said.contains("\"aB\"") && said.contains("\"Ab\"") && said.contains("`NAME`"), "{said}");
    let failure = with(&["a b", "a  b"], Style::Text(TextStyle::Space, int(20))).expect_err("two values are one");
    assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
    with(&["a b", "a  b"], Style::Text(TextStyle::Case, int(20))).expect("blanks are as they are");
    with(&["aB", "Ab"], Style::Text(TextStyle::Space, int(20))).expect("letters are as they are");
}

#[test]
fn a_reader_answers_with_the_letters_of_the_file() {
    let mut suite = Suite::new();
    let key = serial(&mut suite, "ID");
    let name = suite.domain(words(&["Anna Lee", "Bo Diddley", "Cy d'Or"]));
    let relation = suite.relation("list", (30, 30), vec![key, column("NAME", ValueType::Text, draw(name))]);
    let styled = Styled { column: ColumnId(1), styles: vec![Style::Text(TextStyle::Case, int(100))] };
    let form = Form { styled: vec![styled], ..form() };
    suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
    let max = call("max", vec![of(relation, 1)]);
    let shouted = Expr::Concat(vec![max.clone(), text("!")]);
    for answer in [max, shouted] {
        suite.task().expects.clear();
        suite.expect(Matcher::Text, answer);
        let clean = suite.instance().expect("an instance").expects;
        let believed = |prompts: &[&str]| {
            let believed = suite.generator().compute_believed(FIRST, prompts).expect("a reader").expect("it reads");
            believed.key.expect("a key").expects
        };
        let shown =
            |expects: &[model::answer_key::Expected]| expects[0].single_value().unwrap().render_text().into_owned();
        let (clean, read) = (shown(&clean), shown(&believed(&[])));
        assert_ne!(clean, read);
        assert_eq!(clean.to_lowercase(), read.to_lowercase());
        // Who is told the names knows their letters.
        assert_eq!(clean, shown(&believed(&["Anna Lee, Bo Diddley, or Cy d'Or?"])));
    }
}

#[test]
fn rows_that_are_there_twice_must_differ() {
    let mut suite = Suite::new();
    let staff = staff(&mut suite, 40);
    let relation = taken(&mut suite, "list", staff, None, vec![computed("CITY", ValueType::Text, col(5))]);
    let form = Form { repeat: Some(int(10)), ..form() };
    suite.file("list", text("list.csv"), FileContent::Delimited { form, relation });
    let failure = suite.instance().expect_err("cities are there more than once");
    assert_eq!(failure.kind, FailureKind::NotRecoverable, "{failure}");
}

#[test]
fn lines_of_texts_are_dirty_too() {
    let mut suite = Suite::new();
    let staff = staff(&mut suite, 30);
    let relation = taken(&mut suite, "log", staff, None, as_they_are());
    let line = Expr::Concat(vec![
        text("["),
        Expr::Column(own(3)),
        text("] "),
        Expr::Column(own(2)),
        text(" by "),
        Expr::Column(own(4)),
    ]);
    let styles = vec![
        styled(2, vec![written("#,##0.00", None)]),
        styled(3, vec![written("dd.MM.yyyy", Some(50))]),
        styled(4, vec![missing(&["nobody"])]),
    ];
    let form = Form {
        styled: styles,
        encoding: "utf-16le".into(),
        bom: true,
        above: Some(text("Log")),
        ..Form::from_delimiter(',')
    };
    let content = FileContent::TextLines { relation, line, form: Some(Box::new(form)) };
    let file = suite.file("log", text("log.txt"), content);
    let lines = suite.value(call("file_line_count", vec![Arg::File(file)])).unwrap();
    assert_eq!(lines, Value::Int(31));
    let first = suite.value(call("file_line", vec![Arg::File(file), Arg::Value(int(1))])).unwrap();
    assert_eq!(first, Value::from_text("Log"), "as written, decoded");
    let bytes = suite.instance().unwrap().files[0].bytes.to_vec();
    assert_eq!(bytes[..4], [0xff, 0xfe, b'L', 0]);
    let (look, read) = (
        suite.generator().inspect_instance(FIRST, 99, &[]).unwrap(),
        suite.generator().read_back_file(FIRST, file).unwrap(),
    );
    for at in [2, 3, 4] {
        assert_eq!(read.columns[own(at)], look.relations[relation].columns[own(at)]);
    }
}

#[test]
fn dirt_that_nobody_cleaned_is_a_trap() {
    let styles = vec![styled(5, vec![Style::Text(TextStyle::Case, int(100))]), styled(4, vec![missing(&["-"])])];
    let (mut suite, _) = suite_of(Form { styled: styles, repeat: Some(int(100)), ..form() }, None, None);
    let count = |filter: Expr| call("count", vec![Arg::Relation { relation: RelationId(0), filter: Some(filter) }]);
    suite.expect(Matcher::Number, count(binary(col(5), Op::Eq, text("Kiel"))));
    suite.expect(Matcher::Number, count(binary(col(4), Op::Ne, text("Bo"))));
    let instance = suite.instance().unwrap();
    let trapped = |at: usize| -> BTreeMap<&str, Value> {
        instance.expects[at].traps.iter().map(|trap| (trap.name.as_str(), trap.value.clone())).collect()
    };
    let answer = |at: usize| match instance.expects[at].single_value() {
        Some(Value::Int(value)) => *value,
        other => panic!("{other:?}"),
    };
    let (cities, bosses) = (trapped(0), trapped(1));
    assert_eq!(cities.keys().collect::<Vec<_>>(), [&"list.CITY.case", &"list.repeat"]);
    assert_eq!(cities["list.CITY.case"], Value::Int(0), "none is written `Kiel`");
    assert_eq!(cities["list.repeat"], Value::Int(2 * answer(0)), "every row is there twice");
    assert_eq!(bosses.keys().collect::<Vec<_>>(), [&"list.BOSS.missing", &"list.repeat"]);
    let (look, staff) = (suite.generator().inspect_instance(FIRST, 99, &[]).unwrap(), RelationId(0));
    let nulls = look.relations[staff].columns[ColumnId(4)].iter().filter(|value| value.is_null()).count() as i64;
    assert_eq!(bosses["list.BOSS.missing"], Value::Int(answer(1) + nulls), "a mark is taken for a name");
}

/// Any form of the six columns.
fn forms() -> impl Strategy<Value = Form> {
    let share = 0i64..=100;
    let text_styles = (prop::option::of(share.clone()), prop::option::of(share.clone()), any::<bool>());
    let numbers = prop::sample::subsequence(vec!["#,##0.00", "0.00 EUR", "$0.00", "#.##0,00", "0,00"], 0..3);
    let days = prop::sample::subsequence(vec!["d. MMMM yyyy", "dd.MM.yyyy", "M/d/yyyy", "EEE, d MMM yyyy"], 0..3);
    let marks = prop::sample::subsequence(vec!["-", "n/a", "", "Bo"], 0..4);
    let encoding = prop::sample::select(vec!["utf-8", "utf-16be", "windows-1252", "iso-8859-15"]);
    let around = prop::option::of(prop::sample::select(vec!["Title", "Title\n", "\nSource", "9", "End"]));
    let delimiter = prop::sample::select(vec![',', ';', '\t', '|', ' ']);
    let look = (delimiter, any::<bool>(), any::<bool>(), 0u8..=1, encoding, around.clone(), around);
    (text_styles, numbers, days, marks, look, prop::option::of(share)).prop_map(
        |(
            (case, space, rule),
            numbers,
            days,
            marks,
            (delimiter, quoted, crlf, header, encoding, above, below),
            repeat,
        )| {
            let mut names = Vec::new();
            names.extend(case.map(|share| Style::Text(TextStyle::Case, int(share))));
            names.extend(space.map(|share| Style::Text(TextStyle::Space, int(share))));
            names.extend(rule.then(|| written("<@>", None)));
            let shared = |patterns: Vec<&str>| -> Vec<Style> {
                patterns.into_iter().enumerate().map(|(at, pattern)| written(pattern, (at > 0).then_some(40))).collect()
            };
            let bosses = if marks.is_empty() { vec![] } else { vec![missing(&marks)] };
            let styles = [(1, names), (2, shared(numbers)), (3, shared(days)), (4, bosses)];
            let styles = styles.into_iter().filter(|(_, styles)| !styles.is_empty());
            Form {
                quoted,
                crlf,
                encoding: encoding.into(),
                above: above.map(text),
                below: below.map(text),
                header,
                styled: styles.map(|(at, styles)| styled(at, styles)).collect(),
                repeat: repeat.map(int),
                ..Form::from_delimiter(delimiter)
            }
        },
    )
}

/// How many forms are tried: 1,000, or as many as `PICARD_RENDERINGS` says.
fn cases() -> u32 {
    std::env::var("PICARD_RENDERINGS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

/// Whether a file of this form is read back (`None`), or the reason that its rejection states.
fn read_back(form: &Form) -> Result<Option<String>, TestCaseError> {
    let (suite, file) = suite_of(form.clone(), None, None);
    if let Err(failure) = suite.instance() {
        prop_assert_eq!(failure.kind, FailureKind::NotRecoverable, "{:?}", failure);
        prop_assert!(failure.message.contains('`'), "what is rejected is named: {:?}", failure);
        prop_assert!(failure.span.is_some() && failure.help.is_some(), "{:?}", failure);
        return Ok(failure.help);
    }
    let generator = suite.generator();
    let (look, read) =
        (generator.inspect_instance(FIRST, 99, &[]).unwrap(), generator.read_back_file(FIRST, file).unwrap());
    let clean = &look.relations[RelationId(1)];
    // Where rows may come again, the copy may come first.
    let order = |table: &runtime::generate::LookedAt| {
        let mut rows: Vec<usize> = (0..table.rows).collect();
        rows.sort_by(|a, b| table.columns[own(0)][*a].compare_with(&table.columns[own(0)][*b]).unwrap());
        rows
    };
    let (clean_rows, read_rows) = (order(clean), order(&read));
    prop_assert_eq!(clean_rows.len(), read_rows.len());
    for at in [0, 2, 3, 4, 5] {
        let of = |table: &runtime::generate::LookedAt, rows: &[usize]| -> Vec<Value> {
            rows.iter().map(|row| table.columns[own(at)][*row].clone()).collect()
        };
        let (clean, read) = (of(clean, &clean_rows), of(&read, &read_rows));
        let same = |(clean, read): (&Value, &Value)| clean.is_same(read) || (clean.is_null() && read.is_null());
        prop_assert!(clean.iter().zip(&read).all(same), "{at}: {clean:?} {read:?}");
    }
    Ok(None)
}

#[test]
fn any_file_is_read_back_or_refused_with_its_place() {
    let config = ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() };
    let (same, rejected) = (Cell::new(0u32), RefCell::new(BTreeMap::<String, u32>::new()));
    let tried = TestRunner::new(config).run(&forms(), |form| {
        match read_back(&form)? {
            None => same.set(same.get() + 1),
            Some(reason) => *rejected.borrow_mut().entry(reason).or_default() += 1,
        }
        Ok(())
    });
    println!("{} read back the same, rejected: {:#?}", same.get(), rejected.borrow());
    if let Err(lost) = tried {
        panic!("{lost}");
    }
    let rejected: u32 = rejected.borrow().values().sum();
    assert_eq!(same.get() + rejected, cases(), "all are tried");
    assert!(same.get() > cases() / 5 && rejected > cases() / 20, "both are common: {} {rejected}", same.get());
}
