"""forget: by text, by source and by day, in every kind of file; what does not match stays byte for byte."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.records.entries import Owner
from memtool.errors import PartlyApplied
from memtool.formats import turn as turn_format
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.forgetting.report import ForgetReport, readable_line
from memtool.verbs.forgetting.sources import source_request
from memtool.verbs.memory_files.digest_key import stored_keys
from tests.hooks import codex_log
from tests.trees import NOW, contents, make, memtool, opened

MATCH = ForgetRequest(match="Project Lark")


def turn(*messages: dict[str, object], **keys: object) -> str:
    record = {
        "schema_version": 2,
        "id": "turn-00000000000000000001",
        "seq": 1,
        "created_at": "2025-01-15T10:30:00Z",
    }
    return json.dumps({**record, **keys, "messages": messages}, indent=2) + "\n"


def text(role: str, said: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "text": said}]}


TURN = "memory/history/turns/2025/01/15/00000000000000000001.json"
MARKER = {"MEMORY.md": "# Memory\n", "memory/core/AGENT.md": "# Agent\n"}


def forgotten(
    root: Path, request: ForgetRequest, files: dict[str, str | bytes]
) -> tuple[dict[str, str], ForgetReport]:
    """The files that a request leaves of these, and the report."""
    make(root, {**MARKER, **files})
    report = forget(opened(root, "native"), request, NOW)
    own = {
        path: content.decode()
        for path, content in contents(root).items()
        if "cognition/forgotten" not in path and not path.endswith("digest.keys")
    }
    return own, report


def test_what_cannot_be_cleaned_after_the_removal_is_told_as_a_part_and_done_again(tmp_path):
    root = make(tmp_path, {**MARKER, "memory/2025-01-15.md": "Project Lark\n"})
    make(root, {".memtool/receipts/in-the-way": "", ".memtool/log": "Project Lark\n"})
    with pytest.raises(PartlyApplied, match=r"the records were removed.*receipts"):
        forget(opened(root, "native"), MATCH, NOW)
    assert not (root / "memory/2025-01-15.md").exists()
    assert "Lark" not in (root / ".memtool/log").read_text()
    assert not forget(opened(root, "native"), MATCH, NOW).cuts


def test_a_text_goes_with_its_record_and_every_other_line_stays(tmp_path):
    head = "---\ntitle: Plans\ntags: [work"
    note = head + ", project lark]\n---\n# Plans\n\n- [ ] call Li\n- about PROJECT\n  Lark\n- tea\n"
    day = "# Daily\n\n## [10:30:00]\n**User:** x\n**Agent:** Project Lark\n\n## [10:31:00]\ny\n"
    left, report = forgotten(
        tmp_path,
        MATCH,
        {
            "MEMORY.md": "# Memory\r\n\r\n- Project Lark is late\r\n- Larks sing \r\n",
            "memory/notes/inbox/plans.md": note,
            "memory/notes/inbox/project-lark.md": "# Bird\n\nA secret.\n",
            "memory/2025-01-15.md": day,
            "memory/notes/inbox/old.md": "only project lark\n",
        },
    )
    assert left["MEMORY.md"] == "# Memory\r\n\r\n- Larks sing \r\n"
    assert left["memory/notes/inbox/plans.md"] == head + "]\n---\n# Plans\n\n- [ ] call Li\n- tea\n"
    assert left["memory/2025-01-15.md"] == "# Daily\n\n## [10:31:00]\ny\n"
    beside = {str(cut.document.path): cut.beside for cut in report.cuts}
    assert (beside["MEMORY.md"], beside["memory/2025-01-15.md"]) == (0, 2)  # the time, and the user's text
    assert not left.keys() & {"memory/notes/inbox/project-lark.md", "memory/notes/inbox/old.md"}


def test_a_message_goes_whole_with_the_call_or_result_that_belongs_to_it(tmp_path):
    call = {
        "role": "assistant",
        "parts": [
            {"type": "text", "text": "wait"},
            {"type": "tool_call", "id": "c", "name": "ls", "arguments": "{}"},
        ],
    }
    result = {
        "role": "tool",
        "parts": [{"type": "tool_result", "tool_call_id": "c", "content": "project lark", "is_error": False}],
    }
    left, _ = forgotten(
        tmp_path, MATCH, {TURN: turn(text("user", "go"), call, result, text("assistant", "done"))}
    )
    assert left[TURN] == turn(text("user", "go"), text("assistant", "wait"), text("assistant", "done"))
    assert [message.text for message in turn_format.parse(left[TURN]).messages] == ["go", "wait", "done"]


def test_the_lines_that_go_with_a_message_are_counted_and_its_ids_are_not(tmp_path):
    said = text("user", "Project Lark is late.\nI play chess.\nBye")
    row = {"id": "m-1", "candidate": "c-1", "quotes": ["Project Lark", "a second quote"], "session": "s"}
    files = {
        TURN: turn(said, text("assistant", "Noted.")),
        "memory/cognition/evidence.jsonl": json.dumps(row) + "\n",
    }
    _, report = forgotten(tmp_path, MATCH, files)
    assert {cut.role: cut.beside for cut in report.cuts} == {"turn": 2, "evidence": 1}


@pytest.mark.parametrize(
    ("name", "line", "shown"),
    [
        ("a.md", '- "role": [', '- "role": ['),
        ("a.json", '          "text": "I play\\nchess",', "I play\nchess"),
        ("a.json", '        "role": "user",', ""),
        ("a.json", '      "messages": [', ""),
        ("a.json", '  "id": "turn-1",', ""),
        ("a.json", "        }", ""),
        ("a.json", '{"text": "all on", "parts": ["one line"]}', "all on / one line"),
        ("a.json", "cut, off", "cut, off"),
        (
            "a.jsonl",
            '{"id": "m-1", "quotes": ["I play chess"], "at": "2025-01-15"}',
            "I play chess",
        ),
        ("a.jsonl", '{"id": "c-1", "action": "hold", "text": "6f3fbbf45fb6ecab"}', "id c-1, action hold"),
    ],
)
def test_a_line_of_json_is_listed_as_what_it_says(name, line, shown):
    assert readable_line(name, line) == shown


def test_files_that_do_not_read_lose_the_lines_and_keep_the_rest(tmp_path):
    broken = "memory/history/quarantine/2025/01/15/00000000000000000002.json"
    reason = {"reason": "is cut", "sha256": "0" * 64, "size": 9, "at": "2025-01-15T10:30:00Z", "from": TURN}
    left, _ = forgotten(
        tmp_path,
        MATCH,
        {
            broken: '{"a": [\n"Project Lark",\n"b"\n',
            broken + ".reason.json": json.dumps(reason),
            "memory/cognition/pending.jsonl": 'no, Project Lark\n{"a": "project lark"}\n{"a": "tea"}\n',
        },
    )
    assert left[broken] == '{"a": [\n"b"\n'
    assert json.loads(left[broken + ".reason.json"])["size"] == len(left[broken])
    assert left["memory/cognition/pending.jsonl"] == '{"a": "tea"}\n'


def test_a_fact_goes_with_the_only_quote_that_it_rests_on_and_with_its_salience(tmp_path):
    facts = "# Facts\n\n- [work] Ships in May ^m-1\n- [work] Ships in June ^m-2\n- [work] Project Lark ^m-3\n"
    rows = [
        ("m-1", "Project Lark ships in May"),
        ("m-2", "Project Lark ships in June"),
        ("m-2", "June it is"),
        ("m-3", "That one"),
    ]
    lines = "".join(
        json.dumps({"id": name, "candidate": quote[-3:], "quotes": [quote]}) + "\n" for name, quote in rows
    )
    salience = json.dumps({"m-1": {"accesses": 1}, "m-2": {"accesses": 2}}, indent=2)
    left, report = forgotten(
        tmp_path,
        MATCH,
        {
            "memory/semantic/facts.md": facts,
            "memory/cognition/evidence.jsonl": lines,
            "memory/cognition/salience.json": salience,
        },
    )
    assert left["memory/semantic/facts.md"] == "# Facts\n\n- [work] Ships in June ^m-2\n"
    assert left["memory/cognition/evidence.jsonl"].count("\n") == 1
    assert json.loads(left["memory/cognition/salience.json"]) == {"m-2": {"accesses": 2}}
    assert report.receipt is not None
    assert report.receipt.counts == {"evidence": 3, "salience": 3, "semantic": 2}


def test_of_an_extracted_episode_only_the_lines_with_the_text_go(tmp_path):
    head = '---\nsession_id: s7\nextractive: true\nprimary_themes: ["Project Lark", "carrots"]\n---\n'
    lark, carrots = "user: Is Project Lark done? — agent: Not yet.\n", "user: I grow purple carrots here.\n"
    path, other = "memory/episodic/2025-01-15-s7.md", "memory/episodic/2025-01-15-s8.md"
    files = {path: f"{head}Requests:\n{lark}Other statements:\n{carrots}", other: f"{head}Requests:\n{lark}"}
    left, report = forgotten(
        tmp_path, MATCH, {**files, "MEMORY.md": "# Memory\n\n- I grow purple carrots here.\n"}
    )
    kept = head.replace('["Project Lark", "carrots"]', "[carrots]")
    assert left[path] == f"{kept}Other statements:\n{carrots}"
    assert other not in left
    assert "carrots" in left["MEMORY.md"]
    assert [line.number for cut in report.cuts for line in cut.lines if str(cut.document.path) == path] == [
        4,
        7,
    ]


@pytest.mark.parametrize(("rest", "themes"), [("I grow carrots.", "[carrots]"), ("Okonjo called.", "both")])
def test_a_theme_of_an_episode_goes_with_the_last_line_that_says_it(tmp_path, rest, themes):
    head = '---\nsession_id: s7\nextractive: true\nprimary_themes: ["Okonjo", "carrots"]\n---\n'
    path = "memory/episodic/2025-01-15-s7.md"
    request = ForgetRequest(match="my dentist is Dr Okonjo")
    left, _ = forgotten(tmp_path, request, {path: f"{head}user: My dentist is Dr Okonjo.\nuser: {rest}\n"})
    kept = head if themes == "both" else head.replace('["Okonjo", "carrots"]', themes)
    assert left[path] == f"{kept}user: {rest}\n"


@pytest.mark.parametrize("words", ["Lark is", "5566"])
def test_a_line_of_an_extracted_episode_goes_with_the_lines_that_continue_it(tmp_path, words):
    head = "---\nsession_id: s7\nextractive: true\n---\n"
    said = "user: The PIN of Lark is\n  5566 and the alarm is off.\n"
    nested = "- Notes on Lark is\n  - she left the ring, 5566\n    on the bench\n"
    path, kept = "memory/episodic/2025-01-15-s7.md", "user: I grow carrots.\n"
    left, _ = forgotten(tmp_path, ForgetRequest(match=words), {path: f"{head}{said}{kept}{nested}{kept}"})
    parent = "" if words == "Lark is" else "- Notes on Lark is\n"
    assert left[path] == f"{head}{kept}{parent}{kept}"


def test_what_came_from_a_session_goes_with_what_was_derived_from_it(tmp_path):
    source = {"agent": "codex", "session": "s7", "id": "1"}
    said = "My brother grows purple carrots in Perth."
    left, _ = forgotten(
        tmp_path,
        ForgetRequest(sessions=frozenset({"s7"})),
        {
            TURN: turn(text("user", said), text("assistant", "Nice."), source=source),
            "MEMORY.md": f"# Memory\n\n- {said}\n- Nice.\n",
            "SESSION-STATE.md": "# S\n\n- [2025-01-15T10:30:00+00:00] [session:s7] **name**: x y\n- tea\n",
            "memory/episodic/2025-01-15-a.md": "---\nsession_id: s7\n---\nuser: a\n",
        },
    )
    assert left["MEMORY.md"] == "# Memory\n\n- Nice.\n"
    assert left["SESSION-STATE.md"] == "# S\n\n- tea\n"
    assert not left.keys() & {TURN, "memory/episodic/2025-01-15-a.md"}


def test_a_transcript_is_a_source_by_its_path(tmp_path):
    log = codex_log(tmp_path / "log.jsonl", [("Hello there", "Hi")], "t9")
    request = source_request(opened(make(tmp_path / "tree", MARKER), "native"), str(log), "/")
    assert request.sessions == {"t9"}
    assert len(request.turns) == 1


def test_what_is_dated_before_a_day_goes_and_what_has_no_date_stays(tmp_path):
    audit = '{"at": "2024-12-01T00:00:00Z"}\n{"at": "2025-02-01T00:00:00Z"}\n'
    log = (
        "# S\n\n- [2025-01-14T10:30:00+00:00] **a**: old\n- [2025-01-15T10:30:00+00:00] **a**: new\n- none\n"
    )
    left, _ = forgotten(
        tmp_path,
        ForgetRequest(before=date(2025, 1, 15)),
        {
            "SESSION-STATE.md": log,
            "memory/2025-01-14.md": "# Daily\n\n## [10:30:00]\nx\n",
            "memory/2025-01-15.md": "# Daily\n\n## [10:30:00]\nx\n",
            TURN: turn(text("user", "x"), created_at="2025-01-14T10:30:00Z"),
            "memory/cognition/audit.jsonl": audit,
        },
    )
    assert left["SESSION-STATE.md"] == "# S\n\n- [2025-01-15T10:30:00+00:00] **a**: new\n- none\n"
    assert left["memory/cognition/audit.jsonl"] == '{"at": "2025-02-01T00:00:00Z"}\n'
    assert "memory/2025-01-15.md" in left
    assert not left.keys() & {TURN, "memory/2025-01-14.md"}


def test_files_of_a_group_that_a_layout_without_groups_keeps_are_cut_in_their_own_format(tmp_path):
    folder = "memory/cognition/groups/family"
    files: dict[str, str | bytes] = {
        f"{folder}/memory/2025-01-02.md.group": "# D\n\n## [10:00:00] [user:ann]\n\nA\n\nB\n",
        f"{folder}/memory/2025-01-20.md.group": "# D\n\n## [10:00:00] [user:bob]\n\nA\n\nB\n",
        f"{folder}/MEMORY.md.group": "# M\n\n- **a**: [user:ann] tea\n- **a**: [user:bob] coffee\n",
    }
    left, report = forgotten(tmp_path / "1", ForgetRequest(before=date(2025, 1, 15)), files)
    assert f"{folder}/memory/2025-01-02.md.group" not in left
    assert {cut.role for cut in report.cuts} == {"daily-note"}
    left, _ = forgotten(tmp_path / "2", ForgetRequest(user="ann", owned_only=True), files)
    assert "B" not in left[f"{folder}/memory/2025-01-02.md.group"]
    assert left[f"{folder}/MEMORY.md.group"] == "# M\n\n- **a**: [user:bob] coffee\n"
    assert left[f"{folder}/memory/2025-01-20.md.group"] == files[f"{folder}/memory/2025-01-20.md.group"]


def test_lines_that_only_name_a_user_stay_with_owned_only(tmp_path):
    files: dict[str, str | bytes] = {
        "MEMORY.md": "# Memory\n\n- **a**: [user:ann] b c\n- **a**: [user:bob] Ann sings\n- Anna\n"
    }
    left, _ = forgotten(tmp_path / "1", ForgetRequest(user="ann", owned_only=True), files)
    assert left["MEMORY.md"] == "# Memory\n\n- **a**: [user:bob] Ann sings\n- Anna\n"
    left, _ = forgotten(tmp_path / "2", ForgetRequest(user="ann"), files)
    assert left["MEMORY.md"] == "# Memory\n\n- Anna\n"


def test_the_name_that_a_user_states_is_forgotten_and_a_name_that_others_share_is_not(tmp_path):
    log = (
        "# S\n\n- [2025-01-15T10:30:00+00:00] [user:u1] **proper_noun**: My name is Ann Smith\n"
        "- [2025-01-15T10:30:00+00:00] [user:u2] **proper_noun**: My name is Joe Smith\n"
        "- Ann came\n- Smith came\n"
    )
    left, _ = forgotten(tmp_path, ForgetRequest(user="u1"), {"SESSION-STATE.md": log})
    assert left["SESSION-STATE.md"].endswith(
        "[user:u2] **proper_noun**: My name is Joe Smith\n- Smith came\n"
    )
    assert "Ann" not in left["SESSION-STATE.md"]


@pytest.mark.parametrize(
    "said",
    [
        "My name is Zorblax Quibbleworth and I prefer marmalade",
        "Mein Name ist Zorblax Quibbleworth, und ich mag Tee",
        "Je m'appelle Zorblax Quibbleworth et je préfère le thé",
        "Меня зовут Zorblax Quibbleworth, я живу в Перми",
    ],
)
def test_a_name_is_forgotten_that_a_clause_of_a_sentence_states(said, tmp_path):
    files = {
        "SESSION-STATE.md": f"- [user:u-771] {said}\n",
        "memory/notes/inbox/x.md": "Quibbleworth called\n",
    }
    left, _ = forgotten(tmp_path, ForgetRequest(user="u-771"), files)
    assert not any("Quibbleworth" in text for text in left.values())


def test_one_users_words_stay_where_another_user_says_the_same(tmp_path):
    said = "I keep three grey donkeys behind the barn"
    lines = f"# Memory\n\n- **a**: [user:ann] {said}\n- **a**: [user:bob] {said}\n- {said}\n"
    left, _ = forgotten(tmp_path, ForgetRequest(user="ann"), {"MEMORY.md": lines})
    assert left["MEMORY.md"] == f"# Memory\n\n- **a**: [user:bob] {said}\n"


def test_backups_logs_and_temporary_files_with_the_words_go(tmp_path):
    _, report = forgotten(
        tmp_path,
        MATCH,
        {
            "MEMORY.md": "# Memory\n\n- Project Lark\n",
            ".memtool/backups/1/files/MEMORY.md": "- project lark\n",
            ".memtool/backups/2/files/MEMORY.md": "- tea\n",
            ".memtool/log": "2025 tea\n2025 project lark\n",
            ".memtool/told.json": "{}",
            ".memtool/queue/1": "Project Lark",
            "memory/.x.md.memtool-tmp": "Project Lark",
            "memory/x.bak": "Project Lark",
            ".git/HEAD": "",
        },
    )
    kept = {
        str(path.relative_to(tmp_path / ".memtool"))
        for path in (tmp_path / ".memtool").rglob("*")
        if path.is_file()
    }
    assert kept >= {"backups/2/files/MEMORY.md", "log"}
    assert not kept & {"backups/1/files/MEMORY.md", "told.json", "queue/1"}
    assert (tmp_path / ".memtool/log").read_text() == "2025 tea\n"
    assert not (tmp_path / "memory/.x.md.memtool-tmp").exists()
    assert [place.partition(" (")[0] for place in report.elsewhere] == [
        "memory/x.bak",
        "the git history of committed files",
    ]


OWN_LINES = (
    "# Memory\n\n- **a**: [user:ann] Project Lark sings\n- **a**: [user:bob] Project Lark is late\n"
    "- Project Lark is here\n"
)


@pytest.mark.parametrize(
    "request_",
    [
        ForgetRequest(match="Project Lark", caller="ann"),
        ForgetRequest(paths=frozenset({"MEMORY.md"}), caller="ann"),
        ForgetRequest(user="ann", caller="ann"),
    ],
    ids=["match", "source", "user"],
)
def test_a_user_forgets_only_memory_of_that_user(tmp_path, request_):
    facts = "# Facts\n\n## Birds [user:bob]\n\n- Project Lark of ann\n"
    files: dict[str, str | bytes] = {
        "MEMORY.md": OWN_LINES,
        "memory/semantic/facts.md": facts,
        TURN: turn(text("user", "Project Lark"), user="bob"),
        "memories/ann/bird.md": "---\nowner: user:bob\n---\nProject Lark\n",
    }
    left, report = forgotten(tmp_path, request_, files)
    assert left == {
        **MARKER,
        **files,
        "MEMORY.md": OWN_LINES.replace("- **a**: [user:ann] Project Lark sings\n", ""),
    }
    assert report.receipt is not None
    texts = Forgotten([report.receipt], stored_keys(opened(tmp_path, "native")))
    assert not texts.has_text("Project Lark sings", Owner("user", "bob"))
    assert texts.has_text("Project Lark sings", Owner("user", "ann"))


def test_a_user_forgets_by_day_only_memory_of_that_user(tmp_path):
    log = "# S\n\n- [2025-01-14T10:30:00+00:00] [user:ann] **a**: b\n- [2025-01-14T10:30:00+00:00] **a**: c\n"
    left, _ = forgotten(
        tmp_path, ForgetRequest(before=date(2025, 1, 15), caller="ann"), {"SESSION-STATE.md": log}
    )
    assert left["SESSION-STATE.md"] == "# S\n\n- [2025-01-14T10:30:00+00:00] **a**: c\n"


def test_folders_named_after_a_user_go_with_all_that_is_in_them(tmp_path):
    (tmp_path / "memories/plans/ann/empty").mkdir(parents=True)
    left, report = forgotten(
        tmp_path,
        ForgetRequest(user="ann"),
        {
            "memories/Ann-Smith/deep/other.md": "A page of nobody\n",
            "memories/ann/bird.md": "---\nowner: user:bob\n---\nA lark\n",
            "memories/plans/tea.md": "Tea\n",
            "MEMORY.md": "# Memory\n\n- **a**: [user:ann] I like tea\n",
            "memories/planner/annual.md": "Tea\n",
        },
    )
    assert left.keys() == {*MARKER, "memories/plans/tea.md", "memories/planner/annual.md"}
    assert [*(tmp_path / "memories/plans").iterdir()] == [tmp_path / "memories/plans/tea.md"]
    assert report.receipt is not None
    assert report.receipt.names == {"memories": 5}


@pytest.mark.parametrize("user", ["key", "nobody", "bird"])
def test_the_id_of_a_user_who_owns_nothing_is_only_a_word(tmp_path, user):
    files = {
        "MEMORY.md": f"# Memory\n\n- The spare {user} is new\n- **a**: [user:bob] the {user} sings\n",
        f"memories/{user}/page.md": "A page\n",
        "SESSION-STATE.md": f"- **proper_noun**: My name is {user.title()}\n",
    }
    left, report = forgotten(tmp_path, ForgetRequest(user=user), files)
    assert left == {**MARKER, **files}
    assert report.is_unknown_user
    assert report.receipt is None


def test_a_user_who_was_forgotten_before_is_known(tmp_path):
    files = {"MEMORY.md": "# Memory\n\n- **a**: [user:ann] I like tea\n"}
    forgotten(tmp_path, ForgetRequest(user="ann"), files)
    report = forget(opened(tmp_path, "native"), ForgetRequest(user="ann"), NOW)
    assert not report.is_unknown_user
    assert not report.cuts
    with (tmp_path / "MEMORY.md").open("a") as memory:
        memory.write("- Ann came by\n")
    report = forget(opened(tmp_path, "native"), ForgetRequest(user="ann"), NOW)
    assert [line.text for cut in report.cuts for line in cut.lines] == ["- Ann came by"]


@pytest.mark.parametrize("user", ["al", "Will", "ann", "u7", "42", "june"])
def test_lines_of_others_stay_where_the_name_may_be_somebody_elses(tmp_path, user):
    name = user.title()
    staying = (
        f"- **a**: [user:bob] {name} came to tea\n- {name}'s boat, {user} et al.\n"
        "- **a**: [user:carl] My name is Ann Lee\n- annual almanac willow 4242\n"
    )
    lines = f"# Memory\n\n- **a**: [user:{user}] I like tea\n{staying}"
    left, report = forgotten(tmp_path, ForgetRequest(user=user), {"MEMORY.md": lines})
    assert left["MEMORY.md"] == f"# Memory\n\n{staying}"
    assert report.receipt is not None
    assert (report.receipt.counts, report.receipt.names) == ({"long-term": 1}, {})
    shown = [line.number for _, line in report.left]
    assert shown == ([4, 5, 6] if user == "ann" else [4, 5])
    assert report.receipt.left == {"long-term": len(shown)}


def test_headings_and_frontmatter_are_no_text_that_goes_with_a_matching_line(tmp_path):
    text = "---\nsession_id: s\n---\n# A day\n\nuser: I drive a Skoda.\n"
    files = {
        "memory/episodic/2025-01-14-s8.md": text,
        "memory/episodic/2025-01-14-s9.md": f"{text}user: nurse\n",
    }
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    done = memtool("--root", str(root), "forget", "--match", "skoda", "--dry-run", home=tmp_path)
    assert "2025-01-14-s8.md" not in done.stderr
    assert "s9.md: the whole file would be deleted, because 1 of its 2 lines of text matches" in done.stderr
