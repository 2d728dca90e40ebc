//! System calls that an agent's program is refused. Landlock guards files; this is for what it does not see.
//!
//! | refused | because |
//! | --- | --- |
//! | sockets other than those of the internet, unless `--allow-unix` | services of the user listen on Unix sockets |
//! | netlink sockets but those that tell the addresses of this machine | they tell the sockets of others, events of devices, records of audits |
//! | new namespaces, mounts | within them a program has rights that it lacks outside |
//! | io_uring | its operations pass every filter of system calls |
//! | memory of other processes, their limits, their descriptors | they may be the user's |
//! | keys of the kernel, BPF, performance events, watches of files | they reach past the sandbox |
//! | shared memory that no process has mapped, without a control group | it counts toward no process's limit |
//! | shared memory, semaphores, and queues with names, without an IPC namespace | they are the user's and outlive it |

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

/// What depends on the user and on the system.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// `--allow-unix`.
    pub unix: bool,
    /// Shared memory that a control group counts.
    pub shared_memory: bool,
    /// Shared memory, semaphores and queues of System V, and queues of POSIX, that are the program's own.
    pub ipc: bool,
}

/// Conditions of which each is enough; none at all: always.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// From here on the calling thread, and what it starts, is refused them.
///
/// # Errors
/// The kernel has no seccomp, or it is not known for this processor.
pub fn install_filters(allowed: Allowed) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("system calls cannot be filtered: {error}");
    let processor = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| failed(&error))?;
    let filters = [
        (libc::EPERM, build_eperm_rules(allowed).map_err(|error| failed(&error))?),
        (libc::ENOSYS, build_enosys_rules(allowed)),
        (libc::EAFNOSUPPORT, build_socket_rules(allowed).map_err(|error| failed(&error))?),
    ];
    for (errno, rules) in filters {
        let action = SeccompAction::Errno(u32::try_from(errno).unwrap_or_default());
        let filter = SeccompFilter::new(with_second_numbers(rules), SeccompAction::Allow, action, processor);
        let program: BpfProgram = filter.and_then(BpfProgram::try_from).map_err(|error| failed(&error))?;
        apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// Every call has a second number on x86-64, that of the x32 ABI.
fn with_second_numbers(mut rules: Rules) -> Rules {
    if cfg!(target_arch = "x86_64") {
        let second: Rules = rules.iter().map(|(call, rules)| (call | 0x4000_0000, rules.clone())).collect();
        rules.extend(second);
    }
    rules
}

fn build_rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, seccompiler::BackendError> {
    let conditions =
        conditions.iter().map(|(argument, op, value)| SeccompCondition::new(*argument, Dword, op.clone(), *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

/// A constant of C, as the kernel compares it.
fn to_kernel_bits(constant: i32) -> u64 {
    u64::from(constant.cast_unsigned())
}

fn build_eperm_rules(allowed: Allowed) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = [
        libc::SYS_add_key,
        libc::SYS_keyctl,
        libc::SYS_request_key,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_fsopen,
        libc::SYS_fsconfig,
        libc::SYS_fsmount,
        libc::SYS_fspick,
        libc::SYS_mount_setattr,
        libc::SYS_chroot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_reboot,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_acct,
        libc::SYS_quotactl,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        libc::SYS_pidfd_getfd,
        libc::SYS_kcmp,
        libc::SYS_open_by_handle_at,
        libc::SYS_fanotify_init,
        libc::SYS_fanotify_mark,
        libc::SYS_syslog,
        libc::SYS_vhangup,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
        libc::SYS_ioprio_set,
    ]
    .into_iter()
    .map(|call| (call, Vec::new()))
    .collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend([(libc::SYS_iopl, Vec::new()), (libc::SYS_ioperm, Vec::new())]);
    let namespaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ];
    let new = |flag: &i32| build_rule(&[(0, MaskedEq(to_kernel_bits(*flag)), to_kernel_bits(*flag))]);
    let cloned: Vec<SeccompRule> = namespaces.iter().map(new).collect::<Result<_, _>>()?;
    let mut unshared = cloned.clone();
    unshared.push(new(&libc::CLONE_NEWTIME)?);
    rules.insert(libc::SYS_clone, cloned);
    rules.insert(libc::SYS_unshare, unshared);
    // 0 is the caller itself; limits of others are theirs.
    rules.insert(libc::SYS_prlimit64, vec![build_rule(&[(0, Ne, 0)])?]);
    // Words put into a terminal as if they had been typed there.
    rules.insert(libc::SYS_ioctl, vec![build_rule(&[(1, Eq, 0x5412)])?, build_rule(&[(1, Eq, 0x541c)])?]);
    if !allowed.unix {
        // A pair for datagrams can be connected to somebody else later.
        let kind =
            |kind: i32| build_rule(&[(0, Eq, to_kernel_bits(libc::AF_UNIX)), (1, MaskedEq(0xf), to_kernel_bits(kind))]);
        rules.insert(libc::SYS_socketpair, vec![kind(libc::SOCK_DGRAM)?, kind(libc::SOCK_RAW)?]);
    }
    Ok(rules)
}

/// What programs do without where the kernel does not have it.
fn build_enosys_rules(allowed: Allowed) -> Rules {
    let mut calls = vec![
        // Its flags lie in memory, where no filter sees them; the C library then calls `clone`.
        libc::SYS_clone3,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_inotify_init1,
        libc::SYS_inotify_add_watch,
        libc::SYS_memfd_secret,
    ];
    #[cfg(target_arch = "x86_64")]
    calls.push(libc::SYS_inotify_init);
    if !allowed.shared_memory {
        calls.extend([libc::SYS_memfd_create, libc::SYS_shmget]);
    }
    if !allowed.ipc {
        calls.extend([libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_semget, libc::SYS_semop]);
        calls.extend([libc::SYS_semctl, libc::SYS_semtimedop, libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgrcv]);
        calls.extend([libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink]);
    }
    calls.into_iter().map(|call| (call, Vec::new())).collect()
}

fn build_socket_rules(allowed: Allowed) -> Result<Rules, seccompiler::BackendError> {
    let mut families = vec![libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    if allowed.unix {
        families.push(libc::AF_UNIX);
    }
    let others: Vec<_> = families.iter().map(|family| (0, Ne, to_kernel_bits(*family))).collect();
    // Resolvers ask for the addresses of this machine, and for nothing else of the kernel's.
    let others_of_kernel =
        build_rule(&[(0, Eq, to_kernel_bits(libc::AF_NETLINK)), (2, Ne, to_kernel_bits(libc::NETLINK_ROUTE))])?;
    Ok(BTreeMap::from([(libc::SYS_socket, vec![build_rule(&others)?, others_of_kernel])]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile_and_fit_the_kernel() {
        for all in [false, true] {
            let allowed = Allowed { unix: all, shared_memory: all, ipc: all };
            let applied = std::thread::spawn(move || install_filters(allowed)).join().expect("no panic");
            if let Err(why) = applied {
                // Where the kernel has no seccomp, the run says so.
                assert!(why.contains("cannot be filtered"), "{why}");
            }
        }
    }
}
