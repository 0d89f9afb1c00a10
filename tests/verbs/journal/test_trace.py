"""trace: a line of memory is followed down to who said it, as far as anything is known."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, TextPart
from memtool.errors import BadUsage
from memtool.verbs.facts.candidates import add_proposals
from memtool.verbs.facts.facts import list_facts
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.trace import trace
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.append_turn import TurnDraft, append_turns
from tests import commands
from tests.trees import NOW, SAMPLE, make, memtool, opened, scope_of


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    return root


def traced(root, text, group=None, **more):
    workspace = opened(root)
    shelves = SearchIndexes(workspace, None, wait=1.0)
    try:
        scope = scope_of(workspace, group)
        return trace(workspace, text, shelves, NOW.date(), scope, **{"limit": 5, **more})
    finally:
        shelves.close()


def steps(chain):
    return [link.kind for link in chain]


def test_a_brief_trace_words_facts_as_prompts_do_and_says_each_sentence_once(tmp_path):
    facts = (
        '- [context] User ALLERGIC_TO peanuts — "I am allergic to peanuts." ^m-1\n'
        '- [context] User STATES off cigarettes since 2021 — "No, since 2021, not 2019" ^m-2\n'
        '- [context] User uses Rust — "Rust" ^m-3\n'
    )
    root = make(
        tmp_path / "w",
        {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": f"# Facts\n\n{facts}"},
    )
    lines = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "I am allergic to peanuts.",
        "off cigarettes since 2021",
        'User uses Rust — "Rust"',
    ]


def test_what_a_fact_and_a_line_of_long_term_memory_state_is_listed_once_with_both_places(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    run("scan", "-m", "No, my sister's name is Hanna, not Anna.")
    run("--user", "bob", "save", "No, my sister's name is Hanna, not Anna.")
    statement, place, other, place_of_other = run("trace", "--all").splitlines()
    assert statement == other == "My sister's name is Hanna, not Anna."
    assert re.fullmatch(r"  scan on \S+; memory/semantic/facts\.md:3, m-\w+; also MEMORY\.md:\d+", place)
    assert place_of_other.endswith("user:bob")
    steps = map(json.loads, run("trace", "--all", "--json").splitlines())
    paths = [step["path"] for step in steps if step["step"] == "memory"]
    assert paths == ["memory/semantic/facts.md", "MEMORY.md", "memory/semantic/facts.md"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("- [[memory/2026-11-01]] describes the move.", "[[memory/2026-11-01]] describes the move."),
        ("- [Docs](http://x.y) are here", "[Docs](http://x.y) are here"),
        ("- [link] a text", "[link] a text"),
        ("- [2025-01-01](memory/2025-01-01.md) was a Wednesday", None),
        ("- **Kiln** is free", "**Kiln** is free"),
        ("- [ ] [user:ann] buy clay", "buy clay"),
        ("- **preference**: [user:ann] I like tea", "I like tea"),
    ],
)
def test_a_brief_trace_shows_what_was_written_by_hand_as_it_is(tmp_path, line, shown):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": f"{line}\n"})
    lines = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    assert lines[0] == (shown or line.removeprefix("- "))


def test_a_paragraph_about_the_user_is_listed_once(tmp_path):
    text = "# User\n\nAnn is a potter who lives in Bonn,\nwhere she sells\nvases. She sings.\n\n"
    text += "City: Bonn\nAge: 30\n- tea\n- coffee\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/core/USER.md": text})
    lines = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    shown = ["Ann is a potter who lives in Bonn, where she sells vases. She sings."]
    assert [line for line in lines if line[0] != " "] == [*shown, "City: Bonn", "Age: 30", "tea", "coffee"]


def test_a_trace_words_facts_and_decisions_and_its_json_has_the_codes(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    memtool("--root", str(root), "scan", "-m", "I don't eat shellfish", home=tmp_path)
    shown = memtool("--root", str(root), "trace", "shellfish", home=tmp_path).stdout
    assert re.search(
        r"^memory/semantic/facts.md:\d+: - \[context\] I don't eat shellfish \^m-\w+$", shown, re.M
    )
    assert re.search(
        r"^  memory/cognition/audit.jsonl:1: stored at once: a lasting circumstance$", shown, re.M
    )
    codes = memtool("--root", str(root), "--json", "trace", "shellfish", home=tmp_path).stdout
    assert "User EATS_NO" in codes
    assert '"action": "commit_now", "rule": "lasting-context"' in codes


def test_a_promoted_fact_goes_back_to_its_quote_its_decision_and_its_turn(root):
    said = "My sister Sarah is a potter, too."
    origin = {"source": {"agent": "claude-code", "session": "abc", "id": "m1"}}
    append_turns(opened(root), [TurnDraft(NOW, (Message("user", (TextPart(said),)),), origin)], NOW)
    claim = {"category": "relationship", "subject": "User", "predicate": "KNOWS", "object": "Person:Sarah"}
    proposal = {"lane": "semantic", **claim, "evidence": "My sister Sarah is a potter", "turn": 3}
    ann, by = Owner("user", "ann"), load_policy(opened(root).settings)
    add_proposals(opened(root), [proposal], by, ann, "s1", NOW)
    message = [Message("user", (TextPart(said),))]
    session_end(opened(root), message, by, owner=ann, session="s1", now=NOW, today=NOW.date())
    (chain,) = traced(root, "Person:Sarah").chains
    assert steps(chain) == ["memory", "commit", "evidence", "decision", "turn", "source"]
    evidence, decision, turn, source = chain[2:]
    assert evidence.text == "My sister Sarah is a potter"
    assert evidence.about["session"] == "s1"
    assert decision.about["action"]
    assert turn.text == f"user: {said}"
    assert said in (root / turn.path).read_text().split("\n")[turn.line - 1]
    assert source.about == {"agent": "claude-code", "session": "abc", "id": "m1"}
    (fact,) = [one for one in list_facts(opened(root), NOW, []) if "Sarah" in one.fact.text]
    assert traced(root, fact.fact.name).chains == (chain,)
    assert traced(root, f"{fact.fact.path}:{fact.fact.line}").chains == (chain,)


def test_every_link_names_a_line_that_says_it(root):
    for asked in ("parcels on Thursdays", "48 mugs", "celadon", "evening class"):
        for chain in traced(root, asked).chains:
            for link in chain:
                if link.line is not None and link.kind != "turn":
                    assert (root / link.path).read_text().split("\n")[link.line - 1].strip() == link.text


def test_the_journal_says_who_wrote_a_line_through_later_edits_and_moves(root):
    commands.run_save(opened(root))
    commands.run_learn(opened(root))
    commands.run_save_key(opened(root))
    found = traced(root, "Whiskerino")
    first = next(chain for chain in found.chains if chain[0].path == "memory/semantic/facts.md")
    assert steps(first)[:2] == ["memory", "commit"]
    page = root / "memory/semantic/facts.md"
    page.write_text(page.read_text() + "by hand\n")
    assert traced(root, "Whiskerino").chains[0][1] == first[1]
    shutil.rmtree(root / ".memtool")
    assert "note" in steps(traced(root, "Whiskerino").chains[0])


def test_a_line_edited_by_hand_names_the_command_that_wrote_its_record_and_others_keep_theirs(root):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent).stdout

    page = root / "memory/semantic/facts.md"
    names = [run("save", text).split("\t")[0] for text in ("The ox is red", "The hen is white")]
    page.write_text(page.read_text().replace("The ox is red", "The ox is brown"))
    assert "  edited by hand since memtool save at " in run("trace", names[0])
    assert "  written by memtool save at " in run("trace", names[1])


def test_a_line_that_undo_restored_names_the_command_that_wrote_it_too(root):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent).stdout

    run("save", "The ox is red")
    for _ in range(2):
        run("undo", run("log", "-n", "1").split("\t")[0])
        run("undo", run("log", "-n", "1").split("\t")[0])
    commits = [line for line in run("trace", "The ox is red").splitlines() if line.endswith(")")]
    assert [line.split(" at ")[0] for line in commits[:2]] == [
        "  written by memtool save",
        "  restored by memtool undo",
    ]


def test_what_an_undo_reverted_is_no_origin_of_the_line_that_it_restored(root):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent).stdout

    run("scan", "-m", "I live in Lyon")
    name = run("trace", "LIVES_IN Lyon").split("^")[1].split()[0]
    run("facts", "edit", name, "User LIVES_IN Marseille")
    run("undo")
    rows = [line.split(" at ")[0] for line in run("trace", name).splitlines()]
    assert rows[1:3] == ["  written by memtool scan", "  restored by memtool undo"]


def test_a_line_that_undo_superseded_again_and_restored_was_not_edited_by_hand(root):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent).stdout

    run("scan", "-m", "I live in Lyon")
    name = run("trace", "LIVES_IN Lyon").split("^")[1].split()[0]
    run("facts", "edit", name, "User LIVES_IN Marseille")
    run("undo")
    run("undo", run("log", "-n", "1").split("\t")[0])
    run("undo")
    rows = [line.split(" at ")[0] for line in run("trace", name).splitlines()]
    assert rows[1:3] == ["  written by memtool scan", "  restored by memtool undo"]


def test_a_superseded_line_has_the_entry_that_recorded_it_and_the_one_that_superseded_it(tmp_path):
    def run(*arguments):
        return memtool("--root", str(tmp_path / "w"), *arguments, home=tmp_path)

    run("init", str(tmp_path / "w"))
    run("scan", "-m", "I live in Oslo. I prefer tea.")
    run("save", "--key", "dog", "The dog is Pixel")
    run("scan", "-m", "Actually, I live in Bergen, not Oslo. I prefer coffee to tea.")
    run("save", "--key", "dog", "The dog is Rex")
    run("facts", "edit", "I prefer tea.", "I prefer milk")
    for words, command, later in [
        ('Oslo." [superseded', "scan", "scan"),
        ("Pixel [superseded", "save", "save"),
        ("I prefer tea. [superseded", "scan", "facts edit"),
    ]:
        lines = run("trace", words).stdout.splitlines()[1:3]
        assert [re.sub(r" at \S+ \(j-.*", "", line) for line in lines] == [
            f"  written by memtool {command}",
            f"  superseded by memtool {later}",
        ]
    run("undo")
    first = run("trace", "I prefer tea.").stdout.splitlines()[1]
    assert first.startswith("  written by memtool scan ")


def test_a_superseded_line_was_not_written_by_what_superseded_it_after_a_forget(tmp_path):
    def run(*arguments):
        return memtool("--root", str(tmp_path / "w"), *arguments, home=tmp_path).stdout

    run("init", str(tmp_path / "w"))
    run("scan", "-m", "My car is a blue Skoda and its MOT is due on 14 March.")
    facts = tmp_path / "w/memory/semantic/facts.md"
    name = facts.read_text().rpartition("^")[2].strip()
    run("facts", "edit", name, "My car is a blue Skoda and its MOT is due on 24 March.")
    run("save", "Zebra crossing is north")
    run("forget", "--match", "Zebra", "--yes")
    origin = run("trace", name)
    assert "superseded by memtool facts edit" in origin
    assert "written by memtool facts edit" not in origin


def test_a_line_keeps_its_origin_when_forget_removes_lines_beside_it(tmp_path):
    def run(*arguments):
        return memtool("--root", str(tmp_path / "w"), *arguments, home=tmp_path).stdout

    run("init", str(tmp_path / "w"))
    run("scan", "-m", "I prefer tea to coffee")
    run("scan", "-m", "My sister is called Wiebke")
    run("facts", "edit", "I prefer tea to coffee", "I prefer cocoa")
    run("scan", "-m", "Her son is called Anselm")
    for forgotten in ("Wiebke", "Anselm"):
        run("forget", "--match", forgotten, "--yes")
        assert run("trace", "cocoa").splitlines()[1].startswith("  written by memtool facts edit at ")
    page = tmp_path / "w/MEMORY.md"
    page.write_text(page.read_text().replace("cocoa", "milk"))
    assert "written by" not in run("trace", "prefer milk")


def test_superseded_items_are_not_listed_and_learnings_are(root):
    page = root / "MEMORY.md"
    page.write_text(page.read_text() + "- **fact**: The ox is red [superseded: 2025-01-02]\n")
    listed = memtool("--root", str(root), "trace", "--all", home=root.parent).stdout
    assert "The ox is red" not in listed
    assert "Timur is not an employee" in listed


def test_all_that_is_current_is_listed_with_its_origin(root):
    def run(*arguments, user="ann"):
        acting = {"MEMTOOL_USER": user}
        return memtool("--root", str(root), *arguments, home=root.parent, environment=acting).stdout

    run("save", "The ox is red", "--key", "ox")
    run("save", "The ox is brown", "--key", "ox")
    run("save", "The hen is white", user="bob")
    rows = run("trace", "--all").splitlines()
    at = rows.index("The ox is brown")
    assert rows[at + 1].startswith("  save on ")
    assert "Keep answers under five lines before ten in the morning." in rows
    assert not {"The ox is red", "The hen is white", "Glossy white for everything"} & {*rows}
    steps = map(json.loads, run("trace", "--all", "--json").splitlines())
    chains = {step["chain"] for step in steps}
    assert len(
        [row for row in rows if not row.startswith(("  said on ", "  said: ", "  replaced: "))]
    ) == 2 * len(chains)
    assert memtool("--root", str(root), "trace", "--all", "x", home=root.parent).returncode == 2


def test_what_is_gone_is_told_by_the_journal(root):
    commands.run_save(opened(root))
    memtool("--root", str(root), "undo", home=root.parent)
    done = memtool("--root", str(root), "trace", "Whiskerino", home=root.parent)
    assert done.returncode == 0
    assert "(removed)\n  removed by memtool undo at " in done.stdout


def test_lines_that_are_left_out_are_counted(root):
    page = root / "memory/semantic/facts.md"
    page.write_text(page.read_text() + "".join(f"- [context] fig {number}\n" for number in range(8)))
    found = traced(root, "fig")
    assert len(found.chains) == 5
    assert "traced 5 of 8 matching lines; to trace all, use -n 8" in found.notices


def test_nothing_known_is_a_no(root):
    assert traced(root, "no such words").chains == ()
    assert not traced(root, "Short answers before ten").has_origin
    with pytest.raises(BadUsage):
        traced(root, "  ")
    assert memtool("--root", str(root), "trace", "no such words", home=root.parent).returncode == 1


def test_a_group_sees_its_own_and_what_is_shared(root):
    secret = "the safe is behind the kiln"
    make(
        root, {"memory/2025-01-10.md": f"# Daily Notes -- 2025-01-10\n\n## [10:00:00]\n**User:** {secret}\n"}
    )
    with (root / "groups/wholesale/MEMORY.md").open("a") as file:
        file.write(f"- {secret}\n")
    acting = {"MEMTOOL_GROUP": "wholesale"}
    mine = memtool("--root", str(root), "trace", secret, home=root.parent, environment=acting)
    assert mine.stdout.startswith("groups/wholesale/MEMORY.md:")
    assert "2025-01-10" not in mine.stdout
    whole = memtool("--root", str(root), "trace", secret, home=root.parent)
    assert "memory/2025-01-10.md:4: **User:**" in whole.stdout
    other = memtool(
        "--root", str(root), "trace", "plov", "--group", "main", home=root.parent, environment=acting
    )
    assert other.returncode == 13


def test_what_is_printed_drives_no_terminal(root):
    with (root / "MEMORY.md").open("a") as file:
        file.write("- evil \x1b[31mred\x07 line\n")
    done = memtool("--root", str(root), "trace", "evil", home=root.parent)
    assert "\x1b" not in done.stdout
    assert json.loads(memtool("--root", str(root), "--json", "trace", "evil", home=root.parent).stdout)


@pytest.mark.parametrize(
    "text", ["[[", "^", "m-", "MEMORY.md:0", "MEMORY.md:99999", "../x:1", '"', "-- -x", "…", "\\"]
)
def test_odd_texts_are_words_like_others(root, text):
    traced(root, text)
    traced(root, text, group="")


def test_incognito_traces_and_writes_nothing(root):
    before = {str(path) for path in root.rglob("*")}
    done = memtool("--root", str(root), "--incognito", "trace", "48 mugs", home=root.parent)
    assert done.returncode == 0
    assert {str(path) for path in root.rglob("*")} == before


def test_all_that_is_listed_has_its_day_in_the_time_zone_where_a_day_is_known(root):
    def run(*arguments):
        environment = {"MEMTOOL_NOW": "2025-01-15T23:30:00Z", "MEMTOOL_TIMEZONE": "Asia/Tashkent"}
        return memtool("--root", str(root), *arguments, home=root.parent, environment=environment)

    run("save", "The lamp is red")
    printed = run("trace", "--all").stdout.splitlines()
    rows = [row for row in printed if not row.startswith("  replaced: ")]
    origins = dict(zip(rows[::2], rows[1::2], strict=True))
    assert origins["The lamp is red"].startswith("  save on 2025-01-16; ")
    state = "  recorded in SESSION-STATE.md:3 on 2025-01-14; "
    assert origins["I prefer short answers in the morning"].startswith(state)
    rule = origins["Keep answers under five lines before ten in the morning."]
    assert "; dated 2025-01-09; memory/procedural/rules.md:" in rule
    assert "dated" not in origins["The evening class fires on Wednesdays"]


def test_all_that_is_listed_has_the_sentence_said_where_it_differs_and_what_else_is_stored(root):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent)

    run("scan", "-m", "My sister Lena lives in Graz.")
    run("scan", "-m", "Actually, my sister Lena lives in Bonn, not Graz")
    run("scan", "-m", "I have depression")
    page = root / "MEMORY.md"
    page.write_text(page.read_text() + "- **preference**: I like rye bread\n")
    make(root, {"SESSION-STATE.archive.md": "# Old\n\n- [2025-01-02T10:00:00+00:00] **fact**: I drive\n"})
    user = root / "memory/core/USER.md"
    user.write_text(user.read_text() + "\n## Letters\n\n- hates long mails\n")
    traced_all = run("trace", "--all")
    rows = traced_all.stdout.splitlines()
    assert "  said: “Actually, my sister Lena lives in Bonn, not Graz”" in rows
    assert rows[rows.index("I like rye bread") + 1].startswith("  origin not recorded: the line was writt")
    unlisted = re.split(r", (?=\d)", re.search(r"not listed: (.*?);", traced_all.stderr)[1])
    assert [words.split(" ", 1)[1] for words in unlisted] == [
        "held candidates (memtool candidates list)",
        "core-memory lines (memory/core/AGENT.md and memory/core/SOUL.md)",
        "working-memory lines (memory/working/WORKING_MEMORY.md)",
        "notes (memtool search --role note WORD)",
        "memory-tool files (memtool memories view /memories)",
        "session-state lines",
        "archived session-state line",
        "turns (memtool replay)",
        "daily notes",
        "episode (memtool episodes)",
        "superseded facts (memtool facts --all)",
    ]


def test_a_line_of_long_term_memory_that_was_corrected_has_the_words_of_the_correction(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    run("scan", "-m", "Remember that the seed supplier is Brodin and that I order ten kilos of millet.")
    run("scan", "-m", "Actually, the tent has three poles, not four.")
    both = "Actually, the rod is bent, not broken. Actually, the seed supplier is Versele, not Brodin."
    run("scan", "-m", both)
    listed = run("trace", "--all").split("\n\n")[0]
    assert "\n  said: “Actually, the seed supplier is Versele, not Brodin.”\n" in listed
    assert "tent" not in listed
    assert "bent" not in listed
    traced = run("trace", "seed supplier is Versele")
    assert re.search(r"  SESSION-STATE.md:\d+: .*\*\*correction\*\*: Actually, the seed supplier", traced)


def test_text_by_hand_that_is_not_listed_is_counted_and_its_file_is_named(tmp_path):
    files = {
        "memtool.toml": 'layout = "native"\n',
        "MEMORY.md": "# Memory\n\nThe policy number is 7734.\n\n- The ox is red\n  and old\n- **x**: a\n",
        "memory/core/USER.md": "---\nlimit: 2000\n---\n# User\n\n## Dates\n\nPriya's birthday is 9 May\n",
        "memory/notes/inbox/priya.md": "# Priya\n\nPlays the cello.\n",
    }
    traced_all = memtool("--root", str(make(tmp_path / "w", files)), "trace", "--all", home=tmp_path)
    assert traced_all.stdout.splitlines()[::2] == ["Priya's birthday is 9 May", "The ox is red", "a"]
    assert traced_all.stderr.splitlines()[0] == (
        "memtool: also stored, but not listed: 2 other long-term "
        "lines (MEMORY.md), 1 note (memtool search --role note WORD); to print a file, run memtool get PATH"
    )


def test_all_that_is_listed_names_its_owner(tmp_path):
    rule = "- [2025-01-09T08:00:00Z] [user:kim] Be brief ^r-1\n"
    files = {
        "memtool.toml": 'layout = "native"\n',
        "MEMORY.md": "# Memory\n\n- **preference**: [session:s1] I like tea\n- The ox is red\n",
        "memory/semantic/facts.md": "# Facts\n\n- [context] [user:kim] I live in Turku ^m-1\n",
        "memory/procedural/rules.md": f"# Rules\n\n{rule}",
        "learnings/errors.md": "# Errors\n\n- [2025-01-09T08:00:00Z] [user:bo] The kiln is hot (2 times)\n",
    }
    root = make(tmp_path / "w", files)
    rows = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    owners = {text: place.rpartition(", ")[2] for text, place in zip(rows[::2], rows[1::2], strict=True)}
    assert owners.pop("The ox is red").endswith("MEMORY.md:4")
    assert owners == {
        "I live in Turku": "user:kim",
        "Be brief": "user:kim",
        "I like tea": "session:s1",
        "The kiln is hot (2 times)": "user:bo",
    }


def test_a_short_word_that_only_a_turn_contains_is_traced_to_it(tmp_path):
    root = tmp_path / "w"

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    run("append-turn", "--user-text", "I bought a trombone at the market")
    traced_word = run("trace", "trombone")
    assert traced_word.returncode == 0
    assert "user: I bought a trombone at the market" in traced_word.stdout
    assert run("trace", "oboe").returncode == 1


def test_what_a_line_replaced_follows_with_its_own_origins(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    run("scan", "-m", "I live in Lima.")
    for city in ("Cusco", "Puno"):
        run("facts", "edit", run("facts", "list").split("\t")[0], f"I live in {city}")
    run("scan", "-m", "I prefer tea")
    run("facts", "edit", "MEMORY.md:7", "I prefer coffee")
    (chain,) = traced(root, "Puno").chains
    replaced = [link.text for link in chain if link.kind == "replaced"]
    assert ["Cusco" in replaced[0], "Lima" in replaced[1], len(replaced)] == [True, True, 2]
    assert steps(chain)[-2:] == ["decision", "state"]  # of Lima, which scan recorded
    printed = run("trace", "coffee").splitlines()
    assert [line.split(" at ")[0] for line in printed] == [
        "MEMORY.md:8: - **preference**: I prefer coffee",
        "  written by memtool facts edit",
        re.match("  replaced MEMORY.md:7: .* I prefer tea.*", printed[2])[0],
        "    written by memtool scan",
        "    superseded by memtool facts edit",
        next(line for line in printed if "SESSION-STATE.md" in line),
    ]


def test_a_superseded_line_above_an_item_of_another_command_was_not_replaced_by_it(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for message in ("I prefer tea", "I prefer trams to buses"):
        memtool("--root", str(root), "scan", "-m", message, home=tmp_path)
    memtool("--root", str(root), "facts", "forget", "MEMORY.md:7", home=tmp_path)
    (chain,) = traced(root, "MEMORY.md:8").chains
    assert "[superseded: " in (root / "MEMORY.md").read_text().split("\n")[6]
    assert "replaced" not in steps(chain)


def test_what_a_rule_replaced_follows_with_the_scan_that_recorded_it(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    run("rules", "add", "Sign letters with my full name")
    run("scan", "-m", "Please always keep answers under five lines.")
    for text in ("Keep answers under ten lines", "Keep answers under two pages"):
        name = next(row for row in run("rules", "list").splitlines() if "answers" in row).split("\t")[0]
        run("rules", "edit", name, text)
    (chain,) = traced(root, "two pages").chains
    replaced = [number for number, step in enumerate(chain) if step.kind == "replaced"]
    assert ["ten lines" in chain[replaced[0]].text, "five lines" in chain[replaced[1]].text] == [True, True]
    assert len(replaced) == 2
    commits = [step.text.split(" at ")[0] for step in chain[replaced[1] :] if step.kind == "commit"]
    assert commits == ["written by memtool scan", "archived by memtool rules edit"]
    listed = run("trace", "--all")
    assert "  replaced: Please always keep answers under five lines. (scan on 20" in listed
    assert "replaced" not in steps(traced(root, "full name").chains[0])


def test_what_a_line_of_memory_replaced_is_found_where_other_lines_are_between(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    for drink in ("tea to coffee in the morning", "trams to buses", "window seats"):
        run("scan", "-m", f"I prefer {drink}.")
    run("scan", "-m", "No, I prefer coffee to tea in the morning.")
    run("facts", "edit", "I prefer trams to buses.", "I prefer buses to trams.")
    listed = run("trace", "--all").splitlines()
    for new, old in [("coffee to tea in the morning", "tea to coffee"), ("buses to trams", "trams to buses")]:
        (chain, *_) = traced(root, f"I prefer {new}").chains
        assert [old in step.text for step in chain if step.kind == "replaced"] == [True]
        at = listed.index(f"I prefer {new}.")
        assert listed[at + 2].startswith(f"  replaced: I prefer {old}")
    (chain,) = traced(root, "window seats").chains
    assert "replaced" not in steps(chain)


def test_what_ended_beside_an_unrelated_new_line_was_not_replaced_by_it(tmp_path):
    items = "- **preference**: I like tea\n- **preference**: I like trams\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": items})
    memtool("--root", str(root), "scan", "-m", "I no longer like tea. My boss is Mia.", home=tmp_path)
    assert "tea [superseded: " in (root / "MEMORY.md").read_text()
    (chain, *_) = traced(root, "Mia").chains
    assert "replaced" not in steps(chain)


def test_current_lines_are_traced_first_and_what_they_replaced_once(tmp_path):
    facts = (
        "- [context] My grandson is four [superseded: 2025-01-02 by m-2b] ^m-1a\n"
        "- [context] My grandson lives in Oslo [superseded: 2025-01-03] ^m-3c\n"
        "- [context] My grandson is five ^m-2b\n"
    )
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": facts})
    chains = traced(root, "my grandson").chains
    assert [[step.line for step in chain if step.path] for chain in chains] == [[3, 1], [2]]


def test_a_superseded_line_by_hand_is_not_listed_as_current(tmp_path):
    line = "- I have a boat called Elsa [superseded: 2025-01-02]\n- I have a dog\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": line})
    listed = memtool("--root", str(root), "trace", "--all", home=tmp_path)
    assert "Elsa" not in listed.stdout
    assert "1 superseded long-term line (MEMORY.md)" in listed.stderr


def test_two_facts_that_state_the_same_are_listed_once_with_both_places(tmp_path):
    facts = "- [context] I have a dog ^m-1a\n- [pet] I have a dog. ^m-2b\n- [pet] I have a cat ^m-3c\n"
    others = "- [context] [user:bob] I have a cat ^m-4d\n"
    root = make(
        tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": facts + others}
    )
    listed = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    assert [row.rstrip(".") for row in listed if not row.startswith(" ")] == [
        "I have a dog",
        "I have a cat",
        "I have a cat",
    ]
    assert listed[1].endswith("facts.md:1, m-1a; also memory/semantic/facts.md:2, m-2b")


def test_what_an_edited_fact_replaced_is_listed_with_the_words_of_the_user(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path).stdout

    run("scan", "-m", "I drive a red Volvo.")
    run("facts", "edit", run("facts", "list").split("\t")[0], "I drive a blue Skoda")
    listed = run("trace", "--all").splitlines()
    assert re.fullmatch(r"  replaced: I drive a red Volvo\.? \(scan on \d{4}-\d\d-\d\d\)", listed[2])


def test_a_name_that_stands_for_a_session_is_not_shown(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for options in ((), ("--user", "ada")):
        memtool("--root", str(root), *options, "scan", "-m", "I live in Lima.", home=tmp_path)
    for text in ("Lima", "--all"):
        shown = memtool("--root", str(root), "trace", text, home=tmp_path).stdout
        assert "scan" in shown
        assert "session" not in shown.replace("SESSION", "")


def test_a_blank_line_after_the_last_one_is_no_line(edited):
    assert traced(edited, "MEMORY.md:3").fault == "MEMORY.md has only 2 lines"


def test_all_that_is_listed_has_its_session_where_another_owns_it(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    options = ("--root", str(root), "--user", "ada", "--session", "s9")
    memtool(*options, "scan", "-m", "I live in Lima.", home=tmp_path)
    listed = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout
    assert re.search(r"  scan on \S+, session s9; memory/semantic/facts.md:3, ", listed)


@pytest.fixture
def edited(tmp_path):
    """A folder in which a line that was written by hand was edited twice by a command."""
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "- Drives a Skoda\n"})
    with (root / "MEMORY.md").open("a") as file:
        file.write("- Lives in Leeds\n")
    for text in ("Lives in York", "Lives in Hull"):
        memtool("--root", str(root), "facts", "edit", "MEMORY.md:2", text, home=tmp_path)
    return root


def test_what_an_edit_replaced_in_its_place_follows(edited):
    (chain,) = traced(edited, "MEMORY.md:2").chains
    replaced = [(step.line, step.text) for step in chain if step.kind == "replaced"]
    assert replaced == [(2, "- Lives in York"), (2, "- Lives in Leeds")]
    assert [step.about["command"] for step in chain if step.kind == "commit"] == ["facts edit"] * 2


def test_a_line_beside_an_edited_one_replaced_nothing(edited):
    (chain,) = traced(edited, "MEMORY.md:1").chains
    assert steps(chain) == ["memory"]


def test_an_edit_that_was_undone_replaced_nothing(edited):
    memtool("--root", str(edited), "undo", home=edited.parent)
    (chain,) = traced(edited, "MEMORY.md:2").chains
    assert [step.text for step in chain if step.kind == "replaced"] == ["- Lives in Leeds"]


def test_superseded_items_are_counted_where_they_are_not_listed(tmp_path):
    items = "- **preference**: I like tea [superseded: 2025-01-02]\n- **preference**: I like coffee\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": items})
    printed = memtool("--root", str(root), "trace", "--all", home=tmp_path)
    assert "1 superseded long-term line (MEMORY.md)" in printed.stderr


def test_all_that_is_listed_names_the_turn_in_which_it_was_said(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    said = "My sister lives in Graz. I love sour cherries."
    memtool("--root", str(root), "scan", "-m", said, home=tmp_path)
    memtool("--root", str(root), "append-turn", "--user-text", said, "--agent-text", "Nice", home=tmp_path)
    rows = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout.splitlines()
    assert [row for row in rows if not row.startswith("  ")] == [
        "My sister lives in Graz.",
        "I love sour cherries.",
    ]
    turns = [row for row in rows if row.startswith("  said on ")]
    assert len(turns) == 2
    assert all("/00000000000000000001.json:" in row for row in turns)


def test_what_only_the_agent_said_is_no_origin(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    told = "My landlord is called Pettifer"
    memtool("--root", str(root), "save", told, home=tmp_path)
    asked = ("--user-text", "Who is my landlord?", "--agent-text", f"{told}, you said.")
    memtool("--root", str(root), "append-turn", *asked, home=tmp_path)
    memtool("--root", str(root), "append-daily", *asked, home=tmp_path)
    printed = memtool("--root", str(root), "trace", "--all", home=tmp_path).stdout
    assert told in printed
    assert "said on" not in printed
