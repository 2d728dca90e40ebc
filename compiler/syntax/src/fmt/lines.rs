//! The lines of the output, and alignment that requires several of them: of signs in adjacent lines, and of comments after code.

use super::width::WIDTH;

/// A line of the output.
#[derive(Default)]
pub(super) struct Line<'a> {
    /// Whether a blank line precedes it.
    pub apart: bool,
    /// The number of leading blanks.
    pub indent: usize,
    /// The indentation of the line that this one continues; brackets opened here are indented relative to it.
    pub base: usize,
    /// Its text, without a trailing comment.
    pub text: String,
    /// The byte of `text` at which blanks are inserted, and their number, to align signs in adjacent lines.
    pub pad: Option<(usize, usize)>,
    /// The trailing comment.
    pub comment: Option<&'a str>,
    /// For a continuation of raw text: it moves along with the first line of the raw text.
    pub under: Option<Under<'a>>,
}

/// A line of raw text after the first.
#[derive(Clone, Copy)]
pub(super) struct Under<'a> {
    /// Its leading blanks in the source.
    pub blanks: &'a str,
    /// The index of the line in which the raw text begins.
    pub line: usize,
    /// The column in the source at which the raw text begins.
    pub from: usize,
    /// The number of characters before the raw text on that line in the output, without indentation and padding.
    pub behind: usize,
}

impl Line<'_> {
    fn padding(&self) -> usize {
        self.pad.map_or(0, |(_, blanks)| blanks)
    }

    fn width(&self) -> usize {
        self.indent + self.padding() + self.text.chars().count()
    }
}

/// The width of a text at the start of a line: leading tabs advance to the next multiple of 8, all other characters are one column wide.
pub(super) fn measure_width(text: &str) -> usize {
    let rest = text.trim_start_matches([' ', '\t']);
    let blanks = text.get(..text.len() - rest.len()).unwrap_or("").chars();
    blanks.fold(0, |width, blank| if blank == '\t' { (width / 8 + 1) * 8 } else { width + 1 }) + rest.chars().count()
}

/// Joins the lines into one text.
pub(super) fn join_lines(lines: Vec<Line<'_>>) -> String {
    let columns = compute_comment_columns(&lines);
    let mut out = String::new();
    // The leading blanks of each line.
    let mut margins: Vec<String> = Vec::with_capacity(lines.len());
    for (line, column) in lines.iter().zip(columns) {
        if line.apart {
            out.push('\n');
        }
        let blanks = match line.under {
            Some(under) => {
                let first = lines.get(under.line);
                let mut head = margins.get(under.line).cloned().unwrap_or_default();
                head.extend(first.map_or("", |line| &line.text).chars().take(under.behind));
                // A continuation line of a string may begin with a tab.
                under.build_margin(measure_width(&head) + first.map_or(0, Line::padding))
            }
            None => " ".repeat(line.indent),
        };
        if !line.text.is_empty() || line.comment.is_some() {
            out.push_str(&blanks);
        }
        margins.push(blanks);
        match line.pad.and_then(|(at, blanks)| Some((line.text.split_at_checked(at)?, blanks))) {
            Some(((head, tail), blanks)) => {
                out.push_str(head);
                out.extend(std::iter::repeat_n(' ', blanks));
                out.push_str(tail);
            }
            None => out.push_str(&line.text),
        }
        if let Some(comment) = line.comment {
            out.extend(std::iter::repeat_n(' ', column.saturating_sub(line.width())));
            out.push_str(comment);
        }
        out.push('\n');
    }
    out
}

impl Under<'_> {
    /// The leading blanks of the line. It is shifted as far as the first line of the raw text, which now begins at column `to`.
    fn build_margin(self, to: usize) -> String {
        if to == self.from {
            self.blanks.to_owned()
        } else {
            " ".repeat((measure_width(self.blanks) + to).saturating_sub(self.from))
        }
    }
}

/// The column of each line's trailing comment: adjacent lines with equal indentation share one, two blanks after the longest line.
fn compute_comment_columns(lines: &[Line<'_>]) -> Vec<usize> {
    let mut columns = vec![0; lines.len()];
    let mut start = 0;
    while let Some(first) = lines.get(start) {
        let together = |(number, line): &(usize, &Line<'_>)| {
            let alike = line.indent == first.indent && !(line.apart && *number > 0);
            alike && line.comment.is_some() && line.under.is_none() && line.width() <= WIDTH
        };
        let run = lines.iter().skip(start).enumerate().take_while(together).count().max(1);
        let longest = lines.iter().skip(start).take(run).map(Line::width).max().unwrap_or(0);
        columns.iter_mut().skip(start).take(run).for_each(|column| *column = longest + 2);
        start += run;
    }
    columns
}
