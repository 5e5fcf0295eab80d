"""The house: who may know whom, the twins' names, and what neither twin may call."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SIM, TWIN, WIDGET = ROOT / "sim" / "poolroom", ROOT / "widget" / "sim", ROOT / "widget"

KNOWS = {
    "facts": set(),
    "checks": {"facts"},
    "blocks": {"facts", "checks"},
    "steptime": {"facts", "checks"},
    "chats": {"facts", "checks"},
    "budget": {"facts", "checks", "blocks"},
    "server": {"facts", "checks", "blocks", "steptime", "chats"},
    "words": {"facts", "checks", "budget", "server"},
    "describe": {"facts", "checks", "budget", "chats", "server", "words"},
    "sweep": {"facts", "checks", "budget", "chats", "server"},
    "quote": {"facts", "checks", "budget", "describe", "words"},
    "serving_facts": {"facts"},
    "draws": {"checks"},
    "tool": {"facts", "checks", "words", "serving_facts"},
    "percentiles": {"checks"},
    "latencies": {"checks", "draws", "serving_facts"},
    "percentiles_words": {"checks", "latencies", "percentiles", "tool", "words"},
    "floor": {"facts", "checks", "steptime"},
    "floor_words": {"checks", "facts", "floor", "serving_facts", "tool", "words"},
    "arrivals": {"chats", "checks", "draws"},
    "batching": {"facts", "checks", "arrivals", "blocks", "chats", "server", "steptime"},
    "window_words": {"serving_facts", "tool", "words", "checks", "draws", "percentiles"}
    | {"arrivals", "batching", "chats"},
    "kv": {"checks"},
    "kv_words": {"checks", "kv", "tool", "words"},
    "lru": {"checks"},
    "zipf": {"checks", "draws"},
    "response_cache": {"checks", "draws", "lru", "zipf"},
    "cache_words": {"checks", "floor", "response_cache", "serving_facts", "tool", "words"},
    "quantise": {"checks", "serving_facts", "tool"},
    "quantise_words": {"checks", "facts", "kv", "quantise", "serving_facts", "tool", "words"},
    "tools": {"checks", "serving_facts", "tool", "words"}
    | {"percentiles_words", "floor_words", "kv_words", "window_words", "cache_words", "quantise_words"},
    "quiet": {"facts", "checks", "steptime"},
    "ends": set(),
}
"""The arrows: a module may import these and no others."""
PLAN = (
    "plan_facts", "refuse", "names", "search", "cards", "values", "fields", "quantisation", "rounding", "sums",
    "versions", "allocated", "asked", "asked_card", "defaults", "experts", "families", "latent", "models",
    "quantisation_config", "shape", "eyes", "mixers", "states", "tensors", "architecture", "end_tensors", "lengths",
    "mlps", "modules", "senses", "state_tensors", "parameters", "safetensors", "config", "loaded", "settings", "stages",
    "command", "pages", "supported", "released", "weights", "kept", "reserve", "graphs", "layout", "need", "capacity",
    "budget", "lines", "pool", "divided", "refusals", "verdict", "trial", "levers", "shares", "choices", "reach",
    "fixes", "demand", "upgrade", "fix_words", "plan", "plan_words",
)  # fmt: skip
"""The modules of the plan in the order in which they stand on each other: each may import those before it."""
PLAN_BELOW = {"plan_facts": {"facts"}, "refuse": {"checks", "facts"}}
"""What the modules of the plan know of the lesson: how a value is refused."""
KNOWS |= {
    f"vllm/{name}": {f"vllm/{each}" for each in PLAN[:i]} | PLAN_BELOW.get(name, {"checks"})
    for i, name in enumerate(PLAN)
}
TOOLS = {
    "svg_text": set(),
    "svg_bar": {"facts", "describe", "svg_text"},
    "svg_sheet": {"facts", "describe", "words", "svg_bar", "svg_text"},
    "svg": {"facts", "checks", "describe", "words", "svg_sheet", "svg_text"},
    "png": {"facts"},
    "marks": set(),
    "options": {"facts", "checks"},
    "authored": {"facts", "checks", "options"},
    "check": {"facts", "checks", "chats", "describe", "quote", "authored", "marks", "options"},
    "cli_files": {"facts", "checks", "describe", "check", "png", "svg"},
    "cli_copies": {"facts", "cli_files"},
    "cli_plan": {
        "checks", "facts", "cli_files", "vllm.command", "vllm.models",
        "vllm.plan", "vllm.plan_facts", "vllm.plan_words", "vllm.refuse", "vllm.upgrade",
    },
    "notebook": {"facts", "checks", "chats", "describe", "words", "options"},
}
"""On top of the reference, without a twin; those of the command line touch files, png and notebook use a library."""
NOTEBOOK_USES = {"anywidget", "pathlib", "traitlets", "types"}
TOOLS_USE = {
    "notebook": NOTEBOOK_USES,
    "cli_files": {"argparse", "codecs", "pathlib", "sys"},
    "cli_copies": {"base64", "os", "pathlib", "sys"},
    "cli_plan": {"argparse", "json", "pathlib", "stat"},
    "marks": {"pathlib"},
    "png": {"resvg_py"},
}
TYPES_ONLY = {("words", "budget"), ("words", "server"), ("quote", "describe"), ("quiet", "steptime")}
"""Arrows that carry types alone: words read results, and never compute one."""
READERS = {"facts", "serving_facts", "vllm/plan_facts"}
PORTS_OWN = {"quiet", "ends"}
KNOWS_IN_JS = {"server": PORTS_OWN}
PYTHON_ONLY = {("chats", "draw_chats"), ("facts", "load"), ("facts", "FOLDER")}
JS_ONLY = {("facts", "OPENING")}
MODULES = [name for name in KNOWS if name not in PORTS_OWN]
INT_SUMS = {("server", "tokens_of"), ("server", "result")}
"""Functions whose sum() adds whole numbers; in the plan all do, since it counts bytes, blocks and tokens."""


@cache
def python(module: str) -> ast.Module:
    """A module of the reference as a tree."""
    return ast.parse((SIM / f"{module}.py").read_text(encoding="utf-8"))


@cache
def code(path: Path) -> str:
    """A script without comments, and with nothing left of its texts but the quotes."""
    text = path.read_text(encoding="utf-8")
    token = r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    return re.sub(token, lambda match: "" if match[0][0] == "/" else _bare(match[0]), text, flags=re.S)


def _bare(text: str) -> str:
    # What a template fills in is code; addresses of imports are needed too.
    if text[0] == "`":
        return "`" + " ".join(re.findall(r"\$\{([^{}]*)\}", text)) + "`"
    return text if re.fullmatch(r"[\"'][./][\w./-]*\.js(on)?[\"']", text) else text[0] * 2


def name_of(path: Path) -> str:
    """The name of a twin, with the folder that it lies in."""
    return path.relative_to(TWIN).with_suffix("").as_posix()


def scripts(folder: Path) -> list[Path]:
    """Every script below a folder."""
    return sorted(folder.rglob("*.js"))


def imported(module: str, node: ast.ImportFrom) -> str:
    """The module of the reference that an import names; one dot is the folder of the module itself."""
    folder = module.split("/")[:-1][: 2 - node.level] if "/" in module else []
    return "/".join([*folder, node.module or ""])


def imports_of(path: Path) -> list[Path]:
    """The files that a script imports or re-exports."""
    found = re.findall(r"(?:\bfrom|\bimport)\s*\(?\s*[\"']([^\"']+)[\"']", code(path))
    return [(path.parent / name).resolve() for name in found if name.startswith(".")]


@pytest.mark.parametrize("module", MODULES)
def test_the_references_arrows(module: str) -> None:
    """Rule: DESIGN §2: each module of the reference imports only those below it, and the standard library."""
    for node in ast.walk(python(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert imported(module, node) in KNOWS[module], f"{module}.py imports {node.module}"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            allowed = {"math", "random", "collections", "dataclasses", "typing", "re"} | (
                {"json", "pathlib", "types"} if module == "facts" else set()
            )
            assert {name.split(".")[0] for name in names} <= allowed, f"{module}.py imports {names}"


@pytest.mark.parametrize("module", TOOLS)
def test_the_tools_arrows(module: str) -> None:
    """Rule: what stands on top of the reference knows what is below it, and nothing of the world but what it is for."""
    allowed = {"collections", "dataclasses", "functools", "hashlib", "html", "re", "typing", "unicodedata", "xml"}
    for node in ast.walk(python(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.module in TOOLS[module], f"{module}.py imports {node.module}"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert {name.split(".")[0] for name in names} <= allowed | TOOLS_USE.get(module, set())


@pytest.mark.parametrize(("module", "below"), sorted(TYPES_ONLY - {("quiet", "steptime")}))
def test_words_import_only_the_types_of_results(module: str, below: str) -> None:
    """Rule: words reads results only: what it imports from budget and server are names of types."""
    names = [
        alias.name
        for node in ast.walk(python(module))
        if isinstance(node, ast.ImportFrom) and node.module == below
        for alias in node.names
    ]
    types = {node.name for node in python(below).body if isinstance(node, ast.ClassDef)}
    assert names and set(names) <= types


@pytest.mark.parametrize("path", scripts(TWIN), ids=lambda path: path.name)
def test_the_twins_arrows(path: Path) -> None:
    """Rule: the same arrows in JavaScript; only facts.js reads the facts, and nothing points out of widget/sim."""
    module = name_of(path)
    assert module in KNOWS, f"{path.name} has no twin"
    allowed = KNOWS[module] | KNOWS_IN_JS.get(module, set())
    for target in imports_of(path):
        if target.suffix == ".json":
            assert module in READERS and target.is_relative_to(SIM / "facts")
        else:
            assert target.is_relative_to(TWIN) and name_of(target) in allowed, f"{path.name} imports {target.name}"
            assert (module, name_of(target)) not in TYPES_ONLY, f"{path.name} may know only types of {target.name}"


@pytest.mark.parametrize("path", scripts(WIDGET), ids=lambda path: str(path.relative_to(WIDGET)))
def test_nothing_points_back(path: Path) -> None:
    """Rule: element -> view -> sim; view knows neither element nor index, and nobody knows build, site or tests."""
    inside = path.relative_to(WIDGET).parts[0]
    for target in imports_of(path):
        if inside == "sim":
            assert target.is_relative_to(TWIN) or target.suffix == ".json"
        else:
            assert target.is_relative_to(WIDGET), f"{path.name} reaches out to {target}"
        if inside == "view":
            assert target.parent in (WIDGET / "view", TWIN) or target.suffix == ".css", (
                f"{path.name} imports {target.name}"
            )


def test_the_reference_is_alone() -> None:
    """Rule: the reference never names tests, build or site, and needs nothing that is not Python's own."""
    for path in SIM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not {name.split(".")[0] for name in names} & {"tests", "build", "site", "jinja2", "widget"}


