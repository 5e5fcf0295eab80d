"""The tiny model: it has learned something, is made once, and is never found half-made."""

import json
import math
import subprocess
import sys
from collections import Counter

import pytest
import torch
from conftest import CODE

import make_tiny_model
import tiny_text


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, CODE / "make_tiny_model.py", *map(str, arguments)],
                          capture_output=True, text=True)


def model_perplexity(model, tokens: list[int], window: int = 256) -> float:
    rows = [torch.tensor([tokens[at : at + window]]) for at in range(0, len(tokens) - window, window)]
    with torch.inference_mode():
        losses = [model.network(input_ids=row, labels=row).loss.item() for row in rows]
    return math.exp(sum(losses) / len(losses))


def unigram_perplexity(counts: Counter, tokens: list[int], vocabulary: int) -> float:
    total = counts.total() + vocabulary
    return math.exp(-sum(math.log((counts[token] + 1) / total) for token in tokens) / len(tokens))


def test_text_is_not_noise(model, tiny_model, capsys):
    """Rule: held-out text surprises the model far less than the frequency of tokens would, and less than chance."""
    known = "\n\n".join(text for text in tiny_text.documents() if not tiny_text.is_held_out(text))
    held_out = model.encode((tiny_model / "held_out.txt").read_text())
    of_model = model_perplexity(model, held_out)
    of_counts = unigram_perplexity(Counter(model.encode(known)), held_out, model.vocabulary)
    with capsys.disabled():
        print(f"\nheld-out perplexity {of_model:.1f}, by the frequency of tokens alone {of_counts:.1f}")
    assert of_model < of_counts / 3 < of_counts < model.vocabulary


def test_held_out_text_was_not_learned(tiny_model):
    """Rule: no held-out document is among those that the model learns, and the choice is the same each time."""
    texts = tiny_text.documents()
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


def test_tokenizer_loads_as_it_was_trained(model):
    """Rule: the saved tokenizer cuts text as the one that counted it: whole words of the documents are one token."""
    pieces = [model.tokenizer.decode([token]) for token in model.encode("return the value")]
    assert pieces == ["return", " the", " value"]


def test_chat_form_is_chatml(model):
    """Rule: a chat has each message in ChatML, and ends where the assistant's turn begins."""
    ids = model.encode_chat([{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello!"}])
    assert model.tokenizer.decode(ids) == (
        "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n")


def test_model_is_made_once(tiny_model):
    """Rule: what is there already, by these scripts and versions, is left alone."""
    before = (tiny_model / "model.safetensors").stat().st_mtime_ns
    done = command("--out", tiny_model)
    assert done.returncode == 0 and "already there" in done.stdout
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
    process = subprocess.Popen([sys.executable, "-u", CODE / "make_tiny_model.py", "--out", tmp_path / "tiny"],
                               stdout=subprocess.PIPE, text=True)
    assert "weights" in process.stdout.readline()  # training begins
    assert [path.name.startswith(".tiny-") for path in tmp_path.iterdir()] == [True]
    process.terminate()
    assert process.wait(60) == 1
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("arguments", "message"), [
    (["--threads", "0"], "--threads 0: allowed are 1 to"),
    (["--threads", "x"], "invalid int value: 'x'"),
    (["--out", "{folder}"], "exists and is not a tiny model: name another folder"),
    (["--out", "{folder}/file/model"], "Not a directory"),
])
def test_bad_command_says_what_is_wrong(tmp_path, arguments, message):
    """Rule: a wrong option or folder ends the command with one clear message and no trace."""
    (tmp_path / "file").write_text("of somebody else")
    done = command(*(argument.format(folder=tmp_path) for argument in arguments))
    assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "file").read_text() == "of somebody else"
