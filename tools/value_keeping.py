#!/usr/bin/env python3
"""How often an agent's move keeps the exact value of a connect-four position.

    tools/value_keeping.py AGENT --processor 100ms [--grove target/release/grove] [--seed 1] [--positions FILE]

Every position of the file is searched anew with `grove search`. A line of the file holds the drops that lead to a
position, a bar, and the columns that keep its value; tools/connect_four_problems.txt was made by
`cargo run --release -p gamegrove-inspect --example connect_four_problems -- 10 1`. Printed are the share of moves
that keep the value with its 95 % interval (Wilson's), for all positions and by their stones.
"""

import argparse
import json
import math
import pathlib
import subprocess


def wilson(kept: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, in percent."""
    z, share = 1.96, kept / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return 100 * (middle - half), 100 * (middle + half)


def keeps(args: argparse.Namespace, drops: str, keeping: str) -> bool:
    """Whether the agent plays one of the columns that keep the value."""
    moves = " ".join(f"(drop {column})" for column in drops)
    command = [args.grove, "search", "connect_four", "--agent", args.agent, "--moves", moves, "--json"]
    command += ["--seed", str(args.seed), "--processor" if args.processor else "--simulations"]
    command.append(args.processor or str(args.simulations))
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["best"].strip("()").split()[1] in keeping


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent")
    parser.add_argument("--processor", help="processor time for each move, as in `grove search`")
    parser.add_argument("--simulations", type=int, default=10_000, help="simulations instead of time")
    parser.add_argument("--grove", default="target/release/grove")
    parser.add_argument("--seed", type=int, default=1)
    here = pathlib.Path(__file__).parent
    parser.add_argument("--positions", type=pathlib.Path, default=here / "connect_four_problems.txt")
    args = parser.parse_args()
    by_stones: dict[int, list[bool]] = {}
    for line in args.positions.read_text().splitlines():
        drops, keeping = line.split(" | ")
        by_stones.setdefault(len(drops), []).append(keeps(args, drops, keeping))
    for stones, kept in sorted(by_stones.items()):
        print(f"{stones} stones: {sum(kept)} of {len(kept)}")
    every = [kept for group in by_stones.values() for kept in group]
    low, high = wilson(sum(every), len(every))
    print(f"{args.agent}: {100 * sum(every) / len(every):.1f} % of {len(every)} [{low:.1f}, {high:.1f}]")


if __name__ == "__main__":
    main()
