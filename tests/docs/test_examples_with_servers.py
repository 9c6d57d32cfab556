"""The examples of the pages on teams and clusters run with real servers, which are started here."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from example_servers import ServersOfAPage

from dask_servers import missing as no_dask
from docsite.blocks import WITH_SERVERS, all_blocks
from docsite.pages import ROOT
from example_runs import Reader, environment, furnish, pages_to_run
from postgres_server import PostgresServer
from qdrant_server import QdrantServer
from redis_server import RedisProcess
from redis_server import missing as no_redis
from s3_server import S3Server
from s3_server import missing as no_s3
from token_issuer import IssuerServer

PAGES = pages_to_run(all_blocks())


@pytest.mark.parametrize("page", sorted(WITH_SERVERS))
def test_the_examples_of_a_page_with_servers_run(
    page: str, tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    if reason := no_redis() or no_s3() or no_dask():
        pytest.skip(reason)
    furnish(tmp_path, tmp_path / "cache")
    told = {**environment(tmp_path), "PYKALA_PROCESSES": "1"}
    with (
        RedisProcess.started(tmp_path / "redis") as redis,
        S3Server.started(tmp_path / "s3") as s3,
        closing(IssuerServer()) as issuer,
        ExitStack() as kept,
    ):
        told |= s3.environment
        servers = ServersOfAPage(tmp_path, told, postgres, qdrant.addresses, redis.address, s3, issuer, kept)
        reader = Reader(tmp_path, told, "", servers=servers.places, keep=servers.keep, asks=servers.asks)
        for block in PAGES[page]:
            reader.run(block)
        if "s3://bucket" in (ROOT / page).read_text("utf-8"):
            assert any("generations/" in one for one in servers.in_the_bucket())
    qdrant.drop_all()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/team.md", "index_folder=s3://"),
        ("docs/team.md", "PYKALA_OIDC_ISSUER="),
        ("docs/cluster.md", "dask worker"),
        ("docs/cluster.md", "--workers tcp://"),
    ],
)
def test_what_needs_a_server_of_others_is_run_with_one(page: str, words: str) -> None:
    assert any(words in command for block in PAGES[page] for command in block.told)
