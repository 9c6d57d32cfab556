"""Inert values, read once by the interfaces; nothing else in the package looks at the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from platformdirs import user_cache_path, user_data_path

from pykala.settings_table import FILE, read_file, settings_file
from pykala.settings_values import OFF, ON, require_valid

_KEY, _SOURCE = "PYKALA_KEY_", "PYKALA_SOURCE_"
_ANSWER_CAP, _MONTH_CAP = 0.25, 10.0  # US dollars
_PER_MINUTE = 600
_DRAIN = 45  # seconds: of the 60 that a pod has to end, 5 pass before the server is told
_BUDGET = 25_000  # tokens of evidence
_KINDS = ("TRACES", "METRICS")
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
    """Where traces and metrics go as OpenTelemetry, and what is in them; no address: nowhere."""

    address: str = ""  # of the collector's traces, whole
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold a key; never shown
    service: str = "pykala"
    questions: bool = False  # whether what was asked may leave this machine, too
    required: bool = False  # asked for by name, and not only by a variable that other programs read as well
    metrics_address: str = ""  # of the collector's metrics, whole
    metrics_headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, found: Mapping[str, str]) -> TelemetrySettings:
        """Read them from OpenTelemetry's own variables, and ours."""
        wanted = found.get("PYKALA_TELEMETRY", "").strip().lower()
        named = found.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")
        traces, metrics = (found.get(f"OTEL_EXPORTER_OTLP_{kind}_ENDPOINT", "") for kind in _KINDS)
        if not (wanted == "otlp" or (not wanted and (named or traces or metrics))):
            return cls()
        if wanted == "otlp":
            named = named or _COLLECTOR
        both = f"{named.rstrip('/')}/v1/" if named else ""
        off = found.get("OTEL_METRICS_EXPORTER", "").strip().lower() == "none"
        return cls(
            address=traces or (both and f"{both}traces"),
            headers=_headers(found, "TRACES"),
            metrics_address="" if off else metrics or (both and f"{both}metrics"),
            metrics_headers=_headers(found, "METRICS"),
            service=found.get("OTEL_SERVICE_NAME") or "pykala",
            questions=_is_on(found, "PYKALA_TELEMETRY_QUESTIONS"),
            required=wanted == "otlp",
        )

    @property
    def is_set(self) -> bool:
        """Whether anything goes anywhere."""
        return bool(self.address or self.metrics_address)


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are kept, which models help, what they may cost, and who may use a server.

    `settings_table` says of each by which name it is set, and what holds where it is not.
    """

    library: Path
    cache: Path
    workers: int
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # pack → key; never shown
    sources: Mapping[str, str] = field(default_factory=dict)  # pack → address in place of the publisher's
    model: ModelSettings = ModelSettings()
    fallback: ModelSettings = ModelSettings()
    grader: ModelSettings = ModelSettings()
    guidance: ModelSettings = ModelSettings()
    embedder: ModelSettings = ModelSettings()
    reranker: ModelSettings = ModelSettings()
    second_opinion: ModelSettings = ModelSettings()
    model_budget: int = _BUDGET
    calibration: Path | None = None
    home: str = ""
    answer_cap: float = _ANSWER_CAP
    month_cap: float = _MONTH_CAP
    api_keys: tuple[str, ...] = field(default=(), repr=False)  # that may read; never shown
    upload_keys: tuple[str, ...] = field(default=(), repr=False)
    delete_keys: tuple[str, ...] = field(default=(), repr=False)
    fetch_keys: tuple[str, ...] = field(default=(), repr=False)
    ingest_keys: tuple[str, ...] = field(default=(), repr=False)
    administer_keys: tuple[str, ...] = field(default=(), repr=False)
    metrics_keys: tuple[str, ...] = field(default=(), repr=False)
    metrics: bool = False
    access_log: str = ""
    access_log_questions: bool = False
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    requests_per_minute: int = _PER_MINUTE
    processes: int = 0  # that serve; 0: as many as suit the library
    drain_seconds: int = _DRAIN
    audit: str = ""
    oidc_issuer: str = ""
    oidc_audience: str = ""
    oidc_rights: tuple[str, ...] = ("read",)
    redis: str = field(default="", repr=False)  # the address may hold a password; never shown
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from the environment, then from the settings file, then from the defaults.

        An environment that is given stands alone. Raises SettingsUnreadable for a mistake.
        """
        found = set_values() if environment is None else environment
        require_valid(found)
        return cls(
            library=Path(found["PYKALA_LIBRARY"]) if "PYKALA_LIBRARY" in found else _own_library(),
            cache=Path(found["PYKALA_CACHE"]) if "PYKALA_CACHE" in found else user_cache_path("pykala"),
            keys=_by_pack(found, _KEY),
            sources=_by_pack(found, _SOURCE),
            workers=int(_number(found, "PYKALA_WORKERS", 0)) or os.cpu_count() or 1,
            model=ModelSettings.read(found, "PYKALA_MODEL"),
            fallback=ModelSettings.read(found, "PYKALA_FALLBACK_MODEL"),
            grader=ModelSettings.read(found, "PYKALA_GRADER"),
            guidance=ModelSettings.read(found, "PYKALA_GUIDANCE_MODEL"),
            embedder=ModelSettings.read(found, "PYKALA_EMBEDDER"),
            reranker=ModelSettings.read(found, "PYKALA_RERANKER"),
            second_opinion=ModelSettings.read(found, "PYKALA_SECOND_OPINION"),
            model_budget=int(_number(found, "PYKALA_MODEL_BUDGET", _BUDGET)),
            calibration=Path(found["PYKALA_CALIBRATION"]) if found.get("PYKALA_CALIBRATION") else None,
            home=found.get("PYKALA_HOME_PLACE", "").strip().lower(),
            answer_cap=_number(found, "PYKALA_ANSWER_CAP", _ANSWER_CAP),
            month_cap=_number(found, "PYKALA_MONTH_CAP", _MONTH_CAP),
            api_keys=_list(found, "PYKALA_API_KEYS"),
            upload_keys=_list(found, "PYKALA_UPLOAD_KEYS"),
            delete_keys=_list(found, "PYKALA_DELETE_KEYS"),
            fetch_keys=_list(found, "PYKALA_FETCH_KEYS"),
            ingest_keys=_list(found, "PYKALA_INGEST_KEYS"),
            administer_keys=_list(found, "PYKALA_ADMINISTER_KEYS"),
            metrics_keys=_list(found, "PYKALA_METRICS_KEYS"),
            metrics=_is_on(found, "PYKALA_METRICS"),
            access_log=_log_place(found.get("PYKALA_ACCESS_LOG", "")),
            access_log_questions=_is_on(found, "PYKALA_ACCESS_LOG_QUESTIONS"),
            origins=_list(found, "PYKALA_ORIGINS"),
            hosts=_list(found, "PYKALA_HOSTS"),
            proxies=_list(found, "PYKALA_PROXIES"),
            requests_per_minute=int(_number(found, "PYKALA_REQUESTS_PER_MINUTE", _PER_MINUTE)),
            processes=int(_number(found, "PYKALA_PROCESSES", 0)),
            drain_seconds=int(_number(found, "PYKALA_DRAIN_SECONDS", _DRAIN)),
            oidc_issuer=found.get("PYKALA_OIDC_ISSUER", "").strip(),
            oidc_audience=found.get("PYKALA_OIDC_AUDIENCE", "").strip(),
            oidc_rights=_list(found, "PYKALA_OIDC_RIGHTS") or ("read",),
            audit=found.get("PYKALA_AUDIT", "").strip().removesuffix("0"),
            redis=found.get("PYKALA_REDIS", "").strip(),
            telemetry=TelemetrySettings.read(found),
        )


