"""Fair play: the commitment, the replay of every decision, the record, and the command."""

import io
import re
from collections.abc import Callable
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.engine.actions import STAY, Action, Ask, Fire, IllegalAction
from game.engine.match import Match
from game.engine.notation import (
    NotNotation,
    action_text,
    fleet_text,
    parse_action,
    parse_fleet,
    parse_rules,
    rules_text,
)
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches import fairness
from game.matches.record import BadRecord, Record, read, write
from game.matches.tokens import seal_match
from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION
from tests.support.boards import SEED, play
from tests.support.matches import ended, fought, verified
from tests.support.model import play_out

SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), again=False, turns=24)
STILL = replace(SMALL, moving=False)
SALVO = replace(STILL, salvo=True)


def record(rules: Ruleset = SMALL, mind: str = "sailor", number: int = 1) -> Record:
    return Record(fought(rules, (None, mind), number), (None, mind))


# --- the commitment ---

STATEMENT = (
    "battleship-commitment-1|4x4 2-1 apart once still single 9 draw second"
    "|second recruit.1 C1v2 A4h1|seed 000102030405060708090a0b0c0d0e0f"
)
PINNED = parse_rules("4x4 2-1 apart once still single 9 draw second")


def pinned() -> Match:
    fleets = parse_fleet(PINNED, "A1h2 D4h1"), parse_fleet(PINNED, "C1v2 A4h1")
    return Match(PINNED, fleets, SEED)


def test_the_commitment_is_the_hash_of_one_line_that_anyone_can_hash() -> None:
    assert Record(pinned(), (None, "recruit"), minds_version=1).statement == STATEMENT
    hashed = sha256(STATEMENT.encode()).hexdigest()
    assert Record(pinned(), (None, "recruit"), minds_version=1).commitment == hashed
    assert re.fullmatch(r"[-.A-Za-z0-9 |]+", STATEMENT), "a shell must leave it as it is"


def test_another_seed_fleet_rule_or_mind_is_another_commitment() -> None:
    match = fought(SMALL, (None, "sailor"))
    others = [
        (replace(match, seed=bytes(16), actions=()), (None, "sailor")),
        (replace(match, fleets=match.fleets[::-1], actions=()), (None, "sailor")),
        (replace(match, ruleset=replace(SMALL, turns=23), actions=()), (None, "sailor")),
        (match, (None, "captain")),
        (match, ("sailor", None)),
        (match, ("sailor", "sailor")),
    ]
    found = {Record(one, minds).commitment for one, minds in others}
    assert len({*found, Record(match, (None, "sailor")).commitment}) == len(others) + 1


def test_a_persons_fleet_is_no_part_of_the_commitment_and_two_persons_have_none() -> None:
    assert Record(pinned(), (None, None)).statement is None
    assert Record(pinned(), (None, None)).commitment is None
    match = fought(SMALL, (None, "sailor"))
    other = replace(match, fleets=(match.fleets[1], match.fleets[1]), actions=())
    minds = (None, "sailor")
    assert Record(other, minds).commitment == Record(match, minds).commitment


# --- the replay ---


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize(("rules", "side"), [(SMALL, Side.SECOND), (SALVO, Side.FIRST)])
def test_every_mind_does_again_what_it_did(mind: str, rules: Ruleset, side: Side) -> None:
    minds = (mind, None) if side is Side.FIRST else (None, mind)
    match = fought(rules, minds)
    replay = fairness.replay(match, minds)
    assert replay.is_fair
    assert (replay.fleets[side], replay.fleets[side.opponent]) == (True, None)
    plies = [ply for ply, by in enumerate(match.sides) if by is side]
    assert [one.ply for one in replay.decisions] == plies


def altered(match: Match, ply: int) -> Match | None:
    """The match with another lawful action at a ply, if the rest of it can still follow."""
    stage = match.at(ply)
    options: list[Action] = [Fire(cell) for cell in match.ruleset.board.cells]
    options += [STAY, *stage.steers(stage.side)]
    for option in options:
        if option != match.actions[ply]:
            actions = (*match.actions[:ply], option, *match.actions[ply + 1 :])
            try:
                return replace(match, actions=actions)
            except IllegalAction:
                continue
    return None


