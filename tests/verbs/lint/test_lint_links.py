"""Links that lead nowhere, notes to which none leads, and links that are left alone because they are none."""

from __future__ import annotations

import itertools
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.trees import make
from tests.verbs.lint.test_lint import KEY, aged, native, run, told

Z = "memory/notes/zettel"


def links(root, layout=None, **wanted):
    """The findings about links: code, path, line, column, and what is said."""
    return [
        (one.code, one.path, one.line, one.col, one.message)
        for one in run(root, layout, **wanted).problems
        if one.code.startswith("M4")
    ]


def codes(root, layout=None, **wanted):
    return [(code, path, line) for code, path, line, _, _ in links(root, layout, **wanted)]


def test_a_link_to_nothing_is_told_where_it_stands(tmp_path):
    native(
        tmp_path,
        {
            f"{Z}/a.md": "# A\n\nSee [[b]] and [[No such note|that]], [x](c.md) or ![](pictures/d.png).\n",
            f"{Z}/b.md": (
                "---\nup: '[[Nowhere]]'\n---\n![[e.png]] [[a#Not here]] [[a#^no]] [r][1]\n\n[1]: f.md\n"
            ),
        },
    )
    assert links(tmp_path) == [
        ("M401", f"{Z}/a.md", 3, 15, "broken link: no note named 'No such note'"),
        ("M401", f"{Z}/a.md", 3, 38, "broken link: no such file 'c.md'"),
        ("M401", f"{Z}/a.md", 3, 51, "broken link: no such file 'pictures/d.png'"),
        ("M401", f"{Z}/b.md", 2, 6, "broken link: no note named 'Nowhere'"),
        ("M401", f"{Z}/b.md", 4, 1, "broken link: no such file 'e.png'"),
        ("M402", f"{Z}/b.md", 4, 12, f"broken link [[a#Not here]]: no such heading in {Z}/a.md"),
        ("M403", f"{Z}/b.md", 4, 27, f"broken link [[a#^no]]: no block ^no in {Z}/a.md"),
        ("M401", f"{Z}/b.md", 4, 37, "broken link: no such file 'f.md'"),
    ]


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("[[b#c]]", "broken link [[b#c]]: no such heading in {b}"),
        ("![[ b # c |d]]", "broken link [[b # c]]: no such heading in {b}"),
        ("[[b # ^c]]", "broken link [[b # ^c]]: no block ^c in {b}"),
        ("[[b#Part#c]]", "broken link [[b#Part#c]]: no such heading in {b}"),
        ("[[x^y#c]]", "broken link [[x^y#c]]: no such heading in {caret}"),
        ("[d](odd%20%23%20name.md#c)", "broken link odd%20%23%20name.md#c: no such heading in {odd}"),
        ("[[odd # name]]", "broken link: no note named 'odd' (did you mean '{odd}'?)"),
        ("[[odd#name]]", "broken link: no note named 'odd' (did you mean '{odd}'?)"),
        ("[[nowhere#part|d]]", "broken link: no note named 'nowhere'"),
        ("[d](nowhere.md#part)", "broken link: no such file 'nowhere.md'"),
    ],
)
def test_a_broken_link_is_shown_as_it_is_written(tmp_path, link, message):
    paths = {"b": f"{Z}/b.md", "caret": f"{Z}/x^y.md", "odd": f"{Z}/odd # name.md"}
    others = dict.fromkeys(paths.values(), "# B\n\n## Part\n\n[[a]]\n")
    native(tmp_path, {f"{Z}/a.md": f"# A\n\n[[b]] [[x^y]] {link}\n", **others})
    found = [text for code, path, *_, text in links(tmp_path) if path == f"{Z}/a.md"]
    assert found == [message.format(**paths)]


def test_a_name_in_another_spelling_is_named(tmp_path):
    native(
        tmp_path,
        {f"{Z}/a.md": "[[Kiln Schedule]] [[b]]\n", f"{Z}/b.md": "[[a]]", f"{Z}/kiln-schedule.md": "[[a]]\n"},
    )
    assert links(tmp_path)[0][4] == (
        f"broken link: no note named 'Kiln Schedule' (did you mean '{Z}/kiln-schedule.md'?)"
    )


