//! A seat on a port: HTTP as managers speak it, one message a connection.
//!
//! Whatever a peer does costs little: heads, bodies and connections are limited in size, number and
//! time, and a connection that is lost takes nothing with it but itself.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_gdl::MAX_BYTES;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::player::{Reply, Seat};

/// A seat that listens on a port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    seat: Arc<Seat>,
}

/// Connections at a time; more wait until one is over. So many that idle ones do not keep a manager
/// out.
const MOST_CONNECTIONS: usize = 512;
/// A message longer than this is a rulesheet, and only so many of them are taken in at a time.
const SHORT_MESSAGE: u64 = 1 << 16;
const MOST_LONG_MESSAGES: usize = 4;
/// How long a peer may take to send its head, and then its message.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(30);
/// How often to look for matches that nobody goes on with.
const SWEEP: Duration = Duration::from_secs(1);

impl Server {
    /// Listens at `address`.
    pub fn bind(address: impl ToSocketAddrs, seat: Seat) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, seat: Arc::new(seat) })
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
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let long_messages = Arc::new(Semaphore::new(MOST_LONG_MESSAGES));
        let sweeper = Arc::clone(&self.seat);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                sweeper.give_up_abandoned();
            }
        });
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
            let Ok((stream, _)) = listener.accept().await else {
                // Out of handles, most likely: some will be given back.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            // A reply is one small packet.
            let _ = stream.set_nodelay(true);
            let (seat, long) = (Arc::clone(&self.seat), Arc::clone(&long_messages));
            tokio::spawn(async move {
                let arrived = Instant::now();
                let service = service_fn(move |request| {
                    let (seat, long) = (Arc::clone(&seat), Arc::clone(&long));
                    async move { Ok::<_, Infallible>(respond(&seat, &long, arrived, request).await) }
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
                drop(place);
            });
        }
    }
}

/// Answers one request. Clocks run from the moment the connection was made.
async fn respond(
    seat: &Seat,
    long_messages: &Semaphore,
    arrived: Instant,
    request: Request<Incoming>,
) -> Response<Full<Bytes>> {
    if request.method() != Method::POST {
        let hint = "this is a GGP player: managers send it messages by POST\n";
        return text(StatusCode::METHOD_NOT_ALLOWED, hint.to_owned());
    }
    let body = match timeout(BODY_TIME, read(request.into_body(), long_messages)).await {
        Err(_) => return text(StatusCode::REQUEST_TIMEOUT, "the message took too long".to_owned()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return text(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long".to_owned());
        }
        Ok(Err(_)) => {
            return text(StatusCode::BAD_REQUEST, "the message broke off".to_owned());
        }
        Ok(Ok(body)) => body,
    };
    let Reply { is_ok, text: answer } = seat.answer(arrived, body).await;
    text(if is_ok { StatusCode::OK } else { StatusCode::BAD_REQUEST }, answer)
}

/// Reads a message to its end.
async fn read(
    body: Incoming,
    long_messages: &Semaphore,
) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let is_short = body.size_hint().upper().is_some_and(|length| length <= SHORT_MESSAGE);
    let place = if is_short { None } else { Some(long_messages.acquire().await?) };
    let collected = Limited::new(body, MAX_BYTES).collect().await?;
    let message = collected.to_bytes().to_vec();
    drop(place);
    Ok(message)
}

fn text(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(crate::CONTENT_TYPE);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
