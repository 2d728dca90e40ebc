//! The system's allocator, which is below SQLite's counted memory.

/// Returns free memory to the system: glibc keeps it for each thread, so forty threads would keep forty times as much.
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes the number of bytes to keep, and may be called by any thread at any time (malloc_trim(3)).
    unsafe {
        libc::malloc_trim(0);
    }
}
