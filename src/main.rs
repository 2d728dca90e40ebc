//! The `picardc` program; everything is in the library, where tests reach it.

/// Large tables are made and dropped one after another, file by file: this allocator keeps their memory for the next, where that of the system gives it back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    picardc::main()
}
