//! Descriptions and levels of video games: `cargo +nightly fuzz run vgdl` in this project's folder.
#![no_main]

#[path = "../bodies/vgdl.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
