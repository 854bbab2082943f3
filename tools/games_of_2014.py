#!/usr/bin/env python3
"""Turns the ten games that van Eeden (2015) played, as the public framework ships them since 2018, into those of 2014.

    tools/games_of_2014.py FROM TO
    grove experiment run van_eeden_2015_table_4_2 --profile counted --games TO

FROM is the framework's folder of grid games (NAME.txt, NAME_lvl0.txt ...); TO is made. Levels stay as they are.
What was different then: goats of Chase rested two ticks between moves; avatars turned and moved at once; characters
drew a new direction for every move; in Boulderdash and Survive Zombies diamonds and honey brought points even when
the bag was full; honey was collected and spent; in Frogs trucks cost two points, and a log kept dry for two ticks;
floors were not to be seen.
"""

import re
import sys
from pathlib import Path

# Game: what is replaced (a regular expression that must be found) and by what.
TURN = (r"ShootAvatar +stype", "ShootAvatar rotateInPlace=False stype")
NO_REPEAT = (r" cons=\d+", "")
NO_FLOOR = (r"floor > Immovable", "floor > Immovable hidden=True")
CHANGES = {
    "aliens": [],
    "boulderdash": [
        NO_REPEAT,
        TURN,
        (
            r"(?m)^(\s*)diamond avatar +> collectResource +scoreChange=2 *$",
            r"\1diamond avatar > collectResource scoreChange=2\n\1diamond avatar > killSprite scoreChange=2",
        ),
    ],
    "butterflies": [NO_REPEAT],
    "chase": [(r"goat > stype=avatar", "goat > stype=avatar cooldown=3")],
    "frogs": [
        (r"(?m)^( *)truck +>", r"\1safety > Resource limit=2\n\1truck  >"),
        (r"(?m)^.*shieldFrom.*\n", ""),
        (r"(?m)^( *)avatar log +> pullWithIt *\n", ""),
        (
            r"(?m)^( *)avatar truck water > killSprite *\n",
            r"\1avatar log > changeResource resource=safety value=2\n"
            r"\1avatar log > pullWithIt\n"
            r"\1avatar water > killIfHasLess resource=safety limit=0\n"
            r"\1avatar water > changeResource resource=safety value=-1\n"
            r"\1avatar truck > killSprite scoreChange=-2\n",
        ),
        (r"(?m)^( *[24] > forest\w+) log", r"\1 wall log"),
    ],
    "missilecommand": [NO_FLOOR, TURN],
    "portals": [
        NO_REPEAT,
        NO_FLOOR,
        (r"(?m)^( *avatar wall +> stepBack *\n)( *goal .*\n *avatar bullet .*\n)", r"\2\1"),
    ],
    "sokoban": [NO_FLOOR],
    "survivezombies": [
        NO_FLOOR,
        (r"honey +> Passive", "honey  > Resource limit=10"),
        (r" healthPoints=\d+ limitHealthPoints=\d+", ""),
        (
            r"(?m)^( *)avatar honey +> addHealthPoints.*\n",
            r"\1honey avatar > collectResource scoreChange=1\n\1honey avatar > killSprite scoreChange=1\n",
        ),
        (
            r"(?m)^( *)avatar zombie +> subtractHealthPoints.*\n *zombie avatar +> killSprite *\n",
            r"\1avatar zombie > killIfHasLess resource=honey limit=1 scoreChange=-1\n"
            r"\1avatar zombie > changeResource resource=honey value=-1\n"
            r"\1zombie avatar > killSprite scoreChange=1\n",
        ),
        (
            r"(?m)^( *)bee zombie +> transformTo.*\n",
            r"\1bee zombie > transformTo stype=honey\n\1zombie bee > killSprite\n",
        ),
    ],
    "zelda": [
        NO_REPEAT,
        TURN,
        (r"OrientedFlicker", "Flicker"),
        (r"(?m)^ *enemy enemy .*\n", ""),
    ],
}


def changed(name: str, text: str) -> str:
    """The rules of 2014 for those of 2018."""
    for pattern, replacement in CHANGES[name]:
        text, count = re.subn(pattern, replacement, text)
        if count == 0:
            raise SystemExit(f"{name}.txt: nothing matches {pattern!r}; are these the framework's files of 2018?")
    return text


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    for name in CHANGES:
        rules = source / f"{name}.txt"
        if not rules.is_file():
            raise SystemExit(f"{rules} is missing: the first folder holds the framework's grid games")
        (target / rules.name).write_text(changed(name, rules.read_text()))
        for level in sorted(source.glob(f"{name}_lvl*.txt")):
            (target / level.name).write_text(level.read_text())


if __name__ == "__main__":
    main()
