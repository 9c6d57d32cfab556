"""The files that bring up a cluster: held against the schemas of their readers, and against each other."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from docsite.http_operations import document
from kubernetes_manifests import kustomization_of, named, objects_of, pod_of, require_rendered_whole, validate
from pykala.settings_table import setting_of
from pykala.stores.cluster.configuration import read_configuration

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "deploy" / "cluster"
MANIFESTS = FOLDER / "kubernetes"
KUSTOMIZATION = kustomization_of(MANIFESTS)
OBJECTS = objects_of(MANIFESTS)
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))


PODS = {named(one): pod for one in OBJECTS if (pod := pod_of(one))}


def test_the_compose_file_has_the_shape_that_its_reader_wants() -> None:
    schema = ("--builtin-schema", "vendor.compose-spec")
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, str(FOLDER / "compose.yaml")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_file_mounts_what_it_names() -> None:
    services = COMPOSE["services"]
    for name, service in services.items():
        for mounted in service.get("volumes", ()):
            source = mounted.split(":")[0]
            assert source in COMPOSE["volumes"] or (FOLDER / source).is_file(), name
        assert set(service.get("depends_on", ())) <= set(services)
        if service["image"] == "pykala":
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
    hosts = {
        re.sub(r"https?://([^:]+):.*", r"\1", node)
        for node in tomllib.loads((FOLDER / "cluster.toml").read_text("utf-8"))["qdrant"]["addresses"]
    }
    assert hosts <= set(services)


@pytest.mark.parametrize("one", OBJECTS, ids=named)
def test_an_object_has_the_shape_that_kubernetes_wants(one: dict[str, Any]) -> None:
    validate(one)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="NO KUBECTL: the manifests are not rendered here")
def test_what_kubectl_renders_has_that_shape_and_leaves_nothing_out() -> None:
    require_rendered_whole(MANIFESTS)


def test_every_file_is_listed() -> None:
    listed = {*KUSTOMIZATION["resources"], "kustomization.yaml"}
    listed |= {file for one in KUSTOMIZATION["configMapGenerator"] for file in one.get("files", ())}
    assert listed == {path.name for path in MANIFESTS.iterdir()}


@pytest.mark.parametrize("name", PODS)
def test_a_pod_has_no_rights(name: str) -> None:
    pod = PODS[name]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    known = {image["name"] for image in KUSTOMIZATION["images"]}
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in container["resources"]["limits"]
        assert container["image"] in known


def test_workers_hold_no_secrets() -> None:
    for name in ("Deployment-scheduler", "Deployment-worker"):
        assert "secret" not in str(PODS[name]).lower()


def test_every_part_may_reach_what_it_needs() -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in OBJECTS if one["kind"] == "NetworkPolicy"}
    templates = [
        one["spec"].get("jobTemplate", one)["spec"]["template"]
        for one in OBJECTS
        if one["kind"] in ("Deployment", "StatefulSet", "Job", "CronJob")
    ]
    components = {one["metadata"]["labels"]["app.kubernetes.io/component"] for one in templates}
    governed = {one["podSelector"]["matchLabels"]["app.kubernetes.io/component"] for one in policies.values()}
    assert governed == components


@pytest.mark.parametrize("file", [FOLDER / "cluster.toml", MANIFESTS / "cluster.toml"])
def test_the_described_cluster_can_be_read(file: Path, tmp_path: Path) -> None:
    text = file.read_text("utf-8")
    (tmp_path / "key").write_text("key")
    (tmp_path / "cluster.toml").write_text(re.sub(r'key_file = "[^"]*"', 'key_file = "key"', text))
    read = read_configuration(tmp_path / "cluster.toml")
    assert (len(read.nodes), read.replicas) == (3, 2)
    assert "key_file" in text  # no secret in the file itself


def test_settings_and_addresses_are_ones() -> None:
    texts = [path.read_text("utf-8") for path in (*MANIFESTS.iterdir(), FOLDER / "compose.yaml")]
    text = "".join(texts)
    assert {name for name in re.findall(r"\bPYKALA_[A-Z_]+\b", text) if setting_of(name) is None} == set()
    probed = set(re.findall(r"path: (/api\S+),", text))
    assert probed
    assert probed <= set(document()["paths"])


def test_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    tags = {image["name"]: image["newTag"] for image in KUSTOMIZATION["images"]}
    assert tags["pykala"] == version
    assert COMPOSE["services"]["qdrant-0"]["image"].endswith(tags["qdrant"])
