"""A small demonstration model that reads printed Latin text and digits; it is not Qwen3-VL.

WEIGHTS is its folder. Knows neither torch nor how it was trained: only the modules beside it do.
"""

from pathlib import Path

ABOUT = "A small demonstration model that reads printed Latin text and digits; it is not Qwen3-VL."
WEIGHTS = Path(__file__).with_name("weights")
