"""Battleship as an environment of PettingZoo (pip install pettingzoo), by the rules of the engine.

    env = Battleship()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Both fleets are placed at random. An action is a cell, row by row from A1. `observation` has three
planes of the board: what is known of the enemy's waters (0 unknown, 1 water, 2 hit, 3 sunk), what
the enemy knows of the own waters, and the own ships. The winner's reward is 1, the loser's -1.
"""

import secrets

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import complete
from game.engine.match import Match
from game.engine.observation import Known, observe
from game.engine.presets import FIVE_TOUCHING
from game.engine.rules import Ruleset, Side


class Battleship(AECEnv):
    metadata = {"name": "battleship_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, rules: Ruleset = FIVE_TOUCHING) -> None:
        self.rules, self.render_mode = rules, None
        self.possible_agents = ["first", "second"]
        planes = Box(0, 3, (3, rules.rows, rules.columns), np.int8)
        mask = Box(0, 1, (rules.board.size,), np.int8)
        seen, cells = Dict({"observation": planes, "action_mask": mask}), Discrete(rules.board.size)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, cells)

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        drawn = secrets.randbits(8 * SEED_BYTES) if seed is None else seed
        chosen = drawn.to_bytes(SEED_BYTES, "big")
        fleets = [complete(self.rules, (), Chance(chosen, side.name, 0)) for side in Side]
        self.match = Match(self.rules, (fleets[0], fleets[1]), chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.match.side]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = observe(self.match, Side(self.possible_agents.index(agent)))
        planes = np.zeros((3, self.rules.board.size), np.int8)
        for plane, marks in zip(planes, (seen.marks, seen.incoming_marks), strict=False):
            for cell, mark in marks.items():
                plane[cell] = list(Known).index(mark.known)
        planes[2, [cell for ship in seen.ships for cell in ship.placement.cells]] = 1
        mask = np.zeros(self.rules.board.size, np.int8)
        mask[list(seen.targets)] = seen.is_to_act
        board = (3, self.rules.rows, self.rules.columns)
        return {"observation": planes.reshape(board), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.match = self.match.fire(int(action))
        if outcome := self.match.outcome:
            if outcome.winner is not None:
                self.rewards = {it: 1 if it == agent else -1 for it in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.match.side]
        self._accumulate_rewards()
