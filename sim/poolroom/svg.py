"""One answer as one static picture: the bar, its legend and the lines, for print, PDF and EPUB."""

import hashlib
from dataclasses import replace

from .checks import SimError, whole
from .describe import Measured, as_text, describe_measured, page_words
from .facts import CARD, COLOURS, CONTRACT, MODEL, WORDS, Words
from .svg_sheet import PAD, Sheet
from .svg_text import BOLD, Type, characters, element, paragraph, wrapped
from .words import (
    extra_sentences,
    first_word_sentences,
    marked,
    room_sentences,
    run_sentences,
    say,
    short_sentences,
)

WIDTHS = (320, 2000)
"""The narrowest and the widest picture, in px."""
MOST_CAPTION: int = CONTRACT["options"]["caption"]["most"]
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif"


def svg(
    measured: Measured,
    theme: str = "light",
    width: int = 720,
    caption: str = "",
    listed: str = "",
    words: Words = WORDS,
) -> str:
    """One answer as a self-contained SVG.

    The same arguments give the same bytes. Nothing is fetched or run, so it stands in a page under any policy.

    Args:
        measured: a setting and its numbers
        theme: "light", which is for paper, or "dark"
        width: width of the picture, px from 320 to 2,000
        caption: a line of the author's above the picture, which names it too
        listed: the sentence that names the list of chats, where it is not the lesson's
        words: the catalogue to say it in

    Returns:
        The markup of one `<svg>` element.

    Raises:
        SimError: for a theme, width or caption that is not offered
    """
    whole("width", width, *WIDTHS)
    if len(caption) > MOST_CAPTION:
        raise SimError("caption", caption, "at_most_letters", most=MOST_CAPTION)
    described = _description(measured, listed, words)
    sheet = Sheet(float(width), _colours(theme), _name(described, theme, str(width), caption), words)
    _draw(sheet, measured, " ".join(caption.split()), listed)
    return _picture(sheet, caption.strip() or str(words["view"]["label"]), described)


def _name(*parts: str) -> str:
    """A start for ids that two pictures of one page do not share, and that is the same every time."""
    return "pr-" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:8]


def _colours(theme: str) -> dict[str, str]:
    if theme not in ("light", "dark"):
        raise SimError("theme", theme, "choice", choices="light, dark")
    return {**COLOURS[theme], **(COLOURS["print"] if theme == "light" else {})}


def _description(m: Measured, listed: str, words: Words) -> str:
    held = say(words["view"]["bar_pool"], words, held=describe_measured(m)["fill"], peak=page_words(m)["peak"])
    state = held if m.run else str(words["view"]["bar_stopped"])
    return "\n".join(line for line in (as_text(m, words), state, listed) if line)


def _picture(sheet: Sheet, title: str, described: str) -> str:
    name, width, height = sheet.name, int(sheet.width), int(sheet.top + PAD - 8)
    head = [
        element("title", characters(title), id=f"{name}-title"),
        element("desc", characters(described), id=f"{name}-desc"),
        sheet.patterns(),
        element("rect", width=width, height=height, fill=sheet.colours["paper"]),
    ]
    sides = {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
    said = {"role": "img", "aria_labelledby": f"{name}-title {name}-desc", "lang": sheet.words["language"]}
    root = {"xmlns": "http://www.w3.org/2000/svg", **sides, **said, "font_family": FONTS}
    return element("svg", *head, *sheet.drawn, **root) + "\n"


def _draw(sheet: Sheet, m: Measured, caption: str, listed: str) -> None:
    words, ink, ink_2 = sheet.words, sheet.colours["ink"], sheet.colours["ink-2"]
    small, lines = Type(14, 14, 20, ink_2, ink), Type(16, 20, 28, ink_2, ink)
    if caption:
        _caption(sheet, caption)
    sheet.text(_settings(m, listed, words), small, "settings")
    sheet.bar(m)
    sheet.legend(m, small)
    first = lines if m.room["starts"] else replace(lines, bold_fill=sheet.colours["stop"])
    sheet.text(room_sentences(m.room, m.longest, m.reserved, words), first, "room")
    for name, sentences in _lines(m, words).items():
        sheet.text(sentences, lines, name)
    sheet.text([page_words(m, None, words)["caveat"]] if m.chats else [], small, "caveat")


def _caption(sheet: Sheet, text: str) -> None:
    """The author's own line, bold as a whole; an asterisk in it is an asterisk."""
    kind = Type(16, 16, 24, sheet.colours["ink"], sheet.colours["ink"])
    lines = wrapped([[(text, False)]], kind, sheet.inner / BOLD)
    sheet.drawn.append(paragraph(lines, kind, float(PAD), sheet.top, font_weight="bold", data_line="caption"))
    sheet.top += len(lines) * kind.line + 4


def _settings(m: Measured, listed: str, words: Words) -> list[str]:
    said = [
        say(words["view"]["context"], words, card=CARD.name, model=MODEL.name),
        say(words["text"]["settings"], words, share=m.share, longest=m.longest, cap=m.cap),
        str(words["text"]["set_aside"]) if m.reserved else "",
        listed,
    ]
    return [sentence for sentence in said if sentence]


def _lines(m: Measured, words: Words) -> dict[str, list[str]]:
    if m.run is None:
        stopped = marked(words["lines"]["extra_not_started"], {}, words)
        return {"extra": stopped, "short": short_sentences(m.room, words)}
    return {
        "run": run_sentences(m.run, m.cap, m.longest, words),
        "extra": extra_sentences(m.run, words),
        "first-word": first_word_sentences(m.run, m.first_word_seconds, words),
    }
