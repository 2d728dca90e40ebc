//! The resources that a query has used on its thread: steps of SQLite's virtual machine, memory, and time. Except for time, they depend only on the
//! query and its database, so a query always ends at the same point, regardless of other work in the process.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use web_time::Instant;

use crate::budget;
use crate::ffi::heap::trim_heap;
use crate::rules::{Bounds, RefusalKind};

/// Number of steps of SQLite's virtual machine between checks of the limits; a step counts as one unit of work.
pub const STEPS_A_LOOK: u32 = 1000;
/// Work of one allocation, and number of bytes that add another unit. Work without steps (functions, conversions, copies) allocates memory.
const ALLOCATION: u64 = 8;
const BYTES_A_STEP: u64 = 16;
/// Number of bytes of growing memory that count as a step.
const BYTES_A_COPY: u64 = 512;
/// Work between two checks of the clock where steps are not counted: a few milliseconds.
const WORK_A_LOOK: u64 = 500_000;
/// Minimum interval between reads of the processor's clock.
const PAUSE: Duration = Duration::from_millis(20);

/// A limit that a query exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceededLimit {
    /// This number of steps.
    Work(u64),
    /// This number of bytes of memory.
    Memory(u64),
    /// This amount of processor time.
    Time(Duration),
    /// The deadline passed.
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

/// Set when the user wants the process to end; every query then stops at its next check.
static STOP: AtomicBool = AtomicBool::new(false);

/// Stops all current and future queries of this process, which is about to end. A signal handler may call it.
pub fn stop_all() {
    STOP.store(true, Ordering::Relaxed);
}

/// Checks whether [`stop_all`] was called; results of queries since then may be incomplete and must be discarded.
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The resources used by a thread's query.
struct Meter {
    state: Cell<State>,
    used: Cell<i64>,
    /// Number of bytes that it may use before it requests a share of the memory.
    free: Cell<i64>,
    /// Its share of the memory in bytes; 0 before the request.
    lent: Cell<u64>,
    work: Cell<u64>,
    /// The remaining work of all queries of this thread together.
    left: Cell<u64>,
    /// The work at which the clock is checked next.
    next_look: Cell<u64>,
    bounds: Cell<Bounds>,
    began: Cell<Option<Instant>>,
    deadline: Cell<Option<Instant>>,
    processor: Cell<Duration>,
    looked: Cell<Option<Instant>>,
    events: RefCell<Events>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No query runs.
    Off,
    /// A query runs within its limits.
    On,
    /// A query runs; resources are counted, but limits are not enforced.
    Counting,
}

/// The reason why a query was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// It exceeded a limit.
    Bound(ExceededLimit),
    /// [`stop_all`] was called.
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
            events: RefCell::new(Events::NONE),
        }
    };
}

/// Accesses the meter. A thread that is ending has no meter and runs no query.
fn with_meter<T>(otherwise: T, work: impl FnOnce(&Meter) -> T) -> T {
    METER.try_with(work).unwrap_or(otherwise)
}

/// The guard during whose lifetime the limits apply to this thread.
pub struct Running(());

/// The events of a query.
pub struct Events {
    pub met: Option<StopCause>,
    pub clock: bool,
    pub local_time: bool,
    pub refused: Option<(RefusalKind, String)>,
    pub no_result: Option<String>,
}

impl Events {
    const NONE: Events = Events { met: None, clock: false, local_time: false, refused: None, no_result: None };
}

impl Running {
    pub fn start_query(bounds: Bounds, deadline: Option<Instant>) -> Running {
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
            meter.events.replace(Events::NONE);
            meter.state.set(State::On);
        });
        Running(())
    }

    pub fn end(self) -> Events {
        with_meter(Events::NONE, |meter| meter.events.replace(Events::NONE))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        with_meter((), |meter| {
            meter.state.set(State::Off);
            if meter.left.get() < u64::MAX {
                // Every query costs at least one step.
                meter.left.set(meter.left.get().saturating_sub(meter.work.get().max(1)));
            }
            let lent = meter.lent.take();
            if lent > 0 {
                // Otherwise this thread's allocator would keep the freed memory, in addition to that of the next query.
                trim_heap();
            }
            budget::end_query(lent);
        });
    }
}

/// The guard during whose lifetime all queries of this thread together are limited to some work. A query that begins without remaining work ends at once.
pub struct StepBudget(());

impl StepBudget {
    /// Limits the thread to a number of steps. A thread has at most one such limit at a time.
    pub fn with_steps(steps: u64) -> StepBudget {
        with_meter((), |meter| meter.left.set(steps.min(u64::MAX - 1)));
        StepBudget(())
    }

