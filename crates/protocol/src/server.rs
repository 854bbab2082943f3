//! A seat on a port: HTTP as managers speak it, one message a connection.
//!
//! Whatever a peer does costs little: heads, bodies and connections are limited in size, number and
//! time, and a connection that is lost takes nothing with it but itself. A peer that has not sent its
//! message yet makes room for one that wants to, so that nothing waits for it.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_gdl::MAX_BYTES;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::places::{Place, Places};
use crate::player::{Reply, Seat};

/// A seat that listens on a port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    seat: Arc<Seat>,
    trusted: Vec<String>,
}

/// Connections at a time. One that has not sent its message makes room for the next.
const MOST_CONNECTIONS: usize = 512;
/// Bytes of a message that count for nothing; a longer one is a rulesheet.
const SHORT_MESSAGE: usize = 1 << 16;
/// Kilobytes of longer messages that are under way. Where they are used up, the message that has been
/// under way longest makes room.
const LONG_KILOBYTES: usize = 64 << 10;
/// How long a peer may take to send its head, and then its message.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(30);
/// How often to look for abandoned matches.
const SWEEP: Duration = Duration::from_secs(1);

impl Server {
    /// Listens at `address`.
    pub fn bind(address: impl ToSocketAddrs, seat: Seat) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, seat: Arc::new(seat), trusted: Vec::new() })
    }

    /// As before, where pages of these origins may send messages too: game managers that run in a browser.
    /// An origin is written as browsers send it, such as `https://manager.example`.
    pub fn trusting(self, origins: &[String]) -> Server {
        Server { trusted: origins.to_vec(), ..self }
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers messages until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            // Long messages are read there.
            .max_blocking_threads(4)
            .enable_all()
            .build()?;
        runtime.block_on(self.serve())
    }

    /// As [`run`](Server::run), within a runtime.
    pub async fn serve(self) -> io::Result<()> {
        let only_here = self.address()?.ip().is_loopback();
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let places = Places::new(MOST_CONNECTIONS);
        let door = Arc::new(Door {
            seat: Arc::clone(&self.seat),
            places: places.clone(),
            long: Semaphore::new(LONG_KILOBYTES),
            trusted: self.trusted,
            only_here,
        });
        let sweeper = self.seat;
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                sweeper.give_up_abandoned();
            }
        });
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of handles, most likely: some will be given back.
                places.close_longest_waiting();
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let arrived = Instant::now();
            // A reply is one small packet.
            let _ = stream.set_nodelay(true);
            let door = Arc::clone(&door);
            places.take().await.serve(|place| async move {
                let service = service_fn(move |request| {
                    let (door, place) = (Arc::clone(&door), Arc::clone(&place));
                    async move { Ok::<_, Infallible>(door.respond(&place, arrived, request).await) }
                });
                // A peer that is gone needs no answer.
                let _ = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .keep_alive(false)
                    .half_close(true)
                    .max_buf_size(1 << 16)
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    }
}

/// What all connections share.
struct Door {
    seat: Arc<Seat>,
    places: Places,
    /// Kilobytes of long messages under way.
    long: Semaphore,
    trusted: Vec<String>,
    /// Whether this machine only can connect.
    only_here: bool,
}

