// @ts-check
// The shapes that the server answers with: types only. `python -m docsite.page_types` writes this file from
// the records that the OpenAPI document is made of; a test holds the two together.

// What the page sends.
/** @typedef {{ question: string, as_of: string | null, jurisdiction: string | null,
 *   language: string | null }} Before */
/** @typedef {Before & { home?: string, second_opinion?: boolean, online?: boolean,
 *   after?: Before | null }} Request */

// What the server answers.
/** @typedef {{ number: string, title: string, date: string | null, url: string }} Act */

/**
 * @typedef {object} Answer
 * @property {string} id
 * @property {string} question
 * @property {string | null} standalone
 * @property {string} language
 * @property {string} as_of
 * @property {string | null} current_to
 * @property {boolean} dated
 * @property {Outcome} outcome
 * @property {string} outcome_text
 * @property {number} confidence
 * @property {StrategyName} strategy
 * @property {string} writer
 * @property {string[]} fetched
 * @property {string | null} home
 * @property {string} text
 * @property {Cited | null} primary
 * @property {Support[]} support
 * @property {Step[]} path
 * @property {Claim[]} claims
 * @property {Caveat[]} caveats
 * @property {Conflict[]} conflicts
 * @property {Considered[]} evidence
 * @property {pykala__records__answers__Unresolved[]} unresolved
 * @property {Stage[]} trace
 * @property {Verification | null} verification
 * @property {string | null} kind
 * @property {Judgement | null} judgement
 * @property {GeneralGuidance | null} general
 * @property {Structured} structured
 * @property {Cost} cost
 * @property {string | null} jurisdiction
 * @property {Answer[]} parts
 * @property {Record<string, string> | null} [library]
 * @property {SecondOpinion | null} [second_opinion]
 * @property {number} ms
 * @property {Reasoning} reasoning
 * @property {Near[]} near
 */
/** @typedef {{ kind: CaveatKind, provision: string | null, message: string }} Caveat */
/** @typedef {"SUSPECT" | "STALE" | "REPEALED" | "NOT_YET_IN_FORCE" | "HISTORY_UNAVAILABLE" | "OUTRANKED" | "OTHER_LANGUAGE" | "DEGRADED" | "UNRESOLVED_REFERENCE" | "SAMPLE" | "TRANSLATION" | "GUIDANCE" | "APPLICATION" | "PLACE" | "UPLOAD" | "UNCALIBRATED" | "BEYOND_CURRENT_TO" | "NOT_YET_APPLICABLE" | "GENERAL_GUIDANCE"} CaveatKind */
/** @typedef {{ text: string, keys: string[], start: number, end: number, verdict: string, supported_by: string[], findings: DraftFinding[] }} CheckedClaim */
/** @typedef {{ provision: string, kind: string, label: string, heading: string, text: string }} Child */
/** @typedef {{ key: string, provision: string, citation: string, quote: string, start: number, end: number, url: string }} Citation */

/**
 * @typedef {object} Cited
 * @property {string | null} valid_from
 * @property {string | null} valid_to
 * @property {string} provision
 * @property {string} citation
 * @property {string} url
 * @property {string} text
 * @property {string} heading
 * @property {string} language
 * @property {string | null} adopted
 * @property {string | null} in_force
 * @property {string | null} current_to
 * @property {number} authority
 * @property {string} source
 * @property {string | null} [notice]
 */
/** @typedef {{ provisions: number, works: number }} CitedBy */
/** @typedef {{ text: string, citations: Citation[] }} Claim */
/** @typedef {{ provision: string, citation: string, first: string, second: string, unchanged: number, differences: Difference[], caveats: Caveat[] }} Comparison */
/** @typedef {{ winner: string, loser: string, reason: string, message: string, winner_citation: string, winner_rank: Rank, loser_citation: string, loser_rank: Rank }} Conflict */
/** @typedef {{ provision: string, score: number, authority: number }} Considered */
/** @typedef {{ tokens_in: number, tokens_out: number, amount: number, currency: string }} Cost */

