//! What a format cannot express, counted by reason.

use std::fmt::Write as _;

use report::render::words;
use serde_json::{Value as Json, json};

/// The items that were left out, by reason, in the order of the first occurrence.
#[derive(Clone, Debug)]
pub(super) struct LeftOut {
    /// The kind of counted item, such as `instance`.
    what: &'static str,
    /// Whether the rest of each item is written.
    in_part: bool,
    reasons: Vec<Reason>,
}

#[derive(Clone, Debug)]
struct Reason {
    why: String,
    count: u64,
    first: String,
}

impl LeftOut {
    /// Creates an empty list of items that are not written at all.
    pub(super) fn new(what: &'static str) -> LeftOut {
        LeftOut { what, in_part: false, reasons: Vec::new() }
    }

    /// Creates an empty list of items that are written in part.
    pub(super) fn new_partial(what: &'static str) -> LeftOut {
        LeftOut { in_part: true, ..LeftOut::new(what) }
    }

    /// Counts an item.
    pub(super) fn add_reason(&mut self, id: &str, why: &str) {
        match self.reasons.iter_mut().find(|reason| reason.why == why) {
            Some(reason) => reason.count += 1,
            None => self.reasons.push(Reason { why: why.to_owned(), count: 1, first: id.to_owned() }),
        }
    }

    /// The number of items left out.
    pub(super) fn count_left_out(&self) -> u64 {
        self.reasons.iter().map(|reason| reason.count).sum()
    }

    /// The number of all items, including those that are written.
    pub(super) fn with_written(&self, written: u64) -> u64 {
        if self.in_part { written } else { written + self.count_left_out() }
    }

    /// Renders `; 12 left out`, or `; 12 in part` if the rest is written; empty if the number is 0.
    pub(super) fn render_suffix(&self) -> String {
        match self.count_left_out() {
            0 => String::new(),
            total if self.in_part => format!("; {total} in part"),
            total => format!("; {total} left out"),
        }
    }

    /// Renders a number of items, such as `12 instances`.
    pub(super) fn format_count(&self, count: u64) -> String {
        words::format_count(count, self.what)
    }

    /// Renders one line for each reason, for people.
    pub(super) fn render_list(&self) -> String {
        let mut text = String::new();
        for Reason { why, count, first } in &self.reasons {
            let such = if *count == 1 { format!("`{first}`") } else { format!("such as `{first}`") };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "left out: {} ({such}): {why}", self.format_count(*count));
        }
        text
    }

    /// Converts the reasons to JSON.
    pub(super) fn to_json(&self) -> Json {
        let reason = |reason: &Reason| json!({"reason": reason.why, "count": reason.count, "first": reason.first});
        self.reasons.iter().map(reason).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_in_their_order() {
        let mut left = LeftOut::new("instance");
        for (id, why) in [("b-1", "no sandbox"), ("a-1", "no tools"), ("b-2", "no sandbox")] {
            left.add_reason(id, why);
        }
        assert_eq!(left.count_left_out(), 3);
        assert_eq!(
            left.render_list(),
            "left out: 2 instances (such as `b-1`): no sandbox\nleft out: 1 instance (`a-1`): no tools\n"
        );
    }
}