def public_python(module: str) -> list[tuple[str, bool]]:
    """Public names of a module in order, and whether each is a class that only names a type."""
    names = []
    for node in python(module).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            names.append((node.name, False))
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            names.append((node.name, _is_record(node)))
    return [(name, record) for name, record in names if (module, name) not in PYTHON_ONLY]


def _is_record(node: ast.ClassDef) -> bool:
    bases = {ast.unparse(base) for base in node.bases}
    return bool(bases & {"TypedDict", "Parts"}) or any("dataclass" in ast.unparse(each) for each in node.decorator_list)


def public_script(module: str) -> list[str]:
    """Exported functions and classes of a script, in order."""
    return re.findall(r"^export (?:async )?(?:function|class) (\w+)", code(TWIN / f"{module}.js"), re.M)


def types_of(module: str) -> set[str]:
    """Names of types that a script's comments define, and of its exported constants."""
    text = (TWIN / f"{module}.js").read_text(encoding="utf-8")
    return set(re.findall(r"@typedef [^\n]*?(\w+)\s*(?:\*/)?$", text, re.M)) | set(
        re.findall(r"^export const (\w+)", text, re.M)
    )


@pytest.mark.parametrize("module", MODULES)
def test_twins_have_the_same_names_in_the_same_order(module: str) -> None:
    """Rule: every public function and class of the reference has a twin of its name, in the same order."""
    wanted = public_python(module)
    here = public_script(module)
    functions = [name for name, record in wanted if not record]
    missing = [name for name in functions if name not in here]
    assert not missing, f"{module}.js lacks {missing}"
    assert [name for name in here if name in functions] == functions, "the order differs"
    constants = {name.upper() for name in types_of(module)}
    lacking = [
        name for name, record in wanted if record and name not in types_of(module) and name.upper() not in constants
    ]
    assert not lacking, f"{module}.js lacks the types {lacking}"


