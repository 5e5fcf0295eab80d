"""Build the site: the reference's answers, the pages and the widget become plain files in dist/."""

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, nodes
from markupsafe import Markup, escape

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "sim"), str(ROOT / "site" / "make")]

import api_page  # noqa: E402
import embed_numbers  # noqa: E402
import lesson_numbers  # noqa: E402
import pictures  # noqa: E402
import plan_numbers  # noqa: E402
import proof_files  # noqa: E402
import selfhost  # noqa: E402
import serve_numbers  # noqa: E402
import serve_programs  # noqa: E402
import teach_numbers  # noqa: E402
import truth_numbers  # noqa: E402
import truth_pictures  # noqa: E402
from bundle import BuildError, bundle, put_in_package, static_files  # noqa: E402
from poolroom import stops_paying, words  # noqa: E402
from poolroom.cli_copies import integrity  # noqa: E402

FACTS = ROOT / "sim" / "poolroom" / "facts"
PAGES = ROOT / "site" / "pages"
ALONE, OFFLINE = "poolroom.html", "plan-offline.html"
LINKED = (
    "index.html", "how.html", "plan.html", "serve.html", "embed.html", "teach.html", "api.html", proof_files.PAGE,
    "truth.html", "accessibility.html", "watch.html",
)
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; img-src {images}data:; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)
RUNS_PYTHON = "; connect-src 'self'; worker-src 'self'; trusted-types poolroom-proof"


def load() -> dict[str, Any]:
    """Read the facts that the pages show, by file name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FACTS.glob("*.json"))}


def figures(facts: Any, name: str) -> Iterator[tuple[str, dict]]:
    """Walk all figures of a facts file, with their names."""
    if isinstance(facts, dict) and ("value" in facts or "values" in facts or "gain" in facts):
        yield name, facts
    elif isinstance(facts, dict):
        for key, part in facts.items():
            yield from figures(part, f"{name}.{key}")


def check(facts: dict[str, Any], env: Environment) -> None:
    """Stop at a figure without source or date, and at templates that type a number or leave a name unused."""
    for name, figure in figures({key: facts[key] for key in ("lesson", "choices", "outside")}, "facts"):
        if not figure.get("source") or not figure.get("checked"):
            raise BuildError(f"{name} has no source, or no date on which it was checked.")
    used = set()
    for name in env.list_templates():
        text = (PAGES / name).read_text("utf-8")
        tree = env.parse(text, name)
        typed = bare_digits(text) + [c.value for c in tree.find_all(nodes.Const) if has_digit(c.value)]
        if typed:
            raise BuildError(f"{name} types a number: “{typed[0]}”. Let the build fill it.")
        used |= {node.name for node in tree.find_all((nodes.Name, nodes.Filter))}
    unused = sorted((context(facts).keys() | filters().keys()) - used)
    if unused:
        raise BuildError(f"No page uses {', '.join(unused)}.")


def bare_digits(template: str) -> list[str]:
    """Give the pieces of a template's text that have a digit in them; what is filled in, and tags, aside."""
    filled = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "\0", template, flags=re.S)
    text = re.sub(r"<[^>]*>|&#?\w+;", "\0", filled)
    return [piece.strip() for piece in text.split("\0") if has_digit(piece)]


def has_digit(value: Any) -> bool:
    """Say whether this is text with a digit in it."""
    return isinstance(value, str) and bool(re.search(r"\d", value))


def bold(sentence: str) -> Markup:
    """Set the outcomes of a sentence bold; they stand between asterisks."""
    return Markup(re.sub(r"\*(.+?)\*", r"<b>\1</b>", str(escape(sentence))))


def context(facts: dict[str, Any]) -> dict[str, Any]:
    """Give everything that a template may name."""
    own = {"WORDS": words.WORDS, "say": words.say, "lesson": facts["lesson"], "choices": facts["choices"],
           "outside": facts["outside"], "figures": figures,
           "stops_paying": stops_paying, "LICENCE": "CC BY 4.0", "ZIP": selfhost.ZIP,
           "PINNED": [selfhost.versioned(name) for name in selfhost.SHORT]}
    return {**lesson_numbers.GLOBALS, **pictures.GLOBALS, **teach_numbers.GLOBALS, **embed_numbers.GLOBALS,
            **api_page.GLOBALS, **serve_numbers.GLOBALS, **serve_programs.GLOBALS, **plan_numbers.GLOBALS,
            **truth_numbers.GLOBALS, **truth_pictures.GLOBALS, **own}


