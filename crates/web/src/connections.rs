//! Connections: how many there are, and how long one may take to say what it wants.
//!
//! A connection costs a file of the process, of which systems give about a thousand. So their
//! number is limited, also for each address elsewhere, and a connection that does not send a whole request in
//! time is closed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use gamegrove_protocol::{Place, Places};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// The largest head of a request; its body has limits of its own.
const HEAD: usize = 32 << 10;
/// When the system refuses a connection, it is asked again after so long.
const RETRY: Duration = Duration::from_millis(500);

/// Connections of each address elsewhere.
type Elsewhere = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Serves all connections, within the limits, until it is dropped.
pub async fn serve(listener: TcpListener, routes: Router, limits: &Limits) -> io::Result<()> {
    let (each, all) = limits.connections;
    let places = Places::new(all);
    let elsewhere = Elsewhere::default();
    let patience = limits.request_time;
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Most likely the process has no more files: an idle connection gives one back.
            places.close_longest_waiting();
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let Some(counted) = Counted::new(&elsewhere, peer.ip(), each) else { continue };
        // Where all places are taken, a connection without a whole request makes room.
        let routes = routes.clone();
        places.take().await.serve(|place| async move {
            let _held = counted;
            serve_one(stream, peer, routes, place, patience).await;
        });
    }
}

async fn serve_one(
    stream: TcpStream,
    peer: SocketAddr,
    routes: Router,
    place: Arc<Place>,
    patience: Duration,
) {
    let _ = stream.set_nodelay(true);
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let asked = AtEnd(Arc::clone(&place), Place::has_asked);
        let answered = AtEnd(Arc::clone(&place), Place::waits_again);
        if request.body().is_end_stream() {
            place.has_asked();
        }
        let answer = routes.call(request.map(|body| Until(body, asked)));
        async move { Ok::<_, Infallible>(answer.await?.map(|body| Until(body, answered))) }
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(HEAD);
    // A client that breaks off or does not speak HTTP gets no answer.
    let _ = protocol.serve_connection(TokioIo::new(stream), service).await;
}

/// Does something with the place of a connection when it is dropped.
struct AtEnd(Arc<Place>, fn(&Place));

impl Drop for AtEnd {
    fn drop(&mut self) {
        (self.1)(&self.0);
    }
}

/// A body, and what is done when it was read to its end or given up.
struct Until<B>(B, #[expect(dead_code, reason = "it is dropped")] AtEnd);

impl<B: Body + Unpin> Body for Until<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// One connection of an address, counted while it lasts; addresses of this machine are not.
struct Counted(Option<(Elsewhere, IpAddr)>);

impl Counted {
    fn new(elsewhere: &Elsewhere, address: IpAddr, most: usize) -> Option<Counted> {
        let address = address.to_canonical();
        if address.is_loopback() {
            return Some(Counted(None));
        }
        let mut counts = elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted(Some((Arc::clone(elsewhere), address))))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Some((elsewhere, address)) = &self.0 else { return };
        let mut counts = elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

/// Answers a request within a time, in which its body has to come too. What follows the head of an
/// answer, as live events do, may take as long as it likes.
pub async fn in_time(
    patience: Duration,
    request: Request,
    next: Next,
) -> Result<Response, Infallible> {
    let answer = tokio::time::timeout(patience, next.run(request)).await;
    Ok(answer.unwrap_or_else(|_| {
        Refusal::late("this took too long", "try again in a moment").into_response()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_elsewhere_have_so_many_connections_and_this_machine_all() {
        let elsewhere = Elsewhere::default();
        let there: IpAddr = "192.0.2.7".parse().expect("an address");
        let mapped: IpAddr = "::ffff:192.0.2.7".parse().expect("an address");
        let one = Counted::new(&elsewhere, there, 2);
        let two = Counted::new(&elsewhere, mapped, 2);
        assert!(one.is_some() && two.is_some());
        assert!(
            Counted::new(&elsewhere, there, 2).is_none(),
            "the same address, written otherwise"
        );
        let here: IpAddr = "127.0.0.1".parse().expect("an address");
        let many: Vec<_> = (0..5).map(|_| Counted::new(&elsewhere, here, 2)).collect();
        assert!(many.iter().all(Option::is_some));
        drop(one);
        assert!(Counted::new(&elsewhere, there, 2).is_some());
        drop(two);
        assert!(
            elsewhere.lock().expect("no other holder").is_empty(),
            "addresses without connections are dropped"
        );
    }
}