TRUE = """---
title: Everything that is right
aliases: [All, Other name]
up: "[[b]]"
---
# Everything

[[b]] [[B]] [[zettel/b]] [[memory/notes/zettel/b]] [[b.md]] [[b|shown]] [[b#A heading]] [[b#a heading!]]
[[b#Part#Below]] [[b#^block-1]] [[Another title]] [[nickname]] [[202501151030]] [[#Everything]] [[#^own]]
[x](b.md) [x](b.md#a-heading) [x](./b.md) [x](../zettel/b.md) [x](<b.md>) [x](b.md "title") [x](#everything)
[x](b.md#part-1) [x](b.md#custom) [x](b.md#shown-text) [x](b%2Emd) [x](b.md?plain=1) [x](b.md:3)
![x](../pictures/a%20b.png) ![[a b.png]] ![[a b.png|300]] ![[sheet.pdf#page=3]] [[b#Linked shown]]
![[b#^block-1]] [x](/memory/notes/zettel/b.md)

| a | b |
|---|---|
| [[b\\|c]] | x | ^own
"""
THERE = """---
title: Another title
aliases: nickname
---
## A heading

Text. ^block-1

# Part
### Below
## Part
## Own {#custom}
## [Shown text](https://example.com)
## [[all|Linked shown]]

[[all]]
"""
FREE = """# No links at all

`[[code]]` and [web](https://example.com/a.md), [mail](mailto:a@example.com), <https://example.com>
[x](www.example.com)

```bash
if [[ -f x ]]; then [a](b.md)
```

    [[indented]]

if [[ -f x ]] || [[ $a == b ]] || [[ ! -e c ]] || [[ "$a" ]]; matrix [[1, 2], [3, 4]] and [[1,2]] or [[3]]
[[:alpha:]] [[...]] [[ ]] [[]] [[https://example.com]] arr[0](x) f[i](y) [Alice]: yes
[placeholder](path/to/file.md) [x](YYYY-MM-DD.md) [x](<name>.md) [x](...) [x](~/notes/a.md)
[x](/etc/hosts.md) [x](TBD)
[x](url) [site](example.com) [blog](/posts/one/) [top](#top) [line](b.md#L10) [n](#fn1) [^1] [and](and/or)
[x](../../../../../outside.md) [x](C:\\\\notes\\\\a.md) [t](#:~:text=x)

[^1]: a footnote.md
[//]: # (a comment)
<!-- [[comment]] --> %% [[hidden]] %% $[[math]]$ \\[[escaped]]
[[20250115]] [[15.01.2025]] [[01-15-2025]] [[Jan 15th, 2025]] [[January 15, 2025]] [[15 January 2025]]
[[Wednesday, January 15th, 2025]] [[15. Januar 2025]] [[2025年1月15日]] [[2025년 1월 15일]] [[W03-2025]]
[[2025-01-15 (Wed)]] [[2025-W3]] [[May 2025]]
[[2025-01-15]] [[2025-W03]] [[daily/2025-01-15]] [[2025-01-15 Wednesday]] [[{{date}}]] [[<% tp.date.now() %>]]
"""


def test_links_that_lead_somewhere_and_what_is_no_link_are_left_alone(tmp_path):
    native(
        tmp_path,
        {
            f"{Z}/all.md": TRUE,
            f"{Z}/b.md": THERE,
            f"{Z}/202501151030 A zettel.md": "[[all]]",
            f"{Z}/free.md": f"{FREE}\n[[all]]\n",
            f"{Z}/links to free.md": "[[free]] [[b]]\n",
            "memory/notes/maps/all.canvas": "{}",
            "memory/notes/pictures/a b.png": b"\x89PNG\r\n\x1a\n",
            "memory/notes/sheet.pdf": b"%PDF",
            "memory/notes/maps/m.md": "[[links to free]] [[202501151030 A zettel]] [x](../zettel/b.md)\n",
        },
    )
    assert links(tmp_path) == []


def test_what_lies_beside_memory_is_there(tmp_path):
    native(
        tmp_path,
        {
            f"{Z}/a.md": "![[photo.png]] [x](../../../docs/guide.md) [[docs/guide]] [[guide]]\n"
            "[x](/memory/gone.md) [[b]]\n",
            f"{Z}/b.md": (
                "[x](../../../.hidden/x.md) [x](../../../docs/) [[a]]\n![[other.png]] [x](../../empty)\n"
            ),
            "docs/guide.md": "x\n",
            "assets/deep/photo.png": b"",
            ".hidden/x.md": "x\n",
        },
    )
    (tmp_path / "memory/empty").mkdir()
    assert [(code, path, said) for code, path, _, _, said in links(tmp_path)] == [
        ("M401", f"{Z}/a.md", "broken link: no such file '/memory/gone.md'"),
        ("M401", f"{Z}/b.md", "broken link: no such file 'other.png'"),
    ]