def filters() -> dict[str, Any]:
    """Give our own filters."""
    return {**lesson_numbers.FILTERS, **serve_programs.FILTERS, "bold": bold}


def environment_for(facts: dict[str, Any]) -> Environment:
    """Make the template environment: a name that is missing stops the build."""
    env = Environment(loader=FileSystemLoader(PAGES), undefined=StrictUndefined, autoescape=True,
                      trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    env.filters.update(filters())
    env.globals.update(context(facts))
    return env


def render_alone(env: Environment, name: str, script: str, style: str) -> str:
    """Render a page that is one file."""
    if re.search(r"<!--|</script", script, re.I) or "</style" in style:
        raise BuildError("The script or the style holds a piece of markup that would end it inside a page.")
    policy = POLICY.format(scripts=fingerprint(script), styles=fingerprint(style), images="")
    return env.get_template(f"{name}.jinja").render(policy=policy, script=Markup(script), style=Markup(style))


def render_linked(env: Environment, files: dict[str, str], proof: proof_files.Proof | None) -> dict[str, str]:
    """Render the pages that share scripts and styles; all but the proof page where that cannot be."""
    measured = {"weights": {"element": gzipped(files["poolroom.js"]), "frame": gzipped(files[ALONE])},
                "integrity": integrity(files["poolroom.js"].encode())}
    names = [name for name in LINKED if proof or name != proof_files.PAGE]
    return {name: env.get_template(f"{name}.jinja").render(
        policy=policy_of(name), linked=names, proof=proof, **measured) for name in names}


def policy_of(name: str) -> str:
    """Give a page's policy; one page may run WebAssembly, in its own worker."""
    runs_python = name == proof_files.PAGE
    scripts = "'self' 'wasm-unsafe-eval'" if runs_python else "'self'"
    policy = POLICY.format(scripts=scripts, styles="'self'", images="'self' ")
    return policy + RUNS_PYTHON if runs_python else policy


def gzipped(text: str) -> int:
    """Weigh a file as servers send it, in bytes."""
    return len(gzip.compress(text.encode(), mtime=0))


def fingerprint(text: str) -> str:
    """Name an inline script or style in a policy by its hash."""
    return f"'{integrity(text.encode(), 'sha256')}'"


def proof_of(files: dict[str, str]) -> proof_files.Proof | None:
    """Make what the proof page loads; where this Python cannot, say so and take out the page's scripts and style."""
    if not proof_files.why_not():
        return proof_files.Proof(proof_files.files(static_files(files)))
    print(proof_files.why_not())
    for name in proof_files.PARTS:
        del files[name]
    return None


def write(out: Path, files: dict[str, str], proof: proof_files.Proof | None) -> None:
    """Write the files, and print what each weighs; beside them the zip for those who host the widget themselves."""
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (out / name).write_bytes(text.encode())
        print(f"{name:22} {len(text.encode()):8,} bytes {gzipped(text):8,} gzipped")
    (out / selfhost.ZIP).write_bytes(selfhost.zipped(files))
    serve_programs.put(out)
    proof_files.put(proof.files if proof else [], out)


def main() -> int:
    """Build everything; 1 and one sentence where something must be mended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist")
    parser.add_argument("--widget", type=Path, default=ROOT / "widget" / "element.js", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        facts = load()
        env = environment_for(facts)
        check(facts, env)
        files = bundle(options.widget.resolve())
        files[ALONE] = render_alone(env, ALONE, files.pop("alone.js").strip(), files["page.css"].strip())
        styles = files["page.css"].strip() + files["plan.css"].strip()
        scripts = files["plan.js"].strip() + files["plan-paste.js"].strip()
        files[OFFLINE] = render_alone(env, OFFLINE, scripts, styles)
        proof = proof_of(files)
        files |= render_linked(env, files, proof)
        write(options.out, selfhost.with_versions(files), proof)
        put_in_package(static_files(files))
    except TemplateError as trouble:
        print(f"build.py: a template cannot be filled: {trouble}.", file=sys.stderr)
    except (BuildError, lesson_numbers.ClaimError) as trouble:
        print(f"build.py: {trouble}", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
