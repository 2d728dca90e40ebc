//! `cmd:`: programs, honest ones and hostile ones.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use records::Status;

use super::home::{Home, SUITE};

/// Whether the kernel keeps programs in their sandboxes; if not, tests of it say so and pass.
fn landlock(err: &str) -> bool {
    let missing = err.contains("Landlock");
    if missing {
        eprintln!("skipped: {err}");
    }
    !missing
}

/// An agent in Python.
fn python(home: &Home, source: &str) -> String {
    let path = home.at("agent.py");
    fs::write(&path, source).expect("written");
    format!("cmd:python3 '{}'", path.display())
}

#[test]
fn an_honest_program() {
    let home = Home::new(SUITE);
    let agent = python(
        &home,
        r#"
import csv, json, os, sys
question = json.loads(sys.stdin.readline())
prompt = question["prompt"]
assert os.path.samefile(question["sandbox"], "."), "it starts in the sandbox"
assert os.path.samefile(os.environ["HOME"], ".")
assert "SECRET" not in os.environ and os.environ["SHOWN"] == "yes"
open(os.path.join(os.environ["TMPDIR"], "scratch"), "w").write("x")
if prompt.startswith("Reply with "):
    print(prompt.removeprefix("Reply with ").rstrip("."))
else:
    total = sum(int(row["AMT"]) for row in csv.DictReader(open("in/orders.csv")))
    open("out.txt", "w").write(str(total))
    print("some talk")
    print(json.dumps({"reply": "done", "rounds": 4, "tool_calls": 2}))
"#,
    );
    let mut command = super::home::picardc();
    command.0.env("SECRET", "x").env("SHOWN", "yes");
    let output = command
        .args(["run", "--env", "SHOWN", "--agent", &agent, "-o"])
        .args([home.at("run"), home.at("bundle")])
        .output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // All are there: this only reads them.
    let ran = home.run(&agent, "run", &[]);
    assert!(ran.correct("reply") && ran.correct("sum"), "{}", ran.everything());
    let sum = ran.of("sum");
    assert_eq!((sum.reply.as_str(), sum.rounds, sum.tool_calls), ("done", Some(4), Some(2)));
}

#[test]
fn a_hostile_program_touches_nothing_outside() {
    let home = Home::new(SUITE);
    let outside = home.at("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("secret.txt"), "do not touch").expect("written");
    let agent = python(
        &home,
        &r#"
import glob, json, os, shutil, signal, sqlite3, subprocess, sys
outside, bundle = "OUTSIDE", "BUNDLE"
did = []
def attempt(name, action):
    try:
        action()
        did.append(name)
    except Exception:
        pass
up = "../" * 12 + outside.lstrip("/")
attempt("write", lambda: open(outside + "/new.txt", "w").write("x"))
attempt("write up", lambda: open(up + "/new.txt", "w").write("x"))
attempt("append", lambda: open(outside + "/secret.txt", "a").write("x"))
attempt("truncate", lambda: os.truncate(outside + "/secret.txt", 0))
attempt("mkdir", lambda: os.mkdir(outside + "/folder"))
attempt("remove", lambda: os.remove(outside + "/secret.txt"))
attempt("rename", lambda: os.rename(outside + "/secret.txt", outside + "/x"))
attempt("hard link", lambda: os.link(outside + "/secret.txt", "linked"))
os.symlink(outside, "way out")
attempt("through a link", lambda: open("way out/new.txt", "w").write("x"))
attempt("database", lambda: sqlite3.connect(outside + "/x.db").execute("create table t (a)"))
attempt("child", lambda: subprocess.run(["sh", "-c", "echo x > '" + outside + "/new.txt'"], check=True))
attempt("read", lambda: open(outside + "/secret.txt").read())
attempt("read the keys", lambda: open(bundle + "/instances.jsonl").read())
def environment():
    pid = os.getppid()
    while pid > 1:
        if "sk-very-secret" in open("/proc/%d/environ" % pid).read():
            return
        pid = int(open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[1])
    raise KeyError
attempt("read the environment of picardc", environment)
attempt("kill", lambda: os.kill(os.getppid(), signal.SIGKILL))
os.symlink(outside + "/secret.txt", "out.txt")
print(json.dumps({"reply": ", ".join(did)}))
"#
        .replace("OUTSIDE", &outside.display().to_string())
        .replace("BUNDLE", &home.at("bundle").display().to_string()),
    );
    // The program's own folder may be read; it must not be the one with the secret.
    let own = home.at("program");
    fs::create_dir(&own).expect("made");
    fs::rename(home.at("agent.py"), own.join("agent.py")).expect("moved");
    let agent = agent.replace("/agent.py", "/program/agent.py");
    let ran = home.run(&agent, "run", &["--task", "sum"]);
    if !landlock(&ran.err) {
        return;
    }
    assert_eq!((ran.of("sum").status, ran.of("sum").reply.as_str()), (Status::Done, ""), "{}", ran.everything());
    assert_eq!(fs::read_to_string(outside.join("secret.txt")).expect("read"), "do not touch");
    assert_eq!(fs::read_dir(&outside).expect("read").count(), 1);
    assert!(!ran.everything().contains("do not touch"), "a link is not followed when files are taken");
    assert!(!ran.correct("sum"));
}

/// Whether a process has this among its words.
fn runs(word: &str) -> bool {
    fs::read_dir("/proc").into_iter().flatten().flatten().any(|entry| {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|other| other == word.as_bytes())
    })
}

