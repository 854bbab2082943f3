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

# have COMMAND WHAT-FOR PACKAGES...: installs packages where that is possible and the command is missing, and
# ends the run if it fails; elsewhere says what is skipped.
have() {
    local command="$1" purpose="$2"
    shift 2
    command -v "$command" >/dev/null && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing $*, for $purpose"
        apt-get update -qq || exit 1
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || exit 1
        return 0
    fi
    echo "$command is missing: $purpose are skipped; install $*" >&2
    return 1
}
have swipl "tests against the Prolog oracle" swi-prolog-nox || true
have verilator "tests that simulate hardware" verilator g++ make || true
# One test wants it; the run goes on without.
(have parallel "tests of the lines for GNU parallel" parallel) || true

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
have chromium "tests of the page in a browser" chromium fonts-dejavu-core || exit 0
target="${CARGO_TARGET_DIR:-$PWD/target}"
mkdir -p "$target/page"
cp -r web/. "$target/page/"
if ! (cd "$target/page" && npm ci --include=dev --loglevel=error >/dev/null && cd e2e && npm ci --loglevel=error >/dev/null); then
    echo "the packages of the page cannot be installed: its tests are skipped" >&2
    exit 0
fi
(cd "$target/page" && npm run --silent check)
(cd "$target/page/e2e" && GROVE="$target/debug/grove" npm run --silent test)