def test_where_not_everything_can_be_known_nothing_is_called_missing(tmp_path):
    native(
        tmp_path / "w",
        {f"{Z}/a.md": "[[far]] [[memory/notes/there/far]] [[b]] [x](gone.md)\n", f"{Z}/b.md": "[[a]]\n"},
    )
    make(tmp_path / "elsewhere", {"far.md": "x\n"})
    (tmp_path / "w/memory/notes/there").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "w/memory/notes/zettel/one.md").symlink_to(tmp_path / "elsewhere/far.md")
    (tmp_path / f"w/{Z}/b.md").write_text("[[a]] [[one]] [x](one.md)\n")
    assert codes(tmp_path / "w") == [("M401", f"{Z}/a.md", 1)]


def test_what_a_layout_takes_for_no_mistake_is_a_remark(tmp_path):
    fact = "---\nname: {0}\ndescription: x\n---\nSee [[{1}]].\n"
    make(
        tmp_path,
        {
            "MEMORY.md": "- [Kiln](kiln.md) — when it fires\n- [Gone](gone.md) — x\n- the `glazes` file\n",
            "kiln.md": fact.format("kiln-facts", "to-be-written"),
            "glazes.md": fact.format("glaze-facts", "kiln-facts"),
            "unseen.md": fact.format("unseen-facts", "glaze-facts"),
            "logs/2025/01/2025-01-15.md": "- fired\n",
            "linked.md": "x\n",
            "more.md": "[x](linked.md) ![x](picture.png)\n",
        },
    )
    assert [(code, path, line) for code, path, line in codes(tmp_path, "claude-code")] == [
        ("M401", "MEMORY.md", 2),
        ("M404", "kiln.md", 5),
        ("M406", "more.md", 1),
        ("M401", "more.md", 1),
        ("M406", "unseen.md", 1),
    ]
    (tmp_path / "MEMORY.md").write_text("- unseen, and [more](more.md)\n- [Kiln](kiln.md)\n")
    assert [code for code, *_ in codes(tmp_path, "claude-code")] == ["M404", "M401"]
    text = b"- [more](more.md), [k](kiln.md)\n"
    given = {"overrides": {"MEMORY.md": text}, "paths": ("unseen.md",)}
    assert codes(tmp_path, "claude-code", **given) == [("M406", "unseen.md", 1)]


def test_logs_may_name_what_is_still_to_be_written_and_prompts_may_explain_links(tmp_path):
    native(
        tmp_path,
        {
            "memory/2025-01-15.md": "# x\n\nWe spoke of [[a new glaze]], see [x](gone.md).\n",
            "AGENTS.md": "Link notes with [[wikilinks]]; read [the guide](memory/none.md), [x](src/x.md).\n",
            "memory/core/AGENT.md": "# Agent\nUse [[name]].\n",
            "memory/semantic/a.md": "- [goal] finish [[the shelf]]\n",
        },
    )
    assert codes(tmp_path) == [
        ("M401", "AGENTS.md", 1),
        ("M404", "memory/2025-01-15.md", 3),
        ("M401", "memory/2025-01-15.md", 3),
        ("M401", "memory/semantic/a.md", 1),
    ]


def test_templates_are_not_followed(tmp_path):
    native(
        tmp_path,
        {
            "memory/notes/Templates/x.md": "[[Some note]] [x](y.md)\n",
            "memory/notes/_templates/deep/x.md": "[[Some note]]\n",
            f"{Z}/t.md": "<% tp.file.title %> [[Parent]]\n",
            f"{Z}/u.md": "# {{title}}\n[[Parent]] [[a]]\n",
            f"{Z}/a.md": "[[u#Any heading]] [[b]]\n",
            f"{Z}/b.md": "[[a]]\n",
        },
    )
    assert codes(tmp_path) == []


