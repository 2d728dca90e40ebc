//! Random tables in random forms: each is read back the same, or refused with a reason. `WRITE_CASES=100000` tries more of them.

use std::collections::BTreeMap;

use model::{Date, DateTime};

use super::super::{ReadbackLoss, Refusal, Style, Unwritable, build_reading};
use super::*;
use crate::{Encoding, Pattern};
use model::text_style::{ByTextStyle, TextStyle};

/// A generator of numbers (SplitMix64).
pub(super) struct Draws(u64);

impl Draws {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.word()) * bound as u128) >> 64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

struct Field {
    ty: CellType,
    nullable: bool,
    marks: Vec<String>,
    /// With a share, if the second is true.
    pattern: Option<(Pattern, bool)>,
    folds: Folds,
}

/// A table and its form. A tame one has nothing that could be lost.
pub(super) struct Case {
    pub dress: TableLayout,
    fields: Vec<Field>,
    clean: Vec<Vec<Value>>,
    /// The cells as they are styled, or the place of one that cannot be.
    pub cells: Result<Cells, Unwritable>,
    tame: bool,
}

const TAME: [&str; 7] = ["alpha", "New Jersey", "b c", "Q-7", "x,y", "q\"r", "a;b:c"];
const WILD: [&str; 24] = [
    "",
    " x",
    "x ",
    "a\nb",
    "a\r\nb",
    "b\r",
    "Source",
    "Sources of",
    "T",
    "a  b",
    "\u{feff}z",
    "\0",
    "-",
    "N/A",
    "n/a",
    "straße",
    "łódź",
    "x (est.)",
    "€",
    "\"",
    "\t",
    "| a",
    "12",
    "é",
];
const AROUND: [&str; 8] = ["", "\n", "T", "T\n", "Title, \"of\"\n2024\n", "Source: x", "\nSource", "|"];

impl Case {
    pub fn draw(seed: u64) -> Case {
        let mut draws = Draws(seed);
        let tame = draws.chance(40);
        let text = draws.chance(25);
        let fields: Vec<Field> = (0..=draws.below(4)).map(|_| Field::draw(&mut draws, tame, text)).collect();
        let dress = dress(&mut draws, &fields, tame, text);
        let rows = draws.below(7);
        let clean: Vec<Vec<Value>> =
            (0..rows).map(|_| fields.iter().map(|field| field.value(&mut draws, tame)).collect()).collect();
        let mut cells = Ok(Vec::new());
        for (row, values) in clean.iter().enumerate() {
            let styled: Result<Vec<_>, Unwritable> = fields
                .iter()
                .zip(values)
                .enumerate()
                .map(|(column, (field, value))| {
                    let style = field.style(&mut draws);
                    let cell = style.render_cell(&Val::Ref(value)).map(|cell| cell.map(|text| text.into_owned()));
                    cell.map_err(|why| Unwritable { row: Some(row), column: Some(column), why })
                })
                .collect();
            match (styled, &mut cells) {
                (Ok(row), Ok(cells)) => cells.push(row),
                (Err(refused), Ok(_)) => cells = Err(refused),
                _ => {}
            }
        }
        Case { dress, fields, clean, cells, tame }
    }

    pub fn written(&self) -> Result<Vec<u8>, Unwritable> {
        self.cells.as_ref().map_err(Clone::clone).and_then(|cells| written(&self.dress, cells))
    }

    fn checked(&self, clean: &[Vec<Value>], bytes: &[u8]) -> Result<(), ReadbackLoss> {
        let columns = self.fields.iter().map(|field| {
            let (patterns, usual) = match &field.pattern {
                Some((pattern, share)) => (vec![pattern.clone()], *share),
                None => (Vec::new(), true),
            };
            Checked {
                reading: build_reading(field.ty, field.nullable, &field.marks, &patterns, usual),
                folds: field.folds,
            }
        });
        let columns: Vec<Checked> = columns.collect();
        let value = |row: usize, column: usize| Val::Own(clean[row][column].clone());
        let same =
            |row: usize, column: usize, folds: Folds, read: &Val<'_>| folds.is_same_val(&value(row, column), read);
        check_back(&self.dress, &columns, (clean.len(), value, same), bytes)
    }

