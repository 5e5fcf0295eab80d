"""Show what both languages say to one job: python -m tests.parity.replay '{"call": …, "args": […]}'."""

import json
import sys

from tests.node import ROOT

sys.path.insert(0, str(ROOT / "sim"))

from tests.parity.both import differ, of_node, of_python, report


def main(argv: list[str]) -> int:
    """Answer, compare, print; 1 where they part."""
    if len(argv) != 1:
        print(__doc__)
        return 2
    job = json.loads(argv[0])
    one, (other,) = of_python(job), of_node([job])
    if differ(one, other):
        print(report(job, json.loads(one), json.loads(other)))
        return 1
    print(f"Both say {one if len(one) < 4_000 else one[:4_000] + '…'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
