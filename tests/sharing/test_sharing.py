"""Sharing: the result in a sentence, a link to a public replay, and its card."""

import io
import re
from dataclasses import replace
from functools import cache
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from django.conf import settings
from django.utils.translation import override
from PIL import Image, ImageColor, ImageFont

from game.display.boards import revealed
from game.display.replay import last_step
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.features.sharing import words
from game.features.sharing.views import WRITTEN, match_card
from game.matches.saved import SavedMatch
from game.matches.setup import Assists, Tally
from game.matches.tokens import seal_match, seal_replay, unseal_replay
from game.views import images
from tests.support import in_both_languages
from tests.support.boards import play
from tests.support.device import HTMX, Device
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
    return with_setup(saved, minds=(None, None), names=(one, other))


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
    said = f"Battleship, Your own rules against Drifter: {english.format(turns)}."
    assert words.result(saved) == said
    with override("de"):
        said = f"Schiffe versenken, Eigene Regeln (Gegner: Glücksritter): {german.format(turns)}."
        assert words.result(saved) == said


@pytest.mark.parametrize(
    ("hints", "coach", "said"),
    [
        (False, False, r"turns$"), (True, False, "turns with hints$"),
        (False, True, "turns with the coach$"), (True, True, "turns with hints and the coach$"),
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


def test_rounds_are_told_once_there_are_two_with_the_winner_of_this_one_first() -> None:
    assert "round" not in words.result(with_setup(OVER, tally=Tally((0, 0), 0)))
    lost, drawn = (
        with_setup(saved, tally=Tally((2, 0), 0)) for saved in (decided(Side.SECOND), decided(None))
    )
    for saved, score in (
        (lost, "2 : 1"), (between(lost, "A", "B"), "1 : 2"), (between(drawn, "A", "B"), "2 : 0"),
    ):  # fmt: skip
        assert words.result(saved).endswith(f", {score} after 3 rounds.")


def test_where_there_are_questions_their_number_is_told() -> None:
    begun = opening(PRESETS["ask"].ruleset)
    asked = play(begun.match, "A1:D4? A1 B2:B2? H8 E1:H4?")
    given_up = replace(begun, match=asked).resigned(Side.FIRST)
    said = "Battleship, Ask and fire against Drifter: gave up after 1 turn, 2 of 5 questions."
    assert words.result(given_up) == said.replace("Ask and fire", "Your own rules")
    assert "question" not in words.result(between(given_up, "Änne", "Ben"))
    with override("de"):
        assert words.result(given_up).endswith("nach 1 Zug aufgegeben, 2 von 5 Fragen.")


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


def test_a_part_of_the_page_is_fetched_for_what_a_whole_page_is_otherwise(client: Device) -> None:
    where = address(OVER, page="share")
    part = client.get(where, headers=HTMX, follow=True)
    assert "<html" not in part
    assert '<h2 id="panel-title" tabindex="-1" autofocus' in part
    assert "HX-Request" in part.headers["Vary"]
    assert "HX-Replace-Url" not in part.headers
    assert "<h1 id" in client.see(where)


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


def test_a_live_match_is_no_film() -> None:
    with pytest.raises(ValueError, match=r"^a match that goes on has no public replay$"):
        seal_replay(opening())


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


@pytest.mark.parametrize(
    ("columns", "rows", "fleet"), [(15, 15, (5,) * 8 + (1,) * 20), (6, 15, (2,)), (6, 6, (1,))]
)
def test_the_card_shows_seas_of_any_size_in_the_light_colours_of_the_pages(
    columns: int, rows: int, fleet: tuple[int, ...]
) -> None:
    rules = Ruleset(columns=columns, rows=rows, fleet=fleet, moving=False, turns=20)
    image = Image.open(io.BytesIO(match_card(ended(rules)))).convert("RGB")
    assert image.size == (1200, 630)
    found = {colour for _count, colour in image.getcolors(1_000_000) or []}
    styles = (settings.BASE_DIR / "static" / "game" / "site.css").read_text()
    light = dict(reversed(re.findall(r"--(\w+): light-dark\((#\w+)", styles)))
    for name in ("table", "paper", "ink", "pen", "soft", "sea", "own", "hull", "deck", "gun"):
        assert ImageColor.getrgb(light[name]) in found, name


def svg(saved: SavedMatch, monkeypatch: pytest.MonkeyPatch) -> Element:
    """The picture of which the card of a match is made."""
    with monkeypatch.context() as patch:
        patch.setattr(images, "as_png", str)
        return fromstring(str(match_card(saved)))


def test_all_that_a_card_draws_of_ships_and_marks_is_defined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for preset in PRESETS.values():
        drawn = svg(ended(preset.ruleset), monkeypatch)
        defined = {f"#{element.get('id')}" for element in drawn.iter()}
        assert {element.get("href", "#water") for element in drawn.iter()} <= defined


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


@pytest.mark.parametrize("names", [("海", "Ben"), ("Anna", "אב"), ("\u202e", "x"), ("\u00ad", "x")])
def test_names_that_the_font_cannot_write_are_replaced_on_the_card(names: tuple[str, str]) -> None:
    nameless = match_card(between(OVER, "", ""))
    assert match_card(between(OVER, *names)) == nameless
    assert match_card(between(ended(number=4), "", "")) != nameless


def test_the_font_has_all_characters_that_are_written_on_a_card() -> None:
    font = ImageFont.truetype(str(images.FONT), 20)
    unknown = bytes(font.getmask("\uffff"))
    written = [
        character for character in map(chr, range(33, 0x10000))
        if character.isprintable() and WRITTEN.fullmatch(character)
    ]  # fmt: skip
    assert {*"azAZ09äöüßÄÖÜéñçøåłŁşșžабвЯαβγΩ&<>„“’–…"} <= {*written}
    assert [one for one in written if bytes(font.getmask(one)) == unknown] == []


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
