"""Sharing: the result in a sentence, a link to a public replay, and its card."""

import io
import re
from dataclasses import replace
from functools import cache
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from django.utils.translation import override
from PIL import Image

from game.display.boards import revealed
from game.display.replay import last_step
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.features.sharing import words
from game.features.sharing.views import match_card
from game.matches.saved import SavedMatch
from game.matches.setup import Assists
from game.matches.tokens import seal_match, seal_replay, unseal_replay
from game.views import images
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.features import ended_pages
from tests.support.matches import address, ended, opening, public_replay_address, with_setup
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("public_host")

SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), turns=60)
OVER = ended(SMALL, number=3)
TINY = Ruleset(columns=6, rows=6, fleet=(2,), moving=False, again=True, turns=2)


@cache
def decided(winner: Any) -> Any:
    """An ended match that this side has won; with None, nobody has."""
    for number in range(20):
        for turns in (60, 30):
            saved = ended(replace(SMALL, turns=turns), number=number)
            if saved.match.outcome.winner is winner:
                return saved
    raise AssertionError(f"nobody plays so that it ends with {winner}")


def between(saved: SavedMatch, one: str, other: str) -> SavedMatch:
    """The match as one that two persons have played."""
    return with_setup(saved, minds=(None, None), person_names=(one, other))


# --- the sentence ---


@pytest.mark.parametrize(
    ("winner", "english", "german"),
    [
        (Side.FIRST, "won in {} turns", "gewonnen in {} Zügen"),
        (Side.SECOND, "lost after {} turns", "nach {} Zügen verloren"),
        (None, "a draw after {} turns", "unentschieden nach {} Zügen"),
    ],
)
def test_the_result_is_one_sentence_with_game_opponent_and_turns(
    winner: Side | None, english: str, german: str
) -> None:
    saved = decided(winner)
    turns = observe(saved.match, Side.FIRST).rounds_begun
    said = f"Battleship, Your own rules (opponent: Drifter): {english.format(turns)}."
    assert words.result(saved) == said
    with override("de"):
        said = f"Schiffe versenken, Eigene Regeln (Gegner: Glücksritter): {german.format(turns)}."
        assert words.result(saved) == said


@pytest.mark.parametrize(
    ("hints", "coach", "said"),
    [
        (False, False, r"turns$"), (True, False, "turns, with hints$"),
        (False, True, "turns, with the coach$"), (True, True, "turns, with hints and the coach$"),
    ],
)  # fmt: skip
def test_help_that_was_used_is_told(hints: bool, coach: bool, said: str) -> None:
    saved = with_setup(OVER, assists=Assists(was_hinted=hints, was_coached=coach))
    assert re.search(said, words.headline(saved))


def test_of_two_persons_the_winner_is_named_first() -> None:
    names = ("Änne", "Ben")
    for winner in Side:
        beaten = f"{names[winner]} beat {names[winner.opponent]}"
        said = words.result(between(decided(winner), *names))
        assert re.fullmatch(rf"Battleship, Your own rules: {beaten} in \d+ turns\.", said)
    draw = words.result(between(decided(None), *names))
    assert draw == "Battleship, Your own rules: a draw between Änne and Ben."
    lost = words.result(between(opening(), *names).resigned(Side.FIRST))
    assert lost == "Battleship, Your own rules: Änne gave up against Ben."
    with override("de"):
        won = words.result(between(decided(Side.SECOND), *names))
    assert "Ben gegen Änne: Ben gewinnt in " in won


def test_a_match_that_goes_on_has_no_result_and_no_public_replay() -> None:
    with pytest.raises(ValueError, match="no result"):
        words.result(opening())
    with pytest.raises(ValueError, match="goes on"):
        seal_replay(opening())


# --- sharing it ---


@in_both_languages
def test_the_sentence_stands_in_a_field_to_copy_with_an_absolute_link_that_can_be_watched(
    client: Device, language: str
) -> None:
    html = client.see(address(OVER, language, page="share"))
    [link] = html.all(r'<input class="to-copy" readonly value="([^"]+)"')
    with override(language):
        said = words.result(OVER)
    assert link.startswith(f"http://play.example.org/{language}/film/")
    path = link.removeprefix("http://play.example.org")
    client.see(path)
    assert html.attribute("data-text") == said
    assert f'<p class="to-send">{said}</p>' in unescape(html)
    assert html.all(r'<img src="([^"]+)"') == [f"{path}card.png"]
    assert html.search(r"<button[^>]*data-copy[^>]*hidden>"), "it needs a script"


def test_the_ended_match_and_its_pages_lead_to_it(client: Device) -> None:
    for page in ("play", *(it for it in ended_pages() if it not in ("record", "share"))):
        html = client.see(address(OVER, page=page))
        client.see(html.first(r'id="act-share" href="(/en/share/[^"]+)" hx-get="\1"'))
    assert 'id="act-share"' not in client.get(address(opening()))


