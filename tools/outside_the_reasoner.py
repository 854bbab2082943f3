#!/usr/bin/env python3
"""How much of a plain search's time is spent outside the reasoner (docs/search.md).

    cargo build --release -p gamegrove-search --example own_cost
    tools/outside_the_reasoner.py SIMULATIONS ROUNDS [GAME.kif] [--lines]

Samples a run of the example `own_cost` with `perf` and counts each sample to the crate whose source line it
belongs to; inlined functions count where they were written. The network reasoner has `crates/propnet`, and the
pick of a move from its bits (`move_set.rs`). The system and libc count as outside. With --lines the lines that
cost the most are shown. Needs `perf`, `nm` and `addr2line`.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/examples/own_cost"
SAMPLE = re.compile(r"\s*[0-9a-f]+\s+(\S+)\+0x([0-9a-f]+)\s+\((.*)\)")
LINE = re.compile(r"crates/(\w+)/src/(.*?):(\d+|\?)")


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def addresses(data):
    """Samples by address in the program, and how many were elsewhere."""
    places = {}
    for line in output("nm", str(PROGRAM)).splitlines():
        words = line.split()
        if len(words) == 3:
            places.setdefault(words[2], int(words[0], 16))
    inside, symbols, outside = collections.Counter(), {}, 0
    for line in output("perf", "script", "-i", data, "--no-demangle", "-F", "ip,sym,symoff,dso").splitlines():
        found = SAMPLE.match(line)
        if found and found[1] in places and found[3].endswith(PROGRAM.name):
            address = places[found[1]] + int(found[2], 16)
            inside[address] += 1
            symbols[address] = found[1]
        else:
            outside += 1
    return inside, symbols, outside


def frames(all_addresses):
    """The source lines of each address, the innermost first."""
    text = "\n".join(hex(address) for address in all_addresses)
    found, here = {}, None
    for line in output("addr2line", "-e", str(PROGRAM), "-i", "-a", text=text).splitlines():
        if line.startswith("0x"):
            here = found.setdefault(int(line, 16), [])
        else:
            here.append(line)
    return found


def owner(lines, symbol):
    """The crate and the line that a sample counts for."""
    known = [found.groups() for found in map(LINE.search, lines) if found]
    if not known:
        crate = next((name for name in ("propnet", "gdl") if f"gamegrove_{name}" in symbol), "search")
        return crate, symbol[:60]
    if known[0][0] == "game":
        picks = any("move_set" in file for _, file, _ in known)
        return ("propnet" if picks else "search"), ":".join(known[0][1:])
    return known[0][0], ":".join(known[0][1:])


def main():
    words = [word for word in sys.argv[1:] if word != "--lines"]
    if len(words) not in (2, 3):
        sys.exit(__doc__)
    game = words[2] if len(words) == 3 else str(ROOT / "games/gdl/connect_four.kif")
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        record = ["perf", "record", "-e", "cpu-clock", "-F", "10000", "-o", data]
        print(output(*record, str(PROGRAM), "uct", words[0], words[1], game).strip())
        inside, symbols, outside = addresses(data)
    crates, lines = collections.Counter(), collections.Counter()
    where = frames(inside)
    for address, count in inside.items():
        crate, line = owner(where.get(address, []), symbols[address])
        # Reading the rules is no part of the search.
        if crate != "gdl":
            crates[crate] += count
            lines[crate, line] += count
    total = sum(crates.values()) + outside
    if total == 0:
        sys.exit("no samples: give it more simulations or rounds")
    print(f"{total} samples, {100 * (1 - crates['propnet'] / total):.1f} % outside the reasoner")
    if "--lines" in sys.argv:
        for (crate, line), count in lines.most_common(60):
            if crate != "propnet":
                print(f"{100 * count / total:6.1f} %  {line}")


if __name__ == "__main__":
    main()
