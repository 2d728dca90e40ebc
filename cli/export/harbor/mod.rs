//! Harbor: a task folder for each instance, with a verifier in its own container.
//!
//! ```text
//! DIR/NAME/
//!   task.toml            schema 1.4, separate verifier, no network
//!   instruction.md       the prompt; if the answer key reads the reply, also how to write it
//!   environment/         Dockerfile, and files/: the starting files of the agent
//!   tests/               Dockerfile, test.sh, a wheel of picardc, and bundle/: the instance with its answer key
//!   solution/            solve.sh and its files: the solution of the oracle
//! ```

mod script;
mod toml;
mod wheel;

use std::path::PathBuf;

use agent::sandbox::{Files, parse_sandbox_root};
use model::answer_key::Subject;
use records::{Error, Instance};
use score::{Solution, StartFiles};

use super::about::{BundleIdentity, collect_metadata};
use super::folder::Folder;
use super::names::to_portable_name;
use super::needs::Need;
use super::{FromBundle, Instances, Item, Stop, export_bundle, keys};
use crate::build::describe_compiler;
use crate::console::Console;
use crate::exit::Exit;
use crate::option_values::{InvalidValue, require_text};
use wheel::Wheel;

/// Task folders for Harbor
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a task folder for Harbor for each instance. The verifier runs in its own container with the answer key; the agent's \
                  container does not have it. Its image installs picardc from the file of --wheel, which `./dist wheels` builds, and from no registry. Harbor does not give the agent's reply to the verifier. So, if the answer key reads the reply, the \
                  instruction ends with a paragraph that asks for it in a file, and task.toml has `prompt_changed = true`. Each folder is accepted only \
                  if its solution is correct and an agent that does nothing is not.",
    after_help = "Example:\n  picardc export harbor out/past -o out/past-harbor --wheel target/dist/picardc_cli-*.whl\n  harbor run -p out/past-harbor -a oracle"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
    /// The image of the agent's container
    #[arg(long, value_name = "IMAGE", default_value = "ubuntu:24.04", value_parser = parse_image)]
    image: String,
    /// The wheel of the command, `picardc_cli-VERSION-….whl`, from which the verifier's image installs picardc; it is placed in each task folder
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,
    /// The organization in the names of the tasks
    #[arg(long, value_name = "NAME", default_value = "picardc", value_parser = parse_organization)]
    org: String,
}

/// The working folder of the agent, unless prompts name an absolute folder.
const WORK: &str = "/app";

/// The file of the reply. Harbor passes its folder to the verifier.
const REPLY: &str = "/logs/artifacts/reply.txt";

/// The folders of containers that Harbor uses.
const TAKEN: [&str; 3] = ["/logs", "/tests", "/solution"];

fn parse_image(text: &str) -> Result<String, InvalidValue> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@".contains(c);
    require_text(text, |text| !text.is_empty() && text.chars().all(plain), "it is not the name of an image")
}

fn parse_organization(text: &str) -> Result<String, InvalidValue> {
    require_text(text, |text| to_portable_name(text) == text, "use letters, digits, `-`, `_`, and `.`")
}

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    let wheel = args.wheel.as_deref().map(Wheel::from_path).transpose()?;
    let is_without = wheel.is_none();
    let done = export_bundle(&args.from, console, |about, folder| {
        let (work, below) = resolve_sandbox(&about.sandbox_root)?;
        Ok(Harbor { about, folder, image: args.image.clone(), org: args.org.clone(), wheel, work, below })
    })?;
    if is_without && done == Exit::Done && !args.from.to.quiet {
        console.print_message(&format!(
            "note: the verifier's image installs picardc from a wheel: give --wheel, or put {} into `tests` of each task",
            wheel::build_name_pattern()
        ));
    }
    Ok(done)
}