/**
 * @typedef {object} Difference
 * @property {string | null} source_act
 * @property {string | null} act
 * @property {string} provision
 * @property {string} citation
 * @property {string} label
 * @property {string} alteration
 * @property {string | null} formerly
 * @property {Event | null} event
 * @property {string | null} since
 * @property {(["same" | "removed" | "added", string])[]} words
 */

/**
 * @typedef {object} Document_
 * @property {Work} work
 * @property {string} label
 * @property {Place[]} breadcrumbs
 * @property {Place | null} previous
 * @property {Place | null} next
 * @property {Record<string, string>} citations
 * @property {Record<string, string>} urls
 * @property {string} provision
 * @property {string} as_of
 * @property {string} language
 * @property {string[]} languages
 * @property {Section[]} sections
 * @property {Target} target
 * @property {number} total_sections
 * @property {number} shown_sections
 * @property {boolean} truncated
 * @property {string | null} notice
 * @property {string | null} language_note
 * @property {Caveat[]} caveats
 */
/** @typedef {{ check: string, key: string, message: string }} DraftFinding */
/** @typedef {"parent_of" | "cites" | "interprets" | "applies" | "excepts" | "defines" | "defined_in" | "amends" | "inserts" | "repeals" | "supersedes" | "appeals" | "transposes" | "translation_of"} EdgeKind */
/** @typedef {"enacted" | "amended" | "inserted" | "repealed" | "renumbered" | "temporary" | "corrected"} Event */
/** @typedef {{ found: Act[], fetched: string[], refused: Refused[] }} Fetched */
/** @typedef {{ figure: string, unit: string, words: string, key: string }} Figure */
/** @typedef {{ text: string, notice: string, model: string }} GeneralGuidance */
/** @typedef {{ id: string, name: string, machine: string, began: string, told: string, done: number, total: number, ended: string, reason: string, fetched: Fetched | null }} JobLine */
/** @typedef {{ model: string, grades: ModelGrade[], before: Outcome, after: Outcome, problem: string | null }} Judgement */
/** @typedef {{ code: string, publisher: string, languages: string[], authority: Record<string, RankReason>, names: Record<string, string[]>, default_language: string, held: boolean }} Jurisdiction */
/** @typedef {{ jurisdictions: Jurisdiction[] }} Jurisdictions */
/** @typedef {"structure" | "anchor" | "citation" | "definition" | "exception" | "amendment"} Method */
/** @typedef {{ provision: string, grade: number }} ModelGrade */
/** @typedef {{ valid_from: string | null, valid_to: string | null, provision: string, citation: string, heading: string, snippet: string, score: number, url: string, language: string, authority: number }} Near */
/** @typedef {"ANSWERED" | "LIKELY" | "GUIDANCE" | "SILENT" | "OUTSIDE_CORPUS" | "UNAVAILABLE"} Outcome */
/** @typedef {{ provision: string, label: string, heading: string, citation: string }} Place */
/** @typedef {{ authority: number, kind: WorkKind, reason: string }} Rank */
/** @typedef {{ rank: number, reason: string }} RankReason */
/** @typedef {{ nodes: ReasoningNode[], edges: ReasoningEdge[] }} Reasoning */
/** @typedef {{ valid_from: string | null, valid_to: string | null, kind: EdgeKind, from: string, to: string, method: Method, text: string, language: string, start: number, end: number, order: number }} ReasoningEdge */
/** @typedef {{ provision: string, citation: string, heading: string, label: string, kind: WorkKind, role: string, authority: number, url: string, order: number }} ReasoningNode */
/** @typedef {{ path: string, reason: string }} Refused */
/** @typedef {"the rule it departs from" | "lays down what it leaves open" | "exception to it" | "cited by it" | "cites it" | "interpreted by it" | "guidance on it" | "applied by it" | "ruling that applies it" | "defined by it" | "defines a term of it" | "uses a term it defines" | "amended by it" | "amends it" | "appealed from" | "appeal against it" | "superseded by it" | "supersedes it" | "the Union act it carries out" | "carries it out" | "also asked for" | "also about this" | "may be the answer instead" | "possibly related" | "nearest" | "dated" | "counted" | "amended" | "began" | "ended" | "first" | "last" | "parent_of" | "inserts" | "repeals" | "translation_of"} Relation */
/** @typedef {{ notice: string, provider: string, retrieved_at: string, text: string, links: WebLink[], problem: string | null, cost: Cost }} SecondOpinion */
/** @typedef {{ provision: string, parent: string | null, kind: string, label: string, heading: string, text: string, depth: number }} Section */

