//! What the two files of a run share: their paths, their ID, and the version of the schema.

use disk::digest::hash_sha256;
use records::Error;
use report::RunData;

use super::super::about::make_uuid;
use super::super::names::to_portable_name;
use super::model::Model;

/// The version of the schema.
pub(super) const SCHEMA: &str = "0.3.0";

/// The location of the record of a run.
pub(super) struct Place {
    folder: String,
    uuid: String,
    /// The ID that links samples with their aggregate.
    pub(super) id: String,
}

impl Place {
    pub(super) fn from_run(data: &RunData, model: &Model) -> Result<Place, Error> {
        let text =
            |json: Result<String, serde_json::Error>| json.map_err(|error| Error::new_outside(error.to_string()));
        let (info, scores) = (text(serde_json::to_string(&data.info))?, text(serde_json::to_string(&data.scores))?);
        let uuid = make_uuid(&format!("{info}\n{}\n{}", hash_sha256(scores.as_bytes()), model.id()));
        let suite = to_portable_name(&data.info.bundle.suite);
        Ok(Place {
            folder: format!("data/{suite}/{}/{}", model.developer, model.name),
            id: format!("{suite}/{}/{}/{uuid}", model.id(), data.info.started),
            uuid,
        })
    }

    pub(super) fn build_aggregate_path(&self) -> String {
        format!("{}/{}.json", self.folder, self.uuid)
    }

    pub(super) fn build_samples_path(&self) -> String {
        format!("{}/{}_samples.jsonl", self.folder, self.uuid)
    }
}
