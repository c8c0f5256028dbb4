"""The game in the terminal: whole games by typed lines, some of them through a real terminal."""

import contextlib
import io
import os
import random
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO, cast

import pyte
import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from game.engine.actions import Ask
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.features.terminal.app import Terminal as Game
from game.features.terminal.commands import Verb, load, moves, parse_command
from game.management import streams
from game.management.screen import Look
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match, unseal_match
from game.web.forms import Refused, parse_setup
from tests.support import in_both_languages
from tests.support.bad_input import FUZZED, TYPED, is_plain
from tests.support.device import Device
from tests.support.features import brought
from tests.support.matches import deployed, ended, opening, played
from tests.support.served import environment
from tests.support.terminals import PATIENCE, Terminal, terminal

TOKEN = re.compile(r"^[A-Za-z0-9_-]{60,}$", re.MULTILINE)
EACH_PRESET = pytest.mark.parametrize("preset", ["ask", "salvo"])


def typed(game: SavedMatch | Draft, lines: str = "", **options: Any) -> tuple[str, Any]:
    """What is printed while lines are typed, which `|` separates, and the game that it came to."""
    out, entered = io.StringIO(), io.StringIO(lines.replace("|", "\n") + "\n" * bool(lines))
    played = Game(game, entered, out, **options)
    played.play()
    return out.getvalue(), played.game


def see(text: str, *sentences: str) -> None:
    """Asserts that a text says these sentences, however it breaks its lines."""
    assert [one for one in sentences if one not in " ".join(text.split())] == []


def draft(preset: str = "bonn", **fields: str) -> Draft:
    return Draft(parse_setup(PRESETS[preset], {"opponent": "random", **fields}))


def shared(*, seeds: tuple[int, int] = (1, 2)) -> SavedMatch:
    """A match between Anna and Ben, whose fleets come from two seeds."""
    first, second = (deployed(seed=bytes([seed] * 16)).match.fleets for seed in seeds)
    setup = Setup(BONN, (None, None), person_names=("Anna", "Ben"))
    return SavedMatch(setup, Match(BONN, (first[0], second[1]), bytes(16)))


class Hand:
    """Types random lines, all of them lawful, to the end of a match; then leaves."""

    terminal: Game
    before: Draft | SavedMatch | None = None

    def __init__(self, seed: str) -> None:
        self.choice = random.Random(seed).choice

    def readline(self) -> str:
        game = self.terminal.game
        if not self.terminal.is_open:
            return "\n"
        assert game is not self.before, "the last line was refused"
        self.before = game
        line = self.placing(game) if isinstance(game, Draft) else self.playing(game)
        return f"{line}\n" if line else ""

    def placing(self, game: Draft) -> str:
        if not game.missing:
            return self.choice(["start", "los"])
        chance = ["random", "zufall"]
        return self.choice(chance if game.placed else [*chance, f"c3v{game.in_hand}"])

    def playing(self, game: SavedMatch) -> str:
        seen = observe(game.match, game.viewer)
        if seen.outcome is not None:
            return ""
        if seen.may_ask and self.choice([True, False]):
            number = len(seen.asked)  # a rectangle each, so that no question is asked twice
            ask = f"ask a1 {'abcde'[number]}{number + 2}"
            return self.choice([ask, f"frage {number + 2}b a1"])
        steer = self.choice([None, *seen.steers]) if seen.may_move else None
        if steer is not None:
            cell = seen.board.name(self.choice(seen.ships[steer.ship].placement.cells))
            return f"m {cell.lower()} {steer.course.value}"
        name = seen.board.name(self.choice(seen.targets))
        return self.choice([name, name.lower(), f"fire {name}", f" {name[0]} {name[1:]}"])


def played_by_hand(seed: str, start: Draft) -> tuple[str, SavedMatch]:
    """What is printed while a hand plays a game to its end, and the match."""
    hand, out = Hand(seed), io.StringIO()
    hand.terminal = Game(start, cast("TextIO", hand), out)
    hand.terminal.play()
    game, text = hand.terminal.game, out.getvalue()
    assert isinstance(game, SavedMatch)
    assert game.match.outcome is not None
    assert unseal_match(TOKEN.findall(text)[-1]) == game
    return text, game


# --- whole games; placing ---


@pytest.mark.parametrize(("preset", "players"), [("ask", "1"), ("salvo", "2")])
def test_every_preset_is_played_to_its_end_by_lawful_lines(preset: str, players: str) -> None:
    text, _game = played_by_hand(f"{preset} {players}", draft(preset, players=players))
    assert "Type “again” for another round, or “replay" in text
    assert "\x1b" not in text