#[test]
fn nothing_outlives_its_time() {
    let home = Home::new(SUITE);
    // Children that leave the session, and whose parent is gone.
    let agent = python(
        &home,
        r#"
import os, subprocess, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "98765.4321"])
        os._exit(0)
if "Reply" in sys.stdin.readline():
    time.sleep(1000)
print("over")
"#,
    );
    let began = Instant::now();
    let ran = home.run(&agent, "run", &["--timeout", "4", "--concurrency", "2"]);
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_eq!(ran.of("reply").status, Status::Timeout, "{:?}", ran.of("reply"));
    assert_eq!((ran.of("sum").status, ran.of("sum").reply.as_str()), (Status::Done, "over"));
    assert!(!runs("98765.4321"), "a process outlived the run");
}

#[test]
fn nothing_outlives_picardc() {
    let home = Home::new(SUITE);
    let command = super::home::picardc().args(["run", "--quiet", "--agent", "cmd:sleep 87654.321", "-o"]);
    let mut child = command.args([home.at("run"), home.at("bundle")]).0.spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(20);
    while !runs("87654.321") && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(runs("87654.321"));
    child.kill().expect("killed");
    child.wait().expect("ended");
    while runs("87654.321") && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!runs("87654.321"), "the program outlived picardc");
}

#[test]
fn ctrl_c_ends_everything_gently() {
    let home = Home::new(SUITE);
    let agent = "cmd:sh -c 'test -e in/orders.csv || sleep 76543.21; echo done'";
    let command = super::home::picardc().args(["run", "--quiet", "--concurrency", "2", "--agent", agent, "-o"]);
    let child = command.args([home.at("run"), home.at("bundle")]).0.stderr(Stdio::piped()).spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(30);
    let answers = || fs::read_to_string(home.at("run/responses.jsonl")).map_or(0, |text| text.lines().count());
    while (!runs("76543.21") || answers() < 1) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("it runs");
    assert!(interrupted.success());
    let output = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("stopped: 1 of 2 answers"), "{said}");
    assert!(!runs("76543.21"), "the program outlived the run");
    assert_eq!(fs::read_to_string(home.at("run/.lock")).expect("read"), "", "no sandbox is left");
    assert_eq!(answers(), 1);
}

/// The supervisor that a `picardc` started.
fn supervisor_of(picardc: u32) -> Option<u32> {
    fs::read_dir("/proc").into_iter().flatten().flatten().find_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().nth(1)?.parse::<u32>().ok()?;
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        let is_it = parent == picardc && words.split(|byte| *byte == 0).any(|word| word == b"__confined");
        is_it.then(|| entry.file_name().to_str()?.parse().ok()).flatten()
    })
}

