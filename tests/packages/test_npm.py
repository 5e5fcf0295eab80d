"""The npm package in an empty folder: its simulation in Node, its types, its element in a bundle and on pages."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from poolroom.facts import CATALOGUES
from tests.browser.widget import Widget
from tests.node import ROOT
from tests.packages.conftest import Installed, bundled, run_node, tsc
from tests.real.conftest import OpenHost
from tests.real.doors import drive

SETTINGS = [
    [90, 8000, 64, False], [43, 128000, 64, False], [30, 8000, 256, True], [98, 4000, 512, False], [1, 1, 1, False],
    [61, 16000, 3, True], [100, 777, 99, False],
]  # fmt: skip
IN_NODE = """
import { backlog, catalogue, describe, room, serve, sweep } from "poolroom/sim";
const settings = SETTINGS;
console.log(JSON.stringify({
  described: settings.map((each) => describe(...each)),
  german: describe(...settings[0], null, catalogue("de")),
  rooms: settings.map(([share, longest, , reserved]) => room(share, longest, reserved)),
  run: serve(backlog(), 64, 25720, 8000),
  rows: sweep(90, 8000, [1, 32, 512]),
}));
"""
IN_PYTHON = """
import json
from poolroom import backlog, catalogue, describe, room, serve, sweep
settings = json.loads('SETTINGS')
print(json.dumps({
  "described": [describe(*each) for each in settings],
  "german": describe(*settings[0], None, catalogue("de")),
  "rooms": [room(share, longest, reserved) for share, longest, _, reserved in settings],
  "run": serve(backlog(), 64, 25720, 8000),
  "rows": sweep(90, 8000, [1, 32, 512]),
}))
"""
GERMAN = CATALOGUES["de"]["view"]["copy_link"]
TELLING = ["customElements", "adoptedStyleSheets", "429,1390,408", "poolroom-change", GERMAN]
"""The element, its style, the chats, an event, and German."""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>{head}</head>
<body>
<pool-room id="one" share="48"></pool-room>
<pool-room id="two" share="60" cap="128"></pool-room>
<p>Everyone gets <pool-room-value show="tokens_per_second">?</pool-room-value> tokens a second.</p>
</body></html>
"""


def filled(script: str) -> str:
    """A script with the settings in it."""
    return script.replace("SETTINGS", json.dumps(SETTINGS))


def test_the_simulation_says_what_the_wheel_says(consumer: Path, newest: Installed) -> None:
    """Rule: the same answers, number by number and word by word, from both packages as installed."""
    here = json.loads(run_node(consumer, filled(IN_NODE)))
    assert here == json.loads(newest.run(newest.python, "-c", filled(IN_PYTHON)).stdout)
    assert here["described"][0]["run"].startswith("Running on average: 62 chats")


def test_it_can_be_required_too(consumer: Path) -> None:
    """Rule: an older program loads it with require, as the Nodes that `engines` names can."""
    script = 'console.log(require("poolroom/sim").room(90, 8000).blocks, require("poolroom/package.json").name)'
    assert run_node(consumer, script, kind="commonjs") == "25720 poolroom\n"


def test_a_program_without_a_page_can_import_the_element(consumer: Path) -> None:
    """Rule: a server that renders pages imports it, and nothing happens."""
    script = """
    for (const name of ["poolroom", "poolroom/poolroom.mjs", "poolroom/anywidget"]) {
      const found = await import(name);
      console.log(name, Object.keys(found).join(" "), typeof globalThis.customElements);
    }"""
    assert run_node(consumer, script).splitlines() == [
        "poolroom PoolRoom PoolRoomValue undefined",
        "poolroom/poolroom.mjs PoolRoom PoolRoomValue undefined",
        "poolroom/anywidget default undefined",
    ]


def test_what_is_inside_stays_inside(consumer: Path) -> None:
    """Rule: only the doors of `exports` open."""
    script = 'import("poolroom/lib/sim/server.js").catch((problem) => console.log(problem.code))'
    assert run_node(consumer, script) == "ERR_PACKAGE_PATH_NOT_EXPORTED\n"


def test_the_description_is_true(consumer: Path) -> None:
    """Rule: what README.md shows is what happens; each line with a comment gives what the comment says."""
    text = (consumer / "node_modules" / "poolroom" / "README.md").read_text("utf-8")
    [script] = [block for block in re.findall(r"```js\n(.*?)```", text, re.S) if "poolroom/sim" in block]
    promised = re.findall(r"^(\S.*); // (.*)$", script, re.M)
    asked = "".join(f"console.log(JSON.stringify({line}));\n" for line, _ in promised)
    said = run_node(consumer, script + asked).splitlines()
    assert len(said) == 3 and [json.loads(line) for line in said] == [json.loads(value) for _, value in promised]
    doors = json.loads((consumer / "node_modules" / "poolroom" / "package.json").read_text("utf-8"))["exports"]
    named = {f"poolroom{door[1:]}" for door in doors} - {"poolroom/package.json"}
    assert {*re.findall(r"^\| `(poolroom\S*)` \|", text, re.M)} == named


