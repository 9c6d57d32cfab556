"""The container image, built for real and tried: `python -m bench.image` prints a Markdown table.

    python -m bench.image [--folder build/image]

There is no Docker here: buildah builds the Dockerfile without a daemon. Where no registry can be reached, its
base image is made from Debian's packages (debootstrap) under the name that FROM has, with the same Python and
with pip where the real one has it. The image's own command then runs as its own user, on a root that is
mounted read-only, and answers over HTTP. Needs root, and: apt-get install buildah debootstrap
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from packaging.markers import Marker

ROOT = Path(__file__).parents[1]
PORT = 18_765
KEY = "key-of-the-check"
QUESTION = "What is the tax rate on capital income in Finland?"
PYTHON = "3.13"
SUITE = "trixie"  # whose Python is that of the Dockerfile
BUILDAH = ("buildah", "--storage-driver", "vfs")
TOOLS = ("pip", "pip3", "gcc", "cc", "make", "git", "curl", "wget")  # that an intruder would like to find
PROGRAMS = ("usr/bin", "usr/local/bin", "opt/pykala/bin")
PIP = "[global]\nno-index = true\nfind-links = /locked\ndisable-pip-version-check = true\n"
#: A root that cannot be written to, with the places that a container has besides; then the image's program.
INSIDE = """set -e
root=$1 data=$2 user=$3; shift 3
mount --make-rprivate / && mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for device in /dev/null /dev/zero /dev/urandom; do
  touch "$root$device"; mount --bind "$device" "$root$device"
done
mount -t tmpfs tmpfs "$root/tmp" && mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
"""


def run(*command: str | Path, **options: Any) -> str:
    """What a command says; its own words where it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout.strip()


