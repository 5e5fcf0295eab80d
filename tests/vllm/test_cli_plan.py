"""`poolroom plan`: exit codes a script can ask for, JSON by its schema, and a clear line for every bad input."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import plan_schema
from poolroom import cli_plan
from poolroom.cli import main
from poolroom.vllm.plan_facts import MODELS, VERSIONS

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "sim"), "PYTHONUTF8": "1"}
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
BASE = ("plan", "--card", "rtx-4090", "--model", MODEL, "--version", "0.33")
STARTS = (*BASE, "--max-model-len", "8192")
Capture = pytest.CaptureFixture[str]
VALIDATOR = jsonschema.Draft202012Validator(plan_schema.schema())


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    """Exit code, what is printed, and what is complained of."""
    try:
        code: Any = main(words)
    except SystemExit as leaving:
        code = leaving.code
    printed = capsys.readouterr()
    return int(code or 0), printed.out, printed.err


def refused(capsys: Capture, *words: str) -> str:
    """The one line with which the command is refused."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, ""), (code, out, err)
    assert err.count("\n") == 1 and err.startswith("poolroom"), err
    assert "Traceback" not in err
    return err


# --- what it says ---


def test_a_server_that_starts(capsys: Capture) -> None:
    """Rule: exit code 0; the verdict first, one command, then the parts."""
    code, out, err = run(capsys, *STARTS)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "It starts."
    assert f"  vllm serve {MODEL} --max-model-len 8192" in lines
    places = [out.index(words) for words in ("It starts.", "vllm serve", "GPU KV cache size", "model weights:")]
    assert places == sorted(places)


def test_a_server_that_does_not_start(capsys: Capture) -> None:
    """Rule: exit code 1, so that a script can ask before it starts one; what to change is in the answer."""
    code, out, err = run(capsys, *BASE, "--max-model-len", "131072")
    assert (code, err) == (1, "")
    assert out.startswith("It does not start.")
    assert "max_model_len" in out and "estimated maximum model length" in out


def test_chats_that_must_fit(capsys: Capture) -> None:
    """Rule: where the server starts but has no room for the required chats, the exit code is 1."""
    assert run(capsys, *STARTS, "--require-chats", "4x2000")[0] == 0
    code, out, _ = run(capsys, *STARTS, "--require-chats", "200x8000")
    assert code == 1 and "It starts" in out.splitlines()[0]
    assert run(capsys, *STARTS, "--require-chats", "2x1000,1x8000")[0] == 0


def test_two_versions(capsys: Capture) -> None:
    """Rule: --compare says what another version changes, with the rule; the exit code is that version's."""
    code, out, _ = run(capsys, *STARTS[:-4], "--version", "0.19.1", "--max-model-len", "8192", "--compare", "0.33")
    assert code == 0
    assert "0.9 → 0.92" in out and "by the rule" in out and "tokens in the pool" in out
    code, out, _ = run(capsys, *STARTS, "--compare", "0.19.1", "--json")
    assert code == 0 and json.loads(out)["versions"] == ["0.33.0", "0.19.1"]


def test_numbers_as_people_write_them(capsys: Capture) -> None:
    """Rule: 8,192 is 8192; 8k is 8,000 as vLLM reads it."""
    whole = run(capsys, *STARTS)
    assert run(capsys, *BASE, "--max-model-len", "8,192") == whole
    seconds = [json.loads(run(capsys, *BASE, "--max-model-len", text, "--json")[1]) for text in ("8192", "8K")]
    assert seconds[0]["budget"] == seconds[1]["budget"]
    code, out, _ = run(capsys, *BASE, "--max-model-len", "8k", "--json")
    shown = {row["name"]: row["value"] for row in json.loads(out)["settings"]}
    assert (code, shown["max_model_len"]) == (0, 8000)


def test_vllms_short_names_and_switches(capsys: Capture) -> None:
    """Rule: -tp, --no-… and switches are those of vLLM's own command line."""
    long = run(capsys, *BASE, "--tensor-parallel-size", "2", "--enforce-eager")
    assert run(capsys, *BASE, "-tp", "2", "--enforce-eager") == long
    assert "--enforce-eager" in long[1]
    on = json.loads(run(capsys, *STARTS, "--json")[1])
    off = json.loads(run(capsys, *STARTS, "--no-enable-prefix-caching", "--json")[1])
    named = [{row["name"]: row["value"] for row in each["settings"]}["enable_prefix_caching"] for each in (on, off)]
    assert named == [True, False]


