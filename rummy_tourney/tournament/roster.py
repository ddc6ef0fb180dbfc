"""The players of a spec: from names, paths and patterns to entries with an id each."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from glob import iglob
from itertools import islice
from pathlib import Path, PurePosixPath

from rummy_tourney.bot.loading import BUILTIN, FILE, EntrySource, load_factory, resolve_entry
from rummy_tourney.errors import BotLoadError
from rummy_tourney.tournament.event import Entry
from rummy_tourney.tournament.kinds import MAX_PLAYERS, MAX_SLUG, SLUG
from rummy_tourney.tournament.specfile import PlayerSection, Problem, Written
from rummy_tourney.tournament.yamldoc import Document, Trail, shown


@dataclass(eq=False, slots=True)
class Named:
    """An entry that is being named: ``depth`` parts of its path make up its name if it was given none."""

    source: EntrySource
    section: PlayerSection
    trail: Trail
    given: str | None
    depth: int = 1

    @property
    def _parts(self) -> list[str]:
        path = self.source.reference.removesuffix(f":{self.source.attribute}" if self.source.attribute else "")
        if self.source.kind == FILE:
            return [part for part in PurePosixPath(path).with_suffix("").parts if part not in ("..", ".", "/")]
        return path.split(".")

    @property
    def display(self) -> str:
        """The name people see."""
        if self.given is not None:
            return self.given
        name = "/".join(self._parts[-self.depth :])
        return f"{name}:{self.source.attribute}" if self.source.attribute else name

    @property
    def id(self) -> str:
        """The name in records and paths."""
        return self.section.id or slug(self.display, "player")

    def can_grow(self) -> bool:
        """Whether another folder of its path can be put before its name."""
        return self.given is None and self.section.id is None and self.depth < len(self._parts)

    def entry(self) -> Entry:
        """The finished entry."""
        return Entry(self.id, self.display, self.source, self.section.options, self.section.trusted)


def _tell_apart(group: Sequence[Named]) -> bool:
    """Lengthen the names of different bots that are called the same; answers whether that changed anything."""
    sources = {(named.source.target, named.source.attribute) for named in group}
    if len(sources) < len(group) or not all(named.can_grow() for named in group):
        return False
    for named in group:
        named.depth += 1
    return True


class Roster:
    """Reads the players of one spec; what is wrong with them joins the problems of ``written``."""

    def __init__(self, document: Document, base_dir: Path, written: Written) -> None:
        self.document = document
        self.base_dir = base_dir
        self.written = written
        self.problems = written.problems

    def _add(self, trail: Trail, message: str, *, at_key: bool = False) -> None:
        self.problems.append(Problem(trail, message, at_key))

    def read(self, family: str) -> list[Named] | None:
        """Every entry, in the order of the file; ``None`` if one of them cannot be used."""
        before = len(self.problems)
        found: list[Named] = []
        for number, section in enumerate(self.written.file.players or ()):
            found += self._section_entries(section, ("players", number), family, MAX_PLAYERS + 1 - len(found))
        if len(found) > MAX_PLAYERS:
            self._add(("players",), f"too many players. Expected at most {MAX_PLAYERS}")
        self._name_all(found)
        return found if len(self.problems) == before and not self.written.is_bad("players") else None

    def _section_entries(self, section: PlayerSection, trail: Trail, family: str, limit: int) -> list[Named]:
        if section.bot is None:
            if self.written.is_bad(*trail):
                return []
            self._add(trail, "the bot is missing. Hint: add bot: and a built-in, a file or a module, as in bot: steady")
            return []
        if section.name is not None and section.display is not None:
            self._add((*trail, "display"), "the same as name. Hint: keep one of them", at_key=True)
            return []
        references = self._expand(section, (*trail, "bot"), limit)
        return [found for ref in references if (found := self._entry(section, ref, trail, family)) is not None]

    def _entry(self, section: PlayerSection, reference: str, trail: Trail, family: str) -> Named | None:
        at_bot = self.document.known_part((*trail, "bot"))
        try:
            source = resolve_entry(reference, self.base_dir, family)
        except BotLoadError as error:
            self._add(at_bot, str(error))
            return None
        if source.kind == BUILTIN:
            try:
                load_factory(source, family, section.options)
            except BotLoadError as error:
                self._add((*trail, "options"), str(error), at_key=True)
                return None
        for key, found in (("kind", source.kind), ("file_hash", source.file_hash)):
            expected = getattr(section, key)
            if expected is not None and expected != found:
                self._add((*trail, key), f"this is not the bot the spec was made for (got {found!r}). Expected {expected!r}")
                return None
        return Named(source, section, trail, section.name or section.display)

    def _expand(self, section: PlayerSection, trail: Trail, limit: int) -> list[str]:
        """The bots that a text stands for: itself, or the files that a pattern finds, in alphabetical order."""
        text = section.bot or ""
        at_bot = self.document.known_part(trail)
        if text.lower().endswith((".csv", ".tsv")):
            self._add(at_bot, "a table of players in a file comes in a later version. Available now: a list")
            return []
        if not re.search(r"[*?\[]", text) or self._is_file(text):
            return [text]
        parts = PurePosixPath(text).parts
        if not text.endswith(".py"):
            self._add(at_bot, f"a pattern has to end in .py (got {shown(text)})")
        elif any(re.search(r"[*?\[]", part) for part in parts[:-2]):
            self._add(at_bot, "a pattern may have wildcards in the name of the file and of its folder, not before")
        elif any(value is not None for value in (section.name, section.display, section.id, section.file_hash)):
            self._add(at_bot, "a pattern finds many bots, which cannot share one name or id. Hint: remove name and id")
        else:
            return self._matches(text, at_bot, limit)
        return []

    def _matches(self, pattern: str, at_bot: Trail, limit: int) -> list[str]:
        try:
            matching = iglob(pattern, root_dir=self.base_dir)
            open_ones = (file for file in matching if not PurePosixPath(file).name.startswith("_"))
            found = sorted(islice(open_ones, max(limit, 1)))  # one more than allowed is enough to know
        except (OSError, ValueError, re.error) as error:
            self._add(at_bot, f"not a pattern that can be searched for ({error})")
            return []
        if not found:
            folder = (self.base_dir / pattern).parent
            self._add(at_bot, f"no bots match {pattern} (looked in {_absolute(folder)})")
        return found

    def _is_file(self, text: str) -> bool:
        try:
            return (self.base_dir / text).is_file()
        except (OSError, ValueError):
            return False

    def _name_all(self, found: Sequence[Named]) -> None:
        """Give every entry its name and id. Files of one name in several folders are told apart by their folders."""
        changed = True
        while changed:
            groups: dict[str, list[Named]] = {}
            for named in found:
                groups.setdefault(named.id, []).append(named)
            doubled = [group for group in groups.values() if len(group) > 1]
            changed = False
            for group in doubled:
                changed = _tell_apart(group) or changed
        for group in doubled:
            self._listed_twice(group[0], group[1])

    def _listed_twice(self, first: Named, second: Named) -> None:
        places = [self.document.place(named.trail) for named in (first, second)]
        lines = [f"{place.line}" for place in places if place is not None]
        if lines:
            where = f"lines {lines[0]} and {lines[1]}" if lines[0] != lines[1] else f"line {lines[0]}"
        else:
            where = f"numbers {int(first.trail[1]) + 1} and {int(second.trail[1]) + 1}"
        if second.given is not None or second.section.id is not None:
            hint = "give each a name of its own; upper and lower case are the same"
        else:
            hint = f"give each a name of its own, as in {{name: {second.id}-2, bot: {second.source.reference}}}"
        self._add(second.trail, f'"{second.display}" is listed twice ({where}). Hint: {hint}')


def slug(name: str, kind: str) -> str:
    """A name as an id: lower-case letters, digits and ``-``; a name with none of these becomes ``kind`` and a hash of it.

    >>> slug("Spring gin league!", "event")
    'spring-gin-league'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_SLUG].strip("-")
    if made and SLUG.fullmatch(made):
        return made
    return f"{kind}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _absolute(folder: Path) -> str:
    try:
        return str(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return str(folder)
