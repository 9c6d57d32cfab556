"""Every setting by its name: what it is for, what holds where it is not set, and where it was set.

One name serves in two places: `PYKALA_MODEL_KEY` in the environment is `model_key` in the settings file. The
environment comes first. `pykala config` shows this table; `docs/settings.md` is made of it.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_config_path

from pykala.settings_values import SettingsUnreadable as SettingsUnreadable
from pykala.settings_values import meaning_of, read_bounded, text_of

PREFIX = "PYKALA_"
#: The environment names another file; a name of its own, since the file cannot say where it is.
FILE = "PYKALA_CONFIG"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `by_pack`: its name ends with a jurisdiction's code. `secret`: never shown."""

    name: str
    group: str
    means: str
    default: str = ""
    secret: bool = False
    by_pack: bool = False

    @property
    def key(self) -> str:
        """Its name in the settings file."""
        return self.name.removeprefix(PREFIX).lower()

    def covers(self, name: str) -> bool:
        """Whether a variable is this setting."""
        return name.startswith(self.name) and name != self.name if self.by_pack else name == self.name


def _model(name: str, means: str, *, price: bool = True) -> tuple[Setting, ...]:
    """A model's name, key, address and price."""
    called = name.removeprefix(PREFIX).lower().replace("_", " ")
    parts = (
        Setting(name, "models", means),
        Setting(f"{name}_KEY", "models", f"The key of the {called}.", secret=True),
        Setting(f"{name}_ADDRESS", "models", f"Where the {called} answers, if not in its usual place."),
        Setting(
            f"{name}_PRICE",
            "models",
            f"What a million tokens cost that the {called} reads and writes, in US dollars: 0.50/1.50.",
        ),
    )
    return parts if price else parts[:3]


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "PYKALA_LIBRARY",
        "places",
        "The folder of your own library, or the address of a database: postgresql://law@db/law.",
        "the system's data folder",
    ),
    Setting(
        "PYKALA_CACHE",
        "places",
        "Where the sample library, fetched files, caches and unpacked archives go.",
        "the system's cache folder",
    ),
    Setting(
        "PYKALA_REDIS",
        "places",
        "A Redis or Valkey that several servers share for caches and limits: redis://cache:6379/0.",
        "each machine has its own",
        secret=True,
    ),
    Setting("PYKALA_WORKERS", "places", "Cores that an ingest uses.", "all"),
    Setting(
        "PYKALA_HOME_PLACE",
        "answers",
        "Whose law counts where a question gives no sign of a place: fi, ca, eu, nyc.",
        "none: the best of each place",
    ),
    Setting("PYKALA_CALIBRATION", "answers", "A file of 'pykala calibrate' to grade with.", "bundled"),
    Setting(
        "PYKALA_KEY_", "publishers", "Your key for a publisher that wants one: PYKALA_KEY_NYC.", secret=True,
        by_pack=True,
    ),
    Setting(
        "PYKALA_SOURCE_",
        "publishers",
        "An address in place of the publisher's, such as a mirror: PYKALA_SOURCE_CA.",
        by_pack=True,
    ),
    *_model("PYKALA_MODEL", "The model that drafts answers; without one, answers are the law's own words."),
    *_model("PYKALA_FALLBACK_MODEL", "The model that drafts where the first one fails."),
    Setting("PYKALA_MODEL_BUDGET", "models", "Tokens of evidence that a model is given.", "25000"),
    *_model("PYKALA_GRADER", "A model that confirms or refuses candidates; never makes an answer."),
    *_model("PYKALA_GUIDANCE_MODEL", "A cheap model for general guidance where nothing is certain: not law."),
    *_model("PYKALA_EMBEDDER", "The embedder in place of the bundled one; none: search by words alone."),
    *_model("PYKALA_RERANKER", "The reranker in place of the bundled one."),
    *_model("PYKALA_SECOND_OPINION", "A service that searches the web, for who asks for a second opinion."),
    Setting("PYKALA_ANSWER_CAP", "models", "What one answer may cost, in US dollars.", "0.25"),
    Setting("PYKALA_MONTH_CAP", "models", "What a month may cost, in US dollars.", "10"),
    Setting(
        "PYKALA_API_KEYS",
        "server",
        "Keys that may read, with commas between them; one may have a name for logs: accounts=KEY.",
        "none is needed",
        secret=True,
    ),
    Setting("PYKALA_UPLOAD_KEYS", "server", "Keys that may also add documents.", "none", secret=True),
    Setting("PYKALA_DELETE_KEYS", "server", "Keys that may also delete.", "none", secret=True),
    Setting(
        "PYKALA_FETCH_KEYS", "server", "Keys that may also have the server ask other services.", "none",
        secret=True,
    ),
    Setting(
        "PYKALA_INGEST_KEYS", "server", "Keys that may also fetch acts into the library.", "none", secret=True
    ),
    Setting(
        "PYKALA_ADMINISTER_KEYS", "server", "Keys that may also look after the server: empty caches.", "none",
        secret=True,
    ),
    Setting("PYKALA_METRICS", "server", "1: serve /metrics for Prometheus.", "0: there is none"),
    Setting(
        "PYKALA_METRICS_KEYS", "server", "Keys that may read /metrics; they guard nothing else.", "none",
        secret=True,
    ),
    Setting(
        "PYKALA_ACCESS_LOG",
        "server",
        "Where a line of JSON for each request goes: stdout, stderr (also: 1, true), a file.",
        "0: nowhere",
    ),
    Setting(
        "PYKALA_ACCESS_LOG_QUESTIONS", "server", "1: what was asked is in those lines, too.", "0: it is not"
    ),
    Setting(
        "PYKALA_AUDIT",
        "server",
        "1: who asked, uploaded, deleted and exported is in the database's log; questions: what, too.",
        "0: only what is done in a matter",
    ),
    Setting(
        "PYKALA_OIDC_ISSUER",
        "server",
        "An OpenID Connect issuer whose tokens are taken beside keys: https://login.example.",
        "none",
    ),
    Setting("PYKALA_OIDC_AUDIENCE", "server", "For whom those tokens must be meant.", "none"),
    Setting("PYKALA_OIDC_RIGHTS", "server", "What every holder of such a token may do.", "read"),
    Setting("PYKALA_ORIGINS", "server", "Addresses of pages that may call the server.", "its own page"),
    Setting("PYKALA_HOSTS", "server", "Names under which the server is reached.", "this machine's own"),
    Setting("PYKALA_PROXIES", "server", "Addresses of proxies that say truly for whom they ask.", "none"),
    Setting("PYKALA_REQUESTS_PER_MINUTE", "server", "Requests that a server takes from each client.", "600"),
    Setting(
        "PYKALA_PROCESSES",
        "server",
        "Processes that a server has.",
        "one a core, at most 8; one for a small library",
    ),
    Setting(
        "PYKALA_DRAIN_SECONDS", "server", "How long a server that is told to end finishes its requests.", "45"
    ),
    Setting(
        "PYKALA_TELEMETRY",
        "telemetry",
        "otlp: send traces and metrics to OpenTelemetry's collector; none: never.",
        "as OTEL_EXPORTER_OTLP_ENDPOINT says",
    ),
    Setting(
        "PYKALA_TELEMETRY_QUESTIONS", "telemetry", "1: what was asked goes into the traces.", "0: it does not"
    ),
)  # fmt: skip


