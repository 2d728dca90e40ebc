//! One interval for one run, arms compared on cost, and bundles that match their manifest.