def test_a_model_by_any_of_its_names(capsys: Capture) -> None:
    """Rule: the command names the model as its files are found, however it was asked for."""
    code, out, _ = run(capsys, "plan", "--card", "h100", "--model", "llama-3.1-8b", "--max-model-len", "8192")
    assert code == 0 and f"  vllm serve {MODEL} --max-model-len 8192" in out.splitlines()
    base = "meta-llama/Llama-3.1-8B"
    code, out, _ = run(capsys, "plan", "--card", "h100", "--model", base, "--max-model-len", "8192")
    assert code == 0 and f"  vllm serve {base} --max-model-len 8192" in out.splitlines()


def test_every_setting_has_a_flag(capsys: Capture) -> None:
    """Rule: what a plan counts or names can be said on the command line, under the name that vLLM has for it."""
    _, out, _ = run(capsys, "plan", "--help")
    for name in cli_plan.settings_of_plan():
        assert f"--{name.replace('_', '-')}" in out
    uncounted = cli_plan.HELP["uncounted"]
    assert all(cli_plan.help_of(row["name"]) != uncounted for row in VERSIONS["settings"])
    assert all(cli_plan.help_of(name) == uncounted for name in VERSIONS["uncounted"]["names"])


def test_what_is_not_counted_is_named(capsys: Capture) -> None:
    """Rule: a setting that costs memory which is not counted is named as such, not swallowed."""
    code, out, _ = run(capsys, *STARTS, "--enable-lora", "--json")
    assert code == 0 and "enable_lora" in json.loads(out)["not_counted"]


def test_what_is_not_counted_comes_back(capsys: Capture) -> None:
    """Rule: flags that are not counted stand in the command as they were given, and read back give the same command."""
    flags = ["--data-parallel-size", "2", "--enable-expert-parallel", "--cpu-offload-gb", "4", "--max-loras", "2"]
    flags += ["--limit-mm-per-prompt", '{"image": 2, "name": "it\'s"}', "--swap-space", "0.5"]
    first = json.loads(run(capsys, *STARTS, *flags, "--json")[1])
    words = shlex.split(first["command"])
    assert words[:3] == ["vllm", "serve", MODEL] and sorted(words[5:]) == sorted(flags)
    again = json.loads(run(capsys, *STARTS[:-2], *words[3:], "--json")[1])
    assert again == first
    code, out, _ = run(capsys, *BASE, "--max-model-len", "131072", *flags)
    command = next(line for line in out.splitlines() if line.startswith("  vllm serve"))
    assert code == 1 and all(word in shlex.split(command) for word in flags)


# --- files ---


def config(tmp_path: Path, **changes: Any) -> Path:
    """A config.json of the facts as a file."""
    found = MODELS["models"][MODEL]["config"]
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**found, **changes}), "utf-8")
    return path


def test_a_model_from_its_config(tmp_path: Path, capsys: Capture) -> None:
    """Rule: a config.json gives what the model's name gives, but for the name."""
    by_name = json.loads(run(capsys, *STARTS, "--json")[1])
    words = ("plan", "--card", "rtx-4090", "--version", "0.33", "--max-model-len", "8192", "--json", "--model")
    code, out, err = run(capsys, *words, str(config(tmp_path)))
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["budget"] == by_name["budget"]
    assert found["about"]["model"] == str(tmp_path / "config.json")
    assert found["command"] == f"vllm serve {tmp_path} --max-model-len 8192"


def test_an_index_is_read(tmp_path: Path, capsys: Capture) -> None:
    """Rule: the index says how large the weights are, to the byte."""
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 16_060_522_496}, "weight_map": {}}), "utf-8")
    words = ("plan", "--card", "rtx-4090", "--version", "0.33", "--max-model-len", "8192", "--json")
    code, out, err = run(capsys, *words, "--model", str(config(tmp_path)), "--index", str(index))
    assert (code, err) == (0, "")
    assert json.loads(out)["about"]["parameters_kind"] == "index"


# --- JSON ---