@pytest.mark.parametrize("mind", ["recruit", "sailor", "captain", "admiral"])
def test_a_mind_asks_again_what_it_asked(mind: str) -> None:
    rules = replace(STILL, questions=3)
    match = fought(rules, (None, mind), 4)
    again = fairness.replay(match, (None, mind))
    assert again.is_fair
    assert sum(isinstance(one.again, Ask) for one in again.decisions) == 3


@pytest.mark.parametrize("mind", ["sailor", pytest.param("admiral", marks=pytest.mark.long)])
def test_one_altered_decision_is_found_at_its_ply(mind: str) -> None:
    match = fought(SMALL, (None, mind), 4)
    found = 0
    for ply, side in enumerate(match.sides):
        other = altered(match, ply) if side is Side.SECOND else None
        if other is not None:
            fault = fairness.replay(other, (None, mind)).first_fault
            assert fault is not None
            assert fault.ply == ply
            assert (fault.played, fault.again) == (other.actions[ply], match.actions[ply])
            found += 1
    assert found > 5


# --- notation ---


def test_the_notation_of_rules_knows_every_field_of_a_ruleset() -> None:
    """A switch that is not written down would not be committed to."""
    written = {
        "columns": "7x6 3-2-2 apart once still single 24 afloat first",
        "rows": "6x7 3-2-2 apart once still single 24 afloat first",
        "fleet": "6x6 3-2 apart once still single 24 afloat first",
        "touching": "6x6 3-2-2 touching once still single 24 afloat first",
        "again": "6x6 3-2-2 apart again still single 24 afloat first",
        "moving": "6x6 3-2-2 apart once moving single 24 afloat first",
        "salvo": "6x6 3-2-2 apart once still salvo 24 afloat first",
        "turns": "6x6 3-2-2 apart once still single unlimited afloat first",
        "at_limit": "6x6 3-2-2 apart once still single 24 draw first",
        "begins": "6x6 3-2-2 apart once still single 24 afloat second",
        "named": "6x6 3-2-2 apart once still single 24 afloat first named",
        "silent": "6x6 3-2-2 apart once still single 24 afloat first silent",
        "solo": "6x6 3-2-2 apart once still single 24 afloat first alone",
        "questions": "6x6 3-2-2 apart once still single 24 afloat first questions 5",
    }
    assert {field.name for field in fields(Ruleset)} == written.keys()
    for name, text in written.items():
        rules = parse_rules(text)
        assert rules_text(rules) == text
        changed = {one for one in written if getattr(rules, one) != getattr(STILL, one)}
        assert changed == {name}
    assert (fleet_text(()), parse_fleet(STILL, "none")) == ("none", ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rules_text(BONN), ""),
        (rules_text(BONN), "10x10"),
        ("10x10 5", " 10x10 5"),
        ("10x10", "3x3"),
        ("5-4", "9-4"),
        ("5-4", "5--4"),
        ("150", "0"),
        ("150", "0150"),
        ("150", "١٥٠"),
        ("first", "first "),
        ("first", "first unnamed"),
        ("first", "first named named"),
        ("first", "first questions 0"),
    ],
)
def test_what_names_no_rules_is_refused(old: str, new: str) -> None:
    with pytest.raises(NotNotation):
        parse_rules(rules_text(BONN).replace(old, new))


@pytest.mark.parametrize(
    "text", ["", "b7", "B07", "K1", "3-for", "03-fore", "stay ", "-1-aft", "Z", "ask A1", "Z" * 99]
)
def test_what_names_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotNotation, match=f"^not an action: '{text[:12]}'$"):
        parse_action(BONN, text)


# --- the record ---

GOLDEN = """\
battleship-record 5
rules 4x4 2-1 apart once still single 9 draw second
first person A1h2 D4h1
second recruit.1 C1v2 A4h1
seed 000102030405060708090a0b0c0d0e0f
marks hints coach
commitment ba62facad4499522185a2076e7ce0f3467cd9423b9c441054dcc55402cc59e9b
extensions none
check 5a68ae
0 second B3 water dd7179
1 first C1 hit e04e2f
2 second A1 hit d2ad06
3 first C2 sunk 74b433
4 second B1 sunk 7f7a07
5 first A4 sunk e25729
resigned none 388d6c
end first all-sunk 55e2fa3c522ae0486f20cc894a79e1e8b814600017f346eb6a9912b5b019cf90
"""


def golden(*, minds_version: int = 1) -> Record:
    match = play(pinned(), "B3 C1 A1 C2 B1 A4")
    return Record(match, (None, "recruit"), ("hints", "coach"), minds_version)


