//! Tables in Markdown, as code hosts read it (tables of GitHub Flavored Markdown).

use std::fmt::Write as _;

use super::section::Section;

/// Renders a document. Writing to a String cannot fail.
pub fn write_markdown(title: &str, lead: &[String], sections: &[Section]) -> String {
    let mut out = format!("# {}\n", escape_markdown(title));
    for paragraph in lead {
        let _ = write!(out, "\n{}\n", escape_markdown(paragraph));
    }
    for section in sections {
        let _ = write!(out, "\n## {}\n\n", escape_markdown(&section.title));
        write_row(&mut out, section.columns.iter().map(|column| escape_markdown(&column.head)));
        write_row(&mut out, section.columns.iter().map(|column| if column.right { "---:" } else { "---" }.to_owned()));
        for cells in &section.rows {
            write_row(&mut out, cells.iter().map(|cell| escape_markdown(&cell.text)));
        }
        if !section.note.is_empty() {
            let _ = write!(out, "\n{}\n", escape_markdown(&section.note));
        }
    }
    out
}

fn write_row(out: &mut String, cells: impl Iterator<Item = String>) {
    for cell in cells {
        let _ = write!(out, "| {cell} ");
    }
    out.push_str("|\n");
}

/// Escapes a text as one line without markup, HTML, or the end of a cell.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let inside_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // `big_orders` is unchanged: an underscore inside a word is not markup.
            '_' if inside_word(before) && inside_word(rest.peek().copied()) => out.push(c),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape_markdown;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape_markdown("big_orders _x_ | <b>&\n*"), "big_orders \\_x\\_ \\| &lt;b>&amp; \\*");
    }
}
