"""Descriptions of each operation for the API reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

TAGS: Final[Sequence[Mapping[str, str]]] = (
    {"name": "questions", "description": "Answers with citations, and evidence for another model's prompt."},
    {"name": "law", "description": "The law itself: search, provisions on a date, histories, differences."},
    {"name": "library", "description": "What is held, and your own documents."},
    {"name": "chat", "description": "The same answers in OpenAI's shapes."},
    {"name": "about", "description": "The server: jurisdictions, examples, health, metrics."},
)

_PLACE = "`id` is an identifier (`fi:act:1992/1535/sec_124`) or a citation as lawyers write it."
_DATED = "`as_of` is today where it is left out."

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "POST /api/v1/ask": "Answers with the provisions that govern the question on a date, quoted"
    " exactly, each"
    " with its citation and official address. `outcome` says how far the law answers: ANSWERED, LIKELY,"
    " GUIDANCE, SILENT, OUTSIDE_CORPUS or UNAVAILABLE. A date in the question counts where `as_of` is"
    " left out."
    " With `Accept: text/event-stream`, or `stream=true`, the same is told while it is made.",
    "POST /api/v1/context": "The law that bears on a question, or on the last question of a"
    " conversation, as"
    " one block of numbered evidence within a budget of tokens.",
    "GET /api/v1/search": f"Full-text and vector search together, the best provisions first. {_DATED}",
    "GET /api/v1/provision": "The exact text with the levels above it, its neighbours, its citation and"
    " address"
    f" in each language, and its version line. {_PLACE} {_DATED}",
    "GET /api/v1/tree": f"Numbers, titles and first words of every place of a work. {_PLACE} {_DATED}",
    "GET /api/v1/document": "The whole document around a provision: 150 sections or 100 KB at most, with a"
    f" notice where that is not all. {_PLACE} {_DATED}",
    "POST /api/v1/cite": "Finds citations in any text, says what each means, and whether the library"
    " holds it."
    " Places are counted in code points.",
    "GET /api/v1/keywords": "The keywords of a question, the rarest first, with how many provisions and"
    " documents"
    " hold each.",
    "GET /api/v1/history": f"Every wording since when it stands, and the act that made it. {_PLACE}",
    "GET /api/v1/diff": "Which words went, which came, from which day and by which act; the two dates"
    " may be"
    f" given in either order. {_PLACE}",
    "GET /api/v1/related": "Exceptions, references, definitions, rulings and guidance around a"
    " provision, one or"
    f" two steps away, as nodes and edges. {_PLACE} {_DATED}",
    "GET /api/v1/changes": "The works whose words changed from one day to another, both counted, and what"
    " changed them.",
    "GET /api/v1/library": "Counts by jurisdiction, language and year, and what changed lately.",
    "GET /api/v1/library/works": "Works whose names have all of the words, page by page.",
    "GET /api/v1/library/unresolved": "How many references lead out of the library for each reason, and"
    " some"
    " of them.",
    "GET /api/v1/uploads": "Your own documents, with what was noticed when they were read. They are"
    " never shown"
    " as law.",
    "POST /api/v1/uploads": "Reads one file into the library by its content, whatever its name says. A"
    " file that"
    " is there already answers with 200. Needs the right to upload.",
    "DELETE /api/v1/uploads": "Removes one of your documents everywhere. Needs the right to delete.",
    "GET /api/v1/library/acts": "Asks the publisher, where the server goes out. Needs the right to ingest.",
    "POST /api/v1/library/acts": "From then on the acts can be searched, read and cited. With `Prefer:"
    " respond-async` the answer comes at once, with 202 and the address of the work in `Location`. Needs the"
    " right to ingest.",
    "GET /api/v1/job": "With `wait` it answers when the work has ended, or after as many seconds. Needs the"
    " right to ingest.",
    "GET /api/v1/caches": "What is kept to answer faster, and how often it was of use.",
    "DELETE /api/v1/caches": "Forgets what is kept; nothing of the library is lost. Needs the right to"
    " administer.",
    "GET /api/v1/jobs": "How far each has come, and on which machine. Needs the right to administer.",
    "GET /api/v1/examples": "Questions whose answer is in the sample, for each jurisdiction and language.",
    "GET /api/v1/jurisdictions": "The installed jurisdictions: names, languages and the ranks of their"
    " sources"
    " with reasons; `held` says whether this library has anything of them.",
    "GET /api/v1/health": "Answers as long as the process lives; it reads nothing and needs no key."
    " `status` is `draining` once the server was told to end.",
    "GET /api/v1/ready": "Answers once the library can be read; needs no key.",
    "GET /v1/models": "The library (`pykala`) and each jurisdiction of it (`pykala-fi`, …) as models to ask.",
    "GET /v1/models/{model}": "One of them; what is no model here is a 404.",
    "POST /v1/chat/completions": "The last words of the user are the question; the system's message"
    " instructs"
    " nothing. Citations are in the text, in `annotations`, and, with the outcome, in `citations` and"
    " `outcome`"
    " beside the completion and in `choices[0].logprobs.pykala`, which LangChain keeps. With `stream`, the"
    " words come sentence by sentence.",
    "POST /v1/responses": "The shape of OpenAI's Responses API. Citations are annotations of the text, the"
    " outcome is in `metadata`. Nothing is stored: send the conversation in `input`.",
    "POST /v1/embeddings": "Vectors of the library's own embedder: `pykala-embeddings` reads documents,"
    " `pykala-embeddings-query` questions, in one space.",
}
