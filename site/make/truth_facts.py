"""Make the facts of the truth page: of each public start-up report what it asks and prints, and nothing of its text.

`python site/make/truth_facts.py` reads the raw reports, which stay outside the project, and what was read into them by
hand (`site/truth/readings.json`), and writes `site/truth/truth.json`. A setting that a report leaves out is not in
`asked`: there the defaults of its version hold.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RAW = ROOT.parent / "shared" / "facts" / "start-logs.jsonl"
READINGS = ROOT / "site" / "truth" / "readings.json"
TRUTH = ROOT / "site" / "truth" / "truth.json"
SETTINGS = {
    "tp": "tensor_parallel_size",
    "pp": "pipeline_parallel_size",
    "dtype": "dtype",
    "quantization": "quantization",
    "kv_cache_dtype": "kv_cache_dtype",
    "block_size": "block_size",
    "gpu_memory_utilization": "gpu_memory_utilization",
    "max_model_len": "max_model_len",
    "max_num_seqs": "max_num_seqs",
    "max_num_batched_tokens": "max_num_batched_tokens",
    "enforce_eager": "enforce_eager",
    "gpu_mem_gib_reported": "total_gib",
}
PRINTED = {
    "weights_gib": "weights_gib",
    "activation_gib": "activation_gib",
    "non_torch_gib": "non_torch_gib",
    "cuda_graph_gib": "graphs_gib",
    "kv_cache_gib": "kv_gib",
    "gpu_blocks": "blocks",
    "kv_tokens": "tokens",
    "max_concurrency": "concurrency",
}
QUANTISATIONS = {"awq_marlin": "awq", "w8a8 int8": "compressed-tensors", "autoround int4": "auto-round"}
REFUSALS = ("max_seq_len_gt_kv", "kv_needed_gt_available", "no_available_memory")
WHOLE_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
NAME = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
FREE = re.compile(r"Free memory on device \(([0-9.]+)/([0-9.]+) GiB\)")
ESTIMATE = re.compile(r"([0-9.]+) GiB \(estimated\)|Estimated CUDA graph memory: ([0-9.]+) GiB")


def raw_reports() -> list[dict[str, Any]] | None:
    """Read the raw reports; None where they are not there."""
    if not RAW.is_file():
        return None
    return [json.loads(line) for line in RAW.read_text("utf-8").splitlines() if line.strip()]


def readings() -> dict[str, Any]:
    """Read what was read into the reports by hand."""
    table: dict[str, Any] = json.loads(READINGS.read_text("utf-8"))
    return table


def case_of(report: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """Make the facts of one report."""
    own = table["reports"].get(report["id"], {})
    asked, assumed = _asked(report, own, table)
    printed = {new: report[old] for old, new in PRINTED.items() if report[old] is not None}
    estimates = [next(filter(None, found)) for line in report["log_lines"] for found in ESTIMATE.findall(line)]
    if estimates:
        printed["graphs_estimated_gib"] = float(estimates[0])
    case = {
        "id": report["id"],
        "source": report["source"],
        "reported_version": report["vllm_version"] or "not stated",
        "memory": own.get("memory", "discrete"),
        "reads": own.get("reads", "text"),
        "shape": own.get("shape", report["config"]),
        "outcome": own.get("outcome", _outcome(report)),
        "asked": asked,
        "assumed": assumed,
        "printed": printed,
        "left_out": own.get("left_out", {}),
    }
    if report["error_kind"]:
        case["error"] = {"kind": report["error_kind"], **(report["error_numbers"] or {})}
    return case


def _asked(report: dict[str, Any], own: dict[str, Any], table: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    asked = {new: report[old] for old, new in SETTINGS.items() if report[old] is not None}
    assumed: dict[str, str] = {}
    if report["gpu"] in table["cards"]:
        asked["card"] = table["cards"][report["gpu"]]
    version = WHOLE_VERSION.search(report["vllm_version"] or "")
    if version:
        asked["version"] = version[0]
    if NAME.fullmatch(report["model"] or ""):
        asked["model"] = report["model"]
    elif report["config"] or own.get("shape"):
        asked["model"] = table["names"][own.get("shape", report["config"])]
        assumed["model"] = "by_name" if report["model"] else "by_blocks"
    if "quantization" in asked:
        asked["quantization"] = QUANTISATIONS.get(asked["quantization"], asked["quantization"])
    free = next((FREE.search(line) for line in report["log_lines"] if FREE.search(line)), None)
    if free:
        asked["in_use_gib"] = _hundredths(float(free[2]) - float(free[1]))
    for name, (value, why) in own.get("set", {}).items():
        # Nothing: a report names how the checkpoint is stored, which is no setting.
        if value is None:
            asked.pop(name, None)
            continue
        asked[name] = value
        assumed.pop(name, None)
        if why != "stated":
            assumed[name] = why
    return dict(sorted(_known(asked, table).items())), assumed


def _known(asked: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    # The facts have a model under one name; its other names are the same model.
    model = asked.get("model")
    return asked if model is None else {**asked, "model": table["aliases"].get(model, model)}


def _hundredths(value: float) -> float:
    return round(value * 100) / 100


def _outcome(report: dict[str, Any]) -> str | None:
    if report["error_kind"] in REFUSALS:
        return "refuses"
    if report["error_kind"] == "oom_after_kv":
        return "dies"
    starts = any(report[name] is not None for name in ("gpu_blocks", "kv_tokens", "max_concurrency"))
    return "starts" if starts or (report["kv_cache_gib"] or 0.0) > 0.0 else None


def made(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the whole file from the raw reports."""
    table = readings()
    cases = [case_of(report, table) for report in reports]
    more = [{**case, "asked": _known(case["asked"], table)} for case in table["more"]]
    return {
        "about": "Figures of public start-up reports and where they come from; made by site/make/truth_facts.py.",
        "checked": "2026-11",
        "reasons": table["reasons"],
        "assumptions": table["assumptions"],
        "cases": [*cases, *more],
    }


def text_of(facts: dict[str, Any]) -> str:
    """Write the file: one line a case, so that a change of one reads as one."""
    head = {key: value for key, value in facts.items() if key != "cases"}
    cases = ",\n".join(f"    {json.dumps(case, ensure_ascii=False)}" for case in facts["cases"])
    start = json.dumps(head, indent=2, ensure_ascii=False).removesuffix("\n}")
    return f'{start},\n  "cases": [\n{cases}\n  ]\n}}\n'


def main() -> int:
    """Write the facts anew; 1 where the raw reports are not there."""
    reports = raw_reports()
    if reports is None:
        print(f"truth_facts: {RAW} is not there.", file=sys.stderr)
        return 1
    TRUTH.write_text(text_of(made(reports)), "utf-8")
    print(f"{len(reports)} reports and {len(readings()['more'])} more cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
