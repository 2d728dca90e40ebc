//! The argument of `--agent`.

use std::fmt;
use std::str::FromStr;

use records::{Bundle, Error};

use crate::agent::Agent;
use crate::agents::builtin::BuiltIn;
#[cfg(unix)]
use crate::agents::command::Command;
use crate::agents::openai::{self, OpenAi};
use crate::agents::picard::{self, Picard};
use crate::secrets::{fault_of_address, format_public, hide_secrets};
use crate::settings::Settings;

/// An agent, as the user specifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Answers everything correctly.
    Oracle,
    /// Does nothing.
    Null,
    /// Gives the commonest answer.
    Guess,
    /// A program that is started once for each instance: its name and arguments.
    Command(Vec<String>),
    /// A server with PICARD's protocol.
    Picard {
        /// Its address.
        url: String,
    },
    /// A chat endpoint.
    OpenAi {
        /// Its address, with or without `/chat/completions`.
        url: String,
        /// The name of the model.
        model: String,
    },
}

impl Spec {
    /// Creates the agent.
    ///
    /// # Errors
    /// The program does not exist, a required setting is missing, or a setting does not apply to the agent.
    pub fn build_agent(&self, bundle: &Bundle, settings: &Settings) -> Result<Box<dyn Agent>, Error> {
        self.check_settings(settings)?;
        Ok(match self {
            Spec::Oracle => Box::new(BuiltIn::new_oracle()),
            Spec::Null => Box::new(BuiltIn::new_null()),
            Spec::Guess => Box::new(BuiltIn::new_guess(bundle)?),
            #[cfg(unix)]
            Spec::Command(words) => Box::new(Command::new(words, settings)?),
            #[cfg(not(unix))]
            Spec::Command(_) => return Err(Error::new_usage("`cmd:` needs Linux or another Unix")),
            Spec::Picard { url } => Box::new(Picard::new(url, settings)),
            Spec::OpenAi { url, model } => Box::new(OpenAi::new(url, model, settings)),
        })
    }

    /// Refuses settings that do not apply to this agent, and request parameters that are set elsewhere.
    fn check_settings(&self, settings: &Settings) -> Result<(), Error> {
        let Settings { temperature, top_p, max_tokens, model_seed, request, system, env, read, unix, .. } = settings;
        let (is_chat, is_picard) = (matches!(self, Spec::OpenAi { .. }), matches!(self, Spec::Picard { .. }));
        let kind = match self {
            Spec::OpenAi { .. } => "openai:",
            Spec::Picard { .. } => "picard:",
            Spec::Command(_) => "cmd:",
            Spec::Oracle | Spec::Null | Spec::Guess => "",
        };
        let (chats, programs): (&[&str], &[&str]) = (&["openai:", "picard:"], &["cmd:"]);
        for (option, given, kinds) in [
            ("--temperature", temperature.is_some(), chats),
            ("--max-tokens", max_tokens.is_some(), chats),
            ("--request", !request.is_empty(), chats),
            ("--top-p", top_p.is_some(), &["openai:"]),
            ("--model-seed", model_seed.is_some(), &["openai:"]),
            ("--system", system.is_some(), &["openai:"]),
            ("--env", !env.is_empty(), programs),
            ("--read", !read.is_empty(), programs),
            ("--allow-unix", *unix, programs),
        ] {
            if given && !kinds.contains(&kind) {
                let agents = kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(" and ");
                let message = format!("{option} is for {agents} agents: `{self}` does not use it");
                return Err(Error::new_usage(message).help(format!("remove {option}")));
            }
        }
        let ours: &[&str] = if is_picard { &picard::OURS } else { &openai::OURS };
        for name in request.keys() {
            let option = match name.as_str() {
                "temperature" => Some("--temperature"),
                "max_tokens" if is_chat => Some("--max-tokens"),
                "max_output_tokens" if is_picard => Some("--max-tokens"),
                "top_p" if is_chat => Some("--top-p"),
                "seed" if is_chat => Some("--model-seed"),
                _ => None,
            };
            if let Some(option) = option {
                let message = format!("--request sets `{name}`, which has an option of its own");
                return Err(Error::new_usage(message).help(format!("use {option}")));
            }
            if ours.contains(&name.as_str()) {
                let message = format!("--request sets `{name}`, which picardc sets itself");
                return Err(Error::new_usage(message).help(format!("remove `{name}`")));
            }
        }
        Ok(())
    }
}

const KNOWN: &str = "agents are `oracle`, `null`, `guess`, `cmd:PROGRAM ARGS…`, `picard:URL` and `openai:URL#MODEL`";

