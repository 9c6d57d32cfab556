"""Import packages of models so that none tells its maker anything.

onnxruntime 1.31 is built to send events about its use over the network, on Linux too, and leaves a file for
that in the folder of temporary files as soon as it is imported. Its variable must be set before that.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Final

_RUNTIME: Final = "onnxruntime"
_TELLS_NOBODY: Final = "ORT_DISABLE_TELEMETRY"


def import_quietly(package: str) -> ModuleType:
    """A package; onnxruntime only once it is told to send nothing."""
    if package == _RUNTIME:
        os.environ[_TELLS_NOBODY] = "1"
    return import_module(package)
