"""The measurements of `python -m bench`: what each prints, and how it shows its progress."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from bench.__main__ import COMMANDS, main, parser_of
from bench.clock import calls_of
from bench.matches import begun, patiently, played
from bench.requests import expensive_requests
from game.engine.chance import SEED_BYTES, Chance
from game.engine.presets import PRESETS
from game.matches.setup import Setup
from game.players.minds import MINDS
from tests.support.served import collect_static

MOST_CALLS = 40_000
"""Calls for one action of a mind; `python -m bench worst` measures whole replies."""

pytestmark = pytest.mark.django_db
Print = Callable[[str], str]


@pytest.fixture(name="printed")
def _printed(capsys: pytest.CaptureFixture[str]) -> Print:
    def printed(words: str) -> str:
        main(words.split())
        return capsys.readouterr().out

    return printed


@pytest.fixture(name="static")
def _static() -> None:
    collect_static()


def refusal(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as refused:
        main(words.split())
    assert refused.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


# --- the commands ---


@pytest.mark.parametrize(("words", "status"), [([], 0), (["speed"], 2)])
def test_without_a_name_or_with_a_wrong_one_all_commands_are_listed(
    words: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == status
    listed = re.findall(r"^  (\w+) +\w+", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(COMMANDS)
    assert all(parser_of(name).format_help() for name in COMMANDS)


# --- what a click costs; what a process and a server cost; what the minds need ---


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_an_action_of_a_mind_takes_no_more_than_so_many_calls(mind: str, preset: str) -> None:
    saved = begun(Setup(PRESETS[preset].ruleset, (None, mind)))
    for before in islice(played(saved, "patient"), 6):
        action = patiently(before.match, Chance(bytes(SEED_BYTES), "patient", 0))
        after = replace(before, match=before.match.act(action))
        actions = after.with_minds_played().match.ply - after.match.ply
        assert calls_of(after.with_minds_played) <= MOST_CALLS * max(1, actions)


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLPattern):
            yield str(one.name)
        else:
            yield from names(one.url_patterns)


OF_ROWS = {"duel", "invite", "any_invite", "keep"}
"""The addresses of rows in a database, which `bench duel` measures."""


def test_every_address_of_the_site_is_among_the_requests() -> None:
    requested = {one.name for one in expensive_requests()}
    assert requested == set(names(get_resolver().url_patterns)) - OF_ROWS


def test_calls_and_milliseconds_of_a_request_are_given_in_shots(printed: Print) -> None:
    shot, _heads, *lines = printed("worst --only rules site_card").splitlines()
    calls = int(shot.split(": ")[1].split()[0])
    assert calls > 1000
    assert {line.split()[0] for line in lines} == {"rules", "site_card"}
    for line in lines:
        *_request, answers, counted, shots, _ms, _shots, status = line.split()
        assert (answers, status) == ("1", "200")
        assert abs(int(counted) / calls - float(shots)) < 0.06


@pytest.mark.usefixtures("static")
def test_every_kind_of_click_is_measured_against_a_health_check(printed: Print) -> None:
    told = printed("shot --shots 40")
    for kind in ("bonn shot", "bonn move", "milton shot"):
        cost, wait = re.findall(rf"^{kind} (.*)$", told, re.MULTILINE)
        _clicks, _ms, checks, median, _, most = map(float, cost.split())
        assert checks > 1
        assert 3000 < median <= most < 9000
        usual, late, times = map(float, wait.split())
        assert late >= usual > 0
        assert times == pytest.approx(late / usual, rel=0.1)


def test_selfplay_prints_the_shots_or_the_wins(printed: Print) -> None:
    heads, row = printed("selfplay --solo --players bonn-easy --games 3").splitlines()
    assert heads.split()[:3] == ["mind", "games", "shots"]
    assert re.match(r"bonn-easy +3 +\d\d\.\d\d ± \d+\.\d\d ", row)
    heads, row = printed("selfplay --players bonn-easy random --games 2").splitlines()
    assert heads.split()[2:6] == ["games", "won", "drawn", "lost"]
    games, won, drawn, lost = map(int, row.split()[2:6])
    assert games == won + drawn + lost == 2
    assert f"{won / 2 + drawn / 4:.3f} ±" in row


# --- the document of figures ---


def test_a_figure_is_measured_again_below_its_command(
    printed: Print, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "figures.md"
    command = f"{sys.executable} -m bench"
    before, after = "Text.\n\n    echo 2  # measured 2026-01-01\n    old\n\n", "\nText.\n"
    block = f"    {command}  # measured never\n"
    document.write_text(f"{before}{block}{after}")
    printed(f"figures --file {document} --only bench")
    text = document.read_text()
    assert text.startswith(before)
    assert text.endswith(f"\n{after}")
    (day, shown) = re.findall(rf"{re.escape(command)}  # measured (\S+)\n((?: .*\n)+)", text)[0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", day)
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "no measurement there" in refusal(f"figures --file {document} --only sea", capsys)
