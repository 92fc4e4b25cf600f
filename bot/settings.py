"""Everything an owner can set: the keys of .env and of the environment, typed and checked once.

Makes the configurations of the other rooms; nothing else reads the environment.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.complaints import complaint
from bot.envfile import ENV_FILE, lost_lines
from bot.forms import holds_token, ids_of, is_address, is_token
from bot.writing import AssistantConfig
from engine import EngineConfig, ModelHub, Precision

TELEGRAM_MODEL = "Qwen/Qwen3-VL-2B-Instruct"
SIMULATOR_MODEL = "reader"
GIB = 1024**3
DAY_S = 24 * 3600.0

Ids = Annotated[tuple[int, ...], NoDecode]
Port = Annotated[int, Field(ge=0, le=65535)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
ImageTokens = Annotated[int, Field(ge=4)]
Threads = Annotated[int, Field(ge=0, le=1024)]
# Bounded, so that no sum of bytes or seconds is larger than what a database or a timer takes.
Amount = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class SettingsError(Exception):
    """Values that cannot be used; `problems` are sentences that never show a secret."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class Settings(BaseSettings):
    """One field for each key, of the same name in small letters."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    telegram_bot_token: SecretStr | None = None
    telegram_api_url: str = "https://api.telegram.org"
    admin_ids: Ids = ()
    allowed_ids: Ids = ()
    data_dir: Path = Path("data")
    simulator_port: Port = 8765
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    shutdown_grace_s: Amount = 8.0
    monitor_port: Port = 0
    webhook_url: str | None = None
    webhook_port: Port = 8080

    model: str | None = None
    model_hub: ModelHub = "huggingface"
    ocr_by: Literal["lines", "model"] = "lines"
    text_wait_s: Amount = 2.5
    stream_by: Literal["edits", "drafts"] = "edits"
    precision: Precision = "auto"

    question_image_tokens: ImageTokens = 384
    reading_image_tokens: ImageTokens = 1024
    context_tokens: ImageTokens = 16384
    max_answer_tokens: Positive = 512
    max_reading_tokens: Positive = 2048
    max_running: Positive = 5
    max_waiting: Count = 32
    max_waiting_each: Count = 3
    daily_photos: Count = 0

    kv_cache_gib: Amount = 1.0
    feature_cache_gib: Amount = 0.25
    session_disk_gib: Amount = 1.0
    memory_gib: Amount = 0.0
    cpu_threads: Threads = 0
    ocr_threads: Threads = 0

    photo_days: Amount = 7.0
    photo_cache_gib: Amount = 1.0

    @field_validator("telegram_bot_token")
    @classmethod
    def _check_token(cls, token: SecretStr | None) -> SecretStr | None:
        # Only the real form: the simulator's own token must never travel to Telegram.
        if token is not None and not is_token(token.get_secret_value()):
            raise ValueError("must be what @BotFather gave: digits, a colon, 35 characters")
        return token

    @field_validator("telegram_api_url", "webhook_url")
    @classmethod
    def _check_url(cls, url: str | None) -> str | None:
        if url is None:
            return None
        if not is_address(url):
            raise ValueError("must be an address like https://api.telegram.org")
        if holds_token(url):
            raise ValueError("must be without the token")
        return url.rstrip("/")

    @field_validator("admin_ids", "allowed_ids", mode="before")
    @classmethod
    def _split(cls, ids: object) -> object:
        if isinstance(ids, str) and (ids := ids_of(ids)) is None:
            raise ValueError("must be numbers with commas between them, like 12345, -100987")
        return ids

    @field_validator("data_dir")
    @classmethod
    def _find_home(cls, folder: Path) -> Path:
        return folder.expanduser()

    @model_validator(mode="after")
    def _check_budgets(self) -> Self:
        largest = max(self.question_image_tokens, self.reading_image_tokens)
        if largest >= self.context_tokens:
            raise ValueError(f"CONTEXT_TOKENS must be more than {largest}, the tokens of a photo.")
        return self

    @property
    def token(self) -> str:
        """The bot's token; raises SettingsError if there is none."""
        if self.telegram_bot_token is None:
            raise SettingsError(
                (
                    "TELEGRAM_BOT_TOKEN is missing: put the token from @BotFather into .env, "
                    "or start with --simulator.",
                )
            )
        return self.telegram_bot_token.get_secret_value()

    @property
    def with_drafts(self) -> bool:
        """Whether answers grow as drafts where they may."""
        return self.stream_by == "drafts"

    @property
    def photo_age_s(self) -> float:
        """For how long the bytes of photos are kept."""
        return self.photo_days * DAY_S

    @property
    def photo_cache_bytes(self) -> int:
        """How much the kept photos may take."""
        return int(self.photo_cache_gib * GIB)

    def engine_config(self, default_model: str) -> EngineConfig:
        """What the engine is made from."""
        return EngineConfig(
            model=self.model or default_model,
            model_hub=self.model_hub,
            precision=self.precision,
            cache_folder=self.data_dir / "engine",
            question_image_tokens=self.question_image_tokens,
            reading_image_tokens=self.reading_image_tokens,
            context_tokens=self.context_tokens,
            kv_cache_gib=self.kv_cache_gib,
            feature_cache_gib=self.feature_cache_gib,
            max_running=self.max_running,
            max_waiting=self.max_waiting,
            session_disk_gib=self.session_disk_gib,
            session_age_s=self.photo_age_s,
            memory_gib=self.memory_gib,
            cpu_threads=self.cpu_threads,
            ocr_threads=self.ocr_threads,
        )

    @property
    def assistant_config(self) -> AssistantConfig:
        """What the assistant is made from."""
        return AssistantConfig(
            question_image_tokens=self.question_image_tokens,
            reading_image_tokens=self.reading_image_tokens,
            max_answer_tokens=self.max_answer_tokens,
            max_reading_tokens=self.max_reading_tokens,
            read_by_model=self.ocr_by == "model",
            max_waiting_each=self.max_waiting_each,
            daily_photos=self.daily_photos,
            unlimited=frozenset(str(admin_id) for admin_id in self.admin_ids),
        )


def load_settings() -> Settings:
    """The settings of the environment and of .env in this folder; raises SettingsError."""
    try:
        if lost := lost_lines(Path(ENV_FILE)):
            raise SettingsError(tuple(f"Line {n} of {ENV_FILE} is not NAME=value." for n in lost))
        return Settings()
    except ValidationError as error:
        known = [name.upper() for name in Settings.model_fields]
        raise SettingsError(tuple(complaint(one, known) for one in error.errors())) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError((f"The file {ENV_FILE} cannot be read as text.",)) from None
