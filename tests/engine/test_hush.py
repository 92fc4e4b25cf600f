"""Odd files are read without a warning, and only where nobody wants one."""

import io
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from engine.hush import pillow_warnings
from engine.intake import upright
from tests.engine.pictures import odd_files


@pytest.mark.parametrize("place", range(3), ids=["exif", "tiff", "apng"])
def test_odd_file_is_read_without_a_warning(place: int) -> None:
    data = odd_files()[place]
    with pytest.warns(UserWarning), Image.open(io.BytesIO(data)) as image:  # noqa: PT030, PT031
        image.getexif()
        image.load()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert upright(data).size == (60, 40)
    assert heard == []


def test_other_threads_still_hear_pillow() -> None:
    inside, told = threading.Event(), threading.Event()

    def hush_until_told() -> None:
        with pillow_warnings.unheard():
            pillow_warnings.warn("nobody hears this")
            inside.set()
            assert told.wait(30)

    with ThreadPoolExecutor(1) as pool:
        hushed = pool.submit(hush_until_told)
        assert inside.wait(30)
        with pytest.warns(UserWarning, match="heard by all"):
            pillow_warnings.warn("heard by all")
        told.set()
        hushed.result()
