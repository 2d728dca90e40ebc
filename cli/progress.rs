//! Progress bars for long work on a terminal, and the clock for measurements.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use agent::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use records::{Response, Status};
use runtime::bundle::Progress;

use crate::console::Console;

/// A progress bar for instances, which is removed from the terminal when it is dropped.
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar for this number of instances. It is hidden on a quiet console, or if stderr is not a terminal.
    pub fn new(instances: u64, console: &Console) -> Bar {
        Bar(build_bar(Some(instances), "{bar:40} {pos}/{len} instances, {per_sec}, {eta} left", console))
    }
}

/// Builds a bar that is cleared when it is dropped.
fn build_bar(length: Option<u64>, template: &str, console: &Console) -> ProgressBar {
    let hidden = console.quiet || !console.terminal;
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(length, target).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl Progress for Bar {
    fn report_written(&self, n: u64) {
        self.0.inc(n);
    }
}

/// Returns the nanoseconds since the first call, from a monotonic clock.
pub fn read_nanos() -> u64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(FIRST.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// A progress bar for answers, with the share of correct ones so far.
pub struct Answers {
    console: Console,
    bar: ProgressBar,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    right: u64,
    of: u64,
    failure: Option<String>,
}

impl Answers {
    /// Creates a bar. It is hidden on a quiet console, or if stderr is not a terminal.
    pub fn new(console: &Console) -> Answers {
        let bar = build_bar(None, "{bar:40} {pos}/{len} answers, {per_sec}, {eta} left{msg}", console);
        Answers { console: *console, bar, tally: Mutex::default() }
    }

    /// Returns the reason of the last failed answer.
    pub fn last_failure(&self) -> Option<String> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }

    /// Removes the bar from the terminal.
    pub fn clear_bar(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Answers {
    fn begin_run(&self, expected: u64, there: u64) {
        self.bar.set_length(expected);
        self.bar.set_position(there);
        self.bar.reset_eta();
    }

    fn report_note(&self, text: &str) {
        // Also printed with --quiet, because it affects the value of the run.
        self.bar.suspend(|| self.console.print_message(text));
    }

    fn report_response(&self, response: &Response, correct: bool) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.right += u64::from(correct);
        tally.of += 1;
        if response.status == Status::Failed {
            tally.failure.clone_from(&response.error);
        }
        self.bar.set_message(format!("; {:.1}% of {} correct", 100.0 * tally.right as f64 / tally.of as f64, tally.of));
        self.bar.inc(1);
    }
}
