//! What a query has taken so far, on the thread that runs it: steps of SQLite's machine, memory, time. All of it but the time depends on the
//! query and its database alone, so the same query ends in the same place whatever else the process does.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use web_time::Instant;

use crate::budget;
use crate::database::RefusalKind;
use crate::rules::Bounds;

/// Work that a step of SQLite's machine counts as one; so often the bounds are looked at.
pub const STEPS_A_LOOK: u32 = 1000;
/// Work of one allocation, and how many of its bytes are one more: what no step counts (functions, conversions, copies) allocates.
const ALLOCATION: u64 = 8;
const BYTES_A_STEP: u64 = 16;
/// Bytes of memory that grows which count as a step.
const BYTES_A_COPY: u64 = 512;
/// So much work between two looks at the clock where no step is counted: some milliseconds.
const WORK_A_LOOK: u64 = 500_000;
/// How long the processor's clock is not asked again.
const PAUSE: Duration = Duration::from_millis(20);

/// A bound that a query met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceededLimit {
    /// This number of steps.
    Work(u64),
    /// This number of bytes of memory.
    Memory(u64),
    /// This time on the processor.
    Time(Duration),
    /// The time it was given ran out.
    Deadline,
    /// This number of bytes in one value, row, or text of a query.
    Length(u64),
}

impl std::fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExceededLimit::Work(steps) => write!(f, "{} million steps", steps / 1_000_000),
            ExceededLimit::Memory(bytes) => write!(f, "{} MB of memory", bytes / 1_000_000),
            ExceededLimit::Time(time) => write!(f, "{} seconds", time.as_secs()),
            ExceededLimit::Deadline => f.write_str("the time it had"),
            ExceededLimit::Length(bytes) => write!(f, "a value of {} bytes", model::value::group_digits(*bytes)),
        }
    }
}

/// Set once the user wants the process to end; every query then stops at its next look.
static STOP: AtomicBool = AtomicBool::new(false);

/// Stops all queries, running and to come, of this process: it is about to end. A signal handler may call it.
pub fn stop_all() {
    STOP.store(true, Ordering::Relaxed);
}

/// Whether [`stop_all`] was called: what a query gave since may be cut short, and counts for nothing.
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// What a thread's query has taken.
struct Meter {
    state: Cell<State>,
    used: Cell<i64>,
    /// The bytes that it may hold before it asks for its share of the memory.
    free: Cell<i64>,
    /// Its share of the memory; 0: none yet.
    lent: Cell<u64>,
    work: Cell<u64>,
    /// The work that is left for all queries of this thread together.
    left: Cell<u64>,
    /// The work at which the clock is looked at next.
    next_look: Cell<u64>,
    bounds: Cell<Bounds>,
    began: Cell<Option<Instant>>,
    deadline: Cell<Option<Instant>>,
    processor: Cell<Duration>,
    looked: Cell<Option<Instant>>,
    met: Cell<Option<StopCause>>,
    clock: Cell<bool>,
    local_time: Cell<bool>,
    refused: RefCell<Option<(RefusalKind, String)>>,
    no_result: RefCell<Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No query runs.
    Off,
    /// A query runs, and its bounds hold.
    On,
    /// A query runs; what is taken now is counted, but nothing fails.
    Counting,
}

/// Why a query was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// A bound.
    Bound(ExceededLimit),
    /// [`stop_all`].
    Stop,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            state: Cell::new(State::Off),
            used: Cell::new(0),
            free: Cell::new(0),
            lent: Cell::new(0),
            work: Cell::new(0),
            left: Cell::new(u64::MAX),
            next_look: Cell::new(0),
            bounds: Cell::new(Bounds::NONE),
            began: Cell::new(None),
            deadline: Cell::new(None),
            processor: Cell::new(Duration::ZERO),
            looked: Cell::new(None),
            met: Cell::new(None),
            clock: Cell::new(false),
            local_time: Cell::new(false),
            refused: RefCell::new(None),
            no_result: RefCell::new(None),
        }
    };
}

/// A thread that is ending has no meter any more, and runs no query.
fn with_meter<T>(otherwise: T, work: impl FnOnce(&Meter) -> T) -> T {
    METER.try_with(work).unwrap_or(otherwise)
}

