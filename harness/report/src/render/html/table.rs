//! Writes tables of the report as HTML, which a script makes sortable.

use std::fmt::Write as _;

use super::escape::{escape_html, format_prose};
use crate::render::section::{Column, Section};

/// Writes a table under a heading of level 3, with its note. `id` must be unique on the page. Writing to a String cannot fail.
pub fn write_table(out: &mut String, section: &Section, id: &str) {
    open_section(out, id, &section.title);
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
            let _ = write!(
                out,
                "{open}{}{}>{}{close}",
                format_class(column),
                format_sort(cell.sort),
                escape_html(&cell.text)
            );
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
    write_tables(out, sections, id);
    out.push_str("</details>");
}

/// Writes tables in a chapter of their own, if there are any.
pub fn write_chapter(out: &mut String, id: &str, title: &str, sections: &[Section]) {
    if sections.is_empty() {
        return;
    }
    open_chapter(out, id, title);
    write_tables(out, sections, &format!("{id}-"));
    out.push_str("</section>");
}

/// Writes tables, each with a heading; their ids are `id` with a number.
pub fn write_tables(out: &mut String, sections: &[Section], id: &str) {
    for (at, section) in sections.iter().enumerate() {
        write_table(out, section, &format!("{id}{at}"));
    }
}

/// Opens a chapter with its heading.
pub fn open_chapter(out: &mut String, id: &str, title: &str) {
    let _ = write!(out, "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{title}</h2>");
}

/// Opens a section of a chapter with its heading.
pub fn open_section(out: &mut String, id: &str, title: &str) {
    let _ = write!(out, "<section aria-labelledby=\"{id}\"><h3 id=\"{id}\">{}</h3>", escape_html(title));
}

fn format_class(column: &Column) -> &'static str {
    if column.right { " class=\"number\"" } else { "" }
}

/// Renders the attribute by which a cell is sorted.
pub fn format_sort(sort: Option<f64>) -> String {
    sort.map_or_else(String::new, |sort| format!(" data-sort=\"{sort:.9}\""))
}
