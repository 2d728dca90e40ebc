//! Progress bars, on a terminal only and only for work that takes long, and the clock of what is measured.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use agent::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use records::{Response, Status};
use runtime::bundle::Progress;

use crate::console::Console;

/// A bar over instances.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar over this number of instances; hidden with `quiet`, and if stderr is not a terminal.
    pub fn new(instances: u64, console: &Console, quiet: bool) -> Bar {
        if quiet || !console.terminal {
            return Bar::new_hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(instances), ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} instances, {per_sec}, {eta} left") {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// One that no one sees.
    pub fn new_hidden() -> Bar {
        Bar(ProgressBar::hidden())
    }

    /// Takes it away.
    pub fn clear_bar(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn report_written(&self, n: u64) {
        self.0.inc(n);
    }
}

/// Nanoseconds since the first call, by a clock that never goes back.
pub fn read_nanos() -> u64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(FIRST.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// A bar over answers, with the share of right ones so far.
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
    /// Invisible where nobody would see it.
    pub fn new(console: &Console, quiet: bool) -> Answers {
        let hidden = quiet || !console.terminal;
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} answers, {per_sec}, {eta} left{msg}") {
            bar.set_style(style);
        }
        Answers { console: *console, bar, tally: Mutex::default() }
    }

    /// Why the last answer that failed did.
    pub fn last_failure(&self) -> Option<String> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }

    /// Takes it away.
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
        // With --quiet too: it is about what the run is worth.
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
