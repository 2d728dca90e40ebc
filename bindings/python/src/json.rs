//! JSON as Python objects: the results of `json.loads`, without the text in between.

use std::fmt;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, de};

use crate::text;

/// Converts a value to the object that `json.loads` would return.
pub fn to_python(py: Python<'_>, value: &impl Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_vec(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    load_json(py, &text)
}

/// Parses a JSON text with the result of `json.loads`.
pub fn load_json(py: Python<'_>, text: &[u8]) -> PyResult<Py<PyAny>> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = Seed(py).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| PyValueError::new_err(format!("this is not JSON: {error}")))
}

/// Converts a Python object that `json.dumps` accepts to JSON.
pub fn dump_json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let options = PyDict::new(value.py());
    // Escaped halves of surrogate pairs could not be read.
    options.set_item("ensure_ascii", false)?;
    let dumped = value.py().import("json")?.call_method("dumps", (value,), Some(&options))?;
    Ok(text::decode_text(dumped.cast::<PyString>()?)?.0)
}

struct Seed<'py>(Python<'py>);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Py<PyAny>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Py<PyAny>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Py<PyAny>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Py<PyAny>, E> {
        Ok(self.0.None())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Py<PyAny>, E> {
        value.into_py_any(self.0).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Py<PyAny>, E> {
        value.into_py_any(self.0).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Py<PyAny>, E> {
        value.into_py_any(self.0).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Py<PyAny>, E> {
        value.into_py_any(self.0).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Py<PyAny>, E> {
        Ok(PyString::new(self.0, value).into_any().unbind())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Py<PyAny>, A::Error> {
        let list = PyList::empty(self.0);
        while let Some(item) = items.next_element_seed(Seed(self.0))? {
            list.append(item).map_err(A::Error::custom)?;
        }
        Ok(list.into_any().unbind())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Py<PyAny>, A::Error> {
        let dict = PyDict::new(self.0);
        while let Some(name) = fields.next_key_seed(Seed(self.0))? {
            let value = fields.next_value_seed(Seed(self.0))?;
            dict.set_item(name, value).map_err(A::Error::custom)?;
        }
        Ok(dict.into_any().unbind())
    }
}