def test_a_record_is_written_as_it_always_was() -> None:
    assert write(golden()) == GOLDEN
    assert read(GOLDEN) == golden()


def rewritten(text: str) -> str:
    """The record with all its checks made anew, as a forger would."""
    lines = [line.rpartition(" ")[0] for line in text.splitlines()]
    head = next(at for at, line in enumerate(text.splitlines()) if line.startswith("check "))
    chain = sha256("\n".join(text.splitlines()[:head]).encode())
    done = [*text.splitlines()[:head], f"check {chain.hexdigest()[:6]}"]
    for line in lines[head + 1 :]:
        chain = sha256(chain.digest() + line.encode())
        done.append(f"{line} {chain.hexdigest()[: 64 if line.startswith('end') else 6]}")
    return "\n".join(done)


def test_a_record_tells_questions_with_their_answers() -> None:
    rules = replace(STILL, questions=2)
    match = play(fought(rules, (None, "random")).at(0), "A1:F6? A1 C3:C3? F6 A1:A2?")
    text = write(Record(match, (None, None)))
    assert re.search(r"^0 first ask A1 F6 yes [0-9a-f]{6}$", text, re.MULTILINE)
    assert read(text).match == match
    for old, new, error in (
        (" ask A1 F6 yes ", " ask A1 F6 no ", r"ply 0 \(line 10\): it says '0 first ask A1 F6 no"),
        ("4 first ask A1 A2", "4 first ask A1 F6", r"ply 4 \(line 14\): asked before: A1 F6"),
        ("4 first ask A1 A2", "4 first ask A1 Z9", r"ply 4 \(line 14\): "),
    ):
        with pytest.raises(BadRecord, match=f"^{error}"):
            read(rewritten(text.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("seed 00", "seed 01", r"before ply 0 \(line 7\): the commitment does not go with"),
        ("second recruit", "second captain", r"before ply 0 \(line 7\): the commitment"),
        ("extensions none", "extensions 1", r"before ply 0 \(line 8\): an unknown extension: 'ext"),
        ("A1h2 D4h1", "A1h2 C1h1", r"before ply 0 \(line 3\): touching: C1h1 and A1h2"),
        ("recruit.1", "recruit", r"before ply 0 \(line 4\): not a player: 'recruit'"),
        ("recruit.1", "recruit.x", r"before ply 0 \(line 4\): not a player"),
        ("recruit.1", "recruit.2222", r"before ply 0 \(line 4\): not a player"),
        ("recruit.1", "person.2", r"before ply 0 \(line 4\): not a player"),
        ("resigned none", "resigned first", r"at the end \(line 16\): altered: the check"),
        ("\n3 first C2 sunk 74b433", "", r"ply 3 \(line 13\): "),
        # a person's action too, though it is free
        ("1 first C1", "1 first D3", r"ply 1 \(line 11\): "),
        ("1 first C1", "1 first Z9", r"ply 1 \(line 11\): "),
        ("2 second A1", "2 second A3", r"ply 2 \(line 12\): "),
        ("2 second A1", "2 second stay", r"ply 2 \(line 12\): "),
        ("\n", "\n" * 20_000, r"before ply 0 \(line 1\): too long"),
    ],
)
def test_an_altered_line_is_named(old: str, new: str, error: str) -> None:
    with pytest.raises(BadRecord, match=f"^{error}") as refused:
        read(GOLDEN.replace(old, new))
    assert refused.value.ply == (int(error[4]) if error.startswith("ply") else None)


MATCHES = 24
matches = st.tuples(st.integers(0, MATCHES - 1), st.booleans()).map(
    lambda drawn: play_out(drawn[0], asks=drawn[1]).match
)
few = settings(max_examples=25, suppress_health_check=list(HealthCheck))


@few
@given(matches, st.sampled_from([(None, None), (None, "sailor"), ("admiral", "random")]),
       st.sampled_from([(), ("hints",), ("coach",), ("hints", "coach")]))  # fmt: skip
def test_every_match_is_read_as_it_was_written(
    match: Match, minds: fairness.Names, assists: tuple[str, ...]
) -> None:
    kept = Record(match, minds, assists)
    assert read(write(kept)) == kept
    assert parse_rules(rules_text(match.ruleset)) == match.ruleset
    for fleet in match.fleets:
        assert parse_fleet(match.ruleset, fleet_text(fleet)) == fleet
    for action in match.actions:
        assert parse_action(match.ruleset, action_text(match.ruleset, action)) == action


