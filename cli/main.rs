//! The `picardc` program. Its code is in the library, so that tests can call it.

fn main() -> std::process::ExitCode {
    picardc::main()
}
