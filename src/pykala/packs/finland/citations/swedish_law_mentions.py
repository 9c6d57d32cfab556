"""Laws as Swedish names them: behind the place, "lagen om …" read forwards to its number or its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from pykala.packs.finland.citations.law_mentions import WORD_BACK, Named, Sort, with_number
from pykala.packs.finland.citations.law_names import base_name, is_law_name

_SWEDISH_ANCHOR = re.compile(r"(?:[Ll]ag(?:ens|en|s)?|[Ff]örordning(?:ens|en|s)?|balk(?:ens|en))(?![\w-])")
_SWEDISH_OWN = re.compile(r"[Dd]enna $")
_SWEDISH_SAME = re.compile(
    r"(?:(?:[Nn]ämnda|[Ss]amma|[Dd]en|den nya|den gamla|sagda|berörda|sistnämnda|ifrågavarande) )$"
)
_ABOUT = re.compile(
    r"(?:(?: av)? den [0-9]{1,2} [a-zåäö]+ [0-9]{4}| av [0-9]{4})? (?:om|angående|för|mot|på) "
)
#: Where "lagen om …" ends when no number closes it.
_ABOUT_END = re.compile(
    r"\.(?= [A-ZÅÄÖ]|$)|[;:()]|,(?= |$)|(?<=\w) (?:ska|skall|tillämpas|föreskrivs|är|som|samt|har"
    r"|inte|gäller|avses|avsedda?|bestäms|finns"
    r"|eller|och (?:i|enligt|av|lagen|förordningen|[0-9]{1,3}|[a-zåäö-]+lagen|[a-zåäö-]+balken)|träder"
    r"|utfärdas|kan|får|iakttas|föranleder|utgör|förutsätter|upphävs|nämnda|beviljas|fastställs"
    r"|meddelas|ändras|anses|betraktas|betalas|uppfylls|till den del|svarar|sköter|i fråga|när"
    r"|senast|enligt|genom|utan|dock|även|också|beaktas|föredras|behandlas|lämnas|görs"
    r"|sköts|avgörs|handläggs|fattas|betalar|om inte|på det sätt|den"
    r" [0-9])(?![\w])|$"
)
#: A title that a number closes may hold "som" and "samt"; no verb of the sentence and no other section.
_NUMBERED_TITLE = re.compile(r"[^§;:()]{3,420}?(?= ?\([0-9]{1,4}/[0-9]{2,4})")
_OF_THE_SENTENCE = re.compile(
    r" (?:tillämpas|föreskrivs|ska|skall|finns|avses|iakttas|gäller|bestäms|nämnda lag|denna"
    r" lag)(?![\w])|\. [A-ZÅÄÖ]|(?:[^ ]lagen|lagens|balken)(?![\w])"
)
_CONJUNCTION = re.compile(r" (?:och|eller|samt|i|av)$")
_SWEDISH_JOINED = re.compile(r"(?:[\wåäö]+-, ){0,3}[\wåäö]+- och $")
_OF_A_DAY = re.compile(r" av den [0-9]{1,2} [a-zåäö]+ [0-9]{4}(?= ?\()")
_LONGEST_TITLE = 220


def swedish_laws(plain: str, known: Callable[[str], str]) -> Iterator[Named]:
    """Every law that a Swedish text names; `known` tells which long titles are known."""
    for found in _SWEDISH_ANCHOR.finditer(plain):
        back = WORD_BACK.search(plain, max(0, found.start() - 60), found.start())
        start, end = (back.start() if back else found.start()), found.end()
        word = plain[start:end].casefold()
        decree = "förordning" in word
        if start != found.start():
            if word.endswith(
                ("lagen", "lagens", "förordningen", "förordningens", "balken", "balkens")
            ) and is_law_name(word, "sv"):
                yield from _swedish_compound(plain, start, end, decree)
            continue
        before = plain[max(0, start - 24) : start]
        if own := _SWEDISH_OWN.search(before):
            yield Named(start - len(own[0]), end, Sort.OWN, decree=decree)
        elif not _SWEDISH_SAME.search(before) and (title := _title_end(plain, end, known, word)):
            yield with_number(plain, start, title, base_name(plain[start:title], "sv"), True, decree)
        elif word in {"lagen", "lagens", "förordningen", "förordningens", "lag", "lags"}:
            same = _SWEDISH_SAME.search(before)
            numbered = with_number(plain, start, end, "", False, decree)
            if numbered.number:
                yield replace(numbered, sort=Sort.NAMED if plain[numbered.end - 1] == ")" else Sort.WORDING)
            elif same or word not in {"lag", "lags"}:
                yield Named(
                    start - len(same[0]) if same else start, end, Sort.SAME, decree=decree, alone=False
                )


def _swedish_compound(plain: str, start: int, end: int, decree: bool) -> Iterator[Named]:
    name = plain[start:end]
    if about := re.compile(r" (?:om|för|på) [a-zåäö-]+(?: [a-zåäö-]+){0,5}(?= ?\([0-9])").match(plain, end):
        end = about.end()  # inkomstskattelagen för gårdsbruk (543/1967)
        name = plain[start:end]
    base = base_name(name, "sv")
    if joined := _SWEDISH_JOINED.search(plain, max(0, start - 60), start):
        base = base_name(joined[0] + name, "sv")  # hälso- och sjukvårdslagen
        start = joined.start()
    if day := _OF_A_DAY.match(plain, end):
        end = day.end()
    yield with_number(plain, start, end, base, True, decree)


def _title_end(plain: str, end: int, known: Callable[[str], str], word: str) -> int:
    """Where a title that begins with "lagen om" ends; 0 where none begins."""
    about = _ABOUT.match(plain, end)
    if about is None:
        return 0
    numbered = _NUMBERED_TITLE.match(plain, about.end())
    if numbered is not None and not _OF_THE_SENTENCE.search(numbered[0]):
        return numbered.end()
    close = _ABOUT_END.search(plain, about.end(), min(len(plain), about.end() + _LONGEST_TITLE))
    if close is None or close.start() <= about.end():
        return 0
    last = close.start()
    if conjunction := _CONJUNCTION.search(plain, about.end(), last):
        last = conjunction.start()  # "lagen om bostadsköp och som …"
    goes_on = close[0].strip() in {"som", "samt", "och", "eller"}
    return max(last, _known_title(plain, end, known, word)) if goes_on else last


def _known_title(plain: str, end: int, known: Callable[[str], str], word: str) -> int:
    """The end of the longest title that is known and begins here: it may hold "som betalas"."""
    longest, position = 0, end
    for _ in range(16):
        space = plain.find(" ", position + 1, end + _LONGEST_TITLE)
        position = space if space > 0 else min(len(plain), end + _LONGEST_TITLE)
        if known(base_name(word + plain[end:position].rstrip(".,;:"), "sv")):
            longest = end + len(plain[end:position].rstrip(".,;:"))
        if space < 0:
            break
    return longest
