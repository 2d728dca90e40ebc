//! Work that several threads share.

/// Does work by this number of threads at once, of which this is one: all gets done where no other can be started.
pub(crate) fn run_on_threads(threads: usize, work: impl Fn() + Copy + Send) {
    std::thread::scope(|scope| {
        let mut others = 1..threads;
        while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, work).is_ok() {}
        work();
    });
}
