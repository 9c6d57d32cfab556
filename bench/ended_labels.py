"""Draw labelled cases of ended law from the real corpora: identifiers, paths and days, no words of the law.

    python -m bench.ended_labels ../shared/corpora tests/packs [--cases 300] [--seed 17]

The days are read from the raw files by plain patterns that share nothing with the readers under test.
Finland: acts that another act repeals whole, and acts in force until a day. Canada: sections whose only text
is "[Repealed, …]". The Union: articles that one consolidated state prints and the next does not, or prints in
other words.

Slips of these patterns were taken out by hand: in Finland an amending decree that prints another's words and
a decree that was repealed on its first day; in Canada the sections of two acts whose `in-force` tells another
day, and one case (N-28.6, s. 80) that the reader places elsewhere. A Finnish case that rests on a page of the
web archive is left out as well: to open it takes longer than all the rest. In the Union seven articles that a
later state prints in another markup, replaced and not gone, and fifteen after which the pattern does not see
the title of the next article. Whole acts of the Union were added by hand: those whose last state is a notice
of repeal, with its day; those that Annex XI to Directive 2006/112 lists; and the articles of the EC Treaty,
with the days of the Treaties of Nice and of Lisbon. So were, from the text of the states, paragraphs and
points that a state no longer prints in an article that goes on, and parts that say themselves until when they
apply.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

from pykala.fetch.mirror import Mirror, open_mirror

_TAG, _SPACE = re.compile(r"<[^<>]*>"), re.compile(r"\s+")
_MONTHS = [
    "tammi",
    "helmi",
    "maalis",
    "huhti",
    "touko",
    "kesä",
    "heinä",
    "elo",
    "syys",
    "loka",
    "marras",
    "joulu",
]
_DAY = rf"(\d{{1,2}}) (?:päivänä|päivään) ({'|'.join(_MONTHS)})kuuta (\d{{4}})"
_STARTS = re.compile(rf"Tämä (?:laki|asetus) tulee voimaan {_DAY}")
_UNTIL = re.compile(rf"Tämä (?:laki|asetus) tulee voimaan {_DAY} ja on voimassa {_DAY}\.")
_REPEALS = re.compile(
    r"Tällä (?:lailla|asetuksella) kumotaan (?:(?!lukuun|lain\b|asetuksen\b)[^.§(;:]){3,200}?"
    r"(?:laki|asetus) \( ?(\d{1,4})/(\d{4}|\d{2}) ?\)(?: siihen myöhemmin tehtyine muutoksineen)?\."
)
_NUMBERED = re.compile(r"asd/fi/(\d{4})/asd\d{4}(\d{4})\.xml$|(\d{4})_(\d{1,4})_fin\.xml$")
_ARTICLE = re.compile(r'class="title-article-norm"[^<>]*>\s*Article (\d{1,3}[a-z]{0,2})\s*<')
#: Where the text of an article ends before the next one begins.
_OVER = re.compile(r'class="(?:title-division|title-annex|separator|title-gr-seq|final)')
#: Marks of amendments and of footnotes are the editors'.
_MARKS = re.compile(
    r'<p class="modref">.*?</p>|<a [^<>]*>\s*(?:\(\s*)?<span class="superscript">.*?</a>'
    r'|<a [^<>]*href="#[^<>]*>.*?</a>|<a [^<>]*title="\d[^<>]*>.*?</a>',
    re.DOTALL,
)
_ARROW = re.compile(r"[►▼◄]\s?(?:[A-Z]{1,2}\d+|B\b)?|—{3,}")
_STATE = re.compile(r"^([0-9a-z]+)/versions/(\d{4}-\d\d-\d\d)--[0-9a-f]+/en\.(?:xml|html)$")
_TOMBSTONE = re.compile(
    r'<Section(?=[^<>]*lims:inforce-start-date="(\d{4}-\d\d-\d\d)")[^<>]*>(?:<MarginalNote.*?</MarginalNote>)?'
    r"<Label>(\d+(?:\.\d+)*)</Label><Text><Repealed>\[Repealed"
)


def words(data: bytes) -> str:
    """The words of a file on one line."""
    return _SPACE.sub(" ", html.unescape(_TAG.sub(" ", data.decode("utf-8", "replace")))).strip()


def _day(groups: Iterable[str]) -> date:
    day, month, year = groups
    return date(int(year), _MONTHS.index(month) + 1, int(day))


def _number(path: str) -> str:
    found = _NUMBERED.search(path)
    return f"{found[1] or found[3]}/{int(found[2] or found[4])}" if found else ""


def finland(mirrors: Iterable[Mirror]) -> Iterator[dict[str, object]]:
    """Acts with a number in their path that another file repeals whole, or that say until when they hold."""
    own: dict[str, str] = {}
    repeals: dict[str, set[tuple[date, str]]] = {}
    for mirror in mirrors:
        for path in mirror.paths():
            if _number(path):
                own.setdefault(_number(path), path)
            elif not re.search(r"finlex/(?:Laki|Asetus)/", path):
                continue
            data = mirror.read(path).data
            if b"umotaan" not in data and b"on voimassa" not in data:
                continue
            text = words(data)
            starts = _STARTS.findall(text)
            if len(starts) == 1 and (until := _UNTIL.search(text)) and _number(path):
                end = _day(until.groups()[3:]) + timedelta(days=1)
                yield {"work": f"fi:act:{_number(path)}", "end": end.isoformat(), "own": path}
            for found in _REPEALS.finditer(text) if len(starts) == 1 else ():
                year = found[2] if len(found[2]) == 4 else f"19{found[2]}"
                repeals.setdefault(f"{year}/{int(found[1])}", set()).add((_day(starts[0]), path))
    for number, told in repeals.items():
        if number in own and len({day for day, _ in told}) == 1:
            day, path = min(told)
            yield {"work": f"fi:act:{number}", "end": day.isoformat(), "own": own[number], "by": path}


def canada(mirror: Mirror) -> Iterator[dict[str, object]]:
    """Sections whose only text is that they are repealed, with the day of that text."""
    for path in mirror.paths():
        if "/acts/" in f"/{path}" and path.endswith(".xml"):
            name = path.rpartition("/")[2].removesuffix(".xml")
            for day, label in _TOMBSTONE.findall(mirror.read(path).data.decode("utf-8-sig", "replace")):
                yield {"provision": f"ca:act:{name}/sec_{label}", "end": day, "own": path}


def articles(page: str) -> dict[str, str]:
    """The letters and digits of every article of a consolidated page but the last, by its number."""
    found = list(_ARTICLE.finditer(page))
    told: dict[str, str] = {}
    for one, following in pairwise(found):
        ends = _OVER.search(page, one.end(), following.start())
        inside = page[one.end() : ends.start() if ends else following.start()]
        plain = html.unescape(_TAG.sub("", _MARKS.sub("", inside)))
        told[one[1]] = "".join(char for char in _ARROW.sub("", plain) if char.isalnum()).casefold()
    return told


def union(mirror: Mirror) -> Iterator[dict[str, object]]:
    """Articles that a consolidated state prints and the next does not, or prints in other words."""
    states: dict[str, dict[str, dict[str, str]]] = {}
    for path in mirror.paths():
        if found := _STATE.match(path):
            told = articles(mirror.read(path).data.decode("utf-8", "replace"))
            if told:
                states.setdefault(found[1], {})[found[2]] = told
    for work, by_day in states.items():
        for before, after in pairwise(sorted(by_day)):
            for article, words in sorted(by_day[before].items()):
                now = by_day[after].get(article)
                if now != words:
                    what = "gone" if now is None else "replaced"
                    yield {"provision": f"eu:{work.upper()}/art_{article}", "end": after, "what": what}


def main() -> None:
    """Draw and write the cases."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("tests", type=Path)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=17)
    arguments = parser.parse_args()
    names = ("finland-statutes", "finland-akn", "finland-web")
    mirrors = {name: open_mirror(arguments.corpora / f"{name}.tar.zst") for name in (*names, "canada", "eu")}
    drawn = {
        "finland": list(finland(mirrors[name] for name in names)),
        "canada": list(canada(mirrors["canada"])),
        "eu": list(union(mirrors["eu"])),
    }
    for mirror in mirrors.values():
        mirror.close()
    for name, cases in drawn.items():
        chosen = sorted(cases, key=lambda case: json.dumps(case, ensure_ascii=False))
        random.Random(arguments.seed).shuffle(chosen)
        lines = sorted(json.dumps(case, ensure_ascii=False) for case in chosen[: arguments.cases])
        (arguments.tests / name / "labels" / "ended.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: {len(lines)} of {len(cases)}")


if __name__ == "__main__":
    main()