def test_notes_that_nobody_comes_across(tmp_path):
    native(
        tmp_path,
        {
            f"{Z}/a.md": "[[b]]\n",
            f"{Z}/b.md": "[[b]]\n",
            f"{Z}/2025-01-15.md": "[[a]]\n",
            "memory/notes/maps/m.md": "[[b]]\n",
            "memory/notes/maps/none.md": "nothing\n",
            "memory/apart.md": "[[b]]\n",
        },
    )
    assert codes(tmp_path) == [("M405", "memory/notes/maps/none.md", 1)]
    for number in range(12):
        (tmp_path / f"{Z}/n{number:02}.md").write_text("x\n")
    assert links(tmp_path) == [
        ("M405", "memory/notes/maps/none.md", 1, 1, "orphan note: no other file links to it"),
        (
            "M405",
            Z,
            1,
            1,
            f"12 orphan notes in this folder, including {Z}/n00.md: no other file links to them",
        ),
    ]
    assert codes(tmp_path, paths=(f"{Z}/n03.md",)) == [("M405", f"{Z}/n03.md", 1)]


def test_where_notes_have_no_links_none_is_missing_any(tmp_path):
    native(tmp_path, {f"{Z}/a.md": "x\n", f"{Z}/b.md": "[web](https://example.com)\n"})
    assert codes(tmp_path) == []


def test_a_name_that_several_notes_have(tmp_path):
    native(
        tmp_path,
        {
            "memory/notes/x/same.md": "[[top]]\n",
            "memory/notes/y/same.md": "[[top]]\n",
            "memory/notes/z/same.md": "[[top]]\n",
            "memory/notes/top.md": "[[same]] [[x/same]] [[y/same]] [x](z/same.md)\n",
        },
    )
    assert links(tmp_path) == [
        (
            "M407",
            "memory/notes/top.md",
            1,
            1,
            (
                "ambiguous link: [[same]] resolves to memory/notes/x/same.md, "
                "but also matches memory/notes/y/same.md and 1 more"
            ),
        )
    ]


def test_a_folder_of_notes_is_linted_as_one(tmp_path):
    make(
        tmp_path,
        {
            ".obsidian/app.json": "{}",
            "Home.md": "[[Kiln schedule]] [[Glazes/Celadon#Reduction|x]] ![[tile.jpg]] [[Missing]]\n",
            "1. 🔥 Fire/Kiln schedule.md": "[[Home]] [[celadon]]\n",
            "Glazes/Celadon.md": "## Reduction\n[[Home]]\n",
            "Anhänge/tile.jpg": b"",
        },
    )
    assert codes(tmp_path) == [("M404", "Home.md", 1)]


def test_links_of_files_that_are_passed_over_count_and_are_not_judged(tmp_path):
    native(
        tmp_path,
        {
            ".memignore": "archive/\n",
            f"{Z}/a.md": "[[Old name]] [[b]] [[memory/notes/archive/old#There]] [[old#Not there]]\n",
            f"{Z}/b.md": "[[a]]\n",
            f"{Z}/c.md": "x\n",
            "memory/notes/archive/old.md": "---\naliases: Old name\n---\n# There\n[[c]] [[gone]]\n",
        },
    )
    assert codes(tmp_path, key=KEY) == [("M402", f"{Z}/a.md", 1)]
    assert codes(tmp_path, key=KEY) == [("M402", f"{Z}/a.md", 1)]
    (tmp_path / ".memignore").write_text("")
    found = codes(tmp_path, key=KEY)
    assert ("M401", "memory/notes/archive/old.md", 5) in found
    (tmp_path / ".memignore").write_text("archive/\n")
    assert codes(tmp_path, key=KEY) == [("M402", f"{Z}/a.md", 1)]


def test_comments_settings_and_baselines_hold_for_links(tmp_path):
    native(
        tmp_path,
        {
            "memtool.toml": '[lint.per_file]\n"**/b.md" = ["M4"]\n',
            f"{Z}/a.md": "[[gone]] <!-- memtool: ignore M401 -->\n[[b]]\n[[lost]]\n",
            f"{Z}/b.md": "[[nothing]] [[a]]\n",
        },
    )
    assert codes(tmp_path) == [("M401", f"{Z}/a.md", 3)]


def test_a_group_hears_nothing_of_links(tmp_path):
    native(tmp_path, {"groups/x/memory/a.md": "[[gone]] [y](gone.md)\n", f"{Z}/a.md": "[[gone]]\n"})
    assert codes(tmp_path, group="x") == []
    assert ("M401", "groups/x/memory/a.md", 1) in codes(tmp_path)