def test_a_bundler_leaves_out_what_is_not_imported(consumer: Path, tell: Callable[[str], None]) -> None:
    """Rule: `room` alone comes without elements, chats, German, and nearly all of the package; the element stays."""
    (consumer / "little.js").write_text('import { room } from "poolroom/sim";\nconsole.log(room(90, 8000).blocks);\n')
    little = bundled(consumer, "little.js", "--minify", "--format=esm", "--charset=utf8")
    assert run_node(consumer, little) == "25720\n"
    assert [word for word in TELLING if word in little] == []
    (consumer / "unused.js").write_text('import { PoolRoom } from "poolroom";\nimport { room } from "poolroom/sim";\n')
    whole = bundled(consumer, "unused.js", "--minify", "--format=esm", "--charset=utf8")
    assert [word for word in TELLING if word not in whole] == []
    assert len(little) < len(whole) / 5
    tell(f"npm: room() alone bundles to {len(little.encode()):,} bytes, the elements to {len(whole.encode()):,}")


@pytest.mark.parametrize("kind", ["bundler", "nodenext"])
def test_types_are_found(consumer: Path, kind: str) -> None:
    """Rule: tsc knows every door's types, reads them all without complaint, and sees each mistake of its user."""
    text = (ROOT / "tests" / "packages" / "consumer.ts").read_text("utf-8")
    (consumer / f"{kind}.ts").write_text(text, "utf-8")
    done = compiled(consumer, f"{kind}.ts", kind, "ES2023,DOM,DOM.Iterable")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


def test_the_simulations_types_need_no_page(consumer: Path) -> None:
    """Rule: a program without the DOM's types can use the simulation."""
    (consumer / "alone.ts").write_text(
        'import { sweep } from "poolroom/sim";\nexport const rows: number = sweep().length;\n'
        "// @ts-expect-error there is no page\ndocument.title;\n",
        "utf-8",
    )
    done = compiled(consumer, "alone.ts", "nodenext", "ES2023")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


def compiled(folder: Path, name: str, kind: str, libraries: str) -> CompletedProcess[str]:
    """What tsc complains of in a consumer's file and in the package's own types."""
    module = "nodenext" if kind == "nodenext" else "esnext"
    options = ["--noEmit", "--strict", "--skipDefaultLibCheck", "--target", "es2023"]
    return tsc(folder, *options, "--lib", libraries, "--module", module, "--moduleResolution", kind, name)


def test_the_element_on_pages(
    consumer: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """Rule: bundled, as one module, and as a classic script: two widgets and a number, each as the reference has it."""
    (consumer / "app.js").write_text('import { PoolRoom } from "poolroom";\nwindow.PoolRoom = PoolRoom;\n')
    served = consumer / "node_modules" / "poolroom" / "dist"
    scripts = {
        "bundle.js": (bundled(consumer, "app.js", "--minify"), "defer"),
        "poolroom.mjs": ((served / "poolroom.mjs").read_text("utf-8"), 'type="module"'),
        "poolroom.js": ((served / "poolroom.js").read_text("utf-8"), "defer"),
    }
    for name, (text, how) in scripts.items():
        (tmp_path / name).write_text(text, "utf-8")
        head = f'<script src="{name}" {how}></script>'
        (tmp_path / f"{name}.html").write_text(PAGE.format(head=head), "utf-8")
    address = serve_folder(tmp_path)
    for name in scripts:
        page = open_host(address, f"{name}.html")
        drive(Widget(page, "#one"), share=48)
        drive(Widget(page, "#two"), share=60, cap=128)
        assert page.locator("pool-room-value").text_content() == "1,202", name
        if name == "bundle.js":
            assert page.evaluate("document.querySelector('#one') instanceof window.PoolRoom")


def test_the_page_for_frames_opens(consumer: Path, serve_folder: Callable[[Path], str], open_host: OpenHost) -> None:
    """Rule: `poolroom/poolroom.html`, where a program finds it, shows the widget."""
    script = 'console.log(import.meta.resolve("poolroom/poolroom.html"))'
    found = run_node(consumer, script).strip()
    served = consumer / "node_modules" / "poolroom" / "dist"
    assert found == (served / "poolroom.html").as_uri()
    drive(Widget(open_host(serve_folder(served), "poolroom.html?share=61")), share=61)
