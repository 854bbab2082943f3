//! The shipped games are part of the binary: build it anew when one is added or removed.

fn main() {
    #[expect(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
    {
        println!("cargo::rerun-if-changed=../../games");
        println!("cargo::rerun-if-changed=build.rs");
    }
}
