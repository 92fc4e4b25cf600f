"""Settings come from .env and the environment; what cannot be used is named without secrets."""

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, load_settings
from engine import EngineConfig

TOKEN = "123456789:" + "A" * 35


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".env"


def loaded(env: Path, *lines: str) -> Settings:
    env.write_text("\n".join(lines), encoding="utf-8")
    return load_settings()


def problems(env: Path, *lines: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        loaded(env, *lines)
    return caught.value.problems


def test_token_and_admin_are_enough(env: Path) -> None:
    settings = loaded(env, f"TELEGRAM_BOT_TOKEN={TOKEN}", "ADMIN_IDS=42")
    assert (settings.token, settings.admin_ids) == (TOKEN, (42,))
    assert settings.telegram_api_url == "https://api.telegram.org"


def test_environment_wins_over_file(env: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_WAITING", "3")
    assert loaded(env, "MAX_WAITING=7").max_waiting == 3


@pytest.mark.parametrize("text", ["1,-100987", " 1 -100987 ", "1; -100987,"])
def test_ids_are_split(env: Path, text: str) -> None:
    assert loaded(env, f"ALLOWED_IDS={text}").allowed_ids == (1, -100987)


def test_empty_value_means_default(env: Path) -> None:
    assert loaded(env, "MODEL=", "ADMIN_IDS=", "MAX_WAITING=") == load_settings()


def test_settings_do_not_change(env: Path) -> None:
    settings = loaded(env)
    with pytest.raises(ValueError, match="frozen"):
        settings.max_waiting = 3


def test_engine_gets_its_part(env: Path) -> None:
    settings = loaded(
        env, "KV_CACHE_GIB=2.5", "PRECISION=float32", "MODEL_HUB=modelscope", "MAX_RUNNING=2"
    )
    assert settings.engine_config("reader") == EngineConfig(
        model="reader",
        model_hub="modelscope",
        precision="float32",
        cache_folder=Path("data/engine"),
        kv_cache_gib=2.5,
        max_running=2,
    )
    assert loaded(env, "MODEL=/weights").engine_config("reader").model == "/weights"


def test_defaults_are_those_of_the_engine(env: Path) -> None:
    assert loaded(env).engine_config("reader") == EngineConfig(cache_folder=Path("data/engine"))


def test_assistant_gets_its_part(env: Path) -> None:
    config = loaded(env, "OCR_BY=model", "MAX_ANSWER_TOKENS=9").assistant_config
    assert (config.read_by_model, config.max_answer_tokens) == (True, 9)
    assert (config.question_image_tokens, config.reading_image_tokens) == (384, 1024)


def test_photo_limits_have_their_units(env: Path) -> None:
    settings = loaded(env, "PHOTO_DAYS=0.5", "PHOTO_CACHE_GIB=2")
    assert (settings.photo_age_s, settings.photo_cache_bytes) == (43200.0, 2 * 1024**3)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("MAX_WAITING=many", "MAX_WAITING must be a whole number, not 'many'."),
        ("MAX_RUNNING=1.5", "MAX_RUNNING must be a whole number, not '1.5'."),
        ("MAX_RUNNING=0", "MAX_RUNNING must be at least 1, not '0'."),
        ("SIMULATOR_PORT=70000", "SIMULATOR_PORT must be at most 65535, not '70000'."),
        ("KV_CACHE_GIB=much", "KV_CACHE_GIB must be a number, not 'much'."),
        ("PHOTO_DAYS=inf", "PHOTO_DAYS must be a number, not 'inf'."),
        ("OCR_BY=eye", "OCR_BY must be one of 'lines' or 'model', not 'eye'."),
        (
            "ADMIN_IDS=@ada",
            "ADMIN_IDS must be numbers with commas between them, like 12345, -100987, not '@ada'.",
        ),
        (
            "TELEGRAM_API_URL=telegram",
            "TELEGRAM_API_URL must be an address like https://api.telegram.org, not 'telegram'.",
        ),
        (
            "TELEGRAM_API_URL=http://h:abc",
            "TELEGRAM_API_URL must be an address like https://api.telegram.org, "
            "not 'http://h:abc'.",
        ),
        (
            "TELEGRAM_API_URL=http://[::1",
            "TELEGRAM_API_URL must be an address like https://api.telegram.org, not 'http://[::1'.",
        ),
        ("PHOTO_CACHE_GIB=1e300", "PHOTO_CACHE_GIB must be at most 1e+06, not '1e300'."),
        ("CPU_THREADS=99999999999", "CPU_THREADS must be at most 1024, not '99999999999'."),
        ("ADMIN_IDS 42", "Line 1 of .env is not NAME=value."),
        ("ADMIN_IDS: 42", "Line 1 of .env is not NAME=value."),
        ("ADMIN_IDS", "Line 1 of .env is not NAME=value."),
        ('MODEL="reader', "Line 1 of .env is not NAME=value."),
        ("CONTEXT_TOKENS=500", "CONTEXT_TOKENS must be more than 1024, the tokens of a photo."),
        ("KV_CACHE=1", ".env has KV_CACHE, which is no setting; did you mean KV_CACHE_GIB?"),
        ("MAX_WAITING=" + "9" * 5000, "MAX_WAITING cannot be used."),
        ("ZZZZ=1", ".env has ZZZZ, which is no setting."),
    ],
    ids=lambda text: text.partition("=")[0] if "=" in text else "named",
)
def test_bad_value_is_named(env: Path, line: str, sentence: str) -> None:
    assert problems(env, line) == (sentence,)


