//! Markdown, as far as the manual needs it: fenced blocks, links, headings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A fenced block.
pub struct Block {
    /// The words behind the fence.
    pub words: Vec<String>,
    /// The text, with its last newline.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
}

impl Block {
    /// Saves it, in folders that need not be there.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder.and_then(|()| fs::write(path, &self.text)).map_err(|error| error.to_string())
    }

    pub fn language(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    /// What stands behind `key=`.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

/// What is known of a page while its blocks are gone through.
pub struct Page {
    lines: Vec<String>,
    /// Lines by which the page has grown above the block at hand.
    grown: isize,
    /// The folder in which its commands run.
    pub home: tempfile::TempDir,
    /// Statements in front of its tasks.
    pub given: String,
    /// What the last `sh` printed.
    pub printed: Option<String>,
}

impl Page {
    pub fn new(text: &str) -> Page {
        let home = tempfile::tempdir().expect("a folder");
        Page { lines: text.lines().map(str::to_owned).collect(), grown: 0, home, given: String::new(), printed: None }
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Puts other text into a block.
    pub fn rewrite(&mut self, block: &Block, text: &str) {
        let start = (block.line as isize + self.grown) as usize;
        let (old, new) = (block.text.lines().count(), text.lines().count());
        self.lines.splice(start..start + old, text.lines().map(str::to_owned));
        self.grown += new as isize - old as isize;
    }
}

/// Every fenced block.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                open = Some(Block { words, text: String::new(), line: index + 1 });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "an unclosed block");
    blocks
}

/// Lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of links to files of the project.
pub fn links(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in prose(text) {
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            let target = rest.split(')').next().unwrap_or("");
            if !target.contains("://") && !target.is_empty() {
                out.push(target.to_owned());
            }
        }
    }
    out
}

/// The anchors of headings, as mdBook and GitHub make them.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings
        .map(|heading| {
            let kept = heading.to_lowercase();
            kept.chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}
