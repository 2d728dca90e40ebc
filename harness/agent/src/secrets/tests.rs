//! Secrets in every encoding, at every place, cut anywhere. What must not be found is encoded here; the code under test decodes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::{Captured, Response};
use serde_json::{Value as Json, json};

use super::encodings::{ENCODINGS, Numbers, ODD, PLAIN, encode_hex, encode_key, find_leak};
use super::*;
use crate::agent::Answer;

fn draw_key(numbers: &mut Numbers) -> String {
    let length = 16 + numbers.draw_below(60);
    let letters = if numbers.draw_below(3) == 0 { ODD } else { PLAIN };
    format!("sk-{}x", numbers.draw_text(letters, length))
}

fn build_secrets(key: &str) -> Secrets {
    Secrets::from_settings(&Settings { api_key: Some(key.to_owned()), ..Settings::default() }, None)
}

/// `PICARDC_SECRETS=N` tries more.
fn read_rounds() -> usize {
    std::env::var("PICARDC_SECRETS").map_or(20, |text| text.parse().expect("a number"))
}

#[test]
fn no_encoding_and_no_place_leaves_six_characters() {
    let mut numbers = Numbers(1);
    for _ in 0..read_rounds() {
        let key = draw_key(&mut numbers);
        let secrets = build_secrets(&key);
        for form in 0..ENCODINGS {
            let around = [PLAIN, " ,.:;\n\"'()=\\%&", "0123456789abcdef"][numbers.draw_below(3)];
            let (before, after) = (numbers.draw_below(40), numbers.draw_below(40));
            let text = [
                numbers.draw_text(around, before),
                encode_key(&key, form, &mut numbers),
                numbers.draw_text(around, after),
            ]
            .concat();
            for kind in [Kind::Said, Kind::Error] {
                let masked = secrets.mask_text(&text, kind);
                assert_eq!(find_leak(&masked, &key), None, "{form}: {key} in {text}: {masked}");
                assert!(masked.contains("[key]"), "{form}: {key} in {text}: {masked}");
            }
        }
    }
}

/// The checker finds what is not masked, so that the test above says something.
#[test]
fn the_checker_sees_every_encoding() {
    let mut numbers = Numbers(2);
    for round in 0..20 {
        let key = draw_key(&mut numbers);
        for form in [0, 1, 4, 6, 7, 9, 10, 11, 12, 13, 14] {
            let text = encode_key(&key, form, &mut numbers);
            assert!(find_leak(&text, &key).is_some(), "{round}, {form}: {key} in {text}");
        }
    }
}

/// Finding S1: what is cut was masked before. Every cut is tried, of the start and of the end.
#[test]
fn a_text_is_masked_before_it_is_cut() {
    let mut numbers = Numbers(3);
    for form in 0..ENCODINGS {
        let key = draw_key(&mut numbers);
        let secrets = build_secrets(&key);
        let text = format!(
            "{} {} {}",
            numbers.draw_text(PLAIN, 9),
            encode_key(&key, form, &mut numbers),
            numbers.draw_text(PLAIN, 9)
        );
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for part in [0..at, at..text.len()] {
                let (masked, _) = secrets.mask_within(&text, part, Kind::Said);
                assert_eq!(find_leak(&masked, &key), None, "{form}: {key} in {text} cut at {at}: {masked}");
            }
        }
    }
}

