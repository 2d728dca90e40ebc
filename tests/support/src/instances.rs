//! Instances of suites that compile, and their contents.

use compiler::Compiled;
use model::{Plan, Value};
use runtime::Failure;
use runtime::generate::{Generator, Instance, Options};

/// Makes all instances for these options, or returns why one cannot be made.
#[track_caller]
pub fn make_instances(plan: &Plan, options: Options) -> Result<Vec<Instance>, Failure> {
    let generator = Generator::new(plan, options)?;
    (0..generator.count_instances())
        .map(|index| generator.generate_instance(generator.resolve_address(index).expect("in range")))
        .collect()
}

/// Makes all instances of a suite without diagnostics, with the seed `7`.
#[track_caller]
pub fn expect_instances(compiled: &Compiled) -> Vec<Instance> {
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
    let plan = compiled.plan.as_ref().expect("no error, so a plan");
    make_instances(plan, Options::new("7")).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// Returns the first answer of an instance.
#[track_caller]
pub fn find_answer(instance: &Instance) -> &Value {
    instance.expects[0].single_value().expect("a value")
}

/// Returns a drawn value by name.
#[track_caller]
pub fn find_draw<'i>(instance: &'i Instance, name: &str) -> &'i Value {
    &instance.draws.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no draw {name}")).1
}

/// Returns the text of a file of an instance.
#[track_caller]
pub fn read_text(instance: &Instance, path: &str) -> String {
    let file = instance.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no file {path}"));
    String::from_utf8(file.bytes.to_vec()).expect("UTF-8")
}
