"""The manifests of Kubernetes: held against its schemas, and against what they promise."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from docsite.http_operations import document
from kubernetes_manifests import (
    Invalid,
    kustomization_of,
    named,
    objects_of,
    pod_of,
    require_rendered_whole,
    validate,
)
from pykala.settings_table import setting_of

FOLDER = Path(__file__).parents[1] / "deploy" / "kubernetes"
ROOT = FOLDER.parents[1]
KUSTOMIZATION = kustomization_of(FOLDER)
OBJECTS = objects_of(FOLDER)
PODS = {one["metadata"]["name"]: pod for one in OBJECTS if (pod := pod_of(one))}


@pytest.mark.parametrize("one", OBJECTS, ids=named)
def test_an_object_has_the_shape_that_kubernetes_wants(one: dict[str, Any]) -> None:
    validate(one)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="NO KUBECTL: the manifests are not rendered here")
def test_what_kubectl_renders_has_that_shape_and_leaves_nothing_out() -> None:
    require_rendered_whole(FOLDER)


def test_a_wrong_field_is_found() -> None:
    (service,) = [one for one in OBJECTS if one["kind"] == "Service"]
    wrong = {**service, "spec": {**service["spec"], "port": 80}}
    with pytest.raises(Invalid):
        validate(wrong)


def test_every_file_is_listed() -> None:
    assert {*KUSTOMIZATION["resources"], "kustomization.yaml"} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize("name", PODS)
def test_a_pod_has_no_rights(name: str) -> None:
    pod = PODS[name]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    user = re.search(r"USER (\d+):(\d+)", (ROOT / "Dockerfile").read_text("utf-8"))
    assert user is not None
    rights = pod["securityContext"]
    assert (rights["runAsUser"], rights["runAsGroup"]) == (int(user[1]), int(user[2]))
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in container["resources"]["limits"]
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in pod["volumes"]}


def test_names_lead_to_what_there_is() -> None:
    claims = {one["metadata"]["name"] for one in OBJECTS if one["kind"] == "PersistentVolumeClaim"}
    maps = {one["name"] for one in KUSTOMIZATION["configMapGenerator"]}
    for pod in PODS.values():
        for volume in pod["volumes"]:
            assert volume.get("persistentVolumeClaim", {"claimName": "pykala"})["claimName"] in claims
        for container in pod["containers"]:
            assert {one["configMapRef"]["name"] for one in container["envFrom"]} <= maps
            assert container["image"] in {image["name"] for image in KUSTOMIZATION["images"]}
    (server,) = [one for one in OBJECTS if one["kind"] == "Deployment"]
    (service,) = [one for one in OBJECTS if one["kind"] == "Service"]
    labels = server["spec"]["template"]["metadata"]["labels"].items()
    assert service["spec"]["selector"].items() <= labels
    assert server["spec"]["selector"]["matchLabels"].items() <= labels
    (container,) = PODS["pykala"]["containers"]
    assert service["spec"]["ports"][0]["targetPort"] in {port["name"] for port in container["ports"]}


def test_settings_and_addresses_are_ones() -> None:
    text = "".join(path.read_text("utf-8") for path in FOLDER.iterdir())
    assert {name for name in re.findall(r"\bPYKALA_[A-Z_]+\b", text) if setting_of(name) is None} == set()
    assert set(re.findall(r"path: (/\S+),", text)) <= set(document()["paths"])


def test_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert [image["newTag"] for image in KUSTOMIZATION["images"]] == [version]
