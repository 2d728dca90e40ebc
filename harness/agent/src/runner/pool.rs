//! Threads that ask, and one that writes.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use records::jsonl::Appender;
use records::{Bundle, Error, Instance, Response, Status};
use serde_json::json;

use super::{Observer, Options, transcript};
use crate::agent::{Agent, Answer, Attempt, Question};
use crate::retry;
use crate::sandbox::{Files, Lazy, Sandbox, Workshop, capture};

/// The most responses that are written at once.
const GROUP: usize = 256;

/// All that the threads share.
pub struct Pool<'a> {
    pub bundle: &'a Bundle,
    pub options: &'a Options<'a>,
    pub agent: &'a dyn Agent,
    pub workshop: &'a Workshop,
    pub out: &'a Path,
    pub asked: &'a HashSet<String>,
    pub there: &'a HashSet<(String, u32)>,
    pub stop: &'a AtomicBool,
    pub concurrency: usize,
    /// Whether the user knows that a server asks for long pauses.
    pub told: AtomicBool,
}

/// An instance to be asked, and which trial of it.
type Job = (Arc<Instance>, u32);

/// What the threads that ask tell the one that writes.
enum WorkerMessage {
    /// A response. It comes back once it is on the disk: nothing that scoring it does can lose it.
    Answered(Response, Sender<Response>),
    /// Something that the user should know.
    Note(String),
    /// It is scored; whether it is right.
    Scored(Response, bool),
    /// The bundle or the disk fails.
    Failed(Error),
}

/// A response on its way to the disk.
struct Unscored {
    instance: Arc<Instance>,
    trial: u32,
    written: Receiver<Response>,
    /// Where it was made. What an agent left there may take long to remove: nothing that happens meanwhile can lose the response.
    sandbox: Sandbox,
}

/// The most responses of one thread that are not scored yet, and the most sandboxes that are still there for that, of agents that leave little in them.
const UNSCORED: usize = 16;

