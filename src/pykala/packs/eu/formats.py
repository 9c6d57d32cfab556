"""Choose the reader of a file: a page with structure, a page of plain text, or Formex."""

from __future__ import annotations

from lxml import etree

from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.packs.pack import Snapshot

from .blocks import Blocks, Role
from .formex import read_formex
from .page_blocks import read_page
from .page_tree import page_body
from .plain_pages import read_plain_page

_ROOTS = frozenset({"ACT", "CONS.ACT", "AGR", "CORR", "GENERAL"})


def read_blocks(snapshot: Snapshot, form: str) -> Blocks:
    """The blocks of one file. Raises RefusedFile, and nothing else."""
    try:
        blocks = _formex(snapshot) if form == "formex" else _page(snapshot)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as fault:
        # Well-formed, but of an unknown shape: refuse it and continue with the other files.
        raise RefusedFile(
            snapshot.path, f"its structure is not understood ({type(fault).__name__}: {fault})"
        ) from fault
    if blocks.repealed_by is None and not any(
        block.text for block in blocks.blocks if block.role is not Role.TITLE
    ):
        raise RefusedFile(
            snapshot.path, "no text of an act is found in it; its text may be in neither English nor French"
        )
    return blocks


def _page(snapshot: Snapshot) -> Blocks:
    if snapshot.data[:2000].find(b"<CONS.ACT") >= 0 or snapshot.data[:2000].find(b"<ACT") >= 0:
        return _formex(snapshot)
    body = page_body(snapshot.data, snapshot.path)
    bare = next((one for one in body.iter("div") if one.get("id") == "TexteOnly"), None)
    return read_plain_page(bare) if bare is not None else read_page(body)


def _formex(snapshot: Snapshot) -> Blocks:
    root = parse_xml(snapshot.data, snapshot.path, max_depth=160)
    name = etree.QName(root).localname if isinstance(root.tag, str) else ""
    if name not in _ROOTS:
        raise RefusedFile(snapshot.path, f"its root is <{name}>; Formex of an act has <ACT> or <CONS.ACT>")
    return read_formex(root)
