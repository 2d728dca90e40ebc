//! One column, asked three times: the declaration of `infer`, the fix of E0507 for a declaration that does not fit, and a table or fixture without
//! declared columns have one type and the same values. Where they differ, it is by what an undeclared column cannot have: a pattern, a null mark,
//! or another form of a value than the usual one.

use compiler::diagnostics::{Severity, apply_fixes};
use compiler::infer::{Form, Wanted, infer_declarations};
use model::{Value, ValueType};
use regex::Regex;
use runtime::generate::Options;
use testing::{SOURCE, compile_with, find_answer, make_instances};

use super::columns::{Choice, FILE, MARKS, column, file, read, suite};

/// How many columns there are unless `PICARDC_COLUMNS` says it.
const COLUMNS: u64 = 3000;

/// Words of two values, in several letter cases.
const TRUTHS: &[[&str; 2]] = &[
    ["true", "false"],
    ["TRUE", "FALSE"],
    ["True", "False"],
    ["TRUE", "False"],
    ["tRuE", "false"],
    ["yes", "no"],
    ["Y", "N"],
    ["t", "f"],
    ["1", "0"],
    ["true", "0"],
];

/// A column of one kind, with what may be in any column: empty fields, blanks, a mark, and a field of another kind.
fn plain_column(c: &mut Choice) -> Vec<String> {
    let kind = c.below(9);
    let (truths, others) = (c.of(TRUTHS), c.of(TRUTHS));
    let (whole, places) = (1 + c.below(22), c.below(20));
    let (mark, marked, mixed, spaced, empty) = (c.of(MARKS), c.one_in(5), c.one_in(6), c.one_in(8), c.one_in(4));
    let digits = |c: &mut Choice, most: u64| -> String {
        let count = 1 + c.below(most);
        (0..count).map(|_| char::from(b'0' + c.below(10) as u8)).collect()
    };
    let trimmed = |digits: String| match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest => rest.to_owned(),
    };
    let one = |c: &mut Choice, kind: u64| -> String {
        let minus = c.of(&["", "", "-"]);
        let (m, d, hour) = (1 + c.below(12), 1 + c.below(28), c.below(24));
        let year = 1970 + c.below(60);
        match kind {
            0 => (if mixed && c.one_in(2) { others } else { truths })[c.below(2) as usize].to_owned(),
            // Numbers with few and with many digits, codes, and exponents.
            1 => format!("{minus}{}", trimmed(digits(c, whole))),
            2 => format!("{minus}{}.{}", trimmed(digits(c, whole)), digits(c, places + 1)),
            3 => format!("{minus}0.{}{}", "0".repeat(c.below(12) as usize), digits(c, places + 1)),
            4 => digits(c, whole),
            5 => {
                format!("{minus}{}.{}e{}", 1 + c.below(9), digits(c, 4), c.of(&["3", "+3", "-7", "-400", "20", "999"]))
            }
            6 => format!("{year}-{m:02}-{:02}", d + if mixed { 5 } else { 0 }),
            7 => {
                let (between, seconds) = (c.of(&["T", " "]), c.of(&["", ":00", ":59", ":00.000"]));
                format!("{year}-{m:02}-{d:02}{between}{hour:02}:30{seconds}")
            }
            _ => c.of(&["Ann", "B12", "5 kg", "12:30", "1.2.3", "-", "x y"]).to_owned(),
        }
    };
    let rows = 1 + c.below(7);
    let cells = (0..rows).map(|_| match () {
        () if empty && c.one_in(3) => c.of(&["", "", "  "]).to_owned(),
        () if marked && c.one_in(3) => mark.to_owned(),
        () => {
            let kind = if mixed && c.one_in(3) { c.below(9) } else { kind };
            let cell = one(c, kind);
            if spaced && c.one_in(2) { format!(" {cell} ") } else { cell }
        }
    });
    cells.collect()
}

