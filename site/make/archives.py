"""Archives that are the same bytes for the same files: sorted names, one date, one mode, nobody's name."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say
FIRST_SECOND = 315532800  # the same as SOURCE_DATE_EPOCH has it
MODE = 0o644


def zipped(files: dict[str, bytes]) -> bytes:
    """Pack files by name into a zip; another zlib may choose other bytes for the same content."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # on Windows too
            entry.external_attr = MODE << 16
            archive.writestr(entry, files[name], compresslevel=9)
    return packed.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    """Pack files by name into a .tar.gz."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", fileobj=packed, mtime=FIRST_SECOND) as small,
        tarfile.open(fileobj=small, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(files[name]), MODE, FIRST_SECOND
            archive.addfile(entry, io.BytesIO(files[name]))
    return packed.getvalue()


def untarred(path: Path) -> dict[str, bytes]:
    """Read the files of a .tar.gz by name."""
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isfile()]
        return {member.name: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]


def content_of(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder by its path there, with slashes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
