"""The `dataclass` of this house: the standard one's promises for frozen values, made in a sixth of its time.

`dataclasses` compiles six methods for each class, when the module is imported. A command imports dozens of
values and then asks few of them for more than their fields, so that work was a sixth of a command's start.
Here a value has one method of its own, `__init__`, and shares the others; what only `replace` and `fields`
need is made by the standard library at the moment that they ask.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """The decorator `dataclasses.dataclass`; a plain class that is `frozen` with `slots` is made faster.

        Plain: no bases, no method of those that it would get, and fields that are names with types and,
        some, a value that cannot be changed or the `default_factory` of one. All else is the standard's.
        """
        standard = dataclasses.dataclass(**options)
        if options != {"frozen": True, "slots": True}:
            return standard if cls is None else standard(cls)
        return lambda plain: _value(plain) if _is_plain(plain) else standard(plain)


_METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__reduce__")
_SET = object.__setattr__
_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")
_MADE = frozenset({"__dataclass_fields__", "__dataclass_params__"})
"""What the functions of `dataclasses` know a class by that the standard decorator made."""


def _is_plain(cls: type) -> bool:
    kinds = cls.__annotations__
    given = [value for name, value in vars(cls).items() if name in kinds]
    return (
        cls.__bases__ == (object,)
        and all(map(_is_default, given))
        and not any(other in str(kind) for kind in kinds.values() for other in _NO_FIELDS)
        and vars(cls).keys().isdisjoint({"__slots__", *_METHODS})
    )


def _is_default(value: object) -> bool:
    """Whether what a field is set to can be left out: a value, or a `default_factory` and nothing more."""
    if not isinstance(value, dataclasses.Field):
        return value.__hash__ is not None
    made = value.default_factory
    return made is not dataclasses.MISSING and repr(value) == repr(field(default_factory=made))


def _value(cls: type) -> type:
    """The class anew, with slots, as the standard decorator makes it."""
    names = (*cls.__annotations__,)
    space = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
    given = {name: space.pop(name) for name in names if name in space}
    made = type(cls)(
        cls.__name__,
        (),
        {
            **space,
            "__slots__": names,
            "__match_args__": names,
            "__init__": _init(cls, names, given),
            "__repr__": _repr,
            "__setattr__": _set,
            "__delattr__": _delete,
            "__reduce__": _reduce,
            **_compared(names),
            **{name: _Made(name, given) for name in _MADE},
        },
    )
    made.__qualname__ = cls.__qualname__
    return made


def _init(cls: type, names: tuple[str, ...], given: dict[str, Any]) -> Callable[..., None]:
    required = [name for name in names if name not in given]
    if names[: len(required)] != (*required,):
        late = next(name for name in names[len(given) :] if name in required)
        raise TypeError(f"non-default argument {late!r} follows default argument")
    factories = {
        name: one.default_factory for name, one in given.items() if isinstance(one, dataclasses.Field)
    }
    taken = ", ".join(["_self", *(f"{name}=_given[{name!r}]" if name in given else name for name in names)])
    body = "".join(
        f"\n if {name} is _given[{name!r}]: {name} = _factories[{name!r}]()" * (name in factories)
        + f"\n _set(_self, {name!r}, {name})"
        for name in names
    )
    after = "\n _self.__post_init__()" * hasattr(cls, "__post_init__")
    scope: dict[str, Any] = {"_set": _SET, "_given": given, "_factories": factories}
    exec(f"def __init__({taken}):{body}{after}\n return", scope)  # noqa: S102  # the names of a class of ours
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    return made


def _compared(names: tuple[str, ...]) -> dict[str, Any]:
    """`__eq__` and `__hash__` of the fields."""
    if not names:
        return {"__eq__": _is_same_class, "__hash__": _hash_of_nothing}
    said: Callable[[Any], Any] = attrgetter(*names)

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return (said(self),) == (said(other),)  # in a tuple what is the same is equal, NaN too

    def hashed(self: Any) -> int:
        return hash(said(self))

    return {"__eq__": equal, "__hash__": hashed}


def _is_same_class(self: Any, other: object) -> Any:
    return True if other.__class__ is self.__class__ else NotImplemented


def _hash_of_nothing(_: Any) -> int:
    return hash(())


def _repr(self: Any) -> str:
    said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__qualname__}({said})"


def _set(_: Any, name: str, __: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), tuple(getattr(self, name) for name in self.__slots__)


class _Made:
    """What the functions of `dataclasses` ask a class for, made for all of it when one asks first."""

    def __init__(self, name: str, given: dict[str, Any]) -> None:
        self._name, self._given = name, given

    def __get__(self, _: object, cls: type) -> Any:
        kinds = {name: cls.__annotations__[name] for name in cls.__slots__}  # type: ignore[attr-defined]
        space = {"__annotations__": kinds, "__module__": cls.__module__, **self._given}
        standard: type = dataclasses.dataclass(frozen=True)(type(cls.__name__, (), space))
        for name in _MADE:
            setattr(cls, name, getattr(standard, name))
        return getattr(cls, self._name)
