"""Read one text from left to right: laws, places and rulings become citations, each with its antecedents.

"arvonlisäverolain 1 § 1 momentti, 18 § 2 momentti ja 3 momentti": a citation passes its act and its section
on to the next one of its list. In a statute "5 §" is the statute's own; on a page it belongs to the law named
last.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pykala.law.identifiers import ProvisionId, Step
from pykala.packs.finland.citations.asked_citations import colon_places, names_when_asked, places_when_asked
from pykala.packs.finland.citations.citation_patterns import LEVELS, Place, places
from pykala.packs.finland.citations.citation_phrases import (
    AS_IT_READS,
    CALLED,
    FOREIGN,
    IN_BRACKETS,
    LIST,
    NAME_BEFORE,
    NAME_BEHIND,
    NEXT_CALLED,
    POINTER,
    THAT_CHAPTER,
    THAT_CHAPTER_BEHIND,
    TREATY_BEHIND,
    UNION_WORD,
)
from pykala.packs.finland.citations.law_names import base_name, spelled_out
from pykala.packs.finland.citations.laws_named import Named, Sort, laws
from pykala.packs.finland.citations.rulings_cited import Marked, rulings
from pykala.packs.finland.citations.trails import STATUTES, Trail
from pykala.packs.finland.citations.union_law import articles, in_union_terms, union_acts

NOT_UNDERSTOOD = "?"  # a work that the text means but does not name
TREATY = "treaty:"  # a treaty, which texts do not cite by number
OWN = ""  # the act at hand

Token = Named | Place | Marked


@dataclass(slots=True)
class Cited:
    """One citation, as far as the text and what came before it show."""

    start: int
    end: int
    work: str  # an identifier, a folded name, OWN or NOT_UNDERSTOOD
    steps: tuple[Step, ...]
    relative: bool = False
    explicit: bool = True  # names its work itself


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a text is: in a statute, in its enacting clause, on a page, or nowhere (a question)."""

    statute: bool = False
    enacting: bool = False
    treaty: bool = False
    provision: ProvisionId | None = None

    @classmethod
    def of(cls, provision: ProvisionId | None) -> Standing:
        """Where a provision stands."""
        if provision is None:
            return cls()
        enacting = provision.step("enacting") is not None
        return cls(
            # A notice without sections ("text_1") has no 5 § of its own.
            provision.work.value.startswith(STATUTES) and not enacting and provision.step("text") is None,
            enacting,
            provision.work.value.startswith("fi:treaty:"),
            provision,
        )


