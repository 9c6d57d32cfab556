from __future__ import annotations

import gzip
import hashlib
import io
import multiprocessing
import os
import pickle
import random
import signal
import struct
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pykala.fetch.limits import Limits
from pykala.fetch.mirror import (
    Mirror,
    MirrorDamaged,
    MirrorUnavailable,
    NotInMirror,
    RefusedFile,
    open_mirror,
)
from pykala.fetch.names import UnsafeName, normal_path

FILES = {
    "eng/acts/A-1.xml": b"<Statute>one</Statute>",
    "eng/acts/A-2.xml": b"<Statute>two</Statute>" * 100,
    "fra/lois/A-1.xml": "<Statute>première</Statute>".encode(),
    "fra/lois/" + "x" * 180 + "/très long.xml": b"",
}


def tar_of(members: Iterable[tuple[str, bytes]], format: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def special(name: str, kind: bytes, target: str = "") -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info.tobuf(tarfile.GNU_FORMAT)


def zip_of(members: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def write_folder(folder: Path) -> None:
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def packed(kind: str, members: list[tuple[str, bytes]]) -> bytes:
    if kind == "zip":
        return zip_of(members)
    tar = tar_of(members, tarfile.GNU_FORMAT if kind == "gnu" else tarfile.PAX_FORMAT)
    if kind == "zstd":
        parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
        return zstandard.ZstdCompressor(compression_params=parameters).compress(tar)
    if kind == "frames":
        compressor = zstandard.ZstdCompressor()
        skipped = b"\x50\x2a\x4d\x18" + struct.pack("<I", 4) + b"skip"
        return skipped + compressor.compress(tar[:700]) + compressor.compress(tar[700:])
    return gzip.compress(tar) if kind == "gzip" else tar


KINDS = ["folder", "pax", "gnu", "gzip", "zstd", "frames", "zip"]


@pytest.fixture(params=KINDS)
def mirror(request: pytest.FixtureRequest, tmp_path: Path) -> Iterable[Mirror]:
    if request.param == "folder":
        source = tmp_path / "source"
        write_folder(source)
    else:
        # The name says nothing: content decides.
        source = tmp_path / "source.download"
        source.write_bytes(packed(request.param, sorted(FILES.items(), reverse=True)))
    with open_mirror(source, spool_folder=tmp_path / "spool") as opened:
        yield opened
    assert not list((tmp_path / "spool").glob("*")), "a closed mirror leaves nothing behind"


def test_every_kind_gives_the_same_files_in_order(mirror: Mirror) -> None:
    assert list(mirror.paths()) == sorted(FILES)
    assert {file.path: file.data for file in mirror.files()} == FILES
    assert [file.path for file in mirror.files()] == sorted(FILES)
    assert mirror.refusals == ()
    one = mirror.read("fra/lois/A-1.xml")
    assert one.size == len(one.data)
    assert one.sha256 == hashlib.sha256(FILES[one.path]).hexdigest()


def test_unknown_path_says_so(mirror: Mirror) -> None:
    for path in ("eng/acts/none.xml", "../source/eng/acts/A-1.xml", "/etc/passwd", ""):
        with pytest.raises(NotInMirror, match="holds no file"):
            mirror.read(path)


def test_a_pickled_mirror_reads_and_its_end_removes_nothing(mirror: Mirror) -> None:
    copy = pickle.loads(pickle.dumps(mirror))
    assert {file.path: file.data for file in copy.files()} == FILES
    copy.close()
    assert mirror.read("eng/acts/A-1.xml").data == FILES["eng/acts/A-1.xml"]


def digest_of(task: tuple[Mirror, str]) -> str:
    return task[0].read(task[1]).sha256


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_read_one_archive(tmp_path: Path, start: str) -> None:
    archive = tmp_path / "a.tar.zst"
    archive.write_bytes(packed("zstd", list(FILES.items())))
    expected = [hashlib.sha256(FILES[path]).hexdigest() for path in sorted(FILES)]
    with open_mirror(archive, spool_folder=tmp_path) as opened:
        with multiprocessing.get_context(start).Pool(2) as pool:
            assert pool.map(digest_of, [(opened, path) for path in opened.paths()]) == expected
        assert [file.sha256 for file in opened.files()] == expected


def test_forked_zip_readers_do_not_share_a_position(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    files = {f"{number}.txt": bytes([number]) * 50_000 for number in range(40)}
    archive.write_bytes(zip_of(files.items(), zipfile.ZIP_STORED))
    with open_mirror(archive) as opened:
        assert opened.read("0.txt").data == files["0.txt"]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map(digest_of, [(opened, path) for path in opened.paths()] * 3, chunksize=1)
    assert found == [hashlib.sha256(files[path]).hexdigest() for path in sorted(files)] * 3


def test_a_killed_process_leaves_a_spool_that_the_next_one_removes(tmp_path: Path) -> None:
    archive, spool = tmp_path / "a.tar.gz", tmp_path / "spool"
    archive.write_bytes(packed("gzip", list(FILES.items())))
    ready, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            kept = open_mirror(archive, spool_folder=spool)
            os.write(write_end, b"1" if kept else b"0")
            signal.pause()
        finally:
            os._exit(1)
    assert os.read(ready, 1) == b"1"
    os.close(ready)
    os.close(write_end)
    with open_mirror(archive, spool_folder=spool):
        assert len(list(spool.iterdir())) == 2, "what a living process holds is left alone"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert len(list(spool.iterdir())) == 1
    with open_mirror(archive, spool_folder=spool):
        assert len(list(spool.iterdir())) == 1
    assert not list(spool.iterdir())


def test_a_dropped_mirror_cleans_up_and_a_closed_one_does_not_read(tmp_path: Path) -> None:
    archive, spool = tmp_path / "a.tar.gz", tmp_path / "spool"
    archive.write_bytes(packed("gzip", list(FILES.items())))
    opened = open_mirror(archive, spool_folder=spool)
    opened.close()
    opened.close()
    with pytest.raises(MirrorUnavailable, match="closed"):
        opened.read("eng/acts/A-1.xml")
    dropped = open_mirror(archive, spool_folder=spool)
    assert list(spool.iterdir())
    del dropped
    assert not list(spool.iterdir())


UNSAFE_NAMES = [
    ("/etc/passwd", "absolute"),
    ("\\\\server\\share", "absolute"),
    ("C:/Windows/x.xml", "absolute"),
    ("c:x.xml", "absolute"),
    ("../x.xml", "leads out"),
    ("a/../../x.xml", "leads out"),
    ("a/..", "leads out"),
    ("a\\..\\x.xml", "backslash"),
    ("a\x00b.xml", "control"),
    ("a\x1b[31m.xml", "control"),
    ("a\nb.xml", "control"),
    ("a\udce9.xml", "not UTF-8"),
    ("./", "empty"),
    ("x" * 1025, "longer"),
]


@pytest.mark.parametrize(("raw", "reason"), UNSAFE_NAMES)
def test_unsafe_names(raw: str, reason: str) -> None:
    with pytest.raises(UnsafeName, match=reason):
        normal_path(raw)


def test_every_control_character_and_half_of_a_character_is_unsafe() -> None:
    categories = {chr(code): unicodedata.category(chr(code)) for code in range(0x1_0000)}
    expected = {one for one, category in categories.items() if category in ("Cc", "Cs")}
    assert len(expected) == 65 + 2_048
    assert {one for one in categories if _is_unsafe(f"name{one}")} == expected | {"\\"}


def _is_unsafe(raw: str) -> bool:
    try:
        normal_path(raw)
    except UnsafeName:
        return True
    return False


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("./a//b/./c.xml", "a/b/c.xml"),
        ("Syventa\u0308va\u0308t/x", "Syvent\u00e4v\u00e4t/x"),
        ("a..b/...", "a..b/..."),
        ("Säädös § 1/ä.xml", "Säädös § 1/ä.xml"),
    ],
)
def test_one_form_of_a_name(raw: str, path: str) -> None:
    assert normal_path(raw) == path == normal_path(path)


@given(st.text(max_size=60))
def test_a_safe_name_stays_inside(raw: str) -> None:
    try:
        path = normal_path(raw)
    except UnsafeName:
        return
    assert normal_path(path) == path
    root = "/root/of/it"
    assert os.path.normpath(f"{root}/{path}").startswith(root + "/")


def refused(mirror: Mirror) -> dict[str, str]:
    return {refusal.path: refusal.reason for refusal in mirror.refusals}


@pytest.mark.parametrize("kind", ["pax", "gnu", "zstd", "zip"])
def test_hostile_names_in_archives_are_reported_and_the_rest_is_read(tmp_path: Path, kind: str) -> None:
    hostile = ["/abs.xml", "../up.xml", "a/../../b.xml", "D:/d.xml", "bell\x07.xml"]
    archive = tmp_path / "hostile"
    members = [("good.xml", b"1"), *((name, b"x") for name in hostile), ("z.xml", b"2")]
    archive.write_bytes(packed(kind, members))
    with open_mirror(archive, spool_folder=tmp_path) as opened:
        assert {file.path: file.data for file in opened.files()} == {"good.xml": b"1", "z.xml": b"2"}
        assert len(opened.refusals) == len(hostile)
        assert all(refusal.path.isprintable() for refusal in opened.refusals)
    assert not (tmp_path.parent / "up.xml").exists()


def test_links_devices_and_sparse_members_of_a_tar_are_refused(tmp_path: Path) -> None:
    archive = tmp_path / "special.tar"
    sparse = tarfile.TarInfo("sparse")
    sparse.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.name": "sparse"}
    archive.write_bytes(
        special("link", tarfile.SYMTYPE, "/etc/passwd")
        + special("hard", tarfile.LNKTYPE, "../../x")
        + special("device", tarfile.CHRTYPE)
        + special("disk", tarfile.BLKTYPE)
        + special("pipe", tarfile.FIFOTYPE)
        + special("odd", b"Z")
        + special("folder", tarfile.DIRTYPE)
        + sparse.tobuf(tarfile.PAX_FORMAT)
        + tar_of([("good", b"1")])
    )
    with open_mirror(archive) as opened:
        assert list(opened.paths()) == ["good"]
        reasons = refused(opened)
    assert set(reasons) == {"link", "hard", "device", "disk", "pipe", "odd", "sparse"}
    assert "symbolic link" in reasons["link"]
    assert "hard link" in reasons["hard"]


def test_of_two_members_of_one_name_the_first_is_read(tmp_path: Path) -> None:
    members = [("a.xml", b"first"), ("./a.xml", b"second"), ("é", b"nfc"), ("e\u0301", b"nfd")]
    for kind in ("pax", "zip"):
        archive = tmp_path / kind
        archive.write_bytes(packed(kind, members))
        with open_mirror(archive) as opened:
            assert {file.path: file.data for file in opened.files()} == {"a.xml": b"first", "é": b"nfc"}
            assert all("twice" in reason for reason in refused(opened).values())
            assert len(refused(opened)) == 2


def test_the_first_of_two_zip_members_spelt_alike_is_read(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with pytest.warns(UserWarning, match="Duplicate"):
        archive.write_bytes(zip_of([("a.xml", b"first"), ("a.xml", b"second")]))
    with open_mirror(archive) as opened:
        assert opened.read("a.xml").data == b"first"


@pytest.mark.parametrize("kind", ["folder", "pax", "gzip", "zip"])
@pytest.mark.parametrize(
    ("limits", "kept", "reason"),
    [
        (Limits(max_file=100), 3, "larger than 100"),
        (Limits(max_files=2), 2, "more than 2 files"),
        (Limits(max_total=1000), None, "more than 1000 bytes"),
    ],
)
def test_limits(tmp_path: Path, kind: str, limits: Limits, kept: int | None, reason: str) -> None:
    source = tmp_path / "source"
    if kind == "folder":
        write_folder(source)
    else:
        source.write_bytes(packed(kind, sorted(FILES.items())))
    with open_mirror(source, limits=limits, spool_folder=tmp_path) as opened:
        files = list(opened.files())
        assert any(reason in refusal.reason for refusal in opened.refusals)
    assert len(files) == kept if kept is not None else len(files) < len(FILES)
    assert all(FILES[file.path] == file.data for file in files)


BOMB = [("a.xml", b"kept"), ("zeros", bytes(8_000_000)), ("z.xml", b"lost")]


@pytest.mark.parametrize("kind", ["gzip", "zstd", "zip"])
def test_a_bomb_stops_unpacking_and_what_came_before_is_read(tmp_path: Path, kind: str) -> None:
    archive = tmp_path / "bomb"
    archive.write_bytes(packed(kind, BOMB))
    limits = Limits(max_ratio=100, ratio_from=1_000_000)
    with open_mirror(archive, limits=limits, spool_folder=tmp_path / "spool") as opened:
        unpacked = sum(file.stat().st_size for file in (tmp_path / "spool").glob("*"))
        assert unpacked < 4_000_000
        assert {file.path: file.data for file in opened.files()} == {"a.xml": b"kept"}
        assert "bomb" in refused(opened)["bomb"]


def test_zip_members_that_share_bytes_are_refused(tmp_path: Path) -> None:
    data = bytearray(zip_of([("a", b"A" * 5000), ("b", b"B" * 5000), ("c", b"C" * 5000)], zipfile.ZIP_STORED))
    # Point the directory's second entry at the first member, as an overlapping bomb does.
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    struct.pack_into("<I", data, second + 42, 10)
    archive = tmp_path / "overlap.zip"
    archive.write_bytes(data)
    with open_mirror(archive) as opened:
        assert [file.path for file in opened.files()] == ["a", "c"]
        assert "overlaps" in refused(opened)["b"]


def test_a_zip_member_without_a_name_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    out = tmp_path / "source.zip"
    with zipfile.ZipFile(out, "w") as writer:
        writer.writestr("Q", b"nameless")
        writer.writestr("law.xml", b"<law/>")
    out.write_bytes(out.read_bytes().replace(b"Q", b"\0"))
    with open_mirror(out) as mirror:
        assert [file.path for file in mirror.files()] == ["law.xml"]
        assert mirror.read("law.xml").data == b"<law/>"
        assert len(mirror.refusals) == 1


def test_odd_zip_members_are_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        writer.writestr(link, "/etc/passwd")
        writer.writestr("packed.bz2", b"x" * 1000, zipfile.ZIP_BZIP2)
        writer.writestr("good", b"1")
        writer.writestr("folder/", b"")
        writer.writestr("damaged", b"a member whose bytes will be changed", zipfile.ZIP_STORED)
    archive = tmp_path / "odd.zip"
    archive.write_bytes(out.getvalue().replace(b"a member whose", b"a MEMBER whose"))
    with open_mirror(archive) as opened:
        assert [file.path for file in opened.files()] == ["good"]
        assert set(refused(opened)) == {"link", "packed.bz2", "damaged"}
        with pytest.raises(RefusedFile, match="damaged"):
            opened.read("damaged")


@pytest.mark.parametrize("kind", ["pax", "gzip", "zstd"])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_cut_archive_gives_what_is_whole(tmp_path: Path, kind: str, cut: float) -> None:
    noise = random.Random(7)
    files = {f"{number:03}.xml": noise.randbytes(5000) for number in range(100)}
    whole = packed(kind, list(files.items()))
    archive = tmp_path / "cut"
    archive.write_bytes(whole[: int(len(whole) * cut)])
    with open_mirror(archive, spool_folder=tmp_path) as opened:
        found = {file.path: file.data for file in opened.files()}
        assert len(opened.refusals) == 1
        assert opened.refusals[0].path == "cut"
        assert f"the {len(found)} files before" in opened.refusals[0].reason
    assert len(files) * (cut - 0.35) < len(found) < len(files)
    assert found == dict(list(files.items())[: len(found)])


def test_a_tar_damaged_in_the_middle_is_not_taken_for_its_end(tmp_path: Path) -> None:
    data = bytearray(tar_of([("a", b"1"), ("b", b"2"), ("c", b"3")], tarfile.GNU_FORMAT))
    data[2048 + 10] ^= 0xFF
    archive = tmp_path / "a.tar"
    archive.write_bytes(data)
    with open_mirror(archive) as opened:
        assert list(opened.paths()) == ["a", "b"]
        assert "damaged" in refused(opened)["a.tar"]


def test_a_negative_size_does_not_turn_in_circles(tmp_path: Path) -> None:
    """CVE-2025-8194: the size field of the second member says -512 in base 256."""
    header = bytearray(special("b", tarfile.REGTYPE))
    header[124:136] = b"\xff" + (-1024).to_bytes(11, "big", signed=True)
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    archive = tmp_path / "a.tar"
    archive.write_bytes(tar_of([("a", b"1")])[:1024] + header + bytes(2048))
    with open_mirror(archive) as opened:
        assert list(opened.paths()) == ["a"]
        assert "negative" in refused(opened)["a.tar"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"just text",
        b"<xml/>" * 200,
        b"\x28\xb5\x2f\xfd" + b"garbage" * 50,
        b"\x1f\x8b" + b"garbage" * 50,
        b"PK\x03\x04" + b"garbage" * 50,
        gzip.compress(b"<Statute>no tar</Statute>" * 100),
        zip_of([("a", b"1")])[:-10],
        packed("zstd", list(FILES.items()))[:60],
    ],
    ids=["empty", "text", "xml", "zstd", "gzip", "zip", "gzip of xml", "cut zip", "cut zstd"],
)
def test_what_is_no_archive_is_named_with_a_reason(tmp_path: Path, data: bytes) -> None:
    archive = tmp_path / "strange.bin"
    archive.write_bytes(data)
    with pytest.raises(MirrorDamaged, match=r"strange\.bin: .*(give one of these|fetch it anew)"):
        open_mirror(archive, spool_folder=tmp_path / "spool")
    assert not list((tmp_path / "spool").glob("*"))


def test_a_window_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=28)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    archive = tmp_path / "wide.tar.zst"
    archive.write_bytes(compressor.compress(tar_of(FILES.items())) + compressor.flush())
    with pytest.raises(MirrorDamaged, match="memory"):
        open_mirror(archive, spool_folder=tmp_path)


