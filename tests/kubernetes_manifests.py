"""The manifests of a folder: read, held against the schemas of Kubernetes, rendered by kubectl."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import yaml

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import kubernetes_validate

Manifest = dict[str, Any]
Invalid = kubernetes_validate.ValidationError
_VERSION = "1.34"


def kustomization_of(folder: Path) -> Manifest:
    """The file that lists the others."""
    read: Manifest = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))
    return read


def objects_of(folder: Path) -> list[Manifest]:
    """The objects of all files that are listed."""
    files = kustomization_of(folder)["resources"]
    return [one for name in files for one in yaml.safe_load_all((folder / name).read_text("utf-8"))]


def named(manifest: Manifest) -> str:
    """The kind and the name of an object."""
    return f"{manifest['kind']}-{manifest['metadata']['name']}"


def pod_of(manifest: Manifest) -> Manifest | None:
    """The pod that an object starts; None where it starts none."""
    spec = manifest.get("spec", {})
    pod: Manifest | None = spec.get("jobTemplate", {}).get("spec", spec).get("template", {}).get("spec")
    return pod


def validate(manifest: Manifest) -> None:
    """Raise `Invalid` where an object lacks the shape that Kubernetes wants."""
    kubernetes_validate.validate(manifest, _VERSION, strict=True)


def require_rendered_whole(folder: Path) -> None:
    """Fail where what kubectl renders is invalid, or lacks an object of the files."""
    command = ["kubectl", "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rendered = list(yaml.safe_load_all(done.stdout))
    for one in rendered:
        validate(one)
    assert {named(one) for one in objects_of(folder)} <= {named(one) for one in rendered}
