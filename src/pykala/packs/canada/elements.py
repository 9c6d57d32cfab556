"""The interface of the file reader, as used by the readers of headings and schedules."""

from __future__ import annotations

from typing import Protocol

from lxml import etree

from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.inline import Words
from pykala.packs.canada.standing import Standing


class ElementReader(Protocol):
    """Reads elements into drafts; `TreeReader` is one."""

    schedules: int  # how many schedules are open around the element at hand

    def read_children(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Read what lies below an element into a draft."""

    def read_element(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Read one element into a draft."""

    def read_parts(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Read the parts of an element, and its own words between them, into a draft."""

    def settle(self, words: Words, draft: Draft, standing: Standing) -> None:
        """Set the dates that a draft's words state."""

    def historical_note(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Note which acts made and changed a draft."""