def test_what_was_found_of_links_is_kept_as_long_as_it_holds(tmp_path):
    native(tmp_path, {f"{Z}/a.md": "[[b]] [[docs/x]]\n", f"{Z}/b.md": "[[a]]\n"})
    missing = ("M401", f"{Z}/a.md", 1)
    assert codes(tmp_path, key=KEY) == [missing]
    aged(tmp_path)
    kept = (tmp_path / ".memtool/lint/kept").read_bytes()
    make(tmp_path, {"docs/x.md": "beside memory\n"})
    assert codes(tmp_path, key=KEY) == []
    (tmp_path / "docs/x.md").unlink()
    assert codes(tmp_path, key=KEY) == [missing]
    assert (tmp_path / ".memtool/lint/kept").read_bytes() == kept
    (tmp_path / f"{Z}/b.md").rename(tmp_path / f"{Z}/c.md")
    assert codes(tmp_path, key=KEY) == [missing, missing, ("M405", f"{Z}/c.md", 1)]
    (tmp_path / f"{Z}/b.md").write_bytes(b"")
    assert codes(tmp_path, key=KEY) == [missing, ("M405", f"{Z}/c.md", 1)]
    assert codes(tmp_path, key=KEY, overrides={f"{Z}/c.md": b"[[b#x]]"}, paths=(f"{Z}/c.md",)) == [
        ("M402", f"{Z}/c.md", 1),
        ("M405", f"{Z}/c.md", 1),
    ]
    assert codes(tmp_path, key=KEY) == [missing, ("M405", f"{Z}/c.md", 1)]


def test_nothing_that_is_secret_is_kept_or_told(tmp_path):
    secret = "ghp_" + "aB3" * 12
    text = f"# {secret} heading\n[[{secret}]] [x]({secret}.md) [[a#{secret}]]\n"
    native(tmp_path, {f"{Z}/a.md": text, f"{Z}/b.md": f"---\ntitle: {secret}\nid: {secret}\n---\n[[a]]\n"})
    assert {code for code, _, _ in told(tmp_path, key=KEY)} >= {"M501"}
    assert secret.encode() not in (tmp_path / ".memtool/lint/kept").read_bytes()
    assert secret.lower().encode() not in (tmp_path / ".memtool/lint/kept").read_bytes()
    assert secret not in "".join(said for *_, said in links(tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        "[[" * 500,
        "[a](" * 500,
        "# \n" * 500,
        "[[a|" * 300 + "]]" * 300,
        "#" * 999,
        "{#" * 500,
        "# " + "[[|" * 500,
        "---\na: " + "[" * 1000 + "\n---\n",
        "[[gone]]" * 200,
    ],
)
def test_hostile_texts_have_no_problem_but_broken_links(tmp_path, text):
    native(tmp_path, {f"{Z}/a.md": text})
    assert {code for code, _, _ in codes(tmp_path)} <= {"M401"}


def test_each_of_many_links_to_no_heading_is_a_problem(tmp_path):
    many = range(100)
    text = "".join(f"# Part {n}\n[[#Part {n}]] [[#No {n}]]\n" for n in many)
    make(tmp_path, {"a.md": text, ".obsidian/app.json": "{}"})
    assert len(codes(tmp_path, "obsidian")) == len(many)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("```\n[[a]]\n\n[[b]]\n", []),
        ("[[a]]\n\n~~~ py\n[[b]]\n```\n[[c]]\n", [1]),
        ("```\nx\n```\n[[a]]\n", [4]),
        ("- ```\n  x\n  ```\n[[a]]\n", [4]),
        ("- ```\n  x\n\n[[a]]\n", [4]),
        ("> ```\n> x\n\n[[a]]\n", [4]),
        ("````\n```\n````\n[[a]]\n", [4]),
        ("a ``` b\n[[a]]\n", [2]),
        ("``` a ``` b\n[[a]]\n", [2]),
    ],
)
def test_code_that_nothing_closes_is_code_to_the_end(tmp_path, text, lines):
    make(tmp_path, {"x.md": text, ".obsidian/app.json": "{}"})
    assert codes(tmp_path, "obsidian") == [("M404", "x.md", line) for line in lines]


