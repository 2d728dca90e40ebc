//! The tables of an HTML page, each as the grid that a browser shows: html5ever parses the tree, and `colspan` and `rowspan` are resolved here.
//! Invisible content is not read.

mod nodes;

use std::borrow::Cow;

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{ParseOpts, parse_document};

use self::nodes::{Id, NONE, Nodes, Page, What};
use crate::fault::{SizeLimit, Wrong};
use crate::grid::Entry;
use crate::header::normalize_blanks;
use crate::limits::{MAX_CELL, MAX_CELLS, MAX_TEXTS, MAX_WIDTH};
use crate::{FaultKind, Raw, Unreadable};

/// Maximum number of attributes of an element, each of which is compared with those before it.
const MAX_ATTRIBUTES: usize = 1000;

/// Number of bytes parsed between checks of the limits.
const CHUNK: usize = 1024;

/// A table of a page.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// The text of its caption, which may be empty.
    pub caption: String,
    /// Its rows with cells.
    pub rows: Vec<Entry<'static>>,
}

/// Parses the tables of a page in their order, including tables in cells of others.
pub(crate) fn parse_tables(text: &str) -> Result<Vec<Table>, Wrong> {
    check_attributes(text)?;
    let mut parser = parse_document(Page::new(), ParseOpts::default());
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK));
        rest = after;
        parser.process(StrTendril::from_slice(chunk));
        parser.tokenizer.sink.sink.check_bounds()?;
    }
    let page = parser.finish();
    page.check_bounds()?;
    let nodes = page.nodes.into_inner();
    let mut cells = 0;
    let mut bytes = 0;
    let mut found = Vec::new();
    for at in (0..nodes.len()).map(|at| at as Id) {
        if nodes.is_element(at, "table") && !nodes.is_in_hidden(at) {
            found.push(nodes.build_table(at, &mut cells, &mut bytes)?);
        }
    }
    Ok(found)
}

/// Rejects tags with very many attributes, which a parser compares with each other.
fn check_attributes(text: &str) -> Result<(), Wrong> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', bytes.get(at..).unwrap_or_default()) {
        at += start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let (mut words, mut blank, tag) = (0, false, at);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'>' => break,
                b'=' => {
                    at += 1;
                    at += bytes
                        .get(at..)
                        .unwrap_or_default()
                        .iter()
                        .take_while(|byte| byte.is_ascii_whitespace())
                        .count();
                    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
                        let inside = bytes.get(at + 1..).unwrap_or_default();
                        at += 1 + memchr::memchr(*quote, inside).unwrap_or(inside.len());
                        // A space is not required between a quote and the next name.
                        blank = true;
                    } else {
                        continue;
                    }
                }
                b'/' => blank = true,
                byte if byte.is_ascii_whitespace() => blank = true,
                _ => {
                    words += usize::from(std::mem::take(&mut blank));
                    if words > MAX_ATTRIBUTES {
                        let line = crate::encoding::find_line_after(text.get(..tag).unwrap_or_default());
                        let message = format!("a tag has more than {MAX_ATTRIBUTES} attributes");
                        let help = format!("remove some: {MAX_ATTRIBUTES} are read");
                        return Err((
                            line,
                            FaultKind::Unreadable(Unreadable::new(format!("{message} (line {line})"), help)),
                        ));
                    }
                }
            }
            at += 1;
        }
    }
    Ok(())
}

impl Nodes {
    /// Returns the visible text in a node, with whitespace reduced to single spaces.
    fn collect_text(&self, within: Id) -> String {
        let mut text = String::new();
        let mut at = within;
        loop {
            let node = self.get(at);
            match &node.what {
                What::Text(own) => text.push_str(own),
                What::Element(element) if is_line_breaking(&element.name.local) => text.push(' '),
                _ => {}
            }
            let inside = if self.is_hidden(at) { NONE } else { node.first };
            let mut next = inside;
            // Goes up to the first ancestor that has a next sibling.
            let mut up = at;
            while next == NONE {
                if up == within {
                    return normalize_blanks(&text);
                }
                if self.element(up).is_some_and(|element| is_line_breaking(&element.name.local)) {
                    text.push(' ');
                }
                next = self.get(up).after;
                if next == NONE {
                    up = self.get(up).parent;
                    if up == NONE {
                        return normalize_blanks(&text);
                    }
                }
            }
            at = next;
        }
    }