/// Whether all fields have the form in which a value of the type is usually written, as the manual says it.
fn is_usual(ty: ValueType, cells: &[String]) -> bool {
    let form = match ty {
        ValueType::Int => r"^-?(0|[1-9][0-9]*)$",
        ValueType::Decimal(_) | ValueType::Float => r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$",
        ValueType::Bool => r"^(?i:true|false)$",
        ValueType::Date => r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        ValueType::DateTime => r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?$",
        ValueType::Text | ValueType::Duration => "",
    };
    let form = Regex::new(form).expect("a pattern");
    cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).all(|cell| form.is_match(cell))
}

/// A column as it is read: its type and its values.
type Column = (ValueType, Vec<Value>);

fn are_same(one: &Column, other: &Column) -> bool {
    one.0 == other.0 && one.1.len() == other.1.len() && one.1.iter().zip(&other.1).all(|(one, other)| one == other)
}

/// The column in a table that is declared so; the declarations of `infer` are of a table too.
fn declare(table: &str, text: &str) -> Option<Column> {
    read(&compile_with(&suite(table, "c"), &[(FILE, text.as_bytes())]))
}

/// The column without a declaration, in a table or in a fixture.
fn read_undeclared(text: &str, fixture: bool) -> Column {
    let source = match fixture {
        false => suite(&format!("table c from \"{FILE}\""), "c"),
        true => format!(
            "suite s {{ title \"S\" version \"1\" samples 1 }}\ntask q {{\n csv c at \"{FILE}\" from \"{FILE}\"\n prompt \"q\"\n \
             expect reply number count(c.V)\n}}\n"
        ),
    };
    let compiled = compile_with(&source, &[(FILE, text.as_bytes())]);
    read(&compiled).unwrap_or_else(|| panic!("{:#?}\n{text}", compiled.diagnostics))
}

/// How often each case was.
#[derive(Debug, Default)]
struct Seen {
    typed: u64,
    texts: u64,
    /// Text without a declaration, and of another type with one.
    styled: u64,
    kept: u64,
    retyped: u64,
    unproposed: u64,
}

