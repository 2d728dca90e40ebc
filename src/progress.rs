//! Progress bars: on a terminal only, and only for work that takes long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runtime::bundle::Progress;

use crate::console::Console;

/// A bar over instances.
pub struct Bar(ProgressBar);

impl Bar {
    /// For so many; invisible where nobody would see it.
    pub fn new(instances: u64, console: &Console, quiet: bool) -> Bar {
        if quiet || !console.terminal {
            return Bar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(instances), ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} instances, {per_sec}, {eta} left") {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// One that no one sees.
    pub fn hidden() -> Bar {
        Bar(ProgressBar::hidden())
    }

    /// Takes it away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn advance(&self, n: u64) {
        self.0.inc(n);
    }
}
