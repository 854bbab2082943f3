//! The shipped games are part of the binary: build it anew when one is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=../../games");
    println!("cargo::rerun-if-changed=build.rs");
}
