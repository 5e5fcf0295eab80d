"""The catalogues of the languages: what they hold, what they fall back to, and what they say."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from poolroom import CATALOGUES, SimError, as_text, catalogue, describe, measure, page_words, room, serve, words
from poolroom.describe import status_line
from poolroom.facts import FOLDER, WORDS, completed, load
from tests.sim.test_words_file import leaves, texts
from tests.sim.tools import ONE_SECOND, ROOT, chats

OTHERS = [language for language in CATALOGUES if language != "en"]
ENGLISH_ONLY = [("cli",), ("notebook",), ("allowed",), ("refused_value",), ("shown", "thing")]
"""What is said by the command line’s help, by an import that fails and by refusals, which speak English."""
GERMAN = catalogue("de")


def at(path: tuple[str, ...], here: Any) -> Any:
    """The template at a path."""
    for key in path:
        here = here[key]
    return here


def names(template: Any) -> set[str]:
    """The names in braces of a template's last form, or of its only one."""
    whole = template["other"] if isinstance(template, dict) else template
    return set(re.findall(r"\{(\w+)\}", " ".join(texts(whole))))


def outcomes(template: Any) -> set[str]:
    """The names in braces that stand between marks."""
    whole = template["other"] if isinstance(template, dict) else template
    marked = re.findall(r"\*([^*]*)\*", " ".join(texts(whole)))
    return set(re.findall(r"\{(\w+)\}", " ".join(marked)))


def shared(language: str) -> list[tuple[str, ...]]:
    """Paths of the templates that a language's own file has."""
    return [path for path in leaves(load(f"words/{language}")) if path in set(leaves(WORDS))]


def test_every_file_is_a_language_in_both_twins(tell: Callable[[str], None]) -> None:
    """Rule: a file in facts/words is a catalogue of its name; the port imports each of them."""
    files = sorted(path.stem for path in (FOLDER / "words").glob("*.json"))
    assert list(CATALOGUES) == files and CATALOGUES["en"] is WORDS
    assert [catalogue(language)["language"] for language in files] == files
    port = ROOT / "widget" / "sim" / "facts.js"
    if port.is_file():
        assert sorted(re.findall(r"facts/words/(\w+)\.json", port.read_text(encoding="utf-8"))) == files
    tell(f"languages: {len(files)}, with {len(list(leaves(WORDS)))} templates")


@pytest.mark.parametrize("language", OTHERS)
def test_no_key_lacks(language: str) -> None:
    """Rule: each template of the English file has its translation, but those that only speak English."""
    own = set(leaves(load(f"words/{language}")))
    wanted = [path for path in leaves(WORDS) if not any(path[: len(each)] == each for each in ENGLISH_ONLY)]
    lacking = [".".join(path) for path in wanted if path not in own]
    unknown = [".".join(path) for path in own if path not in set(leaves(WORDS))]
    assert (lacking, unknown) == ([], [])


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_stayed_english(language: str) -> None:
    """Rule: a template with words in it does not read as in English."""
    own = load(f"words/{language}")
    said = {path: re.sub(r"\{\w+\}", "", " ".join(texts(at(path, WORDS)))) for path in shared(language)}
    wordy = [path for path, text in said.items() if re.search(r"[A-Za-z]{4}", text)]
    same = [".".join(path) for path in wordy if at(path, own) == at(path, WORDS)]
    assert same == ["controls.chats.name"]  # “Chats”
    assert len(wordy) > 70


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_fills_the_same_names(language: str) -> None:
    """Rule: no number is lost or made up, and the same outcomes are marked; their order is the language's own."""
    own = load(f"words/{language}")
    for path in shared(language):
        mine, theirs = at(path, own), at(path, WORDS)
        assert names(mine) == names(theirs), path
        assert outcomes(mine) == outcomes(theirs), path
        if not names(theirs) and isinstance(theirs, str):
            assert isinstance(mine, str), f"{path} is shown as it stands"


def test_what_lacks_is_said_in_english() -> None:
    """Rule: a template or a whole section that a catalogue lacks is the English one; the rest stays its own."""
    holes: dict[str, Any] = json.loads(json.dumps(load("words/de")))
    del holes["lines"]["extra_held"], holes["legend"], holes["caveat"]["any"]
    mended = completed(holes, WORDS)
    text = as_text(measure(90, 8_000, 64), mended)
    assert "The chats in progress hold *31%* of the cache pool on average.".replace("*", "") in text
    assert "Cache pool 53,9 GB; Left unused" in text and "Im Mittel laufen 62 Chats" in text
    assert mended["caveat"]["any"] == WORDS["caveat"]["any"]
    assert mended["caveat"]["lesson"] == GERMAN["caveat"]["lesson"]
    assert "extra_held" not in holes["lines"], "the catalogue that was given is left alone"


@pytest.mark.parametrize("language", ["", "DE", "fr", "de-AT", None, 1, ["de"], {}])
def test_a_language_that_is_not_there_is_refused(language: Any) -> None:
    """Rule: the refusal names what was asked for, and the languages that there are."""
    with pytest.raises(SimError) as refusal:
        catalogue(language)
    assert (refusal.value.setting, refusal.value.allowed) == ("lang", "choice")
    assert str(refusal.value).endswith("but must be one of de, en.")


