"""Tries to get out of a sandbox of `cmd:`, one way after the other, and replies with what succeeded: {"escaped": [NAME], "refused": {NAME: WHY}}.

The test writes the places to try into PLACES. Nothing here does damage where it succeeds, but to files of the test."""

import ctypes
import glob
import json
import mmap
import os
import platform
import resource
import signal
import socket
import stat
import struct
import sys

P = json.loads(r"""PLACES""")
libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
CALLS = dict(
    ptrace=101, mount=165, umount2=166, chroot=161, pivot_root=155, setns=308, unshare=272, clone=56, clone3=435, io_uring_setup=425, add_key=248,
    keyctl=250, request_key=249, bpf=321, perf_event_open=298, userfaultfd=323, inotify_init1=294, inotify_add_watch=254, fanotify_init=300,
    settimeofday=164, clock_settime=227, sethostname=170, setdomainname=171, reboot=169, init_module=175, finit_module=313, delete_module=176,
    swapon=167, acct=163, quotactl=179, open_by_handle_at=304, syslog=103, iopl=172, process_vm_readv=310, process_vm_writev=311, pidfd_open=434,
    pidfd_getfd=438, pidfd_send_signal=424, kcmp=312, prlimit64=302, socket=41, shmat=30, fsopen=430, open_tree=428, move_mount=429,
    mount_setattr=442, kexec_load=246, memfd_secret=447, process_madvise=440, fsmount=432, ioprio_set=251, adjtimex=159, tkill=200, tgkill=234,
    rt_sigqueueinfo=129, sched_setaffinity=203, setpriority=141, name_to_handle_at=303, personality=135, umask=95,
)
ESCAPES = []


def is_open(descriptor):
    try:
        os.fstat(descriptor)
        return True
    except OSError:
        return False


# Before anything is opened here.
INHERITED = [descriptor for descriptor in range(3, 1024) if is_open(descriptor)]


def escape(action):
    ESCAPES.append((action.__name__, action))
    return action


def call(name, *arguments):
    """A system call by its number; fails as a function of `os` does."""
    if not X86:
        raise OSError("not tried on this processor")
    result = libc.syscall(ctypes.c_long(name if isinstance(name, int) else CALLS[name]), *[
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ])
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def read(path):
    with open(path, "rb") as file:
        if not file.read(64):
            raise OSError("nothing in it")


def any_of(paths, action):
    """Succeeds if one of them does."""
    error = OSError("there is none")
    for path in paths:
        try:
            return action(path)
        except Exception as failure:
            error = failure
    raise error


def reading(name, path):
    def action():
        read(path)

    action.__name__ = name
    escape(action)


outside, home = P["outside"], P["home"]
secret = outside + "/secret.txt"
parent = os.getppid()
victim = P["victim"]

# What lies next to the agent.
reading("read_the_bundle", home + "/bundle/instances.jsonl")
reading("read_the_manifest", home + "/bundle/manifest.json")
reading("read_a_copy_of_the_bundle", home + "/copy/instances.jsonl")
reading("read_this_run", home + "/run/run.json")
reading("read_an_earlier_run", home + "/r_oracle/responses.jsonl")
reading("read_earlier_scores", home + "/r_oracle/scores.jsonl")
reading("read_the_suite", home + "/s.pcd")
reading("read_a_report", home + "/report.html")
reading("read_notes", home + "/notes.txt")
reading("read_the_history", home + "/.git/config")
reading("read_another_sandbox", P["other"] + "/work/secret.txt")
reading("read_outside", secret)
reading("read_up", "../" * 20 + secret.lstrip("/"))
reading("read_through_the_root_of_proc", "/proc/self/root" + secret)
reading("read_through_the_parents_root", "/proc/%d/root%s" % (parent, secret))
reading("read_shadow", "/etc/shadow")
reading("read_kcore", "/proc/kcore")
reading("read_environment_of_the_parent", "/proc/%d/environ" % parent)
reading("read_environment_of_another", "/proc/%d/environ" % victim)
reading("read_memory_map_of_another", "/proc/%d/maps" % victim)
reading("read_environment_of_init", "/proc/1/environ")


@escape
def read_a_transcript():
    any_of(glob.glob(home + "/r_oracle/transcripts/*") or [home + "/r_oracle/transcripts/reply-1.1.jsonl"], read)


@escape
def read_the_job():
    any_of([os.environ["TMPDIR"] + "/../job.json", os.environ["TMPDIR"] + "/../ended.json"], read)


@escape
def list_the_bundle():
    if not os.listdir(home + "/bundle"):
        raise OSError("empty")


@escape
def list_the_sandboxes():
    os.listdir("../..")


@escape
def list_a_run():
    if not os.listdir(home + "/r_oracle"):
        raise OSError("empty")


@escape
def list_outside():
    os.listdir(outside)


