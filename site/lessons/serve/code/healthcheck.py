"""Ask the server on this machine whether it is well; the exit code says it: 0 well, 1 not."""

import os
import sys
import urllib.error
import urllib.request

SECONDS = 4  # less than the timeout in the Dockerfile, so that we can say why


def problem(port: str) -> str | None:
    """What is wrong, or None."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy has no business here
    try:
        with opener.open(f"http://127.0.0.1:{port}/health", timeout=SECONDS):
            return None
    except urllib.error.HTTPError as error:
        return f"{error.code}: {error.read().decode(errors='replace')}"
    except OSError as error:
        return str(error)


if __name__ == "__main__":
    found = problem(os.environ.get("PORT", "8000"))
    print(found or "well")
    sys.exit(1 if found else 0)
