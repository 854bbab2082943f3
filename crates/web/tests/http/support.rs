//! A server on a free port and a client that speaks to it as a browser would.

use std::net::SocketAddr;
use std::time::Duration;

use gamegrove_web::{Config, Limits, Server};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;

/// A server for a test.
pub struct Grove {
    pub address: SocketAddr,
    /// The visitor's cookie.
    pub cookie: String,
}

/// An answer.
pub struct Answer {
    pub status: StatusCode,
    pub headers: hyper::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn good(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        self.json()
    }

    /// What a refusal says.
    pub fn refused(&self, status: StatusCode) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        let said = self.json();
        format!("{}; {}", said["error"].as_str().unwrap_or(""), said["help"].as_str().unwrap_or(""))
    }
}

impl Grove {
    pub fn start(limits: Limits) -> Grove {
        let config = Config {
            port: 0,
            experiments: std::path::PathBuf::from("/nonexistent"),
            limits,
            ..Config::default()
        };
        let server = Server::bind(config).expect("a free port");
        let address = server.address().expect("an address");
        tokio::spawn(server.serve());
        Grove { address, cookie: "0123456789abcdef".to_owned() }
    }

    /// The same server for another visitor.
    pub fn as_visitor(&self, cookie: &str) -> Grove {
        Grove { address: self.address, cookie: cookie.to_owned() }
    }

    pub async fn send(&self, request: Request<Full<Bytes>>) -> Answer {
        let stream = tokio::net::TcpStream::connect(self.address).await.expect("it listens");
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
        let driver = tokio::spawn(connection);
        let response = sender.send_request(request).await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().collect().await.expect("a whole answer").to_bytes();
        driver.abort();
        Answer { status, headers, text: String::from_utf8_lossy(&body).into_owned() }
    }

    pub fn request(&self, method: Method, path: &str, body: Vec<u8>) -> Request<Full<Bytes>> {
        Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.address.to_string())
            .header("cookie", format!("grove-visitor={}", self.cookie))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))
            .expect("a request")
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path, Vec::new())).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path, body.to_string().into_bytes())).await
    }

    /// Starts a match and returns its name.
    pub async fn start_match(&self, body: Value) -> String {
        let made = self.post("/api/matches", body).await.good();
        made["id"].as_str().expect("a name").to_owned()
    }

    /// The state of a match once it fulfils a condition.
    pub async fn until(&self, id: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.get(&format!("/api/matches/{id}")).await.good();
            if fits(&state) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
