//! How an instance is made; no byte of it depends on this.

use super::inquiry::Inquiry;
use super::work::WorkMeter;

/// Options of making an instance.
#[derive(Clone, Copy)]
pub(crate) struct Making<'m> {
    /// Maximum number of threads that write its files.
    pub threads: usize,
    /// What else is asked of the instance, if [`super::Instance::dropped`] and [`super::Instance::findings`] are filled in.
    pub judging: Option<Inquiry<'m>>,
    /// Whether its keys have traps, if the generator's options ask for them.
    pub traps: bool,
    /// Limits its work.
    pub meter: Option<&'m WorkMeter>,
}

impl Making<'_> {
    /// On one thread, for a build, without a limit.
    pub const ALONE: Making<'static> = Making { threads: 1, judging: None, traps: true, meter: None };
}
