"""Pictures that notebooks show."""

from __future__ import annotations

import base64

__all__ = ["MAX_PICTURES", "MAX_PICTURE_BYTES", "Picture"]

#: Most frames in a picture.
MAX_PICTURES = 100

#: Largest picture in the display of a motion or a result.
MAX_PICTURE_BYTES = 500_000


class Picture(bytes):
    """A PNG: bytes to write to a file; a notebook shows it."""

    def _repr_png_(self) -> bytes:
        return bytes(self)

    def __repr__(self) -> str:
        return f"<rebone.Picture: PNG of {len(self)} bytes>"

    def _in_page(self) -> str:
        """The picture within a page, unless it is large."""
        if len(self) > MAX_PICTURE_BYTES:
            return "<p>(the picture is large: see <code>preview()</code>)</p>"
        return f'<img src="data:image/png;base64,{base64.b64encode(self).decode()}">'
