"""Ctrl-C ends whatever is going on, and the interpreter's lock is free while Rust works."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import gamegrove as gg

LONG = {
    "search": "gg.Agent('mcts').choose(game.initial_state(), seconds=60)",
    "play-outs": "game.playouts(90_000_000, seed=1)",
    "perft": "game.perft(20)",
    "match": "gg.play(game, ['mcts', 'mcts'], seconds=30)",
    "tournament": "gg.tournament(game, ['mcts', 'random'], runs=100000, simulations=200)",
    "python agent": "gg.play(game, ['random', lambda s, r: forever()], seconds=60)",
    "policy": "gg.Agent('mcts', playout=lambda *_: forever()).choose(game.initial_state(), seconds=60)",
}

PROGRAM = """
import time, sys
import gamegrove as gg
def forever():
    while True:
        pass
game = gg.Game("connect_four")
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    assert gg.Game("tic_tac_toe", reasoner="prover").perft(2)[0] == 72
    sys.exit(0)
sys.exit(1)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as Unix does")
@pytest.mark.parametrize("work", LONG.values(), ids=LONG.keys())
def test_ctrl_c_ends_long_work(work):
    program = PROGRAM.replace("{work}", work)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=50)
        assert output == "interrupted\n" and process.returncode == 0
    finally:
        process.kill()


def test_other_threads_go_on_while_a_search_runs(opened):
    state = opened("connect_four").initial_state()
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    gg.Agent("mcts").choose(state, seconds=0.5)
    done.set()
    thread.join()
    assert len(counted) > 20
