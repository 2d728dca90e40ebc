//! `cargo bench -p picard-score -- BUNDLE`: how many responses a second are scored, on all cores, with the instances and answers already in memory.
//! Half of the responses are the oracle's, half are another instance's answers.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use records::{Bundle, Captured, Instance, Response};
use score::{Solution, score_response, solve_instance};

/// So many responses are scored at least.
const RESPONSES: usize = 100_000;

type Files = BTreeMap<String, Vec<u8>>;

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        println!("skipped: give the folder of a bundle: cargo bench -p picard-score -- BUNDLE");
        return;
    };
    let bundle = Bundle::open_verified(Path::new(&folder)).expect("a bundle");
    let instances: Vec<Instance> =
        bundle.open_instances().expect("instances").collect::<Result<_, _>>().expect("whole instances");
    let starts: Vec<Files> = instances
        .iter()
        .map(|instance| {
            let file = |(path, content): &(String, records::instance::Content)| {
                (path.clone(), bundle.read_content(content).expect("a file").into_owned())
            };
            instance.files.iter().map(file).collect()
        })
        .collect();

    let began = Instant::now();
    let work: Vec<(&Instance, &Files, Response)> = instances
        .iter()
        .zip(&starts)
        .enumerate()
        .map(|(at, (instance, start))| {
            let other = &instances[(at + 1) % instances.len()];
            let solution = if at % 2 == 0 {
                solve_instance(instance, start).expect("a solution")
            } else {
                solve_instance(&with_answers_of(instance, other), start).unwrap_or_default()
            };
            (instance, start, response(instance, start, &solution))
        })
        .collect();
    println!("{} answers made in {:.2?}", work.len(), began.elapsed());

    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rounds = RESPONSES.div_ceil(work.len());
    let began = Instant::now();
    let correct: usize = std::thread::scope(|scope| {
        let parts: Vec<_> = work
            .chunks(work.len().div_ceil(threads))
            .map(|part| {
                scope.spawn(move || {
                    let mut correct = 0;
                    for _ in 0..rounds {
                        for (instance, start, response) in part {
                            correct +=
                                usize::from(black_box(score_response(instance, Some(response), 1, *start)).correct);
                        }
                    }
                    correct
                })
            })
            .collect();
        parts.into_iter().map(|part| part.join().expect("no panic")).sum()
    });
    let (all, time) = (work.len() * rounds, began.elapsed());
    println!("{all} responses scored in {time:.2?} on {threads} threads, {correct} correct");
    println!("{:.0} a second", all as f64 / time.as_secs_f64());
}

/// What is left behind when the solution is carried out.
/// Returns the instance with the answers of another one in its key.
fn with_answers_of(instance: &Instance, other: &Instance) -> Instance {
    let mut guessed = instance.clone();
    for (own, other) in
        guessed.expects.iter_mut().zip(&other.expects).filter(|(own, other)| own.matcher == other.matcher)
    {
        own.answer.clone_from(&other.answer);
        own.options.clone_from(&other.options);
    }
    guessed
}

fn response(instance: &Instance, start: &Files, solution: &Solution) -> Response {
    let captured = |path: &str| {
        let name = path.trim_end_matches('/');
        let written = solution.files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes);
        match written.or_else(|| start.get(name)) {
            Some(bytes) => Captured::from_bytes(bytes.clone()),
            None if path.ends_with('/') => Captured::Folder,
            None => Captured::Absent,
        }
    };
    Response {
        id: instance.id.clone(),
        trial: 1,
        reply: solution.reply.clone(),
        files: instance
            .list_key_paths()
            .into_iter()
            .map(|path| {
                let found = captured(&path);
                (path, found)
            })
            .collect(),
        ..Response::default()
    }
}
