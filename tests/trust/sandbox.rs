//! What a program under test can reach.
