"""Join the page's modules into one script, and its style sheets into one, so that a page is few requests.

The files keep to a form that a few patterns can read: imports by name, each a statement of its own, exports
where they are declared, no circle. What has another form is refused, never guessed.

    import { say } from "./texts.js";       const { say } = module_texts;
    export function money(cost) { … }       function money(cost) { … }

Each module becomes a function that returns what the module exports. The script exports every module under its
name, so that `import("/static/page.js")` gives the very functions that the page runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function\*?|function\*?|const|class) (\w+))", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*|^(?:const .*= )?await\b.*", re.MULTILINE)
_STYLE_SHEET = re.compile(r'^@import "([\w-]+\.css)"(?: (\w+))?;$', re.MULTILINE)


def script(modules: Path) -> str:
    """`main.js` and all modules that it needs, as one module; ValueError where one has another form."""
    sources = {path.stem: path.read_text("utf-8") for path in modules.glob("*.js")}
    ordered: list[str] = []
    _put_in_order("main", (), sources, ordered)
    exported = ", ".join(f"module_{name} as {name}" for name in ordered)
    return "".join(_joined(name, sources[name]) for name in ordered) + f"export {{ {exported} }};\n"


def _put_in_order(
    name: str, needed_by: tuple[str, ...], sources: Mapping[str, str], ordered: list[str]
) -> None:
    """Append what a module needs, each once, and then the module."""
    if name in ordered:
        return
    way = (*needed_by, name)
    if name in needed_by:
        raise ValueError(f"modules need each other: {' → '.join(way)}")
    if name not in sources:
        raise ValueError(f"a module is not there: {' → '.join(way)}")
    for match in _IMPORT.finditer(sources[name]):
        _put_in_order(match[2], way, sources, ordered)
    ordered.append(name)


def _joined(name: str, source: str) -> str:
    exported = ", ".join(match[1] for match in _EXPORT.finditer(source))
    inside = _IMPORT.sub(_taken, _EXPORT.sub("", source))
    if other := _OTHER_FORM.search(inside):
        raise ValueError(f"{name}.js has a line that cannot be joined: {other[0]}")
    return f"const module_{name} = (() => {{ // {name}.js\n{inside}return {{ {exported} }};\n}})();\n"


def _taken(statement: re.Match[str]) -> str:
    """An import as a constant, on as many lines; `a as b` is written `a: b`."""
    return f"const {{{statement[1].replace(' as ', ': ')}}} = module_{statement[2]};"


def style(styles: Path) -> str:
    """The style sheets that `page.css` imports, in its order; one for a medium stays for that medium."""
    return "".join(_imported(styles, (styles / "page.css").read_text("utf-8")))


def _imported(styles: Path, page: str) -> Iterator[str]:
    for name, medium in _STYLE_SHEET.findall(page):
        text = (styles / name).read_text("utf-8")
        yield f"@media {medium} {{\n{text}}}\n" if medium else text
