//! Parses rows in common forms: CSV with a header, a Markdown table, a JSON array.

use model::wrapping::list_unwrapped;

use super::limit::Limit;
use super::{Unreadable, json};
use crate::got::ResponseValue;
use crate::rules::Rules;
use crate::text::{compose_letters, is_same_name};

/// Parsed rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of the columns, if the form has them.
    pub names: Option<Vec<String>>,
    /// The rows, all of the same length.
    pub rows: Vec<Vec<ResponseValue>>,
}

/// Whether columns or keys that are not expected are read over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They make it another table.
    Refused,
    /// `open`: they do not count.
    Allowed,
}

impl Table {
    /// Leaves out the columns that are not expected. If each expected name is that of exactly one column, columns are taken by their names; otherwise, and
    /// without names, the first ones are taken.
    pub fn select_expected(&mut self, columns: &[String]) {
        let width = self.names.as_ref().map(Vec::len).or_else(|| self.rows.first().map(Vec::len));
        let named = self.names.as_deref().and_then(|names| find_columns(names, columns));
        let Some(places) = named.or_else(|| (width? >= columns.len()).then(|| (0..columns.len()).collect())) else {
            return;
        };
        for row in &mut self.rows {
            *row = places.iter().map(|at| row.get_mut(*at).map_or(ResponseValue::Null, std::mem::take)).collect();
        }
        self.names = self.names.is_some().then(|| columns.to_vec());
    }
}

/// Finds the places of the expected columns by their names; `None` if one of them is missing or appears twice. Letter case, marks and blanks at the ends, and
/// forms of Unicode do not count.
fn find_columns(names: &[String], columns: &[String]) -> Option<Vec<usize>> {
    let fold = |name: &String| compose_letters(name.trim()).to_lowercase();
    let readings =
        |name: &String| -> Vec<String> { std::iter::once(name).chain(&list_unwrapped(name)).map(fold).collect() };
    let names: Vec<Vec<String>> = names.iter().map(readings).collect();
    let find = |column: &String| {
        let column = fold(column);
        let mut found = (0..names.len()).filter(|at| names[*at].contains(&column));
        found.next().filter(|_| found.next().is_none())
    };
    columns.iter().map(find).collect()
}

/// Parses rows: JSON if the text begins with `[`, Markdown if its second line is a row of dashes, in replies also cells between bars or in columns of text,
/// otherwise CSV (with tabs or semicolons if the header has one and no comma). `columns` are the expected names: objects with exactly these keys are read in that order, others in the order of the first one.
pub fn parse_table(
    text: &str,
    columns: &[String],
    others: Others,
    rules: &Rules,
    limit: &Limit,
) -> Result<Table, Unreadable> {
    let begins = |mark: char| text.trim_start().starts_with(mark);
    if begins('[') {
        return match json::parse_json_within(text, limit, json::Keep::All) {
            Ok(ResponseValue::Array(items)) => build_from_items(items, columns, others, rules),
            Ok(_) => Err(Unreadable::NoArray),
            Err(why) if limit.build_finding().is_some() => Err(why),
            Err(why) => match parse_other_items(text, rules, limit) {
                Some(items) => build_from_items(items, columns, others, rules),
                None => Err(why),
            },
        };
    }
    if rules.more_forms
        && begins('{')
        && let Some(items) = json::parse_json_lines(text, limit)
    {
        return build_from_items(items, columns, others, rules);
    }
    if limit.build_finding().is_some() {
        return Err(Unreadable::Whole("too many values"));
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (Some(head), Some(rule)) if is_rule(head, rule, limit) => parse_markdown(text, rules, limit),
        (Some(_), Some(_)) if rules.unwraps_answers => match split_drawn(text, limit) {
            Some(lines) => build_from_cells(lines, rules),
            None => parse_csv(text, columns, rules, limit),
        },
        _ => parse_csv(text, columns, rules, limit),
    }
}

