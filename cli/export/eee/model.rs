//! The model of a run.

use agent::Spec;
use records::Error;

use super::super::names::to_portable_name;
use crate::option_values::InvalidValue;

/// A model, as the names of two folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) developer: String,
    pub(super) name: String,
}

impl Model {
    /// The ID, as `ORG/NAME`.
    pub(super) fn id(&self) -> String {
        format!("{}/{}", self.developer, self.name)
    }

    /// Finds the model of an agent as recorded in runs. The developer of baselines is picardc.
    ///
    /// # Errors
    /// If the agent does not name its developer.
    pub(super) fn from_agent(agent: &str) -> Result<Model, Error> {
        match agent.parse::<Spec>() {
            Ok(Spec::Oracle | Spec::Null | Spec::Guess) => {
                return Ok(Model { developer: "picardc".to_owned(), name: agent.to_owned() });
            }
            Ok(Spec::OpenAi { model, .. }) => {
                if let Ok(model) = parse_model(&model) {
                    return Ok(model);
                }
            }
            _ => {}
        }
        let message = format!("the run does not say who made the model of `{agent}`");
        Err(Error::new_usage(message).help("give --model ORG/NAME, such as `--model openai/gpt-5`"))
    }
}

/// Parses `ORG/NAME`.
pub(super) fn parse_model(text: &str) -> Result<Model, InvalidValue> {
    let is_folder = |name: &str| to_portable_name(name) == name && name != "data";
    match text.split_once('/') {
        Some((developer, name)) if is_folder(developer) && is_folder(name) => {
            Ok(Model { developer: developer.to_owned(), name: name.to_owned() })
        }
        _ => Err(InvalidValue::new("give ORG/NAME, of letters, digits, `-`, `_`, and `.`, such as openai/gpt-5")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_name_their_model() {
        let id = |agent: &str| Model::from_agent(agent).map(|model| model.id()).ok();
        assert_eq!(id("oracle").as_deref(), Some("picardc/oracle"));
        assert_eq!(id("openai:http://localhost:8000/v1#Qwen/Qwen3-32B").as_deref(), Some("Qwen/Qwen3-32B"));
        assert_eq!(id("openai:http://localhost:8000/v1#gpt-5"), None);
        assert_eq!(id("cmd:python agent.py"), None);
        for text in ["a", "a/b/c", "../x", "a/", "/b", "a b/c", "data/x"] {
            assert!(parse_model(text).is_err(), "{text}");
        }
    }
}
