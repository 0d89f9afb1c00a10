import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.transcripts.json_stream import InvalidJsonStream, parse_truncated, parse_value, parse_values

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=50)  # a block has 1 to 40 bytes
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def blocks(text, size):
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return [raw[at : at + size] for at in range(0, len(raw), size)]


def until_broken(text, size=3):
    found = []
    with pytest.raises(InvalidJsonStream) as error:
        found.extend(one for one in map_into(found, parse_values(blocks(text, size))) if one is not one)
    return found, str(error.value)


def map_into(found, stream):
    for one in stream:
        found.append(one)
        yield one


@given(st.lists(json_values, max_size=5), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_an_array_comes_element_by_element_however_it_is_cut(elements, size, bom, indent):
    text = ("\ufeff" if bom else "") + json.dumps(elements, ensure_ascii=False, indent=indent)
    assert list(parse_values(blocks(text, size))) == elements


@given(
    st.lists(json_values.filter(lambda one: not isinstance(one, list)), max_size=5),
    st.integers(1, 40),
    st.sampled_from(["\n", "\r\n", " ", "\n\n"]),
)
def test_values_that_follow_each_other_come_one_by_one(elements, size, between):
    text = between.join(json.dumps(one) for one in elements)
    assert list(parse_values(blocks(text, size))) == elements


@pytest.mark.parametrize("number", ["1.5", "-0.25e+10", "1E5", "12345678901234567890123", "-7"])
@pytest.mark.parametrize("size", range(1, 12))
def test_a_number_is_not_cut_where_a_block_ends(number, size):
    assert list(parse_values(blocks(f"[{number},{number}]", size))) == [json.loads(number)] * 2
    assert list(parse_values(blocks(f"{number} {number}", size))) == [json.loads(number)] * 2


@pytest.mark.parametrize(
    ("text", "before", "why"),
    [
        ('[{"a": 1}, {"b": x}, 3]', [{"a": 1}], "expecting value at character 18"),
        ("[1, 2", [1, 2], "the array is not closed at character 6"),
        ("[1, ", [1], "the array is not closed at character 5"),
        ("[1 2]", [1], "no comma or closing bracket after an element at character 4"),
        ("[1] 2", [1], "unexpected text after the end of the array at character 5"),
        ('[1, "abc', [1], "unterminated string starting at character 5"),
        ("[1, NaN, 2]", [1], "invalid value NaN at character 5"),
        ("[1, -Infinity]", [1], "invalid value -Infinity at character 5"),
        ("[1, 1e999, 2]", [1], "a number is too large at character 5"),
        ('{"a": 1}\n{"a": 2}\nnonsense', [{"a": 1}, {"a": 2}], "expecting value at character 19"),
        (b'["one", "\xc3\xa9", "\xff", "x"]', ["one", "é"], "invalid UTF-8 at character 15"),
        (b'["one"] \xc3', ["one"], "invalid UTF-8 at character 9"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_what_came_before_a_fault_is_kept_and_the_fault_is_told(text, before, why, size):
    found, said = until_broken(text, size)
    assert found == before
    assert said.lower() == why.lower()


def test_endless_nesting_is_a_fault_of_the_stream():
    found, said = until_broken("[1, " + "[" * 200_000, 4096)
    assert found == [1]
    assert "nested too deeply" in said
    with pytest.raises(ValueError):
        parse_value("[" * 200_000)


def test_an_element_of_many_blocks_is_one_element():
    big = {"text": "long " * 10_000}
    assert list(parse_values(blocks(json.dumps([big, 1]), 64))) == [big, 1]


def test_only_the_largest_element_is_held():
    held, most = 0, 0

    def counted():
        nonlocal held, most
        yield b"["
        for _ in range(2000):
            held += 1
            most = max(most, held)
            yield b'{"text": "' + b"x" * 1000 + b'"},'
        yield b"{}]"

    for _ in parse_values(counted()):
        held = 0
    assert most < 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1, "b": [1, {"c": "d', [{"a": 1, "b": [1, {"c": "d"}]}]),
        ('[{"a": 1, "b": [1, {"c', [{"a": 1, "b": [1, {}]}]),
        ('{"a": {"b": 1}, "c": "cut \\" here\\u12', {"a": {"b": 1}, "c": 'cut " here'}),
        ('[{"a": 1}, {"b": ', [{"a": 1}, {}]),
        ('{"a": "[{,"', {}),
        ("[1]]", [1]),
        ("nothing", None),
        ("", None),
        ("[}", []),
    ],
)
def test_the_beginning_of_a_document_says_what_it_can(text, said):
    assert parse_truncated(text) == said


@given(json_values, st.data())
def test_any_beginning_of_a_document_can_be_read_or_is_none(whole, data):
    text = json.dumps(whole)
    parse_truncated(text[: data.draw(st.integers(0, len(text)))])
    if isinstance(whole, list | dict):
        assert parse_truncated(text) == whole


def test_the_beginning_of_a_deeply_nested_text_takes_no_longer_than_its_length():
    assert parse_truncated("[" * 1_000_000) is None  # quadratic work would take an hour
    assert parse_truncated("[" * 50 + '"x') is not None