def base_name() -> str:
    """The image that the Dockerfile begins with."""
    found = re.search(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def has_image(name: str) -> bool:
    return subprocess.run([*BUILDAH, "inspect", "--type", "image", name], capture_output=True).returncode == 0


def make_base(folder: Path, name: str) -> None:
    """An image of Debian's packages under the name of the real one."""
    base = folder / "base"
    if not (base / "usr/local/bin/python").exists():
        shutil.rmtree(base, ignore_errors=True)
        run("debootstrap", "--variant=minbase", "--include=python3,ca-certificates", SUITE, base)
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", base / "tmp", "pip")
        (wheel,) = (one.name for one in (base / "tmp").glob("pip-*.whl"))
        run(
            "chroot",
            base,
            "sh",
            "-ec",
            "rm -f /usr/lib/python3*/EXTERNALLY-MANAGED && ln -s /usr/bin/python3 /usr/local/bin/python"
            f" && python /tmp/{wheel}/pip install -q --no-index /tmp/{wheel} && rm /tmp/*.whl"
            " && apt-get clean && rm -rf /var/lib/apt/lists/*",
        )
    container = run(*BUILDAH, "from", "scratch")
    run(*BUILDAH, "copy", "-q", container, base, "/")
    paths = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
    run(*BUILDAH, "config", "--env", f"PATH={paths}", container)
    run(*BUILDAH, "commit", "-q", container, f"docker.io/library/{name}")
    run(*BUILDAH, "rm", container)


def build(folder: Path) -> float:
    """Build the Dockerfile with wheels that this machine's pip finds; seconds."""
    wheels, settings = folder / "wheels", folder / "pip.conf"
    wanted = ("--python-version", PYTHON, "--only-binary", ":all:", "--no-deps", "-d", wheels)
    for lock in ("requirements.lock", "build.lock"):
        own = folder / lock
        own.write_text(of_the_image((ROOT / "deploy" / lock).read_text("utf-8")), "utf-8")
        run(sys.executable, "-m", "pip", "download", "-q", *wanted, "--require-hashes", "-r", own)
    settings.write_text(PIP, "utf-8")
    began = time.monotonic()
    mounts = ("-v", f"{wheels}:/locked:ro", "-v", f"{settings}:/etc/pip.conf:ro")
    form = ("--format", "docker", "--isolation", "chroot", "--pull-never")  # OCI knows no HEALTHCHECK
    run(*BUILDAH, "bud", *form, *mounts, "-t", "pykala", ROOT)
    return time.monotonic() - began


def of_the_image(lock: str) -> str:
    """What a lock asks for on the image's Python; pip would read its conditions for the one running it."""
    there: dict[str, str] = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0"}
    kept = []
    for entry in re.split(r"\n(?=\S)", lock):
        condition = re.match(r"[^\s#;]+( ; ([^\\\n]+?)) *\\?\n", entry)
        if condition is None or Marker(condition[2]).evaluate(there):
            kept.append(entry if condition is None else entry.replace(condition[1], "", 1))
    return "\n".join(kept)


def layers(folder: Path) -> list[int]:
    """The bytes of each layer, packed as a registry has it."""
    target = folder / "packed"
    shutil.rmtree(target, ignore_errors=True)
    run(*BUILDAH, "push", "-q", "pykala", f"oci:{target}")
    index = json.loads((target / "index.json").read_text("utf-8"))
    manifest = target / "blobs" / index["manifests"][0]["digest"].replace(":", "/")
    packed = [int(one["size"]) for one in json.loads(manifest.read_text("utf-8"))["layers"]]
    shutil.rmtree(target)
    return packed


@contextmanager
def mounted() -> Iterator[Path]:
    """The root of the image."""
    container = run(*BUILDAH, "from", "--pull-never", "pykala")
    try:
        yield Path(run(*BUILDAH, "mount", container))
    finally:
        run(*BUILDAH, "rm", container)


def started(
    root: Path, data: Path, config: Mapping[str, Any], command: Sequence[str]
) -> subprocess.Popen[str]:
    """The image's program, as its user, in namespaces of its own; its root is read-only, /data is not."""
    environment = dict(one.split("=", 1) for one in config["Env"]) | {"PYKALA_API_KEYS": KEY}
    spaces = ("unshare", "--mount", "--pid", "--fork", "--kill-child=SIGTERM")
    inside = ("sh", "-c", INSIDE, "sh", str(root), str(data), config["User"])
    return subprocess.Popen(
        [*spaces, *inside, *config["Entrypoint"], *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def asked(path: str, data: object = None, key: str = KEY) -> tuple[int, Any]:
    """The status and the answer of a request."""
    body = json.dumps(data).encode() if data is not None else None
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, None


def server_of(process: subprocess.Popen[str]) -> int:
    """The process that serves: the child of the one that made the namespaces."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
    return int(children[0])


def tried(root: Path, folder: Path, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Start the image, ask it, and end it."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    user = int(config["User"].partition(":")[0])
    os.chown(data, user, user)
    began = time.monotonic()
    process = started(root, data, config, [*config["Cmd"], "--port", str(PORT)])
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if " serves " in line:  # the library, or the sample where there is none
                break
        else:
            raise SystemExit("the image's server did not start")
        yield "ready after", f"{time.monotonic() - began:.1f} s"
        server = server_of(process)
        status = Path(f"/proc/{server}/status").read_text("utf-8")
        found = re.search(r"^Uid:\t(\d+)", status, re.MULTILINE)
        assert found is not None
        assert int(found[1]) == user, found[1]
        yield "runs as", found[1]
        assert asked("/api/v1/library", key="wrong")[0] == 401
        code, answer = asked("/api/v1/ask", {"question": QUESTION})
        assert (code, answer["outcome"]) == (200, "ANSWERED"), (code, answer)
        yield "answers", f"{answer['outcome']}: {answer['primary']['citation']}"
        code, _ = asked("/api/v1/ask", {"question": QUESTION}, key="wrong")
        yield "with a wrong key", str(code)
        mounts = Path(f"/proc/{server}/mounts").read_text("utf-8").splitlines()
        writable = sorted(one.split()[1] for one in mounts if " rw" in f" {one.split()[3]}"[:3])
        assert set(writable) <= {"/proc", "/tmp", "/data", "/dev/null", "/dev/zero", "/dev/urandom"}, writable
        yield "may be written to", ", ".join(one for one in writable if one in ("/tmp", "/data"))
        stopped = time.monotonic()
        os.kill(server, signal.SIGTERM)
        process.wait(60)
        yield "SIGTERM ends it", f"after {time.monotonic() - stopped:.1f} s, exit code {process.returncode}"
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()
        process.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "image")
    folder: Path = parser.parse_args().folder.absolute()
    if missing := [one for one in ("buildah", "debootstrap") if shutil.which(one) is None]:
        raise SystemExit(f"{missing[0]} is not installed; run: apt-get install buildah debootstrap")
    if os.geteuid() != 0:
        raise SystemExit("an image is built and mounted by root here; run it as root")
    folder.mkdir(parents=True, exist_ok=True)
    if not has_image(base_name()):
        make_base(folder, base_name())
    print("| | |\n|---|---|")
    print(f"| built in | {build(folder):.0f} s |", flush=True)
    packed = layers(folder)
    print(f"| layers, packed | {', '.join(f'{one / 1e6:,.1f} MB' for one in packed)} |")
    config = json.loads(run(*BUILDAH, "inspect", "--type", "image", "pykala"))["Docker"]["config"]
    print(f"| user | {config['User']} |")
    print(f"| health is asked by | `{' '.join(config['Healthcheck']['Test'])[:60]}…` |")
    with mounted() as root:
        size = sum(one.lstat().st_size for one in root.rglob("*") if one.is_file() and not one.is_symlink())
        print(f"| unpacked | {size / 1e6:,.0f} MB |")
        places = [
            root / place / tool for tool in TOOLS for place in ("usr/bin", "usr/local/bin", "opt/pykala/bin")
        ]
        there = [str(one.relative_to(root)) for one in places if one.exists()]
        print(f"| pip, compilers, fetchers | {', '.join(there) or 'none'} |", flush=True)
        for name, told in tried(root, folder, config):
            print(f"| {name} | {told} |", flush=True)


if __name__ == "__main__":
    main()
