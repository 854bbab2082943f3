#!/usr/bin/env bash
# Runs the tests.
#
#   ./test.sh            everything that must pass before a change lands: format, lints, unit and integration tests,
#                        the Python package, the page in a browser
#   ./test.sh --quick    format, lints and unit tests
#   ./test.sh --nightly  everything, with the slow tests (those that are marked `ignore`) and all extras of the
#                        Python package
#
# Needs the Rust toolchain. Other tools are installed where that is possible (as root, with apt-get); the tests of
# tools that are missing are skipped. The last line says how many tests passed, failed and were skipped.
set -euo pipefail
cd "$(dirname "$0")"

mode="${1:-all}"
case "$mode" in
    all | --quick | --nightly) ;;
    *)
        echo "usage: ./test.sh [--quick | --nightly]" >&2
        exit 2
        ;;
esac
if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install the Rust toolchain (rustup or your system's package 'cargo')" >&2
    exit 1
fi

target="${CARGO_TARGET_DIR:-$PWD/target}"
mkdir -p "$target"
log="$target/tests.log"
# Tests that lack data or a tool add a line with the reason to this file.
export GAMEGROVE_SKIPPED="$target/skipped.txt"
: >"$log"
: >"$GAMEGROVE_SKIPPED"

# skip REASON: notes that a group of tests is skipped.
skip() {
    echo "$*" >>"$GAMEGROVE_SKIPPED"
    echo "skipped: $*" >&2
}

# The sum of the numbers that a sed expression finds in the log.
total() {
    sed -nE "$1" "$log" | awk '{ sum += $1 } END { print sum + 0 }'
}

summary() {
    local status=$? passed failed
    passed="$(total 's/^test result: .* ([0-9]+) passed;.*/\1/p; s/^(# |ℹ )pass ([0-9]+).*/\2/p; s/^(.*, )?([0-9]+) passed.* in [0-9.]+s.*/\2/p')"
    failed="$(total 's/^test result: .* ([0-9]+) failed;.*/\1/p; s/^(# |ℹ )fail ([0-9]+).*/\2/p; s/^(.*, )?([0-9]+) failed.* in [0-9.]+s.*/\2/p')"
    if [ -s "$GAMEGROVE_SKIPPED" ]; then
        echo "Skipped, with the number of tests or groups of tests:"
        sort "$GAMEGROVE_SKIPPED" | uniq -c
    fi
    if [ "$status" != 0 ]; then
        echo "A step failed with exit code $status; see above."
        [ "$failed" != 0 ] || failed=1
    fi
    echo "$passed passed, $failed failed, $(($(wc -l <"$GAMEGROVE_SKIPPED"))) skipped"
}
trap summary EXIT

# What is missing and for which tests: command, purpose, packages.
tools=(
    "swipl|tests against the Prolog oracle|swi-prolog-nox"
    "verilator|tests that simulate hardware|verilator g++ make"
    "parallel|tests of the lines for GNU parallel|parallel"
    "chromium|tests of the page in a browser|chromium fonts-dejavu-core"
)
packages=()
if [ "$mode" != --quick ]; then
    for tool in "${tools[@]}"; do
        IFS='|' read -r command purpose needed <<<"$tool"
        command -v "$command" >/dev/null && continue
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "will install $needed: $purpose"
            read -ra needed <<<"$needed"
            packages+=("${needed[@]}")
        else
            skip "$purpose: $command is missing; install $needed"
        fi
    done
fi
if [ ${#packages[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
case "$mode" in
    --quick)
        cargo test --workspace --quiet --lib --bins 2>&1 | tee -a "$log"
        exit 0
        ;;
    # Examples are not built again: clippy has checked them.
    all) cargo test --workspace --quiet --tests 2>&1 | tee -a "$log" ;;
    --nightly) cargo test --workspace --quiet --tests -- --include-ignored 2>&1 | tee -a "$log" ;;
esac
cargo test --workspace --quiet --doc 2>&1 | tee -a "$log"

# The Python package: the core tests use the extension that the tests above have built.
case "$mode" in
    all) GAMEGROVE_BUILT=yes python/test.sh --core 2>&1 | tee -a "$log" ;;
    --nightly) python/test.sh 2>&1 | tee -a "$log" ;;
esac

# The page in a real browser, served by the program that the tests above have built. Packages are installed
# below target, never beside the sources.
if ! command -v npm >/dev/null; then
    skip "tests of the page: npm is missing; install Node.js 20.19 or newer"
    exit 0
fi
command -v chromium >/dev/null || exit 0
mkdir -p "$target/page"
cp -r web/. "$target/page/"
if ! (cd "$target/page" && npm ci --include=dev --loglevel=error >/dev/null && cd e2e && npm ci --loglevel=error >/dev/null); then
    skip "tests of the page: its packages cannot be installed"
    exit 0
fi
(cd "$target/page" && npm run --silent check)
(cd "$target/page/e2e" && GROVE="$target/debug/grove" npm run --silent test) 2>&1 | tee -a "$log"
