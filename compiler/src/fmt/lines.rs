//! The lines of a text, and what is aligned once all of them are known: signs of neighbors, and comments after code.

use super::WIDTH;

/// A line as it will be written.
#[derive(Default)]
pub(super) struct Line<'a> {
    /// Whether a blank line comes before it.
    pub apart: bool,
    /// Blanks in front.
    pub indent: usize,
    /// The indentation of the line that this one continues: brackets opened here are indented from there.
    pub base: usize,
    /// Its text, without the comment after it.
    pub text: String,
    /// The byte of `text` at which blanks are inserted, and how many, to align signs with those of neighbors.
    pub pad: Option<(usize, usize)>,
    /// The comment after the code.
    pub comment: Option<&'a str>,
    /// The line goes on with raw text: it keeps its place under the first line of it.
    pub under: Option<Under<'a>>,
}

/// A line of raw text that is not its first.
#[derive(Clone, Copy)]
pub(super) struct Under<'a> {
    /// Its leading blanks, as they are in the source.
    pub blanks: &'a str,
    /// In which line the raw text begins.
    pub line: usize,
    /// The column at which it begins in the source.
    pub from: usize,
    /// How many characters come before the raw text on that line now, without indentation and padding.
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

/// How wide a text is at the start of a line: tabs in front go to the next multiple of 8, everything else is one column.
pub(super) fn measure_width(text: &str) -> usize {
    let rest = text.trim_start_matches([' ', '\t']);
    let blanks = text.get(..text.len() - rest.len()).unwrap_or("").chars();
    blanks.fold(0, |width, blank| if blank == '\t' { (width / 8 + 1) * 8 } else { width + 1 }) + rest.chars().count()
}

/// All of them as one text.
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
                // A string's line may begin with a tab.
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
    /// The leading blanks of the line. It moves as far as the first line of the raw text, which now begins at column
    /// `to`.
    fn build_margin(self, to: usize) -> String {
        if to == self.from {
            self.blanks.to_owned()
        } else {
            " ".repeat((measure_width(self.blanks) + to).saturating_sub(self.from))
        }
    }
}

/// The column at which the comment of each line begins: neighbors of equal indentation share one, two blanks after the
/// longest line.
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
