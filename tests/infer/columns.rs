//! Random columns with marks, units, signs, footers, and odd texts, through `infer` and through the fixes of E0507. What is read of them is compared
//! with what `tests/python/columns.py` reads, without our code: no two fields that differ in letters, brackets, signs, or units are one value, no field
//! is null but the usual marks, and every number is what it says.

use std::fmt::Write as _;
use std::process::Command;

use compiler::Compiled;
use compiler::diagnostics::{Severity, apply_fixes};
use compiler::infer::{Form, Wanted, infer_declarations};
use model::suite::ColumnSource;
use model::{Value, ValueType};
use serde_json::json;
use testing::{CommandOutput, SOURCE, compile_with, root};

/// How many columns there are unless `PICARDC_COLUMNS` says it.
const COLUMNS: u64 = 60;

pub(super) const FILE: &str = "c.csv";

/// A generator of choices: splitmix64.
pub(super) struct Choice(pub u64);

impl Choice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// What is around a number: before it, and after it.
const AROUND: &[(&str, &str)] = &[
    ("(", ")"),
    ("($", ")"),
    ("[", "]"),
    ("{", "}"),
    ("", "-"),
    ("", " -"),
    ("$-", ""),
    ("", "K"),
    ("", "k"),
    ("", "M"),
    ("", "bn"),
    ("", " million"),
    ("", "%"),
    ("", " %"),
    ("", "‰"),
    ("", " kg"),
    ("", " g"),
    ("", "kg"),
    ("", " t"),
    ("", "T"),
    ("", "*"),
    ("", " †"),
    ("$", ""),
    ("€", ""),
    ("", " €"),
    ("", " USD"),
    ("USD ", ""),
    ("US$", ""),
    ("£", ""),
    ("<", ""),
    (">", ""),
    ("≥", ""),
    ("~", ""),
    ("ca. ", ""),
    ("±", ""),
    ("", "N"),
    ("", "C"),
    ("", "° N"),
    ("", "° S"),
    ("", " Cr"),
    ("", " Dr"),
    ("", " BC"),
    ("", " AD"),
    ("", "."),
    ("", "²"),
    ("", " m²"),
    ("", "½"),
    ("", ",-"),
    ("No. ", ""),
    ("B", ""),
    ("A-", ""),
    ("", "th"),
    ("", " am"),
    ("", " PM"),
    ("", "m"),
    ("$", "m"),
    ("$", "M"),
    ("", "r"),
    ("", " (est.)"),
    ("", "s"),
    ("+", ""),
    ("−", ""),
    ("–", ""),
    ("'", ""),
    ("=", ""),
    ("#", ""),
];

pub(super) const MARKS: &[&str] = &[
    "",
    "NA",
    "n/a",
    "N/A",
    "-",
    "--",
    "–",
    "..",
    ".",
    "...",
    "*",
    "?",
    "NULL",
    "null",
    "nan",
    "NaN",
    "#N/A",
    "k. A.",
    "tbd",
    "not available",
];

const WORDS: &[&str] = &[
    "X",
    "None",
    "none",
    "dog",
    "Max",
    "nil",
    "M",
    "unknown",
    "yes",
    "no",
    "true",
    "TRUE",
    "True",
    "False",
    "false",
    "inf",
    "Infinity",
    "0x1F",
    "one",
    "1/2",
    "1-2",
    "12:30",
    "1.2.3",
    "1,2,3",
    "e5",
    "1e5",
    "1E5",
    "1.5e-3",
    "5.",
    ".5",
    "-0",
    "007",
    "1_000",
    "١٢",
    "１２",
    "5 kg 300 g",
    "--5",
    "+-5",
    "5-",
    "(5",
    "5)",
    "$",
    "kg",
    "12 34",
    "2024",
    "20240301",
    "1 234",
    "1\u{a0}234",
    "1'234",
    "9223372036854775808",
    "0.1234567890123456789",
    "123456789012345.75",
    "-122.41941550000001",
    "Y",
    "N",
];

const SUMMARIES: &[&str] = &["Total", "Mean", "Max", "Min", "Sum", "Average"];

