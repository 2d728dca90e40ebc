//! One sentence about whether the build of suites can stop.

use ::report::render::words::format_count;
use compiler::{Totality, Why};

/// Renders what is known of whether builds can stop; `None` if no task was looked at.
pub fn render_totality(totality: &Totality) -> Option<String> {
    let all = totality.tasks.len();
    if all == 0 {
        return None;
    }
    let stops = totality.count_stops();
    if stops > 0 {
        return Some(format!(
            "the build can stop at {}, each shown with a sample",
            format_count(stops as u64, "place")
        ));
    }
    if totality.is_proved() {
        return Some("the build cannot stop".to_owned());
    }
    let reasons: Vec<&str> = totality.list_reasons().into_iter().map(name_reason).collect();
    let open = totality.count_open_tasks();
    let of = format!("{open} of {}", format_count(all as u64, "task"));
    Some(format!("no place is known where the build stops; not proved for {of} ({})", reasons.join(", ")))
}

fn name_reason(why: Why) -> &'static str {
    match why {
        Why::Query => "queries",
        Why::File => "files",
        Why::Require => "`require`",
        Why::Value => "values",
    }
}
