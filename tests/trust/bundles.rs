//! Bundles and runs that were changed, damaged, or killed.
