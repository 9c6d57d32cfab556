"""The verbs in groups, as help shows them, and one-letter slips in their names."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from pykala.interfaces.cli.session import warn
from pykala.text.slips import one_slip_apart

#: What help shows, in this order; a verb that stands in no group comes last.
GROUPS: dict[str, tuple[str, ...]] = {
    "Get the law": ("get", "ingest", "fetch", "inbox"),
    "Ask": ("ask", "chat", "search", "context", "replay"),
    "Read": ("works", "show", "tree", "history", "diff", "changes", "related", "cite", "export"),
    "Serve": ("serve", "mcp"),
    "Look after the library": (
        "stats", "packs", "config", "cache", "delete", "reindex", "backup", "restore", "verify", "audit",
    ),
    "Measure": ("evaluate", "calibrate", "bench"),
}  # fmt: skip
OTHERS = "More"
#: Verbs that remove or replace something run only under their own name.
CAREFUL = frozenset({"delete", "reindex", "restore"})
_WHOLE = 1_000  # characters: no sentence is cut


class VerbGroup(TyperGroup):
    """The program: verbs in groups, each with its whole sentence, and slips of one letter forgiven."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs in the order of their groups."""
        order = [name for names in GROUPS.values() for name in names]
        return sorted(
            self.commands, key=lambda name: (order.index(name) if name in order else len(order), name)
        )

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The verbs for help."""
        left = dict.fromkeys(self.list_commands(ctx))
        grouped = {group: [name for name in names if name in left] for group, names in GROUPS.items()}
        grouped[OTHERS] = [name for name in left if not any(name in names for names in GROUPS.values())]
        for group, names in grouped.items():
            if names:
                rows = [(name, self.commands[name].get_short_help_str(_WHOLE)) for name in names]
                with formatter.section(group):
                    formatter.write_dl(rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """A verb by its name, or by a name that one slip made of it."""
        meant = self._meant(args[0]) if args else ""
        if meant:
            warn(f"read {args[0]!r} as {meant!r}")
            args = [meant, *args[1:]]
        return super().resolve_command(ctx, args)

    def _meant(self, name: str) -> str:
        if name in self.commands or name.startswith("-"):
            return ""
        near = [verb for verb in self.commands if one_slip_apart(name, verb)]
        return near[0] if len(near) == 1 and near[0] not in CAREFUL else ""
