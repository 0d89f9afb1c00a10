"""The link graph: the Markdown files of a tree as nodes, and the links between them as edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_resolver import (
    LinkResolution,
    LinkResolver,
    MissingTarget,
    NoteNames,
    ResolvedLink,
    link_keys,
    may_mean,
    name_key,
)
from memtool.core.notes.tags import TagTable
from memtool.core.records.document import TreeListing, etag_of
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.errors import MemtoolError, OutsideWorkspace, UnreadableFile
from memtool.layouts.layout import LocatedFile
from memtool.store.files.path_guard import check_name
from memtool.store.workspace import Workspace
from memtool.verbs.notes.document_node import DocumentNode, parse_node

MARKDOWN_SUFFIXES = (".md", ".markdown")
"""Endings of the files whose links are read."""
_PROGRESS_STEP = 50  # files read between two reports of progress
_MOST_FOLDERS = 2000
"""Most folders without memory that are searched for link targets; if there are more, none is searched."""


class LinkEdge(Struct, frozen=True):
    """An edge of the link graph: a link in a file, and the target that it resolves to."""

    source: DocumentNode
    link: NoteLink
    target: LinkResolution

    @property
    def target_path(self) -> str | None:
        """The path of the target file, which may be the source itself; None if there is no such file."""
        return (
            self.target.path
            if isinstance(self.target, ResolvedLink) and self.target.matched_by != "folder"
            else None
        )

    @property
    def text(self) -> str:
        """The text of the link in its file."""
        return self.source.text[self.link.start : self.link.end]


class _EarlierGraph(Struct, frozen=True):
    """A graph with a table that another graph updates, and the paths of the nodes that differ."""

    graph: LinkGraph
    changed: frozenset[str]


class LinkGraph:
    """The Markdown files that a group may see, by path, and every link between them."""

    def __init__(
        self,
        workspace: Workspace,
        nodes: Iterable[DocumentNode],
        files: Iterable[str],
        listing: TreeListing,
        names: LinkResolver | None = None,
    ) -> None:
        self.workspace = workspace
        self._listing = listing
        self.nodes = {node.path: node for node in nodes}
        self.files = tuple(files)
        self.names = names or LinkResolver(self.files, (node.link_names for node in self.nodes.values()))
        self.unread: dict[str, str] = {}
        """Files whose text could not be read, each with the reason."""
        self.checks_unlisted = True
        """Whether link targets are also searched among unlisted files; False when acting for a group."""
        self.is_read = True
        """False for a graph of which only the paths of the files are known: see `list_link_graph`."""
        self._links: dict[str, Sequence[LinkEdge]] = {}
        self._before_sources: _EarlierGraph | None = None
        self._before_tags: _EarlierGraph | None = None
        """From which the tables of links and of tags are computed, if not from all nodes."""

    @cached_property
    def edges(self) -> tuple[LinkEdge, ...]:
        """Every link, ordered by file and position."""
        return tuple(edge for path in self.nodes for edge in self.links(path))

    def links(self, path: str) -> Sequence[LinkEdge]:
        """The links of a file, in order."""
        if path not in self._links:
            self._links[path] = tuple(self._resolved_links(path))
        return self._links[path]

    def backlinks(self, path: str) -> Sequence[LinkEdge]:
        """The links of other files to a file, ordered by file and position.

        What is parsed for this is not kept: a file may have links from all others.
        """
        node = self.nodes.get(path)
        names = node.link_names if node is not None else NoteNames(path)
        keys = link_keys(names)
        edges: list[LinkEdge] = []
        for source in sorted(self.may_link_to(names) - {path}):
            found = self._links.get(source)
            edges += self._resolved_links(source, keys) if found is None else found
        return [edge for edge in edges if edge.target_path == path]

    def may_link_to(self, names: NoteNames) -> frozenset[str]:
        """The paths of all files with links that may mean a file with these names, by the last component."""
        keys = link_keys(names)
        wanted = self.sources.keys() if "" in keys else keys | {""}
        return frozenset(path for key in wanted for path in self.sources.get(key, ()))

    def _resolved_links(self, path: str, keys: Collection[str] = ("",)) -> Iterator[LinkEdge]:
        """The links of a file that may mean a file with these link keys."""
        if (node := self.nodes.get(path)) is not None:
            for link in replace(node).markup.links:
                if may_mean(link.target, keys):
                    yield LinkEdge(node, link, self.names.resolve(link, path))

    @cached_property
    def sources(self) -> Mapping[str, Sequence[str]]:
        """By link key (see `link_key`), the paths of the files with links that have it."""
        if (earlier := self._before_sources) is None:
            found: dict[str, list[str]] = {}
            for path, node in self.nodes.items():
                for key in node.link_keys:
                    found.setdefault(key, []).append(path)
            return found
        self._before_sources = None
        table = {key: [*paths] for key, paths in earlier.graph.sources.items()}
        for path in earlier.changed:
            old, new = earlier.graph.nodes.get(path), self.nodes.get(path)
            old_keys = old.link_keys if old is not None else frozenset()
            new_keys = new.link_keys if new is not None else frozenset()
            for key in old_keys - new_keys:
                table[key].remove(path)
            for key in new_keys - old_keys:
                table.setdefault(key, []).append(path)
        return table

    @cached_property
    def tags(self) -> TagTable:
        """Which files have each tag."""
        if (earlier := self._before_tags) is None:
            return TagTable((path, node.tags) for path, node in self.nodes.items())
        self._before_tags = None
        table = earlier.graph.tags.copy()
        for path in earlier.changed:
            if (old := earlier.graph.nodes.get(path)) is not None:
                table.remove(path, old.tags)
            if (new := self.nodes.get(path)) is not None:
                table.add(path, new.tags)
        return table

    @property
    def known_tags(self) -> TagTable:
        """Which files have each tag; until `compute_tables`, only the tags in frontmatter."""
        if "tags" in self.__dict__ or self._before_tags is not None:
            return self.tags
        return TagTable((path, node.head.tags) for path, node in self.nodes.items())

    def compute_tables(self) -> None:
        """Compute the tables of links and tags.

        The nodes keep nothing of what is parsed for these: the links of a text take more memory than it.
        """
        if self._before_sources is None and self._before_tags is None:
            sources: dict[str, list[str]] = {}
            tags = TagTable()
            for node in map(replace, self.nodes.values()):
                for key in node.link_keys:
                    sources.setdefault(key, []).append(node.path)
                tags.add(node.path, node.tags)
            self.sources, self.tags = sources, tags
        _ = self.sources, self.tags

    def with_node(self, node: DocumentNode) -> LinkGraph:
        """The graph with a node in place of the one at its path; what is unaffected is not computed again."""
        before = self.nodes.get(node.path)
        has_same_names = before is not None and before.link_names == node.link_names
        is_new = node.path not in self.files
        names = None if is_new else self.names
        if names is not None and not has_same_names:
            names = names.with_note(before.link_names if before else None, node.link_names)
        files = (*self.files, node.path) if is_new else self.files
        nodes = {**self.nodes, node.path: node}.values()
        graph = LinkGraph(self.workspace, nodes, files, self._listing, names)
        graph.unread, graph.checks_unlisted = self.unread, self.checks_unlisted
        graph.is_read = self.is_read
        graph._before_tags = self._updated_by("tags", self._before_tags, node.path)
        graph._before_sources = self._updated_by("sources", self._before_sources, node.path)
        if has_same_names:
            graph._links = {path: edges for path, edges in self._links.items() if path != node.path}
        return graph

    def _updated_by(self, table: str, earlier: _EarlierGraph | None, path: str) -> _EarlierGraph | None:
        """The graph whose table a graph with another node at a path updates: this one, or an earlier one."""
        if table in self.__dict__:
            return _EarlierGraph(self, frozenset({path}))
        return earlier and _EarlierGraph(earlier.graph, earlier.changed | {path})

    def reuse(self, before: LinkGraph) -> None:
        """Take over what was computed for an earlier graph of the workspace, where it still holds."""
        paths = self.nodes.keys() | before.nodes.keys()
        changed = frozenset(path for path in paths if self.nodes.get(path) is not before.nodes.get(path))
        self._before_sources = self._before_tags = _EarlierGraph(before, changed)
        if (
            self.files == before.files
            and self.nodes.keys() == before.nodes.keys()
            and all(self.nodes[path].link_names == before.nodes[path].link_names for path in changed)
        ):
            self.names = before.names

    def node(self, path: str) -> DocumentNode | None:
        """The node of a file, which is read for it if the graph is not read yet."""
        node = self.nodes.get(path)
        if node is None and not self.is_read and path in self.files:
            located = self.workspace.role_of(path)
            if located is not None and is_link_source(path, located):
                folder, _, name = path.rpartition("/")
                return next(_read_nodes(self.workspace, {folder: [(name, located)]}, [], {}), None)
        return node

    def notes(self) -> Iterator[DocumentNode]:
        """The notes, in order of their paths."""
        return (node for node in self.nodes.values() if node.is_note)

    def fault(self, edge: LinkEdge) -> str:
        """Return the fault of a link: `missing`, `heading`, `block`, or "" if there is none.

        `unwritten` is a link to a note that does not exist yet, in a layout that permits this, and
        `unchecked` one whose target may be in a folder that cannot be listed. A target outside the tree
        cannot be checked and counts as no fault.
        """
        if isinstance(edge.target, MissingTarget):
            if self.checks_unlisted and (
                any(map(self.exists, edge.target.tried_paths)) or self._is_unlisted(edge.link)
            ):
                return ""
            if edge.link.is_wiki and self._listing.unreadable:
                return "unchecked"
            is_legal = self.workspace.layout.notes.unwritten and edge.link.is_wiki and not edge.link.embed
            return "unwritten" if is_legal else "missing"
        target_node = self.nodes.get(edge.target_path or "")
        if not edge.link.anchor or target_node is None or target_node.anchors.has(edge.link.anchor):
            return ""
        return "block" if edge.link.anchor.rpartition("#")[2].lstrip().startswith("^") else "heading"

    @property
    def unlisted_folders(self) -> tuple[str, ...]:
        """The folders that cannot be listed."""
        return tuple(path or "the workspace root" for path, _ in self._listing.unreadable)

    def _is_unlisted(self, link: NoteLink) -> bool:
        """Whether a wikilink names a file in a folder that holds no memory."""
        if not link.is_wiki or link.target.startswith(("/", "./", "../")):
            return False
        name = name_key(link.target.rpartition("/")[2])
        return not self._unlisted_names.isdisjoint({name, f"{name}.md"})

    @cached_property
    def _unlisted_names(self) -> frozenset[str]:
        listing = self.workspace.unlisted_files(self._listing, _MOST_FOLDERS)
        return frozenset(name_key(path.rpartition("/")[2]) for path in (listing.files if listing else ()))

    def exists(self, path: str) -> bool:
        """Whether a file exists, also one that the layout does not list, such as an image."""
        return path_exists(self.workspace.disk.stat, path)


def path_exists(stat: Callable[[PurePosixPath], object | None], path: str) -> bool:
    """Whether a file or folder exists at a path, with or without `.md`, listed or not.

    `stat` returns None for a path that does not exist, and raises errors as `Disk.stat`.
    """
    for name in (path, f"{path}.md"):
        try:
            if stat(PurePosixPath(name)) is not None:
                return True
        except OutsideWorkspace:
            continue
        except MemtoolError:  # a folder, or a path without permission: it exists
            return True
    return False


def load_link_graph(
    workspace: Workspace,
    notices: list[str],
    scope: Scope = WHOLE_WORKSPACE,
    progress: Callable[[int, int], None] | None = None,
    known: Callable[[str], DocumentNode | None] = lambda _: None,
) -> LinkGraph:
    """Read every Markdown file of the tree that is in the scope, and build their link graph.

    Files that could not be read are reported in `notices`, a sentence each; `progress` receives the number of
    files read and their total. A file for which `known` returns its node is not read.
    """
    listing = workspace.document_listing()
    notices += [f"{path or 'the workspace root'} cannot be listed: {why}" for path, why in listing.unreadable]
    most_bytes = workspace.settings["search.max_file_bytes"]
    files: list[str] = []
    unread: dict[str, str] = {}
    folders: dict[str, list[tuple[str, LocatedFile]]] = {}
    nodes: list[DocumentNode] = []
    for path, located in _files_in_scope(workspace, listing, scope):
        files.append(path)
        if located is None or not is_link_source(path, located):
            continue
        try:
            check_name(path)
        except OutsideWorkspace as error:  # the name came with a copied tree; one file must not stop all
            notices.append(str(error))
            unread[path] = "has an invalid name; rename the file"
            continue
        if listing.files[path].size > most_bytes:
            notices.append(f"{path} is too large ({listing.files[path].size} bytes); its links were not read")
            unread[path] = "is too large"
            continue
        if (node := known(path)) is not None:
            nodes.append(node)
            continue
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((name, located))
    count = len(nodes) + sum(map(len, folders.values()))
    for node in _read_nodes(workspace, folders, notices, unread):
        nodes.append(node)
        if progress is not None and len(nodes) % _PROGRESS_STEP == 0:
            progress(len(nodes), count)
    if progress is not None:
        progress(count, count)
    nodes.sort(key=lambda node: node.path)
    graph = LinkGraph(workspace, nodes, files, listing)
    graph.unread, graph.checks_unlisted = unread, scope.group is None
    return graph


def list_link_graph(workspace: Workspace, scope: Scope) -> LinkGraph:
    """The link graph of the scope's files before they are read: links to a file by its path resolve."""
    listing = workspace.document_listing()
    files = [path for path, _ in _files_in_scope(workspace, listing, scope)]
    graph = LinkGraph(workspace, (), files, listing)
    graph.is_read, graph.checks_unlisted = False, scope.group is None
    return graph


