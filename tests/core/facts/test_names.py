"""Names in facts: what a fact is about, and what it mentions."""

import pytest

from memtool.core.facts.names import mentioned_names, subject_names


@pytest.mark.parametrize(
    ("identifier", "text", "names"),
    [
        ("k-redis-cache", "One node", ["redis cache"]),
        ("k-redis-cache-0a1b2c", "One node", ["redis cache"]),
        ("m-0a1b2c", "One node", []),
        ("m-1", "Redis, cache: one node", ["Redis", "cache"]),
        ("m-1", "Kubernetes (k8s; kube) or EKS: on the cluster", ["Kubernetes", "k8s", "kube", "EKS"]),
        ("k-city", "Home town: Tashkent", ["city", "Home town"]),
        ("m-1", "When I am asked how I would like my tea: green", []),
        ("m-1", "He left. Then: nothing", []),
        ("m-1", "See https://example.org", []),
        ("m-1", ": nothing", []),
        ("m-1", "Порт, порты: 8101", ["Порт", "порты"]),
    ],
)
def test_a_fact_is_about_its_key_and_what_stands_before_its_colon(identifier, text, names):
    assert subject_names(identifier, text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("My cat's name is Whiskerino", ["Whiskerino"]),
        ("Deploys to EKS. Uses Helm charts", ["EKS", "Helm"]),
        ("iPhone and GitHub", ["iPhone", "GitHub"]),
        ("the port is 8101, on k8s, for 3 people", ["8101", "k8s"]),
        ("host 10.0.3.4 runs ABC-110", ["10.0.3.4", "ABC-110"]),
        ("Elena's birthday", []),
        ("наш город Самарканд", ["Самарканд"]),
        ("我住在东京", []),
        ("", []),
    ],
)
def test_names_codes_and_numbers_are_mentioned(text, names):
    assert mentioned_names(text) == names
