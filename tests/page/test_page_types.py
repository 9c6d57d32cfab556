"""The page's types are those of the models that the OpenAPI document is made of."""

from __future__ import annotations

import re

from docsite.page_types import FILE, contract
from pykala.interfaces.web import STATIC


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    assert FILE.read_text("utf-8") == contract(), "run: python -m docsite.page_types"


def test_every_type_that_a_module_names_exists() -> None:
    known = set(re.findall(r"\} (\w+)(?: \*/)?$", contract(), re.MULTILINE))
    modules = (path.read_text("utf-8") for path in (STATIC / "modules").glob("*.js"))
    named = {name for text in modules for name in re.findall(r'contract\.js"\)\.(\w+)', text)}
    assert named - known == set()
