//! What an expectation can say, and what check says of it.
