//! The visitor that a request is from: on this machine a browser, known by its cookie; elsewhere an address.
//!
//! Limits are counted for each visitor. A client elsewhere could send any cookie, so there the
//! address counts.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderValue, header};

const COOKIE: &str = "grove-visitor";

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Visitor {
    /// A browser on this machine.
    Browser(String),
    /// A client elsewhere.
    Address(IpAddr),
}

impl Visitor {
    /// The sender of a request with these headers.
    pub fn of(peer: SocketAddr, headers: &HeaderMap) -> Visitor {
        let ip = peer.ip().to_canonical();
        if !ip.is_loopback() {
            return Visitor::Address(ip);
        }
        match cookie(headers) {
            Some(name) => Visitor::Browser(name.to_owned()),
            None => Visitor::Address(ip),
        }
    }

    /// The cookie for a visitor without one.
    pub fn welcome(headers: &HeaderMap) -> Option<HeaderValue> {
        if cookie(headers).is_some() {
            return None;
        }
        let text = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", token());
        HeaderValue::from_str(&text).ok()
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim() == COOKIE)?;
    let value = value.trim();
    let sound = value.len() == 16 && value.bytes().all(|b| b.is_ascii_hexdigit());
    sound.then_some(value)
}

/// A name that cannot be guessed: from the keys that the standard library draws for its hash tables.
pub fn token() -> String {
    use std::hash::{BuildHasher, RandomState};
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos());
    format!("{:016x}", RandomState::new().hash_one((number, now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(peer: &str, cookie: &'static str) -> Visitor {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static(cookie));
        Visitor::of(peer.parse().expect("an address"), &headers)
    }

    #[test]
    fn cookies_count_on_this_machine_only() {
        let cookie = "a=b; grove-visitor=0123456789abcdef";
        assert_eq!(visitor("127.0.0.1:9", cookie), Visitor::Browser("0123456789abcdef".into()));
        assert!(matches!(visitor("10.0.0.7:9", cookie), Visitor::Address(_)));
        assert!(matches!(visitor("[::1]:9", "grove-visitor=../x"), Visitor::Address(_)));
        assert_ne!(token(), token());
    }
}
