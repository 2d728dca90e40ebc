//! `picardc run` and `score` from outside: real exchanges with servers and programs, good ones and bad ones, and what is left on disk.

pub mod chat;
mod defects;
#[allow(dead_code)]
#[path = "../harness/agent/src/secrets/encodings.rs"]
mod encodings;
mod folder;
mod home;
mod hostile;
mod left;
mod model;
mod openai;
mod options;
mod parameters;
mod pauses;
mod picard;
mod program;
mod resume;
mod secrets;
pub mod server;
mod tools;
