"""The key of a tree in a fleet: a private file for each tree, in the user's configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.errors import UnreadableFile
from memtool.store.external.external_file import read_file, write_file
from memtool.store.root import user_folder


class FleetKey(Struct, frozen=True):
    """How a tree enters its fleet: its name there, and a connection string with its role and password.

    `root` is the real path of the tree: a tree that was moved joins again.
    """

    root: str
    name: str
    dsn: str


def read_key(environment: Mapping[str, str], root: str) -> FleetKey | None:
    """The key of the tree at a root; None if it has not joined a fleet. Raises UnreadableFile."""
    path = key_path(environment, root)
    text = read_file(path).text
    if text is None:
        return None
    try:
        return msgspec.json.decode(text.encode(), type=FleetKey)
    except msgspec.DecodeError as error:
        raise UnreadableFile(
            f"{path} is not a valid fleet key; join the fleet again: "
            "memtool fleet join DSN --as NAME --replace"
        ) from error


def write_key(environment: Mapping[str, str], key: FleetKey, now: datetime) -> str:
    """Store the key of a tree, readable by its user alone; its path. Raises Unwritable, StaleWrite."""
    path = key_path(environment, key.root)
    text = msgspec.json.format(msgspec.json.encode(key), indent=2).decode() + "\n"
    write_file(read_file(path), text, now, with_backup=False)
    return path


def key_path(environment: Mapping[str, str], root: str) -> str:
    """Where the key of the tree at a root is."""
    folder = user_folder(environment, "XDG_CONFIG_HOME", ".config")
    name = blake2b(os.fsencode(os.path.realpath(root)), digest_size=8).hexdigest()
    return os.path.join(folder, "memtool", "fleet", f"{name}.json")
