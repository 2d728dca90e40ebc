//! The playground as a class of JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::throw_str;

/// What a page talks to. After a panic (a defect of ours) it must be made again, in a new module.
#[wasm_bindgen]
pub struct Picardc(crate::Playground);

#[wasm_bindgen]
impl Picardc {
    /// Without files. From now on a panic is an exception that says what and where.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Picardc {
        std::panic::set_hook(Box::new(|panic| throw_str(&panic.to_string())));
        Picardc(crate::Playground::default())
    }

    /// Answers a request; both are JSON.
    pub fn ask(&mut self, request: &str) -> String {
        self.0.answer_request(request)
    }
}
