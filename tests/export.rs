//! `picardc export`: what is written, what is left out, and that other tools read it as it is meant.

mod desk;
mod forms;
mod golden;
mod hostile;
mod identity;
mod plain;
mod tools;
mod whole;