def test_a_missing_path_and_a_pipe_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("none.tar.zst", "pipe"):
        with pytest.raises(MirrorUnavailable, match="check the path"):
            open_mirror(tmp_path / name)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_said_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "a.tar.gz"
    archive.write_bytes(packed("gzip", list(FILES.items())))
    real_open = Path.open

    def full(path: Path, *arguments: object, **options: object) -> object:
        target = Path("/dev/full") if path.suffix == ".spool" else path
        return real_open(target, *arguments, **options)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        with pytest.raises(MirrorUnavailable, match=r"No space left.*another spool folder"):
            open_mirror(archive, spool_folder=tmp_path / "spool")
    assert not list((tmp_path / "spool").iterdir())


def test_links_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_folder(folder)
    (tmp_path / "secret").write_text("outside")
    (folder / "inside.xml").symlink_to("eng/acts/A-1.xml")
    (folder / "outside.xml").symlink_to(tmp_path / "secret")
    (folder / "up.xml").symlink_to("../secret")
    (folder / "nowhere.xml").symlink_to("nothing")
    (folder / "self.xml").symlink_to("self.xml")
    (folder / "again").symlink_to("eng")
    os.mkfifo(folder / "pipe")
    os.close(os.open(os.fsencode(folder) + b"/latin-\xe9.xml", os.O_CREAT | os.O_WRONLY))
    with open_mirror(folder) as opened:
        found = {file.path: file.data for file in opened.files()}
        reasons = refused(opened)
    assert found == FILES | {"inside.xml": FILES["eng/acts/A-1.xml"]}
    assert {path: reason.split()[-1] for path, reason in reasons.items()} == {
        "outside.xml": "folder",
        "up.xml": "folder",
        "nowhere.xml": "nowhere",
        "self.xml": "nowhere",
        "again": "folder",
        "pipe": "pipe",
        "latin-\\udce9.xml": "UTF-8",
    }