#[test]
fn infer_fixes_and_undeclared_columns_agree() {
    let columns = std::env::var("PICARDC_COLUMNS").ok().and_then(|count| count.parse().ok()).unwrap_or(COLUMNS);
    let seed = std::env::var("PICARDC_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2_000);
    let mut c = Choice(seed);
    let mut seen = Seen::default();
    let mut types = std::collections::BTreeMap::<&str, u64>::new();
    let proposed = Regex::new("V : (text|int|decimal|float|bool|date|datetime)\\b").expect("a pattern");
    for _ in 0..columns {
        let cells = if c.one_in(2) { plain_column(&mut c) } else { column(&mut c).0 };
        let text = file(&cells, &[], ',');
        let wanted = Wanted { form: Form::Table, path: FILE, sheet: None };
        let found = infer_declarations(wanted, text.as_bytes(), &api::Memory::default()).expect("a table");
        let said = found.declarations.join("\n");
        let inferred = declare(&said, &text).unwrap_or_else(|| panic!("{said}\n{text}"));
        let line = said.lines().find(|line| line.trim_start().starts_with("V ")).expect("the column");
        let whole = || format!("{cells:?}\n{said}\n{inferred:?}");

        let undeclared = read_undeclared(&text, c.one_in(2));
        let text_type = ValueType::Text;
        if undeclared.0 != text_type {
            // What has a type without a declaration has it with one.
            assert!(are_same(&undeclared, &inferred), "{undeclared:?}\n{}", whole());
            assert!(is_usual(undeclared.0, &cells), "{undeclared:?}\n{}", whole());
            seen.typed += 1;
            *types.entry(undeclared.0.name()).or_default() += 1;
        } else {
            let kept = undeclared.1.iter().zip(&cells).all(|(value, cell)| match value {
                Value::Text(text) => text == cell,
                value => value.is_null() && cell.is_empty(),
            });
            assert!(kept && undeclared.1.len() == cells.len(), "{undeclared:?}\n{}", whole());
            if inferred.0 == text_type {
                // A null mark is read without the blanks around it, so `missing [""]` makes blanks null.
                let same = inferred.1.iter().zip(&undeclared.1).all(|(inferred, undeclared)| {
                    let blank = matches!(undeclared, Value::Text(text) if text.trim().is_empty());
                    inferred == undeclared || inferred.is_null() && blank
                });
                assert!(same && inferred.1.len() == cells.len(), "{undeclared:?}\n{}", whole());
                seen.texts += 1;
            } else {
                let marks =
                    inferred.1.iter().zip(&cells).any(|(value, cell)| value.is_null() && !cell.trim().is_empty());
                let styled = line.contains(" written ") || marks || !is_usual(inferred.0, &cells);
                assert!(styled, "{}", whole());
                seen.styled += 1;
            }
        }

        // The same column as its author may have declared it.
        let ty = c.of(&["int", "int", "decimal", "float", "date", "datetime", "bool", "int 0..100_000"]);
        let missing = c.of(&["", " as missing [\"\"]"]);
        let source = suite(&format!("table c from \"{FILE}\" {{ ID : int  V : {ty}{missing} }}"), "c");
        let files = [(FILE, text.as_bytes())];
        let compiled = compile_with(&source, &files);
        for said in compiled.diagnostics.iter().filter(|said| said.code.id == "E0507") {
            let notes: Vec<&str> = said.iter_notes().map(|(_, note)| note).collect();
            let help = notes.iter().flat_map(|note| note.lines()).last().unwrap_or_default();
            let own = ty.split(' ').next().expect("a type");
            let words: Vec<&str> =
                proposed.captures_iter(help).filter_map(|found| found.get(1)).map(|word| word.as_str()).collect();
            let name = inferred.0.name();
            match words.as_slice() {
                // The help keeps the declared type: a pattern, null marks, or a choice of readings.
                [] => seen.kept += 1,
                [_, _] => assert_eq!(words, ["int", "decimal"], "{help}\n{}", whole()),
                ["text"] => {
                    assert_eq!(name, "text", "{own}: {notes:?}\n{}", whole());
                    seen.unproposed += 1;
                }
                [word] => assert_eq!(*word, name, "{own}: {notes:?}\n{}", whole()),
                _ => panic!("{help}"),
            }
            for fix in &said.fixes {
                let changed = apply_fixes(&[fix], &compiled.sources).expect("inside the text");
                let (at, _) = compiled.sources.iter().find(|(_, source)| source.path == SOURCE).expect("the suite");
                let fixed = compile_with(&changed[&at], &files);
                let Some(read) = read(&fixed) else {
                    // Read with the fix, fields can be outside of the bounds.
                    let outside = fixed.diagnostics.iter().any(|said| said.message.contains("not in its domain"));
                    assert!(ty != own && outside, "{:#?}\n{}\n{}", fixed.diagnostics, changed[&at], whole());
                    continue;
                };
                let kept = read.0.name() == own;
                // A declared type is kept where it reads every field: `int` reads `1e3` and `007`.
                let same = are_same(&read, &inferred) || kept && name != own;
                assert!(same, "{own}: {read:?}\n{}\n{}", changed[&at], whole());
                seen.retyped += u64::from(!kept);
            }
        }
    }
    println!("{columns} columns: {seen:?}, typed without a declaration: {types:?}");
    let few = columns / 100;
    assert!(seen.typed > 10 * few && seen.texts > 10 * few && seen.styled > 5 * few, "{seen:?}");
    assert!(seen.kept > few && seen.retyped > 5 * few && seen.unproposed > 5 * few, "{seen:?}");
    for name in ["int", "decimal", "float", "bool", "date", "datetime"] {
        assert!(types.get(name).is_some_and(|count| *count > few / 2), "{name}: {types:?}");
    }
}

/// A file of places with more digits than SQL keeps of a decimal.
const PLACES: &str = "ID,LAT,OPEN\n1,-122.41941550000001,TRUE\n2,37.7,False\n3,-122.41941550000002,TRUE\n";
const FEED: &str =
    "<feed><item on='TRUE'><lat>-122.41941550000001</lat></item><item on='False'><lat>37.7</lat></item></feed>";

/// The answer of a task with a table, or its errors: code, message, and notes.
fn answer(items: &str, statements: &str, value: &str) -> Result<Value, Vec<String>> {
    let source = format!(
        "suite s {{ title \"S\" version \"1\" samples 1 }}\n{items}\ntask q {{\n{statements} prompt \"q\"\n expect reply {value}\n}}\n"
    );
    let compiled = compile_with(&source, &[("v.csv", PLACES.as_bytes()), ("feed.xml", FEED.as_bytes())]);
    let errors = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error);
    let errors = errors.map(|said| {
        let notes: Vec<&str> = said.iter_notes().map(|(_, note)| note).collect();
        format!("{} {} / {}", said.code.id, said.message, notes.join(" / "))
    });
    let errors: Vec<String> = errors.collect();
    let Some(plan) = compiled.plan.filter(|_| errors.is_empty()) else { return Err(errors) };
    let made = make_instances(&plan, Options::new("7")).unwrap_or_else(|failure| panic!("{failure:?}\n{source}"));
    Ok(find_answer(&made[0]).clone())
}

