//! Landlock: which files a program can read and write, which processes it can signal, and which abstract sockets it can reach.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, LandlockStatus, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, make_bitflags, path_beneath_rules,
};
use serde::{Deserialize, Serialize};

/// The version of Landlock that supports everything that is requested; older kernels support a part.
pub const WANTED: ABI = ABI::V6;

/// Devices that programs use. Nothing else of `/dev` is reachable: no disk, and no terminal of the user.
const DEVICES: [&str; 7] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];

/// How much of the request the kernel supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandlockSupport {
    /// Whether it supports all of it.
    pub all: bool,
    /// The Landlock version of the kernel.
    pub abi: i32,
}

/// Restricts the calling thread, and the processes that it starts, to these paths. They can signal no process outside, and reach none of its abstract
/// sockets. Returns `None` if the kernel enforces nothing of this.
pub fn apply_landlock(
    readable: &[PathBuf],
    listed: &[PathBuf],
    writable: &[PathBuf],
) -> Result<Option<LandlockSupport>, RulesetError> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(make_bitflags!(Scope::{Signal | AbstractUnixSocket}))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(WANTED)))?
        .add_rules(path_beneath_rules(listed, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(
            DEVICES.map(Path::new),
            make_bitflags!(AccessFs::{ReadFile | WriteFile | IoctlDev}),
        ))?
        .add_rules(path_beneath_rules(writable, AccessFs::from_all(WANTED)))?
        .restrict_self()?;
    let abi = match status.landlock {
        LandlockStatus::Available { effective_abi, kernel_abi } => kernel_abi.unwrap_or(effective_abi as i32),
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
    };
    Ok(match status.ruleset {
        RulesetStatus::FullyEnforced => Some(LandlockSupport { all: true, abi }),
        RulesetStatus::PartiallyEnforced => Some(LandlockSupport { all: false, abi }),
        RulesetStatus::NotEnforced => None,
    })
}