@pytest.mark.parametrize("module", MODULES)
def test_the_port_has_no_public_names_of_its_own(module: str) -> None:
    """Rule: what only JavaScript has is in the port’s own files."""
    known = {name for name, _ in public_python(module)}
    extra = [name for name in public_script(module) if name not in known and (module, name) not in JS_ONLY]
    assert extra == []


def test_the_reference_takes_no_inexact_steps() -> None:
    """Rule: + − × ÷, comparisons, floor: no power but in draw_chats, no round, no sum over floats, few of math."""
    for module in MODULES:
        for function in _functions(python(module)):
            for node in ast.walk(function):
                _refuse(node, module, function.name)


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _refuse(node: ast.AST, module: str, function: str) -> None:
    place = f"{module}.py, {function}"
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Pow):
        whole = isinstance(node, ast.BinOp) and _is_power_of_whole_numbers(node)
        assert function == "draw_chats" or (module == "checks" and whole), f"{place}: **"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        assert node.func.id not in {"pow", "divmod", "format"}, f"{place}: {node.func.id}()"
        assert node.func.id != "round" or function == "draw_chats", f"{place}: round()"
        whole = module.startswith("vllm/") or (module, function) in INT_SUMS
        assert node.func.id != "sum" or whole, f"{place}: sum()"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math":
        assert node.attr in {"floor", "isfinite", "inf", "nan"}, f"{place}: math.{node.attr}"
    if isinstance(node, ast.FormattedValue):
        assert node.format_spec is None, f"{place}: a format in an f-string"


