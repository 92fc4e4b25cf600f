"""The house: who may import whom, which vendor lives where, and what loads what."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "engine", "storage")
VENDORS = {
    "telegram": ("bot/telegram/",),
    "aiohttp": ("bot/simulator/",),
    "torch": ("engine/local/", "engine/reader/"),
    "transformers": ("engine/local/", "engine/reader/"),
    "qwen_vl_utils": ("engine/local/",),
    "rapidocr": ("engine/ocr/",),
    "onnxruntime": ("engine/ocr/",),
    "aiosqlite": ("storage/",),
    "prometheus_client": ("bot/metrics.py",),
    "pydantic": ("bot/settings.py",),
    "pydantic_settings": ("bot/settings.py",),
}
# Downwards inside the local engine: a room may import those of a higher floor number only.
FLOORS = (
    ("local_engine", "reference"),
    ("stream",),
    ("inference_thread", "foresight"),
    ("scheduler", "model_runner"),
    ("encoder",),
    ("sequence", "answer_cache", "recall"),
    ("session", "models", "repetition", "detokenizer", "hub"),
    ("sampler", "vocabulary"),
    ("prompt", "kv_cache", "encoder_cache", "checkpoint", "patches", "resizing"),
    ("packed", "precision"),
    ("linear", "archive"),
    ("allotment", "budget", "shelf", "retrying", "hardware", "lookup", "memory", "fields"),
)


@cache
def sources() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, Path]:
    return {name_of(path): path for path in sources()}


@cache
def imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names = (f"{module}.{alias.name}" for alias in node.names)
            found += [name if name in modules() else module for name in names]
    return found


def importers(package: str) -> list[tuple[str, str]]:
    inside = (path for path in sources() if path.is_relative_to(ROOT / package))
    return [(str(path.relative_to(ROOT)), name) for path in inside for name in imports(path)]


def package_of(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize(
    ("package", "others"), [("engine", ("bot", "storage")), ("storage", ("bot", "engine"))]
)
def test_lower_houses_know_no_other(package: str, others: tuple[str, ...]) -> None:
    assert [pair for pair in importers(package) if package_of(pair[1]) in others] == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_vendor_has_one_home(vendor: str) -> None:
    strangers = [
        place
        for package in PACKAGES
        for place, name in importers(package)
        if package_of(name) == vendor and not place.startswith(VENDORS[vendor])
    ]
    assert strangers == []


def test_bot_uses_the_faces() -> None:
    inner = [
        (place, name)
        for place, name in importers("bot")
        if package_of(name) in ("engine", "storage") and "." in name
    ]
    assert [pair for pair in inner if pair != ("bot/__main__.py", "engine.backends")] == []


def test_wings_do_not_meet() -> None:
    met = [
        (place, name)
        for place, name in importers("bot")
        if (place.startswith("bot/telegram/") and name.startswith("bot.simulator"))
        or (place.startswith("bot/simulator/") and name.startswith("bot.telegram"))
    ]
    assert met == []


def test_no_circles() -> None:
    known = modules()
    graph = {
        name: {found for found in imports(path) if found in known and found != name}
        for name, path in known.items()
    }
    order = list(TopologicalSorter(graph).static_order())
    assert set(order) == set(known)


def test_local_engine_imports_downwards() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    upwards = []
    for place, name in importers("engine/local"):
        room = Path(place).relative_to("engine/local").parts[0].removesuffix(".py")
        parts = name.split(".")
        if parts[:2] == ["engine", "local"] and len(parts) > 2 and parts[2] != room:
            upwards += [(place, name)] if floor[room] >= floor[parts[2]] else []
    assert upwards == []


def test_models_know_no_requests() -> None:
    above = ("sequence", "scheduler", "session", "model_runner", "inference_thread")
    rooms = {f"engine.local.{room}" for room in above}
    assert [pair for pair in importers("engine/local/models") if pair[1] in rooms] == []


def test_nothing_hides_behind_type_checking() -> None:
    hidden = [
        str(path) for path in sources() if "TYPE_CHECKING" in path.read_text(encoding="utf-8")
    ]
    assert hidden == []


def test_imports_stand_at_the_top() -> None:
    inside = []
    for path in sources():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found = any(
                    isinstance(part, ast.Import | ast.ImportFrom) for part in ast.walk(node)
                )
                inside += [f"{path.relative_to(ROOT)}:{node.name}"] if found else []
    assert [place for place in inside if not place.startswith("engine/backends.py")] == []


def test_files_and_functions_are_short() -> None:
    long_files = []
    long_functions = []
    for path in sources():
        num_lines = path.read_text(encoding="utf-8").count("\n")
        long_files += [f"{path} {num_lines}"] if num_lines > 220 else []
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lines = (node.end_lineno or 0) - (body[0].lineno if body else node.lineno) + 2
                long_functions += [f"{path}:{node.name} {lines}"] if lines > 40 else []
    assert long_files == []
    assert long_functions == []


@pytest.mark.parametrize("face", ["engine", "engine.backends", "storage", "bot.assistant"])
def test_faces_load_no_vendor(face: str) -> None:
    heavy = ("torch", "transformers", "telegram", "rapidocr", "aiohttp")
    code = f"import sys, {face}; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
