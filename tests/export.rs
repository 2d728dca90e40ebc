//! `picardc export`: what is written, what is left out, and that other tools read it as it is meant.

#[path = "export/desk.rs"]
mod desk;
#[path = "export/golden.rs"]
mod golden;
#[path = "export/hostile.rs"]
mod hostile;
#[path = "export/identity.rs"]
mod identity;
#[path = "export/plain.rs"]
mod plain;
#[path = "export/tools.rs"]
mod tools;
#[path = "export/whole.rs"]
mod whole;