def test_english_is_what_is_said_when_nothing_is_asked_for() -> None:
    """Rule: the catalogue is a last argument with English as its default."""
    assert describe(40, 8_000, 64) == describe(40, 8_000, 64, False, None, catalogue("en"))
    assert as_text(measure(40, 8_000, 64)) == as_text(measure(40, 8_000, 64), WORDS)


def test_german_numbers() -> None:
    """Rule: separators are the catalogue's."""
    assert words.commas(1_234_567, GERMAN) == "1.234.567"
    assert words.tenths(1_234.56, GERMAN) == "1.234,6"
    assert words.gb(16_060_522_496, GERMAN) == "16,1"
    assert [words.plural_form(n, GERMAN) for n in (0, 1, 2)] == ["other", "one", "other"]


def test_german_lines() -> None:
    """Rule: the opening setting, word for word."""
    shown = describe(90, 8_000, 64, words=GERMAN)
    assert shown["room"] == "Platz für 205 Chats mit je 2.000 Token zugleich. 51, wenn jeder Chat 8.000 Token erreicht."
    assert shown["run"] == (
        "Im Mittel laufen 62 Chats (höchstens 64). Alle zusammen: 1.202 Token pro Sekunde. "
        "Wer chattet, wartet 47,3\u00a0ms von Wort zu Wort."
    )
    assert shown["extra"] == "Die laufenden Chats belegen im Mittel 31\u00a0% des Cache-Pools."
    assert shown["legend"] == [
        "Modellgewichte 16,1\u00a0GB",
        "Reserve 2,0\u00a0GB",
        "Cache-Pool 53,9\u00a0GB",
        "Ungenutzt 8,0\u00a0GB",
    ]
    assert words.share_value(room(90, 8_000), 90, GERMAN) == "90 Prozent, 72,0 von 80\u00a0GB"
    assert words.longest_value(room(90, 128_000), 128_000, GERMAN) == "128.000 Token, 16,78\u00a0GB"
    assert words.cap_value(1, GERMAN) == "1 Chat"


def test_german_has_its_own_forms_where_the_lesson_says_one_chats() -> None:
    """Rule: one chat is no plural, turned away or not; the form follows the number that the template names."""
    run = serve(chats((0, 5, 3)), 8, 9, 48, cost=ONE_SECOND)
    assert words.run_line(run, 1, words=GERMAN).startswith("Im Mittel läuft 1 Chat (höchstens 1). ")
    three = serve(chats(*[(0, 8_000, 1)] * 3), 8, 500, 8_000)
    assert words.run_line(three, 8, 8_000, GERMAN) == "Kein Chat läuft: Alle 3 sind länger als 8.000 Token."
    paused = serve(chats((0, 15, 20), (0, 16, 16), (0, 30, 4), (0, 99, 1)), 8, 4, 48, cost=ONE_SECOND)
    assert words.extra_line(paused, GERMAN) == (
        "Die laufenden Chats belegen im Mittel 91\u00a0% des Cache-Pools. 1 von 4 Chats abgewiesen: zu lang. "
        "1 Chat pausiert, um Platz zu schaffen; 31 Token im Cache neu aufgebaut."
    )


def test_a_stopped_server_and_a_move_in_german() -> None:
    """Rule: what is short, and what is heard after a move."""
    stopped = measure(30, 128_000, 64)
    assert page_words(stopped, words=GERMAN)["short"] == "Es fehlen 82.688 Token."
    assert status_line(stopped, measure(90, 128_000, 64), GERMAN) == (
        "Speicheranteil 30 Prozent. Nicht gestartet. Dem Pool fehlen 82.688 Token für einen Chat von 128.000."
    )
    heard = status_line(measure(80, 8_000, 64), measure(90, 8_000, 64), GERMAN)
    assert heard == "Speicheranteil 80 Prozent. Der Lauf ändert sich nicht."


HOSTILE = "<b onload=x>{{%s}} {nobody} {__class__} {} {0} \\1 $& %s"


def hostile(value: Any) -> Any:
    """A catalogue's section whose every text carries markup and braces that nothing fills."""
    if isinstance(value, dict):
        return {key: part if key in ("by", "numbers", "plurals") else hostile(part) for key, part in value.items()}
    return [hostile(part) for part in value] if isinstance(value, list) else f"{value} {HOSTILE}"


def test_a_hostile_catalogue_is_text_like_any_other() -> None:
    """Rule: markup, and braces that name no number, come out as they went in; what is known is still filled."""
    evil = hostile(dict(WORDS))
    shown = describe(40, 8_000, 512, words=evil)
    for text in (shown["room"], shown["run"], shown["extra"], *shown["legend"]):
        assert HOSTILE in text
    assert shown["legend"][0].startswith("Model weights 16.1 GB <b onload=x>")
    said = [as_text(measure(30, 128_000, 64, True), evil), status_line(measure(40, 8_000, 64), None, evil)]
    assert all(HOSTILE in text for text in said)


def test_what_is_filled_in_is_not_filled_again() -> None:
    """Rule: one pass: a term that looks like a template stays text."""
    assert words.say("{a} {b}", a="{b}", b="{a}") == "{b} {a}"
    assert words.say("{a} {c}", a="1") == "1 {c}"