impl Pool<'_> {
    /// Asks all that has no response yet; gives how many were written. It ends early when it is stopped or the disk fails.
    pub fn run_jobs(&self, appender: &mut Appender, observer: &dyn Observer) -> Result<u64, Error> {
        let broken = AtomicBool::new(false);
        let (jobs, taken) = sync_channel::<Job>(self.concurrency);
        let taken = Mutex::new(taken);
        let (done, finished) = channel::<WorkerMessage>();
        std::thread::scope(|scope| {
            let thread = || std::thread::Builder::new();
            let refused = |error: std::io::Error| Error::new_outside(format!("cannot start a thread: {error}"));
            let mut started = 0;
            for _ in 0..self.concurrency {
                let done = done.clone();
                match thread().spawn_scoped(scope, || self.ask_all(&taken, done, &broken)) {
                    Ok(_) => started += 1,
                    // Those that work do the rest, too.
                    Err(_) if started > 0 => break,
                    Err(error) => return Err(refused(error)),
                }
            }
            let feeder = done.clone();
            thread().spawn_scoped(scope, || self.send_jobs(jobs, feeder, &broken)).map_err(refused)?;
            drop(done);
            write_all(&finished, appender, observer, &broken)
        })
    }

    /// Hands out what is to be asked, in the bundle's order.
    fn send_jobs(&self, jobs: SyncSender<Job>, done: Sender<WorkerMessage>, broken: &AtomicBool) {
        let instances = match self.bundle.open_instances() {
            Ok(instances) => instances,
            Err(error) => return send_message(&done, WorkerMessage::Failed(error)),
        };
        for instance in instances {
            if self.should_stop(broken) {
                return;
            }
            let instance = match instance {
                Ok(instance) => Arc::new(instance),
                Err(error) => return send_message(&done, WorkerMessage::Failed(error)),
            };
            if !self.asked.contains(&instance.id) {
                continue;
            }
            for trial in 1..=self.options.trials {
                let there = self.there.contains(&(instance.id.clone(), trial));
                if !there && jobs.send((Arc::clone(&instance), trial)).is_err() {
                    return;
                }
            }
        }
    }

    fn ask_all(&self, jobs: &Mutex<Receiver<Job>>, done: Sender<WorkerMessage>, broken: &AtomicBool) {
        let mut unscored = VecDeque::new();
        let most = if self.agent.can_defer_cleanup() && self.workshop.folder().is_some() { UNSCORED } else { 0 };
        loop {
            // A thread that panics does so outside the lock.
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((instance, trial)) = job else { break };
            if self.should_stop(broken) {
                // Jobs are taken to the end, so that the feeder is not left waiting.
                continue;
            }
            match self.ask_instance(&instance, trial, &done) {
                Ok(Some((response, sandbox))) => {
                    let (back, written) = channel();
                    send_message(&done, WorkerMessage::Answered(response, back));
                    unscored.push_back(Unscored { instance, trial, written, sandbox });
                }
                Ok(None) => {}
                Err(error) => {
                    broken.store(true, Ordering::Relaxed);
                    send_message(&done, WorkerMessage::Failed(error));
                }
            }
            self.score_written(&mut unscored, most, &done);
        }
        self.score_written(&mut unscored, 0, &done);
    }

    /// Scores what is on the disk by now, and waits for the disk while more than `most` are left.
    fn score_written(&self, unscored: &mut VecDeque<Unscored>, most: usize, done: &Sender<WorkerMessage>) {
        while let Some(next) = unscored.front() {
            let response = if unscored.len() > most { next.written.recv().ok() } else { next.written.try_recv().ok() };
            let Some(response) = response else {
                if unscored.len() > most {
                    // The writer is gone, and said why.
                    unscored.pop_front();
                    continue;
                }
                return;
            };
            let Some(Unscored { instance, trial, sandbox, .. }) = unscored.pop_front() else { return };
            drop(sandbox);
            let start = Lazy::new(self.bundle, &instance);
            let correct = score::score_response(&instance, Some(&response), trial, &start).correct;
            if let Some(error) = start.into_error() {
                return send_message(done, WorkerMessage::Failed(error));
            }
            // What is scored once the user has stopped the run may be cut short; the next run scores it from the file.
            if !self.stop.load(Ordering::Relaxed) {
                send_message(done, WorkerMessage::Scored(response, correct));
            }
        }
    }

    fn should_stop(&self, broken: &AtomicBool) -> bool {
        self.stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed)
    }

    /// Asks one instance, as often as it takes; gives the last sandbox, too. `None`: the user stopped the run.
    fn ask_instance(
        &self,
        instance: &Instance,
        trial: u32,
        done: &Sender<WorkerMessage>,
    ) -> Result<Option<(Response, Sandbox)>, Error> {
        let files = Files::from_instance(self.bundle, instance)?;
        let mut attempt = 0;
        let mut waited = Duration::ZERO;
        let (mut answer, sandbox) = loop {
            attempt += 1;
            let sandbox =
                self.workshop.create_sandbox(&format!("{}.{trial}.{attempt}", instance.id), instance, &files)?;
            let question = Question {
                instance,
                files: &files,
                sandbox: &sandbox,
                began: Instant::now(),
                timeout: self.options.timeout,
                max_rounds: self.options.max_rounds,
                stop: self.stop,
            };
            let (mut answer, again) = match self.ask_agent(&question) {
                Attempt::Stopped => return Ok(None),
                Attempt::Broken(error) => return Err(error),
                Attempt::Over(answer) => (answer, None),
                Attempt::Again(answer, asked) => (answer, Some(asked)),
            };
            if let Some(asked) = again
                && attempt <= self.options.retries
            {
                let pause = retry::compute_pause(self.options.retry_pause, attempt, asked);
                waited += pause;
                if waited <= self.options.timeout {
                    drop(sandbox);
                    self.note_long_pause(asked, done);
                    if !self.wait_unless_stopped(pause) {
                        return Ok(None);
                    }
                    continue;
                }
                give_up(&mut answer, pause, asked);
            }
            answer.response.wall_ms = question.elapsed_ms();
            answer.response.files = capture::capture_paths(&sandbox, instance);
            break (answer, sandbox);
        };
        self.agent.secrets().mask_answer(instance, &mut answer);
        let Answer { response, transcript } = answer;
        let response = Response { id: instance.id.clone(), trial, attempts: attempt, ..response };
        transcript::write_transcript(self.out, &instance.id, trial, &transcript)?;
        Ok(Some((response, sandbox)))
    }

    /// The agent's answer. A panic of ours is a failure of this instance, not of the run.
    fn ask_agent(&self, question: &Question) -> Attempt {
        catch_unwind(AssertUnwindSafe(|| self.agent.answer_question(question))).unwrap_or_else(|_| {
            let answer = Answer::from_prompt(&question.instance.prompt);
            Attempt::Over(
                answer.end_with_status(Status::Failed, "picardc itself failed on this instance; please report it"),
            )
        })
    }

    /// Tells the user, once a run, that a server asks for a longer pause than it gets.
    fn note_long_pause(&self, asked: Option<Duration>, done: &Sender<WorkerMessage>) {
        let Some(asked) = asked.filter(|asked| *asked > retry::LONGEST) else { return };
        if !self.told.swap(true, Ordering::Relaxed) {
            let (asked, longest) = (asked.as_secs(), retry::LONGEST.as_secs());
            let text = format!(
                "note: the server asks to wait {asked} s before a retry (Retry-After); picardc waits {longest} s"
            );
            send_message(done, WorkerMessage::Note(text));
        }
    }

    /// Waits; `false` if the run was stopped meanwhile.
    fn wait_unless_stopped(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        while !self.stop.load(Ordering::Relaxed) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
        false
    }
}