/// A number in one of the ways in which a column may write it.
fn number(c: &mut Choice, style: u64) -> String {
    let sizes = [10, 1000, 100_000, 10_000_000];
    let size = c.of(&sizes);
    let whole = c.below(size);
    let places = [0, 1, 2, 2, 3][(style % 5) as usize];
    let fraction = format!("{:03}", c.below(1000));
    let grouped = |sign: &str| {
        let digits = whole.to_string();
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.push_str(sign);
            }
            out.push(digit);
        }
        out
    };
    let (body, point) = match style / 5 {
        0..=2 => (whole.to_string(), "."),
        3 => (whole.to_string(), ","),
        4 => (grouped(","), "."),
        5 => (grouped("."), ","),
        6 => (grouped(" "), ","),
        7 => (grouped("'"), "."),
        _ => (grouped("\u{a0}"), ","),
    };
    match places {
        0 => body,
        places => format!("{body}{point}{}", &fraction[..places]),
    }
}

/// A date or a datetime in one of the ways in which a column may write it.
fn day(c: &mut Choice, style: u64) -> String {
    let (y, m, d) = (1970 + c.below(70), 1 + c.below(12), 1 + c.below(28));
    let (hour, minute) = (c.below(24), c.below(60));
    let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][m as usize - 1];
    match style % 12 {
        0 => format!("{y}-{m:02}-{d:02}"),
        1 => format!("{d:02}.{m:02}.{y}"),
        2 => format!("{m}/{d}/{y}"),
        3 => format!("{d}/{m}/{y}"),
        4 => format!("{d} {name} {y}"),
        5 => format!("{name} {d}, {y}"),
        6 => format!("{y}-{m:02}-{d:02} {hour:02}:{minute:02}"),
        7 => format!("{y}-{m:02}-{d:02}T{hour:02}:{minute:02}:00"),
        8 => format!("{m:02}/{d:02}/{y} {}:{minute:02} {}", 1 + hour % 12, c.of(&["am", "AM", "pm"])),
        9 => format!("{y}{m:02}{d:02}"),
        10 => format!("{y}-{m:02}"),
        _ => format!("{d}-{name}-{:02}", y % 100),
    }
}

/// The cells of a column, and rows below them.
pub(super) fn column(c: &mut Choice) -> (Vec<String>, Vec<String>) {
    let rows = 1 + c.below(9);
    let style = c.below(45);
    let dates = c.one_in(6);
    let (usual, other) = (c.of(AROUND), c.of(AROUND));
    let (mark, word) = (c.of(MARKS), c.of(WORDS));
    // What the column has besides: text around all numbers, around some, another text around others, marks, odd texts.
    let (all, some, others) = (c.one_in(3), c.one_in(3), c.one_in(5));
    let (marks, words, negatives, twice) = (c.one_in(3), c.one_in(4), c.one_in(3), c.one_in(2));
    let styles = c.one_in(10);
    let mut cells: Vec<String> = Vec::new();
    for _ in 0..rows {
        let style = if styles { c.below(45) } else { style };
        if marks && c.one_in(3) {
            cells.push(mark.to_owned());
            continue;
        }
        if words && c.one_in(3) {
            cells.push(word.to_owned());
            continue;
        }
        if dates {
            cells.push(day(c, style));
            continue;
        }
        let body = match cells.last() {
            // The same digits again, with another text around them.
            Some(last) if twice && c.one_in(2) => {
                let digit = |char: char| char.is_ascii_digit();
                let digits =
                    last.find(digit).zip(last.rfind(digit)).map(|(first, last_at)| last[first..=last_at].to_owned());
                digits.unwrap_or_else(|| number(c, style))
            }
            _ => number(c, style),
        };
        let (before, after) = match () {
            () if others && c.one_in(2) => other,
            () if all || some && c.one_in(2) => usual,
            () => ("", ""),
        };
        let minus = if negatives && c.one_in(3) { c.of(&["-", "-", "-", "−", "+"]) } else { "" };
        let blanks = if c.one_in(30) { " " } else { "" };
        cells.push(format!("{blanks}{minus}{before}{body}{after}{blanks}"));
    }
    let below = match c.below(6) {
        0 => (0..1 + c.below(3)).map(|_| c.of(SUMMARIES).to_owned()).collect(),
        _ => Vec::new(),
    };
    (cells, below)
}

pub(super) fn file(cells: &[String], below: &[String], delimiter: char) -> String {
    let mut text = format!("ID{delimiter}V{delimiter}W\n");
    for (cell, id) in cells.iter().zip(1..) {
        let _ = writeln!(text, "{id}{delimiter}\"{}\"{delimiter}x", cell.replace('"', "\"\""));
    }
    for name in below {
        let _ = writeln!(text, "{name}{delimiter}7.5{delimiter}");
    }
    text
}

/// A suite with a table, whose column is read.
pub(super) fn suite(table: &str, name: &str) -> String {
    format!(
        "suite s {{ title \"S\" version \"1\" samples 1 }}\n{table}\ntask q {{\n prompt \"q\"\n expect reply number count({name}.V)\n}}\n"
    )
}

