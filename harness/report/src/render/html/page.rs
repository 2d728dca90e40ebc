//! The data of a page, and the accuracy with which a page compares others.

use statistics::Interval;

use crate::data::RunData;
use crate::details::Details;
use crate::model::Report;
use crate::model::share::Share;

/// The data of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The runs.
    pub runs: &'a [RunData],
    /// Their report.
    pub report: &'a Report,
    /// The failures of each run, in the same order.
    pub details: &'a [Details],
    /// The accuracy that runs must reach (`--fail-under`), in percent.
    pub least: Option<f64>,
}

impl Page<'_> {
    /// Returns the reference for an accuracy: the one that must be reached, otherwise the interval of `best`, the accuracy of another run that is the best.
    pub(super) fn choose_reference(&self, best: Option<&Share>) -> Option<Interval> {
        match self.least {
            Some(least) => Some(Interval { low: least / 100.0, high: least / 100.0 }),
            None => best.map(|share| share.interval),
        }
    }
}