/// Returns the working folder of the agent, and the prefix of file paths in it.
fn resolve_sandbox(root: &str) -> Result<(String, String), Error> {
    // A shell reads `~` as a home folder, but Harbor does not.
    if let Some(below) = parse_sandbox_root(root).filter(|_| !root.starts_with('~')) {
        return Ok((WORK.to_owned(), below));
    }
    let path = root.trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    // Harbor assumes that a name with a dot is a file where it cannot check.
    let plain = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let is_taken = TAKEN.iter().any(|taken| path == *taken || path.starts_with(&format!("{taken}/")));
    if path.starts_with('/') && !parts.is_empty() && parts.iter().all(plain) && !is_taken {
        return Ok((path.to_owned(), String::new()));
    }
    let message =
        format!("the prompts of this bundle call the sandbox `{root}`, which cannot be the folder of a Harbor task");
    Err(Error::new_usage(message).help("build the bundle with another --sandbox-root, such as `/work`, or without it"))
}

struct Harbor {
    about: BundleIdentity,
    folder: Folder,
    image: String,
    org: String,
    wheel: Option<Wheel>,
    work: String,
    below: String,
}

impl Instances for Harbor {
    const NAME: &'static str = "Harbor";
    const LACKS: &'static [Need] = &[Need::Limits];

    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let instance = &item.parts.instance;
        if let Some(why) = find_alteration(&instance.prompt) {
            return Err(Stop::LeftOut(why.to_owned()));
        }
        let solution = {
            let files = Files::from_instance(item.bundle, instance)?;
            solve_instance(instance, &files).map_err(|why| Stop::LeftOut(why.to_owned()))?
        };
        let name = to_portable_name(&instance.id);
        let reply = reads_reply(instance).then_some(solution.reply.as_str());
        let instruction = match reply {
            Some(_) => format!("{}{}", instance.prompt, render_reply_paragraph()),
            None => instance.prompt.clone(),
        };
        let folder = &self.folder;
        folder.write_file(&format!("{name}/instruction.md"), instruction.as_bytes())?;
        folder.write_file(&format!("{name}/task.toml"), self.render_task(instance).as_bytes())?;
        self.write_environment(&item, &name)?;
        let tests = format!("{name}/tests");
        keys::write_bundle(folder, &format!("{tests}/bundle"), &self.about, &item)?;
        folder
            .write_program(&format!("{tests}/test.sh"), &script::render_test_script(&instance.id, &self.work, REPLY))?;
        if let Some(wheel) = &mut self.wheel {
            wheel.copy_into(folder, &tests)?;
        }
        let dockerfile = script::render_verifier_image(&describe_compiler().version);
        folder.write_file(&format!("{tests}/Dockerfile"), dockerfile.as_bytes())?;
        Ok(self.write_solution(&solution, &name, reply)?)
    }

    fn finish_export(self) -> Result<(), Error> {
        Ok(())
    }
}

impl Harbor {
    fn render_task(&self, instance: &Instance) -> String {
        let mut metadata = self.about.to_identity_fields();
        metadata.extend(collect_metadata(instance).into_iter().filter(|(_, value)| !value.is_null()));
        metadata.extend(self.about.canary.clone().map(|canary| ("canary".to_owned(), canary.into())));
        metadata.insert("prompt_changed".to_owned(), reads_reply(instance).into());
        toml::Task {
            name: &format!("{}/{}", self.org, to_portable_name(&format!("{}-{}", self.about.suite, instance.id))),
            version: &self.about.full_version(),
            title: &self.about.title,
            tags: &instance.tags,
            metadata: &metadata,
            work: &self.work,
        }
        .to_text()
    }

    fn write_environment(&self, item: &Item<'_>, name: &str) -> Result<(), Error> {
        let instance = &item.parts.instance;
        for (path, content) in &instance.files {
            let place = format!("{name}/environment/files/{}{path}", self.below);
            self.folder.copy_file(item.bundle, content, &place)?;
        }
        let folders: Vec<String> =
            instance.folders.iter().map(|path| format!("{}/{}{path}", self.work, self.below)).collect();
        let files = (!instance.files.is_empty()).then_some("files/");
        let text = script::render_agent_image(&self.image, &self.work, files, &folders);
        self.folder.write_file(&format!("{name}/environment/Dockerfile"), text.as_bytes())
    }