/// Records that the time was too short for another attempt. It stays a failure, because it says nothing about the agent: the next run asks again.
fn give_up(answer: &mut Answer, pause: Duration, asked: Option<Duration>) {
    let (who, pause) = match asked {
        Some(asked) if asked >= pause => ("the server asks for a pause", asked),
        _ => ("the next retry comes after a pause", pause),
    };
    let why = format!("{who} of {:.0} s, and all pauses together are longer than --timeout", pause.as_secs_f64());
    answer.transcript.push(json!({"role": "picardc", "content": why}));
    let error = answer.response.error.get_or_insert_default();
    error.push_str(if error.is_empty() { "" } else { "; " });
    error.push_str(&why);
}

/// Nobody listens any more only after the writer failed, which says so itself.
fn send_message(done: &Sender<WorkerMessage>, message: WorkerMessage) {
    let _ = done.send(message);
}

/// Writes what comes, in groups as large as have come together meanwhile.
fn write_all(
    finished: &Receiver<WorkerMessage>,
    appender: &mut Appender,
    observer: &dyn Observer,
    broken: &AtomicBool,
) -> Result<u64, Error> {
    let mut written = 0;
    let mut failure = None;
    while let Ok(first) = finished.recv() {
        let (mut responses, mut backs) = (Vec::new(), Vec::new());
        for message in std::iter::once(first).chain(finished.try_iter()).take(GROUP) {
            match message {
                WorkerMessage::Answered(response, back) => {
                    responses.push(response);
                    backs.push(back);
                }
                WorkerMessage::Note(text) => observer.report_note(&text),
                WorkerMessage::Scored(response, correct) => observer.report_response(&response, correct),
                WorkerMessage::Failed(error) => failure = failure.or(Some(error)),
            }
        }
        if !responses.is_empty()
            && let Err(error) = appender.append_values(&responses)
        {
            broken.store(true, Ordering::Relaxed);
            return Err(error);
        }
        written += responses.len() as u64;
        for (response, back) in responses.into_iter().zip(backs) {
            // A thread that is gone does not score.
            let _ = back.send(response);
        }
        if failure.is_some() {
            broken.store(true, Ordering::Relaxed);
        }
    }
    failure.map_or(Ok(written), Err)
}
