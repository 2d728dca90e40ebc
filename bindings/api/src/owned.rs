//! Instances that keep their suite.

use std::fmt;
use std::sync::Arc;

use runtime::generate::Options;
use self_cell::self_cell;

use crate::{Error, Instances, Suite};

self_cell!(
    struct Kept {
        owner: Arc<Suite>,
        #[not_covariant]
        dependent: Instances,
    }
);

/// [`Instances`] together with the suite that they borrow from: for callers that cannot name its lifetime, such as objects of other languages.
pub struct Owned(Kept);

impl Owned {
    /// Of a suite, under these options. `read` gives the content of a file of a lake, as for [`Instances::reading`].
    ///
    /// # Errors
    /// The suite has errors, or no task matches the options.
    pub fn new(
        suite: Arc<Suite>,
        options: Options,
        read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Result<Owned, Error> {
        Kept::try_new(suite, |suite| Ok(suite.instances(options)?.reading(read))).map(Owned)
    }

    /// The suite.
    pub fn suite(&self) -> &Arc<Suite> {
        self.0.borrow_owner()
    }

    /// Calls `f` with its instances.
    pub fn with<R>(&self, f: impl for<'s> FnOnce(&Instances<'s>) -> R) -> R {
        self.0.with_dependent(|_, instances| f(instances))
    }
}

impl fmt::Debug for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owned({} instances)", self.with(|instances| instances.count()))
    }
}