    /// Writes a solution. `reply` is its reply, if the answer key reads it.
    fn write_solution(&self, solution: &Solution, name: &str, reply: Option<&str>) -> Result<(), Error> {
        for (path, bytes) in &solution.files {
            self.folder.write_file(&format!("{name}/solution/files/{}{path}", self.below), bytes)?;
        }
        if let Some(reply) = reply {
            self.folder.write_file(&format!("{name}/solution/reply.txt"), reply.as_bytes())?;
        }
        let under = |paths: &[String]| paths.iter().map(|path| format!("{}{path}", self.below)).collect::<Vec<_>>();
        let text = script::render_solve_script(&script::Left {
            work: &self.work,
            reply: reply.map(|_| REPLY),
            has_files: !solution.files.is_empty(),
            folders: &under(&solution.folders),
            removed: &under(&solution.removed),
        });
        self.folder.write_program(&format!("{name}/solution/solve.sh"), &text)
    }
}

/// Whether the answer key reads the reply. The prompt then has a further paragraph.
fn reads_reply(instance: &Instance) -> bool {
    instance.iter_expects().any(|expect| matches!(expect.subject, Subject::Reply(_)))
}

/// The paragraph that is added to the prompt, because no other part of a reply reaches the verifier.
fn render_reply_paragraph() -> String {
    format!("\n\n---\n\nWhen you are done, write your reply, and nothing else, to the file `{REPLY}`.\n")
}

/// Returns the reason why a prompt would not reach the agent unchanged; `None` if it would. Harbor reads instructions as text with universal line ends, drops
/// blank lines and comments with the word "canary" at their start, and passes them to many of its agents on a command line.
fn find_alteration(prompt: &str) -> Option<&'static str> {
    if prompt.contains('\0') {
        return Some("the prompt has a NUL character, which no command line can carry");
    }
    if prompt.contains('\r') {
        return Some("the prompt has a carriage return, which Harbor reads as a line feed");
    }
    let first = prompt.split('\n').next().unwrap_or_default().trim();
    let is_comment = (first.starts_with("<!--") && first.ends_with("-->")) || first.starts_with('#');
    if first.is_empty() || (is_comment && first.to_lowercase().contains("canary")) {
        return Some("the prompt begins with a blank line or a canary, which Harbor drops");
    }
    None
}

/// Returns a correct solution, unless doing nothing is correct, too: Harbor's registries require this of tasks.
fn solve_instance(instance: &Instance, start: &dyn StartFiles) -> Result<Solution, &'static str> {
    let solution =
        score::solve_instance(instance, start).map_err(|_| "no correct solution can be made from the answer key")?;
    let idle = Solution::default().to_response(instance, start);
    if score::score_response(instance, Some(&idle), 1, start).correct {
        return Err("an agent that does nothing is correct, and Harbor wants a task in which it is not");
    }
    Ok(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_that_harbor_alters_are_found() {
        for prompt in ["a\0b", "a\r\nb", "\nfirst", "  \nfirst", "<!-- my CANARY -->\nx", "# canary\nx"] {
            assert!(find_alteration(prompt).is_some(), "{prompt:?}");
        }
        for prompt in ["plain", "# Heading\nx", "x\n<!-- canary -->", "{{x}} 'q' \"q\" 😀\n\n"] {
            assert_eq!(find_alteration(prompt), None, "{prompt:?}");
        }
    }

    #[test]
    fn the_sandbox_is_a_plain_folder() {
        assert_eq!(resolve_sandbox("."), Ok(("/app".to_owned(), String::new())));
        assert_eq!(resolve_sandbox("in/here"), Ok(("/app".to_owned(), "in/here/".to_owned())));
        assert_eq!(resolve_sandbox("/work/data/"), Ok(("/work/data".to_owned(), String::new())));
        for root in ["/", "/tests", "/logs/x", "/a b", "../x", "/a.b", "/a//b"] {
            assert!(resolve_sandbox(root).is_err(), "{root}");
        }
    }
}
