"""What can go wrong with a hosted or local model, each with what happened, why, and the next step.

No message repeats more of a service's response than a short reason, and none contains a key: `Key` prints as
dots, and it is removed from a service's message before that is repeated.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST_REASON: Final = 200
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")
_HIDDEN: Final = "•••"


class Key:
    """A secret that prints as dots; only `reveal` returns it, to the connection that needs it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text.strip()

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return f"Key({_HIDDEN if self._text else ''})"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a key is not written anywhere")

    def reveal(self) -> str:
        """The secret itself."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """A text with the secret removed."""
        return text.replace(self._text, _HIDDEN) if self._text else text


class ModelError(Exception):
    """An error of a model; the message says what, why and what to do next."""


class ModelMisconfigured(ModelError):
    """The settings name no model that can be used."""


class ModelDamaged(ModelMisconfigured):
    """A truncated or misshapen model file; the message names it. The search by words still answers."""


class MissingKey(ModelError):
    """A service needs a key, and none is set."""

    def __init__(self, service: str, variable: str) -> None:
        super().__init__(f"{service} needs a key and none is set; set {variable} to your own key")


class KeyRefused(ModelError):
    """The service does not accept the key (401, 403)."""


class OutOfCredit(ModelError):
    """The account behind the key has no credit left (402, or a spending limit of the service)."""


class RateLimited(ModelError):
    """The service gets too many requests (429), and waiting did not help."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        self.wait = wait
        super().__init__(message)


class ModelUnavailable(ModelError):
    """The service cannot be reached, or answers that it cannot serve now (5xx)."""


class ContextTooLong(ModelError):
    """The question and its evidence are longer than the model can read."""


class RequestRefused(ModelError):
    """The service refuses the request for another reason: an unknown model, a parameter it lacks."""


class MalformedReply(ModelError):
    """The reply does not follow the protocol."""


class CutReply(ModelError):
    """The reply is incomplete: the connection broke, or the time limit was reached."""


class PackageMissing(ModelError):
    """A local model needs a package that is not installed."""


def shortened(reason: str, key: Key) -> str:
    """A service's own message, on one line, without the key, and shortened."""
    plain = " ".join(_UNSEEN.sub(" ", key.hidden_in(reason)).split())
    return plain if len(plain) <= _LONGEST_REASON else f"{plain[:_LONGEST_REASON]}…"