    /// All records that the file of cells must have, around the table too.
    pub fn records(&self) -> Vec<Vec<String>> {
        let width = self.dress.columns.len();
        let around = |text: &Option<String>| {
            let parts: Vec<String> = text.iter().flat_map(|text| text.split('\n').map(str::to_owned)).collect();
            parts.into_iter().map(move |part| {
                let mut record = vec![String::new(); width];
                record[0] = part;
                record
            })
        };
        let header = match self.dress.header {
            0 => Vec::new(),
            1 => vec![self.dress.columns.clone()],
            _ => {
                let mut group = "";
                let upper = self.dress.columns.iter().map(|name| match name.split_once(" / ") {
                    Some((over, _)) if over != std::mem::replace(&mut group, over) => over.to_owned(),
                    _ => String::new(),
                });
                let lower = |name: &String| name.rsplit(" / ").next().unwrap_or_default().to_owned();
                vec![upper.collect(), self.dress.columns.iter().map(lower).collect()]
            }
        };
        let rows =
            self.cells.iter().flatten().map(|row| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect());
        around(&self.dress.above).chain(header).chain(rows).chain(around(&self.dress.below)).collect()
    }
}

impl Field {
    fn draw(draws: &mut Draws, tame: bool, text: bool) -> Field {
        use CellType::{Bool, Date, DateTime, Decimal, Int, Text};
        let ty = *draws.one(&[Int, Decimal(Some(2)), Date, DateTime, Bool, Text, Text, Text, Text]);
        // A blank in front of a line, or a null at its end, is not read.
        let plain = tame && text;
        let nullable = !plain && draws.chance(50);
        let marks: &[&str] = if nullable { draws.one::<&[&str]>(&[&[], &["-", "n/a"], &["", "N/A"]]) } else { &[] };
        let sources: &[&str] = match ty {
            Int => &["#,##0", "0 kg", "# ##0"],
            Decimal(_) => &["#.##0,00", "0.00 EUR", "0,00%"],
            Date => &["d. MMMM yyyy", "MM/dd/yyyy"],
            DateTime => &["yyyy-MM-dd'T'HH:mm:ss", "EEE, d MMM yyyy h:mm:ss a"],
            Text => &["@ (est.)", "[@]"],
            _ => &[],
        };
        let pattern = (!sources.is_empty() && draws.chance(40)).then(|| {
            let pattern = Pattern::parse(draws.one::<&str>(sources), ty).expect("a pattern");
            // What a number is by two patterns is one only where they cannot be mistaken for one another.
            (pattern, !ty.is_number() && draws.chance(50))
        });
        let varied = ty == Text && !plain;
        let folds = Folds::from_styles(TextStyle::ALL.iter().copied().filter(|_| varied && draws.chance(30)));
        Field { ty, nullable, marks: marks.iter().map(|mark| (*mark).to_owned()).collect(), pattern, folds }
    }

    fn value(&self, draws: &mut Draws, tame: bool) -> Value {
        if self.nullable && draws.chance(30) {
            return Value::Null;
        }
        let number = draws.below(4_000_000) as i64 - 1_000_000;
        match self.ty {
            CellType::Int => Value::Int(number),
            CellType::Decimal(_) => Value::Decimal(model::Decimal::new(i128::from(number), 2).expect("a decimal")),
            CellType::Date => Value::Date(Date((number / 100) as i32)),
            CellType::DateTime => Value::DateTime(DateTime(number * 1000)),
            CellType::Bool => Value::Bool(number % 2 == 0),
            _ if tame || draws.chance(50) => Value::from_text(*draws.one(&TAME)),
            _ => Value::from_text([*draws.one(&WILD), if draws.chance(20) { *draws.one(&WILD) } else { "" }].concat()),
        }
    }

    fn style(&self, draws: &mut Draws) -> Style<'_> {
        let mut some = |wanted: bool| Some(draws.word()).filter(|word| wanted && word % 3 > 0);
        let texts = ByTextStyle::from_fn(|style| some(self.folds.has_style(style)));
        let hit = draws.chance(50);
        let written = self.pattern.as_ref().filter(|(_, share)| !share || hit).map(|(pattern, _)| pattern);
        let missing = (!self.marks.is_empty()).then(|| draws.one(&self.marks).as_str());
        Style { texts, written, others: &[], missing }
    }
}

