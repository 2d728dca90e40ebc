//! `picardc-mutants`: runs `check`, `fmt`, and the fixes on any number of changed sources of this repository.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use picard_mutants::corpus;
use picard_mutants::judge::Judge;
use picard_mutants::mutate::generate_mutant;
use picard_mutants::tally::Tally;

/// Put changed sources through check, fmt and fixes
#[derive(Debug, Parser)]
#[command(
    about,
    long_about = "Put changed sources of this repository through check, fmt and fixes. Nothing may panic or take over 2 seconds, fmt keeps the \
                  meaning and is done in one pass, and every safe fix takes its diagnostic away and brings no other.\n\nA mutant is made from the \
                  seed and its index alone: --from N --count 1 judges one again, --show N prints it.",
    after_help = "Exit status: 0 everything holds; 1 something does not; 2 wrong use or no corpus.\n\n\
                  Example:\n  cargo run --release -p picard-mutants -- --count 2000000 --seed 1 --jobs 1"
)]
struct Args {
    /// How many mutants
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The index of the first, to go on where another run ended
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Stop after this number of seconds, and print how to continue
    #[arg(long)]
    seconds: Option<u64>,
    /// How many faults are shown
    #[arg(long, default_value_t = 20)]
    shown: usize,
    /// Print the mutant of this index, and judge nothing
    #[arg(long)]
    show: Option<u64>,
    /// The repository
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
    root: PathBuf,
}

/// The number of mutants that a thread takes at a time.
const CHUNK: u64 = 500;
/// The interval at which progress is printed.
const TOLD: Duration = Duration::from_secs(20);
/// A mutant that takes longer than this will never end: the process prints its index and exits.
const LOST: Duration = Duration::from_secs(60);
/// The stack size of a thread, in bytes: the same as for the command's own thread, because sources may be nested deeply.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let args = Args::parse();
    let corpus = match corpus::read_sources(&args.root) {
        Ok(corpus) if !corpus.is_empty() => corpus,
        Ok(_) => return report_wrong_use("no .pcd file"),
        Err(error) => return report_wrong_use(&error.to_string()),
    };
    if let Some(index) = args.show {
        let made = generate_mutant(&corpus, args.seed, index);
        eprintln!("# {}: {}", corpus[made.source].path, made.kinds.join(", "));
        print!("{}", made.text);
        return ExitCode::SUCCESS;
    }
    // The table shows the message of a panic.
    std::panic::set_hook(Box::new(|_| {}));
    let begin = Instant::now();
    let late = || args.seconds.is_some_and(|most| begin.elapsed().as_secs() >= most);
    let (next, done) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let (last_told, front) = (Mutex::new(begin), Mutex::new(Front::default()));
    let work = || {
        let mut judge = Judge::new();
        while !late() {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= args.count {
                break;
            }
            let end = (start + CHUNK).min(args.count);
            let chunk = run_watched(|beat| {
                let indexes =
                    (start..end).map(|index| args.from + index).inspect(|index| beat.store(*index, Ordering::Relaxed));
                Tally::from_mutants(&corpus, args.seed, indexes, &mut judge, args.shown)
            });
            for (index, words) in &chunk.shown {
                eprintln!("--seed {} --from {index} --count 1: {words}", args.seed);
            }
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.add_tally(chunk, args.shown);
            let behind = front.lock().unwrap_or_else(PoisonError::into_inner).mark_done(start, end);
            let mut told = last_told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.elapsed() > TOLD {
                *told = Instant::now();
                let faults: u64 = done.faults.values().sum();
                let (took, left) = (begin.elapsed().as_secs_f64(), args.count - behind);
                eprintln!(
                    "{} of {}, {took:.0} s, {:.2} ms a mutant, {faults} faults; after a stop here go on with --seed {} --from {} --count {left}",
                    done.mutants,
                    args.count,
                    took * 1e3 / done.mutants.max(1) as f64,
                    args.seed,
                    args.from + behind,
                );
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            if let Err(error) = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                eprintln!("a thread cannot start: {error}");
            }
        }
    });
    let tally = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let took = begin.elapsed().as_secs_f64();
    println!(
        "seed {}, {} sources, {took:.0} s, {:.2} ms a mutant",
        args.seed,
        corpus.len(),
        took * 1e3 / tally.mutants.max(1) as f64
    );
    print!("{}", tally.render_table());
    for (index, words) in &tally.shown {
        println!("--from {index} --count 1: {words}");
    }
    if tally.mutants < args.count {
        println!(
            "stopped early; go on with --seed {} --from {} --count {}",
            args.seed,
            args.from + tally.mutants,
            args.count - tally.mutants
        );
    }
    if tally.has_no_faults() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The part that is judged completely; threads finish out of order.
#[derive(Default)]
struct Front {
    end: u64,
    /// Finished ranges after `end`, from start to end.
    later: BTreeMap<u64, u64>,
}

impl Front {
    /// Marks a range as done. Returns the end of what is done without a gap.
    fn mark_done(&mut self, start: u64, end: u64) -> u64 {
        self.later.insert(start, end);
        while let Some(end) = self.later.remove(&self.end) {
            self.end = end;
        }
        self.end
    }
}

/// Runs work that reports the index of its current mutant. If a mutant never ends, prints its index and exits the process.
fn run_watched<T>(work: impl FnOnce(&AtomicU64) -> T) -> T {
    let (beat, over) = (AtomicU64::new(u64::MAX), Mutex::new(false));
    let ended = std::sync::Condvar::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut known, mut since) = (u64::MAX, Instant::now());
            let mut guard = over.lock().unwrap_or_else(PoisonError::into_inner);
            while !*guard {
                guard = ended.wait_timeout(guard, Duration::from_secs(5)).unwrap_or_else(PoisonError::into_inner).0;
                let now = beat.load(Ordering::Relaxed);
                if now != known {
                    (known, since) = (now, Instant::now());
                } else if since.elapsed() > LOST && !*guard {
                    println!("--from {now} --count 1: not done after {} s", LOST.as_secs());
                    std::process::exit(1);
                }
            }
        });
        let result = work(&beat);
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ended.notify_all();
        result
    })
}

fn report_wrong_use(why: &str) -> ExitCode {
    eprintln!("no corpus: {why}");
    ExitCode::from(2)
}
