#!/usr/bin/env bash
# Tests the Python package: makes an environment below target, puts the package in it and runs its tests.
#
#   python/test.sh           everything: an optimised build by pip, Gymnasium, PettingZoo, OpenSpiel, Ray, notebooks
#   python/test.sh --core    with the extension that cargo has built for its own tests, without Ray, OpenSpiel
#                            and notebooks: what continuous integration runs
#
# More arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")"
target="${CARGO_TARGET_DIR:-$PWD/../target}"
core=false
if [ "${1:-}" = --core ]; then
    core=true
    shift
fi

python="${PYTHON:-python3}"
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "Python 3.10 or newer with venv is missing: tests of the Python package are skipped" >&2
    exit 0
fi
if $core; then
    place="$target/python-core"
    needs=(numpy pytest mypy gymnasium pettingzoo maturin)
else
    place="$target/python-all"
    needs=(numpy pytest mypy gymnasium pettingzoo maturin open_spiel ray nbclient nbformat ipykernel)
fi
[ -x "$place/bin/python" ] || "$python" -m venv "$place"
if ! "$place/bin/python" -m pip install --quiet --disable-pip-version-check "${needs[@]}"; then
    echo "the packages ${needs[*]} cannot be installed: tests of the Python package are skipped" >&2
    exit 0
fi

if $core; then
    # Tests of the whole workspace have just built it; with other packages chosen much would be built again.
    [ "${GAMEGROVE_BUILT:-}" = yes ] || cargo test --quiet -p gamegrove-python --no-run
    rm -rf "$place/package"
    mkdir -p "$place/package"
    cp -r gamegrove "$place/package/"
    built=
    for found in "$target"/debug/{,deps/}lib_gamegrove.{so,dylib}; do
        if [ -e "$found" ] && { [ -z "$built" ] || [ "$found" -nt "$built" ]; }; then
            built="$found"
        fi
    done
    if [ -z "$built" ]; then
        echo "the extension is not in $target/debug: \`cargo test -p gamegrove-python --no-run\` builds it" >&2
        exit 1
    fi
    cp "$built" "$place/package/gamegrove/_gamegrove.abi3.so"
    export PYTHONPATH="$place/package"
    set -- --ignore test_ray.py --ignore test_spiel.py --ignore test_notebooks.py "$@"
else
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check .
fi
# Tests that need the command `grove` take the one that was built last, and are skipped without one.
if [ -z "${GROVE:-}" ]; then
    for found in "$target"/{debug,release}/grove; do
        if [ -x "$found" ] && { [ -z "${GROVE:-}" ] || [ "$found" -nt "$GROVE" ]; }; then
            export GROVE="$found"
        fi
    done
fi
# From the tests' folder, so that the package is the one that was installed and not the sources.
cd tests
exec "$place/bin/python" -m pytest -c ../pyproject.toml --rootdir . -p no:cacheprovider "$@" .
