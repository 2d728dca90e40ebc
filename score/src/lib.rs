//! What a response is worth, as pure functions of instance, reply and captured files.
