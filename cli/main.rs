//! The `picardc` program. Its code is in the library, which tests can call.

fn main() -> std::process::ExitCode {
    picardc::main()
}