/// Splits a table as a terminal shows it: each line has bars between its cells, or at least two blanks. Lines that only draw a border are left out. `None` for
/// another text.
fn split_drawn(text: &str, limit: &Limit) -> Option<Vec<Vec<String>>> {
    let is_border = |line: &str| line.contains('-') && line.chars().all(|char| "+-=|: ".contains(char));
    let mut lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_border(line)).collect();
    // Below the header and the rows, their right number: `(2 rows)`.
    if lines.len() > 1 && lines.last().is_some_and(|last| read_row_count(last) == Some(lines.len() - 2)) {
        lines.pop();
    }
    let cells: Vec<Vec<String>> = if lines.iter().all(|line| line.contains('|')) {
        limit.take_all(lines.iter().map(|line| count_bars(line) + 1).sum()).ok()?;
        lines.iter().map(|line| split_cells(line)).collect()
    } else if lines.first()?.contains([',', ';', '\t']) {
        return None;
    } else {
        let split = |line: &&str| -> Vec<String> {
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        };
        let cells: Vec<Vec<String>> = lines.iter().map(split).collect();
        limit.take_all(cells.iter().map(Vec::len).sum()).ok()?;
        cells
    };
    let width = cells.first()?.len();
    (width > 1 && cells.iter().all(|line| line.len() == width)).then_some(cells)
}

/// Reads the number in a line with which programs end a table: `(2 rows)`, `1 row in set (0.00 sec)`.
fn read_row_count(line: &str) -> Option<usize> {
    let inner = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(line);
    let (count, rest) = inner.split_once(' ')?;
    let rest = rest.strip_prefix("rows").or_else(|| rest.strip_prefix("row"))?;
    (rest.is_empty() || rest.starts_with(" in set")).then(|| count.parse().ok()).flatten()
}

/// Builds a table whose first line is its header.
fn build_from_cells(lines: Vec<Vec<String>>, rules: &Rules) -> Result<Table, Unreadable> {
    let mut lines = lines.into_iter();
    let names = lines.next().ok_or(Unreadable::Whole("the header is missing"))?;
    let row = |cells: Vec<String>| cells.iter().map(|cell| ResponseValue::from_plain_text(cell, rules)).collect();
    Ok(Table { names: Some(names), rows: lines.map(row).collect() })
}

/// Parses rows in other forms: one JSON value per line, or a list as Python prints it.
fn parse_other_items(text: &str, rules: &Rules, limit: &Limit) -> Option<Vec<ResponseValue>> {
    if !rules.more_forms {
        return None;
    }
    json::parse_json_lines(text, limit).or_else(|| match json::parse_python(text, limit) {
        Ok(ResponseValue::Array(items)) => Some(items),
        _ => None,
    })
}

