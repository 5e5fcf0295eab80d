"""Build everything that a release gives away into one folder: both packages, the site, checksums."""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim"))

import archives  # noqa: E402
import bundle  # noqa: E402
import selfhost  # noqa: E402
from npm_package import ONE_MODULE, build_npm  # noqa: E402
from poolroom import __version__  # noqa: E402
from poolroom.cli_copies import integrity  # noqa: E402
from python_package import build_sdist, build_wheel  # noqa: E402

SITE = f"poolroom-site-{__version__}"
SUMS, INTEGRITY = "SHA256SUMS", "integrity.json"
ANYWAY = "or build it anyway with --dirty."


class Refusal(Exception):
    """Something that a release must not be built from, or into; the message is one sentence."""


def check_changelog() -> None:
    """Refuse a changelog that does not speak of this version."""
    if not re.search(rf"^## \[{re.escape(__version__)}\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M):
        raise Refusal(f"CHANGELOG.md has no heading “## [{__version__}]”. Say there what is new, {ANYWAY}")


def check_tree() -> None:
    """Refuse files that no commit holds."""
    try:
        done = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, encoding="utf-8")
    except OSError:
        raise Refusal(f"There is no git to say whether every change is committed. Install it, {ANYWAY}") from None
    if done.returncode:
        raise Refusal(f"This is no git checkout, so nothing says which commit it is. Use a clone, {ANYWAY}")
    changed = [line[3:] for line in done.stdout.splitlines()]
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise Refusal(f"Not everything is committed: {', '.join(changed[:3])}{more}. Commit it, {ANYWAY}")


def check_out(out: Path) -> None:
    """Refuse a folder with anything in it but an earlier release."""
    if out.exists() and not out.is_dir():
        raise Refusal(f"{out} is a file. Name a folder with --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / SUMS).is_file():
        raise Refusal(f"{out} holds other files than a release. Name another folder with --out.")


def build_site(out: Path) -> None:
    """Build the site, as everybody does; build.py says what is wrong where it cannot."""
    command = [sys.executable, str(ROOT / "build.py"), "--out", str(out)]
    if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        raise Refusal("The site could not be built; see above.")


def release(out: Path, site: Path) -> list[Path]:
    """Build packages, zips and checksums from a built site into an empty folder."""
    files = {name: (site / name).read_text("utf-8") for name in bundle.PACKAGED.values()}
    static = bundle.static_files(files)
    made = [build_wheel(out, static), build_sdist(out, static), build_npm(out, files)]
    scripts = {selfhost.versioned("poolroom.js"): files["poolroom.js"], bundle.NOTEBOOK: files[bundle.NOTEBOOK],
               ONE_MODULE: archives.untarred(made[-1])[f"package/dist/{ONE_MODULE}"].decode()}
    made += [out / selfhost.ZIP, out / f"{SITE}.zip", out / INTEGRITY]
    shutil.copyfile(site / selfhost.ZIP, out / selfhost.ZIP)
    (out / f"{SITE}.zip").write_bytes(zipped_site(site))
    hashes = {name: integrity(text.encode()) for name, text in scripts.items()}
    (out / INTEGRITY).write_text(json.dumps(hashes, indent=2) + "\n", "utf-8", newline="\n")
    (out / SUMS).write_text("".join(f"{sum_of(path)}  {path.name}\n" for path in made), "utf-8", newline="\n")
    return [*made, out / SUMS]


def zipped_site(site: Path) -> bytes:
    """Pack the whole site, with the licence."""
    files = {**archives.content_of(site), "LICENSE.txt": (ROOT / "LICENSE").read_bytes()}
    return archives.zipped({f"{SITE}/{name}": data for name, data in files.items()})


def sum_of(path: Path) -> str:
    """Hash a file as `sha256sum` does."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    """Build a release; 1 and one sentence where something forbids it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "release", help="default: release")
    parser.add_argument("--dirty", action="store_true",
                        help="for a trial: not everything is committed, or the changelog lacks the version")
    options = parser.parse_args()
    out = options.out.resolve()
    try:
        if not options.dirty:
            check_changelog()
            check_tree()
        check_out(out)
        with tempfile.TemporaryDirectory() as name:
            site, made = Path(name) / "site", Path(name) / "made"
            made.mkdir()
            build_site(site)
            paths = release(made, site)
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(made, out)
    except (Refusal, bundle.BuildError) as trouble:
        print(f"release.py: {trouble}", file=sys.stderr)
        return 1
    for path in paths:
        print(f"{path.name:34} {(out / path.name).stat().st_size:10,} bytes")
    print(f"Poolroom {__version__} is in {out}. There, check it with: sha256sum --check {SUMS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
