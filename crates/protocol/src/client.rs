//! Messages to players elsewhere: one HTTP request each.

use std::fmt;
use std::str::FromStr;

use gamegrove_play::matches::Wrong;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::net::TcpStream;

use crate::DEFAULT_PORT;

/// Where a player listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
    path: String,
}

/// Why a text is no address of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// A scheme that players do not speak.
    #[error("players speak http, not {0}")]
    Scheme(String),
    /// No host.
    #[error("no host is named; an address looks like http://localhost:9147")]
    NoHost,
    /// The port is not a number.
    #[error("`{0}` is not a port; ports are numbers from 1 to 65535")]
    Port(String),
    /// There are characters in it that no address has.
    #[error("an address has no blanks and no control characters")]
    Characters,
}

impl FromStr for Address {
    type Err = AddressError;

    /// Reads `http://host:port/path`; scheme, port and path may be missing.
    fn from_str(text: &str) -> Result<Address, AddressError> {
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AddressError::Characters);
        }
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some((scheme, _)) => return Err(AddressError::Scheme(scheme.to_owned())),
            None => text,
        };
        let (place, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, "/"),
        };
        // The colons of an IPv6 address stand in brackets.
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => {
                let number = port.parse().ok().filter(|&port| port > 0);
                (host, number.ok_or_else(|| AddressError::Port(port.to_owned()))?)
            }
            _ => (place, DEFAULT_PORT),
        };
        if host.is_empty() {
            return Err(AddressError::NoHost);
        }
        Ok(Address { host: host.to_owned(), port, path: path.to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path == "/" { "" } else { &self.path };
        write!(f, "http://{}:{}{path}", self.host, self.port)
    }
}

/// A reply, or what was wrong, in words too.
pub(crate) type Heard = Result<Bytes, (Wrong, String)>;

/// The longest reply that is read: moves are short.
const LONGEST_REPLY: usize = 1 << 16;

/// Sends a message and returns the reply. The caller limits the time.
pub(crate) async fn post(address: &Address, message: String) -> Heard {
    let lost =
        |what: &str, error: &dyn fmt::Display| (Wrong::Connection, format!("{what}: {error}"));
    let host = address.host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, address.port))
        .await
        .map_err(|error| lost("no connection", &error))?;
    let _ = stream.set_nodelay(true);
    let (mut sender, connection) = http1::Builder::new()
        // Some players look for the names of headers as they are usually written.
        .title_case_headers(true)
        .max_buf_size(1 << 16)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| lost("no connection", &error))?;
    let request = Request::post(&address.path)
        .header(HOST, format!("{}:{}", address.host, address.port))
        .header(CONTENT_TYPE, crate::CONTENT_TYPE)
        .header(CONNECTION, "close")
        .body(Full::new(Bytes::from(message)))
        .map_err(|error| lost("no request", &error))?;
    let exchange = async move {
        let response = sender
            .send_request(request)
            .await
            .map_err(|error| lost("the connection was lost", &error))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), LONGEST_REPLY).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => (Wrong::Unreadable, format!("a reply of more than {LONGEST_REPLY} bytes")),
            false => lost("the reply broke off", &error),
        })?;
        match status.is_success() {
            true => Ok(body.to_bytes()),
            false => {
                let said = quote(&body.to_bytes());
                Err((Wrong::Unreadable, format!("refused with status {status}: {said}")))
            }
        }
    };
    // Both together, so that nothing of them is left when the caller's time is up.
    tokio::pin!(exchange);
    tokio::select! {
        biased;
        result = &mut exchange => result,
        ended = connection => match ended {
            Ok(()) => exchange.await,
            Err(error) => match exchange.await {
                Ok(body) => Ok(body),
                Err((kind @ Wrong::Unreadable, what)) => Err((kind, what)),
                Err(_) => Err(lost("the connection was lost", &error)),
            },
        },
    }
}

/// The beginning of a message, for people.
pub(crate) fn quote(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MOST)]);
    let tame = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.trim().chars().map(tame).take(MOST).collect();
    if text.chars().count() > MOST {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let show = |text: &str| text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(show("http://localhost:9147").as_deref(), Ok("http://localhost:9147"));
        assert_eq!(show("localhost").as_deref(), Ok("http://localhost:9147"));
        assert_eq!(show("10.0.0.1:80/ggp").as_deref(), Ok("http://10.0.0.1:80/ggp"));
        assert_eq!(show("HTTP://[::1]:9148/").as_deref(), Ok("http://[::1]:9148"));
        assert_eq!(show("http://[::1]").as_deref(), Ok("http://[::1]:9147"));
        assert_eq!(show("https://x"), Err(AddressError::Scheme("https".to_owned())));
        assert_eq!(show("http://x:y"), Err(AddressError::Port("y".to_owned())));
        assert_eq!(show("http://x:0"), Err(AddressError::Port("0".to_owned())));
        assert_eq!(show("http://:80"), Err(AddressError::NoHost));
        assert_eq!(show("a b"), Err(AddressError::Characters));
    }

    #[test]
    fn quotes_are_short_and_tame() {
        assert_eq!(quote(b" (mark 1 1)\n"), "(mark 1 1)");
        assert_eq!(quote(b"a\x1b[2Jb\xff"), "a\u{fffd}[2Jb\u{fffd}");
        assert_eq!(quote(&[b'x'; 1000]).chars().count(), 81);
    }
}