def test_every_bad_value_is_named(env: Path) -> None:
    named = problems(env, "MAX_WAITING=many", "OCR_BY=eye", "ZZZZ=1")
    assert len(named) == 3


@pytest.mark.parametrize(
    "line",
    [
        "TELEGRAM_BOT_TOKEN=12:secret",
        "TELEGRAM_BOT_TOKEN=simulator:secret-loopback-only",
        "ADMIN_IDS=123456789:secret" + "A" * 35,
        "TELEGRAM_API_URL=https://api.telegram.org/bot123456789:secret" + "A" * 35,
    ],
    ids=["short", "simulator", "wrong key", "address"],
)
def test_secret_is_never_shown(env: Path, line: str) -> None:
    (sentence,) = problems(env, line)
    assert sentence.startswith(line.partition("=")[0])
    assert "secret" not in sentence


@pytest.mark.parametrize("line", [f"{TOKEN}=1", TOKEN, f"TELEGRAM_BOT_TOKEN {TOKEN}"])
def test_misplaced_token_is_not_shown(
    env: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (sentence,) = problems(env, "# mine", line)
    assert TOKEN.lower() not in (sentence + capsys.readouterr().err).lower()


def test_home_is_found(env: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert loaded(env, "DATA_DIR=~/darkroom").data_dir == Path("/home/ada/darkroom")


def test_lost_line_is_numbered_as_in_the_file(env: Path) -> None:
    lines = ("# mine", "", "MODEL=reader", "export MAX_WAITING=3", "ADMIN_IDS 42", "OCR_BY")
    assert problems(env, *lines) == (
        "Line 5 of .env is not NAME=value.",
        "Line 6 of .env is not NAME=value.",
    )


def test_token_is_in_no_repr(env: Path) -> None:
    settings = loaded(env, f"TELEGRAM_BOT_TOKEN={TOKEN}")
    assert TOKEN not in repr(settings) + str(settings)


def test_missing_token_is_named(env: Path) -> None:
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN is missing"):
        _ = loaded(env).token


def test_file_that_is_no_text(env: Path) -> None:
    env.write_bytes(b"\xff\xfe\x00MODEL")
    with pytest.raises(SettingsError, match=r"\.env cannot be read"):
        load_settings()


def test_drafts_are_a_choice(env: Path) -> None:
    assert not loaded(env).with_drafts
    assert loaded(env, "STREAM_BY=drafts").with_drafts
