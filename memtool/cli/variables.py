"""Values of options and of environment variables; an error about a value of a variable names the variable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtool.errors import BadUsage, NoWorkspace, OutsideWorkspace

if TYPE_CHECKING:
    from memtool.core.records.entries import Owner

_LONGEST_PLAIN_NAME = 10
"""The most characters of an owner's name that is too short to contain a recognisable secret."""


@contextmanager
def naming_variable(name: str, *, applies: bool = True) -> Iterator[None]:
    """Let an error of the block about a wrong value name the variable, if the value is the variable's."""
    try:
        yield
    except (BadUsage, NoWorkspace, OutsideWorkspace) as error:
        if applies:
            error.name_source(name)
        raise


def named_owner(kind: str, option: str | None, variable: str | None) -> Owner:
    """The owner that an option names, else a variable.

    Raises BadUsage for an invalid name, and for one that is a secret.
    """
    from memtool.core.records.entries import Owner

    name = option or variable or ""
    with naming_variable(f"MEMTOOL_{kind.upper()}", applies=not option):
        owner = Owner(kind, name)
        if len(name) > _LONGEST_PLAIN_NAME:  # only then is the detection of secrets imported
            from memtool.core.secrets.redact import check_identifier

            check_identifier(name, f"--{kind}")
    return owner
