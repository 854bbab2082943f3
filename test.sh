#!/usr/bin/env bash
# Passes all tests: format, lints of everything (benchmarks and examples too), unit and integration tests,
# the Python package, and the page in a browser.
# Needs the Rust toolchain. Installs SWI-Prolog, the oracle some tests ask, Verilator, which
# simulates exported hardware, and Chromium, which tries the page, where it can.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install the Rust toolchain (rustup or your system's package 'cargo')" >&2
    exit 1
fi
if ! command -v swipl >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing swi-prolog-nox, the oracle for the prover"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq swi-prolog-nox >/dev/null
    else
        echo "swipl is missing: tests against the Prolog oracle are skipped; install the package swi-prolog-nox" >&2
    fi
fi
if ! command -v verilator >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing verilator, the simulator of exported hardware"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends verilator g++ make >/dev/null
    else
        echo "verilator is missing: tests that simulate hardware are skipped; install the package verilator" >&2
    fi
fi

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
# Examples are not built again: clippy has looked at them.
cargo test --workspace --quiet --tests
cargo test --workspace --quiet --doc

# The Python package with its core tests; python/test.sh alone runs all of them.
GAMEGROVE_BUILT=yes python/test.sh --core

# The page in a real browser, served by the program that the tests above have built. Packages are installed
# below target, never beside the sources.
if ! command -v npm >/dev/null; then
    echo "npm is missing: tests of the page are skipped; install Node.js 20.19 or newer" >&2
    exit 0
fi
if ! command -v chromium >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing chromium, the browser that tries the page"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
    else
        echo "chromium is missing: tests of the page are skipped; install the package chromium" >&2
        exit 0
    fi
fi
target="${CARGO_TARGET_DIR:-$PWD/target}"
mkdir -p "$target/page"
cp -r web/. "$target/page/"
if ! (cd "$target/page" && npm ci --include=dev --loglevel=error >/dev/null && cd e2e && npm ci --loglevel=error >/dev/null); then
    echo "the packages of the page cannot be installed: its tests are skipped" >&2
    exit 0
fi
(cd "$target/page" && npm run --silent check)
(cd "$target/page/e2e" && GROVE="$target/debug/grove" npm run --silent test)
