"""The measurements of `make bench` run on an installation without the developer's packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.trees import clean_environment

HERE = Path(__file__).parent
ABSENT = ("pytest", "hypothesis", "xdist")


def test_no_measurement_imports_a_package_of_the_tests(tmp_path):
    modules = sorted(f"tests.bench.{path.stem}" for path in (HERE / "bench").glob("*.py"))
    code = f"import sys\nsys.modules.update(dict.fromkeys({ABSENT}))\nimport {', '.join(modules)}"
    imported = subprocess.run(
        [sys.executable, "-c", code],
        cwd=HERE.parent,
        env=clean_environment(tmp_path),
        capture_output=True,
        check=False,
    )
    assert (imported.returncode, imported.stderr) == (0, b"")
