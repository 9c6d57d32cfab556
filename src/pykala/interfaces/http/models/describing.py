"""What all models share: what is described is all there is."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Day = Annotated[date, Field(examples=["2026-01-01"])]
Identifier = Annotated[str, Field(examples=["fi:act:1992/1535/sec_124/subsec_2"])]


class Described(BaseModel):
    """What is described is all there is."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
