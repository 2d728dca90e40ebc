//! The playground as a JavaScript class.

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::throw_str;

/// The interface for a page. After a panic (a defect of ours), it must be created again, in a new module.
#[wasm_bindgen]
pub struct Picardc(crate::Playground);

#[wasm_bindgen]
impl Picardc {
    /// Creates it without files. From now on, a panic throws an exception with its message and place.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Picardc {
        std::panic::set_hook(Box::new(|panic| throw_str(&panic.to_string())));
        Picardc(crate::Playground::default())
    }

    /// Answers a request; both are JSON texts.
    pub fn ask(&mut self, request: &str) -> String {
        self.0.answer_request(request)
    }
}
