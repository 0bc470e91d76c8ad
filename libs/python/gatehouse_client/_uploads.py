"""What is uploaded, and under which name."""

from __future__ import annotations

import mimetypes
import os
from pathlib import Path
from typing import BinaryIO, Union

#: A path, bytes, or an open binary file.
Source = Union[str, "os.PathLike[str]", bytes, BinaryIO]

_UNKNOWN = "application/octet-stream"


def upload_of(source: Source, name: str | None, type: str | None) -> tuple[str, str, BinaryIO | bytes]:
    """Name, media type and bytes. Whoever gave a path has to close what was opened."""
    content = open(source, "rb") if isinstance(source, (str, os.PathLike)) else source
    given = name or (None if isinstance(content, bytes) else getattr(content, "name", None))
    short = Path(given).name if isinstance(given, (str, os.PathLike)) else "file"
    return short, type or mimetypes.guess_type(short)[0] or _UNKNOWN, content
