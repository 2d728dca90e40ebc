//! What the command line says, takes, and leaves behind.
