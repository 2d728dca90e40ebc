//! Instances that own their suite.

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

/// [`Instances`] together with the suite from which they borrow, for callers that cannot name its lifetime, such as objects of other languages.
///
/// ```
/// use std::sync::Arc;
///
/// use api::{Memory, Options, OwnedInstances, Suite};
///
/// let source = "suite s { title \"S\" version \"1\" }\ntask t { n : int 1..9  prompt \"Double <<n>>.\" expect reply number n * 2 }\n";
/// let suite = Arc::new(Suite::compile("s.pcd", &Memory::new([("s.pcd", source)])));
/// // No lifetime: such a value can be a field of an object, and move to another thread.
/// struct Session {
///     instances: OwnedInstances,
/// }
/// fn require_send<T: Send>(value: T) -> T {
///     value
/// }
/// let session = require_send(Session { instances: OwnedInstances::new(suite, Options::new("7"), |_| None)? });
/// let prompt = session.instances.with_instances(|all| all.get(0).map(|one| one.prompt().to_owned()))?;
/// assert!(prompt.starts_with("Double "));
/// # Ok::<(), api::Error>(())
/// ```
pub struct OwnedInstances(Kept);

impl OwnedInstances {
    /// Creates the instances of a suite under these options. `read` returns the content of a file of a lake, as for [`Instances::with_reader`].
    ///
    /// # Errors
    /// If the suite has errors, or no task matches the options.
    pub fn new(
        suite: Arc<Suite>,
        options: Options,
        read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Result<OwnedInstances, Error> {
        Kept::try_new(suite, |suite| Ok(suite.select_instances(options)?.with_reader(read))).map(OwnedInstances)
    }

    /// The suite.
    pub fn suite(&self) -> &Arc<Suite> {
        self.0.borrow_owner()
    }

    /// Calls `f` with the instances and returns its result.
    pub fn with_instances<R>(&self, f: impl for<'s> FnOnce(&Instances<'s>) -> R) -> R {
        self.0.with_dependent(|_, instances| f(instances))
    }
}

impl fmt::Debug for OwnedInstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owned({} instances)", self.with_instances(|instances| instances.count()))
    }
}
