"""Learn the Finnish tables of `pykala.text.finnish` and say how well they do on words held out.

    python bench/finnish_endings.py ../shared/corpora/finland-akn.tar.zst [--write]

Forms and base forms come from simplemma (MIT); how often a form is met, from the statutes of an archive and
from the questions that we wrote (`training/questions`): people say `ostin` and `saanko`, which no statute
does. All forms of a word that either uses often are learned too, since the next person uses another of them.
A compound that the dictionary lacks is learned from the longest known word at its end. An ending enters
the table when it is right for more words than the shorter ending it overrules.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import tarfile
from collections import Counter, defaultdict
from pathlib import Path

import zstandard

DATA = Path(__file__).parents[1] / "src" / "pykala" / "text" / "data"
LONGEST = 10  # characters of an ending, the mark of a word's start included
GAIN = 1.2  # weight of words that an ending must put right
QUESTIONS = Path(__file__).parents[1] / "training" / "questions"
WRITTEN = ("written", "written-sections", "told", "told-sections", "told-subsections", "pinpointed")
OFTEN = 5  # times that a word is met, in any form, for all of its forms to be learned
OF_OFTEN, OF_OTHERS = 0.15, 0.05  # weights of forms that were not met themselves
OTHER_FORMS = 300_000  # forms of the rest of the dictionary
#: What the dictionary has otherwise than law and everyday questions mean it: base forms, and single forms.
CORRECTED_BASES = {"alvi": "arvonlisävero", "myy": "myydä"}
CORRECTED = {
    "ajan": "aika", "ajaksi": "aika", "kulut": "kulu", "mökin": "mökki", "hain": "hakea", "vaalit": "vaali",
    "paljonko": "paljon", "montako": "moni",
}  # fmt: skip
Rule = tuple[int, str]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path, help="Akoma Ntoso statutes, *_fin.xml in a .tar.zst")
    parser.add_argument("--write", action="store_true", help="write the tables into the package")
    arguments = parser.parse_args()
    dictionary = forms_of_simplemma()
    statutes, questions = count_words(arguments.archive), words_of_questions()
    words = training_words(dictionary, statutes + questions)
    unmet = unmet_forms(dictionary, statutes + questions)
    random.Random(1).shuffle(words)
    held, kept = words[:6000], words[6000:]
    names = {form for form, _, _ in held}
    trial = learn(kept + [one for one in unmet if one[0] not in names])
    print("| measured on | words | base form right |\n|---|---|---|")
    for name, counts in (("statutes", statutes), ("questions", questions)):
        own = [one for one in held if one[0] in counts]
        print(f"| words of {name}, held out | {len(own)} | {share_right(trial, own):.3f} |")
    table = learn(words + unmet)
    for name, counts in (("statutes", statutes), ("questions", questions)):
        print(
            f"| running words of {name} | {counts.total()} | {running_right(table, dictionary, counts):.4f} |"
        )
    parts = compound_parts(dictionary, statutes, table)
    print(f"\n{len(table)} endings, {len(parts)} parts of compounds")
    if arguments.write:
        lines = [f"{ending}\t{cut}\t{addition}" for ending, (cut, addition) in sorted(table.items())]
        (DATA / "finnish_endings.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (DATA / "finnish_parts.txt").write_text("\n".join(sorted(parts)) + "\n", encoding="utf-8")


def forms_of_simplemma() -> dict[str, str]:
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    source = DefaultDictionaryFactory().get_dictionary("fi")
    forms: dict[str, str] = {}
    for form in source:
        lower = form.lower()
        if form.isalpha() and (form == lower or lower not in forms):
            base = source[form].lower()
            forms[lower] = CORRECTED_BASES.get(base, base)
    for form, base in forms.items():
        if form == base and form.endswith("ni") and form[:-2] in forms:  # `isäni`: my father
            forms[form] = forms[form[:-2]]
    return forms | CORRECTED


def count_words(archive: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    with archive.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file)
        with tarfile.open(fileobj=stream, mode="r|") as members:
            for member in members:
                content = members.extractfile(member) if member.name.endswith("_fin.xml") else None
                if content is not None:
                    text = re.sub(r"<[^>]+>", " ", content.read().decode())
                    counts.update(re.findall(r"[a-zåäöé]+", text.lower()))
    return counts


def words_of_questions() -> Counter[str]:
    """The Finnish words of the questions we wrote; what is kept for measuring stays out."""
    counts: Counter[str] = Counter()
    for name in WRITTEN:
        for line in (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            asked = [*row.get("asked", ()), (row["language"], row.get("question", ""))]
            counts.update(
                word
                for language, text in asked
                if language == "fi"
                for word in re.findall(r"[a-zåäöé]+", text.lower())
            )
    return counts


def unmet_forms(dictionary: dict[str, str], counts: Counter[str]) -> list[tuple[str, Rule, float]]:
    """The forms of words that are met often, and some of all other words, at small weights."""
    met: Counter[str] = Counter()
    for form, count in counts.items():
        if form in dictionary:
            met[dictionary[form]] += count
    often = sorted(form for form, base in dictionary.items() if met[base] >= OFTEN and len(form) < 22)
    others = random.Random(1).sample(sorted(dictionary), OTHER_FORMS)
    return [(form, rule(form, dictionary[form]), OF_OFTEN) for form in often] + [
        (form, rule(form, dictionary[form]), OF_OTHERS) for form in others if len(form) < 25
    ]


def training_words(dictionary: dict[str, str], counts: Counter[str]) -> list[tuple[str, Rule, float]]:
    words = []
    for word, count in sorted(counts.items()):
        if len(word) < 2:
            continue
        weight = 1 + math.log(count)
        base = dictionary.get(word)
        if base is None:
            tails = [cut for cut in range(2, len(word) - 3) if word[cut:] in dictionary]
            whole = [cut for cut in tails if cut >= 3 and word[:cut] in dictionary]
            if not whole and not (tails and len(word) - tails[0] >= 5):
                continue
            cut = (whole or tails)[0]
            base = word[:cut] + dictionary[word[cut:]]
            weight *= 0.7 if whole else 0.35
        words.append((word, rule(word, base), weight))
    return words


def rule(form: str, base: str) -> Rule:
    same = 0
    while same < min(len(form), len(base)) and form[same] == base[same]:
        same += 1
    return len(form) - same, base[same:]


def learn(words: list[tuple[str, Rule, float]]) -> dict[str, Rule]:
    nodes: defaultdict[str, defaultdict[Rule | None, float]] = defaultdict(lambda: defaultdict(float))
    for word, change, weight in words:
        anchored = "^" + word
        for length in range(1, min(LONGEST, len(anchored)) + 1):
            # A change that reaches beyond the ending cannot be this ending's rule, but speaks against it.
            nodes[anchored[-length:]][change if change[0] <= length else None] += weight
    table: dict[str, Rule] = {}
    for ending in sorted(nodes, key=lambda ending: (len(ending), ending)):
        rivals = nodes[ending]
        inherited = next(
            (table[ending[at:]] for at in range(1, len(ending)) if ending[at:] in table), (0, "")
        )
        choices = [(weight, -change[0], change[1]) for change, weight in rivals.items() if change is not None]
        if not choices:
            continue
        weight, cut, addition = max(choices)
        best = (-cut, addition)
        room = len(ending) - 1 if ending[0] == "^" else len(ending)
        if best != inherited and best[0] <= room and weight - rivals.get(inherited, 0.0) >= GAIN:
            table[ending] = best
    return table


def base_form(table: dict[str, Rule], word: str) -> str:
    anchored = "^" + word
    for length in range(min(LONGEST, len(anchored)), 0, -1):
        if anchored[-length:] in table:
            cut, addition = table[anchored[-length:]]
            return word[: len(word) - cut] + addition
    return word


def share_right(table: dict[str, Rule], words: list[tuple[str, Rule, float]]) -> float:
    right = sum(base_form(table, word) == word[: len(word) - cut] + add for word, (cut, add), _ in words)
    return right / len(words)


def running_right(table: dict[str, Rule], dictionary: dict[str, str], counts: Counter[str]) -> float:
    """The share of running words of four letters and more whose base form is the dictionary's."""
    known = {word: count for word, count in counts.items() if len(word) > 3 and word in dictionary}
    right = sum(count for word, count in known.items() if base_form(table, word) == dictionary[word])
    return right / sum(known.values())


def compound_parts(dictionary: dict[str, str], counts: Counter[str], table: dict[str, Rule]) -> set[str]:
    """Take the base forms that statutes use: all of four letters and more, of three if they do compound."""
    used: Counter[str] = Counter()
    for word, count in counts.items():
        used[dictionary.get(word) or base_form(table, word)] += count
    bases = {
        base for base in dictionary.values() if base.isalpha() and 3 <= len(base) <= 16 and used[base] >= 3
    }
    compounding: Counter[str] = Counter()
    for word in used:
        for cut in range(3, len(word) - 2):
            left, right = word[:cut], word[cut:]
            stem = dictionary.get(left)
            if right in bases and stem in bases and (left == stem or left.endswith("n")):
                compounding.update((stem, right))
    return {base for base in bases if len(base) >= 4 or compounding[base] >= 3}


if __name__ == "__main__":
    main()
