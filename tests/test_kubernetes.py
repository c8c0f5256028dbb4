"""The parts of deploy/kubernetes.yaml fit each other: pods, ports and who may reach them."""

from __future__ import annotations

from typing import Any

import yaml

from tests.support.documents import ROOT

PARTS: list[dict[str, Any]] = list(
    yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text())
)
PODS = {
    part["metadata"]["name"]: part["spec"]["template"]
    for part in PARTS
    if part["kind"] in ("Deployment", "StatefulSet")
}
POLICIES = [part["spec"] for part in PARTS if part["kind"] == "NetworkPolicy"]


def selected(labels: dict[str, str]) -> list[str]:
    """The names of the pods that have these labels."""
    return [
        name for name, pod in PODS.items() if labels.items() <= pod["metadata"]["labels"].items()
    ]


def ports_of(name: str) -> set[str | int]:
    """The ports of a pod, by name and by number."""
    listed = [port for one in PODS[name]["spec"]["containers"] for port in one["ports"]]
    return {port[key] for port in listed for key in ("name", "containerPort")}


def test_each_pod_has_one_policy_in_both_directions() -> None:
    chosen = [selected(policy["podSelector"]["matchLabels"]) for policy in POLICIES]
    assert sorted(chosen) == sorted([name] for name in PODS)
    assert all(policy["policyTypes"] == ["Ingress", "Egress"] for policy in POLICIES)


def test_what_a_policy_lets_through_is_a_port_of_the_pod_that_is_reached() -> None:
    for policy in POLICIES:
        (own,) = selected(policy["podSelector"]["matchLabels"])
        for rule in policy["ingress"]:
            assert {port["port"] for port in rule["ports"]} <= ports_of(own)
        for rule in policy.get("egress", ()):
            for peer in rule["to"]:
                if "podSelector" in peer:
                    (other,) = selected(peer["podSelector"]["matchLabels"])
                    assert {port["port"] for port in rule["ports"]} <= ports_of(other)


def test_the_match_store_lets_in_the_game_alone_and_the_game_may_reach_it() -> None:
    policies = {selected(policy["podSelector"]["matchLabels"])[0]: policy for policy in POLICIES}
    (allowed,) = policies["battleship-register"]["ingress"]
    assert [selected(peer["podSelector"]["matchLabels"]) for peer in allowed["from"]] == [
        ["battleship"]
    ]
    reached = [
        selected(peer["podSelector"]["matchLabels"])
        for rule in policies["battleship"]["egress"]
        for peer in rule["to"]
        if "podSelector" in peer
    ]
    assert reached == [["battleship-register"]]
    assert "egress" not in policies["battleship-register"]
