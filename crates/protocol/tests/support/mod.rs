//! What the tests share: players on real ports, and a client written from the wire format alone.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_protocol::{Seat, SeatConfig, Server};

pub fn config(agent: &str) -> SeatConfig {
    SeatConfig::new(Agent::find(agent).expect("a good spec"))
}

/// Puts a player on a port of its own, until the test ends.
pub fn serve(config: SeatConfig) -> SocketAddr {
    let server = Server::bind("127.0.0.1:0", Seat::new(config)).expect("a free port");
    let address = server.address().expect("it listens");
    std::thread::spawn(move || server.run());
    address
}

/// Sends a message as the GGP protocol wants it and returns status and reply.
pub fn ask(address: SocketAddr, message: &str) -> (u16, String) {
    let head = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: PLAYER\r\n\
         Content-type: text/acl\r\nContent-length: {}\r\n\r\n",
        message.len()
    );
    let mut stream = TcpStream::connect(address).expect("the player listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    stream.write_all(head.as_bytes()).expect("it listens");
    stream.write_all(message.as_bytes()).expect("it listens");
    read_reply(stream)
}

/// Reads a reply to its end.
pub fn read_reply(mut stream: TcpStream) -> (u16, String) {
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("a reply");
    let reply = String::from_utf8(reply).expect("text");
    let (head, body) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let is_acl = head.to_ascii_lowercase().contains("content-type: text/acl");
    assert!(is_acl, "no text/acl: {head}");
    (status.unwrap_or(0), body.to_owned())
}

/// Sends a message that must be understood, and returns the reply.
pub fn say(address: SocketAddr, message: &str) -> String {
    let (status, reply) = ask(address, message);
    assert_eq!(status, 200, "{reply}");
    reply
}

/// A shipped rulesheet without comments, in one line.
pub fn shipped(name: &str) -> String {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the game ships");
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or(""));
    lines.collect::<Vec<_>>().join(" ")
}

/// A server on a free port that does `act` with every connection, until `act` says to stop.
pub fn fake_player(mut act: impl FnMut(TcpStream) -> bool + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if !act(stream) {
                return;
            }
        }
    });
    address
}

/// Reads a whole message off a connection.
pub fn read_message(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let head = text.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(head) = head {
            let names = String::from_utf8_lossy(&text[..head]).to_ascii_lowercase();
            let length = names.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.map_or(0, |length| length.trim().parse().expect("a number"));
            if text.len() >= head + 4 + length {
                return String::from_utf8_lossy(&text[head + 4..]).into_owned();
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return String::from_utf8_lossy(&text).into_owned(),
            Ok(count) => text.extend_from_slice(&buffer[..count]),
        }
    }
}

/// Replies as players do.
pub fn reply(stream: &mut TcpStream, text: &str) {
    let head = format!(
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n",
        text.len()
    );
    let _ = stream.write_all(format!("{head}{text}").as_bytes());
}
