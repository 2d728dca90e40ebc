//! The exceptions. Their texts are for people, and their attributes for programs.

use api::{Located, Place, Suite};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIndexError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use runtime::failure::{Failure, FailureKind};
use serde_json::json;

use crate::json;

create_exception!(picardc, Error, PyException, documented!(Error));
create_exception!(picardc, CompileError, Error, documented!(CompileError));
create_exception!(picardc, BuildError, Error, documented!(BuildError));
create_exception!(picardc, StaleError, Error, documented!(StaleError));
create_exception!(picardc, ScoreError, Error, documented!(ScoreError));

/// Builds the exception for a suite with errors.
pub fn build_compile_error(py: Python<'_>, path: &str, suite: &Suite) -> PyErr {
    let errors: Vec<Located<'_>> = suite.locate_diagnostics().filter(|said| said.severity == "error").collect();
    let count = match errors.len() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    };
    let first = errors.first().map(|said| {
        let Place { file, line, column, .. } = said.place;
        let help = render_help(said.help);
        format!(": {file}:{line}:{column}: {} {}{help}", said.code, said.message)
    });
    let error = CompileError::new_err(format!("{path} has {count}{}", first.unwrap_or_default()));
    match json::to_python(py, &suite.locate_diagnostics().collect::<Vec<_>>()) {
        Ok(diagnostics) => error.value(py).setattr("diagnostics", diagnostics).err().unwrap_or(error),
        Err(other) => other,
    }
}

/// Builds the exception for an error of the library.
pub fn build_api_error(py: Python<'_>, error: api::Error, suite: &Suite) -> PyErr {
    let code = error.code().map(|code| code.id);
    match error {
        api::Error::NoInstance { .. } => PyIndexError::new_err(error.to_string()),
        api::Error::Failed(failure) => build_located_error(py, &failure, code, suite),
        api::Error::Stale { .. } => StaleError::new_err(error.to_string()),
        api::Error::NotBuildable | api::Error::Unreadable { .. } => Error::new_err(error.to_string()),
    }
}

/// Builds the exception for a failure without a place in the source.
pub fn build_failure_error(failure: &Failure) -> PyErr {
    let text = format!("{}{}", failure.message, render_help(failure.help.as_deref()));
    if failure.kind == FailureKind::Usage { PyValueError::new_err(text) } else { PyOSError::new_err(text) }
}

/// Builds the exception for a file that cannot be opened, the same that Python's `open` raises.
pub fn build_read_error(py: Python<'_>, path: &str, error: &std::io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(format!("{path}: {error}")) };
    let said = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    // With these three arguments, Python creates the subclass for the error number, such as FileNotFoundError.
    said.map_or_else(|other| other, |said| PyOSError::new_err((number, said, path.to_owned())))
}

/// Builds the exception for a value of another type than is `expected`, such as `a seed is an int or a str`.
pub fn build_type_error(expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name();
    kind.map_or_else(|other| other, |kind| PyTypeError::new_err(format!("{expected}, not {kind}")))
}

pub fn render_help(help: Option<&str>) -> String {
    help.map(|help| format!("\nhelp: {help}")).unwrap_or_default()
}

fn build_located_error(py: Python<'_>, failure: &Failure, code: Option<&str>, suite: &Suite) -> PyErr {
    if matches!(failure.kind, FailureKind::Usage | FailureKind::Io) {
        return build_failure_error(failure);
    }
    let help = render_help(failure.help.as_deref());
    let place = failure.span.map(|span| Place::new(span, suite.sources()));
    let mut text = String::new();
    if let Some(place) = &place {
        text.push_str(&format!("{}:{}:{}: ", place.file, place.line, place.column));
    }
    if let Some(code) = code {
        text.push_str(&format!("{code} "));
    }
    text.push_str(&failure.message);
    if let Some(at) = &failure.at {
        text.push_str(&format!(" (task {}, sample {}, seed {})", at.task, at.sample, at.seed));
    }
    text.push_str(&help);
    let error = BuildError::new_err(text);
    let attributes = json::to_python(
        py,
        &json!({ "code": code, "message": failure.message, "help": failure.help, "at": failure.at, "place": place }),
    );
    let set = attributes.and_then(|attributes| {
        for name in ["code", "message", "help", "at", "place"] {
            error.value(py).setattr(name, attributes.bind(py).get_item(name)?)?;
        }
        Ok(())
    });
    set.err().unwrap_or(error)
}
