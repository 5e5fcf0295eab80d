"""The port's own tests, run by node."""

import re
from collections.abc import Callable

from tests.node import node, run_node, test_files


def test_the_ports_tests_pass_under_node(tell: Callable[[str], None]) -> None:
    """Rule: node --test on tests/js passes; its output is shown where it does not."""
    done = run_node("--test", "--test-reporter=tap", *test_files())
    counts = {name: int(n) for name, n in re.findall(r"^# (tests|pass|fail|skipped|todo) (\d+)$", done.stdout, re.M)}
    lines = [
        line
        for line in done.stdout.splitlines()
        if not re.match(r"\s*(ok \d|# Subtest|---|\.\.\.|duration_ms|type:)", line)
    ]
    assert done.returncode == 0, "\n".join([*lines[:300], done.stderr])
    assert counts["tests"] == counts["pass"] >= 300
    version = run_node("--version").stdout.strip()
    tell(f"node {version}: {counts['pass']} tests in {len(test_files())} files")


def test_node_is_found() -> None:
    """Rule: a test without its node fails, it is never skipped."""
    assert node()
