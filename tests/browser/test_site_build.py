"""The build gives the same bytes each time, and stops with one sentence at what must be mended."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import selfhost
from archives import content_of
from proof_files import PARTS
from tests.built import PROOF, build_site
from tests.node import ROOT

FILES = {
    "index.html", "how.html", "serve.html", "embed.html", "teach.html", "api.html", "truth.html", "accessibility.html",
    "watch.html", "plan-offline.html", "watch.js", "watch.css",
    "poolroom.html", "poolroom.js", "poolroom-anywidget.js", "embed.js", "page.js", "serve.js",
    "page.css", "guide.css", "api.css", "serve.css", "truth.css",
    selfhost.ZIP, *map(selfhost.versioned, selfhost.SHORT),
    *PROOF, *(PARTS if PROOF else []),
}
INDEX, LESSON = "site/pages/index.html.jinja", "sim/poolroom/facts/lesson.json"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")


def test_every_file_is_built(dist: Path) -> None:
    """That another build writes the same bytes is seen where a release is built twice."""
    assert content_of(dist).keys() >= FILES


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the build reads."""
    for name in ("sim", "site", "widget"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
    for name in ("build.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    for name in (".venv", "node_modules"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def replaced(old: str, new: str) -> Callable[[str], str]:
    """A change of a file's text that must change something."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


FAULTS = {
    "an unknown name": (INDEX, replaced("%}\n", "%}\n{% set nothing = no_such_name ~ '' %}\n"), "'no_such_name'"),
    "a typed number": (INDEX, replaced("{% block main %}", "{% block main %}It runs 62 chats."), "types a number"),
    "a figure without a source": (LESSON, replaced('"source":', '"sauce":'), "has no source"),
    "a broken template": (INDEX, replaced("{% endblock %}", "{% endblok %}"), "endblok"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_build_with_a_sentence(checkout: Path, fault: str) -> None:
    """No page is written, nothing of Python's is shown, and the sentence names what is wrong."""
    name, change, words = FAULTS[fault]
    path = checkout / name
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    job, out = build_site(checkout / "out", checkout)
    _, said = job.communicate()
    assert job.returncode == 1
    assert said.startswith("build.py: ") and words in said
    assert said.count("\n") == 1 and said.endswith(".\n")
    assert not out.exists()


def test_a_widget_without_its_entry_stops_the_build(checkout: Path) -> None:
    """The same for a file that is missing."""
    (checkout / "widget" / "element.js").unlink()
    job, _ = build_site(checkout / "out", checkout)
    _, said = job.communicate()
    assert (job.returncode, said.count("\n")) == (1, 1), said
