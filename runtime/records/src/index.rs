//! Access to the instances of a bundle in any order, without all of them in memory.

use std::collections::HashMap;

use crate::bundle::Bundle;
use crate::instances::{Instances, Place};
use crate::{Error, Instance};

/// The places of a bundle's instances.
pub struct Index {
    places: HashMap<String, Place>,
    instances: Instances,
}

impl Index {
    /// Reads all instances once.
    ///
    /// # Errors
    /// An instance cannot be read.
    pub fn new(bundle: &Bundle) -> Result<Index, Error> {
        let mut instances = bundle.open_instances()?;
        let mut places = HashMap::new();
        while let Some(instance) = instances.next() {
            places.insert(instance?.id, instances.last_place());
        }
        Ok(Index { places, instances })
    }

    /// Returns the instance with this id; `None` if the bundle does not contain it.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn find_instance(&mut self, id: &str) -> Result<Option<Instance>, Error> {
        let Some(place) = self.places.get(id).copied() else { return Ok(None) };
        self.instances.seek_to(place)?;
        self.instances.next().transpose()
    }

    /// Returns all ids, sorted.
    pub fn list_ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.places.keys().map(String::as_str).collect();
        ids.sort_unstable();
        ids
    }
}