def setting_of(name: str) -> Setting | None:
    """The setting that a variable is; None for one that is none."""
    return next((one for one in SETTINGS if one.covers(name)), None)


def settings_file(environment: Mapping[str, str]) -> Path:
    """Where the settings file is, or would be."""
    named = environment.get(FILE, "")
    return Path(named) if named else user_config_path("pykala") / "pykala.toml"


def read_file(path: Path, *, required: bool = False) -> dict[str, str]:
    """What a settings file sets, under the names of the environment; nothing where there is no file."""
    try:
        table = tomllib.loads(read_bounded(path))
    except FileNotFoundError:
        if required:
            raise SettingsUnreadable(f"{path}: there is no such file; make it, or unset {FILE}") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise SettingsUnreadable(f"{path}: it is no settings file that can be read ({fault})") from fault
    return dict(_setting(path, key, value) for key, value in table.items())


def _setting(path: Path, key: str, value: object) -> tuple[str, str]:
    name = f"{PREFIX}{key.upper()}"
    if setting_of(name) is None:
        near = difflib.get_close_matches(key, [one.key for one in SETTINGS], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        # Not the bare 'pykala config', which reads this very file and would only say the same again.
        raise SettingsUnreadable(
            f"{path}: {key!r} is no setting{hint}; 'pykala config --markdown' lists them"
        )
    text = text_of(name, value)
    if text is None:
        raise SettingsUnreadable(f"{path}: {key!r} may be {meaning_of(name)}")
    return name, text