def test_a_folder_that_changes_while_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_folder(folder)
    (tmp_path / "secret").write_text("outside")
    opened = open_mirror(folder, limits=Limits(max_file=5000))
    (folder / "eng/acts/A-1.xml").unlink()
    (folder / "eng/acts/A-2.xml").unlink()
    (folder / "eng/acts/A-2.xml").symlink_to(tmp_path / "secret")
    (folder / "fra/lois/A-1.xml").write_bytes(bytes(5001))
    assert len(list(opened.files())) == 1
    gone, swapped, grown = refused(opened).values()
    assert "cannot be read" in gone
    assert "out of the folder" in swapped
    assert "larger" in grown


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(["pax", "gnu", "gzip", "zstd", "zip"]),
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
    keep=st.floats(0, 1),
)
def test_any_damage_ends_in_files_or_in_one_error(
    tmp_path: Path, kind: str, changes: list[tuple[float, int]], keep: float
) -> None:
    data = bytearray(packed(kind, list(FILES.items())))
    for place, value in changes:
        data[int(place * len(data))] = value
    archive = tmp_path / "damaged"
    archive.write_bytes(data[: int(len(data) * keep) + 1])
    try:
        with open_mirror(archive, limits=Limits(max_file=10**6), spool_folder=tmp_path) as opened:
            found = {file.path: file.data for file in opened.files()}
            complete = not opened.refusals
    except MirrorDamaged:
        return
    # A checksum guards what gzip holds: changed or missing content never passes in silence.
    if kind == "gzip" and complete:
        assert found == FILES


@pytest.mark.corpora
def test_the_whole_of_canada_opens(tmp_path: Path) -> None:
    archive = Path(__file__).parents[2].parent / "shared" / "corpora" / "canada.tar.zst"
    if not archive.exists():
        pytest.skip(f"the real corpora are not beside the repository ({archive.name} is missing)")
    with open_mirror(archive, spool_folder=tmp_path) as opened:
        laws = [path for path in opened.paths() if path.endswith(".xml")]
        assert len(laws) == 11_670
        assert opened.refusals == ()
        english, french = opened.read("eng/acts/A-1.xml"), opened.read("fra/lois/A-1.xml")
        assert b'xml:lang="en"' in english.data
        assert b'xml:lang="fr"' in french.data
    assert not list(tmp_path.iterdir())