    /// Returns the remaining steps.
    pub fn left(&self) -> u64 {
        with_meter(0, |meter| meter.left.get())
    }

    /// Runs work whose steps are already paid, or need not be paid.
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

/// Checks whether a query runs on this thread.
pub fn is_on() -> bool {
    with_meter(false, |meter| meter.state.get() != State::Off)
}

/// Counts an allocation of this number of bytes; returns `false` if the query exceeds a limit.
pub fn take_memory(bytes: u64) -> bool {
    with_meter(true, |meter| {
        if meter.state.get() == State::Off {
            return true;
        }
        let used = meter.used.get().saturating_add(bytes as i64);
        if meter.state.get() == State::On && used > meter.bounds.get().heap as i64 {
            meter.record_exceeded_limit(ExceededLimit::Memory(meter.bounds.get().heap));
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

/// Counts the growth of an allocation, whose content is sometimes copied.
pub fn grow_memory(from: u64, to: u64) -> bool {
    if to > from {
        return count_work(to / BYTES_A_COPY) && take_memory(to - from);
    }
    give_back(from - to);
    true
}

/// Counts the release of this number of bytes.
pub fn give_back(bytes: u64) {
    with_meter((), |meter| {
        if meter.state.get() != State::Off {
            meter.used.set(meter.used.get().saturating_sub(bytes as i64));
        }
    });
}

/// Counts work, in steps; returns `false` if it exceeds the limit.
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

/// Counts [`STEPS_A_LOOK`] steps and checks the time; returns `true` if the query must end.
pub fn check_limits() -> bool {
    with_meter(false, |meter| {
        if meter.state.get() == State::Off {
            return false;
        }
        !meter.add_work(u64::from(STEPS_A_LOOK)) || meter.is_late()
    })
}

/// Runs work that reads a query's result: its memory is counted but never refused, because rusqlite panics if a conversion cannot allocate.
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

/// Records that the query read the clock.
pub fn note_clock_use() {
    with_meter((), |meter| meter.events.borrow_mut().clock = true);
}

/// Records that the query read the local time.
pub fn note_local_time_use() {
    with_meter((), |meter| meter.events.borrow_mut().local_time = true);
}

/// Records that the query did something that its rules forbid.
pub fn note_refusal(kind: RefusalKind, why: String) {
    with_meter((), |meter| meter.events.borrow_mut().refused = Some((kind, why)));
}

/// Records that a function of the library has no result for the query's arguments.
pub fn note_no_result(why: &str) {
    with_meter((), |meter| meter.events.borrow_mut().no_result = Some(why.to_owned()));
}

impl Meter {
    fn record_exceeded_limit(&self, over: ExceededLimit) {
        self.events.borrow_mut().met.get_or_insert(StopCause::Bound(over));
    }

    fn add_work(&self, steps: u64) -> bool {
        let work = self.work.get().saturating_add(steps);
        self.work.set(work);
        let most = self.bounds.get().work;
        if work > most {
            self.record_exceeded_limit(ExceededLimit::Work(most));
            return false;
        }
        // A single instruction, or a sequence of them without a jump, can take long.
        if work < self.next_look.get() {
            return true;
        }
        self.next_look.set(work.saturating_add(WORK_A_LOOK));
        !self.is_late()
    }

    /// Waits for the query's maximum of memory; returns `false` if its time is up, or if the process ends.
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
            self.events.borrow_mut().met = Some(StopCause::Stop);
            return true;
        }
        let now = Instant::now();
        if self.deadline.get().is_some_and(|deadline| now >= deadline) {
            self.record_exceeded_limit(ExceededLimit::Deadline);
            return true;
        }
        let most = self.bounds.get().time;
        // Its processor time cannot exceed its running time, and reading the processor's clock is slow.
        let early = self.began.get().is_none_or(|began| now.duration_since(began) < most);
        if early || self.looked.get().is_some_and(|looked| now.duration_since(looked) < PAUSE) {
            return false;
        }
        self.looked.set(Some(now));
        if read_processor_time().saturating_sub(self.processor.get()) < most {
            return false;
        }
        self.record_exceeded_limit(ExceededLimit::Time(most));
        true
    }
}

/// Returns the processor time of this thread, which excludes the work of others.
#[cfg(unix)]
fn read_processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the elapsed time, on systems without a clock for processor time.
#[cfg(not(unix))]
fn read_processor_time() -> Duration {
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    FIRST.elapsed()
}
