//! The tools as described to models, and the parsing of their calls.

use serde_json::{Map, Value as Json, json};

use super::call::{Arguments, ToolResult};

/// The purpose of the server, for models.
pub const INSTRUCTIONS: &str = "picardc compiles .pcd, a declarative language for evaluation suites of AI agents. To write or repair a suite: call `explain` without \
                                arguments once, which returns the language on one page; write the suite; call `check` and correct all errors and warnings, until it says \
                                `no errors, no warnings`; look at `preview`; then `selftest` (can the answer key be met, and is it not met by doing nothing?) and `analyze` (what \
                                does guessing earn?) must be content, too. No tool writes files: save sources with your own tools.";

model::worded! {
    /// A tool, with the name that models call.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Tool {
        Check = "check",
        Explain = "explain",
        Preview = "preview",
        Analyze = "analyze",
        Selftest = "selftest",
        Fmt = "fmt",
    }
}

/// An argument of a tool.
struct Argument {
    name: &'static str,
    kind: Kind,
    description: &'static str,
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// True or false.
    Yes,
    /// A whole number: its bounds, and its default.
    Number(u32, u32, u32),
}

const SOURCE: Argument = Argument::new_text("source", "The text of the suite. Give `source`, `path`, or both");
const PATH: Argument = Argument::new_text(
    "path",
    "The .pcd file, relative to the folder of the server. With `source`, the text is taken as this file's, and the files that it uses are looked for next to it",
);
const TASK: Argument = Argument::new_text("task", "Only tasks whose names match: * any characters, ? one");
const SEED: Argument = Argument::new_text("seed", "A number or any text; 1 if left out");

const CHECK: &[Argument] = &[
    SOURCE,
    PATH,
    Argument {
        name: "fix",
        kind: Kind::Yes,
        description: "Also apply all safe fixes, and return the changed sources with the diagnostics that remain. Files stay as they are",
    },
];
const EXPLAIN: &[Argument] = &[Argument::new_text(
    "code",
    "A code or name of a diagnostic, such as E0203 or unknown_column; `codes` lists all. Left out: the language on one page",
)];
const PREVIEW: &[Argument] = &[
    SOURCE,
    PATH,
    Argument::new_text("task", "The name of a task; the first if left out"),
    Argument { name: "sample", kind: Kind::Number(1, 1_000_000, 1), description: "The number of the sample, from 1" },
    SEED,
    Argument::new_text("variant", "A variant of the task; the first if left out"),
    Argument::new_text("stage", "A stage of the task, asked by itself"),
    Argument::new_text("cell", "The labels of the axes, joined with -; the first cell if left out"),
];
const ANALYZE_SAMPLES: Argument = Argument {
    name: "samples",
    kind: Kind::Number(30, 1_000, 200),
    description: "Samples of each task, 30 to 1000; 200 if left out",
};
const SELFTEST_SAMPLES: Argument = Argument {
    name: "samples",
    kind: Kind::Number(1, 200, 20),
    description: "Samples of each task, 1 to 200; 20 if left out",
};
const ANALYZE: &[Argument] = &[SOURCE, PATH, TASK, ANALYZE_SAMPLES, SEED];
const SELFTEST: &[Argument] = &[SOURCE, PATH, TASK, SELFTEST_SAMPLES, SEED];
const FMT: &[Argument] = &[SOURCE, PATH];