/// Converts rows of JSON: arrays or objects.
pub fn build_from_items(
    items: Vec<ResponseValue>,
    columns: &[String],
    others: Others,
    rules: &Rules,
) -> Result<Table, Unreadable> {
    let mut names: Option<Vec<String>> = None;
    let mut rows: Vec<Vec<ResponseValue>> = Vec::with_capacity(items.len());
    for (item, row) in items.into_iter().zip(1..) {
        match item {
            ResponseValue::Array(cells) if names.is_none() => rows.push(cells),
            ResponseValue::Object(fields) if names.is_some() || rows.is_empty() => {
                let order = names.get_or_insert_with(|| order_columns(&fields, columns, others, rules));
                let mut left = fields;
                let mut cells = Vec::with_capacity(order.len());
                for name in order.iter() {
                    let found = left.iter().position(|(field, _)| is_same_name(field, name, rules));
                    let missing = || Unreadable::MissingField { row, name: name.clone() };
                    cells.push(found.map(|at| left.swap_remove(at).1).ok_or_else(missing)?);
                }
                if let Some((name, _)) = left.into_iter().next().filter(|_| others == Others::Refused) {
                    return Err(Unreadable::ExtraField { row, name });
                }
                rows.push(cells);
            }
            _ => return Err(Unreadable::UnlikeFirst { row }),
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    match rows.iter().position(|row| row.len() != width) {
        Some(at) => Err(Unreadable::Values { row: at + 1, got: rows[at].len(), first: width }),
        None => Ok(Table { names, rows }),
    }
}

/// Returns the keys of an object in the order of the columns; if others are allowed, only the expected ones.
fn order_columns(fields: &[(String, ResponseValue)], columns: &[String], others: Others, rules: &Rules) -> Vec<String> {
    let own: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    if others == Others::Allowed {
        let places = find_columns(&own, columns);
        return places.map(|places| places.into_iter().map(|at| own[at].clone()).collect()).unwrap_or(own);
    }
    let mut expected = Vec::with_capacity(own.len());
    for column in columns {
        let same = |name: &&String| {
            name.eq_ignore_ascii_case(column)
                || rules.canonical_texts && compose_letters(name).eq_ignore_ascii_case(&compose_letters(column))
        };
        let Some(name) = own.iter().find(|name| same(name) && !expected.contains(*name)) else {
            return own;
        };
        expected.push(name.clone());
    }
    if expected.len() == own.len() { expected } else { own }
}

fn parse_csv(text: &str, columns: &[String], rules: &Rules, limit: &Limit) -> Result<Table, Unreadable> {
    let header = text.lines().next().unwrap_or_default();
    // Names of columns may have commas.
    let named = [b',', b'\t', b';'].into_iter().find(|delimiter| is_header(header, *delimiter, columns));
    let delimiter = named.filter(|_| rules.reads_formats).unwrap_or(match header.contains(',') {
        false if header.contains('\t') => b'\t',
        false if rules.splits_at_semicolons && header.contains(';') => b';',
        _ => b',',
    });
    let Shape { is_open, cells: most } = scan_csv(text, char::from(delimiter));
    if is_open {
        return Err(Unreadable::Whole("a quote is opened and not closed"));
    }
    // Counts the header.
    limit.take_all(most)?;
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let mut next = || records.next().transpose().map_err(|error| Unreadable::Csv(error.to_string()));
    let names = next()?.ok_or(Unreadable::Whole("the header is missing"))?;
    let mut rows = Vec::new();
    while let Some(record) = next()? {
        if record.len() != names.len() {
            return Err(Unreadable::Cells { row: rows.len() + 1, got: record.len(), header: names.len() });
        }
        limit.take_all(record.len())?;
        rows.push(record.iter().map(|cell| ResponseValue::from_plain_text(cell, rules)).collect());
    }
    Ok(Table { names: Some(names.iter().map(|name| name.trim().to_owned()).collect()), rows })
}

/// Whether a line has exactly these names, in their order.
fn is_header(line: &str, delimiter: u8, columns: &[String]) -> bool {
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(line.as_bytes());
    let names = reader.into_records().next().and_then(Result::ok);
    names.is_some_and(|names| names.iter().map(str::trim).eq(columns.iter().map(|name| name.trim())))
}

/// The shape of a text as CSV.
pub struct Shape {
    /// Whether a quote at the beginning of a cell is never closed: the reader would take the rest of the text as that cell.
    pub is_open: bool,
    /// The number of cells in the longest record.
    pub cells: usize,
}

/// Scans a text by the same rules as the CSV reader.
pub fn scan_csv(text: &str, delimiter: char) -> Shape {
    let (mut quoted, mut at_start) = (false, true);
    let (mut cells, mut most) = (1, 1);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if quoted {
            if char == '"' && chars.next_if_eq(&'"').is_none() {
                quoted = false;
            }
        } else {
            quoted = char == '"' && at_start;
            at_start = char == delimiter || char == '\n';
            cells = if char == '\n' { 1 } else { cells + usize::from(char == delimiter) };
            most = most.max(cells);
        }
    }
    Shape { is_open: quoted, cells: most }
}

/// Whether `rule` is the line of dashes below the header `head`.
fn is_rule(head: &str, rule: &str, limit: &Limit) -> bool {
    let dashes = |cell: &String| {
        let inner = cell.strip_prefix(':').unwrap_or(cell);
        let inner = inner.strip_suffix(':').unwrap_or(inner);
        !inner.is_empty() && inner.chars().all(|char| char == '-')
    };
    head.contains('|')
        && rule.contains('-')
        && limit.take_all(count_bars(rule)).is_ok()
        && split_cells(rule).iter().all(dashes)
}

/// Returns the maximum number of cells of a line of Markdown.
fn count_bars(line: &str) -> usize {
    line.bytes().filter(|byte| *byte == b'|').count()
}

fn parse_markdown(text: &str, rules: &Rules, limit: &Limit) -> Result<Table, Unreadable> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head = lines.next().unwrap_or_default();
    limit.take_all(count_bars(head))?;
    let names = split_cells(head);
    let mut rows = Vec::new();
    for line in lines.skip(1) {
        if !line.contains('|') {
            return Err(Unreadable::NoRow(line.to_owned()));
        }
        limit.take_all(count_bars(line))?;
        let row = split_cells(line);
        if row.len() != names.len() {
            return Err(Unreadable::Cells { row: rows.len() + 1, got: row.len(), header: names.len() });
        }
        rows.push(row.iter().map(|cell| ResponseValue::from_plain_text(cell, rules)).collect());
    }
    Ok(Table { names: Some(names), rows })
}