/// What is read of the column.
pub(super) fn read(compiled: &Compiled) -> Option<(ValueType, Vec<Value>)> {
    if compiled.diagnostics.iter().any(|said| said.severity() == Severity::Error) {
        return None;
    }
    let plan = compiled.plan.as_ref()?;
    let columns = plan.tasks.iter().flat_map(|task| task.relations.iter()).flat_map(|relation| relation.columns.iter());
    let column = columns.into_iter().find(|column| column.name == "V")?;
    match &column.source {
        ColumnSource::Given(given) => Some((column.cells.value_type, given.values.to_vec())),
        _ => None,
    }
}

/// What Python is asked of a column: its cells, and what we have read of them.
fn asked(from: &str, cells: &[String], compiled: &Compiled, said: &str) -> Option<String> {
    let (ty, values) = read(compiled)?;
    let shown = |value: &Value| if value.is_null() { json!(null) } else { json!(value.render_text()) };
    let values: Vec<serde_json::Value> = values.iter().map(shown).collect();
    Some(json!({ "from": from, "cells": cells, "type": ty.name(), "values": values, "said": said }).to_string())
}

#[test]
fn nothing_that_a_field_says_is_lost() {
    let columns = std::env::var("PICARDC_COLUMNS").ok().and_then(|count| count.parse().ok()).unwrap_or(COLUMNS);
    let seed = std::env::var("PICARDC_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_300);
    let mut c = Choice(seed);
    let mut lines = String::new();
    let (mut typed, mut texts, mut fixed, mut proposed, mut refused) = (0, 0, 0, 0, 0);
    for _ in 0..columns {
        let (cells, below) = column(&mut c);
        let delimiter = c.of(&[',', ';']);
        let text = file(&cells, &below, delimiter);
        let files = [(FILE, text.as_bytes())];
        let wanted = Wanted { form: Form::Table, path: FILE, sheet: None };
        match infer_declarations(wanted, text.as_bytes(), &api::Memory::default()) {
            Ok(found) => {
                let said = found.declarations.join("\n");
                let all = format!("{said}{}", found.lost);
                let compiled = compile_with(&suite(&said, "c"), &files);
                let line = asked("infer", &cells, &compiled, &all).unwrap_or_else(|| panic!("{said}\n{text}"));
                *(if line.contains("\"type\":\"text\"") { &mut texts } else { &mut typed }) += 1;
                lines.push_str(&line);
                lines.push('\n');
            }
            Err(error) => {
                refused += 1;
                assert!(error.message.contains("fields, but its header has"), "{error:?}\n{text}");
            }
        }
        // The same column as its author may have declared it, and every fix of what is then said of it.
        let ty =
            c.of(&["int", "decimal", "float", "date", "datetime", "bool", "int 0..100_000", "decimal 0.00..9999.00"]);
        let missing = c.of(&["", "", " as missing [\"\"]"]);
        let text = file(&cells, &[], ',');
        let files = [(FILE, text.as_bytes())];
        let source = suite(&format!("table c from \"{FILE}\" {{ ID : int  V : {ty}{missing} }}"), "c");
        let compiled = compile_with(&source, &files);
        for said in compiled.diagnostics.iter().filter(|said| said.code.id == "E0507") {
            fixed += 1;
            for fix in &said.fixes {
                let changed = apply_fixes(&[fix], &compiled.sources).expect("inside the text");
                let (file, _) = compiled.sources.iter().find(|(_, source)| source.path == SOURCE).expect("the suite");
                let changed = &changed[&file];
                proposed += 1;
                let compiled = compile_with(changed, &files);
                if let Some(line) = asked("fix", &cells, &compiled, changed) {
                    lines.push_str(&line);
                    lines.push('\n');
                }
            }
        }
    }
    println!(
        "{columns} columns: infer declares {typed} typed and {texts} as text, {refused} refused; E0507 {fixed} times with {proposed} fixes"
    );
    assert!(typed * 5 > columns && texts * 10 > columns && proposed * 30 > columns, "{typed} {texts} {proposed}");
    if !testing::has_python() {
        return;
    }
    let folder = tempfile::tempdir().expect("temp");
    let path = folder.path().join("columns.jsonl");
    std::fs::write(&path, &lines).expect("written");
    let script = root().join("tests/python/columns.py");
    let ran = CommandOutput::from(Command::new("python3").arg(script).arg(&path).output().expect("Python starts"));
    println!("{}", ran.out);
    assert!(ran.status.success(), "{}", ran.join_output());
}
