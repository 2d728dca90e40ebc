//! Processes many items in parallel, and returns the results in their order.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use records::Error;

/// The number of items per thread that are in memory at the same time.
const AHEAD: usize = 4;

/// Calls `work` on each item, on as many threads as there are cores, and passes the results to `then` in the order of the items.
///
/// # Errors
/// The first error in that order: of an item, of its `work`, or of `then`.
pub fn run_in_order<T: Sync, R: Send + Sync>(
    things: impl Iterator<Item = Result<T, Error>>,
    work: impl Fn(&T) -> Result<R, Error> + Sync,
    mut then: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut things = things.fuse();
    loop {
        let (mut batch, mut failed) = (Vec::new(), None);
        for thing in things.by_ref().take(threads * AHEAD) {
            match thing {
                Ok(thing) => batch.push(thing),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let is_last = batch.is_empty();
        for result in run_batch(&batch, threads, &work) {
            then(result?)?;
        }
        if let Some(error) = failed {
            return Err(error);
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Returns the results of a batch, in its order.
fn run_batch<T: Sync, R: Send + Sync>(batch: &[T], threads: usize, work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    if threads.min(batch.len()) < 2 {
        return batch.iter().map(work).collect();
    }
    let done: Vec<OnceLock<R>> = batch.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some((thing, place)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            batch.get(at).zip(done.get(at))
        } {
            let _ = place.set(work(thing));
        }
    };
    std::thread::scope(|scope| {
        // This thread works too, so everything is done even if no other thread can be started.
        let mut others = 1..threads.min(batch.len());
        while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, take).is_ok() {}
        take();
    });
    // A panic of another thread also ends this one, so every place has its result.
    done.into_iter().filter_map(OnceLock::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_the_first_error_counts() {
        let numbers = |bad: Option<usize>| {
            (0..1000).map(move |at| if Some(at) == bad { Err(Error::new_usage("bad")) } else { Ok(at) })
        };
        let slow = |at: &usize| {
            // The first of each batch take longest.
            std::thread::sleep(std::time::Duration::from_micros(200 / (*at as u64 % 64 + 1)));
            if at % 900 == 899 { Err(Error::new_usage(format!("work {at}"))) } else { Ok(*at) }
        };
        let mut seen = Vec::new();
        let found = run_in_order(numbers(None), slow, |at| {
            seen.push(at);
            Ok(())
        });
        assert_eq!(found.map_err(|error| error.message), Err("work 899".to_owned()));
        assert_eq!(seen, (0..899).collect::<Vec<_>>());
        let mut seen = Vec::new();
        let found = run_in_order(numbers(Some(70)), slow, |at| {
            seen.push(at);
            Ok(())
        });
        assert_eq!((found.is_err(), seen.len()), (true, 70));
        assert!(run_in_order(std::iter::empty(), slow, |_| Ok(())).is_ok());
        let stopped =
            run_in_order(numbers(None), slow, |at| if at == 5 { Err(Error::new_usage("full")) } else { Ok(()) });
        assert_eq!(stopped.map_err(|error| error.message), Err("full".to_owned()));
    }
}
