//! Addresses of endpoints: their secrets, the part that is sent, and the part that is shown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::decode::{Escapes, Kind};
use super::is_secret_name;

/// The parts of an address, with their escapes.
struct Address<'a> {
    scheme: &'a str,
    /// User and password: the part before `@`.
    user: Option<&'a str>,
    /// Host and port.
    host: &'a str,
    /// Path, query and fragment.
    rest: &'a str,
}

impl Address<'_> {
    fn from_url(url: &str) -> Address<'_> {
        let (scheme, after) = url.split_once("://").unwrap_or(("http", url));
        let (place, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
        let (user, host) = match place.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, place),
        };
        Address { scheme, user, host, rest }
    }

    /// Returns user and password; a token can be the user without a password.
    fn credentials(&self) -> Option<(&str, Option<&str>)> {
        let (user, password) = self.user.map(|user| user.split_once(':').unwrap_or((user, "")))?;
        Some((user, Some(password).filter(|password| !password.is_empty())))
    }

    fn path(&self) -> &str {
        self.rest.split(['?', '#']).next().unwrap_or_default()
    }
}

/// Returns why an address would not be read as its author means it; `None` if it is valid. The sentence contains no part of the address.
pub fn find_fault(url: &str) -> Option<String> {
    let address = Address::from_url(url);
    let segments = || address.path().split('/');
    // Otherwise a part of the password would be taken as the host or the path, and not be masked.
    if segments().any(|segment| segment.find('@').is_some_and(|at| at > 0)) {
        return Some(
            "it has an `@` after a `/`; in a user name or a password write `%2F` for `/`, in a path `%40` for `@`"
                .to_owned(),
        );
    }
    let (host, port) = match address.host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, after)) => (host, Some(after.strip_prefix(':').unwrap_or_default())),
        None => match address.host.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (address.host, None),
        },
    };
    if host.is_empty() {
        return Some("it names no host".to_owned());
    }
    let is_number =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    if port.is_some_and(|port| !is_number(port)) {
        let hint = if address.user.is_none() && address.rest.contains('@') {
            "; in a user name or a password write `%2F` for `/`, `%3F` for `?`, and `%23` for `#`"
        } else {
            ""
        };
        return Some(format!("the port after `:` is not a number from 1 to 65535{hint}"));
    }
    None
}

/// Returns the address without user and password, and the `Authorization` header that sends both, unescaped.
pub fn to_send(url: &str) -> (String, Option<String>) {
    let address = Address::from_url(url);
    let Some((user, password)) = address.credentials() else { return (url.to_owned(), None) };
    let both = format!("{}:{}", unescape_percent(user), password.map(unescape_percent).unwrap_or_default());
    let header = format!("Basic {}", STANDARD.encode(both));
    (format!("{}://{}{}", address.scheme, address.host, address.rest), Some(header))
}

/// Returns the address without user, password, query, and fragment: they may be secrets.
pub fn format_public(url: &str) -> String {
    let address = Address::from_url(url);
    format!("{}://{}{}", address.scheme, address.host, address.path())
}

/// Returns the query of an address with its secret values masked; `None` if it has no query.
pub fn mask_query(url: &str) -> Option<String> {
    let query = url.split_once('?')?.1.split('#').next().unwrap_or_default();
    let public = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if is_secret_name(&unescape_percent(name)) => format!("{name}=[{name}]"),
        _ => parameter.to_owned(),
    };
    Some(query.split('&').map(public).collect::<Vec<_>>().join("&"))
}

/// Returns the secrets of an address: the password, a user without a password (a token), and the parameters with secret names. Each is returned as written and
/// as a server decodes it.
pub fn list_secrets(url: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let address = Address::from_url(url);
    match address.credentials() {
        Some((_, Some(password))) => add_forms(&mut all, "password", password),
        Some((user, None)) => add_forms(&mut all, "user", user),
        None => {}
    }
    let query = address.rest.split_once('?').map_or("", |(_, query)| query).split('#').next().unwrap_or_default();
    for (name, value) in query.split('&').filter_map(|parameter| parameter.split_once('=')) {
        let name = unescape_percent(name);
        if is_secret_name(&name) {
            add_forms(&mut all, &name, value);
            // In forms, `+` is a space.
            add_forms(&mut all, &name, &value.replace('+', " "));
        }
    }
    all
}

