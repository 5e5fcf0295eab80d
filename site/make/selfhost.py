"""Files under names that carry the version, and the zip with which a site hosts the widget itself."""

import io
import zipfile
from pathlib import Path

from poolroom import __version__

ROOT = Path(__file__).resolve().parents[2]
ZIP = f"poolroom-{__version__}.zip"
SHORT = ("poolroom.js", "poolroom.html")
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say: the same bytes on every day
NOTE = """Poolroom {version}

poolroom.js        the element: <script src="poolroom.js"></script> <pool-room share="48"></pool-room>
poolroom.html      one page for frames: <iframe src="poolroom.html?share=48" title="…"></iframe>
poolroom-{version}…  the same two under names that never change what they mean

Put them into one folder of your site. Nothing else is needed, and they ask nobody for anything.
"""


def versioned(name: str) -> str:
    """Give a file's name with the version in it: poolroom.js becomes poolroom-0.1.0.js."""
    stem, dot, ending = name.partition(".")
    return f"{stem}-{__version__}{dot}{ending}"


def with_versions(files: dict[str, str]) -> dict[str, str]:
    """Add the files that authors may pin, under their versioned names too."""
    return files | {versioned(name): files[name] for name in SHORT}


def zipped(files: dict[str, str]) -> bytes:
    """Pack what a site needs to host the widget itself, the same bytes for the same files."""
    names = [name for short in SHORT for name in (short, versioned(short))]
    texts = {name: files[name] for name in names}
    texts["LICENSE.txt"] = (ROOT / "LICENSE").read_text("utf-8")
    texts["READ-ME.txt"] = NOTE.format(version=__version__)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(texts):
            entry = zipfile.ZipInfo(f"poolroom-{__version__}/{name}", FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, texts[name].encode(), compresslevel=9)
    return packed.getvalue()
