//! Landlock: which files a program reads and writes, whom it signals, and which abstract sockets it reaches.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, LandlockStatus, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, make_bitflags, path_beneath_rules,
};
use serde::{Deserialize, Serialize};

/// All that is asked of Landlock came by this version; older kernels do what they can.
pub const WANTED: ABI = ABI::V6;

/// Devices that programs use. Of `/dev` nothing else is reachable: no disk, no terminal of the user's.
const DEVICES: [&str; 7] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];

/// How much of it the kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandlockSupport {
    /// Whether it is all that was asked.
    pub all: bool,
    /// The version that the kernel has.
    pub abi: i32,
}

/// From here on the calling thread, and what it starts, reads and writes only there; it signals nobody outside, and finds none of their abstract
/// sockets. `None`: the kernel does nothing of it.
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