@EACH_PRESET
def test_every_preset_is_searched_alone_by_lawful_lines(preset: str) -> None:
    text, game = played_by_hand(f"{preset} alone", draft(preset, opponent="alone"))
    assert game.setup.is_solo
    assert game.par is not None
    assert game.par == replace(game, par=None).with_par(inf).par
    assert "Your waters" not in text
    assert "You search alone: nobody fires back." in text
    told = " ".join(text.rpartition("Enemy waters")[2].split())
    assert f"Par: {game.par.shots} shots" in told or "did not find them all" in told
    assert "Par is" not in text.rpartition("Enemy waters")[0]
    assert "Type “again” for another sea, or “replay" in told


def test_a_search_alone_is_given_up_watched_again_and_followed_by_another_sea() -> None:
    placed, seed = draft("milton", opponent="alone"), bytes(15) + b"\7"
    text, game = typed(placed, "help|b2|move 1 fore|resign|resign yes|replay||q", seed=seed)
    assert isinstance(game, SavedMatch)
    see(text, "Give up? Then the fleet is shown. Type: resign yes.", "Step 1 of", "They got away.")
    assert not re.search("move c4|Your waters", text)
    _text, other = typed(placed, "b2|resign yes|again", seed=seed)
    assert (other.match.ply, other.setup) == (0, game.setup)
    assert other.match.fleets != game.match.fleets
    _text, same = typed(placed, "b2", seed=seed)
    assert same.match.fleets == game.match.fleets


@pytest.mark.parametrize(
    ("lines", "ships"),
    [
        ("c4h5", "C4h5"), ("C4 H 5", "C4h5"), ("place c4h", "C4h5"), ("c4", "C4h5"),
        ("c4h5|c4v4", "C4h5"), ("c4h5|a1v4|turn c4|nimm a3", "C4v5"), ("c4h5|clear|c4v3", "C4v3"),
    ],
)  # fmt: skip
def test_ships_are_placed_turned_taken_back_and_begun_anew(lines: str, ships: str) -> None:
    text, game = typed(draft(), lines)
    assert " ".join(map(str, game.placed)) == ships
    see(text, "9 ships left to place.")


# --- refusals ---

NO_GAME = "That token holds no game: it is cut off, altered or from elsewhere."


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("xyzzy", "There is no command “xyzzy”. Type help."),
        ("в7", "Cells have Latin letters: type B7, for example."),
        ("z99", "That is not a cell of this board."),
        ("b7 b8", "There is no command “b7”. Type help."),
        ("m 99 up", "There is no such ship."),
        ("move", "Type a move like this: move c4 fore, or move c4 aft."),
        ("m 99 fore", "There is no such ship."),
        ("m 0 fore", "There is no such ship."),
        ("hints perhaps", "Type hints on or hints off."),
        ("random", "You can’t do that now. Type help."),
        ("again", "This match isn’t over yet."),
        ("load", NO_GAME),
        ("load /en/play/AAAA/", NO_GAME),
    ],
)
def test_a_line_that_is_none_gets_one_sentence_and_changes_nothing(
    line: str, sentence: str
) -> None:
    saved = opening()
    text, game = typed(saved, line)
    assert f"> {sentence}\n> " in text
    assert game is saved


@pytest.mark.parametrize(
    "line",
    ["\x1b[Ab2", "\x1bOAb2\x1b[D", "\x1b[1;5Cb2", "\x1b[200~b2\x1b[201~", "b\0\t2", "b3\x7f2",
     "\ufeffb2", "ｂ２", "b2\r", "\x9bAb2", "\x1b]0;x\x07b2"],
)  # fmt: skip
def test_keys_for_editing_and_what_is_not_seen_are_not_part_of_a_line(line: str) -> None:
    text, game = typed(opening(), f"\x1b[A|{line}")
    assert game.match.shots[0].cell == Cell(11)
    assert "There is no command" not in text


def test_ships_that_do_not_fit_and_a_start_without_a_whole_fleet_are_refused() -> None:
    text, _game = typed(draft(), "c4h5|c5h4|j9h4|a1v5|take j10|move 1 up|start")
    see(
        text,
        "> Cruiser at C5: Ships must not touch, not even at the corners.",
        "The ship would stick out over the edge.",
        "These are not the ships of this fleet.",
        "> There is no such ship. > You can’t do that while placing. > 9 ships left to place.",
    )


