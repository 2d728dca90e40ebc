//! All or nothing: moves a complete export to its place, or removes it.

use records::Error;
use runtime::bundle::Staging;
use runtime::{Failure, failure::FailureKind};

use super::To;
use super::folder::Folder;
use super::left_out::LeftOut;
use crate::console::Console;
use crate::exit::Exit;

/// The help text for a DIR that cannot be used.
const HELP: &str = "give another folder, or remove this one";

/// The unfinished DIR: a folder next to it, which is removed if it does not become DIR.
pub(super) struct Output {
    staging: Staging,
}

impl Output {
    /// Creates the folder.
    ///
    /// # Errors
    /// If DIR is not empty, or the folder cannot be created.
    pub(super) fn new(to: &To) -> Result<Output, Error> {
        if std::fs::read_dir(&to.out).is_ok_and(|mut entries| entries.next().is_some()) {
            let message = format!("`{}` exists and is not empty", disk::show_path(&to.out));
            return Err(Error::new_usage(message).help(HELP));
        }
        Ok(Output { staging: Staging::new(&to.out, false).map_err(convert_failure)? })
    }

    /// The folder to write to.
    pub(super) fn folder(&self) -> Folder {
        Folder::new(self.staging.folder())
    }

    /// Reports what was left out, and moves the folder to its place if that is permitted.
    pub(super) fn finish_output(
        self,
        format: &str,
        written: u64,
        left: &LeftOut,
        to: &To,
        console: &Console,
    ) -> Result<Exit, Error> {
        console.print_block(&left.render_list());
        let (total, out) = (left.count_left_out(), disk::show_path(&to.out));
        if written == 0 {
            console.print_error(&format!("nothing can be expressed in {format}, so `{out}` is not written"), None);
            return Ok(Exit::NotGood);
        }
        if total > 0 && !to.partial {
            let message = format!(
                "{} of {} cannot be expressed in {format}, so `{out}` is not written",
                total,
                left.format_count(left.with_written(written))
            );
            console.print_error(&message, Some("give --partial to write the others"));
            return Ok(Exit::NotGood);
        }
        self.staging.commit_folder().map_err(convert_failure)?;
        if !to.quiet {
            console.print_message(&format!(
                "wrote {} to {out} in the format of {format}{}",
                left.format_count(written),
                left.render_suffix()
            ));
        }
        Ok(Exit::Done)
    }
}

/// Converts a failure to write a folder to an error of records.
fn convert_failure(failure: Failure) -> Error {
    let outside = failure.kind == FailureKind::Io;
    // A bundle can be replaced with `--force`, but an export cannot.
    let help = if outside { failure.help } else { Some(HELP.to_owned()) };
    Error { message: failure.message, help, outside }
}
