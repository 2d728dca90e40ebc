//! The comments of a suite that ask functions with paths, made into keys:
//!
//! ```text
//! # ask sum avg of conf else -1
//! #   $.numbers[*]
//! #   $..n
//! ```
//!
//! Each function is asked with each path, and a key's name is its expression: that is what Python reads. A whole call stands behind
//! `# call`; its key is the call without backticks.

use std::fmt::Write as _;

/// The suite with keys for what its comments ask, of the functions `FAMILY_…`.
pub fn expand(suite: &str, family: &str) -> String {
    let mut out = String::with_capacity(suite.len() * 4);
    let mut asked: Option<Asked<'_>> = None;
    for line in suite.lines() {
        let text = line.trim();
        if let Some(what) = text.strip_prefix("# ask ") {
            asked = Some(Asked::read(what));
        } else if let Some(call) = text.strip_prefix("# call ") {
            let _ = writeln!(out, "    `{}`: {call},", call.replace('`', ""));
        } else if let (Some(asked), Some(path)) = (&asked, text.strip_prefix("#   ")) {
            for function in asked.functions.split(' ') {
                let mut call = format!("<<{family}_{function}: {}, {path}>>", asked.file);
                if let Some(otherwise) = asked.otherwise {
                    let otherwise = if function == "avg" { "-1 / 1" } else { otherwise };
                    call = format!("coalesce({call}, {otherwise})");
                }
                let _ = writeln!(out, "    `{call}`: {call},");
            }
        } else {
            asked = None;
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

struct Asked<'l> {
    functions: &'l str,
    file: &'l str,
    /// What stands for null; where it stands, there may be null.
    otherwise: Option<&'l str>,
}

impl<'l> Asked<'l> {
    fn read(what: &'l str) -> Asked<'l> {
        let (functions, of) = what.split_once(" of ").expect("ask FUNCTIONS of FILE");
        let (file, otherwise) = match of.split_once(" else ") {
            Some((file, otherwise)) => (file, Some(otherwise)),
            None => (of, None),
        };
        Asked { functions, file, otherwise }
    }
}
