"""Lets Pillow read a sender's odd file without warning about it, in the reading thread only.

Filters of the `warnings` module belong to the whole process and cannot be changed for one
thread; so Pillow's own modules are given a `warnings` that knows who asked not to be told.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, JpegImagePlugin, PngImagePlugin, TiffImagePlugin


class PillowWarnings:
    """What Pillow's modules find under the name `warnings`; other threads are told as before."""

    def __init__(self) -> None:
        self._here = threading.local()

    def warn(
        self,
        message: str,
        category: type[Warning] | None = None,
        stacklevel: int = 1,
    ) -> None:
        """As `warnings.warn`, unless this thread is inside `unheard`."""
        if not getattr(self._here, "unheard", False):
            warnings.warn(message, category, stacklevel=stacklevel + 1)

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Nothing that Pillow warns of inside this block, in this thread, goes anywhere."""
        self._here.unheard = True
        try:
            yield
        finally:
            self._here.unheard = False


pillow_warnings = PillowWarnings()

for module in (Image, JpegImagePlugin, PngImagePlugin, TiffImagePlugin):
    vars(module)["warnings"] = pillow_warnings
