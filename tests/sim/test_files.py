"""`poolroom files`: the widget's files in a folder, nobody's overwritten, every refusal a sentence."""

from pathlib import Path

import pytest

from poolroom import __version__
from poolroom.cli import main
from poolroom.cli_copies import integrity, run_files
from tests.sim.tools import needs_short_names

FILES = {"poolroom.js": b"let a = 1;\n", "poolroom.html": b"<!doctype html>\n"}
PINNED = {f"poolroom-{__version__}.js": FILES["poolroom.js"], f"poolroom-{__version__}.html": FILES["poolroom.html"]}


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """Two files as a build would leave them, but small."""
    folder = tmp_path / "static"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_files_come_under_both_names(static: Path, tmp_path: Path) -> None:
    """Rule: short names and names with the version, in a folder that is made; a line for each, and a pinned tag."""
    home = tmp_path / "new" / "public"
    said, code = run_files(str(home), False, __version__, static)
    lines = said.splitlines()
    assert code == 0 and content(home) == {**FILES, **PINNED}
    assert lines[:-1] == [f"{home / name}: written" for name in {**FILES, **PINNED}]
    assert f'<script src="poolroom-{__version__}.js" integrity="sha384-' in lines[-1]


def test_what_is_the_same_is_left_alone(static: Path, tmp_path: Path) -> None:
    """Rule: a second run writes nothing; what is missing again comes back, and other files stay."""
    home = tmp_path / "public"
    run_files(str(home), False, __version__, static)
    (home / "index.html").write_bytes(b"mine")
    (home / "poolroom.js").unlink()
    before = (home / "poolroom.html").stat().st_mtime_ns
    said, code = run_files(str(home), False, __version__, static)
    assert code == 0 and content(home) == {**FILES, **PINNED, "index.html": b"mine"}
    assert [line.rpartition(": ")[2] for line in said.splitlines()[:4]] == ["written"] + ["as it was"] * 3
    assert (home / "poolroom.html").stat().st_mtime_ns == before


@pytest.mark.parametrize("name", [*FILES, *PINNED])
def test_other_content_is_not_overwritten(
    static: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Rule: a file of that name with other content stops everything, by name; --force replaces it."""
    home = tmp_path / "public"
    home.mkdir()
    (home / name).write_bytes(b"somebody's")
    assert run_files(str(home), False, __version__, static) == ("", 2)
    said = capsys.readouterr().err
    assert said == (
        f"poolroom: {home} has files of these names with other content: {name}. "
        "Nothing was written; --force replaces them.\n"
    )
    assert content(home) == {name: b"somebody's"}
    assert run_files(str(home), True, __version__, static)[1] == 0
    assert content(home) == {**FILES, **PINNED}


def refusal_of(capsys: pytest.CaptureFixture[str], folder: str, static: Path) -> str:
    """The one line that a folder is refused with, even by force."""
    for force in (False, True):
        assert run_files(folder, force, __version__, static) == ("", 2)
    first, second = capsys.readouterr().err.splitlines()
    assert first == second
    return first


def test_a_folder_that_is_none_is_refused(static: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: a file, a place below a file, a folder of a file's name, no name at all, a name that cannot be one."""
    taken = tmp_path / "taken"
    (taken / "poolroom.js").mkdir(parents=True)
    file = static / "poolroom.js"
    assert refusal_of(capsys, str(file), static) == f"poolroom: cannot write {file} (it is a file, not a folder)"
    assert refusal_of(capsys, str(file / "x"), static).startswith(f"poolroom: cannot write {file / 'x'}")
    assert refusal_of(capsys, str(taken), static).startswith(f"poolroom: cannot write {taken / 'poolroom.js'}")
    assert refusal_of(capsys, "", static) == "poolroom: DIR is empty: name a folder, or . for the one you are in."
    assert refusal_of(capsys, "a\0b", static).startswith("poolroom: cannot write a")
    assert content(static) == FILES and not any(taken.glob("*.part"))


@needs_short_names
def test_a_name_that_is_too_long_is_refused(static: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: what the file system does not take is said in its words."""
    assert refusal_of(capsys, "x" * 5_000, static).startswith("poolroom: cannot write x")


def test_without_a_build_it_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: a checkout that was never built has nothing to copy."""
    assert run_files(str(tmp_path / "out"), False, __version__, tmp_path) == ("", 2)
    assert "run python build.py" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_command_needs_one_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: none, or two, is refused in one line."""
    for words in (["files"], ["files", "a", "b"], ["files", "a", "--replace"]):
        with pytest.raises(SystemExit) as leaving:
            main(words)
        assert leaving.value.code == 2 and capsys.readouterr().err.count("\n") == 1


def test_integrity_is_what_browsers_compute() -> None:
    """Rule: the hash of no bytes, as FIPS 180-4 gives it, in base 64."""
    assert integrity(b"") == "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb"
