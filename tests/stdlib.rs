//! The standard library declares exactly what the runtime implements.

#[test]
fn every_declared_function_is_implemented_and_every_implemented_one_declared() {
    let declared = compiler::function_names();
    let mut implemented: Vec<String> = runtime::generate::function_names().into_iter().map(str::to_owned).collect();
    implemented.sort();
    assert_eq!(declared, implemented);
}
