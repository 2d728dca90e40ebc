//! Renders tables for a terminal.

use std::fmt::Write as _;

use super::section::Section;
use super::words::fit_one_line;

/// The maximum width of a cell.
const WIDEST: usize = 60;
/// The width at which notes are wrapped.
const WIDTH: usize = 100;

/// Renders sections, one below the other. Writing to a String cannot fail.
pub fn write_terminal(sections: &[Section]) -> String {
    let mut out = String::new();
    for (at, section) in sections.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", fit_one_line(&section.title, WIDTH));
        write_table(&mut out, section);
        if !section.note.is_empty() {
            out.push_str(&break_lines(&section.note, "  "));
        }
    }
    out
}

fn write_table(out: &mut String, section: &Section) {
    let heads = section.columns.iter().map(|column| fit_one_line(&column.head, WIDEST)).collect();
    let rows = section.rows.iter().map(|row| row.iter().map(|cell| fit_one_line(&cell.text, WIDEST)).collect());
    let lines: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let width =
        |at: usize| lines.iter().filter_map(|line| line.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..section.columns.len()).map(width).collect();
    for line in &lines {
        let mut text = String::from(" ");
        for ((cell, width), column) in line.iter().zip(&widths).zip(&section.columns) {
            let _ = if column.right { write!(text, " {cell:>width$} ") } else { write!(text, " {cell:<width$} ") };
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
}

/// Wraps a paragraph between words.
pub fn wrap_paragraph(text: &str) -> String {
    break_lines(text, "")
}

/// Breaks a text between words into indented lines.
fn break_lines(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in fit_one_line(text, usize::MAX - 1).split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() + 3 > WIDTH {
            let _ = writeln!(out, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        let _ = writeln!(out, "{indent}{line}");
    }
    out
}
