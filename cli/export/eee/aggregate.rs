//! The record of a run: its accuracy and uncertainty.

use report::{RunData, SamplingUnit};
use serde_json::{Value as Json, json};
use statistics::accuracy::Accuracy;

use super::model::Model;
use super::record::{Place, SCHEMA};
use crate::build::describe_compiler;

pub(super) struct Aggregate<'a> {
    pub(super) data: &'a RunData,
    pub(super) accuracy: &'a Accuracy,
    pub(super) place: &'a Place,
    pub(super) model: &'a Model,
    pub(super) organization: &'a str,
    /// The SHA-256 of the samples, in hexadecimal digits.
    pub(super) checksum: String,
    /// The number of samples.
    pub(super) rows: u64,
}

impl Aggregate<'_> {
    /// Converts the record to JSON. The time is the start of the run, because the time of the export would change the bytes.
    pub(super) fn to_json(&self) -> Json {
        let Aggregate { data, place, model, organization, checksum, rows, .. } = self;
        let started = data.info.started.to_string();
        json!({
            "schema_version": SCHEMA,
            "evaluation_id": place.id,
            "evaluation_timestamp": started,
            "retrieved_timestamp": started,
            "source_metadata": {
                "source_name": "picardc",
                "source_type": "evaluation_run",
                "source_organization_name": organization,
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": "picardc", "version": describe_compiler().version},
            "model_info": {
                "name": model.name,
                "id": model.id(),
                "developer": model.developer,
                "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
            },
            "evaluation_results": [self.build_result(&started)],
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": place.build_samples_path(),
                "hash_algorithm": "sha256",
                "checksum": checksum,
                "total_rows": rows,
            },
        })
    }

    fn build_result(&self, started: &str) -> Json {
        let info = &self.data.info;
        let share = &self.accuracy.share;
        let over = match self.accuracy.over {
            SamplingUnit::Tasks => "clustered by task",
            SamplingUnit::Samples => "clustered by sample",
        };
        json!({
            "evaluation_result_id": "accuracy",
            "evaluation_name": info.bundle.suite,
            "source_data": {
                "dataset_name": info.bundle.suite,
                "source_type": "other",
                "additional_details": {
                    "version": info.bundle.version,
                    "bundle_sha256": info.bundle.sha256,
                    "instances": info.bundle.instances.to_string(),
                },
            },
            "evaluation_timestamp": started,
            "metric_config": {
                "evaluation_description": info.bundle.title,
                "metric_id": "accuracy",
                "metric_name": "Accuracy",
                "metric_kind": "accuracy",
                "metric_unit": "proportion",
                "lower_is_better": false,
                "score_type": "continuous",
                "min_score": 0.0,
                "max_score": 1.0,
            },
            "score_details": {
                "score": share.accuracy,
                "details": {
                    "correct": share.correct.to_string(),
                    "responses": share.of.to_string(),
                    "mean_score": share.score.to_string(),
                },
                "uncertainty": {
                    "confidence_interval": {
                        "lower": share.interval.low,
                        "upper": share.interval.high,
                        "confidence_level": 0.95,
                        "method": over,
                    },
                    "num_samples": share.of,
                },
            },
            "generation_config": {
                "generation_args": {
                    "eval_limits": {"time_limit": info.timeout_s, "message_limit": info.max_rounds},
                },
                "additional_details": {"agent": info.agent, "trials": info.trials.to_string()},
            },
        })
    }
}