/// Splits a line of Markdown into cells; `\|` is a bar.
fn split_cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut out = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        let last = out.len() - 1;
        match char {
            '\\' if chars.peek() == Some(&'|') => out[last].extend(chars.next()),
            '|' if chars.peek().is_none() => break,
            '|' => out.push(String::new()),
            other => out[last].push(other),
        }
    }
    out.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use model::Scorer;

    use super::*;
    use crate::rules::assert_same_for_all;

    fn shown(text: &str, columns: &[&str]) -> Result<String, String> {
        let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        let table =
            assert_same_for_all(|rules| parse_table(text, &columns, Others::Refused, rules, &Limit::without_bound()))
                .map_err(|why| why.to_string())?;
        let rows: Vec<String> = table
            .rows
            .iter()
            .map(|row| row.iter().map(ResponseValue::render_line).collect::<Vec<_>>().join("|"))
            .collect();
        Ok(rows.join("\n"))
    }

    #[test]
    fn three_forms_of_the_same_rows_are_read() {
        let rows = Ok("Boston|3\nNew York|4".to_owned());
        assert_eq!(shown("CITY,N\r\nBoston,3\r\n\"New York\",4\r\n", &[]), rows);
        assert_eq!(shown("CITY\tN\nBoston\t3\nNew York\t4", &[]), rows);
        assert_eq!(shown("| CITY | N |\n|:-----|--:|\n| Boston | 3 |\n| New York | 4 |", &[]), rows);
        assert_eq!(shown("CITY | N\n--- | ---\nBoston | 3\nNew York | 4\n", &[]), rows);
        let rows = Ok("\"Boston\"|3\n\"New York\"|4".to_owned());
        assert_eq!(shown(r#"[["Boston", 3], ["New York", 4]]"#, &[]), rows);
        assert_eq!(shown(r#"[{"c": "Boston", "n": 3}, {"n": 4, "c": "New York"}]"#, &[]), rows);
        assert_eq!(shown(r#"[{"N": 3, "CITY": "Boston"}, {"N": 4, "CITY": "New York"}]"#, &["city", "n"]), rows);
    }

    #[test]
    fn tables_of_terminals_are_read_in_replies() {
        let columns = ["city".to_owned(), "n".to_owned()];
        let rows = |text: &str, rules| {
            parse_table(text, &columns, Others::Refused, rules, &Limit::without_bound()).map(|table| table.rows)
        };
        let three = Rules::from_scorer(Scorer::Three);
        let wanted = rows("city,n\nNew York,3\nUlm,12", three).expect("rows");
        for text in [
            "city;n\nNew York;3\nUlm;12\n",
            "city | n\nNew York | 3\nUlm | 12",
            "| city | n |\n| New York | 3 |\n| Ulm | 12 |",
            "+----------+----+\n| city     |  n |\n+----------+----+\n| New York |  3 |\n| Ulm      | 12 |\n+----------+----+",
            "   city   | n\n----------+----\n New York |  3\n Ulm      | 12",
            "city       n\nNew York   3\nUlm       12",
            "   city   | n\n----------+----\n New York |  3\n Ulm      | 12\n(2 rows)",
            "+------+\n| city | n |\n| New York | 3 |\n| Ulm | 12 |\n+------+\n2 rows in set (0.00 sec)",
        ] {
            assert_eq!(rows(text, three).as_ref(), Ok(&wanted), "{text}");
            assert_ne!(rows(text, Rules::from_scorer(Scorer::Two)).as_ref(), Ok(&wanted), "{text}");
        }
        for text in [
            "city  n\nNew York 3\nUlm  12",
            "city;n,x\nNew York;3\nUlm;12",
            "city n\nNew York 3\nUlm 12",
            "city | n\nNew York | 3\nUlm | 12\n(3 rows)",
            "city | n\nNew York | 3\nUlm | 12\nand 2 rows",
        ] {
            assert_ne!(rows(text, three).as_ref(), Ok(&wanted), "{text}");
        }
        // Programs read files.
        assert!(rows("city | n\nNew York | 3\nUlm | 12", three.for_files()).as_ref() != Ok(&wanted));
    }

    #[test]
    fn what_is_no_table_is_told() {
        let why = |text| shown(text, &[]).expect_err("no table");
        assert_eq!(why("a,b\n1,2,3"), "row 1 has 3 cells, the header 2");
        assert_eq!(why("a,b\n\"1,2"), "a quote is opened and not closed");
        assert_eq!(why(r#"[{"a": 1}, {"b": 1}]"#), "row 2 has no `a`");
        assert_eq!(why(r#"[{"a": 1}, {"a": 1, "b": 1}]"#), "row 2 has `b`, the first one has not");
        assert_eq!(why("[[1], 2]"), "row 2 is not an array, nor an object, as the first one is");
        assert_eq!(why("| a |\n|---|\n| 1 | 2 |"), "row 1 has 2 cells, the header 1");
        assert_eq!(
            shown(
                r"a\|b | c
--- | ---
1 \| 2 |
",
                &[]
            ),
            Err("row 1 has 1 cells, the header 2".to_owned())
        );
        assert_eq!(shown("|a|b|\n|-|-|\n|1\\|2||", &[]), Ok("1|2|".to_owned()));
    }

    #[test]
    fn rows_as_programs_print_them() {
        let columns = ["city".to_owned(), "n".to_owned()];
        let rows = |text: &str, scorer| {
            parse_table(text, &columns, Others::Refused, Rules::from_scorer(scorer), &Limit::without_bound())
                .map(|table| table.rows)
        };
        let wanted = rows(r#"[["Boston", 3], ["O'Hare", null]]"#, Scorer::One).expect("rows");
        for text in [
            "[\"Boston\", 3]\n[\"O'Hare\", null]\n",
            "{\"city\": \"Boston\", \"n\": 3}\n{\"n\": null, \"city\": \"O'Hare\"}",
            "[('Boston', 3), (\"O'Hare\", None)]",
            "[['Boston', 3], ['O\\'Hare', None]]",
            "[{'city': 'Boston', 'n': 3}, {'city': 'O\\x27Hare', 'n': None}]",
        ] {
            assert_eq!(rows(text, Scorer::Two).as_ref(), Ok(&wanted), "{text}");
            assert_ne!(rows(text, Scorer::One).as_ref(), Ok(&wanted), "{text}");
        }
        for text in ["[('Boston', 3)", "{\"city\": \"Boston\"}, {\"city\": \"x\"}", "[('Boston' 3)]", "[1]\n]["] {
            assert_ne!(rows(text, Scorer::Two).as_ref(), Ok(&wanted), "{text}");
        }
    }
}