#[test]
fn a_decimal_with_more_digits_than_sql_keeps_names_float() {
    let declared = |ty: &str| format!("table v from \"v.csv\" {{ ID : int  LAT : {ty} }}");
    let help = "declare the column as `float`: SQL counts decimals as doubles, which keep 15 digits";
    let least = Value::Float(-122.419_415_500_000_02);
    for query in ["SELECT MIN(LAT) FROM v", "SELECT LAT FROM v ORDER BY LAT LIMIT 1"] {
        let value = format!("number <<value: {query}>>");
        let errors = answer(&declared("decimal"), "", &value).expect_err(query);
        let [error] = &errors[..] else { panic!("{query}: {errors:?}") };
        assert!(error.starts_with("E0905 ") && error.contains(help), "{query}: {error}");
        assert!(error.contains("too large for SQL to be exact to 14 places"), "{query}: {error}");
        // As the help says, and without a declaration.
        assert_eq!(answer(&declared("float"), "", &value), Ok(least.clone()), "{query}");
        assert_eq!(answer("table v from \"v.csv\"", "", &value), Ok(least.clone()), "{query}");
    }
    // Outside of SQL, a declared decimal is exact.
    let exact = answer(&declared("decimal"), "", "number min(v.LAT)").expect("a decimal");
    assert_eq!(exact.render_text(), "-122.41941550000002");
}

#[test]
fn bools_of_any_letters_are_bools_in_sql_in_conditions_and_in_paths() {
    let items = "table v from \"v.csv\"";
    let count = |value: &str| answer(items, "", &format!("number {value}"));
    assert_eq!(count("count(v where OPEN)"), Ok(Value::Int(2)));
    assert_eq!(count("count(v where not OPEN)"), Ok(Value::Int(1)));
    assert_eq!(count("<<value: SELECT COUNT(*) FROM v WHERE OPEN>>"), Ok(Value::Int(2)));
    assert_eq!(count("<<value: SELECT COUNT(*) FROM v WHERE NOT OPEN>>"), Ok(Value::Int(1)));
    // A comparison with the text of before is an error, which says what the column is.
    for wrong in ["count(v where OPEN == \"TRUE\")", "<<value: SELECT COUNT(*) FROM v WHERE OPEN = 'TRUE'>>"] {
        let errors = count(wrong).expect_err(wrong);
        assert!(errors.iter().any(|error| error.contains("bool")), "{wrong}: {errors:?}");
    }
    // The field itself is as it is in the file.
    let fixture = "csv c at \"v.csv\" from \"v.csv\"\n";
    assert_eq!(answer("", fixture, "text <<csv_cell: c, 1, 3>>"), Ok(Value::from_text("TRUE")));
    let feed = "xml feed at \"feed.xml\" from \"feed.xml\" at \"/feed/item\"\n";
    for (row, open) in [(1, 1), (2, 0)] {
        let value = format!("number if <<xpath_value: feed, /feed/item[{row}]/@on>> then 1 else 0");
        assert_eq!(answer("", feed, &value), Ok(Value::Int(open)), "{value}");
    }
    let place = "number <<xpath_value: feed, /feed/item[1]/lat>>";
    assert_eq!(answer("", feed, place), Ok(Value::Float(-122.419_415_500_000_01)));
}
