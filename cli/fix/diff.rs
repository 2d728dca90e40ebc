//! A unified diff, as read by `patch`.

use std::fmt::Write as _;

use disk::show_path;

/// The number of lines shown around a change.
const CONTEXT: usize = 3;

/// The maximum size of a differing part (the product of its numbers of lines). A larger one is shown as completely replaced.
const TOO_LARGE: usize = 16_000_000;

/// A line of one or both texts, with its index in each (from 0).
#[derive(Clone, Copy)]
struct Line<'t> {
    sign: char,
    text: &'t str,
    old: usize,
    new: usize,
}

/// Renders the diff of two texts of the file `path`; empty if they are equal.
pub fn render_unified_diff(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let lines = diff_lines(&old, &new);
    let changes: Vec<usize> = (0..).zip(&lines).filter(|(_, line)| line.sign != ' ').map(|(at, _)| at).collect();
    let mut out = String::new();
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        // A hunk extends over changes whose contexts touch.
        let gap = rest.windows(2).position(|pair| matches!(pair, [a, b] if b - a > 2 * CONTEXT + 1));
        let (here, behind) = rest.split_at(gap.map_or(rest.len(), |gap| gap + 1));
        let last = here.last().unwrap_or(first);
        let hunk = lines.get(first.saturating_sub(CONTEXT)..(last + CONTEXT + 1).min(lines.len())).unwrap_or_default();
        if out.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "--- {0}\n+++ {0}", show_path(path));
        }
        write_hunk(&mut out, hunk);
        rest = behind;
    }
    out
}

fn write_hunk(out: &mut String, hunk: &[Line<'_>]) {
    let Some(first) = hunk.first() else { return };
    let count = |without: char| hunk.iter().filter(|line| line.sign != without).count();
    let (olds, news) = (count('+'), count('-'));
    // An empty side is located by the line before it.
    let start = |at: usize, lines: usize| if lines == 0 { at } else { at + 1 };
    let _ = writeln!(out, "@@ -{},{olds} +{},{news} @@", start(first.old, olds), start(first.new, news));
    for line in hunk {
        let _ = write!(out, "{}{}", line.sign, line.text);
        if !line.text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Merges both texts into one sequence of kept, removed, and added lines.
fn diff_lines<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tails = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = tails.min(old.len().min(new.len()) - head);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let middle = diff_middle(&old[head..old_end], &new[head..new_end]);
    let (mut at_old, mut at_new) = (0, 0);
    let locate = |(sign, text)| {
        let line = Line { sign, text, old: at_old, new: at_new };
        at_old += usize::from(sign != '+');
        at_new += usize::from(sign != '-');
        line
    };
    [mark_lines(' ', &old[..head]), middle, mark_lines(' ', &old[old_end..])].concat().into_iter().map(locate).collect()
}

fn mark_lines<'t>(sign: char, lines: &[&'t str]) -> Vec<(char, &'t str)> {
    lines.iter().map(|line| (sign, *line)).collect()
}

/// Compares the differing parts by their longest common subsequence.
fn diff_middle<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(new.len()) > TOO_LARGE {
        return [mark_lines('-', old), mark_lines('+', new)].concat();
    }
    // common[i][j]: the length of the longest common subsequence of `old[i..]` and `new[j..]`.
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            common[i][j] = if a == b { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (old.get(i), new.get(j)) {
        if a == b {
            out.push((' ', *a));
            (i, j) = (i + 1, j + 1);
        } else if common[i + 1][j] >= common[i][j + 1] {
            out.push(('-', *a));
            i += 1;
        } else {
            out.push(('+', *b));
            j += 1;
        }
    }
    [out, mark_lines('-', &old[i..]), mark_lines('+', &new[j..])].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What `patch` would make of it.
    fn patched(before: &str, diff: &str) -> String {
        let old: Vec<&str> = before.split_inclusive('\n').collect();
        let (mut out, mut at) = (String::new(), 0);
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(line) = lines.next() {
            if let Some(head) = line.strip_prefix("@@ -") {
                let numbers: Vec<usize> =
                    head.split(' ').next().expect("a range").split(',').map(|n| n.parse().expect("a number")).collect();
                let start = if numbers[1] == 0 { numbers[0] } else { numbers[0] - 1 };
                out.extend(old[at..start].iter().copied());
                at = start;
                continue;
            }
            let cut = lines.peek().is_some_and(|next| next.starts_with('\\'));
            let (sign, text) = line.split_at(1);
            let text = if cut { text.trim_end_matches('\n') } else { text };
            match sign {
                " " => {
                    assert_eq!(old[at], text);
                    out.push_str(text);
                    at += 1;
                }
                "-" => {
                    assert_eq!(old[at], text);
                    at += 1;
                }
                "+" => out.push_str(text),
                "\\" => {}
                other => panic!("{other}"),
            }
        }
        out.extend(old[at..].iter().copied());
        out
    }

    #[test]
    fn a_hunk() {
        assert_eq!(
            render_unified_diff("a.pcd", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6"),
            "--- a.pcd\n+++ a.pcd\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n-6\n+five\n+6\n\\ No newline at end of file\n"
        );
        assert_eq!(render_unified_diff("a.pcd", "same\n", "same\n"), "");
        assert_eq!(render_unified_diff("a.pcd", "", "x\n"), "--- a.pcd\n+++ a.pcd\n@@ -0,0 +1,1 @@\n+x\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Applied to the old text it gives the new one.
        #[test]
        fn it_can_be_applied(
            before in "([abc]\n){0,30}[abc]?",
            after in "([abc]\n){0,30}[abc]?",
        ) {
            let diff = render_unified_diff("a", &before, &after);
            prop_assert_eq!(diff.is_empty(), before == after);
            prop_assert_eq!(if diff.is_empty() { before } else { patched(&before, &diff) }, after);
        }
    }
}