def _is_power_of_whole_numbers(node: ast.BinOp) -> bool:
    # In checks.py: bounds written as 2 ** 1023 and 10 ** 40.
    return isinstance(node.left, ast.Constant) and isinstance(node.left.value, int)


FORBIDDEN = re.compile(
    r"""\*\*|\bMath\.(?!floor\b|ceil\b|min\b|max\b|sqrt\b|abs\b)\w+|\bMath\[
    |\b(?:toFixed|toPrecision|toExponential|toLocaleString|localeCompare|parseFloat|Intl|Date|performance|document
    |navigator|location|globalThis|self|fetch|XMLHttpRequest|localStorage|sessionStorage|indexedDB|crypto|process|require
    |setTimeout|setInterval|requestAnimationFrame|queueMicrotask|console|eval)\b|\bnew\s+Function\b|\bimport\s*\(
    |(?<![.\w])window\b(?!:)|\.reduce\(""",
    re.X,
)


@pytest.mark.parametrize("path", scripts(TWIN), ids=lambda path: path.name)
def test_the_twin_takes_no_inexact_steps_and_knows_no_world(path: Path) -> None:
    """Rule: no power, no function whose last bit differs, no text of the language's own; no clock, page or net."""
    addresses = r"[\"'][./][^\"']*[\"']"
    found = [match[0] for match in FORBIDDEN.finditer(re.sub(addresses, "", code(path)))]
    assert found == []


SPEAKERS = ("words", "describe", "quote")
"""Modules whose functions say something: each takes the catalogue to say it in."""


CHOOSERS = {"words.js": {"CATALOGUES"}, "options.js": {"CATALOGUES"}, "asked.js": {"CATALOGUES", "WORDS"}}
"""Who looks a language up: `catalogue`, the list of languages, and what a page asks for."""


