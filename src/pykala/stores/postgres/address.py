"""Addresses of databases: recognise them, and show them without their passwords."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

#: A Path turns two slashes into one, so an address given to an option of type Path has only one.
_ADDRESS: Final = re.compile(r"postgres(?:ql)?:/{1,2}(?=[^/])", re.IGNORECASE)
_WORD: Final = re.compile(r"\S+")
_CREDENTIALS: Final = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}:/{1,2}[^\s/?#:@]*:", re.IGNORECASE)
_PARAMETER: Final = re.compile(r"(?P<name>\b(?:ssl)?password)=(?:'(?:[^'\\]|\\.)*'|[^\s&]*)", re.IGNORECASE)
#: The driver takes everything before an "@" as the password, even "?" or "#".
_PASSWORD: Final = re.compile(r"(?P<before>postgresql://[^/?#:@]*):(?P<password>[^/?#]*|[^/@]*)@")
_PASSWORD_PARAMETER: Final = "password"  # noqa: S105 - a parameter's name
HIDDEN: Final = "***"
INDEX_FOLDER: Final = "index_folder"  # in an address: where this machine finds the shared index files
INDEX: Final = "index"  # in an address: whether the index is kept in "files" or in the "database"
CLUSTER: Final = "cluster:"  # how the address of a cluster begins; the rest names its file
MATTER: Final = "matter"  # in an address: whose documents are read and written beside the law


def database_address(library: str | PurePath) -> str | None:
    """The address of a library's database; None for a folder."""
    text = str(library)
    found = _ADDRESS.match(text)
    return f"postgresql://{text[found.end() :]}" if found else None


def redacted(text: str) -> str:
    """A text with the passwords of all addresses hidden."""
    hidden = _WORD.sub(lambda word: _hidden(word[0]), text)
    return _PARAMETER.sub(rf"\g<name>={HIDDEN}", hidden)


def _hidden(address: str) -> str:
    """An address without its password: up to the last "@", as an unencoded password may contain any sign."""
    found, end = _CREDENTIALS.search(address), address.rfind("@")
    if found is None or end < found.end():
        return address
    return f"{address[: found.end()]}{HIDDEN}{address[end:]}"


def without_password(library: str | PurePath) -> tuple[str, str]:
    """A library's address without its password, and the password; "" where there is none."""
    address = database_address(library)
    if address is None:
        return str(library), ""
    bare, given = _split(address, _PASSWORD_PARAMETER)  # takes precedence over the one before the host
    found = _PASSWORD.match(bare)
    if found is None:
        return bare, given
    return f"{found['before']}{bare[found.end() - 1 :]}", given or unquote(found["password"])


def secrets_of(address: str) -> tuple[str, ...]:
    """The passwords in an address, both as written and as decoded; the longest first."""
    bare, given = _split(address, _PASSWORD_PARAMETER)
    found, end = _CREDENTIALS.search(bare), bare.rfind("@")
    written = bare[found.end() : end] if found is not None else ""
    return tuple(sorted({one for one in (written, unquote(written), given) if one}, key=len, reverse=True))


def shown(library: str | PurePath) -> str:
    """A library's address, safe to show: a folder as it is, a database without its password."""
    address = database_address(library)
    return redacted(_hidden(address)) if address else str(library)  # a password may contain spaces, too


def split_index_folder(address: str) -> tuple[str, Path | None]:
    """An address for the driver, and the folder of the index files if it names one."""
    bare, folder = _split(_split(address, INDEX)[0], INDEX_FOLDER)
    return bare, Path(folder) if folder else None


def index_of(library: str | PurePath) -> str:
    """Where an address wants the index to be, "files" or "database"; "" where it says nothing."""
    address = database_address(library)
    return _split(address, INDEX)[1] if address else ""


def split_matter(address: str) -> tuple[str, str]:
    """An address without its matter, and the matter's name; "" where it names none."""
    return _split(address, MATTER)


def matter_of(library: str | PurePath) -> str:
    """The matter that a library's address names, that of a cluster too; "" where it names none."""
    address = database_address(library) or str(library)
    return split_matter(address)[1] if address.startswith(("postgresql://", CLUSTER)) else ""


def with_matter(library: str | PurePath, matter: str) -> str:
    """A library's address with a matter, or without one."""
    bare, _ = split_matter(database_address(library) or str(library))
    return _with(bare, MATTER, matter) if matter else bare


def _split(address: str, parameter: str) -> tuple[str, str]:
    """An address without one of our own parameters, and the parameter's value."""
    place, mark, query = address.partition("?")
    given = parse_qsl(query, keep_blank_values=True)
    value = next((value for name, value in given if name == parameter), "")
    if not value:
        return address, ""
    rest = urlencode([pair for pair in given if pair[0] != parameter], safe="/:@")
    return f"{place}{mark}{rest}".rstrip("?"), value


def _with(address: str, parameter: str, value: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode({parameter: value}, safe='/')}"


def with_index_folder(address: str, folder: Path) -> str:
    """An address with the folder of its index files."""
    bare, named = split_index_folder(address)
    if named is not None:
        return address
    return _with(bare, INDEX_FOLDER, str(folder))
