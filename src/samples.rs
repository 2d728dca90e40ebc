//! Makes all instances of a generator in memory, on several threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use runtime::Failure;
use runtime::bundle::Progress;
use runtime::generate::{Address, Generator, Instance};

/// An instance that was just made.
pub struct Made {
    /// Its place in the bundle's order, from 0.
    pub index: u64,
    /// Which it is.
    pub address: Address,
    /// It.
    pub instance: Instance,
    /// What it took to make, in nanoseconds.
    pub nanos: u64,
}

/// Makes all instances and hands each to `step`, with what its thread has gathered so far (`Default` at first); gives what each thread has gathered.
/// Which thread has which is not told: put the parts in order by index. With any number of threads (0: as many as cores), of several failures the
/// first in the bundle's order is given.
pub fn fold<T: Default + Send>(
    generator: &Generator<'_>,
    threads: usize,
    progress: &(impl Progress + Sync),
    step: impl Fn(&mut T, Made) + Sync,
) -> Result<Vec<T>, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores() } else { threads };
    let count = generator.count();
    let next = AtomicU64::new(0);
    let failed: Mutex<Option<(u64, Failure)>> = Mutex::new(None);
    // Behind the first failure nothing is made; all before it is, because indexes are taken in order.
    let stop = AtomicU64::new(u64::MAX);
    let work = || {
        let mut gathered = T::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || index > stop.load(Ordering::Relaxed) {
                return gathered;
            }
            let Some(address) = generator.address(index) else { return gathered };
            let started = Instant::now();
            match generator.instance(address) {
                Ok(instance) => {
                    let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
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
            progress.advance(1);
        }
    };
    let made: Vec<T> = std::thread::scope(|scope| {
        // A thread that cannot be started is done without: this one works too.
        let others: Vec<_> =
            (1..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        [own].into_iter().chain(others.into_iter().map(join)).collect()
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, failure)) => Err(failure),
        None => Ok(made),
    }
}