def _headers(found: Mapping[str, str], kind: str) -> dict[str, str]:
    """Headers for the collector of traces or metrics; else those for both."""
    given = found.get(f"OTEL_EXPORTER_OTLP_{kind}_HEADERS") or found.get("OTEL_EXPORTER_OTLP_HEADERS", "")
    pairs = (one.partition("=") for one in given.split(",") if "=" in one)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


def system_language() -> str:
    """The language that the system speaks to its user, as two letters; "" where it says none."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return named[:2].lower() if named[:2].isalpha() and named not in ("C", "POSIX") else ""


def set_values() -> Mapping[str, str]:
    """The environment of this process, and beneath it what the settings file sets."""
    return {**read_file(settings_path(), required=FILE in os.environ), **os.environ}


def settings_path() -> Path:
    """Where this process looks for the settings file."""
    return settings_file(os.environ)


def is_in_environment(name: str) -> bool:
    """Whether the environment sets a variable, so that the file does not count for it."""
    return name in os.environ


def hand_on_password(password: str) -> None:
    """Let processes that this one starts have the password of the database, where no list shows it."""
    os.environ["PGPASSWORD"] = password


def _by_pack(found: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Values of variables that end with a pack's code: PYKALA_KEY_NYC."""
    return {
        name.removeprefix(prefix).lower(): value
        for name, value in found.items()
        if name.startswith(prefix) and value
    }


def _number(found: Mapping[str, str], name: str, default: float) -> float:
    text = found.get(name, "").strip()
    return float(text) if text else default


def _is_on(found: Mapping[str, str], name: str) -> bool:
    return found.get(name, "").strip().lower() in ON


def _log_place(text: str) -> str:
    """Where a log goes: a stream or a file. "1" switches it on, as with other settings, and "0" off."""
    place = text.strip()
    if place.lower() in ON:
        return "stderr"
    return "" if place.lower() in OFF else place


def _list(found: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(part for one in found.get(name, "").split(",") if (part := one.strip()))


def _own_library() -> Path:
    return user_data_path("pykala") / "library"