@escape
def read_through_a_link():
    os.symlink(secret, "link")
    read("link")


@escape
def read_through_a_swapped_link():
    os.symlink("/etc/hostname", "swapped")
    for _ in range(50):
        os.symlink(secret, "next")
        os.rename("next", "swapped")
        try:
            return read("swapped")
        except OSError as error:
            failure = error
        os.symlink("/etc/hostname", "next")
        os.rename("next", "swapped")
    raise failure


@escape
def read_by_a_hard_link():
    os.link(secret, "hard")
    read("hard")


@escape
def read_by_handle():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount_id = ctypes.c_int()
    call("name_to_handle_at", -100, ctypes.c_char_p(secret.encode()), handle, ctypes.byref(mount_id), 0)
    call("open_by_handle_at", os.open(".", os.O_RDONLY), handle, os.O_RDONLY)


@escape
def read_memory_of_the_parent():
    with open("/proc/%d/mem" % parent, "rb"):
        pass


@escape
def read_working_folder_of_another():
    os.listdir("/proc/%d/cwd" % victim)


@escape
def read_descriptors_of_the_parent():
    # That there are some can be seen; not what they are.
    any_of(glob.glob("/proc/%d/fd/*" % parent), os.readlink)


@escape
def read_homes():
    any_of(["/root", "/home", os.path.expanduser("~root")], os.listdir)


@escape
def read_run():
    any_of(["/run", "/var/run", "/run/user"], os.listdir)


@escape
def read_logs():
    os.listdir("/var/log")


@escape
def read_a_disk():
    any_of([path for path in glob.glob("/dev/*") + P["disks"] if stat.S_ISBLK(os.stat(path).st_mode)], read)


@escape
def read_a_terminal():
    any_of(glob.glob("/dev/pts/[0-9]*") + ["/dev/tty0", "/dev/tty1", "/dev/ttyS0", "/dev/vcs"], lambda path: os.open(path, os.O_RDONLY))


@escape
def read_the_log_of_the_kernel():
    os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)


@escape
def use_devices():
    names = ["loop-control", "fuse", "kvm", "mem", "vsock", "userfaultfd", "btrfs-control", "autofs", "net/tun", "hwrng", "cpu_dma_latency"]
    any_of(["/dev/" + name for name in names], lambda path: os.open(path, os.O_RDONLY))


@escape
def list_devices():
    os.listdir("/dev")


@escape
def read_shared_memory():
    os.listdir("/dev/shm")


@escape
def inherit_descriptors():
    if not INHERITED:
        raise OSError("none")


@escape
def inherit_the_environment():
    if "very-secret" not in str(os.environ):
        raise OSError("nothing in it")


# Writing.
@escape
def write_outside():
    open(outside + "/new.txt", "w").write("x")


@escape
def append_outside():
    open(secret, "a").write("x")


@escape
def truncate_outside():
    os.truncate(secret, 0)


@escape
def make_a_folder_outside():
    os.mkdir(outside + "/folder")


@escape
def remove_outside():
    os.remove(secret)


@escape
def rename_outside():
    os.rename(secret, outside + "/other.txt")


@escape
def move_in():
    os.rename(secret, "moved")


@escape
def move_out():
    open("mine", "w").close()
    os.rename("mine", outside + "/mine")


@escape
def link_out():
    open("mine2", "w").close()
    os.link("mine2", outside + "/mine2")


@escape
def make_a_link_outside():
    os.symlink("x", outside + "/link")


@escape
def make_a_fifo_outside():
    os.mkfifo(outside + "/fifo")


@escape
def write_through_a_link():
    os.symlink(outside, "way out")
    open("way out/new.txt", "w").write("x")


@escape
def make_a_device():
    os.mknod("disk", stat.S_IFBLK | 0o600, os.makedev(254, 0))
    read("disk")


@escape
def make_a_character_device():
    os.mknod("mem", stat.S_IFCHR | 0o600, os.makedev(1, 1))
    os.open("mem", os.O_RDONLY)


@escape
def change_own_program():
    open(__file__, "a").write("\n")


@escape
def change_the_note_of_the_supervisor():
    open(os.environ["TMPDIR"] + "/../ended.json", "w").write("{}")


@escape
def write_to_the_folder_of_sandboxes():
    open("../../new.txt", "w").write("x")


@escape
def write_this_run():
    open(home + "/run/responses.jsonl", "a").write("x")


@escape
def write_shared_memory():
    path = "/dev/shm/picardc-escape"
    open(path, "w").write("x")
    os.remove(path)


@escape
def write_temporary():
    any_of(["/tmp/picardc-escape", "/var/tmp/picardc-escape"], lambda path: (open(path, "w").close(), os.remove(path)))


