//! Runs a bundle with an agent: sandboxes, tools, protocols, durable responses.
