//! `picardc._picardc`: the crate `api` as a module of Python. Its types and functions are documented in `py/picardc/_picardc.pyi`, for people and type
//! checkers;
//! `documented!` passes the same texts to `help`.
//!
//! | file | what |
//! | --- | --- |
//! | `suite` | `compile`, `check`, and `Suite` |
//! | `loaded` | suites and instances that all Python objects share, and their addresses in pickles |
//! | `instances` | `Instances`: a sequence, with slices and shards |
//! | `select` | the instances that have given values of axes |
//! | `instance` | `Instance` and `Solution` |
//! | `scoring` | `score` and `Score` |
//! | `sandbox` | the contents of a sandbox, as described by callers |
//! | `text` | texts that may contain unpaired surrogates |
//! | `columns` | the columns of tables of instances |
//! | `errors` | the exceptions |
//! | `json` | JSON as Python objects |
//!
//! Long operations (compile, make, score, analyze) run without the interpreter lock.

include!(concat!(env!("OUT_DIR"), "/documented.rs"));

mod columns;
mod errors;
mod instance;
mod instances;
mod json;
mod loaded;
mod sandbox;
mod scoring;
mod select;
mod suite;
mod text;

/// The compiled part of the package `picardc`.
#[pyo3::pymodule]
mod _picardc {
    #[pymodule_export]
    use crate::columns::columns;
    #[pymodule_export]
    use crate::errors::{BuildError, CompileError, Error, ScoreError, StaleError};
    #[pymodule_export]
    use crate::instance::{Instance, Solution, restored_instance, restored_solution};
    #[pymodule_export]
    use crate::instances::{Instances, Iterator, restored_instances};
    #[pymodule_export]
    use crate::scoring::{Score, key_paths, restored_score, score};
    #[pymodule_export]
    use crate::suite::{Suite, check, compile, restored_suite};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