def test_a_question_is_typed_and_its_answer_told_as_long_as_the_match_goes_on() -> None:
    saved = opening(PRESETS["ask"].ruleset)
    text, game = typed(saved, "help|ask|ask a1 b2 c3|ask z9|ask b2 a1|frage d4|h8")
    (asked,) = game.match.questions
    assert (asked.side, asked.ask) == (Side.FIRST, Ask(Cell(0), Cell(9)))
    answer = "yes" if asked.is_yes else "no"
    see(
        text,
        "ask a1 d4: before you fire, ask whether a ship is in A1 to D4.",
        "That is not a cell of this board.",
        f"Is a ship in A1 to B2? {answer.capitalize()}. Now fire.",
        "You can ask only once before each shot. Now fire.",
    )
    assert text.count("Type a question like this: ask a1 d4, or ask b2.") == 2
    assert text.count(f"You: A1 to B2, {answer}. 4 questions left.") == 2
    see(typed(game, "resign yes")[0], "Questions 1 of 5.")
    text, same = typed(opening(), "help|ask a1 b2")
    assert "ask a1 d4" not in text
    see(text, "move c4 fore", "You have no questions left.")
    assert same.match.ply == 0
    assert not re.search("move c4 fore|forgets", typed(game, "help")[0])


# --- languages ---


@in_both_languages
def test_every_move_that_is_listed_can_be_typed_as_it_is_listed(language: str) -> None:
    saved = opening(number=3)
    with translation.override(language):
        listed = moves(observe(saved.match, Side.FIRST), saved.setup.cell_names)
        assert len(listed) > 3
        for line in listed:
            number, _place, courses = re.split(" |: ", line, maxsplit=2)
            for course in courses.split(", "):
                assert typed(saved, f"move {number} {course}")[1].match.ply > saved.match.ply


# --- looks; between terminal and browser ---


def screen_after(text: str, columns: int = 80, rows: int = 24) -> pyte.HistoryScreen:
    """Returns what a terminal of that size shows after a text and its codes."""
    screen = pyte.HistoryScreen(columns, rows)
    pyte.Stream(screen).feed(text.replace("\r\n", "\n").replace("\n", "\r\n"))
    return screen


COLOURS = Look("256", is_screen=True)


def shown(game: SavedMatch | Draft, lines: str = "", *, look: Look = COLOURS) -> Any:
    """The screen at the prompt after those lines."""
    text, _game = typed(game, lines, look=look)
    return screen_after(text.rpartition("> ")[0], *look.size())


def rows_of(screen: Any) -> list[str]:
    return [line.rstrip() for line in screen.display if line.strip()]


HINTED = """\
    Enemy waters                  Your waters
    A B C D E F G H I J           A B C D E F G H I J
  1 .-' --' - . . ' . .         1 o . ' 5 . ' # # . .
  2 . . x x . . . ' . '         2 4 . . 5 . . ' . ' .
  3 . - - --o-' . : . .         3 x>o ' 5 . ' . x : .
  4 . : :-' x - . . o .         4 4 . . 5 ' 2 . x . x
  5 - . --' x - - . - .         5 4 ' . 5 . x ' 3 : 3
  6 - x --: . --' x . o         6 . . . . . . . . : 3
  7-' x-' . : .-' . - '         7 . . ' o x . ' . ' .
  8 - - - - - . - ' . .         8 3 3 x . 4 .>x 2 . .
  9 . ' x . . x . . . .         9 . . . : 4 ' . . . x
 10 . - . ->o . - . . '        10 . . . '>x . . o . 2

    Battleship 55555              Battleship 55555
    Cruiser    4444 4444          Cruiser    4x44 x44x
    Destroyer  333 333 333        Destroyer  33x x33 xx3
    Submarine  22 22 22 22        Submarine  x2 2x ## x2
"""
NAMED = """
    Carrier    x5555           Carrier    xx5xx
    Battleship xxx4            Battleship 4444
    Cruiser    ###             Cruiser    x3x
    Submarine  xx3             Submarine  ###
    Destroyer  ##              Destroyer  ##
"""
SIGNS = (
    "The signs: . unknown, o water, : water at least 5 turns ago (a ship may have come since), "
    "' water at least 10 turns ago, x hit, # sunk, > the last shots, 2–5 a ship of that length."
)


def test_boards_and_fleets_say_what_is_known() -> None:
    text, _game = typed(played(opening(number=2), 50), "hints on")
    see(text, SIGNS)
    assert HINTED in re.sub(" +$", "", text, flags=re.MULTILINE)
    text, _game = typed(played(opening(PRESETS["milton"].ruleset, number=1), 60))
    assert NAMED in re.sub(" +$", "", text, flags=re.MULTILINE)


