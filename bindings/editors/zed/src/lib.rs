//! Starts `picardc lsp` for Zed.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{register_extension, Command, Extension, LanguageServerId, Result, Worktree};

struct Picardc;

impl Extension for Picardc {
    fn new() -> Self {
        Picardc
    }

    /// The program from the settings (`"lsp": { "picardc": { "binary": { "path": … } } }`), otherwise from `PATH`.
    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let told = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let (path, arguments) = told.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path
            .or_else(|| worktree.which("picardc"))
            .ok_or("picardc is not in PATH: install it, or name it in the setting lsp.picardc.binary.path")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

register_extension!(Picardc);