def test_a_link_to_a_repeated_heading_and_one_to_a_missing_picture_are_warned_of(tmp_path):
    text = "[[plan#Beds]] [[plan#Soil#Beds]] [[plan#Soil]] ![[beds.png]] [[Node.js]]\n"
    plan = "# Soil\n\n## Beds\n\n# Water\n\n## Beds\n"
    make(tmp_path, {"x.md": text, "plan.md": plan, ".obsidian/app.json": "{}"})
    assert [code for code, _, _ in codes(tmp_path, "obsidian")] == ["M405", "M407", "M401", "M404"]


def test_a_graph_of_logseq_is_read_as_logseq_reads_it(tmp_path):
    files = {
        "journals/2025_01_15.md": "- [[kiln/cone]] [[kiln/glaze]] [[No page yet]] #[[tagged too]]\n",
        "pages/kiln___cone.md": "- [[kiln/glaze]]\n",
        "pages/kiln%2Fglaze.md": "title:: kiln/glaze\n- [[kiln/cone]]\n",
    }
    assert [code for code, _, _ in codes(make(tmp_path, files), "obsidian")] == ["M404", "M404"]


def test_packages_that_lie_beside_hide_no_fault(tmp_path):
    native(tmp_path, {f"{Z}/a.md": "[[Nowhere]] [[b]]\n", f"{Z}/b.md": "[[a]]\n"})
    for number in range(2100):
        (tmp_path / f"node_modules/p{number}").mkdir(parents=True)
    (tmp_path / "node_modules/p1/Nowhere.md").write_text("x")
    assert codes(tmp_path) == [("M401", f"{Z}/a.md", 1)]
    vault = tmp_path / "vault"
    make(vault, {".obsidian/app.json": "{}", "node_modules/p/README.md": "[[x]] [y](z.md)\n", "a.md": ""})
    assert codes(vault, "obsidian") == []


def test_what_a_drawing_holds_is_not_seen_in_its_text(tmp_path):
    files = {
        ".obsidian/app.json": "{}",
        "Plan.excalidraw.md": "---\n\nexcalidraw-plugin: parsed\n\n---\n# Text Elements\nKiln ^iALG2Gey\n",
        "a.md": "[[Plan.excalidraw#^group=x1]] ![[Plan.excalidraw#^frame=Kiln_2|300]] [[a#^group=x1]]\n",
    }
    make(tmp_path, files)
    assert [code for code, _, _ in codes(tmp_path, "obsidian")].count("M403") == 1


@pytest.mark.parametrize(
    ("folder", "is_one"),
    [
        *[
            (name, True)
            for name in ("Templates", "_templates", "99 - Note Templates", "Templater", "Vorlagen")
        ],
        *[(name, True) for name in ("Extras/Templates/Weekly", "模板", "Modèles de notes", "TEMPLATE_2")],
        *[(name, False) for name in ("Contemplate", "Notes", "Mallarme")],
    ],
)
def test_links_of_templates_are_for_those_who_fill_them_in(tmp_path, folder, is_one):
    make(tmp_path, {f"{folder}/a.md": "[[Name of the project]]\n", ".obsidian/app.json": "{}"})
    assert bool(codes(tmp_path, "obsidian")) is not is_one


ODD = st.sampled_from(
    [
        *(
            "\n",
            "\r\n",
            "\r",
            "\f",
            "\x85",
            "\u2028",
            "\t",
            " ",
            "𝒜",
            "é",
            "e\u0301",
            "🚀",
            "\ufeff",
            "\\",
            "|",
            "`",
            "$",
        ),
        *(
            "[[no]]",
            "![[no.png|3]]",
            "[[a|b]]",
            "[[a\\|b]]",
            "[x](no.md)",
            "![y](<no 2.png>)",
            "[z](a.md#no)",
            "[[#^no]]",
        ),
        *(
            "[[a#no]]",
            "```\n",
            "~~~\n",
            "---\n",
            "up: '[[no]]'\n",
            "- ",
            "> ",
            "1. ",
            "| ",
            "# ",
            "<!--",
            "-->",
            "%%",
            "<%",
        ),
        *("%>", "{{x}}", "[r]: no.md\n", "[r]", "[^1]: ", "^id", "[", "]", "(", ")", "<a b='", "'>", "x"),
    ]
)
vaults = itertools.count()


