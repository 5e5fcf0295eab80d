"""Keep what took long to make, under the hash of what it was made of."""

import tempfile
from collections.abc import Callable
from pathlib import Path


def keep(kept: Path, name: str, mark: str, make: Callable[[Path], None]) -> Path:
    """Give the folder that was made from the same inputs before, or make it; it is whole at every moment."""
    folder = kept / f"{name}-{mark[:20]}"
    if folder.is_dir():
        return folder
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept) as part:
        under_way = Path(part) / name
        under_way.mkdir()
        make(under_way)
        try:
            under_way.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another build was faster
                raise
    return folder
