"""The script of the page on which a plan runs: the widget as it is, with other facts under it."""

import shutil
from pathlib import Path

HERE = "site/watch/facts_here.js"
TRUE_FACTS = "../../widget/sim/facts.js"
MOVED = "lesson_facts.js"


def watched(copy: Path, site: Path) -> Path:
    """Put the page's script beside a copy of the widget, and its facts in the place of the widget's own.

    The widget's facts lie beside, under another name; only the page's facts read them.
    """
    folder = copy.parent / site.name
    shutil.copytree(site / "watch", folder / "watch")
    shutil.copy(site / "watch.js", folder)
    facts = copy / "sim" / "facts.js"
    facts.rename(facts.with_name(MOVED))
    facts.write_text(f'export * from "../../{HERE}";\n', "utf-8")
    here = copy.parent / HERE
    here.write_text(here.read_text("utf-8").replace(TRUE_FACTS, TRUE_FACTS.replace("facts.js", MOVED)), "utf-8")
    return folder