def _files_in_scope(
    workspace: Workspace, listing: TreeListing, scope: Scope
) -> Iterator[tuple[str, LocatedFile | None]]:
    """The listed files that a scope admits, in order, each with its role."""
    for path in sorted(listing.files):
        located = workspace.role_of(path)
        if scope.group is None or (located is not None and scope.admits(located.group)):
            yield path, located


def is_link_source(path: str, located: LocatedFile) -> bool:
    """Whether a file with this role is Markdown whose links are read."""
    return path.lower().endswith(MARKDOWN_SUFFIXES) and located.place.readable and located.place.indexed


def _read_nodes(
    workspace: Workspace,
    folders: dict[str, list[tuple[str, LocatedFile]]],
    notices: list[str],
    unread: dict[str, str],
) -> Iterator[DocumentNode]:
    titled_by_heading = workspace.layout.notes.titled_by_heading
    for folder, names_and_roles in folders.items():
        located = dict(names_and_roles)
        try:
            for name, _, content in workspace.disk.read_files(PurePosixPath(folder), located):
                path = f"{folder}/{name}" if folder else name
                if isinstance(content, UnreadableFile):
                    notices.append(str(content))
                    unread[path] = str(content).removeprefix(f"{path} ")
                elif b"\0" in content:
                    unread[path] = "contains NUL bytes, as UTF-16 text does; save the file as UTF-8"
                else:
                    text = content.decode("utf-8", "surrogateescape")
                    yield parse_node(
                        path, located[name], text, etag_of(content), titled_by_heading=titled_by_heading
                    )
        except MemtoolError as error:
            notices.append(str(error))
