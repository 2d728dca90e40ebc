//! Distributes work over several threads.

/// Runs `work` on this number of threads at once, including the current one; if no other thread can be started, the current one does all of it.
pub(crate) fn run_on_threads(threads: usize, work: impl Fn() + Copy + Send) {
    std::thread::scope(|scope| {
        let mut others = 1..threads;
        while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, work).is_ok() {}
        work();
    });
}