def test_hints_mark_cells_and_are_kept_in_the_token() -> None:
    saved = played(opening(number=2, rules=PRESETS["bonn-still"].ruleset), 20)
    text, game = typed(saved, "hints on")
    assert " - " in text
    assert unseal_match(TOKEN.findall(text)[-1]).setup.assists.hints
    after = typed(game, "tipps aus")[1].setup
    assert not after.assists.hints
    assert after.assists.used == ("hints",), "help that was used stays marked"


def test_a_game_moves_from_the_terminal_to_the_browser_and_back(client: Device) -> None:
    text, game = typed(opening(), "a1|save")
    address = re.findall(r"^/en/play/\S+$", text, re.MULTILINE)[0]
    html = client.get(address)
    assert html.cells("enemy")["A1"] == "water"
    assert "A1, water" in html.says
    answer = client.post(address, {"cell": "J10"})
    text, game = typed(draft(), f"load http://localhost{answer.location}")
    assert game == unseal_match(answer.location.split("/")[3])
    assert game.match.ply > 2
    assert "J10, water" in text


# --- two at one terminal; character sets; the end of the lines ---


def test_between_two_players_nothing_of_the_others_is_ever_printed() -> None:
    """Anna's screens are the same whatever Ben's fleet is, and his whatever hers is."""
    lines = "|help|hints on|boards|a1|boards|help||a1"

    def screens(seeds: Any) -> Any:
        text, game = typed(shared(seeds=seeds), lines)
        assert game.match.turn == 2
        parts = TOKEN.sub("", text).split("\n" * 80)
        assert len(parts) == 4
        return parts

    annas, bens = screens((1, 2)), screens((1, 3))
    assert annas[1] == bens[1]
    assert annas[2] != bens[2], "the fleets don't differ: nothing was shown"
    assert annas[2].startswith("Anna: A1, water.\nBen, it is your turn.\n")
    hers = screens((4, 2))
    assert annas[2] == hers[2]
    assert annas[1] != hers[1]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp850", "utf-8"])
def test_a_character_set_that_lacks_our_signs_gets_others(encoding: str) -> None:
    out = io.BytesIO()
    with translation.override("de"):
        written = io.TextIOWrapper(out, encoding, streams.ERRORS)
        lines = io.StringIO("zufall\nlos\nhilfe\nxyz\nb2\nraetsel\n")
        Game(draft(), lines, written).play()
    text = out.getvalue().decode(encoding)
    assert "?" not in text.replace("Schiff?", "")
    see(text, "Befehl " + ("„xyz“" if encoding in ("utf-8", "cp1252") else '"xyz"'))
    see(text, "2-5 ein Schiff" if encoding in ("ascii", "latin-1", "cp850") else "2–5 ein Schiff")
    fleet = re.findall(r"^ {4}(?:Kreuzer|Zerst).*", text, re.MULTILINE)
    assert len({re.search("[34]", line).start() for line in fleet[:2]}) == 1, "in one column"
    assert ("Zerstörer" in text) == (encoding != "ascii")


def test_control_c_ends_a_game_with_its_token() -> None:
    lines, out = ["a1\n"], io.StringIO()

    def readline() -> str:
        if lines:
            return lines.pop()
        raise KeyboardInterrupt

    game = Game(opening(), cast("TextIO", SimpleNamespace(readline=readline)), out)
    game.play()
    assert game.game != opening()
    assert unseal_match(TOKEN.findall(out.getvalue())[-1]) == game.game


# --- a real terminal; giving up ---


@contextlib.contextmanager
def played_in_terminal(*words: str, **more: str) -> Iterator[Terminal]:
    """The command in a terminal of its own."""
    decides = ("COLUMNS", "LINES", "NO_COLOR", "COLORTERM")
    kept = {name: text for name, text in os.environ.items() if name not in decides}
    kept |= {"TERM": "xterm", "LANG": "C.UTF-8"} | more
    with terminal([sys.executable, "manage.py", "play", *words], kept) as game:
        yield game


