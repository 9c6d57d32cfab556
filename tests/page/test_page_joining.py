"""The page's modules as one script and its style sheets as one: joined, refused, joined anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from pykala.interfaces.http import page
from pykala.interfaces.web import joining

MAIN = 'import { a as one } from "./first.js";\nimport {\n  b,\n} from "./second.js";\n\nb(one);\n'
FIRST = 'import { b } from "./second.js";\nexport const a = () => b(1);\n'
SECOND = (
    "let told = 0;\nexport function b(x) {\n  told = x;\n}\nexport async function* c() {}\nexport class D {}"
)

JOINED = """\
const module_second = (() => { // second.js
let told = 0;
function b(x) {
  told = x;
}
async function* c() {}
class D {}
return { b, c, D };
})();
const module_first = (() => { // first.js
const { b } = module_second;
const a = () => b(1);
return { a };
})();
const module_main = (() => { // main.js
const { a: one } = module_first;
const {
  b,
} = module_second;

b(one);
return {  };
})();
export { module_second as second, module_first as first, module_main as main };
"""


def page_of(folder: Path, **modules: str) -> Path:
    (folder / "modules").mkdir()
    for name, source in modules.items():
        (folder / "modules" / f"{name}.js").write_text(source, "utf-8")
    return folder / "modules"


def test_a_module_comes_after_those_that_it_needs(tmp_path: Path) -> None:
    assert (
        joining.script(page_of(tmp_path, main=MAIN, first=FIRST, second=SECOND + "\n", alone="lost();"))
        == JOINED
    )


@pytest.mark.parametrize(
    ("main", "refused"),
    [
        ('import { a } from "./absent.js";\n', "a module is not there: main → absent"),
        ('import { a } from "./main.js";\n', "modules need each other: main → main"),
        ('import "./first.js";\n', 'main.js has a line that cannot be joined: import "./first.js";'),
        ('import * as x from "./first.js";\n', "cannot be joined: import"),
        ('import x from "./first.js";\n', "cannot be joined: import"),
        ("export default 1;\n", "cannot be joined: export default 1;"),
        ("export let told = 1;\n", "cannot be joined: export let told"),  # it would be read once
        ("export { told };\n", "cannot be joined: export { told };"),
        ("const told = await fetch();\n", "cannot be joined: const told = await"),
    ],
)
def test_what_is_written_otherwise_is_refused(tmp_path: Path, main: str, refused: str) -> None:
    modules = page_of(tmp_path, main=main, first="export const a = 1;\n")
    with pytest.raises(ValueError, match="main") as error:
        joining.script(modules)
    assert refused in str(error.value)


def test_style_sheets_stand_in_the_order_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "page.css").write_text('/* all */\n@import "b.css";\n@import "a.css" print;\n', "utf-8")
    (tmp_path / "a.css").write_text("p { color: black }\n", "utf-8")
    (tmp_path / "b.css").write_text("p { color: green }\n", "utf-8")
    assert joining.style(tmp_path) == "p { color: green }\n@media print {\np { color: black }\n}\n"


def test_who_edits_the_page_sees_it_at_once(tmp_path: Path) -> None:
    modules = page_of(tmp_path, main="tell(1);\n")
    app = FastAPI()
    page.install(app, tmp_path)
    client = TestClient(app)
    before = client.get("/static/page.js")
    assert "tell(1)" in before.text
    (modules / "main.js").write_text("tell(2);\n", "utf-8")
    os.utime(modules / "main.js", ns=(1, 1))
    after = client.get("/static/page.js", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, "tell(2)" in after.text) == (200, True)


def test_another_page_in_its_place_is_served_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text("own();\n", "utf-8")
    app = FastAPI()
    page.install(app, tmp_path)
    assert TestClient(app).get("/static/page.js").text == "own();\n"
