"""`pykala config`: every setting, its meaning, its value and its origin."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pykala.interfaces.cli.arguments import as_one
from pykala.interfaces.cli.session import AsJson, write
from pykala.settings import Settings, is_in_environment, set_values, settings_path
from pykala.settings_table import FILE, SETTINGS, Setting
from pykala.stores.postgres.address import redacted, shown


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("config")(config_command)


def config_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help="Only settings that speak of these."),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write the page of the documentation.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show and explain every setting, its value and where it was set."""
    if markdown:
        typer.echo(settings_page(), nl=False)
        return
    found = [one for one in _rows() if _fits(one, words or [])]
    write(as_json, lambda: found, lambda console: _draw(console, found, words or []))


def _rows() -> list[dict[str, str]]:
    values, in_effect = set_values(), _in_effect(Settings.read())
    rows = []
    for setting in SETTINGS:
        named = f"{setting.name}CODE" if setting.by_pack else setting.name
        names = sorted(name for name in values if setting.covers(name)) or [named]
        for name in names:
            value = values.get(name, "")
            shown = "(set, not shown)" if setting.secret and value else redacted(value)
            rows.append(
                {
                    "name": name,
                    "key": _key(setting, name),
                    "group": setting.group,
                    "value": shown or in_effect.get(name, ""),
                    "set_in": _set_in(name, value),
                    "default": setting.default,
                    "means": setting.means,
                }
            )
    return rows


def _key(setting: Setting, name: str) -> str:
    return name.removeprefix("PYKALA_").lower() if setting.by_pack else setting.key


def _set_in(name: str, value: str) -> str:
    if not value:
        return "default"
    return "environment" if is_in_environment(name) else str(settings_path())


def _in_effect(settings: Settings) -> dict[str, str]:
    """Values in effect that nobody set."""
    return {
        "PYKALA_LIBRARY": shown(settings.library),
        "PYKALA_CACHE": str(settings.cache),
        "PYKALA_WORKERS": str(settings.workers),
    }


def _fits(row: dict[str, str], words: list[str]) -> bool:
    text = f"{row['name']} {row['means']} {row['group']}".casefold()
    return all(word.casefold() in text for word in words)


def _draw(console: Console, rows: list[dict[str, str]], words: list[str]) -> None:
    if not rows:
        console.print(Text(f"No setting speaks of {as_one(words)!r}; 'pykala config' lists all of them."))
        return
    path = settings_path()
    there = "is read" if path.exists() else "is not there"
    console.print(Text(f"The settings file {path} {there}; {FILE} names another.", style="dim"))
    group = ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            console.print()
            console.print(Text(group.capitalize(), style="bold"))
        value = row["value"] or row["default"] or "not set"
        title = Text.assemble((row["name"], "cyan"), f" = {value}", (f"  ({row['set_in']})", "dim"))
        console.print(title)
        console.print(Padding(Text(row["means"], style="dim"), (0, 0, 0, 4)))


_HEADINGS = ("| environment | file | meaning | default |", "|---|---|---|---|")
_BEGINNING = (
    "# Settings",
    "",
    "<!-- made by 'pykala config --markdown'; do not edit -->",
    "",
    "Each setting has one name in two places: `PYKALA_MODEL_KEY` in the environment is `model_key` in the",
    "settings file. The environment comes first. The file is `pykala.toml` in the system's folder for",
    "settings (`pykala config` says where), or the one that `PYKALA_CONFIG` names:",
    "",
    "```toml",
    'library = "/srv/law"',
    'home_place = "fi"',
    'api_keys = ["one", "another"]',
    "```",
    "",
    "A name in the file that is no setting is an error. Lists in the environment have commas between",
    "their parts.",
)


def settings_page() -> str:
    """The settings page of the documentation, from the table of settings."""
    lines = [*_BEGINNING]
    for group in dict.fromkeys(setting.group for setting in SETTINGS):
        lines += [
            "",
            f"## {group.capitalize()}",
            "",
            "| environment | file | meaning | default |",
            "|---|---|---|---|",
        ]
        for one in SETTINGS:
            if one.group == group:
                pack = "CODE" if one.by_pack else ""
                secret = " Never shown." if one.secret else ""
                key = f"{one.key}{pack.lower()}"
                lines.append(f"| `{one.name}{pack}` | `{key}` | {one.means}{secret} | {one.default or '—'} |")
    lines += [
        "",
        "OpenTelemetry's own variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`,",
        "`OTEL_SERVICE_NAME`) are read from the environment ([telemetry](telemetry.md)).",
        "",
    ]
    return "\n".join(lines)
