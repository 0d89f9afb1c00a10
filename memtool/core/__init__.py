"""Values and decisions: no files, no clock, no environment.

Design notes

- Values are `msgspec.Struct` classes with `frozen=True`, here and in every layer; `dict=True` where a
  `cached_property` needs it. Alternatives are classes joined by `|`, never named tuples: two of these
  are equal when their fields are. `dataclasses` is not used: it compiles six methods a class at import,
  which costs 23 to 31 % of the instructions of `search`, `get`, `append-daily` and a hook (CPython
  3.11), where Structs cost -7 to +7 %. Values that a watched search or a hook sends are named tuples, which
  load without msgspec.
"""
