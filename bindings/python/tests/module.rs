//! Whoever builds this builds the module, with the same features as all other tests: `testing::package` asks for it.

use std::path::PathBuf;

#[test]
fn the_module_is_next_to_the_tests_and_can_be_loaded_by_python() {
    let folder: PathBuf = std::env::current_exe().expect("a path").parent().expect("a folder").into();
    let name = format!("{}_picardc{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let bytes = std::fs::read(folder.join(&name)).expect("cargo builds the library before its tests");
    let symbol: &[u8] = b"PyInit__picardc";
    assert!(bytes.windows(symbol.len()).any(|window| window == symbol), "{name} has no {symbol:?}");
}
