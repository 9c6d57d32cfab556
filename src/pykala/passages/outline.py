"""Map the lines of a composed text to provisions, and runs of lines to the provision that holds them.

Identifiers are not enough: they may skip levels ("sec_2/def_income" below a subsection), and the common part
of two identifiers is not always a provision. So the tree itself is used.
"""

from __future__ import annotations

from functools import cached_property

from pykala.law.composition import Composed
from pykala.law.provisions import APPARATUS, Provision, ProvisionKind

#: Kinds that a search can filter by, so that they get passages of their own within a section.
_SET_APART = APPARATUS | {
    ProvisionKind.DEFINITION,
    ProvisionKind.FOOTNOTE,
    ProvisionKind.TABLE,
    ProvisionKind.FORMULA,
    ProvisionKind.TREATY,  # a convention set out in the schedule of an act
}


class Outline:
    """A tree with one version per node, aligned with the lines that `compose` made of it."""

    def __init__(self, root: Provision, composed: Composed) -> None:
        self._nodes: list[Provision] = []
        self._above: list[int] = []
        self._of_line: list[int] = []
        lines = iter(composed.lines)
        line = next(lines, None)
        stack = [(root, -1)]
        while stack:
            provision, above = stack.pop()
            number = len(self._nodes)
            self._nodes.append(provision)
            self._above.append(above)
            # Compare objects, not identifiers: two provisions of a faulty source may share an identifier.
            if line is not None and line.provision is provision.id:
                self._of_line.append(number)
                line = next(lines, None)
            stack.extend((child, number) for child in reversed(provision.children))

    def holder(self, first_line: int, last_line: int) -> Provision:
        """The innermost provision that holds all of a run of lines."""
        first, last = self._of_line[first_line], self._of_line[last_line]
        # Numbers grow down and along the tree, so a provision cannot contain one with a smaller number.
        while first != last:
            if first > last:
                first = self._above[first]
            else:
                last = self._above[last]
        return self._nodes[first]

    def words(self, line: int) -> str:
        """The provision's own words on a line, without the label and heading before them."""
        provision = self._nodes[self._of_line[line]]
        return provision.versions[-1].text if provision.versions else ""

    def kind(self, first_line: int, last_line: int) -> ProvisionKind:
        """The kind by which a run of lines is found: its own kind if it is set apart, else the section's.

        So a search for sections of acts, or for schedules, finds every part of them.
        """
        apart = {self._apart[self._of_line[line]] for line in (first_line, last_line)}
        return self._nodes[apart.pop()].kind if len(apart) == 1 and -1 not in apart else self._nodes[0].kind

    def fences(self) -> set[int]:
        """The lines at which a provision that is set apart starts or has ended."""
        within = [self._apart[number] for number in self._of_line]
        return {line for line in range(1, len(within)) if within[line] != within[line - 1]}

    @cached_property
    def _apart(self) -> list[int]:
        """For each node, the number of the topmost set-apart provision around it; -1 where there is none."""
        apart: list[int] = []
        for number, provision in enumerate(self._nodes):
            inherited = apart[self._above[number]] if number else -1
            starts = number > 0 and provision.kind in _SET_APART
            apart.append(number if starts and inherited < 0 else inherited)
        return apart
