"""The connection to a fleet: what its server lacks."""

from __future__ import annotations

import pytest

from memtool.fleet.connection import missing_fixes


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (150_014, "PostgreSQL 15.14 lacks the security fixes in 15.15 and later"),
        (150_015, ""),
        (180_000, "PostgreSQL 18.0 lacks the security fixes in 18.1 and later"),
        (190_000, ""),
    ],
)
def test_doctor_knows_servers_without_security_fixes(version, said):
    assert missing_fixes(version) == said
