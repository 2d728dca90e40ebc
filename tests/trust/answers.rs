//! Right answers called wrong, and wrong ones called right: what the scorer reads and compares.
