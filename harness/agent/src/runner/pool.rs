//! Worker threads that ask the agent, and one thread that writes.

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

use super::options::{Observer, Options};
use super::transcript;
use crate::agent::{Agent, Answer, Attempt, Question};
use crate::retry;
use crate::sandbox::{Files, Lazy, Sandbox, Workshop, capture};

/// The maximum number of responses that are written together.
const GROUP: usize = 256;

/// The state that all threads share.
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
    /// Whether the user was notified that a server asks for a long pause.
    pub told: AtomicBool,
}

/// An instance to ask, and the number of the trial.
type Job = (Arc<Instance>, u32);

/// Messages from the worker threads to the writer.
enum WorkerMessage {
    /// A response. The writer sends it back when it is saved, so a crash during scoring cannot lose it.
    Answered(Response, Sender<Response>),
    /// A note for the user.
    Note(String),
    /// A scored response, and whether it is correct.
    Scored(Response, bool),
    /// An error of the bundle or the disk.
    Failed(Error),
}

/// A response that is being saved and is not scored yet.
struct Unscored {
    instance: Arc<Instance>,
    trial: u32,
    written: Receiver<Response>,
    /// Its sandbox. Removing it can take long, and the response is saved before that.
    sandbox: Sandbox,
}

/// The maximum number of unscored responses of one thread, and of their sandboxes, for agents that leave little in them.
const UNSCORED: usize = 16;

impl Pool<'_> {
    /// Asks every job without a response. Returns the number of responses that were written. It ends early if the run is stopped or writing fails.
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
                    // The threads that did start do all of the work.
                    Err(_) if started > 0 => break,
                    Err(error) => return Err(refused(error)),
                }
            }
            let broken = &broken;
            let feed = move || {
                if let Err(error) = self.send_jobs(jobs, broken) {
                    send_message(&done, WorkerMessage::Failed(error));
                }
            };
            thread().spawn_scoped(scope, feed).map_err(refused)?;
            write_all(&finished, appender, observer, broken)
        })
    }

    /// Sends the jobs without a response to the workers, in the bundle's order.
    fn send_jobs(&self, jobs: SyncSender<Job>, broken: &AtomicBool) -> Result<(), Error> {
        for instance in self.bundle.open_instances()? {
            if self.should_stop(broken) {
                break;
            }
            let instance = Arc::new(instance?);
            if !self.asked.contains(&instance.id) {
                continue;
            }
            for trial in 1..=self.options.trials {
                let there = self.there.contains(&(instance.id.clone(), trial));
                if !there && jobs.send((Arc::clone(&instance), trial)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn ask_all(&self, jobs: &Mutex<Receiver<Job>>, done: Sender<WorkerMessage>, broken: &AtomicBool) {
        let mut unscored = VecDeque::new();
        let most =
            if self.agent.profile().can_defer_cleanup && self.workshop.folder().is_some() { UNSCORED } else { 0 };
        loop {
            // No code panics while it holds the lock.
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((instance, trial)) = job else { break };
            if self.should_stop(broken) {
                // The remaining jobs are received but not done, so the sender is not blocked.
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

    /// Scores the responses that are saved already. Waits for further ones while more than `most` are unscored.
    fn score_written(&self, unscored: &mut VecDeque<Unscored>, most: usize, done: &Sender<WorkerMessage>) {
        while let Some(next) = unscored.front() {
            let response = if unscored.len() > most { next.written.recv().ok() } else { next.written.try_recv().ok() };
            let Some(response) = response else {
                if unscored.len() > most {
                    // The writer has ended and reported why.
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
            // A score that is computed after the user stopped the run may be cut short; the next run computes it again from the file.
            if !self.stop.load(Ordering::Relaxed) {
                send_message(done, WorkerMessage::Scored(response, correct));
            }
        }
    }

    fn should_stop(&self, broken: &AtomicBool) -> bool {
        self.stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed)
    }

    /// Asks one instance, with retries. Returns the response and the sandbox of the last attempt, or `None` if the user stopped the run.
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
            answer.response.files = capture::capture_paths(&sandbox, instance, &files);
            break (answer, sandbox);
        };
        self.agent.profile().secrets.mask_answer(instance, &mut answer);
        let Answer { response, transcript } = answer;
        let response = Response { id: instance.id.clone(), trial, attempts: attempt, ..response };
        transcript::write_transcript(self.out, &instance.id, trial, &transcript)?;
        Ok(Some((response, sandbox)))
    }

    /// Asks the agent. A panic of picardc fails this instance only, not the run.
    fn ask_agent(&self, question: &Question) -> Attempt {
        catch_unwind(AssertUnwindSafe(|| self.agent.answer_question(question))).unwrap_or_else(|_| {
            let answer = Answer::from_prompt(&question.instance.prompt);
            Attempt::Over(
                answer.end_with_status(Status::Failed, "picardc itself failed on this instance; please report it"),
            )
        })
    }

    /// Notifies the user, once per run, that a server asks for a longer pause than it gets.
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

    /// Waits for `pause`. Returns `false` if the run was stopped meanwhile.
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

/// Records that the time was too short for another attempt. The trial still counts as failed, because it shows nothing about the agent: the next run repeats
/// it.
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

/// Sends a message. The receiver is gone only after the writer failed, which reports its own error.
fn send_message(done: &Sender<WorkerMessage>, message: WorkerMessage) {
    let _ = done.send(message);
}

/// Writes the responses as they arrive; those that arrived together are written together.
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
            // A worker that has ended does not score.
            let _ = back.send(response);
        }
        if failure.is_some() {
            broken.store(true, Ordering::Relaxed);
        }
    }
    failure.map_or(Ok(written), Err)
}
