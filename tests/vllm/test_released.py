"""Models, cards and ways to store weights for which a release has nothing yet, or nothing any more."""

from typing import Any

import pytest

from poolroom.vllm.cards import card, card_names
from poolroom.vllm.models import model_config, model_names
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import FAMILIES, VERSIONS
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.released import KERNELS, LISTED, release_for, release_with
from poolroom.vllm.trial import trial
from poolroom.vllm.versions import read_version

H100 = {"card": "h100-sxm-80gb", "max_model_len": 4096}
UNKNOWN = "are not supported for now. Supported architectures: …"
FALLS_BACK = "has no vLLM implementation and the Transformers implementation is not compatible with vLLM."


def order(version: str) -> list[int]:
    """What puts a version in order."""
    return read_version(version)["order"]


def verdict(version: str, **asked: Any) -> Any:
    """What becomes of a server of this version."""
    return trial({**H100, "version": version, **asked})["verdict"]


def refusal(version: str, **asked: Any) -> str:
    """The name of the refusal, or nothing."""
    found = verdict(version, **asked)["refusal"]
    return found["key"] if found else ""


@pytest.mark.parametrize(("model", "before", "first"), [
    ("openai/gpt-oss-20b", "0.6.3", "0.10.1"), ("Qwen/Qwen3-8B", "0.7.0", "0.8.4"),
    ("google/gemma-3-4b-it", "0.6.3", "0.8.0"), ("deepseek-ai/DeepSeek-V3", "0.6.5", "0.6.6"),
    ("Qwen/Qwen2-7B-Instruct", "0.2.7", "0.3.0"), ("microsoft/phi-4", "0.4.1", "0.4.2"),
    ("google/gemma-2-2b-it", "0.5.0", "0.5.1"), ("Qwen/Qwen3-Next-80B-A3B-Instruct", "0.10.1.1", "0.10.2"),
    ("Qwen/Qwen3.5-27B", "0.16.0", "0.17.0"),
])  # fmt: skip
def test_a_model_newer_than_the_version(model: str, before: str, first: str) -> None:
    """Rule: refusal 15: a release whose list lacks the model says so, and the sentence names the first that has it."""
    found = plan({**H100, "model": model, "version": before})
    assert found["verdict"]["refusal"]["number"] == 15
    assert found["verdict"]["lines"] == [f"Model architectures ['{found['about']['architecture']}'] {UNKNOWN}"]
    assert f"it needs {first} or newer." in as_text(found)
    assert found["fixes"]["none"] and found["fixed_command"] == ""
    assert refusal(first, model=model) != "model_unlisted"
    assert "model_unlisted" not in verdict(first, model=model)["dangers"]


@pytest.mark.parametrize(("version", "line"), [
    ("0.7.1", f"Model architectures ['FalconH1ForCausalLM'] {UNKNOWN}"),
    ("0.7.2", f"FalconH1ForCausalLM {FALLS_BACK}"),
    ("0.8.5", f"FalconH1ForCausalLM {FALLS_BACK} Try setting VLLM_USE_V1=0."),
])  # fmt: skip
def test_the_words_of_the_version(version: str, line: str) -> None:
    """Rule: from 0.7.2 to 0.10.0 vLLM asks Transformers for code of a model that it does not list, and says so."""
    assert verdict(version, model="tiiuae/Falcon-H1-0.5B-Instruct")["lines"] == [line]


def test_what_transformers_code_may_run_is_no_refusal() -> None:
    """Rule: from 0.7.2 on Transformers' code may run a model without states that is not listed: a danger."""
    assert refusal("0.7.1", model="Qwen/Qwen3-8B") == "model_unlisted"
    for version in ("0.7.2", "0.8.3"):
        found = plan({**H100, "model": "Qwen/Qwen3-8B", "version": version})
        assert found["verdict"]["outcome"] == "starts_may_die"
        assert found["verdict"]["dangers"][0] == "model_unlisted"
        assert "(Qwen3ForCausalLM); 0.8.4 has. It may run it by Transformers' code" in as_text(found)


def test_a_model_older_than_the_version() -> None:
    """Rule: a release that no longer lists a model may still run it so; the last that lists it is named."""
    found = plan({**H100, "model": "ibm-ai-platform/Bamba-9B-v1", "version": "0.24.0"})
    assert "model_unlisted" in found["verdict"]["dangers"] and "; 0.23.0 has." in as_text(found)
    assert "model_unlisted" not in verdict("0.23.0", model="ibm-ai-platform/Bamba-9B-v1")["dangers"]


def test_of_a_development_version_nothing_is_said() -> None:
    """Rule: what a development version has is not known: 0.8.5.dev274 ran Llama 4 (#17875), 0.7.4.dev1067 Gemma 3."""
    for version in ("0.8.3.dev1", "0.7.4.dev1067", "0.8.4rc1.dev3"):
        found = verdict(version, model="Qwen/Qwen3-8B")
        assert found["refusal"] is None and "model_unlisted" not in found["dangers"]
    assert refusal("0.7.4.dev1067", model="google/gemma-3-4b-it") == ""
    assert refusal("0.8.4.dev1", card="b200", model="Qwen/Qwen3-8B") == ""


def test_what_is_not_listed_here_is_not_refused() -> None:
    """Rule: a class that was not looked for, or that was there in 0.2.7, is never refused for its release."""
    for name in ("LlamaForCausalLM", "NobodysForCausalLM", "", "Qwen3", "ForCausalLM", "Qwen3ForCausalLMForCausalLM"):
        expected = "0.8.4" if name == "Qwen3" else ""
        assert release_with(name, order("0.2.7")) == expected
    assert refusal("0.2.7", model={**model_config("Qwen/Qwen3-8B"), "architectures": ["NobodysForCausalLM"]}) == ""


