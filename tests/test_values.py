"""Values: what the standard decorator promises of a frozen class with slots holds of ours."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool import values
from memtool.core.document import Document

MAKERS = {"standard": dataclasses.dataclass, "ours": values.dataclass}
contents = st.one_of(st.none(), st.integers(), st.floats(allow_nan=False), st.text(), st.tuples(st.text()))


def classes(make):
    @make(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: object = 0
        name: str = ""

        def moved(self, by: int) -> Point:
            return dataclasses.replace(self, x=self.x + by)

        @property
        def far(self) -> bool:
            return self.x > 9

    @make(frozen=True, slots=True)
    class Only:
        kept: object

    @make(frozen=True, slots=True)
    class Nothing:
        pass

    @make(frozen=True, slots=True)
    class Checked:
        a: object
        kept: list[str] = dataclasses.field(default_factory=list)

        def __post_init__(self) -> None:
            if self.a == 0:
                raise ValueError(self)

    return Point, Only, Nothing, Checked


@values.dataclass(frozen=True, slots=True)
class Known:
    """One that can be found again by its name."""

    a: int
    b: tuple[str, ...] = ()


TWINS = list(zip(classes(MAKERS["standard"]), classes(MAKERS["ours"]), strict=True))


def outcome(call):
    try:
        return call()
    except Exception as error:
        return type(error), str(error)


def test_the_fast_way_is_taken():
    for _, ours in TWINS:
        assert ours.__setattr__ is values._set
    assert Known.__setattr__ is values._set


@given(st.lists(contents, max_size=4), st.lists(contents, max_size=4), st.sampled_from(range(4)))
def test_a_value_is_made_shown_compared_and_hashed_as_the_standard_one(first, second, which):
    standard, ours = TWINS[which]
    shown = []
    for cls in (standard, ours):
        one, other = outcome(lambda: cls(*first)), outcome(lambda: cls(*second))  # noqa: B023
        shown.append((str(one), repr(other), one == other, one != other))
        if not isinstance(one, tuple):
            assert outcome(lambda: hash(one)) == outcome(lambda: hash(cls(*first)))  # noqa: B023
            assert one == cls(*first)
            assert one != (*first,)
            assert copy.copy(one) == copy.deepcopy(one) == one
            assert dataclasses.asdict(one) == {key: getattr(one, key) for key in cls.__match_args__}
    assert shown[0] == shown[1].__class__(
        said.replace("ours", "standard") if isinstance(said, str) else said for said in shown[1]
    )


@pytest.mark.parametrize(("standard", "ours"), TWINS)
def test_what_a_class_says_of_itself_is_what_the_standard_one_says(standard, ours):
    for name in ("__slots__", "__match_args__", "__doc__", "__module__", "__qualname__", "__annotations__"):
        assert name == "__doc__" or getattr(ours, name) == getattr(standard, name)
    assert [*inspect.signature(ours).parameters] == [*inspect.signature(standard).parameters]
    assert [one.name for one in dataclasses.fields(ours)] == [
        one.name for one in dataclasses.fields(standard)
    ]
    assert [one.default for one in dataclasses.fields(ours)] == [
        one.default for one in dataclasses.fields(standard)
    ]
    assert [repr(one.default_factory) for one in dataclasses.fields(ours)] == [
        repr(one.default_factory) for one in dataclasses.fields(standard)
    ]
    assert dataclasses.is_dataclass(ours)


def test_a_factory_is_asked_for_each_value():
    checked = TWINS[3][1]
    assert checked(1).kept == []
    assert checked(1).kept is not checked(1).kept
    assert checked(1, ["x"]).kept == ["x"]


def test_a_value_cannot_be_changed():
    for (point, _, nothing, __), names in zip(
        zip(*TWINS, strict=True), (("x",), ("x", "other")), strict=True
    ):
        one = point(1)
        for name in names:
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, name, 2)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(one, name)
        assert not hasattr(nothing(), "__dict__")
        assert one.moved(2) == point(3)
        assert (one.far, one.moved(9).far) == (False, True)
        with pytest.raises(TypeError):
            dataclasses.replace(one, other=2)
        match one:
            case point(x, name=name):
                assert (x, name) == (1, "")


def test_a_value_goes_through_a_pickle():
    assert pickle.loads(pickle.dumps(Known(1, ("x",)))) == Known(1, ("x",))


def test_a_value_that_cannot_be_hashed_says_so():
    with pytest.raises(TypeError, match="unhashable"):
        hash(TWINS[0][1](1, []))


def test_what_is_not_plain_is_made_by_the_standard_decorator():
    @values.dataclass(frozen=True, slots=True)
    class Kept:
        more: Mapping[str, int] = values.field(default_factory=dict, compare=False)
        last: int | None = values.field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "last", len(self.more))

    assert Kept({"x": 1}) == Kept()
    assert Kept({"x": 1}).last == 1

    @values.dataclass(frozen=True, slots=True)
    class Most:
        most: ClassVar[int] = 3
        less: int = 2

    assert [one.name for one in dataclasses.fields(Most)] == ["less"]
    assert Most.most == 3

    @values.dataclass(frozen=True, slots=True)
    class Under(Known):
        c: int = 0

    assert Under(1, (), 2) == values.replace(Under(1), c=2)

    @values.dataclass(slots=True)
    class Open:
        a: int = 1

    Open().a = 2

    @values.dataclass
    class Bare:
        a: int = 1

    assert Bare() == Bare(1)
    with pytest.raises(ValueError, match="mutable default"):

        @values.dataclass(frozen=True, slots=True)
        class _Shared:
            a: list[int] = []  # noqa: RUF012

    for make in MAKERS.values():
        with pytest.raises(TypeError, match="non-default argument 'b' follows default argument"):

            @make(frozen=True, slots=True)
            class _Turned:
                a: int = 1
                b: int


def test_every_value_of_the_house_is_made_by_it():
    house = Path(values.__file__).parent
    others = [path for path in house.rglob("*.py") if path.name != "values.py"]
    assert [path for path in others if "from dataclasses import dataclass" in path.read_text("utf-8")] == []
    assert Document.__setattr__ is values._set
