"""`memtool recall`."""

from __future__ import annotations

import shlex

import click

from memtool.cli import output
from memtool.cli.options import EMBEDDER_OPTION, MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.core.records.hit import Hit
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import sees
from memtool.errors import CouldNotTell, MemtoolError
from memtool.verbs.facts.facts import unknown_category
from memtool.verbs.facts.recall import recall, shown_fact, shown_facts

_OTHER_HITS, _MOST_FILES = 10, 3
"""The most hits that are searched for where no fact matches, and the most of their files that are named."""


@click.command(
    "recall",
    cls=MemtoolCommand,
    session_note="facts of all sessions are searched",
    epilog="""
memtool recall "What is my cat called?"
memtool recall -n 3 --category preference how to answer
memtool recall --user ann birthday             ann's facts, and facts without an owner
memtool recall --json kiln | jq -r .text
memtool recall --fleet "Who fires the kiln?"   also facts in other trees of the fleet
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option("--category", metavar="NAME", help="Search only facts in this category [default: all]")
@click.option("--fleet", is_flag=True, help="Also search facts in other trees of the fleet")
@limit_option(5)
@EMBEDDER_OPTION
@pass_session
def command(
    session: Session,
    query: tuple[str, ...],
    category: str | None,
    fleet: bool,
    limit: int,
    embedder: str | None,
) -> int:
    """Find facts that answer a question

    Searches facts by words, and also by meaning if the semantic extra is installed (see memtool help
    install). If the question is a single word, or if no fact contains all of its words, also searches the
    list items of long-term memory and the lines of USER.md by words; memtool trace --all lists everything.
    "Who am I?" is answered by name, work, home and other facts about the user. Prints only what answers the
    question, as path:line: text, best first, and increases the access count of each fact. A newer fact that
    reports a change to another one is printed before it. If facts match about equally well, those with higher
    salience (recalled more often or more recently) come first. Exits 1 when nothing matches, or 3 if a fact
    may have been missed because a file could not be read.

    With --fleet, searches by words only, and prints facts as tree:path:line: text, where tree is the name of
    a workspace in the fleet. A fact from another tree is followed by the time of that tree's last push to the
    fleet. Exits 3 if the fleet could not be searched.
    """
    if not any(word.strip() for word in query):
        return session.nothing("the query is empty; give the words to look for")
    request = RecallRequest(" ".join(query), session.owner_scope, session.now, limit, category)
    if fleet:
        if embedder:
            raise click.UsageError("--fleet and --embedder cannot be combined")
        return _recall_with_fleet(session, request)
    index = session.fact_index(embedder)
    response = recall(session.workspace, request, index)
    index.close()
    if session.json:
        for hit in response.hits:
            output.put_json(hit.to_record())
    else:
        for hit, text in zip(response.hits, shown_facts(session.workspace, response.hits), strict=True):
            output.put(output.format_location(hit.path, hit.line, None, text))
    for notice in response.notices:
        session.notice(notice)
    if response.plan:
        session.detail(f"accesses counted: {len(response.hits)}")
    if response.hits:
        return 0
    if response.is_unknown:
        return CouldNotTell.exit_code
    reason = unknown_category(session.visible_workspace, category, session.now, session.owner_tags)
    if not reason and not session.given.get("quiet"):
        reason = _no_fact(session, request.text)
    code = session.nothing(reason)
    if response.hint:
        session.detail(response.hint)
    return code


def _no_fact(session: Session, text: str) -> str:
    """What to say where no fact matches: which other files do, or what to run."""
    from memtool.cli.searching import search
    from memtool.core.context.repeated_questions import says_more
    from memtool.core.records.search import SearchArguments

    if _has_rule(session, text):
        return "no fact matches, but a rule does; to list the rules, run memtool rules list"
    try:
        response = search(session, SearchArguments(text, limit=_OTHER_HITS))
    except MemtoolError as error:
        session.detail(f"other files were not searched: {error}")
        return "no fact matches; to search all files, run memtool search"
    hits = [hit for hit in response.hits if not _has_title_alone(hit, text)]
    paths = [*dict.fromkeys(hit.path for hit in hits if says_more(_matching_lines(hit), text))]
    if not paths:
        found = "nothing but the question" if hits else "nothing either"
        listing = "to list all facts, preferences and rules, run memtool trace --all"
        return f"no fact matches, and search finds {found}; {listing}"
    shown = ", ".join(paths[:_MOST_FILES]) + (" and other files" if len(paths) > _MOST_FILES else "")
    return f"no fact matches; to see matches in {shown}, run memtool search {shlex.quote(text)}"


def _has_rule(session: Session, text: str) -> bool:
    """Whether a rule that the request may read has all words of the query."""
    from memtool.core.text.stems import content_stems
    from memtool.verbs.facts.rules import active_rules

    asked = content_stems(text)
    try:
        rules = active_rules(session.workspace)
    except MemtoolError:
        return False
    seen = (rule for rule in rules if sees(session.owner_scope.owners, str(rule.owner or "")))
    return bool(asked) and any(asked <= content_stems(rule.text) for rule in seen)


def _has_title_alone(hit: Hit, text: str) -> bool:
    """Whether no word of a hit's passage is in the query, but one of its title, which says little."""
    from memtool.core.text.stems import content_stems

    asked = content_stems(text)
    passage = " ".join(line for line in hit.text.split("\n") if line.lstrip("# ") != hit.title)
    return not content_stems(hit.title).isdisjoint(asked) and content_stems(passage).isdisjoint(asked)


def _matching_lines(hit: Hit) -> str:
    """The matching line of a hit, and the one after it, which may be the reply to a question."""
    lines = hit.text.split("\n")
    place = hit.line - (hit.end_line - len(lines) + 1)
    return "\n".join(lines[max(0, place) :][:2])


def _recall_with_fleet(session: Session, request: RecallRequest) -> int:
    from memtool.verbs.fleet.push import own_key
    from memtool.verbs.fleet.recall import recall_with_fleet

    key = own_key(session.workspace, session.environment)
    response = recall_with_fleet(session.workspace, key, request, session.fact_index(None))
    for fact in response.facts:
        if session.json:
            output.put_json(fact.to_record())
            continue
        shown = shown_fact(fact.hit.category, fact.hit.text)
        text = f"{shown}  (as of {fact.as_of})" if fact.as_of else shown
        output.put(output.format_location(f"{fact.tree}:{fact.path}", fact.hit.line, None, text))
    for notice in response.notices:
        session.notice(notice)
    if response.facts or response.is_incomplete:
        return 3 if response.is_incomplete else 0
    return session.nothing("no fact matches; to search all documents, run memtool search --fleet")
