"""Three copies of the site, of two versions, and all keys that they were ever given."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from django.test import override_settings

from game.matches.keyring import kid_of
from game.matches.tokens import seal_match
from game.ops import secrets
from tests.cluster.copies import ROOT, Copy, free_port
from tests.support.browser_matches import begun
from tests.support.served import wait_until


class Cluster:
    """Three copies, the proxy, and every key there ever was."""

    def __init__(self, home: Path, older: Path, store: str = "") -> None:
        self.metrics = free_port()
        self.home = home
        self.copies = [
            Copy("a", ROOT, home, f"127.0.0.1:{self.metrics}", store),
            Copy("b", ROOT, home, store=store),
            Copy("old", older, home, store=store),
        ]
        self.found = secrets.make()
        self.numbers = count()
        self.tokens: dict[str, str] = {}
        """A token of each key there ever was, by its root."""
        self.note(self.found["keys"][0])
        for copy in self.copies:
            secrets.write(copy.secrets, self.found)
        self.port = 0

    def note(self, key: dict[str, str]) -> None:
        """Seals a match with a new key."""
        with override_settings(SECRETS_FILE=self.secrets_of(key["root"])):
            self.tokens[key["root"]] = seal_match(begun())

    def secrets_of(self, *roots: str) -> Path:
        """A file of secrets with these keys, the first of them in use."""
        path = self.home / f"keys-{next(self.numbers)}.json"  # each file is read once
        states = ["use"] + ["accept"] * (len(roots) - 1)
        keys = [{"root": r, "state": state} for r, state in zip(roots, states, strict=True)]
        secrets.write(path, {**self.found, "keys": keys})
        return path

    def rotate(self, phase: str) -> None:
        """One phase of a rotation, copy by copy."""
        keys = self.found["keys"]
        if phase == "add":
            keys.append(secrets.make_key("accept"))
            self.note(keys[-1])
        elif phase == "use":
            keys[0]["state"], keys[1]["state"] = "accept", "use"
        else:
            keys.pop(0)
        for copy in self.copies:
            self.give_keys(copy)

    def give_keys(self, copy: Copy) -> None:
        """Hands the keys there are now to a copy, and waits until it has read them."""
        secrets.write(copy.secrets, self.found)
        wait_until(lambda: self.has_read(copy), lambda: f"{copy.name} goes on with its old keys")

    def has_read(self, copy: Copy) -> bool:
        """Whether a copy seals and opens with the keys that there are now, and with no others."""
        [used] = [kid_of(key) for key in self.found["keys"] if key["state"] == "use"]
        roots = {key["root"] for key in self.found["keys"]}
        return copy.seals_with() == used and all(
            copy.opens(token) is (root in roots) for root, token in self.tokens.items()
        )

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in self.home.glob("*.log"))