@few
@given(st.data())
def test_a_record_with_one_altered_character_fails(data: st.DataObject) -> None:
    text = write(record())
    at = data.draw(st.integers(0, len(text) - 2))
    sign = data.draw(st.sampled_from("ABCj019-af |\n"))
    if text[at] == sign or (text[at] + sign).isspace():
        return
    with pytest.raises(BadRecord):
        read(text[:at] + sign + text[at + 1 :])


# --- the command ---


def test_verify_reads_a_token_an_address_and_a_file(tmp_path: Path) -> None:
    kept = ended()
    token = seal_match(kept)
    assert len(token) > 255, "longer than a file's name may be"
    count = kept.match.sides.count(Side.SECOND)
    file = tmp_path / "record.txt"
    file.write_text(write(kept.record))
    for text in (token, f"https://play.example.org/de/review/{token}/?step=3", str(file)):
        said = io.StringIO()
        call_command("verify", text, stdout=said)
        assert "The computer played fair." in said.getvalue()
        assert f"{count} of {count} decisions" in said.getvalue()
        assert "not checked: the server drew the seed alone" in said.getvalue()


SAVED: dict[str, Callable[[str], bytes]] = {
    "as it is": lambda text: text.encode(),
    "BOM": lambda text: text.encode("utf-8-sig"),
    "UTF-16 of a shell": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    "UTF-16 BE": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-16 BE without a mark": lambda text: text.encode("utf-16-be"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "no-break spaces": lambda text: text.replace(" ", "\xa0").encode(),
    "in Latin-1": lambda text: text.replace(" ", "\xa0").encode("latin-1"),
    "BOM and NBSP read as Latin-1": lambda text: ("ï»¿" + text.replace(" ", "Â\xa0")).encode(),
    "narrow spaces and tabs": lambda text: text.replace(" ", "\u202f\t").encode(),
    "a blank line first": lambda text: f"\n \r\n{text}".encode(),
    "double lines": lambda text: text.replace("\n", "\r\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "NEL": lambda text: text.replace("\n", "\x85").encode(),
    "line separators": lambda text: text.replace("\n", "\u2028").encode(),
    "spaces at both ends": lambda text: text.replace("\n", "  \n  ").encode(),
    "a word processor's dashes": lambda text: text.replace("-", "\u2013").encode(),
    "its hyphens in cp1252": lambda text: text.replace(" - ", " – ").encode("cp1252"),
    "quoted by mail": lambda text: text.replace("\n", "\n> ").encode(),
    "quoted twice in a forum": lambda text: f"```text\n>> {text}```\n".encode(),
    "the end of a file of DOS": lambda text: f"{text}\x1a".encode(),
    "soft hyphens and zero width": lambda text: text.replace(" ", " \u200b\xad\u2060").encode(),
}  # fmt: skip


@pytest.mark.parametrize("saved", SAVED)
def test_a_record_is_read_however_an_editor_has_saved_it(saved: str, tmp_path: Path) -> None:
    """B9"""
    content, said = SAVED[saved](write(record())), io.StringIO()
    file = tmp_path / "record.txt"
    file.write_bytes(content)
    call_command("verify", str(file), stdout=said)
    with file.open(encoding="utf-8") as stream, patch("sys.stdin", stream):
        call_command("verify", "-", stdout=said)
    assert said.getvalue().count("decisions are what they had to be") == 2


def test_a_later_edition_of_the_minds_is_named_wherever_a_mind_is() -> None:
    later = golden(minds_version=2)
    text = write(later)
    assert "\nsecond recruit.2 C1v2 A4h1\n" in text
    assert read(text) == later
    line = Record(pinned(), (None, "recruit"), minds_version=2).statement
    assert line == STATEMENT.replace("recruit.1", "recruit.2")


def test_no_mind_is_accused_of_what_a_former_edition_played() -> None:
    kept = replace(record(), minds_version=MINDS_VERSION + 1)
    for text in (write(kept), write(replace(kept, match=kept.match.at(6)))):
        with pytest.raises(CommandError, match=f"edition {MINDS_VERSION + 1} of the minds played"):
            verified(text)
    two = replace(record(), minds=(None, None), minds_version=MINDS_VERSION + 1)
    assert "nothing to check" in verified(write(two))