/// While it lives, the bounds hold on this thread.
pub struct Running(());

/// What happened meanwhile.
pub struct Ended {
    pub met: Option<StopCause>,
    pub clock: bool,
    pub local_time: bool,
    pub refused: Option<(RefusalKind, String)>,
    pub no_result: Option<String>,
}

impl Running {
    pub fn start(bounds: Bounds, deadline: Option<Instant>) -> Running {
        with_meter((), |meter| {
            meter.used.set(0);
            meter.free.set(budget::begin_query() as i64);
            meter.lent.set(0);
            meter.work.set(0);
            meter.next_look.set(WORK_A_LOOK);
            meter.bounds.set(Bounds { work: bounds.work.min(meter.left.get()), ..bounds });
            meter.began.set(Some(Instant::now()));
            meter.deadline.set(deadline);
            meter.processor.set(read_processor_time());
            meter.looked.set(None);
            meter.met.set(None);
            meter.clock.set(false);
            meter.local_time.set(false);
            meter.refused.replace(None);
            meter.no_result.replace(None);
            meter.state.set(State::On);
        });
        Running(())
    }

    pub fn end(self) -> Ended {
        let none = Ended { met: None, clock: false, local_time: false, refused: None, no_result: None };
        with_meter(none, |meter| Ended {
            met: meter.met.get(),
            clock: meter.clock.get(),
            local_time: meter.local_time.get(),
            refused: meter.refused.take(),
            no_result: meter.no_result.take(),
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        with_meter((), |meter| {
            meter.state.set(State::Off);
            if meter.left.get() < u64::MAX {
                // A query is never free, however little it does.
                meter.left.set(meter.left.get().saturating_sub(meter.work.get().max(1)));
            }
            let lent = meter.lent.take();
            if lent > 0 {
                // Otherwise this thread's allocator keeps the freed memory, in addition to what the next query takes.
                crate::ffi::trim_heap();
            }
            budget::end_query(lent);
        });
    }
}

/// While it lives, all queries of this thread together take no more than some work: one that begins when nothing is left ends at once.
pub struct StepBudget(());

impl StepBudget {
    /// Of a number of steps. A thread has at most one at a time.
    pub fn with_steps(steps: u64) -> StepBudget {
        with_meter((), |meter| meter.left.set(steps.min(u64::MAX - 1)));
        StepBudget(())
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        with_meter(0, |meter| meter.left.get())
    }

    /// Does work whose steps have been paid, or are not to be paid.
    pub fn run_unmetered<T>(work: impl FnOnce() -> T) -> T {
        let left = with_meter(0, |meter| meter.left.replace(u64::MAX));
        let result = work();
        with_meter((), |meter| meter.left.set(left));
        result
    }
}

impl Drop for StepBudget {
    fn drop(&mut self) {
        with_meter((), |meter| meter.left.set(u64::MAX));
    }
}

/// Whether a query runs on this thread.
pub fn is_on() -> bool {
    with_meter(false, |meter| meter.state.get() != State::Off)
}

/// Takes this number of bytes of memory; `false`: the query has met a bound.
pub fn take_memory(bytes: u64) -> bool {
    with_meter(true, |meter| {
        if meter.state.get() == State::Off {
            return true;
        }
        let used = meter.used.get().saturating_add(bytes as i64);
        if meter.state.get() == State::On && used > meter.bounds.get().heap as i64 {
            meter.meet_bound(ExceededLimit::Memory(meter.bounds.get().heap));
            return false;
        }
        if !meter.add_work(ALLOCATION + bytes / BYTES_A_STEP) && meter.state.get() == State::On {
            return false;
        }
        if used > meter.free.get() && meter.state.get() == State::On && !meter.borrow_memory() {
            return false;
        }
        meter.used.set(used);
        true
    })
}

/// Takes more bytes for memory that is there: what it held is copied now and then.
pub fn grow_memory(from: u64, to: u64) -> bool {
    if to > from {
        return count_work(to / BYTES_A_COPY) && take_memory(to - from);
    }
    give_back(from - to);
    true
}

/// Gives this number of bytes back.
pub fn give_back(bytes: u64) {
    with_meter((), |meter| {
        if meter.state.get() != State::Off {
            meter.used.set(meter.used.get().saturating_sub(bytes as i64));
        }
    });
}

/// Counts so much work, in steps; `false`: it is too much.
pub fn count_work(steps: u64) -> bool {
    with_meter(true, |meter| match meter.state.get() {
        State::Off => true,
        State::On => meter.add_work(steps),
        State::Counting => {
            meter.add_work(steps);
            true
        }
    })
}

/// Counts [`STEPS_A_LOOK`] steps, and looks at the time; `true`: the query ends here.
pub fn check_limits() -> bool {
    with_meter(false, |meter| {
        if meter.state.get() == State::Off {
            return false;
        }
        !meter.add_work(u64::from(STEPS_A_LOOK)) || meter.is_late()
    })
}

/// Reads what a query gave: memory that takes is counted, but there is always some. Without it, a conversion that gets none is a panic of rusqlite's.
pub fn run_reading<T>(work: impl FnOnce() -> T) -> T {
    let before = with_meter(State::Off, |meter| {
        let before = meter.state.get();
        if before == State::On {
            meter.state.set(State::Counting);
        }
        before
    });
    let result = work();
    if before == State::On {
        with_meter((), |meter| meter.state.set(before));
    }
    result
}

/// The query asked for the clock.
pub fn note_clock_use() {
    with_meter((), |meter| meter.clock.set(true));
}

/// The query asked for the local time.
pub fn note_local_time_use() {
    with_meter((), |meter| meter.local_time.set(true));
}

/// The query does what its rules do not allow.
pub fn note_refusal(kind: RefusalKind, why: String) {
    with_meter((), |meter| drop(meter.refused.replace(Some((kind, why)))));
}

/// A function of the library has no result for what the query gives it.
pub fn note_no_result(why: &str) {
    with_meter((), |meter| drop(meter.no_result.replace(Some(why.to_owned()))));
}

impl Meter {
    fn meet_bound(&self, over: ExceededLimit) {
        if self.met.get().is_none() {
            self.met.set(Some(StopCause::Bound(over)));
        }
    }

    fn add_work(&self, steps: u64) -> bool {
        let work = self.work.get().saturating_add(steps);
        self.work.set(work);
        let most = self.bounds.get().work;
        if work > most {
            self.meet_bound(ExceededLimit::Work(most));
            return false;
        }
        // What one instruction does, or a row of them without a jump, can take long.
        if work < self.next_look.get() {
            return true;
        }
        self.next_look.set(work.saturating_add(WORK_A_LOOK));
        !self.is_late()
    }

    /// Waits for as much memory as the query may take; `false`: its time is up, or the process ends.
    fn borrow_memory(&self) -> bool {
        let bytes = self.bounds.get().heap;
        let lent = budget::lend_memory(bytes, || self.is_late());
        if lent {
            self.lent.set(bytes);
            self.free.set(i64::MAX);
        }
        lent
    }

    fn is_late(&self) -> bool {
        if is_stopped() {
            self.met.set(Some(StopCause::Stop));
            return true;
        }
        let now = Instant::now();
        if self.deadline.get().is_some_and(|deadline| now >= deadline) {
            self.meet_bound(ExceededLimit::Deadline);
            return true;
        }
        let most = self.bounds.get().time;
        // It cannot have been on the processor for longer than it runs; and asking how long takes a while.
        let early = self.began.get().is_none_or(|began| now.duration_since(began) < most);
        if early || self.looked.get().is_some_and(|looked| now.duration_since(looked) < PAUSE) {
            return false;
        }
        self.looked.set(Some(now));
        if read_processor_time().saturating_sub(self.processor.get()) < most {
            return false;
        }
        self.meet_bound(ExceededLimit::Time(most));
        true
    }
}

/// How long this thread was on a processor: what others do at the same time does not count.
#[cfg(unix)]
fn read_processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where it cannot be asked for, the time that passes.
#[cfg(not(unix))]
fn read_processor_time() -> Duration {
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    FIRST.elapsed()
}
