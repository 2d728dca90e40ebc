//! Writes tables of the report as HTML, which a script makes sortable.

use std::fmt::Write as _;

use super::escape::{escape_html, format_prose};
use crate::render::section::{Cell, Column, Section};

/// Writes a table under a heading of level 3, with its note. `id` must be unique on the page. Writing to a String cannot fail.
pub fn write_table(out: &mut String, section: &Section, id: &str) {
    let title = escape_html(&section.title);
    let _ = write!(out, "<section aria-labelledby=\"{id}\"><h3 id=\"{id}\">{title}</h3>");
    write_body(out, section);
    out.push_str("</section>");
}

/// Writes a table with its note, under an existing heading.
pub fn write_body(out: &mut String, section: &Section) {
    let title = escape_html(&section.title);
    open_region(out, &section.title);
    out.push_str("<table class=\"sortable\"><caption>");
    let _ = write!(out, "{title}</caption><thead><tr>");
    for column in &section.columns {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", format_class(column), escape_html(&column.head));
    }
    out.push_str("</tr></thead><tbody>");
    for row in &section.rows {
        out.push_str("<tr>");
        for (at, (cell, column)) in row.iter().zip(&section.columns).enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\"", "</th>") } else { ("<td", "</td>") };
            let _ =
                write!(out, "{open}{}{}>{}{close}", format_class(column), format_sort(cell), escape_html(&cell.text));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if !section.note.is_empty() {
        let _ = write!(out, "<p class=\"note\">{}</p>", format_prose(&section.note));
    }
}

/// Opens a region in which a table scrolls sideways; the keyboard can reach it.
pub fn open_region(out: &mut String, label: &str) {
    let _ = write!(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">", escape_html(label));
}

/// Writes several tables in a collapsed region; nothing without tables.
pub fn write_folded(out: &mut String, summary: &str, sections: &[Section], id: &str) {
    if sections.is_empty() {
        return;
    }
    let _ = write!(out, "<details class=\"more\"><summary>{}</summary>", escape_html(summary));
    for (at, section) in sections.iter().enumerate() {
        write_table(out, section, &format!("{id}{at}"));
    }
    out.push_str("</details>");
}

fn format_class(column: &Column) -> &'static str {
    if column.right { " class=\"number\"" } else { "" }
}

fn format_sort(cell: &Cell) -> String {
    cell.sort.map_or_else(String::new, |sort| format!(" data-sort=\"{sort:.9}\""))
}
