//! The columns of tables of instances, for the modules that make tables.

use pyo3::prelude::*;
use records::columns::{Column, FILES, FOLDERS, LINE, OPEN, TARGET};

/// Name, kind, and meaning of each column of a table of instances: with `keys`, all of an instance, else only what an agent may see.
#[pyfunction]
#[pyo3(name = "_columns")]
pub fn columns(keys: bool) -> Vec<(&'static str, &'static str, &'static str)> {
    let further = if keys { [TARGET, LINE] } else { [FOLDERS, FILES] };
    OPEN.into_iter().chain(further).map(|Column { name, kind, about }| (name, kind.word(), about)).collect()
}