    fn build_table(&self, table: Id, cells: &mut usize, bytes: &mut usize) -> Result<Table, Wrong> {
        let mut made = Table::default();
        let mut groups: Vec<(u8, Id)> = Vec::new();
        for child in self.children(table) {
            let order = match self.element(child).map(|element| &*element.name.local) {
                Some("caption") => {
                    if made.caption.is_empty() {
                        made.caption = self.collect_text(child);
                    }
                    continue;
                }
                Some("thead") => 0,
                Some("tbody") => 1,
                Some("tfoot") => 2,
                _ => continue,
            };
            groups.push((order, child));
        }
        groups.sort_by_key(|(order, _)| *order);
        let mut gap = 0;
        for (_, group) in groups.into_iter().filter(|(_, group)| !self.is_hidden(*group)) {
            let mut open: Vec<Spanning> = Vec::new();
            for row in self.children(group).filter(|row| self.is_element(*row, "tr") && !self.is_hidden(*row)) {
                let line = self.element(row).map_or(0, |element| element.line);
                let (own, above) = self.build_row(row, line, &mut open, bytes)?;
                *cells += own.len();
                SizeLimit::Cells.check_size(*cells, MAX_CELLS, line)?;
                if own.is_empty() {
                    gap += 1;
                } else {
                    made.rows.push(Entry { gap: std::mem::take(&mut gap), line, cells: own, above });
                }
            }
        }
        Ok(made)
    }

    /// Builds the cells of a row, with the positions of those that extend into it from above.
    fn build_row(
        &self,
        row: Id,
        line: u32,
        open: &mut Vec<Spanning>,
        bytes: &mut usize,
    ) -> Result<(Vec<Raw<'static>>, Vec<usize>), Wrong> {
        let name = |at: Id| self.element(at).map(|element| &*element.name.local);
        let own: Vec<Id> = self
            .children(row)
            .filter(|cell| matches!(name(*cell), Some("td" | "th")) && !self.is_hidden(*cell))
            .collect();
        let mut above = Vec::new();
        let mut cells: Vec<Raw<'static>> = Vec::new();
        let mut place = |cells: &mut Vec<Raw<'static>>, text: &str| {
            *bytes = bytes.saturating_add(text.len());
            SizeLimit::Bytes.check_size(*bytes, MAX_TEXTS, line)?;
            cells.push(Raw::Text(Cow::Owned(text.to_owned())));
            SizeLimit::Columns.check_size(cells.len(), MAX_WIDTH, line)
        };
        for cell in own {
            while let Some(spanning) = open.get_mut(cells.len()).filter(|spanning| spanning.rows > 0) {
                spanning.rows -= 1;
                above.push(cells.len());
                place(&mut cells, &spanning.text)?;
            }
            let Some(element) = self.element(cell) else { continue };
            let text = self.collect_text(cell);
            SizeLimit::Cell.check_size(text.len(), MAX_CELL, line)?;
            for _ in 0..element.columns {
                let rows = if element.rows == 0 { u32::MAX } else { element.rows - 1 };
                let at = cells.len();
                if rows > 0 {
                    if open.len() <= at {
                        open.resize_with(at + 1, Spanning::default);
                    }
                    if let Some(spanning) = open.get_mut(at) {
                        *spanning = Spanning { rows, text: text.clone() };
                    }
                } else if let Some(spanning) = open.get_mut(at) {
                    // If two cells overlap, the later one is on top.
                    spanning.rows = spanning.rows.saturating_sub(1);
                }
                place(&mut cells, &text)?;
            }
        }
        for at in cells.len()..open.len() {
            let Some(spanning) = open.get_mut(at) else { break };
            if spanning.rows > 0 {
                spanning.rows -= 1;
                while cells.len() < at {
                    place(&mut cells, "")?;
                }
                above.push(at);
                place(&mut cells, &spanning.text)?;
            }
        }
        Ok((cells, above))
    }
}

/// A cell that extends into the rows below it.
#[derive(Default)]
struct Spanning {
    /// Number of further rows.
    rows: u32,
    text: String,
}

