"""The server's settings, read from environment variables: SERVE_MAX_BATCH=8 sets `max_batch`."""

from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "SERVE_"
Seconds = Annotated[float, Field(allow_inf_nan=False)]


class Settings(BaseSettings):
    """What can be set; a value that is not allowed is refused when the server starts."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    model: str = Field("Qwen/Qwen2.5-0.5B-Instruct", min_length=1)
    """Name of a model on the hub, or a folder."""
    device: str = Field("auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    """Where the model runs; auto takes a GPU if there is one."""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    """How weights are kept; auto is float16 on a GPU and float32 on a CPU."""
    four_bit: bool = False
    """Keep the weights in four bits (NF4, by bitsandbytes)."""
    window_seconds: Seconds = Field(0.01, ge=0, le=10)
    """How long a job may wait, counted from its arrival, for others to fill the batch; 0 waits for none."""
    max_batch: int = Field(16, ge=1, le=1024)
    """Most jobs that run together."""
    max_queue: int = Field(64, ge=1)
    """Most jobs that wait; the next is refused."""
    cache_entries: int = Field(1024, ge=0)
    """Answers that are kept; 0 keeps none, and computes equal requests each for itself."""
    max_new_tokens: int = Field(1024, ge=1)
    """Most tokens that a request may ask for."""
    shutdown_seconds: Seconds = Field(30, ge=0)
    """How long running and waiting jobs may still take after the server was told to stop."""

    @model_validator(mode="after")
    def four_bit_is_not_for_apple(self) -> "Settings":
        """Refuse four bits where bitsandbytes has no code for them."""
        if self.four_bit and self.device == "mps":
            raise ValueError(f"{PREFIX}FOUR_BIT is true, but {PREFIX}DEVICE is mps: allowed are auto, cpu and cuda")
        return self


def read_settings() -> Settings:
    """Return the settings of this process's environment, or end it with one line for each that is refused."""
    try:
        return Settings()
    except ValidationError as error:
        raise SystemExit("\n".join(refusals(error))) from None


def refusals(error: ValidationError) -> list[str]:
    """Return a line for each refused setting: its name, its value, and what is allowed."""
    lines = []
    for fault in error.errors():
        if not fault["loc"]:  # two settings that do not go together: the message has both names
            lines.append(fault["msg"])
            continue
        name = PREFIX + str(fault["loc"][0]).upper()
        lines.append(f"{name} is {fault['input']!r}: {fault['msg'][0].lower()}{fault['msg'][1:]}")
    return lines
