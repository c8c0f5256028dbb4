"""A mind by its name, for what only now and then needs one."""

from game.players.mind import Mind


def mind_of(name: str) -> Mind:
    """The mind of that name; the first call loads NumPy, which takes longer than a page."""
    from game.players.minds import MINDS

    return MINDS[name]