impl Tool {
    fn arguments(self) -> &'static [Argument] {
        match self {
            Tool::Check => CHECK,
            Tool::Explain => EXPLAIN,
            Tool::Preview => PREVIEW,
            Tool::Analyze => ANALYZE,
            Tool::Selftest => SELFTEST,
            Tool::Fmt => FMT,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Tool::Check => {
                "Check a suite without building it: names, types, SQL, paths, conditions that never hold, ambiguous or constant answers, prompts that leave \
                 something out. Returns all errors and warnings at once, each with its place, the cause, and what to write instead; `no errors, no warnings` \
                 when the suite is right. Call it after each change"
            }
            Tool::Explain => {
                "Without `code`: the .pcd language on one page, with examples; read it before you write a suite. With `code`: what a diagnostic means, why it \
                 matters, and a wrong and a right example"
            }
            Tool::Preview => {
                "Show one instance of a suite as a person would read it: prompt, drawn values, the beginning of each file, and the expected answer. Use it to see \
                 whether the question is clear and the answer right"
            }
            Tool::Analyze => {
                "Build samples in memory and measure each task: how many instances exist, how much answers differ, what guessing earns. Verdicts other than \
                 `good` (constant, guessable, shortcut, too small, rejects often, nulls, empties, duplicates, toothless) name a weakness to repair"
            }
            Tool::Selftest => {
                "Build samples in memory and try the answer key: an agent that knows it must always be right, an idle agent never, and a reader of the files must \
                 find the answer in them. Returns what is not so, with an example"
            }
            Tool::Fmt => {
                "Lay out a source canonically. Returns the formatted text; a source with syntax errors is refused"
            }
        }
    }

    /// Returns the name, description, and schema.
    pub fn describe_tool(self) -> Json {
        let properties: Map<String, Json> =
            self.arguments().iter().map(|one| (one.name.to_owned(), one.build_schema())).collect();
        json!({
            "name": self.word(),
            "description": self.description(),
            "inputSchema": {"type": "object", "properties": properties, "additionalProperties": false},
            "annotations": {"readOnlyHint": true, "openWorldHint": false},
        })
    }

    /// Parses the arguments of a call and checks their kinds. A null argument counts as missing.
    pub fn parse_arguments(self, text: &str) -> Result<Arguments, ToolResult> {
        let given: Json = serde_json::from_str(text)
            .map_err(|error| ToolResult::new_error(format!("the arguments are not JSON: {error}")))?;
        let Json::Object(mut given) = given else {
            return Err(ToolResult::new_error("the arguments are not an object"));
        };
        given.retain(|_, value| !value.is_null());
        for (name, value) in &given {
            let argument = self.arguments().iter().find(|one| one.name == name).ok_or_else(|| {
                let (tool, known) = (self.word(), self.arguments().iter().map(|one| one.name).collect::<Vec<_>>());
                let known = known.join("`, `");
                ToolResult::new_error(format!("`{tool}` does not have an argument `{name}`; it has `{known}`"))
            })?;
            argument.check_value(value)?;
        }
        Ok(given)
    }

    /// Returns a number that was given, or its default.
    pub fn read_number(self, arguments: &Arguments, name: &str) -> u32 {
        let otherwise = self.arguments().iter().find(|one| one.name == name).map_or(1, |one| match one.kind {
            Kind::Number(_, _, otherwise) => otherwise,
            Kind::Text | Kind::Yes => 1,
        });
        arguments.get(name).and_then(Json::as_u64).and_then(|number| u32::try_from(number).ok()).unwrap_or(otherwise)
    }
}

impl Argument {
    /// An argument that is a text.
    const fn new_text(name: &'static str, description: &'static str) -> Argument {
        Argument { name, kind: Kind::Text, description }
    }

    fn build_schema(&self) -> Json {
        match self.kind {
            Kind::Text => json!({"type": "string", "description": self.description}),
            Kind::Yes => json!({"type": "boolean", "description": self.description}),
            Kind::Number(least, most, otherwise) => json!({
                "type": "integer", "minimum": least, "maximum": most, "default": otherwise, "description": self.description,
            }),
        }
    }

    fn check_value(&self, value: &Json) -> Result<(), ToolResult> {
        let (fits, kind) = match self.kind {
            Kind::Text => (value.is_string(), "a string".to_owned()),
            Kind::Yes => (value.is_boolean(), "true or false".to_owned()),
            Kind::Number(least, most, _) => (
                value.as_u64().is_some_and(|number| (u64::from(least)..=u64::from(most)).contains(&number)),
                format!("a whole number from {least} to {most}"),
            ),
        };
        if fits { Ok(()) } else { Err(ToolResult::new_error(format!("`{}` must be {kind}", self.name))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_what_the_schema_says() {
        let read = |tool: Tool, text: &str| tool.parse_arguments(text).err().map(|told| told.text);
        assert_eq!(read(Tool::Check, r#"{"source":"x","path":null}"#), None);
        assert_eq!(read(Tool::Check, "7").as_deref(), Some("error: the arguments are not an object"));
        assert_eq!(read(Tool::Check, r#"{"path":7}"#).as_deref(), Some("error: `path` must be a string"));
        assert_eq!(read(Tool::Check, r#"{"fix":"yes"}"#).as_deref(), Some("error: `fix` must be true or false"));
        let bounds = Some("error: `samples` must be a whole number from 30 to 1000");
        assert_eq!(read(Tool::Analyze, r#"{"samples":29}"#).as_deref(), bounds);
        assert_eq!(read(Tool::Analyze, r#"{"samples":30.5}"#).as_deref(), bounds);
        let unknown = Some("error: `fmt` does not have an argument `file`; it has `source`, `path`");
        assert_eq!(read(Tool::Fmt, r#"{"file":"a.pcd"}"#).as_deref(), unknown);
        assert_eq!(Tool::Analyze.read_number(&Map::new(), "samples"), 200);
    }

    #[test]
    fn every_tool_is_described() {
        for tool in Tool::ALL {
            let described = tool.describe_tool();
            assert!(described["description"].as_str().is_some_and(|text| text.len() > 60), "{described}");
            let arguments = described["inputSchema"]["properties"].as_object().expect("an object");
            assert!(
                arguments.values().all(|one| one["description"].as_str().is_some_and(|text| text.len() > 10)),
                "{described}"
            );
        }
    }
}