/// A reply may have megabytes without a blank: it is decoded in parts, and a key at their borders is found.
#[test]
fn a_key_is_found_anywhere_in_a_long_piece() {
    let mut numbers = Numbers(6);
    let key = draw_key(&mut numbers);
    let secrets = build_secrets(&key);
    for form in [0, 9, 12, 13] {
        let before = numbers.draw_text("0123456789abcdef", 70_000);
        for at in
            (0..3).flat_map(|part| (0..40).map(move |step| 65_300 + part * 900 + step * 11)).filter(|at| *at < 70_000)
        {
            let text =
                [&before[..at], &encode_key(&key, form, &mut numbers), &before[..90_000 - at.max(20_000)]].concat();
            let masked = secrets.mask_text(&text, Kind::Said);
            assert!(masked.contains("[key]") && masked.len() < text.len(), "{form} at {at}");
        }
    }
    let endless = numbers.draw_text(PLAIN, 4 << 20);
    let begun = std::time::Instant::now();
    assert_eq!(secrets.mask_text(&endless, Kind::Error), endless);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// Servers show the beginning and the end of a key that they refuse.
#[test]
fn parts_of_a_key_are_masked() {
    let mut numbers = Numbers(4);
    for _ in 0..read_rounds() {
        let key = format!("sk-{}", numbers.draw_text(PLAIN, 40));
        let secrets = build_secrets(&key);
        let length = 6 + numbers.draw_below(30);
        let from = numbers.draw_below(key.len() - length);
        let part = &key[from..from + length];
        let masked = secrets.mask_text(part, Kind::Error);
        assert_eq!((find_leak(&masked, &key), &*masked), (None, "[key]"), "{part} of {key}");
        assert_eq!(secrets.mask_text(part, Kind::Said) == "[key]", length >= PART, "{part} of {key}");
    }
}

/// What is not a secret stays as it is, byte for byte, whatever it looks like.
#[test]
fn other_texts_stay() {
    let mut numbers = Numbers(5);
    for _ in 0..read_rounds() {
        let key = draw_key(&mut numbers);
        let secrets = build_secrets(&key);
        let (letters, length) =
            ([PLAIN, ODD, "0123456789abcdef", "\\u0041%&;"][numbers.draw_below(4)], numbers.draw_below(3_000));
        let text = numbers.draw_text(letters, length);
        assert_eq!(secrets.mask_text(&text, Kind::Said), text);
    }
    for short in ["EMPTY", "ollama", "none", " sk-123 ", "1234567"] {
        assert_eq!(
            build_secrets(short).mask_text("EMPTY ollama none sk-123 1234567", Kind::Error),
            "EMPTY ollama none sk-123 1234567"
        );
    }
}

#[test]
fn all_that_is_recorded_is_masked() {
    let key = "sk-aB3dE5fG7hI9jK1mN3";
    let shown = |json: &Json| json.to_string();
    let mut answer = Answer {
        response: Response {
            reply: format!("the key is {key}"),
            error: Some(format!("refused {key}")),
            sql: Some(vec![format!("SELECT '{key}'")]),
            files: vec![
                ("a".into(), Captured::Text { text: format!("a\n{key}\n") }),
                ("b".into(), Captured::from_bytes([&[0xff, 0xfe], key.as_bytes(), &[0xff]].concat())),
                ("c".into(), Captured::Paths { paths: vec![format!("x/{key}.txt")], sha256: Vec::new() }),
                ("d".into(), Captured::Other { what: format!("a link to {key}") }),
            ],
            ..Response::default()
        },
        transcript: vec![
            json!({"role": "assistant", "content": key, "tool_calls": [{"id": key, "function": {"arguments": shown(&json!({"a": key}))}}]}),
            json!({"role": "tool_call", "content": {key: {"b": [key, 1, null, encode_hex(key, "")]}}}),
        ],
    };
    let instance = build_instance("How many?");
    build_secrets(key).mask_answer(&instance, &mut answer);
    assert_eq!(answer.response.masked, Some(13));
    let written = format!("{}{:?}", serde_json::to_string(&answer.response).expect("JSON"), answer.transcript);
    assert_eq!(find_leak(&written, key), None, "{written}");
    let (_, Captured::Bytes { base64 }) = &answer.response.files[1] else { panic!("bytes stay bytes") };
    let bytes = STANDARD.decode(base64).expect("base64");
    assert_eq!(bytes, [&[0xff, 0xfe][..], &[b'*'; 21], &[0xff]].concat());
}

fn build_instance(prompt: &str) -> Instance {
    let line = json!({"id": "a-1", "input": prompt, "target": "7", "metadata": {"picard": {
        "schema": 1, "scorer": 1, "suite": "s", "version": "1.0.0", "task": "a", "sample": 1,
        "expect": [{"subject": "reply", "match": "number", "value": 7, "options": {}, "weight": 1}]}}});
    Instance::from_json(&line, None).expect("an instance")
}

/// A word of the question that is a value of `--env`, too, is no secret: masked, right answers would be wrong.
#[test]
fn what_the_instance_says_is_no_secret_there() {
    let mut all = Vec::new();
    add_secret(&mut all, "Engineering", "[env TEAM]", Masked::Whole);
    let secrets = Secrets(all.into());
    let recorded = |prompt: &str| {
        let mut answer = Answer::default().with_reply("Engineering".to_owned());
        secrets.mask_answer(&build_instance(prompt), &mut answer);
        (answer.response.reply, answer.response.masked)
    };
    assert_eq!(recorded("How many in Engineering?"), ("Engineering".to_owned(), None));
    assert_eq!(recorded("How many?"), ("[env TEAM]".to_owned(), Some(2)));
}

#[test]
fn which_names_are_secret_and_what_addresses_hold() {
    for name in
        ["OPENAI_API_KEY", "apikey", "HF_TOKEN", "api-key", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "SIG", "x-auth"]
    {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "MODEL",
        "PATH",
        "max_tokens",
        "AUTHOR",
        "TOKENIZERS_PARALLELISM",
        "api-version",
        "PATTERN",
        "reasoning_effort",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
    for name in ["stop_token", "eos-token", "padToken", "prompt_cache_key", "think_end_token"] {
        assert!(!is_secret_name(name), "{name}");
    }
    for name in ["access_token", "hf_token", "X-Api-Key", "token", "stop_tokens_key", "Cookie"] {
        assert!(is_secret_name(name), "{name}");
    }
    let found = |url: &str| {
        let found = address::list_secrets(url).into_iter().map(|(name, value)| format!("{name} {value}"));
        found.collect::<Vec<_>>()
    };
    assert_eq!(
        found("https://me:pass:word@host:80/v1?api-version=2024-10-21&api-key=abc&x=1#frag"),
        ["password pass:word", "api-key abc"]
    );
    assert_eq!(found("http://host/v1"), [] as [&str; 0]);
    assert_eq!(found("http://tok%2Fen:@bindings/host/v1"), ["user tok%2Fen", "user tok/en"]);
    assert_eq!(
        found("http://host/v1?si%67=a%2Bb%2F+c"),
        ["sig a%2Bb%2F+c", "sig a+b/+c", "sig a%2Bb%2F c", "sig a+b/ c"]
    );
}

/// Findings A4 to A6: what a server makes of what it is sent is masked, too.
#[test]
fn what_a_server_reads_in_a_request_is_masked() {
    let url = "http://tok-abcdefghijklmnop@h/v1?sig=abc%2Bdef%2Fghi%3Djkl%2Bmno";
    let request = json!({
        "api_key": {"v": "hunter2secretpass", "w": ["second-secret-9"]},
        "token": 1234567890123456_u64,
        "extra_headers": {"Authorization": "Bearer third-secret", "x-title": "public title"},
        "list": [["X-Api-Key", "fourth-secret"], {"name": "cookie", "value": "fifth-secret"}],
        "deep": {"a": [{"b": {"password": "sixth-secret"}}]},
        "stop_token": "<end_of_text>",
    });
    let request = request.as_object().expect("an object").clone();
    let secrets = Secrets::from_settings(&Settings { request: request.clone(), ..Settings::default() }, Some(url));
    for (text, mask) in [
        ("bad request for /v1?sig=abc+def/ghi=jkl+mno", "[sig]"),
        ("hunter2secretpass", "[api_key]"),
        ("second-secret-9", "[api_key]"),
        ("1234567890123456", "[token]"),
        ("third-secret", "[Authorization]"),
        ("fourth-secret", "[X-Api-Key]"),
        ("fifth-secret", "[cookie]"),
        ("sixth-secret", "[password]"),
        (&STANDARD.encode("tok-abcdefghijklmnop:"), "[user]"),
    ] {
        let masked = secrets.mask_text(text, Kind::Said);
        assert!(masked.contains(mask), "{text}: {masked}");
    }
    for text in ["<end_of_text>", "public title", "Bearer"] {
        assert_eq!(secrets.mask_text(text, Kind::Said), text);
    }
    let mut written = Json::Object(request);
    secrets.mask_json(&mut written, Kind::Said);
    let written = written.to_string();
    assert!(!written.contains("secret") && !written.contains("123456789"), "{written}");
}
