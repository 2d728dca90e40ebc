//! Any text through check, fmt, and fixes.