@escape
def set_sysctl():
    any_of(["/proc/sys/kernel/hostname", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness"], lambda path: open(path, "r+").close())


@escape
def change_who_is_killed_first():
    open("/proc/%d/oom_score_adj" % parent, "w").write("0")


@escape
def leave_the_control_group():
    groups = glob.glob("/sys/fs/cgroup/cgroup.procs") + glob.glob("/sys/fs/cgroup/*/cgroup.procs")
    any_of(groups, lambda path: open(path, "w").write("0"))


@escape
def trigger_sysrq():
    open("/proc/sysrq-trigger", "w").close()


# What is known about files, not what is in them.
@escape
def chmod_outside():
    os.chmod(secret, 0o777)


@escape
def chmod_the_run():
    os.chmod(home + "/run/run.json", 0o600)


@escape
def chmod_the_folder_of_sandboxes():
    any_of(["..", "../.."], lambda path: os.chmod(path, 0o755))


@escape
def chmod_through_proc():
    os.chmod("/proc/self/fd/%d" % os.open(secret, os.O_PATH), 0o777)


@escape
def chmod_own_program():
    os.chmod(__file__, 0o755)


@escape
def chown_outside():
    os.chown(secret, -1, os.getgid())


@escape
def utime_outside():
    os.utime(secret, (1, 1))


@escape
def set_attributes_outside():
    os.setxattr(secret, "user.x", b"x")


@escape
def remove_attributes_outside():
    os.removexattr(secret, "user.there")


@escape
def stat_outside():
    os.stat(secret)


# Sockets.
@escape
def connect_to_an_abstract_socket():
    socket.socket(socket.AF_UNIX).connect("\0" + P["abstract"])


@escape
def connect_to_a_socket():
    socket.socket(socket.AF_UNIX).connect(outside + "/socket")


@escape
def send_to_a_socket():
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", outside + "/datagrams")


@escape
def turn_a_pair_to_a_socket():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", outside + "/datagrams")


@escape
def turn_a_stream_pair_to_a_socket():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)[0].connect(outside + "/socket")


@escape
def call_by_second_number():
    call(0x40000000 + CALLS["socket"], socket.AF_UNIX, 1, 0)


@escape
def bind_a_socket_outside():
    socket.socket(socket.AF_UNIX).bind(outside + "/mine.socket")


@escape
def socket_to_the_host():
    socket.socket(40, socket.SOCK_STREAM)


@escape
def socket_of_packets():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@escape
def socket_of_the_cipher():
    socket.socket(38, socket.SOCK_SEQPACKET)


@escape
def connect_to_the_network():
    socket.create_connection(("127.0.0.1", P["port"]), 5)


# Other processes.
@escape
def signal_the_parent():
    os.kill(parent, signal.SIGURG)


@escape
def signal_another():
    os.kill(victim, signal.SIGURG)


@escape
def signal_everybody():
    # The kernel says that it did, whether or not anybody was there who could be signalled: the test looks at the victim.
    os.kill(-1, signal.SIGURG)
    raise OSError("judged by the test")


@escape
def signal_by_descriptor():
    call("pidfd_send_signal", call("pidfd_open", victim, 0), int(signal.SIGURG), None, 0)


@escape
def signal_a_thread():
    call("tgkill", victim, victim, int(signal.SIGURG))


@escape
def trace_the_parent():
    call("ptrace", 0x4206, parent, 0, 0)


@escape
def trace_another():
    call("ptrace", 0x4206, victim, 0, 0)


def remote(name):
    here = ctypes.create_string_buffer(16)
    pair = (ctypes.c_size_t * 2)(ctypes.addressof(here), 16)
    start = int(open("/proc/self/maps").read(12).split("-")[0], 16)
    there = (ctypes.c_size_t * 2)(start, 16)
    try:
        call(name, victim, pair, 1, there, 1, 0)
    except OSError as error:
        # An address that is not there: it was looked at.
        if error.errno != 14:
            raise


@escape
def read_memory_of_another():
    remote("process_vm_readv")


@escape
def write_memory_of_another():
    remote("process_vm_writev")


@escape
def take_a_descriptor():
    call("pidfd_getfd", call("pidfd_open", victim, 0), 0, 0)


@escape
def compare_processes():
    call("kcmp", parent, victim, 0, 0, 0)


@escape
def limit_another():
    call("prlimit64", victim, resource.RLIMIT_CORE, ctypes.byref((ctypes.c_ulong * 2)(0, 0)), None)


@escape
def slow_another_down():
    os.setpriority(os.PRIO_PROCESS, victim, os.getpriority(os.PRIO_PROCESS, victim))


@escape
def bind_another_to_a_processor():
    os.sched_setaffinity(victim, os.sched_getaffinity(victim))


@escape
def set_input_priority_of_another():
    call("ioprio_set", 1, victim, 0x4000)


@escape
def see_command_lines():
    read("/proc/%d/cmdline" % victim)


# What would undo all that.
@escape
def gain_rights():
    status = open("/proc/self/status").read()
    if "NoNewPrivs:\t1" in status and "CapEff:\t0000000000000000" in status and "CapBnd:\t0000000000000000" in status:
        raise OSError("none to gain")
    if "NoNewPrivs:\t1" in status and "CapEff:\t0000000000000000" in status:
        raise OSError("none to gain by any program")


@escape
def become_root():
    if os.getuid() == 0:
        os.chroot(".")
    else:
        os.setuid(0)


@escape
def become_somebody_else():
    os.setresuid(65533, 65533, 65533)


@escape
def leave_groups():
    os.setgroups([])


@escape
def raise_limits():
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@escape
def dump_core():
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        raise OSError("none")


@escape
def new_user_namespace():
    call("unshare", 0x10000000)


@escape
def new_mount_namespace():
    call("unshare", 0x00020000)


@escape
def clone_a_user_namespace():
    pid = call("clone", 0x10000000 | int(signal.SIGCHLD), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@escape
def clone_a_user_namespace_by_the_third_call():
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQ", 0x10000000, 0, 0, 0, int(signal.SIGCHLD)) + bytes(48))
    pid = call("clone3", arguments, 88)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@escape
def enter_a_namespace():
    any_of(["mnt", "ipc", "user", "net"], lambda kind: call("setns", os.open("/proc/%d/ns/%s" % (parent, kind), os.O_RDONLY), 0))


@escape
def mount_something():
    call("mount", b"none", b".", b"tmpfs", 0, None)


@escape
def mount_writable():
    call("mount", None, b"/", None, 32 | 4096, None)


@escape
def unmount_something():
    any_of([b"/proc", b"/", home.encode() + b"/bundle", b"."], lambda path: call("umount2", path, 2))


@escape
def mount_the_new_way():
    call("fsopen", b"tmpfs", 0)


@escape
def copy_mounts():
    call("open_tree", -100, b"/", 1)


@escape
def change_root():
    os.chroot(".")


@escape
def swap_root():
    call("pivot_root", b".", b".")


@escape
def queue_operations():
    call("io_uring_setup", 4, ctypes.create_string_buffer(120))


@escape
def use_keys():
    call("keyctl", 0, -4, 0)


@escape
def add_a_key():
    call("add_key", b"user", b"picardc", b"x", 1, -4)


@escape
def load_a_program_into_the_kernel():
    call("bpf", 0, ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1) + bytes(112)), 128)