/// A request that is not for the seat: its answer, or why it is refused.
type Refused = (StatusCode, &'static str);

impl Door {
    /// Answers one request. Clocks run from the moment the connection was made.
    async fn respond(
        &self,
        place: &Place,
        arrived: Instant,
        request: Request<Incoming>,
    ) -> Response<Full<Bytes>> {
        let origin = request.headers().get(header::ORIGIN).cloned();
        let mut response = match self.admit(&request) {
            Err((status, why)) => text(status, why.to_owned()),
            Ok(()) if request.method() == Method::OPTIONS => {
                text(StatusCode::NO_CONTENT, String::new())
            }
            Ok(()) => self.hear(place, arrived, request).await,
        };
        if let Some(origin) = origin.filter(|origin| self.trusts(origin)) {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
            let fixed: [(HeaderName, &str); 3] = [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Sender, Receiver"),
                (header::ACCESS_CONTROL_MAX_AGE, "86400"),
            ];
            for (name, value) in fixed {
                headers.insert(name, HeaderValue::from_static(value));
            }
        }
        response
    }

    fn trusts(&self, origin: &HeaderValue) -> bool {
        self.trusted.iter().any(|known| known.as_bytes() == origin.as_bytes())
    }

    /// Whether a request may be heard. Pages send their origin with every request that another site may
    /// read or that changes something; managers outside browsers send none.
    fn admit(&self, request: &Request<Incoming>) -> Result<(), Refused> {
        let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        if self.only_here && !header(header::HOST).is_none_or(is_this_machine) {
            // A name of another site that leads here (DNS rebinding).
            return Err((
                StatusCode::FORBIDDEN,
                "call this player by its address or as localhost\n",
            ));
        }
        let origin = request.headers().get(header::ORIGIN);
        if origin.is_some_and(|origin| !self.trusts(origin)) {
            let why =
                "pages of this origin may not use this player: start it with --trust-origin\n";
            return Err((StatusCode::FORBIDDEN, why));
        }
        match *request.method() {
            Method::POST if origin.is_none() && is_of_a_page(header(CONTENT_TYPE)) => {
                Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "messages have the type text/acl\n"))
            }
            Method::POST => Ok(()),
            // Without an origin it could be a picture that another site asks for.
            Method::GET | Method::OPTIONS if origin.is_some() => Ok(()),
            _ => {
                let hint = "this is a GGP player: managers send it messages by POST\n";
                Err((StatusCode::METHOD_NOT_ALLOWED, hint))
            }
        }
    }

    /// Reads a message and has it answered.
    async fn hear(
        &self,
        place: &Place,
        arrived: Instant,
        request: Request<Incoming>,
    ) -> Response<Full<Bytes>> {
        let body = if request.method() == Method::GET {
            // The path has the message.
            unescaped(request.uri().path().trim_start_matches('/'))
        } else {
            match timeout(BODY_TIME, self.read(request.into_body())).await {
                Ok(Ok(body)) => body,
                Ok(Err((status, why))) => return text(status, why.to_owned()),
                Err(_) => {
                    return text(
                        StatusCode::REQUEST_TIMEOUT,
                        "the message took too long".to_owned(),
                    );
                }
            }
        };
        place.has_asked();
        let Reply { is_ok, text: answer } = self.seat.answer(arrived, body).await;
        text(if is_ok { StatusCode::OK } else { StatusCode::BAD_REQUEST }, answer)
    }

    /// Reads a message to its end.
    async fn read(&self, mut body: Incoming) -> Result<Vec<u8>, Refused> {
        let mut message = Vec::new();
        let mut held: Option<SemaphorePermit<'_>> = None;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| (StatusCode::BAD_REQUEST, "the message broke off"))?;
            let Ok(part) = frame.into_data() else { continue };
            if message.len() + part.len() > MAX_BYTES {
                return Err((StatusCode::PAYLOAD_TOO_LARGE, "the message is too long"));
            }
            message.extend_from_slice(&part);
            let wanted = message.len().saturating_sub(SHORT_MESSAGE).div_ceil(1 << 10);
            let more = wanted.saturating_sub(held.as_ref().map_or(0, SemaphorePermit::num_permits));
            if more > 0 {
                let permit = self.room_for(u32::try_from(more).unwrap_or(u32::MAX)).await;
                match &mut held {
                    Some(held) => held.merge(permit),
                    None => held = Some(permit),
                }
            }
        }
        Ok(message)
    }

    /// Room for so many kilobytes of a long message.
    async fn room_for(&self, kilobytes: u32) -> SemaphorePermit<'_> {
        loop {
            if let Ok(permit) = self.long.try_acquire_many(kilobytes) {
                return permit;
            }
            self.places.close_longest_waiting();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Whether a `Host` means this machine: an address, or a name that leads nowhere else.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        // The colons of an address in brackets are no ports.
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.to_ascii_lowercase();
    let address = name.trim_start_matches('[').trim_end_matches(']');
    address.parse::<IpAddr>().is_ok() || name == "localhost" || name.ends_with(".localhost")
}

/// Whether any page may send content of this type without being asked.
fn is_of_a_page(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
        .iter()
        .any(|simple| kind.eq_ignore_ascii_case(simple))
}

/// A text in which bytes are written as `%` and two digits, and spaces also as `+`.
fn unescaped(text: &str) -> Vec<u8> {
    let (mut rest, mut out) = (text.as_bytes(), Vec::new());
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        (rest, _) = match (first, escaped) {
            (b'%', Some(byte)) => (&tail[2..], out.push(byte)),
            (b'+', _) => (tail, out.push(b' ')),
            (other, _) => (tail, out.push(*other)),
        };
    }
    out
}

fn text(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(crate::CONTENT_TYPE);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_types_and_escapes() {
        for host in ["127.0.0.1:9147", "[::1]:9147", "LOCALHOST", "a.localhost:1", "192.0.2.1"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["evil.example:9147", "localhost.evil.example", "127.0.0.1.evil.example", ""] {
            assert!(!is_this_machine(host), "{host}");
        }
        assert!(is_of_a_page(Some("Text/Plain; charset=utf-8")));
        assert!(!is_of_a_page(Some("text/acl")) && !is_of_a_page(None));
        assert_eq!(unescaped("(%20info+%29%"), b"( info )%");
    }
}
