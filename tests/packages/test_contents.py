"""What is in each package, name by name: no tests, no caches, no stray files, and the version everywhere."""

import csv
import email
import hashlib
import io
import json
import re
import tomllib
import zipfile

import archives
import selfhost
from poolroom import __version__
from tests.node import ROOT
from tests.packages.conftest import Release

TWINS = """arrivals batching blocks budget cache_words chats checks describe draws facts floor floor_words kv kv_words
    latencies lru percentiles percentiles_words quantise quantise_words quote response_cache server serving_facts
    steptime sweep tool tools window_words words zipf"""
MODULES = f"""{TWINS} __init__ __main__ authored check cli cli_copies cli_files cli_plan marks notebook
    options png svg svg_bar svg_sheet svg_text"""
PLAN = """allocated architecture asked asked_card budget capacity cards choices command config defaults demand
    divided end_tensors experts eyes families fields fix_words fixes graphs kept latent layout lengths levers lines
    loaded mixers mlps models modules names need pages parameters plan plan_facts plan_words pool quantisation
    quantisation_config reach refusals refuse released reserve rounding safetensors search senses settings shape shares
    stages state_tensors states sums supported tensors trial upgrade values verdict versions weights"""
PLAN_READ = "allowed cards families fitted lines models quantisations vllm words"
TOOLS = "cache floor kv percentiles quantise window"
FACTS = "chats choices colours contract lesson outside presets words/de words/en"
STATIC = "anywidget.js poolroom.html poolroom.js"
PACKAGE = {
    "py.typed",
    *(f"{name}.py" for name in MODULES.split()),
    *(f"facts/{name}.json" for name in FACTS.split()),
    *(f"facts/serving/{name}.json" for name in TOOLS.split()),
    *(f"vllm/{name}.py" for name in ("__init__", *PLAN.split())),
    *(f"facts/vllm/{name}.json" for name in ("page", "plan-schema", *PLAN_READ.split())),
    *(f"static/{name}" for name in STATIC.split()),
}
ABOUT = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}
SDIST = {"LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg"}
EGG = "PKG-INFO SOURCES.txt dependency_links.txt entry_points.txt requires.txt top_level.txt"

SIM = f"{TWINS} ends quiet"
VIEW = """actions address asked author bar controls el focus help legend lines notices options print range refusal
    sentences settings sheet speaker switches textures track widget"""
READ = "chats choices contract lesson presets words/de words/en"
LIB = {
    *("anywidget", "base", "element", "group", "index", "plan", "poolroom.css", "value"),
    *(f"sim/{name}" for name in SIM.split()),
    *(f"view/{name}" for name in VIEW.split()),
    *(f"facts/{name}" for name in READ.split()),
    *(f"facts/serving/{name}" for name in TOOLS.split()),
    *(f"sim/vllm/{name}" for name in PLAN.split()),
    *(f"facts/vllm/{name}" for name in PLAN_READ.split()),
}
NPM = {
    "LICENSE", "README.md", "package.json", "lib/tags.d.ts",
    *(f"lib/{name}{ending}" for name in LIB for ending in (".js", ".d.ts")),
    *(f"dist/{name}" for name in ("poolroom.html", "poolroom.js", "poolroom.mjs", "poolroom-anywidget.js")),
}  # fmt: skip
PAGES = """accessibility.html embed.html embed.js guide.css how.html index.html page.css page.js poolroom-anywidget.js
    poolroom.html poolroom.js serve.css serve.html serve.js teach.html truth.css truth.html
    plan-offline.html plan-paste.js plan.css plan.html plan.js watch.css watch.html watch.js"""