def redrawn(game: Terminal, columns: int) -> str:
    """What a smaller window shows; resized on, for Python may lose the signal before it waits."""
    for rows in range(60, 60 + PATIENCE // 5):
        game.resize(columns, rows)
        if select.select([game.master], [], [], 5)[0]:
            break
    return game.read()


def test_a_match_in_a_terminal_with_colour_is_redrawn_and_ends_by_control_d() -> None:
    with played_in_terminal("--opponent", "random") as game:
        assert "Place your fleet" in game.text
        game.type("random")
        game.type("start")
        assert screen_after(game.type("boards")).buffer[2][4].bg == "blue"
        drawn = rows_of(screen_after(redrawn(game, 40), 40, 60))
        assert re.match(r" +Enemy waters\s+A B", "\n".join(drawn))
        os.write(game.master, b"\x04")
        last = game.read()
        assert TOKEN.search(last)
        assert "\n/en/play/" in last
        assert game.process.wait(PATIENCE) == 0  # on a busy machine it takes its time


@pytest.mark.deep
def test_a_match_that_is_cut_off_goes_on_from_its_last_shot(tmp_path: Path) -> None:
    kept = environment(data=str(tmp_path))
    with played_in_terminal("--no-color", **kept) as game:
        for line in ("random", "start", "b2"):
            said = game.type(line)
        assert "/en/play/" in game.text, "printed before the first shot"
        assert "/en/play/" not in said
        os.close(game.master)  # as when the window is closed
        game.master = os.open(os.devnull, os.O_RDONLY)
        assert game.process.wait(PATIENCE)
    with played_in_terminal("--no-color", **kept) as game:
        see(game.text, "Your last match was cut off.")
        [token] = re.findall("/en/play/([^/]+)/", game.text)
        assert unseal_match(token).match.shots  # one, if it was a hit
        game.type(f"load {token}")
        game.process.send_signal(signal.SIGTERM)
        assert TOKEN.search(game.read())
        assert game.process.wait(PATIENCE) == 128 + signal.SIGTERM


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What `play` prints to lines that are piped into it."""

    def say(*words: str, lines: str = "", lang: str | None = "en") -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        call_command("play", *words, lang=lang)
        return capsys.readouterr().out

    return say


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--opponent", "nobody"], "„nobody“ gibt es für --opponent nicht. Es gibt: "),
        (["--preset", "chess"], "„chess“ gibt es für --preset nicht. Es gibt: bonn, "),
        (["--alone", "--opponent", "sailor"], "--alone geht nur ohne Gegner und ohne zweiten Sp"),
        (["no-token"], "In diesem Token steckt keine Partie"),
    ],
)
def test_bad_options_and_tokens_get_one_sentence(
    words: list[str], sentence: str, told: Callable[..., str]
) -> None:
    with pytest.raises(CommandError, match=sentence):
        told(*words, lang="de")


@pytest.mark.parametrize(
    "sample", [sample for found in brought("TERMINAL").values() for sample in found]
)
def test_what_features_load_is_played(
    told: Callable[..., str], sample: Callable[[], tuple[str, str, list[str]]]
) -> None:
    where, lines, says = sample()
    see(told(f"https://play.example.org{where}", lines=lines), *says)


@pytest.mark.parametrize(
    ("language", "lines", "says"),
    [
        ("en", "resign|resign yes", ("Type: resign yes.", "You gave up.",
         "This match is over.", "You: gave up")),
        ("de", "aufgeben|aufgeben ja", ("Gib ein: aufgeben ja.", "Du hast aufgegeben.",
         "Diese Partie ist vorbei.", "Du: aufgegeben")),
    ],
)  # fmt: skip
def test_a_match_is_given_up_after_one_question(
    language: str, lines: str, says: tuple[str, ...]
) -> None:
    with translation.override(language):
        text, game = typed(opening(), f"{lines}|resign yes|recap|1||q")
    assert game.match.resigned is Side.FIRST
    see(text, *says)


# --- a computer that learns; bad input ---


@pytest.mark.fuzz
@FUZZED
@given(st.lists(TYPED, max_size=8), st.integers(0, 3))
def test_whatever_is_typed_is_answered_in_sentences(lines: list[str], number: int) -> None:
    drafts = [Draft(parse_setup(PRESETS[name], {})) for name in ("bonn", "cmu")]
    games: list[Draft | SavedMatch] = [*drafts, opening(), ended(replace(BONN, turns=4))]
    text, _game = typed(games[number], "".join(f"{line}\n" for line in lines))
    assert is_plain(text)
    assert TOKEN.search(text), "it ends with the token"


@pytest.mark.parametrize("spoil", ["{}).", "<{}>", "“{}”", "[x]({})", "{}&gt; see you", " {}\n"])
def test_a_pasted_address_is_repaired_as_an_opened_one_is(spoil: str) -> None:
    token = seal_match(opening())
    for language in ("en", "DE", "fr"):
        pasted = spoil.format(f"https://play.example/{language}/play/{token[:70]}=\n{token[70:]}/")
        command = parse_command(pasted, opening().setup.cell_names)
        assert (command.verb, load(command.rest)) == (Verb.LOAD, opening())
    with pytest.raises(Refused):
        load(spoil.format(token[:-4]))