def takes_words(module: str) -> set[str]:
    """Functions of a module that take a catalogue."""
    return {f.name for f in _functions(python(module)) if "words" in {arg.arg for arg in f.args.args}}


SAYING = set().union(*(takes_words(module) for module in SPEAKERS))


def silent_calls(tree: ast.AST) -> list[str]:
    """Calls that leave the catalogue to its default."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [
        ast.unparse(call)
        for call in calls
        if ast.unparse(call.func) in SAYING and "words" not in {ast.unparse(given) for given in call.args}
    ]


def silent_calls_of(text: str) -> list[str]:
    """The same in a script: a call, or a declaration, whose last argument is no catalogue."""
    found = []
    for match in re.finditer(rf"(?<![.\w])(?:{'|'.join(sorted(SAYING))})\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if not re.search(r"\bwords( = WORDS)?[\s,]*\)$", text[match.start() : end]):
            found.append(text[match.start() : end])
    return found


@pytest.mark.parametrize("module", SPEAKERS)
def test_the_reference_hands_its_catalogue_on(module: str) -> None:
    """Rule: the English words are a default only; whoever has a catalogue gives it to everybody it calls."""
    tree = python(module)
    defaults = [each for f in _functions(tree) for each in f.args.defaults if ast.unparse(each) == "WORDS"]
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "WORDS"]
    assert defaults and len(named) == len(defaults)
    assert silent_calls(tree) == []


@pytest.mark.parametrize(
    "path",
    [*(TWIN / f"{module}.js" for module in SPEAKERS), *scripts(WIDGET / "view")],
    ids=lambda path: path.name,
)
def test_the_port_hands_its_catalogue_on(path: Path) -> None:
    """Rule: the same in the twins and in the view, which never names a catalogue of its own."""
    text = re.sub(r"\bwords = WORDS\b|\bimport \{[^}]*\}", "", code(path))
    named = {name for name in ("WORDS", "CATALOGUES") if name in text}
    assert named <= CHOOSERS.get(path.name, set())
    assert silent_calls_of(code(path)) == []


def test_silent_calls_are_seen() -> None:
    """Rule: the two scans above find what they look for."""
    assert {"say", "commas", "describe", "status_line", "legend"} <= SAYING
    assert silent_calls(ast.parse("say(x, words, n=commas(1))")) == ["commas(1)"]
    assert silent_calls_of("say(x, { n: commas(1) }, words) + tenths(f(2))") == ["commas(1)", "tenths(f(2))"]


def test_the_scans_see_what_they_must() -> None:
    """Rule: a scan that finds nothing must be able to find something."""
    for text in ("x ** 2", "Math.pow(x, 2)", "Math.round(x)", "x.toFixed(1)", "new Date()", "window.x", "fetch(y)"):
        assert FORBIDDEN.search(text), text
    assert not FORBIDDEN.search("Math.floor(x) * y")
    assert "draw_chats" in {node.name for node in _functions(python("chats"))}
    for text in ("x ** y", "round(x)", "sum(x)", "math.exp(x)", "f'{x:.1f}'"):
        with pytest.raises(AssertionError):
            for node in ast.walk(ast.parse(text)):
                _refuse(node, "words", "anything")


@pytest.mark.parametrize("path", scripts(TWIN), ids=lambda path: path.name)
def test_the_twin_is_checked_and_names_everything(path: Path) -> None:
    """Rule: types are checked, exports are named."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert not re.search(r"^export default\b", code(path), re.M)


def test_twin_files_have_the_references_names() -> None:
    """Rule: same files: one script for each module but those of the command line and of notebooks."""
    here = {path.relative_to(SIM).with_suffix("").as_posix() for path in SIM.rglob("*.py")}
    assert {name_of(path) for path in scripts(TWIN)} == {*MODULES, *PORTS_OWN}
    assert here == {*MODULES, *TOOLS, "__init__", "__main__", "cli", "vllm/__init__"}
