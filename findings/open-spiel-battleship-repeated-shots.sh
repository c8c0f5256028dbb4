#!/bin/sh
# In OpenSpiel's battleship a cell may be fired at again, unless a parameter forbids it. A repeated shot is used up, and
# is answered again: H before its ship has sunk, and afterwards S, for each of its cells. A program that counts the S
# counts more ships than there are.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check open_spiel==2.0.2
cd "$folder"
bin/python - <<'END'
import re
from importlib.metadata import version

import pyspiel

NAME = "battleship(board_width=4,board_height=3,ship_sizes=[2;3],ship_values=[1;1],num_shots=5)"
state = pyspiel.load_game(NAME).new_initial_state()


def act(words):
    player = state.current_player()
    state.apply_action(next(it for it in state.legal_actions() if state.action_to_string(player, it).endswith(words)))


for row in (0, 1):
    for _side in range(2):
        act(f"horizontally with top-left corner in ({row}, 0)")
for cell in ("(0, 0)", "(0, 0)", "(0, 1)", "(0, 0)", "(0, 1)"):
    act(f"shoot at {cell}")
    act("shoot at (2, 3)")
told = re.findall(r"/(shot_[0-9_]+:[A-Z])", state.information_state_string(0))
print("open_spiel", version("open_spiel"))
print(*told)
assert told == ["shot_0_0:H", "shot_0_0:H", "shot_0_1:S", "shot_0_0:S", "shot_0_1:S"]
END
