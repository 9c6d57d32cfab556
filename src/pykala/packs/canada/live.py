"""Justice Laws online: the index `Legis.xml`, then the XML files that it lists.

An index that cannot be fetched, or that lists nothing, is an error: an outage never looks like "there is no
law".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from lxml import etree

from pykala.fetch.http import FetchFailed, PoliteClient
from pykala.fetch.live import ListedFile, LiveMirror, Progress, fetch_listed
from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.fetch.refusals import MirrorDamaged, SourceUnreachable
from pykala.fetch.snapshots import Snapshots
from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.packs.canada.naming import item_name

INDEX = "https://laws-lois.justice.gc.ca/eng/XML/Legis.xml"
NAME = "Justice Laws"
#: (kind of the entry, its language) → the folder that the archive keeps such files in.
_FOLDERS = {
    ("Act", "eng"): "eng/acts",
    ("Act", "fra"): "fra/lois",
    ("Regulation", "eng"): "eng/regulations",
    ("Regulation", "fra"): "fra/reglements",
}
_ROOTS = frozenset({"Statute", "Regulation"})
#: Bytes of a file on average: 11,670 files of July 2026 hold 611.6 MB.
MEAN_SIZE = 52_400


def live_mirror(
    client: PoliteClient,
    snapshots: Snapshots,
    *,
    index: str = INDEX,
    order: FetchOrder = EVERYTHING,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Bring snapshots up to date and return them under the archive's own paths.

    Raises SourceUnreachable where the index cannot be fetched; MirrorDamaged where it is no index, or where
    no title contains a word of the order.
    """
    if order.address:  # a test server serves the index at the publisher's path
        index = order.address.rstrip("/") + urlsplit(INDEX).path
    data = index_data(client, index)
    files = listed_files(data, index)
    if order.words:
        files = _of_works(files, entries_of(data, index), index, order)
    if order.address:
        files = [replace(file, url=_moved(file.url, index)) for file in files]
    return fetch_listed(
        NAME, files, client, snapshots, check=damage_of, order=order, mean_size=MEAN_SIZE, progress=progress
    )


def _of_works(
    files: Iterable[ListedFile], entries: Iterable[etree._Element], index: str, order: FetchOrder
) -> list[ListedFile]:
    """The files, in both languages, of works with a word of the order in either title."""
    titled = ((listed_entry(entry, index), entry.findtext("Title") or "") for entry in entries)
    works = {file.work for file, title in titled if file is not None and order.wants(title)}
    if not works:
        raise MirrorDamaged(NAME, f"no title holds any of {', '.join(order.words)}; nothing was fetched")
    return [file for file in files if file.work in works]


def _moved(url: str, index: str) -> str:
    """The address of a file at the host of the index."""
    return urlunsplit((*urlsplit(index)[:2], *urlsplit(url)[2:]))


def index_data(client: PoliteClient, index: str) -> bytes:
    """The present index; SourceUnreachable where it cannot be fetched."""
    try:
        return client.get(index).data
    except FetchFailed as fault:
        raise SourceUnreachable(NAME, f"the index cannot be had ({fault}); nothing was changed") from fault


def listed_files(data: bytes, index: str) -> list[ListedFile]:
    """The files that an index lists. Raises MirrorDamaged for what is no index or lists nothing."""
    entries = entries_of(data, index)
    files = [file for file in (listed_entry(entry, index) for entry in entries) if file is not None]
    if not files:
        raise MirrorDamaged(NAME, "its index lists no file that can be read; try again later")
    return files


def entries_of(data: bytes, index: str) -> list[etree._Element]:
    """The acts and regulations of an index, one entry a language. Raises MirrorDamaged for no index."""
    try:
        root = parse_xml(data, index)
    except RefusedFile as fault:
        raise MirrorDamaged(NAME, f"its index cannot be read ({fault.reason}); try again later") from fault
    if root.tag != "ActsRegsList":
        raise MirrorDamaged(NAME, f"its index is a {root.tag!r}, not an ActsRegsList; try again later")
    return [*root.iterfind("Acts/Act"), *root.iterfind("Regulations/Regulation")]


def listed_entry(entry: etree._Element, index: str) -> ListedFile | None:
    """The file that an entry lists; None for an entry without one."""
    folder = _FOLDERS.get((str(entry.tag), (entry.findtext("Language") or "").strip()))
    link = (entry.findtext("LinkToXML") or "").strip()
    if folder is None or not link:
        return None
    try:
        url = _address(link, index)
    except ValueError:
        return None
    path = f"{folder}/{unquote(url.rpartition('/')[2])}"
    work = item_name(path)
    return ListedFile(path, url, work) if work is not None else None


def _address(link: str, index: str) -> str:
    """The address of a link; the index still writes http, where the host itself answers by https."""
    parts = urlsplit(urljoin(index, link))
    return urlunsplit((urlsplit(index).scheme, parts.netloc, parts.path, parts.query, ""))


def damage_of(path: str, data: bytes) -> str:
    """What is wrong with a body: a truncated file, a "try later" page, an undeclared encoding."""
    try:
        root = parse_xml(data, path)
    except RefusedFile as fault:
        return f"what came is damaged: {fault.reason}"
    if root.tag not in _ROOTS:
        return f"what came is a {root.tag!r}, not an act or a regulation"
    return ""
