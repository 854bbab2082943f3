//! The server: what it is told, where it listens, how it is put together.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;

use crate::app::App;
use crate::compress::compress;
use crate::connections::in_time;
use crate::guard::{Guard, guard};
use crate::limits::Limits;
use crate::visitor::Visitor;
use crate::{api, connections, page, refusal};

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub host: String,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Names under which it may be called, besides `localhost` and addresses.
    pub names: Vec<String>,
    /// The folder with the results of experiments.
    pub experiments: PathBuf,
    /// What visitors can ask for.
    pub limits: Limits,
}

impl Default for Config {
    /// This machine only, port 8080, experiments of the current folder.
    fn default() -> Self {
        Config {
            host: "127.0.0.1".to_owned(),
            port: 8080,
            names: Vec::new(),
            experiments: PathBuf::from("."),
            limits: Limits::default(),
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    config: Config,
}

/// The time between two searches for matches without viewers.
const SWEEP: Duration = Duration::from_secs(10);

impl Server {
    /// Listens where the configuration says.
    pub fn bind(config: Config) -> io::Result<Server> {
        let places: Vec<SocketAddr> =
            (config.host.as_str(), config.port).to_socket_addrs()?.collect();
        let listener = TcpListener::bind(places.as_slice())?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, config })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    /// Serves until it is dropped.
    pub async fn serve(self) -> io::Result<()> {
        let app = Arc::new(App::new(self.config.limits, &self.config.experiments)?);
        // The list of games takes a moment to make: it is ready when the first visitor has come.
        let first = Arc::clone(&app);
        tokio::spawn(async move { first.gallery.list(&first.browsing).await });
        let sweeper = Arc::downgrade(&app);
        tokio::spawn(async move {
            while let Some(app) = sweeper.upgrade() {
                app.matches.sweep();
                drop(app);
                tokio::time::sleep(SWEEP).await;
            }
        });
        let patience = app.limits.answer_time;
        let routes = api::routes(&app)
            .fallback(get(page::serve))
            .layer(middleware::from_fn(move |request, next| in_time(patience, request, next)))
            .layer(middleware::from_fn(refusal::in_json))
            .layer(middleware::from_fn(compress))
            .layer(middleware::from_fn(welcome))
            .layer(middleware::from_fn_with_state(Guard::new(&self.config.names), guard));
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        connections::serve(listener, routes, &app.limits).await
    }
}

/// Gives a cookie to visitors without one.
async fn welcome(request: Request, next: Next) -> Response {
    let cookie = Visitor::welcome(request.headers());
    let mut response = next.run(request).await;
    if let Some(cookie) = cookie {
        response.headers_mut().insert(axum::http::header::SET_COOKIE, cookie);
    }
    response
}
