"""The types that a library's methods return and that their results hold, beside the names of `pykala` itself.

They are there to annotate with and to compare with (`one.kind is EdgeKind.EXCEPTS`):

>>> from pykala.results import EdgeKind, TreeNode
"""

from __future__ import annotations

from pykala.answer.citations_in import CitationInText, CitedTarget
from pykala.answer.replay import AnswerRecord, ChangeKind, Replay, ReplayChange
from pykala.draft.context import ContextItem
from pykala.draft.keyed import KeyedProvision
from pykala.fetch.refusals import Refusal
from pykala.graph.walk import Visited
from pykala.law.answers import (
    Evidence,
    GeneralGuidance,
    Judgement,
    PathStep,
    Relation,
    StageName,
    StrategyName,
)
from pykala.law.checks import Check, CheckedClaim, DraftClaim, Finding, Verdict, Verification
from pykala.law.composition import Composed, Line
from pykala.law.identifiers import Step
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, ProvisionKind
from pykala.law.references import Edge, EdgeKind, Method, Unresolved, UnresolvedReference
from pykala.law.standing import Standing
from pykala.library.inbox import InboxReport
from pykala.models.second_opinion import Advice, Link
from pykala.online.acts import FetchReport
from pykala.packs.pack import ActFound
from pykala.retrieve.navigate import Destination
from pykala.retrieve.tree import TreeNode
from pykala.stores.holding import Held
from pykala.stores.values import Match, PassageWords
from pykala.versions.chains import Change, Moment
from pykala.versions.differences import Alteration, Difference, Mark, Piece
from pykala.versions.mismatches import CitedChain, Wording
from pykala.views.hydrate import Block, HydratedDocument
from pykala.views.keywords import Keyword
from pykala.views.reasoning import Node, Reasoning
from pykala.views.surroundings import Place, Surroundings

__all__ = [
    "ActFound",
    "Advice",
    "Alteration",
    "AnswerRecord",
    "Block",
    "Change",
    "ChangeKind",
    "Check",
    "CheckedClaim",
    "CitationInText",
    "CitedChain",
    "CitedTarget",
    "Composed",
    "ContextItem",
    "Destination",
    "Difference",
    "DraftClaim",
    "Edge",
    "EdgeKind",
    "Event",
    "Evidence",
    "FetchReport",
    "Finding",
    "GeneralGuidance",
    "Held",
    "HydratedDocument",
    "InboxReport",
    "Judgement",
    "KeyedProvision",
    "Keyword",
    "Line",
    "Link",
    "Mark",
    "Match",
    "Message",
    "Method",
    "Moment",
    "Node",
    "PassageWords",
    "PathStep",
    "Piece",
    "Place",
    "Provision",
    "ProvisionKind",
    "Reasoning",
    "Refusal",
    "Relation",
    "Replay",
    "ReplayChange",
    "StageName",
    "Standing",
    "Step",
    "StrategyName",
    "Surroundings",
    "TreeNode",
    "Unresolved",
    "UnresolvedReference",
    "Verdict",
    "Verification",
    "Visited",
    "Wording",
]