/// Whether a control group of this supervisor is still there.
fn has_group(supervisor: u32) -> bool {
    let name = format!("picardc-{supervisor}");
    let (mut left, mut folders) = (vec![PathBuf::from("/sys/fs/cgroup")], 0);
    while let Some(folder) = left.pop().filter(|_| folders < 5_000) {
        folders += 1;
        if folder.ends_with(&name) {
            return true;
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        left.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
    false
}

/// Many processes that start each other. They end by themselves: no test may start more than that.
const MANY: &str = "import os, sys, time\nfor _ in range(10):\n    try:\n        os.fork()\n    except OSError:\n        pass\ntime.sleep(15)\n";

#[test]
fn whatever_starts_many_processes_is_ended_with_all_of_them() {
    let home = Home::new(SUITE);
    for (word, timeout, status) in [("65432.11", "60", Status::Failed), ("65432.12", "1", Status::Timeout)] {
        // Those of the second leave their session, and each is in time to begin.
        let source = if word == "65432.12" { MANY.replace("range(10)", "range(7)") } else { MANY.to_owned() };
        let agent = format!(
            "{} {word}",
            python(
                &home,
                &source
                    .replace("import os, sys, time", "import os, sys, time\nos.setsid() if os.fork() == 0 else None")
            )
        );
        let ran = home.run(&agent, word, &["--task", "reply", "--memory", "8192", "--timeout", timeout]);
        assert_eq!(ran.of("reply").status, status, "{:?}", ran.of("reply"));
        assert!(!runs(word), "a process outlived the run");
    }
}

/// Where a group can be made: what a killed supervisor left is ended by picardc.
#[test]
fn what_a_killed_supervisor_leaves_is_ended() {
    let home = Home::new(SUITE);
    let source = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n        os.fork()\n        break\ntime.sleep(60)\n";
    let agent = format!("{} 65432.13", python(&home, source));
    let command = super::home::picardc().args(["run", "--quiet", "--task", "reply", "--agent", &agent, "-o"]);
    let child = command.args([home.at("run"), home.at("bundle")]).0.stderr(Stdio::piped()).spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(30);
    let supervisor = loop {
        let found = supervisor_of(child.id()).filter(|_| runs("65432.13"));
        if found.is_some() || Instant::now() > until {
            break found.expect("a supervisor");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let grouped = has_group(supervisor);
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-KILL", &supervisor.to_string()]).status().expect("it runs").success());
    let output = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr);
    if grouped {
        assert!(!runs("65432.13"), "a process outlived its supervisor: {said}");
        assert!(said.contains("its supervisor was killed"), "{said}");
        assert!(!has_group(supervisor), "a control group is left");
    } else {
        assert!(output.status.code() == Some(3) && said.contains("may still run"), "{said}");
    }
}

#[test]
fn limits() {
    let home = Home::new(SUITE);
    let cases = [
        (
            "fork",
            "import os, time\nfor _ in range(1200):\n    if os.fork() == 0:\n        time.sleep(15)\n        os._exit(0)\ntime.sleep(15)\n",
            "processes at once",
        ),
        ("output", "import sys\nfor _ in range(300):\n    sys.stdout.write('x' * 100000)\n", "to standard output"),
        ("memory", "x = bytearray(600 << 20)\n", "MemoryError"),
        ("size", "f = open('big', 'wb')\nf.truncate(3 << 30)\n", "ended "),
        ("status", "import sys\nprint('wrong', file=sys.stderr)\nsys.exit(7)\n", "ended with status 7: wrong"),
        ("signal", "import os\nos.kill(os.getpid(), 9)\n", "was ended by signal 9"),
    ];
    for (name, source, why) in cases {
        let agent = python(&home, source);
        // All processes together may have as much, where a control group counts.
        let memory = if name == "fork" { "8192" } else { "400" };
        let ran = home.run(&agent, name, &["--task", "reply", "--memory", memory, "--timeout", "60"]);
        let response = ran.of("reply");
        let error = response.error.as_deref().unwrap_or_default();
        assert!(response.status == Status::Failed && error.contains(why), "{name}: {response:?}");
        assert!(!ran.correct("reply"), "{name}");
    }
}

/// Finding A12: a file whose name is not text is readable as any other.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_text_stops_nothing() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = Home::new(SUITE);
    for folder in ["agent/sub", "read"] {
        let folder = home.at(folder);
        fs::create_dir_all(&folder).expect("made");
        for name in [&b"\xff.py"[..], b"\xff.txt"] {
            fs::write(folder.join(std::ffi::OsStr::from_bytes(name)), "inside").expect("written");
        }
    }
    let source = format!(
        "import os\nread = os.fsencode({:?})\nprint(open(read + b'/\\xff.txt').read())\n",
        home.at("read").display().to_string()
    );
    fs::write(home.at("agent/agent.py"), source).expect("written");
    let agent = format!("cmd:python3 '{}'", home.at("agent/agent.py").display());
    let read = home.at("read").display().to_string();
    let ran = home.run(&agent, "run", &["--task", "reply", "--read", &read]);
    assert_eq!((ran.of("reply").status, ran.of("reply").reply.as_str()), (Status::Done, "inside"), "{}", ran.err);
}

/// Findings N10, N13, N14: what is not there is told before the first instance.
#[test]
fn what_is_not_there_is_told_before_the_first_instance() {
    let home = Home::new(SUITE);
    fs::write(home.at("nx.py"), "print(1)\n").expect("written");
    let script = home.at("nx.py").display().to_string();
    for (agent, flags, said) in [
        (
            "cmd:python3 no/such/file.py".to_owned(),
            &[][..],
            "`no/such/file.py`, which `python3` is to run, is not in the folder",
        ),
        (format!("cmd:{script}"), &[], "it is not an executable file"),
        (format!("cmd:{script}"), &[], "write `cmd:python3 "),
        ("cmd:true".to_owned(), &["--read", "promts.txt"], "--read `promts.txt`: this file or folder does not exist"),
    ] {
        let ran = home.run(&agent, "run", flags);
        assert!(ran.status == Some(2) && ran.err.contains(said), "{agent}: {}", ran.err);
        assert!(ran.responses.is_empty() && !ran.folder.exists(), "{agent}");
    }
}
