//! Makes all instances of a generator in memory, on several threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use runtime::Failure;
use runtime::bundle::Progress;
use runtime::failure::FailureKind;
use runtime::generate::{Address, Generator, Instance};

/// How many threads work, and who observes them.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// The number of threads; 0 for as many as there are cores. With 1, no other thread is started.
    pub threads: usize,
    /// A monotonic clock, in nanoseconds since any moment. Without one, all times are 0.
    pub clock: Option<&'a (dyn Fn() -> u64 + Sync)>,
    /// Receives the number of instances that were made.
    pub progress: &'a (dyn Progress + Sync),
    /// Called before each instance. If it returns `true`, because time is up or the caller gave up, the work fails.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl RunOptions<'static> {
    /// Only the caller's thread, without a clock or an observer.
    pub const ALONE: RunOptions<'static> = RunOptions { threads: 1, clock: None, progress: &(), stop: None };
}

/// An instance that was just made.
pub struct Made {
    /// Its place in the bundle's order, from 0.
    pub index: u64,
    /// Its address.
    pub address: Address,
    /// The instance itself.
    pub instance: Instance,
    /// The time to make it, in nanoseconds; 0 without a clock.
    pub nanos: u64,
}

/// Makes all instances with `make`, and calls `step` with each and the value that its thread has accumulated (`Default` at first). Returns the values of all
/// threads.
/// The distribution over threads varies, so sort the results by index.
///
/// # Errors
/// An instance cannot be made; the error is that of the first one in the bundle's order, with any number of threads.
pub fn fold_samples<'p, T: Default + Send>(
    generator: &Generator<'p>,
    make: impl Fn(&Generator<'p>, Address) -> Result<Instance, Failure> + Sync,
    effort: RunOptions<'_>,
    step: impl Fn(&mut T, Made) + Sync,
) -> Result<Vec<T>, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if effort.threads == 0 { cores() } else { effort.threads };
    let now = || effort.clock.map_or(0, |clock| clock());
    let count = generator.count_instances();
    let next = AtomicU64::new(0);
    let failed: Mutex<Option<(u64, Failure)>> = Mutex::new(None);
    // After the first failure, no further instance is made. All instances before it are, because indexes are taken in order.
    let stop = AtomicU64::new(u64::MAX);
    let work = || {
        let mut gathered = T::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || index > stop.load(Ordering::Relaxed) {
                return gathered;
            }
            let Some(address) = generator.resolve_address(index) else { return gathered };
            let started = now();
            let stopped = effort.stop.is_some_and(|stop| stop());
            match if stopped { Err(report_stopped(index, count)) } else { make(generator, address) } {
                Ok(instance) => {
                    let nanos = now().saturating_sub(started);
                    step(&mut gathered, Made { index, address, instance, nanos });
                }
                Err(failure) => {
                    stop.fetch_min(index, Ordering::Relaxed);
                    let mut first = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(at, _)| index < *at) {
                        *first = Some((index, failure));
                    }
                }
            }
            effort.progress.report_written(1);
        }
    };
    let made: Vec<T> = std::thread::scope(|scope| {
        // A thread that cannot be started is not needed: this one works too.
        let others: Vec<_> =
            (1..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        [own].into_iter().chain(others.into_iter().map(join)).collect()
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, failure)) => Err(failure),
        None => Ok(made),
    }
}

fn report_stopped(made: u64, of: u64) -> Failure {
    let failure = Failure::new(FailureKind::Usage, format!("stopped after {made} of {of} instances"));
    failure.help("ask for fewer samples, or for one task")
}

#[cfg(test)]
mod tests {
    use api::{Memory, Options, Suite};

    use super::*;

    const SOURCE: &str = r#"
suite s { title "S" version "1.0.0" }
task t { a : int 1..9  prompt "Say <<a>>" expect reply number a }
"#;

    #[test]
    fn work_stops_where_the_caller_says_so() {
        let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", SOURCE)]));
        let instances = suite.select_instances(Options { samples: Some(50), ..Options::new("1") }).expect("a task");
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == 20;
        let made = |effort| {
            let made =
                fold_samples(instances.generator(), Generator::generate_instance, effort, |sum: &mut u64, _| *sum += 1);
            made.map(|all| all.iter().sum::<u64>())
        };
        assert_eq!(made(RunOptions::ALONE).ok(), Some(50));
        let failure = made(RunOptions { stop: Some(&stop), ..RunOptions::ALONE }).expect_err("stopped");
        assert_eq!(failure.message, "stopped after 20 of 50 instances");
    }

    #[test]
    fn time_is_that_of_the_callers_clock() {
        let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", SOURCE)]));
        let instances = suite.select_instances(Options::new("1")).expect("a task");
        let ticks = AtomicU64::new(0);
        let clock = || ticks.fetch_add(7, Ordering::Relaxed);
        let took = |effort| {
            fold_samples(instances.generator(), Generator::generate_instance, effort, |all: &mut Vec<u64>, made| {
                all.push(made.nanos)
            })
        };
        assert_eq!(took(RunOptions { clock: Some(&clock), ..RunOptions::ALONE }).expect("made"), [[7]]);
        assert_eq!(took(RunOptions::ALONE).expect("made"), [[0]]);
    }
}
