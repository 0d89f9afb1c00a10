"""Episodes: one a session, which grows with it, and what is chosen for it."""

from __future__ import annotations

from datetime import timedelta

from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, TextPart
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.sessions.episode_summary import earlier_summaries
from memtool.verbs.sessions.episodes import ended_since, list_episodes
from memtool.verbs.sessions.session_end import session_end
from tests.trees import NOW, contents, make, opened

ANN, BOB = Owner("user", "ann"), Owner("user", "bob")
FOLDER = "memory/episodic"


def exchanges(*said):
    return [
        Message("assistant" if number % 2 else "user", (TextPart(text),)) for number, text in enumerate(said)
    ]


BEGINNING = exchanges(
    "I want to move the shop to PostgreSQL 16.",
    "Fine, which data do you have?",
    "About 40 GB of orders.",
    "That is no problem.",
    "Let's go with logical replication.",
    "Agreed.",
)


def added(number):
    return exchanges(f"Now add an index to the table of invoices of 20{number:02}.", "I added it.")


def end(root, messages, days=0, owner=ANN, session="s1"):
    workspace, now = opened(root, "native"), NOW + timedelta(days=days)
    policy = load_policy(workspace.settings)
    return session_end(workspace, messages, policy, owner=owner, session=session, now=now, today=now.date())


def test_a_session_that_is_resumed_has_one_episode_at_its_first_path(tmp_path):
    root = make(tmp_path / "w", {})
    messages = [*BEGINNING]
    paths = set()
    for day in range(4):
        paths.add(end(root, messages, day).episode)
        before = contents(root)
        end(root, messages, day)
        assert contents(root) == before
        messages += added(day)
    (stored,) = list_episodes(opened(root, "native"), [])
    assert paths == {stored.path}
    assert stored.header.turns == 6
    for kept in ("PostgreSQL 16", "logical replication", "2002"):
        assert kept in stored.text


def test_the_episode_that_was_resumed_last_is_the_latest_and_recent(tmp_path):
    root = make(tmp_path / "w", {})
    path = end(root, BEGINNING).episode
    end(root, BEGINNING, 10, session="s2")
    end(root, [*BEGINNING, *added(1)], 40)
    workspace = opened(root, "native")
    assert [stored.header.session for stored in list_episodes(workspace, [])] == ["s1", "s2"]
    assert ended_since(workspace, path, (NOW + timedelta(days=30)).date())


def test_what_was_said_before_stays_where_only_the_new_part_is_at_hand(tmp_path):
    root = make(tmp_path / "w", {})
    end(root, BEGINNING)
    end(root, [*added(1)])
    (stored,) = list_episodes(opened(root, "native"), [])
    assert "PostgreSQL 16" in stored.text
    assert "2001" in stored.text


def test_a_summary_that_a_model_wrote_and_keys_that_a_person_added_stay(tmp_path):
    root = make(tmp_path / "w", {})
    path = root / end(root, BEGINNING).episode
    text = path.read_text().replace("extractive: true\n", 'extractive: false\nmood: "calm"\n')
    path.write_text(text.partition("---\n")[0] + text.rpartition("---\n")[0] + "---\nThe shop moves.\n")
    end(root, [*BEGINNING, *added(1)])
    (stored,) = list_episodes(opened(root, "native"), [])
    assert stored.text.startswith("The shop moves.\nRequests:\nuser: ")
    assert "PostgreSQL" not in stored.text
    assert not stored.header.extractive
    assert 'mood: "calm"' in path.read_text()


def test_the_titles_of_an_earlier_version_are_not_kept_without_their_rows(tmp_path):
    root = make(tmp_path / "w", {})
    path = root / end(root, BEGINNING).episode
    text = path.read_text().replace("extractive: true\n", "extractive: false\n")
    former = "The shop moves.\nAlso said:\nuser: We open at ten."
    path.write_text(text.partition("---\n")[0] + text.rpartition("---\n")[0] + f"---\n{former}\n")
    end(root, [*BEGINNING, *added(1)])
    (stored,) = list_episodes(opened(root, "native"), [])
    assert stored.text.startswith("The shop moves.\n")
    assert "Also said:" not in stored.text


def test_the_episodes_that_an_earlier_version_left_become_one(tmp_path):
    root = make(tmp_path / "w", {})
    path = root / end(root, BEGINNING).episode
    make(root, {f"{FOLDER}/2025-01-15-s1-{number}.md": path.read_text() for number in (2, 3)})
    end(root, [*BEGINNING, *added(1)])
    assert [*(root / FOLDER).iterdir()] == [path]


def test_sessions_of_one_name_of_two_users_have_each_their_own(tmp_path):
    root = make(tmp_path / "w", {})
    assert end(root, BEGINNING).episode != end(root, BEGINNING, owner=BOB).episode


def test_only_the_users_part_of_a_question_and_its_answer_is_the_users(tmp_path):
    root = make(tmp_path / "w", {})
    end(root, [*BEGINNING, *exchanges("One more thing.", "Is Karimova afraid of the exam?", "Yes, badly.")])
    ((_, quotes),) = earlier_summaries(opened(root, "native"), ANN, "s2")
    assert "Yes, badly." in quotes
    assert "Karimova" not in quotes


SALARY = exchanges(
    "I need to disclose that Margarethe earns 91000 euros.", "Noted, Margarethe earns 91000 euros."
)
NOTHING = exchanges("Please don't save anything I said in this conversation.", "Understood.")


def test_an_episode_keeps_nothing_of_what_the_user_asks_afterwards_not_to_keep(tmp_path):
    root = make(tmp_path / "w", {})
    messages = [*BEGINNING, *SALARY]
    assert "Margarethe" in (root / end(root, messages).episode).read_text()
    messages += exchanges("Forget what I said.", "Understood.")
    path = end(root, messages, 1).episode
    assert "Margarethe" not in (root / path).read_text()
    assert "PostgreSQL 16" in (root / path).read_text()
    end(root, [*messages, *NOTHING, *added(1)], 2)
    (stored,) = list_episodes(opened(root, "native"), [])
    assert "PostgreSQL" not in stored.text
    assert "2001" in stored.text


def test_rows_of_private_turns_are_not_carried_over_where_only_the_end_is_at_hand(tmp_path):
    root = make(tmp_path / "w", {})
    end(root, [*BEGINNING, *SALARY])
    end(root, [*SALARY, *exchanges("Forget what I said.", "Understood."), *added(1)], 1)
    (stored,) = list_episodes(opened(root, "native"), [])
    assert "Margarethe" not in stored.text
    assert "PostgreSQL 16" in stored.text


def test_an_episode_of_which_nothing_may_be_kept_is_removed(tmp_path):
    root = make(tmp_path / "w", {})
    path = root / end(root, BEGINNING).episode
    assert end(root, [*BEGINNING, *NOTHING]).episode is None
    assert not path.exists()