def test_the_models_of_the_facts() -> None:
    """Rule: each model of the facts that can be planned has a release that lists it, 0.33.0 or one before."""
    for name in model_names():
        config = model_config(name)
        if config.get("model_type") in FAMILIES["unread"]["types"]:
            continue
        try:
            found = verdict("0.33.0", model=name, card={"total_gib": 90_000, "capability": "9.0"}, max_model_len=512)
        except PlanError:
            continue
        assert found["refusal"] is None or found["refusal"]["key"] != "model_unlisted", name


def test_the_lists_rise_and_have_sources() -> None:
    """Rule: releases stand in order, no class stands twice, and each list says where it was read."""
    for facts in (LISTED, KERNELS):
        assert facts["source"] and facts["date"] and facts["kind"] == "read" and facts["about"]
    releases = [order(release) for release, _ in LISTED["since"]]
    assert releases == sorted(releases) and releases[0] > order(VERSIONS["oldest"])
    names = [name for _, several in LISTED["since"] for name in several.split(" ")]
    assert len(set(names)) == len(names)
    assert set(LISTED["alone"].split(" ")) <= set(names)
    for gone, last, _ in LISTED["until"]:
        assert order(last) < order(gone)
    for rule in ("least", "most", "sure"):
        assert KERNELS[rule][0][0] == VERSIONS["oldest"]


@pytest.mark.parametrize(("name", "version", "has"), [
    ("b200", "0.8.5", "0.9.0"), ("rtx-5090", "0.6.3", "0.9.0"), ("gb10", "0.8.5.post1", "0.9.0"),
    ("v100-32gb", "0.20.0", "0.19.1"), ("v100-16gb", "0.33.0", "0.19.1"),
])  # fmt: skip
def test_a_card_for_which_a_release_has_no_kernels(name: str, version: str, has: str) -> None:
    """Rule: refusal 16: Blackwell before 0.9.0 (#16901), Volta from 0.20.0 on (#39878), in CUDA's own words."""
    found = plan({"card": name, "model": "facebook/opt-125m", "version": version, "max_model_len": 512})
    assert found["verdict"]["refusal"]["number"] == 16
    assert found["verdict"]["lines"] == ["CUDA error: no kernel image is available for execution on the device"]
    assert f"; {has} has." in as_text(found) and found["fixes"]["none"]
    again = trial({"card": name, "model": "facebook/opt-125m", "version": has, "max_model_len": 512})["verdict"]
    assert again["outcome"] != "refuses"


def test_kernels_that_depend_on_the_build() -> None:
    """Rule: from 0.9.0 to 0.10.1 Blackwell runs on builds for CUDA 12.8 alone (#18995, #20748, #21633): a danger."""
    for version in ("0.9.0", "0.9.2", "0.10.1.1"):
        assert verdict(version, card="rtx-5090", model="facebook/opt-125m", max_model_len=512)["dangers"] == [
            "card_kernels"
        ]
    assert verdict("0.10.2", card="rtx-5090", model="facebook/opt-125m", max_model_len=512)["dangers"] == []


def test_other_cards_have_kernels_everywhere() -> None:
    """Rule: from 7.5 to 9.0 each release has kernels; cards of other makers are not held against it."""
    for name in card_names():
        own = card(name)
        for version in VERSIONS["releases"]:
            old = own["capability"] != "" and not 7.5 <= float(own["capability"]) <= 9.0
            assert old or release_for(own, order(version)) == "", (name, version)


def test_a_card_below_all_is_not_promised_a_release() -> None:
    """Rule: for a card that no release has kernels for, no release is named; one with odd numbers breaks nothing."""
    for capability in ("6.1", "0.0", "99.9", "999.999"):
        asked = {"card": {"total_gib": 80, "capability": capability}, "dtype": "half"}
        for version in ("0.6.3", "0.9.2", "0.33.0"):
            found = refusal(version, model="facebook/opt-125m", max_model_len=512, **asked)
            assert found == ("card_kernels" if capability.startswith("99") and version == "0.6.3" else "")


@pytest.mark.parametrize(("version", "model", "needs"), [
    ("0.9.2", "openai/gpt-oss-20b", "0.10.1"), ("0.4.3", "RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8", "0.5.0"),
])  # fmt: skip
def test_a_method_newer_than_the_version(version: str, model: str, needs: str) -> None:
    """Rule: refusal 17: a release refuses weights that are stored in a way which it does not know."""
    found = plan({**H100, "model": model, "version": version})
    assert found["verdict"]["refusal"]["number"] == 17
    assert found["verdict"]["lines"][0].startswith("Unknown quantization method: ")
    assert f"they need {needs} or newer." in as_text(found)
    assert refusal(needs, model=model) != "method_unknown"


def test_a_method_that_was_asked_for_can_be_left_out() -> None:
    """Rule: plain weights start without the method that the release does not know, where they fit."""
    asked = {**H100, "model": "facebook/opt-125m", "version": "0.4.0", "quantization": "fp8", "max_model_len": 512}
    found = plan(asked)
    assert found["verdict"]["refusal"]["key"] == "method_unknown"
    assert [fix["changes"] for fix in found["fixes"]["fixes"]] == [{"quantization": ""}]
