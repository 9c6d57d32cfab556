// @ts-check
// The shapes that the server answers with (its OpenAPI document is the reference). Types only.

/** @typedef {{ question: string, as_of: string | null, jurisdiction: string | null, language: string | null }} Before */
/** @typedef {Before & { home?: string, second_opinion?: boolean, online?: boolean, after?: Before | null }} Request */

/** @typedef {{ key: string, provision: string, citation: string, quote: string, start: number, end: number, url: string }} Citation */
/** @typedef {{ text: string, citations: Citation[] }} Claim */
/** @typedef {{ kind: string, provision: string | null, message: string }} Caveat */

/**
 * @typedef {object} Cited
 * @property {string} provision
 * @property {string} citation
 * @property {string} url
 * @property {string} text
 * @property {string} heading
 * @property {string} language
 * @property {string | null} valid_from
 * @property {string | null} valid_to
 * @property {string | null} [adopted]
 * @property {string | null} [in_force]
 * @property {string | null} [current_to]
 * @property {number} authority
 * @property {string} source
 */

/** @typedef {Cited & { relation: string, hops: number, score: number }} Support */
/** @typedef {{ authority: number, reason: string }} Rank */

/**
 * @typedef {object} Conflict
 * @property {string} winner
 * @property {string} loser
 * @property {string} reason
 * @property {string} message
 * @property {string} winner_citation
 * @property {string} loser_citation
 * @property {Rank | null} winner_rank
 * @property {Rank | null} loser_rank
 */

/**
 * @typedef {object} ReasoningNode
 * @property {string} provision
 * @property {string} citation
 * @property {string} heading
 * @property {string} kind
 * @property {string} role
 * @property {number} authority
 * @property {number} order
 * @property {string} label
 */

/** @typedef {{ from: string, to: string, kind: string, text: string, method: string, order: number }} ReasoningEdge */
/** @typedef {{ nodes: ReasoningNode[], edges: ReasoningEdge[] }} Reasoning */
/** @typedef {{ provision: string, citation: string, heading: string, snippet: string, score: number, url: string, valid_from: string | null, valid_to: string | null }} Near */
/** @typedef {{ provision: string, kind: string, text: string, target: string, reason: string }} Unresolved */
/** @typedef {{ stage: string, ms: number } & Record<string, unknown>} Stage */

/** @typedef {{ text: string, keys: string[], verdict: string, findings: { check: string, key: string, message: string }[] }} CheckedClaim */
/** @typedef {{ coverage: number, grounding: number, confidence: number, level: string, claims: CheckedClaim[] }} Verification */

/** @typedef {{ tokens_in: number, tokens_out: number, amount: number, currency: string }} Cost */
/** @typedef {{ notice: string, provider: string, retrieved_at: string, text: string, links: { title: string, url: string }[], problem: string | null, cost: Cost }} SecondOpinion */

/** @typedef {{ text: string, notice: string, model: string }} GeneralGuidance */

/**
 * @typedef {object} Answer
 * @property {string} question
 * @property {string | null} [standalone]
 * @property {boolean} [dated]
 * @property {Answer[]} [parts]
 * @property {string} language
 * @property {string} as_of
 * @property {string | null} [current_to]
 * @property {string | null} jurisdiction
 * @property {string | null} [home]
 * @property {"ANSWERED" | "LIKELY" | "GUIDANCE" | "SILENT" | "OUTSIDE_CORPUS" | "UNAVAILABLE"} outcome
 * @property {number} confidence
 * @property {string} strategy
 * @property {string} writer
 * @property {string[]} fetched
 * @property {string} text
 * @property {Cited | null} primary
 * @property {Support[]} support
 * @property {Claim[]} claims
 * @property {Caveat[]} caveats
 * @property {Conflict[]} conflicts
 * @property {Unresolved[]} unresolved
 * @property {Stage[]} trace
 * @property {Cost} cost
 * @property {number} ms
 * @property {Reasoning} reasoning
 * @property {Near[]} near
 * @property {Verification | null} [verification]
 * @property {SecondOpinion | null} [second_opinion]
 * @property {GeneralGuidance | null} [general]
 */

/** @typedef {{ provision: string, label: string, heading: string, citation: string }} Place */
/** @typedef {{ id: string, title: string, citation: string, kind: string, jurisdiction: string, languages: string[], url: string, authority: number }} Work */
/** @typedef {{ valid_from: string | null, valid_to: string | null, event: string, act: string | null, source_act: string | null, current: boolean }} VersionMark */

/**
 * @typedef {object} ShownExtras
 * @property {string} event
 * @property {string} application
 * @property {string[]} languages
 * @property {Caveat[]} caveats
 * @property {Work} work
 * @property {Place[]} breadcrumbs
 * @property {string} label
 * @property {Place | null} previous
 * @property {Place | null} next
 * @property {Record<string, string>} citations
 * @property {Record<string, string>} urls
 * @property {VersionMark[]} version_line
 * @property {string} as_of
 */
/** @typedef {Cited & ShownExtras} Shown */

/** @typedef {{ provision: string, kind: string, label: string, heading: string, text: string, depth: number, parent: string | null }} Section */

/**
 * @typedef {object} Document_
 * @property {Work} work
 * @property {string} provision
 * @property {string} language
 * @property {Section[]} sections
 * @property {{ provision: string, text: string | null, spans: { provision: string, start: number, end: number, prefix: number }[] }} target
 * @property {number} total_sections
 * @property {number} shown_sections
 * @property {boolean} truncated
 * @property {string | null} notice
 * @property {string | null} language_note
 */

/** @typedef {{ provision: string, citation: string, label: string, alteration: string, event: string | null, since: string | null, act: string | null, words: ["same" | "removed" | "added", string][] }} Difference */
/** @typedef {{ provision: string, citation: string, first: string, second: string, unchanged: number, caveats: Caveat[], differences: Difference[] }} Comparison */

/** @typedef {{ code: string, names: Record<string, string[]>, languages: string[], default_language: string, publisher: string, held: boolean }} Jurisdiction */

export {};
