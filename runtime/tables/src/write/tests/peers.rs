//! Files of cells against Python's `csv`.

use serde_json::json;

use super::many::Case;
use super::*;
use crate::Encoding;
use crate::python::run_python_with_input;

const READER: &str = "
import csv, io, json, sys
for line in sys.stdin.readlines():
    file = json.loads(line)
    text = bytes.fromhex(file['bytes']).decode(file['encoding'])
    if file['bom']:
        assert text[0] == '\\ufeff'
        text = text[1:]
    print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), delimiter=file['delimiter'], strict=True))))
";

#[test]
fn python_reads_the_records_that_were_written() {
    let (mut asked, mut expected) = (Vec::new(), Vec::new());
    for seed in 0..1500 {
        let case = Case::draw(seed);
        let Ok(bytes) = case.written() else { continue };
        let records = case.records();
        // Some versions of Python do not read NUL.
        if case.dress.is_text() || records.iter().flatten().any(|cell| cell.contains('\0')) {
            continue;
        }
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let TableLayout { delimiter, encoding, bom, .. } = case.dress;
        let encoding = if encoding == Encoding::Windows1252 { "cp1252" } else { encoding.word() };
        let file =
            json!({"bytes": hex, "encoding": encoding, "bom": bom, "delimiter": char::from(delimiter).to_string()});
        asked.push(file.to_string());
        expected.push((case.dress.clone(), records));
    }
    assert!(asked.len() > 500, "{} files", asked.len());
    let Some(said) = run_python_with_input(READER, asked.join("\n").as_bytes()) else { return };
    assert_eq!(said.len(), expected.len());
    for (line, (dress, records)) in said.iter().zip(expected) {
        let read: Vec<Vec<String>> = serde_json::from_str(line).expect("records");
        assert_eq!(read, records, "{dress:?}");
    }
}
