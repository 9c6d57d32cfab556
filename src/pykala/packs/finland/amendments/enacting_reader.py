"""Read a clause's tokens once, from left to right, with the current place as context.

A chapter, a section and a momentti stay in the context until another of their level is named: in "5 §:n
otsikko ja 1 momentin 3 kohta, 7 §" the momentti is that of 5 §.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from pykala.law.identifiers import Step
from pykala.packs.finland.amendments.enacting_instructions import Instruction, NamedAct, Waiting
from pykala.packs.finland.amendments.enacting_numbers import PendingNumbers
from pykala.packs.finland.amendments.enacting_renumbering import Move, read_moves, read_new_numbers
from pykala.packs.finland.amendments.enacting_words import Role, Sort, Token
from pykala.packs.finland.citations.law_names import base_name

LEVELS = ("part", "chp", "sec", "subsec", "para", "subpara", "table")
_ACT_NUMBER = re.compile(r"(\d{1,4}) ?/ ?(\d{2,4})")
_NOMINATIVE = re.compile(
    r"(?:laki|asetus|päätös|kaari|järjestys|sääntö|lag|förordning|beslut)$", re.IGNORECASE
)
_NAME_ENDS = re.compile(
    r"(?:la(?:in|kiin|ki)|kaar(?:en|een)|asetu(?:ksen|kseen)|järjestyk(?:sen|seen)|sään(?:nön|töön)|muodon"
    r"|lagen|balken|förordningen)$",
    re.IGNORECASE,
)
#: "i lagen om bostadsaktiebolag (1599/2009) 6 kap. 37 §": what is meant stands in the act.
_WITHIN = re.compile(r"\bi (?:\w{1,40} )?$", re.IGNORECASE)
_SWEDISH_NAME = re.compile(r"(?:lagen|balken|förordningen)$", re.IGNORECASE)
_NUMBERED_AFTER = ("annex", "entry")
#: More places than any clause names; a text with more is not a clause.
_MOST = 3000
_MOST_LEADING = 300


@dataclass(slots=True)
class Reader:
    """The state of one pass over a clause."""

    text: str
    tokens: Sequence[Token]
    action: str = ""
    swedish: bool = False
    act: NamedAct = field(default_factory=NamedAct)
    at: int = 0
    temporary: bool = False  # by the verb: "muutetaan väliaikaisesti …"
    temporary_here: bool = False  # by the place: "lakiin väliaikaisesti uusi 58 b § ja lakiin uusi 69 c §"
    instead: bool = False
    facet_ahead: str = ""  # Swedish: "rubriken för 5 §"
    language_ahead: str = ""  # Swedish: "den finska språkdräkten i 5 §"
    context: dict[str, list[str]] = field(default_factory=dict)
    numbers: PendingNumbers = field(default_factory=PendingNumbers)
    placed: list[Instruction] = field(default_factory=list)  # the sections named last, for "sen edelle"
    #: Genitives whose noun has not come yet: "147 §:n 2 momentin, 150 §:n otsikon … suomenkielinen
    #: sanamuoto".
    waiting: list[Waiting] = field(default_factory=list)
    lead: tuple[str, int, int] | None = None  # the last leading unit, until a place below it is named
    renumbered: bool = False  # the sections at hand are named by their new numbers, which run through the act
    acts_ahead: list[int] = field(default_factory=list)  # for each token, the next act before another verb
    instructions: list[Instruction] = field(default_factory=list)
    unread: list[tuple[int, int, str]] = field(default_factory=list)

    def read(self) -> None:
        """Read all tokens into `instructions` and `unread`."""
        self.acts_ahead = _acts_ahead(self.tokens)
        handlers = {
            Sort.VERB: self._verb,
            Sort.ACT: self._act,
            Sort.NUMBER: self._number,
            Sort.DASH: self._dash,
            Sort.UNIT: self._unit,
            Sort.FACET: self._facet,
            Sort.WORDING: self._wording,
            Sort.HERE: self._here,
            Sort.BACK: self._back,
            Sort.TEMPORARY: self._temporary,
            Sort.INSTEAD: self._instead,
            Sort.THEREBY: self._thereby,
            Sort.MOVED: self._misread,
            Sort.WORD: self._word,
        }
        while self.at < len(self.tokens) and len(self.instructions) < _MOST:
            token = self.tokens[self.at]
            self.at += 1
            if token.sort is Sort.END and self.action:
                break
            if not self.action and token.sort is not Sort.VERB:
                continue
            if token.sort in handlers:
                handlers[token.sort](token)
        self._settle()

    # Verbs and acts

    def _verb(self, token: Token) -> None:
        self._settle()
        self.numbers.forget()
        self.action, self.temporary, self.temporary_here = token.value, False, False
        # A new verb starts at the act again, but a chapter named before is kept ("lisätään lukuun …").
        self.context = {level: self.context[level] for level in ("part", "chp") if level in self.context}

    def _act(self, token: Token) -> None:
        self._take_act(token, token.start)

    def _take_act(self, token: Token, name_start: int) -> None:
        number = _ACT_NUMBER.search(token.value)
        assert number is not None
        year = number[2] if len(number[2]) == 4 else f"19{number[2][-2:]}"
        name = " ".join(self.text[name_start : token.start].split())
        self.act = NamedAct(f"{year}/{int(number[1])}", self._base(name))
        if not self.swedish:
            self.context.clear()
        self.numbers.forget()
        self.lead = None if not self.swedish else self.lead
        if _NOMINATIVE.search(name) and self._may_be_whole(name_start):
            self._emit((), name_start, token.end)

    def _may_be_whole(self, name_start: int) -> bool:
        """Whether an act that is named may be what the verb is about, and not what holds its places."""
        if not self.swedish:
            return True
        return self.action == "repeal" and not _WITHIN.search(self.text, max(name_start - 45, 0), name_start)

    def _base(self, name: str) -> str:
        return base_name(name, "sv" if self.swedish else "fi") if name else ""

    def _here(self, token: Token) -> None:
        self.numbers.forget()
        self.temporary_here = False
        if not (self.swedish and self.acts_ahead[self.at] >= 0):
            self.context.clear()  # but not in "till 7 § i lagen om kanaler (321/1996), …, ett nytt 4 mom."

    def _word(self, token: Token) -> None:
        """A word outside the grammar begins the name of an act, or is reported as not understood."""
        if token.value == "numero" and self.context.keys() & {"part", "chp", "sec"}:
            self._new_numbers(token)
            return
        ahead = self.acts_ahead[self.at]
        if ahead >= 0:
            start = self.numbers.start if self.numbers else token.start
            self.at = ahead + 1
            self._take_act(self.tokens[ahead], start)
        elif end := self._given_name():
            self._name_act(self.text[token.start : self.tokens[end].end])
            self.at = end + 1
        elif _NAME_ENDS.search(token.value) and len(token.value) > len("asetuksen"):
            self._name_act(token.value)
            if self.unread and self.unread[-1][1] == token.start - 1:
                self.unread.pop()  # "Suomen perustuslain", "Ahvenanmaan itsehallintolain"
        else:
            self._misread(token)

    def _given_name(self) -> int:
        """Where a name without a number ends: "kanavamaksuista annetun lain 3 §"; 0 where there is none."""
        end = self.at
        longest = min(len(self.tokens), self.at + 40)
        while end < longest and self.tokens[end].sort in {Sort.WORD, Sort.PASSED, Sort.SEPARATOR}:
            end += 1
        ends = end < longest and self.tokens[end].sort is Sort.HERE
        return end if ends and self.tokens[end - 1].value.startswith("annet") else 0

    def _name_act(self, name: str) -> None:
        self.act = NamedAct("", base_name(name, "sv" if _SWEDISH_NAME.search(name) else "fi"))
        self.context.clear()
        self.numbers.forget()

    # Numbers

    def _number(self, token: Token) -> None:
        self.numbers.add(token)
        if token.value.endswith(":n") and not self.swedish and self.tokens[self.at - 2].value != "annex":
            self._lead("sec", self.numbers.take())  # "182:n 2 momentti", its sign forgotten

    def _dash(self, token: Token) -> None:
        self.numbers.dash()

    def _numbers_after(self) -> list[str]:
        """Numbers after their unit: "liitteet 1 ja 3–5"; not those of the next unit ("liite ja 5 §")."""
        at, start = self.at, self.at
        while at < len(self.tokens) and self.tokens[at].sort in {Sort.NUMBER, Sort.SEPARATOR, Sort.DASH}:
            at += 1
        if at < len(self.tokens) and self.tokens[at].sort is Sort.UNIT:
            # They belong to the next unit, except for one that follows without a separator: "liitteen 2 4
            # kohta".
            at = start
            if [one.sort for one in self.tokens[at : at + 2]] == [Sort.NUMBER, Sort.NUMBER]:
                at += 1
        while at > start and self.tokens[at - 1].sort is not Sort.NUMBER:
            at -= 1
        for token in self.tokens[start:at]:
            if token.sort is Sort.NUMBER:
                self.numbers.add(token)
            elif token.sort is Sort.DASH:
                self.numbers.dash()
        self.at = at
        return self.numbers.take()

    def _letters_after(self) -> list[str]:
        """Swedish puts the letters of alakohdat after their unit: "1 punkten underpunkterna a och b"."""
        while self._sort_at(self.at) is Sort.NUMBER and self.tokens[self.at].value.isalpha():
            self.numbers.add(self.tokens[self.at])
            ahead = self.at + 1
            while self._sort_at(ahead) in {Sort.SEPARATOR, Sort.DASH}:
                ahead += 1
            self.at += 1
            if self._sort_at(ahead) is Sort.NUMBER and self.tokens[ahead].value.isalpha():
                if any(token.sort is Sort.DASH for token in self.tokens[self.at : ahead]):
                    self.numbers.dash()
                self.at = ahead
        return self.numbers.take()

    # Places

    def _unit(self, token: Token) -> None:
        if token.value in _NUMBERED_AFTER:
            self._annex_or_entry(token)
            return
        start = self.numbers.start if self.numbers else token.start
        numbers = self.numbers.take()
        if not numbers and self.swedish and token.value == "subpara":
            numbers = self._letters_after()
        if not numbers and ("annex" in self.context or self.tokens[self.at - 2].sort is Sort.NEW):
            numbers = self._numbers_after() or (["1"] if token.value == "table" else [])
        if not numbers:
            self._unnumbered(token)
        elif token.role is Role.LEADS:
            self._note_lost_lead(token.value)
            self._lead(token.value, numbers)
            self.lead = token.value, start, token.end
            if self._leads_nowhere(token.value):
                self.waiting.append(Waiting(tuple(self._paths()), start, token.end))
                self.lead = None
        elif token.role is Role.TARGET:
            self._target(token.value, numbers, start, token.end)
        else:
            self.unread.append((start, token.end, self.text[start : token.end]))

    def _note_lost_lead(self, level: str) -> None:
        """Report a section that led to nothing before the next one did: "5 §:n 1 ja 17 §:n 2 momentti"."""
        if self.lead is None or self.lead[0] not in LEVELS[2:] or level not in LEVELS[2:]:
            return
        led, start, end = self.lead
        if LEVELS.index(level) <= LEVELS.index(led):
            self.unread.append((start, end, self.text[start:end]))

    def _leads_nowhere(self, level: str) -> bool:
        """Whether, after a genitive, the list continues at its level or above: nothing below it is named."""
        at = self.at
        if level not in {"sec", "subsec", "para", "subpara"} or self._sort_at(at) is not Sort.SEPARATOR:
            return False
        while self._sort_at(at) in {Sort.SEPARATOR, Sort.NUMBER, Sort.DASH}:
            at += 1
        if self._sort_at(at) is not Sort.UNIT or self.tokens[at].value not in LEVELS:
            return self._sort_at(at) in {Sort.VERB, Sort.END}
        return LEVELS.index(self.tokens[at].value) <= LEVELS.index(level)

    def _sort_at(self, at: int) -> Sort:
        return self.tokens[at].sort if at < len(self.tokens) else Sort.END

    def _settle(self) -> None:
        """Flush pending headings; report unresolved places as unread."""
        for one in self.waiting:
            if one.facet == "whole":
                self.unread.append((one.start, one.end, self.text[one.start : one.end]))
            for path in one.paths if one.facet != "whole" else ():
                self._emit(path, one.start, one.end, facet=one.facet)
        self.waiting = []

    def _unnumbered(self, token: Token) -> None:
        if token.value == "sec" and token.role is Role.TARGET and self._said_again():
            self._clear_below("sec")  # "11 §:n numero 13:ksi ja mainittu pykälä"
            for path in list(self._paths()):
                self._emit(path, token.start, token.end)
            return
        # "lukuun uusi 15 §" adds to the chapter named last; any other unit without a number is not read.
        if not (token.value in self.context or (token.role is Role.LEADS and token.value in {"chp", "part"})):
            self._misread(token)
        self._clear_below(token.value)

    def _said_again(self) -> bool:
        before = self.tokens[self.at - 2]
        return "sec" in self.context and before.sort is Sort.PASSED and before.value.startswith("maini")

    def _lead(self, level: str, numbers: list[str]) -> None:
        self._clear_below(level)
        if level in {"part", "chp", "sec"}:
            self.temporary_here = self.renumbered = False
        self.context[level] = numbers

    def _target(self, level: str, numbers: list[str], start: int, end: int) -> None:
        self._clear_below(level)
        self.context.pop(level, None)
        self.renumbered = self.renumbered and level not in {"part", "chp", "sec"}
        homeless = level not in {"part", "chp", "sec"} and not (
            self.context.keys() & {"sec", "annex", "entry"}
        )
        paths = list(self._paths())
        if homeless or not paths or len(paths) * len(numbers) > _MOST:
            self.unread.append((start, end, self.text[start:end]))
            return
        if level == "sec":
            self.placed = []
        for lead in paths:
            for number in numbers:
                path, facet = (*lead, Step(level, number)), self.facet_ahead or "whole"
                self._emit(path, start, end, facet=facet, language=self.language_ahead)
                if level == "sec":
                    self.placed.append(self.instructions[-1])
        self.instead, self.facet_ahead, self.language_ahead = False, "", ""

    def _paths(self) -> Iterator[tuple[Step, ...]]:
        """The places that the context names; none where there are more than any clause names."""
        levels = (*_NUMBERED_AFTER, *(LEVELS[2:] if self.renumbered else LEVELS))
        above = [level for level in levels if level in self.context]
        if prod(len(self.context[level]) for level in above) > _MOST_LEADING:
            return
        for lead in product(*(self.context[level] for level in above)):
            yield tuple(Step(level, number) for level, number in zip(above, lead, strict=True))

    def _clear_below(self, level: str) -> None:
        deeper = LEVELS[LEVELS.index(level) + 1 :]
        for other in (*deeper, *(_NUMBERED_AFTER if level in LEVELS[:3] else ())):
            self.context.pop(other, None)

    def _annex_or_entry(self, token: Token) -> None:
        """An annex has its number after it, or none; a commencement provision never has one."""
        numbers = [] if token.value == "entry" else self.numbers.take() or self._numbers_after()
        self.numbers.forget()
        self.context = {token.value: numbers or ["1"]}
        last = self.tokens[self.at - 1]
        leads_on = self.text[: last.end].endswith(":n")  # "liite 1:n 1 kohta"
        if token.role is Role.TARGET and not leads_on:
            for path in list(self._paths()):
                self._emit(path, token.start, last.end)
            self.context = {}

    # Headings, introductions, wordings

    def _facet(self, token: Token) -> None:
        if token.value == "title":
            self._emit((), token.start, token.end, facet="title")
        elif self.swedish and self._place_follows(token):
            self.facet_ahead = token.value
        elif token.value == "cross-heading":
            self._cross_heading(token)
        else:
            self.lead = None
            self._heading(token)

    def _heading(self, token: Token) -> None:
        """A heading or an introduction of the place at hand, and of the places before it in the same list."""
        paths = tuple(path for path in self._paths() if path)
        if not paths:
            self._misread(token)
        elif self.text[token.end - 1] == "n" and not self.swedish:
            self.waiting.append(Waiting(paths, token.start, token.end, token.value))  # "otsikon …"
        else:
            joined = [one for one in self.waiting if one.facet == "whole" and one.level == paths[0][-1].kind]
            self.waiting = [one for one in self.waiting if one not in joined]
            for path in (*(path for one in joined for path in one.paths), *paths):
                self._emit(path, token.start, token.end, facet=token.value)

    def _place_follows(self, token: Token) -> bool:
        """Whether the place comes after: "rubriken för 5 §", but not "35 § och mellanrubriken före den"."""
        ahead = self.tokens[self.at].sort if self.at < len(self.tokens) else Sort.END
        prepositions = (" för", " i", " till", " före", " framför")
        return ahead is not Sort.BACK and self.text[: token.end].endswith(prepositions)

    def _cross_heading(self, token: Token) -> None:
        paths = [path for path in self._paths() if path and path[-1].kind == "sec"]
        if not paths:
            paths = [placed.path for placed in self.placed]
            if token.role is Role.BECOMES or "kot" not in self.text[token.start : token.end]:
                paths = paths[:1]  # "niiden edelle uusi väliotsikko": before the first of them
        if not paths:
            self._misread(token)
        action = "insert" if token.role is Role.BECOMES else self.action
        for path in paths:
            self._emit(path, token.start, token.end, facet="cross-heading", action=action)
        self.context.pop("sec", None)

    def _wording(self, token: Token) -> None:
        """The place at hand, in one language only: "2 kohdan ruotsinkielinen sanamuoto"."""
        if self.swedish:
            self.language_ahead = token.value
            return
        waiting, self.waiting = self.waiting, []
        for one in waiting:
            # "johdantokappaleen suomenkielinen sanamuoto", "2 momentin ja 5 §:n otsikon ruotsinkielinen …"
            for path in one.paths:
                self._emit(path, one.start, one.end, facet=one.facet, language=token.value)
        if waiting and self.tokens[self.at - 2].end == waiting[-1].end:
            return
        for path in list(self._paths()):
            self._emit(path, token.start, token.end, language=token.value)

    def _back(self, token: Token) -> None:
        if not self.swedish:
            self.context.pop("sec", None)

    def _temporary(self, token: Token) -> None:
        before = self.tokens[self.at - 2]
        last = self.instructions[-1] if self.instructions else None
        if before.sort is Sort.VERB:
            self.temporary = True
        elif last is not None and before.end == last.end:
            # "93 §:n 1 ja 2 momentti väliaikaisesti, 93 §:n 4 momentti": what was named just before.
            at = len(self.instructions) - 1
            while at >= 0 and (self.instructions[at].start, self.instructions[at].end) == (
                last.start,
                last.end,
            ):
                self.instructions[at] = replace(self.instructions[at], temporary=True)
                at -= 1
        else:
            self.temporary_here = True

    def _instead(self, token: Token) -> None:
        self.instead = True
        last = self.instructions[-1] if self.instructions else None
        if self.swedish and last is not None and last.end >= token.start - 2:
            # Swedish may say it after the place: "en ny 54 § i stället för den som upphävts genom …".
            self.instructions[-1] = replace(last, instead=True)
            self.instead = False

    # Renumbering

    def _thereby(self, token: Token) -> None:
        self.numbers.forget()
        moves = read_moves(self.text, self.tokens, self.at, self.swedish)
        self.at = moves.at
        for move in moves.found:
            self._renumber(move, token.start)
        if not moves.understood:
            self._misread(token)

    def _new_numbers(self, token: Token) -> None:
        """Sections with new consecutive numbers: "II osan 1 luvun 5 ja 6 §:n numero 7 ja 8:ksi".

        From here on, the text uses the new numbers. A part or a chapter keeps its sections, which have their
        own numbers, so its new number changes nothing here.
        """
        start = self.lead[1] if self.lead else token.start
        after, at = read_new_numbers(self.tokens, self.at)
        if not after:
            self._misread(token)
            return
        end, self.at, self.lead = self.tokens[at - 1].end, at, None
        if "sec" in self.context:
            self._renumber(Move("sec", tuple(self.context["sec"]), after, end), start)
            self.context["sec"], self.renumbered = list(after), True

    def _renumber(self, move: Move, start: int) -> None:
        above = list(self._paths())
        lead = tuple(step for step in (above[-1] if above else ()) if not _at_or_below(step.kind, move.level))
        fits = bool(move.before) and len(move.before) == len(move.after)
        if not fits or (move.level != "sec" and not lead):
            self.unread.append((start, move.end, self.text[start : move.end]))
            return
        for old, new in zip(move.before, move.after, strict=True):
            path, to = (*lead, Step(move.level, old)), Step(move.level, new)
            self._emit(path, start, move.end, action="renumber", to=to)

    def _misread(self, token: Token) -> None:
        self.unread.append((token.start, token.end, self.text[token.start : token.end]))
        self.numbers.forget()

    def _emit(
        self,
        path: tuple[Step, ...],
        start: int,
        end: int,
        *,
        facet: str = "whole",
        language: str = "",
        action: str = "",
        to: Step | None = None,
    ) -> None:
        self.lead = None
        temporary = self.temporary or self.temporary_here
        self.instructions.append(
            Instruction(
                action or self.action,
                self.act,
                path,
                start,
                end,
                facet,
                temporary,
                language,
                to,
                self.instead,
            )
        )


def _at_or_below(kind: str, level: str) -> bool:
    return kind in LEVELS and level in LEVELS and LEVELS.index(kind) >= LEVELS.index(level)


def _acts_ahead(tokens: Sequence[Token]) -> list[int]:
    """For each place among the tokens the next act's number, before any other verb or the end; else -1."""
    ahead = [-1] * (len(tokens) + 1)
    for at in range(len(tokens) - 1, -1, -1):
        sort = tokens[at].sort
        ahead[at] = at if sort is Sort.ACT else -1 if sort in {Sort.VERB, Sort.END} else ahead[at + 1]
    return ahead