@escape
def count_events():
    call("perf_event_open", ctypes.create_string_buffer(struct.pack("IIQ", 1, 128, 0) + bytes(112)), 0, -1, -1, 0)


@escape
def handle_page_faults():
    call("userfaultfd", 1)


@escape
def watch_files():
    watch = libc.inotify_init1(0)
    if watch < 0 or libc.inotify_add_watch(watch, outside.encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@escape
def watch_all_files():
    call("fanotify_init", 0x200, 0)


@escape
def set_the_clock():
    call("clock_settime", 0, ctypes.create_string_buffer(struct.pack("qq", 0, -1)))


@escape
def set_the_day():
    call("settimeofday", ctypes.create_string_buffer(struct.pack("qq", 0, -1)), None)


@escape
def rename_the_host():
    call("sethostname", b"escaped", 7)


@escape
def restart():
    call("reboot", 0xFEE1DEAD - (1 << 32), 672274793, 0, None)


@escape
def load_a_module():
    call("finit_module", 0, b"", 0)


@escape
def use_swap():
    call("swapon", b"/nothing", 0)


@escape
def keep_accounts():
    call("acct", None)


@escape
def talk_to_the_log():
    call("syslog", 10, None, 0)


@escape
def touch_ports():
    call("iopl", 3)


@escape
def type_into_a_terminal():
    import fcntl

    terminal = any_of(["/dev/tty", "/dev/ptmx"], lambda path: os.open(path, os.O_RDWR | os.O_NOCTTY))
    fcntl.ioctl(terminal, 0x5412, b"x")


@escape
def attach_shared_memory():
    libc.shmat.restype = ctypes.c_void_p
    if P["segment"] < 0 or libc.shmat(P["segment"], None, 0o10000) in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@escape
def use_secret_memory():
    call("memfd_secret", 0)


escaped, refused = [], {}
for name, action in ESCAPES:
    try:
        action()
        escaped.append(name)
    except Exception as failure:
        refused[name] = "%s: %s" % (type(failure).__name__, failure)
# Left for the test to look at: whether it outlives the sandbox. Not before: in a namespace of its own, it could have the number of a segment outside.
libc.shmget(0x70636463, 4096, 0o1600)
with open("out.txt", "w") as file:
    json.dump({"escaped": escaped, "refused": refused}, file)
print(json.dumps({"reply": "over"}))