# --- the link ---


def test_the_link_shows_the_recap_and_nothing_of_its_owner(client: Device) -> None:
    where = public_replay_address(OVER)
    html = client.get(f"{where}?step=7")
    owner = client.get(f"{address(OVER, page='replay')}?step=7")
    assert html.count("data-cell=") == owner.count("data-cell=") == 72
    assert html.seen.boards == owner.seen.boards
    assert len(html.all(r'data-step="\d+"')) == last_step(OVER.match)
    assert re.search(r'href="/de/film/[^"]+/\?step=7" lang="de"', html)
    assert 'data-step="7" aria-current="step"' in html
    assert ">Play a game yourself</a>" in html
    assert words.result(OVER) in unescape(html)
    assert not re.search(r"/(play|review|share|place|record|watch|replay|elsewhere)/", html)
    assert "You:" not in html
    assert client.post(where, {"cell": "A1"}).status == 405


def test_a_film_holds_the_match_without_its_seed_in_fewer_characters_than_the_match() -> None:
    shortest = replace(TINY, again=False, turns=1)
    for number, rules in enumerate([*(preset.ruleset for preset in PRESETS.values()), shortest]):
        saved = ended(rules, number=number)
        token = seal_replay(saved)
        found = unseal_replay(token)
        assert found.match == replace(saved.match, seed=bytes(16))
        assert found.setup == saved.setup
        assert len(token) < len(seal_match(saved))


# --- the card ---


def properties(html: Page) -> dict[str, str]:
    """What a page tells messengers, by name."""
    return {
        name: unescape(text)
        for name, text in re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', html)
    }


@in_both_languages
def test_a_messenger_learns_title_sentence_and_picture_of_a_film(
    client: Device, language: str
) -> None:
    told = properties(client.get(public_replay_address(OVER, language=language)))
    with override(language):
        assert told["title"] == words.result(OVER)
    for name in ("image", "url"):
        assert told[name].startswith(f"http://play.example.org/{language}/film/")
    assert (told["image:width"], told["image:height"]) == ("1200", "630")
    assert told["image:alt"]
    assert told["locale"] == {"en": "en_GB", "de": "de_DE"}[language]


def drawn(answer: Page) -> Image.Image:
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "image/png"
    assert len(answer.content) < 300_000
    image = Image.open(io.BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return image.convert("RGB")


def test_the_card_is_a_png_that_other_sites_may_show_and_keep(client: Device) -> None:
    english, german = (
        client.get(f"{public_replay_address(OVER, code)}card.png") for code in ("en", "de")
    )
    assert drawn(english).tobytes() != drawn(german).tobytes()
    assert english.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert english.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert english.headers["X-Robots-Tag"] == "noindex"
    assert not german.cookies
    assert client.post(f"{public_replay_address(OVER)}card.png").status == 405


def svg(saved: SavedMatch, monkeypatch: pytest.MonkeyPatch) -> Element:
    """The picture of which the card of a match is made."""
    with monkeypatch.context() as patch:
        patch.setattr(images, "as_png", str)
        return fromstring(str(match_card(saved)))


def test_ships_and_wrecks_lie_where_they_lay_in_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = ended()
    enemy, own = revealed(saved.match, saved.seen, saved.setup.cell_names)
    wrecks = [hull for view in (enemy, own) for hull in view.hulls if hull.look == "sunk"]
    crosses = [use for use in svg(saved, monkeypatch).iter() if use.get("href") == "#sunk"]
    assert len(crosses) == sum(hull.length for hull in wrecks) > 0
    image = Image.open(io.BytesIO(match_card(saved))).convert("L")
    for y, row in enumerate(own.rows):
        for x, cell in enumerate(row):
            if cell.state in ("ship", "sea"):
                shade = image.getpixel((635 + 39 * x + 19, 196 + 39 * y + 19))
                assert (shade < 0xD8) is (cell.state == "ship"), (x, y)  # type: ignore[operator]


@pytest.mark.parametrize("names", [
    ("W" * 20, "M" * 20), ("Ш" * 20, "Ж" * 20), ("Maximiliane-Charlotte", "Wolfgang Amadeus Moz"),
    ("</text>", "&amp;\"'<!--"),
])  # fmt: skip
def test_any_names_are_written_whole_and_within_the_card(
    names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = between(decided(Side.FIRST), *names)
    texts = [element.text for element in svg(saved, monkeypatch).findall(".//{*}text")]
    assert texts[0] == words.headline(saved)
    assert {*names} == {*texts[2:]}
    image = Image.open(io.BytesIO(match_card(saved))).convert("RGB")
    for left, right in ((0, 20), (1180, 1200)):
        assert len(image.crop((left, 0, right, 630)).getcolors() or "many") == 1
