//! SQL of authors, agents, and replies: bounds, clock, and build.