fn add_forms(all: &mut Vec<(String, String)>, name: &str, value: &str) {
    for form in [value.to_owned(), unescape_percent(value)] {
        if !all.iter().any(|(_, known)| *known == form) {
            all.push((name.to_owned(), form));
        }
    }
}

/// Removes percent escapes; returns the text unchanged if the result is not UTF-8.
fn unescape_percent(text: &str) -> String {
    let bytes = Escapes::remove_escapes(text.as_bytes(), Kind::Percent).map(|(bytes, _)| bytes);
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_owned())
}

/// Returns a user's argument for a message, without possible secrets.
pub fn hide_secrets(text: &str) -> String {
    let kind = match text.find("://") {
        Some(at) => text.split_at(at + 3),
        None if text.contains('@') => text.split_at(text.find(':').map_or(0, |at| at + 1)),
        None => return hide_pair_value(text),
    };
    let (start, rest) = kind;
    if start.contains(char::is_whitespace) || start.contains('=') {
        return hide_pair_value(text);
    }
    let hidden = rest.rsplit_once('@').map(|(_, after)| format!("…@{after}"));
    let rest = hidden.as_deref().unwrap_or(rest);
    let Some((before, after)) = rest.split_once('?') else { return format!("{start}{rest}") };
    let model = after.split_once('#').map_or(String::new(), |(_, model)| format!("#{model}"));
    format!("{start}{before}?…{model}")
}

/// Hides the value of `api_key=…`.
fn hide_pair_value(text: &str) -> String {
    match text.split_once('=') {
        Some((name, _)) if is_secret_name(text) => format!("{name}=…"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_nobody_means() {
        for url in [
            "http://127.0.0.1",
            "http://127.0.0.1:8799/v1",
            "https://me:p%2Fw@host:443/v1?x=a@b",
            "http://[::1]:80/v1",
            "http://[::1]",
            "https://host/v1/@cf/meta",
            "http://tok@host",
        ] {
            assert_eq!(find_fault(url), None, "{url}");
        }
        for (url, why) in [
            ("http://127.0.0.1:87990/v1", "port"),
            ("http://127.0.0.1:8799x/v1", "port"),
            ("http://127.0.0.1:/v1", "port"),
            ("http://127.0.0.1:0/v1", "port"),
            ("http://127.0.0.1:+80/v1", "port"),
            ("http://me:pw@host:x", "port"),
            ("http://[::1]x/v1", "port"),
            ("http://[::1]:/v1", "port"),
            ("http://:80/v1", "no host"),
            ("http://me:pw@/v1", "no host"),
            ("http://me:hunter2/secretpass99@127.0.0.1:8771/v1", "%2F"),
            ("http://me:80/secretpass99@127.0.0.1:8771/v1", "%2F"),
            ("http://tok/en@127.0.0.1:8771/v1", "%2F"),
            ("http://me:hunter2?secret@bindings/host/v1", "%3F"),
        ] {
            let said = find_fault(url).unwrap_or_else(|| panic!("{url} is taken"));
            assert!(said.contains(why) && !said.contains("hunter2") && !said.contains("secretpass"), "{url}: {said}");
        }
    }

    #[test]
    fn what_is_sent_is_decoded() {
        let basic = |text: &str| Some(format!("Basic {}", STANDARD.encode(text)));
        assert_eq!(to_send("http://me:p%40ss%2Fw@h:1/v1?a=1"), ("http://h:1/v1?a=1".to_owned(), basic("me:p@ss/w")));
        assert_eq!(to_send("http://tok@h"), ("http://h".to_owned(), basic("tok:")));
        assert_eq!(to_send("http://h/@x"), ("http://h/@x".to_owned(), None));
    }

    #[test]
    fn what_is_shown() {
        for (text, said) in [
            ("openai:http://me:pass@h/v1", "openai:http://…@h/v1"),
            ("openai:ftp://me:pa/ss@h#m", "openai:ftp://…@h#m"),
            ("openai:me:pass@h#m", "openai:…@h#m"),
            ("openai:http://h?sig=abc#m", "openai:http://h?…#m"),
            ("api_key=hunter2", "api_key=…"),
            ("x={\"Authorization\":\"Bearer a\"", "x=…"),
            ("top_k=x", "top_k=x"),
            ("orakel", "orakel"),
        ] {
            assert_eq!(hide_secrets(text), said);
        }
    }
}
