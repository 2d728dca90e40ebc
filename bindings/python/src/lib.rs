//! `picardc._picardc`: the crate `api` as a module of Python. Its types and functions are documented in `py/picardc/_picardc.pyi`, for readers and type checkers;
//! `documented!` gives the same texts to `help`.
//!
//! | file | what |
//! | --- | --- |
//! | `suite` | `compile`, `check`, and `Suite` |
//! | `loaded` | suites and their instances as all objects of Python share them, and what pickles are made of |
//! | `instances` | `Instances`: a sequence, with slices and shards |
//! | `select` | which instances a selection by values of axes has |
//! | `instance` | `Instance` and `Solution` |
//! | `scoring` | `score` and `Score` |
//! | `sandbox` | what was in a sandbox, as callers describe it |
//! | `text` | texts that may have halves of surrogate pairs |
//! | `columns` | the columns of tables of instances |
//! | `errors` | the exceptions |
//! | `json` | JSON as objects of Python |
//!
//! Whatever takes long (compile, make, score, analyze) runs without the lock of the interpreter.

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
    use crate::instance::{Instance, Solution, restored_solution};
    #[pymodule_export]
    use crate::instances::{Instances, Iterator};
    #[pymodule_export]
    use crate::loaded::{restored_instance, restored_instances, restored_suite};
    #[pymodule_export]
    use crate::scoring::{Score, key_paths, restored_score, score};
    #[pymodule_export]
    use crate::suite::{Suite, check, compile};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
