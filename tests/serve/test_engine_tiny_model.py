"""The tiny model: it has learned something, is made once, and is never found half-made."""

import json
import math
import signal
import subprocess
import sys
from collections import Counter

import pytest
import torch
from conftest import CODE
from transformers import AutoTokenizer

import make_tiny_model
import tiny_text
from tiny_network import make_tokenizer


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return tiny_text.documents()


@pytest.fixture
def command(monkeypatch, capsys):
    """The command's main function in this process, since a new one imports torch for seconds; exit code and texts."""
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["make_tiny_model.py", *map(str, arguments)])
        try:
            code = make_tiny_model.main()
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    yield run
    signal.signal(signal.SIGTERM, before)


def model_perplexity(model, tokens: list[int], window: int = 256) -> float:
    rows = [torch.tensor([tokens[at : at + window]]) for at in range(0, len(tokens) - window, window)]
    with torch.inference_mode():
        losses = [model.network(input_ids=row, labels=row).loss.item() for row in rows]
    return math.exp(sum(losses) / len(losses))


def unigram_perplexity(counts: Counter, tokens: list[int], vocabulary: int) -> float:
    total = counts.total() + vocabulary
    return math.exp(-sum(math.log((counts[token] + 1) / total) for token in tokens) / len(tokens))


def test_text_is_not_noise(model, tiny_model, texts, capsys):
    """Rule: held-out text surprises the model far less than the frequency of tokens would, and less than chance."""
    known = "\n\n".join(text for text in texts if not tiny_text.is_held_out(text))
    held_out = model.encode((tiny_model / "held_out.txt").read_text())
    of_model = model_perplexity(model, held_out)
    of_counts = unigram_perplexity(Counter(model.encode(known)), held_out, model.vocabulary)
    with capsys.disabled():
        print(f"\nheld-out perplexity {of_model:.1f}, by the frequency of tokens alone {of_counts:.1f}")
    assert of_model < of_counts / 3 < of_counts < model.vocabulary


def test_held_out_text_was_not_learned(tiny_model, texts):
    """Rule: no held-out document is among those that the model learns, and the choice is the same each time."""
    held_out = [text for text in texts if tiny_text.is_held_out(text)]
    assert "\n\n".join(held_out) == (tiny_model / "held_out.txt").read_text()
    assert len(set(texts)) == len(texts)
    assert 0.02 < len(held_out) / len(texts) < 0.1


def test_model_is_of_the_promised_kind(model, tiny_model):
    """Rule: a Qwen2 model of 1 to 3 million weights, its tokenizer with Qwen2's special tokens and at most 1,000."""
    config = json.loads((tiny_model / "config.json").read_text())
    assert config["architectures"] == ["Qwen2ForCausalLM"]
    assert 1e6 <= model.network.num_parameters() <= 3e6
    assert len(model.tokenizer) <= 1000
    assert (model.tokenizer.pad_token, model.tokenizer.eos_token) == ("<|endoftext|>", "<|im_end|>")
    assert (tiny_model / "model.safetensors").is_file()


def test_any_text_can_be_written(model):
    """Rule: tokens keep every sign of a text, also one that was in no document."""
    text = 'é "日本" x|y\n\t{}🎉 \x00 1234'
    assert model.tokenizer.decode(model.encode(text)) == text


def test_tokenizer_loads_as_it_was_trained(tmp_path, texts):
    """Rule: the saved tokenizer, loaded by the library's own way, cuts text as the one that was trained."""
    trained = make_tokenizer(texts[:300])
    trained.save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    for text in [*texts[300:400], "x  1234 you'll<|im_end|>\n\n(a|b) É"]:
        assert loaded(text).input_ids == trained(text).input_ids
    assert loaded.get_vocab() == trained.get_vocab()


def test_chat_form_is_chatml(model):
    """Rule: a chat has each message in ChatML, and ends where the assistant's turn begins."""
    ids = model.encode_chat([{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello!"}])
    assert model.tokenizer.decode(ids) == (
        "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n"
    )


def test_model_is_made_once(tiny_model, command):
    """Rule: what is there already, by these scripts and versions, is left alone."""
    before = (tiny_model / "model.safetensors").stat().st_mtime_ns
    code, out, _ = command("--out", tiny_model)
    assert code == 0 and "already there" in out
    assert (tiny_model / "model.safetensors").stat().st_mtime_ns == before


@pytest.mark.parametrize("was_there", [False, True])
def test_half_made_model_is_never_found(tmp_path, monkeypatch, was_there):
    """Rule: when making fails, what stood there before stands there still, and nothing is left beside it."""
    out = tmp_path / "tiny"
    if was_there:
        out.mkdir()
        (out / "stamp.txt").write_text("of an older script")

    def broken(folder):
        (folder / "config.json").write_text("{}")
        raise KeyboardInterrupt

    monkeypatch.setattr(make_tiny_model, "make", broken)
    with pytest.raises(KeyboardInterrupt):
        make_tiny_model.make_once(out)
    assert [path.name for path in tmp_path.rglob("*")] == (["tiny", "stamp.txt"] if was_there else [])


def test_old_model_is_made_anew(tmp_path, monkeypatch):
    """Rule: a model by another script or other versions is replaced as a whole."""
    out = tmp_path / "tiny"
    out.mkdir()
    (out / "stamp.txt").write_text("of an older script")
    (out / "old").touch()

    def make(folder):
        (folder / "stamp.txt").write_text(make_tiny_model.stamp())

    monkeypatch.setattr(make_tiny_model, "make", make)
    assert make_tiny_model.make_once(out)
    assert [path.name for path in out.iterdir()] == ["stamp.txt"]
    assert not make_tiny_model.make_once(out)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_ended_command_leaves_nothing(tmp_path):
    """Rule: a command that is told to end in the middle leaves neither a model nor its temporary folder."""
    process = subprocess.Popen(
        [sys.executable, "-u", CODE / "make_tiny_model.py", "--out", tmp_path / "tiny"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert "weights" in process.stdout.readline()  # training begins
    assert [path.name.startswith(".tiny-") for path in tmp_path.iterdir()] == [True]
    process.terminate()
    assert process.wait(60) == 1
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threads", "0"], "--threads 0: allowed are 1 to"),
        (["--threads", "x"], "invalid int value: 'x'"),
        (["--out", "{folder}"], "exists and is not a tiny model: name another folder"),
        (["--out", "{folder}/file/model"], "File exists: "),
    ],
)
def test_bad_command_says_what_is_wrong(tmp_path, command, arguments, message):
    """Rule: a wrong option or folder ends the command with one clear message."""
    (tmp_path / "file").write_text("of somebody else")
    code, _, error = command(*(argument.format(folder=tmp_path) for argument in arguments))
    assert code != 0 and message in error.splitlines()[-1]
    assert (tmp_path / "file").read_text() == "of somebody else"
