/// Renders a digest as lower-case hexadecimal digits: 64 for SHA-256.
pub fn encode_hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(2 * digest.len()), |mut out, byte| {
        for half in [byte >> 4, byte & 15] {
            out.push(char::from(b"0123456789abcdef"[usize::from(half)]));
        }
        out
    })
}
