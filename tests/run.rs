//! `picardc run` and `score` from outside: real exchanges with servers and programs, good ones and bad ones, and what is left on disk.

#![cfg(unix)]

#[path = "run/chat.rs"]
mod chat;
#[path = "run/defects.rs"]
mod defects;
#[allow(dead_code)]
#[path = "../agent/src/secrets/encodings.rs"]
mod encodings;
#[path = "run/folder.rs"]
mod folder;
#[path = "run/home.rs"]
mod home;
#[path = "run/hostile.rs"]
mod hostile;
#[path = "run/left.rs"]
mod left;
#[path = "run/model.rs"]
mod model;
#[path = "run/openai.rs"]
mod openai;
#[path = "run/parameters.rs"]
mod parameters;
#[path = "run/picard.rs"]
mod picard;
#[path = "run/program.rs"]
mod program;
#[path = "run/resume.rs"]
mod resume;
#[path = "run/secrets.rs"]
mod secrets;
#[path = "run/server.rs"]
mod server;
#[path = "run/tools.rs"]
mod tools;
