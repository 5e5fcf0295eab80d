"""Files under names that carry the version, and the zip with which a site hosts the widget itself."""

from pathlib import Path

import archives
from poolroom import __version__, cli_copies

ROOT = Path(__file__).resolve().parents[2]
ZIP = f"poolroom-{__version__}.zip"
SHORT = cli_copies.SERVED
NOTE = """Poolroom {version}

poolroom.js        the element: <script src="poolroom.js"></script> <pool-room share="48"></pool-room>
poolroom.html      one page for frames: <iframe src="poolroom.html?share=48" title="…"></iframe>
poolroom-{version}…  the same two under names that never change what they mean

Put them into one folder of your site. Nothing else is needed, and they ask nobody for anything.
"""


def versioned(name: str) -> str:
    """Give a file's name with this version in it."""
    return cli_copies.versioned(name, __version__)


def with_versions(files: dict[str, str]) -> dict[str, str]:
    """Add the files that authors may pin, under their versioned names too."""
    return files | {versioned(name): files[name] for name in SHORT}


def zipped(files: dict[str, str]) -> bytes:
    """Pack what a site needs to host the widget itself, the same bytes for the same files."""
    names = [name for short in SHORT for name in (short, versioned(short))]
    texts = {name: files[name] for name in names}
    texts["LICENSE.txt"] = (ROOT / "LICENSE").read_text("utf-8")
    texts["READ-ME.txt"] = NOTE.format(version=__version__)
    return archives.zipped({f"poolroom-{__version__}/{name}": text.encode() for name, text in texts.items()})