class Finder:
    """Reads one text; `trail` has the antecedents before it and, afterwards, those after it."""

    def __init__(
        self,
        plain: str,
        language: str,
        standing: Standing,
        trail: Trail,
        known: Callable[[str], str],
        named: Sequence[Named] | None = None,  # the laws of the text, if they were already read
    ) -> None:
        self.plain = plain
        self.language = language
        self.standing = standing
        self.trail = trail
        self.known = known
        self.named = named
        self.cited: list[Cited] = []
        self.before: Cited | None = None  # the place cited last, for lists

    def find(self) -> list[Cited]:
        """Every citation, in order and without overlap."""
        tokens = self._tokens()
        self._learn_union(tokens)
        at = 0
        while at < len(tokens):
            token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
            at += 1
            if isinstance(token, Marked):
                self._mark(token)
            elif isinstance(token, Place):
                if (isinstance(following, Marked) and self._union_behind(token, following)) or (
                    isinstance(following, Named) and self._named_behind(token, following)
                ):
                    at += 1
                else:
                    self._place(token)
            elif isinstance(following, Place) and self._named_before(token, following):
                self._attach(token, following, token.start, following.end)
                at += 1
            else:
                self._alone(token)
        return self.cited

    def opens_list(self) -> str:
        """The law at the end of the text, which applies to the list below it; empty where there is none."""
        last = self.cited[-1] if self.cited else None
        if last is None or last.steps or not last.work.startswith(("fi:act:", "eu:")):
            return ""
        return last.work if last.end >= len(self.plain.rstrip(" :")) else ""

    def _tokens(self) -> list[Token]:
        plain, language = self.plain, self.language
        named = list(laws(plain, language, self.known)) if self.named is None else self.named
        asked = self.standing.provision is None and self.named is None
        if asked:
            named = [*names_when_asked(plain), *named]
        found: list[Token] = [*rulings(plain), *union_acts(plain), *named]
        if asked:
            found += colon_places(plain, named, self.known)
            found += places_when_asked(plain, named, self.known)
        found += places(plain, language)
        if language == "en":
            found += places(plain, "fi")
        found += [Place(start, end, steps) for start, end, steps in articles(plain, language)]
        return without_overlap(found)

    def _learn_union(self, tokens: Sequence[Token]) -> None:
        """Learn what a text calls the act whose long title it gives: "… (EU:s förordning om …)"."""
        for found in IN_BRACKETS.finditer(self.plain):
            sentence = self.plain.rfind(". ", 0, found.start())
            titled = (one for one in tokens if isinstance(one, Marked) and one.lends)
            first = next((one for one in titled if sentence < one.start < found.start()), None)
            if first is not None:
                self.trail.named.setdefault(base_name(found["name"], self.language), first.work_name)

    # Works alone

    def _mark(self, token: Marked) -> None:
        if token.lends:
            self.trail.union = token.work_name
            if called := CALLED.match(self.plain, token.end):
                self.trail.named[base_name(called["name"], self.language)] = token.work_name
        self.cited.append(Cited(token.start, token.end, token.work_name, ()))

    def _alone(self, token: Named) -> None:
        if token.sort is Sort.OWN and (
            not self.standing.statute or self.plain.startswith(" träder", token.end)
        ):
            return  # "tämän lain" on a page quotes a law; in an enacting clause it is a formula
        if not token.alone and token.name.casefold() not in self.trail.named:
            return
        work = OWN if token.sort is Sort.OWN else self._work(token)
        if token.sort is Sort.NAMED:
            self.trail.name(work, token.decree)
            self.trail.section = None
        self.cited.append(Cited(token.start, token.end, work, ()))

    def _work(self, token: Named) -> str:
        """The work of a name: by its number, by the document's own abbreviations, or the name itself."""
        names = self.trail.named
        folded = token.name.casefold()
        work = token.number or names.get(folded) or self.known(token.name)
        if not work:
            spelled = spelled_out(token.name)
            work = names.get(spelled) or self.known(spelled) or self._named_at_the_end(folded) or spelled
        if token.number and folded and self.known(token.name) in {"", token.number}:
            names[folded] = token.number
        if token.called:
            names[token.called.casefold()] = work
        if called := NEXT_CALLED.match(self.plain, token.end):
            names[base_name(called["name"], self.language)] = work
        return work or NOT_UNDERSTOOD

    def _named_at_the_end(self, name: str) -> str:
        """The law that a long name ends with, where it took in words before it and the document knows it."""
        words = name.split(" ")
        if words[-2:-1] != ["annettu"]:
            return ""
        ends = (" ".join(words[first:]) for first in range(1, len(words) - 2))
        return next((self.trail.named[end] for end in ends if end in self.trail.named), "")

    # Places with their law beside them

    def _named_before(self, token: Named, place: Place) -> bool:
        gap = NAME_BEFORE.fullmatch(self.plain, token.end, place.start)
        if gap is None or place.first in {"subsec", "para", "subpara"}:
            return False
        if place.first == "art":
            return token.sort is Sort.NAMED and gap[0] == " "
        return gap[0] == " " or token.sort is Sort.NAMED

    def _named_behind(self, place: Place, token: Named) -> bool:
        """Swedish and English name the law behind the place, and Swedish once for a whole list."""
        if self.language == "fi" or place.first in {"subsec", "para", "subpara"}:
            return False
        if place.first == "art" and not (token.decree and token.sort is Sort.NAMED):
            return False
        if NAME_BEHIND.fullmatch(self.plain, place.end, token.start) is None or token.sort is Sort.WORDING:
            return False
        if self.plain[token.end - 1] == "s" and self.language == "sv" and not token.number:
            return False  # "5 § i lagens 3 kap."
        self._attach(token, place, place.start, token.end)
        self._share()
        return True

    def _attach(self, token: Named, place: Place, start: int, end: int) -> None:
        if token.sort is Sort.OWN:
            work = OWN if self.standing.statute else self._governing()
        elif token.sort is Sort.SAME:
            work = self._same(token)
        else:
            work = self._work(token)
            if token.sort is Sort.NAMED:
                self.trail.name(work, token.decree)
        steps = in_union_terms(place.steps) if place.first == "art" else place.steps
        self._add(Cited(start, end, work, steps))

    def _same(self, token: Named) -> str:
        work = self.trail.same(token.decree)
        if not work and self.standing.statute:
            return OWN
        return work or NOT_UNDERSTOOD

    def _share(self) -> None:
        """Assign the law after a list to all of it: "i 5 §, 6 § 1 mom. och 7 § i strafflagen"."""
        last = self.cited[-1]
        start = last.start
        for cited in reversed(self.cited[:-1]):
            if cited.explicit or cited.relative or not cited.steps or not self._listed(cited.end, start):
                return
            cited.work, cited.explicit = last.work, True
            start = cited.start

    # Places alone

    def _place(self, place: Place) -> None:
        if place.first == "art":
            self._article(place)
        elif place.first in {"subsec", "para", "subpara"}:
            self._below_section(place)
        else:
            self._section(place)

    def _section(self, place: Place) -> None:
        before = self.before
        if before is not None and self._listed(before.end, place.start) and _is_national(before):
            self._add(self._of_list(place, before))
            return
        if self.trail.chapter is not None and place.first == "sec" and self._in_that_chapter(place):
            work, above = self.trail.chapter
            self._add(Cited(place.start, place.end, work, (*above, *place.steps)))
            return
        foreign = FOREIGN.search(self.plain, max(0, place.start - 40), place.start)
        if foreign is not None and (not self.standing.statute or not foreign["decision"]):
            self.before = None
            return
        if self.trail.governing:
            self._add(Cited(place.start, place.end, self.trail.governing, place.steps))
        elif self.standing.statute and not self._wording_of_another(place):
            self._add(Cited(place.start, place.end, OWN, place.steps, explicit=False))
        elif place.has("sec") or self.standing.statute:
            self._add(Cited(place.start, place.end, self._governing(), place.steps, explicit=False))

    def _wording_of_another(self, place: Place) -> bool:
        """Whether a repealing act tells which wording it repeals: "sellaisina kuin ne ovat, 1 § laissa …"."""
        lead = self.plain[max(0, place.start - 120) : place.start]
        return bool(self.trail.law or self.trail.decree) and AS_IT_READS.search(lead) is not None

    def _in_that_chapter(self, place: Place) -> bool:
        """Whether it lies in the chapter cited last: "mainitun luvun 2 §", "10 § i det nämnda kapitlet"."""
        before = THAT_CHAPTER.search(self.plain, max(0, place.start - 30), place.start)
        return before is not None or THAT_CHAPTER_BEHIND.match(self.plain, place.end) is not None

    def _governing(self) -> str:
        return self.trail.law or self.trail.decree or NOT_UNDERSTOOD

    def _of_list(self, place: Place, before: Cited) -> Cited:
        """A section of the same act, and of the same chapter where only that one was named."""
        steps = place.steps
        if place.first == "sec":
            steps = (*(step for step in before.steps if step.kind in {"part", "chp"}), *steps)
        return Cited(place.start, place.end, before.work, steps, explicit=before.explicit)

    def _below_section(self, place: Place) -> None:
        before = self.before
        pointer = POINTER.search(self.plain, max(0, place.start - 24), place.start)
        if before is not None and self._listed(before.end, place.start):
            if before.relative or before.work.startswith("eu:"):
                above = _above(before.steps, place.first)
                self._add(replace_span(before, place, (*above, *self._terms(before.work, place.steps))))
                return
            # "3 §:ssä tai 2 momentissa": after a whole section, a statute means a momentti of its own.
            own = self.standing.statute and before.steps[-1].kind == "sec"
            if not own and (above := _above(before.steps, place.first)) and _is_national(before):
                self._add(
                    Cited(
                        place.start, place.end, before.work, (*above, *place.steps), explicit=before.explicit
                    )
                )
                return
        if pointer is not None and not pointer["own"] and self.trail.section is not None:
            self._add(self._of_section(place))
        elif self.standing.statute:
            self._add(Cited(place.start, place.end, OWN, place.steps, relative=True, explicit=False))
        elif self.trail.section is not None:
            self._add(self._of_section(place))
        elif place.first == "subsec" and self.standing.provision is not None:
            self._add(Cited(place.start, place.end, NOT_UNDERSTOOD, place.steps, explicit=False))

    def _of_section(self, place: Place) -> Cited:
        assert self.trail.section is not None
        work, steps = self.trail.section
        return Cited(
            place.start, place.end, work, (*_above(steps, place.first), *place.steps), explicit=False
        )

    def _article(self, place: Place) -> None:
        steps = in_union_terms(place.steps)
        before = self.before
        if before is not None and before.steps[0].kind == "art" and self._listed(before.end, place.start):
            self._add(Cited(place.start, place.end, before.work, steps, explicit=False))
            return
        if self.standing.treaty:
            self._add(Cited(place.start, place.end, OWN, steps, explicit=False))
            return
        start, end, work = self._union_beside(place)
        if not work:
            foreign = FOREIGN.search(self.plain, max(0, place.start - 40), place.start)
            treaty = foreign is not None and foreign["treaty"]
            work = TREATY if treaty or TREATY_BEHIND.match(self.plain, place.end) else self.trail.union
            if work == TREATY:
                self.trail.union = TREATY
            elif not work and UNION_WORD.search(self.plain, max(0, place.start - 30), place.start):
                work = NOT_UNDERSTOOD
        if work:
            self._add(Cited(start, end, work, steps, explicit=False))

    def _union_beside(self, place: Place) -> tuple[int, int, str]:
        """The act of the Union right before or behind an article, taken into its citation."""
        last = self.cited[-1] if self.cited else None
        if (
            last is not None
            and not last.steps
            and last.work.startswith("eu:")
            and 0 <= place.start - last.end <= 1
        ):
            self.cited.pop()
            return last.start, place.end, last.work
        return place.start, place.end, ""

    def _union_behind(self, place: Place, token: Marked) -> bool:
        """Whether the act of the Union stands behind its article: "artikel 98.2 i direktiv 2006/112/EG"."""
        if place.first != "art" or not token.lends or self.language == "fi":
            return False
        if NAME_BEHIND.fullmatch(self.plain, place.end, token.start) is None:
            return False
        self.trail.union = token.work_name
        self._add(Cited(place.start, token.end, token.work_name, in_union_terms(place.steps)))
        return True

    def _terms(self, work: str, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return in_union_terms(steps) if work.startswith("eu:") else steps

    # What every place does

    def _listed(self, end: int, start: int) -> bool:
        return start - end <= 40 and LIST.fullmatch(self.plain, end, start) is not None

    def _add(self, cited: Cited) -> None:
        self.cited.append(cited)
        self.before = cited
        if chapter := tuple(step for step in cited.steps if step.kind in {"part", "chp"}):
            self.trail.chapter = (cited.work, chapter)
        if not cited.relative and any(step.kind == "sec" for step in cited.steps):
            self.trail.section = (cited.work, _first_of_lists(cited.steps))


def replace_span(before: Cited, place: Place, steps: tuple[Step, ...]) -> Cited:
    """A citation like the one before it, at another place."""
    return replace(before, start=place.start, end=place.end, steps=steps)


def _is_national(cited: Cited) -> bool:
    return (
        bool(cited.steps)
        and not cited.work.startswith("eu:")
        and cited.steps[0].kind != "art"
        and not cited.relative
    )


def _above(steps: Sequence[Step], kind: str) -> tuple[Step, ...]:
    """The steps that stand above one of a kind: above a momentti its section, above a kohta its momentti."""
    depth = LEVELS.index(kind)
    return tuple(
        step for step in _first_of_lists(steps) if step.kind in LEVELS and LEVELS.index(step.kind) < depth
    )


def _first_of_lists(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The last of each list: "1 ja 2 §" lends its 2 § to the momentti after it."""
    return tuple(Step(step.kind, re.split(r"\+|\.\.", step.number)[-1]) for step in steps)


def without_overlap(tokens: Sequence[Token]) -> list[Token]:
    """The longest of those that overlap, the earlier reader's where they are as long."""
    chosen: list[Token] = []
    starts: list[int] = []
    for token in sorted(tokens, key=lambda one: one.start - one.end):
        at = bisect(starts, token.start)
        clear_before = at == 0 or chosen[at - 1].end <= token.start
        if clear_before and (at == len(chosen) or token.end <= starts[at]):
            chosen.insert(at, token)
            starts.insert(at, token.start)
    return chosen
