use std::process::Command;

use proptest::prelude::*;

use super::*;

/// What Python calls an encoding.
fn name_in_python(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Windows1252 => "cp1252",
        other => other.word(),
    }
}

#[test]
fn every_byte_is_what_python_says() {
    let single = [Encoding::Windows1252, Encoding::Iso8859_1, Encoding::Iso8859_15];
    for encoding in single {
        let script = format!(
            "for b in range(256):\n try: print(ord(bytes([b]).decode('{}')))\n except UnicodeDecodeError: print('-')",
            name_in_python(encoding)
        );
        let Ok(output) = Command::new("python3").args(["-c", &script]).output() else {
            eprintln!("skipped: python3 is not installed");
            return;
        };
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let said: Vec<Option<char>> = said.lines().map(|line| line.parse().ok().and_then(char::from_u32)).collect();
        let own: Vec<Option<char>> = (0..=255).map(|byte| encoding.decode_byte(byte)).collect();
        assert_eq!(own, said, "{encoding:?}");
    }
}

#[test]
fn bytes_that_are_not_characters_are_said_with_line_and_text() {
    let said = |encoding: Encoding, bytes: &[u8]| encoding.decode(bytes).expect_err("a fault");
    let fault = |line, byte, before: &str| Undecodable { line, byte, before: before.to_owned() };
    assert_eq!(said(Encoding::Utf8, b"a\r\nb\rEspa\xf1a"), fault(3, 0xf1, "Espa"));
    assert_eq!(said(Encoding::Utf8, b"\xef\xbb\xbfa\xe9"), fault(1, 0xe9, "a"));
    assert_eq!(said(Encoding::Windows1252, b"\xe9\n\x81"), fault(2, 0x81, ""));
    // Half of a pair, and half of a unit.
    assert_eq!(said(Encoding::Utf16Le, b"a\0\n\0b\0\x01\xd8c\0"), fault(2, 0x01, "b"));
    assert_eq!(said(Encoding::Utf16Be, b"\0a\0"), fault(1, 0, "a"));
    assert_eq!(said(Encoding::Utf16Be, b"\xfe\xff\0a\xdc\x00"), fault(1, 0xdc, "a"));
    let long = said(Encoding::Utf8, b"0123456789012345678901234567890\xff");
    assert_eq!(long.before, "12345678901234567890");
}

#[test]
fn a_byte_order_mark_is_dropped() {
    for (encoding, bytes) in [
        (Encoding::Utf8, &b"\xef\xbb\xbfa"[..]),
        (Encoding::Utf16Le, b"\xff\xfea\0"),
        (Encoding::Utf16Be, b"\xfe\xff\0a"),
    ] {
        assert_eq!(encoding.decode(bytes).expect("a text"), "a", "{encoding:?}");
    }
    // One alone, and one further on, which is a character.
    assert_eq!(Encoding::Utf8.decode(b"a\xef\xbb\xbf").expect("a text"), "a\u{feff}");
}

#[test]
fn help_names_the_encodings_that_fit() {
    use Encoding::{Iso8859_1, Iso8859_15, Utf8, Utf16Be, Utf16Le, Windows1252};
    for (bytes, fitting) in [
        (&b"plain"[..], &[Utf8, Windows1252, Iso8859_1, Iso8859_15][..]),
        (b"Espa\xf1a", &[Windows1252, Iso8859_1, Iso8859_15]),
        // A dash of windows-1252 is a control character of the others.
        (b"1990\x962000", &[Windows1252]),
        (b"\xff\xfea\0", &[Utf16Le]),
        (b"a\0b\0c\0", &[Utf16Le]),
        (b"\0a\0b\0c", &[Utf16Be]),
        (b"\x81", &[]),
        (b"a\0", &[Utf16Le]),
    ] {
        assert_eq!(Encoding::list_fitting(bytes), fitting, "{bytes:?}");
    }
}

proptest! {
    #[test]
    fn what_is_encoded_decodes_to_itself(text in "\\PC{0,40}") {
        for encoding in Encoding::ALL {
            // A mark at the start would be dropped.
            let text = text.trim_start_matches(BYTE_ORDER_MARK);
            if let Ok(bytes) = encoding.encode(text) {
                let decoded = encoding.decode(&bytes).expect("a text");
                prop_assert_eq!(decoded.as_ref(), text);
            }
        }
    }

    #[test]
    fn what_is_decoded_encodes_to_itself(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for encoding in Encoding::ALL {
            if let Ok(text) = encoding.decode(&bytes) {
                let again = encoding.encode(&text).expect("its characters");
                prop_assert!(bytes.ends_with(&again));
                prop_assert!(bytes.len() - again.len() <= 3);
            }
        }
    }
}
