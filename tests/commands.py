"""Commands in prepared trees, for tests of properties of every command: crash safety and undo."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.compaction.tokens import estimate_tokens
from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Append, Create, Move, Remove, Replace
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.core.records.turn import Message, TextPart, Turn, turn_id
from memtool.formats import turn as turn_format
from memtool.store.config.settings import setting_named
from memtool.store.external.transcript_files import open_transcript
from memtool.store.files import merged_paths
from memtool.store.lock import hold
from memtool.store.workspace import Workspace
from memtool.verbs.capture.append_daily import append_daily
from memtool.verbs.capture.scan import scan
from memtool.verbs.compaction.buffer import buffer
from memtool.verbs.compaction.compact import CompactRequest, compact
from memtool.verbs.compaction.condense import CondenseCommands
from memtool.verbs.compaction.next_run import next_run
from memtool.verbs.compaction.recover import record_recovery, recover
from memtool.verbs.config.config import set_in_workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.facts import rules
from memtool.verbs.facts.candidates import add_proposals
from memtool.verbs.facts.edit import edit_fact
from memtool.verbs.facts.facts import forget_facts, list_facts
from memtool.verbs.facts.learn import learn
from memtool.verbs.facts.recall import recall
from memtool.verbs.facts.save import save
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.history import quarantine
from memtool.verbs.history.import_ import TranscriptImporter, recognise_transcript
from memtool.verbs.history.upgrade_history import upgrade_history
from memtool.verbs.hooks.hook import handle_event
from memtool.verbs.hooks.hook_call import HookOutcome
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.journal.log import LogRequest as Logged
from memtool.verbs.journal.log import log
from memtool.verbs.journal.undo import undo
from memtool.verbs.layout.init import init
from memtool.verbs.layout.migrate import migrate, restore_backup
from memtool.verbs.lint.fix import fix_problems
from memtool.verbs.lint.request import LintRequest
from memtool.verbs.maintenance.maintain import Maintenance, maintain
from memtool.verbs.memories.memories import answer_command, clear_memories
from memtool.verbs.memory_files.digest_key import digest_key
from memtool.verbs.memory_files.feedback import add_feedback
from memtool.verbs.memory_files.salience import decay
from memtool.verbs.merging.conflict_copies import merge_conflict_copies
from memtool.verbs.merging.finish import finish_merges
from memtool.verbs.merging.git_conflicts import merge_git_conflicts
from memtool.verbs.notes.note_move import move_note
from memtool.verbs.notes.note_new import create_note
from memtool.verbs.sessions.session import record_messages
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.append_turn import TurnDraft, append_turns, parse_turn_input
from tests.faulty import FaultyDisk
from tests.hooks import claude_log, desk, event
from tests.transcripts.sources import CLAUDE
from tests.transcripts.sources import lines as transcript_lines
from tests.trees import NOW, SAMPLE, make, opened
from tests.verbs.history.test_upgrade_history import TREE, TURNS, record

KEY = b"k" * 32
MESSAGE = (
    "Actually, my name is Odil, not Adil. I prefer green tea. Remember that the kiln is booked on 2025-02-01."
)


def proposal(category: str, name: str, evidence: str, turn: int | None = None) -> dict[str, object]:
    claim = {"category": category, "subject": "User", "predicate": "KNOWS", "object": name}
    return {"lane": "semantic", **claim, "evidence": evidence, "turn": turn}


PROPOSALS = [
    proposal("relationship", "Person:Sarah", "My sister Sarah"),
    proposal("relationship", "Person:my sister Sarah", "My sister Sarah"),
    proposal("trigger", "exam", "I fear the exam", 0),
    proposal("loss", "Event:move", "we left the house", 2),
    {"lane": "procedural", "rule": "Keep it short.", "evidence": "Please keep it short", "turn": 1},
    {"lane": "procedural", "rule": "Use short lists.", "evidence": "short lists", "turn": 4},
]


def run_scan(workspace: Workspace) -> None:
    scan(workspace, MESSAGE, now=NOW, owner=Owner("user", "odil"), triggers=DEFAULT_TRIGGERS)


def run_append_daily(workspace: Workspace) -> None:
    append_daily(workspace, user="Which glaze?", agent="Celadon.", note=None, at=NOW, owner=None)


def run_recover(workspace: Workspace) -> None:
    compacted = Message("user", (TextPart("<summary>what was said</summary>"),))
    record_recovery(workspace, recover(workspace, [compacted], now=NOW, today=NOW.date()))


def run_buffer(workspace: Workspace) -> None:
    buffer(workspace, user="Which glaze?", agent="Celadon.", used=9, limit=10, at=NOW)


TALK = json.dumps(
    [
        {"role": "assistant" if number % 2 else "user", "content": f"I prefer glaze number {number}0."}
        for number in range(20)
    ]
)


def run_compact(workspace: Workspace, **more: object) -> None:
    request = CompactRequest(now=NOW, today=NOW.date(), limit=200_000, force=True, **more)
    compact(
        workspace,
        TALK,
        request,
        triggers=DEFAULT_TRIGGERS,
        count=estimate_tokens,
        commands=CondenseCommands(),
    )


def run_compact_for_a_group(workspace: Workspace) -> None:
    run_compact(workspace, fresh=True, group="family")


def run_next_run(workspace: Workspace) -> None:
    next_run(workspace, take=True, group="family")


def run_candidates(workspace: Workspace) -> None:
    add_proposals(workspace, PROPOSALS, load_policy(workspace.settings), Owner("user", "ann"), "s1", NOW)


def run_session_end(workspace: Workspace) -> None:
    texts = ["I fear the exam", "that exam again", "we left the house", "Please use lists", "short lists"]
    messages = [Message("user", (TextPart(text),)) for text in texts]
    ann, limits = Owner("user", "ann"), load_policy(workspace.settings)
    session_end(workspace, messages, limits, owner=ann, session="s1", now=NOW, today=NOW.date())


def run_session_end_told(workspace: Workspace) -> None:
    texts = [
        "I fear the exam",
        "we left the house",
        "Please use lists",
        "the cat sleeps",
        "it rained all day",
    ]
    messages = [Message("user", (TextPart(text),)) for text in texts]
    delegate = Delegate("summarizer", "echo Ann is afraid of her exam", {"PATH": "/usr/bin:/bin"}, "/nowhere")
    ann, limits = Owner("user", "ann"), load_policy(workspace.settings)
    session_end(
        workspace, messages, limits, owner=ann, session="s1", now=NOW, today=NOW.date(), summarizer=delegate
    )


def run_rules_add(workspace: Workspace) -> None:
    rules.add_user_rule(
        workspace, "Sign every letter with my first name", load_policy(workspace.settings), None, NOW
    )


def run_rules_archive(workspace: Workspace) -> None:
    names = ("r-1",)
    if active_names := [rule.id for rule in rules.active_rules(workspace) if rule.id in names]:
        rules.archive_rules(workspace, active_names, NOW)


def run_rules_edit(workspace: Workspace) -> None:
    if any(rule.id == "r-1" for rule in rules.active_rules(workspace)):
        limits = load_policy(workspace.settings)
        rules.edit_rule(workspace, "r-1", "Sign every letter with my first name", limits, NOW)


def run_session_turn(workspace: Workspace) -> None:
    messages = [Message("user", (TextPart("I fear the exam"),))]
    record_messages(workspace, messages, Owner("user", "ann"), "s1", NOW)


def fact_index(workspace: Workspace) -> FactSync:
    return FactSync(workspace, None, wait=1.0, embedder=None)


def run_save(workspace: Workspace) -> None:
    save(workspace, "My cat's name is Whiskerino", fact_index(workspace), at=NOW, owner=None)


def run_save_key(workspace: Workspace) -> None:
    more = {"key": "city", "category": "goal", "owner": Owner("user", "ann")}
    save(workspace, "I moved to Samarkand", fact_index(workspace), at=NOW, **more)


def run_save_other_words(workspace: Workspace) -> None:
    save(workspace, "the evening class fires: on Wednesdays, the", fact_index(workspace), at=NOW, owner=None)


def run_recall(workspace: Workspace) -> None:
    request = RecallRequest("Timur's parcels", WHOLE_WORKSPACE, NOW)
    assert recall(workspace, request, fact_index(workspace)).hits


def run_learn(workspace: Workspace) -> None:
    learn(workspace, "correction", "It is 48 mugs", NOW, None)


def asked(workspace: Workspace, command: str, **fields: object) -> str:
    return answer_command(workspace, {"command": command, **fields}).reply.content


def run_memories_create(workspace: Workspace) -> None:
    asked(workspace, "create", path="/memories/deep/er/new.md", file_text="new\n")


def run_memories_replace(workspace: Workspace) -> None:
    asked(workspace, "str_replace", path="/memories/customers.md", old_str="Lindau", new_str="Bregenz")


def run_memories_insert(workspace: Workspace) -> None:
    """Insert lines as an agent does after a lost reply: view first, because insert is not idempotent."""
    path = "/memories/customers.md"
    if "new line" not in asked(workspace, "view", path=path):
        asked(workspace, "insert", path=path, insert_line=1, insert_text="new line")


def run_memories_rename(workspace: Workspace) -> None:
    asked(workspace, "rename", old_path="/memories/projects", new_path="/memories/past/projects")


def run_memories_delete(workspace: Workspace) -> None:
    asked(workspace, "delete", path="/memories/projects")


def run_memories_delete_file(workspace: Workspace) -> None:
    asked(workspace, "delete", path="/memories/customers.md")


def run_memories_clear(workspace: Workspace) -> None:
    clear_memories(workspace)


def run_decay(workspace: Workspace) -> None:
    decay(workspace, NOW)


def maintenance(workspace: Workspace, now: datetime = NOW) -> Maintenance:
    """Maintenance that ends every session, however lately it was active."""
    indexes, facts = (
        SearchIndexes(workspace, KEY, wait=1.0),
        FactSync(workspace, KEY, wait=1.0, embedder=None),
    )
    return Maintenance(workspace, frozenset(), now, UTC, timedelta(0), indexes, facts)


def run_maintain(workspace: Workspace) -> None:
    list(maintain(maintenance(workspace)))


def run_forget(workspace: Workspace) -> None:
    forget(workspace, ForgetRequest(match="celadon"), NOW)


def run_feedback(workspace: Workspace) -> None:
    add_feedback(workspace, "up", NOW, note="The answer on glazes was right.")


def run_facts_forget(workspace: Workspace) -> None:
    existing = [entry.fact.name for entry in list_facts(workspace, NOW, [])]
    if names := [entry for entry in ("m-9d20c4", "m-c80f12") if entry in existing]:
        forget_facts(workspace, names, NOW.date(), purge=True)


def run_facts_edit(workspace: Workspace) -> None:
    if any(entry.fact.name == "m-77c2d1" for entry in list_facts(workspace, NOW, [])):
        edit_fact(workspace, "m-77c2d1", "Timur packs for Aiko", NOW.date(), redacts=True)


def run_note_new(workspace: Workspace) -> None:
    create_note(workspace, "Crawling glaze", NOW, [], tags=["glaze"], body="See [[celadon]].")


def run_note_move(workspace: Workspace) -> None:
    move_note(workspace, "memory/notes/zettel/celadon.md", "memory/notes/zettel/glazes/seladon", None, [])


def run_note_move_far(workspace: Workspace) -> None:
    move_note(
        workspace, "memory/notes/zettel/celadon.md", "memory/notes/maps/iron/celadon.md", "Iron green", []
    )


def run_lint_fix(workspace: Workspace) -> None:
    fix_problems(workspace, LintRequest())


def run_merge_conflicts(workspace: Workspace) -> None:
    for _ in merge_conflict_copies(workspace):
        pass


def run_undo(workspace: Workspace) -> None:
    undo(workspace)


def changed(root: Path) -> None:
    sample(root)
    workspace = opened(root, "native")
    learnt, note, state = (
        Path(name) for name in ("learnings/errors.md", "memory/2025-01-12.md", "AGENTS.md")
    )
    plan = (
        Create(Path("memory/2025-01-16.md"), "# Daily Notes -- 2025-01-16\n"),
        Append(Path("memory/working-buffer.md"), "more\n"),
        Replace(state, "other\n", workspace.read(state).etag),
        Move(note, Path("memory/2025-01-11.md"), workspace.read(note).etag),
        Remove(learnt, workspace.read(learnt).etag),
    )
    with workspace.lock():
        workspace.commit(plan)


def ended(root: Path) -> None:
    proposed(root)
    run_session_end(opened(root, "native"))


def undone(root: Path) -> None:
    changed(root)
    run_undo(opened(root, "native"))


def run_redo(workspace: Workspace) -> None:
    first = log(workspace, Logged())[-2].entry  # the undo; after it may come a redo that was stopped
    if not first.undone:
        undo(workspace, [first.id])


def run_init(workspace: Workspace) -> None:
    init(workspace, NOW.date())


def run_append_turn(workspace: Workspace) -> None:
    draft = TurnDraft(
        NOW, parse_turn_input('{"role": "user", "content": "Which glaze?"}').messages, {"user": "odil"}
    )
    append_turns(workspace, [draft], NOW)


def merged(root: Path) -> None:
    """A history in which two machines gave turns of one day, and of two days, the same numbers."""
    sample(root)
    for day, seq, text, others in (
        (15, 4, "laptop, noon", ["desk, morning", "desk, evening"]),
        (15, 5, "laptop, night", []),
        (16, 5, "desk, next day", []),
    ):
        turns = [
            Turn(
                turn_id(seq), seq, f"2025-01-{day:02}T{hour:02}:00:00Z", (Message("user", (TextPart(said),)),)
            )
            for hour, said in enumerate([text, *others], 8 + seq)
        ]
        path = root / f"{TURNS}/2025/01/{day:02}/{seq:020}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = map(turn_format.render, turns)
        path.write_text(functools.reduce(functools.partial(turn_format.merge, ""), texts), encoding="utf-8")


def listed_as_merged(root: Path) -> None:
    merged(root)
    merged_paths.add(str(root), f"{TURNS}/2025/01/15/{4:020}.json")
    merged_paths.add(str(root), "memory/history/state/head.json")


def run_finish(workspace: Workspace) -> None:
    finish_merges(workspace)


def run_lock(workspace: Workspace) -> None:
    with workspace.lock():
        pass


def run_upgrade_history(workspace: Workspace) -> None:
    upgrade_history(workspace, NOW, report=lambda _: None)


def run_migrate(workspace: Workspace) -> None:
    migrate(workspace, NOW)


def run_restore_backup(workspace: Workspace) -> None:
    restore_backup(workspace, None)


def run_restore(workspace: Workspace) -> None:
    for entry in [*quarantine.list_quarantine(workspace, [])]:
        quarantine.restore_from_quarantine(workspace, entry.path, NOW)
    for beside in [*Path(workspace.root).rglob("*.reason.json")]:  # left by a run that was stopped
        name = str(beside.relative_to(workspace.root)).removesuffix(".reason.json")
        quarantine.restore_from_quarantine(workspace, quarantine.find_quarantined(workspace, name), NOW)


def old_turns(root: Path) -> None:
    make(root, {f"{TURNS}/{path}": TREE[path] for path in sorted(TREE) if not path.endswith(f"{9:020}.json")})


def older(root: Path) -> None:
    sample(root)
    (root / "MEMORY.md").rename(root / "memory.md")
    (root / "memory/2025-01-14.md").rename(root / "memory/2025_01_14.md")
    (root / "memory/15-01-2025.md").write_text("free text\n")
    soul = root / "groups/wholesale/SOUL.md"
    soul.write_text(soul.read_text() + "\n## Session Compaction 2025-01-14T10:00:00Z\n\nthe mugs\n")


def migrated(root: Path) -> None:
    older(root)
    migrate(opened(root, "native"), NOW, backup=True)


def mended(root: Path) -> None:
    old_turns(root)
    run_upgrade_history(opened(root, "native"))
    for entry in [*quarantine.list_quarantine(opened(root, "native"), [])][2:]:
        (root / f"{entry.path}.reason.json").unlink()
        (root / entry.path).unlink()
    for number, entry in enumerate(quarantine.list_quarantine(opened(root, "native"), []), 50):
        (root / entry.path).write_bytes(record(number, {"role": "user", "content": "mended"}))


def with_group(root: Path) -> None:
    make(root, {"groups/family/MEMORY.md": "# Memory\n"})


def full_rules(root: Path) -> None:
    sample(root)
    page = root / "memory/procedural/rules.md"
    time_and_owner = "[2025-01-0{}T00:00:00Z] [user:ann]"
    more = [f"- {time_and_owner.format(n % 9 + 1)} rule {n} on topic{n} ^r-{n}" for n in range(20)]
    page.write_text(page.read_text() + "\n".join(more) + "\n")


def proposed(root: Path) -> None:
    full_rules(root)
    run_candidates(opened(root, "native"))


def neglected(root: Path) -> None:
    """A session that nobody ended, and turns of earlier versions."""
    proposed(root)
    old_turns(root)
    run_session_turn(opened(root, "native"))


def expired(root: Path) -> None:
    """The sample with a candidate that has waited for too long."""
    sample(root)
    pending = root / "memory/cognition/pending.jsonl"
    pending.write_text(pending.read_text().replace('"until": "2025-04', '"until": "2025-01', 1))


def in_tashkent(root: Path) -> None:
    sample(root)
    save(
        opened(root, "native"),
        "I live in Tashkent",
        fact_index(opened(root, "native")),
        at=NOW,
        key="city",
        owner=Owner("user", "ann"),
    )


def linked(root: Path) -> None:
    sample(root)
    page = root / "memory/notes/zettel/celadon.md"
    page.write_text(page.read_text() + "\n[tiles](test-tiles.md) ![kiln](../../../groups/x.png)\n")
    page = root / "MEMORY.md"
    page.write_text(page.read_text() + "- [[celadon]], [it](memory/notes/zettel/celadon.md#Celadon)\n")


def many_learnings(root: Path) -> None:
    sample(root)
    page = root / "learnings/corrections.md"
    lines = [f"- [2024-01-{n % 28 + 1:02}T00:00:00Z] lesson {n} " + "x" * 100 for n in range(400)]
    page.write_text(page.read_text() + "\n".join(lines) + "\n")


def broken_salience(root: Path) -> None:
    sample(root)
    (root / "memory/cognition/salience.json").write_text("{nonsense")


def compacted(root: Path) -> None:
    with_group(root)
    run_compact_for_a_group(opened(root, "native"))


def logged(root: Path) -> None:
    sample(root)
    talk = [("I live in Ghent.", "Noted."), ("The exam of my brother Tom is in May.", "Noted.")]
    claude_log(root.parent / "logs" / "s1.jsonl", [*talk, ("I am afraid of the exam.", "Noted.")])


def transcribed(root: Path) -> None:
    sample(root)
    log = root.parent / "logs/transcript.jsonl"
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(transcript_lines(*CLAUDE).content)


def run_import(workspace: Workspace) -> None:
    source = open_transcript(str(Path(workspace.root).parent / "logs/transcript.jsonl"))
    importer = TranscriptImporter(
        workspace, TurnSync(workspace, None, wait=1.0), NOW, skipped=lambda *_: None
    )
    importer.import_file(source, recognise_transcript(source))


def hooked(name: str, **fields: str) -> Callable[[Workspace], None]:
    """A hook; run again it is the same event, which it has queued where its disk failed."""

    def run(workspace: Workspace) -> None:
        log = Path(workspace.root).parent / "logs" / "s1.jsonl"
        reply = HookOutcome()
        call = desk(workspace, event(name, transcript_path=str(log), **fields), event_id="e1")
        handle_event(call, reply)
        assert reply.errors == []

    return run


def queued(name: str, **fields: str) -> Callable[[Workspace], None]:
    """A hook that does not get the lock, and the next writer; run again it is the same event."""

    def run(workspace: Workspace) -> None:
        log = Path(workspace.root).parent / "logs" / "s1.jsonl"
        patient, reply = workspace.settings, HookOutcome()
        workspace.settings = replace(patient, values={**patient.values, "lock_timeout": 0.0})
        with hold(workspace.root, 1.0):
            call = desk(workspace, event(name, transcript_path=str(log), **fields), event_id="e1")
            handle_event(call, reply)
        workspace.settings = patient
        assert [
            error
            for error in reply.errors
            if "the event was queued; the next command that writes" not in error
        ] == []
        with workspace.lock():
            pass

    return run


def untidy(root: Path) -> None:
    sample(root)
    notes = root / "memory/notes/zettel"
    (notes / "celadon.md").write_bytes(b"\xef\xbb\xbf" + (notes / "celadon.md").read_bytes())
    (notes / "cone-6.md").write_bytes((notes / "cone-6.md").read_bytes().replace(b"\n", b"\r\n", 3) + b"\0\0")
    facts = root / "memory/semantic/facts.md"
    facts.write_text(facts.read_text() + facts.read_text().splitlines()[-1] + "\n")
    root.chmod(0o777)


def synced(root: Path) -> None:
    """A tree with conflict copies: of two files of records, one equal to its original, and of free text."""
    sample(root)
    memory = root / "MEMORY.md"
    for name in ("facts", "preferences"):
        file = root / f"memory/semantic/{name}.md"
        copy = file.with_name(f"{name}.sync-conflict-20250115-103000-ABCDEFG.md")
        copy.write_text(f"{file.read_text()}- [tool] A wheel\n")
    shutil.copy(memory, root / "MEMORY (Ann's conflicted copy 2025-01-15).md")
    (root / "AGENTS (conflicted copy 2025-01-15 103000).md").write_text("Another text.\n")


def marked(root: Path) -> None:
    """A tree in which a merge by git left conflict markers in a file of records."""
    sample(root)
    with (root / "MEMORY.md").open("a") as file:
        file.write("<<<<<<< HEAD\n- **place**: Osh\n=======\n- **tool**: A wheel\n>>>>>>> laptop\n")


def run_merge_markers(workspace: Workspace) -> None:
    for _ in merge_git_conflicts(workspace, "MEMORY.md"):
        pass


def empty(root: Path) -> None:
    root.mkdir()


def sample(root: Path) -> None:
    shutil.copytree(SAMPLE, root)


def full_log(root: Path) -> None:
    sample(root)
    log = root / "SESSION-STATE.md"
    lines = [
        f"- [{(NOW - timedelta(minutes=i)).isoformat()}] **decision**: old entry {i} " + "x" * 100
        for i in range(700)
    ]
    log.write_text(log.read_text() + "\n".join(lines) + "\n")


def run_config_set(workspace: Workspace) -> None:
    set_in_workspace(workspace, setting_named("search.limit"), "20")


Prepare = Callable[[Path], None]
Run = Callable[[Workspace], None]


def with_digest_key(root: Path) -> None:
    """The sample with the key of its receipts, which is random."""
    sample(root)
    workspace = opened(root, "native")
    with workspace.lock():
        workspace.commit(digest_key(workspace)[1])


ON_SAMPLE: dict[str, Run] = {
    "scan in the sample": run_scan,
    "append-daily in the sample": run_append_daily,
    "recover": run_recover,
    "buffer in the sample": run_buffer,
    "compact in the sample": run_compact,
    "save in the sample": run_save,
    "save in other words": run_save_other_words,
    "recall": run_recall,
    "memories create": run_memories_create,
    "memories str_replace": run_memories_replace,
    "memories insert": run_memories_insert,
    "memories rename": run_memories_rename,
    "memories delete": run_memories_delete,
    "memories delete of a file": run_memories_delete_file,
    "memories clear": run_memories_clear,
    "decay": run_decay,
    "facts edit": run_facts_edit,
    "facts forget": run_facts_forget,
    "feedback": run_feedback,
    "learn": run_learn,
    "hook with a prompt": hooked("UserPromptSubmit", prompt=MESSAGE),
    "note new": run_note_new,
    "config set": run_config_set,
}
"""Commands that run on the sample workspace, in any order."""
COMMANDS: dict[str, tuple[Prepare, Run]] = {
    **{name: (sample, run) for name, run in ON_SAMPLE.items()},
    "scan in a new tree": (empty, run_scan),
    "scan with a full log": (full_log, run_scan),
    "append-daily in a new tree": (empty, run_append_daily),
    "init": (empty, run_init),
    "append-turn": (sample, run_append_turn),
    "buffer in a new tree": (empty, run_buffer),
    "compact in a new tree": (empty, run_compact),
    "compact for a group": (with_group, run_compact_for_a_group),
    "next-run": (compacted, run_next_run),
    "candidates add": (full_rules, run_candidates),
    "session-end": (proposed, run_session_end),
    "session-end with a summarizer": (proposed, run_session_end_told),
    "rules add": (full_rules, run_rules_add),
    "rules archive": (full_rules, run_rules_archive),
    "rules edit": (full_rules, run_rules_edit),
    "session turn": (empty, run_session_turn),
    "maintain": (neglected, run_maintain),
    "maintain with an expired candidate": (expired, run_maintain),
    "save in a new tree": (empty, run_save),
    "save with a key that moves to another file": (in_tashkent, run_save_key),
    "recall with a broken salience": (broken_salience, run_recall),
    "memories create in a new tree": (empty, run_memories_create),
    "learn with a full file": (many_learnings, run_learn),
    "hook at the end of a turn": (logged, hooked("Stop", last_assistant_message="Noted.")),
    "hook before a compaction": (logged, hooked("PreCompact", trigger="auto")),
    "hook after a compaction": (logged, hooked("PostCompact", compact_summary="We chose cone 6.")),
    "hook at the end of a session": (logged, hooked("SessionEnd", reason="other")),
    "hook with a prompt that is queued": (sample, queued("UserPromptSubmit", prompt=MESSAGE)),
    "hook at the end of a turn that is queued": (logged, queued("Stop", last_assistant_message="Noted.")),
    "hook after a compaction that is queued": (logged, queued("PostCompact", compact_summary="Cone 6.")),
    "hook at the end of a session that is queued": (logged, queued("SessionEnd", reason="other")),
    "note mv": (linked, run_note_move),
    "note mv with a new text": (linked, run_note_move_far),
    "undo": (changed, run_undo),
    "forget": (with_digest_key, run_forget),
    "undo of an undo": (undone, run_redo),
    "undo of a session's end": (ended, run_undo),
    "import": (transcribed, run_import),
    "upgrade-history": (old_turns, run_upgrade_history),
    "merge --finish": (merged, run_finish),
    "merge that the next writer finishes": (listed_as_merged, run_lock),
    "migrate": (older, run_migrate),
    "migrate --restore": (migrated, run_restore_backup),
    "quarantine restore": (mended, run_restore),
    "lint --fix": (untidy, run_lint_fix),
    "merge --conflicts": (synced, run_merge_conflicts),
    "merge --conflicts in a file with markers": (marked, run_merge_markers),
}
"""Each command, after the function that prepares its tree."""


def run_on(
    root: Path,
    run: Callable[[Workspace], None],
    stop_at: int | None,
    layout: str = "native",
    **fault: Any,
) -> FaultyDisk:
    """Run a command in a tree on a `FaultyDisk`."""
    workspace = opened(root, layout, disk=lambda folder: FaultyDisk(folder, stop_at, **fault))
    run(workspace)
    return workspace.disk
