"""Random notes, and random edits of them as people and editors make them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

WORDS = (
    "kiln",
    "glaze",
    "cone",
    "Osh",
    "Чайник",
    "печь",
    "粘土を練る",
    "ดินเผา",
    "فخار",
    "[[Clay]]",
    "#tag",
    "1,5",
)

lines = st.builds(
    "{} {}".format,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    st.integers(0, 9999),
)
blocks = st.one_of(
    lines,
    st.lists(lines, min_size=2, max_size=3).map("\n".join),
    lines.map("- {}".format),
    lines.map("- [ ] {}\n  more".format),
    lines.map("1. {}".format),
    lines.map("# {}".format),
    lines.map("## {}".format),
    lines.map("> {}".format),
    lines.map("```\n# {}\n\n```".format),
    st.lists(lines, min_size=1, max_size=3).map(
        lambda rows: "| a |\n|---|\n" + "\n".join(f"| {row} |" for row in rows)
    ),
)
frontmatters = st.sampled_from(
    ["", "", "---\ntags: [a]\ntitle: X\n---\n", "---\ntags: [a, b]\ntitle: Y\n---\n"]
)


def note(meta: str, parts: list[str]) -> str:
    return meta + "\n\n".join(parts) + "\n"


notes = st.builds(note, frontmatters, st.lists(blocks, max_size=7))


@st.composite
def edited(draw: Callable[..., str], text: str) -> str:
    """The text after some edits."""
    for _ in range(draw(st.integers(0, 4))):
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        rows = text.removeprefix(mark).split("\n")
        bare = [row.rstrip() for row in rows[:6]]
        first = bare.index("---", 1) + 1 if bare[:1] == ["---"] and "---" in bare[1:] else 0
        at = draw(st.integers(first, len(rows)))
        other = draw(st.integers(first, len(rows)))
        match draw(
            st.sampled_from(
                ["insert", "append", "delete", "line", "word", "move", "blank", "file", "mark", "key"]
            )
        ):
            case "insert":
                rows[at:at] = [*draw(blocks).split("\n"), ""]
            case "append":
                rows += ["", *draw(blocks).split("\n"), ""]
            case "delete":
                del rows[at:other]
            case "line":
                rows[at : at + 1] = [draw(lines)]
            case "word":
                rows[at : at + 1] = [f"{row} {draw(lines)}" for row in rows[at : at + 1]]
            case "move":
                moved = rows[at : at + 1]
                del rows[at : at + 1]
                rows[other:other] = moved
            case "blank":
                rows.insert(at, "")
            case "key" if first:
                rows[first - 2] = draw(st.sampled_from(["title: Kiln", "title: Печь", "tags: [b, c]"]))
            case "file":
                change = draw(st.sampled_from([crlf, str.rstrip, spaced]))
                rows = change("\n".join(rows)).split("\n")
            case "mark":
                mark = "" if mark else "\ufeff"
        text = mark + "\n".join(rows)
    return text


def has_duplicates(text: str) -> bool:
    """Whether a text has a line twice, apart from those of a table's form or of code."""
    rows = [row.strip("\ufeff\r\t ") for row in text.split("\n")]
    rows = [row for row in rows if row.strip("`|- ") not in {"", "a", "more"}]
    return len(rows) != len({*rows})


def crlf(text: str) -> str:
    return text.replace("\r", "").replace("\n", "\r\n")


def spaced(text: str) -> str:
    return text.replace("\n", " \n") + "\n\n"