def wheel_of(packages: Release) -> dict[str, bytes]:
    """The wheel's files by name."""
    with zipfile.ZipFile(packages.wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def about(packages: Release) -> email.message.Message:
    """The wheel's metadata."""
    return email.message_from_bytes(wheel_of(packages)[f"poolroom-{__version__}.dist-info/METADATA"])


def test_the_wheel_has_these_files_and_no_others(packages: Release) -> None:
    """Rule: the reference, its facts, the widget's files; the record has each with its hash."""
    home = f"poolroom-{__version__}.dist-info"
    files = wheel_of(packages)
    assert files.keys() == {f"poolroom/{name}" for name in PACKAGE} | {f"{home}/{name}" for name in ABOUT}
    recorded = {name for name, *_ in csv.reader(io.StringIO(files[f"{home}/RECORD"].decode()))}
    assert recorded == files.keys()


def test_the_sdist_has_these_files_and_no_others(packages: Release) -> None:
    """Rule: what the wheel is built from, the widget's files among it, and what setuptools notes."""
    names = SDIST | {f"sim/poolroom/{name}" for name in PACKAGE} | {f"sim/poolroom.egg-info/{n}" for n in EGG.split()}
    assert archives.untarred(packages.sdist).keys() == {f"poolroom-{__version__}/{name}" for name in names}


def test_the_npm_package_has_these_files_and_no_others(packages: Release) -> None:
    """Rule: the widget's modules, each with its types, the files that pages load, and who may import what."""
    files = archives.untarred(packages.tarball)
    assert files.keys() == {f"package/{name}" for name in NPM}
    doors = json.loads(files["package/package.json"])["exports"]
    named = [text for door in doors.values() for text in (door.values() if isinstance(door, dict) else [door])]
    assert {f"package/{text.removeprefix('./')}" for text in named} <= files.keys()


def test_the_site_zip_is_the_whole_site(packages: Release) -> None:
    """Rule: what the build wrote, byte for byte, and the licence."""
    with zipfile.ZipFile(packages.site) as archive:
        files = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert files.pop("LICENSE.txt") == (ROOT / "LICENSE").read_bytes()
    assert files == archives.content_of(packages.folder.with_name("shared-dist"))
    assert files.keys() >= {*PAGES.split(), *map(selfhost.versioned, selfhost.SHORT), selfhost.ZIP}


def test_the_widgets_files_are_those_of_the_site(packages: Release) -> None:
    """Rule: one build of the widget, the same bytes in every package."""
    site = archives.content_of(packages.folder.with_name("shared-dist"))
    wheel, npm = wheel_of(packages), archives.untarred(packages.tarball)
    for name in ("poolroom.js", "poolroom.html"):
        assert wheel[f"poolroom/static/{name}"] == npm[f"package/dist/{name}"] == site[name]
    notebook = site["poolroom-anywidget.js"]
    assert wheel["poolroom/static/anywidget.js"] == npm["package/dist/poolroom-anywidget.js"] == notebook


def test_nothing_in_them_names_this_machine(packages: Release) -> None:
    """Rule: no path of a checkout or of a folder that a build used."""
    for files in (wheel_of(packages), archives.untarred(packages.sdist), archives.untarred(packages.tarball)):
        for name, data in files.items():
            assert not re.search(rb"/(tmp|home|root|work|Users|private)/\w", data), name
            assert str(ROOT).encode() not in data, name


def test_the_wheel_says_what_it_is(packages: Release) -> None:
    """Rule: name, version, Pythons, no dependency, the extras, a description that can be read."""
    meta = about(packages)
    assert (meta["Name"], meta["Version"]) == ("poolroom", __version__)
    assert (meta["Requires-Python"], meta["License-Expression"]) == (">=3.11", "MIT")
    assert meta["Description-Content-Type"] == "text/markdown"
    needs = meta.get_all("Requires-Dist", [])
    assert all("extra ==" in need for need in needs) and len(needs) == 3
    assert meta.get_all("Provides-Extra") == ["widget", "png", "all"]
    classifiers = meta.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)} <= {*classifiers}
    assert meta.get_payload() == (ROOT / "site" / "packages" / "python.md").read_text("utf-8")


def test_package_json_says_what_it_is(packages: Release) -> None:
    """Rule: the same name, version and words; no dependency, no script that npm would run."""
    package = json.loads(archives.untarred(packages.tarball)["package/package.json"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (package["name"], package["version"]) == ("poolroom", __version__)
    assert package["description"] == project["description"]
    assert package["engines"] == {"node": ">=20.19"}
    assert not {"dependencies", "peerDependencies", "scripts", "bin"} & package.keys()


def test_the_checksums_are_right(packages: Release) -> None:
    """Rule: SHA256SUMS names every other file, and integrity.json the scripts that a page may pin."""
    sums = dict(line.split("  ")[::-1] for line in (packages.folder / "SHA256SUMS").read_text("utf-8").splitlines())
    files = {path.name: path for path in packages.folder.iterdir() if path.name != "SHA256SUMS"}
    assert sums == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    pinned = json.loads((packages.folder / "integrity.json").read_text("utf-8"))
    assert pinned.keys() == {selfhost.versioned("poolroom.js"), "poolroom-anywidget.js", "poolroom.mjs"}
    assert all(re.fullmatch(r"sha384-[\w+/]{64}", text) for text in pinned.values())