def test_the_schema_is_that_of_the_types(capsys: Capture) -> None:
    """Rule: the schema that is given away is made from the types and their docstrings; every field has a meaning."""
    assert plan_schema.SCHEMA.read_text("utf-8") == plan_schema.text(), "run python site/make/plan_schema.py"
    jsonschema.Draft202012Validator.check_schema(plan_schema.schema())
    code, out, _ = run(capsys, "plan", "--schema")
    assert (code, json.loads(out)) == (0, plan_schema.schema())


@pytest.mark.parametrize(
    "more",
    [
        ("--max-model-len", "8192"),
        ("--max-model-len", "131072"),
        ("--max-model-len", "auto"),
        ("--max-model-len", "8192", "--require-chats", "4x2000"),
        ("--max-model-len", "8192", "--require-chats", "400x8000"),
        ("--version", "0.6.4", "--max-model-len", "29000"),
        ("--model", "openai/gpt-oss-120b", "--card", "h100-sxm-80gb"),
        ("--model", "Qwen/Qwen3.5-27B", "--card", "h100-sxm-80gb", "-tp", "2", "-pp", "2"),
        ("--measured-kv-gib", "3.5", "--max-model-len", "8192"),
        ("--kv-cache-memory-bytes", "4294967296", "--max-model-len", "8192"),
    ],
    ids=" ".join,
)
def test_answers_are_as_the_schema_says(capsys: Capture, more: tuple[str, ...]) -> None:
    """Rule: every answer is valid by the schema, whatever comes out; nothing in it is NaN or infinite."""
    code, out, err = run(capsys, *BASE, *more, "--json")
    assert code in (0, 1) and err == ""
    VALIDATOR.validate(json.loads(out, parse_constant=lambda name: pytest.fail(name)))


def test_the_schema_bites(capsys: Capture) -> None:
    """Rule: an answer with a field too many, or too few, is not valid."""
    answer = json.loads(run(capsys, *STARTS, "--json")[1])
    assert VALIDATOR.is_valid(answer)
    assert not VALIDATOR.is_valid({**answer, "more": 1})
    assert not VALIDATOR.is_valid({name: value for name, value in answer.items() if name != "verdict"})


# --- bad input ---

BAD = {
    "no card": ("plan", "--model", MODEL),
    "no model": ("plan", "--card", "rtx-4090"),
    "nothing": ("plan",),
    "an unknown card": ("plan", "--card", "h100000", "--model", MODEL),
    "an empty card": ("plan", "--card", "", "--model", MODEL),
    "an unknown model": ("plan", "--card", "rtx-4090", "--model", "nobody/nothing-7b"),
    "an empty model": ("plan", "--card", "rtx-4090", "--model", ""),
    "a version that is none": (*BASE, "--version", "newest"),
    "a version too old": (*BASE, "--version", "0.1.1"),
    "an empty version": (*BASE, "--version", ""),
    "a share above 1": (*BASE, "--gpu-memory-utilization", "1.2"),
    "a share of 0": (*BASE, "--gpu-memory-utilization", "0"),
    "a share below 0": (*BASE, "--gpu-memory-utilization", "-0.5"),
    "a share in words": (*BASE, "--gpu-memory-utilization", "most"),
    "a share that is no number": (*BASE, "--gpu-memory-utilization", "nan"),
    "a length of 0": (*BASE, "--max-model-len", "0"),
    "half a token": (*BASE, "--max-model-len", "8192.5"),
    "a length with a wrong comma": (*BASE, "--max-model-len", "81,92"),
    "a length without end": (*BASE, "--max-model-len", "9" * 400),
    "no seats": (*BASE, "--max-num-seqs", "0"),
    "seats in words": (*BASE, "--max-num-seqs", "many"),
    "no cards": (*BASE, "-tp", "0"),
    "an unknown dtype": (*BASE, "--dtype", "int3"),
    "an unknown cache dtype": (*BASE, "--kv-cache-dtype", "fp3"),
    "an unknown quantisation": (*BASE, "--quantization", "magic"),
    "an unknown engine": (*BASE, "--engine", "V9"),
    "an engine that is gone": (*BASE, "--engine", "V0"),
    "a total of no memory": (*BASE, "--total-gib", "0"),
    "a total in words": (*BASE, "--total-gib", "much"),
    "more in use than there is": (*BASE, "--in-use-gib", "-3"),
    "chats without a length": (*BASE, "--require-chats", "8"),
    "chats in words": (*BASE, "--require-chats", "some"),
    "chats without number": (*BASE, "--require-chats", "x32000"),
    "chats without end": (*BASE, "--require-chats", "1x2," * 200),
    "a comparison with no version": (*BASE, "--compare", "latest"),
    "a comparison with chats": (*BASE, "--compare", "0.19.1", "--require-chats", "1x1"),
    "an unknown flag": (*BASE, "--max-tokens", "5"),
    "a shortened flag": (*BASE, "--max-model", "5"),
    "a flag without its value": (*BASE, "--max-model-len"),
    "a blocks override below 0": (*BASE, "--num-gpu-blocks-override", "-1"),
    "an index without a model": ("plan", "--card", "rtx-4090", "--index", "nowhere.json"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD.keys())
def test_bad_values_are_refused(capsys: Capture, words: tuple[str, ...]) -> None:
    """Rule: exit code 2 and one line that names what is wrong; nothing else is printed."""
    refused(capsys, *words)


def make_deep(path: Path) -> None:
    """JSON nested deeper than Python reads."""
    path.write_text("[" * 200_000, "utf-8")


def make_huge(path: Path) -> None:
    """A file beyond the limit, without the bytes on the disk."""
    with path.open("wb") as file:
        file.truncate(cli_plan.MOST_BYTES + 1)


FILES = {
    "missing": lambda path: None,
    "a folder": Path.mkdir,
    "empty": lambda path: path.write_text("", "utf-8"),
    "not JSON": lambda path: path.write_text("{layers: 32}", "utf-8"),
    "cut off": lambda path: path.write_text('{"architectures": ["Llama', "utf-8"),
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 16),
    "huge": make_huge,
    "deep": make_deep,
    "a list": lambda path: path.write_text("[]", "utf-8"),
    "a number": lambda path: path.write_text("7", "utf-8"),
    "nothing known": lambda path: path.write_text("{}", "utf-8"),
    "not a number": lambda path: path.write_text('{"hidden_size": NaN}', "utf-8"),
    "a number without end": lambda path: path.write_text(f'{{"hidden_size": {"9" * 5000}}}', "utf-8"),
    "UTF-16": lambda path: path.write_text("{}", "utf-16"),
}