/**
 * @typedef {object} Shown
 * @property {Work} work
 * @property {string} label
 * @property {Place[]} breadcrumbs
 * @property {Place | null} previous
 * @property {Place | null} next
 * @property {Record<string, string>} citations
 * @property {Record<string, string>} urls
 * @property {string | null} valid_from
 * @property {string | null} valid_to
 * @property {string} provision
 * @property {string} citation
 * @property {string} url
 * @property {string} text
 * @property {string} heading
 * @property {string} language
 * @property {string | null} adopted
 * @property {string | null} in_force
 * @property {string | null} current_to
 * @property {number} authority
 * @property {string} source
 * @property {string | null} [notice]
 * @property {Event} event
 * @property {string | null} source_act
 * @property {string} application
 * @property {string[]} languages
 * @property {CitedBy} cited_by
 * @property {Child[]} children
 * @property {Caveat[]} caveats
 * @property {VersionMark[]} version_line
 * @property {string} as_of
 */
/** @typedef {{ provision: string, start: number, end: number, prefix: number }} Span */
/** @typedef {{ stage: StageName, ms: number } & Record<string, unknown>} Stage */
/** @typedef {"understand" | "indexes" | "search" | "grade" | "other languages" | "later wording" | "pinpoint" | "walk" | "answer" | "grader" | "draft" | "verify" | "online" | "cache"} StageName */
/** @typedef {{ from: string, kind: EdgeKind, to: string }} Step */
/** @typedef {"default" | "case_law" | "recency" | "definition" | "cross_source" | "multi_hop" | "metadata" | "parts"} StrategyName */
/** @typedef {{ kind: string | null, outcome: Outcome, short_answer: string | null, figures: Figure[], citations: StructuredCitation[], open_parts: string[], parts: StructuredPart[] }} Structured */
/** @typedef {{ valid_from: string | null, valid_to: string | null, key: string, provision: string, citation: string, url: string, quote: string }} StructuredCitation */
/** @typedef {{ kind: string | null, outcome: Outcome, short_answer: string | null, figures: Figure[], citations: StructuredCitation[], open_parts: string[], parts: StructuredPart[], question: string }} StructuredPart */

/**
 * @typedef {object} Support
 * @property {string | null} valid_from
 * @property {string | null} valid_to
 * @property {string} provision
 * @property {string} citation
 * @property {string} url
 * @property {string} text
 * @property {string} heading
 * @property {string} language
 * @property {string | null} adopted
 * @property {string | null} in_force
 * @property {string | null} current_to
 * @property {number} authority
 * @property {string} source
 * @property {string | null} [notice]
 * @property {Relation} relation
 * @property {number} hops
 * @property {number} score
 */
/** @typedef {{ provision: string, text: string | null, spans: Span[] }} Target */
/** @typedef {{ coverage: number, grounding: number, confidence: number, level: string, claims: CheckedClaim[] }} Verification */
/** @typedef {{ source_act: string | null, act: string | null, valid_from: string | null, valid_to: string | null, event: string, current: boolean }} VersionMark */
/** @typedef {{ title: string, url: string }} WebLink */
/** @typedef {{ id: string, title: string, citation: string, kind: WorkKind, jurisdiction: string, languages: string[], url: string, authority: number }} Work */
/** @typedef {"act" | "decree" | "regulation" | "directive" | "decision" | "treaty" | "code" | "case" | "guidance" | "upload"} WorkKind */
/** @typedef {"outside the corpus" | "not yet loaded" | "no such provision in the loaded text" | "several works answer to the name" | "not understood"} pykala__law__references__Unresolved */
/** @typedef {{ provision: string, kind: EdgeKind, text: string, target: string, reason: pykala__law__references__Unresolved }} pykala__records__answers__Unresolved */

export {};
