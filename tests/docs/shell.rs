//! Commands of the manual, and what they print.

use std::env;
use std::process::Command;

use testing::root;

use super::blocks::{Block, Page};
use super::updating;

/// Runs a block of commands, if `picardc` is among them or the block asks for it.
pub fn run(page: &mut Page, block: &Block) -> Result<(), String> {
    page.printed = None;
    if let Some(reason) = block.value("not-run") {
        return if reason.starts_with("needs-") {
            Ok(())
        } else {
            Err("say what it needs: not-run=needs-…".to_owned())
        };
    }
    if !block.has("run") && !block.text.lines().any(|line| line.starts_with("picardc")) {
        return Ok(());
    }
    let home = page.home.path();
    let suites = home.join("suites");
    if !suites.exists() {
        testing::copy_folder(root().join("suites"), &suites);
    }
    let program = testing::find_program();
    let program = program.parent().expect("a folder");
    let path = env::join_paths(
        [program.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let output = Command::new("sh")
        .args(["-e", "-c", &format!("exec 2>&1\n{}", block.text)])
        .current_dir(home)
        .env("PATH", path.map_err(|error| error.to_string())?)
        .env_remove("COLUMNS")
        .output()
        .map_err(|error| error.to_string())?;
    let printed = without_times(&String::from_utf8_lossy(&output.stdout));
    let wanted = block.value("exit").map_or(Some(0), |status| status.parse().ok());
    if output.status.code() != wanted {
        return Err(format!("it ends with {:?} and not {wanted:?}:\n{printed}", output.status.code()));
    }
    page.printed = Some(printed);
    Ok(())
}

/// Whether a block runs python3, and there is none.
pub fn lacks_python(block: &Block) -> bool {
    block.text.contains("python3") && Command::new("python3").arg("--version").output().is_err()
}

/// Saves a block with `file=NAME`.
pub fn save(page: &mut Page, block: &Block) -> Result<(), String> {
    let Some(name) = block.value("file") else { return Ok(()) };
    block.write(&page.home.path().join(name))
}

/// Compares a `json output`, laid out for reading, with what the commands above printed.
pub fn compare_json(page: &mut Page, block: &Block) -> Result<(), String> {
    if !block.has("output") {
        return Ok(());
    }
    let Some(printed) = page.printed.take() else { return Err("there is no command above that prints it".to_owned()) };
    let json: serde_json::Value = serde_json::from_str(&printed).map_err(|error| format!("{error} in\n{printed}"))?;
    let laid_out = format!("{json:#}\n");
    if laid_out == block.text {
        return Ok(());
    }
    if updating() {
        page.rewrite(block, &laid_out);
        return Ok(());
    }
    Err(format!("the commands print something else (UPDATE_DOCS=1 cargo test --test it docs:: shows it):\n{laid_out}"))
}

/// Compares a `text output` with what the commands above printed; saves a `text file=NAME`.
pub fn compare(page: &mut Page, block: &Block) -> Result<(), String> {
    if block.value("file").is_some() {
        return save(page, block);
    }
    let most = match block.value("output") {
        Some(most) => most.parse().map_err(|_| "`output=N` takes a number of lines".to_owned())?,
        None if block.has("output") => usize::MAX,
        None => return Ok(()),
    };
    let Some(printed) = page.printed.take() else { return Err("there is no command above that prints it".to_owned()) };
    let printed: String = printed.trim_end().lines().take(most).map(|line| format!("{line}\n")).collect();
    if printed == block.text {
        return Ok(());
    }
    if updating() {
        page.rewrite(block, &printed);
        return Ok(());
    }
    Err(format!("the commands print something else (UPDATE_DOCS=1 cargo test --test it docs:: shows it):\n{printed}"))
}

/// `in 0.3 s` is not the same every time.
fn without_times(text: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let line = |line: &str| {
        // The last column of a table of times is as wide as its longest.
        if let Some((before, "time")) = line.rsplit_once(' ') {
            return format!("{}     time\n", before.trim_end());
        }
        let timed = line.strip_suffix(" ms").and_then(|line| line.rsplit_once(' '));
        if let Some((before, _)) = timed.filter(|(_, time)| is_number(time)) {
            return format!("{}  0.10 ms\n", before.trim_end());
        }
        match line.rsplit_once(" in ") {
            Some((before, time)) if time.ends_with(" s") && is_number(time.trim_end_matches(" s")) => {
                format!("{before} in 0.1 s\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}