@given(st.lists(ODD, max_size=25).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_every_fault_of_a_link_stands_where_it_is_said_to(tmp_path, text):
    root = make(tmp_path / str(next(vaults)), {".obsidian/app.json": "{}", "a.md": text.encode()})
    rows = text.split("\n")
    for code, _, line, column, message in links(root, "obsidian"):
        if code in {"M401", "M402", "M403", "M407"}:
            assert rows[line - 1][column - 1] in "![", message
    shutil.rmtree(root)


def test_what_claude_reads_without_quotes_is_no_fault_in_its_memory(tmp_path):
    fact = "---\nname: {}\ndescription: Glaze: how it runs\nmetadata:\n  type: project\n---\nSee [[{}]].\n"
    make(
        tmp_path,
        {
            "MEMORY.md": "- [a](a.md)\n- [b](b.md)\n",
            "a.md": fact.format("celadon", "tenmoku"),
            "b.md": fact.format("tenmoku", "celadon"),
        },
    )

    def found(layout):
        return [(code, path) for code, path, _ in told(tmp_path, layout, codes={"M203", "M404"})]

    assert found("claude-code") == []
    assert found("obsidian") == [("M203", "a.md"), ("M203", "b.md")]
    (tmp_path / "b.md").write_text(fact.format("[tenmoku", "celadon"))
    assert found("claude-code") == [("M404", "a.md"), ("M203", "b.md")]


def test_an_alias_that_two_notes_have_is_reported_at_the_later_one_without_a_link(tmp_path):
    files = {
        ".obsidian/app.json": "{}",
        "a.md": "---\naliases: [Firing, Kiln Log]\n---\n",
        "b.md": "---\ntags: [kiln]\nalias: kiln log\n---\n",
        "c.md": "---\naliases:\n- Glazing\n- KILN LOG\n---\n",
        "Templates/t.md": "---\naliases: [Firing]\n---\n",
        "d.md": '---\naliases: ["{{title}}"]\n---\n',
        "e.md": '---\naliases: ["{{title}}"]\n---\n',
        "f.md": "---\naliases: [x, x, X]\n---\n",
    }
    make(tmp_path, files)
    found = [each for each in links(tmp_path, "obsidian") if each[0] == "M407"]
    assert found == [
        ("M407", "b.md", 3, 1, "alias 'kiln log' is also an alias of a.md"),
        ("M407", "c.md", 4, 1, "alias 'KILN LOG' is also an alias of a.md"),
    ]
    (tmp_path / "a.md").write_text("---\naliases: [Firing]\n---\n")
    found = [each for each in links(tmp_path, "obsidian") if each[0] == "M407"]
    assert found == [("M407", "c.md", 4, 1, "alias 'KILN LOG' is also an alias of b.md")]


@pytest.mark.parametrize(
    ("folders", "expected"),
    [([], 1), ([".obsidian"], 1), ([".zk"], 0), ([".foam"], 0), ([".zk", ".obsidian"], 1)],
)
def test_tags_are_obsidians_unless_the_notes_are_those_of_another_program(tmp_path, folders, expected):
    make(tmp_path, {"a.md": "---\ntags: [my garden]\n---\n", "memtool/MEMORY.md": "# M\n"})
    for folder in folders:
        (tmp_path / folder).mkdir()
    assert sum(one.code == "M222" for one in run(tmp_path, "obsidian").problems) == expected


def test_the_tags_of_other_layouts_may_have_spaces(tmp_path):
    native(tmp_path, {f"{Z}/a.md": "---\ntags: [my garden, 2026, Work, work]\n---\n"})
    assert not any(one.code == "M222" for one in run(tmp_path).problems)


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ("Projcts", "M401"),
        ("projects plan", "M404"),
        ("Kiln-log 2", "M404"),
        ("Nowhere", "M404"),
    ],
)
def test_a_name_in_a_vault_that_is_nearly_that_of_a_note_is_broken(tmp_path, link, code):
    files = {"Projects.md": "[[x]]\n", "Kiln-log.md": "[[x]]\n", "x.md": f"[[{link}]] [[Kiln-log]]\n"}
    found = codes(make(tmp_path, {**files, ".obsidian/app.json": "{}"}), "obsidian")
    assert [problem for problem in found if problem[0] != "M405"] == [(code, "x.md", 1)]
