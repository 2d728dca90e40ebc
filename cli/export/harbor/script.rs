//! The scripts and images of a Harbor task. Scripts work in any folder: `PICARDC_WORK`, `PICARDC_REPLY`, and `PICARDC_LOGS` replace the paths in
//! containers, and `PICARDC` replaces the program.

use serde_json::Value as Json;

use crate::build::quote_word;

/// The results of an oracle.
pub(super) struct Left<'a> {
    /// The working folder of the agent.
    pub work: &'a str,
    /// The file of the reply, if the answer key reads it.
    pub reply: Option<&'a str>,
    pub has_files: bool,
    /// The folders to create, below `work`.
    pub folders: &'a [String],
    /// The paths to remove first, below `work`.
    pub removed: &'a [String],
}

/// Renders `tests/test.sh`, which always writes a reward. It first removes anything that an agent placed in its output files. If the scorer fails, the
/// reward is 0 and the exit status is that of the scorer.
pub(super) fn render_test_script(id: &str, work: &str, reply: &str) -> String {
    format!(
        r#"#!/bin/sh
# Scores what the agent left: reward.json has the reward (1 or 0) and the score, verdicts.json has the reasons.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=${{PICARDC_WORK:-{work}}}
reply=${{PICARDC_REPLY:-{reply}}}
logs=${{PICARDC_LOGS:-/logs/verifier}}
mkdir -p "$logs"
# Nothing that was there before is a reward.
for name in reward.txt reward.json verdicts.json; do
  rm -rf -- "$logs/$name"
  if [ -e "$logs/$name" ] || [ -L "$logs/$name" ]; then
    echo "error: $logs/$name was there before the verifier, and cannot be removed" >&2
    exit 3
  fi
done
# If the scorer fails, this is left.
echo '{{"reward":0,"score":0.0}}' >"$logs/reward.json" || exit 3
[ -f "$reply" ] || reply=/dev/null
"${{PICARDC:-picardc}}" grade "$here/bundle" {} --sandbox "$work" --json --reward "$logs/reward.json" <"$reply" >"$logs/verdicts.json"
status=$?
[ "$status" -le 1 ] || exit "$status"
"#,
        quote_word(id)
    )
}

/// Renders `tests/Dockerfile`. The command is installed from a wheel in its folder, without a registry.
pub(super) fn render_verifier_image(version: &str) -> String {
    format!(
        "FROM python:3.13-slim\nCOPY . /tests\n# From picardc_cli-{version}-*.whl in this folder, where `picardc export harbor --wheel` places it.\n\
         RUN pip install --no-cache-dir --no-index --find-links /tests picardc-cli=={version}\n"
    )
}

/// Renders `environment/Dockerfile`. `files` is the folder of the starting files, if there are any. Folders are created with a command in exec form, without
/// a shell.
pub(super) fn render_agent_image(image: &str, work: &str, files: Option<&str>, folders: &[String]) -> String {
    let mut text = format!("FROM {image}\nWORKDIR {work}\n");
    if let Some(files) = files {
        text.push_str(&format!("COPY {files} {work}/\n"));
    }
    let made = ["/logs/artifacts"].into_iter().chain(folders.iter().map(String::as_str));
    let command: Vec<&str> = ["mkdir", "-p", "--"].into_iter().chain(made).collect();
    text.push_str(&format!("RUN {}\n", Json::from(command)));
    text
}

/// Renders `solution/solve.sh`.
pub(super) fn render_solve_script(left: &Left<'_>) -> String {
    let mut text = format!(
        "#!/bin/sh\n# Leaves a correct solution, made from the answer key.\nset -eu\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\nwork=${{PICARDC_WORK:-{}}}\n",
        left.work
    );
    for path in left.removed {
        text.push_str(&format!("rm -rf -- \"$work\"/{}\n", quote_word(path)));
    }
    for path in left.folders {
        text.push_str(&format!("mkdir -p -- \"$work\"/{}\n", quote_word(path)));
    }
    if left.has_files {
        text.push_str("cp -R \"$here\"/files/. \"$work\"/\n");
    }
    if let Some(reply) = left.reply {
        text.push_str(&format!(
            "reply=${{PICARDC_REPLY:-{reply}}}\nmkdir -p -- \"$(dirname \"$reply\")\"\ncp \"$here\"/reply.txt \"$reply\"\n"
        ));
    }
    text
}
