//! The server over real HTTP: what it answers, and what it withstands.

mod api;
mod hostile;
mod support;