fn dress(draws: &mut Draws, fields: &[Field], tame: bool, text: bool) -> TableLayout {
    let encoding = *draws.one(Encoding::ALL);
    let unicode = matches!(encoding, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be);
    let header = draws.below(3) as u8;
    let first = draws.below(fields.len() + 1);
    let names = (0..fields.len()).map(|at| match (header, at >= first || (!tame && draws.chance(10))) {
        (2, true) => format!("{} / C{at}", draws.one(&["North", "South, E"])),
        _ => format!("C {at}"),
    });
    let names: Vec<String> = names.collect();
    let format = *draws.one(&[Format::Csv, Format::Csv, Format::Tsv]);
    let base = TableLayout {
        quoted: draws.chance(30),
        crlf: draws.chance(30),
        bom: (unicode || !tame) && draws.chance(30),
        encoding,
        header,
        above: draws.chance(30).then(|| (*draws.one(&AROUND)).to_owned()),
        below: draws
            .chance(40)
            .then(|| (*if tame { draws.one(&["Source: x", "Zz\n\n"]) } else { draws.one(&AROUND) }).to_owned()),
        ..TableLayout::new(if text { Format::Text } else { format }, names)
    };
    if !text {
        let delimiter = if format == Format::Csv { *draws.one(b",,;|\t.- :") } else { base.delimiter };
        return TableLayout { delimiter, ..base };
    }
    let mut pieces = vec![Piece::Text((*draws.one(&["", "", "> ", "-- "])).to_owned())];
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(
                (*draws.one(if tame { &[" | ", " || ", "\t|  "] } else { &[" | ", ": ", "="] })).to_owned(),
            ));
        }
        pieces.push(Piece::Column(at, field.ty));
    }
    TableLayout { line: Some(Line::new(&pieces).expect("a pattern of lines")), ..base }
}

/// A value that is another one, for a reader too.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => Value::Int(77),
        Value::Int(number) => Value::Int(number + 1),
        Value::Text(text) => Value::Text(format!("{text}q")),
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Date(date) => Value::Date(Date(date.0 + 1)),
        Value::DateTime(moment) => Value::DateTime(DateTime(moment.0 + 1)),
        _ => Value::Null,
    }
}

#[test]
fn every_table_is_read_back_or_refused_with_a_reason() {
    let cases: u64 = std::env::var("WRITE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases {
        let case = Case::draw(seed);
        let about = || format!("seed {seed}: {:?}\n{:?}\n{:?}", case.dress, case.cells, case.clean);
        let bytes = match case.written() {
            Ok(bytes) => bytes,
            Err(Unwritable { why, row, column }) => {
                assert!(!case.tame, "{why:?}\n{}", about());
                let placed = match &why {
                    // Its character is in the cell that is named; without one, in what is around the rows.
                    Refusal::Lacks(char) => match (row.zip(column), &case.cells) {
                        (Some((row, column)), Ok(cells)) => {
                            cells[row][column].as_ref().is_some_and(|cell| cell.contains(*char))
                        }
                        _ => row.is_none(),
                    },
                    Refusal::LineBreak => row.is_some() && column.is_some(),
                    Refusal::Joins => column.is_some(),
                    Refusal::Pattern => row.is_some() && column.is_some(),
                    Refusal::Width(_) | Refusal::NoLine => false,
                };
                assert!(placed, "{why:?} {row:?} {column:?}\n{}", about());
                *counts.entry("refused").or_default() += 1;
                continue;
            }
        };
        match case.checked(&case.clean, &bytes) {
            Err(lost) => {
                assert!(!case.tame, "{lost:?}\n{}", about());
                assert!(lost.row.is_none_or(|row| row <= case.clean.len()), "{lost:?}\n{}", about());
                *counts.entry("lost").or_default() += 1;
            }
            Ok(()) => {
                *counts.entry("same").or_default() += 1;
                // Of a table that has one other value, exactly that is lost.
                let mut clean = case.clean.clone();
                let (row, column) = (seed as usize % clean.len().max(1), seed as usize / 7 % case.fields.len());
                if let Some(value) = clean.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *value = other(value);
                    let lost = case.checked(&clean, &bytes).expect_err("another table");
                    assert_eq!((lost.row, lost.column), (Some(row), Some(column)), "{lost:?}\n{}", about());
                }
                // Rows are read in their order, and each of them.
                let without = clean.len().checked_sub(1).map(|most| &case.clean[..most]);
                if let Some(rows) = without {
                    let lost = case.checked(rows, &bytes).expect_err("a row more");
                    assert_eq!(lost.row, Some(rows.len()), "{}", about());
                }
            }
        }
    }
    eprintln!("{cases} tables: {counts:?}");
    // None of the three is rare.
    for kind in ["same", "lost", "refused"] {
        assert!(counts.get(kind).copied().unwrap_or_default() * 20 >= cases, "{kind}: {counts:?}");
    }
}
