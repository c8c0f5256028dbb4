"""The command `play` for the tests of all commands, documents and languages."""

COMMANDS = [("play --seed 1 --lang de", "random\nstart\nb7\n", "Schiffe")]
"""Commands that every platform and the wheel have: what is typed, and what they say."""
CLOSED = [("play", "<&-", 0), ("play", "</dev/null >/dev/full", 1)]
"""Commands with streams that are closed or full, and how they end."""