/// Why a text is not an agent. The quoted parts of the text have no secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// An unknown agent, or an unknown kind of agents.
    Unknown(String),
    /// `openai:` without a model.
    NoModel(String),
    /// The address has this fault.
    Fault(String, String),
    /// It is not an address.
    NoAddress(String),
    /// The command ends with `\`.
    Backslash(String),
    /// This quote of the command is not closed.
    OpenQuote(char, String),
    /// The command is empty.
    NoProgram,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::Unknown(agent) => write!(f, "unknown agent `{agent}`; {KNOWN}"),
            SpecError::NoModel(agent) => write!(f, "`{agent}` names no model; write `openai:URL#MODEL`"),
            SpecError::Fault(address, fault) => write!(f, "`{address}` cannot be asked: {fault}"),
            SpecError::NoAddress(text) => {
                write!(f, "`{text}` is not an address; write `http://…` or `https://…`")
            }
            SpecError::Backslash(command) => write!(f, "`{command}` ends with `\\`"),
            SpecError::OpenQuote(quote, command) => write!(f, "a {quote} in `{command}` is not closed"),
            SpecError::NoProgram => f.write_str("`cmd:` names no program; write `cmd:PROGRAM ARGS…`"),
        }
    }
}

impl std::error::Error for SpecError {}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        match text {
            "oracle" => return Ok(Spec::Oracle),
            "null" => return Ok(Spec::Null),
            "guess" => return Ok(Spec::Guess),
            _ => {}
        }
        let (kind, rest) = text.split_once(':').ok_or_else(|| SpecError::Unknown(hide_secrets(text)))?;
        match kind {
            "cmd" => split_words(rest).map(Spec::Command),
            "picard" => parse_url(rest).map(|url| Spec::Picard { url }),
            "openai" => match rest.split_once('#') {
                Some((address, model)) if !model.is_empty() => {
                    Ok(Spec::OpenAi { url: parse_url(address)?, model: model.to_owned() })
                }
                _ => Err(SpecError::NoModel(hide_secrets(text))),
            },
            _ => Err(SpecError::Unknown(format!("{kind}:"))),
        }
    }
}

/// The agent's name in run files and reports. The user, password, query, and fragment of a URL are left out.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Oracle => f.write_str("oracle"),
            Spec::Null => f.write_str("null"),
            Spec::Guess => f.write_str("guess"),
            Spec::Command(words) => write!(f, "cmd:{}", words.join(" ")),
            Spec::Picard { url } => write!(f, "picard:{}", format_public(url)),
            Spec::OpenAi { url, model } => write!(f, "openai:{}#{model}", format_public(url)),
        }
    }
}

fn parse_url(text: &str) -> Result<String, SpecError> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.starts_with('/') && !text.contains(char::is_whitespace) => {
            match fault_of_address(text) {
                None => Ok(text.to_owned()),
                Some(fault) => Err(SpecError::Fault(hide_secrets(text), fault)),
            }
        }
        _ => Err(SpecError::NoAddress(hide_secrets(text))),
    }
}

/// Splits a command into words as a shell does, with quotes `'…'`, `"…"`, and `\`. Nothing is expanded.
fn split_words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                let next = chars.next().ok_or_else(|| SpecError::Backslash(hide_secrets(text)))?;
                word.get_or_insert_default().push(next);
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(SpecError::OpenQuote(quote, hide_secrets(text)));
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err(SpecError::NoProgram);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<Spec, SpecError> {
        text.parse()
    }

    #[test]
    fn agents() {
        let words = |words: &[&str]| Ok(Spec::Command(words.iter().map(|word| (*word).to_owned()).collect()));
        assert_eq!(spec("oracle"), Ok(Spec::Oracle));
        assert_eq!(
            spec(r#"cmd:python3 "my agent.py" --x='a b' c\ d ''"#),
            words(&["python3", "my agent.py", "--x=a b", "c d", ""])
        );
        assert_eq!(
            spec("openai:https://api.example.com/v1#org/model#2"),
            Ok(Spec::OpenAi { url: "https://api.example.com/v1".into(), model: "org/model#2".into() })
        );
        for (text, error) in [
            ("orakel", "unknown agent `orakel`"),
            ("shell:ls", "unknown agent `shell:`"),
            ("cmd: ", "names no program"),
            ("cmd:a 'b", "not closed"),
            ("openai:https://x", "names no model"),
            ("openai:x#m", "is not an address"),
            ("picard:localhost:5002", "is not an address"),
            ("picard:http://h:87990", "1 to 65535"),
            ("openai:http://h:/v1#m", "1 to 65535"),
            ("openai:http://me:hunter2@h/v1", "names no model"),
            ("openai:ftp://me:hunter2@h/v1#m", "is not an address"),
            ("openai:http://me:hunter2/x@h/v1#m", "%2F"),
            ("cmd:x --key=hunter2 'y", "not closed"),
        ] {
            let said = spec(text).expect_err(text).to_string();
            assert!(said.contains(error) && !said.contains("hunter2"), "{said}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = spec("openai:https://me:secret@host:80/v1?key=secret#m").expect("an agent").to_string();
        assert_eq!(shown, "openai:https://host:80/v1#m");
        let shown = spec("picard:http://me:secret@host").expect("an agent").to_string();
        assert_eq!(shown, "picard:http://host");
    }
}
