//! One sentence about whether the build of suites can stop.

use ::report::render::words::format_count;
use compiler::{Compiled, Why};

/// The maximum number of tasks that are named, and of places for each of them.
const MAX_TASKS: usize = 3;
const MAX_PLACES: usize = 2;

/// What is known of whether the builds of suites can stop.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The number of tasks that were looked at.
    all: usize,
    /// The number of places that are reported with a sample that stops there, and of tasks with such places.
    places: usize,
    stopping: usize,
    /// The tasks without such places that are not proved.
    open: Vec<OpenTask>,
    /// The number of other tasks whose `require`s were judged by drawn samples.
    observed: usize,
}

/// A task of which it is not proved that its build cannot stop.
#[derive(Debug)]
struct OpenTask {
    name: String,
    /// The first places, as `path:line:column (reason)`.
    shown: Vec<String>,
    /// The number of further places.
    more: usize,
    /// The number of drawn samples that did not stop.
    made: u32,
}

impl Verdict {
    /// Adds what is known of a suite.
    pub fn add_suite(&mut self, compiled: &Compiled) {
        for task in &compiled.totality.tasks {
            self.all += 1;
            self.places += task.stops;
            self.stopping += usize::from(task.stops > 0);
            if task.stops > 0 || task.is_proved() {
                self.observed += usize::from(task.stops == 0 && task.is_observed);
                continue;
            }
            let mut places: Vec<String> = Vec::new();
            for open in &task.open {
                let Some(source) = compiled.sources.get(open.span.file) else { continue };
                let at = compiled.sources.start_position(open.span);
                let place = format!("{}:{}:{} ({})", source.path, at.line, at.column, name_reason(open.why));
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            let more = places.len().saturating_sub(MAX_PLACES);
            places.truncate(MAX_PLACES);
            self.open.push(OpenTask { name: task.name.clone(), shown: places, more, made: task.made });
        }
    }

    /// Renders the sentence; `None` if no task was looked at.
    pub fn render_sentence(&self) -> Option<String> {
        if self.all == 0 {
            return None;
        }
        let mut parts = Vec::new();
        let proved = self.all - self.stopping - self.open.len();
        match (proved, self.all) {
            (proved, all) if proved == all => return Some(format!("the build cannot stop{}", self.render_observed())),
            (0, _) => {}
            (proved, all) => {
                let tasks = format_count(all as u64, "task");
                parts.push(format!("{proved} of {tasks} cannot stop{}", self.render_observed()));
            }
        }
        if self.places > 0 {
            parts.push(format!(
                "the build can stop at {}, each shown with a sample",
                format_count(self.places as u64, "place")
            ));
        }
        parts.extend(self.open.iter().take(MAX_TASKS).map(OpenTask::render));
        if self.open.len() > MAX_TASKS {
            parts.push(format!("nor for {}", format_count((self.open.len() - MAX_TASKS) as u64, "other task")));
        }
        Some(parts.join("; "))
    }

    fn render_observed(&self) -> String {
        match self.observed {
            0 => String::new(),
            observed => {
                format!(" (in {}, each `require` held often in drawn samples)", format_count(observed as u64, "task"))
            }
        }
    }
}

impl OpenTask {
    fn render(&self) -> String {
        let mut places = self.shown.join(", ");
        if self.more > 0 {
            places.push_str(&format!(", and {}", format_count(self.more as u64, "more place")));
        }
        let made = match self.made {
            0 => String::new(),
            made => format!(" ({} did not stop)", format_count(u64::from(made), "drawn sample")),
        };
        format!("not proved for task `{}`{made}: {places}", self.name)
    }
}

fn name_reason(why: Why) -> &'static str {
    match why {
        Why::Query => "query",
        Why::File => "file",
        Why::Require => "`require`",
        Why::Value => "value",
    }
}
