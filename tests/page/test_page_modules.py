"""The page's modules that compute something, in the browser that runs them: streams, spans, links, layout."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser

from page_visits import Visit, visiting

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Any:
    with visiting(browser, address) as visit:
        visit.go()
        yield visit.page


EVENTS = """
async ([bytes, cuts]) => {
  const { events } = (await import("/static/page.js")).streaming;
  const whole = new Uint8Array(bytes);
  const ends = [...cuts, whole.length];
  const body = new ReadableStream({
    start(stream) {
      let from = 0;
      for (const end of ends) { stream.enqueue(whole.slice(from, end)); from = end; }
      stream.close();
    },
  });
  const heard = [];
  for await (const one of events(body)) heard.push(one);
  return heard;
}
"""


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    texts=st.lists(TEXT, min_size=1, max_size=3),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_stream_may_be_cut_anywhere(page: Any, data: st.DataObject, texts: list[str], newline: str) -> None:
    lines = [f"event: text{newline}data: {json.dumps({'text': text})}{newline}{newline}" for text in texts]
    whole = (f": a heartbeat{newline}{newline}" + "".join(lines)).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    heard = page.evaluate(EVENTS, [list(whole), cuts])
    assert [(one["name"], one["data"]["text"]) for one in heard] == [("text", text) for text in texts]


@settings(max_examples=60, deadline=None)
@given(text=st.text("aä§€𝔸😀\n", max_size=12), start=st.integers(0, 12), size=st.integers(0, 12))
def test_spans_count_as_the_server_counts(page: Any, text: str, start: int, size: int) -> None:
    pieces = page.evaluate(
        """async ([text, start, end]) => {
          const { cut } = (await import("/static/page.js")).spans;
          return cut(text, { start, end });
        }""",
        [text, start, start + size],
    )
    assert "".join(one["text"] for one in pieces) == text
    assert "".join(one["text"] for one in pieces if one["marked"]) == text[start : start + size]


_RATES = "When the rent is:  The rate is:\n$2,500 or over     5%\n$5,000 or over     6 1/4%"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (f"Every tenant pays:\n{_RATES}\nFor a shorter period less.", [_RATES]),
        (_RATES, [_RATES]),
        (f"{_RATES}\nand\n{_RATES}", [_RATES, _RATES]),
        ("One sentence.  Another one.\nThe next line.", []),
        ("1) food;\n2) books.", []),
    ],
)
def test_the_rows_of_a_table_keep_their_columns(page: Any, text: str, rows: list[str]) -> None:
    whole, found = page.evaluate(
        """async (text) => {
          const { withTableRows } = (await import("/static/page.js")).table_rows;
          const made = document.createElement("p");
          made.append(...withTableRows(text));
          return [made.textContent, [...made.querySelectorAll(".table-rows")].map((one) => one.textContent)];
        }""",
        text,
    )
    assert (whole, found) == (text, rows)


@settings(max_examples=40, deadline=None)
@given(question=TEXT.map(str.strip).filter(bool), day=st.dates().map(str) | st.none())
def test_a_link_holds_what_was_asked(page: Any, question: str, day: str | None) -> None:
    asked = {"question": question, "as_of": day, "jurisdiction": "fi", "language": None}
    found = page.evaluate(
        """async (asked) => {
          const { toHash, fromAddress } = (await import("/static/page.js")).requests;
          const address = new URL(toHash(asked), "http://127.0.0.1/");
          return fromAddress(address);
        }""",
        asked,
    )
    assert found == asked


IDENTIFIERS = st.text("abcåäö§:/_-0123456789 %?#&+", min_size=1, max_size=30)
DAYS = st.dates().map(str)


@settings(max_examples=40, deadline=None)
@given(
    provision=IDENTIFIERS, day=DAYS, pair=st.none() | st.tuples(DAYS, DAYS), span=st.none() | st.just((3, 9))
)
def test_an_address_holds_what_is_read(
    page: Any, provision: str, day: str, pair: tuple[str, str] | None, span: tuple[int, int] | None
) -> None:
    reading: dict[str, object] = {"provision": provision, "as_of": day, "language": "fi"}
    if pair:
        reading |= {"first": pair[0], "second": pair[1]}
    if span:
        reading |= {"start": span[0], "end": span[1]}
    found = page.evaluate(
        """async (reading) => {
          const { toPath, fromPath } = (await import("/static/page.js")).addresses;
          return fromPath(new URL(toPath(reading), "http://127.0.0.1/"));
        }""",
        reading,
    )
    assert found == reading


LAYOUT = """
async ([nodes, edges, width]) => {
  const { layout, noteHeight } = (await import("/static/page.js")).graph_layout;
  const words = { wrap: (text) => [text], title: (node) => node.citation, note: () => ["why", "words"] };
  const made = layout(nodes, edges, width, words);
  const boxes = made.boxes.map((one) => ({
    left: one.x,
    right: one.x + one.width,
    top: one.y - noteHeight(one),
    bottom: one.y + one.height,
    parent: one.parent,
  }));
  return { boxes, links: made.links.length, height: made.height };
}
"""


@settings(max_examples=40, deadline=None)
@given(data=st.data(), size=st.integers(1, 10), width=st.integers(280, 700))
def test_boxes_of_the_graph_never_touch(page: Any, data: st.DataObject, size: int, width: int) -> None:
    def node(number: int) -> dict[str, object]:
        return {"provision": f"x:{number}", "citation": "A", "heading": "", "role": "", "order": number}

    edges = [
        {
            "from": f"x:{number}",
            "to": f"x:{data.draw(st.integers(0, number - 1))}",
            "kind": "cites",
            "text": "",
        }
        for number in range(1, size)
    ]
    made = page.evaluate(LAYOUT, [[node(number) for number in range(size)], edges, width])
    boxes = made["boxes"]
    assert len(boxes) == size
    assert made["links"] == size - 1
    assert [one["parent"] for one in boxes[1:]] == [edge["to"] for edge in edges]  # no edge is lost
    for place, one in enumerate(boxes):
        assert one["left"] >= 0
        assert one["right"] <= width + 0.01
        assert one["bottom"] <= made["height"]
        for other in boxes[:place]:
            apart = one["left"] >= other["right"] or other["left"] >= one["right"]
            assert apart or one["top"] >= other["bottom"] or other["top"] >= one["bottom"]


def test_the_same_request_is_kept_once_and_a_full_storage_gives_up_its_oldest(visit: Visit) -> None:
    visit.go()
    kept = visit.page.evaluate(
        """async () => {
          const { add, entries } = (await import("/static/page.js")).history;
          const answer = { outcome: "SILENT", as_of: "2026-01-01", padding: "x".repeat(400000) };
          const asked = (question) => ({ question, as_of: null, jurisdiction: null, language: null });
          for (let n = 0; n < 20; n += 1) add(asked(`question ${n}`), answer);
          add(asked("question 19"), answer);
          return entries().map((one) => one.request.question);
        }"""
    )
    assert kept[0] == "question 19"
    assert len(set(kept)) == len(kept) < 20  # five million characters are more than a browser keeps


def mark(
    valid_from: str | None, event: str, act: str | None = None, until: str | None = None
) -> dict[str, Any]:
    return {"valid_from": valid_from, "valid_to": until, "event": event, "act": act, "source_act": None}


MARKS = [
    mark(None, "enacted", until="1993-01-01"),
    mark("1993-01-01", "amended", "Laki tuloverolain muuttamisesta (785/2012)", "2030-01-01"),
    mark("2030-01-01", "ended"),
    mark(None, "pending", "Laki tuloverolain 20 §:n muuttamisesta (162/2007)"),
]
TIMELINE = """
async ([marks, day]) => {
  const { timeline } = (await import("/static/page.js")).timeline;
  const nothing = () => {};
  const made = timeline(marks, day, { onday: nothing, onpair: nothing, onask: nothing });
  return [...made.querySelectorAll(".mark")].map((one) => ({
    words: [...one.querySelectorAll(".mark-day > span")].map((part) => part.textContent),
    shown: one.classList.contains("shown"),
    closed: one.querySelector("input").disabled && one.querySelector("button").disabled,
  }));
}
"""


@pytest.mark.parametrize(
    ("day", "shown"), [("1950-01-01", 0), ("1993-01-01", 1), ("2029-12-31", 1), ("2030-01-01", 2)]
)
def test_what_is_pending_is_never_the_version_that_is_read(page: Any, day: str, shown: int) -> None:
    made = page.evaluate(TIMELINE, [MARKS, day])
    assert [one["shown"] for one in made] == [place == shown for place in range(len(MARKS))]
    assert [one["closed"] for one in made] == [False, False, False, True]
    assert made[0]["words"] == ["from the beginning", "enacted"]
    assert made[1]["words"] == ["1 Jan 1993", "amended · 785/2012"], "an act is told apart by its number"
    assert made[3]["words"][0] == "date not known"


ONLY = """
async (marks) => {
  const { onlyVersion } = (await import("/static/page.js")).timeline;
  const made = onlyVersion(marks, "2026-01-01", () => {});
  return made && { words: made.textContent, boxes: made.querySelectorAll("input").length };
}
"""


def test_one_version_is_words_and_not_offered_for_comparison(page: Any) -> None:
    told = page.evaluate(ONLY, [mark("1993-01-01", "enacted")])
    assert told["words"].startswith("One version, in force since 1 Jan 1993")
    assert told["boxes"] == 0
    assert page.evaluate(ONLY, [mark(None, "enacted")]) is None  # nobody knows since when


@pytest.mark.parametrize(
    ("alteration", "coloured", "words"), [("added", 1, "no text"), ("unknown", 0, "not held")]
)
def test_a_wording_that_is_not_held_makes_the_other_no_addition(
    page: Any, alteration: str, coloured: int, words: str
) -> None:
    place = {"provision": "fi:act:1992/1535/sec_1", "citation": "TVL 1 §", "label": "1 §"}
    difference = place | {"alteration": alteration, "act": None, "since": None}
    found = {
        "provision": "fi:act:1992/1535",
        "first": "2012-12-31",
        "second": "2025-01-01",
        "unchanged": 0,
        "caveats": [],
        "differences": [difference | {"words": [["added", "The tax is due."]]}],
    }
    where, left, right, marked = page.evaluate(
        """async (found) => {
          const { comparison } = (await import("/static/page.js")).comparison;
          const made = comparison(found, () => {});
          const side = (name) => made.querySelector(`.side.${name} > p:last-child`).textContent;
          const where = made.querySelector(".difference-head strong").textContent;
          return [where, side("removed"), side("added"), made.querySelectorAll("ins, del").length];
        }""",
        found,
    )
    assert where == "TVL 1 §"
    assert words in left
    assert (right, marked) == ("The tax is due.", coloured)


def _caveat(about: str) -> dict[str, str | None]:
    if about == "SAMPLE":
        return {"kind": "SAMPLE", "provision": None, "message": ""}
    return {"kind": "GUIDANCE", "provision": about, "message": ""}


@pytest.mark.parametrize(
    ("provision", "caveat", "writer", "words"),
    [
        ("fi:act:1992/1535/sec_124", None, "", "In the law's own words"),
        ("fi:vero:x/sec_1", "fi:vero:x/sec_1", "", "guidance, which is not the law"),
        ("fi:act:1992/1535/sec_124", "fi:vero:x/sec_1", "", "In the law's own words"),
        ("up:3427d1e432313145/sec_1", None, "", "From your own document, not law"),
        ("up:3427d1e432313145/sec_1", None, "a-model", "Drafted by a-model from a document that you added"),
        ("fi:act:1992/1535/sec_124", "SAMPLE", "", "In the words of a paraphrase, which is not the law."),
    ],
)
def test_the_banner_says_whose_words_they_are(
    page: Any, provision: str, caveat: str | None, writer: str, words: str
) -> None:
    answer = {
        "outcome": "ANSWERED",
        "confidence": 9.0,
        "writer": writer,
        "primary": {"provision": provision},
        "caveats": [_caveat(caveat)] if caveat else [],
    }
    said = page.evaluate(
        """async (answer) => {
          const { banner } = (await import("/static/page.js")).outcomes;
          return banner(answer).textContent;
        }""",
        answer,
    )
    assert words in said


FOLDED = """
async (answer) => {
  const { caveatList } = (await import("/static/page.js")).cautions;
  const list = caveatList(answer, () => {});
  const rows = [...list.querySelectorAll("li[data-caveat]")];
  return {
    open: rows.filter((one) => !one.closest("details")).map((one) => one.dataset.caveat),
    folded: [...list.querySelectorAll("details li .place")].map((one) => one.textContent),
    summaries: [...list.querySelectorAll("summary")].map((one) => one.textContent),
  };
}
"""


@pytest.mark.parametrize(
    ("beside", "folded", "summaries"),
    [
        (3, [], []),
        (4, ["guide 2", "guide 3"], ["2 more beside the answer: Text in doubt"]),
        (6, ["guide 2", "guide 3", "guide 4", "guide 5"], ["4 more beside the answer: Text in doubt"]),
    ],
)
def test_many_alike_caveats_of_texts_beside_the_answer_are_folded_and_those_of_the_answer_never(
    page: Any, beside: int, folded: list[str], summaries: list[str]
) -> None:
    guides = [f"fi:vero:{n}/sec_1" for n in range(beside)]
    doubted = ["fi:act:1992/1535/sec_124"] * 3 + guides
    answer = {
        "primary": {"provision": "fi:act:1992/1535/sec_124"},
        "support": [
            {"provision": one, "language": "fi", "citation": f"guide {n}"} for n, one in enumerate(guides)
        ],
        "conflicts": [],
        "caveats": [
            *({"kind": "SUSPECT", "provision": one, "message": "no date"} for one in doubted),
            {"kind": "STALE", "provision": guides[0], "message": "old"},
        ],
    }
    told = page.evaluate(FOLDED, answer)
    assert told["open"] == ["SUSPECT"] * (3 + beside - len(folded)) + ["STALE"]
    assert told["folded"] == folded
    assert told["summaries"] == summaries


UNBROKEN = """
async (text) => {
  const { unbroken } = (await import("/static/page.js")).unbroken;
  const pieces = unbroken(text);
  const together = pieces.filter((one) => typeof one !== "string").map((one) => one.textContent);
  return [pieces.map((one) => (typeof one === "string" ? one : one.textContent)).join(""), together];
}
"""


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("ylittää 30 000 euroa, vuonna 2004 716 kertaa", ["30 000"]),
        ("Edellä 21 §:n 1 momentissa ja 18 a § säädetään", ["21 §:n", "18 a §"]),
        ("Act, s. 19(1) and § 11-245.3, until 2026-11-19", ["s. 19(1)", "§ 11-245.3", "2026-11-19"]),
        ("1 234 567,50 ja 12 34", ["1 234 567,50"]),
        ("no numbers", []),
    ],
)
def test_numbers_and_citations_are_not_broken(page: Any, text: str, together: list[str]) -> None:
    assert page.evaluate(UNBROKEN, text) == [text, together]


@given(TEXT)
@settings(max_examples=40)
def test_what_is_not_broken_is_the_text(page: Any, text: str) -> None:
    assert page.evaluate(UNBROKEN, text)[0] == text


def test_a_greeting_is_greeted_and_not_asked(page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/ask" in request.url else None)
    for greeting in ("hello", "Hyvää  päivää!"):
        page.fill("#question", greeting)
        page.press("#question", "Enter")
    assert "Hello" in page.locator(".alert.note").last.inner_text()
    assert asked == []
