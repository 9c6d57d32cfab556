"""Files in S3, or any service with its protocol: whole or not at all.

    objects = S3Objects("s3://bucket/law")       # credentials and endpoint as in every AWS program

Errors are raised as errors of the store, without any key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, Final

from pykala.stores.store import StoreError

MISSING_EXTRA: Final = "index files in S3 need the extra 's3': pip install 'pykala[s3]'"
#: A Path turns two slashes into one, so an address given to an option of type Path has only one.
_ADDRESS: Final = re.compile(r"s3:/{1,2}(?P<bucket>[^/]+)/?(?P<prefix>.*)")
_AT_ONCE: Final = 1_000  # names in one request to delete


def is_remote(place: str | PurePath) -> bool:
    """Whether a place is in S3."""
    return _ADDRESS.match(str(place)) is not None


def remote_address(place: str | PurePath) -> str:
    """An address in S3, restored from a path that lost one of its slashes."""
    found = _ADDRESS.match(str(place))
    if found is None:
        raise StoreError(f"{place} is no place in S3; give one such as s3://bucket/law")
    return f"s3://{found['bucket']}/{found['prefix'].strip('/')}".rstrip("/")


def remembered_place(place: Path) -> str:
    """The place of the index files, as the database stores it for every machine."""
    return remote_address(place) if is_remote(place) else str(place.absolute())


class S3Objects:
    """The objects below a prefix of a bucket."""

    def __init__(self, address: str) -> None:
        self.address = remote_address(address)
        bucket, _, prefix = self.address.removeprefix("s3://").partition("/")
        self._bucket, self._prefix = bucket, f"{prefix}/" if prefix else ""
        try:
            import boto3
            from botocore.config import Config
        except ImportError as error:
            raise StoreError(MISSING_EXTRA) from error
        with self._failures():
            self._client: Any = boto3.client(
                "s3",
                config=Config(
                    connect_timeout=10,
                    read_timeout=60,
                    retries={"max_attempts": 5, "mode": "standard"},
                    # Services other than Amazon's do not support trailing checksums.
                    request_checksum_calculation="when_required",
                    response_checksum_validation="when_required",
                ),
            )

    def put_file(self, name: str, path: Path) -> None:
        """Upload a file."""
        with self._failures():
            self._client.upload_file(str(path), self._bucket, self._prefix + name)

    def get_file(self, name: str, path: Path) -> None:
        """Download a file."""
        with self._failures():
            self._client.download_file(self._bucket, self._prefix + name, str(path))

    def put(self, name: str, data: bytes) -> None:
        """Upload bytes."""
        with self._failures():
            self._client.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=data)

    def get(self, name: str) -> bytes:
        """Download bytes; StoreError where they do not exist."""
        with self._failures():
            data: bytes = self._client.get_object(Bucket=self._bucket, Key=self._prefix + name)["Body"].read()
            return data

    def names(self, below: str) -> set[str]:
        """The names of all objects with a prefix."""
        with self._failures():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix + below
            )
            return {
                one["Key"].removeprefix(self._prefix) for page in pages for one in page.get("Contents", ())
            }

    def remove(self, names: Iterable[str]) -> None:
        """Delete some objects."""
        ordered = sorted(names)
        with self._failures():
            for first in range(0, len(ordered), _AT_ONCE):
                for name in ordered[first : first + _AT_ONCE]:
                    self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except (BotoCoreError, ClientError, Boto3Error) as error:
            raise StoreError(
                f"{self.address} could not be read or written ({_reason(error)}); check the bucket, the keys"
                " and the address of the service (AWS_ENDPOINT_URL), then run the command again"
            ) from None


def _reason(error: Exception) -> str:
    """The error code, or the kind of failure; the service's own message may repeat the request."""
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code", "") if isinstance(response, dict) else ""
    return str(code) or type(error).__name__
