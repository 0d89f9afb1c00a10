"""Quick imports of libraries: a module that they rarely need is imported by the functions that need it."""

from __future__ import annotations

import subprocess
import sys

LEFT_OUT = ["inspect", "msgspec.inspect", "textwrap", "typing_extensions", "urllib.parse"]
IMPORT = f"""
import sys
from memtool.cli.start_up import import_libraries
import_libraries()
print([name for name in {LEFT_OUT} if name in sys.modules])
"""


def printed(code: str) -> str:
    command = [sys.executable, "-c", IMPORT + code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_modules_that_msgspec_and_pathlib_rarely_need_are_not_imported():
    assert printed("") == "[]\n"


def test_functions_that_need_such_a_module_import_it():
    code = (
        "import pathlib, msgspec\n"
        "print(msgspec.json.schema(int), pathlib.PurePosixPath('/a b').as_uri())\n"
        "from msgspec import inspect\n"
        "print(inspect.type_info(str), inspect.__file__ == msgspec.inspect.__file__)\n"
    )
    assert printed(code).splitlines()[1:] == [
        "{'type': 'integer'} file:///a%20b",
        "StrType(min_length=None, max_length=None, pattern=None) True",
    ]


def test_libraries_that_are_imported_already_stay_as_they_are():
    code = "before = {**sys.modules}\nimport_libraries()\nprint(sys.modules == before)\n"
    assert printed(code).splitlines()[1:] == ["True"]
