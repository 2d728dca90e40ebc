//! System calls that are refused to an agent's program. Landlock protects files; this filter covers the rest.
//!
//! | refused | because |
//! | --- | --- |
//! | sockets other than those of the internet, unless `--allow-unix` | services of the user listen on Unix sockets |
//! | netlink sockets except those for this machine's addresses | they report sockets of others, device events, and audit records |
//! | new namespaces, mounts | in them, a program has rights that it does not have outside |
//! | io_uring | its operations bypass every filter of system calls |
//! | memory, limits, and descriptors of other processes | the processes may be the user's |
//! | keys of the kernel, BPF, performance events, watches of files | they reach past the sandbox |
//! | shared memory that no process has mapped, without a control group | it counts toward no process's limit |
//! | shared memory, semaphores, and queues with names, without an IPC namespace | they are the user's and outlive it |

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use super::unconfined::Unconfined;

/// Exceptions, which depend on the user and on the system.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// `--allow-unix`.
    pub unix: bool,
    /// Whether shared memory is allowed, because a control group counts it.
    pub shared_memory: bool,
    /// Whether shared memory, semaphores, and queues of System V, and queues of POSIX, are allowed, because they are the program's own.
    pub ipc: bool,
}

/// Refused system calls with their conditions, each of which is sufficient; without conditions, always refused.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs the filters for the calling thread and all that it starts.
///
/// # Errors
/// The kernel has no seccomp, or this processor is not supported.
pub fn install_filters(allowed: Allowed) -> Result<(), Unconfined> {
    let failed = |error: &dyn std::fmt::Display| Unconfined::new_step("system calls cannot be filtered", error);
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

/// Adds the second number of each call: on x86-64, the x32 ABI has numbers of its own.
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

/// Returns a constant of C in the form in which the kernel compares it.
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
    // 0 is the caller itself; the limits of other processes must not change.
    rules.insert(libc::SYS_prlimit64, vec![build_rule(&[(0, Ne, 0)])?]);
    // These put characters into a terminal as if they had been typed.
    rules.insert(libc::SYS_ioctl, vec![build_rule(&[(1, Eq, 0x5412)])?, build_rule(&[(1, Eq, 0x541c)])?]);
    if !allowed.unix {
        // A pair of datagram sockets can be connected to another socket later.
        let kind =
            |kind: i32| build_rule(&[(0, Eq, to_kernel_bits(libc::AF_UNIX)), (1, MaskedEq(0xf), to_kernel_bits(kind))]);
        rules.insert(libc::SYS_socketpair, vec![kind(libc::SOCK_DGRAM)?, kind(libc::SOCK_RAW)?]);
    }
    Ok(rules)
}

/// Returns the calls that are refused as unknown: programs do without them if the kernel does not have them.
fn build_enosys_rules(allowed: Allowed) -> Rules {
    let mut calls = vec![
        // Its flags are in memory, which no filter can read; the C library then falls back to `clone`.
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
    // Resolvers ask the kernel for the addresses of this machine, and for nothing else.
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
                assert!(why.to_string().contains("cannot be filtered"), "{why}");
            }
        }
    }
}
