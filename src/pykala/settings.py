"""Inert values, read once by the interfaces; nothing else in the package looks at the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from platformdirs import user_cache_path, user_data_path

_KEY = "PYKALA_KEY_"
_ANSWER_CAP, _MONTH_CAP = 0.25, 10.0  # US dollars
_PER_MINUTE = 600
_BUDGET = 25_000  # tokens of evidence
_COLLECTOR = "http://localhost:4318"  # where OpenTelemetry's collector listens, as its own standard has it


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model's name, its key, where it answers and what it costs; all empty: no such model."""

    name: str = ""
    key: str = field(default="", repr=False)  # never shown
    address: str = ""
    price: str = ""  # for a million tokens read and written, "0.50/1.50"; where the table has none

    @classmethod
    def read(cls, found: Mapping[str, str], prefix: str) -> ModelSettings:
        """Read them from variables that begin with a prefix: PYKALA_MODEL and PYKALA_MODEL_KEY."""
        return cls(*(found.get(f"{prefix}{part}", "") for part in ("", "_KEY", "_ADDRESS", "_PRICE")))

    @property
    def is_set(self) -> bool:
        """Whether there is such a model."""
        return bool(self.name or self.key)


@dataclass(frozen=True, slots=True)
class TelemetrySettings:
    """Where traces go as OpenTelemetry, and what is in them; no address: nowhere."""

    address: str = ""  # of the collector's traces, whole
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold a key; never shown
    service: str = "pykala"
    questions: bool = False  # whether what was asked may leave this machine, too

    @classmethod
    def read(cls, found: Mapping[str, str]) -> TelemetrySettings:
        """Read them from OpenTelemetry's own variables, and ours."""
        wanted = found.get("PYKALA_TELEMETRY", "").strip().lower()
        named = found.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")
        traces = found.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
        if not (wanted == "otlp" or (not wanted and (named or traces))):
            return cls()
        own = found.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "")
        headers = own or found.get("OTEL_EXPORTER_OTLP_HEADERS", "")
        pairs = (one.partition("=") for one in headers.split(",") if "=" in one)
        return cls(
            address=traces or f"{(named or _COLLECTOR).rstrip('/')}/v1/traces",
            headers={name.strip(): unquote(value.strip()) for name, _, value in pairs},
            service=found.get("OTEL_SERVICE_NAME") or "pykala",
            questions=found.get("PYKALA_TELEMETRY_QUESTIONS", "") == "1",
        )

    @property
    def is_set(self) -> bool:
        """Whether traces go anywhere."""
        return bool(self.address)


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are kept, which models help, what they may cost, and who may use a server.

    PYKALA_LIBRARY (the folder of your own library), PYKALA_CACHE (where the sample library, caches and
    unpacked archives go), PYKALA_WORKERS; PYKALA_KEY_ with a pack's code (PYKALA_KEY_NYC) for a publisher
    that wants a key. PYKALA_MODEL drafts answers, with PYKALA_FALLBACK_MODEL behind it; PYKALA_EMBEDDER
    ("none": search by words alone) and PYKALA_RERANKER take the place of the bundled ones; each may have
    _KEY, _ADDRESS and _PRICE, and so may PYKALA_SECOND_OPINION, a service that searches the web for who wants
    that. PYKALA_MODEL_BUDGET is how many tokens of evidence a model is given, PYKALA_CALIBRATION a file of
    'pykala calibrate'. PYKALA_ANSWER_CAP and PYKALA_MONTH_CAP are what an answer
    and a month may cost, in US dollars. A server asks for one of PYKALA_API_KEYS, lets pages of
    PYKALA_ORIGINS call it, is reached under PYKALA_HOSTS, and takes PYKALA_REQUESTS_PER_MINUTE from each;
    lists are separated by commas. PYKALA_TELEMETRY=otlp, or OTEL_EXPORTER_OTLP_ENDPOINT, sends traces to a
    collector; PYKALA_TELEMETRY=none does not; PYKALA_TELEMETRY_QUESTIONS=1 puts the questions into them.
    """

    library: Path
    cache: Path
    workers: int
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # pack → key; never shown
    model: ModelSettings = ModelSettings()
    fallback: ModelSettings = ModelSettings()
    embedder: ModelSettings = ModelSettings()
    reranker: ModelSettings = ModelSettings()
    second_opinion: ModelSettings = ModelSettings()
    model_budget: int = _BUDGET
    calibration: Path | None = None
    answer_cap: float = _ANSWER_CAP
    month_cap: float = _MONTH_CAP
    api_keys: tuple[str, ...] = field(default=(), repr=False)  # never shown
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    requests_per_minute: int = _PER_MINUTE
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from the environment, with the system's usual folders as defaults."""
        found = os.environ if environment is None else environment
        return cls(
            library=Path(found["PYKALA_LIBRARY"]) if "PYKALA_LIBRARY" in found else _own_library(),
            cache=Path(found["PYKALA_CACHE"]) if "PYKALA_CACHE" in found else user_cache_path("pykala"),
            keys={
                name.removeprefix(_KEY).lower(): value
                for name, value in found.items()
                if name.startswith(_KEY) and value
            },
            workers=int(_number(found, "PYKALA_WORKERS", 0)) or os.cpu_count() or 1,
            model=ModelSettings.read(found, "PYKALA_MODEL"),
            fallback=ModelSettings.read(found, "PYKALA_FALLBACK_MODEL"),
            embedder=ModelSettings.read(found, "PYKALA_EMBEDDER"),
            reranker=ModelSettings.read(found, "PYKALA_RERANKER"),
            second_opinion=ModelSettings.read(found, "PYKALA_SECOND_OPINION"),
            model_budget=int(_number(found, "PYKALA_MODEL_BUDGET", _BUDGET)),
            calibration=Path(found["PYKALA_CALIBRATION"]) if found.get("PYKALA_CALIBRATION") else None,
            answer_cap=_number(found, "PYKALA_ANSWER_CAP", _ANSWER_CAP),
            month_cap=_number(found, "PYKALA_MONTH_CAP", _MONTH_CAP),
            api_keys=_list(found, "PYKALA_API_KEYS"),
            origins=_list(found, "PYKALA_ORIGINS"),
            hosts=_list(found, "PYKALA_HOSTS"),
            requests_per_minute=int(_number(found, "PYKALA_REQUESTS_PER_MINUTE", _PER_MINUTE)),
            telemetry=TelemetrySettings.read(found),
        )


def _number(found: Mapping[str, str], name: str, default: float) -> float:
    """A number that is not below zero; what is none counts as not set."""
    try:
        value = float(found.get(name, ""))
    except ValueError:
        return default
    return value if 0 <= value < float("inf") else default


def _list(found: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(part for one in found.get(name, "").split(",") if (part := one.strip()))


def _own_library() -> Path:
    return user_data_path("pykala") / "library"
