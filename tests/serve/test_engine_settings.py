"""Settings from the environment."""

import pytest

from settings import Settings, read_settings


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    import os

    for name in [name for name in os.environ if name.startswith("SERVE_")]:
        monkeypatch.delenv(name)


def test_settings_come_from_the_environment(monkeypatch):
    """Rule: SERVE_ and a setting's name set it; what is not set has the lesson's default."""
    monkeypatch.setenv("SERVE_MAX_BATCH", "8")
    monkeypatch.setenv("SERVE_FOUR_BIT", "true")
    monkeypatch.setenv("SERVE_MODEL", "build/tiny-model")
    read = read_settings()
    assert (read.max_batch, read.four_bit, read.model) == (8, True, "build/tiny-model")
    assert (read.window_seconds, read.max_queue, read.cache_entries) == (0.01, 64, 1024)
    assert Settings(model="x").max_batch == 8
    monkeypatch.delenv("SERVE_MODEL")
    assert read_settings().model == "Qwen/Qwen2.5-0.5B-Instruct"


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("MAX_BATCH", "0", "greater than or equal to 1"),
        ("MAX_BATCH", "2.5", "valid integer"),
        ("MAX_BATCH", "many", "valid integer"),
        ("MAX_QUEUE", "0", "greater than or equal to 1"),
        ("CACHE_ENTRIES", "-1", "greater than or equal to 0"),
        ("WINDOW_SECONDS", "-0.1", "greater than or equal to 0"),
        ("WINDOW_SECONDS", "11", "less than or equal to 10"),
        ("WINDOW_SECONDS", "nan", "finite"),
        ("SHUTDOWN_SECONDS", "inf", "finite"),
        ("MAX_NEW_TOKENS", "0", "greater than or equal to 1"),
        ("DTYPE", "int8", "'auto', 'float32', 'float16' or 'bfloat16'"),
        ("DEVICE", "tpu", "auto|cpu|mps|cuda"),
        ("FOUR_BIT", "perhaps", "valid boolean"),
        ("MODEL", "", "at least 1 character"),
    ],
)
def test_bad_value_is_refused_by_name(monkeypatch, name, value, allowed):
    """Rule: a value that is not allowed ends the start with the variable's name, the value and what is allowed."""
    monkeypatch.setenv(f"SERVE_{name}", value)
    with pytest.raises(SystemExit) as refusal:
        read_settings()
    line = str(refusal.value)
    assert line.startswith(f"SERVE_{name} is {value!r}: ") and allowed in line and "\n" not in line


def test_every_refusal_is_told(monkeypatch):
    """Rule: each wrong setting has a line, and two that do not go together are both named."""
    monkeypatch.setenv("SERVE_MAX_BATCH", "0")
    monkeypatch.setenv("SERVE_MAX_QUEUE", "0")
    with pytest.raises(SystemExit) as refusal:
        read_settings()
    assert len(str(refusal.value).splitlines()) == 2
    for name in ("SERVE_MAX_BATCH", "SERVE_MAX_QUEUE"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("SERVE_FOUR_BIT", "1")
    monkeypatch.setenv("SERVE_DEVICE", "mps")
    with pytest.raises(SystemExit, match=r"SERVE_FOUR_BIT is true, but SERVE_DEVICE is mps"):
        read_settings()