@pytest.mark.parametrize("make", FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("setting", ["model", "index"])
def test_bad_files_are_refused(tmp_path: Path, capsys: Capture, make: Any, setting: str) -> None:
    """Rule: a file that is missing, a folder, no JSON, huge or binary gets clear words, and no trace."""
    path = tmp_path / "config.json"
    make(path)
    model = path if setting == "model" else config_of(tmp_path)
    index = ("--index", str(path)) if setting == "index" else ()
    code, out, err = run(capsys, "plan", "--card", "rtx-4090", "--model", str(model), *index)
    if setting == "index" and path.is_file() and path.read_bytes() == b"{}":
        assert code in (0, 1)  # an index that says nothing changes nothing
        return
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and "Traceback" not in err


def config_of(tmp_path: Path) -> Path:
    """A good config.json in a folder of its own."""
    folder = tmp_path / "good"
    folder.mkdir()
    return config(folder)


def test_an_unreadable_file_is_refused(tmp_path: Path, capsys: Capture) -> None:
    """Rule: what the system forbids is said in its words."""
    path = config(tmp_path)
    path.chmod(0)
    if os.access(path, os.R_OK):
        path.unlink()  # root reads everything; a file that is gone is refused as well
    assert "model is" in refused(capsys, "plan", "--card", "rtx-4090", "--model", str(path))


def rtx(*words: str) -> tuple[str, ...]:
    """A command with a card and no model."""
    return ("plan", "--card", "rtx-4090", "--version", "0.33", "--max-model-len", "8192", *words)


def test_words_about_files_are_our_own(tmp_path: Path, capsys: Capture) -> None:
    """Rule: a file that cannot be read is refused in the program's words, not in Python's."""
    wanted = {"deep": "its brackets are nested too deep", "not JSON": "it is no JSON: line 1, column 2"}
    wanted["a number without end"] = "it has a number of more than 4000 digits"
    for name, words in wanted.items():
        path = tmp_path / "config.json"
        FILES[name](path)
        assert words in refused(capsys, *rtx("--model", str(path)))
        assert words in refused(capsys, *rtx("--model", MODEL, "--index", str(path)))
        err = refused(capsys, "describe", "--requests", str(path))
        assert words in err and "set_int_max" not in err and "recursion" not in err


@pytest.mark.parametrize(("setting", "file"), cli_plan.FILES.items())
def test_a_folder_is_answered_with_the_file_that_is_meant(
    tmp_path: Path, capsys: Capture, setting: str, file: str
) -> None:
    """Rule: for a folder the refusal names the file that this setting takes."""
    words = {"model": str(config_of(tmp_path)), setting: str(tmp_path)}
    flags = [word for name, value in words.items() for word in (f"--{name}", value)]
    assert f"it is a folder; give its {file})" in refused(capsys, *rtx(*flags))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are Unix's")
@pytest.mark.parametrize("setting", cli_plan.FILES)
def test_only_files_are_read(tmp_path: Path, capsys: Capture, setting: str) -> None:
    """Rule: a pipe that nobody writes to, or a device, is refused at once; nothing waits for it."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero"):
        words = {"model": str(config(tmp_path)), setting: path}
        flags = [word for name, value in words.items() for word in (f"--{name}", value)]
        assert "it is a pipe or a device" in refused(capsys, *rtx(*flags))


# --- how values are written ---


def test_a_total_is_told_as_everywhere_else(capsys: Capture) -> None:
    """Rule: a refusal tells the card's memory with two decimals, as the answer does, but rounded down: typed back, it
    is accepted."""
    assert refused(capsys, *STARTS, "--in-use-gib", "100").endswith("from 0 to 23.51, the card’s total rounded down.\n")
    assert run(capsys, *STARTS, "--in-use-gib", "23.51")[0] == 1


def test_blanks_around_a_name_are_cut(tmp_path: Path, capsys: Capture) -> None:
    """Rule: a blank that was copied along is no part of a name; a file may have one in its own."""
    for flag, name in (("--model", "Qwen/Qwen3-8B"), ("--card", "rtx-4090"), ("--version", "0.33")):
        words = {"--card": "rtx-4090", "--model": MODEL, "--version": "0.33", flag: name}
        exact, blank = (
            [word for pair in {**words, flag: text}.items() for word in pair] for text in (name, f" {name} ")
        )
        assert run(capsys, "plan", *blank) == run(capsys, "plan", *exact)
    path = config(tmp_path)
    assert run(capsys, *rtx("--model", f" {path} ")) == run(capsys, *rtx("--model", str(path)))
    odd = path.rename(tmp_path / "config ")
    assert run(capsys, *rtx("--model", str(odd)))[0] == 0
    assert "model is “”" in refused(capsys, *rtx("--model", "  "))


@pytest.mark.parametrize("short", ["-tp", "-pp", "-dcp"])
def test_a_number_joined_to_a_short_name(capsys: Capture, short: str) -> None:
    """Rule: -tp2, which vLLM's parser refuses too, is refused with how it is written; -tp=2 is read."""
    assert refused(capsys, *STARTS, f"{short}2").endswith(f"{short}2 (write {short} 2)\n")
    assert run(capsys, *STARTS, f"{short}=1") == run(capsys, *STARTS, short, "1")


def test_one_way_to_write_numbers(capsys: Capture) -> None:
    """Rule: plain decimals are read, .9 and 0.90 too; exponents are refused, and the refusal says what is read."""
    share = ("--gpu-memory-utilization",)
    assert run(capsys, *STARTS, *share, ".9") == run(capsys, *STARTS, *share, "0.90")
    assert run(capsys, *STARTS, *share, " 0.9 ") == run(capsys, *STARTS, *share, "0.9")
    numbers = (("--max-model-len", "1e3"), (*share, "9e-1"), (*share, ".9E0"), ("--in-use-gib", "1.e+0"))
    for flag, text in (*numbers, ("--max-num-seqs", " 1e2 ")):
        assert "must be a plain number such as 8192, 8,192, 0.9 or .9" in refused(capsys, *BASE, flag, text)


# --- what a terminal obeys ---

OBEYED = "a\x1b[31m\u202eb\r\x07\u2028\x9b\U000e0001"
SHOWN = "a\\x1b[31m\\u202eb\\x0d\\x07\\u2028\\x9b\\U000e0001"


@pytest.mark.parametrize(
    "flag", ["--card", "--model", "--version", "--dtype", "--max-model-len", "--compare", "--more"]
)
def test_refusals_show_what_a_terminal_would_obey(capsys: Capture, flag: str) -> None:
    """Rule: escapes, marks of direction and line breaks in a value are shown, not sent to the terminal."""
    err = refused(capsys, *BASE, flag, OBEYED)
    assert err.rstrip("\n").isprintable() and SHOWN[:16] in err
    assert "\\x0a" in refused(capsys, *BASE, flag, "a\nIt starts.")


def test_answers_show_what_a_terminal_would_obey(tmp_path: Path, capsys: Capture) -> None:
    """Rule: so does the answer as text; JSON has its own escapes, and its values are what was given."""
    folder = tmp_path / f"{OBEYED}\nIt starts.'"
    folder.mkdir()
    path = str(config(folder))
    code, out, _ = run(capsys, *rtx("--model", path))
    assert code == 0 and all(line.isprintable() for line in out.split("\n"))
    assert f"{SHOWN}\\x0aIt starts.'/config.json" in out.split("\n")[1]
    code, out, _ = run(capsys, *rtx("--model", path, "--json"))
    assert code == 0 and all(line.isprintable() for line in out.split("\n"))
    assert json.loads(out)["about"]["model"] == path
    command = json.loads(out)["command"].replace("vllm serve", "printf %s", 1).partition(" --max-model-len")[0]
    if Path("/bin/bash").exists():
        done = subprocess.run(
            ["/bin/bash", "-c", command], env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True
        )
        assert os.fsdecode(done.stdout) == str(folder)


# --- as a process ---


def program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own."""
    command = [sys.executable, "-m", "poolroom", *words]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=60, **more)


def test_a_script_can_ask_first() -> None:
    """Rule: the exit code is the process's: 0 starts, 1 would not, 2 bad input; complaints go to stderr."""
    assert program(*STARTS).returncode == 0
    assert program(*BASE, "--max-model-len", "131072").returncode == 1
    bad = program(*BASE, "--gpu-memory-utilization", "2")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("poolroom: gpu_memory_utilization is 2")


def test_a_pipe_may_close_early() -> None:
    """Rule: `poolroom plan … | head -1` ends in silence."""
    command = f"{sys.executable} -m poolroom {' '.join(STARTS)} | head -1"
    done = subprocess.run(["sh", "-c", command], env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.stdout, done.stderr) == ("It starts.\n", "")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device here that is always full")
@pytest.mark.parametrize(
    "words",
    [STARTS, (*BASE, "--max-model-len", "131072"), (*STARTS, "--json"), ("plan", "--help"), ("--version",), ("room",)],
    ids=" ".join,
)
def test_a_full_disk_is_no_verdict(words: tuple[str, ...]) -> None:
    """Rule: an answer that cannot be written is exit code 3, of every command, and one line says so."""
    command = [sys.executable, "-m", "poolroom", *words]
    with FULL.open("w") as full:
        done = subprocess.run(command, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 3
    assert done.stderr.startswith("poolroom: cannot write the answer (") and done.stderr.count("\n") == 1


@pytest.mark.skipif(not FULL.exists(), reason="no device here that is always full")
def test_complaints_that_nobody_can_read() -> None:
    """Rule: where complaints cannot be written either, the exit code still tells them apart."""
    for words, streams, code in (
        (STARTS, ">/dev/full 2>/dev/full", 3), (BASE[:3], "2>/dev/full", 2), (("plan", "--more"), "2>/dev/full", 2),
        (BASE[:3], "2>&-", 2), (STARTS, "2>&-", 0), (STARTS, "| true; exit ${PIPESTATUS[0]}", 0),
    ):  # fmt: skip
        command = f"{sys.executable} -m poolroom {' '.join(words)} {streams}"
        done = subprocess.run(["bash", "-c", command], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (code, ""), streams
        assert code == 0 or done.stdout == ""


def test_the_readmes_example_is_true() -> None:
    """Rule: what README.md shows is what the program prints."""
    text = (ROOT / "README.md").read_text("utf-8")
    block = text.partition("<!-- plan -->\n```\n")[2].partition("\n```")[0]
    command, *wanted = block.splitlines()
    assert command.startswith("$ poolroom plan ")
    done = program(*command.split()[2:])
    assert done.stdout.splitlines()[: len(wanted)] == wanted