/// Checks whether a browser breaks the line at the element, which separates the words on both sides.
fn is_line_breaking(name: &str) -> bool {
    matches!(
        name,
        "br" | "p"
            | "div"
            | "li"
            | "ul"
            | "ol"
            | "dl"
            | "dt"
            | "dd"
            | "table"
            | "caption"
            | "tr"
            | "td"
            | "th"
            | "hr"
            | "pre"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "blockquote"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "figure"
            | "figcaption"
            | "option"
            | "address"
            | "fieldset"
            | "form"
            | "center"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<Vec<String>>> {
        let tables = parse_tables(text).unwrap();
        let cells = |entry: &Entry<'_>| entry.cells.iter().map(|cell| cell.render_cell().into_owned()).collect();
        tables.iter().map(|table| table.rows.iter().map(cells).collect()).collect()
    }

    #[test]
    fn spans_are_the_grid_of_a_browser() {
        let text = "<table><caption>All\n of it</caption>
            <tr><th rowspan=2>Rank<th colspan=2>People</tr>
            <tr><th>2020<th>2024</tr>
            <tr><td rowspan=2>1<td>a<br>b<td><b>x</b>y&amp;<script>no</script></tr>
            <tr><td colspan=2>c</table>";
        assert_eq!(
            rows(text),
            [[["Rank", "People", "People"], ["Rank", "2020", "2024"], ["1", "a b", "xy&"], ["1", "c", "c"]]]
        );
        let found = &parse_tables(text).unwrap()[0];
        assert_eq!((found.caption.as_str(), found.rows[2].line), ("All of it", 5));
    }

    #[test]
    fn a_field_is_in_all_of_its_rows() {
        let header = "<tr><td><th rowspan=2>A<th>B<tr><th>a<th>b";
        assert_eq!(rows(&format!("<table>{header}</table>")), [[["", "A", "B"], ["a", "A", "b"]]]);
        assert_eq!(parse_tables(&format!("<table>{header}</table>")).unwrap()[0].rows[1].above, [1]);
        let countries = "<tr><th rowspan=2>Chad<th>2020<tr><th>2021";
        let same = [["Country", "Year"], ["Chad", "2020"], ["Chad", "2021"]];
        assert_eq!(rows(&format!("<table><thead><tr><th>Country<th>Year<tbody>{countries}</table>")), [same]);
        let text = format!("<table><tr><th>Country<th>Year<tr><td>Mali<td>2020{countries}</table>");
        assert_eq!(rows(&text)[0][2..], same[1..]);
    }

    #[test]
    fn a_name_over_both_rows_of_a_header_is_there_once() {
        let header = |rows: u8, header: &str| {
            let text = format!("<table>{header}<tr><td>1<td>2</table>");
            let layout = crate::Layout { header: rows, ..crate::Layout::from_format(model::Format::Html) };
            crate::read_records(&layout, "a.html", text.as_bytes()).unwrap().header
        };
        assert_eq!(header(2, "<tr><th rowspan=2>A<th>B<tr><th>b"), ["A", "B / b"]);
        // A row of its own, in which nothing begins.
        assert_eq!(header(2, "<thead><tr><th rowspan=2>A<th rowspan=2>B<tr></tr></thead>"), ["A", "B"]);
        assert_eq!(header(2, "<tr><th colspan=2>A<tr><th>A<th>b"), ["A / A", "A / b"]);
        assert_eq!(header(1, "<tr><th>A<th>B"), ["A", "B"]);
    }

    #[test]
    fn tags_that_are_left_out_and_cells_outside_of_tables_are_as_in_browsers() {
        assert_eq!(rows("<table><td>1<td>2<tr><td>3</table><td>4"), [[vec!["1", "2"], vec!["3"]]]);
        assert_eq!(rows("<table>stray<b>x</b><tfoot><td>z</tfoot><tbody><td>a</table>"), [[["a"], ["z"]]]);
        assert_eq!(rows("<table><td>out<table><td>in</table>er</table>"), [[["out in er"]], [["in"]]]);
        assert_eq!(rows("<td>1</td>"), Vec::<Vec<Vec<String>>>::new());
    }

    #[test]
    fn what_is_hidden_is_not_read() {
        let text = "<table><tr hidden><td>1<tr style='DISPLAY : none !important'><td>2<tr><td>3<i style=\"color:red;display:none\">4</i></table>
            <div style='display:none'><table><td>5</table></div><template><table><td>6</table></template>";
        assert_eq!(rows(text), [[["3"]]]);
    }

    #[test]
    fn bombs_are_refused() {
        let kind = |text: &str| parse_tables(text).unwrap_err().1;
        let said = |text: &str| match kind(text) {
            FaultKind::Unreadable(why) => why.message,
            other => panic!("{other:?}"),
        };
        assert!(said(&"<div>".repeat(100_000)).contains("levels deep"));
        let bold: String = (0..5000).map(|at| format!("<b a={at}>")).collect();
        assert!(said(&format!("<p>{bold}{}", "</p><p>x".repeat(100_000))).contains("levels deep"));
        let wide: String = (0..200_000).map(|at| format!(" a{at}=\">\"")).collect();
        assert!(said(&format!("<a{wide}>")).contains("attributes"));
        let spans = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>x".repeat(70));
        assert!(matches!(kind(&spans), FaultKind::TooMuch { of: SizeLimit::Columns, .. }));
        let long = format!("<table><td rowspan=65534>{}{}", "x".repeat(100_000), "<tr>".repeat(65_533));
        assert!(matches!(kind(&long), FaultKind::TooMuch { of: SizeLimit::Bytes, .. }));
    }
}
