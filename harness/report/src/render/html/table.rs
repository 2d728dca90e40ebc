//! A table of the report as HTML, which a script makes sortable.

use std::fmt::Write as _;

use super::escape::{escape, prose};
use crate::render::section::{Cell, Section};

/// The table under a heading of level 3, with its note. `id` must be free on the page. Writing to a String cannot fail.
pub fn write(out: &mut String, section: &Section, id: &str) {
    let title = escape(&section.title);
    let _ = write!(out, "<section aria-labelledby=\"{id}\"><h3 id=\"{id}\">{title}</h3>");
    body(out, section);
    out.push_str("</section>");
}

/// The table with its note, under a heading that is there already.
pub fn body(out: &mut String, section: &Section) {
    let title = escape(&section.title);
    open(out, &section.title);
    out.push_str("<table class=\"sortable\"><caption>");
    let _ = write!(out, "{title}</caption><thead><tr>");
    for column in &section.columns {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column.right), escape(&column.head));
    }
    out.push_str("</tr></thead><tbody>");
    for row in &section.rows {
        out.push_str("<tr>");
        for (at, (cell, column)) in row.iter().zip(&section.columns).enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\"", "</th>") } else { ("<td", "</td>") };
            let _ = write!(out, "{open}{}{}>{}{close}", class(column.right), sort(cell), escape(&cell.text));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if !section.note.is_empty() {
        let _ = write!(out, "<p class=\"note\">{}</p>", prose(&section.note));
    }
}

/// Opens the place in which a table scrolls sideways; the keyboard reaches it.
pub fn open(out: &mut String, label: &str) {
    let _ = write!(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">", escape(label));
}

/// Several tables in a folding; nothing without tables.
pub fn fold(out: &mut String, summary: &str, sections: &[Section], id: &str) {
    if sections.is_empty() {
        return;
    }
    let _ = write!(out, "<details class=\"more\"><summary>{}</summary>", escape(summary));
    for (at, section) in sections.iter().enumerate() {
        write(out, section, &format!("{id}{at}"));
    }
    out.push_str("</details>");
}

fn class(right: bool) -> &'static str {
    if right { " class=\"number\"" } else { "" }
}

fn sort(cell: &Cell) -> String {
    cell.sort.map_or_else(String::new, |sort| format!(" data-sort=\"{sort:.9}\""))
}
